"""Where a program and an edited copy of it part: up to there a run of the one is a run of the other.

A point is a statement of the module, or of a function's body, before which a trial of the edited copy can
begin in a process that has run the program so far.
"""
from __future__ import annotations

import ast
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple

    from shapeflow.fixes.source import Source

    # The numbers of the statements that lead to a body ((): the module's), and of the one in it.
    Point = Tuple[Tuple[int, ...], int]


def expected(source: Source, text: str) -> Point:
    """Where `text` parts from `source`, by their words alone: not behind what `parting` says, unless the edit
    changes what is a statement."""
    old = source.text
    start = len(os.path.commonprefix([old, text]))
    end = len(old) - len(os.path.commonprefix([old[start:][::-1], text[start:][::-1]]))
    path: Tuple[int, ...] = ()
    body: List[ast.stmt] = source.tree.body
    outermost = _begun(source, body, start)
    number = outermost
    while old.count("\n") == text.count("\n") and number < len(body):
        node = body[number]
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or end > source.range(node)[1] or \
                start < source.range(node.body[0])[0]:
            break
        path, body = (*path, number), node.body
        number = _begun(source, body, start)
        if isinstance(node, ast.FunctionDef):
            return path, number
    return (), outermost


def _begun(source: Source, body: List[ast.stmt], start: int) -> int:
    """The statements that are over, because another one begins before `start`."""
    return sum(source.range(node)[0] < start for node in body[1:])


def _same(a: ast.AST, b: ast.AST) -> bool:
    return ast.dump(a, include_attributes=True) == ast.dump(b, include_attributes=True)


def _first_difference(a: List[ast.stmt], b: List[ast.stmt]) -> int:
    for number, (one, other) in enumerate(zip(a, b)):
        if not _same(one, other):
            return number
    return min(len(a), len(b))


def _header(node: Any) -> str:
    """A definition without its body."""
    body, node.body = node.body, []
    try:
        return ast.dump(node, include_attributes=True)
    finally:
        node.body = body


def parting(old: ast.Module, new: ast.Module, is_as_long: bool) -> Point:
    """The first statement that the two do not share. In a function only if all else is the same, lines
    included (`is_as_long`: the texts have as many): what runs already is not exchanged."""
    a: List[ast.stmt]
    b: List[ast.stmt]
    path, a, b = (), old.body, new.body
    outermost = _first_difference(a, b)
    here: Tuple[int, ...] = path
    while is_as_long and len(a) == len(b):
        number = _first_difference(a, b)
        if number == len(a) or not all(_same(x, y) for x, y in zip(a[number + 1:], b[number + 1:])):
            break
        one, other = a[number], b[number]
        if type(one) is not type(other) or not isinstance(one, (ast.FunctionDef, ast.ClassDef)) or \
                not isinstance(other, (ast.FunctionDef, ast.ClassDef)) or _header(one) != _header(other):
            break
        here, a, b = (*here, number), one.body, other.body
        if isinstance(one, ast.FunctionDef):
            return here, _first_difference(a, b)
    return (), outermost


def body_at(tree: ast.Module, path: Tuple[int, ...]) -> Any:
    """The definition at the end of `path`, or the module."""
    node: Any = tree
    for number in path:
        node = node.body[number]
    return node


def from_json(data: Any) -> Point:
    path, number = data
    return tuple(int(n) for n in path), int(number)


def code_of(code: Any, node: ast.FunctionDef) -> Optional[Any]:
    """The code of a function, among that of its module."""
    line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    for inner in code.co_consts:
        if hasattr(inner, "co_code"):
            if inner.co_name == node.name and inner.co_firstlineno == line:
                return inner
            found = code_of(inner, node)
            if found is not None:
                return found
    return None
