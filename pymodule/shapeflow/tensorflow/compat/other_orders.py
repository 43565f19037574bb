"""A call whose arguments are in the order of another version: tf.split, tf.concat and tf.reverse had others.

What the program's files show of the order, evidence.py sees. Where they show nothing (`tf.split(axis, 2, x)`
of two parameters) the call is made, and fails: then its arguments are seen by their values. Where those do
not tell either, the version is *tried*: it counts only if the call succeeds there. Only a version that has
all else of the program is one that it may be for.
"""
from __future__ import annotations

import _ast

from shapeflow.tensorflow.compat import version_fit
from shapeflow.tensorflow.compat.evidence import chain
from shapeflow.tensorflow.compat.judgement import pair
from shapeflow.tensorflow.compat.programs import Program
from shapeflow.tensorflow.compat.version_decision import CANDIDATES, Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import FrameType, TracebackType
    from typing import Callable, Dict, Iterator, List, Optional, Set, Tuple


class OtherOrder:
    """A version in whose order a failing call may be, and why. `tried`: the file, and the first and the last
    line of a call that must succeed there; none where its values have told."""

    __slots__ = ("version", "because", "tried")

    def __init__(self, version: str, because: str, tried: Tuple[str, int, int]) -> None:
        self.version, self.because, self.tried = version, because, tried


def of_error(error: BaseException, decision: Decision) -> Optional[OtherOrder]:
    """Of the innermost line of the program's that an exception came through."""
    trace: Optional[TracebackType] = error.__traceback__
    paths, at = _paths(decision), None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in paths:
            at = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return of_line(at[0].f_code.co_filename, at[1], at[0], decision) if at is not None else None


def _paths(decision: Decision) -> Set[str]:
    facts = decision.judgement.facts if decision.judgement is not None else ()
    return {*decision.looked, *(fact.path for fact in facts)}


def of_line(path: str, line: int, frame: Optional[FrameType], decision: Decision) -> Optional[OtherOrder]:
    """Of a line of the program's, in which a call failed; with its frame while that is there."""
    found, current = decision.judgement, decision.version
    if found is None or path not in _paths(decision):
        return None
    for dotted, shape, call in _calls_at(path, line, frame):
        why = found.why_not(dotted, shape, current)
        if why not in ("", "arguments"):
            continue
        for version in CANDIDATES:
            if version == current or found.why_not(dotted, shape, version) or \
                    not version_fit.have_other_order(dotted, shape[0], pair(current), pair(version)) or \
                    found.misfits(version, 1):
                continue
            because = "TensorFlow %s has another order of the arguments of %s; the script is taken as %s: " \
                "%s" % (version, dotted, current, decision.because)
            is_sure = why and version_fit.shows_axis(dotted, shape, pair(version))
            end = call.end_lineno or call.lineno
            return OtherOrder(version, because,
                              ("", 0, 0) if is_sure else (path, call.lineno, end))
    return None


def _calls_at(path: str, line: int, frame: Optional[FrameType]
              ) -> Iterator[Tuple[str, version_fit.Shape, ast.Call]]:
    """A line's calls of functions that had another order, and what each is given, by its values there."""
    program = Program(version_fit.is_public)
    program.add(path, None, {})
    file = program.files.get(path)
    for use in file.uses if file is not None else ():
        call = use.call
        if file is None or call is None or not call.lineno <= line <= (call.end_lineno or call.lineno):
            continue
        meanings = [dotted for dotted in program.resolve(file, use.root, use.suffix)
                    if version_fit.had_other_order(dotted)]
        if not meanings:
            continue
        for place, argument in enumerate(call.args):
            kind = _kind_of_value(_value_of(argument, frame)) if frame is not None else ""
            if kind:
                file.kinds[f"<{place}>"] = kind
                call.args[place] = _ast.Name(f"<{place}>", _ast.Load())
        shape = version_fit.shape_of(call, file)
        for dotted in meanings:
            yield dotted, shape, call


_OF_NUMBERS: Dict[type, Callable[[int, int], int]] = {
    _ast.Add: lambda a, b: a + b, _ast.Sub: lambda a, b: a - b, _ast.Mult: lambda a, b: a * b,
}


def _value_of(node: ast.expr, frame: FrameType) -> object:
    """What `x`, `self.x`, `axes[0]`, `len(axes)` or `axis - 1` is; nothing of the program's is called."""
    if isinstance(node, _ast.Constant):
        return node.value
    if isinstance(node, _ast.BinOp):
        left, right = _value_of(node.left, frame), _value_of(node.right, frame)
        make = _OF_NUMBERS.get(type(node.op))
        return make(left, right) if make is not None and type(left) is int and type(right) is int else None
    if isinstance(node, _ast.Subscript):
        owner, key = _value_of(node.value, frame), _value_of(node.slice, frame)
        if type(owner) in (list, tuple) and type(key) is int:
            return owner[key] if -len(owner) <= key < len(owner) else None  # type: ignore[arg-type,index]
        return owner.get(key) if type(owner) is dict and type(key) in (int, str) else None
    if isinstance(node, _ast.Call):
        is_len = isinstance(node.func, _ast.Name) and node.func.id == "len" and len(node.args) == 1
        owner = _value_of(node.args[0], frame) if is_len else None
        return len(owner) if type(owner) in (list, tuple, dict, str) else None  # type: ignore[arg-type]
    names = chain(node)
    if names is None:
        return None
    value = frame.f_locals.get(names[0], frame.f_globals.get(names[0]))
    for name in names[1].split(".")[1:]:
        value = getattr(value, "__dict__", {}).get(name)
    return value


def _kind_of_value(value: object) -> str:
    """As evidence.kind_of."""
    if isinstance(value, (list, tuple)):
        parts: List[object] = list(value)
        return "truths" if parts and all(isinstance(part, bool) for part in parts) else "list"
    if isinstance(value, (int, float)):
        return "" if isinstance(value, bool) else "number"
    shape = getattr(value, "shape", None)
    rank = len(shape) if isinstance(shape, tuple) else getattr(shape, "rank", None)
    dtype = getattr(value, "dtype", None)
    if "bool" in (getattr(dtype, "name", None), str(dtype)):
        return "truths" if rank else ""
    if rank == 0:  # neither a list of tensors nor what can be split
        return "number"
    return "array" if rank or getattr(dtype, "is_floating", False) else ""
