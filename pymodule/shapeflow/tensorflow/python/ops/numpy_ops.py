"""tf.experimental.numpy: numpy's names and rules of types over TensorFlow's tensors.

A function's result has the shape and dtype that numpy gives, float64 and int64 for Python's numbers. What
numpy computes of shapes alone is asked of numpy itself, with arrays that hold nothing.
Source: tensorflow/python/ops/numpy_ops/{np_array_ops,np_math_ops,np_dtypes}.py.
"""
from __future__ import annotations

import functools
from typing import Any, Callable, List

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown
from shapeflow.tensorflow.python.ops.numpy_arrays import (
    PREFIX,
    array_function,
    as_array,
    by_numpy,
    dims_of,
    dtype_of,
    floating,
    promoted,
    put_function,
)

# --- constants and types -------------------------------------------------------------------------
for _name in ("bool_ complex64 complex128 float16 float32 float64 inexact int16 int32 int64 int8 object_ "
              "uint16 uint32 uint64 uint8").split():
    put(getattr(np, _name), PREFIX + _name, v1=False, v2=True)
for _name, _kind in (("float_", "float64"), ("int_", "int64"), ("complex_", "complex128"),
                     ("string_", "bytes_"),
                     ("unicode_", "str_")):
    put(getattr(np, _kind), PREFIX + _name, v1=False, v2=True)
put(np.pi, PREFIX + "pi", v1=False, v2=True)
put(np.e, PREFIX + "e", v1=False, v2=True)
put(np.inf, PREFIX + "inf", v1=False, v2=True)
put(None, PREFIX + "newaxis", v1=False, v2=True)
put(np.iinfo, PREFIX + "iinfo", v1=False, v2=True)
put(_core.Tensor, PREFIX + "ndarray", v1=False, v2=True)


@export(PREFIX + "finfo", v1=False, v2=True)
def finfo(dtype: Any) -> Any:
    """numpy's, of a dtype of TensorFlow's too."""
    return np.finfo(getattr(dtype, "as_numpy_dtype", dtype))


# --- functions of each element --------------------------------------------------------------------
def _unary(name: str, function: str, rule: Callable[[str], str]) -> None:
    def unary(x: object) -> Any:
        kind = rule(dtype_of(x))
        made: Any = _core.api_function("tf." + function, 2) or _core.api_function("tf.math." + function, 2)
        return made(as_array(x, kind))

    put_function(name, unary)


def _same(kind: str) -> str:
    return kind


for _name in ("exp log sqrt sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log1p "
              "expm1 cbrt exp2 log2 log10 deg2rad rad2deg sinc").split():
    _unary(_name, {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh",
                   "arccosh": "acosh",
                   "arctanh": "atanh", "cbrt": "identity", "exp2": "exp", "log2": "math.log",
                   "log10": "math.log",
                   "deg2rad": "identity", "rad2deg": "identity", "sinc": "identity", "log": "math.log",
                   "log1p": "math.log1p", "expm1": "math.expm1"}.get(_name, _name), floating)
for _name, _function in (("abs", "abs"), ("absolute", "abs"), ("fabs", "abs"), ("negative", "negative"),
                         ("square", "square"), ("conj", "math.conj"),
                         ("conjugate", "math.conj"),
                         ("positive", "identity"), ("copy", "identity"),
                         ("bitwise_not", "identity")):
    _unary(_name, _function, _same)
for _name, _function in (("floor", "floor"), ("fix", "floor"), ("ceil", "math.ceil"),
                         ("reciprocal", "math.reciprocal")):
    _unary(_name, _function, floating if _name != "reciprocal" else _same)


@export(PREFIX + "sign", v1=False, v2=True)
def sign(x: object, out: object = None, where: object = None, **kwargs: object) -> Any:
    return tf.sign(as_array(x))


@array_function("around", "round")
def around(a: object, decimals: int = 0, out: object = None) -> Any:
    return tf.identity(as_array(a))


def _flag(name: str) -> None:
    def flag(x: object) -> Any:
        x = as_array(x)
        return tf.zeros_like(x, dtype=_core.as_dtype("bool"))

    put_function(name, flag)


for _name in ("isnan isinf isfinite isneginf isposinf iscomplex isreal signbit logical_not").split():
    _flag(_name)


