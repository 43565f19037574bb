"""Type specs of tensors whose values have bounds, as specs of actions and observations do. Source:
python/framework/tensor.py."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec


@export("tensorflow.python.framework.tensor.BoundedTensorSpec",
        "tensorflow.python.framework.tensor_spec.BoundedTensorSpec", v2=True)
class BoundedTensorSpec(TensorSpec):
    """Shape, dtype, and the least and greatest values, both included."""

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: Optional[str] = None
                 ) -> None:
        super().__init__(shape, dtype, name)
        self._minimum = self._bound("minimum", minimum)
        self._maximum = self._bound("maximum", maximum)

    def _bound(self, which: str, given: Any) -> Any:
        if given is None:
            raise ValueError("`%s` can not be None." % which)
        if not _is_broadcast(np.shape(given), self._shape):
            raise ValueError("`%s` %s is not compatible with shape %s." % (which, given, self._shape))
        made = np.array(given, dtype=self._dtype.as_numpy_dtype)
        made.setflags(write=False)
        return made

    minimum = property(lambda self: self._minimum)
    maximum = property(lambda self: self._maximum)

    @classmethod
    def from_spec(cls, spec: Any, name: Optional[str] = None) -> BoundedTensorSpec:
        dtype = _core.as_dtype(spec.dtype)
        return BoundedTensorSpec(spec.shape, dtype, getattr(spec, "minimum", dtype.min),
                                 getattr(spec, "maximum", dtype.max), spec.name)

    def most_specific_common_supertype(self, others: Any) -> Optional[TensorSpec]:
        plain = TensorSpec(self._shape, self._dtype, self._name)
        return self if all(self == other for other in others) else \
            plain.most_specific_common_supertype(others)

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundedTensorSpec) and super().__eq__(other) and \
            np.allclose(self._minimum, other._minimum) and np.allclose(self._maximum, other._maximum)

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))

    def __reduce__(self) -> Any:
        return BoundedTensorSpec, self._serialize()

    def __repr__(self) -> str:
        return "BoundedTensorSpec(shape=%s, dtype=%r, name=%r, minimum=%r, maximum=%r)" % (
            self._shape, self._dtype, self._name, self._minimum, self._maximum)


def _is_broadcast(bound: Any, shape: Any) -> bool:
    """Do they have a common shape?"""
    return shape.ndims is None or all(a is None or b is None or a == b or 1 in (a, b)
                                      for a, b in zip(reversed(bound), reversed(shape.as_list())))
