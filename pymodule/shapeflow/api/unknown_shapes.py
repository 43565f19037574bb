"""Shapes of unknown arrays, as far as the program says them: a tuple with None for a dim that nobody knows,
or None as a whole. `x.reshape(-1, 28, 28, 1)` says nearly all, whatever x is.
"""
from __future__ import annotations

import re
import sys

from shapeflow.api import unknown_offsets
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Shape = Optional[Tuple[Optional[int], ...]]

_SAME = ("abs absolute sqrt exp log clip nan_to_num round sin cos tanh square negative copy zeros_like "
         "ones_like flip fliplr flipud sort").split()


def of_dims(dims: Sequence[Any]) -> Shape:
    """What somebody gives as a shape: -1 and what is unknown are not known."""
    made: List[Optional[int]] = []
    for dim in dims:
        if isinstance(dim, bool) or not hasattr(type(dim), "__index__"):
            return None
        unknown = is_unmodelled(dim)
        made.append(None if unknown or int(dim) < 0 else int(dim))
    return tuple(made)


def reshaped(arguments: Tuple[object, ...]) -> Shape:
    """By x.reshape(2, 3) or x.reshape([2, 3])."""
    if len(arguments) == 1 and isinstance(arguments[0], (list, tuple)):
        arguments = tuple(arguments[0])
    elif len(arguments) == 1 and is_unmodelled(arguments[0]):
        return None
    return of_dims(arguments) if arguments else None


def rows_of_slice(rows: int, key: slice) -> Optional[int]:
    """How many of so many rows x[key] has; None: its bounds are not known."""
    bounds = [bound for bound in (key.start, key.stop, key.step) if bound is not None]
    if all(hasattr(type(bound), "__index__") and not is_unmodelled(bound) for bound in bounds):
        return len(range(*key.indices(rows)))
    return None


def item(shape: Shape, key: Any, told: Optional[int] = None) -> Shape:
    """Of x[key]. `told`: how many rows the program was told that it has, though nobody knows: what it would
    have of one more as well holds."""
    if not shape:
        return None
    if told is not None and shape[0] is None:
        some, others = (item((rows, *shape[1:]), key) for rows in (told, told + 1))
        if some is None or others is None:
            return None
        return tuple(a if a == b else None for a, b in zip(some, others))
    if isinstance(key, int) and not isinstance(key, bool):
        return shape[1:]
    if isinstance(key, slice):
        return (_cut(shape[0], key), *shape[1:])
    if key is None:
        return (1, *shape)
    if isinstance(key, tuple) and key:
        return _of_parts(shape, key)
    if is_unmodelled(key):
        return _of_unknown_rows(shape, key)
    rank = getattr(key, "ndim", None)
    if rank == 1 and isinstance(rank, int) and str(getattr(key, "dtype", None)) != "bool":
        return (len(key), *shape[1:])
    return None


# In the name of something unknown: numbers of rows, as of KFold().split(x)[0].
INDICES = re.compile(r"(\.split\(\)\[\d+\](\[\d\])?|"
                     r"(arg(sort|where|partition)|permutation|flatnonzero|lexsort)(\(\))?|"
                     r"(where|nonzero)(\(\))?\[\d\])(\[\])*$")


def _of_unknown_rows(shape: Tuple[Optional[int], ...], rows: object) -> Shape:
    """Of x[rows]. A mask, which what has no dtype may be, leaves nobody knows how many."""
    of_rows: Shape = getattr(rows, "_sf_shape", None)
    dtype = getattr(rows, "_sf_dtype", None)
    if of_rows == () and dtype is not None and "int" in dtype:
        return shape[1:]
    if of_rows is not None and len(of_rows) == 1:
        return (of_rows[0] if dtype is not None and "int" in dtype else None, *shape[1:])
    if of_rows is None and INDICES.search(getattr(rows, "_sf_name", "")) is not None:
        return (None, *shape[1:])
    return None


