"""tf.keras.layers: core layers, merges, poolings, paddings, normalisation, activations.

Source: tensorflow/python/keras/layers/{core,merge,pooling,convolutional,normalization,embeddings,
advanced_activations,noise}.py (1.15).
"""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Optional

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers import base, convolutional, core
from shapeflow.tensorflow.python.layers.base import InputSpec, normalize_data_format, normalize_tuple
from shapeflow.tensorflow.python.util import nest


def activation_of(identifier: Any) -> Any:
    """A callable, an activation layer, or what a name stands for."""
    if isinstance(identifier, str) and identifier in _ACTIVATIONS:
        return _ACTIVATIONS[identifier]
    return base.activation_of(identifier)


def _linear(x: Any) -> Any:
    return x


def _hard_sigmoid(x: Any) -> Any:
    return tf.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0)


def _softmax(x: Any, axis: int = -1) -> Any:
    x = framework_lib.convert_to_tensor(x)
    return tf.nn.softmax(x, axis) if x.get_shape().ndims != 1 else x


def _gelu(x: Any, approximate: bool = False) -> Any:
    return x * tf.nn.sigmoid(1.702 * x)


_ACTIVATIONS: Dict[str, Any] = {
    "linear": _linear, "hard_sigmoid": _hard_sigmoid, "softmax": _softmax, "gelu": _gelu,
    "exponential": lambda x: tf.exp(x), "swish": lambda x: x * tf.nn.sigmoid(x),
    "silu": lambda x: x * tf.nn.sigmoid(x), "mish": lambda x: x * tf.tanh(tf.nn.softplus(x)),
    "tanh": lambda x: tf.tanh(x), "sigmoid": lambda x: tf.nn.sigmoid(x),
    "relu": lambda x, *a, **k: tf.nn.relu(x), "elu": lambda x, alpha=1.0: tf.nn.elu(x),
    "selu": lambda x: tf.nn.selu(x), "softplus": lambda x: tf.nn.softplus(x),
    "softsign": lambda x: tf.nn.softsign(x),
    "leaky_relu": lambda x, negative_slope=0.2: tf.nn.leaky_relu(x, negative_slope),
}
for _name, _function in _ACTIVATIONS.items():
    put(_function, "tf.keras.activations." + _name)
put(activation_of, "tf.keras.activations.get")


def _twin(name: str, base: Any, *more: str, **attrs: Any) -> type:
    """A keras layer that computes as its tf.layers twin does."""
    @functools.wraps(base.__init__)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        args = tuple(activation_of(a) if isinstance(a, str) and a in _ACTIVATIONS else a for a in args)
        if isinstance(kwargs.get("activation"), str):
            kwargs["activation"] = activation_of(kwargs["activation"])
        base.__init__(self, *args, **kwargs)

    cls = type(name, (base, KerasLayer), dict({
        "__init__": __init__, "__doc__": "tf.keras.layers." + name, "__module__": __name__}, **attrs))
    put(cls, *["tf.keras.layers." + n for n in (name,) + more])
    return cls


def _group_kernel(self: Any, input_shape: Any) -> None:
    channels = self._channels(input_shape)
    groups = self.__dict__.get("groups", 1)
    if groups != 1 and channels is not None:
        if channels % groups:
            raise fail("SF101", "The number of input channels must be evenly divisible by the number of "
                       "groups. Received groups={int}, but the input has {dim} channels (full input shape is "
                       "{shape}).", groups, channels, input_shape)
        channels //= groups
    self.kernel = self._kernel(list(self.kernel_size) + [channels, self.filters])
    self._add_bias()


def _conv_init(base: Any) -> Any:
    @functools.wraps(base.__init__)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        groups = kwargs.pop("groups", 1)
        if isinstance(kwargs.get("activation"), str):
            kwargs["activation"] = activation_of(kwargs["activation"])
        base.__init__(self, *args, **kwargs)
        self.groups = groups

    return __init__


Dense = _twin("Dense", core.Dense)
Conv1D = _twin("Conv1D", convolutional.Conv1D, "Convolution1D", __init__=_conv_init(convolutional.Conv1D),
               build=_group_kernel)
Conv2D = _twin("Conv2D", convolutional.Conv2D, "Convolution2D", __init__=_conv_init(convolutional.Conv2D),
               build=_group_kernel)
