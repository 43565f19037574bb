"""tf.TypeSpec, and the specs of what is made of several tensors.

Source: tensorflow/python/framework/type_spec.py, sparse_tensor.py, indexed_slices.py, ragged_tensor.py,
data/ops/{dataset_ops,optional_ops}.py, ops/tensor_array_ops.py.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib, op_builders


@export("tf.TypeSpec", v2=True)
class TypeSpec:
    """What is known of a value before it is there."""

    _shape: Any
    _dtype: Any

    def _parts(self) -> Tuple[Any, ...]:
        """What tells two specs of a class apart; printed in that order."""
        return self._serialize()

    def _serialize(self) -> Tuple[Any, ...]:
        raise NotImplementedError("%s._serialize()" % type(self).__name__)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else from_value(spec_or_value)
        return type(other) is type(self) and all(map(_compatible, self._parts(), other._parts()))

    def is_subtype_of(self, other: object) -> bool:
        return type(other) is type(self) and all(map(_is_within, self._parts(), other._parts()))

    def most_specific_common_supertype(self, others: Any) -> Optional[TypeSpec]:
        made = self
        for other in others:
            if type(other) is not type(self):
                return None
            parts = [_common(a, b) for a, b in zip(made._parts(), other._parts())]
            if any(part is _NEVER for part in parts):
                return None
            made = self._with_parts(parts)
        return made

    def most_specific_compatible_type(self, other: object) -> TypeSpec:
        made = self.most_specific_common_supertype([other])
        if made is None:
            raise ValueError("No TypeSpec is compatible with both %s and %s" % (self, other))
        return made

    def _with_parts(self, parts: Any) -> TypeSpec:
        return type(self)(*parts)

    def unknown(self, name: Optional[str] = None) -> Any:
        """A value of which no more is known."""
        return op_builders.unknown()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self).__name__, str(self._parts())))

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, ", ".join(repr(part) for part in self._parts()))

    def __reduce__(self) -> Any:
        return type(self), self._parts()


_NEVER = object()


def _compatible(a: object, b: object) -> bool:
    if isinstance(a, (_core.TensorShape, _core.DType, TypeSpec)):
        return bool(a.is_compatible_with(b))
    return bool(a is None or b is None or a == b)


def _is_within(a: Any, b: Any) -> bool:
    if isinstance(a, _core.TensorShape):
        if b.ndims is None:
            return True
        return a.ndims == b.ndims and all(y is None or x == y for x, y in zip(a.as_list(), b.as_list()))
    if isinstance(a, TypeSpec):
        return a.is_subtype_of(b)
    return bool(a == b)


def _common(a: Any, b: Any) -> Any:
    if isinstance(a, _core.TensorShape):
        if a.ndims is None or a.ndims != b.ndims:
            return _core.TensorShape(None)
        return _core.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])
    if isinstance(a, TypeSpec):
        return a.most_specific_common_supertype([b]) or _NEVER
    return a if a == b else _NEVER


@export("tf.TensorSpec", v2=True)
class TensorSpec(TypeSpec):
    """Shape and dtype of a tensor."""

    def __init__(self, shape: Any, dtype: Any = "float32", name: Optional[str] = None) -> None:
        self._shape = _core.TensorShape(shape)
        self._dtype = _core.as_dtype(dtype)
        self._name = name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    value_type = property(lambda self: _core.Tensor)

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._name

    @classmethod
    def from_tensor(cls, tensor: Any, name: Optional[str] = None) -> TensorSpec:
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: Any, name: Optional[str] = None) -> TensorSpec:
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        if not hasattr(spec_or_value, "shape") or not hasattr(spec_or_value, "dtype"):
            return False
        dtype = spec_or_value.dtype
        return bool(self._dtype.is_compatible_with(dtype)
                    and self._shape.is_compatible_with(spec_or_value.shape))

    def is_subtype_of(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and self._dtype == other._dtype and _is_within(
            self._shape, other._shape) and other._name in (None, self._name)

    def most_specific_common_supertype(self, others: Any) -> Optional[TensorSpec]:
        shape = self._shape
        for other in others:
            if not isinstance(other, TensorSpec) or other._dtype != self._dtype:
                return None
            shape = _common(shape, other._shape)
        return type(self)(shape, self._dtype, self._name)

    def unknown(self, name: Optional[str] = None) -> Any:
        return op_builders.unknown(self._dtype, self._shape, self._name or name, trusted=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other,
                          TensorSpec) and self._dtype == other._dtype and self._name == other._name and \
            str(self._shape) == str(other._shape)

    __hash__ = TypeSpec.__hash__

    def __repr__(self) -> str:
        return "%s(shape=%s, dtype=%r, name=%r)" % (type(self).__name__, self._shape, self._dtype, self._name)


@export("tf.SparseTensorSpec", v2=True)
class SparseTensorSpec(TypeSpec):
    """Dense shape and dtype of a sparse tensor."""

    def __init__(self, shape: Any = None, dtype: Any = "float32") -> None:
        self._shape, self._dtype = _core.TensorShape(shape), _core.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    value_type = property(lambda self: framework_lib.SparseTensor)

    def _serialize(self) -> Any:
        return self._shape, self._dtype

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        return cls(value.shape, value.dtype)

    def unknown(self, name: Optional[str] = None) -> framework_lib.SparseTensor:
        rank = self._shape.ndims
        dense = op_builders.unknown("int64", [rank], trusted=True)
        if rank is not None and self._shape.is_fully_defined():
            dense = framework_lib.convert_to_tensor(self._shape.as_list(), _core.as_dtype("int64"))
        return framework_lib.SparseTensor(op_builders.unknown("int64", [None, rank], trusted=True),
                                          op_builders.unknown(self._dtype, [None], trusted=True), dense)


@export("tf.RaggedTensorSpec", v2=True)
class RaggedTensorSpec(TypeSpec):
    """Shape and dtype of a ragged tensor, and how many of its axes are ragged."""

    def __init__(self, shape: Any = None, dtype: Any = "float32", ragged_rank: Optional[int] = None,
                 row_splits_dtype: Any = "int64", flat_values_spec: Any = None) -> None:
        self._shape, self._dtype = _core.TensorShape(shape), _core.as_dtype(dtype)
        self._row_splits_dtype = _core.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or shape with a known rank.")
            ragged_rank = rank - 1
        if rank is not None and ragged_rank >= max(rank, 1):
            raise ValueError("Argument `ragged_rank` (%d) must be less than rank (%d)." % (ragged_rank, rank))
        self._ragged_rank = ragged_rank

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    ragged_rank = property(lambda self: self._ragged_rank)
    row_splits_dtype = property(lambda self: self._row_splits_dtype)
    flat_values_spec = property(lambda self: None)

    @property
    def value_type(self) -> Any:
        from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

        return RaggedTensor if self._ragged_rank else _core.Tensor

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        splits = value.row_splits.dtype if hasattr(value, "row_splits") else "int64"
        return cls(value.shape, value.dtype, getattr(value, "ragged_rank", 0), splits)

    def unknown(self, name: Optional[str] = None) -> Any:
        from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

        if not self._ragged_rank:
            return op_builders.unknown(self._dtype, self._shape, name, trusted=True)
        return RaggedTensor.made(self._dtype, self._shape, [], self._ragged_rank, self._row_splits_dtype)


@export("tf.IndexedSlicesSpec", v2=True)
class IndexedSlicesSpec(TypeSpec):
    """What is known of an IndexedSlices."""

    def __init__(self, shape: Any = None, dtype: Any = "float32", indices_dtype: Any = "int64",
                 dense_shape_dtype: Any = None, indices_shape: Any = None) -> None:
        self._shape, self._dtype = _core.TensorShape(shape), _core.as_dtype(dtype)
        self._indices_dtype = _core.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else _core.as_dtype(dense_shape_dtype)
        self._indices_shape = _core.TensorShape([None] if indices_shape is None else indices_shape)

    value_type = property(lambda self: framework_lib.IndexedSlices)

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape


@export("tf.TensorArraySpec", v2=True)
class TensorArraySpec(TypeSpec):
    """What is known of a TensorArray's elements."""

    def __init__(self, element_shape: Any = None, dtype: Any = "float32", dynamic_size: bool = False,
                 infer_shape: bool = True) -> None:
        self._element_shape, self._dtype = _core.TensorShape(element_shape), _core.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    def _serialize(self) -> Any:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape


