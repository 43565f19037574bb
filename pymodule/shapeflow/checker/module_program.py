"""A program that is run as `python -m` does, because it was asked for, or because it is a file of a package
that imports relative to it: Python runs such a file in no other way."""
from __future__ import annotations

import ast
import os

from shapeflow.checker.findings import assumed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, Sequence, Tuple

    from shapeflow.checker.findings import UniqueFindings
    from shapeflow.checker.options import CheckOptions


def as_module(name: str, path: str,
               program: Callable[[Dict[str, Any]], None]) -> Callable[[Dict[str, object]], None]:
    """The program as `python -m name` runs it: its packages are imported first, and relative imports work."""
    def run(names: Dict[str, Any]) -> None:
        from importlib.machinery import ModuleSpec, SourceFileLoader

        package = name.rpartition(".")[0]
        names["__package__"] = package
        names["__spec__"] = ModuleSpec(name, SourceFileLoader("__main__", path), origin=path)
        if package:
            import importlib

            importlib.import_module(package)
        program(names)

    return run


def place(options: CheckOptions, path: str, source: str, cwd: str,
          collector: UniqueFindings) -> Tuple[str, str]:
    """(dotted name, first folder of sys.path) of a program that is run as a module; ("", ""): a script."""
    if options.module:
        return options.module, cwd
    name, root = place_in_package(path, source)
    if name:
        collector.add(assumed("{text} was run as the module {name}, as python -m does: it imports relative "
                              "to its package", options.script, name))
    return name, root


def place_in_package(path: str, source: str) -> Tuple[str, str]:
    """(dotted name, folder in which its outermost package is) of a file that must be run as a module; ("",
    "") of any other."""
    if path.endswith(".ipynb"):
        return "", ""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # perhaps Python 2: what it says is found
        return "", ""
    levels = [node.level for node in _always_run(body)]
    if not levels:
        return "", ""
    folder, stem = os.path.split(os.path.splitext(path)[0])
    parts = [stem]
    # A folder without __init__.py is a package as well, if something of the file says so.
    while len(parts) <= max(levels) or os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        if not package.isidentifier():
            return "", ""
        parts.insert(0, package)
    return ".".join(parts), folder


def _always_run(body: Sequence[ast.stmt]) -> Iterator[ast.ImportFrom]:
    """The relative imports that are made when a file is run. Those of a `try`, or of an `if` that asks for
    the package, are left out: the file knows how to do without."""
    for node in body:
        if isinstance(node, ast.ImportFrom):
            if node.level:
                yield node
        elif isinstance(node, ast.If):
            named = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
            if named.isdisjoint(("__package__", "__spec__", "TYPE_CHECKING")):
                yield from _always_run([*node.body, *node.orelse])
        elif isinstance(node, ast.With):
            yield from _always_run(node.body)
