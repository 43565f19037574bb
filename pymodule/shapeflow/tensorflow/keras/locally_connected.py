"""LocallyConnected1D and LocallyConnected2D of TensorFlow 1's Keras: convolutions whose weights each place of
the output has for itself.

Of the three implementations that a program may choose, the weights have the shape that TensorFlow gives them;
the output is computed from patches of the input. Source: tensorflow/python/keras/layers/local.py (1.15).
"""
from __future__ import annotations

from typing import Any, Sequence, Tuple

from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.keras.layers import activation_of
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import (
    InputSpec,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
)


class _LocallyConnected(KerasLayer):
    rank = 2
    what = "LocallyConnected2D"

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = 1, padding: str = "valid",
                 data_format: Any = None, activation: Any = None, use_bias: bool = True,
                 kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
                 kernel_regularizer: Any = None, bias_regularizer: Any = None,
                 activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
                 implementation: int = 1, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, self.rank, "kernel_size")
        self.strides = normalize_tuple(strides, self.rank, "strides")
        self.padding = normalize_padding(padding)
        if self.padding.lower() != "valid" and implementation == 1:
            raise ValueError(f"Invalid border mode for {self.what} (only \"valid\" is supported if "
                             f"implementation is 1): {padding}")
        self.data_format = normalize_data_format(data_format)
        self.activation, self.use_bias = activation_of(activation), use_bias
        self.implementation = implementation
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.kernel_constraint, self.bias_constraint = kernel_constraint, bias_constraint
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _is_last(self) -> bool:
        return self.data_format == "channels_last"

    def _refuse(self, shape: Tuple[object, ...], sizes: Tuple[object, ...], channels: object) -> None:
        """Sizes that are not known: the weights have them."""
        raise NotImplementedError

    def build(self, input_shape: Any) -> None:
        shape: Tuple[Any, ...] = tuple(
            None if dim is None else int(dim) for dim in tf.TensorShape(input_shape).as_list())
        sizes, channels = (shape[1:-1], shape[-1]) if self._is_last else (shape[2:], shape[1])
        self._refuse(shape, sizes, channels)
        is_same = self.padding.lower() == "same"
        out = tuple((size + stride - 1) // stride if is_same else (size - kernel + stride) // stride
                    for size, kernel, stride in zip(sizes, self.kernel_size, self.strides))
        self.kernel = self.add_weight(
            "kernel", shape=self._kernel_shape(sizes, channels, out, is_same),
            initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=(*out, self.filters), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint)
        self.places = out
        axis = self.rank + 1 if self._is_last else 1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self.built = True

    def _kernel_shape(self, sizes: Tuple[int, ...], channels: int, out: Tuple[int, ...],
                      is_same: bool) -> Tuple[int, ...]:
        if self.implementation == 1:
            return _product(out), _product(self.kernel_size) * channels, self.filters
        if self.implementation == 2:
            return (*sizes, channels, *out, self.filters) if self._is_last else \
                (channels, *sizes, self.filters, *out)
        if self.implementation == 3:  # one weight for each pair that is connected
            pairs = 1
            for size, kernel, stride, places in zip(sizes, self.kernel_size, self.strides, out):
                left = kernel // 2 if is_same else 0
                pairs *= sum(min(size, at * stride - left + kernel) - max(0, at * stride - left)
                             for at in range(places))
            return (pairs * channels * self.filters,)
        raise ValueError(f"Unrecognized implementation mode: {self.implementation}.")

    def call(self, inputs: Any) -> Any:
        """Patches times what each place has; of implementations 2 and 3 the shape of the result alone is
        what TensorFlow's is made of."""
        if self.implementation == 1 and not _product(self.places):
            raise fail("SF110", "List argument 'indices' to 'SparseConcat' Op with length 0 shorter than "
                       "minimum length 2.")
        x = inputs if self._is_last else tf.transpose(inputs, [0, *range(2, self.rank + 2), 1])
        ones = [1] * (2 - self.rank)
        if self.rank == 1:
            x = tf.expand_dims(x, 1)
        patches = tf.extract_image_patches(
            x, [1, *ones, *self.kernel_size, 1], [1, *ones, *self.strides, 1], [1, 1, 1, 1],
            self.padding.upper())
        count, depth = _product(self.places), int(patches.get_shape()[-1])
        flat = tf.transpose(tf.reshape(patches, [-1, count, depth]), [1, 0, 2])
        kernel = self.kernel if self.implementation == 1 else \
            tf.zeros([count, depth, self.filters], inputs.dtype) * tf.reduce_sum(self.kernel)
        made = tf.transpose(tf.matmul(flat, kernel), [1, 0, 2])
        outputs = tf.reshape(made, [-1, *self.places, self.filters])
        if self.bias is not None:
            outputs = outputs + self.bias
        if not self._is_last:
            outputs = tf.transpose(outputs, [0, self.rank + 1, *range(1, self.rank + 1)])
        return self.activation(outputs) if self.activation is not None else outputs


def _product(sizes: Sequence[int]) -> int:
    made = 1
    for size in sizes:
        made *= size
    return made


@export("tf.keras.layers.LocallyConnected1D")
class LocallyConnected1D(_LocallyConnected):
    """A convolution over one axis with weights of its own for each place."""

    rank = 1
    what = "LocallyConnected1D"

    def _refuse(self, shape: Tuple[object, ...], sizes: Tuple[object, ...], channels: object) -> None:
        if channels is None:
            raise ValueError("Axis 2 of input should be fully-defined. Found shape:", shape)
        if sizes[0] is None:
            raise TypeError("unsupported operand type(s) for *=: 'int' and 'NoneType'")


@export("tf.keras.layers.LocallyConnected2D")
class LocallyConnected2D(_LocallyConnected):
    """A convolution over two axes with weights of its own for each place."""

    def _refuse(self, shape: Tuple[object, ...], sizes: Tuple[object, ...], channels: object) -> None:
        if None in sizes or channels is None:
            raise ValueError("The spatial dimensions of the inputs to  a LocallyConnected2D layer should be "
                             f"fully-defined, but layer received the inputs shape {shape}")
