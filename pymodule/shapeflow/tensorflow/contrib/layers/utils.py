"""Sizes as tuples, and dimensions that must be known.

Source: tensorflow/contrib/layers/python/layers/utils.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.ops.control_flow_ops import smart_cond, smart_constant_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Tuple

_PATH = "tensorflow.contrib.layers.python.layers.utils."

put(smart_cond, _PATH + "smart_cond")
put(smart_constant_value, _PATH + "constant_value")


@export(_PATH + "static_cond")
def static_cond(pred: object, fn1: object, fn2: object) -> Any:
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def _dimension(shape: Any, dim: int, min_rank: int) -> int:
    if shape.dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(shape.dims) < min_rank:
        raise ValueError("rank of shape must be at least %d not: %d" % (min_rank, len(shape.dims)))
    value = shape.dims[dim].value
    if value is None:
        raise ValueError("dimension %d of shape must be known but is None: %s" % (dim, shape))
    return value


@export(_PATH + "channel_dimension")
def channel_dimension(shape: object, data_format: str, min_rank: int = 1) -> int:
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


@export(_PATH + "last_dimension")
def last_dimension(shape: object, min_rank: int = 1) -> int:
    return _dimension(shape, -1, min_rank)


@export(_PATH + "two_element_tuple")
def two_element_tuple(int_or_tuple: object) -> Tuple[Any, Any]:
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError("Must be a list with 2 elements: %s" % int_or_tuple)
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int(int_or_tuple), int(int_or_tuple)
    if isinstance(int_or_tuple, _core.TensorShape) and int_or_tuple.ndims == 2:
        dims = int_or_tuple.dims
        assert dims is not None  # the rank is known
        return dims[0], dims[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


@export(_PATH + "n_positive_integers")
def n_positive_integers(n: int, value: Any) -> Tuple[int, ...]:
    if int(n) < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * int(n)
    except (TypeError, ValueError):
        wrong = "Expected sequence of %d positive integers, but received %r" % (n, value)
        if len(value) != n:
            raise ValueError(wrong)
        try:
            values = tuple(int(x) for x in value)
        except (TypeError, ValueError):
            raise ValueError(wrong)
    for one in values:
        if one < 1:
            raise ValueError("expected positive integer, but received %d" % one)
    return values
