"""tf.experimental.numpy: numpy's names and rules of types over TensorFlow's tensors.

A function's result has the shape and dtype that numpy gives, float64 and int64 for Python's numbers. What
numpy computes of shapes alone is asked of numpy itself, with arrays that hold nothing.
Source: tensorflow/python/ops/numpy_ops/{np_array_ops,np_math_ops,np_dtypes}.py.
"""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown

_PREFIX = "tf.experimental.numpy."
_convert = framework_lib.convert_to_tensor


def _numpy() -> Any:
    import numpy as np

    return np


def _dtype_of(value: Any) -> str:
    """The dtype that a value has as an array."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return str(_core.as_dtype(dtype).base_dtype.name)
    return str(_numpy().asarray(value).dtype.name)


def _array(value: Any, dtype: Any = None) -> Any:
    """A tensor; Python's numbers are of 64 bits."""
    if dtype is not None:
        dtype = _core.as_dtype(dtype)
    if isinstance(value, (_core.Tensor, _core.VariableBase)) or hasattr(type(value), "__sf_tensor__"):
        tensor = _convert(value)
    elif isinstance(value, (list, tuple)) and any(isinstance(one, _core.Tensor) for one in _leaves(value)):
        kind = promoted(*_leaves(value))
        tensor = tf.stack([_array(one, kind) for one in value])
    else:
        array = _numpy().asarray(value)
        tensor = _convert(array, _core.as_dtype(array.dtype.name) if array.dtype.kind in "biufc" else None)
    return tensor if dtype is None or tensor.dtype.base_dtype == dtype else tf.cast(tensor, dtype)


def _leaves(value: Any) -> List[Any]:
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for one in value for leaf in _leaves(one)]


def promoted(*values: Any) -> str:
    """The dtype of what is computed of all: that of numpy's promotion."""
    np = _numpy()
    kinds = [_dtype_of(value) for value in values]
    if "bfloat16" in kinds:
        others = set(kinds) - {"bfloat16"}
        return "bfloat16" if not others else "float64" if "float64" in others else "float32"
    return str(np.result_type(*[np.dtype(kind) for kind in kinds]).name)


def _floating(kind: str) -> str:
    """A dtype for means and square roots."""
    if _core.as_dtype(kind).is_floating or _core.as_dtype(kind).is_complex:
        return kind
    return str(_numpy().result_type(_numpy().dtype(kind), _numpy().float64).name)


def _dims(tensor: Any) -> Any:
    return None if tensor.get_shape().ndims is None else tensor.get_shape().as_list()


def _by_numpy(name: str, tensors: Sequence[Any], call: Callable[..., Any],
              dtype: Optional[str] = None) -> Any:
    """What numpy gives of arrays with these shapes; of open shapes a tensor of unknown shape."""
    np = _numpy()
    shapes = [_dims(tensor) for tensor in tensors]
    kind = dtype or promoted(*tensors)
    if any(dims is None or None in dims for dims in shapes):
        return unknown(kind, None, name, list(tensors), trusted=True)
    empty = [np.broadcast_to(np.zeros((), np.float32), dims) for dims in shapes]
    made = call(*empty)

    def wrapped(one: Any) -> Any:
        return unknown(kind, list(np.shape(one)), name, list(tensors), trusted=True)

    if isinstance(made, (list, tuple)):
        return [wrapped(one) for one in made]
    return wrapped(made)


def _put(name: str, function: Any, *more: str) -> None:
    if callable(function) and not isinstance(function, type):
        function.__name__ = function.__qualname__ = name
    put(function, *[_PREFIX + one for one in (name, *more)], v1=False, v2=True)


# --- constants and types -------------------------------------------------------------------------
for _name in ("bool_ complex64 complex128 float16 float32 float64 inexact int16 int32 int64 int8 object_ "
              "uint16 uint32 uint64 uint8").split():
    put(getattr(_numpy(), _name), _PREFIX + _name, v1=False, v2=True)