def _binary(name: str, rule: Callable[[str], str]) -> None:
    def binary(x1: object, x2: object) -> Any:
        kind = promoted(x1, x2)
        made = tf.add(as_array(x1, _number(kind)), as_array(x2, _number(kind)))
        wanted = _core.as_dtype(rule(kind))
        return made if made.dtype == wanted else tf.cast(made, wanted)

    put_function(name, binary)


def _number(kind: str) -> str:
    return "int8" if kind == "bool" else kind


def _boolean(kind: str) -> str:
    return "bool"


for _name in ("add subtract multiply maximum minimum power mod remainder floor_divide fmod gcd lcm "
              "bitwise_and bitwise_or bitwise_xor").split():
    _binary(_name, _same)
for _name in ("true_divide divide arctan2 hypot logaddexp logaddexp2 heaviside float_power "
              "nextafter").split():
    _binary(_name, floating)
for _name in ("equal not_equal greater greater_equal less less_equal logical_and logical_or "
              "logical_xor").split():
    _binary(_name, _boolean)


@array_function("isclose")
def isclose(a: object, b: object, rtol: object = 1e-05, atol: object = 1e-08, equal_nan: bool = False) -> Any:
    kind = promoted(a, b)
    return tf.equal(as_array(a, kind), as_array(b, kind))


def _whole(name: str) -> None:
    def whole(a: object, b: object, *args: object, **kwargs: object) -> Any:
        return unknown("bool", [], None, [as_array(a), as_array(b)], trusted=True)

    put_function(name, whole)


_whole("allclose")
_whole("array_equal")


# --- reductions ----------------------------------------------------------------------------------
def _reduction(name: str, rule: Callable[[str], str]) -> None:
    def reduction(a: object, axis: object = None, dtype: object = None, keepdims: object = None,
                  **kwargs: object) -> Any:
        if isinstance(dtype, bool):  # the third parameter of those that take no dtype
            dtype, keepdims = None, dtype
        kind = rule(dtype_of(a)) if dtype is None else _core.as_dtype(dtype).name
        a = as_array(a)
        made = tf.reduce_sum(tf.cast(a, "int32"), axis, keepdims=bool(keepdims))
        return tf.cast(made, _core.as_dtype(kind))

    put_function(name, reduction)


def _summed(kind: str) -> str:
    if kind == "bool" or kind in ("int8", "int16", "int32"):
        return "int64"
    return {"uint8": "uint64", "uint16": "uint64", "uint32": "uint64"}.get(kind, kind)


def _counted(kind: str) -> str:
    return "int64"


for _name in ("sum", "prod", "nansum", "nanprod"):
    _reduction(_name, _summed)
for _name in ("mean", "var", "std", "nanmean", "median", "nanmedian"):
    _reduction(_name, floating)
for _name in ("max", "min", "amax", "amin", "ptp"):
    _reduction(_name, _same)
for _name in ("all", "any"):
    _reduction(_name, _boolean)
_reduction("count_nonzero", _counted)


def _index(name: str) -> None:
    def index(a: Any, axis: Any = None) -> Any:
        a = as_array(a)
        return tf.argmax(tf.reshape(a, [-1]) if axis is None else a, 0 if axis is None else axis)

    put_function(name, index)


_index("argmax")
_index("argmin")


@array_function("angle")
def angle(z: object, deg: bool = False) -> Any:
    kind = dtype_of(z)
    real = {"complex64": "float32", "complex128": "float64"}
    x = as_array(z)
    return unknown(real.get(kind, "float32"), x.get_shape(), None, [x], trusted=True)


@array_function("average")
def average(a: object, axis: object = None, weights: object = None, returned: bool = False) -> Any:
    kind = floating(promoted(a) if weights is None else promoted(a, weights))
    made = tf.reduce_mean(as_array(a, kind), axis)
    return (made, made) if returned else made


def _scan(name: str) -> None:
    def scan(a: Any, axis: object = None, dtype: Any = None) -> Any:
        a = as_array(a)
        kind = _summed(a.dtype.name) if dtype is None else _core.as_dtype(dtype).name
        a = tf.cast(a, kind)
        return tf.identity(tf.reshape(a, [-1])) if axis is None else tf.identity(a)

    put_function(name, scan)