Conv3D = _twin("Conv3D", convolutional.Conv3D, "Convolution3D", __init__=_conv_init(convolutional.Conv3D),
               build=_group_kernel)
for _name in ("SeparableConv1D", "SeparableConv2D"):
    _twin(_name, getattr(convolutional, _name), _name.replace("Conv", "Convolution"))


@export("tf.keras.layers.DepthwiseConv2D")
class DepthwiseConv2D(KerasLayer):
    """A filter of its own for each channel."""

    def __init__(self, kernel_size: Any, strides: Any = (1, 1), padding: Any = "valid",
                 depth_multiplier: int = 1, data_format: Any = None, dilation_rate: Any = (1, 1),
                 activation: Any = None, use_bias: bool = True, **kwargs: Any) -> None:
        self._own = {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(("depthwise_", "bias_"))}
        super().__init__(**kwargs)
        self.kernel_size = normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = normalize_tuple(strides, 2, "strides")
        self.dilation_rate = normalize_tuple(dilation_rate, 2, "dilation_rate")
        self.padding, self.depth_multiplier, self.use_bias = padding.upper(), depth_multiplier, use_bias
        self.data_format = normalize_data_format(data_format)
        self.activation = activation_of(activation)
        self.input_spec = InputSpec(ndim=4)

    def build(self, input_shape: Any) -> None:
        axis = 3 if self.data_format == "channels_last" else 1
        channels = self._need_dim(input_shape, axis, "The channel dimension of the inputs to "
                                  "`DepthwiseConv2D` should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=4, axes={axis: channels})
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", shape=list(self.kernel_size) + [channels, self.depth_multiplier])
        self.bias = self.add_weight("bias", shape=[None if channels is None else
                                                   channels * self.depth_multiplier],
                                    initializer="zeros") if self.use_bias else None

    def call(self, inputs: Any) -> Any:
        last = self.data_format == "channels_last"
        steps = [1, *self.strides, 1] if last else [1, 1, *self.strides]
        outputs = tf.nn.depthwise_conv2d(inputs, self.depthwise_kernel, steps, self.padding,
                                         rate=list(self.dilation_rate),
                                         data_format="NHWC" if last else "NCHW")
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias, data_format="NHWC" if last else "NCHW")
        return self.activation(outputs) if self.activation is not None else outputs


@export("tf.keras.layers.Dropout", "tf.keras.layers.AlphaDropout", "tf.keras.layers.GaussianDropout",
        "tf.keras.layers.GaussianNoise", "tf.keras.layers.SpatialDropout1D",
        "tf.keras.layers.SpatialDropout2D", "tf.keras.layers.SpatialDropout3D",
        "tf.keras.layers.ActivityRegularization")
class Dropout(KerasLayer):
    """Noise of some kind: the shape stays."""

    def __init__(self, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None,
                 **kwargs: Any) -> None:
        for key in ("stddev", "data_format", "l1", "l2"):
            kwargs.pop(key, None)
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs: Any, training: Any = None) -> Any:
        return tf.identity(inputs)


@export("tf.keras.layers.Flatten")
class Flatten(KerasLayer):
    """[batch, a, b...] -> [batch, a*b*...]"""

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        shape = inputs.get_shape()
        if shape.ndims is None:
            return op_builders.like_shape([inputs], inputs.dtype, [None, None])
        dims = shape.as_list()
        if len(dims) == 1:
            return tf.expand_dims(inputs, -1)
        if None not in dims[1:]:
            size = 1
            for d in dims[1:]:
                size *= d
            return tf.reshape(inputs, (-1, size) if size else (dims[0] or 0, size))
        outputs = tf.reshape(inputs, (dims[0] if dims[0] is not None else tf.shape(inputs)[0], -1))
        return outputs


@export("tf.keras.layers.Activation")
class Activation(KerasLayer):
    """One activation."""

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activation_of(activation)

    def call(self, inputs: Any) -> Any:
        return self.activation(inputs) if self.activation is not None else inputs


def _advanced(name: str, function: Any) -> None:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        own = {k: kwargs.pop(k) for k in list(kwargs) if k not in (
            "name", "input_shape", "trainable", "dtype", "batch_input_shape", "input_dim")}
        KerasLayer.__init__(self, **kwargs)
        self._own = own

    cls = type(name, (KerasLayer,), {"__init__": __init__, "__module__": __name__,
                                     "call": lambda self, inputs: function(inputs)})
    put(cls, "tf.keras.layers." + name)


