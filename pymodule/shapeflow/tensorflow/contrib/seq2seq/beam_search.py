"""tf.contrib.seq2seq: the decoder that keeps the likeliest few sentences.

Source: tensorflow/contrib/seq2seq/python/ops/beam_search_decoder.py (1.15).
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.contrib.seq2seq.decoder import Decoder
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.rnn import _is_opaque
from shapeflow.tensorflow.python.ops.rnn_cell import assert_like_rnncell
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Tuple

_TF = "tf.contrib.seq2seq."

BeamSearchDecoderOutput = collections.namedtuple(
    "BeamSearchDecoderOutput", ["scores", "predicted_ids", "parent_ids"])
BeamSearchDecoderState = collections.namedtuple(
    "BeamSearchDecoderState",
    ["cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"])
FinalBeamSearchDecoderOutput = collections.namedtuple(
    "FinalBeamSearchDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])
for _kind in (BeamSearchDecoderOutput, BeamSearchDecoderState, FinalBeamSearchDecoderOutput):
    put(_kind, _TF + _kind.__name__)


@export(_TF + "BeamSearchDecoder")
class BeamSearchDecoder(Decoder):
    """What it says has an axis of beams behind the batch; its cell sees the two as one."""

    tracks_own_finished = True

    def __init__(self, cell: Any, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any,
                 beam_width: int, output_layer: Any = None, length_penalty_weight: Any = 0.0,
                 coverage_penalty_weight: Any = 0.0, reorder_tensor_arrays: bool = True) -> None:
        if not _is_opaque(cell):
            assert_like_rnncell("cell", cell)
        if output_layer is not None and not callable(output_layer):
            raise TypeError("output_layer must be a Layer, received: %s" % type(output_layer))
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._embed = embedding if callable(embedding) else (
            lambda ids: tf.nn.embedding_lookup(embedding, ids))
        int32 = _core.as_dtype("int32")
        self._start_tokens = framework_lib.convert_to_tensor(start_tokens, int32)
        if self._start_tokens.get_shape().ndims not in (1, None):
            raise fail("SF102", "start_tokens must be a vector")
        self._end_token = framework_lib.convert_to_tensor(end_token, int32)
        if self._end_token.get_shape().ndims not in (0, None):
            raise fail("SF102", "end_token must be a scalar")
        self._batch_size = tf.size(self._start_tokens)
        shape = self._start_tokens.get_shape()
        self._batch: Optional[int] = shape.as_list()[0] if shape.ndims == 1 else None
        self._initial_state = nest.map_structure(self._split, initial_state)
        tokens = tf.tile(tf.expand_dims(self._start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embed(tokens)
        self._covers = isinstance(coverage_penalty_weight, (int, float)) and coverage_penalty_weight != 0

    batch_size = property(lambda self: self._batch_size)

    @property
    def output_size(self) -> Any:
        width = _core.TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(width, width, width)

    @property
    def output_dtype(self) -> Any:
        int32 = _core.as_dtype("int32")
        return BeamSearchDecoderOutput(_core.as_dtype("float32"), int32, int32)

    # --- [batch * beams, ...] and [batch, beams, ...] ---------------------------------------------
    def _split(self, x: object) -> Any:
        if not isinstance(x, _core.Tensor) or x.get_shape().ndims == 0:
            return x  # a TensorArray; the time
        if x.get_shape().ndims is None:
            raise fail("SF103", "Expected tensor ({text}) to have known rank, but ndims == None.", x)
        rest = x.get_shape().as_list()[1:]
        made = tf.reshape(x, tf.concat([[self._batch_size, self._beam_width], tf.shape(x)[1:]], 0))
        made.set_shape([self._batch, self._beam_width, *rest])
        return made

    def _merge(self, x: object) -> Any:
        if not isinstance(x, _core.Tensor) or x.get_shape().ndims == 0:
            return x
        rest = x.get_shape().as_list()[2:]
        made = tf.reshape(x, tf.concat([[self._batch_size * self._beam_width], tf.shape(x)[2:]], 0))
        made.set_shape([None if self._batch is None else self._batch * self._beam_width, *rest])
        return made

    # --- steps ------------------------------------------------------------------------------------
    def initialize(self, name: Optional[str] = None) -> Tuple[Any, ...]:
        size = [self._batch_size, self._beam_width]
        finished = tf.fill(size, False)
        covered: object = ()
        if self._covers:
            history = self._initial_state.alignments
            covered = tf.zeros(tf.shape(history), dtype=_core.as_dtype("float32"))
        state = BeamSearchDecoderState(
            self._initial_state, tf.fill(size, 0.0), finished,
            tf.cast(tf.fill(size, 0), _core.as_dtype("int64")), covered)
        return finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: Optional[str] = None) -> Tuple[Any, ...]:
        width = self._beam_width
        with framework_lib.name_scope(name, "BeamSearchDecoderStep"):
            said, cell_state = self._cell(nest.map_structure(self._merge, inputs),
                                          nest.map_structure(self._merge, state.cell_state))
            said = nest.map_structure(self._split, said)
            cell_state = nest.map_structure(self._split, cell_state)
            if self._output_layer is not None:
                said = self._output_layer(said)
            total = tf.expand_dims(state.log_probs, 2) + tf.nn.log_softmax(said)
            words = tf.shape(said)[2]
            scores, found = tf.nn.top_k(tf.reshape(total, [self._batch_size, -1]), k=width)
            scores.set_shape([self._batch, width])
            ids, parents = tf.mod(found, words), tf.div(found, words)
            ids.set_shape([self._batch, width])
            parents.set_shape([self._batch, width])
            finished = tf.logical_or(state.finished, tf.equal(ids, self._end_token))
            following = BeamSearchDecoderState(cell_state, scores, finished, state.lengths,
                                               state.accumulated_attention_probs)
            return BeamSearchDecoderOutput(scores, ids, parents), following, self._embed(ids), finished

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """The words of each beam, of the shape of those that were said step by step."""
        return FinalBeamSearchDecoderOutput(tf.identity(outputs.predicted_ids), outputs), final_state


@export(_TF + "gather_tree")
def gather_tree(step_ids: object, parent_ids: object, max_sequence_lengths: object, end_token: object,
                name: Optional[str] = None) -> Any:
    ids = framework_lib.convert_to_tensor(step_ids, _core.as_dtype("int32"))
    if ids.get_shape().ndims not in (3, None):
        raise fail("SF102", "Shape must be rank 3 but is rank {int} for 'GatherTree'", ids.get_shape().ndims)
    with framework_lib.name_scope(name, "GatherTree"):
        made = tf.identity(ids)
    made.set_shape(framework_lib.convert_to_tensor(parent_ids, _core.as_dtype("int32")).get_shape())
    return made
