"""tf.contrib.seq2seq.BeamSearchDecoder: its shapes, variables and errors are TensorFlow 1.15's."""
import pytest

from command import report_of, write

PROGRAM = """
import numpy as np
import tensorflow as tf
from tensorflow.contrib import seq2seq
from tensorflow.python.layers.core import Dense

WIDTH = 3


def build(batch, attention, tiled=True):
    src = tf.placeholder(tf.float32, [batch, 7, 8])
    n = batch or tf.shape(src)[0]
    embedding = tf.get_variable("e", [20, 5])
    _, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), src, dtype=tf.float32, scope="enc")
    cell = tf.nn.rnn_cell.LSTMCell(8)
    if tiled:
        state = seq2seq.tile_batch(state, WIDTH)
    if attention:
        mechanism = seq2seq.LuongAttention(8, seq2seq.tile_batch(src, WIDTH))
        cell = seq2seq.AttentionWrapper(cell, mechanism, attention_layer_size=20)
        state = cell.zero_state(n * WIDTH, tf.float32).clone(cell_state=state)
    decoder = seq2seq.BeamSearchDecoder(cell, embedding, tf.fill([n], 1), 2, state, WIDTH,
                                        output_layer=Dense(20))
    out, final, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=6)
    assert isinstance(out, seq2seq.FinalBeamSearchDecoderOutput)
    assert out.predicted_ids.dtype == tf.int32 and out.predicted_ids.shape.as_list()[2] == WIDTH
    assert out.beam_search_decoder_output.scores.shape.as_list()[2] == WIDTH
    assert final.log_probs.shape.as_list()[1:] == [WIDTH] and final.lengths.dtype == tf.int64
    assert lengths.shape.as_list()[1:] == [WIDTH] and final.finished.dtype == tf.bool
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        ids, scores = sess.run([out.predicted_ids, final.log_probs], {src: np.zeros([4, 7, 8])})
        assert ids.shape[::2] == (4, WIDTH) and scores.shape == (4, WIDTH)
    return [v.name for v in tf.trainable_variables()]
"""


@pytest.mark.parametrize("batch", ["4", "None"])
@pytest.mark.parametrize("attention", ["False", "True"])
def test_right(tmp_path, batch, attention):
    inner = "attention_wrapper/lstm_cell" if attention == "True" else "lstm_cell"
    write(tmp_path, train=PROGRAM + f"names = build({batch}, {attention})\n"
                                    f"assert 'decoder/{inner}/kernel:0' in names, names\n"
                                    "assert 'decoder/dense/kernel:0' in names, names\n")
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    assert done.returncode == 0, done.stdout
    assert report["findings"] == [], report["findings"]


@pytest.mark.parametrize("batch, code", [("4", "SF104"), ("None", "SF126")])
def test_a_state_that_was_not_tiled(tmp_path, batch, code):
    write(tmp_path, train=PROGRAM + f"build({batch}, False, tiled=False)\n")
    report, _ = report_of(tmp_path, "--tf-version", "1.15.0")
    errors = [f["code"] for f in report["findings"] if f["severity"] == "error"]
    assert errors[:1] == [code], report["findings"]
