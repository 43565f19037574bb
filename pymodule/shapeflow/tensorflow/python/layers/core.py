"""tf.layers: the layer classes and their functions (core layers and poolings).

Source: tensorflow/python/layers/{core,pooling}.py, keras/layers/{core,pooling}.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import op_builders
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
from shapeflow.tensorflow.python.ops.control_flow_ops import smart_cond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


@export("tf.layers.Dense")
class Dense(Layer):
    """activation(inputs . kernel + bias), over the last axis."""

    def __init__(self, units: Any, activation: Any = None, use_bias: bool = True,
                 kernel_initializer: Any = None, bias_initializer: Any = "zeros",
                 kernel_regularizer: Any = None, bias_regularizer: Any = None,
                 activity_regularizer: Any = None, kernel_constraint: Any = None,
                 bias_constraint: Any = None, trainable: bool = True, name: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer,
                         **kwargs)
        if names.emulated() >= (2, 16) and (not isinstance(units, int) or units <= 0):
            raise fail("SF201", "Received an invalid value for `units`, expected a positive integer. "
                       "Received: units={text}", units)
        self.units = int(units) if not isinstance(units, int) else units
        self.activation = activation_of(activation)
        self.use_bias = use_bias
        self.kernel_initializer = init_ops.get(kernel_initializer)
        self.bias_initializer = init_ops.get(bias_initializer)
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        if self._dtype is not None and not (self._dtype.is_floating or self._dtype.is_complex) \
                and names.emulated() >= (1, 13):
            raise fail("SF202", "Unable to build `Dense` layer with non-floating point dtype {dtype}",
                       self._dtype, error=TypeError)
        last = self._need_dim(input_shape, -1, "The last dimension of the inputs to `Dense` should "
                              "be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: last})
        self.kernel = self.add_weight("kernel", shape=[last, self.units],
                                      initializer=self.kernel_initializer,
                                      regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.units],
                                        initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer,
                                        constraint=self.bias_constraint)
        self.built = True

    def call(self, inputs: Any) -> Any:
        rank = inputs.get_shape().ndims
        if rank is None:
            outputs = op_builders.like_shape([inputs, self.kernel], inputs.dtype, None)
        elif rank > 2:
            outputs = tf.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            if not _core.executing_eagerly():
                outputs.set_shape(inputs.get_shape().as_list()[:-1] + [self.units])
        else:
            outputs = tf.matmul(inputs, self.kernel)
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias)
        return self.activation(outputs) if self.activation is not None else outputs

    def compute_output_shape(self, input_shape: object) -> _core.TensorShape:
        dims = _core.TensorShape(input_shape).with_rank_at_least(2).as_list()
        if dims[-1] is None:
            raise ValueError("The innermost dimension of input_shape must be defined, but saw: %s"
                             % (input_shape,))
        return _core.TensorShape(dims[:-1] + [self.units])


@export("tf.layers.dense")
def dense(inputs: Any, units: Any, activation: Any = None, use_bias: bool = True,
          kernel_initializer: Any = None, bias_initializer: Any = "zeros",
          kernel_regularizer: Any = None, bias_regularizer: Any = None,
          activity_regularizer: Any = None, kernel_constraint: Any = None,
          bias_constraint: Any = None, trainable: bool = True, name: Optional[str] = None,
          reuse: Any = None) -> Any:
    return Dense(units, activation, use_bias, kernel_initializer, bias_initializer,
                 kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
                 bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


@export("tf.layers.Dropout")
class Dropout(Layer):
    """Dropout when training: the shape stays."""

    def __init__(self, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None,
                 name: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Any, training: Any = False) -> Any:
        def dropped() -> Any:
            return tf.nn.dropout(inputs, 1 - self.rate, noise_shape=self.noise_shape,
                                 seed=self.seed)

        return smart_cond(training, dropped, lambda: tf.identity(inputs))

    def compute_output_shape(self, input_shape: object) -> Any:
        return input_shape


@export("tf.layers.dropout")
def dropout(inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None,
            training: object = False, name: Optional[str] = None) -> Any:
    return Dropout(rate, noise_shape, seed, name=name)(inputs, training=training)


@export("tf.layers.Flatten")
class Flatten(Layer):
    """[batch, a, b...] -> [batch, a*b*...]."""

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = normalize_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1 if names.emulated() >= (1, 14) else 2)

    def call(self, inputs: Any) -> Any:
        shape = inputs.get_shape()
        if self.data_format == "channels_first" and shape.ndims is not None and shape.ndims > 2:
            inputs = tf.transpose(inputs, [0] + list(range(2, shape.ndims)) + [1])
        if shape.ndims is None:
            return tf.reshape(inputs, (tf.shape(inputs)[0], -1))
        outputs = tf.reshape(inputs, (shape.as_list()[0] or tf.shape(inputs)[0], -1))
        if not _core.executing_eagerly():
            outputs.set_shape(self.compute_output_shape(shape))
        return outputs

    def compute_output_shape(self, input_shape: object) -> _core.TensorShape:
        dims = _core.TensorShape(input_shape).as_list()
        rest: Any = 1
        for dim in dims[1:]:
            rest = None if rest is None or dim is None else rest * dim
        return _core.TensorShape([dims[0], rest])


@export("tf.layers.flatten")
def flatten(inputs: Any, name: Optional[str] = None, data_format: str = "channels_last") -> Any:
    return Flatten(data_format=data_format, name=name)(inputs)


# --- pooling ---------------------------------------------------------------------------------------
class _Pooling(Layer):
    """max or average over windows; `rank` spatial axes."""

    rank, kind = 2, "max"

    def __init__(self, pool_size: Any, strides: Any, padding: str = "valid",
                 data_format: str = "channels_last", name: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)
        strides = pool_size if strides is None else strides
        self.pool_size = normalize_tuple(pool_size, self.rank, "pool_size")
        self.strides = normalize_tuple(strides, self.rank, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = normalize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _window(self, sizes: Any) -> Any:
        sizes = list(sizes)
        return [1] + sizes + [1] if self.data_format == "channels_last" else [1, 1] + sizes

    def call(self, inputs: Any) -> Any:
        pool = getattr(tf.nn, {"max": "max_pool", "avg": "avg_pool"}[self.kind]
                       + ("3d" if self.rank == 3 else ""))
        if self.rank > 1:
            return pool(inputs, self._window(self.pool_size), self._window(self.strides),
                        self.padding.upper(), data_format=op_format(self.data_format, self.rank + 2))
        # One dimension: pooled as an image of width 1.
        axis = 2 if self.data_format == "channels_last" else 3
        image = tf.expand_dims(inputs, axis)
        self_format = self.data_format
        window, steps = list(self.pool_size) + [1], list(self.strides) + [1]
        outputs = pool(image, self._window(window), self._window(steps), self.padding.upper(),
                       data_format=op_format(self_format, 4))
        return tf.squeeze(outputs, [axis])


def _pooling(rank: int, kind: str, class_name: str, function_name: str) -> None:
    cls = type(class_name, (_Pooling,), {
        "rank": rank, "kind": kind, "__doc__": "tf.layers.%s" % class_name})
    export("tf.layers." + class_name)(cls)

    def function(inputs: Any, pool_size: Any, strides: Any, padding: str = "valid",
                 data_format: str = "channels_last", name: Optional[str] = None) -> Any:
        return cls(pool_size, strides, padding, data_format, name)(inputs)

    function.__name__ = function_name
    export("tf.layers." + function_name)(function)


for _rank in (1, 2, 3):
    _pooling(_rank, "max", "MaxPooling%dD" % _rank, "max_pooling%dd" % _rank)
    _pooling(_rank, "avg", "AveragePooling%dD" % _rank, "average_pooling%dd" % _rank)