for _name, _kind in (("float_", "float64"), ("int_", "int64"), ("complex_", "complex128"),
                     ("string_", "bytes_"),
                     ("unicode_", "str_")):
    put(getattr(_numpy(), _kind), _PREFIX + _name, v1=False, v2=True)
put(_numpy().pi, _PREFIX + "pi", v1=False, v2=True)
put(_numpy().e, _PREFIX + "e", v1=False, v2=True)
put(_numpy().inf, _PREFIX + "inf", v1=False, v2=True)
put(None, _PREFIX + "newaxis", v1=False, v2=True)
put(_numpy().iinfo, _PREFIX + "iinfo", v1=False, v2=True)
put(_core.Tensor, _PREFIX + "ndarray", v1=False, v2=True)


@export(_PREFIX + "finfo", v1=False, v2=True)
def finfo(dtype: Any) -> Any:
    """numpy's, of a dtype of TensorFlow's too."""
    return _numpy().finfo(getattr(dtype, "as_numpy_dtype", dtype))


# --- functions of each element --------------------------------------------------------------------
def _unary(name: str, function: str, rule: Callable[[str], str]) -> None:
    def unary(x: Any) -> Any:
        kind = rule(_dtype_of(x))
        made: Any = _core.api_function("tf." + function, 2) or _core.api_function("tf.math." + function, 2)
        return made(_array(x, kind))

    _put(name, unary)


def _same(kind: str) -> str:
    return kind


for _name in ("exp log sqrt sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log1p "
              "expm1 cbrt exp2 log2 log10 deg2rad rad2deg sinc").split():
    _unary(_name, {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh",
                   "arccosh": "acosh",
                   "arctanh": "atanh", "cbrt": "identity", "exp2": "exp", "log2": "math.log",
                   "log10": "math.log",
                   "deg2rad": "identity", "rad2deg": "identity", "sinc": "identity", "log": "math.log",
                   "log1p": "math.log1p", "expm1": "math.expm1"}.get(_name, _name), _floating)
for _name, _function in (("abs", "abs"), ("absolute", "abs"), ("fabs", "abs"), ("negative", "negative"),
                         ("square", "square"), ("conj", "math.conj"),
                         ("conjugate", "math.conj"),
                         ("positive", "identity"), ("copy", "identity")):
    _unary(_name, _function, _same)
for _name, _function in (("floor", "floor"), ("ceil", "math.ceil"), ("reciprocal", "math.reciprocal")):
    _unary(_name, _function, _floating if _name != "reciprocal" else _same)


@export(_PREFIX + "sign", v1=False, v2=True)
def sign(x: Any, out: Any = None, where: Any = None, **kwargs: Any) -> Any:
    return tf.sign(_array(x))


@export(_PREFIX + "around", _PREFIX + "round", v1=False, v2=True)
def around(a: Any, decimals: int = 0, out: Any = None) -> Any:
    return tf.identity(_array(a))


def _flag(name: str) -> None:
    def flag(x: Any) -> Any:
        x = _array(x)
        return tf.zeros_like(x, dtype=_core.as_dtype("bool"))

    _put(name, flag)


for _name in ("isnan isinf isfinite isneginf isposinf iscomplex isreal signbit logical_not").split():
    _flag(_name)


def _binary(name: str, rule: Callable[[str], str]) -> None:
    def binary(x1: Any, x2: Any) -> Any:
        kind = promoted(x1, x2)
        made = tf.add(_array(x1, _number(kind)), _array(x2, _number(kind)))
        wanted = _core.as_dtype(rule(kind))
        return made if made.dtype == wanted else tf.cast(made, wanted)

    _put(name, binary)


def _number(kind: str) -> str:
    return "int8" if kind == "bool" else kind


def _boolean(kind: str) -> str:
    return "bool"


for _name in ("add subtract multiply maximum minimum power mod remainder floor_divide fmod gcd lcm "
              "bitwise_and bitwise_or bitwise_xor").split():
    _binary(_name, _same)
