"""Which conditions of a file break the loop that they are in, or a turn of it."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Dict, List, Optional, Tuple

    Broken = Dict[int, Tuple[ast.stmt, bool]]


def loops_broken(tree: ast.Module) -> Broken:
    """By the lines of conditions: the loop that is left where one holds, `if done: break`, and whether only
    its turn is, `if row is bad: continue`. Not where an `else` says what happens otherwise, nor
    `if not found: break`, which goes on as it is."""
    import ast

    found: Broken = {}
    todo: List[Tuple[ast.AST, Optional[ast.stmt]]] = [(statement, None) for statement in tree.body]
    while todo:
        node, loop = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            loop = None
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            todo += [(child, loop) for child in node.orelse]
            todo += [(child, None if node.orelse else node) for child in node.body]
            continue
        elif isinstance(node, ast.If) and loop is not None and _is_plain(node.test):
            last = node.body[-1]
            if isinstance(last, ast.Break) or isinstance(last, ast.Continue) and not node.orelse:
                for line in range(node.test.lineno, (node.test.end_lineno or node.test.lineno) + 1):
                    found[line] = loop, isinstance(last, ast.Continue)
        todo += [(child, loop) for child in ast.iter_child_nodes(node)
                 if isinstance(child, (ast.stmt, ast.ExceptHandler))]
    return found


def _is_plain(test: ast.expr) -> bool:
    """Does it hold where its parts do?"""
    import ast

    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    return not any(isinstance(part, (ast.UnaryOp, ast.BoolOp)) for part in parts)
