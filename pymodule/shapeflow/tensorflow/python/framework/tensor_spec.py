"""tf.TensorSpec."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


@export("tf.TensorSpec", v2=True)
class TensorSpec:
    """Shape and dtype of a tensor."""

    def __init__(self, shape: Any, dtype: Any = "float32", name: Optional[str] = None) -> None:
        self._shape = _core.TensorShape(shape)
        self._dtype = _core.as_dtype(dtype)
        self._name = name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: Optional[str] = None) -> "TensorSpec":
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other: Any) -> bool:
        return self._dtype.is_compatible_with(other.dtype) and self._shape.is_compatible_with(
            other.shape)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, TensorSpec) and self._dtype == other._dtype and \
            self._shape.as_list() == other._shape.as_list()

    def __hash__(self) -> int:
        return hash((str(self._shape), self._dtype))

    def __repr__(self) -> str:
        return "TensorSpec(shape=%s, dtype=%r, name=%r)" % (self._shape, self._dtype, self._name)
