"""keras.ops: numpy's names over TensorFlow's ops, as its TensorFlow backend computes them.

Operands of two dtypes are brought to one, which TensorFlow's own functions refuse to do.
Source: keras/src/ops/{numpy,nn,core}.py, keras/src/backend/{tensorflow,common/dtypes}.py (3).
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail_untyped as fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest


def _op(*names: str) -> Any:
    def register(function: Any) -> Any:
        put(function, *["tf.keras.ops." + name for name in names], v2=True)
        return function

    return register


def _plain(names: str, function: Any) -> None:
    _op(*names.split())(function)


# --- dtypes ---------------------------------------------------------------------------------------
_RANK = {"bool": 0, "uint8": 1, "int8": 2, "uint16": 3, "int16": 4, "uint32": 5, "int32": 6, "uint64": 7,
         "int64": 8, "float16": 10, "bfloat16": 11, "float32": 12, "float64": 13, "complex64": 14,
         "complex128": 15}


def _tensor(x: Any, dtype: Any = None) -> Any:
    """Numbers are float32 or int32, as Keras takes them."""
    if not isinstance(x, _core.Tensor):
        if dtype is None and isinstance(x, (float, list, tuple)) and _is_float(x):
            dtype = "float32"
        x = framework_lib.convert_to_tensor(x)
    if dtype is None or _core.as_dtype(dtype) == x.dtype.base_dtype:
        return x
    return tf.cast(x, _core.as_dtype(dtype))


def _is_float(x: Any) -> bool:
    return any(isinstance(i, float) for i in nest.flatten(x)) and not any(
        isinstance(i, (np.ndarray, np.generic, _core.Tensor)) for i in nest.flatten(x))


def _promoted(*xs: Any) -> List[Any]:
    """All of one dtype: the wider one; a plain number takes that of the tensors."""
    made = [x if isinstance(x, _core.Tensor) else None if isinstance(x, (bool, int, float)) else _tensor(x)
            for x in xs]
    known = [m.dtype.base_dtype for m in made if m is not None]
    if not known:
        return [_tensor(x) for x in xs]
    wide = max(known, key=lambda d: _RANK.get(d.name, 0))
    if wide.name in _RANK and _RANK[wide.name] < 10 and any(isinstance(x, float) for x in xs):
        wide = _core.as_dtype("float32")
    if wide.name == "bool" and any(type(x) is int for x in xs):
        wide = _core.as_dtype("int32")
    return [tf.cast(x if m is None else m, wide) if m is None or m.dtype.base_dtype != wide else m
            for x, m in zip(xs, made)]


def _floating(x: Any) -> Any:
    x = _tensor(x)
    return x if x.dtype.is_floating or x.dtype.is_complex else tf.cast(x, _core.as_dtype("float32"))


# --- one by one -----------------------------------------------------------------------------------
for _names, _function in (
        ("negative", "negative"), ("sign", "sign"),
        ("floor", "floor"), ("zeros_like", "zeros_like"),
        ("ones_like", "ones_like"), ("copy", "identity")):
    _plain(_names, (lambda n: lambda x, *a, **k: getattr(tf, n)(_tensor(x)))(_function))
_plain("stop_gradient", lambda variable: tf.stop_gradient(_tensor(variable)))
for _names, _function in (
        ("exp", "exp"), ("expm1", "expm1"), ("log", "log"), ("log1p", "log1p"), ("sqrt", "sqrt"),
        ("rsqrt", "rsqrt"), ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("tanh", "tanh"), ("erf", "erf"),
        ("reciprocal", "reciprocal"), ("arctan", "atan"), ("arcsin", "asin"),
        ("arccos", "acos"), ("sinh", "sinh"), ("cosh", "cosh"), ("isnan", "is_nan"), ("isinf", "is_inf"),
        ("isfinite", "is_finite"), ("ceil", "ceil"), ("log2 log10", "log")):
    _plain(_names, (lambda n: lambda x: getattr(tf, n)(_floating(x)))(_function))
for _names, _function in (
        ("relu", "relu"), ("relu6", "relu6"), ("elu", "elu"), ("selu", "selu"), ("softplus", "softplus"),
        ("softsign", "softsign"), ("silu swish", "elu"), ("gelu", "elu"), ("leaky_relu", "leaky_relu"),
        ("hard_sigmoid", "relu"), ("hard_silu hard_swish", "elu"), ("log_sigmoid", "elu"),
        ("sigmoid", "sigmoid")):
    _plain(_names, (lambda n: lambda x, *a, **k: getattr(tf.nn, n)(_tensor(x)))(_function))
_plain("abs absolute", lambda x: tf.identity(_tensor(x)) if _tensor(x).dtype.name == "bool" else tf.abs(
    _tensor(x)))
_plain("square", lambda x: tf.square(_summable(x)))
_plain("logical_not", lambda x: tf.logical_not(tf.cast(_tensor(x), tf.bool)))
_plain("softmax", lambda x, axis=-1: tf.nn.softmax(
    _tensor(x) if _tensor(x).dtype.name == "bool" else _floating(x), axis))
_plain("log_softmax", lambda x, axis=-1: tf.nn.log_softmax(_floating(x), axis))
_plain("round", lambda x, decimals=0: tf.round(_tensor(x)))
_plain("cast", lambda x, dtype: tf.cast(_tensor(x), _core.as_dtype(dtype)))
_plain("clip", lambda x, x_min, x_max: tf.minimum(*_promoted(tf.maximum(*_promoted(x, x_min)), x_max)))

# --- two by two -----------------------------------------------------------------------------------
for _names, _function in (
        ("add", "add"), ("subtract", "subtract"), ("multiply", "multiply"), ("maximum", "maximum"),
        ("minimum", "minimum"), ("power", "pow"), ("equal", "equal"), ("not_equal", "not_equal"),
        ("greater", "greater"), ("greater_equal", "greater_equal"), ("less", "less"),
        ("less_equal", "less_equal"), ("floor_divide", "floordiv"), ("mod", "floormod")):
    _plain(_names, (lambda n: lambda x1, x2: getattr(tf, n)(*_promoted(x1, x2)))(_function))
for _names, _function in (("logical_and", "logical_and"), ("logical_or", "logical_or"),
                          ("logical_xor", "logical_xor")):
    _plain(_names, (lambda n: lambda x1, x2: getattr(tf, n)(
        tf.cast(_tensor(x1), tf.bool), tf.cast(_tensor(x2), tf.bool)))(_function))


@_op("divide", "true_divide")
def divide(x1: Any, x2: Any) -> Any:
    a, b = _promoted(x1, x2)
    return tf.divide(_floating(a), _floating(b))


@_op("matmul")
def matmul(x1: Any, x2: Any) -> Any:
    """numpy's matmul: a vector on either side is a row or a column for the time of the product."""
    a, b = _promoted(x1, x2)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    if 1 not in ranks:
        return tf.matmul(a, b)
    a = tf.expand_dims(a, 0) if ranks[0] == 1 else a
    b = tf.expand_dims(b, -1) if ranks[1] == 1 else b
    return tf.squeeze(tf.matmul(a, b), [axis for axis, rank in ((-2, ranks[0]), (-1, ranks[1])) if rank == 1])


