"""tf.experimental.Optional. Source: tensorflow/python/data/ops/optional_ops.py."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.data.structure import Structure
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.experimental.Optional", v2=True)
class Optional:
    """tf.experimental.Optional: a value, or that there is none."""

    def __init__(self, value: Any, structure: Any) -> None:
        self._value, self._structure = value, structure

    @staticmethod
    def from_value(value: object) -> "Optional":
        return Optional(nest.map_structure(framework_lib.convert_to_tensor, value), None)

    @staticmethod
    def empty(element_spec: object) -> "Optional":
        made = Optional(None, None)
        made._spec = element_spec
        return made

    _spec: Any = None
    _sf_held = property(lambda self: self._value)  # what function_trace compares

    @property
    def element_spec(self) -> Any:
        if self._structure is not None:
            return self._structure.specs()
        return self._spec if self._value is None else Structure.of(self._value).specs()

    def has_value(self, name: object = None) -> _core.Tensor:
        return _core.convert_to_tensor(self._value is not None)

    def get_value(self, name: object = None) -> Any:
        if self._value is None:
            raise InvalidArgumentError(None, None, "Optional has no value [Op:OptionalGetValue]")
        return nest.copied(self._value)
