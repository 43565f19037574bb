"""Recurrent cells and loops: names, shapes, checks. Expectations are TensorFlow 1.15's."""
import numpy as np
import pytest


def shapes(tf, structure):
    return [str(t.get_shape()) for t in tf.contrib.framework.nest.flatten(structure)]


def names(tf):
    return [v.name for v in tf.global_variables()]


CELLS = {
    "rnn": (lambda rnn: rnn.BasicRNNCell(7), ["(?, 28, 7)", "(?, 7)"],
            ["rnn/basic_rnn_cell/kernel:0", "rnn/basic_rnn_cell/bias:0"]),
    "gru": (lambda rnn: rnn.GRUCell(7), ["(?, 28, 7)", "(?, 7)"],
            ["rnn/gru_cell/gates/kernel:0", "rnn/gru_cell/gates/bias:0",
             "rnn/gru_cell/candidate/kernel:0", "rnn/gru_cell/candidate/bias:0"]),
    "lstm": (lambda rnn: rnn.BasicLSTMCell(7), ["(?, 28, 7)", "(?, 7)", "(?, 7)"],
             ["rnn/basic_lstm_cell/kernel:0", "rnn/basic_lstm_cell/bias:0"]),
    "flat state": (lambda rnn: rnn.BasicLSTMCell(7, state_is_tuple=False),
                   ["(?, 28, 7)", "(?, 14)"],
                   ["rnn/basic_lstm_cell/kernel:0", "rnn/basic_lstm_cell/bias:0"]),
    "projection": (lambda rnn: rnn.LSTMCell(7, use_peepholes=True, num_proj=5),
                   ["(?, 28, 5)", "(?, 7)", "(?, 5)"],
                   ["rnn/lstm_cell/kernel:0", "rnn/lstm_cell/bias:0", "rnn/lstm_cell/w_f_diag:0",
                    "rnn/lstm_cell/w_i_diag:0", "rnn/lstm_cell/w_o_diag:0",
                    "rnn/lstm_cell/projection/kernel:0"]),
    "residual": (lambda rnn: rnn.ResidualWrapper(rnn.BasicRNNCell(20)), ["(?, 28, 20)", "(?, 20)"],
                 ["rnn/basic_rnn_cell/kernel:0", "rnn/basic_rnn_cell/bias:0"]),
    "dropout": (lambda rnn: rnn.DropoutWrapper(rnn.BasicRNNCell(7), 0.5, 0.5),
                ["(?, 28, 7)", "(?, 7)"],
                ["rnn/basic_rnn_cell/kernel:0", "rnn/basic_rnn_cell/bias:0"]),
    "stacked": (lambda rnn: rnn.MultiRNNCell([rnn.BasicLSTMCell(7), rnn.BasicRNNCell(9)]),
                ["(?, 28, 9)", "(?, 7)", "(?, 7)", "(?, 9)"],
                ["rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel:0",
                 "rnn/multi_rnn_cell/cell_0/basic_lstm_cell/bias:0",
                 "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/kernel:0",
                 "rnn/multi_rnn_cell/cell_1/basic_rnn_cell/bias:0"]),
}


@pytest.mark.parametrize("kind", sorted(CELLS))
def test_dynamic_rnn(tf, kind):
    make, want, variables = CELLS[kind]
    x = tf.placeholder(tf.float32, [None, 28, 20])
    made = tf.nn.dynamic_rnn(make(tf.nn.rnn_cell), x, dtype=tf.float32)
    assert shapes(tf, made) == want and names(tf) == variables
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        got = sess.run(made, {x: np.zeros((3, 28, 20))})
    flat = tf.contrib.framework.nest.flatten(got)
    assert [str(a.shape).replace("3,", "?,", 1) for a in flat] == want


@pytest.mark.parametrize("kind", sorted(CELLS))
def test_static_rnn_makes_the_same_variables(tf, kind):
    make, want, variables = CELLS[kind]
    x = tf.placeholder(tf.float32, [None, 28, 20])
    outputs, state = tf.nn.static_rnn(make(tf.nn.rnn_cell), tf.unstack(x, axis=1), dtype=tf.float32)
    assert len(outputs) == 28 and names(tf) == variables
    assert shapes(tf, state) == want[1:]


