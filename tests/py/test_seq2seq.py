"""tf.contrib.seq2seq: names and shapes. Expectations are TensorFlow 1.15's."""
import pytest


def _decoded(tf, mechanism, layer_size, output_attention=True):
    memory, lengths = tf.placeholder(tf.float32, [4, None, 6]), tf.placeholder(tf.int32, [None])
    inputs = tf.placeholder(tf.float32, [4, None, 3])
    s2s = tf.contrib.seq2seq
    cell = s2s.AttentionWrapper(
        tf.nn.rnn_cell.GRUCell(5), mechanism(5, memory, memory_sequence_length=lengths),
        attention_layer_size=layer_size, output_attention=output_attention)
    decoder = s2s.BasicDecoder(cell, s2s.TrainingHelper(inputs, lengths), cell.zero_state(4, tf.float32),
                               tf.layers.Dense(9))
    outputs, state, lengths = s2s.dynamic_decode(decoder)
    shapes = [str(t.shape) for t in (outputs.rnn_output, outputs.sample_id, lengths, state.attention,
                                     state.cell_state, state.alignments)]
    return shapes, [v.name + str(v.shape) for v in tf.trainable_variables()], cell.output_size


def test_bahdanau(tf):
    shapes, names, size = _decoded(tf, tf.contrib.seq2seq.BahdanauAttention, None)
    assert shapes == ["(4, ?, 9)", "(4, ?)", "(?,)", "(4, 6)", "(4, 5)", "(4, ?)"] and size == 6
    wrapper = "decoder/attention_wrapper/"
    assert names == ["memory_layer/kernel:0(6, 5)", wrapper + "gru_cell/gates/kernel:0(14, 10)",
                     wrapper + "gru_cell/gates/bias:0(10,)", wrapper + "gru_cell/candidate/kernel:0(14, 5)",
                     wrapper + "gru_cell/candidate/bias:0(5,)",
                     wrapper + "bahdanau_attention/query_layer/kernel:0(5, 5)",
                     wrapper + "bahdanau_attention/attention_v:0(5,)", "decoder/dense/kernel:0(6, 9)",
                     "decoder/dense/bias:0(9,)"]


def test_luong_with_a_layer(tf):
    shapes, names, size = _decoded(tf, tf.contrib.seq2seq.LuongAttention, 7, False)
    assert shapes[3:] == ["(4, 7)", "(4, 5)", "(4, ?)"] and size == 5
    assert names[5] == "decoder/attention_wrapper/attention_layer/kernel:0(11, 7)"


def test_luong_query_of_other_depth(tf):
    attention = tf.contrib.seq2seq.LuongAttention(4, tf.zeros([2, 3, 6]))
    with pytest.raises(ValueError, match="has units: 5.  Keys .* have units: 4.  Perhaps you need to set "
                       r"num_units to the keys' dimension \(4\)"):
        attention(tf.zeros([2, 5]), None)


def test_greedy_decoding_over_time_first(tf):
    s2s = tf.contrib.seq2seq
    table = tf.get_variable("e", [9, 3])
    cell = tf.nn.rnn_cell.BasicLSTMCell(9)
    helper = s2s.GreedyEmbeddingHelper(table, tf.fill([4], 1), 2)
    outputs, state, lengths = s2s.dynamic_decode(
        s2s.BasicDecoder(cell, helper, cell.zero_state(4, tf.float32)), output_time_major=True)
    assert str(outputs.rnn_output.shape) == "(?, 4, 9)" and str(state.c.shape) == "(4, 9)"


def test_tiled_batches_and_a_beam_search_that_is_not_modelled(tf):
    s2s = tf.contrib.seq2seq
    cell = tf.nn.rnn_cell.BasicLSTMCell(9)
    state = s2s.tile_batch(cell.zero_state(4, tf.float32), 3)
    assert str(state.h.shape) == "(12, 9)"
    search = s2s.BeamSearchDecoder(cell, tf.zeros([9, 3]), tf.fill([4], 1), 2, state, 3)
    outputs, _, _ = s2s.dynamic_decode(search, maximum_iterations=5)
    tf.transpose(outputs.predicted_ids, [0, 2, 1])
