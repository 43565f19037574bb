"""Datasets of a strategy of several replicas.

A replica takes as much as a batch divided by their number, rounded up, and the last ones what is left.
Source: tensorflow/python/distribute/input_lib.py, data/experimental/ops/distribute.py (_RebatchDataset).
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.data.optional_ops import Optional as OptionalValue
from shapeflow.tensorflow.python.distribute import values
from shapeflow.tensorflow.python.framework import eager_devices
from shapeflow.tensorflow.python.framework.errors import OutOfRangeError
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Sequence

    from shapeflow.tensorflow.python.data.optional_ops import Optional


@export("tf.distribute.DistributedIterator", v2=True)
class DistributedIterator:
    """What a distributed dataset yields."""

    def __init__(self, dataset: DistributedDataset) -> None:
        self._of = dataset
        self._iterator = iter(dataset._dataset)

    element_spec = property(lambda self: self._of.element_spec)

    def __iter__(self) -> DistributedIterator:
        return self

    def __next__(self) -> Any:
        return self._of._take(self._iterator)

    def get_next(self) -> Any:
        try:
            return self.__next__()
        except StopIteration:
            raise OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNext]") from None

    def get_next_as_optional(self) -> Optional:
        try:
            return OptionalValue(self.__next__(), None)
        except StopIteration:
            return OptionalValue(None, None)


@export("tf.distribute.DistributedDataset", v2=True)
class DistributedDataset:
    """A dataset of which each element is one for each replica; `take`: the next one, from an iterator."""

    def __init__(self, dataset: Any, spec: Any, devices: Sequence[str], take: Callable[[Any], Any]) -> None:
        self._dataset, self._spec, self._devices, self._take = dataset, spec, devices, take

    def __iter__(self) -> DistributedIterator:
        if not _core.executing_eagerly():
            raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution "
                               "is enabled.")
        return DistributedIterator(self)

    @property
    def element_spec(self) -> Any:
        return nest.map_structure(lambda s: values.PerReplicaSpec(*[s] * len(self._devices)), self._spec)

    @property
    def cardinality(self) -> Any:
        return self._dataset.cardinality().numpy()


def split_batches(dataset: Any, devices: Sequence[str]) -> Any:
    """Of each batch a part for each replica."""
    replicas = len(devices)
    if not hasattr(dataset, "_structure"):
        return dataset  # nobody knows it
    spec = dataset.element_spec

    def parts(t: Any) -> List[Any]:
        if not _is_batch(t):
            return [t] * replicas
        size: Any = tf.shape(t)
        most = -(-size[0] // replicas)
        return [t[i * most:(i + 1) * most] for i in range(replicas)]

    def split(*element: Any) -> Any:
        given = element[0] if len(element) == 1 else element
        flat = [parts(t) for t in nest.flatten(given)]
        return tuple(tuple(leaf[i] for leaf in flat) for i in range(replicas))

    def take(iterator: Any) -> Any:
        given = []
        for device, flat in zip(devices, next(iterator)):
            given.append(nest.pack_sequence_as(spec, [eager_devices.on(t, device) for t in flat]))
        return values.regroup(given, always=True)

    return DistributedDataset(dataset.map(split), nest.map_structure(_open, spec), devices, take)


def _open(spec: Any) -> Any:
    """A part is of any size."""
    shape = getattr(spec, "shape", None)
    if shape is None or not shape.ndims or type(spec).__name__ != "TensorSpec":
        return spec
    return type(spec)(_core.TensorShape([None, *shape.as_list()[1:]]), spec.dtype, spec.name)


def _is_batch(t: Any) -> bool:
    return isinstance(t, _core.Tensor) and bool(t.shape.ndims)


def _nothing_of(t: Any) -> Any:
    return t[:0] if _is_batch(t) else t


def deal_batches(dataset: Any, devices: Sequence[str]) -> Any:
    """To each replica a batch in turn; where there are too few, the rest get batches of nothing."""
    if not hasattr(dataset, "_structure"):
        return dataset

    def take(iterator: Any) -> Any:
        found: List[Any] = []
        for device in devices:
            with eager_devices.entered([device]):
                try:
                    found.append(next(iterator))
                except StopIteration:
                    if not found:
                        raise
                    found.append(nest.map_structure(_nothing_of, found[0]))
        return values.regroup(found, always=True)

    return DistributedDataset(dataset, dataset.element_spec, devices, take)