def test_times_and_batches_may_vary(tf):
    x, n = tf.placeholder(tf.float32, [None, None, 20]), tf.placeholder(tf.int32, [None])
    cell = tf.nn.rnn_cell.GRUCell(4)
    out, state = tf.nn.dynamic_rnn(cell, x, n, dtype=tf.float32, time_major=True)
    assert shapes(tf, out) == ["(?, ?, 4)"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for steps in (7, 0):
            got = sess.run([out, state], {x: np.zeros((steps, 3, 20)), n: np.ones(3)})
            assert [a.shape for a in got] == [(steps, 3, 4), (3, 4)]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape for Tensor"):
            sess.run(out, {x: np.zeros((7, 3, 20)), n: np.ones(4)})


def test_bidirectional(tf):
    x = tf.placeholder(tf.float32, [32, 28, 20])
    cells = tf.nn.rnn_cell.BasicRNNCell(4), tf.nn.rnn_cell.BasicRNNCell(5)
    made = tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, dtype=tf.float32)
    assert shapes(tf, made) == ["(32, 28, 4)", "(32, 28, 5)", "(32, 4)", "(32, 5)"]
    assert names(tf)[0] == "bidirectional_rnn/fw/basic_rnn_cell/kernel:0"
    assert names(tf)[2] == "bidirectional_rnn/bw/basic_rnn_cell/kernel:0"
    with tf.variable_scope("static"):
        outputs = tf.nn.static_bidirectional_rnn(
            tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(5), tf.unstack(x, axis=1),
            dtype=tf.float32)[0]
    assert shapes(tf, outputs)[0] == "(32, 9)"


@pytest.mark.parametrize("call, message", [
    (lambda tf, x, cell: tf.nn.dynamic_rnn(cell, x),
     "If there is no initial_state, you must give a dtype."),
    (lambda tf, x, cell: tf.nn.dynamic_rnn(cell, x[:, 0, :], dtype=tf.float32),
     "Shape (20, 32) must have rank at least 3"),
    (lambda tf, x, cell: tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [None, 28, None]),
                                           dtype=tf.float32),
     "Input size (depth of inputs) must be accessible via shape inference, but saw value None."),
    (lambda tf, x, cell: tf.nn.dynamic_rnn(cell, x, sequence_length=3, dtype=tf.float32),
     "sequence_length must be a vector of length batch_size, but saw shape: ()"),
    (lambda tf, x, cell: tf.nn.static_rnn(cell, [x[:, 0, :]]),
     "If no initial_state is provided, dtype must be specified"),
    (lambda tf, x, cell: tf.nn.static_rnn(cell, [], dtype=tf.float32), "inputs must not be empty"),
    (lambda tf, x, cell: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[1] * 31),
     "Dimension 0 in both shapes must be equal, but are 31 and 32. Shapes are [31] and [32]. for "
     "'rnn/while/Select' (op: 'Select') with input shapes: [31], [32,3], [32,3]."),
    (lambda tf, x, cell: tf.nn.rnn_cell.MultiRNNCell([]),
     "Must specify at least one cell for MultiRNNCell."),
    (lambda tf, x, cell: tf.nn.rnn_cell.DropoutWrapper(cell, 1.5),
     "Parameter input_keep_prob must be between 0 and 1: 1"),
    (lambda tf, x, cell: cell(x, cell.zero_state(32, tf.float32)),
     "Input 0 of layer gru_cell is incompatible with the layer: expected ndim=2, found ndim=3. Full "
     "shape received: [32, 28, 20]"),
])
def test_refused(tf, call, message):
    x = tf.placeholder(tf.float32, [32, 28, 20])
    with pytest.raises(ValueError) as e:
        call(tf, x, tf.nn.rnn_cell.GRUCell(3, name="gru_cell"))
    assert str(e.value) == message


def test_refused_types(tf):
    x = tf.placeholder(tf.float32, [32, 28, 20])
    with pytest.raises(TypeError, match="inputs must be a sequence"):
        tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), x, dtype=tf.float32)
    with pytest.raises(TypeError, match=r"^The argument 'cell' \(3\) is not an RNNCell: 'output_size' "
                                        "property is missing"):
        tf.nn.dynamic_rnn(3, x, dtype=tf.float32)


def test_one_cell_twice_must_fit_twice(tf):
    x = tf.placeholder(tf.float32, [None, 28, 20])
    cell = tf.nn.rnn_cell.BasicLSTMCell(7)
    with pytest.raises(ValueError) as e:
        tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell([cell] * 2), x, dtype=tf.float32)
    assert str(e.value) == (
        "Dimensions must be equal, but are 14 and 27 for 'rnn/while/rnn/multi_rnn_cell/cell_0/"
        "basic_lstm_cell/MatMul_1' (op: 'MatMul') with input shapes: [?,14], [27,28].")


@pytest.mark.parametrize("emulated, first", [
    ("0.12.1", "RNN/MultiRNNCell/Cell0/BasicLSTMCell/Linear/Matrix:0"),
    ("1.0.0", "rnn/multi_rnn_cell/cell_0/basic_lstm_cell/weights:0")])
