"""tf.GradientTape: which gradients there are, of the shapes of their sources."""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import gradient, unknown
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.ops.gradients import UnconnectedGradients, slices
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Tuple


@export("tf.GradientTape", "tf.contrib.eager.GradientTape", v2=True)
class GradientTape:
    """Gradients have the shapes of their sources; the tape only knows whether it may still be used."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self._used = False
        self._watched: List[object] = []

    def __enter__(self) -> "GradientTape":
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def watch(self, tensor: object) -> None:
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self) -> Tuple[Any, ...]:
        return tuple(v for v in self._watched if isinstance(v, variables.Variable))

    def reset(self) -> None:
        self._watched = []

    def stop_recording(self) -> Any:
        return contextlib.nullcontext()

    def gradient(self, target: object, sources: object, output_gradients: object = None,
                 unconnected_gradients: object = UnconnectedGradients.NONE) -> Any:
        if self._used and not self._persistent:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of "
                               "gradients (or jacobians)")
        self._used = True
        for loss in nest.flatten(target):
            _core.lint_loss(loss)
        _core.count_step()
        losses = [loss for loss in nest.flatten(target) if isinstance(loss, _core.Tensor)]
        every = unconnected_gradients not in (UnconnectedGradients.NONE, "none")
        flat = nest.flatten(sources)
        made = _gradients_like([source for source in flat if every or self._watches(source)], losses)
        return nest.pack_sequence_as(sources, [next(made) if every or self._watches(source) else None
                                               for source in flat])

    def _watches(self, source: object) -> bool:
        """Of tensors nobody knows; a variable is watched when it is trained, or when the program says so."""
        if not isinstance(source, variables.Variable) or self._accessed and source.trainable:
            return True
        return any(source is watched for watched in self._watched)

    def batch_jacobian(self, target: object, source: Any, **kwargs: object) -> Any:
        head = framework_lib.convert_to_tensor(target).get_shape()
        tail = framework_lib.convert_to_tensor(source).get_shape()
        shape = head.concatenate(tail[1:]) if tail.ndims is not None else None
        return unknown(source.dtype, shape, "batch_jacobian")

    def jacobian(self, target: object, sources: object, **kwargs: object) -> Any:
        head = framework_lib.convert_to_tensor(target).get_shape()
        return nest.map_structure(lambda s: unknown(
            s.dtype, head.concatenate(s.shape), "jacobian"), sources)


def _gradients_like(sources: List[Any], losses: List[Any]) -> Iterator[Any]:
    values = [source if is_unmodelled(source) else framework_lib.convert_to_tensor(source)
              for source in sources]
    kinds = _core.tape_gradients(losses, values) or [True] * len(values)
    for value, kind in zip(values, kinds):
        if is_unmodelled(value):
            yield value  # the gradients of an unmodelled model's variables are as unknown as these
        elif not (value.dtype.is_floating or value.dtype.is_complex):
            yield None
        elif isinstance(kind, tuple):
            # Calls that are alike are one record, bodies of loops may run once: how many rows is unknown.
            yield slices(value, (_core.TensorShape([None]), kind[1]), losses)
        elif losses and (_core.memory_moment() >= 0 or _core.notes_numbers()):
            yield gradient(value, losses)  # what lies between them is run backwards
        else:
            yield unknown(value.dtype.base_dtype, value.get_shape(), "gradient")
