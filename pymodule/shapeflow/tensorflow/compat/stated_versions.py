"""Versions that a program states: requirements of its project, and assertions about `tf.__version__`.

A requirement is a list of clauses such as (">=", (1, 4)), as pip and conda write them; of several statements
(one for each Python, say) any may hold. An assertion is evaluated for each version it may be asked of.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    Version = Tuple[int, ...]
    Clause = Tuple[str, Version]

_PACKAGES = frozenset("""tensorflow tensorflow-gpu tensorflow-cpu tensorflow-macos tensorflow-intel
    tensorflow-rocm intel-tensorflow""".split())
_FILES = ("requirements.txt", "environment.yml", "environment.yaml", "setup.py", "setup.cfg",
          "pyproject.toml", "Pipfile")
_FILE_MOST = 200_000


class Stated:
    """One statement: "requirements.txt:3 says tensorflow==1.15"."""

    __slots__ = ("where", "text", "clauses")

    def __init__(self, where: str, text: str, clauses: List[Clause]) -> None:
        self.where, self.text, self.clauses = where, text, clauses

    def allows(self, version: Version) -> bool:
        return all(_allows(operator, wanted, version) for operator, wanted in self.clauses)

    @property
    def pin(self) -> Optional[Version]:
        """The one version it allows; None: several."""
        exact = [wanted for operator, wanted in self.clauses
                 if operator in ("==", "===", "=") and len(wanted) > 1]
        return exact[0] if exact else None


def numbers(text: str) -> Version:
    """(1, 15, 0) of "1.15.0", "1.15.0rc1", "1.15.*"."""
    found: List[int] = []
    for part in text.strip().lstrip("vV").split("."):
        digits = ""
        for letter in part:
            if not letter.isdigit():
                break
            digits += letter
        if not digits:
            break
        found.append(int(digits))
        if len(digits) != len(part):
            break
    return tuple(found)


def _allows(operator: str, wanted: Version, version: Version) -> bool:
    given = (version + (0, 0, 0))[:max(len(wanted), 1)]
    if operator == ">=":
        return given >= wanted
    if operator == "<=":
        return given <= wanted
    if operator == "<":
        return given < wanted
    if operator == ">":
        return version[:2] > wanted[:2] if len(wanted) < 3 else given > wanted
    if operator == "!=":
        return given != wanted
    if operator == "~=":
        return given >= wanted and version[:len(wanted) - 1] == wanted[:-1]
    if operator == "^":
        kept = 1 if wanted[:1] != (0,) else 2
        return given >= wanted and version[:kept] == wanted[:kept]
    return given == wanted  # ==, ===, conda's =


# --- requirements ---------------------------------------------------------------------------------------
def clauses_of(requirement: str) -> Optional[List[Clause]]:
    """The clauses of "tensorflow-gpu>=1.4,<2"; None where it speaks of something else or of no version."""
    text = requirement.strip().lstrip("-").strip().strip("\"',")
    at = 0
    while at < len(text) and (text[at].isalnum() or text[at] in "-_."):
        at += 1
    if text[:at].lower().replace("_", "-") not in _PACKAGES:
        return None
    rest = text[at:].lstrip()
    if rest.startswith("["):
        rest = rest[rest.find("]") + 1:]
    rest = rest.split(";")[0].split("#")[0].strip().strip("()").strip().strip("\"',")
    return _clauses(rest)


def _clauses(text: str) -> Optional[List[Clause]]:
    found: List[Clause] = []
    for part in text.replace("|", ",").split(","):
        part = part.strip().strip("\"'")
        length = 0
        while length < len(part) and part[length] in "=<>!~^":
            length += 1
        operator, wanted = part[:length], part[length:].strip()
        version = numbers(wanted)
        if not version or not operator:
            return None
        if wanted.endswith(".*") and operator == "==":
            operator = "="  # a range as conda's
        if operator == "=" and "=" in wanted:  # conda: version=build
            operator = "=="
        found.append((operator, version))
    return found or None


def requirements(folders: Sequence[str], looked: List[str]) -> List[Stated]:
    """What the nearest of the folders says that says anything; `looked` gets the files it asked for."""
    for folder in folders:
        found: List[Stated] = []
        names = list(_FILES)
        for name in names:  # it grows by the files that one of them names
            path = os.path.join(folder, name)
            looked.append(path)
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > _FILE_MOST:
                    continue
                with open(path, encoding="utf-8", errors="replace") as stream:
                    text = stream.read()
            except OSError:
                continue
            if "tensorflow" in text:
                found += _in_file(name, text)
            if name.endswith(".txt"):
                names += [other for other in _included(name, text) if other not in names]
        if found:
            return found
    return []


def _included(name: str, text: str) -> List[str]:
    """The files that `-r base.txt` in the requirements `name` names, from the same folder."""
    lines = (line.split("#")[0].strip() for line in text.split("\n"))
    found = [line.partition(" ")[2].strip() or line[2:].strip() for line in lines
             if line.startswith(("-r", "--requirement "))]
    return [os.path.normpath(os.path.join(os.path.dirname(name), other)) for other in found[:8]]


def _in_file(name: str, text: str) -> List[Stated]:
    found = []
    quoted = name.endswith((".py", ".toml", ".cfg"))
    for number, line in enumerate(text.split("\n"), 1):
        if "tensorflow" not in line or line.lstrip().startswith("#"):
            continue
        where = f"{name}:{number}"
        pieces = [line]
        if quoted:
            pieces += [part for quote in "'\"" for part in line.split(quote)[1::2]]
        for piece in pieces:
            clauses = clauses_of(piece)
            if clauses is None and name in ("pyproject.toml", "Pipfile"):
                clauses = _of_poetry(piece)
            if clauses is not None:
                found.append(Stated(where, piece.strip().lstrip("- ").strip("\"', "), clauses))
                break
    return found


def _of_poetry(line: str) -> Optional[List[Clause]]:
    """`tensorflow = "^1.15"`, `tensorflow = {version = "2.3.*", ...}`."""
    key, _, value = line.partition("=")
    if key.strip().strip("\"'").lower().replace("_", "-") not in _PACKAGES:
        return None
    if value.strip().startswith("{"):
        value = value.partition("version")[2].partition("=")[2].strip()
    value = value.strip()
    if value[:1] not in "'\"" or not value:
        return None
    text = value[1:].split(value[0])[0]
    return _clauses(text) if text[:1] in "=<>!~^" else _clauses("^" + text) if text[:1].isdigit() else None


# --- assertions -----------------------------------------------------------------------------------------
class Comparable:
    """`LooseVersion("1.15.0")` and its like."""

    def __init__(self, text: Any) -> None:
        self.version = list(numbers(str(text)))
        self.release = tuple(self.version)
        padded = (*self.version, 0, 0, 0)
        self.major, self.minor, self.micro = padded[:3]

    def _key(self, other: object) -> Tuple[List[int], List[int]]:
        mine, theirs = self.version, (other if isinstance(other, Comparable) else Comparable(other)).version
        most = max(len(mine), len(theirs))
        return mine + [0] * (most - len(mine)), theirs + [0] * (most - len(theirs))

    def __lt__(self, other: object) -> bool:
        mine, theirs = self._key(other)
        return bool(mine < theirs)

    def __le__(self, other: object) -> bool:
        mine, theirs = self._key(other)
        return bool(mine <= theirs)

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        mine, theirs = self._key(other)
        return bool(mine == theirs)

    def __hash__(self) -> int:
        return hash(tuple(self.version))


class _Module:
    """Whatever names the version: tf, tf.version, tf.VERSION."""

    def __init__(self, version: str) -> None:
        self.__version__ = self.VERSION = version

    @property
    def version(self) -> _Module:
        return self


class _Versions:
    """`packaging.version`, `distutils.version`, `pkg_resources`."""

    LooseVersion = StrictVersion = Version = parse = parse_version = Comparable

    @property
    def version(self) -> _Versions:
        return self

    def __eq__(self, other: object) -> bool:
        raise TypeError("no version")

    __hash__ = None  # type: ignore[assignment]


_CALLS = {"len": len, "int": int, "float": float, "str": str, "tuple": tuple, "list": list, "map": map,
          "bool": bool, "any": any, "all": all}
_VERSION_CALLS = ("LooseVersion", "StrictVersion", "Version", "parse", "parse_version", "V", "parse_v")
_METHODS = frozenset("""startswith split strip replace rsplit __version__ VERSION version major minor micro
    release lower""".split()).union(_VERSION_CALLS)
# Expressions of these, with names that we give, can do nothing but compare.
_NODES = frozenset("""Compare BoolOp UnaryOp Not And Or Eq NotEq Lt LtE Gt GtE In NotIn Constant Subscript
    Slice Call Attribute Name Tuple List ListComp GeneratorExp comprehension Load Store USub Index Set
    """.split())


def holds(test: ast.expr, version: str, meaning: Callable[[str], str]) -> Optional[bool]:
    """Is a test of the version true in one? None: it asks for more than a version. `meaning(name)`: "tf" for
    the module, "tf.__version__" for its version, "" for anything else."""
    import _ast

    from shapeflow.tensorflow.compat.evidence import children

    names: Dict[str, Any] = {"__builtins__": {}}
    stack: List[Any] = [test]
    bound = set()
    while stack:
        node = stack.pop()
        if not isinstance(node, _ast.AST):
            continue
        if type(node).__name__ not in _NODES:
            return None
        if type(node) is _ast.Attribute and node.attr not in _METHODS:
            return None
        if type(node) is _ast.Name:
            name = node.id
            if type(node.ctx) is _ast.Store:
                bound.add(name)
            elif meaning(name):
                names[name] = _Module(version) if meaning(name) == "tf" else version
            elif name in _CALLS:
                names[name] = _CALLS[name]
            elif name in _VERSION_CALLS:
                names[name] = Comparable
            elif name not in bound:
                names[name] = _Versions()
        stack += children(node)
    for name in bound:
        names.pop(name, None)
    try:
        code = compile(_ast.Expression(body=test), "<version>", "eval")
        return bool(eval(code, names))
    except Exception:
        return None


def mentioned(test: ast.expr) -> List[str]:
    """Texts in a test that look like versions of TensorFlow: "1.4.0", "0.12."."""
    import _ast

    from shapeflow.tensorflow.compat.evidence import children

    found, stack = [], [test]
    while stack:
        node = stack.pop()
        if isinstance(node, _ast.Constant) and isinstance(node.value, str):
            version = numbers(node.value)
            if len(version) > 1 and version[0] < 3:
                found.append(node.value)
        elif isinstance(node, _ast.AST):
            stack += children(node)
    return found
