"""Shapes of what numpy makes of arrays whose content nobody knows. numpy itself says them: it is given zeros
of the known dims, all of them one number in memory, twice with other sizes for the dims that are not known.
What differs then is not known either.
"""
from __future__ import annotations

from collections import deque

from shapeflow.api import unknown_shapes
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

    from shapeflow.api.unknown_shapes import Shape

    # A shape and what TensorFlow calls the dtype (None: nobody knows), or one for each part of a list.
    Facts = Union[Tuple[Tuple[Optional[int], ...], Optional[str]], List["Facts"]]

# Functions of which the shape of the result follows from shapes and from numbers that the program says. Not
# those that ask what an array holds (unique, nonzero, a mask).
_FUNCTIONS = frozenset(
    "amax amin max min sum mean std var prod median average nanmean nanmax nanmin nansum nanstd nanvar "
    "argmax argmin any all ptp percentile quantile cumsum cumprod diff gradient transpose swapaxes moveaxis "
    "rollaxis squeeze expand_dims atleast_1d atleast_2d atleast_3d broadcast_to ravel flip fliplr flipud "
    "rot90 roll tile repeat pad clip round around nan_to_num where zeros_like ones_like full_like "
    "empty_like copy real imag angle sort argsort partition dot vdot inner matmul tensordot einsum cross "
    "trace diagonal diag tril triu split array_split hsplit vsplit dsplit take append delete insert "
    "column_stack block array asarray asanyarray ascontiguousarray asfortranarray eye identity arange "
    "linspace meshgrid broadcast_arrays fft ifft fft2 ifft2 fftn ifftn rfft irfft fftshift ifftshift norm "
    "interp convolve cov corrcoef digitize searchsorted isin isfinite resize outer kron fix trapz trapezoid "
    "unwrap float_power".split())
# To these a table is its array. Others are answered by pandas.
_OF_TABLES = frozenset(
    "array asarray asanyarray ascontiguousarray column_stack".split())
_METHODS = frozenset(
    "mean sum std var min max prod any all argmax argmin cumsum cumprod clip round transpose swapaxes "
    "squeeze repeat copy dot argsort trace diagonal ptp take conj".split())
# Functions of which the result's shape is also decided by what an argument behind the first one holds. Where
# that is an array of which nobody knows, nothing is known; a number is tried with two values.
_BY_CONTENT = frozenset("repeat delete insert tile pad resize broadcast_to split array_split hsplit vsplit "
                        "dsplit".split())
_GROWING = frozenset("tile repeat meshgrid pad resize tensordot einsum".split())
_SQUARED = "outer", "kron"
_SIZES = (480, 672), (48, 72), (12, 24)  # that splits divide; the largest for which there is room
_MOST = 2_000_000  # elements of all arrays that are given
_MOST_GROWING = 200_000  # of a function that may make far more of them
_MOST_SQUARED = 2_000
_MOST_KEPT = 2_000
_kept: Dict[object, Optional[Facts]] = {}


class _Unsaid(Exception):
    """An argument of which the shape is not known, or of a kind that is none of numpy's."""


def is_method(name: str) -> bool:
    """Of an array, one of which the result's shape follows from shapes."""
    return name in _METHODS


def of_call(name: str, function: Callable[..., object], args: Sequence[object],
            kwargs: Dict[str, object]) -> Optional[Facts]:
    """What is known of function(*args, **kwargs), which has unknown arguments; None: nothing."""
    if name not in _FUNCTIONS and name not in _METHODS or name == "where" and len(args) != 3 or \
            name in _BY_CONTENT and any(map(_is_unknown_array, (*args[1:], *kwargs.values()))):
        return None
    try:
        key = (function, tuple(map(_key, args)), tuple((word, _key(value)) for word, value in kwargs.items()))
        known = _kept.get(key, _kept)
    except (_Unsaid, TypeError):  # one that has no hash is none that numpy wants
        return None
    if known is _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        known = _kept[key] = _tried(name, function, args, kwargs)
    return known  # type: ignore[return-value]  # the dict stood for what is not kept


def _is_unknown_array(value: object) -> bool:
    return is_unmodelled(value) and getattr(value, "_sf_shape", None) != ()


def _tried(name: str, function: Callable[..., object], args: Sequence[object],
           kwargs: Dict[str, object]) -> Optional[Facts]:
    import numpy

    most = _MOST_SQUARED if name in _SQUARED else _MOST_GROWING if name in _GROWING else _MOST
    for sizes in _SIZES:
        made = []
        for size in sizes:
            given = _Given(size, name in _OF_TABLES)
            try:
                values = [given.of(value) for value in args]
                words = {word: given.of(value) for word, value in kwargs.items()}
                if given.elements > most:
                    break
                with numpy.errstate(all="ignore"):
                    made.append(function(*values, **words))
            except Exception:  # whatever does not fit is not for this to tell
                return None
        if len(made) == 2:
            if name == "squeeze" and given.has_unsaid_dim and len(args) + len(kwargs) < 2:
                return None  # a dim that nobody knows may be the one that goes
            return _common(made[0], made[1], given.has_dtypes)
    return None


