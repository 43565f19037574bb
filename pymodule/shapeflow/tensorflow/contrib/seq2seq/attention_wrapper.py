"""tf.contrib.seq2seq attention: mechanisms and the cell that asks them.

Source: tensorflow/contrib/seq2seq/python/ops/attention_wrapper.py (1.15).
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export, put_subclass
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers import core
from shapeflow.tensorflow.python.ops.rnn_cell import RNNCell, assert_like_rnncell
from shapeflow.tensorflow.python.ops.variable_scope import get_variable, variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_TF = "tf.contrib.seq2seq."


@export(_TF + "AttentionMechanism")
class AttentionMechanism:
    """Weights over the steps of a memory [batch, time, depth], for a query [batch, units]."""

    _init_scope, _scope_name, _has_query_layer = "AttentionMechanismInit", "attention", False

    def __init__(self, num_units: int, memory: Any, memory_sequence_length: Any = None, *args: Any,
                 **kwargs: Any) -> None:
        dtype = kwargs.get("dtype") or "float32"
        self._num_units = num_units
        with framework_lib.name_scope(kwargs.get("name"), self._init_scope):
            values = framework_lib.convert_to_tensor(memory)
            if memory_sequence_length is not None:
                lengths = framework_lib.convert_to_tensor(memory_sequence_length)
                values = values * tf.cast(self._mask(lengths, values), values.dtype)
            self._values = values
            self.query_layer = core.Dense(num_units, name="query_layer", use_bias=False,
                                            dtype=dtype) if self._has_query_layer else None
            self.memory_layer = core.Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype)
            self._keys = self.memory_layer(values)
            shape = self._keys.get_shape()
            dims = shape.as_list() if shape.ndims is not None else [None, None]
            self._batch_size = dims[0] if dims[0] is not None else tf.shape(self._keys)[0]
            self._alignments_size = dims[1] if dims[1] is not None else tf.shape(self._keys)[1]

    @staticmethod
    def _mask(lengths: object, values: Any) -> Any:
        shape = values.get_shape()
        steps = shape.as_list()[1] if shape.ndims else None
        mask = tf.sequence_mask(lengths, steps if steps is not None else tf.shape(values)[1])
        rank = shape.ndims or 3
        for _ in range(rank - 2):
            mask = tf.expand_dims(mask, -1)
        return mask

    keys = property(lambda self: self._keys)
    values = property(lambda self: self._values)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size: object, dtype: object) -> Any:
        return tf.zeros(tf.stack([batch_size, self._alignments_size]), dtype)

    initial_state = initial_alignments

    def _score(self, query: object) -> Any:
        raise NotImplementedError

    def __call__(self, query: object, state: object) -> Any:
        with variable_scope(None, self._scope_name, [query]):
            alignments = tf.nn.softmax(self._score(query))
        return alignments, alignments


@export(_TF + "LuongAttention")
class LuongAttention(AttentionMechanism):
    """query . keys"""

    _init_scope, _scope_name = "LuongAttention", "luong_attention"

    def _score(self, query: Any) -> Any:
        depth, units = query.get_shape().as_list()[-1], self._keys.get_shape().as_list()[-1]
        if depth is not None and units is not None and depth != units:
            raise fail("SF101", "Incompatible or unknown inner dimensions between query and keys.  Query "
                       "({text}) has units: {dim}.  Keys ({text}) have units: {dim}.  Perhaps you need to "
                       "set num_units to the keys' dimension ({dim})?", query, depth, self._keys, units,
                       units)
        return tf.squeeze(tf.matmul(tf.expand_dims(query, 1), self._keys, transpose_b=True), [1])


@export(_TF + "BahdanauAttention")
class BahdanauAttention(AttentionMechanism):
    """v . tanh(query + keys)"""

    _init_scope, _scope_name = "BahdanauAttentionInit", "bahdanau_attention"
    _has_query_layer = True

    def _score(self, query: Any) -> Any:
        processed = self.query_layer(query) if self.query_layer is not None else query
        v = get_variable("attention_v", [self._num_units], dtype=query.dtype)
        return tf.reduce_sum(v * tf.tanh(self._keys + tf.expand_dims(processed, 1)), [2])


# Of another probability of the steps, which has the same shape.
put_subclass(LuongAttention, _TF + "LuongMonotonicAttention")
put_subclass(BahdanauAttention, _TF + "BahdanauMonotonicAttention")


@export(_TF + "AttentionWrapperState")
class AttentionWrapperState(collections.namedtuple("AttentionWrapperState", [
        "cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"])):
    """The state of an AttentionWrapper."""

    def clone(self, **kwargs: object) -> "AttentionWrapperState":
        """The state with some fields replaced by tensors of the same shapes."""
        def same(old: object, new: object) -> Any:
            if not isinstance(old, _core.Tensor) or not isinstance(new, _core.Tensor):
                return new
            a, b = old.get_shape(), new.get_shape()
            if a.is_fully_defined() and not a.is_compatible_with(b):
                raise fail("SF124", "Invalid shape for tensor {name}, expected {shape:array}, got "
                           "{shape}.", new.name, a, b)
            return new

        for key, value in kwargs.items():
            nest.assert_same_structure(getattr(self, key), value)
            nest.map_structure(same, getattr(self, key), value)
        return self._replace(**kwargs)


@export(_TF + "AttentionWrapper")
class AttentionWrapper(RNNCell):
    """A cell that sees, besides its input, what a mechanism took from the memory."""

    def __init__(self, cell: Any, attention_mechanism: Any, attention_layer_size: Any = None,
                 alignment_history: bool = False, cell_input_fn: Any = None,
                 output_attention: bool = True, initial_cell_state: Any = None,
                 name: Optional[str] = None, attention_layer: Any = None, attention_fn: Any = None,
                 dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        several = isinstance(attention_mechanism, (list, tuple))
        self._several = several
        self._mechanisms = list(attention_mechanism) if several else [attention_mechanism]
        for mechanism in self._mechanisms:
            if not isinstance(mechanism, AttentionMechanism) and not hasattr(
                    type(mechanism), "_sf_unmodelled"):
                raise TypeError("attention_mechanism must be an AttentionMechanism or list of multiple "
                                "AttentionMechanism instances, saw type: %s" % type(mechanism).__name__)
        self._cell = cell
        self._cell_input_fn = cell_input_fn or (lambda inputs, attention: tf.concat([inputs, attention], -1))
        sizes = attention_layer_size if isinstance(attention_layer_size, (list, tuple)) else \
            [attention_layer_size] * len(self._mechanisms)
        self._attention_layers: Optional[List[Any]] = None
        if attention_layer_size is not None:
            self._attention_layers = [core.Dense(n, name="attention_layer", use_bias=False)
                                      for n in sizes]
            self._attention_size: Any = sum(sizes)
        else:
            self._attention_size = sum(
                m.values.get_shape().as_list()[-1] or 0 for m in self._mechanisms)
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        self._initial_cell_state = initial_cell_state

    @property
    def output_size(self) -> Any:
        return self._attention_size if self._output_attention else self._cell.output_size

    def _items(self, items: Any) -> Any:
        items = tuple(items)
        return items if self._several else items[0]

    @property
    def state_size(self) -> Any:
        sizes = self._items(m.alignments_size for m in self._mechanisms)
        return AttentionWrapperState(self._cell.state_size, self._attention_size, _core.TensorShape([]),
                                     sizes, (), sizes)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with framework_lib.name_scope("AttentionWrapperZeroState"):
            state = self._initial_cell_state if self._initial_cell_state is not None else \
                self._cell.zero_state(batch_size, dtype)
            attention = tf.zeros(tf.stack([batch_size, self._attention_size]) if hasattr(
                batch_size, "op") else [batch_size, self._attention_size], dtype)
            alignments = [m.initial_alignments(batch_size, dtype) for m in self._mechanisms]
            history = self._items(
                tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=a.get_shape())
                if self._alignment_history else () for a in alignments)
            return AttentionWrapperState(state, attention, tf.constant(0), self._items(alignments),
                                         history, self._items(alignments))

    def call(self, inputs: Any, state: Any) -> Any:
        if not isinstance(state, AttentionWrapperState):
            raise TypeError("Expected state to be instance of AttentionWrapperState. Received type %s "
                            "instead." % type(state))
        cell_output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        previous = state.attention_state if self._several else [state.attention_state]
        attentions, alignments, states = [], [], []
        for i, mechanism in enumerate(self._mechanisms):
            weights, new = mechanism(cell_output, previous[i])
            context = tf.squeeze(tf.matmul(tf.expand_dims(weights, 1), mechanism.values), [1])
            if self._attention_layers is not None:
                context = self._attention_layers[i](tf.concat([cell_output, context], 1))
            attentions.append(context)
            alignments.append(weights)
            states.append(new)
        attention = tf.concat(attentions, 1) if len(attentions) > 1 else attentions[0]
        held = state.alignment_history if self._several else [state.alignment_history]
        history = self._items(array.write(state.time, weights) if self._alignment_history else ()
                              for array, weights in zip(held, alignments))
        following = AttentionWrapperState(cell_state, attention, state.time + 1, self._items(alignments),
                                          history, self._items(states))
        return (attention if self._output_attention else cell_output), following
