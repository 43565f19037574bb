"""Messages of findings that Python code makes: a text with a field for each argument, which says what it is.

      {dim} {count}           a size of an axis, a number of elements; None and "?" where it is not known
      {rank}                  the one that is asked for, then the one that is there
      {axis} {int} {float}    {float:.1f} as Python's formats
      {bytes}                 of memory; {bytes:gib} as people say it, 1.5 GiB
      {shape} {dtype}         {shape:array} as numpy writes it, [2 3]; {shape:brackets} as kernels, [2,?]
      {name}                  of a tensor, variable, layer, feature, package or module
      {text}                  anything else
    {kind!r} is written with repr, {{ is a brace. Nobody reads a message to learn what its arguments were.
"""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

    Argument = Tuple[str, Any]  # (kind, value), as _core.Finding.args has them


def worded(text: str, args: Sequence[object]) -> Tuple[str, List[Argument]]:
    """(message, typed arguments) of a text with fields."""
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
    if spec == "gib":
        return gib(value)
    if spec == "brackets":
        return as_shape(value).replace(" ", "")
    if conversion == "r":
        return repr(value)
    return format(value, spec) if spec else str(value)


def gib(count: float) -> str:
    """A number of bytes as people say it."""
    return f"{count / 2**30:,.1f} GiB" if count >= 2**30 / 10 else f"{count / 2**20:,.1f} MiB"


def _dims(shape: Any) -> Optional[List[Any]]:
    """The dims of a TensorShape or a sequence; None when nothing is known of them."""
    try:
        return shape.as_list() if isinstance(shape, _core.TensorShape) else list(shape)
    except (TypeError, ValueError):
        return None


def as_shape(value: object) -> str:
    """As findings hold shapes: "[?, 784]", "?"."""
    dims = _dims(value)
    return "?" if dims is None else "[%s]" % ", ".join(str(_as_dim(d)) for d in dims)


def _as_dim(value: object) -> Union[int, str]:
    value = getattr(value, "value", value)
    return "?" if value is None else int(value) if hasattr(value, "__index__") else str(value)


def _as_int(value: object) -> Union[int, str]:
    return int(value) if hasattr(value, "__index__") else str(value)


def _as_float(value: Any) -> Union[float, str]:
    """JSON has no infinities."""
    return float(value) if abs(value) < float("inf") else str(value)


def _as_dtype(value: object) -> str:
    return str(getattr(value, "name", value))


KINDS: Dict[str, Callable[[Any], Any]] = {
    "dim": _as_dim, "count": _as_dim, "rank": _as_int, "axis": _as_int, "int": _as_int, "bytes": int,
    "float": _as_float, "shape": as_shape, "dtype": _as_dtype, "name": str, "text": str,
}
