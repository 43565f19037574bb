"""Layers of tf.keras that scale their input: normalisation by groups or length, pictures of another size.

Source: keras/src/layers/{normalization,preprocessing} (3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.base_layer import KerasLayer, is_keras_tensor
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail_untyped as fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import normalize_data_format


@export("tf.keras.layers.GroupNormalization", v2=True)
class GroupNormalization(KerasLayer):
    """Over groups of channels: the shape stays."""

    def __init__(self, groups: int = 32, axis: int = -1, epsilon: float = 1e-3, center: bool = True,
                 scale: bool = True, **kwargs: Any) -> None:
        self._own = {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(("beta_", "gamma_"))}
        super().__init__(**kwargs)
        self.groups, self.axis, self.center, self.scale = groups, axis, center, scale

    def build(self, input_shape: Any) -> None:
        size = self._need_dim(input_shape, self.axis, "Axis %s of input tensor should have a defined "
                              "dimension but the layer received an input with shape %s."
                              % (self.axis, input_shape))
        if size is None:
            return
        if self.groups == -1:
            self.groups = size
        if size < self.groups:
            raise fail("SF101", "Number of groups (%d) cannot be more than the number of channels (%d)."
                       % (self.groups, size))
        if size % self.groups:
            raise fail("SF101", "Number of groups (%d) must be a multiple of the number of channels (%d)."
                       % (self.groups, size))
        self.gamma = self.add_weight("gamma", shape=(size,), initializer="ones") if self.scale else None
        self.beta = self.add_weight("beta", shape=(size,), initializer="zeros") if self.center else None

    def call(self, inputs: Any) -> Any:
        return tf.identity(inputs)


@export("tf.keras.layers.UnitNormalization", v2=True)
class UnitNormalization(KerasLayer):
    """To length one: the shape stays."""

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        return tf.identity(inputs)


@export("tf.keras.layers.Rescaling", v2=True)
class Rescaling(KerasLayer):
    """inputs * scale + offset, in the layer's dtype."""

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset

    def call(self, inputs: Any) -> Any:
        dtype = _core.as_dtype(self.dtype or "float32")
        if is_keras_tensor(inputs):  # whose shape Keras believes until there is data
            return tf.cast(inputs, dtype)
        return tf.cast(inputs, dtype) * tf.cast(self.scale, dtype) + tf.cast(self.offset, dtype)


@export("tf.keras.layers.Normalization", v2=True)
class Normalization(KerasLayer):
    """By mean and variance of data that it was shown: the shape stays, as float."""

    def __init__(self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False,
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis, self.mean, self.variance, self.invert = axis, mean, variance, invert

    def build(self, input_shape: Any) -> None:
        """The mean and variance that it finds, and of how many, where none were given."""
        shape = _core.TensorShape(input_shape)
        if self.mean is not None or shape.ndims is None:
            return
        axes = () if self.axis is None else (self.axis,) if isinstance(self.axis, int) else self.axis
        words = "All `axis` values to be kept must have a known shape. Received axis=%s, inputs.shape=%s" % (
            self.axis, input_shape)
        kept = [shape.as_list()[axis] if self._adapted else self._need_dim(input_shape, axis, words)
                for axis in axes]
        if None in kept:
            return
        for name in ("mean", "variance"):
            self.add_weight(name, shape=kept, initializer="zeros", trainable=False)
        self.add_weight("count", shape=(), dtype="int32", initializer="zeros", trainable=False)

    _adapted = False  # to data of which the shape is not known here

    def adapt(self, data: Any, batch_size: Any = None, steps: Any = None) -> None:
        """Which numbers there are does not matter, only how many in a row."""
        if isinstance(data, (np.ndarray, list, tuple, _core.Tensor)):
            self._build_once(framework_lib.convert_to_tensor(data))
        else:
            self._adapted = True

    def call(self, inputs: Any) -> Any:
        inputs = framework_lib.convert_to_tensor(inputs)
        return tf.cast(tf.identity(inputs), _core.as_dtype(self.dtype or "float32"))


class _Sized(KerasLayer):
    """Pictures, or one, of `height` and `width`; of a dict those that are its `images`."""

    def __init__(self, height: int, width: int, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.height, self.width = height, width
        self.data_format = normalize_data_format(data_format)

    def call(self, inputs: Any, training: Any = None) -> Any:
        if isinstance(inputs, dict):
            return {key: self._sized(value) if key == "images" else value for key, value in inputs.items()}
        return self._sized(inputs)

    def _sized(self, image: Any) -> Any:
        image = framework_lib.convert_to_tensor(image)
        shape, dtype = image.get_shape(), self._dtype_of(image)
        if shape.ndims not in (3, 4):
            return op_builders.like_shape([image], dtype, None)
        dims = shape.as_list()
        first = shape.ndims - (3 if self.data_format == "channels_last" else 2)
        dims[first:first + 2] = [self.height, self.width]
        return op_builders.unknown(dtype, dims, None, [image], trusted=True)

    def _dtype_of(self, image: Any) -> Any:
        return self.dtype or "float32"


@export("tf.keras.layers.Resizing", v2=True)
class Resizing(_Sized):
    """tf.keras.layers.Resizing"""

    def __init__(self, height: int, width: int, interpolation: str = "bilinear",
                 crop_to_aspect_ratio: bool = False, pad_to_aspect_ratio: bool = False,
                 fill_mode: str = "constant", fill_value: float = 0.0, antialias: bool = False,
                 data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(height, width, data_format, **kwargs)

    def _dtype_of(self, image: Any) -> Any:  # data keeps its own
        return super()._dtype_of(image) if is_keras_tensor(image) else image.dtype


@export("tf.keras.layers.CenterCrop", v2=True)
class CenterCrop(_Sized):
    """tf.keras.layers.CenterCrop"""