def test_before_1_2_one_cell_twice_had_two_sets_of_weights(version, emulated, first):
    tf = version(emulated)
    rnn = tf.nn.rnn_cell if emulated < "1" else tf.contrib.rnn
    x = tf.placeholder(tf.float32, [None, 28, 20])
    tf.nn.dynamic_rnn(rnn.MultiRNNCell([rnn.BasicLSTMCell(7)] * 2), x, dtype=tf.float32)
    assert names(tf)[0] == first and len(names(tf)) == 4


def test_a_users_cell(tf):
    class Mine(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 4

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or "Mine"):
                w = tf.get_variable("w", [inputs.shape[-1], 4])
                out = tf.matmul(inputs, w) + state
            return out, out

    x = tf.placeholder(tf.float32, [None, 28, 20])
    assert shapes(tf, tf.nn.dynamic_rnn(Mine(), x, dtype=tf.float32)) == ["(?, 28, 4)", "(?, 4)"]
    assert names(tf) == ["rnn/Mine/w:0"]


def test_zero_state(tf):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    assert cell.zero_state(5, tf.float32).c.op.name == "BasicLSTMCellZeroState/zeros"
    x = tf.placeholder(tf.float32, [None, 2])
    assert shapes(tf, cell.zero_state(tf.shape(x)[0], tf.float32)) == ["(?, 3)", "(?, 3)"]


def test_legacy_seq2seq(tf):
    s2s, cell = tf.contrib.legacy_seq2seq, tf.nn.rnn_cell.GRUCell(6)
    enc = [tf.placeholder(tf.int32, [None]) for _ in range(3)]
    dec = [tf.placeholder(tf.int32, [None]) for _ in range(4)]
    outputs, state = s2s.embedding_attention_seq2seq(enc, dec, cell, 50, 60, 7)
    assert shapes(tf, outputs) == ["(?, 60)"] * 4 and shapes(tf, state) == ["(?, 6)"]
    weights = [tf.ones_like(d, dtype=tf.float32) for d in dec]
    assert s2s.sequence_loss(outputs, dec, weights).get_shape().ndims == 0
    with pytest.raises(ValueError, match="Lengths of logits, weights, and targets must be the same"):
        s2s.sequence_loss(outputs[:3], dec, weights)


def test_raw_rnn_runs_its_loop(tf):
    cell = tf.nn.rnn_cell.GRUCell(5)
    lengths = tf.constant([2, 3])

    def loop_fn(time, output, state, loop_state):
        if output is None:
            return tf.constant([False, False]), tf.zeros([2, 4]), cell.zero_state(2, tf.float32), \
                (tf.zeros([7]), tf.zeros([], tf.int32)), tf.constant(0)
        return time >= lengths, tf.zeros([2, 4]), state, (tf.ones([2, 7]), tf.constant([1, 2])), \
            loop_state + 1

    (wide, scalar), state, count = tf.nn.raw_rnn(cell, loop_fn)
    assert wide.stack().shape.as_list() == [None, 2, 7]
    assert scalar.stack().shape.as_list() == [None, 2]
    assert state.shape.as_list() == [2, 5] and count.shape.as_list() == []
    assert [v.op.name for v in tf.trainable_variables()][0] == "rnn/gru_cell/gates/kernel"


def test_raw_rnn_refuses_what_tensorflow_refuses(tf):
    cell = tf.nn.rnn_cell.BasicRNNCell(5)

    def start(width, emit):
        def loop_fn(time, output, state, loop_state):
            if output is None:
                return tf.constant([False, False]), tf.zeros([2, width]), \
                    cell.zero_state(2, tf.float32), emit, None
            return tf.constant([True, True]), tf.zeros([2, 4]), state, tf.zeros([2, 8]), None
        return loop_fn

    with pytest.raises(ValueError, match="Dimension 1 in both shapes must be equal, but are 5 and 8. "
                       r"Shapes are \[2,5\] and \[2,8\]. for 'rnn/while/Select'"):
        tf.nn.raw_rnn(cell, start(4, None))
    tf.reset_default_graph()
    cell = tf.nn.rnn_cell.BasicRNNCell(5)
    with pytest.raises(ValueError, match=r"Input tensor 'rnn/zeros:0' enters the loop with shape \(2, 3\),"
                       r" but has shape \(2, 4\) after one iteration"):
        tf.nn.raw_rnn(cell, start(3, tf.zeros([8])))
    with pytest.raises(TypeError, match="loop_fn must be a callable"):
        tf.nn.raw_rnn(cell, None)
