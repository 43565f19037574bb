"""While loops of a graph: bytes that TensorFlow 1.15 allocated for the same graph (FULL_TRACE, one thread,
the sum of benchmarks/memory.py), by how many turns they take."""

import numpy as np
import pytest

import shapeflow as tf
from shapeflow.tensorflow.compat import version_detection


@pytest.fixture(autouse=True)
def graphs():
    version_detection.activate("1.15.0", "graph")
    with tf.Graph().as_default():
        yield


def repeated(x, n, w):
    return tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, x])[1]


def bounded(x, n, w):
    return tf.while_loop(lambda i, h: tf.logical_and(i < n, tf.reduce_sum(h) < 1e9),
                         lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w))), [0, x])[1]


def nested(x, n, w):
    return tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, repeated(h, 4, w)), [0, x])[1]


def wide(x, n, w):
    v, u = tf.get_variable("v", [256, 1024]), tf.get_variable("u", [1024, 256])
    return tf.while_loop(lambda i, h: i < 8, lambda i, h: (
        i + 1, h + tf.matmul(tf.nn.relu(tf.matmul(h, v)), u)), [0, x])[1]


def lstm(x, n, w):
    cell = tf.nn.rnn_cell.LSTMCell(256)
    cell.build(tf.TensorShape([None, 256]))
    zeros = tf.zeros_like(x)
    return tf.while_loop(lambda i, c, h: i < n, lambda i, c, h: (
        i + 1, *cell(x, tf.nn.rnn_cell.LSTMStateTuple(c, h))[1]), [0, zeros, zeros])[2]


def mapped(x, n, w):
    return tf.map_fn(lambda row: tf.tanh(tf.matmul(tf.reshape(row, [1, 256]), w)), x)


def scanned(x, n, w):
    rows = tf.reshape(x, [8, -1, 256])
    return tf.scan(lambda a, row: tf.tanh(tf.matmul(a, w) + row), rows, initializer=tf.zeros_like(rows[0]))


def mapped_twice(x, n, w):
    v = tf.get_variable("v", [256, 256])
    return tf.map_fn(lambda row: tf.nn.relu(
        tf.matmul(tf.tanh(tf.matmul(tf.reshape(row, [1, 256]), w)), v)), x)


def mapped_elements(x, n, w):
    return tf.map_fn(lambda row: tf.tanh(row) * 2., tf.matmul(x, w))


def folded(x, n, w):
    rows = tf.reshape(x, [8, -1, 256])
    return tf.foldl(lambda a, row: tf.tanh(tf.matmul(a, w) + row), rows, initializer=tf.zeros_like(rows[0]))


def gru(x, n, w):
    cell = tf.nn.rnn_cell.GRUCell(256)
    cell.build(tf.TensorShape([None, 256]))
    return tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, cell(x, h)[1]), [0, tf.zeros_like(x)])[1]


def dynamic_gru(x, n, w):
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(256), tf.reshape(x, [-1, 8, 256]), dtype=tf.float32)[0]


def chain_with_sum(x, n, w):
    v = tf.get_variable("v", [256, 256])
    return tf.while_loop(lambda i, h: i < n, lambda i, h: (
        i + 1, tf.matmul(tf.sigmoid(tf.matmul(h, w)) * h, v)), [0, x])[1]


def read_and_written(x, n, w):
    rows = tf.reshape(x, [8, -1, 256])
    given, made = tf.TensorArray(tf.float32, 8).unstack(rows), tf.TensorArray(tf.float32, 8)

    def turn(i, h, made):
        h = tf.tanh(tf.matmul(h, w) + given.read(i))
        return i + 1, h, made.write(i, h)
    return tf.while_loop(lambda i, *_: i < 8, turn, [0, tf.zeros_like(rows[0]), made])[2].stack()


def read_only(x, n, w):
    rows = tf.reshape(x, [8, -1, 256])
    given = tf.TensorArray(tf.float32, 8).unstack(rows)
    return tf.while_loop(lambda i, s: i < 8, lambda i, s: (i + 1, s + tf.tanh(tf.matmul(given.read(i), w))),
                         [0, tf.zeros_like(rows[0])])[1]


def written(x, n, w):
    def turn(i, h, made):
        h = tf.tanh(tf.matmul(h, w))
        return i + 1, h, made.write(i, h)
    return tf.while_loop(lambda i, *_: i < 8, turn, [0, x, tf.TensorArray(tf.float32, 8)])[2].stack()


def written_elements(x, n, w):
    def turn(i, h, made):
        h = tf.sin(h) * 0.5
        return i + 1, h, made.write(i, h)
    start = [0, tf.matmul(x, w), tf.TensorArray(tf.float32, 8)]
    return tf.while_loop(lambda i, *_: i < 8, turn, start)[2].stack()


def written_products(x, n, w):
    given = tf.TensorArray(tf.float32, 8).unstack(tf.reshape(x, [8, -1, 256]))
    return tf.while_loop(lambda i, made: i < 8, lambda i, made: (
        i + 1, made.write(i, tf.matmul(given.read(i), w))), [0, tf.TensorArray(tf.float32, 8)])[1].stack()


