"""Wrappers of recurrent cells, and the less common cells of tf.contrib.rnn.

Source: tensorflow/python/ops/rnn_cell_impl.py; tensorflow/contrib/rnn/python/ops/{core_rnn_cell,
rnn_cell,lstm_ops,gru_ops}.py (1.15).
"""

from __future__ import annotations

import numbers

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import InputSpec, activation_of, weight_variable
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.losses import check_compatible
from shapeflow.tensorflow.python.ops.rnn_cell import (
    LayerRNNCell,
    LSTMCell,
    LSTMStateTuple,
    RNNCell,
    _plus,
    assert_like_rnncell,
    linear,
)
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from shapeflow.api.registry import Decorator


def _exported(name: str) -> Decorator:
    return export("tf.nn.rnn_cell." + name, "tf.contrib.rnn." + name,
                  "tf.models.rnn.rnn_cell." + name)


class _Wrapper(RNNCell):
    """A cell around a cell; it adds no scope of its own."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert_like_rnncell("cell", cell)
        self._cell = self.cell = cell

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)
    trainable_weights = property(lambda self: self._cell.trainable_weights)
    non_trainable_weights = property(lambda self: self._cell.non_trainable_weights)
    weights = property(lambda self: self._cell.weights)
    variables = weights
    trainable_variables = trainable_weights
    wrapped_cell = property(lambda self: self._cell)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with framework_lib.name_scope(type(self).__name__ + "ZeroState"):
            return self._cell.zero_state(batch_size, dtype)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        if scope is None:
            return self._step(inputs, state, lambda i, s: self._cell(i, s))
        return self._step(inputs, state, lambda i, s: self._cell(i, s, scope))

    def _step(self, inputs: Any, state: Any, call: Any) -> Any:
        return call(inputs, state)


@_exported("DropoutWrapper")
class DropoutWrapper(_Wrapper):
    """Dropout on the inputs, outputs and states of a cell."""

    def __init__(self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0,
                 state_keep_prob: Any = 1.0, variational_recurrent: bool = False,
                 input_size: Any = None, dtype: Any = None, seed: Any = None,
                 dropout_state_filter_visitor: Any = None) -> None:
        super().__init__(cell)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._filter = dropout_state_filter_visitor or (
            lambda s: [True, False] if isinstance(s, LSTMStateTuple) else True)
        self._keep = {}
        for attr, value in (("input_keep_prob", input_keep_prob),
                            ("state_keep_prob", state_keep_prob),
                            ("output_keep_prob", output_keep_prob)):
            known = float(value) if isinstance(value, numbers.Real) else None
            if known is not None and not 0.0 <= known <= 1.0:
                raise ValueError("Parameter %s must be between 0 and 1: %d" % (attr, known))
            self._keep[attr] = known if known is not None else value
        if variational_recurrent:
            if dtype is None:
                raise ValueError("When variational_recurrent=True, dtype must be provided")
            if input_size is None and not self._keeps_all("input_keep_prob"):
                raise ValueError("When variational_recurrent=True and input_keep_prob < 1.0 or is "
                                 "unknown, input_size must be provided")
        self._seed = seed

    def _keeps_all(self, which: str) -> bool:
        value = self._keep[which]
        return isinstance(value, float) and value >= 1.0

    def _dropped(self, which: str, values: object) -> Any:
        if self._keeps_all(which):
            return values
        return nest.map_structure(lambda v: tf.nn.dropout(v, self._keep[which], seed=self._seed),
                                  values)

    def _step(self, inputs: Any, state: Any, call: Any) -> Any:
        output, new_state = call(self._dropped("input_keep_prob", inputs), state)
        if not self._keeps_all("state_keep_prob"):
            if isinstance(new_state, LSTMStateTuple):
                new_state = LSTMStateTuple(new_state.c, self._dropped("state_keep_prob",
                                                                      new_state.h))
            else:
                new_state = self._dropped("state_keep_prob", new_state)
        return self._dropped("output_keep_prob", output), new_state


@_exported("ResidualWrapper")
class ResidualWrapper(_Wrapper):
    """output + inputs."""

    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any) -> None:
        super().__init__(cell)
        self._residual_fn = residual_fn

    def _step(self, inputs: Any, state: Any, call: Any) -> Any:
        outputs, new_state = call(inputs, state)
        if self._residual_fn is not None:
            return self._residual_fn(inputs, outputs), new_state
        nest.assert_same_structure(inputs, outputs)

        def add(a: Any, b: Any) -> Any:
            check_compatible(a, b)
            return a + b

        return nest.map_structure(add, inputs, outputs), new_state


@_exported("DeviceWrapper")
class DeviceWrapper(_Wrapper):
    """Runs a cell on a device."""

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell)
        self._device = device

    def _step(self, inputs: Any, state: Any, call: Any) -> Any:
        with framework_lib.device(self._device):
            return call(inputs, state)


@export("tf.contrib.rnn.CompiledWrapper")
class CompiledWrapper(_Wrapper):
    """A cell compiled with XLA: the same shapes."""

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        super().__init__(cell)


class _Scoped(RNNCell):
    """A wrapper with variables of its own."""

    def __init__(self, cell: Any, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with framework_lib.name_scope(type(self).__name__ + "ZeroState"):
            return self._cell.zero_state(batch_size, dtype)


@_exported("EmbeddingWrapper")
class EmbeddingWrapper(_Scoped):
    """Embeds integer inputs before the cell sees them."""

    def __init__(self, cell: Any, embedding_classes: int = 0, embedding_size: int = 0,
                 initializer: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError("Both embedding_classes and embedding_size must be > 0: %d, %d."
                             % (embedding_classes, embedding_size))
        self._classes, self._size, self._initializer = embedding_classes, embedding_size, initializer

    def call(self, inputs: Any, state: Any) -> Any:
        first = state[0] if isinstance(state, tuple) else state
        first = nest.flatten(first)[0]
        table = weight_variable("embedding", [self._classes, self._size], first.dtype.base_dtype,
                                self._initializer or init_ops.RandomUniform(-1.7, 1.7), {})
        return self._cell(tf.nn.embedding_lookup(table, tf.reshape(inputs, [-1])), state)


@_exported("InputProjectionWrapper")
class InputProjectionWrapper(_Scoped):
    """A linear projection of the inputs."""

    def __init__(self, cell: Any, num_proj: int, activation: Any = None, input_size: Any = None,
                 reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        self._num_proj, self._activation = num_proj, activation

    def call(self, inputs: Any, state: Any) -> Any:
        projected = linear(inputs, self._num_proj, True)
        if self._activation:
            projected = self._activation(projected)
        return self._cell(projected, state)


@_exported("OutputProjectionWrapper")
class OutputProjectionWrapper(_Scoped):
    """A linear projection of the outputs."""

    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None:
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError("Parameter output_size must be > 0: %d." % output_size)
        self._size, self._activation = output_size, activation

    output_size = property(lambda self: self._size)

    def call(self, inputs: Any, state: Any) -> Any:
        output, new_state = self._cell(inputs, state)
        projected = linear(output, self._size, True)
        return self._activation(projected) if self._activation else projected, new_state


# --- cells of tf.contrib.rnn ------------------------------------------------------------------------------
@export("tf.contrib.rnn.LSTMBlockCell")
class LSTMBlockCell(LayerRNNCell):
    """BasicLSTMCell in one kernel; the variables are the same."""

    def __init__(self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None,
                 use_peephole: bool = False, dtype: Any = None, reuse: Any = None,
                 name: Any = "lstm_cell", use_compatible_names: bool = False) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peephole = num_units, use_peephole
        self._forget_bias = forget_bias

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        self._kernel = self._weight("kernel", [_plus(depth, n), 4 * n])
        self._bias = self._weight("bias", [4 * n], init_ops.Zeros())
        if self._use_peephole:
            for name in ("w_i_diag", "w_f_diag", "w_o_diag"):
                self.add_weight(name, shape=[n])
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        c, h = state
        gates = tf.nn.bias_add(tf.matmul(tf.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = tf.split(gates, 4, 1)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * tf.tanh(j)
        new_h = tf.tanh(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


@export("tf.contrib.rnn.GRUBlockCell")
class GRUBlockCell(LayerRNNCell):
    """GRU in one kernel, with GRUCell's variables; before 1.4 the first argument is called cell_size."""

    def __init__(self, num_units: Any = None, cell_size: Any = None, reuse: Any = None,
                 name: Any = "gru_cell") -> None:
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._num_units = cell_size if num_units is None else num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        self._gates = [self._weight("gates/kernel", [_plus(depth, n), 2 * n]),
                       self._weight("gates/bias", [2 * n], init_ops.Constant(1.0))]
        self._candidate = [self._weight("candidate/kernel", [_plus(depth, n), n]),
                           self._weight("candidate/bias", [n], init_ops.Zeros())]
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        gates = tf.matmul(tf.concat([inputs, state], 1), self._gates[0])
        r, u = tf.split(tf.sigmoid(tf.nn.bias_add(gates, self._gates[1])), 2, 1)
        candidate = tf.matmul(tf.concat([inputs, r * state], 1), self._candidate[0])
        new_h = u * state + (1 - u) * tf.tanh(tf.nn.bias_add(candidate, self._candidate[1]))
        return new_h, new_h


