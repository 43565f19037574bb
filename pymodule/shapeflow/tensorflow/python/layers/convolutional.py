"""Convolutional layers of tf.layers.

Source: tensorflow/python/layers/convolutional.py, keras/layers/convolutional.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api.base_classes import Base
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import (
    InputSpec,
    Layer,
    activation_of,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
    op_format,
)
from shapeflow.tensorflow.python.ops import init_ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence

_NO_CHANNELS = "The channel dimension of the inputs should be defined. Found `None`."


class Conv(Layer):
    """What convolutions of every rank share: arguments, kernel, bias, activation."""

    rank = 2

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
                 data_format: Any = "channels_last", dilation_rate: Any = 1, activation: Any = None,
                 use_bias: bool = True, kernel_initializer: Any = None,
                 bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
                 bias_regularizer: Any = None, activity_regularizer: Any = None,
                 kernel_constraint: Any = None, bias_constraint: Any = None,
                 trainable: bool = True, name: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer,
                         **kwargs)
        rank = self.rank
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, rank, "kernel_size")
        self.strides = normalize_tuple(strides, rank, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = normalize_data_format(data_format)
        self.dilation_rate = normalize_tuple(dilation_rate, rank, "dilation_rate")
        self.activation = activation_of(activation)
        self.use_bias = use_bias
        self.kernel_initializer = init_ops.get(kernel_initializer)
        self.bias_initializer = init_ops.get(bias_initializer)
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.input_spec = InputSpec(ndim=rank + 2)

    @property
    def _channel_axis(self) -> int:
        return 1 if self.data_format == "channels_first" else -1

    @property
    def _format(self) -> str:
        return op_format(self.data_format, self.rank + 2)

    def _channels(self, input_shape: object) -> Optional[int]:
        """The depth of the input, from now on asked of every input."""
        channels = self._need_dim(input_shape, self._channel_axis, _NO_CHANNELS)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        return channels

    def _kernel(self, shape: Sequence[object], name: str = "kernel") -> Any:
        return self.add_weight(name, shape=shape, initializer=self.kernel_initializer,
                               regularizer=self.kernel_regularizer,
                               constraint=self.kernel_constraint)

    def _add_bias(self) -> None:
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.filters],
                                        initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer,
                                        constraint=self.bias_constraint)

    def build(self, input_shape: Any) -> None:
        channels = self._channels(input_shape)
        self.kernel = self._kernel(list(self.kernel_size) + [channels, self.filters])
        self._add_bias()
        self.built = True

    def _window(self, sizes: Any) -> List[int]:
        return [1] + list(sizes) + [1] if self.data_format == "channels_last" else \
            [1, 1] + list(sizes)

    def _convolve(self, inputs: object) -> Any:
        padding = self.padding.upper()
        if any(d != 1 for d in self.dilation_rate):
            return tf.nn.convolution(inputs, self.kernel, padding, self.strides,
                                     self.dilation_rate, data_format=self._format)
        if self.rank == 1:
            return tf.nn.conv1d(inputs, self.kernel, self.strides[0], padding,
                                data_format=self._format)
        if self.rank == 2:
            return tf.nn.conv2d(inputs, self.kernel, self._window(self.strides), padding,
                                data_format=self._format)
        return tf.nn.conv3d(inputs, self.kernel, self._window(self.strides), padding,
                            data_format=self._format)

    def _finish(self, outputs: object) -> Any:
        """Bias and activation."""
        if self.use_bias:
            if self.data_format == "channels_last":
                outputs = tf.nn.bias_add(outputs, self.bias)
            elif self.rank == 1:
                outputs = outputs + tf.reshape(self.bias, (1, self.filters, 1))
            elif self.rank == 2:
                outputs = tf.nn.bias_add(outputs, self.bias, data_format="NCHW")
            else:
                outputs = outputs + tf.reshape(self.bias, (1, self.filters, 1, 1, 1))
        return self.activation(outputs) if self.activation is not None else outputs

    def call(self, inputs: Any) -> Any:
        if self.padding == "causal":
            left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            pads = [[0, 0], [left, 0], [0, 0]] if self.data_format == "channels_last" else \
                [[0, 0], [0, 0], [left, 0]]
            inputs = tf.pad(inputs, pads)
        return self._finish(self._convolve(inputs))


@export("tf.layers.Conv1D")
class Conv1D(Conv):
    """tf.layers.Conv1D"""

    rank = 1

    def _convolve(self, inputs: object) -> Any:
        if self.padding != "causal":
            return super()._convolve(inputs)
        self.padding = "valid"
        try:
            return super()._convolve(inputs)
        finally:
            self.padding = "causal"


@export("tf.layers.Conv2D")
class Conv2D(Conv, Base):
    """tf.layers.Conv2D"""

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = (1, 1), *args: Any,
                 **kwargs: Any) -> None:
        super().__init__(filters, kernel_size, strides, *args, **kwargs)


@export("tf.layers.Conv3D")
class Conv3D(Conv, Base):
    """tf.layers.Conv3D"""

    rank = 3


class _ConvTranspose(Conv):
    """A transposed convolution: the shape is that of the input a convolution would have had."""

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
                 data_format: Any = "channels_last", activation: Any = None, use_bias: bool = True,
                 kernel_initializer: Any = None, bias_initializer: Any = "zeros",
                 kernel_regularizer: Any = None, bias_regularizer: Any = None,
                 activity_regularizer: Any = None, kernel_constraint: Any = None,
                 bias_constraint: Any = None, trainable: bool = True, name: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(filters, kernel_size, strides, padding, data_format, 1, activation,
                         use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
                         bias_regularizer, activity_regularizer, kernel_constraint,
                         bias_constraint, trainable, name, **kwargs)

    def build(self, input_shape: Any) -> None:
        shape = _core.TensorShape(input_shape)
        if shape.ndims is not None and shape.ndims != self.rank + 2:
            raise fail("SF102", "Inputs should have rank {rank}. Received input shape: {shape}",
                       self.rank + 2, shape)
        channels = self._channels(input_shape)
        self.kernel = self._kernel(list(self.kernel_size) + [self.filters, channels])
        self._add_bias()
        self.built = True

    def call(self, inputs: Any) -> Any:
        first = 2 if self.data_format == "channels_first" else 1
        dynamic = tf.shape(inputs)
        known = inputs.get_shape().as_list() if inputs.get_shape().ndims is not None else None
        sizes, static = [], []
        for i in range(self.rank):
            sizes.append(self._length(dynamic[first + i], i))
            dim = known[first + i] if known is not None else None
            static.append(None if dim is None else self._length(dim, i))
        batch = known[0] if known is not None else None
        if self.data_format == "channels_first":
            output_shape = [dynamic[0], self.filters] + sizes
            static = [batch, self.filters] + static
        else:
            output_shape = [dynamic[0]] + sizes + [self.filters]
            static = [batch] + static + [self.filters]
        outputs = self._transposed(inputs, output_shape, static)
        if not _core.executing_eagerly():
            outputs.set_shape(static)
        return self._finish(outputs)

    def _transposed(self, inputs: object, sizes: List[object], static: object) -> Any:
        function = tf.nn.conv2d_transpose if self.rank == 2 else tf.nn.conv3d_transpose
        return function(inputs, self.kernel, tf.stack(sizes), self._window(self.strides),
                        self.padding.upper(), data_format=self._format)

    def _length(self, size: Any, axis: int) -> Any:
        """Length of a spatial axis: an int for an int, a tensor for a tensor."""
        stride, kernel = self.strides[axis], self.kernel_size[axis]
        size = size * stride
        return size + max(kernel - stride, 0) if self.padding == "valid" else size


@export("tf.layers.Conv2DTranspose")
class Conv2DTranspose(_ConvTranspose):
    """tf.layers.Conv2DTranspose"""


@export("tf.layers.Conv3DTranspose")
class Conv3DTranspose(_ConvTranspose):
    """tf.layers.Conv3DTranspose"""

    rank = 3


class _SeparableConv(Conv):
    """Depthwise, then pointwise convolution."""

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
                 data_format: Any = "channels_last", dilation_rate: Any = 1,
                 depth_multiplier: int = 1, activation: Any = None, use_bias: bool = True,
                 depthwise_initializer: Any = None, pointwise_initializer: Any = None,
                 bias_initializer: Any = "zeros", depthwise_regularizer: Any = None,
                 pointwise_regularizer: Any = None, bias_regularizer: Any = None,
                 activity_regularizer: Any = None, depthwise_constraint: Any = None,
                 pointwise_constraint: Any = None, bias_constraint: Any = None,
                 trainable: bool = True, name: Any = None, **kwargs: Any) -> None:
        super().__init__(filters, kernel_size, strides, padding, data_format, dilation_rate,
                         activation, use_bias, None, bias_initializer, None, bias_regularizer,
                         activity_regularizer, None, bias_constraint, trainable, name, **kwargs)
        self.depth_multiplier = depth_multiplier
        self._parts = {"depthwise": (depthwise_initializer, depthwise_regularizer,
                                     depthwise_constraint),
                       "pointwise": (pointwise_initializer, pointwise_regularizer,
                                     pointwise_constraint)}

    def _part(self, part: str, shape: List[object]) -> Any:
        initializer, regularizer, constraint = self._parts[part]
        return self.add_weight(part + "_kernel", shape=shape,
                               initializer=init_ops.get(initializer), regularizer=regularizer,
                               constraint=constraint)

    def build(self, input_shape: Any) -> None:
        if getattr(self, "_built_from", None) is None and \
                _core.TensorShape(input_shape).as_list()[self._channel_axis] is None:
            raise fail("SF128", _NO_CHANNELS)
        channels = self._channels(input_shape)
        deep = None if channels is None else self.depth_multiplier * channels
        self.depthwise_kernel = self._part(
            "depthwise", list(self.kernel_size) + [channels, self.depth_multiplier])
        self.pointwise_kernel = self._part("pointwise", [1] * self.rank + [deep, self.filters])
        self._add_bias()
        self.built = True

    def call(self, inputs: Any) -> Any:
        if self.rank == 2:
            outputs = tf.nn.separable_conv2d(
                inputs, self.depthwise_kernel, self.pointwise_kernel, self._window(self.strides),
                self.padding.upper(), rate=self.dilation_rate, data_format=self._format)
            return self._finish(outputs)
        padding = self.padding
        if padding == "causal":
            left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            inputs = tf.pad(inputs, [[0, 0], [left, 0], [0, 0]] if
                            self.data_format == "channels_last" else [[0, 0], [0, 0], [left, 0]])
            padding = "valid"
        axis = 1 if self.data_format == "channels_last" else 2
        outputs = tf.nn.separable_conv2d(
            tf.expand_dims(inputs, axis), tf.expand_dims(self.depthwise_kernel, 0),
            tf.expand_dims(self.pointwise_kernel, 0), self._window(list(self.strides) * 2),
            padding.upper(), rate=(1,) + tuple(self.dilation_rate),
            data_format=op_format(self.data_format, 4))
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias, data_format=op_format(self.data_format, 4))
        outputs = tf.squeeze(outputs, [axis])
        return self.activation(outputs) if self.activation is not None else outputs


@export("tf.layers.SeparableConv1D")
class SeparableConv1D(_SeparableConv):
    """tf.layers.SeparableConv1D"""

    rank = 1


@export("tf.layers.SeparableConv2D")
class SeparableConv2D(_SeparableConv):
    """tf.layers.SeparableConv2D"""


# --- functions -------------------------------------------------------------------------------------
_CONV_ARGS = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
              "activation", "use_bias", "kernel_initializer", "bias_initializer",
              "kernel_regularizer", "bias_regularizer", "activity_regularizer",
              "kernel_constraint", "bias_constraint", "trainable", "name")
_TRANSPOSE_ARGS = tuple(a for a in _CONV_ARGS if a != "dilation_rate")
_SEPARABLE_ARGS = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
                   "depth_multiplier", "activation", "use_bias", "depthwise_initializer",
                   "pointwise_initializer", "bias_initializer", "depthwise_regularizer",
                   "pointwise_regularizer", "bias_regularizer", "activity_regularizer",
                   "depthwise_constraint", "pointwise_constraint", "bias_constraint", "trainable",
                   "name")


def _function(cls: Any, name: str, parameters: Any) -> None:
    """The function of a layer class: inputs, the class's arguments, reuse."""
    full = ("inputs",) + parameters + ("reuse",)

    def function(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(full):
            raise TypeError("%s() takes from 3 to %d positional arguments but %d were given"
                            % (name, len(full), len(args)))
        for parameter, value in zip(full, args):
            if parameter in kwargs:
                raise TypeError("%s() got multiple values for argument '%s'" % (name, parameter))
            kwargs[parameter] = value
        for parameter in kwargs:
            if parameter not in full:
                raise TypeError("%s() got an unexpected keyword argument '%s'" % (name, parameter))
        missing = [p for p in full[:3] if p not in kwargs]
        if missing:
            raise TypeError("%s() missing %d required positional argument%s: %s" % (
                name, len(missing), "s" if len(missing) > 1 else "",
                " and ".join("'%s'" % m for m in missing)))
        inputs = kwargs.pop("inputs")
        reuse = kwargs.pop("reuse", None)
        return cls(_scope=kwargs.get("name"), _reuse=reuse, **kwargs)(inputs)

    function.__name__ = name
    function.__doc__ = cls.__doc__
    put(function, "tf.layers." + name)


_function(Conv1D, "conv1d", _CONV_ARGS)
_function(Conv2D, "conv2d", _CONV_ARGS)
_function(Conv3D, "conv3d", _CONV_ARGS)
_function(Conv2DTranspose, "conv2d_transpose", _TRANSPOSE_ARGS)
_function(Conv3DTranspose, "conv3d_transpose", _TRANSPOSE_ARGS)
_function(SeparableConv1D, "separable_conv1d", _SEPARABLE_ARGS)
_function(SeparableConv2D, "separable_conv2d", _SEPARABLE_ARGS)
