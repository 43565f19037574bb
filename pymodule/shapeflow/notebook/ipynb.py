"""Notebooks as programs: the code cells of an .ipynb file, run in order in one namespace.

Each cell is a file of its own to the interpreter, `nb.ipynb:cell 3`, counted from 1 over all cells, so
that findings read `nb.ipynb:cell 3:LINE:COL`. Magics and shell lines are taken as IPython takes them,
without IPython, and none runs a command. Source: nbformat 4 and 3; IPython's inputtransformer2.
"""
from __future__ import annotations

import ast
import json
import re

from shapeflow.tensorflow.compat.version_decision import DEFAULT_V1, DEFAULT_V2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.tensorflow.compat.stated_versions import Stated

    Compile = Callable[[str, str, int], CodeType]

SUFFIX = ".ipynb"
_MARK = SUFFIX + ":cell "

_RUN_BODY = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "shapeflow"})  # of %%
_RUN_REST = frozenset({"time", "timeit", "prun", "memit"})  # %time x = f()
_RUN_OPTIONS = frozenset({"-i", "-n", "-e", "-t", "-p", "-d", "-m"})  # of %run
_ASSIGNED = re.compile(r"^(\s*[\w.,\s\[\]*]+?=\s*)([%!])(?!=)(.*)$", re.DOTALL)
_HELP = re.compile(r"^\s*\?{1,2}[\w.*]+\s*$|^\s*[\w.*\[\]'\"]+\?{1,2}\s*$")
_NAMED = re.compile(r"\b(?:tensorflow|tf)[-_ ]?v?([012]\.\d+(?:\.\d+)?)", re.IGNORECASE)
_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_OPENING, _CLOSING = "([{", ")]}"


class Cell:
    """One code cell: `number` in the notebook, its text, `source` as Python, `fails` when it is meant to
    raise."""

    def __init__(self, number: int, raw: str, fails: bool) -> None:
        self.number = number
        self.raw = raw
        self.source = as_python(raw)
        self.fails = fails


class Notebook:
    """The code cells, the TensorFlow that `%tensorflow_version 1.x` asks for (else None), and the versions
    that it states: what it installs, what its kernel is called, what it printed of `tf.__version__`."""

    def __init__(self, cells: List[Cell], version: Optional[str], stated: Sequence[Stated] = ()) -> None:
        self.cells = cells
        self.version = version
        self.stated = list(stated)

    @property
    def source(self) -> str:
        """All cells as one text, for what is read off a program's source."""
        return "\n".join(cell.source for cell in self.cells)


def is_notebook(path: str) -> bool:
    return path.endswith(SUFFIX)


def cell_path(path: str, number: int) -> str:
    return f"{path[:-len(SUFFIX)]}{_MARK}{number}"


def split(path: str) -> Tuple[str, Optional[int]]:
    """(file, number of the cell) of the path of a span; (path, None) when it is no cell."""
    head, mark, number = path.rpartition(_MARK)
    return (head + SUFFIX, int(number)) if mark and number.isdigit() else (path, None)


# --- reading ----------------------------------------------------------------------------------------
def _text(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source or ())