_scan("cumsum")
_scan("cumprod")


# --- arrays that are made --------------------------------------------------------------------------
def _float64(dtype: object) -> str:
    return "float64" if dtype is None or dtype is float else str(_core.as_dtype(
        "int64" if dtype is int else "bool" if dtype is bool else dtype).name)


def _filled(name: str) -> None:
    def filled(shape: object, dtype: object = float) -> Any:
        dims = [shape] if isinstance(shape, int) else shape
        return tf.zeros(dims, _core.as_dtype(_float64(dtype)))

    put_function(name, filled)


for _name in ("zeros", "ones", "empty"):
    _filled(_name)


@export(PREFIX + "full", v1=False, v2=True)
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    value = as_array(fill_value, dtype)
    return tf.broadcast_to(value, [shape] if isinstance(shape, int) else shape)


def _like(name: str) -> None:
    def like(a: Any, *args: Any, fill_value: Any = None, dtype: Any = None, order: str = "C",
             subok: bool = True,
             shape: Any = None) -> Any:
        a = as_array(a)
        given = dtype if dtype is not None else args[-1] if len(args) > (name == "full_like") else None
        return tf.zeros_like(a, dtype=_core.as_dtype(a.dtype if given is None else _float64(given)))

    put_function(name, like)


for _name in ("zeros_like", "ones_like", "empty_like", "full_like"):
    _like(_name)


@export(PREFIX + "array", v1=False, v2=True)
def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    made = as_array(val, None if dtype is None else _float64(dtype))
    rank = made.get_shape().ndims
    for _ in range(0 if rank is None else max(0, ndmin - rank)):
        made = tf.expand_dims(made, 0)
    return made


@export(PREFIX + "asarray", PREFIX + "asanyarray", PREFIX + "ascontiguousarray", v1=False, v2=True)
def asarray(a: Any, dtype: Any = None) -> Any:
    return as_array(a, None if dtype is None else _float64(dtype))


@export(PREFIX + "arange", v1=False, v2=True)
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    if stop is None:
        start, stop = 0, start
    kind = promoted(start, stop, step) if dtype is None else _float64(dtype)
    if not any(isinstance(one, _core.Tensor) for one in (start, stop, step)):
        return as_array(np.arange(start, stop, step), kind)
    return tf.range(as_array(start, kind), as_array(stop, kind), as_array(step, kind))


def _spaced(name: str) -> None:
    def spaced(start: object, stop: object, num: int = 50, endpoint: bool = True, *args: object,
               dtype: object = None, axis: int = 0, **kwargs: object) -> Any:
        kind = floating(promoted(start, stop)) if dtype is None else _float64(dtype)
        made = unknown(kind, None, None, [as_array(start), as_array(stop)], trusted=True)
        both = tf.add(as_array(start, "float64"), as_array(stop, "float64"))
        dims = dims_of(both)
        if dims is not None:
            dims.insert(axis % (len(dims) + 1), num)
            made = unknown(kind, dims, None, [both], trusted=True)
        return made

    put_function(name, spaced)


for _name in ("linspace", "logspace", "geomspace"):
    _spaced(_name)


@array_function("eye")
def eye(N: object, M: object = None, k: int = 0, dtype: object = float) -> Any:
    return tf.zeros([N, N if M is None else M], _core.as_dtype(_float64(dtype)))


@array_function("identity")
def identity(n: object, dtype: object = float) -> Any:
    return eye(n, dtype=dtype)


@array_function("tri")
def tri(N: object, M: object = None, k: int = 0, dtype: object = None) -> Any:
    return eye(N, M, dtype=dtype)


# --- products --------------------------------------------------------------------------------------
@export(PREFIX + "matmul", v1=False, v2=True)
def matmul(x1: Any, x2: Any) -> Any:
    kind = promoted(x1, x2)
    a, b = as_array(x1, kind), as_array(x2, kind)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    if 0 in ranks:
        raise _invalid("Matmul: operands may not be scalars")
    if ranks == (1, 1):
        return tf.tensordot(a, b, 1)
    if ranks[0] == 1:
        return tf.squeeze(tf.matmul(tf.expand_dims(a, 0), b), -2)
    if ranks[1] == 1:
        return tf.squeeze(tf.matmul(a, tf.expand_dims(b, -1)), -1)
    return tf.matmul(a, b)


