"""Ops on sparse tensors: what is known of their dense shapes; their number of values is not.

Source: tensorflow/python/ops/sparse_ops.py, embedding_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque, is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.framework_lib import SparseTensor
from shapeflow.tensorflow.python.framework.op_builders import known_op, op, tf, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Union


def need_sparse(sp: object) -> SparseTensor:
    if isinstance(sp, framework_lib.SparseTensorValue):
        return SparseTensor.from_value(sp)
    if is_unmodelled(sp):  # it may be one
        from shapeflow.tensorflow.python.ops.ctc_ops import _sparse as as_sparse

        return as_sparse(sp, "")
    if not isinstance(sp, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return sp


@export("tf.cast", v2=True)
def cast(x: Any, dtype: Any, name: Optional[str] = None) -> Any:
    """tf.cast: the values of a sparse tensor; everything else is the core's."""
    made: Any = _core.api_function("tf.cast", 1)
    if isinstance(x, SparseTensor):
        return SparseTensor(x.indices, made(x.values, dtype, name=name), x.dense_shape)
    return made(x, dtype, name=name)


def _sparse(dtype: Any, shape: Any, inputs: List[object], name: Optional[str]) -> SparseTensor:
    """A sparse tensor of static dense shape `shape` (a TensorShape) computed from `inputs`."""
    rank = shape.ndims
    if shape.is_fully_defined():
        dense: Any = tf.constant(shape.as_list(), dtype=_core.as_dtype("int64"))
    else:
        dense = unknown("int64", [rank], name, inputs)
    return SparseTensor(unknown("int64", [None, rank], name, inputs),
                        unknown(dtype, [None], name, inputs), dense)


def _parts(sp: SparseTensor) -> List[Any]:
    return [sp.indices, sp.values, sp.dense_shape]


@export("tf.sparse_placeholder", "tf.sparse.placeholder")
def sparse_placeholder(dtype: object, shape: object = None, name: Optional[str] = None) -> SparseTensor:
    head = name + "/" if name is not None else ""
    int64 = _core.as_dtype("int64")
    rank = None
    if shape is None:
        dense: Any = tf.placeholder(int64, shape=[None], name=head + "shape" if head else None)
    elif isinstance(shape, _core.Tensor):
        dense = framework_lib.convert_to_tensor(shape, int64)
        rank = dense.get_shape().as_list()[0] if dense.get_shape().ndims == 1 else None
    else:
        dims = _core.TensorShape(shape)
        rank = dims.ndims
        if dims.is_fully_defined():
            dense = tf.constant(dims.as_list(), dtype=int64)
        else:
            dense = tf.placeholder(int64, shape=[rank], name=head + "shape" if head else None)
    return SparseTensor(
        values=tf.placeholder(dtype, shape=[None], name=head + "values" if head else None),
        indices=tf.placeholder(int64, shape=[None, rank], name=head + "indices" if head else None),
        dense_shape=dense)


@export("tf.sparse_tensor_dense_matmul", "tf.sparse.matmul", "tf.sparse.sparse_dense_matmul", v2=True)
def sparse_tensor_dense_matmul(sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False,
                               name: Optional[str] = None) -> Any:
    if names.emulated() >= (2, 0) and isinstance(b, SparseTensor):  # AB is (B'A')'
        return tf.transpose(sparse_tensor_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a))
    sp_a = need_sparse(sp_a)
    with framework_lib.name_scope(name, "SparseTensorDenseMatMul", [sp_a, b]) as scope:
        b = framework_lib.convert_to_tensor(b, None, "b")
        if known_op("SparseTensorDenseMatMul"):
            return op("SparseTensorDenseMatMul", _parts(sp_a) + [b],
                      {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}, scope)
        left, right = sp_a.shape, b.get_shape()
        rows = left.as_list()[1 if adjoint_a else 0] if left.ndims == 2 else None
        columns = right.as_list()[0 if adjoint_b else 1] if right.ndims == 2 else None
        if left.ndims == 2 and right.ndims == 2:
            inner, other = left.as_list()[0 if adjoint_a else 1], right.as_list()[1 if adjoint_b else 0]
            if inner is not None and other is not None and inner != other:
                raise fail("SF101", "Dimensions must be equal, but are {dim} and {dim}", inner, other)
        return unknown(b.dtype.base_dtype, [rows, columns], scope, _parts(sp_a) + [b])


@export("tf.sparse_tensor_to_dense", "tf.sparse.to_dense", v2=True)
def sparse_tensor_to_dense(sp_input: object, default_value: object = None, validate_indices: bool = True,
                           name: Optional[str] = None) -> Any:
    sp_input = need_sparse(sp_input)
    default = framework_lib.convert_to_tensor(0 if default_value is None and sp_input.dtype.name != "string"
                                          else default_value or "", sp_input.dtype)
    return sparse_to_dense(sp_input.indices, sp_input.dense_shape, sp_input.values, default,
                           validate_indices, name)