for _name in ("true_divide divide arctan2 hypot logaddexp logaddexp2 heaviside float_power "
              "nextafter").split():
    _binary(_name, _floating)
for _name in ("equal not_equal greater greater_equal less less_equal logical_and logical_or "
              "logical_xor").split():
    _binary(_name, _boolean)


@export(_PREFIX + "isclose", v1=False, v2=True)
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    kind = promoted(a, b)
    return tf.equal(_array(a, kind), _array(b, kind))


def _whole(name: str) -> None:
    def whole(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
        return unknown("bool", [], None, [_array(a), _array(b)], trusted=True)

    _put(name, whole)


_whole("allclose")
_whole("array_equal")


# --- reductions ----------------------------------------------------------------------------------
def _reduction(name: str, rule: Callable[[str], str]) -> None:
    def reduction(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None, **kwargs: Any) -> Any:
        if isinstance(dtype, bool):  # the third parameter of those that take no dtype
            dtype, keepdims = None, dtype
        kind = rule(_dtype_of(a)) if dtype is None else _core.as_dtype(dtype).name
        a = _array(a)
        made = tf.reduce_sum(tf.cast(a, "int32"), axis, keepdims=bool(keepdims))
        return tf.cast(made, _core.as_dtype(kind))

    _put(name, reduction)


def _summed(kind: str) -> str:
    if kind == "bool" or kind in ("int8", "int16", "int32"):
        return "int64"
    return {"uint8": "uint64", "uint16": "uint64", "uint32": "uint64"}.get(kind, kind)


def _counted(kind: str) -> str:
    return "int64"


for _name in ("sum", "prod", "nansum", "nanprod"):
    _reduction(_name, _summed)
for _name in ("mean", "var", "std", "nanmean", "median", "nanmedian"):
    _reduction(_name, _floating)
for _name in ("max", "min", "amax", "amin", "ptp"):
    _reduction(_name, _same)
for _name in ("all", "any"):
    _reduction(_name, _boolean)
_reduction("count_nonzero", _counted)


def _index(name: str) -> None:
    def index(a: Any, axis: Any = None) -> Any:
        a = _array(a)
        return tf.argmax(tf.reshape(a, [-1]) if axis is None else a, 0 if axis is None else axis)

    _put(name, index)


_index("argmax")
_index("argmin")


@export(_PREFIX + "average", v1=False, v2=True)
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    kind = _floating(promoted(a) if weights is None else promoted(a, weights))
    made = tf.reduce_mean(_array(a, kind), axis)
    return (made, made) if returned else made


def _scan(name: str) -> None:
    def scan(a: Any, axis: Any = None, dtype: Any = None) -> Any:
        a = _array(a)
        kind = _summed(a.dtype.name) if dtype is None else _core.as_dtype(dtype).name
        a = tf.cast(a, kind)
        return tf.identity(tf.reshape(a, [-1])) if axis is None else tf.identity(a)

    _put(name, scan)


_scan("cumsum")
_scan("cumprod")


# --- arrays that are made --------------------------------------------------------------------------
def _float64(dtype: Any) -> str:
    return "float64" if dtype is None or dtype is float else str(_core.as_dtype(
        "int64" if dtype is int else "bool" if dtype is bool else dtype).name)


def _filled(name: str) -> None:
    def filled(shape: Any, dtype: Any = float) -> Any:
        dims = [shape] if isinstance(shape, int) else shape
        return tf.zeros(dims, _core.as_dtype(_float64(dtype)))

    _put(name, filled)


for _name in ("zeros", "ones", "empty"):
    _filled(_name)


@export(_PREFIX + "full", v1=False, v2=True)
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    value = _array(fill_value, dtype)
    return tf.broadcast_to(value, [shape] if isinstance(shape, int) else shape)


def _like(name: str) -> None:
    def like(a: Any, *args: Any, fill_value: Any = None, dtype: Any = None, order: str = "C",
             subok: bool = True,
             shape: Any = None) -> Any:
        a = _array(a)
        given = dtype if dtype is not None else args[-1] if len(args) > (name == "full_like") else None
        return tf.zeros_like(a, dtype=_core.as_dtype(a.dtype if given is None else _float64(given)))

    _put(name, like)


for _name in ("zeros_like", "ones_like", "empty_like", "full_like"):
    _like(_name)


@export(_PREFIX + "array", v1=False, v2=True)
def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    made = _array(val, None if dtype is None else _float64(dtype))
    rank = made.get_shape().ndims
    for _ in range(0 if rank is None else max(0, ndmin - rank)):
        made = tf.expand_dims(made, 0)
    return made


@export(_PREFIX + "asarray", _PREFIX + "asanyarray", _PREFIX + "ascontiguousarray", v1=False, v2=True)
def asarray(a: Any, dtype: Any = None) -> Any:
    return _array(a, None if dtype is None else _float64(dtype))


@export(_PREFIX + "arange", v1=False, v2=True)
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    if stop is None:
        start, stop = 0, start
    kind = promoted(start, stop, step) if dtype is None else _float64(dtype)
    if not any(isinstance(one, _core.Tensor) for one in (start, stop, step)):
        return _array(_numpy().arange(start, stop, step), kind)
    return tf.range(_array(start, kind), _array(stop, kind), _array(step, kind))


def _spaced(name: str) -> None:
    def spaced(start: Any, stop: Any, num: int = 50, endpoint: bool = True, *args: Any, dtype: Any = None,
               axis: int = 0, **kwargs: Any) -> Any:
        kind = _floating(promoted(start, stop)) if dtype is None else _float64(dtype)
        made = unknown(kind, None, None, [_array(start), _array(stop)], trusted=True)
        both = tf.add(_array(start, "float64"), _array(stop, "float64"))
        dims = _dims(both)
        if dims is not None:
            dims.insert(axis % (len(dims) + 1), num)
            made = unknown(kind, dims, None, [both], trusted=True)
        return made

    _put(name, spaced)


for _name in ("linspace", "logspace", "geomspace"):
    _spaced(_name)


@export(_PREFIX + "eye", v1=False, v2=True)
def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    return tf.zeros([N, N if M is None else M], _core.as_dtype(_float64(dtype)))


@export(_PREFIX + "identity", v1=False, v2=True)
def identity(n: Any, dtype: Any = float) -> Any:
    return eye(n, dtype=dtype)


@export(_PREFIX + "tri", v1=False, v2=True)
def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    return eye(N, M, dtype=dtype)


# --- products --------------------------------------------------------------------------------------
@export(_PREFIX + "matmul", v1=False, v2=True)
def matmul(x1: Any, x2: Any) -> Any:
    kind = promoted(x1, x2)
    a, b = _array(x1, kind), _array(x2, kind)
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


@export(_PREFIX + "dot", v1=False, v2=True)
def dot(a: Any, b: Any) -> Any:
    kind = promoted(a, b)
    a, b = _array(a, kind), _array(b, kind)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    if ranks[0] is None or ranks[1] is None:
        return unknown(kind, None, None, [a, b], trusted=True)
    if 0 in ranks:
        return tf.multiply(a, b)
    return tf.tensordot(a, b, [[-1 % ranks[0]], [0 if ranks[1] == 1 else ranks[1] - 2]])


@export(_PREFIX + "tensordot", v1=False, v2=True)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    kind = promoted(a, b)
    return tf.tensordot(_array(a, kind), _array(b, kind), axes)


@export(_PREFIX + "einsum", v1=False, v2=True)
def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Any:
    kind = promoted(*operands)
    return tf.einsum(subscripts, *[_array(one, kind) for one in operands])


@export(_PREFIX + "inner", v1=False, v2=True)
def inner(a: Any, b: Any) -> Any:
    kind = promoted(a, b)
    a, b = _array(a, kind), _array(b, kind)
    ranks = a.get_shape().ndims, b.get_shape().ndims
    return tf.multiply(a, b) if 0 in ranks else tf.tensordot(a, b, [[ranks[0] - 1], [ranks[1] - 1]])


@export(_PREFIX + "outer", v1=False, v2=True)
def outer(a: Any, b: Any) -> Any:
    kind = promoted(a, b)
    return tf.expand_dims(tf.reshape(_array(a, kind), [-1]), 1) * tf.reshape(_array(b, kind), [-1])


# --- joined and split ------------------------------------------------------------------------------
def _all_of(arrays: Any) -> List[Any]:
    if isinstance(arrays, _core.Tensor):
        return tf.unstack(arrays)
    kind = promoted(*arrays)
    return [_array(one, kind) for one in arrays]


@export(_PREFIX + "concatenate", v1=False, v2=True)
def concatenate(arys: Any, axis: Any = 0) -> Any:
    parts = _all_of(arys)
    return tf.concat([tf.reshape(one, [-1]) for one in parts], 0) if axis is None else tf.concat(parts, axis)


@export(_PREFIX + "stack", v1=False, v2=True)
def stack(arrays: Any, axis: int = 0) -> Any:
    return tf.stack(_all_of(arrays), axis)


@export(_PREFIX + "append", v1=False, v2=True)
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

    _put(name, rows)


_rows("vstack", 2, 0)
_rows("hstack", 1, 1)
_rows("dstack", 3, 2)


@export(_PREFIX + "column_stack", v1=False, v2=True)
def column_stack(tup: Any) -> Any:
    return tf.concat([tf.expand_dims(one, 1) if one.get_shape().ndims == 1 else one for one in _all_of(tup)],
                     1)


def _atleast(name: str, ndims: int) -> None:
    def atleast(*arys: Any) -> Any:
        made = [_at_least(_array(one), ndims) for one in arys]
        return made[0] if len(made) == 1 else made

    _put(name, atleast)


for _number_of in (1, 2, 3):
    _atleast("atleast_%dd" % _number_of, _number_of)


def _splitter(name: str, axis: int) -> None:
    def splitter(ary: Any, indices_or_sections: Any, axis: int = axis) -> Any:
        x = _array(ary)
        at = 0 if name == "hsplit" and x.get_shape().ndims == 1 else axis
        if name == "split" and isinstance(indices_or_sections, int):
            return tf.split(x, indices_or_sections, at)
        return _by_numpy(name, [x], lambda a: _numpy().array_split(a, indices_or_sections, at)
                         if name == "array_split" else _numpy().split(a, indices_or_sections, at),
                         x.dtype.name)

    _put(name, splitter)


for _name, _axis in (("split", 0), ("array_split", 0), ("vsplit", 0), ("hsplit", 1), ("dsplit", 2)):
    _splitter(_name, _axis)


# --- shapes ----------------------------------------------------------------------------------------
@export(_PREFIX + "reshape", v1=False, v2=True)
def reshape(a: Any, newshape: Any, order: str = "C") -> Any:
    return tf.reshape(_array(a), [newshape] if isinstance(newshape, int) else newshape)


@export(_PREFIX + "ravel", v1=False, v2=True)
def ravel(a: Any) -> Any:
    return tf.reshape(_array(a), [-1])


@export(_PREFIX + "transpose", v1=False, v2=True)
def transpose(a: Any, axes: Any = None) -> Any:
    return tf.transpose(_array(a), axes)


@export(_PREFIX + "expand_dims", v1=False, v2=True)
def expand_dims(a: Any, axis: Any) -> Any:
    return tf.expand_dims(_array(a), axis)


@export(_PREFIX + "squeeze", v1=False, v2=True)
def squeeze(a: Any, axis: Any = None) -> Any:
    return tf.squeeze(_array(a), axis)


@export(_PREFIX + "broadcast_to", v1=False, v2=True)
def broadcast_to(array: Any, shape: Any) -> Any:
    return tf.broadcast_to(_array(array), [shape] if isinstance(shape, int) else shape)


@export(_PREFIX + "tile", v1=False, v2=True)
def tile(a: Any, reps: Any) -> Any:
    x = _array(a)
    return _by_numpy("tile", [x], lambda z: _numpy().tile(z, reps), x.dtype.name)


@export(_PREFIX + "repeat", v1=False, v2=True)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    x = _array(a)
    counts = repeats if isinstance(repeats, int) else _core.constant_value(_convert(repeats))
    if counts is None:
        return unknown(x.dtype, None, None, [x], trusted=True)
    return _by_numpy("repeat", [x], lambda z: _numpy().repeat(z, counts, axis), x.dtype.name)


@export(_PREFIX + "where", v1=False, v2=True)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    condition = _array(condition, "bool")
    if x is None or y is None:
        return nonzero(condition)
    kind = promoted(x, y)
    return _core.api_function("tf.where", 2)(condition, _array(x, kind),
                                             _array(y, kind))  # type: ignore[misc]


@export(_PREFIX + "nonzero", v1=False, v2=True)
def nonzero(a: Any) -> Any:
    x = _array(a)
    rank = x.get_shape().ndims
    return [unknown("int64", [None], None, [x], trusted=True) for _ in range(1 if rank is None else rank)]


@export(_PREFIX + "clip", v1=False, v2=True)
def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    kind = promoted(*[one for one in (a, a_min, a_max) if one is not None])
    made = _array(a, kind)
    for bound in (a_min, a_max):
        if bound is not None:
            made = tf.maximum(made, _array(bound, kind))
    return made


@export(_PREFIX + "take", v1=False, v2=True)
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "clip") -> Any:
    x = _array(a)
    return tf.gather(tf.reshape(x, [-1]) if axis is None else x, _array(indices),
                     axis=0 if axis is None else axis)