def read(text: str) -> Notebook:
    """The notebook in the content of an .ipynb file. ValueError when it is none."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ValueError(f"not a notebook: {error}")
    cells = content.get("cells") if isinstance(content, dict) else None
    if cells is None and isinstance(content, dict) and content.get("worksheets"):  # nbformat 3
        cells = [cell for sheet in content["worksheets"] for cell in sheet.get("cells", ())]
    if not isinstance(cells, list):
        raise ValueError("not a notebook: it has no cells")
    found, version = [], None
    stated = list(_of_kernel(content))
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") != "code":
            continue
        raw = _text(cell.get("source", cell.get("input")))
        tags = (cell.get("metadata") or {}).get("tags") or ()
        found.append(Cell(number, raw, "raises-exception" in tags))
        stated += _of_cell(number, raw, cell)
        asked = re.search(r"^%tensorflow_version\s+(\S+)", raw, re.MULTILINE)
        if asked:
            version = DEFAULT_V1 if asked.group(1).startswith("1") else DEFAULT_V2
    return Notebook(found, version, stated)


def _of_kernel(content: object) -> Iterator[Stated]:
    """A kernel that is called "TensorFlow 1.15", "Python (tf1.8)"."""
    metadata = content.get("metadata") if isinstance(content, dict) else None
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    if not isinstance(kernel, dict):
        return
    for key in ("display_name", "name"):
        asked = _NAMED.search(str(kernel.get(key)))
        if asked:
            from shapeflow.tensorflow.compat.stated_versions import Stated, numbers

            yield Stated("its kernel", asked.group(), [("=", numbers(asked.group(1)))])
            return


def _of_cell(number: int, raw: str, cell: Any) -> Iterator[Stated]:
    """`!pip install tensorflow==1.15`, and the answer that was kept of `print(tf.__version__)`."""
    from shapeflow.tensorflow.compat.stated_versions import Stated, clauses_of, numbers

    for line in re.findall(r"^\s*[!%]\s*(?:pip3?|conda|python3? -m pip)\s+install\s(.*)", raw, re.MULTILINE):
        for word in line.replace("'", "").replace('"', "").split():
            clauses = clauses_of(word)
            if clauses is not None:
                yield Stated(f"cell {number}", word, clauses)
    if raw.count("__version__") == 1 and re.search(r"\b(?:tf|tensorflow)\.__version__", raw):
        answers = [_text(output.get("text") or (output.get("data") or {}).get("text/plain") or "")
                   for output in cell.get("outputs") or () if isinstance(output, dict)]
        versions = re.findall(r"\b[012]\.\d+\.\d+", " ".join(answers))
        if len(versions) == 1:
            yield Stated(f"the output of cell {number}", versions[0], [("==", numbers(versions[0]))])


# --- magics -----------------------------------------------------------------------------------------
def as_python(cell: str) -> str:
    """The cell without what only IPython understands; every line stays in its place."""
    lines = cell.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        magic = lines[first][2:].split(" ", 1)[0].strip()
        if magic not in _RUN_BODY:
            return "\n" * (len(lines) - 1)
        lines[first] = ""
        return as_python("\n".join(lines))
    if _parses(cell):
        return cell
    result: List[str] = []
    scan = _Scan()
    i = 0
    while i < len(lines):
        if scan.at_start:
            last = i
            while lines[last].endswith("\\") and last + 1 < len(lines):
                last += 1
            plain = _plain("\n".join(lines[i:last + 1]))
            if plain is not None:
                result += [plain, *[""] * (last - i)]
                i = last + 1
                continue
        scan.line(lines[i])
        result.append(lines[i])
        i += 1
    return "\n".join(result)


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _plain(line: str) -> Optional[str]:
    """A logical line that only IPython understands, as Python; None: it is Python, or nothing known."""
    body = line.lstrip()
    indent = line[:len(line) - len(body)]
    if body.startswith("!") or _HELP.match(line):
        return indent + "pass"
    if body.startswith("%"):
        return indent + _magic(body[1:].replace("\\\n", " "))
    assigned = _ASSIGNED.match(line)
    if assigned and not _parses(line.strip()):
        return assigned.group(1) + ("[]" if assigned.group(2) == "!" else "None")
    return None


def _magic(body: str) -> str:
    """What a line magic means to the program; columns are kept where a statement follows."""
    name, _, rest = body.lstrip("%").partition(" ")
    rest = rest.strip()
    if name in _RUN_REST and rest and not rest.startswith("-"):
        at = len(body) + 1 - len(body.split(" ", 1)[1].lstrip())
        return "None".ljust(at - 2) + "; " + rest if _parses(rest) else "pass"
    words = rest.split()
    if name == "cd" and len(words) == 1:
        return f"__import__('os').chdir({words[0]!r})"
    if name == "env" and "=" in rest:
        key, _, value = rest.partition("=")
        return f"__import__('os').environ.update({{{key.strip()!r}: {value.strip()!r}}})"
    return _run_magic(words) if name == "run" else "pass"


def _run_magic(words: List[str]) -> str:
    """`%run -i train.py --epochs 3`: a script or, with -m, a module, whose names the notebook has then."""
    options: List[str] = []
    while words and words[0] in _RUN_OPTIONS:
        options.append(words.pop(0))
    target = words.pop(0) if words else "-"
    name = target.rpartition("/")[2]
    if target.startswith("-") or "." in name and not name.endswith(".py") and "-m" not in options:
        return "pass"  # another notebook, or an option that is not known
    shared = ", init_globals=globals()" if "-i" in options else ""
    if "-m" in options:
        call = f"run_module({target!r}{shared}, run_name='__main__', alter_sys=True)"
    else:
        path = target if target.endswith(".py") else target + ".py"
        call = f"run_path({path!r}{shared}, run_name='__main__')"
    run = f"globals().update(__import__('runpy').{call})"
    if not words:
        return run
    return f"__import__('sys').argv[1:] = {words!r}; {run}; del __import__('sys').argv[1:]"


class _Scan:
    """Follows brackets, strings and comments from line to line: where does a logical line start?"""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""  # of the string that is open: one character or three
        self.joined = False

    @property
    def at_start(self) -> bool:
        return self.depth == 0 and not self.quote and not self.joined

    def line(self, text: str) -> None:
        self.joined = False
        i = 0
        while i < len(text):
            char = text[i]
            if char == "\\":
                self.joined = i == len(text) - 1
                i += 2
                continue
            if self.quote:
                if text.startswith(self.quote, i):
                    i += len(self.quote)
                    self.quote = ""
                    continue
            elif char in "'\"":
                self.quote = char * 3 if text.startswith(char * 3, i) else char
                i += len(self.quote)
                continue
            elif char == "#":
                break
            elif char in _OPENING:
                self.depth += 1
            elif char in _CLOSING:
                self.depth = max(0, self.depth - 1)
            i += 1
        if len(self.quote) == 1 and not self.joined:
            self.quote = ""  # a mistake of the program's, or nothing we understand


# --- running ----------------------------------------------------------------------------------------
class _Shell:
    """What `get_ipython()` gives: magics and commands do nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None


