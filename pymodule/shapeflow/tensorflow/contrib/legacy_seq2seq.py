"""tf.contrib.legacy_seq2seq and sequence losses, as compositions.

Source: tensorflow/contrib/legacy_seq2seq/python/ops/seq2seq.py,
contrib/seq2seq/python/ops/loss.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.rnn import static_rnn
from shapeflow.tensorflow.python.ops.rnn_cell import linear
from shapeflow.tensorflow.python.ops.rnn_cell_wrappers import EmbeddingWrapper, OutputProjectionWrapper
from shapeflow.tensorflow.python.ops.variable_scope import get_variable, get_variable_scope, variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple

    from shapeflow.api.registry import Decorator


def _exported(name: str) -> "Decorator":
    return export("tf.contrib.legacy_seq2seq." + name, "tf.nn.seq2seq." + name,
                  "tf.models.rnn.seq2seq." + name)


def _extract_argmax_and_embed(embedding: object, output_projection: Any = None) -> Any:
    def loop_function(prev: Any, _: int) -> Any:
        if output_projection is not None:
            prev = tf.matmul(prev, output_projection[0]) + output_projection[1]
        return tf.stop_gradient(tf.nn.embedding_lookup(embedding, tf.argmax(prev, 1)))

    return loop_function


@_exported("rnn_decoder")
def rnn_decoder(decoder_inputs: Any, initial_state: object, cell: Any, loop_function: Any = None,
                scope: Optional[str] = None) -> Tuple[List[Any], object]:
    with variable_scope(scope or "rnn_decoder"):
        state, outputs, prev = initial_state, [], None
        for i, step in enumerate(decoder_inputs):
            if loop_function is not None and prev is not None:
                with variable_scope("loop_function", reuse=True):
                    step = loop_function(prev, i)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(step, state)
            outputs.append(output)
            if loop_function is not None:
                prev = output
    return outputs, state


@_exported("basic_rnn_seq2seq")
def basic_rnn_seq2seq(encoder_inputs: object, decoder_inputs: object, cell: object, dtype: object = "float32",
                      scope: Optional[str] = None) -> Tuple[List[Any], Any]:
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(_copy(cell), encoder_inputs, dtype=_core.as_dtype(dtype))
        return rnn_decoder(decoder_inputs, state, cell)


@_exported("tied_rnn_seq2seq")
def tied_rnn_seq2seq(encoder_inputs: object, decoder_inputs: object, cell: object,
                     loop_function: object = None, dtype: object = "float32",
                     scope: Optional[str] = None) -> Tuple[List[Any], Any]:
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=_core.as_dtype(dtype), scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, scope)


def _copy(cell: Any) -> Any:
    import copy

    return copy.deepcopy(cell)


@_exported("embedding_rnn_decoder")
def embedding_rnn_decoder(decoder_inputs: Any, initial_state: object, cell: object, num_symbols: int,
                          embedding_size: int, output_projection: object = None,
                          feed_previous: bool = False, update_embedding_for_previous: bool = True,
                          scope: Optional[str] = None) -> Tuple[List[Any], Any]:
    with variable_scope(scope or "embedding_rnn_decoder"):
        if output_projection is not None:
            _check_projection(output_projection, num_symbols)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _extract_argmax_and_embed(embedding, output_projection) if feed_previous is True \
            else None
        embedded = [tf.nn.embedding_lookup(embedding, i) for i in decoder_inputs]
        return rnn_decoder(embedded, initial_state, cell, loop)


def _check_projection(output_projection: Any, num_symbols: int) -> None:
    biases = framework_lib.convert_to_tensor(output_projection[1])
    want = _core.TensorShape([num_symbols])
    if not biases.get_shape().is_compatible_with(want):
        raise fail("SF124", "Shapes {shape} and {shape} are incompatible", biases.get_shape(), want)


def _mean(total: Any, count: Any) -> Any:
    """total / count: guarded by an epsilon before 1.15, by the op since."""
    if names.emulated() >= (1, 15):
        return tf.div_no_nan(total, count)
    return tf.div(total, count + 1e-12)


def _either(feed_previous: Any, decode: Any) -> Any:
    """A decoder for a bool, or for a tensor: both are built, one is taken when it is run."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous, False)
    first = decode(True, False)
    second = decode(False, True)
    flat = [tf.cond(feed_previous, lambda a=a: tf.identity(a), lambda b=b: tf.identity(b))
            for a, b in zip(nest.flatten(first), nest.flatten(second))]
    return nest.pack_sequence_as(first, flat)


@_exported("embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(encoder_inputs: object, decoder_inputs: object, cell: object,
                          num_encoder_symbols: int, num_decoder_symbols: int, embedding_size: int,
                          output_projection: object = None, feed_previous: bool = False,
                          dtype: object = None, scope: Optional[str] = None) -> Any:
    with variable_scope(scope or "embedding_rnn_seq2seq") as inner:
        encoder = EmbeddingWrapper(_copy(cell), embedding_classes=num_encoder_symbols,
                                   embedding_size=embedding_size)
        _, state = static_rnn(encoder, encoder_inputs, dtype=_core.as_dtype(dtype or "float32"))
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed: bool, again: bool) -> Any:
            with variable_scope(inner, reuse=True if again else None):
                return embedding_rnn_decoder(decoder_inputs, state, cell, num_decoder_symbols,
                                             embedding_size, output_projection, feed)

        return _either(feed_previous, decode)


