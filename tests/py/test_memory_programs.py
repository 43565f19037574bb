"""Small programs of TensorFlow 1 that nobody wrote for our account: bytes that TensorFlow 1.15 allocated for
a forward pass and for a step of Adam (FULL_TRACE, one thread, the sum of benchmarks/memory.py)."""
import numpy as np
import pytest

import shapeflow as tf
from shapeflow.tensorflow.compat import version_detection


def convolutions():
    x = h = tf.placeholder(tf.float32, [None, 32, 32, 3])
    for filters in (16, 32, 64):
        h = tf.layers.conv2d(h, filters, 3, padding="same", use_bias=False)
        h = tf.nn.relu(tf.layers.batch_normalization(h, training=True))
        h = tf.layers.max_pooling2d(h, 2, 2)
    h = tf.layers.dropout(tf.layers.flatten(h), .5, training=True)
    return tf.reduce_mean(tf.square(tf.layers.dense(h, 10))), x


def words():
    x, table = tf.placeholder(tf.int32, [None, 10]), tf.get_variable("table", [5000, 64])
    h = tf.reduce_mean(tf.nn.embedding_lookup(table, x), 1)
    logits = tf.layers.dense(tf.layers.dense(h, 128, tf.nn.relu), 5000)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=x[:, 0], logits=logits)
    return tf.reduce_mean(losses), x


def branches():
    x = tf.placeholder(tf.float32, [None, 256])
    h = tf.layers.dense(x, 256, tf.nn.relu)
    h = tf.cond(tf.shape(x)[0] > 4, lambda: tf.layers.dense(h, 512, tf.nn.tanh), lambda: tf.concat([h, h], 1))
    return tf.reduce_mean(tf.square(tf.layers.dense(h, 16))), x


def transposed():
    x = tf.placeholder(tf.float32, [None, 32, 32, 4])
    a = tf.layers.conv2d(x, 16, 3, 2, "same", activation=tf.nn.leaky_relu)
    b = tf.layers.conv2d(a, 32, 3, 2, "same", activation=tf.nn.leaky_relu)
    c = tf.layers.conv2d_transpose(b, 16, 3, 2, "same", activation=tf.nn.relu)
    d = tf.image.resize_nearest_neighbor(tf.concat([c, a], 3), [32, 32])
    return tf.reduce_mean(tf.abs(tf.layers.conv2d(d, 4, 3, padding="same") - x)), x


def normalized(h):
    mean, variance = tf.nn.moments(h, [-1], keep_dims=True)
    return (h - mean) * tf.rsqrt(variance + 1e-6)


def attention():
    x = h = tf.placeholder(tf.float32, [None, 32, 64])
    for _ in range(2):
        q, k, v = (tf.layers.dense(h, 64, use_bias=False) for _ in range(3))
        h = normalized(h + tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 8.), v))
        h = normalized(h + tf.layers.dense(tf.layers.dense(h, 256, tf.nn.relu), 64))
    return tf.reduce_mean(tf.square(h)), x


def pieces():
    x = tf.placeholder(tf.float32, [None, 300])
    a, b, c = tf.split(tf.layers.dense(x, 600, tf.nn.elu), 3, 1)
    y = tf.concat([a * tf.sigmoid(b), tf.nn.softplus(c), tf.square(a)], 1)
    y = tf.nn.l2_normalize(tf.pad(y, [[0, 0], [10, 10]]), 1)
    return tf.reduce_sum(tf.reduce_max(y, 1)), x


def penalties():
    """The gradients of a penalty depend on no feed: they are there from the first moment on."""
    x = tf.placeholder(tf.float32, [None, 128])
    h = tf.layers.dense(x, 256, tf.nn.relu)
    again, logits = tf.layers.dense(h, 128), tf.layers.dense(h, 20)
    labels = tf.one_hot(tf.zeros([tf.shape(x)[0]], tf.int32), 20)
    penalty = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
    return tf.losses.mean_squared_error(x, again) + .5 * tf.losses.softmax_cross_entropy(
        labels, logits) + 1e-4 * penalty, x


def bidirectional():
    """What is multiplied by the state of the turn before is kept, though the first state has no gradient."""
    x = tf.placeholder(tf.float32, [None, 20, 64])
    y, _ = tf.nn.bidirectional_dynamic_rnn(tf.nn.rnn_cell.GRUCell(64), tf.nn.rnn_cell.GRUCell(64), x,
                                           dtype=tf.float32)
    return tf.reduce_mean(tf.square(tf.concat(y, 2))), x