def namespace() -> Dict[str, object]:
    """The names that IPython puts into a notebook's module."""
    shell = _Shell()
    return {"get_ipython": lambda: shell, "display": lambda *args, **kwargs: None, "In": [""], "Out": {},
            "_": "", "__": "", "___": "", "exit": _leave, "quit": _leave}


def _leave(*args: object) -> None:
    raise SystemExit


def program(notebook: Notebook, path: str, compile_cell: Compile) -> Callable[[Dict[str, Any]], None]:
    """A function that runs the cells in the namespace that it is given, as "Run all" does."""
    import linecache

    paths = {cell: cell_path(path, cell.number) for cell in notebook.cells}
    for cell, name in paths.items():
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(True), name)

    def run(names: Dict[str, Any]) -> None:
        names.update(namespace())
        for cell, name in paths.items():
            if cell.fails:
                _run_failing(compile_cell, cell, name, names)
            else:
                _run_cell(compile_cell(cell.source, name, _AWAIT), names)

    return run


def _run_cell(code: CodeType, names: Dict[str, Any]) -> None:
    coroutine = eval(code, names)
    if coroutine is None:
        return
    # The cell has an `await`. Stepped here: an event loop's frames would be taken for the program's.
    try:
        while coroutine.send(None) is None:
            pass
    except StopIteration:
        return
    coroutine.close()
    raise RuntimeError("a cell that awaits something cannot be checked")


def _run_failing(compile_cell: Compile, cell: Cell, name: str, names: Dict[str, Any]) -> None:
    """A cell tagged raises-exception: the notebook goes on after it."""
    try:
        _run_cell(compile_cell(cell.source, name, _AWAIT), names)
    except Exception:
        pass
