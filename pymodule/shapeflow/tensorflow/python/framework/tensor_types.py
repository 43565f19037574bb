"""Classes of which tensors are instances, for programs that ask: EagerTensor, CompositeTensor and so on.

Source: tensorflow/python/framework/{ops,composite_tensor}.py.
"""
from __future__ import annotations

import abc

from shapeflow import _core
from shapeflow.api import base_classes
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.framework_lib import IndexedSlices, SparseTensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

put(_core.EagerTensor, "tensorflow.python.framework.ops.EagerTensor",
    "tensorflow.python.framework.ops._EagerTensorBase", v2=True)


class _OfGraphs(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _core.Tensor) and not isinstance(instance, _core.EagerTensor)


@export("tensorflow.python.framework.ops.SymbolicTensor", v2=True)
class SymbolicTensor(_core.Tensor, metaclass=_OfGraphs):
    """A tensor of a graph."""


@export("tf.__internal__.CompositeTensor",
        "tensorflow.python.framework.composite_tensor.CompositeTensor", v2=True)
class CompositeTensor(metaclass=abc.ABCMeta):  # noqa: B024
    """Base of what is made of several tensors: sparse and ragged ones, a program's own extension types. Its
    metaclass is TensorFlow's: packages derive from it and from classes that have another one of that kind."""

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        if cls is CompositeTensor and not _OWN.isdisjoint(subclass.__mro__):
            return True  # not registered: that would ask the snapshot, which is read for it
        if cls is CompositeTensor and issubclass(subclass, _core.VariableBase):
            return False  # of a composite Keras asks the handle, after which nothing is known of a variable
        return True if base_classes.is_below(cls, subclass) else NotImplemented


_OWN = frozenset((SparseTensor, IndexedSlices))
