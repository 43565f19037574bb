"""numpy: aliases that 1.24 and 2.x dropped."""
from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.removed.restore import Removed


def _of(name: str, module: str = "numpy") -> Callable[[], Any]:
    return lambda: getattr(import_module(module), name)


def _value(value: object) -> Callable[[], Any]:
    return lambda: value


def _as_scalar(a: Any) -> object:
    return a.item()


def _as_float(a: object, dtype: Any = float) -> object:
    import numpy as np

    kind = np.dtype(dtype)
    return np.asarray(a, dtype=kind if np.issubdtype(kind, np.inexact) else float)


def _sorted_copy(a: Any) -> object:
    import numpy as np

    return np.sort(a, axis=0)


def _in_1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> object:
    import numpy as np

    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def _is_subclass(arg1: Any, arg2: Any) -> bool:
    return isinstance(arg1, type) and issubclass(arg1, arg2)


def _random_integers(low: Any, high: Any = None, size: Any = None) -> object:
    import numpy as np

    return np.random.randint(1 if high is None else low, (low if high is None else high) + 1, size)


def _item_set(array: Any, *args: object) -> None:
    *at, value = args
    where = at[0] if len(at) == 1 else tuple(at)
    if not at and array.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    if at and not isinstance(where, tuple):
        array.flat[where] = value
    else:
        array[where if at else ...] = value


def _range(array: Any, axis: Any = None, out: Any = None, **kwargs: Any) -> object:
    import numpy as np

    return np.ptp(array, axis, out, **kwargs)


def _of_other_order(array: Any, new_order: str = "S", /) -> object:
    return array.view(array.dtype.newbyteorder(new_order))


_METHODS: Dict[str, Callable[..., object]] = {"itemset": _item_set, "ptp": _range,
                                           "newbyteorder": _of_other_order}


def _lend_methods(numpy: ModuleType, removed: Removed) -> None:
    """Arrays of numpy 2 lack these methods."""
    for name, method in _METHODS.items():
        if not hasattr(numpy.ndarray, name):
            removed.lend(numpy.ndarray, name, method, "numpy")


PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {"numpy": _lend_methods}

_EXCEPTIONS = ("VisibleDeprecationWarning", "ComplexWarning", "AxisError", "RankWarning", "TooHardError",
               "ModuleDeprecationWarning", "DTypePromotionError")
_INF, _NAN = float("inf"), float("nan")

MODULES: Dict[str, Dict[str, Callable[[], object]]] = {
    "numpy": {
        **{name: _value(kind) for name, kind in (
            ("float", float), ("int", int), ("bool", bool), ("object", object), ("complex", complex),
            ("str", str), ("long", int), ("unicode", str), ("Inf", _INF), ("Infinity", _INF), ("infty", _INF),
            ("PINF", _INF), ("NINF", -_INF), ("NaN", _NAN), ("NAN", _NAN), ("PZERO", 0.0), ("NZERO", -0.0),
            ("asscalar", _as_scalar), ("asfarray", _as_float), ("msort", _sorted_copy), ("in1d", _in_1d),
            ("issubclass_", _is_subclass))},
        **{old: _of(new) for old, new in (
            ("float_", "float64"), ("complex_", "complex128"), ("unicode_", "str_"), ("string_", "bytes_"),
            ("bool8", "bool_"), ("int0", "intp"), ("uint0", "uintp"), ("object0", "object_"),
            ("singlecomplex", "complex64"), ("cfloat", "complex128"), ("longfloat", "longdouble"),
            ("longcomplex", "clongdouble"), ("clongfloat", "clongdouble"), ("product", "prod"),
            ("cumproduct", "cumprod"), ("alltrue", "all"), ("sometrue", "any"), ("row_stack", "vstack"),
            ("round_", "round"), ("trapz", "trapezoid"), ("mat", "asmatrix"), ("typeDict", "sctypeDict"))},
        **{name: _of(name, "numpy.exceptions") for name in _EXCEPTIONS},
        "math": lambda: import_module("math"), "warnings": lambda: import_module("warnings"),
    },
    "numpy.lib": {name: _of(name) for name in (
        "pad append average bincount delete diff histogram insert interp kron meshgrid split tile unique "
        "vectorize").split()},
    "numpy.random": {"random_integers": _value(_random_integers)},
}
