"""Which scripts are checked for a file: the entries of [tool.shapeflow] that are it or import it; without
such, the file itself when it, or a module of its folder that it imports, is written for TensorFlow."""
from __future__ import annotations

import ast
import json
import os

import shapeflow.notebook.ipynb as ipynb
from shapeflow.checker.configuration import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

    from shapeflow.checker.configuration import Script, Settings
    from shapeflow.checker.findings import Report

    Reader = Callable[[str], Optional[str]]

_ROOTS = frozenset({"tensorflow", "keras", "shapeflow"})
_MOST = 500  # files followed from one script


class Entry:
    """A script with how it is run, and what counts of what is found."""

    def __init__(self, script: str, cwd: str, settings: Settings, entry: Optional[Script] = None) -> None:
        self.script = script
        self.cwd = entry.cwd if entry and entry.cwd else cwd
        self.settings = settings
        self.args = tuple(entry.args if entry else ())
        self.tf_version = (entry.tf_version if entry else None) or settings.tf_version
        self.mode = (entry.mode if entry else None) or settings.mode
        self.time_limit = entry.time_limit if entry else None

    @property
    def key(self) -> Tuple[str, Tuple[str, ...]]:
        return (self.script, self.args)

    @property
    def options(self) -> List[str]:
        """For a process of its own, which is to report everything."""
        found = ["--isolated", "--raw"]
        for name, value in (("--tf-version", self.tf_version), ("--mode", self.mode)):
            found += [name, value] if value else []
        if self.settings.data:
            found += ["--data", json.dumps(self.settings.data)]
        if self.settings.missing_imports:
            found += ["--missing-modules", json.dumps(self.settings.missing_imports)]
        if self.settings.numeric:
            found += ["--numeric"]
        if self.settings.every_batch:
            found += ["--every-batch"]
        return [*found, "--root", self.settings.root]

    def apply_selection(self, report: Report) -> None:
        """Drops what the project's configuration and the sources' comments ignore. Raises ConfigError."""
        import shapeflow.checker.selection as selection

        settings = self.settings
        allowed = None
        if settings.baseline and os.path.exists(settings.baseline):
            from shapeflow.checker.baseline import Baseline

            allowed = Baseline(settings.baseline)
        selection.Selection(settings.select, settings.ignore, settings.per_file_ignores, settings.root,
                       settings.strict, False, allowed).apply([report])


def read_file(path: str) -> Optional[str]:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as stream:
            return stream.read()
    except OSError:
        return None


def _imported(tree: ast.AST) -> Iterator[Tuple[int, str]]:
    """(level, dotted name) of every import; each name of `from a import b` may be a module as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""
            for alias in node.names:
                yield node.level, ".".join(filter(None, [node.module, alias.name]))


class Imports:
    """What scripts import, read off their source. Texts come from `read`: the editor's, where it has one."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._known: Dict[str, Tuple[str, List[Tuple[int, str]]]] = {}

    def of_file(self, path: str) -> List[Tuple[int, str]]:
        text = self._read(path)
        if text is None:
            return []
        known = self._known.get(path)
        if known is None or known[0] != text:
            try:
                source = ipynb.read(text).source if ipynb.is_notebook(path) else text
                found = list(_imported(ast.parse(source)))
            except (SyntaxError, ValueError, RecursionError):
                # While a line is being typed, what was there before still holds.
                found = known[1] if known else []
            known = self._known[path] = (text, found)
        return known[1]

    def closure(self, script: str) -> Set[str]:
        """The script and the modules below its folder that it imports, directly or not."""
        root = os.path.dirname(script)
        found = {script}
        queue = [script]
        while queue and len(found) < _MOST:
            path = queue.pop()
            for level, name in self.of_file(path):
                for module in _files(root, path, level, name):
                    if module not in found and os.path.isfile(module):
                        found.add(module)
                        queue.append(module)
        return found

    def is_script(self, path: str) -> bool:
        """Is it, or a module that it imports, written for TensorFlow?"""
        return any(level == 0 and name.partition(".")[0] in _ROOTS
                   for file in self.closure(path) for level, name in self.of_file(file))


def _files(root: str, path: str, level: int, name: str) -> List[str]:
    """Where a module may be: below the script's folder, or beside the file for a relative import."""
    base = root
    if level:
        base = os.path.dirname(path)
        for _ in range(level - 1):
            base = os.path.dirname(base)
    parts = name.split(".") if name else []
    found = []
    for i in range(len(parts) + 1):  # `import a.b` runs a/__init__.py too
        head = os.path.join(base, *parts[:i])
        if i or level:
            found.append(os.path.join(head, "__init__.py"))
        if i:
            found.append(head + ".py")
    return found


def entries_for(path: str, imports: Imports, roots: Sequence[str], settings: Settings) -> List[Entry]:
    """The entries to check when `path` was opened or edited. roots: the editor's folders; settings: of the
    configuration that holds for `path`."""
    found = [Entry(script.path, settings.root, settings, script) for script in settings.scripts
             if path in imports.closure(script.path)]
    if found:
        return found
    if not path.endswith((".py", ipynb.SUFFIX)) or not imports.is_script(path) or \
            matches(path, settings.exclude, settings.root):
        return []
    if settings.path is not None:
        return [Entry(path, settings.root, settings)]
    inside = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return [Entry(path, max(inside, key=len) if inside else os.path.dirname(path), settings)]
