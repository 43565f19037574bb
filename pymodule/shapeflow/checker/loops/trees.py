"""Syntax trees without the module `ast`, whose import costs a small script more than its own check.

The nodes are the interpreter's (`_ast`); these are the few functions that ast.py writes in Python.
"""
from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Iterator, List

SCOPES = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda, _ast.ClassDef)


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


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes of the scope of `node`; functions and classes in it are not entered."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        if here is node or not isinstance(here, SCOPES):
            stack += children(here)