@export(_PREFIX + "meshgrid", v1=False, v2=True)
def meshgrid(*xi: Any, **kwargs: Any) -> Any:
    parts = [tf.reshape(_array(one), [-1]) for one in xi]
    return tf.meshgrid(*parts, indexing=kwargs.get("indexing", "xy"))


@export(_PREFIX + "pad", v1=False, v2=True)
def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Any:
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError("Unsupported padding mode: " + mode)
    return tf.pad(_array(array), pad_width, mode.upper())


@export(_PREFIX + "diff", v1=False, v2=True)
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    x = _array(a)
    return _by_numpy("diff", [x], lambda z: _numpy().diff(z, n, axis), x.dtype.name)


def _of_shape(name: str, *more: str) -> None:
    """A function of one array whose result numpy alone describes."""
    def of_shape(a: Any, *args: Any, **kwargs: Any) -> Any:
        x = _array(a)
        return _by_numpy(name, [x], lambda z: getattr(_numpy(), name)(z, *args, **kwargs), x.dtype.name)

    _put(name, of_shape, *more)


for _name in ("flip fliplr flipud roll rot90 swapaxes moveaxis diag diagonal diagflat trace tril triu sort "
              "vander real imag").split():
    _of_shape(_name)


@export(_PREFIX + "argsort", v1=False, v2=True)
def argsort(a: Any, axis: int = -1, kind: str = "quicksort", order: Any = None) -> Any:
    return tf.zeros_like(_array(a), dtype=_core.as_dtype("int64"))