@export("tf.contrib.rnn.GRUBlockCellV2")
class GRUBlockCellV2(GRUBlockCell):
    """GRUBlockCell, with other names of variables."""


@export("tf.contrib.rnn.LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(RNNCell):
    """LSTM with layer normalisation and recurrent dropout."""

    def __init__(self, num_units: int, forget_bias: float = 1.0, input_size: Any = None,
                 activation: Any = None, layer_norm: bool = True, norm_gain: float = 1.0,
                 norm_shift: float = 0.0, dropout_keep_prob: Any = 1.0,
                 dropout_prob_seed: Any = None, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._activation = activation_of(activation) or tf.tanh
        self._layer_norm, self._g, self._b = layer_norm, norm_gain, norm_shift
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _norm(self, x: Any, scope: str) -> Any:
        with variable_scope(scope):
            n, dtype = x.get_shape().as_list()[-1:], x.dtype.base_dtype
            gamma = weight_variable("gamma", n, dtype, init_ops.Constant(self._g), {})
            beta = weight_variable("beta", n, dtype, init_ops.Constant(self._b), {})
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-12)

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        n = self._num_units
        args = tf.concat([inputs, h], 1)
        kernel = weight_variable("kernel", [args.get_shape().as_list()[-1], 4 * n],
                                 args.dtype.base_dtype, None, {})
        gates = tf.matmul(args, kernel)
        if not self._layer_norm:
            bias = weight_variable("bias", [4 * n], args.dtype.base_dtype, None, {})
            gates = tf.nn.bias_add(gates, bias)
        i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=1)
        if self._layer_norm:
            i, j, f, o = (self._norm(x, s) for x, s in (
                (i, "input"), (j, "transform"), (f, "forget"), (o, "output")))
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = tf.nn.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * g
        if self._layer_norm:
            new_c = self._norm(new_c, "state")
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