def elements():
    x, w = tf.placeholder(tf.float32, [None, 512]), tf.get_variable("w", [512])
    return tf.reduce_mean(tf.scan(lambda a, row: tf.tanh(a * w) + row, x)), x


def dilated():
    """No gradient goes to a mask, though its size is that of what is trained."""
    x = h = tf.placeholder(tf.float32, [None, 128, 16])
    for d, c in ((1, 32), (2, 32), (4, 64)):
        q = h
        for _ in range(2):
            p = tf.pad(q, [[0, 0], [2 * d, 0], [0, 0]])
            q = tf.nn.dropout(tf.nn.relu(tf.layers.conv1d(p, c, 3, dilation_rate=d)), rate=.2)
        h = tf.nn.relu(q + (h if h.shape[-1] == c else tf.layers.conv1d(h, c, 1)))
    t = tf.placeholder(tf.float32, [None, 5])
    return tf.reduce_mean(tf.square(tf.layers.dense(h[:, -1], 5) - t)), x, t


def squashed(s):
    q = tf.reduce_sum(tf.square(s), -1, keep_dims=True)
    return q / (1. + q) * s / tf.sqrt(q + 1e-7)


def capsules():
    """The gradient of a broadcast factor is as large as the product before it is summed up."""
    x, w = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.get_variable("w", [144, 10, 8, 16])
    h = tf.layers.conv2d(tf.layers.conv2d(x, 32, 9, activation=tf.nn.relu), 32, 9, 2)
    u = squashed(tf.reshape(h, [-1, 144, 8]))
    votes = tf.reduce_sum(u[:, :, None, :, None] * w[None], 3)
    b = tf.zeros([tf.shape(x)[0], 144, 10])
    for _ in range(2):
        v = squashed(tf.reduce_sum(tf.nn.softmax(b, 2)[..., None] * votes, 1))
        b = b + tf.reduce_sum(votes * v[:, None], -1)
    n, t = tf.sqrt(tf.reduce_sum(tf.square(v), -1) + 1e-7), tf.placeholder(tf.float32, [None, 10])
    near, far = tf.square(tf.maximum(0., .9 - n)), tf.square(tf.maximum(0., n - .1))
    return tf.reduce_mean(tf.reduce_sum(t * near + .5 * (1. - t) * far, 1)), x, t


@pytest.mark.parametrize("program, batch, training", [
    (dilated, 4, 1888508), (dilated, 32, 15095548), (capsules, 16, 25333904), (capsules, 32, 49930384)])
def test_what_training_holds(program, batch, training):
    version_detection.activate("1.15.0", "graph")
    with tf.Graph().as_default():
        loss, *data = program()
        step = tf.train.AdamOptimizer().minimize(loss)
        feed = {x: np.zeros([batch, *x.shape.as_list()[1:]], np.float32) for x in data}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            parts = session.memory(step, feed)["parts"]
    assert parts["activations"] + parts["gradients"] == pytest.approx(training, rel=0.1)


@pytest.mark.parametrize("program, batch, forward, training", [
    (convolutions, 8, 655360, 2270164), (convolutions, 32, 2621440, 8954836),
    (words, 32, 656512, 5173284), (words, 128, 2626048, 5309008),
    (branches, 16, 49152, 836672), (branches, 64, 196608, 885824),
    (transposed, 8, 1310720, 1839712), (transposed, 32, 5242880, 7344736),
    (attention, 8, 393228, 2038544), (attention, 32, 1572876, 7955216),
    (pieces, 32, 158848, 799200), (pieces, 256, 1270784, 3135828),
    (penalties, 32, 49176, 560128), (penalties, 128, 196632, 854016),
    (bidirectional, 16, 327744, 2362241), (bidirectional, 64, 1310784, 8559434),
    (elements, 64, 262500, 521082), (elements, 256, 1049700, 2095482)])
def test_what_a_program_holds(program, batch, forward, training):
    version_detection.activate("1.15.0", "graph")
    with tf.Graph().as_default():
        loss, x = program()
        step = tf.train.AdamOptimizer().minimize(loss)
        feed = {x: np.zeros([batch, *x.shape.as_list()[1:]], x.dtype.as_numpy_dtype)}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found = []
            for fetch in (loss, step):
                parts = session.memory(fetch, feed)["parts"]
                found.append(parts["activations"] + parts["gradients"])
    assert found == pytest.approx([forward, training], rel=0.1)
