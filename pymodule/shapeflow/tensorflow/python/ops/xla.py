"""Slices at places that are computed: XLA's operations, which Keras takes.

Source: tensorflow/compiler/tf2xla/python/xla.py, tensorflow/compiler/tf2xla/ops/xla_ops.cc.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import errors, framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_PREFIX = "tensorflow.compiler.tf2xla.python.xla."


def _refused(message: str) -> Exception:
    return errors.InvalidArgumentError(None, None, message)


@export(_PREFIX + "dynamic_update_slice", v2=True)
def dynamic_update_slice(input: object, update: object, indices: object, name: Optional[str] = None) -> Any:
    x = framework_lib.convert_to_tensor(input)
    part = framework_lib.convert_to_tensor(update, x.dtype.base_dtype)
    at = framework_lib.convert_to_tensor(indices)
    whole, small, places = x.get_shape(), part.get_shape(), at.get_shape()
    if whole.ndims is not None and small.ndims is not None:
        if whole.ndims != small.ndims:
            raise fail("SF102", "input and update must have the same rank, input shape is {shape:brackets}; "
                       "update shape is {shape:brackets}", whole, small, error=_refused)
        for length, taken in zip(whole.as_list(), small.as_list()):
            if length is not None and taken is not None and taken > length:
                raise fail("SF132", "Update dim size {dim} greater than dynamic slice dimension: {dim}.",
                           taken, length, error=_refused)
    if whole.ndims is not None and not places.is_compatible_with([whole.ndims]):
        raise fail("SF102", "index must be a vector with length equal to the number of input dimensions",
                   error=_refused)
    return unknown(x.dtype.base_dtype, whole, name, [x, part, at], trusted=True)


@export(_PREFIX + "dynamic_slice", v2=True)
def dynamic_slice(x: object, start_indices: object, slice_sizes: object, name: Optional[str] = None) -> Any:
    whole = framework_lib.convert_to_tensor(x)
    at = framework_lib.convert_to_tensor(start_indices)
    sizes = _core.constant_value(framework_lib.convert_to_tensor(slice_sizes))
    return unknown(whole.dtype.base_dtype, None if sizes is None else sizes.tolist(), name, [whole, at],
                   trusted=True)