def _of_shapes(name: str, count: int) -> None:
    """A function of several arrays whose result numpy alone describes."""
    def of_shapes(*args: Any, **kwargs: Any) -> Any:
        tensors = [_array(one) for one in args[:count]]
        return _by_numpy(name, tensors, lambda *z: getattr(_numpy(), name)(*z, *args[count:], **kwargs))

    _put(name, of_shapes)


for _name in ("kron", "cross", "polyval"):
    _of_shapes(_name, 2)


@export(_PREFIX + "take_along_axis", v1=False, v2=True)
def take_along_axis(arr: Any, indices: Any, axis: Any) -> Any:
    x, at = _array(arr), _array(indices)
    return _by_numpy("take_along_axis", [x, at], lambda a, b: _numpy().take_along_axis(
        a, b.astype(int), axis), x.dtype.name)


@export(_PREFIX + "ix_", v1=False, v2=True)
def ix_(*args: Any) -> Any:
    parts = [_array(one) for one in args]
    return [tf.reshape(one, [-1 if i == j else 1 for j in range(len(parts))]) for i, one in enumerate(parts)]


# --- facts -----------------------------------------------------------------------------------------
@export(_PREFIX + "shape", v1=False, v2=True)
def shape(a: Any) -> Any:
    dims = _dims(_array(a))
    return tf.shape(_array(a)) if dims is None or None in dims else _core.TensorShape(dims)


