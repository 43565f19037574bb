"""Accumulators of gradients: tf.ConditionalAccumulator and the sparse one.

An accumulator holds no gradients: what is taken has the dtype and the shape that were declared, and taking
never waits. From TensorFlow 1.13 on the dense one is a resource. In eager mode neither works in TensorFlow.
Of what a sparse one gives TensorFlow knows no shape; here it is that which it makes sure of when it runs.
Source: tensorflow/python/ops/data_flow_ops.py (queues are in training/queues.py, barriers raw ops alone).
"""
from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import op, outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional

_RESOURCE_SINCE = (1, 13)
SparseAccumulatorTakeGradient = collections.namedtuple(
    "SparseAccumulatorTakeGradient", ("indices", "values", "shape"))


@export("tf.ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """What both accumulators share."""

    _kind = ""  # what names of ops begin with

    def __init__(self, dtype: object, shape: object, accumulator_ref: _core.Tensor) -> None:
        self._dtype = _core.as_dtype(dtype)
        self._shape = _core.TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = "" if _core.executing_eagerly() else accumulator_ref.op.name.rpartition("/")[2]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name: Optional[str] = None) -> object:
        return self._op("NumAccumulated", [], name or self._name + "_NumAccumulated")

    def set_global_step(self, new_global_step: object, name: Optional[str] = None) -> object:
        return self._op("SetGlobalStep", [_step(new_global_step)], name)

    def _op(self, what: str, inputs: List[object], name: Optional[str],
            attrs: Optional[Dict[str, object]] = None) -> object:
        is_resource = self._accumulator_ref.dtype == _core.as_dtype("resource")
        return op(("ResourceAccumulator" if is_resource else "Accumulator") + what,
                  [self._accumulator_ref, *inputs], attrs, name)


def _step(value: object) -> object:
    """A step is a number of 64 bits: of others it is cast."""
    given = framework_lib.convert_to_tensor(value)
    wanted = _core.as_dtype("int64")
    return given if given.dtype == wanted else op("Cast", [given], {"DstT": wanted})


def _made(kind: str, dtype: object, shape: object, shared_name: Optional[str], name: Optional[str],
          reduction_type: str) -> _core.Tensor:
    attrs: Dict[str, object] = {"dtype": _core.as_dtype(dtype), "shape": _core.TensorShape(shape),
                                "shared_name": shared_name or ""}
    if reduction_type != "MEAN":
        attrs["reduction_type"] = reduction_type
    made: _core.Tensor = op(kind, [], attrs, name)
    return made


@export("tf.ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Of dense gradients."""

    def __init__(self, dtype: object, shape: object = None, shared_name: Optional[str] = None,
                 name: Optional[str] = "conditional_accumulator", reduction_type: str = "MEAN") -> None:
        kind = ("Resource" if names.emulated() >= _RESOURCE_SINCE else "") + "ConditionalAccumulator"
        super().__init__(dtype, shape, _made(kind, dtype, shape, shared_name, name, reduction_type))

    def apply_grad(self, grad: object, local_step: object = 0, name: Optional[str] = None) -> object:
        given = framework_lib.convert_to_tensor(grad, self._dtype)
        shape = given.get_shape()
        if not self._shape.is_compatible_with(shape):
            raise fail("SF132", "Shapes {shape} and {shape} are incompatible", shape, self._shape)
        return self._op("ApplyGradient", [_step(local_step), given], name)

    def take_grad(self, num_required: object, name: Optional[str] = None) -> object:
        return self._op("TakeGradient", [num_required], name, {"dtype": self._dtype})


@export("tf.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Of gradients as slices; what their shapes are is only looked at when it runs."""

    def __init__(self, dtype: object, shape: object = None, shared_name: Optional[str] = None,
                 name: Optional[str] = "sparse_conditional_accumulator",
                 reduction_type: str = "MEAN") -> None:
        super().__init__(dtype, shape, _made(
            "SparseConditionalAccumulator", dtype, shape, shared_name, name, reduction_type))

    def apply_indexed_slices_grad(self, grad: framework_lib.IndexedSlices, local_step: object = 0,
                                  name: Optional[str] = None) -> object:
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices: object, grad_values: object, grad_shape: object = None,
                   local_step: object = 0, name: Optional[str] = None) -> object:
        inputs = [self._accumulator_ref, _step(local_step), _step(grad_indices),
                  framework_lib.convert_to_tensor(grad_values),
                  framework_lib.convert_to_tensor([], "int64") if grad_shape is None else _step(grad_shape)]
        attrs = {"has_known_shape": grad_shape is not None}
        return op("SparseAccumulatorApplyGradient", inputs, attrs, name)

    def take_grad(self, num_required: object,
                  name: Optional[str] = None) -> SparseAccumulatorTakeGradient:
        inputs = [self._accumulator_ref, num_required]
        indices, values, shape = outputs("SparseAccumulatorTakeGradient", inputs, {"dtype": self._dtype},
                                         name)
        if self._shape.ndims:
            values.set_shape([None, *self._shape.as_list()[1:]])
            shape.set_shape([self._shape.ndims])
        return SparseAccumulatorTakeGradient(indices, values, shape)

    def take_indexed_slices_grad(self, num_required: object,
                                 name: Optional[str] = None) -> framework_lib.IndexedSlices:
        taken = self.take_grad(num_required, name)
        return framework_lib.IndexedSlices(taken.values, taken.indices, taken.shape)
