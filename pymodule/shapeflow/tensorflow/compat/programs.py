"""A program as its files: the script, the local modules that it imports, and what their names mean.

Bounded: a program of more than FILES_MOST files, or BYTES_MOST bytes, is judged by what comes first, breadth
first. A file that mentions no TensorFlow and imports nothing local is not parsed.
"""
from __future__ import annotations

import builtins
import os
import sys

from shapeflow.api import source_roots
from shapeflow.tensorflow.compat import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

FILES_MOST = 120
BYTES_MOST = 1 << 20
FILE_MOST = 400_000
ROOTS = ("tensorflow", "shapeflow")
_MENTIONS = (b"tensorflow", b"shapeflow", b"import_module(", b"__import__(", b"sys.path.",
             b"exec(", b"execfile(", b"run_path(", b"run_module(")
_UP_MOST = 4  # folders above a script that its project's root may be
_ROOT_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "environment.yml")
_STANDARD = frozenset(getattr(sys, "stdlib_module_names", ()))
_BUILTINS = frozenset(dir(builtins))


def canonical(module: str) -> Optional[str]:
    """"tf.nn" of the import path "tensorflow.nn"; None of another package's."""
    for root in ROOTS:
        if module == root:
            return "tf"
        if module.startswith(root + "."):
            return "tf" + module[len(root):]
    return None


def folders_up(folder: str) -> List[str]:
    """The script's folder and those above it up to the project's root, the nearest first."""
    found, home = [folder], os.path.expanduser("~")
    at = folder
    for _ in range(_UP_MOST):
        if any(os.path.exists(os.path.join(at, mark)) for mark in _ROOT_MARKS[:3]):
            return found
        above = os.path.dirname(at)
        if above == at or above == home:
            break
        at = above
        found.append(at)
    marked = [n for n, at in enumerate(found)
              if any(os.path.exists(os.path.join(at, mark)) for mark in _ROOT_MARKS)]
    return found[:marked[0] + 1] if marked else found[:1]


