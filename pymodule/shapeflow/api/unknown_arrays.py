"""numpy's makers of arrays, of unknown values and sizes: an array would have to be of some shape, so it is
unknown instead. Only in a check of a program that uses a package that is not installed.
"""
from __future__ import annotations

import functools
from collections import deque

from shapeflow import _core
from shapeflow.api import unknown_numpy, unknown_shapes
from shapeflow.api.loaded_modules import loaded
from shapeflow.api.unknown_package import Unknown, result, with_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Tuple

    from shapeflow.checker.patches import Patcher

_MAKERS = ("array asarray asanyarray ascontiguousarray asfarray zeros ones empty full eye identity arange "
           "linspace logspace fromiter frombuffer fromstring loadtxt genfromtxt load save "
           "savez savetxt savez_compressed stack vstack hstack dstack column_stack concatenate").split()
# What changes the shape: of a list of unknown values numpy would make an array of objects, of another shape.
_SHAPERS = "reshape transpose squeeze expand_dims ravel tile repeat broadcast_to moveaxis swapaxes".split()
_WITH_DTYPE = ("array", "asarray", "asanyarray", "zeros", "ones", "empty")
_IDENTITIES = ("eye", "identity")
_JOINERS = ("stack", "concatenate", "vstack", "hstack", "dstack")
_CONVERTERS = ("array", "asarray", "asanyarray")
_RANDOM = ("rand randn randint random random_sample normal uniform choice permutation standard_normal "
           "binomial beta poisson multivariate_normal truncated_normal").split()

# Where the size is among the arguments of those of them that give an array of it; the other two take dims.
_OF_SIZE = {"randint": 2, "random": 0, "random_sample": 0, "normal": 2, "uniform": 2, "standard_normal": 0,
            "binomial": 2, "beta": 2, "poisson": 1}
_OF_DIMS = ("rand", "randn")

_HOLDERS: Tuple[type, ...] = (list, tuple, deque, set, frozenset, type({}.values()), type({}.keys()))


def unknown_in(values: Iterable[Any], strict: bool = True, depth: int = 0) -> object:
    """The first unknown value among arguments. Not `strict`: text that was made up is none."""
    text = loaded("shapeflow.api.unknown_text")
    kinds = text.KINDS if text is not None and strict else (Unknown,)
    for value in values:
        if isinstance(value, kinds):
            return value
        if isinstance(value, _core.EagerTensor) and value.get_shape().rank is None:
            return result(None, value.dtype.name)
        if depth < 3 and type(value) in _HOLDERS and len(value) <= 1000:
            found = unknown_in(value, strict, depth + 1)
            if found is not None:
                return found
    return None


def _around(maker: Callable[..., object], name: str) -> Callable[..., Any]:
    @functools.wraps(maker)
    def make(*args: Any, **kwargs: Any) -> Any:
        if args and name in _CONVERTERS and type(args[0]).__name__ == "UnknownImage":
            known = args[0]._array()
            args = args if known is None else (known, *args[1:])
        unknown = unknown_in([*args, *kwargs.values()])
        if unknown is None:
            real = maker(*args, **kwargs)
            return _of_one_hot(real) if name in _IDENTITIES else real
        made = unknown._more(".%s()" % name) if isinstance(unknown, Unknown) else Unknown("np.%s()" % name)
        if name in _CONVERTERS and type(args[0]) in (list, tuple):
            made.__dict__["_sf_length"] = len(args[0])
        made._shaped(*_facts(name, args, kwargs))
        return made if made._sf_shape is not None else with_facts(made, name, maker, args, kwargs)

    return make


def _of_one_hot(identity: object) -> object:
    import numpy

    from shapeflow.api.unknown_rows import Rows

    return numpy.asarray(identity).view(Rows)


def _facts(name: str, args: Tuple[object, ...], kwargs: Dict[str, object]) -> Any:
    """Shape and dtype of what a maker makes, as far as its arguments say them."""
    from shapeflow.api.unknown_package import _dtype_name

    first: Any = args[0] if args else None
    dtype = kwargs.get("dtype", args[1] if len(args) > 1 and name in _WITH_DTYPE else None)
    if name in _CONVERTERS and isinstance(first, Unknown):
        return first._sf_shape, first._sf_dtype if dtype is None else _dtype_name(dtype)
    if name in _CONVERTERS and type(first) in (list, tuple):
        return unknown_shapes.of_list(first), \
            _common_dtype(first) if dtype is None else _dtype_name(dtype)
    if name in _JOINERS:
        return unknown_numpy.joined(name, args, kwargs), \
            _common_dtype(first) if dtype is None else _dtype_name(dtype)
    if name in _SHAPERS:
        return unknown_shapes.of_function(name, args, kwargs), None
    if name in ("zeros", "ones", "empty", "full"):
        dims = first if type(first) in (list, tuple) else [first]
        known = _dtype_name("float64" if dtype is None and name != "full" else dtype)
        return (unknown_shapes.of_dims(dims) if not isinstance(first, Unknown) else None), known
    if name in _OF_SIZE or name in _OF_DIMS:
        size = args if name in _OF_DIMS else kwargs.get("size", None)
        if size is None and len(args) > _OF_SIZE[name]:
            size = args[_OF_SIZE[name]]
        shape = unknown_shapes.of_dims(list(size)) if isinstance(size, (list, tuple)) and size else None
        return shape, "int64" if name == "randint" else "float64"
    return None, None


def _common_dtype(parts: object) -> Optional[str]:
    """Of all arrays of a list; None: nobody knows, they differ, or one may be a number of Python's."""
    if not isinstance(parts, (list, tuple)) or not parts:
        return None
    dtypes = {part._sf_dtype if isinstance(part, Unknown) and part._sf_shape else None for part in parts}
    return dtypes.pop() if len(dtypes) == 1 else None


def _change(module: ModuleType, by: Patcher, names: Sequence[str]) -> None:
    for name in names:
        maker = vars(module).get(name)
        if callable(maker):
            by.set(module, name, _around(maker, name))


def change(numpy: ModuleType, by: Patcher) -> None:
    """The module numpy."""
    _change(numpy, by, (*_MAKERS, *_SHAPERS))


def change_random(random: ModuleType, by: Patcher) -> None:
    """The module numpy.random."""
    _change(random, by, _RANDOM)