def _invalid(text: str) -> Exception:
    from shapeflow.tensorflow.python.framework import errors

    return errors.InvalidArgumentError(None, None, text)


@export(PREFIX + "dot", v1=False, v2=True)
def dot(a: Any, b: Any) -> Any:
    kind = promoted(a, b)
    a, b = as_array(a, kind), as_array(b, kind)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    if ranks[0] is None or ranks[1] is None:
        return unknown(kind, None, None, [a, b], trusted=True)
    if 0 in ranks:
        return tf.multiply(a, b)
    return tf.tensordot(a, b, [[-1 % ranks[0]], [0 if ranks[1] == 1 else ranks[1] - 2]])


@export(PREFIX + "tensordot", v1=False, v2=True)
def tensordot(a: object, b: object, axes: object = 2) -> Any:
    kind = promoted(a, b)
    return tf.tensordot(as_array(a, kind), as_array(b, kind), axes)


@export(PREFIX + "einsum", v1=False, v2=True)
def einsum(subscripts: str, *operands: object, **kwargs: object) -> Any:
    kind = promoted(*operands)
    return tf.einsum(subscripts, *[as_array(one, kind) for one in operands])


@array_function("inner")
def inner(a: Any, b: Any) -> Any:
    kind = promoted(a, b)
    a, b = as_array(a, kind), as_array(b, kind)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    return tf.multiply(a, b) if 0 in ranks else tf.tensordot(a, b, [[ranks[0] - 1], [ranks[1] - 1]])


@export(PREFIX + "outer", v1=False, v2=True)
def outer(a: object, b: object) -> Any:
    kind = promoted(a, b)
    return tf.expand_dims(tf.reshape(as_array(a, kind), [-1]), 1) * tf.reshape(as_array(b, kind), [-1])


# --- joined and split ------------------------------------------------------------------------------
def _all_of(arrays: Any) -> List[Any]:
    if isinstance(arrays, _core.Tensor):
        return tf.unstack(arrays)
    kind = promoted(*arrays)
    return [as_array(one, kind) for one in arrays]


@export(PREFIX + "concatenate", v1=False, v2=True)
def concatenate(arys: Any, axis: Any = 0) -> Any:
    parts = _all_of(arys)
    return tf.concat([tf.reshape(one, [-1]) for one in parts], 0) if axis is None else tf.concat(parts, axis)


@export(PREFIX + "stack", v1=False, v2=True)
def stack(arrays: object, axis: int = 0) -> Any:
    return tf.stack(_all_of(arrays), axis)


@export(PREFIX + "append", v1=False, v2=True)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    return concatenate([arr, values], axis)


def _at_least(tensor: Any, ndims: int) -> Any:
    rank = tensor.get_shape().ndims
    if rank is None or rank >= ndims:
        return tensor
    if rank == 0:
        return tf.reshape(tensor, [1] * ndims)
    if rank == 1:
        return tf.expand_dims(tensor, 0) if ndims == 2 else tf.expand_dims(tf.expand_dims(tensor, 0), -1)
    return tf.expand_dims(tensor, -1)


def _rows(name: str, ndims: int, axis: int) -> None:
    def rows(tup: Any) -> Any:
        parts = [_at_least(one, ndims) for one in _all_of(tup)]
        at = 0 if name == "hstack" and parts[0].get_shape().ndims == 1 else axis
        return tf.concat(parts, at)

    put_function(name, rows)


_rows("vstack", 2, 0)
_rows("hstack", 1, 1)
_rows("dstack", 3, 2)


@export(PREFIX + "column_stack", v1=False, v2=True)
def column_stack(tup: object) -> Any:
    return tf.concat([tf.expand_dims(one, 1) if one.get_shape().ndims == 1 else one for one in _all_of(tup)],
                     1)


def _atleast(name: str, ndims: int) -> None:
    def atleast(*arys: object) -> Any:
        made = [_at_least(as_array(one), ndims) for one in arys]
        return made[0] if len(made) == 1 else made

    put_function(name, atleast)


for _number_of in (1, 2, 3):
    _atleast("atleast_%dd" % _number_of, _number_of)