def joined(x, n, w):
    def turn(i, h, made):
        h = tf.nn.relu(tf.matmul(h, w))
        return i + 1, h, made.write(i, h)
    return tf.while_loop(lambda i, *_: i < 8, turn, [0, x, tf.TensorArray(tf.float32, 8)])[2].concat()


def parted(x, n, w):
    given = tf.TensorArray(tf.float32, 4).split(x, [tf.shape(x)[0] // 4] * 4)
    made = tf.while_loop(lambda i, made: i < 4, lambda i, made: (
        i + 1, made.write(i, tf.tanh(tf.matmul(given.read(i), w)))), [0, tf.TensorArray(tf.float32, 4)])[1]
    return made.concat()


def attended(x, n, w):
    rows = tf.reshape(x, [8, -1, 256])
    memory = tf.transpose(rows, [1, 0, 2])

    def turn(i, h, made):
        scores = tf.nn.softmax(tf.reduce_sum(memory * h[:, None], -1))
        h = tf.tanh(tf.matmul(tf.reduce_sum(memory * scores[:, :, None], 1) + h, w))
        return i + 1, h, made.write(i, h)
    return tf.while_loop(lambda i, *_: i < 6, turn, [0, rows[0], tf.TensorArray(tf.float32, 6)])[2].stack()


def decoded(x, n, w):
    v = tf.get_variable("v", [256, 2000])

    def turn(i, h, made):
        h = tf.tanh(tf.matmul(h, w))
        return i + 1, h, made.write(i, tf.matmul(h, v))
    return tf.while_loop(lambda i, *_: i < 8, turn, [0, x, tf.TensorArray(tf.float32, 8)])[2].stack()


def lstm_by_hand(x, n, w):
    rows, k = tf.reshape(x, [8, -1, 256]), tf.get_variable("k", [512, 1024])
    given = tf.TensorArray(tf.float32, 8).unstack(rows)

    def turn(i, c, h, made):
        a, b, f, o = tf.split(tf.matmul(tf.concat([given.read(i), h], 1), k), 4, 1)
        c = c * tf.sigmoid(f) + tf.sigmoid(a) * tf.tanh(b)
        h = tf.tanh(c) * tf.sigmoid(o)
        return i + 1, c, h, made.write(i, h)
    zeros = tf.zeros_like(rows[0])
    start = [0, zeros, zeros, tf.TensorArray(tf.float32, 8)]
    return tf.while_loop(lambda i, *_: i < 8, turn, start)[3].stack()


def two_arrays(x, n, w):
    v, rows = tf.get_variable("v", [256, 256]), tf.reshape(x, [8, -1, 256])
    given = tf.TensorArray(tf.float32, 8).unstack(rows)

    def turn(i, h, first, second):
        h = tf.tanh(tf.matmul(h, w) + given.read(i))
        return i + 1, h, first.write(i, h), second.write(i, tf.nn.relu(tf.matmul(h, v)))
    made = [tf.TensorArray(tf.float32, 8) for _ in range(2)]
    first, second = tf.while_loop(lambda i, *_: i < 8, turn, [0, tf.zeros_like(rows[0]), *made])[2:]
    return first.stack() + second.stack()


def account(body, turns, batch, trains, feeds_turns=False):
    x, w = tf.placeholder(tf.float32, [None, 256]), tf.get_variable("w", [256, 256])
    n = tf.placeholder(tf.int32, [])
    loss = tf.reduce_mean(tf.square(body(x, n if feeds_turns else turns, w)))
    fetch = tf.train.AdamOptimizer().minimize(loss) if trains else loss
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.memory(fetch, {x: np.zeros([batch, 256], np.float32), n: turns})


@pytest.mark.parametrize("body,turns,batch,trains,allocated", [
    (repeated, 10, 64, False, 131081),
    (repeated, 10, 64, True, 2752653),
    (repeated, 10, 256, True, 3145869),
    (repeated, 40, 64, True, 4718733),  # ten turns' gradients of w at once: parallel_iterations
    (repeated, 40, 256, True, 11010189),
    (bounded, 10, 64, False, 131077),
    (bounded, 10, 64, True, 2752653),
    (nested, 10, 64, False, 131088),
    (nested, 10, 64, True, 3277007),
    (nested, 10, 256, True, 3670233),
    (wide, 8, 64, False, 393223),
    (wide, 8, 64, True, 17170696),
    (mapped, 64, 64, False, 131428),
    (scanned, 8, 256, False, 524388),
    (mapped, 64, 64, True, 3021293),  # gradients of ten elements wait, and their sum
    (mapped_twice, 64, 64, True, 5949997),
    (mapped_twice, 64, 256, True, 6737197),
    (mapped_elements, 64, 64, False, 131553),  # each element was counted as all of them
    (mapped_elements, 64, 256, False, 525537),
    (mapped_elements, 64, 64, True, 327744),
    (scanned, 8, 64, True, 2113976),
    (scanned, 8, 256, True, 2163128),
    (folded, 8, 64, False, 82012),
    (folded, 8, 256, False, 327772),
    (folded, 8, 64, True, 2122008),
    (folded, 8, 256, True, 2195736),
    (gru, 10, 64, False, 327693),
    (gru, 10, 64, True, 11426013),  # the gradient of the gates waits, that of the candidate does not
    (gru, 10, 256, True, 31983391),
    (chain_with_sum, 10, 64, True, 3080541),
    (chain_with_sum, 10, 256, True, 8126970),
    (dynamic_gru, 8, 64, True, 8521200),
    (dynamic_gru, 8, 256, True, 8865264),
    (lstm, 10, 64, False, 589837),
    (lstm, 10, 64, True, 8857437),
    (lstm, 10, 256, True, 24119061),
    (read_and_written, 8, 64, False, 131172),
    (read_and_written, 8, 64, True, 2113976),
    (read_and_written, 8, 256, True, 2163128),
    (read_only, 8, 64, False, 82012),
    (read_only, 8, 64, True, 2113816),  # gradients of w wait where what is read has none, too
    (read_only, 8, 256, True, 2162968),
    (written, 8, 64, False, 1048660),
    (written, 8, 64, True, 2228520),
    (written, 8, 256, True, 6553993),
    (written_elements, 8, 64, False, 1048660),
    (written_elements, 8, 256, True, 6554185),
    (written_products, 8, 256, False, 524388),
    (written_products, 8, 256, True, 2162936),
    (joined, 8, 64, False, 1048724),
    (joined, 8, 256, True, 6554069),
    (parted, 4, 256, False, 524420),
    (parted, 4, 64, True, 1081716),  # the first gradient of w waits as the others do
    (attended, 6, 64, False, 180334),
    (attended, 6, 64, True, 707397),  # a gradient that parts is added up turn by turn
    (attended, 6, 256, True, 1350238),
    (decoded, 8, 64, True, 18612520),
    (decoded, 8, 256, True, 35127689),  # nothing reads the elements when they are stacked
    (lstm_by_hand, 8, 256, False, 524492),  # each element is cleared as it is read
    (lstm_by_hand, 8, 64, True, 16844040),  # gradients wait where the array sends some to each turn
    (lstm_by_hand, 8, 256, True, 17040648),
    (two_arrays, 8, 256, True, 4293208),
])
def test_what_a_loop_holds(body, turns, batch, trains, allocated):
    memory = account(body, turns, batch, trains)
    parts = memory["parts"]
    assert parts["activations"] + parts["gradients"] == pytest.approx(allocated, rel=0.1)
    assert not memory["at_least"]


def test_gradients_go_to_every_element_of_an_array():
    x, weights = tf.ones([2, 3]), [tf.get_variable("w%d" % i, [3, 3]) for i in range(2)]
    array = tf.TensorArray(tf.float32, 2)
    for i, w in enumerate(weights):
        array = array.write(i, tf.matmul(x, w))
    assert [g.shape.as_list() for g in tf.gradients(array.stack(), weights)] == [[3, 3]] * 2


@pytest.mark.parametrize("lengths", [[2, 2, 2], [1, 2, 3]])
def test_a_part_of_an_array_is_as_long_as_it_was_cut(lengths):
    x = tf.placeholder(tf.float32, [None, 4])
    part = tf.TensorArray(tf.float32, 3).split(x, lengths).read(1)
    with tf.Session() as session:
        assert session.run(part + np.zeros([2, 4]), {x: np.zeros([6, 4])}).shape == (2, 4)


def test_the_number_of_turns_may_be_fed():
    memory = account(repeated, 10, 64, True, feeds_turns=True)
    parts = memory["parts"]
    assert parts["activations"] + parts["gradients"] == pytest.approx(2752654, rel=0.1)
    with tf.Graph().as_default():
        assert account(repeated, 100, 64, True, feeds_turns=True)["flops"] == pytest.approx(
            10 * memory["flops"], rel=0.2)


def test_a_loop_that_waits_for_a_value_is_bounded_from_below():
    x = tf.placeholder(tf.float32, [None, 256])
    y = tf.while_loop(lambda h: tf.reduce_sum(h) < 1e3, lambda h: tf.tanh(h) * 2., [x])
    with tf.Session() as session:
        memory = session.memory(y, {x: np.ones([8, 256], np.float32)})
    assert memory["at_least"] and memory["parts"]["activations"] >= 8 * 256 * 4


def test_a_loop_of_very_many_turns_is_counted_in_time():
    memory = account(repeated, 10 ** 9, 4, True)
    assert memory["at_least"]


def test_a_cell_that_was_built_is_not_built_again():
    for layer in (tf.nn.rnn_cell.GRUCell(8), tf.nn.rnn_cell.BasicRNNCell(8), tf.layers.Dense(8)):
        layer.build(tf.TensorShape([None, 8]))
        assert layer.built
        x = tf.zeros([2, 8])
        layer(x) if isinstance(layer, tf.layers.Dense) else layer(x, x)