@export("tf.sparse_to_dense")
def sparse_to_dense(sparse_indices: object, output_shape: object, sparse_values: object,
                    default_value: object = 0, validate_indices: bool = True,
                    name: Optional[str] = None) -> Any:
    values = framework_lib.convert_to_tensor(sparse_values)
    indices = framework_lib.convert_to_tensor(sparse_indices)
    shape = framework_lib.convert_to_tensor(output_shape, indices.dtype.base_dtype)
    default = framework_lib.convert_to_tensor(default_value, values.dtype.base_dtype)
    if known_op("SparseToDense"):
        return op("SparseToDense", [indices, shape, values, default],
                  {"validate_indices": validate_indices}, name)
    return unknown(values.dtype, _core.constant_value_as_shape(shape), name or "SparseToDense",
                   [indices, values])


@export("tf.sparse_add", "tf.sparse.add", v2=True)
def sparse_add(a: Any, b: Any, threshold: object = None, thresh: object = None) -> Any:
    if not isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if isinstance(a, SparseTensor) and isinstance(b, SparseTensor):
        return _sparse(a.dtype, a.shape.merge_with(b.shape), _parts(a) + _parts(b), None)
    sp, dense = (a, b) if isinstance(a, SparseTensor) else (b, a)
    dense = framework_lib.convert_to_tensor(dense)
    return unknown(dense.dtype.base_dtype, dense.get_shape().merge_with(sp.shape), None,
                   _parts(sp) + [dense])


def _same_shape(*names: str) -> Any:
    def function(sp_input: Any, *args: Any, name: Optional[str] = None, **kwargs: Any) -> SparseTensor:
        sp = need_sparse(sp_input)
        return _sparse(sp.dtype, sp.shape, _parts(sp), name)

    export(*names, v2=True)(function)


_same_shape("tf.sparse_reorder", "tf.sparse.reorder")
_same_shape("tf.sparse_retain", "tf.sparse.retain")
_same_shape("tf.sparse_softmax", "tf.sparse.softmax")
_same_shape("tf.sparse_maximum", "tf.sparse.maximum")
_same_shape("tf.sparse_minimum", "tf.sparse.minimum")


@export("tf.sparse_reset_shape", "tf.sparse.reset_shape", v2=True)
def sparse_reset_shape(sp_input: object, new_shape: object = None) -> SparseTensor:
    sp = need_sparse(sp_input)
    shape = _core.TensorShape([None] * sp.shape.ndims if sp.shape.ndims is not None else None) \
        if new_shape is None else _core.constant_value_as_shape(
            framework_lib.convert_to_tensor(new_shape, _core.as_dtype("int64")))
    return _sparse(sp.dtype, shape, _parts(sp), None)


