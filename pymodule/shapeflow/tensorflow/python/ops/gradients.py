"""tf.gradients: which xs are reached, and tensors of their shapes. No backward pass is built.

Source: tensorflow/python/ops/gradients_util.py for the checks and messages.
"""
from __future__ import annotations

import enum

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import gradient, tf, unknown
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Sequence


@export("tf.UnconnectedGradients", v2=True)
class UnconnectedGradients(enum.Enum):
    """What the gradient of something that is not connected is."""

    NONE = "none"
    ZERO = "zero"


def checked_unconnected(given: object) -> UnconnectedGradients:
    """What a call was given for `unconnected_gradients`, a member or its value."""
    if is_unmodelled(given):
        return UnconnectedGradients.NONE
    try:
        return UnconnectedGradients(given)
    except ValueError:
        raise ValueError("Unknown value for unconnected_gradients: %r" % (given,)) from None


def element_of(x: object) -> Any:
    """The tensor whose gradient is meant: a variable stands for itself, not for one read of it."""
    if isinstance(x, _core.VariableBase):
        if getattr(x, "_kind", None) == "resource":
            return x.handle
        return getattr(x, "_variable", None) if getattr(x, "_variable", None) is not None \
            else x._tensor
    return x


def _value_like(x: object) -> Any:
    """A tensor shaped like the gradient of x."""
    if isinstance(x, _core.VariableBase):
        return x._tensor
    return x


def _as_list(values: object) -> List[Any]:
    return list(values) if isinstance(values, (list, tuple)) else [values]


class AggregationMethod:
    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


put(AggregationMethod, "tf.AggregationMethod", v2=True)


@export("tf.gradients")
def gradients(ys: object, xs: object, grad_ys: object = None, name: str = "gradients",
              colocate_gradients_with_ops: bool = False, gate_gradients: bool = False,
              aggregation_method: object = None, stop_gradients: object = None,
              unconnected_gradients: object = UnconnectedGradients.NONE) -> List[Any]:
    ys, xs = nest.flatten(_as_list(ys)), _as_list(xs)
    stops = _as_list(stop_gradients) if stop_gradients is not None else []
    if _core.executing_eagerly() and _core.inside_function():
        return _of_function(ys, xs)
    if _core.executing_eagerly():
        raise RuntimeError("tf.gradients is not supported when eager execution is enabled. Use "
                           "tf.GradientTape instead.")
    unconnected = checked_unconnected(unconnected_gradients)
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if len(grad_ys) != len(ys):
        raise ValueError("Passed %d grad_ys for %d ys" % (len(grad_ys), len(ys)))
    with framework_lib.name_scope(name, "gradients"):
        ys = [framework_lib.convert_to_tensor(y, None, "y") for y in ys]
        for y, given in zip(ys, grad_ys):
            _check_grad_y(y, given)
        elements = [framework_lib.convert_to_tensor(element_of(x), None, "x")
                    if not isinstance(element_of(x), _core.Tensor) else element_of(x) for x in xs]
        stop_elements = [element_of(framework_lib.convert_to_tensor(s) if not isinstance(
            s, (_core.Tensor, _core.VariableBase)) else s) for s in stops]
        connected = _core.gradients_connected(ys, elements, stop_elements)
        if has_opaque():
            connected = [k or x.dtype.base_dtype.is_floating for k, x in zip(connected, elements)]
        extra = [g for g in grad_ys if g is not None and not isinstance(g, framework_lib.IndexedSlices)]
        return [_gradient_of(x, kind, ys + extra, unconnected)
                for x, kind in zip(xs, connected)]


def _of_function(ys: List[object], xs: List[object]) -> List[Any]:
    """In the body of a tf.function, which runs eagerly here: what lies between is not remembered."""
    losses = [framework_lib.convert_to_tensor(y, None, "y") for y in ys]
    values = [framework_lib.convert_to_tensor(x, None, "x") for x in xs]
    return [gradient(x, losses) if x.dtype.is_floating or x.dtype.is_complex else None for x in values]


