"""Findings made by Python code: recorded for `shapeflow check`, then raised as TensorFlow does."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    Argument = Tuple[str, Any]  # (kind, value), as _core.Finding.args has them

_about: List[Sequence[Tuple[str, Any]]] = []


class about:
    """While it holds, what fails is about these: (name, tensor) each. A finding tells their shapes, and
    where they were made."""

    def __init__(self, *operands: Tuple[str, Any]) -> None:
        self._operands = operands

    def __enter__(self) -> None:
        _about.append(self._operands)

    def __exit__(self, *exc: Any) -> None:
        _about.pop()


_during: Dict[int, Tuple[Any, str]] = {}  # by id; the finding itself keeps the id taken


class during:
    """Findings made while it holds belong to one step of a training that is not the script's own loop:
    "batch 4, the last of the epoch: 16 of 32 samples"."""

    def __init__(self, step: str) -> None:
        self._step = step

    def __enter__(self) -> None:
        self._known = {id(finding) for finding in _core.findings()}

    def __exit__(self, *exc: Any) -> None:
        for finding in _core.findings():
            if id(finding) not in self._known:
                _during[id(finding)] = (finding, self._step)


def belongs_to(finding: Any, step: str) -> None:
    """As `during`, of a finding that was made already."""
    _during[id(finding)] = (finding, step)


def step_of(finding: Any) -> str:
    return _during.get(id(finding), (None, ""))[1]


def fail(code: str, text: str, *args: Any, error: Callable[[str], Exception] = ValueError,
         axis: Optional[int] = None) -> Exception:
    """Records a finding and gives the exception to raise:
    `raise fail("SF101", "Dimensions {dim} and {dim} are not compatible", a, b)`.

    `text` is TensorFlow's, with a field for each argument that says what the argument is:
      {dim} {count}           a size of an axis, a number of elements; None and "?" where it is not known
      {rank}                  the one that is asked for, then the one that is there
      {axis} {int} {float}    {float:.1f} as Python's formats
      {shape} {dtype}         {shape:array} as numpy writes it, [2 3]; {shape:brackets} as kernels, [2,?]
      {name}                  of a tensor, variable, layer or feature
      {text}                  anything else
    {kind!r} is written with repr, {{ is a brace. axis: which one of the tensors that it is about."""
    message, typed = worded(text, args)
    return _report(code, message, typed, error, axis)


def fail_untyped(code: str, message: str, error: Callable[[str], Exception] = ValueError,
                 axis: Optional[int] = None, args: Sequence[Argument] = ()) -> Exception:
    """fail() of a message that is whole already (the hand-written Keras); args: as a finding has them."""
    return _report(code, message, args, error, axis)


def _report(code: str, message: str, args: Sequence[Argument], error: Callable[[str], Exception],
            axis: Optional[int]) -> Exception:
    operands = _about[-1] if _about else ()
    _core.report(code, message, operands=operands, axis=axis, args=args)
    return error(message)


def shape_args(*shapes: Any) -> List[Argument]:
    """For fail_untyped."""
    return [("shape", _as_shape(shape)) for shape in shapes]


# --- messages -------------------------------------------------------------------------------------
def worded(text: str, args: Sequence[Any]) -> Tuple[str, List[Argument]]:
    """(message, typed arguments) of a text with fields: see fail."""
    from string import Formatter

    parts: List[str] = []
    typed: List[Argument] = []
    for literal, kind, spec, conversion in Formatter().parse(text):
        parts.append(literal)
        if kind is not None:
            value = args[len(typed)]
            typed.append((kind, KINDS[kind](value)))
            parts.append(_written(value, spec or "", conversion or ""))
    return "".join(parts), typed


def _written(value: Any, spec: str, conversion: str) -> str:
    if spec == "array":  # every entry as wide as the widest
        texts = [str(d) for d in _dims(value) or ()]
        width = max(map(len, texts), default=0)
        return "[%s]" % " ".join(text.rjust(width) for text in texts)
    if spec == "brackets":
        return _as_shape(value).replace(" ", "")
    if conversion == "r":
        return repr(value)
    return format(value, spec) if spec else str(value)


def _dims(shape: Any) -> Optional[List[Any]]:
    """The dims of a TensorShape or a sequence; None when nothing is known of them."""
    try:
        return shape.as_list() if isinstance(shape, _core.TensorShape) else list(shape)
    except (TypeError, ValueError):
        return None


def _as_shape(value: Any) -> str:
    """As findings hold shapes: "[?, 784]", "?"."""
    dims = _dims(value)
    return "?" if dims is None else "[%s]" % ", ".join(str(_as_dim(d)) for d in dims)


def _as_dim(value: Any) -> Any:
    value = getattr(value, "value", value)
    return "?" if value is None else int(value) if hasattr(value, "__index__") else str(value)


def _as_int(value: Any) -> Any:
    return int(value) if hasattr(value, "__index__") else str(value)


def _as_dtype(value: Any) -> str:
    return str(getattr(value, "name", value))


KINDS: Dict[str, Callable[[Any], Any]] = {
    "dim": _as_dim, "count": _as_dim, "rank": _as_int, "axis": _as_int, "int": _as_int, "float": float,
    "shape": _as_shape, "dtype": _as_dtype, "name": str, "text": str,
}
