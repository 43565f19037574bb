"""tf.signal.dct, mdct and their inverses.

Source: tensorflow/python/ops/signal/{dct_ops,mdct_ops}.py.
"""
from __future__ import annotations

from typing import Any, Callable, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import signal


def _refuse(type: object, n: Any, axis: object, norm: object) -> None:
    if axis != -1:
        raise NotImplementedError("axis must be -1. Got: %s" % axis)
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if norm not in (None, "ortho"):
        raise ValueError("Unknown normalization. Expected None or 'ortho', got: %s" % norm)


@export("tf.signal.dct", v2=True)
def dct(input: object, type: int = 2, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
        name: Optional[str] = None) -> Any:
    """The input's shape, its last axis cut or filled up to `n`."""
    _refuse(type, n, axis, norm)
    given = framework_lib.convert_to_tensor(input, _core.as_dtype("float32") if isinstance(
        input, (list, tuple)) else None)
    last = given.get_shape().as_list()[-1] if given.get_shape().ndims else None
    if type == 1 and last is not None and last < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    return tf.identity(given, name=name) if n is None else signal.with_dims(given, [n], -1, name)


@export("tf.signal.idct", v2=True)
def idct(input: object, type: int = 2, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
         name: Optional[str] = None) -> Any:
    """The input's shape."""
    return dct(input, {2: 3, 3: 2}.get(type, type), n, axis, norm, name)


@export("tf.signal.mdct", v2=True)
def mdct(signals: Any, frame_length: Any, window_fn: Optional[Callable[..., object]] = signal.vorbis_window,
         pad_end: bool = False, norm: Optional[str] = None, name: Optional[str] = None) -> Any:
    """Frames that overlap by half, of half their length."""
    length = signal.static_number(frame_length)
    if length is None:
        return tf.cast(signal.frame(signals, frame_length, frame_length // 2, pad_end), "float32")
    if length % 4 != 0:
        raise ValueError("The length of the frame must be divisible by 4.")
    framed = signal.frame(signals, length, length // 2, pad_end)
    if window_fn is not None:
        framed = framed * window_fn(length, dtype=framed.dtype)
    return signal.with_dims(framed, [length // 2], -1, name)


@export("tf.signal.inverse_mdct", v2=True)
def inverse_mdct(mdcts: Any, window_fn: Optional[Callable[..., object]] = signal.vorbis_window,
                 norm: Optional[str] = None, name: Optional[str] = None) -> Any:
    """Samples, of frames that overlap by half."""
    mdcts = framework_lib.convert_to_tensor(mdcts)
    half = mdcts.get_shape().as_list()[-1] if mdcts.get_shape().ndims else None
    step = tf.shape(mdcts)[-1] if half is None else half
    framed = tf.concat([mdcts, mdcts], -1)
    if window_fn is not None:
        framed = framed * window_fn(2 * step, dtype=framed.dtype)
    return signal.overlap_and_add(framed, step, name)
