"""What a training step holds, in the order in which TensorFlow's executor runs it: the figures are those that
TensorFlow 1.15 allocates of the same graph with one thread (benchmarks/memory.py)."""
import numpy as np
import pytest

import shapeflow as tf
from shapeflow.tensorflow.compat import version_detection


@pytest.fixture(autouse=True)
def graphs():
    version_detection.activate("1.15.0", "graph")
    with tf.Graph().as_default():
        yield


def held(fetch, feeds):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        parts = session.memory(fetch, feeds)["parts"]
    return parts["activations"] + parts["gradients"]


def train(loss):
    return tf.train.AdamOptimizer().minimize(loss)


def test_one_of_two_towers_is_updated_before_the_other_goes_back():
    x = tf.placeholder(tf.float32, [None, 256])

    def tower(act):
        return tf.layers.dense(tf.layers.dense(x, 512, act), 128, tf.nn.relu)

    loss = tf.reduce_mean(tf.square(tf.reduce_sum(tower(tf.nn.relu) * tower(tf.nn.tanh), 1) - 1.))
    weights = 4 * (256 * 512 + 512 * 128)
    both = held(train(loss), {x: np.zeros([8, 256], np.float32)})
    assert weights < both < 2 * weights
    assert both == 829952


def test_gradient_of_weights_comes_before_that_of_the_input():
    x = tf.placeholder(tf.float32, [None, 100])
    h = tf.layers.dense(x, 1000, tf.nn.relu)
    loss = tf.reduce_sum(tf.layers.dense(h, 1000, use_bias=False))
    row, step = 4 * 1000, train(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.memory(step, {x: np.zeros([1, 100], np.float32)}, (1, False, 0, False, -1, True))
    backward = [name for name, is_backward in found["order"] if is_backward]
    assert backward.count("dense_1/MatMul") == 2  # each factor's
    assert found["parts"]["gradients"] <= 4 * (1000 * 1000 + 100 * 1000 + 1000) + 3 * row


def test_a_gradient_with_respect_to_a_feed_goes_back_to_what_reads_it():
    """Saliency, adversarial examples: TensorFlow 1.15 allocates 22,536 bytes of the first."""
    def of(x, wanted):
        h = wanted
        for _ in range(10):
            h = tf.tanh(h)
        return held(tf.gradients(tf.reduce_sum(h), wanted)[0], {x: np.zeros([8, 64], np.float32)})

    x = tf.placeholder(tf.float32, [None, 64])
    assert of(x, x) == of(x, tf.identity(x)) == 11 * 4 * 8 * 64
    hidden = tf.layers.dense(x, 32, tf.nn.relu) + tf.layers.dense(x, 32, tf.nn.relu)
    slope = tf.gradients(tf.reduce_sum(hidden), x)[0]
    penalty = tf.reduce_sum(tf.square(slope))
    fed = {x: np.zeros([8, 64], np.float32)}
    assert held(slope, fed) > held(hidden, fed)
    assert held(train(penalty + tf.reduce_sum(hidden)), fed) > held(train(tf.reduce_sum(hidden)), fed)


def test_transposition_that_moves_no_axis_is_no_copy():
    x = tf.placeholder(tf.float32, [None, 64])
    doubled = x * 2.
    assert held(tf.transpose(doubled, [0, 1]), {x: np.zeros([8, 64])}) == 4 * 8 * 64
    assert held(tf.transpose(doubled, [1, 0]), {x: np.zeros([8, 64])}) == 2 * 4 * 8 * 64


def test_loss_writes_over_its_logits():
    x = tf.placeholder(tf.float32, [None, 1000])
    labels = tf.placeholder(tf.int64, [None])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x * 2.)
    feeds = {x: np.zeros([8, 1000]), labels: np.zeros([8])}
    assert held(losses, feeds) == 4 * (8 * 1000 + 8)


def test_gradient_of_an_embedding_is_its_rows_and_adam_touches_all():
    words = tf.placeholder(tf.int32, [None, 50])
    table = tf.get_variable("table", [10000, 100])
    h = tf.reduce_mean(tf.nn.embedding_lookup(table, words), 1)
    h = tf.layers.dense(tf.layers.dense(h, 64, tf.nn.relu), 5)
    labels = tf.placeholder(tf.int64, [None])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))
    feeds = {words: np.zeros([8, 50]), labels: np.zeros([8])}
    gradient = tf.gradients(loss, table)[0]
    assert isinstance(gradient, tf.IndexedSlices)
    assert held(gradient.values, feeds) < 10000 * 100 * 4
    assert 2 * 10000 * 100 * 4 <= held(train(loss), feeds) <= 1.01 * 8027160


def test_gradient_of_a_gradient_is_ordered_too():
    x = tf.placeholder(tf.float32, [None, 32])
    weights = tf.get_variable("w", [32, 32])
    loss = tf.reduce_sum(tf.tanh(tf.matmul(x, weights)))
    slope = tf.gradients(loss, x)[0]
    penalty = tf.reduce_sum(tf.square(slope)) + loss
    assert held(train(penalty), {x: np.zeros([4, 32])}) >= 4 * 32 * 32


@pytest.mark.parametrize("again, allocated", [(False, 19_146_792), (True, 12_855_336)])
def test_recomputed_blocks_keep_their_arguments_only(again, allocated):
    """recompute_grad in a graph: benchmarks/memory.py "recomputed blocks", with and without it."""
    x = tf.placeholder(tf.float32, [None, 256])
    weights = [tf.get_variable(f"w{i}", [256, 256], use_resource=True) for i in range(8)]
    h = x
    for i in range(0, 8, 2):
        def block(h, i=i):
            return tf.tanh(tf.matmul(tf.tanh(tf.matmul(h, weights[i])), weights[i + 1]))

        h = (tf.recompute_grad(block) if again else block)(h)
    labels = tf.placeholder(tf.int64, [None])
    logits = tf.layers.dense(h, 10)
    step = tf.train.AdamOptimizer().minimize(tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)))
    feeds = {x: np.zeros([2048, 256], np.float32), labels: np.zeros([2048], np.int64)}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        parts = session.memory(step, feeds)["parts"]
    assert parts["activations"] + parts["gradients"] == pytest.approx(allocated, rel=0.01)


def test_an_update_runs_at_once_where_the_gradient_goes_to_several_kernels():
    """TensorFlow 1.15 holds 1,291,264 in most sessions: the second kernel of each block is updated before the
    backward pass goes on, as is not the first; moments of the table decay before the forward pass."""
    words = tf.placeholder(tf.int32, [None, 8])
    h = tf.reshape(tf.nn.embedding_lookup(tf.get_variable("table", [2000, 64]), words), [-1, 64])
    for _ in range(4):
        y = tf.layers.dense(h, 256)
        h = h + tf.layers.dense(y * 0.5 * (1.0 + tf.erf(y / 1.41421356)), 64)
    step = tf.train.AdamOptimizer().minimize(tf.reduce_mean(h))
    assert held(step, {words: np.zeros([2, 8], np.int32)}) == 1291268
