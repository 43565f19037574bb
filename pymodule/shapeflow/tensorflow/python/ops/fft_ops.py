"""Fourier transforms with a length that is found when none is given, and shifts.

Source: tensorflow/python/ops/signal/fft_ops.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, tf


def _is_double(tensor: Any) -> bool:
    return tensor.dtype.base_dtype.name in ("float64", "complex128")


def _transform(op_type: str, axes: int, real: bool, inverse: bool) -> Any:
    def transform(input_tensor: object, fft_length: object = None, name: Optional[str] = None) -> Any:
        wanted = _core.as_dtype("float32" if real and not inverse else "complex64")
        given = framework_lib.convert_to_tensor(input_tensor, None if isinstance(input_tensor, _core.Tensor)
                                                else wanted)
        kind = "complex128" if _is_double(given) else "complex64"
        lengths: Any
        if fft_length is not None:
            lengths = framework_lib.convert_to_tensor(fft_length, _core.as_dtype("int32"))
            given = _filled_up(given, lengths, axes, inverse)
        else:
            lengths = tf.shape(given)[-axes:]
            if inverse:
                last = lengths[-1:]
                lengths = tf.concat([lengths[:-1], tf.maximum(0, 2 * (last - 1))], 0)
        other = "float64" if _is_double(given) else "float32"
        attr = {"Treal": _core.as_dtype(other)} if inverse else {"Tcomplex": _core.as_dtype(kind)}
        return op(op_type, [given, lengths], attr, name)

    transform.__name__ = transform.__qualname__ = op_type.lower()
    return transform


def _filled_up(given: Any, lengths: Any, axes: int, inverse: bool) -> Any:
    """Zeros behind the last axes where the transform is longer."""
    wanted, dims = _core.constant_value(lengths), given.get_shape()
    if wanted is None or dims.ndims is None or dims.ndims < axes or None in dims.as_list()[-axes:]:
        return given
    sizes = wanted.tolist()
    if inverse:
        sizes[-1] = sizes[-1] // 2 + 1
    more = [max(0, size - d) for size, d in zip(sizes, dims.as_list()[-axes:])]
    return tf.pad(given, [[0, 0]] * (dims.ndims - axes) + [[0, n] for n in more]) if any(more) else given


rfft = export("tf.signal.rfft", "tf.spectral.rfft", v2=True)(_transform("RFFT", 1, True, False))
rfft2d = export("tf.signal.rfft2d", "tf.spectral.rfft2d", v2=True)(_transform("RFFT2D", 2, True, False))
rfft3d = export("tf.signal.rfft3d", "tf.spectral.rfft3d", v2=True)(_transform("RFFT3D", 3, True, False))
irfft = export("tf.signal.irfft", "tf.spectral.irfft", v2=True)(_transform("IRFFT", 1, True, True))
irfft2d = export("tf.signal.irfft2d", "tf.spectral.irfft2d", v2=True)(_transform("IRFFT2D", 2, True, True))
irfft3d = export("tf.signal.irfft3d", "tf.spectral.irfft3d", v2=True)(_transform("IRFFT3D", 3, True, True))


def _lengths(given: Any, fft_length: Any, axes: Any, inverse: bool) -> Any:
    """The lengths and axes of an n-dimensional transform."""
    if axes is None:
        rank = given.get_shape().ndims
        count = rank
        if fft_length is not None:
            sizes = framework_lib.convert_to_tensor(fft_length).get_shape()
            count = sizes.as_list()[0] if sizes.ndims == 1 else rank
        axes = tf.range(-(rank or 1), 0) if count is None else list(range(-count, 0))
    axes = framework_lib.convert_to_tensor(axes, _core.as_dtype("int32"))
    if fft_length is None:
        fft_length = tf.gather(tf.shape(given), axes + tf.rank(given) * tf.cast(axes < 0, "int32"))
        if inverse:
            fft_length = tf.concat([fft_length[:-1], 2 * (fft_length[-1:] - 1)], 0)
    return framework_lib.convert_to_tensor(fft_length, _core.as_dtype("int32")), axes


def _transform_nd(op_type: str, real: bool, inverse: bool) -> Any:
    def transform(input_tensor: object, fft_length: object = None, axes: object = None,
                  norm: Optional[str] = None, name: Optional[str] = None) -> Any:
        given = framework_lib.convert_to_tensor(input_tensor)
        lengths, axes = _lengths(given, fft_length, axes, real and inverse)
        attr = {}
        if real:
            kind = ("float64" if inverse else "complex128") if _is_double(given) else (
                "float32" if inverse else "complex64")
            attr = {"Treal" if inverse else "Tcomplex": _core.as_dtype(kind)}
        return op(op_type, [given, lengths, axes], attr, name)

    transform.__name__ = transform.__qualname__ = op_type.lower()
    return transform


fftnd = export("tf.signal.fftnd", v2=True)(_transform_nd("FFTND", False, False))
ifftnd = export("tf.signal.ifftnd", v2=True)(_transform_nd("IFFTND", False, True))
rfftnd = export("tf.signal.rfftnd", v2=True)(_transform_nd("RFFTND", True, False))
irfftnd = export("tf.signal.irfftnd", v2=True)(_transform_nd("IRFFTND", True, True))


@export("tf.signal.fftshift", v2=True)
def fftshift(x: object, axes: object = None, name: Optional[str] = None) -> Any:
    """The same shape, rolled by half of each axis."""
    x = framework_lib.convert_to_tensor(x)
    if axes is None:
        return tf.identity(x, name=name)
    return tf.roll(x, tf.zeros_like(framework_lib.convert_to_tensor(axes)), axes, name=name)


@export("tf.signal.ifftshift", v2=True)
def ifftshift(x: object, axes: object = None, name: Optional[str] = None) -> Any:
    return fftshift(x, axes, name)