@export("tf.data.DatasetSpec", "tf.data.experimental.DatasetStructure", v2=True)
class DatasetSpec(TypeSpec):
    """The spec of a data set's elements."""

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec, self._dataset_shape = element_spec, _core.TensorShape(dataset_shape)

    element_spec = property(lambda self: self._element_spec)

    @classmethod
    def from_value(cls, value: Any) -> DatasetSpec:
        return cls(value.element_spec)

    def _serialize(self) -> Any:
        return self._element_spec, self._dataset_shape


@export("tf.OptionalSpec", "tf.data.experimental.OptionalStructure", v2=True)
class OptionalSpec(TypeSpec):
    """The spec of what an Optional holds."""

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    def _serialize(self) -> Any:
        return (self._element_spec,)

    def __repr__(self) -> str:
        return "OptionalSpec(%r,)" % (self._element_spec,)


@export("tensorflow.python.framework.none_tensor.NoneTensorSpec", v2=True)
class NoneTensorSpec(TypeSpec):
    """The spec of None."""

    def _serialize(self) -> Any:
        return ()

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        return spec_or_value is None or type(spec_or_value) is type(self)

    def unknown(self, name: Optional[str] = None) -> Any:
        return None


@export("tensorflow.python.ops.resource_variable_ops.VariableSpec", v2=True)
class VariableSpec(TypeSpec):
    """Shape and dtype of a variable."""

    def __init__(self, shape: Any, dtype: Any = "float32",
                 trainable: bool = True, alias_id: Any = None) -> None:
        self._shape, self._dtype = _core.TensorShape(shape), _core.as_dtype(dtype)
        self.trainable, self.alias_id = trainable, alias_id

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self.trainable, self.alias_id

    @classmethod
    def from_value(cls, value: Any) -> VariableSpec:
        return cls(value.shape, value.dtype, value.trainable)


