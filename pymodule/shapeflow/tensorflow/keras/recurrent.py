"""Recurrent layers of tf.keras: one step is computed, and repeated over time.

Source: tensorflow/python/keras/layers/{recurrent,recurrent_v2,wrappers,cudnn_recurrent}.py (1.15).
"""

from __future__ import annotations

from typing import Any, List, Optional

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.keras.layers import activation_of
from shapeflow.tensorflow.python.framework import op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import InputSpec
from shapeflow.tensorflow.python.ops.rnn import _over_time, _step_of, each_step
from shapeflow.tensorflow.python.ops.rnn_cell import zeros_of
from shapeflow.tensorflow.python.util import nest

_OWN = ("kernel_", "recurrent_", "bias_", "unit_forget_bias", "dropout", "implementation", "reset_after",
        "use_bias", "seed", "use_cudnn")


class Cell(KerasLayer):
    """SimpleRNNCell, GRUCell, LSTMCell: `gates` blocks of weights."""

    gates, states = 1, 1

    def __init__(self, units: Any, activation: Any = "tanh", recurrent_activation: Any = "sigmoid",
                 use_bias: bool = True, **kwargs: Any) -> None:
        own = {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(_OWN)}
        super().__init__(**kwargs)
        self.units, self.use_bias = int(units), use_bias
        self.activation = activation_of(activation)
        self._biases = 2 if own.get("reset_after") and self.gates == 3 else 1

    @property
    def state_size(self) -> Any:
        return [self.units] * self.states if self.states > 1 else self.units

    output_size = property(lambda self: self.units)

    def build(self, input_shape: Any) -> None:
        depth = self._need_dim(input_shape, -1, "The last dimension of the inputs to a recurrent layer "
                               "should be defined. Found `None`.")
        wide = self.units * self.gates
        self.kernel = self.add_weight("kernel", shape=(depth, wide))
        self.recurrent_kernel = self.add_weight("recurrent_kernel", shape=(self.units, wide))
        if self.use_bias:
            self.bias = self.add_weight("bias", initializer="zeros", shape=(
                wide,) if self._biases == 1 else (2, wide))

    def call(self, inputs: Any, states: Any = None, training: Any = None) -> Any:
        states = list(states) if isinstance(states, (list, tuple)) else [states]
        total = tf.matmul(inputs, self.kernel) + tf.matmul(states[0], self.recurrent_kernel)
        if self.use_bias:
            total = total + (self.bias if self._biases == 1 else self.bias[0])
        output = tf.tanh(total[:, :self.units])
        if self.states > 1:
            output = output + 0.0 * states[1]
        return output, [output] * self.states

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        if inputs is not None:
            batch_size, dtype = tf.shape(inputs)[0], inputs.dtype
        made = [tf.zeros(tf.stack([batch_size, self.units]), dtype or "float32")
                for _ in range(self.states)]
        return made if self.states > 1 else made[0]


def _cell(name: str, gates: int, states: int) -> type:
    cls = type(name, (Cell,), {"gates": gates, "states": states, "__module__": __name__})
    put(cls, "tf.keras.layers." + name)
    return cls


SimpleRNNCell, GRUCell = _cell("SimpleRNNCell", 1, 1), _cell("GRUCell", 3, 1)
LSTMCell = _cell("LSTMCell", 4, 2)


@export("tf.keras.layers.StackedRNNCells")
class StackedRNNCells(KerasLayer):
    """Cells one above the other."""

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = list(cells)

    state_size = property(lambda self: tuple(c.state_size for c in self.cells))
    output_size = property(lambda self: self.cells[-1].output_size)

    def call(self, inputs: Any, states: Any = None, training: Any = None) -> Any:
        new = []
        for cell, state in zip(self.cells, states):
            inputs, following = cell(inputs, state)
            new.append(following)
        return inputs, tuple(new)