@export("tf.contrib.rnn.CoupledInputForgetGateLSTMCell")
class CoupledInputForgetGateLSTMCell(LSTMCell):
    """LSTM whose input gate is one minus its forget gate: three gates."""

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        h = self.output_size
        self._kernel = self.add_weight("W_0", shape=[_plus(depth, h), 3 * n],
                                       initializer=self._initializer)
        self._bias = self.add_weight("B", shape=[3 * n], initializer=self._zeros())
        if self._num_proj is not None:
            self._proj_kernel = self._weight("projection/kernel", [n, self._num_proj],
                                             self._initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        n = self._num_units
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = tf.slice(state, [0, 0], [-1, n])
            m_prev = tf.slice(state, [0, n], [-1, self.output_size])
        gates = tf.matmul(tf.concat([inputs, m_prev], 1), self._kernel)
        j, f, o = tf.split(tf.nn.bias_add(gates, self._bias), 3, 1)
        keep = tf.sigmoid(f + self._forget_bias)
        c = keep * c_prev + (1 - keep) * self._activation(j)
        m = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            m = tf.matmul(m, self._proj_kernel)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else tf.concat([c, m], 1)


@export("tf.contrib.rnn.UGRNNCell")
class UGRNNCell(RNNCell):
    """Update gate recurrent network."""

    def __init__(self, num_units: int, initializer: Any = None, forget_bias: float = 1.0,
                 activation: Any = None, reuse: Optional[bool] = None) -> None:
        super().__init__(_reuse=reuse)
        self._num_units, self._forget_bias, self._initializer = num_units, forget_bias, initializer
        self._activation = activation_of(activation) or tf.tanh

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def call(self, inputs: Any, state: Any) -> Any:
        both = linear(tf.concat([inputs, state], 1), 2 * self._num_units, True,
                      kernel_initializer=self._initializer)
        g, c = tf.split(value=both, num_or_size_splits=2, axis=1)
        g = tf.sigmoid(g + self._forget_bias)
        new_state = g * state + (1.0 - g) * self._activation(c)
        return new_state, new_state