def _cut(dim: Optional[int], key: slice) -> Optional[int]:
    """What a slice leaves of a dim; of one that nobody knows, or from where nobody knows, there is enough."""
    if _is_whole(key):
        return dim
    if key.step is None or type(key.step) is int and key.step == 1:
        rows = unknown_offsets.distance(key.start, key.stop)
        if rows is not None and rows >= 0:
            return rows if dim is None else min(rows, dim)
    return None if dim is None else rows_of_slice(dim, key)


def _is_whole(key: slice) -> bool:
    """As `:` and `::-1`."""
    return key.start is None and key.stop is None and (key.step is None or key.step in (1, -1))


def _of_parts(shape: Tuple[Optional[int], ...], key: Tuple[object, ...]) -> Shape:
    """Of x[1:, None, 0]."""
    if not all(part is None or part is Ellipsis or isinstance(part, slice) or type(part) is int
               for part in key) or sum(part is Ellipsis for part in key) > 1:
        return None
    made: List[Optional[int]] = []
    at = 0
    left = len(shape) - sum(part is not None and part is not Ellipsis for part in key)
    if left < 0:
        return None
    for part in key:
        if part is None:
            made.append(1)
        elif part is Ellipsis:
            made += shape[at:at + left]
            at += left
        else:
            if isinstance(part, slice):
                made.append(_cut(shape[at], part))
            at += 1
    return (*made, *shape[at:])


def expanded(shape: Shape, axis: object) -> Shape:
    if shape is None or not isinstance(axis, int):
        return None
    at = axis if axis >= 0 else len(shape) + 1 + axis
    return (*shape[:at], 1, *shape[at:])


def count(shape: Tuple[Optional[int], ...]) -> Optional[int]:
    """Of elements."""
    made: Optional[int] = 1
    for dim in shape:
        made = None if made is None or dim is None else made * dim
    return made


def transposed(shape: Shape, axes: Any) -> Shape:
    if shape is None:
        return None
    if not axes:
        return shape[::-1]
    if len(axes) != len(shape) or not all(isinstance(axis, int) for axis in axes):
        return None
    return tuple(shape[axis] for axis in axes)


def is_number(value: object) -> bool:
    """One that leaves the shape of an array as it is."""
    if isinstance(value, (int, float)):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


_STATISTIC = re.compile(r"\.(mean|std|var|min|max|median|ptp)\(\)(\.__\w+__)?$")


def is_statistic(value: object) -> bool:
    """Is it one number for each column, or one, of what nobody knows?"""
    return is_unmodelled(value) and getattr(value, "_sf_shape", ()) is None and \
        _STATISTIC.search(getattr(value, "_sf_name", "")) is not None


def of_function(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> Shape:
    """Of what a function of numpy makes of an unknown array."""
    shape: Shape = getattr(args[0], "_sf_shape", None) if args else None
    if name == "reshape" and len(args) + len(kwargs) >= 2:
        given = args[1] if len(args) > 1 else kwargs.get("newshape", kwargs.get("shape"))
        return reshaped((given,))
    if name == "expand_dims":
        return expanded(shape, args[1] if len(args) > 1 else kwargs.get("axis"))
    if name == "transpose":
        return transposed(shape, args[1] if len(args) > 1 else kwargs.get("axes"))
    return shape if name in _SAME else None


def of_list(items: Sequence[Any]) -> Shape:
    """Of an array made of a list of arrays."""
    first: Shape = of_value(items[0]) if items else None
    if first is None or any(of_value(other) != first for other in items[1:]):
        return None
    return (len(items), *first)


def of_value(value: object) -> Shape:
    """Of a number, of an array, known or not, or of a list of these. Not of texts: how many parts of a line
    there are was made up."""
    if is_number(value):
        return ()
    if type(value) in (list, tuple):
        return of_list(value)  # type: ignore[arg-type]  # it is one
    shape = getattr(value, "_sf_shape", None)
    if shape is None and not is_unmodelled(value):
        found = getattr(value, "shape", None)
        shape = found if isinstance(found, tuple) else None
    return shape
