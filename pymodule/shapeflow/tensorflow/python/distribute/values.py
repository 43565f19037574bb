"""Values of several replicas: what a strategy's `run` gives, and what a distributed dataset yields.

Source: tensorflow/python/distribute/{values,distribute_utils}.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import unknown
from shapeflow.tensorflow.python.framework.tensor_types import CompositeTensor
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Sequence


@export("tf.distribute.DistributedValues", "tf.types.experimental.distributed.DistributedValues", v2=True)
class DistributedValues:
    """Base of what has a value for each replica."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = tuple(values)

    values = property(lambda self: self._values)

    def _text(self, text: Callable[[object], str]) -> str:
        lines = ",\n".join("  %d: %s" % (i, text(value)) for i, value in enumerate(self._values))
        return "%s:{\n%s\n}" % (self._kind_of(), lines)

    def _kind_of(self) -> str:
        return type(self).__name__

    def __str__(self) -> str:
        return self._text(str)

    def __repr__(self) -> str:
        return self._text(repr)


@export("tf.types.experimental.distributed.PerReplica", "tensorflow.python.distribute.values.PerReplica",
        v2=True)
class PerReplica(DistributedValues, CompositeTensor):
    """What the replicas have, each its own."""

    _sf_of_replicas = True

    def _sf_components(self) -> List[Any]:
        return list(self._values)

    def _sf_of_components(self, values: Sequence[object]) -> PerReplica:
        return PerReplica(values)


class PerReplicaSpec:
    """What is known of a PerReplica before it is there."""

    def __init__(self, *value_specs: Any) -> None:
        self._value_specs = value_specs

    def __repr__(self) -> str:
        return "PerReplicaSpec(%s)" % ", ".join(map(repr, self._value_specs))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerReplicaSpec) and self._value_specs == other._value_specs

    def __hash__(self) -> int:
        return hash(self._value_specs)


def select(replica: int, structure: object) -> Any:
    """What that replica has of values that replicas have each."""
    if not any(hasattr(type(leaf), "_sf_of_replicas") for leaf in nest.flatten(structure)):
        return nest.copied(structure)
    return nest.map_structure(
        lambda v: v.values[replica] if isinstance(v, PerReplica) else v, structure)


def regroup(given: Sequence[Any], always: bool = False) -> Any:
    """One structure of what each replica gave; what is one and the same for all stands for itself."""
    first = given[0]
    if type(first) in (list, tuple) and all(type(v) is type(first) and len(v) == len(first) for v in given):
        return type(first)(regroup(items, always) for items in zip(*given))
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(regroup(items, always) for items in zip(*given)))
    if isinstance(first, dict) and all(isinstance(v, dict) and v.keys() == first.keys() for v in given):
        made = {key: regroup([v[key] for v in given], always) for key in first}
        return made if type(first) is dict else type(first)(made)
    if isinstance(first, _core.VariableBase):
        return first  # its copies are its own
    if all(v is first for v in given) and not (always and isinstance(first, _core.Tensor)):
        return first
    return PerReplica(given)


def like_others(value: object, replicas: int, placed: Callable[[int], Any], same_shapes: bool = True) -> Any:
    """What all replicas have where the first one has `value`: tensors of its kind, of unknown content."""
    def one(given: object) -> Any:
        if not isinstance(given, _core.Tensor) and not hasattr(type(given), "_sf_components"):
            return given
        made = [given]
        for replica in range(1, replicas):
            with placed(replica):
                made.append(nest.map_structure(
                    lambda t: _guess(t, same_shapes), given, expand_composites=True))
        return PerReplica(made)

    return nest.map_structure(one, value)


def _guess(tensor: object, same_shape: bool) -> Any:
    if not isinstance(tensor, _core.Tensor):
        return tensor
    shape = tensor.get_shape()
    if not same_shape and shape.ndims is not None:
        shape = _core.TensorShape([None] * shape.ndims)
    return unknown(tensor.dtype, shape, trusted=True)


def differ(structure: object) -> bool:
    """Are there tensors that replicas have of other shapes than the first?"""
    return any(getattr(v, "shape", None) != getattr(leaf.values[0], "shape", None)
               for leaf in nest.flatten(structure) if isinstance(leaf, PerReplica) for v in leaf.values[1:])


def is_slices(value: object) -> bool:
    return isinstance(value, framework_lib.IndexedSlices)
