"""Syntax trees without the module `ast`, whose import costs a small script more than its own check.

The nodes are the interpreter's (`_ast`); these are the few functions that ast.py writes in Python.
"""
from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any, Dict, Iterator, List, TypeVar

    Node = TypeVar("Node", bound=ast.AST)

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def children(node: ast.AST) -> List[ast.AST]:
    """The nodes right below."""
    found: List[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, _ast.AST)]
        elif isinstance(value, _ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, in no order that may be relied on."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack += children(here)


def located(node: Node, at: ast.AST) -> Node:
    """The node, with the place in the source that `at` has."""
    for name in _PLACE:
        setattr(node, name, getattr(at, name, None))
    return node


class Transformer:
    """Replaces nodes: a method visit_NAME gives what stands for a node of that class, for a statement also a
    list; others are gone through."""

    def __init__(self) -> None:
        self._methods: Dict[type, Any] = {}  # by class of node

    def visit(self, node: ast.AST) -> Any:
        kind = type(node)
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = getattr(self, "visit_" + kind.__name__, self.generic_visit)
        return method(node)

    def generic_visit(self, node: ast.AST) -> Any:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                made: List[Any] = []
                for item in value:
                    changed = self.visit(item) if isinstance(item, _ast.AST) else item
                    made += changed if isinstance(changed, list) else [changed]
                value[:] = made
            elif isinstance(value, _ast.AST):
                setattr(node, name, self.visit(value))
        return node
