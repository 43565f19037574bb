"""What `shapeflow check PATH...` runs: files as they are, models, and the entry scripts of folders.

The rule for folders is in docs/configuration.md ("Which scripts of a folder are run"). It reads
sources as text and syntax trees; nothing is imported.
"""
from __future__ import annotations

import os

from shapeflow.checker.configuration import Script, Settings, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Dict, List, Optional, Sequence, Set, Tuple

# Folders that hold somebody else's code, or none.
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist"})
_ROOTS = frozenset({"tensorflow", "keras", "shapeflow", "tensorflow_core"})
# Calls at the top of a module that set things up and do not make it a program: the last part of the name.
_SETTING_UP = frozenset("""
    append insert extend add seed set_seed set_random_seed set_verbosity filterwarnings simplefilter
    basicConfig getLogger setLevel addHandler use setdefault update register disable_v2_behavior
    enable_v2_behavior enable_eager_execution disable_eager_execution enable_resource_variables
    set_printoptions set_option setrecursionlimit reload namedtuple TypeVar set_floatx disable enable
    set_image_data_format set_memory_growth setlocale reset_default_graph mark_flag_as_required""".split())


class Target:
    """One check to be made: of a script with its arguments, or of a model."""

    __slots__ = ("path", "script", "module", "text")

    def __init__(self, path: str, script: Optional[Script] = None, module: str = "",
                 text: Optional[str] = None) -> None:
        self.path = path  # as the user wrote it, or relative to the working directory
        self.script = script or Script(os.path.abspath(path))
        self.module = module  # its dotted name, where it is run as `python -m` does
        self.text = text  # of a script that is no file

    def overrides(self) -> Dict[str, str]:
        """{path: text} where the script is no file."""
        return {} if self.text is None else {self.script.path: self.text}


class Missing(Exception):
    """A path that is not there, or a folder without anything to check."""


STDIN = "<stdin>"


def of_stdin() -> Target:
    """The script on standard input, which is read to its end."""
    import linecache
    import sys

    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    target = Target(STDIN, text=text)
    path = target.script.path
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)  # findings quote it
    return target


def of_module(name: str) -> Target:
    """What `python -m name` runs, found without importing its packages. Raises Missing."""
    import sys
    from importlib.machinery import PathFinder, SourceFileLoader

    places = [os.getcwd(), *sys.path]
    parts = name.split(".")
    known = ""
    spec = None
    while parts:
        part = parts.pop(0)
        known = f"{known}.{part}".lstrip(".")
        spec = PathFinder.find_spec(part, places)  # with a dot in its name it would want the parent imported
        if spec is None and name in sys.builtin_module_names:  # zlib, in the Python of some systems
            break
        if spec is None:
            raise Missing(f"no module named {known}" + f" (of {name})" * (known != name))
        inside = spec.submodule_search_locations
        if inside is None:
            break
        places = list(getattr(inside, "_path", inside))
        if not parts and not known.endswith("__main__"):
            parts = ["__main__"]
    if parts or spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        raise Missing(f"{name} is no module with a source")
    path = os.path.abspath(spec.origin)
    return Target(os.path.relpath(path), Script(path), known)


def collect(paths: Sequence[str], settings: Settings, only_entry_points: bool = False,
            unsaved: bool = False) -> List[Target]:
    """The checks that `paths` ask for, in order, each once.

    Without paths: the configured scripts. With `only_entry_points`, files that are neither configured
    nor entry scripts are passed over, as the pre-commit hook wants it. `unsaved`: a file may be one
    that only an editor has. Raises Missing."""
    found: List[Target] = []
    if not paths:
        found = [_configured(script) for script in settings.scripts]
    for path in paths:
        if os.path.isdir(path) and not is_model(path):
            found += _of_folder(path, settings)
            continue
        if not unsaved and not os.path.exists(path):
            raise Missing(f"cannot read {path}: No such file or directory")
        refused = refusal(path)
        if refused and only_entry_points:
            continue
        if refused:
            raise Missing(refused)
        entries = settings.scripts_at(path)
        if entries:
            found += [Target(path, entry) for entry in entries]
        elif not only_entry_points or not matches(path, settings.exclude, settings.root) and (
                is_model(path) or is_entry_script(path)):
            found.append(Target(path))
    once: Dict[Tuple[str, Tuple[str, ...]], Target] = {}
    for target in found:
        once.setdefault((target.script.path, tuple(target.script.args)), target)
    return list(once.values())


def _configured(script: Script) -> Target:
    relative = os.path.relpath(script.path)
    return Target(script.path if relative.startswith("..") else relative, script)


def is_model(path: str) -> bool:
    """Is it a file or folder of a model, and no script?"""
    if os.path.isdir(path):
        return any(os.path.isfile(os.path.join(path, name))
                   for name in ("saved_model.pb", "saved_model.pbtxt"))
    return os.path.splitext(path)[1].lower() in _MODELS


_MODELS = (".pb", ".pbtxt", ".graphdef", ".meta", ".keras", ".h5", ".hdf5")
_NOT_READ = {".tflite": "TensorFlow Lite", ".onnx": "ONNX"}


def refusal(path: str) -> Optional[str]:
    """Why a model of another kind is not read, and what to do; None of all others."""
    kind = _NOT_READ.get(os.path.splitext(path)[1].lower())
    return kind and (f"{path}: models of {kind} are not read: check what it was converted from (a "
                     "SavedModel, a .keras, .h5 or .pb file, or the script that makes it)")


