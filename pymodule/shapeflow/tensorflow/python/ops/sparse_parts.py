"""tf.sparse: what changes the axes of a sparse tensor, or takes it apart, and how it is serialized.

Source: tensorflow/python/ops/sparse_ops.py, bincount_ops.py.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.framework_lib import SparseTensor
from shapeflow.tensorflow.python.framework.op_builders import op, outputs, tf, unknown
from shapeflow.tensorflow.python.ops.sparse_ops import need_sparse

_convert = framework_lib.convert_to_tensor


def _parts(sp: SparseTensor) -> List[Any]:
    return [sp.indices, sp.values, sp.dense_shape]


@export("tf.sparse.expand_dims", v2=True)
def sparse_expand_dims(sp_input: object, axis: Any = None, name: Optional[str] = None) -> SparseTensor:
    sp = need_sparse(sp_input)
    rank = sp.shape.ndims
    if rank is None:
        return SparseTensor(unknown("int64", [None, None], trusted=True), sp.values, unknown("int64", [None]))
    axis = -1 if axis is None else axis
    if not -rank - 1 <= axis <= rank:
        raise ValueError("axis %d is out of range [%d, %d]" % (axis, -rank - 1, rank))
    at = axis % (rank + 1)
    new = tf.zeros_like(sp.indices[:, :1])
    one = _convert([1], _core.as_dtype("int64"))
    return SparseTensor(tf.concat([sp.indices[:, :at], new, sp.indices[:, at:]], 1), sp.values,
                        tf.concat([sp.dense_shape[:at], one, sp.dense_shape[at:]], 0))


@export("tf.sparse.fill_empty_rows", "tf.sparse_fill_empty_rows", v2=True)
def sparse_fill_empty_rows(sp_input: object, default_value: object, name: Optional[str] = None) -> Any:
    """A sparse tensor with an entry in every row, and which rows had none."""
    sp = need_sparse(sp_input)
    default = _convert(default_value, sp.values.dtype)
    indices, values, empty, _ = outputs("SparseFillEmptyRows", [*_parts(sp), default], None, name)
    return SparseTensor(indices, values, sp.dense_shape), empty


@export("tf.sparse.split", v1=False, v2=True)
def sparse_split(sp_input: object = None, num_split: Any = None, axis: object = None,
                 name: Optional[str] = None) -> List[SparseTensor]:
    sp = need_sparse(sp_input)
    found = outputs("SparseSplit", [_convert(axis, _core.as_dtype("int64")), *_parts(sp)],
                    {"num_split": num_split},
                    name)
    dims = sp.shape
    made = []
    for i in range(num_split):
        dense = found[2 * num_split + i]
        if dims.ndims is not None and dims.is_fully_defined() and isinstance(axis, int):
            sizes = dims.as_list()
            sizes[axis] = sizes[axis] // num_split + (1 if i < sizes[axis] % num_split else 0)
            dense = _convert(sizes, _core.as_dtype("int64"))
        made.append(SparseTensor(found[i], found[num_split + i], dense))
    return made


def _cross(inputs: Any, dtype: str) -> SparseTensor:
    parts = [one if isinstance(one, SparseTensor) else _convert(one) for one in inputs]
    dense = unknown("int64", [2], None, [], trusted=True)
    held = [p for one in parts for p in (_parts(one) if isinstance(one, SparseTensor) else [one])]
    return SparseTensor(unknown("int64", [None, 2], None, held, trusted=True),
                        unknown(dtype, [None], None, held, trusted=True), dense)


@export("tf.sparse.cross", v2=True)
def sparse_cross(inputs: object, name: Optional[str] = None, separator: Optional[str] = None) -> SparseTensor:
    return _cross(inputs, "string")


@export("tf.sparse.cross_hashed", v2=True)
def sparse_cross_hashed(inputs: object, num_buckets: int = 0, hash_key: object = None,
                        name: Optional[str] = None) -> SparseTensor:
    return _cross(inputs, "int64")


@export("tf.sparse.mask", "tf.sparse_mask", v2=True)
def sparse_mask(a: Any, mask_indices: object, name: Optional[str] = None) -> framework_lib.IndexedSlices:
    """The slices whose numbers are not in the mask."""
    dims, indices = a.values.get_shape(), _convert(a.indices)
    kept = unknown(indices.dtype, [None], None, [indices], trusted=True)
    values = unknown(a.values.dtype, None if dims.ndims is None else [None, *dims.as_list()[1:]], None,
                     [a.values],
                     trusted=True)
    return framework_lib.IndexedSlices(values, kept, a.dense_shape)


@export("tf.sparse.map_values", v2=True)
def sparse_map_values(op: Callable[..., object], *args: object, **kwargs: object) -> SparseTensor:
    """What the function makes of the values, where these are."""
    first = next((one for one in (*args, *kwargs.values()) if isinstance(one, SparseTensor)), None)
    if first is None:
        raise ValueError("No SparseTensor in argument list of map_values")

    def values(one: Any) -> Any:
        return one.values if isinstance(one, SparseTensor) else one

    return first.with_values(op(*map(values, args), **{k: values(v) for k, v in kwargs.items()}))


@export("tf.sparse.bincount", v2=True)
def sparse_bincount(values: Any, weights: object = None, axis: Any = 0, minlength: object = None,
                    maxlength: object = None,
                    binary_output: bool = False, name: Optional[str] = None) -> SparseTensor:
    """The counts of numbers that occur, of the whole or of each row."""
    kind = "int64" if weights is None else getattr(weights, "dtype", "float32")
    held = values if isinstance(values, SparseTensor) else getattr(values, "flat_values", None)
    if held is None:
        values = held = _convert(values)
    if weights is None and not binary_output and not isinstance(held, SparseTensor):
        kind = held.dtype
    rank = 2 if axis is not None and values.shape.ndims == 2 and axis != 0 else 1
    inputs = _parts(held) if isinstance(held, SparseTensor) else [held]
    return SparseTensor(unknown("int64", [None, rank], None, inputs, trusted=True),
                        unknown(kind, [None], None, inputs, trusted=True),
                        unknown("int64", [rank], None, inputs, trusted=True))


@export("tf.io.serialize_sparse", v1=False, v2=True)
def serialize_sparse(sp_input: object, out_type: object = "string", name: Optional[str] = None) -> Any:
    return op("SerializeSparse", _parts(need_sparse(sp_input)), {"out_type": _core.as_dtype(out_type)}, name)


@export("tf.io.serialize_many_sparse", v1=False, v2=True)
def serialize_many_sparse(sp_input: object, out_type: object = "string", name: Optional[str] = None) -> Any:
    return op("SerializeManySparse", _parts(need_sparse(sp_input)),
              {"out_type": _core.as_dtype(out_type)}, name)


@export("tf.io.deserialize_many_sparse", "tf.deserialize_many_sparse", v2=True)
def deserialize_many_sparse(serialized_sparse: object, dtype: object, rank: object = None,
                            name: Optional[str] = None) -> SparseTensor:
    indices, values, dense = outputs("DeserializeManySparse", [serialized_sparse],
                                     {"dtype": _core.as_dtype(dtype)},
                                     name)
    indices.set_shape([None, rank])
    dense.set_shape([rank])
    return SparseTensor(indices, values, dense)
