"""tf.autodiff.ForwardAccumulator: directional derivatives have the shapes of what is derived.

Source: tensorflow/python/eager/forwardprop.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import unknown
from shapeflow.tensorflow.python.ops.gradients import UnconnectedGradients
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.autodiff.ForwardAccumulator", v2=True)
class ForwardAccumulator:
    """Each primal has a tangent of its own shape."""

    def __init__(self, primals: Any, tangents: Any) -> None:
        nest.assert_same_structure(primals, tangents)
        self._entered = False
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents)):
            dtype = primal.dtype.base_dtype
            if not (dtype.is_floating or dtype.is_complex):
                raise ValueError("Variables and tensors must be floating or complex: %r" % dtype)
            framework_lib.convert_to_tensor(tangent, dtype)

    def __enter__(self) -> "ForwardAccumulator":
        if self._entered:
            raise ValueError("The accumulator is already recording.")
        self._entered = True
        return self

    def __exit__(self, *exc: object) -> None:
        if not self._entered:
            raise ValueError("Attempted to stop recording with an accumulator that is not active.")
        self._entered = False

    def jvp(self, primals: object, unconnected_gradients: object = UnconnectedGradients.NONE) -> Any:
        """Tangents of `primals`; which of them depend on nothing that is watched is not followed."""
        return nest.map_structure(_tangent, primals)


def _tangent(primal: object) -> Any:
    if not isinstance(primal, (_core.Tensor, _core.VariableBase)):
        return None if isinstance(primal, (int, float)) else primal
    tensor = framework_lib.convert_to_tensor(primal)
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        return None
    return unknown(tensor.dtype.base_dtype, tensor.get_shape(), "jvp", [tensor], trusted=True)