def _of_folder(folder: str, settings: Settings) -> List[Target]:
    inside = os.path.join(os.path.abspath(folder), "")
    listed = [script for script in settings.scripts if script.path.startswith(inside)]
    if listed:
        return [_configured(script) for script in listed]
    files = [path for path in python_files(folder)
             if not matches(path, settings.exclude, settings.root)]
    found = [Target(path) for path in entry_scripts(files, folder)]
    if not found:
        raise Missing(f"no entry script in {folder}: none of its {len(files)} Python files imports "
                      "TensorFlow and does something when it is run (list scripts under "
                      "[tool.shapeflow], or name the file)")
    return found


def python_files(folder: str) -> List[str]:
    """Every .py file below `folder`, sorted, without hidden, built and installed ones."""
    found: List[str] = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _SKIPPED
                            and not name.endswith(".egg-info")
                            and not os.path.exists(os.path.join(at, name, "pyvenv.cfg")))
        found += [os.path.join(at, name) for name in sorted(names) if name.endswith(".py")]
    return found


# --- entry scripts ------------------------------------------------------------------------------
class _Source:
    """What matters of one file: what it imports, whether it guards `__main__`, whether it does work."""

    def __init__(self, path: str) -> None:
        import ast

        self.path = path
        self.imports: Set[str] = set()
        self.guarded = self.works = False
        try:
            with open(path, "rb") as stream:
                text = stream.read()
            tree = ast.parse(text)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.imports.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                self.imports.add(base)
                self.imports.update((base + "." + alias.name).lstrip(".") for alias in node.names)
        for statement in tree.body:
            if _is_main_guard(statement):
                self.guarded = True
            elif _does_work(statement):
                self.works = True

    @property
    def tensorflow(self) -> bool:
        return any(name.partition(".")[0] in _ROOTS for name in self.imports)


def _is_main_guard(node: ast.stmt) -> bool:
    import ast

    if not isinstance(node, ast.If):
        return False
    named = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
    texts = {part.value for part in ast.walk(node.test) if isinstance(part, ast.Constant)}
    return "__name__" in named and "__main__" in texts


def _called(node: ast.expr) -> str:
    import ast

    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else \
        function.id if isinstance(function, ast.Name) else "?"


def _does_work(node: ast.stmt) -> bool:
    """A loop, a `with`, a call that is no setting: what a program does at its top, and a module does not."""
    import ast

    if isinstance(node, (ast.For, ast.While, ast.With)):
        return True
    if isinstance(node, ast.Expr):
        name = _called(node.value)
        return bool(name) and name not in _SETTING_UP and not name.startswith(("DEFINE_", "define"))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        # A tensor made at the top. Classes, parsers and loggers are called as well; shapes are not theirs.
        return any(isinstance(part, ast.Call) and _is_tensor_call(part) for part in ast.walk(node.value))
    if isinstance(node, ast.If):
        return any(_does_work(inner) for inner in [*node.body, *node.orelse])
    return False


_TENSOR_CALLS = frozenset("placeholder Input Session InteractiveSession get_variable Variable matmul fit "
                          "reshape Sequential Model constant conv2d dense read_data_sets load_data".split())


def _is_tensor_call(node: ast.Call) -> bool:
    return _called(node) in _TENSOR_CALLS


def _modules_of(path: str, folder: str) -> Set[str]:
    """The dotted names under which files of `folder` may import `path`."""
    parts = os.path.splitext(os.path.relpath(path, folder))[0].split(os.sep)
    if parts[-1] == "__init__":
        parts.pop()
    return {".".join(parts[i:]) for i in range(len(parts))}


def _is_test(path: str) -> bool:
    name = os.path.basename(path)
    return name.startswith("test_") or name.endswith("_test.py") or name in (
        "conftest.py", "setup.py", "__init__.py", "__main__.py")


def entry_scripts(files: Sequence[str], folder: str) -> List[str]:
    """Those of `files` that are programs: they reach TensorFlow, and either guard `__main__` or do work
    at their top without being imported by another file."""
    sources = {path: _Source(path) for path in files}
    names = {path: _modules_of(path, folder) for path in files}
    imported_by: Dict[str, Set[str]] = {path: set() for path in files}
    for path, source in sources.items():
        for other in files:
            if other != path and names[other] & source.imports:
                imported_by[other].add(path)
    reaches = {path for path, source in sources.items() if source.tensorflow}
    fresh = set(reaches)
    while fresh:
        fresh = {user for path in fresh for user in imported_by[path]} - reaches
        reaches |= fresh
    return [path for path in files if path in reaches and not _is_test(path) and (
        sources[path].guarded or sources[path].works and not imported_by[path])]


def is_entry_script(path: str) -> bool:
    """The same of one file, seen among those beside and below it."""
    folder = os.path.dirname(path) or "."
    if not _may_be_entry(path):
        return False
    files = python_files(folder)
    if len(files) > _MANY:
        files = [other for other in files if os.path.dirname(other) == folder]
    own = os.path.normpath(path)
    files = [other for other in files if os.path.normpath(other) != own] + [path]
    return path in entry_scripts(files, folder)


_MANY = 300  # files that are worth parsing to judge a single one


def _may_be_entry(path: str) -> bool:
    source = _Source(path)
    return not _is_test(path) and (source.guarded or source.works)
