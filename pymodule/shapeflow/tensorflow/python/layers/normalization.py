"""Batch normalisation and its kin, as layers and functions.

Source: tensorflow/python/layers/normalization.py, keras/layers/normalization.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import InputSpec, Layer
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.control_flow_ops import smart_cond, smart_constant_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def follow_average(variable: Any, value: Any, momentum: Any) -> Any:
    """variable -= (variable - value) * (1 - momentum)"""
    with framework_lib.name_scope("AssignMovingAvg") as scope:
        decay = tf.convert_to_tensor(1.0 - momentum, name="decay")
        if decay.dtype != variable.dtype.base_dtype:
            decay = tf.cast(decay, variable.dtype.base_dtype)
        delta = (variable - tf.cast(value, variable.dtype.base_dtype)) * decay
        return tf.assign_sub(variable, delta, name=scope)


@export("tf.layers.BatchNormalization")
class BatchNormalization(Layer):
    """(x - mean) / sqrt(variance) * gamma + beta over every axis but `axis`."""

    def __init__(self, axis: Any = -1, momentum: Any = 0.99, epsilon: float = 1e-3,
                 center: bool = True, scale: bool = True, beta_initializer: Any = "zeros",
                 gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
                 moving_variance_initializer: Any = "ones", beta_regularizer: Any = None,
                 gamma_regularizer: Any = None, beta_constraint: Any = None,
                 gamma_constraint: Any = None, renorm: bool = False, renorm_clipping: Any = None,
                 renorm_momentum: float = 0.99, fused: Optional[bool] = None,
                 trainable: bool = True, virtual_batch_size: Optional[int] = None,
                 adjustment: Any = None, name: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        if isinstance(axis, int):
            self.axis = [axis]
        elif isinstance(axis, (list, tuple)):
            self.axis = list(axis)
        else:
            raise TypeError("axis must be int or list, type given: %s" % type(axis))
        self.momentum, self.epsilon = momentum, epsilon
        self.center, self.scale = center, scale
        self.beta_initializer = init_ops.get(beta_initializer)
        self.gamma_initializer = init_ops.get(gamma_initializer)
        self.moving_mean_initializer = init_ops.get(moving_mean_initializer)
        self.moving_variance_initializer = init_ops.get(moving_variance_initializer)
        self.beta_regularizer, self.gamma_regularizer = beta_regularizer, gamma_regularizer
        self.beta_constraint, self.gamma_constraint = beta_constraint, gamma_constraint
        self.renorm, self.virtual_batch_size, self.adjustment = (renorm, virtual_batch_size,
                                                                 adjustment)
        self.renorm_momentum = renorm_momentum
        if renorm:
            unknown = set(renorm_clipping or {}) - {"rmax", "rmin", "dmax"}
            if unknown:
                raise ValueError("renorm_clipping %s contains keys not in %s"
                                 % (renorm_clipping, ["rmax", "rmin", "dmax"]))
        self._fused_wanted = fused
        self.fused = fused

    def build(self, input_shape: Any) -> None:
        shape = _core.TensorShape(input_shape)
        if shape.ndims is None:
            self._build_from_unknown()
            return
        ndims = shape.ndims
        self.axis = [a + ndims if a < 0 else a for a in self.axis]
        for axis in self.axis:
            if axis < 0 or axis >= ndims:
                raise fail("SF111", "Invalid axis: {axis}", axis)
        if len(set(self.axis)) != len(self.axis):
            raise fail("SF201", "Duplicate axis: {text}", self.axis)
        if self.virtual_batch_size is not None:
            if self.virtual_batch_size <= 0:
                raise ValueError("virtual_batch_size must be a positive integer that divides the "
                                 "true batch size of the input Tensor")
            if 0 in self.axis:
                raise ValueError("When using virtual_batch_size, the batch dimension must be 0 and "
                                 "thus axis cannot include 0")
        # As TensorFlow: the fused kernel wherever it can be used, unless refused.
        self.fused = (self._fused_wanted in (None, True) and ndims == 4
                      and self.axis in ([1], [3]) and not self.renorm and self.adjustment is None
                      and self.virtual_batch_size is None)
        dims = {a: self._need_dim(shape, a, "Input has undefined `axis` dimension. Input shape: ",
                                  shape) for a in self.axis}
        self.input_spec = InputSpec(ndim=ndims, axes=dims)
        if len(dims) == 1 and self.virtual_batch_size is None:
            parameters = [dims[self.axis[0]]]
        else:
            parameters = [dims.get(i, 1) for i in range(ndims)]
            if self.virtual_batch_size is not None:
                parameters.insert(1, 1)
                self.axis = [a + 1 for a in self.axis]
        self._make_weights(parameters)
        self.built = True

    def _build_from_unknown(self) -> None:
        """The input's rank is not known."""
        from shapeflow.tensorflow.python.layers.base import from_unmodelled

        if not from_unmodelled(self._built_from):
            raise fail("SF102", "Input has undefined rank:",
                       error=lambda text: ValueError(text, _core.TensorShape(None)))
        self.fused = False
        self._make_weights([None])

    def _make_weights(self, shape: object) -> None:
        dtype = self._dtype or _core.as_dtype("float32")
        if dtype.name in ("float16", "bfloat16"):
            dtype = _core.as_dtype("float32")
        self._param_dtype = dtype

        def weight(name: str, initializer: object, regularizer: object = None, constraint: object = None,
                   trainable: bool = True, dims: object = shape) -> Any:
            return self.add_weight(name, shape=dims, dtype=dtype, initializer=initializer,
                                   regularizer=regularizer, constraint=constraint,
                                   trainable=trainable)

        self.gamma = weight("gamma", self.gamma_initializer, self.gamma_regularizer,
                            self.gamma_constraint) if self.scale else None
        self.beta = weight("beta", self.beta_initializer, self.beta_regularizer,
                           self.beta_constraint) if self.center else None
        if self.fused:
            self._gamma_const = self.gamma if self.scale else tf.constant(1.0, dtype, shape)
            self._beta_const = self.beta if self.center else tf.constant(0.0, dtype, shape)
        self.moving_mean = weight("moving_mean", self.moving_mean_initializer, trainable=False)
        self.moving_variance = weight("moving_variance", self.moving_variance_initializer,
                                      trainable=False)
        if self.renorm:
            self.moving_stddev = weight("moving_stddev", self.moving_variance_initializer,
                                        trainable=False)
            self.renorm_mean = weight("renorm_mean", self.moving_mean_initializer, trainable=False)
            self.renorm_stddev = weight("renorm_stddev", self.moving_variance_initializer,
                                        trainable=False)

    def _fused_batch_norm(self, inputs: object, training: object, known: Optional[bool]) -> Any:
        data_format = "NCHW" if self.axis == [1] else "NHWC"

        def in_training() -> Any:
            return tf.nn.fused_batch_norm(inputs, self._gamma_const, self._beta_const,
                                          epsilon=self.epsilon, data_format=data_format)

        def in_inference() -> Any:
            return tf.nn.fused_batch_norm(
                inputs, self._gamma_const, self._beta_const, mean=self.moving_mean,
                variance=self.moving_variance, epsilon=self.epsilon, is_training=False,
                data_format=data_format)

        outputs, mean, variance = smart_cond(training, in_training, in_inference)
        if known or known is None:
            momentum = self.momentum if known else smart_cond(
                training, lambda: tf.constant(self.momentum), lambda: tf.constant(1.0))
            self.add_update(lambda: follow_average(self.moving_mean, mean, momentum))
            self.add_update(
                lambda: follow_average(self.moving_variance, variance, momentum))
        return outputs

    def call(self, inputs: Any, training: Any = False) -> Any:
        known = smart_constant_value(training)
        if self.virtual_batch_size is not None:
            dims = [-1] + inputs.get_shape().as_list()[1:]
            grouped = tf.reshape(inputs, [self.virtual_batch_size, -1] + dims[1:])
            return tf.reshape(self._normalized(grouped, training, known), dims)
        if self.fused:
            return self._fused_batch_norm(inputs, training, known)
        return self._normalized(inputs, training, known)

    def _normalized(self, inputs: Any, training: object, known: Optional[bool]) -> Any:
        shape = inputs.get_shape()
        if shape.ndims is None:
            return tf.identity(inputs)
        ndims = shape.ndims
        axes = [i for i in range(ndims) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del axes[1]
        spread = [1] * ndims
        spread[self.axis[0]] = shape.as_list()[self.axis[0]] or -1

        def broadcast(v: Any) -> Any:
            if v is None or len(self.axis) > 1 or v.get_shape().ndims == ndims or \
                    axes == list(range(ndims - 1)):
                return v
            return tf.reshape(v, spread)

        if known is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            keep = self.virtual_batch_size is not None or len(self.axis) > 1
            batch_mean, batch_variance = tf.nn.moments(tf.cast(inputs, self._param_dtype), axes,
                                                       keep_dims=keep)
            mean = smart_cond(training, lambda: batch_mean,
                              lambda: tf.convert_to_tensor(self.moving_mean))
            variance = smart_cond(training, lambda: batch_variance,
                                  lambda: tf.convert_to_tensor(self.moving_variance))
            new = [mean, variance]
            if self.virtual_batch_size is not None:
                new = [tf.reduce_mean(v, axis=1, keepdims=True) for v in new]
            self._follow(self.moving_mean, new[0], training)
            self._follow(self.moving_variance, new[1], training)
            if self.renorm:
                self._follow(self.renorm_mean, new[0], training)
                self._follow(self.renorm_stddev, tf.sqrt(new[1] + self.epsilon), training)
        parts = [broadcast(v) for v in (mean, variance, self.beta, self.gamma)]
        parts = [v if v is None else tf.cast(v, inputs.dtype.base_dtype) for v in parts]
        outputs = tf.nn.batch_normalization(inputs, parts[0], parts[1], parts[2], parts[3],
                                            self.epsilon)
        if not _core.executing_eagerly():
            outputs.set_shape(shape)
        return outputs

    def _follow(self, variable: object, value: object, training: object) -> None:
        """An update of a moving average, when training."""
        self.add_update(lambda: smart_cond(
            training, lambda: follow_average(variable, value, self.momentum),
            lambda: tf.convert_to_tensor(variable)))

    def compute_output_shape(self, input_shape: object) -> Any:
        return input_shape


@export("tf.layers.batch_normalization")
def batch_normalization(inputs: object, axis: object = -1, momentum: object = 0.99, epsilon: float = 1e-3,
                        center: bool = True, scale: bool = True, beta_initializer: object = "zeros",
                        gamma_initializer: object = "ones", moving_mean_initializer: object = "zeros",
                        moving_variance_initializer: object = "ones", beta_regularizer: object = None,
                        gamma_regularizer: object = None, beta_constraint: object = None,
                        gamma_constraint: object = None, training: bool = False,
                        trainable: bool = True, name: Optional[str] = None, reuse: object = None,
                        renorm: bool = False, renorm_clipping: object = None,
                        renorm_momentum: float = 0.99, fused: Optional[bool] = None,
                        virtual_batch_size: Optional[int] = None, adjustment: object = None) -> Any:
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer,
        moving_mean_initializer, moving_variance_initializer, beta_regularizer, gamma_regularizer,
        beta_constraint, gamma_constraint, renorm, renorm_clipping, renorm_momentum, fused,
        trainable, virtual_batch_size, adjustment, name, _reuse=reuse, _scope=name)
    return layer(inputs, training=training)
