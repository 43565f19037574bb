"""tf.nn.ctc_*, edit_distance and tf.contrib.crf: sequences of labels.

Source: tensorflow/python/ops/{ctc_ops,array_ops}.py, tensorflow/contrib/crf/python/ops/crf.py (1.15).
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from shapeflow import _core
from shapeflow._impl import framework, nodes
from shapeflow._impl.framework import SparseTensor, SparseTensorValue
from shapeflow._impl.nodes import op, outputs, tf
from shapeflow._impl.registry import export
from shapeflow._impl.variable_scope import get_variable


def _sparse(value: Any, refusal: str) -> Any:
    """A SparseTensor; what is not modelled may be one."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if hasattr(type(value), "_sf_unmodelled"):
        inputs = list(value._sf_inputs)
        return SparseTensor(nodes.unknown("int64", [None, None], None, inputs),
                            nodes.unknown(None, [None], None, inputs),
                            nodes.unknown("int64", [None], None, inputs))
    if not isinstance(value, SparseTensor):
        raise TypeError(refusal)
    return value


def _time_major(inputs: Any) -> Any:
    return tf.transpose(framework.convert_to_tensor(inputs), (1, 0, 2))


def _ctc(labels: Any, inputs: Any, sequence_length: Any, repeated: bool, merge: bool, longer: bool,
         time_major: bool) -> Any:
    labels = _sparse(labels, "Expected labels (first argument) to be a SparseTensor")
    if not time_major:
        inputs = _time_major(inputs)
    return outputs("CTCLoss", [inputs, labels.indices, nodes.as_dtype(labels.values, "int32"),
                               sequence_length], {
        "preprocess_collapse_repeated": repeated, "ctc_merge_repeated": merge,
        "ignore_longer_outputs_than_inputs": longer}, "CTCLoss")[0]


@export("tf.nn.ctc_loss")
def ctc_loss(labels: Any, inputs: Any = None, sequence_length: Any = None,
             preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
             ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
             logits: Any = None) -> Any:
    return _ctc(labels, inputs if inputs is not None else logits, sequence_length,
                preprocess_collapse_repeated, ctc_merge_repeated, ignore_longer_outputs_than_inputs,
                time_major)


@export("tf.nn.ctc_loss", v1=False, v2=True)
@export("tf.nn.ctc_loss_v2")
def ctc_loss_v2(labels: Any, logits: Any, label_length: Any, logit_length: Any,
                logits_time_major: bool = True, unique: Any = None, blank_index: Any = None,
                name: Optional[str] = None) -> Any:
    if isinstance(labels, (SparseTensor, SparseTensorValue)):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        return _ctc(labels, logits, logit_length, False, True, False, logits_time_major)
    logits, labels = framework.convert_to_tensor(logits), framework.convert_to_tensor(labels)
    shape = logits.get_shape()
    batch = shape.as_list()[1 if logits_time_major else 0] if shape.ndims else None
    return nodes.unknown(logits.dtype, [batch], name, [logits, labels], trusted=True)


def _decoded(made: List[Any], paths: int) -> Tuple[List[Any], Any]:
    return [SparseTensor(made[i], made[paths + i], made[2 * paths + i]) for i in range(paths)], made[-1]


@export("tf.nn.ctc_greedy_decoder", v2=True)
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True,
                       blank_index: Any = None) -> Any:
    return _decoded(outputs("CTCGreedyDecoder", [inputs, sequence_length],
                            {"merge_repeated": merge_repeated}, "CTCGreedyDecoder"), 1)


@export("tf.nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(inputs: Any, sequence_length: Any, beam_width: int = 100,
                            top_paths: int = 1, merge_repeated: bool = True) -> Any:
    return _decoded(outputs("CTCBeamSearchDecoder", [inputs, sequence_length], {
        "beam_width": beam_width, "top_paths": top_paths, "merge_repeated": merge_repeated},
        "CTCBeamSearchDecoder"), top_paths)


@export("tf.nn.ctc_beam_search_decoder", v1=False, v2=True)
@export("tf.nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder_v2(inputs: Any, sequence_length: Any, beam_width: int = 100,
                               top_paths: int = 1) -> Any:
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, False)