_advanced("LeakyReLU", lambda x: tf.nn.leaky_relu(x))
_advanced("ReLU", lambda x: tf.nn.relu(x))
_advanced("ELU", lambda x: tf.nn.elu(x))
_advanced("ThresholdedReLU", lambda x: tf.nn.relu(x))
_advanced("Softmax", lambda x: _softmax(x))


@export("tf.keras.layers.PReLU")
class PReLU(KerasLayer):
    """relu with a slope that is learned."""

    def __init__(self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None,
                 alpha_constraint: Any = None, shared_axes: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes or []

    def build(self, input_shape: Any) -> None:
        shape = _core.TensorShape(input_shape)
        self.alpha: Any = None
        if shape.ndims is None:
            return
        dims = shape.as_list()[1:]
        for axis in self.shared_axes:
            dims[axis - 1] = 1
        self.alpha = self.add_weight("alpha", shape=dims, initializer="zeros")

    def call(self, inputs: Any) -> Any:
        if self.alpha is None:
            return tf.nn.relu(inputs)
        return tf.nn.relu(inputs) - self.alpha * tf.nn.relu(-inputs)


@export("tf.keras.layers.Reshape")
class Reshape(KerasLayer):
    """[batch, ...] -> [batch] + target_shape."""

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def _output(self, dims: List[Optional[int]]) -> List[Optional[int]]:
        if None in dims:
            return [None if d == -1 else d for d in self.target_shape]
        have, want = 1, 1
        for d in dims:
            have *= d or 0
        for d in self.target_shape:
            want *= 1 if d == -1 else d
        holes = self.target_shape.count(-1)
        if holes > 1:
            raise ValueError("Can only specify one unknown dimension.")
        if holes and (want == 0 or have % want) or not holes and have != want:
            raise fail("SF104", "total size of new array must be unchanged")
        return [have // want if d == -1 else d for d in self.target_shape]

    def call(self, inputs: Any) -> Any:
        shape = inputs.get_shape()
        if shape.ndims is None:
            return op_builders.like_shape([inputs], inputs.dtype, (None,) + tuple(
                None if d == -1 else d for d in self.target_shape))
        dims = shape.as_list()
        with about(("inputs", inputs)):
            rest = self._output(dims[1:])
        if None not in rest and 0 not in rest:
            return tf.reshape(inputs, [-1] + rest)
        return tf.reshape(inputs, tf.stack(
            [tf.shape(inputs)[0]] + [-1 if d is None else d for d in self.target_shape]))


@export("tf.keras.layers.Permute")
class Permute(KerasLayer):
    """Axes in another order; the batch stays first."""

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        return tf.transpose(inputs, (0,) + self.dims)


@export("tf.keras.layers.RepeatVector")
class RepeatVector(KerasLayer):
    """[batch, n] -> [batch, times, n]"""

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        return tf.tile(tf.expand_dims(inputs, 1), [1, self.n, 1])


@export("tf.keras.layers.Lambda")
class Lambda(KerasLayer):
    """The user's function as a layer."""

    def __init__(self, function: Any, output_shape: Any = None, mask: Any = None, arguments: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}

    def _takes(self, name: str) -> bool:
        import inspect

        try:
            return name in inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return False

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        outputs = self.function(inputs, **dict(self.arguments, **kwargs))
        return nest.map_structure(framework_lib.convert_to_tensor, outputs)


@export("tf.keras.layers.Masking")
class Masking(KerasLayer):
    """Steps of a certain value are skipped later: the shape stays."""

    def __init__(self, mask_value: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def call(self, inputs: Any) -> Any:
        return tf.identity(inputs)


@export("tf.keras.layers.Embedding")
class Embedding(KerasLayer):
    """Rows of a matrix by number."""

    def __init__(self, input_dim: Any, output_dim: Any, embeddings_initializer: Any = "uniform",
                 embeddings_regularizer: Any = None, activity_regularizer: Any = None,
                 embeddings_constraint: Any = None, mask_zero: bool = False, input_length: Any = None,
                 weights: Any = None, **kwargs: Any) -> None:
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            kwargs["input_shape"] = tuple(input_length) if isinstance(
                input_length, (list, tuple)) else (input_length,)
        super().__init__(**kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self._regularizer = embeddings_regularizer
        self._initializer = embeddings_initializer
        self._start = weights

    def build(self, input_shape: Any) -> None:
        self.embeddings = self.add_weight("embeddings", shape=(self.input_dim, self.output_dim),
                                          initializer=self._initializer, regularizer=self._regularizer)
        self.built = True
        if self._start is not None:
            self.set_weights(self._start if isinstance(self._start, (list, tuple)) else [self._start])

    def call(self, inputs: Any) -> Any:
        if inputs.dtype.name not in ("int32", "int64"):
            inputs = tf.cast(inputs, _core.as_dtype("int32"))
        return tf.gather(self.embeddings, inputs)


@export("tf.keras.layers.BatchNormalization")
class BatchNormalization(KerasLayer):
    """Over every axis but `axis`: the shape stays."""

    def __init__(self, axis: Any = -1, momentum: Any = 0.99, epsilon: float = 1e-3, center: bool = True,
                 scale: bool = True, **kwargs: Any) -> None:
        own = ("beta_", "gamma_", "moving_", "renorm", "fused", "virtual_batch_size", "adjustment",
               "synchronized")
        self._own = {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(own)}
        super().__init__(**kwargs)
        self.axis, self.center, self.scale = axis, center, scale

    def build(self, input_shape: Any) -> None:
        axis = self.axis[0] if isinstance(self.axis, (list, tuple)) else self.axis
        shape = _core.TensorShape(input_shape)
        if shape.ndims is None:
            size: Any = None
        else:
            if not -shape.ndims <= axis < shape.ndims:
                raise fail("SF111", "Invalid axis: {axis}", axis + shape.ndims if axis < 0 else axis)
            size = self._need_dim(input_shape, axis, "Axis %d of input tensor should have a defined "
                                  "dimension but the layer received an input with shape %s."
                                  % (axis, input_shape))
            self.input_spec = InputSpec(ndim=shape.ndims, axes={axis: size})
        if self.scale:
            self.gamma = self.add_weight("gamma", shape=(size,), initializer="ones")
        if self.center:
            self.beta = self.add_weight("beta", shape=(size,), initializer="zeros")
        self.moving_mean = self.add_weight("moving_mean", shape=(size,), initializer="zeros",
                                           trainable=False)
        self.moving_variance = self.add_weight("moving_variance", shape=(size,), initializer="ones",
                                               trainable=False)

    def call(self, inputs: Any, training: Any = None) -> Any:
        ndims = inputs.get_shape().ndims
        if ndims is None:
            return tf.identity(inputs)
        axis = self.axis[0] if isinstance(self.axis, (list, tuple)) else self.axis
        wide = [1] * ndims
        wide[axis] = -1

        def spread(variable: Any) -> Any:
            value = tf.cast(variable, inputs.dtype)
            return value if axis in (-1, ndims - 1) else tf.reshape(value, wide)

        outputs = inputs - spread(self.moving_mean)
        if self.scale:
            outputs = outputs * spread(self.gamma)
        return outputs + spread(self.beta) if self.center else outputs


@export("tf.keras.layers.LayerNormalization")
class LayerNormalization(KerasLayer):
    """Over the axes `axis` of each example: the shape stays."""

    def __init__(self, axis: Any = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
                 **kwargs: Any) -> None:
        self._own = {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(("beta_", "gamma_"))}
        super().__init__(**kwargs)
        self.axis, self.center, self.scale = axis, center, scale

    def build(self, input_shape: Any) -> None:
        axes = list(self.axis) if isinstance(self.axis, (list, tuple)) else [self.axis]
        shape = _core.TensorShape(input_shape)
        sizes = [None if shape.ndims is None else shape.as_list()[a] for a in axes]
        self.gamma = self.add_weight("gamma", shape=sizes, initializer="ones") if self.scale else None
        self.beta = self.add_weight("beta", shape=sizes, initializer="zeros") if self.center else None

    def call(self, inputs: Any) -> Any:
        if self.axis not in (-1, [-1], (-1,)) or inputs.get_shape().ndims is None:
            return tf.identity(inputs)
        outputs = inputs * tf.cast(self.gamma, inputs.dtype) if self.scale else inputs
        return outputs + tf.cast(self.beta, inputs.dtype) if self.center else tf.identity(outputs)


# --- poolings, paddings ---------------------------------------------------------------------------
def _pooling(rank: int, kind: str, name: str, *more: str) -> None:
    def __init__(self: Any, pool_size: Any = 2, strides: Any = None, padding: str = "valid",
                 data_format: Any = None, **kwargs: Any) -> None:
        core._Pooling.__init__(self, pool_size, strides, padding, data_format or "channels_last",
                                 **kwargs)

    _twin("%sPooling%dD" % (name, rank), core._Pooling, *more, rank=rank, kind=kind, __init__=__init__)


def _global_pooling(rank: int, kind: str, name: str, *more: str) -> None:
    def __init__(self: Any, data_format: Any = None, keepdims: bool = False, **kwargs: Any) -> None:
        KerasLayer.__init__(self, **kwargs)
        self.data_format = normalize_data_format(data_format)
        self.keepdims = keepdims
        self.input_spec = InputSpec(ndim=rank + 2)

    def call(self: Any, inputs: Any, mask: Any = None) -> Any:
        first = 1 if self.data_format == "channels_last" else 2
        reduce = tf.reduce_max if kind == "max" else tf.reduce_mean
        return reduce(inputs, axis=list(range(first, first + rank)), keepdims=self.keepdims)

    cls = type("Global%sPooling%dD" % (name, rank), (KerasLayer,), {
        "__init__": __init__, "call": call, "__module__": __name__})
    put(cls, *["tf.keras.layers." + n for n in (cls.__name__,) + more])


for _rank in (1, 2, 3):
    _pooling(_rank, "max", "Max", "MaxPool%dD" % _rank)
    _pooling(_rank, "avg", "Average", "AvgPool%dD" % _rank)
    _global_pooling(_rank, "max", "Max", "GlobalMaxPool%dD" % _rank)
    _global_pooling(_rank, "avg", "Average", "GlobalAvgPool%dD" % _rank)


def _pairs(value: Any, rank: int) -> List[List[int]]:
    """padding=1, (1, 2) or ((1, 1), (2, 2)) as a pair for each axis."""
    if isinstance(value, int):
        return [[value, value]] * rank
    if rank == 1:
        return [list(value)]
    return [[v, v] if isinstance(v, int) else list(v) for v in value]


class _Padding(KerasLayer):
    rank = 2

    def __init__(self, padding: Any = 1, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalize_data_format(data_format)
        self.padding = _pairs(kwargs.get("cropping", padding), self.rank)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _first(self) -> int:
        return 1 if self.data_format == "channels_last" else 2

    def call(self, inputs: Any) -> Any:
        pads = [[0, 0]] * (self.rank + 2)
        pads[self._first():self._first() + self.rank] = self.padding
        return tf.pad(inputs, pads)


class _Cropping(_Padding):
    def __init__(self, cropping: Any = 0, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(cropping, data_format, **kwargs)

    def call(self, inputs: Any) -> Any:
        index: List[Any] = [slice(None)] * (self.rank + 2)
        dims = inputs.get_shape().as_list()
        for i, (before, after) in enumerate(self.padding):
            size = dims[self._first() + i]
            if size is not None and before + after >= size:
                raise fail("SF122", "cropping {text} is larger than the input {shape}", self.padding, dims)
            index[self._first() + i] = slice(before, -after if after else None)
        return inputs[tuple(index)]


class _UpSampling(KerasLayer):
    rank = 2

    def __init__(self, size: Any = 2, data_format: Any = None, interpolation: str = "nearest",
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalize_data_format(data_format)
        self.size = normalize_tuple(size, self.rank, "size")
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Any) -> Any:
        first = 1 if self.data_format == "channels_last" else 2
        for i, size in enumerate(self.size):  # as many copies, in whatever order: the same shape
            multiples = [1] * (self.rank + 2)
            multiples[first + i] = size
            inputs = tf.tile(inputs, multiples)
        return inputs


for _rank in (1, 2, 3):
    for _base, _word in ((_Padding, "ZeroPadding"), (_Cropping, "Cropping"), (_UpSampling, "UpSampling")):
        put(type("%s%dD" % (_word, _rank), (_base,), {"rank": _rank, "__module__": __name__}),
            "tf.keras.layers.%s%dD" % (_word, _rank))