def from_value(value: object) -> Any:
    """The spec of a value; TypeError where it has none."""
    found = of_class(value)
    if found is not None:
        return found
    try:
        tensor = framework_lib.convert_to_tensor(value)
    except (ValueError, TypeError):
        raise TypeError("Could not build a TypeSpec for %r with type %s" % (
            value, type(value).__name__)) from None
    return TensorSpec(tensor.shape, tensor.dtype)


def of_class(value: object) -> Any:
    """That of a tensor, a composite tensor or a spec; None: it is data, or anything."""
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, _core.VariableBase):
        return VariableSpec.from_value(value)
    if isinstance(value, _core.Tensor):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, framework_lib.SparseTensor):
        return SparseTensorSpec.from_value(value)
    if isinstance(value, framework_lib.IndexedSlices):
        dense = value.dense_shape
        return IndexedSlicesSpec(value.values.shape, value.dtype, value.indices.dtype,
                                 None if dense is None else dense.dtype, value.indices.shape)
    for name, make in _BY_NAME.items():
        if any(kind.__name__ == name for kind in type(value).__mro__) and hasattr(type(value), "__module__"):
            return make(value)
    spec = getattr(value, "_type_spec", None)
    return spec if isinstance(spec, TypeSpec) else None


# By the name of the class: these modules are not loaded for a program that does not use them.
_BY_NAME: Dict[str, Callable[[Any], Any]] = {
    "RaggedTensor": RaggedTensorSpec.from_value, "DatasetV2": DatasetSpec.from_value,
    "Optional": lambda value: OptionalSpec(value.element_spec)}


@export("tf.type_spec_from_value", v2=True)
def type_spec_from_value(value: object) -> Any:
    return from_value(value)