@_exported("attention_decoder")
def attention_decoder(decoder_inputs: Any, initial_state: object, attention_states: Any, cell: Any,
                      output_size: Any = None, num_heads: int = 1, loop_function: Any = None,
                      dtype: object = None, scope: Optional[str] = None,
                      initial_state_attention: bool = False) -> Tuple[List[Any], object]:
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    states_shape = attention_states.get_shape()
    if states_shape.ndims is not None and states_shape.as_list()[2] is None:
        raise fail("SF128", "Shape[2] of attention_states must be known: {shape}", states_shape)
    output_size = cell.output_size if output_size is None else output_size
    with variable_scope(scope or "attention_decoder"):
        size = states_shape.as_list()[2]
        dims = tf.shape(attention_states)
        length = states_shape.as_list()[1]
        length = dims[1] if length is None else length
        hidden = tf.reshape(attention_states, [-1, length, 1, size])
        features, vectors = [], []
        for a in range(num_heads):
            kernel = get_variable("AttnW_%d" % a, [1, 1, size, size])
            features.append(tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME"))
            vectors.append(get_variable("AttnV_%d" % a, [size]))
        state = initial_state

        def attention(query: object) -> List[Any]:
            found = []
            if nest.is_nested(query):
                query = tf.concat(nest.flatten(query), 1)
            for a in range(num_heads):
                with variable_scope("Attention_%d" % a):
                    y = tf.reshape(linear(query, size, True), [-1, 1, 1, size])
                    s = tf.reduce_sum(vectors[a] * tf.tanh(features[a] + y), [2, 3])
                    weights = tf.reshape(tf.nn.softmax(s), [-1, length, 1, 1])
                    found.append(tf.reshape(tf.reduce_sum(weights * hidden, [1, 2]), [-1, size]))
            return found

        batch = tf.shape(decoder_inputs[0])[0]
        attns = [tf.zeros(tf.stack([batch, size])) for _ in range(num_heads)]
        for a in attns:
            a.set_shape([None, size])
        if initial_state_attention:
            attns = attention(initial_state)
        outputs, prev = [], None
        for i, step in enumerate(decoder_inputs):
            if i > 0:
                get_variable_scope().reuse_variables()
            if loop_function is not None and prev is not None:
                with variable_scope("loop_function", reuse=True):
                    step = loop_function(prev, i)
            width = step.get_shape().with_rank(2).as_list()[1]
            if width is None:
                raise fail("SF128", "Could not infer input size from input: {name}", step.name)
            x = linear([step] + attns, width, True)
            cell_output, state = cell(x, state)
            if i == 0 and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    attns = attention(state)
            else:
                attns = attention(state)
            with variable_scope("AttnOutputProjection"):
                output = linear([cell_output] + attns, output_size, True)
            if loop_function is not None:
                prev = output
            outputs.append(output)
    return outputs, state


@_exported("embedding_attention_decoder")
def embedding_attention_decoder(decoder_inputs: Any, initial_state: object, attention_states: object,
                                cell: Any, num_symbols: int, embedding_size: int,
                                num_heads: int = 1, output_size: Any = None,
                                output_projection: object = None, feed_previous: bool = False,
                                update_embedding_for_previous: bool = True, dtype: object = None,
                                scope: Optional[str] = None,
                                initial_state_attention: bool = False) -> Tuple[List[Any], Any]:
    output_size = cell.output_size if output_size is None else output_size
    if output_projection is not None:
        _check_projection(output_projection, num_symbols)
    with variable_scope(scope or "embedding_attention_decoder"):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _extract_argmax_and_embed(embedding, output_projection) if feed_previous is True \
            else None
        embedded = [tf.nn.embedding_lookup(embedding, i) for i in decoder_inputs]
        return attention_decoder(embedded, initial_state, attention_states, cell, output_size,
                                 num_heads, loop, initial_state_attention=initial_state_attention)


@_exported("embedding_attention_seq2seq")
def embedding_attention_seq2seq(encoder_inputs: object, decoder_inputs: object, cell: Any,
                                num_encoder_symbols: int, num_decoder_symbols: int,
                                embedding_size: int, num_heads: int = 1,
                                output_projection: object = None, feed_previous: bool = False,
                                dtype: object = None, scope: Optional[str] = None,
                                initial_state_attention: bool = False) -> Any:
    with variable_scope(scope or "embedding_attention_seq2seq") as inner:
        encoder = EmbeddingWrapper(_copy(cell), embedding_classes=num_encoder_symbols,
                                   embedding_size=embedding_size)
        encoder_outputs, state = static_rnn(encoder, encoder_inputs,
                                            dtype=_core.as_dtype(dtype or "float32"))
        tops = [tf.reshape(e, [-1, 1, cell.output_size]) for e in encoder_outputs]
        attention_states = tf.concat(tops, 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed: bool, again: bool) -> Any:
            with variable_scope(inner, reuse=True if again else None):
                return embedding_attention_decoder(
                    decoder_inputs, state, attention_states, cell, num_decoder_symbols,
                    embedding_size, num_heads, output_size, output_projection, feed,
                    initial_state_attention=initial_state_attention)

        return _either(feed_previous, decode)


# --- losses -----------------------------------------------------------------------------------------------
@_exported("sequence_loss_by_example")
def sequence_loss_by_example(logits: Any, targets: Any, weights: Any,
                             average_across_timesteps: bool = True,
                             softmax_loss_function: Any = None,
                             name: Optional[str] = None) -> Any:
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise fail("SF201", "Lengths of logits, weights, and targets must be the same {int}, {int}, "
                   "{int}.", len(logits), len(weights), len(targets))
    with framework_lib.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = tf.reshape(framework_lib.convert_to_tensor(target), [-1])
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            elif names.emulated() >= (1, 0):
                loss = softmax_loss_function(labels=target, logits=logit)
            else:
                loss = softmax_loss_function(logit, target)
            losses.append(loss * weight)
        total = tf.add_n(losses)
        if average_across_timesteps:
            total = total / (tf.add_n([framework_lib.convert_to_tensor(w) for w in weights]) + 1e-12)
    return total


@_exported("sequence_loss")
def sequence_loss(logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
                  average_across_batch: bool = True, softmax_loss_function: object = None,
                  name: Optional[str] = None) -> Any:
    with framework_lib.name_scope(name, "sequence_loss", logits + targets + weights):
        cost = tf.reduce_sum(sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps=average_across_timesteps,
            softmax_loss_function=softmax_loss_function))
        if average_across_batch:
            return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype)
        return cost