@export(_PREFIX + "ndim", v1=False, v2=True)
def ndim(a: Any) -> Any:
    rank = _array(a).get_shape().ndims
    return tf.rank(_array(a)) if rank is None else rank


@export(_PREFIX + "size", v1=False, v2=True)
def size(x: Any, axis: Any = None) -> Any:
    if axis is not None:
        raise NotImplementedError("axis argument is not supported in the current `np.size` implementation")
    dims = _dims(_array(x))
    return tf.size(_array(x)) if dims is None or None in dims else _numpy().int64(_numpy().prod(dims))


@export(_PREFIX + "isscalar", v1=False, v2=True)
def isscalar(num: Any) -> bool:
    if isinstance(num, _core.Tensor):
        return bool(num.get_shape().ndims == 0)
    return bool(_numpy().isscalar(num))


@export(_PREFIX + "result_type", v1=False, v2=True)
def result_type(*arrays_and_dtypes: Any) -> Any:
    np = _numpy()
    kinds = [one if isinstance(one, (type, str, np.dtype)) else _dtype_of(one) for one in arrays_and_dtypes]
    return _core.as_dtype(np.result_type(*[np.dtype(kind) for kind in kinds]).name)


@export(_PREFIX + "promote_types", v1=False, v2=True)
def promote_types(type1: Any, type2: Any) -> Any:
    return _numpy().promote_types(type1, type2)