def _splitter(name: str, axis: int) -> None:
    def splitter(ary: object, indices_or_sections: Any, axis: int = axis) -> Any:
        x = as_array(ary)
        at = 0 if name == "hsplit" and x.get_shape().ndims == 1 else axis
        if name == "split" and isinstance(indices_or_sections, int):
            return tf.split(x, indices_or_sections, at)
        return by_numpy(name, [x], lambda a: np.array_split(a, indices_or_sections, at)
                         if name == "array_split" else np.split(a, indices_or_sections, at),
                         x.dtype.name)

    put_function(name, splitter)


for _name, _axis in (("split", 0), ("array_split", 0), ("vsplit", 0), ("hsplit", 1), ("dsplit", 2)):
    _splitter(_name, _axis)


# --- shapes ----------------------------------------------------------------------------------------
@export(PREFIX + "reshape", v1=False, v2=True)
def reshape(a: Any, newshape: Any, order: str = "C") -> Any:
    return tf.reshape(as_array(a), [newshape] if isinstance(newshape, int) else newshape)


@export(PREFIX + "ravel", v1=False, v2=True)
def ravel(a: object) -> Any:
    return tf.reshape(as_array(a), [-1])


@export(PREFIX + "transpose", v1=False, v2=True)
def transpose(a: object, axes: object = None) -> Any:
    return tf.transpose(as_array(a), axes)


@export(PREFIX + "expand_dims", v1=False, v2=True)
def expand_dims(a: object, axis: object) -> Any:
    return tf.expand_dims(as_array(a), axis)


@export(PREFIX + "squeeze", v1=False, v2=True)
def squeeze(a: object, axis: object = None) -> Any:
    return tf.squeeze(as_array(a), axis)


@export(PREFIX + "broadcast_to", v1=False, v2=True)
def broadcast_to(array: object, shape: object) -> Any:
    return tf.broadcast_to(as_array(array), [shape] if isinstance(shape, int) else shape)


@array_function("tile")
def tile(a: Any, reps: Any) -> Any:
    x = as_array(a)
    return by_numpy("tile", [x], lambda z: np.tile(z, reps), x.dtype.name)


@array_function("repeat")
def repeat(a: object, repeats: object, axis: Any = None) -> Any:
    x = as_array(a)
    counts = repeats if isinstance(repeats, int) else _core.constant_value(as_array(repeats))
    if counts is None:
        return unknown(x.dtype, None, None, [x], trusted=True)
    return by_numpy("repeat", [x], lambda z: np.repeat(z, counts, axis), x.dtype.name)


@export(PREFIX + "where", v1=False, v2=True)
def where(condition: object, x: object = None, y: object = None) -> Any:
    condition = as_array(condition, "bool")
    if x is None or y is None:
        return nonzero(condition)
    kind = promoted(x, y)
    return _core.api_function("tf.where", 2)(condition, as_array(x, kind),
                                             as_array(y, kind))  # type: ignore[misc]


@array_function("nonzero")
def nonzero(a: object) -> Any:
    x = as_array(a)
    rank = x.get_shape().ndims
    return [unknown("int64", [None], None, [x], trusted=True) for _ in range(1 if rank is None else rank)]


@array_function("clip")
def clip(a: object, a_min: object, a_max: object) -> Any:
    kind = promoted(*[one for one in (a, a_min, a_max) if one is not None])
    made = as_array(a, kind)
    for bound in (a_min, a_max):
        if bound is not None:
            made = tf.maximum(made, as_array(bound, kind))
    return made


@export(PREFIX + "take", v1=False, v2=True)
def take(a: object, indices: object, axis: object = None, out: object = None, mode: str = "clip") -> Any:
    x = as_array(a)
    return tf.gather(tf.reshape(x, [-1]) if axis is None else x, as_array(indices),
                     axis=0 if axis is None else axis)


@export(PREFIX + "meshgrid", v1=False, v2=True)
def meshgrid(*xi: object, **kwargs: object) -> Any:
    parts = [tf.reshape(as_array(one), [-1]) for one in xi]
    return tf.meshgrid(*parts, indexing=kwargs.get("indexing", "xy"))


@export(PREFIX + "pad", v1=False, v2=True)
def pad(array: object, pad_width: object, mode: str, **kwargs: object) -> Any:
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError("Unsupported padding mode: " + mode)
    return tf.pad(as_array(array), pad_width, mode.upper())


