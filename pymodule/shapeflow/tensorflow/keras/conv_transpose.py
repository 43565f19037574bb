"""Transposed convolutions of tf.keras, with the paddings of their outputs.

Source: tensorflow/python/keras/layers/convolutional.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, List

from shapeflow import _core
from shapeflow.api.registry import put
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.keras.layers import activation_of
from shapeflow.tensorflow.python.framework import op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers import convolutional
from shapeflow.tensorflow.python.layers.base import normalize_tuple, op_format

_ORDER = ("strides", "padding", "output_padding", "data_format", "dilation_rate", "activation", "use_bias",
          "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
          "activity_regularizer", "kernel_constraint", "bias_constraint")


class _ConvTranspose(convolutional._ConvTranspose, KerasLayer):
    """A transposed convolution: `output_padding` says how long the output is where strides leave a choice."""

    def __init__(self, filters: Any, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        # the one of volumes has no dilation_rate
        order = [n for n in _ORDER if n != "dilation_rate" or self.rank < 3]
        if len(args) > len(order):
            raise TypeError("__init__() takes from 3 to %d positional arguments but %d were given"
                            % (len(order) + 3, len(args) + 3))
        given: Dict[str, Any] = dict(zip(order, args))
        for name in given:
            if name in kwargs:
                raise TypeError("__init__() got multiple values for argument '%s'" % name)
        kwargs.update(given)
        padding, rate = kwargs.pop("output_padding", None), kwargs.pop("dilation_rate", 1)
        if isinstance(kwargs.get("activation"), str):
            kwargs["activation"] = activation_of(kwargs["activation"])
        if kwargs.get("data_format", "") is None:
            del kwargs["data_format"]
        super().__init__(filters, kernel_size, **kwargs)
        self.output_padding = None if padding is None else normalize_tuple(
            padding, self.rank, "output_padding")
        self.dilation_rate = normalize_tuple(rate, self.rank, "dilation_rate")

    def _length(self, size: Any, axis: int) -> Any:
        kernel = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        stride, valid = self.strides[axis], self.padding == "valid"
        if self.output_padding is None:
            return size * stride + max(kernel - stride, 0) if valid else size * stride
        return (size - 1) * stride + (kernel if valid else kernel % 2) + self.output_padding[axis]

    def _transposed(self, inputs: Any, sizes: List[object], static: Any) -> Any:
        if any(rate != 1 for rate in self.dilation_rate):
            return op_builders.unknown(inputs.dtype, _core.TensorShape(static), None, [inputs, self.kernel],
                                 trusted=True)
        if self.rank > 1:
            return super()._transposed(inputs, sizes, static)
        axis = 1 if self.data_format == "channels_last" else 2
        outputs = tf.nn.conv2d_transpose(
            tf.expand_dims(inputs, axis), tf.expand_dims(self.kernel, 0),
            tf.stack(sizes[:axis] + [1] + sizes[axis:]), self._window([1] + list(self.strides)),
            self.padding.upper(), data_format=op_format(self.data_format, 4))
        return tf.squeeze(outputs, [axis])


for _rank in (1, 2, 3):
    _name = "Conv%dDTranspose" % _rank
    put(type(_name, (_ConvTranspose,), {"rank": _rank, "__module__": __name__}),
        "tf.keras.layers." + _name, "tf.keras.layers." + _name.replace("Conv", "Convolution"))
