"""What TensorFlow's functions make of ragged tensors.

A function that works on each element does so on the flat values; the rest is listed here by the last word of
its name. Any other is not modelled with a ragged operand: unknown, with a notice.
Source: tensorflow/python/ops/ragged/{ragged_dispatch,ragged_math_ops,ragged_array_ops,ragged_concat_ops}.py.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from shapeflow import _core
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.ragged_tensor import RaggedTensor, known

_convert = framework_lib.convert_to_tensor

# Functions of each element of one or more operands, which stand first; what follows them is passed on.
ELEMENTWISE = dict.fromkeys((
    "abs acos acosh angle as_string asin asinh atan atanh bessel_i0 bitcast cast ceil check_numerics "
    "clip_by_value conj cos cosh decode_base64 decode_compressed decode_json_example decode_raw digamma "
    "dropout elu encode_base64 erf erfc erfinv exp expm1 floor gelu identity imag invert is_finite is_inf "
    "is_nan leaky_relu length lgamma log log1p log_sigmoid logical_not lower ndtri negative ones_like "
    "parse_tensor real reciprocal regex_full_match regex_replace relu relu6 rint round rsqrt "
    "saturate_cast selu sigmoid sign silu sin sinh softplus softsign sqrt square stop_gradient strip "
    "substr swish tan tanh to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong to_number "
    "unicode_script unicode_transcode upper zeros_like").split(), 1)
ELEMENTWISE.update(dict.fromkeys((
    "add atan2 bitwise_and bitwise_or bitwise_xor complex divide divide_no_nan equal floor_div floordiv "
    "floormod greater greater_equal left_shift less less_equal logical_and logical_or logical_xor maximum "
    "minimum mod multiply multiply_no_nan not_equal pow realdiv right_shift squared_difference subtract "
    "truediv truncatediv truncatemod xdivy xlogy").split(), 2))


def call(dotted: str, function: Callable[..., Any], args: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """`function(*args, **kwargs)`, an operand of which is ragged."""
    name = dotted.rpartition(".")[2]
    if name in ELEMENTWISE:
        return elementwise(function, args, kwargs, ELEMENTWISE[name])
    handler = _HANDLERS.get(name)
    if handler is not None:
        return handler(*args, **kwargs)
    _core.notice_unmodelled(dotted + " (ragged)")
    return _unknown([*args, *kwargs.values()])


def _unknown(operands: Sequence[object]) -> Any:
    from shapeflow.api.unmodelled import Opaque

    inputs: List[Any] = []
    for one in operands:
        for part in one if isinstance(one, (list, tuple)) else [one]:
            if isinstance(part, RaggedTensor):
                inputs.extend(part._sf_inputs)
            elif isinstance(part, _core.Tensor):
                inputs.append(part)
    return Opaque("tf.RaggedTensor", inputs)


def elementwise(function: Callable[..., object], args: Sequence[object],
                kwargs: Dict[str, object], count: int = 2) -> Any:
    """On flat values; a dense operand of fewer axes is the same for all rows."""
    named = [k for k, v in kwargs.items() if isinstance(v, RaggedTensor)]
    ragged = [one for one in (*args[:count], *(kwargs[k] for k in named)) if isinstance(one, RaggedTensor)]
    if not ragged:
        return _unknown([*args, *kwargs.values()])
    first = max(ragged, key=lambda one: one.ragged_rank)
    if len(ragged) > 1 and any(one.ragged_rank != first.ragged_rank for one in ragged):
        return RaggedTensor.made(first.dtype, first.shape, first._sf_inputs, first.ragged_rank)
    if not all([_rows_go_together(first, one) for one in ragged]):
        return RaggedTensor.made(first.dtype, first.shape, first._sf_inputs, first.ragged_rank)

    def flat(one: object) -> Any:
        if isinstance(one, RaggedTensor):
            return one.flat_values
        if count < 2 or one is None or isinstance(one, (bool, int, float, str, bytes)):
            return one
        dense = _convert(one)
        rank, whole = dense.get_shape().ndims, first.shape.ndims
        inner = first.flat_values.get_shape().ndims
        if rank == 0 or rank is not None and inner is not None and rank <= inner - 1:
            return dense
        if rank is None or whole is None:
            return op_builders.unknown(dense.dtype, None, None, [dense], trusted=True)
        # It is broadcast to the rows: of the size of the flat values in the ragged axes.
        dims = dense.get_shape().as_list()[first.ragged_rank + 1:] if rank == whole else []
        rows = first.flat_values.get_shape().as_list()[0]
        return op_builders.unknown(dense.dtype, [rows, *dims], None, [dense], trusted=True)

    made = function(*[flat(a) for a in args[:count]], *args[count:],
                    **{k: flat(v) if k in named else v for k, v in kwargs.items()})
    return first.with_flat_values(made)


def _row_lengths(a: RaggedTensor, b: RaggedTensor) -> Optional[List[List[int]]]:
    """Those of the first axis in which the rows of both do not go together, as far as that is known."""
    for one, other in zip(a.nested_row_splits, b.nested_row_splits):
        splits = known(one), known(other)
        if None in splits or splits[0] == splits[1]:
            continue
        lengths = [[y - x for x, y in zip(s, s[1:])] for s in splits]
        if len(lengths[0]) == len(lengths[1]) and 1 not in (max(each, default=0) for each in lengths):
            return lengths
        if len(lengths[0]) != len(lengths[1]) and 1 not in (len(lengths[0]), len(lengths[1])):
            return lengths
    return None


def differ(a: RaggedTensor, b: object) -> bool:
    """Are these two ragged tensors that do not broadcast?"""
    return isinstance(b, RaggedTensor) and _row_lengths(a, b) is not None


def _rows_go_together(a: RaggedTensor, b: RaggedTensor) -> bool:
    """False: they are broadcast, or nobody knows. InvalidArgumentError for rows that differ."""
    lengths = _row_lengths(a, b)
    if lengths is not None:
        from shapeflow.tensorflow.python.framework import errors

        raise errors.InvalidArgumentError(None, None,
                                          "Unable to broadcast: dimension size mismatch in dimension 1 "
                                          "lengths=%s dim_size=%s" % (lengths[0], lengths[1]))
    return _core_shape(a).is_compatible_with(_core_shape(b)) and all(
        known(x) == known(y) for x, y in zip(a.nested_row_splits, b.nested_row_splits))


def _core_shape(ragged: RaggedTensor) -> Any:
    return ragged.flat_values.get_shape()[:1]


# --- reductions ----------------------------------------------------------------------------------
def _reduce(name: str) -> Callable[..., Any]:
    def reduction(input_tensor: Any, axis: object = None, keepdims: object = False, *args: object,
                  name: Optional[str] = None, **kwargs: object) -> Any:
        function: Any = _core.api_function("tf.reduce_" + wanted, 2) or \
            _core.api_function("tf.math.reduce_" + wanted, 2)
        if axis is None:
            return function(input_tensor.flat_values, None, bool(keepdims))
        dims = input_tensor.shape
        if dims.ndims is None:
            return _unknown([input_tensor])
        axes = [a % dims.ndims for a in (axis if isinstance(axis, (list, tuple)) else [axis])]
        kind = function(op_builders.unknown(input_tensor.dtype, [1], None, input_tensor._sf_inputs,
                                            trusted=True), 0).dtype
        return _without(input_tensor, axes, bool(keepdims), kind)

    wanted = name
    return reduction


def _without(ragged: RaggedTensor, axes: List[int], keep: bool, dtype: object) -> Any:
    """A ragged tensor with some axes reduced: dense where none is ragged then."""
    deep = ragged.ragged_rank
    dims = ragged.shape.as_list()
    sizes = ragged.longest_dims()
    if 0 in axes and deep == 1 and 1 not in axes:
        dims[1] = sizes[1]  # a column reduced over all rows: as long as the longest row
        deep = 0
    if 0 in axes and deep > 1:
        dims[1] = sizes[1]
    while deep > 0 and deep in axes:
        deep -= 1
    left = [1 if i in axes else d for i, d in enumerate(dims) if keep or i not in axes]
    removed = 0 if keep else sum(1 for a in axes if a <= deep)
    deep -= removed
    inputs = ragged._sf_inputs
    if deep <= 0:
        return op_builders.unknown(dtype, left, None, inputs, trusted=True)
    made = RaggedTensor.made(dtype, left, inputs, deep)
    if deep == ragged.ragged_rank:
        return ragged.with_flat_values(op_builders.unknown(dtype, [
            ragged.flat_values.get_shape().as_list()[0], *left[deep + 1:]], None, inputs, trusted=True))
    if min(axes) > deep and not removed:  # the outer rows are what they were
        outer = ragged
        for _ in range(ragged.ragged_rank - deep):
            outer = _drop_innermost(outer, dtype, left)
        return outer
    return made


def _drop_innermost(ragged: RaggedTensor, dtype: object, dims: List[object]) -> Any:
    inner = ragged.values
    if not isinstance(inner, RaggedTensor):
        return op_builders.unknown(dtype, [ragged.shape.as_list()[0], *dims[2:]], None, ragged._sf_inputs,
                                   trusted=True)
    return ragged.with_values(_drop_innermost(inner, dtype, dims[1:]))


# --- whole rows ----------------------------------------------------------------------------------
def _as_ragged(one: object, deep: int) -> RaggedTensor:
    return one if isinstance(one, RaggedTensor) else RaggedTensor.from_tensor(one, ragged_rank=deep)


def concat(values: Any, axis: Any, name: Optional[str] = None) -> RaggedTensor:
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    deep = max(one.ragged_rank for one in parts if isinstance(one, RaggedTensor))
    parts = [_as_ragged(one, deep) for one in parts]
    rank = parts[0].shape.ndims
    axis = axis if isinstance(axis, int) else known(_convert(axis))
    dtypes = {one.dtype for one in parts}
    if len(dtypes) > 1:
        raise ValueError("rt_inputs must all have the same dtype")
    if rank is None or axis is None or any(one.shape.ndims is None for one in parts):
        return RaggedTensor.made(parts[0].dtype, None, [i for one in parts for i in one._sf_inputs], deep)
    if any(one.shape.ndims != rank for one in parts):
        raise ValueError("All inputs must have the same rank: %s" % [str(one.shape) for one in parts])
    axis %= rank
    if axis == 0 and all(one.ragged_rank == 1 for one in parts):
        lengths = [known(one.row_lengths()) for one in parts]
        values = tf.concat([one.values for one in parts], 0)
        if None not in lengths:
            return RaggedTensor.from_row_lengths(values, _convert(
                sum(lengths, []), parts[0].row_splits.dtype))
    if axis == 1 and all(one.ragged_rank == 1 for one in parts):
        lengths = [known(one.row_lengths()) for one in parts]
        rows = {one.shape.as_list()[0] for one in parts if one.shape.as_list()[0] is not None}
        if len(rows) > 1:
            from shapeflow.tensorflow.python.framework import errors

            raise errors.InvalidArgumentError(None, None, "Input tensors have incompatible shapes.")
        if None not in lengths:
            return RaggedTensor.from_row_lengths(tf.concat([one.values for one in parts], 0), _convert(
                [sum(row) for row in zip(*lengths)], parts[0].row_splits.dtype), validate=False)
    dims: List[Any] = []
    for at, sizes in enumerate(zip(*[one.shape.as_list() for one in parts])):
        if at == axis:
            dims.append(None if None in sizes else sum(sizes))
        else:
            dims.append(next((s for s in sizes if s is not None), None) if at == 0 or at > deep else None)
    return RaggedTensor.made(parts[0].dtype, dims, [i for one in parts for i in one._sf_inputs], deep)


def stack(values: Any, axis: int = 0, name: Optional[str] = None) -> Any:
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    deep = max((one.ragged_rank for one in parts if isinstance(one, RaggedTensor)), default=0)
    if axis == 0:
        if deep == 0:
            parts = [_convert(one) for one in parts]
            deep = int(all((one.get_shape().ndims or 0) > 1 for one in parts))
        if deep == 0:
            lengths = [one.get_shape().as_list()[0] if one.get_shape().ndims else None for one in parts]
            if any(one.get_shape().ndims == 0 for one in parts):
                return tf.stack(parts)
            made = tf.concat(parts, 0)
        else:
            parts = [_as_ragged(one, deep) for one in parts]
            lengths = [one.shape.as_list()[0] if one.shape.ndims else None for one in parts]
            made = concat(parts, 0)
        if None in lengths:
            dims = made.shape
            return RaggedTensor.made(made.dtype, None if dims.ndims is None else [
                len(parts), None, *dims.as_list()[1:]], [], deep + 1)
        return RaggedTensor.from_row_lengths(made, _convert(lengths, _core.as_dtype("int64")))
    return concat([expand_dims(_as_ragged(one, 1), axis) for one in parts], axis)


def expand_dims(input: Any, axis: object = None, name: Optional[str] = None) -> Any:
    rank = input.shape.ndims
    if rank is None:
        return RaggedTensor.made(input.dtype, None, input._sf_inputs)
    at = axis % (rank + 1)
    if at == 0:
        rows = input.shape.as_list()[0]
        splits = _convert([0, rows], input.row_splits.dtype) if rows is not None else tf.stack(
            [tf.cast(0, input.row_splits.dtype), input.nrows()])
        return RaggedTensor.of(input, splits, rows)
    if at == 1:
        rows = input.shape.as_list()[0]
        splits = op_builders.unknown("int64", [None], trusted=True) if rows is None else _convert(
            list(range(rows + 1)), input.row_splits.dtype)
        return RaggedTensor.of(input, splits, 1)
    inner = input.values
    return input.with_values(expand_dims(inner, at - 1) if isinstance(inner, RaggedTensor)
                             else tf.expand_dims(inner, at - 1))


def gather(params: Any, indices: Any, validate_indices: object = None, axis: object = None,
           batch_dims: int = 0, name: Optional[str] = None, **kwargs: object) -> Any:
    if isinstance(indices, RaggedTensor):
        if batch_dims or axis not in (None, 0):
            return _unknown([params, indices])
        if isinstance(params, RaggedTensor):
            return _unknown([params, indices])
        return indices.with_flat_values(tf.gather(_convert(params), indices.flat_values))
    indices = _convert(indices)
    if batch_dims or axis not in (None, 0):
        return _unknown([params, indices])
    chosen, lengths = known(indices), known(params.row_lengths())
    dims = params.shape
    head = indices.get_shape()
    if head.ndims == 0:
        return params[chosen if chosen is not None else indices]
    if isinstance(chosen, list) and lengths is not None and params.ragged_rank == 1 and head.ndims == 1:
        wrong = next((i for i in chosen if not 0 <= i < len(lengths)), None)
        if wrong is not None:
            from shapeflow.tensorflow.python.framework import errors

            raise errors.InvalidArgumentError(None, None, "indices[%d] = %d is not in [0, %d)" % (
                chosen.index(wrong), wrong, len(lengths)))
        sizes = [lengths[i] for i in chosen]
        rest = params.values.get_shape().as_list()[1:]
        return RaggedTensor.from_row_lengths(op_builders.unknown(
            params.dtype, [sum(sizes), *rest], None, params._sf_inputs, trusted=True), _convert(
                sizes, params.row_splits.dtype))
    if dims.ndims is None or head.ndims is None:
        return RaggedTensor.made(params.dtype, None, params._sf_inputs)
    return RaggedTensor.made(params.dtype, [*head.as_list(), *dims.as_list()[1:]], params._sf_inputs,
                             params.ragged_rank + head.ndims - 1)


def embedding_lookup(params: Any, ids: Any, max_norm: object = None, name: Optional[str] = None,
                     **kwargs: object) -> Any:
    return ids.with_flat_values(tf.nn.embedding_lookup(params, ids.flat_values))


def one_hot(indices: Any, depth: Any, *args: Any, **kwargs: Any) -> Any:
    axis = kwargs.get("axis", args[2] if len(args) > 2 else None)
    if axis is not None and axis != -1 and axis != indices.shape.ndims:
        raise ValueError("axis=%d is not supported for ragged indices" % axis)
    kwargs.pop("axis", None)
    return indices.with_flat_values(tf.one_hot(indices.flat_values, depth, *args[:2], **kwargs))


def boolean_mask(tensor: Any, mask: Any, axis: object = None, name: str = "boolean_mask") -> Any:
    deep = mask.ragged_rank if isinstance(mask, RaggedTensor) else (mask.get_shape().ndims or 1) - 1
    dims = tensor.shape
    if dims.ndims is None:
        return RaggedTensor.made(tensor.dtype, None, [])
    if deep == 0:
        return RaggedTensor.made(tensor.dtype, [None, *dims.as_list()[1:]], [], tensor.ragged_rank) \
            if isinstance(tensor, RaggedTensor) else tf.boolean_mask(tensor, mask)
    sizes = [d if i == 0 or i > deep else None for i, d in enumerate(dims.as_list())]
    return RaggedTensor.made(tensor.dtype, sizes, [], max(deep, getattr(tensor, "ragged_rank", 0)))


def where(condition: Any, x: object = None, y: object = None, name: Optional[str] = None) -> Any:
    if x is None or y is None:
        return op_builders.unknown("int64", [None, condition.shape.ndims],
                                   None, condition._sf_inputs, trusted=True)
    first = next(one for one in (x, y, condition) if isinstance(one, RaggedTensor))
    kind = (x if hasattr(x, "dtype") else _convert(x)).dtype
    return first.with_flat_values(op_builders.unknown(kind, first.flat_values.get_shape(), None,
                                                      first._sf_inputs,
                                                      trusted=True))


def size(input: Any, out_type: Any = "int32", name: Optional[str] = None) -> Any:
    return tf.size(input.flat_values, out_type=_core.as_dtype(out_type))


def rank(input: Any, name: Optional[str] = None) -> Any:
    ndims = input.shape.ndims
    return op_builders.unknown("int32", [], trusted=True) if ndims is None else _convert(ndims)


def reverse(tensor: Any, axis: Any, name: Optional[str] = None) -> Any:
    axes = axis if isinstance(axis, (list, tuple)) else [axis]
    if all(a != 0 for a in axes):
        return tensor.with_flat_values(tf.identity(tensor.flat_values))
    lengths = known(tensor.row_lengths())
    if lengths is None or tensor.ragged_rank > 1:
        return RaggedTensor.made(tensor.dtype, tensor.shape, tensor._sf_inputs, tensor.ragged_rank)
    return RaggedTensor.from_row_lengths(tensor.values, _convert(lengths[::-1], tensor.row_splits.dtype))


def tile(input: Any, multiples: Any, name: Optional[str] = None) -> RaggedTensor:
    counts, lengths = known(_convert(multiples)), known(input.row_lengths())
    dims = input.shape
    if counts is None or dims.ndims is None:
        return RaggedTensor.made(input.dtype, None if dims.ndims is None else [None] * dims.ndims,
                                 input._sf_inputs,
                                 input.ragged_rank)
    whole = [None if d is None else d * n for d, n in zip(dims.as_list(), counts)]
    if lengths is None or input.ragged_rank > 1:
        return RaggedTensor.made(input.dtype, whole, input._sf_inputs, input.ragged_rank)
    lengths = [n * counts[1] for n in lengths] * counts[0]
    values = op_builders.unknown(input.dtype, [sum(lengths), *whole[2:]],
                                 None, input._sf_inputs, trusted=True)
    return RaggedTensor.from_row_lengths(values, _convert(lengths, input.row_splits.dtype))


def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split") -> Any:
    rows = value.shape.as_list()[0] if value.shape.ndims else None
    sizes = num_or_size_splits
    if axis != 0 or rows is None or isinstance(sizes, _core.Tensor):
        return _unknown([value])
    if isinstance(sizes, int):
        sizes = [rows // sizes] * sizes
    bounds = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    return [value[a:b] for a, b in zip(bounds, bounds[1:])]


def unstack(value: Any, num: object = None, axis: int = 0, name: str = "unstack") -> Any:
    return list(value) if axis == 0 and value.shape.ndims and value.shape.as_list()[0] is not None \
        else _unknown([value])


def squeeze(input: Any, axis: Any = None, name: Optional[str] = None, **kwargs: object) -> Any:
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    axes = sorted(a % input.shape.ndims for a in (axis if isinstance(axis, (list, tuple)) else [axis]))
    made = input
    for at in reversed(axes):
        if at == 0:
            made = made[0]
        elif at <= made.ragged_rank and isinstance(made, RaggedTensor):
            dims = [d for i, d in enumerate(made.shape.as_list()) if i != at]
            deep = made.ragged_rank - 1
            made = RaggedTensor.made(made.dtype, dims, made._sf_inputs,
                                     deep) if deep else op_builders.unknown(
                made.dtype, dims, None, made._sf_inputs, trusted=True)
        else:
            made = made.with_values(squeeze(made.values, at - 1) if isinstance(made.values, RaggedTensor)
                                    else tf.squeeze(made.values, at - 1))
    return made


def matmul(a: Any, b: Any, *args: Any, **kwargs: Any) -> RaggedTensor:
    rows = a.shape.as_list() if a.shape.ndims is not None else [None, None]
    columns = b.shape.as_list() if b.shape.ndims is not None else [None, None]
    if len(rows) == 2:
        raise _matrix_error()
    return RaggedTensor.made(a.dtype, [*rows[:-1], columns[-1]], [], max(
        getattr(a, "ragged_rank", 1), getattr(b, "ragged_rank", 1)))


def _matrix_error() -> Exception:
    from shapeflow.tensorflow.python.framework import errors

    return errors.InvalidArgumentError(None, None, "The matrices in `a` and `b` may not be ragged in their "
                                       "innermost dimension")


def softmax(logits: Any, axis: object = None, name: Optional[str] = None) -> Any:
    return logits.with_flat_values(tf.identity(logits.flat_values))


def add_n(inputs: Any, name: Optional[str] = None) -> Any:
    made = inputs[0]
    for one in inputs[1:]:
        made = made + one
    return made


def bincount(arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None,
             dtype: Any = "int32",
             name: Optional[str] = None, axis: Any = None, binary_output: bool = False) -> Any:
    kind = dtype if weights is None else weights.dtype
    numbers = known(arr.flat_values)
    count = None if numbers is None else max(max(numbers, default=-1) + 1, minlength or 0)
    if maxlength is not None:
        count = maxlength if count is None or minlength == maxlength else min(count, maxlength)
    return op_builders.unknown(kind, [count] if axis in (None, 0) else [arr.shape.as_list()[0], count], None,
                               arr._sf_inputs, trusted=True)


class DynamicRaggedShape:
    """tf.shape of a ragged tensor: the sizes of axes that are not ragged."""

    def __init__(self, ragged: RaggedTensor, dtype: Any) -> None:
        self._ragged, self._dtype = ragged, dtype

    dtype = property(lambda self: self._dtype)
    rank = property(lambda self: self._ragged.shape.ndims)

    def __getitem__(self, index: object) -> Any:
        if not isinstance(index, int):
            return _unknown([self._ragged])
        rank = self.rank
        at = index if index >= 0 or rank is None else index + rank
        if at == 0:
            return self._ragged.nrows(self._dtype)
        is_ragged = at <= self._ragged.ragged_rank and self._ragged.shape[at] is None
        if is_ragged and rank is not None:
            raise ValueError("Index %s is not uniform" % index)
        return self._ragged.bounding_shape(at, out_type=self._dtype)


def shape(input: Any, out_type: Any = None, name: Optional[str] = None) -> Any:
    return DynamicRaggedShape(input, _core.as_dtype(out_type or "int32"))


_HANDLERS: Dict[str, Callable[..., object]] = {
    "concat": concat, "stack": stack, "expand_dims": expand_dims, "gather": gather, "one_hot": one_hot,
    "embedding_lookup": embedding_lookup, "boolean_mask": boolean_mask, "where": where, "size": size,
    "rank": rank, "shape": shape, "shape_v2": shape,
    "reverse": reverse, "tile": tile, "split": split, "unstack": unstack, "squeeze": squeeze,
    "matmul": matmul,
    "softmax": softmax, "log_softmax": softmax, "add_n": add_n, "bincount": bincount,
    **{"reduce_" + name: _reduce(name) for name in (
        "sum", "mean", "max", "min", "prod", "any", "all", "std", "variance")},
}