@export(_PREFIX + "experimental_enable_numpy_behavior", v1=False, v2=True)
def experimental_enable_numpy_behavior(prefer_float32: bool = False,
                                       dtype_conversion_mode: str = "legacy") -> None:
    """Tensors get numpy's methods; what these give is as before."""


# --- random ----------------------------------------------------------------------------------------
def _drawn(dims: Any, kind: str = "float64") -> Any:
    dims = [] if dims is None else [dims] if isinstance(dims, int) else dims
    return tf.zeros(dims, _core.as_dtype(kind)) + tf.random.uniform([], dtype=_core.as_dtype("float64")) \
        if kind == "float64" else tf.random.uniform(dims, maxval=2, dtype=_core.as_dtype(kind))


@export(_PREFIX + "random.seed", v1=False, v2=True)
def seed(s: Any) -> None:
    """Which numbers are drawn changes no shape."""


@export(_PREFIX + "random.randn", _PREFIX + "random.rand", v1=False, v2=True)
def randn(*args: Any) -> Any:
    return _drawn(list(args))


@export(_PREFIX + "random.standard_normal", _PREFIX + "random.random", v1=False, v2=True)
def standard_normal(size: Any = None) -> Any:
    return _drawn(size)


@export(_PREFIX + "random.uniform", v1=False, v2=True)
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    both = tf.add(_array(low, "float64"), _array(high, "float64"))
    return both if size is None else tf.broadcast_to(both, [size] if isinstance(size, int) else size)


@export(_PREFIX + "random.normal", v1=False, v2=True)
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return uniform(loc, scale, size)


@export(_PREFIX + "random.poisson", v1=False, v2=True)
def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    return tf.cast(uniform(lam, lam, size), _core.as_dtype("int64"))


@export(_PREFIX + "random.randint", v1=False, v2=True)
def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = None) -> Any:
    return _drawn(size, "int64" if dtype is None else _float64(dtype))
