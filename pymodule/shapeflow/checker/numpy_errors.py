"""Shape errors of numpy itself, as findings.

An exception is numpy's when numpy raised it, whatever it says: the innermost place of its traceback is in
numpy, or a call there of a C function (no `raise`). Its text is read here, once, and by nobody else: numpy
gives no other account of the shapes.
"""
from __future__ import annotations

import sys

from shapeflow.checker.findings import Operand, Record, mark, part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, TracebackType
    from typing import List, Optional, Sequence

    from shapeflow.checker.findings import Argument, Span

# Of numpy 1.x and 2.x, about shapes; other ValueErrors of numpy are the program's own affair.
_ABOUT_SHAPES = (
    "operands could not be broadcast together",
    "could not broadcast input array",
    "cannot reshape array of size",
    "mismatch in its core dimension",
    "not aligned:",
    "all the input array dimensions",
    "all the input arrays must have same number of dimensions",
    "all input arrays must have the same shape",
    "shape mismatch:",
    "axes don't match array",
)


def shape_error(error: BaseException) -> Optional[ValueError]:
    """The error of numpy that `error` is, or that it was raised from; None when it is no such thing."""
    seen: List[BaseException] = []
    at: Optional[BaseException] = error
    while at is not None and at not in seen:
        if isinstance(at, ValueError) and any(said in str(at) for said in _ABOUT_SHAPES) and \
                _raised_by_numpy(at.__traceback__):
            return at
        seen.append(at)
        at = at.__cause__
    return None


def _raised_by_numpy(trace: Optional[TracebackType]) -> bool:
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    if _is_of_unknown_index(frame.f_code, trace.tb_lasti):
        return False
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "numpy":
        return True
    import dis

    code = frame.f_code.co_code
    if not 0 <= trace.tb_lasti < len(code):
        return False  # a compiled module of another library, which only names its source
    return dis.opname[code[trace.tb_lasti]] not in ("RAISE_VARARGS", "RERAISE")


def _is_of_unknown_index(code: CodeType, at: int) -> bool:
    """`x[rows] = y`, where nobody knows how many rows: numpy was told of one."""
    asking = sys.modules.get("shapeflow.api.asking_frames")
    return asking is not None and bool(asking.was_indexed(code, at))


def record_of(error: ValueError, frames: Sequence[Span]) -> Record:
    """frames: of the program, innermost first."""
    record = Record("SF401", "NUMPY_SHAPE", "error", str(error), "numpy",
                    primary=frames[0] if frames else None, chain=frames[1:])
    record.arguments = _arguments(str(error))
    _mark(record)
    return record


def _arguments(message: str) -> List[Argument]:
    """The shapes, sizes of axes and numbers of elements that numpy names, in its order."""
    import re

    found: List[Argument] = []
    for count, dim, other, shape in re.findall(
            r"array of size (\d+)|\bsize (\d+)|different from (\d+)|\(((?:\d+, ?)*\d*)\)", message):
        if count:
            found.append(("count", int(count)))
        elif dim or other:
            found.append(("dim", int(dim or other)))
        else:
            found.append(("shape", f"[{', '.join(re.findall('[0-9]+', shape))}]"))
    return found


def _mark(record: Record) -> None:
    """The operands of an operator whose shapes numpy names, in their order."""
    import shapeflow.checker.operands as arguments

    if "together with shapes" not in record.message or record.primary is None or record.primary.column < 0:
        return
    shapes = [value for kind, value in record.arguments if kind == "shape"]
    found = arguments.numpy_operands(record.primary.frame())
    for index, place in enumerate(found.operands if found is not None else ()):
        made = arguments.assignment(record.primary.frame(), place) if place is not None else None
        span = part(record.primary, made) or record.primary
        record.operands.append(Operand("xy"[index], shapes[index], "", span))
        record.blamed.append((index, None))
    mark(record, found)


# What the numpy of TensorFlow 1's time did, and later ones refuse.
_REFUSED_SINCE = ("only 0-dimensional arrays can be converted to Python scalars",
                  "setting an array element with a sequence. The requested array has an inhomogeneous shape")


def is_of_later_numpy(error: BaseException) -> bool:
    """Would an older numpy have gone on?"""
    return isinstance(error, (TypeError, ValueError)) and str(error).startswith(_REFUSED_SINCE)
