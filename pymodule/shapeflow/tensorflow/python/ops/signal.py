"""tf.signal: frames, spectrograms and windows, by their shapes.

Source: tensorflow/python/ops/signal/{shape_ops,spectral_ops,window_ops,mel_ops,reconstruction_ops}.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional


def static_number(value: object) -> Optional[int]:
    """A static integer, as far as it is known."""
    if value is None or isinstance(value, int):
        return value
    known = _core.constant_value(framework_lib.convert_to_tensor(value))
    return int(known) if known is not None and known.ndim == 0 else None


def _made(tensor: Any, dims: Optional[List[Optional[int]]], dtype: Any = None,
          name: Optional[str] = None, trusted: bool = True) -> Any:
    return unknown(dtype or tensor.dtype.base_dtype, dims, name, [tensor],
                   trusted=trusted and not _core.is_unmodelled(tensor))


def with_dims(tensor: object, dims: List[object], axis: int, name: Optional[str] = None) -> Any:
    """`tensor` with `dims` (numbers or scalars) instead of one axis: what else it is, stays."""
    index = tf.zeros(tf.stack([framework_lib.convert_to_tensor(d, _core.as_dtype("int32")) for d in dims]),
                     dtype=_core.as_dtype("int32"))
    return tf.gather(tensor, index, axis=axis, name=name)


@export("tf.signal.frame", "tf.contrib.signal.frame", v2=True)
def frame(signal: Any, frame_length: Any, frame_step: object, pad_end: bool = False, pad_value: object = 0,
          axis: object = -1, name: Optional[str] = None) -> Any:
    signal = framework_lib.convert_to_tensor(signal)
    at, length = static_number(axis), static_number(frame_length)
    rank = signal.get_shape().ndims
    if rank is None or at is None:
        return _made(signal, None, name=name, trusted=False)
    if not -rank <= at < rank:
        raise fail("SF111", "axis {axis} is out of bounds [{int}, {int})", at, -rank, rank)
    at %= rank
    samples = signal.get_shape().as_list()[at]
    if samples is None or length is None or static_number(frame_step) is None:
        samples, length = tf.shape(signal)[at], frame_length
    step = frame_step if static_number(frame_step) is None else static_number(frame_step)
    frames = -(-samples // step) if pad_end else 1 + (samples - length) // step
    frames = max(0, frames) if isinstance(frames, int) else tf.maximum(0, frames)
    return with_dims(signal, [frames, length], at, name or "frame")


@export("tf.signal.hann_window", "tf.contrib.signal.hann_window", v2=True)
def hann_window(window_length: object, periodic: bool = True, dtype: object = "float32",
                name: Optional[str] = None) -> Any:
    return _window(window_length, dtype, name)


@export("tf.signal.hamming_window", "tf.contrib.signal.hamming_window", v2=True)
def hamming_window(window_length: object, periodic: bool = True, dtype: object = "float32",
                   name: Optional[str] = None) -> Any:
    return _window(window_length, dtype, name)


@export("tf.signal.vorbis_window", v2=True)
def vorbis_window(window_length: object, dtype: object = "float32", name: Optional[str] = None) -> Any:
    return _window(window_length, dtype, name)


@export("tf.signal.kaiser_window", v2=True)
def kaiser_window(window_length: object, beta: object = 12.0, dtype: object = "float32",
                  name: Optional[str] = None) -> Any:
    return _window(window_length, dtype, name)


put(kaiser_window, "tf.signal.kaiser_bessel_derived_window", v2=True)


def _window(length: object, dtype: object, name: Optional[str]) -> Any:
    length = framework_lib.convert_to_tensor(length)
    return _made(length, [static_number(length)], _core.as_dtype(dtype), name or "window")


@export("tf.signal.stft", "tf.contrib.signal.stft", v2=True)
def stft(signals: object, frame_length: object, frame_step: object, fft_length: object = None,
         window_fn: Optional[Callable[..., object]] = hann_window, pad_end: bool = False,
         name: Optional[str] = None) -> Any:
    signals = framework_lib.convert_to_tensor(signals)
    length, bins = static_number(frame_length), static_number(fft_length)
    if fft_length is None and length is not None:
        bins = 1 << max(0, length - 1).bit_length()  # the power of two that holds a frame
    framed = frame(signals, frame_length, frame_step, pad_end)
    if window_fn is not None:
        framed = framed * window_fn(frame_length, dtype=framed.dtype)
    dtype = "complex128" if framed.dtype.base_dtype == _core.as_dtype("float64") else "complex64"
    if framed.get_shape().ndims is None or bins is None:
        return _made(framed, None, _core.as_dtype(dtype), name or "stft", False)
    return tf.cast(with_dims(framed, [bins // 2 + 1], -1), _core.as_dtype(dtype), name=name or "stft")


@export("tf.signal.overlap_and_add", "tf.contrib.signal.overlap_and_add", v2=True)
def overlap_and_add(signal: Any, frame_step: Any, name: Optional[str] = None) -> Any:
    signal = framework_lib.convert_to_tensor(signal)
    shape, step = signal.get_shape(), static_number(frame_step)
    if shape.ndims is None or shape.ndims < 2:
        return _made(signal, None, name=name, trusted=False)
    frames, length = shape.as_list()[-2:]
    whole: Any
    if frames is None or length is None or step is None:
        counts = tf.shape(signal)
        whole = (counts[-2] - 1) * frame_step + counts[-1]
    else:
        whole = (frames - 1) * step + length
    return with_dims(tf.reduce_sum(signal, -2), [whole], -1, name or "overlap_and_add")


@export("tf.signal.inverse_stft", "tf.contrib.signal.inverse_stft", v2=True)
def inverse_stft(stfts: Any, frame_length: object, frame_step: object, fft_length: object = None,
                 window_fn: Optional[Callable[..., object]] = hann_window,
                 name: Optional[str] = None) -> Any:
    stfts = framework_lib.convert_to_tensor(stfts)
    shape, dtype = stfts.get_shape(), stfts.dtype.base_dtype
    real = _core.as_dtype("float64" if dtype == _core.as_dtype("complex128") else "float32")
    if shape.ndims is None:
        return _made(stfts, None, real, name, False)
    framed = with_dims(tf.cast(stfts, real), [frame_length], -1)
    if window_fn is not None:
        framed = framed * window_fn(frame_length, dtype=real)
    return overlap_and_add(framed, frame_step, name or "inverse_stft")


@export("tf.signal.mfccs_from_log_mel_spectrograms",
        "tf.contrib.signal.mfccs_from_log_mel_spectrograms", v2=True)
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: object, name: Optional[str] = None) -> Any:
    return tf.identity(framework_lib.convert_to_tensor(log_mel_spectrograms), name=name)


@export("tf.signal.linear_to_mel_weight_matrix", "tf.contrib.signal.linear_to_mel_weight_matrix",
        v2=True)
def linear_to_mel_weight_matrix(num_mel_bins: object = 20, num_spectrogram_bins: object = 129,
                                sample_rate: object = 8000, lower_edge_hertz: object = 125.0,
                                upper_edge_hertz: object = 3800.0, dtype: object = "float32",
                                name: Optional[str] = None) -> Any:
    return unknown(_core.as_dtype(dtype), [static_number(num_spectrogram_bins), static_number(num_mel_bins)],
                   name,
                   trusted=True)


@export("tf.signal.inverse_stft_window_fn", "tf.contrib.signal.inverse_stft_window_fn", v2=True)
def inverse_stft_window_fn(frame_step: object, forward_window_fn: Callable[..., object] = hann_window,
                           name: Optional[str] = None) -> Callable[..., Any]:
    """A function of a frame's length and a dtype, as the windows are."""

    def inverse_stft_window_fn_inner(frame_length: object, dtype: object) -> Any:
        return forward_window_fn(frame_length, dtype=dtype)

    return inverse_stft_window_fn_inner