class _Given:
    """Arguments with zeros in the place of unknown arrays."""

    def __init__(self, size: int, tables_count: bool) -> None:
        self.size, self.elements = size, 0
        self.has_dtypes, self.has_unsaid_dim = True, False
        self._tables_count = tables_count

    def of(self, value: object) -> object:
        import numpy

        if is_unmodelled(value):
            return self._unknown(value)
        if isinstance(value, tuple):
            return tuple(self.of(item) for item in value)
        if isinstance(value, (list, deque)):
            return [self.of(item) for item in value]
        if isinstance(value, numpy.ndarray):
            self.elements += value.size
        return value

    def _unknown(self, value: object) -> object:
        import numpy

        shape: Shape = getattr(value, "_sf_shape")  # noqa: B009  # of any class that has one
        known: Optional[str] = getattr(value, "_sf_dtype")  # noqa: B009
        if shape is None or not (self._tables_count or _is_plain(value)):
            raise _Unsaid
        self.has_dtypes &= known is not None
        dtype = known or "float32"
        if shape == ():  # a number may decide a shape, as of arange
            return self.size if known is None else numpy.dtype(dtype).type(self.size)
        dims = [self.size if dim is None else dim for dim in shape]
        self.has_unsaid_dim |= None in shape
        made = numpy.broadcast_to(numpy.zeros((), dtype), dims)
        self.elements += made.size
        return made


def _is_plain(value: object) -> bool:
    """Is it no table, nor anything else of a class of its own?"""
    return "_sf_is_plain" in vars(type(value))


def _key(value: object) -> object:
    """Of an argument: what of it decides the shape of a result."""
    if is_unmodelled(value):
        shape = getattr(value, "_sf_shape", None)
        if shape is None:
            raise _Unsaid
        return type(value), shape, getattr(value, "_sf_dtype")  # noqa: B009
    if type(value) in (list, tuple, deque):  # not our lists, of which nobody knows how long they are
        return (type(value), *map(_key, value))  # type: ignore[call-overload]  # one of these
    if isinstance(value, slice):
        return slice, _key(value.start), _key(value.stop), _key(value.step)
    import numpy

    if isinstance(value, numpy.ndarray):
        is_asked = value.ndim <= 1 or value.size <= 16  # as axes, widths and places to cut are
        return "array", value.shape, value.dtype.str, hash(value.tobytes()) if is_asked else None
    if value is None or value is Ellipsis or type(value) is str or isinstance(value, (
            bool, int, float, complex, type, numpy.generic, numpy.dtype)):  # no text that was made up
        return type(value), value
    raise _Unsaid


def _common(one: object, other: object, has_dtypes: bool) -> Optional[Facts]:
    """What two results have in common."""
    if isinstance(one, (list, tuple)):
        if not isinstance(other, (list, tuple)) or len(one) != len(other):
            return None
        parts = [_common(*pair, has_dtypes) for pair in zip(one, other)]
        known = [part for part in parts if part is not None]
        return known if len(known) == len(parts) else None
    shape, differing = getattr(one, "shape", None), getattr(other, "shape", None)
    if not isinstance(shape, tuple) or not isinstance(differing, tuple) or len(shape) != len(differing):
        return None
    dims = tuple(dim if dim == second else None for dim, second in zip(shape, differing))
    dtype = str(getattr(one, "dtype", None))
    return dims, dtype if has_dtypes or dtype == "bool" else None


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """Of what is computed element by element; None also where they do not fit."""
    rank = 0
    for shape in shapes:
        if shape is None:
            return None
        rank = max(rank, len(shape))
    made: List[Optional[int]] = []
    for axis in range(-rank, 0):
        dims = {shape[axis] for shape in shapes if shape is not None and len(shape) >= -axis} - {1}
        known = dims - {None}
        if len(known) > 1:
            return None
        made.append(known.pop() if known else None if dims else 1)
    return tuple(made)


def joined(name: str, args: Sequence[object], kwargs: Dict[str, object]) -> Shape:
    """Of stack, concatenate and their like, which may have too many parts to be tried."""
    parts = args[0] if args else None
    if type(parts) not in (list, tuple, deque) or not parts or kwargs.get("out") is not None:
        return None
    shapes = [unknown_shapes.of_value(part) for part in parts]  # type: ignore[attr-defined]  # one of these
    ranks = {None if shape is None else len(shape) for shape in shapes}
    if len(ranks) != 1 or None in ranks:
        return None
    rank = len(shapes[0] or ())
    axis = args[1] if len(args) > 1 else kwargs.get("axis", 0)
    if name in ("vstack", "hstack", "dstack"):
        axis = "vhd".index(name[0])
        if name == "dstack" and rank == 2 or name == "vstack" and rank == 1:
            name = "stack"
        elif name == "dstack" and rank < 2 or not rank:
            return None
        elif rank == 1:
            axis = 0
    if type(axis) is not int or not -rank - (name == "stack") <= axis < rank + (name == "stack"):
        return None
    if name == "stack":
        common = _merged(shapes)
        at = axis % (rank + 1)
        return None if common is None else (*common[:at], len(shapes), *common[at:])
    at = axis % rank
    common = _merged([None if shape is None else (*shape[:at], 0, *shape[at + 1:]) for shape in shapes])
    along = [None if shape is None else shape[at] for shape in shapes]
    total = None if None in along else sum(dim for dim in along if dim is not None)
    return None if common is None else (*common[:at], total, *common[at + 1:])


def _merged(shapes: Sequence[Shape]) -> Shape:
    """The one shape that all of them are; None: they cannot be the same."""
    made: List[Optional[int]] = []
    for dims in zip(*(shape or () for shape in shapes)):
        known = set(dims) - {None}
        if len(known) > 1:
            return None
        made.append(known.pop() if known else None)
    return tuple(made)
