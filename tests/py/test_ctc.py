"""CTC, edit distance, CRF, sparse casts. Expectations are TensorFlow 1.15's."""
import numpy as np
import pytest

from shapeflow import _core


def _labels(tf):
    return tf.SparseTensor(tf.zeros([3, 2], tf.int64), tf.zeros([3], tf.int32), [4, 5])


def test_ctc_shapes(tf):
    logits, lengths = tf.placeholder(tf.float32, [None, 4, 6]), tf.placeholder(tf.int32, [4])
    assert tf.nn.ctc_loss(_labels(tf), logits, lengths).shape.as_list() == [4]
    assert tf.nn.ctc_loss(_labels(tf), tf.zeros([4, 9, 6]), lengths, time_major=False).shape.as_list() == [4]
    (decoded,), score = tf.nn.ctc_greedy_decoder(logits, lengths)
    assert decoded.dtype == tf.int64 and score.shape.as_list() == [4, 1]
    paths, scores = tf.nn.ctc_beam_search_decoder(logits, lengths, top_paths=3)
    assert len(paths) == 3 and scores.shape.as_list() == [4, 3]
    distance = tf.edit_distance(tf.cast(decoded, tf.int32), _labels(tf))
    assert distance.shape.ndims in (1, None)


def test_ctc_refuses(tf):
    lengths = tf.placeholder(tf.int32, [4])
    with pytest.raises(TypeError, match=r"Expected labels \(first argument\) to be a SparseTensor"):
        tf.nn.ctc_loss(tf.zeros([4, 5]), tf.zeros([9, 4, 6]), lengths)
    with pytest.raises(ValueError, match="Shape must be rank 3 but is rank 2 for 'CTCLoss'"):
        tf.nn.ctc_loss(_labels(tf), tf.zeros([9, 6]), lengths)
    with pytest.raises(TypeError, match="Truth must be a SparseTensor."):
        tf.edit_distance(_labels(tf), tf.zeros([4, 5]))


def test_what_is_not_modelled_may_be_sparse(tf):
    from shapeflow.api.unmodelled import Opaque

    unknown = Opaque("tf.contrib.something.not_modelled")
    tf.nn.ctc_loss(unknown, tf.zeros([9, 4, 6]), tf.placeholder(tf.int32, [4]))
    tf.edit_distance(unknown, _labels(tf))
    tf.sparse_tensor_to_dense(unknown)
    assert [f.message for f in _core.findings() if f.severity == "error"] == []


def test_a_cast_sparse_tensor_is_sparse(tf):
    made = tf.cast(_labels(tf), tf.float32)
    assert isinstance(made, tf.SparseTensor) and made.dtype == tf.float32
    assert made.get_shape().as_list() == [4, 5]
    assert tf.cast(tf.zeros([2]), tf.int32).dtype == tf.int32


def test_crf(tf):
    unary, tags = tf.zeros([10, 20, 5]), tf.zeros([10, 20], tf.int32)
    lengths = tf.constant([20] * 10)
    likelihood, transitions = tf.contrib.crf.crf_log_likelihood(unary, tags, lengths)
    best, score = tf.contrib.crf.crf_decode(unary, transitions, lengths)
    assert [t.shape.as_list() for t in (likelihood, transitions, best, score)] == [
        [10], [5, 5], [10, 20], [10]]
    assert transitions.op.name.startswith("transitions") and best.dtype == tf.int32
    with pytest.raises(ValueError, match=r"Dimensions must be equal, but are 20 and 19 for 'add_\d+'"):
        tf.contrib.crf.crf_log_likelihood(unary, tf.zeros([10, 19], tf.int32), lengths, transitions)


def test_viterbi_of_arrays(tf):
    score = np.array([[3.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    path, best = tf.contrib.crf.viterbi_decode(score, np.zeros((2, 2)))
    assert path == [0, 1, 1] and best == 5.0
