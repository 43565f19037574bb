"""tf.graph_util, and histories of alignments."""

import numpy as np
import pytest


def net(tf):
    x = tf.placeholder(tf.float32, [None, 3], "x")
    return tf.identity(tf.layers.dense(x, 2, name="d"), "y")


@pytest.mark.parametrize("resource", [False, True])
def test_variables_become_constants(tf, resource):
    with tf.variable_scope("", use_resource=resource):
        net(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(session, session.graph.as_graph_def(), ["y"])
    kinds = {node.name: node.op for node in frozen.node}
    assert kinds["d/kernel"] == "Const" and not set(kinds.values()) & {
        "VariableV2",
        "VarHandleOp",
        "ReadVariableOp",
    }
    with tf.Graph().as_default():
        (y,) = tf.import_graph_def(frozen, return_elements=["y:0"], name="")
        assert y.shape.as_list() == [None, 2] and tf.Session().run(y, {"x:0": np.zeros((4, 3))}).shape == (
            4,
            2,
        )


def test_a_part_of_a_graph(tf):
    net(tf)
    tf.constant(1, name="other")
    whole = tf.get_default_graph().as_graph_def()
    part = tf.graph_util.extract_sub_graph(whole, ["d/MatMul"])
    names = [node.name for node in part.node]
    assert "d/MatMul" in names and "other" not in names and "y" not in names
    with pytest.raises(AssertionError, match="nowhere is not in graph"):
        tf.graph_util.extract_sub_graph(whole, ["nowhere"])
    with pytest.raises(TypeError, match="dest_nodes must be a list"):
        tf.graph_util.extract_sub_graph(whole, "y")


def test_identities_are_taken_out(tf):
    net(tf)
    tf.nn.relu(tf.get_default_graph().get_tensor_by_name("y:0"), name="z")
    slim = tf.graph_util.remove_training_nodes(tf.get_default_graph().as_graph_def(), ["d/kernel/read"])
    nodes = {node.name: list(node.input) for node in slim.node}
    assert nodes["z"] == ["d/BiasAdd"] and "y" not in nodes and "d/kernel/read" in nodes


def test_a_history_of_alignments_can_be_stacked(tf):
    seq2seq, cell = tf.contrib.seq2seq, tf.contrib.rnn.GRUCell(8)
    attention = seq2seq.LuongAttention(8, tf.zeros([4, 5, 8]))
    cell = seq2seq.AttentionWrapper(cell, attention, 8, alignment_history=True)
    helper = seq2seq.TrainingHelper(tf.zeros([4, 6, 8]), [6] * 4)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(4, tf.float32))
    _, state, _ = seq2seq.dynamic_decode(decoder)
    assert state.alignment_history.stack().shape.ndims == 3
