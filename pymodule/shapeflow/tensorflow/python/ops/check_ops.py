"""tf.debugging: assertions about shapes and types that TensorFlow writes in Python.

Source: tensorflow/python/ops/check_ops.py.
"""
from __future__ import annotations

import collections.abc
from typing import Any, Dict, Optional

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib


def _dims_of(symbols: object) -> Any:
    if isinstance(symbols, str):
        return list(symbols) if symbols else ()
    return symbols if isinstance(symbols, (list, tuple)) else [symbols]


def _static_dims(tensor: Any) -> Any:
    shape = tensor.shape
    return None if shape.ndims is None else shape.as_list()


def _assert_type(version: int) -> Any:
    of_tensors: Any = _core.api_function("tf.debugging.assert_type", version)

    def assert_type(tensor: object, tf_type: object, message: Optional[str] = None,
                    name: Optional[str] = None) -> Any:
        """That a tensor is of that type; TensorFlow 2 takes sparse and ragged ones too."""
        if names.emulated() >= (2, 0):
            tensor = tensor.values if isinstance(tensor, framework_lib.SparseTensor) else \
                getattr(tensor, "flat_values", tensor)
        return of_tensors(tensor, tf_type, message=message, name=name)

    return assert_type


put(_assert_type(1), "tf.assert_type", "tf.debugging.assert_type")
put(_assert_type(2), "tf.debugging.assert_type", v1=False, v2=True)


@export("tf.debugging.assert_shapes", v1=False, v2=True)
def assert_shapes(shapes: Any, data: object = None, summarize: object = None, message: Optional[str] = None,
                  name: Optional[str] = None) -> None:
    """Ranks, numbers, and letters that stand for one size each."""
    pairs = list(shapes.items() if isinstance(shapes, collections.abc.Mapping) else shapes)
    known: Dict[Any, Any] = {}
    start = message + "  " if message else ""
    for given, symbols in pairs:
        if not isinstance(symbols, (list, tuple, str, int)) and symbols is not None:
            raise ValueError(
    "%sShape specification must be a tuple, list or string. Got: %s" %
     (start, symbols))
        wanted = list(_dims_of(symbols))
        tensor = given if hasattr(given, "shape") and not hasattr(given, "__array_interface__") \
            else framework_lib.convert_to_tensor(given)
        dims = _static_dims(tensor)
        if dims is None:
            continue
        if wanted and wanted[0] == "...":
            wanted = wanted[1:]
            if len(dims) < len(wanted):
                raise ValueError("%sTensor must have rank at least %d. Got %s." % (start, len(wanted), dims))
            dims = dims[len(dims) - len(wanted):]
        elif wanted and wanted[-1] == "...":
            wanted = wanted[:-1]
            if len(dims) < len(wanted):
                raise ValueError("%sTensor must have rank at least %d. Got %s." % (start, len(wanted), dims))
            dims = dims[:len(wanted)]
        elif len(dims) != len(wanted):
            raise ValueError("%sStatic rank condition failed: shape %s, expected rank %d." % (
                start, dims, len(wanted)))
        for at, (size, symbol) in enumerate(zip(dims, wanted)):
            _assert_size(known, start, at, size, symbol)


def _assert_size(known: Dict[Any, Any], start: str, at: int, size: Any, symbol: Any) -> None:
    if symbol in (None, ".") or size is None:
        return
    number = int(symbol) if isinstance(symbol, int) or isinstance(symbol, str) and symbol.isdigit() else None
    if number is not None and number != size:
        raise ValueError("%sSpecified explicitly. Tensor dimension %d must have size %d. "
                         "Received size %d" % (
            start, at, number, size))
    if number is None and known.setdefault(symbol, size) != size:
        raise ValueError("%sSpecified by a tensor before. Tensor dimension %s must have size %d. Received "
                         "size %d" % (start, at, known[symbol], size))


@export("tf.debugging.is_numeric_tensor", "tf.is_numeric_tensor", v2=True)
def is_numeric_tensor(tensor: object) -> bool:
    if not isinstance(tensor, _core.Tensor):
        return False
    dtype: Any = tensor.dtype.base_dtype
    return bool(dtype.is_floating or dtype.is_integer or dtype.is_complex or dtype.is_quantized)


@export("tf.debugging.assert_proper_iterable", "tf.assert_proper_iterable", v2=True)
def assert_proper_iterable(values: object) -> None:
    """TypeError for a tensor, an array, text, or what cannot be iterated."""
    refused = (_core.Tensor, framework_lib.SparseTensor, str, bytes)
    if isinstance(values, refused) or hasattr(values, "__array_interface__"):
        raise TypeError("Expected argument \"values\" to be a \"proper\" iterable.  Found: %s" % type(values))
    if not hasattr(values, "__iter__"):
        raise TypeError("Expected argument \"values\" to be iterable.  Found: %s" % type(values))


@export("tf.debugging.assert_same_float_dtype", "tf.assert_same_float_dtype", v2=True)
def assert_same_float_dtype(tensors: Any = None, dtype: object = None) -> _core.DType:
    """The one floating dtype that all have."""
    wanted = None if dtype is None else _core.as_dtype(dtype)
    for tensor in tensors or ():
        kind = tensor.dtype.base_dtype
        if wanted is not None and wanted != kind:
            raise ValueError("Tensor type mismatch: expected %s, got %s" % (wanted.name, kind.name))
        wanted = kind
    wanted = wanted or _core.as_dtype("float32")
    if not wanted.is_floating:
        raise ValueError("Expected floating point type, got %s." % wanted)
    return wanted