@export("tf.sparse_reshape", "tf.sparse.reshape", v2=True)
def sparse_reshape(sp_input: object, shape: object, name: Optional[str] = None) -> SparseTensor:
    sp = need_sparse(sp_input)
    wanted = _core.constant_value_as_shape(framework_lib.convert_to_tensor(shape, _core.as_dtype("int64")))
    count = sp.shape.num_elements()
    if count is not None and wanted.ndims is not None and wanted.as_list().count(None) == 1:
        known = 1
        for dim in wanted.as_list():
            known *= 1 if dim is None else dim
        if known and count % known == 0:
            wanted = wanted.merge_with([count // known if dim is None else dim for dim in wanted.as_list()])
    return _sparse(sp.dtype, wanted, _parts(sp), name)


@export("tf.sparse_transpose", "tf.sparse.transpose", v2=True)
def sparse_transpose(sp_input: object, perm: Any = None, name: Optional[str] = None) -> SparseTensor:
    sp = need_sparse(sp_input)
    dims = sp.shape.as_list() if sp.shape.ndims is not None else None
    if dims is not None:
        dims = dims[::-1] if perm is None else [dims[int(i)] for i in perm]
    return _sparse(sp.dtype, _core.TensorShape(dims), _parts(sp), name)


@export("tf.sparse_concat", "tf.sparse.concat", v2=True)
def sparse_concat(axis: object, sp_inputs: Any, *args: object, name: Optional[str] = None,
                  **kwargs: object) -> SparseTensor:
    inputs = [need_sparse(s) for s in sp_inputs]
    shapes = [s.shape.as_list() for s in inputs if s.shape.ndims is not None]
    dims: Any = None
    if len(shapes) == len(inputs):
        dims = list(shapes[0])
        sizes = [s[axis] for s in shapes]
        dims[axis] = None if None in sizes else sum(sizes)
    return _sparse(inputs[0].dtype, _core.TensorShape(dims), [p for s in inputs for p in _parts(s)],
                   name)


@export("tf.sparse_slice", "tf.sparse.slice", v2=True)
def sparse_slice(sp_input: object, start: object, size: object, name: Optional[str] = None) -> SparseTensor:
    sp = need_sparse(sp_input)
    begins, sizes = (_core.constant_value(framework_lib.convert_to_tensor(one, _core.as_dtype("int64")))
                     for one in (start, size))
    if sp.shape.ndims is None or begins is None or sizes is None or begins.shape != sizes.shape:
        dims = None if sp.shape.ndims is None else [None] * sp.shape.ndims
    else:  # what lies beyond the end is left out
        dims = [None if dim is None else max(0, min(int(width), dim - int(begin)))
                for dim, begin, width in zip(sp.shape.as_list(), begins, sizes)]
    return _sparse(sp.dtype, _core.TensorShape(dims), _parts(sp), name)


@export("tf.sparse_reduce_sum", "tf.sparse.reduce_sum", "tf.sparse_reduce_max", "tf.sparse.reduce_max",
        v2=True)
def sparse_reduce(sp_input: Any, axis: Any = None, keepdims: Any = None, *args: object,
                  keep_dims: Any = None, reduction_axes: Any = None, output_is_sparse: object = None,
                  **kwargs: object) -> Any:
    sp = need_sparse(sp_input)
    dims = sp.shape.as_list() if sp.shape.ndims is not None else None
    axes = axis if axis is not None else reduction_axes
    keep = bool(keepdims or keep_dims)
    if dims is not None:
        chosen = set(range(len(dims))) if axes is None else {
            int(a) % len(dims) for a in (axes if isinstance(axes, (list, tuple)) else [axes])}
        dims = [1 if i in chosen else d for i, d in enumerate(dims) if keep or i not in chosen]
    if output_is_sparse or args[:1] == (True,):  # TensorFlow 2 has it fourth
        return _sparse(sp.dtype, _core.TensorShape(dims), _parts(sp), "SparseReduce")
    return unknown(sp.dtype, dims, "SparseReduce", _parts(sp))


@export("tf.sparse_to_indicator", "tf.sparse.to_indicator", v2=True)
def sparse_to_indicator(sp_input: object, vocab_size: int, name: Optional[str] = None) -> Any:
    sp = need_sparse(sp_input)
    dims = sp.shape.as_list()[:-1] + [vocab_size] if sp.shape.ndims is not None else None
    return unknown("bool", dims, name, _parts(sp))


@export("tf.sparse.from_dense", v2=True)
def from_dense(tensor: Any, name: Optional[str] = None, *args: object) -> SparseTensor:
    tensor = framework_lib.convert_to_tensor(tensor)
    return _sparse(tensor.dtype, tensor.get_shape(), [tensor], name)


@export("tf.contrib.layers.dense_to_sparse", "tf.contrib.slim.dense_to_sparse")
def dense_to_sparse(tensor: object, eos_token: object = 0, outputs_collections: object = None,
                    scope: Optional[str] = None) -> SparseTensor:
    """Which entries are left out changes no shape that is known."""
    return from_dense(tensor, scope)


@export("tf.string_split")
def string_split(source: object, sep: object = None, skip_empty: bool = True, delimiter: object = None,
                 result_type: str = "SparseTensor",
                 name: Optional[str] = None) -> Union[SparseTensor, Opaque]:
    made: Any = _core.api_function("tf.string_split", 1)
    if result_type != "SparseTensor":
        _core.notice_unmodelled("tf.string_split (result_type='%s')" % result_type)
        return Opaque("tf.string_split", [framework_lib.convert_to_tensor(source)])
    return SparseTensor(*made(source, sep, skip_empty, delimiter, name=name))


@export("tf.sparse.eye", v2=True)
def eye(num_rows: int, num_columns: object = None, dtype: object = "float32",
        name: Optional[str] = None) -> SparseTensor:
    return _sparse(_core.as_dtype(dtype), _core.TensorShape([num_rows, num_columns or num_rows]), [],
                   name)


@export("tf.nn.embedding_lookup_sparse", "tf.contrib.layers.safe_embedding_lookup_sparse",
        "tf.nn.safe_embedding_lookup_sparse")
def embedding_lookup_sparse(params: object, sp_ids: Any, sp_weights: Any = None, *args: object,
                            name: Optional[str] = None, **kwargs: object) -> Any:
    """One combined row of the table for each row of ids."""
    sp_ids = need_sparse(sp_ids)
    table = params[0] if isinstance(params, (list, tuple)) else params
    table = framework_lib.convert_to_tensor(table)
    rows = sp_ids.shape.as_list()[0] if sp_ids.shape.ndims else None
    rest = table.get_shape().as_list()[1:] if table.get_shape().ndims else []
    looked = tf.gather(table, tf.cast(sp_ids.values, _core.as_dtype("int64")))
    inputs = [looked, sp_ids.indices] + ([] if sp_weights is None else [sp_weights.values])
    return unknown(table.dtype.base_dtype, [rows] + rest, name or "embedding_lookup_sparse", inputs)
