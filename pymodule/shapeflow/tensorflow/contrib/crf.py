"""tf.contrib.crf: scores of sequences of tags, and their decoding.

Source: tensorflow/contrib/crf/python/ops/crf.py.
"""
from __future__ import annotations

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.variable_scope import get_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices: object, sequence_lengths: Any, inputs: Any) -> Any:
    inputs, tags = framework_lib.convert_to_tensor(inputs), framework_lib.convert_to_tensor(tag_indices)
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
def crf_binary_score(tag_indices: object, sequence_lengths: object, transition_params: object) -> Any:
    tags = framework_lib.convert_to_tensor(tag_indices)
    transition = framework_lib.convert_to_tensor(transition_params)
    number = transition.get_shape()[0]
    steps = tf.shape(tags)[1] - 1
    before = tf.slice(tags, [0, 0], tf.stack([-1, steps]))
    after = tf.slice(tags, [0, 1], tf.stack([-1, steps]))
    scores = tf.gather(tf.reshape(transition, [-1]), before * int(number) + after)
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tags)[1], dtype=scores.dtype)
    return tf.reduce_sum(scores * tf.slice(masks, [0, 1], [-1, -1]), 1)


@export("tf.contrib.crf.crf_sequence_score")
def crf_sequence_score(inputs: object, tag_indices: object, sequence_lengths: object,
                       transition_params: object) -> Any:
    return crf_unary_score(tag_indices, sequence_lengths, inputs) + \
        crf_binary_score(tag_indices, sequence_lengths, transition_params)


@export("tf.contrib.crf.crf_log_norm")
def crf_log_norm(inputs: object, sequence_lengths: object, transition_params: object) -> Any:
    inputs = framework_lib.convert_to_tensor(inputs)
    first = tf.squeeze(tf.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])
    alphas = tf.reduce_logsumexp(tf.expand_dims(first, 2) + tf.expand_dims(transition_params, 0), [1])
    return tf.reduce_logsumexp(first + alphas, [1])


@export("tf.contrib.crf.crf_log_likelihood")
def crf_log_likelihood(inputs: Any, tag_indices: object, sequence_lengths: object,
                       transition_params: object = None) -> Any:
    inputs = framework_lib.convert_to_tensor(inputs)
    if transition_params is None:
        shape = inputs.get_shape()
        tags = shape.as_list()[2] if shape.ndims == 3 else None
        if tags is None and _core.is_unmodelled(inputs):
            return op_builders.unknown("float32", [None], None, [inputs]), op_builders.unknown(
                "float32", [None, None], None, [inputs])
        transition_params = get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


@export("tf.contrib.crf.crf_decode")
def crf_decode(potentials: object, transition_params: object, sequence_length: object) -> Any:
    potentials = framework_lib.convert_to_tensor(potentials)
    norm = crf_log_norm(potentials, sequence_length, transition_params)
    return tf.cast(tf.argmax(potentials, 2), _core.as_dtype("int32")), norm


@export("tf.contrib.crf.viterbi_decode")
def viterbi_decode(score: object, transition_params: object) -> Any:
    """The best sequence of tags of numpy arrays, and its score."""
    if is_unmodelled(score) or is_unmodelled(transition_params):
        from shapeflow.api.unmodelled import Opaque

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
