"""Recurrent cells: tf.nn.rnn_cell, tf.contrib.rnn and the older paths.

Before 1.2 a cell kept no variables: each call asked for them in the scope that it was called in,
so that `[cell] * 3` made three sets of weights. `legacy()` says when that holds.
Source: tensorflow/python/ops/rnn_cell_impl.py (1.15; 1.0 and 0.8 for the older rules).
"""

from __future__ import annotations

import collections
import functools
import inspect

from shapeflow import _core
from shapeflow.api.names import emulated
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import (
    InputSpec,
    Layer,
    activation_of,
    as_inputs,
    known_dim,
    shapes_of,
    weight_variable,
)
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.variable_scope import get_variable_scope, variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Tuple

    from shapeflow.api.registry import Decorator


def legacy() -> bool:
    """True while a TensorFlow before 1.2 is emulated: variables belong to scopes, not cells."""
    return emulated() < (1, 2)


def _weight_name(name: str) -> str:
    """kernel and bias, as the emulated version called them."""
    version = emulated()
    if version >= (1, 2):
        return name
    if version >= (1, 0):
        return name.replace("kernel", "weights").replace("bias", "biases")
    return name.replace("kernel", "Linear/Matrix").replace("bias", "Linear/Bias")


def _exported(name: str) -> Decorator:
    return export("tf.nn.rnn_cell." + name, "tf.contrib.rnn." + name,
                  "tf.models.rnn.rnn_cell." + name)


def old_order(*names: str) -> Callable[[Any], Any]:
    """Positional arguments in the order that constructors had before 1.2."""
    def decorate(init: Any) -> Any:
        @functools.wraps(init)
        def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
            if legacy() and args:
                for name, value in zip(names, args):
                    kwargs.setdefault(name, value)
                args = ()
            init(self, *args, **kwargs)

        wrapped.__signature__ = inspect.signature(init)  # type: ignore[attr-defined]
        return wrapped

    return decorate