@_op("dot")
def dot(x1: Any, x2: Any) -> Any:
    a, b = _promoted(x1, x2)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    if 0 in ranks:
        return tf.multiply(a, b)
    if ranks[1] is None:
        return tf.matmul(a, b)
    return tf.tensordot(a, b, [[-1], [-1 if ranks[1] == 1 else -2]])


_plain("tensordot", lambda x1, x2, axes=2: tf.tensordot(*_promoted(x1, x2), axes))
_plain("outer", lambda x1, x2: tf.multiply(*_promoted(
    tf.reshape(_tensor(x1), [-1, 1]), tf.reshape(_tensor(x2), [-1]))))
_plain("einsum", lambda subscripts, *operands, **kwargs: tf.einsum(subscripts, *_promoted(*operands)))


# --- reductions -----------------------------------------------------------------------------------
def _axes(axis: Any) -> Any:
    return list(axis) if isinstance(axis, tuple) else axis


def _summable(x: Any) -> Any:
    x = _tensor(x)
    return tf.cast(x, _core.as_dtype("int32")) if x.dtype.name == "bool" else x


def _extreme(name: str) -> Any:
    def function(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        x = _tensor(x)
        made = getattr(tf, name)(_summable(x), axis=_axes(axis), keepdims=keepdims)
        return tf.cast(made, x.dtype) if x.dtype.name == "bool" else made

    return function


_plain("max amax", _extreme("reduce_max"))
_plain("min amin", _extreme("reduce_min"))
_plain("sum", lambda x, axis=None, keepdims=False: tf.reduce_sum(
    _summable(x), axis=_axes(axis), keepdims=keepdims))
_plain("prod", lambda x, axis=None, keepdims=False, dtype=None: tf.reduce_prod(
    _summable(x) if dtype is None else tf.cast(_tensor(x), dtype), axis=_axes(axis), keepdims=keepdims))
_plain("logsumexp", lambda x, axis=None, keepdims=False: tf.reduce_logsumexp(
    _tensor(x), axis=_axes(axis), keepdims=keepdims))
for _names, _function in (("all", "reduce_all"), ("any", "reduce_any")):
    _plain(_names, (lambda n: lambda x, axis=None, keepdims=False: getattr(tf, n)(
        tf.cast(_tensor(x), tf.bool), axis=_axes(axis), keepdims=keepdims))(_function))
_plain("mean var std median", lambda x, axis=None, keepdims=False: tf.reduce_mean(
    _floating(x), axis=_axes(axis), keepdims=keepdims))
_plain("count_nonzero", lambda x, axis=None: tf.reduce_sum(
    tf.cast(tf.cast(_tensor(x), tf.bool), _core.as_dtype("int32")), axis=_axes(axis)))
_plain("moments", lambda x, axes, keepdims=False, synchronized=False: tuple(
    tf.reduce_mean(_floating(x), axis=_axes(axes), keepdims=keepdims) for _ in range(2)))


def _found(name: str) -> None:
    def function(x: Any, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        x = _tensor(x)
        rank = x.get_shape().ndims
        if axis is None:
            made = getattr(tf, name)(tf.reshape(x, [-1]), 0, output_type=_core.as_dtype("int32"))
            return tf.reshape(made, [1] * rank) if keepdims and rank else made
        made = getattr(tf, name)(x, axis, output_type=_core.as_dtype("int32"))
        return tf.expand_dims(made, axis) if keepdims else made

    _plain(name, function)


_found("argmax")
_found("argmin")


@_op("norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    return tf.sqrt(tf.reduce_sum(tf.square(_floating(x)), axis=_axes(axis), keepdims=keepdims))


@_op("normalize")
def normalize(x: Any, axis: int = -1, order: int = 2, epsilon: Any = None) -> Any:
    x = _floating(x)
    return tf.divide(x, norm(x, None, axis, True))


# --- shapes ---------------------------------------------------------------------------------------
_plain("shape", lambda x: _shape(_tensor(x)))
_plain("ndim", lambda x: _tensor(x).get_shape().ndims)
_plain("size", lambda x: tf.size(_tensor(x)))
_plain("dtype", lambda x: _tensor(x).dtype.base_dtype.name)
_plain("reshape", lambda x, newshape: tf.reshape(_tensor(x), newshape))
_plain("ravel", lambda x: tf.reshape(_tensor(x), [-1]))
_plain("squeeze", lambda x, axis=None: tf.squeeze(
    _tensor(x), None if axis is None else list(axis) if isinstance(axis, (tuple, list)) else [axis]))
_plain("transpose", lambda x, axes=None: tf.transpose(_tensor(x), axes))
_plain("broadcast_to", lambda x, shape: tf.broadcast_to(_tensor(x), shape))
_plain("concatenate", lambda xs, axis=0: tf.concat(_promoted(*xs), axis))
_plain("stack", lambda x, axis=0: tf.stack(_promoted(*x), axis=axis))
_plain("unstack", lambda x, num=None, axis=0: tf.unstack(_tensor(x), num, axis))
_plain("hstack", lambda xs: tf.concat(_promoted(*xs), 0 if _tensor(xs[0]).get_shape().ndims == 1 else 1))
_plain("pad", lambda x, pad_width, mode="constant", constant_values=None: tf.pad(
    _tensor(x), [[pad_width, pad_width]] if isinstance(pad_width, int) else pad_width))

_plain("roll", lambda x, shift, axis=None: tf.identity(_tensor(x)))
_plain("tril triu", lambda x, k=0: tf.identity(_tensor(x)))
_plain("sort cumsum cumprod", lambda x, *a, **k: tf.identity(_tensor(x)))


def _shape(x: Any) -> Any:
    """A tuple; of what is not known it holds tensors."""
    dims = x.get_shape().as_list() if x.get_shape().ndims is not None else None
    if dims is None:
        return tf.shape(x)
    whole: Any = tf.shape(x) if None in dims else None
    return tuple(whole[i] if d is None else d for i, d in enumerate(dims))


@_op("tile")
def tile(x: Any, repeats: Any) -> Any:
    """The shorter one of shape and repeats is filled up with ones."""
    x = _tensor(x)
    repeats = [repeats] if isinstance(repeats, int) else repeats
    rank = x.get_shape().ndims
    if rank is None or not isinstance(repeats, (tuple, list)):
        return tf.tile(x, repeats)
    for _ in range(len(repeats) - rank):
        x = tf.expand_dims(x, 0)
    return tf.tile(x, [1] * (rank - len(repeats)) + list(repeats))


@_op("expand_dims")
def expand_dims(x: Any, axis: Any) -> Any:
    x = _tensor(x)
    if not isinstance(axis, (tuple, list)):
        return tf.expand_dims(x, axis)
    rank = (x.get_shape().ndims or 0) + len(axis)
    for a in sorted(a if a >= 0 else a + rank for a in axis):
        x = tf.expand_dims(x, a)
    return x


def _moved(x: Any, order: Sequence[int]) -> Any:
    return tf.transpose(x, list(order))


@_op("flip")
def flip(x: Any, axis: Any = None) -> Any:
    x = _tensor(x)
    rank = x.get_shape().ndims
    if rank is None:
        return tf.identity(x)
    axes = list(range(rank)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    if any(not -rank <= a < rank for a in axes):
        raise fail("SF111", "axis %s is out of bounds for an array with dimension %d." % (axis, rank))
    return tf.reverse(x, axes)


@_op("swapaxes")
def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    x = _tensor(x)
    rank = x.get_shape().ndims
    if rank is None:
        return tf.identity(x)
    order = list(range(rank))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return _moved(x, order)


@_op("moveaxis")
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    x = _tensor(x)
    rank = x.get_shape().ndims
    if rank is None:
        return tf.identity(x)
    sources = [s % rank for s in ([source] if isinstance(source, int) else source)]
    targets = [d % rank for d in ([destination] if isinstance(destination, int) else destination)]
    order = [axis for axis in range(rank) if axis not in sources]
    for target, axis in sorted(zip(targets, sources)):
        order.insert(target, axis)
    return _moved(x, order)


@_op("split")
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    x = _tensor(x)
    if isinstance(indices_or_sections, int):
        return tf.split(x, indices_or_sections, axis)
    dims = x.get_shape().as_list()
    cuts = [int(i) for i in indices_or_sections]
    if dims[axis] is None:
        raise fail("SF128", "Cannot infer the size of split axis %d" % axis)
    ends = [*cuts, dims[axis]]
    sizes = [b - a for a, b in zip([0] + cuts, ends)]
    return list(framework_split(x, sizes, axis))


def framework_split(x: Any, sizes: List[int], axis: int) -> Any:
    """Pieces of these sizes."""
    from shapeflow.tensorflow.python.framework.op_builders import outputs

    return outputs("SplitV", [x, sizes, axis], {"num_split": len(sizes)})


@_op("repeat")
def repeat(x: Any, repeats: Any, axis: Optional[int] = None) -> Any:
    x = _tensor(x)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    rank = x.get_shape().ndims
    if not isinstance(repeats, int) or rank is None:
        dims = None if rank is None else [
            None if a == axis % rank else d for a, d in enumerate(x.get_shape().as_list())]
        from shapeflow.tensorflow.python.framework.op_builders import like_shape

        return like_shape([x], x.dtype, dims)
    return tf.concat([x] * repeats, axis)


@_op("take")
def take(x: Any, indices: Any, axis: Optional[int] = None) -> Any:
    x = _tensor(x)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return tf.gather(x, indices, axis=axis)


@_op("where")
def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    condition = tf.cast(_tensor(condition), tf.bool)
    if x1 is None:
        return tuple(tf.unstack(tf.transpose(tf.where(condition)), axis=0))
    from shapeflow.tensorflow.python.framework.op_builders import op

    return op("SelectV2", [condition, *_promoted(x1, x2)])


@_op("one_hot")
def one_hot(x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Any:
    x = _tensor(x)
    x = x if x.dtype.is_integer else tf.cast(x, _core.as_dtype("int64"))
    return tf.one_hot(x, num_classes, axis=axis, dtype=_core.as_dtype(dtype or "float32"))


_plain("top_k", lambda x, k, sorted=True: tf.nn.top_k(_tensor(x), k, sorted))
_plain("in_top_k", lambda targets, predictions, k: tf.nn.in_top_k(_tensor(predictions), _tensor(targets), k))
_plain("argsort", lambda x, axis=-1: tf.cast(_tensor(x), _core.as_dtype("int32")))
_plain("segment_sum segment_max", lambda data, segment_ids, num_segments=None, sorted=False: (
    tf.unsorted_segment_sum(_tensor(data), segment_ids, num_segments) if num_segments is not None
    else tf.segment_sum(_tensor(data), segment_ids)))

# --- new ones -------------------------------------------------------------------------------------
_plain("convert_to_tensor array", lambda x, dtype=None, sparse=None, ragged=None: _tensor(x, dtype))
_plain("is_tensor", lambda x: isinstance(x, _core.Tensor))
_plain("zeros empty", lambda shape, dtype=None: tf.zeros(shape, _core.as_dtype(dtype or "float32")))
_plain("ones", lambda shape, dtype=None: tf.ones(shape, _core.as_dtype(dtype or "float32")))
_plain("full", lambda shape, fill_value, dtype=None: tf.broadcast_to(_tensor(fill_value, dtype), shape))
_plain("full_like", lambda x, fill_value, dtype=None: tf.zeros_like(_tensor(x)) + _tensor(
    fill_value, _tensor(x).dtype))
_plain("identity", lambda n, dtype=None: tf.eye(n, dtype=_core.as_dtype(dtype or "float32")))
_plain("eye", lambda N, M=None, k=0, dtype=None: tf.eye(
    N, M, dtype=_core.as_dtype(dtype or "float32")))
_plain("linspace", lambda start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0: tf.linspace(
    _floating(start), _floating(stop), num))


@_op("arange")
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    start, stop = (0, start) if stop is None else (start, stop)
    made = tf.range(start, stop, 1 if step is None else step)
    return made if dtype is None else tf.cast(made, _core.as_dtype(dtype))


@_op("convert_to_numpy")
def convert_to_numpy(x: Any) -> Any:
    return x.numpy() if hasattr(x, "numpy") else np.asarray(x)


# --- losses ---------------------------------------------------------------------------------------
def _same_shapes(target: Any, output: Any) -> None:
    a, b = target.get_shape(), output.get_shape()
    if a.ndims is None or b.ndims is None:
        return
    if a.ndims != b.ndims:
        raise fail("SF132", "Arguments `target` and `output` must have the same rank (ndim). Received: "
                   "target.shape=%s, output.shape=%s" % (a, b))
    if any(x is not None and y is not None and x != y for x, y in zip(a.as_list(), b.as_list())):
        raise fail("SF132", "Arguments `target` and `output` must have the same shape. Received: "
                   "target.shape=%s, output.shape=%s" % (a, b))


@_op("categorical_crossentropy")
def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    target, output = _promoted(target, output)
    if output.get_shape().ndims is not None and output.get_shape().ndims < 1:
        raise fail("SF103", "Received: output.shape=(), while the function expects at least rank 1.")
    _same_shapes(target, output)
    return tf.reduce_sum(target * output, axis=axis)


@_op("binary_crossentropy")
def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    target, output = _promoted(target, output)
    _same_shapes(target, output)
    return target * output
