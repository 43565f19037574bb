"""tf.nn: losses over replicas and what TensorFlow writes in Python of several ops.

Source: tensorflow/python/ops/{nn_impl,nn_ops,ctc_ops,embedding_ops}.py, nn_impl_distribute.py.
"""
from __future__ import annotations

from typing import Any, Callable, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, outputs, tf, unknown
from shapeflow.tensorflow.python.ops import sparse_ops

_convert = framework_lib.convert_to_tensor


def _replicas() -> int:
    from shapeflow.tensorflow.python.distribute import distribute_lib

    if distribute_lib.in_cross_replica_context() and distribute_lib.has_strategy():
        raise RuntimeError("You are calling `compute_average_loss` in cross replica context, while it was "
                           "expected to be called in replica context.")
    return int(distribute_lib.get_strategy().num_replicas_in_sync)


@export("tf.nn.scale_regularization_loss", v1=False, v2=True)
def scale_regularization_loss(regularization_loss: object) -> Any:
    """The sum, a share for each replica."""
    loss = tf.reduce_sum(regularization_loss)
    return loss / tf.cast(_replicas(), loss.dtype)


@export("tf.nn.compute_average_loss", v1=False, v2=True)
def compute_average_loss(per_example_loss: object, sample_weight: object = None,
                         global_batch_size: object = None) -> Any:
    """The sum over the examples by the size of the whole batch: a scalar."""
    loss = _convert(per_example_loss)
    kind = loss.dtype
    if not kind.is_floating:
        loss = tf.cast(loss, _core.as_dtype("float32"))
    if sample_weight is not None:
        weight = _convert(sample_weight)
        if weight.dtype != loss.dtype:
            weight = tf.cast(weight, loss.dtype)
        shapes = loss.get_shape(), weight.get_shape()
        if None not in (shapes[0].ndims, shapes[1].ndims) and shapes[0].ndims < shapes[1].ndims:
            weight = tf.squeeze(weight, -1)
        elif None not in (shapes[0].ndims, shapes[1].ndims) and 0 < shapes[1].ndims < shapes[0].ndims:
            weight = tf.expand_dims(weight, -1)
        loss = loss * weight
    replicas = _replicas()
    if global_batch_size is None:
        if loss.get_shape().ndims == 0:
            raise ValueError("Invalid slice index -1")
        size: Any = tf.shape(loss)[0] * replicas
    else:
        size = _convert(global_batch_size)
        if size.get_shape().ndims not in (0, None):
            raise ValueError("global_batch_size must be scalar.")
        if not size.dtype.is_integer:
            raise TypeError("global_batch_size must be an int or int tensor.")
    return tf.reduce_sum(loss) / tf.cast(size, loss.dtype)


@export("tf.nn.isotonic_regression", v1=False, v2=True)
def isotonic_regression(inputs: object, decreasing: bool = True, axis: object = -1) -> Any:
    """Sorted values of the inputs' shape, and where equal ones begin."""
    given = _convert(inputs)
    rank = given.get_shape().ndims
    if rank is not None and isinstance(axis, int) and not -rank <= axis < rank:
        raise ValueError("Invalid value for `axis`: %s" % axis)
    kind = {"int8": "float32", "uint8": "float32", "int16": "float32", "int32": "float64",
            "int64": "float64"}.get(given.dtype.name, given.dtype.name)
    return tf.cast(given, _core.as_dtype(kind)), tf.cast(given, _core.as_dtype("int32"))


@export("tf.nn.collapse_repeated", v1=False, v2=True)
def collapse_repeated(labels: Any, seq_length: object, name: Optional[str] = None) -> Any:
    """Rows without neighbours that are the same: they are as long as the longest, and their lengths."""
    labels, lengths = _convert(labels), _convert(seq_length)
    rows = labels.get_shape().as_list()[0] if labels.get_shape().ndims else None
    return (unknown(labels.dtype, [rows, None], name, [labels, lengths], trusted=True),
            unknown(lengths.dtype, [rows], name, [labels, lengths], trusted=True))


@export("tf.nn.ctc_unique_labels", v1=False, v2=True)
def ctc_unique_labels(labels: Any, name: Optional[str] = None) -> Any:
    labels = _convert(labels)
    return (unknown("int64", labels.get_shape(), name, [labels], trusted=True), tf.identity(labels))


def _top(input_tensor: object, k: object, largest: bool, dimension: int, size: int, aggregate: bool,
         recall: float, name: Optional[str]) -> Any:
    given = _convert(input_tensor)
    return outputs("ApproxTopK", [given], {
        "k": k, "reduction_dimension": dimension, "recall_target": recall, "is_max_k": largest,
        "reduction_input_size_override": size, "aggregate_to_topk": aggregate}, name)


