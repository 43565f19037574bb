"""Numbers that are computed of one that nobody knows: how far apart two of them are is known, so that
`x[i:i + 16]` has 16 rows, wherever it begins.
"""
from __future__ import annotations

from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple, Optional

    class Linear(NamedTuple):
        """base * factor + offset, where nobody knows the base; None: it is the offset alone."""

        base: object
        factor: int
        offset: int
else:
    from collections import namedtuple

    Linear = namedtuple("Linear", "base factor offset")


def _of(value: object) -> Optional[Linear]:
    """None: it is an array, or comes of more than one number that nobody knows."""
    if type(value) is int:
        return Linear(None, 0, value)
    if not is_unmodelled(value) or getattr(value, "_sf_shape", None) not in (None, ()):
        return None
    known: Linear = getattr(value, "__dict__", {}).get("_sf_linear", Linear(value, 1, 0))
    return known


def note(made: object, operator: str, self: object, other: object) -> None:
    """Of `made`, what an operator's method of `self` gives with `other`."""
    one, two = _of(self), _of(other)
    if one is None or two is None:
        return
    if operator in ("__mul__", "__rmul__"):
        if type(other) is int:
            made.__dict__["_sf_linear"] = Linear(one.base, one.factor * other, one.offset * other)
    elif two.base is None or two.base is one.base:
        sign = -1 if operator == "__sub__" else 1
        if operator == "__rsub__":
            one, two, sign = two, one, -1
        base = two.base if one.base is None else one.base
        made.__dict__["_sf_linear"] = Linear(base, one.factor + sign * two.factor,
                                             one.offset + sign * two.offset)


OPERATORS = frozenset("__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__".split())


def distance(first: object, last: object) -> Optional[int]:
    """How far it is from one number that nobody knows to another; None: nobody knows that either."""
    one, two = _of(first), _of(last)
    if one is None or two is None or one.base is None or one.base is not two.base or \
            one.factor != two.factor:
        return None
    return two.offset - one.offset