def _zero_states(cell: Any, batch: Any, dtype: Any) -> Any:
    def zeros(size: Any) -> Any:
        size = size.as_list() if hasattr(size, "as_list") else size
        size = list(size) if isinstance(size, (list, tuple)) else [size]
        return tf.zeros(tf.stack([batch] + size) if not isinstance(batch, int) else [batch] + size, dtype)

    size = cell.state_size
    if isinstance(size, int):
        return [zeros(size)]
    return [nest.map_structure(zeros, s) for s in size]


@export("tf.keras.layers.RNN")
class RNN(KerasLayer):
    """A loop over a cell."""


    def __init__(self, cell: Any, return_sequences: bool = False, return_state: bool = False,
                 go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
                 time_major: bool = False, **kwargs: Any) -> None:
        for key in ("zero_output_for_mask",):
            kwargs.pop(key, None)
        super().__init__(**kwargs)
        self.cell = StackedRNNCells(cell) if isinstance(cell, (list, tuple)) else cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.time_major = go_backwards, stateful, time_major
        self.input_spec = InputSpec(ndim=3) if isinstance(cell, Cell) else None

    def _check_spec(self, inputs: Any) -> None:
        super()._check_spec(nest.flatten(inputs)[0] if isinstance(inputs, (list, tuple)) else inputs)

    def __call__(self, inputs: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(inputs, (list, tuple)) and len(inputs) > 1 and isinstance(self.cell, Cell):
            kwargs.setdefault("initial_state", list(inputs[1:]))
            inputs = inputs[0]
        return super().__call__(inputs, *args, **kwargs)

    def build(self, input_shape: Any) -> None:
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        axis = 0 if self.time_major else 1
        if inputs.get_shape().ndims is None:
            inputs = op_builders.like_shape([inputs], inputs.dtype, [None, None, None])
        dims = inputs.get_shape().as_list()
        if isinstance(self.cell, Cell):
            self.input_spec = InputSpec(ndim=3, axes={-1: dims[-1]}) if dims[-1] is not None \
                else InputSpec(ndim=3)
        batch: Any = dims[1 - axis] if dims[1 - axis] is not None else tf.shape(inputs)[1 - axis]
        states = initial_state if initial_state is not None else _zero_states(
            self.cell, batch, inputs.dtype)
        states = list(states) if isinstance(states, (list, tuple)) else [states]
        want = self.cell.state_size
        count = 1 if isinstance(want, int) else len(want)
        if len(states) != count:
            raise fail("SF201", "Layer has {int} states but was passed {int} initial states.",
                       count, len(states))
        step = _step_of(inputs, axis)
        with each_step(step):
            output, new = self.cell(step, states)
        new = list(new) if isinstance(new, (list, tuple)) else [new]
        if self.return_sequences:
            steps: Any = dims[axis] if dims[axis] is not None else tf.shape(inputs)[axis]
            output = nest.map_structure(lambda x: _over_time(x, steps, axis), output)
        return [output] + new if self.return_state else output

    def reset_states(self, states: Any = None) -> None:
        pass

    reset_state = reset_states
    units = property(lambda self: self.cell.units)


def _layer(name: str, cell: Any, *more: str) -> None:
    def __init__(self: Any, units: Any, activation: Any = "tanh", *args: Any, **kwargs: Any) -> None:
        own = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major",
               "name", "dtype", "trainable", "input_shape", "batch_input_shape", "input_dim",
               "input_length", "batch_size", "activity_regularizer", "zero_output_for_mask")
        outer = {k: kwargs.pop(k) for k in list(kwargs) if k in own}
        names = outer.pop("name", None)
        made = cell(units, activation, *args, **kwargs)
        RNN.__init__(self, made, name=names, **outer)
        made._name = self._name

    cls = type(name, (RNN,), {"__init__": __init__, "__module__": __name__, "_base_class_name": name})
    put(cls, *["tf.keras.layers." + n for n in (name,) + more])