@array_function("diff")
def diff(a: object, n: int = 1, axis: int = -1) -> Any:
    x = as_array(a)
    return by_numpy("diff", [x], lambda z: np.diff(z, n, axis), x.dtype.name)


def _of_shape(name: str, *more: str) -> None:
    """A function of one array whose result numpy alone describes."""
    def of_shape(a: object, *args: object, **kwargs: object) -> Any:
        x = as_array(a)
        return by_numpy(name, [x], lambda z: getattr(np, name)(z, *args, **kwargs), x.dtype.name)

    put_function(name, of_shape, *more)


for _name in ("flip fliplr flipud roll rot90 swapaxes moveaxis diag diagonal diagflat trace tril triu sort "
              "vander real imag").split():
    _of_shape(_name)


@array_function("argsort")
def argsort(a: object, axis: int = -1, kind: str = "quicksort", order: object = None) -> Any:
    return tf.zeros_like(as_array(a), dtype=_core.as_dtype("int64"))


def _of_shapes(name: str, count: int) -> None:
    """A function of several arrays whose result numpy alone describes."""
    def of_shapes(*args: object, **kwargs: object) -> Any:
        tensors = [as_array(one) for one in args[:count]]
        return by_numpy(name, tensors, lambda *z: getattr(np, name)(*z, *args[count:], **kwargs))

    put_function(name, of_shapes)


for _name in ("kron", "cross", "polyval"):
    _of_shapes(_name, 2)


@array_function("take_along_axis")
def take_along_axis(arr: object, indices: object, axis: Any) -> Any:
    x, at = as_array(arr), as_array(indices)
    return by_numpy("take_along_axis", [x, at], lambda a, b: np.take_along_axis(
        a, b.astype(int), axis), x.dtype.name)


@export(PREFIX + "ix_", v1=False, v2=True)
def ix_(*args: object) -> Any:
    parts = [as_array(one) for one in args]
    return [tf.reshape(one, [-1 if i == j else 1 for j in range(len(parts))]) for i, one in enumerate(parts)]


# --- choices and pairs -----------------------------------------------------------------------------
@array_function("select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("condlist must have length equal to choicelist ({} vs {})".format(
            len(condlist), len(choicelist)))
    kind = promoted(default, *choicelist)
    made = as_array(default, kind)
    for condition, choice in zip(condlist, choicelist):
        made = where(condition, as_array(choice, kind), made)
    return made


@array_function("compress")
def compress(condition: object, a: object, axis: object = None) -> Any:
    x = as_array(a)
    dims = dims_of(x)
    if axis is None or dims is None:
        return unknown(x.dtype, [None] if axis is None else None, None, [x], trusted=True)
    dims[axis] = None
    return unknown(x.dtype, dims, None, [x], trusted=True)


@array_function("vdot")
def vdot(a: object, b: object) -> Any:
    kind = promoted(a, b)
    return tf.tensordot(tf.reshape(as_array(a, kind), [-1]), tf.reshape(as_array(b, kind), [-1]), 1)


@array_function("divmod")
def divmod_(x1: object, x2: object) -> Any:
    kind = _number(promoted(x1, x2))
    return tuple(tf.add(as_array(x1, kind), as_array(x2, kind)) for _ in range(2))


@array_function("broadcast_arrays")
def broadcast_arrays(*args: object, **kwargs: object) -> Any:
    arrays = [as_array(one) for one in args]
    common = functools.reduce(tf.broadcast_dynamic_shape, [tf.shape(one) for one in arrays])
    return [tf.broadcast_to(one, common) for one in arrays]


@export(PREFIX + "flatten", v1=False, v2=True)
def flatten(a: Any, order: str = "C") -> Any:
    x = as_array(a)
    if order == "F":
        return tf.reshape(tf.transpose(x), [-1])
    return tf.reshape(x, [-1])


@export(PREFIX + "diag_indices", v1=False, v2=True)
def diag_indices(n: object, ndim: int = 2) -> Any:
    return (tf.range(n),) * ndim


# --- facts -----------------------------------------------------------------------------------------
@export(PREFIX + "shape", v1=False, v2=True)
def shape(a: Any) -> Any:
    dims = dims_of(as_array(a))
    return tf.shape(as_array(a)) if dims is None or None in dims else _core.TensorShape(dims)