@export("tf.gradients", v1=False, v2=True)
def gradients_v2(ys: object, xs: object, grad_ys: object = None, name: str = "gradients",
                 gate_gradients: bool = False, aggregation_method: object = None,
                 stop_gradients: object = None,
                 unconnected_gradients: object = UnconnectedGradients.NONE) -> List[Any]:
    return gradients(ys, xs, grad_ys, name, True, gate_gradients, aggregation_method,
                     stop_gradients, unconnected_gradients)


def has_opaque() -> bool:
    """True when the default graph holds something unmodelled: then no gradient is known to be None."""
    return "_sf_opaque" in _core.default_graph().__dict__


def _check_grad_y(y: Any, given: object) -> None:
    if given is None:
        if y.dtype.is_complex:
            raise TypeError("Gradients of complex tensors must set grad_ys (y.dtype = %r)" % y.dtype)
        return
    dtype = getattr(given, "dtype", None)
    if dtype is None or not hasattr(dtype, "is_floating"):
        return
    if (y.dtype.is_floating or y.dtype.is_integer) and not (dtype.is_floating or dtype.is_integer):
        raise TypeError("Gradient type %s generated for real or integer-valued tensor %s with type "
                        "%s must be real or integer" % (dtype.name, y, y.dtype.name))


def _gradient_of(x: object, kind: object, ys: List[object], unconnected: object) -> Any:
    like = _value_like(x)
    if not kind:
        if unconnected is UnconnectedGradients.ZERO:
            return tf.zeros_like(like)
        return None
    if not isinstance(like, _core.Tensor):
        like = framework_lib.convert_to_tensor(like)
    return gradient(like, ys) if kind is True else slices(like, kind, ys)


def slices(like: Any, kind: Any, ys: Sequence[object]) -> framework_lib.IndexedSlices:
    """The gradient of `like`, of which `ys` read the rows at indices of that shape and dtype."""
    shape, dtype = kind
    base = like.dtype.base_dtype
    # What is computed before it is that of a dense gradient.
    made = [gradient(like, ys)] if base.is_floating else ys
    values = unknown(base, shape.concatenate(like.get_shape()[1:]), "Reshape", made)
    return framework_lib.IndexedSlices(values, unknown(dtype, shape, "Reshape_1", made), tf.shape(like))


@export("tf.hessians", v2=True)
def hessians(ys: object, xs: object, name: str = "hessians", *args: object, **kwargs: object) -> List[Any]:
    """Second derivatives: shaped x.shape + x.shape."""
    made = []
    with framework_lib.name_scope(name):
        for x in _as_list(xs):
            shape = framework_lib.convert_to_tensor(x).get_shape()
            made.append(unknown(x.dtype.base_dtype, shape.concatenate(shape), "Reshape", _as_list(ys)))
    return made


@export("tf.recompute_grad", v2=True)
def recompute_grad(f: Any) -> Any:
    """f, of which the backward pass keeps the arguments only, and runs it again."""
    import functools

    @functools.wraps(f)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        first = _core.memory_moment()
        try:
            if _core.executing_eagerly():
                return f(*args, **kwargs)
            with get_default_graph()._sf_recomputed():
                return f(*args, **kwargs)
        finally:
            _core.memory_span(first, True)

    return recomputed


@export("tf.custom_gradient", v2=True)
def custom_gradient(f: Any = None) -> Any:
    """f returns (value, grad_fn); the gradient function is never called."""
    import functools

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if _core.executing_eagerly():
            result = f(*args, **kwargs)
        else:
            with get_default_graph()._sf_with_gradients(None):
                result = f(*args, **kwargs)
        return result[0] if isinstance(result, tuple) and len(result) == 2 and callable(
            result[1]) else result

    return decorated
