"""tf.sets.

Source: tensorflow/python/ops/sets_impl.py.
"""
from __future__ import annotations

from typing import Any

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.framework_lib import SparseTensor
from shapeflow.tensorflow.python.framework.op_builders import op, outputs

_VALID = frozenset("int8 int16 int32 int64 uint8 uint16 string".split())


def _as_set(given: object) -> Any:
    return given if isinstance(given, SparseTensor) else framework_lib.convert_to_tensor(given)


def _parts(one: object) -> Any:
    return [one.indices, one.values, one.dense_shape] if isinstance(one, SparseTensor) else [one]


def _operation(a: Any, b: Any, name: str, validate_indices: bool) -> SparseTensor:
    a, b = _as_set(a), _as_set(b)
    if a.dtype.base_dtype.name not in _VALID:
        raise TypeError("Data type `%s` is not supported for sets: %s." % (a.dtype.name, sorted(_VALID)))
    if a.dtype.base_dtype != b.dtype.base_dtype:
        raise TypeError("Types don't match, %s vs %s." % (a.dtype, b.dtype))
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        a, b = b, a
        name = {"a-b": "b-a", "b-a": "a-b"}.get(name, name)
    kinds = ["Sparse" if isinstance(one, SparseTensor) else "Dense" for one in (a, b)]
    found = outputs("%sTo%sSetOperation" % tuple(kinds), [*_parts(a), *_parts(b)],
                    {"set_operation": name, "validate_indices": validate_indices})
    return SparseTensor(*found)


@export("tf.sets.intersection", "tf.sets.set_intersection", v2=True)
def set_intersection(a: object, b: object, validate_indices: bool = True) -> SparseTensor:
    return _operation(a, b, "intersection", validate_indices)


@export("tf.sets.union", "tf.sets.set_union", v2=True)
def set_union(a: object, b: object, validate_indices: bool = True) -> SparseTensor:
    return _operation(a, b, "union", validate_indices)


@export("tf.sets.difference", "tf.sets.set_difference", v2=True)
def set_difference(a: object, b: object, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    return _operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


@export("tf.sets.size", "tf.sets.set_size", v2=True)
def set_size(a: object, validate_indices: bool = True) -> Any:
    """The number of elements of each row."""
    if not isinstance(a, SparseTensor):
        raise TypeError("Expected `SparseTensor`, got %s." % a)
    if a.values.dtype.base_dtype.name not in _VALID:
        raise TypeError("Data type `%s` is not supported for sets: %s." % (a.values.dtype, sorted(_VALID)))
    found: Any = op("SetSize", _parts(a), {"validate_indices": validate_indices})
    return found if isinstance(found, _core.Tensor) else found.outputs[0]
