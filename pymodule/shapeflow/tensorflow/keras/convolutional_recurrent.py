"""Recurrent layers of tf.keras whose steps are images: ConvLSTM2D, its cell, and the loop over such cells.

A stateful layer keeps no variables of its own for the states; what does not fit them is found all the same.
Differs from 1.15: symbolic tensors may be its initial states, as in the Keras of that time that is a package
of its own (1.15 fails by an AssertionError), and a stateful one says that it lacks a batch size.
Source: tensorflow/python/keras/layers/convolutional_recurrent.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, List

from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.backend_functions import bias_add, conv2d
from shapeflow.tensorflow.keras.base_layer import KerasLayer, is_plain
from shapeflow.tensorflow.keras.layers import activation_of
from shapeflow.tensorflow.keras.recurrent import RNN
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import (
    InputSpec,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
)
from shapeflow.tensorflow.python.ops.rnn import _over_time, _step_of, each_step

_PRIVATE = "tensorflow.python.keras.layers.convolutional_recurrent."
_OF_WEIGHTS = ("initializer", "regularizer", "constraint")


@export(_PRIVATE + "ConvLSTM2DCell")
class ConvLSTM2DCell(KerasLayer):
    """One step: four gates, each a convolution of the input and one of the last output."""

    def __init__(self, filters: Any, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
                 data_format: Any = None, dilation_rate: Any = (1, 1), activation: Any = "tanh",
                 recurrent_activation: Any = "hard_sigmoid", use_bias: bool = True,
                 kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
                 bias_initializer: Any = "zeros", unit_forget_bias: bool = True,
                 kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
                 bias_regularizer: Any = None, kernel_constraint: Any = None,
                 recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0,
                 recurrent_dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = normalize_tuple(strides, 2, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = normalize_data_format(data_format)
        self.dilation_rate = normalize_tuple(dilation_rate, 2, "dilation_rate")
        self.activation, self.recurrent_activation = activation_of(activation), activation_of(
            recurrent_activation)
        self.named_activations = {"activation": activation, "recurrent_activation": recurrent_activation}
        self.use_bias, self.unit_forget_bias = use_bias, unit_forget_bias
        self.kernel_initializer, self.recurrent_initializer = kernel_initializer, recurrent_initializer
        self.kernel_regularizer, self.recurrent_regularizer = kernel_regularizer, recurrent_regularizer
        self.kernel_constraint, self.recurrent_constraint = kernel_constraint, recurrent_constraint
        self.bias_initializer, self.bias_regularizer = bias_initializer, bias_regularizer
        self.bias_constraint = bias_constraint
        self.dropout, self.recurrent_dropout = (
            min(1.0, max(0.0, rate)) for rate in (dropout, recurrent_dropout))
        self.state_size = (self.filters, self.filters)

    def _weight(self, name: str, shape: Any, initializer: Any = None) -> Any:
        """`name` is that of a weight and begins those of its parameters, but for the kernel of the states."""
        own = {part: getattr(self, f"{name.partition('_')[0]}_{part}") for part in _OF_WEIGHTS}
        own["initializer"] = initializer or own["initializer"]
        return self.add_weight(name, shape=shape, **own)

    def build(self, input_shape: Any) -> None:
        channels = self._need_dim(input_shape, 1 if self.data_format == "channels_first" else -1,
                                  "The channel dimension of the inputs should be defined. Found `None`.")
        self.kernel_shape = (*self.kernel_size, channels, 4 * self.filters)
        self.kernel = self._weight("kernel", self.kernel_shape)
        self.recurrent_kernel = self._weight(
            "recurrent_kernel", (*self.kernel_size, self.filters, 4 * self.filters))
        self.bias = None
        if self.use_bias:  # an initializer of the script's own is not asked for the parts of a bias
            self.bias = self._weight("bias", (4 * self.filters,), "zeros" if self.unit_forget_bias else None)
        self.built = True

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        kernels = tf.split(self.kernel, 4, axis=3)
        biases = tf.split(self.bias, 4) if self.bias is not None else [None] * 4
        of_inputs = [self.input_conv(inputs, kernel, bias, self.padding)
                     for kernel, bias in zip(kernels, biases)]
        of_states = [self.recurrent_conv(states[0], kernel)
                     for kernel in tf.split(self.recurrent_kernel, 4, axis=3)]
        i = self.recurrent_activation(of_inputs[0] + of_states[0])
        f = self.recurrent_activation(of_inputs[1] + of_states[1])
        c = f * states[1] + i * self.activation(of_inputs[2] + of_states[2])
        h = self.recurrent_activation(of_inputs[3] + of_states[3]) * self.activation(c)
        return h, [h, c]

    def input_conv(self, x: Any, w: Any, b: Any = None, padding: str = "valid") -> Any:
        """A convolution of what a step is given."""
        made = conv2d(x, w, self.strides, padding, self.data_format, self.dilation_rate)
        return made if b is None else bias_add(made, b, self.data_format)

    def recurrent_conv(self, x: Any, w: Any) -> Any:
        """A convolution of the last output, which keeps its size."""
        return conv2d(x, w, (1, 1), "same", self.data_format)


@export(_PRIVATE + "ConvRNN2D")
class ConvRNN2D(RNN):
    """A loop over a cell whose steps are images."""

    def __init__(self, cell: Any, return_sequences: bool = False, return_state: bool = False,
                 go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
                 **kwargs: Any) -> None:
        if unroll:
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        if isinstance(cell, (list, tuple)):
            raise TypeError("It is not possible at the moment tostack convolutional cells.")
        super().__init__(cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs)
        self.unroll = unroll
        self.input_spec = InputSpec(ndim=5)
        self.states: Any = [None] * len(self._sizes())
        if isinstance(cell, ConvLSTM2DCell):
            cell._name = self._name  # its weights are called after the layer

    def _sizes(self) -> List[Any]:
        size = self.cell.state_size
        return list(size) if hasattr(size, "__len__") else [size]

    def _channel_axis(self) -> int:
        return 1 if self.cell.data_format == "channels_first" else 3

    def __call__(self, inputs: Any = None, initial_state: Any = None, constants: Any = None,
                 **kwargs: Any) -> Any:
        if isinstance(inputs, (list, tuple)) and len(inputs) > 1:
            inputs, initial_state = inputs[0], list(inputs[1:])
        if initial_state is not None:
            kwargs["initial_state"] = list(initial_state) if isinstance(
                initial_state, (list, tuple)) else [initial_state]
        if constants is not None:
            kwargs["constants"] = constants
        return KerasLayer.__call__(self, inputs, **kwargs)

    def build(self, input_shape: Any) -> None:
        dims = [getattr(dim, "value", dim) for dim in input_shape]
        self.input_spec = InputSpec(shape=(dims[0] if self.stateful else None, None, *dims[2:]))
        if isinstance(self.cell, KerasLayer) and not self.cell.built:
            self.cell._dtype = self.cell._dtype or self._dtype
            self.cell._from_guess = self._from_guess
            self.cell.build((dims[0], *dims[2:]))
            self.cell.built = True
        if self.stateful:
            self._need_batch(dims)
        self.built = True

    def _need_batch(self, dims: Any) -> None:
        shape = self._of_steps(dims)
        if None in shape and not self._from_guess:
            raise fail("SF128", "If a RNN is stateful, it needs to know its batch size. Specify the batch "
                       "size of your input tensors: \n- If using a Sequential model, specify the batch size "
                       "by passing a `batch_input_shape` argument to your first layer.\n- If using the "
                       "functional API, specify the time dimension by passing a `batch_shape` argument to "
                       "your Input layer.\nThe same thing goes for the number of rows and columns.")
        if None not in shape:
            self.states = [tf.zeros(self._of_steps(dims, size), self._dtype) for size in self._sizes()]

    def get_initial_state(self, inputs: Any) -> List[Any]:
        """Zeros, of the size that a convolution of a step has."""
        kernel = tf.split(self.cell.kernel, 4, axis=3)[0]
        zeros = tf.zeros_like(self.cell.input_conv(_step_of(inputs, 1), kernel, padding=self.cell.padding))
        return [zeros for _ in self._sizes()]

    def _need_states(self, states: Any) -> None:
        """What a program gives for them has their channels."""
        axis = self._channel_axis()
        shapes = [state.get_shape() if hasattr(state, "get_shape") else tf.TensorShape(None)
                  for state in states]
        channels = [shape.as_list()[axis] if shape.ndims == 4 else None for shape in shapes]
        sizes = self._sizes()
        if len(channels) != len(sizes) or any(
                None not in (have, size) and have != size for have, size in zip(channels, sizes)):
            raise fail("SF106", "An initial_state was passed that is not compatible with `cell.state_size`. "
                       "Received `state_spec`={text}; However `cell.state_size` is {text}",
                       [tuple(shape.as_list()) if shape.ndims is not None else None for shape in shapes],
                       self.cell.state_size)

    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None,
             constants: Any = None) -> Any:
        if initial_state is not None:
            self._need_states(initial_state)
            states = initial_state
        elif self.stateful and self.states[0] is not None:
            states = self.states
        else:
            states = self.get_initial_state(inputs)
        given = {} if constants is None else {"constants": constants}
        step = _step_of(inputs, 1)
        with each_step(step):
            output, states = self.cell.call(step, list(states), **given)
        if self.return_sequences:
            steps = inputs.get_shape().as_list()[1] if inputs.get_shape().ndims is not None else None
            output = _over_time(output, tf.shape(inputs)[1] if steps is None else steps, 1)
        return [output, *states] if self.return_state else output

    def _of_steps(self, dims: Any, filters: Any = None) -> Any:
        """The shape of a state, from one of the inputs."""
        cell, first = self.cell, self.cell.data_format == "channels_first"
        axes = zip(dims[3:5] if first else dims[2:4], cell.kernel_size, cell.strides, cell.dilation_rate)
        sizes = [None if size is None else _length(size, kernel, stride, rate, cell.padding)
                 for size, kernel, stride, rate in axes]
        filters = cell.filters if filters is None else filters
        return (dims[0], filters, *sizes) if first else (dims[0], *sizes, filters)

    def compute_output_shape(self, input_shape: Any) -> Any:
        several = isinstance(input_shape, list) and isinstance(input_shape[0], (tuple, list, tf.TensorShape))
        dims = tf.TensorShape(input_shape[0] if several else input_shape).as_list()
        state = self._of_steps(dims)
        output = (state[0], dims[1], *state[1:]) if self.return_sequences else state
        if not self.return_state:
            return tf.TensorShape(output)
        return [tf.TensorShape(output), *(tf.TensorShape(state) for _ in self._sizes())]

    def reset_states(self, states: Any = None) -> None:
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        if states is None or self.states[0] is None:
            return
        states = states if isinstance(states, (list, tuple)) else [states]
        if len(states) != len(self.states):
            raise fail("SF201", "Layer {name} expects {int} states, but it received {int} state values. "
                       "Input received: {text}", self.name, len(self.states), len(states), states)
        for index, (value, state) in enumerate(zip(states, self.states)):
            want, have = tuple(state.get_shape().as_list()), getattr(value, "shape", None)
            if isinstance(have, tuple) and have != want:
                raise fail("SF106", "State {int} is incompatible with layer {name}: expected shape={shape}, "
                           "found shape={shape}", index, self.name, want, have)

    reset_state = reset_states


def _length(size: int, kernel: int, stride: int, rate: int, padding: str) -> int:
    """How long an axis is after a convolution."""
    size = size if padding == "same" else size - (kernel - 1) * rate
    return (size + stride - 1) // stride


_OF_CELL = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation",
            "recurrent_activation", "use_bias", "kernel_initializer", "recurrent_initializer",
            "bias_initializer", "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer",
            "bias_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint", "dropout",
            "recurrent_dropout")
_OF_LOOP = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll")
_ORDER = (*_OF_CELL[2:16], "activity_regularizer", *_OF_CELL[16:19], "return_sequences", "go_backwards",
          "stateful", *_OF_CELL[19:])


@export("tf.keras.layers.ConvLSTM2D")
class ConvLSTM2D(ConvRNN2D):
    """An LSTM whose matrix products are convolutions."""

    def __init__(self, filters: Any, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        given: Dict[str, Any] = dict(zip(_ORDER, args))
        kwargs.update(given)
        made = ConvLSTM2DCell(filters, kernel_size, **{name: kwargs.pop(name) for name in _OF_CELL
                                                       if name in kwargs})
        super().__init__(made, **kwargs)

    def get_config(self) -> Dict[str, Any]:
        """Initializers and their kin, and functions, that are no plain values are left out."""
        config: Dict[str, Any] = {"name": self.name, "trainable": self.trainable,
                                  "dtype": self.dtype or "float32", "activity_regularizer": None}
        values = {**{name: getattr(self.cell, name) for name in _OF_CELL}, **self.cell.named_activations,
                  **{name: getattr(self, name) for name in (*_OF_LOOP, "time_major")}}
        config.update((name, value) for name, value in values.items() if is_plain(value))
        return config


def _of_cell(name: str) -> property:
    return property(lambda self: getattr(self.cell, name))


for _name in _OF_CELL:
    setattr(ConvLSTM2D, _name, _of_cell(_name))
