"""Arrays of tf.experimental.numpy: what its functions take for one, and what dtype and value they give.

Shape and dtype of a result are said by each function. Its value is numpy's own where all that the
function was given is known, and unknown otherwise.
Source: tensorflow/python/ops/numpy_ops/{np_arrays,np_utils,np_dtypes}.py.
"""
from __future__ import annotations

import functools
from typing import Any, Callable, List, Optional, Sequence

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown

PREFIX = "tf.experimental.numpy."
_convert = framework_lib.convert_to_tensor


def dtype_of(value: object) -> str:
    """The dtype that a value has as an array."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return str(_core.as_dtype(dtype).base_dtype.name)
    return str(np.asarray(value).dtype.name)


def as_array(value: object, dtype: object = None) -> Any:
    """A tensor; Python's numbers are of 64 bits."""
    if dtype is not None:
        dtype = _core.as_dtype(dtype)
    if isinstance(value, (_core.Tensor, _core.VariableBase)) or hasattr(type(value), "__sf_tensor__"):
        tensor = _convert(value)
    elif isinstance(value, (list, tuple)) and any(isinstance(one, _core.Tensor) for one in _leaves(value)):
        kind = promoted(*_leaves(value))
        tensor = tf.stack([as_array(one, kind) for one in value])
    else:
        array = np.asarray(value)
        tensor = _convert(array, _core.as_dtype(array.dtype.name) if array.dtype.kind in "biufc" else None)
    return tensor if dtype is None or tensor.dtype.base_dtype == dtype else tf.cast(tensor, dtype)


def _leaves(value: object) -> List[Any]:
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for one in value for leaf in _leaves(one)]


_WEAK = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}  # a Python number of each kind


def promoted(*values: object) -> str:
    """The dtype of what is computed of all: that of numpy's promotion; Python's numbers give way."""
    kinds = [dtype_of(value) for value in values]
    if "bfloat16" in kinds:
        others = set(kinds) - {"bfloat16"}
        return "bfloat16" if not others else "float64" if "float64" in others else "float32"
    given = [_WEAK.get(np.dtype(kind).kind, np.dtype(kind)) if _is_python(value) else np.dtype(kind)
             for value, kind in zip(values, kinds)]
    return str(np.result_type(*given).name)


def _is_python(value: object) -> bool:
    """A number of Python's, or a list of such."""
    if isinstance(value, (list, tuple)):
        return all(_is_python(one) for one in value)
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)


def floating(kind: str) -> str:
    """A dtype for means and square roots."""
    if _core.as_dtype(kind).is_floating or _core.as_dtype(kind).is_complex:
        return kind
    return str(np.result_type(np.dtype(kind), np.float64).name)


def dims_of(tensor: Any) -> Any:
    return None if tensor.get_shape().ndims is None else tensor.get_shape().as_list()


def by_numpy(name: str, tensors: Sequence[Any], call: Callable[..., object],
              dtype: Optional[str] = None) -> Any:
    """What numpy gives of arrays with these shapes; of open shapes a tensor of unknown shape."""
    shapes = [dims_of(tensor) for tensor in tensors]
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


def _given(value: object) -> Any:
    """`value` as numpy takes it; raises LookupError where a tensor in it is not known."""
    if isinstance(value, (_core.Tensor, _core.VariableBase)) or hasattr(type(value), "__sf_tensor__"):
        known = _core.constant_value(_convert(value))
        if known is None:
            raise LookupError
        return known
    if isinstance(value, (list, tuple)):
        return type(value)([_given(one) for one in value]) if type(value) in (list, tuple) else value
    return getattr(value, "as_numpy_dtype", value)


def valued(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with numpy's values: of its own result only shape and dtype count."""
    code, defaults = function.__code__, function.__defaults__ or ()
    arrays = code.co_varnames[:code.co_argcount - len(defaults)]  # numpy may have other names for them

    @functools.wraps(function)
    def computed(*args: object, **kwargs: object) -> Any:
        args += tuple(kwargs.pop(array) for array in arrays[len(args):] if array in kwargs)
        made = function(*args, **kwargs)
        try:
            with np.errstate(all="ignore"):
                known = getattr(np, name)(*_given(args), **{key: _given(one) for key, one in kwargs.items()})
        except Exception:  # what numpy alone refuses, or does not have, is not known
            known = None
        if isinstance(made, (list, tuple)):
            several = isinstance(known, (list, tuple)) and len(known) == len(made)
            return type(made)([_with_value(one, known[i] if several else None) for i, one in enumerate(made)])
        return _with_value(made, known)

    return computed


def _with_value(made: Any, known: Any) -> Any:
    """A tensor like `made` whose value is `known`, or not known."""
    if not isinstance(made, _core.Tensor):
        return made
    dims = dims_of(made)
    if known is not None and made.get_shape().is_compatible_with(np.shape(known)):
        return _convert(np.asarray(known).astype(made.dtype.as_numpy_dtype), made.dtype)
    return unknown(made.dtype, dims, None, [made], trusted=True)


def put_function(name: str, function: Any, *more: str) -> None:
    """Export a function of arrays under `name` and `more`, with numpy's values."""
    if callable(function) and not isinstance(function, type):
        function.__name__ = function.__qualname__ = name
    if not isinstance(function, type) and hasattr(np, name):
        function = valued(name, function)
    put(function, *[PREFIX + one for one in (name, *more)], v1=False, v2=True)


def array_function(name: str, *more: str) -> Callable[[Any], Any]:
    """A decorator: put_function."""
    def exported(function: object) -> Any:
        put_function(name, function, *more)
        return function

    return exported
