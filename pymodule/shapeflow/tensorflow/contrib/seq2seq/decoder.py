"""tf.contrib.seq2seq: helpers, BasicDecoder, dynamic_decode.

One step of the decoder is computed, and its outputs are repeated over time, as dynamic_rnn does.
Source: tensorflow/contrib/seq2seq/python/ops/{helper,basic_decoder,decoder}.py (1.15).
"""

from __future__ import annotations

import collections
import contextlib

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.rnn import _is_opaque, _over_time, _step_of, each_step
from shapeflow.tensorflow.python.ops.rnn_cell import assert_like_rnncell
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Tuple

_TF = "tf.contrib.seq2seq."


def _int32(value: Any) -> Any:
    return framework_lib.convert_to_tensor(value, _core.as_dtype("int32"))


# --- helpers ------------------------------------------------------------------------------------
@export(_TF + "Helper")
class Helper:
    """What a decoder reads at each step."""

    sample_ids_shape = property(lambda self: _core.TensorShape([]))
    sample_ids_dtype = property(lambda self: _core.as_dtype("int32"))

    def steps(self) -> Any:
        """How many steps there are; None: as many as it takes."""
        return None


@export(_TF + "TrainingHelper")
class TrainingHelper(Helper):
    """Reads the steps of `inputs`."""

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False,
                 name: Optional[str] = None) -> None:
        with framework_lib.name_scope(name, type(self).__name__, [inputs, sequence_length]):
            inputs = nest.map_structure(framework_lib.convert_to_tensor, inputs)
            self._axis = 0 if time_major else 1
            self._sequence_length = tf.cast(_int32_of(sequence_length), _core.as_dtype("int32"))
            rank = self._sequence_length.get_shape().ndims
            if rank not in (1, None):
                raise fail("SF102", "Expected sequence_length to be a vector, but received shape: {shape}",
                           self._sequence_length.get_shape())
            self.inputs = inputs
            self._step = nest.map_structure(lambda x: _step_of(x, self._axis), inputs)
            self._batch_size = tf.size(self._sequence_length)

    batch_size = property(lambda self: self._batch_size)
    sequence_length = property(lambda self: self._sequence_length)

    def steps(self) -> Any:
        return tf.reduce_max(self._sequence_length)

    def initialize(self, name: Optional[str] = None) -> Tuple[Any, Any]:
        return tf.equal(0, self._sequence_length), self._step

    def sample(self, time: Any, outputs: Any, state: Any = None, name: Optional[str] = None) -> Any:
        return tf.cast(tf.argmax(outputs, axis=-1), _core.as_dtype("int32"))

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None,
                    name: Optional[str] = None) -> Any:
        return tf.greater_equal(time + 1, self._sequence_length), self._step, state


@export(_TF + "ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Some of its inputs are what was said before, of the same shape."""

    def __init__(self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any,
                 time_major: bool = False, seed: Any = None, scheduling_seed: Any = None,
                 name: Optional[str] = None) -> None:
        super().__init__(inputs, sequence_length, time_major, name)


@export(_TF + "ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """Some of its inputs are outputs, of the same shape."""

    def __init__(self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False,
                 seed: Any = None, next_inputs_fn: Any = None, auxiliary_inputs: Any = None,
                 name: Optional[str] = None) -> None:
        super().__init__(inputs, sequence_length, time_major, name)


def _int32_of(value: Any) -> Any:
    return value if isinstance(value, _core.Tensor) else framework_lib.convert_to_tensor(value)


@export(_TF + "GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(Helper):
    """Reads what was said before."""

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embed = embedding if callable(embedding) else (
            lambda ids: tf.nn.embedding_lookup(embedding, ids))
        self._start_tokens = _int32(start_tokens)
        self._end_token = _int32(end_token)
        if self._start_tokens.get_shape().ndims not in (1, None):
            raise fail("SF102", "start_tokens must be a vector")
        if self._end_token.get_shape().ndims not in (0, None):
            raise fail("SF102", "end_token must be a scalar")
        self._batch_size = tf.size(self._start_tokens)

    batch_size = property(lambda self: self._batch_size)

    def initialize(self, name: Optional[str] = None) -> Tuple[Any, Any]:
        return tf.tile([False], [self._batch_size]), self._embed(self._start_tokens)

    def sample(self, time: Any, outputs: Any, state: Any = None, name: Optional[str] = None) -> Any:
        if not isinstance(outputs, _core.Tensor):
            raise TypeError("Expected outputs to be a single Tensor, got: %s" % type(outputs))
        return tf.cast(tf.argmax(outputs, axis=-1), _core.as_dtype("int32"))

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None,
                    name: Optional[str] = None) -> Any:
        return tf.equal(sample_ids, self._end_token), self._embed(sample_ids), state


@export(_TF + "SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Draws what it says instead of saying the likeliest, of the same shape."""

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None,
                 seed: Any = None) -> None:
        super().__init__(embedding, start_tokens, end_token)


@export(_TF + "CustomHelper")
class CustomHelper(Helper):
    """The user's functions."""

    def __init__(self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any,
                 sample_ids_shape: Any = None, sample_ids_dtype: Any = None) -> None:
        self._initialize_fn, self._sample_fn, self._next = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size: Any = None

    @property
    def batch_size(self) -> Any:
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    def initialize(self, name: Optional[str] = None) -> Tuple[Any, Any]:
        finished, inputs = self._initialize_fn()
        self._batch_size = tf.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any = None, name: Optional[str] = None) -> Any:
        return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None,
                    name: Optional[str] = None) -> Any:
        return self._next(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


# --- decoders -----------------------------------------------------------------------------------
BasicDecoderOutput = collections.namedtuple("BasicDecoderOutput", ["rnn_output", "sample_id"])
put(BasicDecoderOutput, _TF + "BasicDecoderOutput")


@export(_TF + "Decoder")
class Decoder:
    """What dynamic_decode runs."""

    tracks_own_finished = False

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        raise NotImplementedError


@export(_TF + "BasicDecoder")
class BasicDecoder(Decoder):
    """A cell, a helper, and perhaps a layer on what the cell says."""

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        if not _is_opaque(cell):
            assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper) and not _is_opaque(helper) and not hasattr(
                helper, "next_inputs"):
            raise TypeError("helper must be a Helper, received: %s" % type(helper))
        if output_layer is not None and not callable(output_layer):
            raise TypeError("output_layer must be a Layer, received: %s" % type(output_layer))
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer

    batch_size = property(lambda self: self._helper.batch_size)

    def steps(self) -> Any:
        return self._helper.steps() if isinstance(self._helper, Helper) else None

    def initialize(self, name: Optional[str] = None) -> Tuple[Any, ...]:
        return tuple(self._helper.initialize()) + (self._initial_state,)

    def step(self, time: Any, inputs: Any, state: Any, name: Optional[str] = None) -> Tuple[Any, ...]:
        with framework_lib.name_scope(name, "BasicDecoderStep"):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, following, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=cell_state, sample_ids=ids)
        return BasicDecoderOutput(outputs, ids), next_state, following, finished


