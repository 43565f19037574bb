"""tf.GradientTape: which gradients there are, of the shapes of their sources."""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.ops.gradients import UnconnectedGradients
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Tuple


@export("tf.GradientTape", "tf.contrib.eager.GradientTape", v2=True)
class GradientTape:
    """Gradients have the shapes of their sources; the tape only knows whether it may still be used."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self._used = False
        self._watched: List[Any] = []

    def __enter__(self) -> "GradientTape":
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def watch(self, tensor: Any) -> None:
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self) -> Tuple[Any, ...]:
        return tuple(v for v in self._watched if isinstance(v, variables.Variable))

    def reset(self) -> None:
        self._watched = []

    def stop_recording(self) -> Any:
        return contextlib.nullcontext()

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        if self._used and not self._persistent:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of "
                               "gradients (or jacobians)")
        self._used = True
        for loss in nest.flatten(target):
            _core.lint_loss(loss)
        _core.count_step()
        losses = [loss for loss in nest.flatten(target) if isinstance(loss, _core.Tensor)]
        unwatched = None if unconnected_gradients in (UnconnectedGradients.NONE, "none") else losses
        return nest.map_structure(lambda source: _gradient_like(source, losses)
                                  if self._watches(source) or unwatched is not None else None, sources)

    def _watches(self, source: Any) -> bool:
        """Of tensors nobody knows; a variable is watched when it is trained, or when the program says so."""
        if not isinstance(source, variables.Variable) or self._accessed and source.trainable:
            return True
        return any(source is watched for watched in self._watched)

    def batch_jacobian(self, target: Any, source: Any, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.python.framework.op_builders import unknown

        head = framework_lib.convert_to_tensor(target).get_shape()
        tail = framework_lib.convert_to_tensor(source).get_shape()
        shape = head.concatenate(tail[1:]) if tail.ndims is not None else None
        return unknown(source.dtype, shape, "batch_jacobian")

    def jacobian(self, target: Any, sources: Any, **kwargs: Any) -> Any:
        from shapeflow.tensorflow.python.framework.op_builders import unknown

        head = framework_lib.convert_to_tensor(target).get_shape()
        return nest.map_structure(lambda s: unknown(
            s.dtype, head.concatenate(s.shape), "jacobian"), sources)


def _gradient_like(source: Any, losses: List[Any]) -> Any:
    if is_unmodelled(source):
        return source  # the gradients of an unmodelled model's variables are as unknown as these
    value = framework_lib.convert_to_tensor(source)
    if not (value.dtype.is_floating or value.dtype.is_complex):
        return None
    from shapeflow.tensorflow.python.framework.op_builders import gradient, unknown

    if losses and (_core.memory_moment() >= 0 or _core.notes_numbers()):
        return gradient(value, losses)  # what lies between them is run backwards
    return unknown(value.dtype.base_dtype, value.get_shape(), "gradient")