@export("tf.edit_distance", v2=True)
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True,
                  name: str = "edit_distance") -> Any:
    hypothesis = _sparse(hypothesis, "Hypothesis must be a SparseTensor.")
    truth = _sparse(truth, "Truth must be a SparseTensor.")
    return op("EditDistance", [hypothesis.indices, hypothesis.values, hypothesis.dense_shape,
                               truth.indices, truth.values, truth.dense_shape],
              {"normalize": normalize}, name)


# --- conditional random fields -------------------------------------------------------------------
@export("tf.contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Any:
    inputs, tags = framework.convert_to_tensor(inputs), framework.convert_to_tensor(tag_indices)
    shape = tf.shape(inputs)
    offsets = tf.expand_dims(tf.range(shape[0]) * shape[1] * shape[2], 1)
    offsets = offsets + tf.expand_dims(tf.range(shape[1]) * shape[2], 0)
    if tags.dtype.name == "int64":
        offsets = tf.cast(offsets, tags.dtype)
    flat = tf.reshape(offsets + tags, [-1])
    scores = tf.reshape(tf.gather(tf.reshape(inputs, [-1]), flat), tf.stack([shape[0], shape[1]]))
    masks = tf.sequence_mask(sequence_lengths, maxlen=shape[1], dtype=inputs.dtype)
    return tf.reduce_sum(scores * masks, 1)


@export("tf.contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    tags = framework.convert_to_tensor(tag_indices)
    transition = framework.convert_to_tensor(transition_params)
    number = transition.get_shape()[0]
    steps = tf.shape(tags)[1] - 1
    before = tf.slice(tags, [0, 0], tf.stack([-1, steps]))
    after = tf.slice(tags, [0, 1], tf.stack([-1, steps]))
    scores = tf.gather(tf.reshape(transition, [-1]), before * int(number) + after)
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tags)[1], dtype=scores.dtype)
    return tf.reduce_sum(scores * tf.slice(masks, [0, 1], [-1, -1]), 1)


@export("tf.contrib.crf.crf_sequence_score")
def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any,
                       transition_params: Any) -> Any:
    return crf_unary_score(tag_indices, sequence_lengths, inputs) + \
        crf_binary_score(tag_indices, sequence_lengths, transition_params)


@export("tf.contrib.crf.crf_log_norm")
def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    inputs = framework.convert_to_tensor(inputs)
    first = tf.squeeze(tf.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])
    alphas = tf.reduce_logsumexp(tf.expand_dims(first, 2) + tf.expand_dims(transition_params, 0), [1])
    return tf.reduce_logsumexp(first + alphas, [1])


@export("tf.contrib.crf.crf_log_likelihood")
def crf_log_likelihood(inputs: Any, tag_indices: Any, sequence_lengths: Any,
                       transition_params: Any = None) -> Any:
    inputs = framework.convert_to_tensor(inputs)
    if transition_params is None:
        shape = inputs.get_shape()
        tags = shape.as_list()[2] if shape.ndims == 3 else None
        if tags is None and _core.is_unmodelled(inputs):
            return nodes.unknown("float32", [None], None, [inputs]), nodes.unknown(
                "float32", [None, None], None, [inputs])
        transition_params = get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


@export("tf.contrib.crf.crf_decode")
def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> Any:
    potentials = framework.convert_to_tensor(potentials)
    norm = crf_log_norm(potentials, sequence_length, transition_params)
    return tf.cast(tf.argmax(potentials, 2), _core.as_dtype("int32")), norm


@export("tf.contrib.crf.viterbi_decode")
def viterbi_decode(score: Any, transition_params: Any) -> Any:
    """The best sequence of tags of numpy arrays, and its score."""
    if hasattr(type(score), "_sf_unmodelled") or hasattr(type(transition_params), "_sf_unmodelled"):
        from shapeflow._unmodelled import Opaque

        return Opaque("tf.contrib.crf.viterbi_decode"), 0.0
    score = np.asarray(score)
    best, back = score[0], []
    for row in score[1:]:
        reached = np.expand_dims(best, 1) + transition_params
        back.append(np.argmax(reached, 0))
        best = row + np.max(reached, 0)
    path = [int(np.argmax(best))]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1], np.max(best)