@export("tf.nn.approx_max_k", "tf.math.approx_max_k", v1=False, v2=True)
def approx_max_k(operand: object, k: object, reduction_dimension: int = -1, recall_target: float = 0.95,
                 reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
                 name: Optional[str] = None) -> Any:
    return _top(operand, k, True, reduction_dimension, reduction_input_size_override, aggregate_to_topk,
                recall_target, name)


@export("tf.nn.approx_min_k", "tf.math.approx_min_k", v1=False, v2=True)
def approx_min_k(operand: object, k: object, reduction_dimension: int = -1, recall_target: float = 0.95,
                 reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
                 name: Optional[str] = None) -> Any:
    return _top(operand, k, False, reduction_dimension, reduction_input_size_override, aggregate_to_topk,
                recall_target, name)


@export("tf.nn.with_space_to_batch", v1=False, v2=True)
def with_space_to_batch(input: object, dilation_rate: object, padding: object, op: Callable[..., object],
                        filter_shape: object = None, spatial_dims: object = None,
                        data_format: Optional[str] = None) -> Any:
    """`op` itself where nothing is dilated; elsewhere its result has the input's outer shape."""
    given = _convert(input)
    rates = _core.constant_value(_convert(dilation_rate))
    if rates is not None and (rates == 1).all():
        return op(given, rates.size, padding)
    made = _convert(op(given, 2 if rates is None else rates.size, "VALID"))
    rank = made.get_shape().ndims
    return unknown(made.dtype, None if rank is None else [None] * rank, None, [made], trusted=True)


@export("tf.nn.embedding_lookup_sparse", v1=False, v2=True)
def embedding_lookup_sparse(params: object, sp_ids: object, sp_weights: object, combiner: object = None,
                            max_norm: object = None,
                            name: Optional[str] = None, allow_fast_lookup: bool = False) -> Any:
    """One combined row of the table for each row of ids."""
    from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor

    if combiner not in (None, "mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum', got " + str(combiner))
    if isinstance(sp_ids, RaggedTensor):
        table = _convert(params[0] if isinstance(params, (list, tuple)) else params)
        looked = tf.gather(table, sp_ids.values)
        rows = sp_ids.shape.as_list()[0] if sp_ids.shape.ndims else None
        rest = looked.get_shape().as_list()[1:] if looked.get_shape().ndims else None
        return unknown(table.dtype.base_dtype, None if rest is None else [rows, *rest], name, [looked],
                       trusted=True)
    if not isinstance(sp_ids, framework_lib.SparseTensor) and not is_unmodelled(sp_ids):
        raise TypeError("sp_ids must be a SparseTensor or RaggedTensor, got %s" % type(sp_ids))
    return sparse_ops.embedding_lookup_sparse(params, sp_ids, sp_weights, name=name)


@export("tf.nn.safe_embedding_lookup_sparse", v1=False, v2=True)
def safe_embedding_lookup_sparse(embedding_weights: object, sparse_ids: Any, sparse_weights: object = None,
                                 combiner: object = "mean", default_id: object = None,
                                 max_norm: object = None, name: Optional[str] = None,
                                 allow_fast_lookup: bool = False) -> Any:
    rows = sparse_ids.shape[:-1]  # of any rank, unlike embedding_lookup_sparse
    found = embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, max_norm, name)
    if rows.ndims in (None, 1):
        return found
    return unknown(found.dtype, rows.concatenate(found.get_shape()[1:]), None, [found])


@export("tf.nn.sufficient_statistics", v2=True)
def sufficient_statistics(x: object, axes: object, shift: object = None, keep_dims: object = None,
                          name: Optional[str] = None, keepdims: object = None) -> Any:
    """Count, sum, sum of squares, and the shift, which may be None."""
    made: Any = _core.api_function("tf.nn.sufficient_statistics", 1)
    found = made(x, axes, shift=shift, keepdims=bool(keep_dims or keepdims), name=name)
    return (*found, None) if shift is None else tuple(found)


@export("tf.histogram_fixed_width_bins", v2=True)
def histogram_fixed_width_bins(values: Any, value_range: Any, nbins: object = 100, dtype: Any = "int32",
                               name: Optional[str] = None) -> Any:
    """The number of the bin of each value."""
    values = _convert(values)
    value_range = _convert(value_range, values.dtype)
    return tf.cast(values, _core.as_dtype(dtype), name=name)


@export("tf.math.is_non_decreasing", "tf.is_non_decreasing", "tf.debugging.is_non_decreasing",
        "tf.math.is_strictly_increasing", "tf.is_strictly_increasing", "tf.debugging.is_strictly_increasing",
        v2=True)
def is_non_decreasing(x: object, name: Optional[str] = None) -> Any:
    """One bool for the whole."""
    return tf.reduce_all(tf.equal(*[_convert(x)] * 2), name=name)


@export("tf.fingerprint", v2=True)
def fingerprint(data: object, method: str = "farmhash64", name: Optional[str] = None) -> Any:
    """Eight bytes for each row."""
    return op("Fingerprint", [data, method], None, name)