class Program:
    """The files of a program. `knows_star(dotted)`: is it a public name of any TensorFlow?"""

    def __init__(self, knows_star: Callable[[str], bool]) -> None:
        self.files: Dict[str, evidence.FileEvidence] = {}
        self.folders: List[str] = []  # of sys.path that may hold the program's own modules
        self.read: List[str] = []
        self._bytes = 0
        self._knows_star = knows_star
        self._found: Dict[Tuple[str, int, str], Optional[str]] = {}
        self._resolved: Dict[Tuple[str, str], List[Tuple[str, str]]] = {}
        self._there: Dict[str, bool] = {}
        self._folders_above: Dict[str, List[str]] = {}

    def add(self, path: str, text: Any, overrides: Dict[str, str]) -> None:
        """The script, and all that it imports of its own."""
        waiting = [(path, text)]
        while waiting:
            path, text = waiting.pop(0)
            if path in self.files or len(self.files) >= FILES_MOST or self._bytes > BYTES_MOST:
                continue
            if text is None:
                text = self._content(path, overrides)
                if text is None:
                    continue
            self._bytes += len(text)
            if not self._is_worth_it(path, text):
                continue
            file = self.files[path] = evidence.read(path, text)
            if file.search_paths:
                from shapeflow.tensorflow.compat import search_paths

                self.folders = list(dict.fromkeys([*self.folders, *search_paths.folders(file)]))
                self._found.clear()
            if file.runs:
                from shapeflow.tensorflow.compat import search_paths

                paths = list(dict.fromkeys(search_paths.files_run(file)))
                file.stars = [star for star in file.stars if star[1] != evidence.RUN]
                file.stars += [(found, evidence.RUN) for found in paths]
                waiting += [(found, None) for found in paths]
            for module, level, names, *_ in file.imports:
                for found in self._local_files(path, module, level, names):
                    if found not in self.files:
                        waiting.append((found, None))

    def _content(self, path: str, overrides: Dict[str, str]) -> Optional[Union[bytes, str]]:
        if path in overrides:
            return overrides[path]
        try:
            if os.path.getsize(path) > FILE_MOST:
                return None
            with open(path, "rb") as stream:
                content = stream.read()
        except OSError:
            return None
        self.read.append(path)
        return content

    def _is_worth_it(self, path: str, text: Any) -> bool:
        """Does it mention TensorFlow, or import what may?"""
        data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        if any(word in data for word in _MENTIONS):
            return True
        at = data.find(b"import ")
        while at >= 0:
            line = data[data.rfind(b"\n", 0, at) + 1:at].strip()
            if not line:
                rest = data[at + 7:data.find(b"\n", at) if b"\n" in data[at:] else len(data)]
                words = [part.split() for part in rest.decode("utf-8", "replace").split(",")]
                modules = [part[0] for part in words if part]
            else:
                modules = [line.decode("utf-8", "replace")[5:].strip()] if line.startswith(b"from ") else []
            for module in modules:
                bare = module.lstrip(".")
                if module != bare or self._find(path, bare.partition(".")[0], 0) is not None:
                    return True
            at = data.find(b"import ", at + 7)
        return False

    # --- local modules ------------------------------------------------------------------------------
    def _has(self, folder: str, name: str) -> bool:
        path = os.path.join(folder, name)
        there = self._there.get(path)
        if there is None:
            there = self._there[path] = os.path.exists(path)
        return there

    def _above(self, folder: str) -> List[str]:
        found = self._folders_above.get(folder)
        if found is None:
            found = self._folders_above[folder] = source_roots.above(folder, folder)
        return found

    def _find(self, path: str, module: str, level: int) -> Optional[str]:
        """The file of a local module, as imported in the file `path`; a folder without __init__ as it is."""
        if level == evidence.RUN:
            return module
        base = os.path.dirname(path)
        key = base, level, module
        if key in self._found:
            return self._found[key]
        found = None
        parts = module.split(".") if module else []
        if level:
            for _ in range(level - 1):
                base = os.path.dirname(base)
            found = self._below(base, parts)
        elif parts and parts[0] not in ROOTS:
            # A file of Python 2 may import what is beside it without a dot.
            beside = [base] if base not in self.folders else []
            for folder in (*self.folders, *beside, *self._above(base)):
                if parts[0] in _STANDARD and not self._has(folder, parts[0] + ".py"):
                    continue
                found = self._below(folder, parts)
                if found is not None:
                    break
        self._found[key] = found
        return found

    def _below(self, folder: str, parts: Sequence[str]) -> Optional[str]:
        for at, part in enumerate(parts):
            last = at == len(parts) - 1
            if last and self._has(folder, part + ".py") and not self._has(os.path.join(folder, part),
                                                                          "__init__.py"):
                return os.path.join(folder, part + ".py")
            if not self._has(folder, part):
                return None
            folder = os.path.join(folder, part)
            if not os.path.isdir(folder):
                return None
        inner = os.path.join(folder, "__init__.py")
        return inner if self._has(folder, "__init__.py") else folder

    def _local_files(self, path: str, module: str, level: int, names: Sequence[str]) -> Iterator[str]:
        """The files that an import runs, packages first."""
        parts = module.split(".") if module else []
        for end in range(1, len(parts)):
            package = self._find(path, ".".join(parts[:end]), level)
            if package is None:
                return
            if package.endswith(".py"):
                yield package
        found = self._find(path, module, level)
        if found is None:
            return
        if found.endswith(".py"):
            yield found
        if not found.endswith(".py") or found.endswith("__init__.py"):
            for name in names:
                inner = self._find(path, module + "." + name if module else name, level)
                if inner is not None and inner.endswith(".py"):
                    yield inner

    # --- what names mean ----------------------------------------------------------------------------
    def resolve(self, file: evidence.FileEvidence, root: str, suffix: str) -> List[str]:
        """The names of TensorFlow's that an expression of a file may stand for: "tf.nn.relu"."""
        heads = self._heads(file, root)
        found: List[str] = []
        for head, path in heads:
            if not path:
                found.append(head + suffix)
            elif suffix:
                first, _, rest = suffix[1:].partition(".")
                found += self._inside(path, first, "." + rest if rest else "")
        return found

    def says_version(self, file: evidence.FileEvidence, flags: evidence.Flags) -> bool:
        """Is one of the imported names `flags` a flag that says which TensorFlow runs?"""
        for root, suffix in flags:
            for kind, module, *rest in file.bindings.get(root, ()):
                if kind == "same":
                    continue
                level, name = rest or (0, "")
                owner, _, name = (module + "." * bool(name and module) + name + suffix).rpartition(".")
                defining = self.files.get(self._find(file.path, owner, level) or "")
                if defining is not None and name in defining.tainted:
                    return True
        return False

    def _inside(self, path: str, name: str, suffix: str) -> List[str]:
        """What an attribute of a local module stands for."""
        file = self.files.get(path)
        if file is not None and (name in file.bindings or file.stars and name not in file.bound):
            return self.resolve(file, name, suffix)
        folder = path if not path.endswith(".py") else os.path.dirname(path)
        if path.endswith("__init__.py") or folder == path:
            inner = self._below(folder, [name])
            if inner is not None and suffix:
                first, _, rest = suffix[1:].partition(".")
                return self._inside(inner, first, "." + rest if rest else "")
        return []

    def _heads(self, file: evidence.FileEvidence, root: str) -> List[Tuple[str, str]]:
        """(dotted name, "") of TensorFlow's, ("", path) of local modules that a name may be."""
        key = file.path, root
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = []  # in a circle (`tf = tf.compat.v1`) what is known so far counts
            for meaning in self._look_up(file, root):
                if meaning not in found:
                    found.append(meaning)
        return found

    def _look_up(self, file: evidence.FileEvidence, root: str) -> Iterator[Tuple[str, str]]:
        bindings = file.bindings.get(root)
        if bindings is None:
            if file.stars and root not in file.bound and root not in _BUILTINS:
                yield from self._from_stars(file, root)
            return
        for binding in bindings:
            if binding[0] == "from":
                yield from self._imported_name(file, *binding[1:])
            elif binding[0] == "same":
                yield from ((dotted, "") for dotted in self.resolve(file, binding[1], binding[2]))
            else:
                dotted = canonical(binding[1])
                path = None if dotted is not None else self._find(file.path, binding[1], 0)
                if dotted is not None or path is not None:
                    yield dotted or "", path or ""

    def _from_stars(self, file: evidence.FileEvidence, root: str) -> Iterator[Tuple[str, str]]:
        for module, level in file.stars:
            dotted = canonical(module) if not level else None
            if dotted is not None:
                if self._knows_star(dotted + "." + root):
                    yield dotted + "." + root, ""
                continue
            path = self._find(file.path, module, level)
            if path is not None and path in self.files:
                yield from self._heads(self.files[path], root)

    def _imported_name(self, file: evidence.FileEvidence, module: str, level: int, name: str
                       ) -> List[Tuple[str, str]]:
        dotted = canonical(module) if not level else None
        if dotted is not None:
            return [(dotted + "." + name, "")]
        path = self._find(file.path, module, level)
        if path is None:
            return []
        inner = self.files.get(path)
        if inner is not None and (name in inner.bindings or inner.stars and name not in inner.bound):
            return self._heads(inner, name)
        submodule = self._find(file.path, module + "." + name if module else name, level)
        return [("", submodule)] if submodule is not None else []