def _is_cell_like(cell: object) -> List[str]:
    missing = []
    for attr, words in (("output_size", "'output_size' property is missing"),
                        ("state_size", "'state_size' property is missing")):
        try:
            getattr(cell, attr)
        except AttributeError:
            missing.append(words)
        except NotImplementedError:
            pass
    if not (hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")):
        missing.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        missing.append("is not callable")
    return missing


@export("tensorflow.python.ops.rnn_cell_impl.assert_like_rnncell")
def assert_like_rnncell(cell_name: str, cell: object) -> None:
    errors = _is_cell_like(cell)
    if errors:
        raise fail("SF202", "The argument {name!r} ({text}) is not an RNNCell: {text}.", cell_name, cell,
                   ", ".join(errors), error=TypeError)


@export("tensorflow.python.ops.rnn_cell_impl._like_rnncell")
def like_rnncell(cell: object) -> bool:
    return not _is_cell_like(cell)


def _dims(size: object) -> List[Any]:
    """A state size as a list of dimensions."""
    if isinstance(size, _core.TensorShape):
        return size.as_list()
    if isinstance(size, _core.Dimension):
        return [size.value]
    return list(size) if isinstance(size, (list, tuple)) else [size]


def _shape_parts(what: str, part: object) -> Tuple[Any, Any]:
    """A part of a shape as a vector, None where it is not known, and as a list of what is known."""
    if isinstance(part, _core.Tensor):
        known = framework_lib.constant_value(part)
        ndims = part.shape.ndims
        if ndims == 0:
            return tf.expand_dims(part, 0), None if known is None else [int(known)]
        if ndims != 1:
            raise ValueError("%s tensor must be either a scalar or vector, but saw tensor: %s" % (what, part))
        return part, None if known is None else [int(dim) for dim in known]
    shape = _core.TensorShape(part)
    dims = shape.as_list() if shape.ndims is not None else None
    return tf.constant(dims, "int32") if shape.is_fully_defined() else None, dims


@export("tensorflow.python.ops.rnn_cell_impl._concat", "tensorflow.python.ops.rnn._concat", v2=True)
def concat_shapes(prefix: object, suffix: object, static: bool = False) -> Any:
    """A shape of two parts, each of them an int, a shape or a tensor: a tensor, or what is known of it."""
    first, first_known = _shape_parts("prefix", prefix)
    second, second_known = _shape_parts("suffix", suffix)
    if static:
        shape = _core.TensorShape(first_known).concatenate(_core.TensorShape(second_known))
        return shape.as_list() if shape.ndims is not None else None
    if first is None or second is None:
        raise ValueError("Provided a prefix or suffix of None: %s and %s" % (prefix, suffix))
    return tf.concat((first, second), 0)


@export("tensorflow.python.ops.rnn_cell_impl._zero_state_tensors", v2=True)
def zero_state_tensors(state_size: object, batch_size: object, dtype: object) -> Any:
    """Zeros of the sizes of a state, each [batch_size, *size]."""
    def zeros(size: Any) -> Any:
        made = tf.zeros(concat_shapes(batch_size, size), dtype=dtype)
        if not _core.executing_eagerly():
            made.set_shape(concat_shapes(batch_size, size, static=True))
        return made

    return map_sizes(zeros, state_size)


def _is_size(size: object) -> bool:
    return not nest.is_nested(size) or isinstance(size, _core.TensorShape)


def map_sizes(function: Any, sizes: Any) -> Any:
    """`function` of every size in a nested structure; a TensorShape is one size."""
    if _is_size(sizes):
        return function(sizes)
    flat = [function(s) for s in nest.flatten(sizes)]
    return nest.pack_sequence_as(sizes, flat)


def zeros_of(sizes: object, batch_size: object, dtype: object) -> Any:
    """[batch_size, size] of zeros for each size."""
    def zeros(size: Any) -> Any:
        dims = _dims(size)
        if isinstance(batch_size, _core.Dimension):
            batch: Any = batch_size.value
        else:
            batch = batch_size
        if isinstance(batch, (_core.Tensor, _core.VariableBase)):
            known = _core.constant_value(batch)
            shape = tf.stack([tf.cast(batch, _core.as_dtype("int32"))] + dims)
            made = tf.zeros(shape, dtype)
            if not _core.executing_eagerly():
                made.set_shape([None if known is None else int(known)] + dims)
            return made
        return tf.zeros([batch] + dims, dtype)

    return map_sizes(zeros, sizes)


@_exported("RNNCell")
class RNNCell(Layer):
    """One step: (inputs, state) -> (output, new state)."""

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(trainable, name, dtype, **kwargs)

    def __call__(self, inputs: Any, state: Any, scope: object = None) -> Any:
        if "_name" not in self.__dict__:  # a subclass that does not call our __init__
            RNNCell.__init__(self)
        if legacy():
            return self._legacy_call(inputs, state, scope)
        if scope is not None:
            with variable_scope(scope) as scope:
                return super().__call__(inputs, state, scope=scope)
        with variable_scope(get_variable_scope()):
            return super().__call__(inputs, state)

    def _legacy_name(self) -> str:
        name = type(self).__name__
        from shapeflow.tensorflow.python.layers.base import to_snake_case

        return to_snake_case(name) if emulated() >= (1, 0) else name

    def _legacy_call(self, inputs: object, state: object, scope: object) -> Any:
        """Weights are looked up in the scope of this call."""
        inputs = as_inputs(inputs)
        with variable_scope(scope or self._legacy_name()):
            if self._dtype is None:
                for item in nest.flatten(inputs):
                    self._dtype = item.dtype.base_dtype
                    break
            self._built_from = inputs
            self.build(shapes_of(inputs))
            return self.call(inputs, state)

    def add_weight(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
                   *args: Any, **kwargs: Any) -> Any:
        if not legacy():
            return super().add_weight(name, shape, dtype, initializer, *args, **kwargs)
        dtype = _core.as_dtype(dtype or self._dtype or "float32")
        parts = name.split("/")
        if len(parts) == 1:
            return weight_variable(name, shape, dtype, initializer, {})
        with variable_scope("/".join(parts[:-1])):
            return weight_variable(parts[-1], shape, dtype, initializer, {})

    @property
    def state_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        raise NotImplementedError("Abstract method")

    def build(self, input_shape: Any) -> None:
        self.built = True

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None,
                          dtype: Any = None) -> Any:
        if inputs is not None:
            inputs = framework_lib.convert_to_tensor(inputs)
            batch_size, dtype = tf.shape(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError("batch_size and dtype cannot be None while constructing initial state: "
                             "batch_size=%s, dtype=%s" % (batch_size, dtype))
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with framework_lib.name_scope(type(self).__name__ + "ZeroState"):
            return zeros_of(self.state_size, batch_size, dtype)


class LayerRNNCell(RNNCell):
    """A cell whose variables are made once, by its first call."""

    def __call__(self, inputs: Any, state: Any, scope: object = None, *args: Any,
                 **kwargs: Any) -> Any:
        if legacy():
            return self._legacy_call(inputs, state, scope)
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    def _depth(self, inputs_shape: Any) -> Optional[int]:
        check_inputs(self._built_from if hasattr(self, "_built_from") else [])
        shape = _core.TensorShape(inputs_shape)
        shown = tuple(shape.as_list()) if emulated() >= (1, 14) and shape.ndims is not None \
            else shape
        words = "Expected inputs.shape[-1] to be known, saw shape: %s" % (shown,)
        built_from = getattr(self, "_built_from", None)
        if isinstance(built_from, _core.Tensor):
            return known_dim(built_from, -1, words)
        return self._need_dim(inputs_shape, -1, words)

    def _weight(self, name: str, shape: Sequence[object], initializer: Any = None) -> Any:
        """A variable; a size that is not known leaves it open."""
        return self.add_weight(_weight_name(name), shape=shape, initializer=initializer)

    def _zeros(self) -> init_ops.Zeros:
        return init_ops.Zeros(self._dtype) if self._dtype is not None else init_ops.Zeros()


put(LayerRNNCell, "tensorflow.python.ops.rnn_cell_impl.LayerRNNCell", "tf.contrib.rnn.LayerRNNCell")
put(LayerRNNCell, "tensorflow.python.keras.layers.legacy_rnn.rnn_cell_impl.LayerRNNCell", v2=True)


def _plus(a: Any, b: Any) -> Any:
    return None if a is None or b is None else a + b


def check_inputs(*items: object) -> None:
    """From 1.14 on a cell takes floating point only."""
    if emulated() < (1, 14):
        return
    for item in nest.flatten(list(items)):
        dtype = getattr(item, "dtype", None)
        dtype = None if dtype is None else _core.as_dtype(dtype).base_dtype
        if dtype is not None and not (dtype.is_floating or dtype.is_complex):
            raise fail("SF202", "RNN cell only supports floating point inputs, but saw dtype: {dtype}",
                       dtype)


@_exported("BasicRNNCell")
class BasicRNNCell(LayerRNNCell):
    """output = new state = activation(W [inputs, state] + b)."""

    @old_order("num_units", "input_size", "activation")
    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None,
                 dtype: Any = None, input_size: Any = None, **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation) or tf.tanh

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape: Any) -> None:
        depth = self._depth(inputs_shape)
        self._kernel = self._weight("kernel", [_plus(depth, self._num_units), self._num_units])
        self._bias = self._weight("bias", [self._num_units], self._zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_inputs(inputs, state)
        gates = tf.matmul(tf.concat([inputs, state], 1), self._kernel)
        output = self._activation(tf.nn.bias_add(gates, self._bias))
        return output, output


@_exported("GRUCell")
class GRUCell(LayerRNNCell):
    """Gated recurrent unit (Cho et al. 2014)."""

    @old_order("num_units", "input_size", "activation")
    def __init__(self, num_units: int, activation: Any = None, reuse: Any = None,
                 kernel_initializer: Any = None, bias_initializer: Any = None, name: Any = None,
                 dtype: Any = None, input_size: Any = None, **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation_of(activation) or tf.tanh
        self._kernel_initializer = init_ops.get(kernel_initializer)
        self._bias_initializer = init_ops.get(bias_initializer)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        ones = self._bias_initializer or init_ops.Constant(1.0, self._dtype or "float32")
        self._gate_kernel = self._weight("gates/kernel", [_plus(depth, n), 2 * n],
                                         self._kernel_initializer)
        self._gate_bias = self._weight("gates/bias", [2 * n], ones)
        self._candidate_kernel = self._weight("candidate/kernel", [_plus(depth, n), n],
                                              self._kernel_initializer)
        self._candidate_bias = self._weight("candidate/bias", [n],
                                            self._bias_initializer or self._zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_inputs(inputs, state)
        gates = tf.matmul(tf.concat([inputs, state], 1), self._gate_kernel)
        gates = tf.sigmoid(tf.nn.bias_add(gates, self._gate_bias))
        r, u = tf.split(value=gates, num_or_size_splits=2, axis=1)
        candidate = tf.matmul(tf.concat([inputs, r * state], 1), self._candidate_kernel)
        c = self._activation(tf.nn.bias_add(candidate, self._candidate_bias))
        new_h = u * state + (1 - u) * c
        return new_h, new_h


_LSTMStateTuple = collections.namedtuple("_LSTMStateTuple", ("c", "h"))


@_exported("LSTMStateTuple")
class LSTMStateTuple(_LSTMStateTuple):
    """State of an LSTM: cell and output."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError("Inconsistent internal state: %s vs %s" % (c.dtype, h.dtype))
        return c.dtype


def _tuple_by_default() -> bool:
    return emulated() >= (0, 11)


@_exported("BasicLSTMCell")
class BasicLSTMCell(LayerRNNCell):
    """LSTM without peepholes, clipping or projection."""

    @old_order("num_units", "forget_bias", "input_size", "state_is_tuple", "activation")
    def __init__(self, num_units: int, forget_bias: float = 1.0,
                 state_is_tuple: Optional[bool] = None, activation: Any = None, reuse: Any = None,
                 name: Any = None, dtype: Any = None, input_size: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = _tuple_by_default() if state_is_tuple is None else state_is_tuple
        self._activation = activation_of(activation) or tf.tanh

    @property
    def state_size(self) -> Any:
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        self._kernel = self._weight("kernel", [_plus(depth, n), 4 * n])
        self._bias = self._weight("bias", [4 * n], self._zeros())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_inputs(inputs, state)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = tf.split(value=state, num_or_size_splits=2, axis=1)
        gates = tf.matmul(tf.concat([inputs, h], 1), self._kernel)
        gates = tf.nn.bias_add(gates, self._bias)
        i, j, f, o = tf.split(value=gates, num_or_size_splits=4, axis=1)
        forget = tf.constant(self._forget_bias, dtype=f.dtype)
        new_c = tf.add(tf.multiply(c, tf.sigmoid(tf.add(f, forget))),
                       tf.multiply(tf.sigmoid(i), self._activation(j)))
        new_h = tf.multiply(self._activation(new_c), tf.sigmoid(o))
        if self._state_is_tuple:
            return new_h, LSTMStateTuple(new_c, new_h)
        return new_h, tf.concat([new_c, new_h], 1)


@_exported("LSTMCell")
class LSTMCell(LayerRNNCell):
    """LSTM with optional peepholes, clipping and projection (Sak et al. 2014)."""

    @old_order("num_units", "input_size", "use_peepholes", "cell_clip", "initializer", "num_proj",
               "proj_clip", "num_unit_shards", "num_proj_shards", "forget_bias", "state_is_tuple",
               "activation")
    def __init__(self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None,
                 initializer: Any = None, num_proj: Optional[int] = None, proj_clip: Any = None,
                 num_unit_shards: Any = None, num_proj_shards: Any = None, forget_bias: float = 1.0,
                 state_is_tuple: Optional[bool] = None, activation: Any = None, reuse: Any = None,
                 name: Any = None, dtype: Any = None, input_size: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip, self._proj_clip = cell_clip, proj_clip
        self._initializer = init_ops.get(initializer)
        self._num_proj = num_proj
        self._forget_bias = forget_bias
        self._state_is_tuple = _tuple_by_default() if state_is_tuple is None else state_is_tuple
        self._activation = activation_of(activation) or tf.tanh

    @property
    def output_size(self) -> int:
        return self._num_proj or self._num_units

    @property
    def state_size(self) -> Any:
        n, h = self._num_units, self.output_size
        return LSTMStateTuple(n, h) if self._state_is_tuple else n + h

    def build(self, inputs_shape: Any) -> None:
        depth, n = self._depth(inputs_shape), self._num_units
        h = n if self._num_proj is None else self._num_proj
        self._kernel = self._weight("kernel", [_plus(depth, h), 4 * n], self._initializer)
        self._bias = self._weight("bias", [4 * n], self._zeros())
        if self._use_peepholes:
            self._diagonals = [self.add_weight(name, shape=[n], initializer=self._initializer)
                               for name in ("w_f_diag", "w_i_diag", "w_o_diag")]
        if self._num_proj is not None:
            self._proj_kernel = self._weight("projection/kernel", [n, self._num_proj],
                                             self._initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_inputs(inputs, state)
        n = self._num_units
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            width = n if self._num_proj is None else self._num_proj
            c_prev = tf.slice(state, [0, 0], [-1, n])
            m_prev = tf.slice(state, [0, n], [-1, width])
        lstm = tf.matmul(tf.concat([inputs, m_prev], 1), self._kernel)
        lstm = tf.nn.bias_add(lstm, self._bias)
        i, j, f, o = tf.split(value=lstm, num_or_size_splits=4, axis=1)
        if self._use_peepholes:
            w_f, w_i, w_o = self._diagonals
            c = (tf.sigmoid(f + self._forget_bias + w_f * c_prev) * c_prev
                 + tf.sigmoid(i + w_i * c_prev) * self._activation(j))
        else:
            c = (tf.sigmoid(f + self._forget_bias) * c_prev
                 + tf.sigmoid(i) * self._activation(j))
        if self._cell_clip is not None:
            c = tf.clip_by_value(c, -self._cell_clip, self._cell_clip)
        m = tf.sigmoid(o + self._diagonals[2] * c if self._use_peepholes else o) \
            * self._activation(c)
        if self._num_proj is not None:
            m = tf.matmul(m, self._proj_kernel)
            if self._proj_clip is not None:
                m = tf.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else tf.concat([c, m], 1)


@_exported("MultiRNNCell")
class MultiRNNCell(RNNCell):
    """Cells on top of each other."""

    def __init__(self, cells: Any, state_is_tuple: Optional[bool] = None) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_nested(cells):
            raise TypeError("cells must be a list or tuple, but saw: %s." % (cells,))
        self._cells = list(cells)
        self._state_is_tuple = _tuple_by_default() if state_is_tuple is None else state_is_tuple
        if not self._state_is_tuple and any(nest.is_nested(c.state_size) for c in self._cells):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is not "
                             "set.  State sizes are: %s" % str([c.state_size for c in self._cells]))

    @property
    def state_size(self) -> Any:
        if self._state_is_tuple:
            return tuple(cell.state_size for cell in self._cells)
        return sum(cell.state_size for cell in self._cells)

    output_size = property(lambda self: self._cells[-1].output_size)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with framework_lib.name_scope(type(self).__name__ + "ZeroState"):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return zeros_of(self.state_size, batch_size, dtype)

    def _layers(self) -> List[Layer]:
        return [c for c in self._cells if isinstance(c, Layer) and not hasattr(c, "_sf_unmodelled")]

    @property
    def trainable_weights(self) -> List[Any]:
        return [w for c in self._layers() for w in c.trainable_weights]

    @property
    def non_trainable_weights(self) -> List[Any]:
        return [w for c in self._layers() for w in c.non_trainable_weights]

    weights = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    variables = weights
    trainable_variables = trainable_weights

    def call(self, inputs: Any, state: Any) -> Any:
        position, new_states = 0, []
        for i, cell in enumerate(self._cells):
            with variable_scope("cell_%d" % i if emulated() >= (1, 0) else "Cell%d" % i):
                if self._state_is_tuple:
                    if not nest.is_nested(state):
                        raise fail("SF201", "Expected state to be a tuple of length {int}, but received: "
                                   "{text}", len(self.state_size), state)
                    current = state[i]
                else:
                    current = tf.slice(state, [0, position], [-1, cell.state_size])
                    position += cell.state_size
                inputs, new_state = cell(inputs, current)
                new_states.append(new_state)
        return inputs, tuple(new_states) if self._state_is_tuple else tf.concat(new_states, 1)


# --- _linear: private, but imported by many ------------------------------------------------------------
@export("tensorflow.python.ops.rnn_cell_impl._linear",
        "tensorflow.contrib.rnn.python.ops.core_rnn_cell._linear",
        "tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl._linear", "tf.nn.rnn_cell._linear",
        "tf.nn.rnn_cell.linear", "tf.contrib.rnn._linear", "tf.models.rnn.linear.linear",
        "tf.models.rnn.rnn_cell.linear")
def linear(args: Any, output_size: int, bias: bool, bias_initializer: Any = None,
           kernel_initializer: Any = None, bias_start: float = 0.0, scope: Any = None) -> Any:
    """sum_i args[i] * W[i], plus a bias; the variables are the current scope's."""
    if args is None or nest.is_nested(args) and not args:
        raise ValueError("`args` must be specified")
    if not nest.is_nested(args):
        args = [args]
    if legacy() and isinstance(bias_initializer, (int, float)):
        bias_start, bias_initializer = bias_initializer, None
    if legacy() and kernel_initializer is not None and not callable(kernel_initializer):
        scope, kernel_initializer = kernel_initializer, None
    args = [framework_lib.convert_to_tensor(a) for a in args]
    total: Any = 0
    shapes = [a.get_shape() for a in args]
    for a, shape in zip(args, shapes):
        if shape.ndims is not None and shape.ndims != 2:
            raise fail("SF102", "linear is expecting 2D arguments: {text}", shapes)
        total = _plus(total, known_dim(a, 1, "linear expects shape[1] to be provided for shape %s, "
                                             "but saw %s" % (shape, "?")))
    old = emulated() < (1, 0)
    names = ("Matrix", "Bias") if old else ("weights", "biases") if legacy() else ("kernel", "bias")
    with variable_scope(scope or "Linear") if old else variable_scope(
            scope or get_variable_scope(), auxiliary_name_scope=scope is not None):
        dtype = args[0].dtype.base_dtype
        kernel = weight_variable(names[0], [total, output_size], dtype, kernel_initializer, {})
        product = tf.matmul(args[0] if len(args) == 1 else tf.concat(args, 1), kernel)
        if not bias:
            return product
        start = bias_initializer or init_ops.Constant(bias_start, dtype)
        biases = weight_variable(names[1], [output_size], dtype, start, {})
    return tf.nn.bias_add(product, biases)


@export("tensorflow.python.ops.rnn_cell_impl._Linear",
        "tensorflow.contrib.rnn.python.ops.core_rnn_cell._Linear")
class Linear:
    """What `linear` became in 1.4: the variables are made once, in the scope where it is made."""

    def __init__(self, args: Any, output_size: int, build_bias: bool, bias_initializer: Any = None,
                 kernel_initializer: Any = None) -> None:
        if args is None or nest.is_nested(args) and not args:
            raise ValueError("`args` must be specified")
        args = [framework_lib.convert_to_tensor(a) for a in (args if nest.is_nested(args) else [args])]
        self._build_bias = build_bias
        total: Any = 0
        for a in args:
            if a.get_shape().ndims not in (None, 2):
                raise fail("SF102", "linear is expecting 2D arguments: {text}", [b.get_shape() for b in args])
            total = _plus(total, known_dim(a, 1, "linear expects shape[1] to be provided for shape %s, "
                                                 "but saw %s" % (a.get_shape(), "?")))
        dtype = args[0].dtype.base_dtype
        with variable_scope(get_variable_scope(), auxiliary_name_scope=False):
            self._weights = weight_variable("kernel", [total, output_size], dtype, kernel_initializer, {})
            if build_bias:
                start = bias_initializer or init_ops.Constant(0.0, dtype)
                self._biases = weight_variable("bias", [output_size], dtype, start, {})

    def __call__(self, args: Any) -> Any:
        args = list(args) if nest.is_nested(args) else [args]
        product = tf.matmul(args[0] if len(args) == 1 else tf.concat(args, 1), self._weights)
        return tf.nn.bias_add(product, self._biases) if self._build_bias else product
