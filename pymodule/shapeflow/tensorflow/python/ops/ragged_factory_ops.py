"""tf.ragged: how ragged tensors are made and told apart.

Source: tensorflow/python/ops/ragged/{ragged_factory_ops,ragged_math_ops,ragged_functional_ops,segment_id_ops,
ragged_array_ops}.py.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import ragged_dispatch
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, as_splits, as_values, known

_convert = framework_lib.convert_to_tensor


def _depths(given: object) -> Any:
    """The greatest depth of nested lists; ValueError where some leaves lie deeper than others."""
    if not isinstance(given, (list, tuple)):
        return 0, True
    inner = [_depths(part) for part in given]
    deepest = max((depth for depth, _ in inner), default=0)
    for depth, has_leaf in inner:
        if has_leaf and depth != deepest:
            raise ValueError("all scalar values must have the same nesting depth")
    return deepest + 1, any(has_leaf for _, has_leaf in inner)


def _inner_shape(parts: List[Any], dims: List[int]) -> Optional[List[int]]:
    """The shape that all of `parts` have; None: they differ."""
    if not parts or not all(isinstance(part, (list, tuple)) for part in parts):
        return dims
    if len({len(part) for part in parts}) > 1:
        return None
    return _inner_shape([one for part in parts for one in part], [*dims, len(parts[0])])


@export("tf.ragged.constant", v2=True)
def constant(pylist: Any, dtype: object = None, ragged_rank: Optional[int] = None, inner_shape: Any = None,
             name: Optional[str] = None, row_splits_dtype: object = "int64") -> Any:
    """Of nested lists; of a number, or of ragged rank 0, a plain tensor."""
    if hasattr(pylist, "tolist"):
        pylist = pylist.tolist()
    if not isinstance(pylist, (list, tuple)):
        if ragged_rank is not None and ragged_rank:
            raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d" % (pylist, ragged_rank))
        return _convert(pylist, dtype)
    depth = _depths(pylist)[0]
    inner = list(inner_shape) if isinstance(inner_shape, (list, tuple)) else \
        None if inner_shape is None else [inner_shape]
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - len(inner or ()))
    elif ragged_rank >= max(1, depth) or ragged_rank < 0:
        raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d" % (pylist, ragged_rank))
    if ragged_rank == 0:
        return _convert(pylist, dtype)
    lengths: List[List[int]] = []
    level = list(pylist)
    for _ in range(ragged_rank):
        lengths.append([len(part) for part in level])
        level = [one for part in level for one in part]
    if inner is None:
        inner = _inner_shape(level, [])
        if inner is None:
            raise ValueError("inner values have inconsistent shape")
    leaf = _convert(
    level, dtype) if level else op_builders.unknown(
        dtype or "float32", [
            0, *inner], trusted=True)
    if leaf.get_shape().as_list()[1:] != inner:
        leaf = tf.reshape(leaf, [-1, *inner])
    values: Any = leaf
    for sizes in reversed(lengths):
        values = RaggedTensor.from_row_lengths(values, _convert(sizes, _core.as_dtype(row_splits_dtype)),
                                               validate=False)
    return values


@export("tf.ragged.range", v2=True)
def ragged_range(starts: object, limits: object = None, deltas: object = 1, dtype: object = None,
                 name: Optional[str] = None,
                 row_splits_dtype: object = "int64") -> RaggedTensor:
    """A row of numbers for each start and limit."""
    if limits is None:
        starts, limits = 0, starts
    parts = [_convert(one, dtype) for one in (starts, limits, deltas)]
    rows = next((p.get_shape().as_list()[0] for p in parts if p.get_shape().ndims == 1), 1)
    splits, values = op_builders.outputs(
    "RaggedRange", parts, {
        "Tsplits": _core.as_dtype(row_splits_dtype)}, name)
    numbers = [known(p) for p in parts]
    if rows is not None and None not in numbers:
        columns = [n if isinstance(n, list) and len(n) == rows
                   else [n[0] if isinstance(n, list) else n] * rows
                   for n in numbers]
        if any(step == 0 for step in columns[2]):
            from shapeflow.tensorflow.python.framework import errors

            raise errors.InvalidArgumentError(None, None, "Requires delta != 0")
        lengths = [max(0, int(-(-(limit - start) // step))) for start, limit, step in zip(*columns)]
        values = op_builders.unknown(parts[0].dtype, [sum(lengths)], None, parts, trusted=True)
        return RaggedTensor.from_row_lengths(values, _convert(lengths, _core.as_dtype(row_splits_dtype)))
    return RaggedTensor.of(values, splits)


@export("tf.ragged.stack", v2=True)
def stack(values: object, axis: int = 0, name: Optional[str] = None) -> Any:
    if not isinstance(values, (list, tuple)):
        values = [values]
    return ragged_dispatch.stack(values, axis)


@export("tf.ragged.boolean_mask", v2=True)
def boolean_mask(data: object, mask: Any, name: Optional[str] = None) -> Any:
    """Rows of what a mask leaves."""
    mask = as_values(mask if isinstance(mask, RaggedTensor) or isinstance(mask, _core.Tensor)
                     else constant(mask, _core.as_dtype("bool")))
    if mask.dtype.name != "bool":
        raise ValueError("mask must have dtype bool")
    return ragged_dispatch.boolean_mask(as_values(data), mask)


def _cross(inputs: Any, dtype: str) -> RaggedTensor:
    rows = None
    ragged = False
    parts: List[Any] = []
    for one in inputs:
        ragged = ragged or isinstance(one, RaggedTensor)
        if not isinstance(one, (RaggedTensor, framework_lib.SparseTensor)):
            one = _convert(one)
        dims = one.get_shape()
        if dims.ndims not in (2, None):
            raise ValueError("tf.ragged.cross only supports inputs with rank=2")
        rows = rows if rows is not None or dims.ndims is None else dims.as_list()[0]
        parts.append(one)
    lengths = [known(one.row_lengths()) for one in parts if isinstance(one, RaggedTensor)]
    if len(lengths) == len(parts) and None not in lengths:
        sizes = [1] * len(lengths[0])
        for row in lengths:
            sizes = [a * b for a, b in zip(sizes, row)]
        return RaggedTensor.from_row_lengths(op_builders.unknown(dtype, [sum(sizes)], trusted=True), sizes)
    return RaggedTensor.made(dtype, [rows, None])


@export("tf.ragged.cross", v2=True)
def cross(inputs: object, name: Optional[str] = None) -> RaggedTensor:
    return _cross(inputs, "string")


@export("tf.ragged.cross_hashed", v2=True)
def cross_hashed(inputs: object, num_buckets: int = 0, hash_key: object = None,
                 name: Optional[str] = None) -> RaggedTensor:
    return _cross(inputs, "int64")


@export("tf.ragged.row_splits_to_segment_ids", v2=True)
def row_splits_to_segment_ids(splits: object, name: Optional[str] = None, out_type: object = None) -> Any:
    splits = as_splits(splits)
    numbers = known(splits)
    values = op_builders.unknown("float32", [None if numbers is None else numbers[-1]], trusted=True)
    rowids = RaggedTensor.from_row_splits(values, splits, validate=False).value_rowids()
    return rowids if out_type is None else tf.cast(rowids, out_type)


@export("tf.ragged.segment_ids_to_row_splits", v2=True)
def segment_ids_to_row_splits(segment_ids: object, num_segments: object = None, out_type: object = None,
                              name: Optional[str] = None) -> Any:
    ids = as_splits(segment_ids)
    values = op_builders.unknown("float32", ids.get_shape(), trusted=True)
    splits = RaggedTensor.from_value_rowids(values, ids, num_segments, validate=False).row_splits
    return splits if out_type is None else tf.cast(splits, out_type)


@export("tf.ragged.map_flat_values", v2=True)
def map_flat_values(op: Callable[..., object], *args: object, **kwargs: object) -> Any:
    """What the function makes of all values, in rows as before."""
    first: List[RaggedTensor] = []

    def flat(one: object) -> Any:
        if isinstance(one, RaggedTensor):
            first.append(one)
            return one.flat_values
        if isinstance(one, (list, tuple)) and any(isinstance(part, RaggedTensor) for part in one):
            return [flat(part) for part in one]
        return one

    given = [flat(one) for one in args], {key: flat(one) for key, one in kwargs.items()}
    if not first:
        return op(*args, **kwargs)
    made = _convert(op(*given[0], **given[1]))
    rows = made.get_shape()
    count = first[0].flat_values.get_shape()
    if rows.ndims == 0 or rows.ndims and count.ndims and None not in (
            rows.as_list()[0], count.as_list()[0]) and rows.as_list()[0] != count.as_list()[0]:
        raise ValueError("tf.ragged.map_flat_values requires that the output of `op` have the same "
                         "outer-dimension size as flat_values of any ragged inputs. (output shape: %s; "
                         "expected outer dimension size: %s)" % (rows, count))
    return first[0].with_flat_values(made)