_layer("SimpleRNN", SimpleRNNCell)
_layer("GRU", GRUCell)
_layer("LSTM", LSTMCell)
_layer("CuDNNGRU", GRUCell)
_layer("CuDNNLSTM", LSTMCell)


def _fresh_copy(layer: Any, prefix: str) -> Any:
    """The same layer without its weights."""
    made = object.__new__(type(layer))
    made.__dict__.update(layer.__dict__)
    made.__dict__.update(_trainable_weights=[], _non_trainable_weights=[], built=False, _io=None,
                         _io_symbolic=False,
                         _losses=[], _weight_losses=[], _updates=[], _name=prefix + layer._name)
    if isinstance(layer.__dict__.get("cell"), KerasLayer):
        made.cell = _fresh_copy(layer.cell, prefix)
    if isinstance(made.__dict__.get("cells"), list):
        made.cells = [_fresh_copy(c, prefix) for c in made.cells]
    return made


@export("tf.keras.layers.AbstractRNNCell")
class AbstractRNNCell(KerasLayer):
    """The base of a program's own cells."""

    def call(self, inputs: Any, states: Any) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        if inputs is not None:
            batch_size, dtype = tf.shape(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError("batch_size and dtype cannot be None while constructing initial state: "
                             "batch_size={}, dtype={}".format(batch_size, dtype))
        return zeros_of(self.state_size, batch_size, dtype)


@export("tf.keras.layers.Wrapper")
class Wrapper(KerasLayer):
    """A layer around another one."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            self.layer.build(input_shape)
        self.built = True


@export("tf.keras.layers.Bidirectional")
class Bidirectional(Wrapper):
    """A recurrent layer in both directions."""

    def __init__(self, layer: Any, merge_mode: Optional[str] = "concat", weights: Any = None,
                 backward_layer: Any = None, **kwargs: Any) -> None:
        given = dict(layer.__dict__.get("_given", {}))
        KerasLayer.__init__(self, **kwargs)  # its layers are two
        if not self._given:
            self._given = given
        self.merge_mode = merge_mode
        self.forward_layer = layer
        self.backward_layer = backward_layer or _fresh_copy(layer, "backward_")
        self.layer = None
        self.input_spec = layer.input_spec

    def build(self, input_shape: Any = None) -> None:
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None) -> Any:
        half: List[Any] = [None, None]
        if initial_state is not None:
            middle = len(initial_state) // 2
            half = [initial_state[:middle], initial_state[middle:]]
        pair = []
        for layer, state in zip((self.forward_layer, self.backward_layer), half):
            kwargs = {} if state is None else {"initial_state": state}
            pair.append(layer(inputs, **kwargs))
        states: List[Any] = []
        if getattr(self.forward_layer, "return_state", False):
            states = pair[0][1:] + pair[1][1:]
            pair = [pair[0][0], pair[1][0]]
        a, b = pair
        if self.merge_mode == "concat":
            output: Any = tf.concat([a, b], -1)
        elif self.merge_mode is None:
            output = [a, b]
        else:
            output = a * b if self.merge_mode == "mul" else a + b
        if states:
            return (output if isinstance(output, list) else [output]) + states
        return output


@export("tf.keras.layers.TimeDistributed")
class TimeDistributed(Wrapper):
    """A layer on every step by itself."""

    def build(self, input_shape: Any = None) -> None:
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        dims = inputs.get_shape()
        if dims.ndims is None:
            return op_builders.like_shape([inputs], inputs.dtype, None)
        if dims.ndims < 3:
            raise fail("SF103", "`TimeDistributed` Layer should be passed an `input_shape` with at least "
                       "3 dimensions, received: {shape}", dims.as_list())
        steps: Any = dims.as_list()[1]
        step = _step_of(inputs, 1)
        with each_step(step):
            output = self.layer(step)
        steps = steps if steps is not None else tf.shape(inputs)[1]
        return nest.map_structure(lambda x: _over_time(x, steps, 1), output)