@_exported("model_with_buckets")
def model_with_buckets(encoder_inputs: Any, decoder_inputs: Any, targets: Any, weights: Any,
                       buckets: Any, seq2seq: Any, softmax_loss_function: object = None,
                       per_example_loss: bool = False, name: Optional[str] = None) -> Any:
    if len(encoder_inputs) < buckets[-1][0]:
        raise ValueError("Length of encoder_inputs (%d) must be at least that of last bucket (%d)."
                         % (len(encoder_inputs), buckets[-1][0]))
    if len(targets) < buckets[-1][1]:
        raise ValueError("Length of targets (%d) must be at least that of last bucket (%d)."
                         % (len(targets), buckets[-1][1]))
    if len(weights) < buckets[-1][1]:
        raise ValueError("Length of weights (%d) must be at least that of last bucket (%d)."
                         % (len(weights), buckets[-1][1]))
    losses, outputs = [], []
    function = sequence_loss_by_example if per_example_loss else sequence_loss
    with framework_lib.name_scope(name, "model_with_buckets"):
        for j, bucket in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if j > 0 else None):
                made, _ = seq2seq(encoder_inputs[:bucket[0]], decoder_inputs[:bucket[1]])
                outputs.append(made)
                losses.append(function(made, targets[:bucket[1]], weights[:bucket[1]],
                                       softmax_loss_function=softmax_loss_function))
    return outputs, losses


@export("tf.contrib.seq2seq.sequence_loss")
def contrib_sequence_loss(logits: Any, targets: Any, weights: Any,
                          average_across_timesteps: bool = True, average_across_batch: bool = True,
                          sum_over_timesteps: bool = False, sum_over_batch: bool = False,
                          softmax_loss_function: Any = None, name: Optional[str] = None) -> Any:
    if len(logits.get_shape()) != 3:
        raise fail("SF102", "Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.get_shape()) != 2:
        raise fail("SF102", "Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.get_shape()) != 2:
        raise fail("SF102", "Weights must be a [batch_size x sequence_length] tensor")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at "
                         "same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same "
                         "time.")
    with framework_lib.name_scope(name, "sequence_loss", [logits, targets, weights]):
        classes = tf.shape(logits)[2]
        flat_logits = tf.reshape(logits, [-1, classes])
        flat_targets = tf.reshape(targets, [-1])
        if softmax_loss_function is None:
            cost = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=flat_targets,
                                                                  logits=flat_logits)
        else:
            cost = softmax_loss_function(labels=flat_targets, logits=flat_logits)
        cost = cost * tf.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return _mean(tf.reduce_sum(cost), tf.reduce_sum(weights))
        cost = tf.reshape(cost, tf.shape(logits)[0:2])
        if average_across_timesteps or sum_over_timesteps:
            cost = tf.reduce_sum(cost, axis=[1])
            if average_across_timesteps:
                cost = _mean(cost, tf.reduce_sum(weights, axis=1))
        if average_across_batch or sum_over_batch:
            cost = tf.reduce_sum(cost, axis=[0])
            if average_across_batch:
                cost = _mean(cost, tf.reduce_sum(weights, axis=0))
        return cost
