"""Which calls of a tf.function are one trace in TensorFlow: those whose arguments are of one kind.

Tensors and arrays by dtype and shape, variables by what they are, numbers and texts by themselves; what is
given by name, by place or not at all is the same argument.
Source: tensorflow/core/function/trace_type, tensorflow/core/function/polymorphism.
"""
from __future__ import annotations

import functools
import types
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from shapeflow import _core
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec, of_class

PLAIN = frozenset((int, float, bool, str, bytes, complex, type(None)))


Kind = Tuple[object, ...]


def kind_of(function: object, args: Sequence[object], kwargs: Mapping[str, object]) -> Optional[Kind]:
    """Equal for calls of one trace; None: that cannot be told."""
    key: List[object] = []
    aliases: Dict[int, int] = {}
    placed, named = _arguments(function, args, kwargs)
    known = _add(placed, key, aliases) and _add(named, key, aliases)
    try:
        hash(tuple(key))
    except TypeError:
        return None
    return tuple(key) if known else None


def is_of(kind: Kind, wider: Kind) -> bool:
    """Is `wider` the same with dimensions or ranks that are not known?"""
    return len(kind) == len(wider) and all(
        a == b or isinstance(a, _Shape) and isinstance(b, _Shape) and a.fits(b) for a, b in zip(kind, wider))


class _Shape(NamedTuple):
    """Dimensions, each None where nobody knows it."""

    is_ranked: bool
    sizes: Tuple[Optional[int], ...]

    def fits(self, wider: _Shape) -> bool:
        return not wider.is_ranked or self.is_ranked and len(self.sizes) == len(wider.sizes) and all(
            b is None or a == b for a, b in zip(self.sizes, wider.sizes))


def _shape(shape: _core.TensorShape) -> _Shape:
    return _Shape(False, ()) if shape.ndims is None else _Shape(True, tuple(shape.as_list()))


def _arguments(function: object, args: Sequence[object],
               kwargs: Mapping[str, object]) -> Tuple[Tuple[object, ...], Dict[str, object]]:
    """(those that have a place, with defaults; those that have only a name)."""
    placed, named, bound = list(args), dict(kwargs), 0
    while isinstance(function, functools.partial):
        placed[:0], named, bound = function.args, {**function.keywords, **named}, bound + len(function.args)
        function = function.func
    if not isinstance(function, types.FunctionType):
        return tuple(placed), named
    code = function.__code__
    names = code.co_varnames[:code.co_argcount]
    named = {**(function.__kwdefaults__ or {}), **named}
    defaults = function.__defaults__ or ()
    given = dict(zip(names[len(names) - len(defaults):], defaults))
    for name in names[len(placed):]:
        if name not in named and name not in given:
            break  # Python will say that it is missing
        placed.append(named.pop(name) if name in named else given[name])
    return tuple(placed), named


def _add(given: object, key: List[object], aliases: Dict[int, int]) -> bool:
    kind = type(given)
    if isinstance(given, (_core.Tensor, TensorSpec)):
        key.extend(("tensor", given.dtype, _shape(given.shape)))
    elif isinstance(given, _core.VariableBase):
        number = aliases.setdefault(id(given), len(aliases))
        trained = getattr(given, "trainable", True)
        key.extend(("variable", given.dtype, _shape(given.get_shape()), trained, number))
    elif kind in PLAIN:
        key.append(given)
    elif kind.__module__ == "numpy" and hasattr(given, "dtype") and hasattr(given, "shape"):
        if given.dtype.kind == "O":
            return False
        key.extend(("tensor", _core.as_dtype(given.dtype), _Shape(True, tuple(given.shape))))
    elif isinstance(given, (tuple, list)):
        key.extend((kind, len(given)))
        return all(_add(item, key, aliases) for item in given)
    elif isinstance(given, dict):
        names = sorted(given, key=str)
        key.extend((kind, tuple(names)))
        return all(_add(given[name], key, aliases) for name in names)
    elif hasattr(given, "_sf_of_replicas"):
        key.append(kind)
        return all(_add(item, key, aliases) for item in getattr(given, "values", ()))
    elif hasattr(kind, "__next__"):
        key.extend((kind, repr(getattr(given, "element_spec", id(given)))))
    else:
        spec = of_class(given)
        key.extend((kind, id(given) if spec is None else repr(spec)))
    return True
