"""tf.GradientTape: which gradients there are, of the shapes of their sources.

A tensor that the program had before the tape began is no result of what the tape saw: without `watch` it has
no gradient. Which of the others depend on what is watched is not followed: they have one.
Source: tensorflow/python/eager/backprop.py, tape.cc.
"""
from __future__ import annotations

import contextlib
import sys
from _weakref import ref

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.eager import function_trace
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import gradient, unknown
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.ops.gradients import UnconnectedGradients, slices
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple


@export("tf.GradientTape", "tf.contrib.eager.GradientTape", v2=True)
class GradientTape:
    """Gradients have the shapes of their sources; the tape only knows whether it may still be used."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self._used = False
        self._watched: List[object] = []
        self._reads: Dict[int, _core.VariableBase] = {}  # by id, variables
        self._outer: Optional[Dict[int, _core.VariableBase]] = None  # of the tape or body around it
        # By id, what the program had when it began.
        self._earlier: Optional[Dict[int, ref[_core.Tensor]]] = None

    def __enter__(self) -> "GradientTape":
        if self._earlier is None:
            frame = sys._getframe(1)
            names = frame.f_locals
            values = list(names.values())
            if names is not frame.f_globals:
                values += frame.f_globals.values()
            self._earlier = {id(value): ref(value) for value in values if isinstance(value, _core.Tensor)}
        self._outer = _core.note_reads(self._reads)
        return self

    def __exit__(self, *exc: object) -> None:
        _core.note_reads(self._outer)
        if self._outer is not None:
            self._outer.update(self._reads)
        self._outer = None

    def watch(self, tensor: object) -> None:
        self._watched.extend(nest.flatten(tensor))

    def watched_variables(self) -> Tuple[Any, ...]:
        found: Dict[int, object] = {id(v): v for v in self._watched if isinstance(v, variables.Variable)}
        if self._accessed:
            found.update((key, v) for key, v in self._reads.items() if getattr(v, "trainable", False))
        return tuple(found.values())

    def reset(self) -> None:
        self._watched = []
        self._reads.clear()

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        reads: Dict[int, _core.VariableBase] = {}
        before = _core.note_reads(reads)
        try:
            yield
        finally:
            _core.note_reads(before)
            if self._outer is not None:
                self._outer.update(reads)

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
        seen = [every or self._sees(source) for source in flat]
        made = _gradients_like([source for source, sees in zip(flat, seen) if sees], losses)
        return nest.pack_sequence_as(sources, [next(made) if sees else None for sees in seen])

    def _sees(self, source: object) -> bool:
        """A variable is watched when it is trained, or when the program says so; what was there before the
        tape, when the program says so."""
        if any(source is watched for watched in self._watched):
            return True
        if isinstance(source, variables.Variable):
            return self._accessed and bool(source.trainable)
        return not isinstance(source, _core.Tensor) or not self._had(source)

    def _had(self, source: _core.Tensor) -> bool:
        """Was it there before the tape, and is it no tensor that is given more than once?"""
        earlier = (self._earlier or {}).get(id(source))
        return earlier is not None and earlier() is source and not is_unmodelled(source) and \
            not function_trace.gives(source) and not _is_of_variable(source)

    def batch_jacobian(self, target: object, source: Any, **kwargs: object) -> Any:
        head = framework_lib.convert_to_tensor(target).get_shape()
        tail = framework_lib.convert_to_tensor(source).get_shape()
        shape = head.concatenate(tail[1:]) if tail.ndims is not None else None
        return unknown(source.dtype, shape, "batch_jacobian")

    def jacobian(self, target: object, sources: object, **kwargs: object) -> Any:
        head = framework_lib.convert_to_tensor(target).get_shape()
        return nest.map_structure(lambda s: unknown(
            s.dtype, head.concatenate(s.shape), "jacobian"), sources)


def _is_of_variable(tensor: _core.Tensor) -> bool:
    """Each read of an eager variable is the same object."""
    import gc

    return any(isinstance(holder, _core.VariableBase) or isinstance(holder, dict) and
               holder.get("_tensor") is tensor for holder in gc.get_referrers(tensor))


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