def _lengths_like(finished: Any) -> Any:
    shape = finished.get_shape()
    return op_builders.unknown("int32", shape if shape.ndims is not None else [None], None, [finished],
                         trusted=True)


@export(_TF + "dynamic_decode")
def dynamic_decode(decoder: Any, output_time_major: bool = False, impute_finished: bool = False,
                   maximum_iterations: Any = None, parallel_iterations: int = 32,
                   swap_memory: bool = False, scope: Optional[str] = None, **kwargs: Any) -> Any:
    from shapeflow.api.unmodelled import Opaque

    if _is_opaque(decoder):
        return tuple(Opaque(_TF + "dynamic_decode", decoder._sf_inputs) for _ in range(3))
    if not isinstance(decoder, Decoder) and not hasattr(decoder, "step"):
        raise TypeError("Expected decoder to be type Decoder, but saw: %s" % type(decoder))
    with variable_scope(scope, "decoder"):
        if maximum_iterations is not None:
            maximum_iterations = _int32(maximum_iterations)
            if maximum_iterations.get_shape().ndims not in (0, None):
                raise fail("SF102", "maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        with framework_lib.name_scope("while"):
            time = op_builders.unknown("int32", [], None, [], trusted=True)
            with each_step(inputs) if isinstance(
                    getattr(decoder, "_helper", None), TrainingHelper) else contextlib.nullcontext():
                outputs, new_state, following, next_finished = decoder.step(time, inputs, state)
        if any(_is_opaque(o) for o in nest.flatten(outputs)):
            return tuple(Opaque(_TF + "dynamic_decode", nest.flatten(inputs)) for _ in range(3))
        _need_same(inputs, following)
        _need_same(state, new_state)
        steps = decoder.steps() if hasattr(decoder, "steps") else None
        if steps is None:
            steps = op_builders.unknown("int32", [], None, [framework_lib.convert_to_tensor(finished)],
                                        trusted=True)
        elif maximum_iterations is not None:
            steps = tf.minimum(steps, maximum_iterations)
        axis = 0 if output_time_major else 1

        def over_time(x: Any) -> Any:
            x = framework_lib.convert_to_tensor(x)
            return _over_time(x, steps, axis if x.get_shape().ndims else 0)

        made = nest.map_structure(over_time, outputs)
        lengths = _lengths_like(framework_lib.convert_to_tensor(next_finished))
        if type(decoder).finalize is not Decoder.finalize if isinstance(decoder, Decoder) else False:
            try:
                made, new_state = decoder.finalize(made, new_state, lengths)
            except NotImplementedError:
                pass
        return made, new_state, lengths


def _need_same(entering: Any, leaving: Any) -> None:
    """Loop variables keep their shapes."""
    from shapeflow.tensorflow.python.ops.rnn import _need_same_state

    flat = [nest.flatten(entering), nest.flatten(leaving)]
    if len(flat[0]) == len(flat[1]) and all(
            isinstance(t, _core.Tensor) for part in flat for t in part):
        _need_same_state(flat[0], flat[1])


@export(_TF + "tile_batch")
def tile_batch(t: Any, multiplier: int, name: Optional[str] = None) -> Any:
    """[batch, ...] -> [batch * multiplier, ...]"""
    def tile(x: Any) -> Any:
        x = framework_lib.convert_to_tensor(x)
        shape = x.get_shape()
        if shape.ndims is None:
            raise fail("SF103", "t must have statically known rank")
        dims = shape.as_list()
        repeated = tf.tile(tf.expand_dims(x, 1), [1, multiplier] + [1] * (len(dims) - 1))
        made = tf.reshape(repeated, tf.concat([[-1], tf.shape(x)[1:]], 0))
        made.set_shape([None if dims[0] is None else dims[0] * multiplier] + dims[1:])
        return made

    with framework_lib.name_scope(name, "tile_batch"):
        return nest.map_structure(tile, t)
