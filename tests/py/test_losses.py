"""tf.losses and tf.metrics: values, checks of shapes, collections. Expectations are TensorFlow 1.15's."""
import numpy as np
import pytest


@pytest.fixture
def given(tf):
    dims = {"a": [None, 10], "b": [None, 10], "c": [None, 5], "k": [4, 10], "w": [None],
            "w1": [None, 1], "v": None}
    made = {name: tf.placeholder(tf.float32, shape) for name, shape in dims.items()}
    made.update(l=tf.placeholder(tf.int32, [None]), l1=tf.placeholder(tf.int64, [None, 1]),
                u=tf.placeholder(tf.int64))
    return made


PAIRED = ["absolute_difference", "mean_squared_error", "huber_loss", "log_loss", "hinge_loss",
          "mean_pairwise_squared_error", "sigmoid_cross_entropy", "softmax_cross_entropy"]


@pytest.mark.parametrize("name", PAIRED)
def test_paired_losses(tf, given, name):
    loss = getattr(tf.losses, name)
    made = loss(given["a"], given["b"])
    assert made.get_shape().as_list() == [] and "value" in made.op.name
    assert tf.get_collection(tf.GraphKeys.LOSSES) == [made]
    loss(given["a"], given["b"], scope="mine")
    for x, y, words in (("a", "c", "Shapes (?, 5) and (?, 10) are incompatible"),
                        ("w", "a", "Shapes (?, 10) and (?,) are incompatible"),
                        ("a", "w1", None), ("a", "v", None)):
        if words is None:
            continue
        with pytest.raises(ValueError) as e:
            loss(given[x], given[y])
        assert str(e.value) == words
    with pytest.raises(ValueError, match="must not be None."):
        loss(None, given["a"])


def test_weights(tf, given):
    mse = tf.losses.mean_squared_error
    assert mse(given["a"], given["b"], given["w1"]).get_shape().ndims == 0
    with pytest.raises(ValueError) as e:
        mse(given["a"], given["b"], given["w"])
    assert str(e.value) == ("weights can not be broadcast to values. values.rank=2. weights.rank=1. "
                            "values.shape=(?, 10). weights.shape=(?,).")
    with pytest.raises(ValueError) as e:
        mse(given["k"], given["k"], tf.ones([3, 1]))
    assert str(e.value) == ("weights can not be broadcast to values. Mismatch at dim 0. values.shape="
                            "[ 4 10] weights.shape=[3 1].")


def test_sparse_labels_lose_a_last_one(tf, given):
    loss = tf.losses.sparse_softmax_cross_entropy
    none = tf.losses.Reduction.NONE
    assert loss(given["l"], given["a"], reduction=none).get_shape().as_list() == [None]
    assert loss(given["l1"], given["a"], reduction=none).get_shape().as_list() == [None]
    late = loss(given["u"], given["a"], reduction=none)
    with tf.Session() as sess:
        for labels in (np.zeros(3), np.zeros((3, 1))):
            assert sess.run(late, {given["u"]: labels, given["a"]: np.zeros((3, 10))}).shape == (3,)


def test_what_is_wrong_is_found_when_it_is_run(tf, given):
    loss = tf.losses.softmax_cross_entropy(given["a"], given["b"])
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be broadcastable"):
            sess.run(loss, {given["a"]: np.zeros((3, 10)), given["b"]: np.zeros((4, 10))})


def test_totals(tf, given):
    tf.losses.mean_squared_error(given["a"], given["b"])
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(1.0))
    assert len(tf.losses.get_losses()) == len(tf.losses.get_regularization_losses()) == 1
    assert tf.losses.get_total_loss().op.name == "total_loss"
    assert tf.losses.get_regularization_loss().op.name == "total_regularization_loss"


def test_contrib_losses_take_predictions_first(tf, given):
    losses = tf.contrib.losses
    assert losses.sparse_softmax_cross_entropy(given["a"], given["l"]).get_shape().ndims == 0
    assert losses.softmax_cross_entropy(given["a"], given["b"]).get_shape().ndims == 0
    assert tf.contrib.slim.losses.get_total_loss().get_shape().ndims == 0


@pytest.mark.parametrize("name", ["accuracy", "precision", "recall", "auc", "mean_squared_error",
                                  "root_mean_squared_error", "mean_absolute_error"])
def test_metrics_are_a_value_and_an_update(tf, given, name):
    metric = getattr(tf.metrics, name)
    value, update = metric(given["a"], given["b"])
    assert value.get_shape().ndims == update.get_shape().ndims == 0
    assert tf.local_variables() and not tf.global_variables()
    assert all(v.name.startswith(name + "/") for v in tf.local_variables())
    with pytest.raises(ValueError) as e:
        metric(given["a"], given["c"])
    assert str(e.value) == "Shapes (?, 5) and (?, 10) are incompatible"
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        feed = {given["a"]: np.zeros((3, 10)), given["b"]: np.zeros((3, 10))}
        assert np.shape(sess.run([update, value], feed)) == (2,)


def test_metrics_go_into_collections(tf, given):
    value, update = tf.metrics.mean(given["a"], metrics_collections="x", updates_collections=["y"])
    assert tf.get_collection("x") == [value] and tf.get_collection("y") == [update]
    assert [v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)] == [
        "mean/total:0", "mean/count:0"]
