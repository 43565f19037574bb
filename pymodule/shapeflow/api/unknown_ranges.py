"""`range(30, n)` for an n that nobody knows: that it has turns, n must be more than the number that it begins
with, which the program says."""
from __future__ import annotations

from shapeflow.api import asked_names, unknown_uses

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import FrameType
    from typing import Optional

_MOST = 1_000_000


def first_number(frame: FrameType) -> int:
    """With which the ranges at this line begin, the greatest; 0: nobody knows."""
    starts = (_value(start, frame) for start in
              unknown_uses.of(frame.f_code.co_filename).range_starts(frame.f_lineno))
    return max((start for start in starts if start is not None and start < _MOST), default=0)


def _value(node: ast.expr, frame: FrameType) -> Optional[int]:
    """Of an expression of numbers and of variables that hold some; None: of anything else."""
    import ast

    found: object = None
    if isinstance(node, ast.Constant):
        found = node.value
    elif isinstance(node, (ast.Name, ast.Attribute)):
        found = asked_names.value_of(node, frame)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = _value(node.left, frame), _value(node.right, frame)
        if left is not None and right is not None and max(abs(left), abs(right)) < _MOST:
            found = left * right if isinstance(node.op, ast.Mult) else \
                left + right if isinstance(node.op, ast.Add) else left - right
    return found if type(found) is int else None