@export(PREFIX + "ndim", v1=False, v2=True)
def ndim(a: Any) -> Any:
    rank = as_array(a).get_shape().ndims
    return tf.rank(as_array(a)) if rank is None else rank


@export(PREFIX + "size", v1=False, v2=True)
def size(x: Any, axis: Any = None) -> Any:
    if axis is not None:
        raise NotImplementedError("axis argument is not supported in the current `np.size` implementation")
    dims = dims_of(as_array(x))
    return tf.size(as_array(x)) if dims is None or None in dims else np.int64(np.prod(dims))


@export(PREFIX + "iscomplexobj", v1=False, v2=True)
def iscomplexobj(x: object) -> bool:
    return bool(_core.as_dtype(dtype_of(x)).is_complex)


@export(PREFIX + "isrealobj", v1=False, v2=True)
def isrealobj(x: object) -> bool:
    return not iscomplexobj(x)


@export(PREFIX + "issubdtype", v1=False, v2=True)
def issubdtype(arg1: Any, arg2: Any) -> bool:
    return bool(np.issubdtype(*[getattr(one, "as_numpy_dtype", one) for one in (arg1, arg2)]))


@export(PREFIX + "isscalar", v1=False, v2=True)
def isscalar(num: object) -> bool:
    if isinstance(num, _core.Tensor):
        return bool(num.get_shape().ndims == 0)
    return bool(np.isscalar(num))


@export(PREFIX + "result_type", v1=False, v2=True)
def result_type(*arrays_and_dtypes: object) -> _core.DType:
    kinds = [one if isinstance(one, (type, str, np.dtype)) else dtype_of(one) for one in arrays_and_dtypes]
    return _core.as_dtype(np.result_type(*[np.dtype(kind) for kind in kinds]).name)


@export(PREFIX + "promote_types", v1=False, v2=True)
def promote_types(type1: Any, type2: Any) -> Any:
    return np.promote_types(type1, type2)


@export(PREFIX + "experimental_enable_numpy_behavior", v1=False, v2=True)
def experimental_enable_numpy_behavior(prefer_float32: bool = False,
                                       dtype_conversion_mode: str = "legacy") -> None:
    """Tensors get numpy's methods; what these give is as before."""


# --- random ----------------------------------------------------------------------------------------
def _drawn(dims: object, kind: str = "float64") -> Any:
    dims = [] if dims is None else [dims] if isinstance(dims, int) else dims
    return tf.zeros(dims, _core.as_dtype(kind)) + tf.random.uniform([], dtype=_core.as_dtype("float64")) \
        if kind == "float64" else tf.random.uniform(dims, maxval=2, dtype=_core.as_dtype(kind))


@export(PREFIX + "random.seed", v1=False, v2=True)
def seed(s: Any) -> None:
    """Which numbers are drawn changes no shape."""


@export(PREFIX + "random.randn", PREFIX + "random.rand", v1=False, v2=True)
def randn(*args: object) -> Any:
    return _drawn(list(args))


@export(PREFIX + "random.standard_normal", PREFIX + "random.random", v1=False, v2=True)
def standard_normal(size: object = None) -> Any:
    return _drawn(size)


@export(PREFIX + "random.uniform", v1=False, v2=True)
def uniform(low: object = 0.0, high: object = 1.0, size: object = None) -> Any:
    both = tf.add(as_array(low, "float64"), as_array(high, "float64"))
    drawn = unknown("float64", both.get_shape(), None, [both], trusted=True)
    return drawn if size is None else tf.broadcast_to(drawn, [size] if isinstance(size, int) else size)


@export(PREFIX + "random.normal", v1=False, v2=True)
def normal(loc: object = 0.0, scale: object = 1.0, size: object = None) -> Any:
    return uniform(loc, scale, size)


@export(PREFIX + "random.poisson", v1=False, v2=True)
def poisson(lam: object = 1.0, size: object = None) -> Any:
    return tf.cast(uniform(lam, lam, size), _core.as_dtype("int64"))


@export(PREFIX + "random.randint", v1=False, v2=True)
def randint(low: object, high: object = None, size: object = None, dtype: object = None) -> Any:
    return _drawn(size, "int64" if dtype is None else _float64(dtype))
