"""tf.layers: names, shapes, sharing, collections, messages. Expectations are TensorFlow 1.15's."""
import numpy as np
import pytest


def names(variables):
    return [v.name for v in variables]


@pytest.fixture
def flat(tf):
    return tf.placeholder(tf.float32, [None, 5])


@pytest.fixture
def image(tf):
    return tf.placeholder(tf.float32, [None, 8, 8, 3])


@pytest.mark.parametrize("call, name, dims, variables", [
    (lambda tf, x: tf.layers.conv2d(x, 3, 3, activation=tf.nn.relu), "conv2d/Relu", [6, 6, 3],
     {"conv2d/kernel:0": [3, 3, 3, 3], "conv2d/bias:0": [3]}),
    (lambda tf, x: tf.layers.conv2d(x, 4, 3, dilation_rate=2), None, [4, 4, 4],
     {"conv2d/kernel:0": [3, 3, 3, 4], "conv2d/bias:0": [4]}),
    (lambda tf, x: tf.layers.conv2d_transpose(x, 4, 3, strides=2), "conv2d_transpose/BiasAdd",
     [17, 17, 4], {"conv2d_transpose/kernel:0": [3, 3, 4, 3], "conv2d_transpose/bias:0": [4]}),
    (lambda tf, x: tf.layers.separable_conv2d(x, 4, 3), "separable_conv2d/BiasAdd", [6, 6, 4],
     {"separable_conv2d/depthwise_kernel:0": [3, 3, 3, 1],
      "separable_conv2d/pointwise_kernel:0": [1, 1, 3, 4], "separable_conv2d/bias:0": [4]}),
    (lambda tf, x: tf.layers.batch_normalization(x, training=True),
     "batch_normalization/FusedBatchNormV3", [8, 8, 3],
     {"batch_normalization/gamma:0": [3], "batch_normalization/beta:0": [3],
      "batch_normalization/moving_mean:0": [3], "batch_normalization/moving_variance:0": [3]}),
    (lambda tf, x: tf.layers.max_pooling2d(x, 2, 2), "max_pooling2d/MaxPool", [4, 4, 3], {}),
    (lambda tf, x: tf.layers.average_pooling2d(x, (2, 3), 1, padding="same"),
     "average_pooling2d/AvgPool", [8, 8, 3], {}),
    (lambda tf, x: tf.layers.flatten(x), "flatten/Reshape", [192], {}),
    (lambda tf, x: tf.layers.dropout(x), "dropout/Identity", [8, 8, 3], {}),
    (lambda tf, x: tf.layers.dense(x, 7), "dense/BiasAdd", [8, 8, 7],
     {"dense/kernel:0": [3, 7], "dense/bias:0": [7]}),
])
def test_layers_of_an_image(tf, image, call, name, dims, variables):
    made = call(tf, image)
    assert made.get_shape().as_list() == [None] + dims
    assert name is None or made.op.name == name
    assert {v.name: v.get_shape().as_list() for v in tf.global_variables()} == variables
    moving = [v for v in names(tf.global_variables()) if "moving" in v]
    assert names(tf.trainable_variables()) == [v for v in variables if v not in moving]


@pytest.mark.parametrize("call, dims", [
    (lambda tf, x: tf.layers.conv1d(x, 3, 3), [3, 3]),
    (lambda tf, x: tf.layers.conv1d(x, 7, 3, padding="causal"), [5, 7]),
    (lambda tf, x: tf.layers.separable_conv1d(x, 7, 3), [3, 7]),
    (lambda tf, x: tf.layers.max_pooling1d(x, 2, 2), [2, 1]),
])
def test_layers_of_a_sequence(tf, flat, call, dims):
    assert call(tf, tf.reshape(flat, [-1, 5, 1])).get_shape().as_list() == [None] + dims


@pytest.mark.parametrize("dims, call, message", [
    ([None], lambda tf, x: tf.layers.dense(x, 3),
     "Input 0 of layer dense_1 is incompatible with the layer: : expected min_ndim=2, found ndim=1. "
     "Full shape received: [None]"),
    ([None, None], lambda tf, x: tf.layers.dense(x, 3),
     "The last dimension of the inputs to `Dense` should be defined. Found `None`."),
    (None, lambda tf, x: tf.layers.dense(x, 3),
     "Input 0 of layer dense_1 is incompatible with the layer: its rank is undefined, but the layer "
     "requires a defined rank."),
    ([None, 5], lambda tf, x: tf.layers.conv2d(x, 3, 3),
     "Input 0 of layer conv2d_1 is incompatible with the layer: expected ndim=4, found ndim=2. Full "
     "shape received: [None, 5]"),
    ([None, 8, 8, None], lambda tf, x: tf.layers.conv2d(x, 3, 3),
     "The channel dimension of the inputs should be defined. Found `None`."),
    ([None, 8, 8, 3], lambda tf, x: tf.layers.conv2d(x, 3, 9),
     "Negative dimension size caused by subtracting 9 from 8 for 'conv2d/Conv2D' (op: 'Conv2D') "
     "with input shapes: [?,8,8,3], [9,9,3,3]."),
    ([None, 8, 8, 3], lambda tf, x: tf.layers.conv2d(x, 3, (3, 3, 3)),
     "The `kernel_size` argument must be a tuple of 2 integers. Received: (3, 3, 3)"),
    ([None, 5], lambda tf, x: tf.layers.max_pooling2d(x, 2, 2),
     "Input 0 of layer max_pooling2d_1 is incompatible with the layer: expected ndim=4, found "
     "ndim=2. Full shape received: [None, 5]"),
    ([None, None], lambda tf, x: tf.layers.batch_normalization(x),
     "('Input has undefined `axis` dimension. Input shape: ', TensorShape([Dimension(None), "
     "Dimension(None)]))"),
])
def test_refused_inputs(tf, dims, call, message):
    with pytest.raises(ValueError) as e:
        call(tf, tf.placeholder(tf.float32, dims))
    assert str(e.value) == message


def test_messages_of_1_8(version):
    tf = version("1.8.0")
    with pytest.raises(ValueError) as e:
        tf.layers.conv2d(tf.placeholder(tf.float32, [None, 8, 8, 3]), 3, 3, padding="bogus")
    assert str(e.value) == ("The `padding` argument must be one of \"valid\", \"same\". Received: "
                            "bogus")
    with pytest.raises(ValueError, match="layer flatten_1 .*expected min_ndim=2, found ndim=1"):
        tf.layers.flatten(tf.placeholder(tf.float32, [None]))


def test_a_layer_object_keeps_its_variables(tf, flat):
    layer = tf.layers.Dense(4)
    assert layer(flat).op.name == "dense/BiasAdd" and layer(flat).op.name == "dense/BiasAdd_1"
    assert names(layer.weights) == ["dense/kernel:0", "dense/bias:0"]
    assert layer.count_params() == 24 and layer.input_shape == (None, 5)
    with pytest.raises(ValueError) as e:
        layer(tf.placeholder(tf.float32, [None, 6]))
    assert str(e.value) == ("Input 0 of layer dense_1 is incompatible with the layer: expected axis "
                            "-1 of input shape to have value 5 but received input with shape "
                            "[None, 6]")


def test_names_and_reuse(tf, flat):
    assert tf.layers.dense(flat, 3).op.name == "dense/BiasAdd"
    assert tf.layers.dense(flat, 3).op.name == "dense_1/BiasAdd"
    tf.layers.dense(flat, 3, name="foo")
    with pytest.raises(ValueError, match="Variable foo/kernel already exists, disallowed."):
        tf.layers.dense(flat, 3, name="foo")
    assert tf.layers.dense(flat, 3, name="foo", reuse=True).op.name == "foo_2/BiasAdd"
    with pytest.raises(ValueError) as e:
        tf.layers.dense(flat, 9, name="foo", reuse=True)
    assert str(e.value) == ("Trying to share variable foo/kernel, but specified shape (5, 9) and "
                            "found shape (5, 3).")


def test_regularizers_count_once(tf, flat):
    l2 = tf.contrib.layers.l2_regularizer(0.1)
    tf.layers.dense(flat, 3, name="nn", kernel_regularizer=l2)
    tf.layers.dense(flat, 3, name="nn", kernel_regularizer=l2, reuse=True)
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert names(losses) == ["nn/kernel/Regularizer/l2_regularizer:0"]


def test_updates_of_batch_normalization(tf, flat, image):
    tf.layers.batch_normalization(image, training=True)
    tf.layers.batch_normalization(flat)
    training = tf.placeholder(tf.bool)
    tf.layers.batch_normalization(flat, training=training)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    assert [u.name for u in updates] == [
        "batch_normalization/AssignMovingAvg", "batch_normalization/AssignMovingAvg_1",
        "batch_normalization_2/cond_2/Merge", "batch_normalization_2/cond_3/Merge"]


def test_a_network_runs(tf, image):
    training, labels = tf.placeholder(tf.bool), tf.placeholder(tf.int64, [None])
    net = tf.layers.conv2d(image, 8, 3, activation=tf.nn.relu)
    net = tf.layers.batch_normalization(net, training=training)
    net = tf.layers.dropout(tf.layers.flatten(net), 0.5, training=training)
    logits = tf.layers.dense(net, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer().minimize(loss)
    feed = {image: np.zeros((4, 8, 8, 3)), labels: np.zeros(4), training: True}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train, feed)
        assert sess.run(logits, {**feed, training: False}).shape == (4, 10)
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            sess.run(logits, {image: np.zeros((4, 8, 8, 3))})


def test_a_users_layer(tf, flat):
    class Mine(tf.layers.Layer):
        def build(self, shape):
            self.k = self.add_variable("k", [int(shape[-1]), 2])
            self.built = True

        def call(self, x):
            return tf.matmul(x, self.k)

    assert Mine()(flat).op.name == "mine/MatMul"
    assert names(Mine(name="its").apply(flat).graph.get_collection("variables")) == [
        "mine/k:0", "its/k:0"]


def test_what_is_not_modelled_is_not_blamed(tf):
    from shapeflow import _core
    from shapeflow.tensorflow.python.framework import op_builders

    x = op_builders.unknown()
    assert tf.layers.dense(x, 3).get_shape().ndims is None
    made = tf.layers.conv2d(op_builders.unknown(shape=[None, 8, 8, None]), 3, 3)
    assert made.get_shape().as_list() == [None, 6, 6, 3]
    assert tf.contrib.layers.fully_connected(x * 2.0, 3).get_shape().ndims is None
    assert len(tf.trainable_variables()) == 6 and not _core.findings()


def test_a_model_of_keras_owns_layers_of_tf_layers(tf):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.layers.Dense(3)
            self.norm = tf.layers.BatchNormalization()

        def call(self, x):
            return self.norm(self.dense(x))

    net = Net()
    assert net(tf.ones([2, 5])).shape == (2, 3)
    assert names(net.variables) == ["dense/kernel:0", "dense/bias:0", *(
        "batch_normalization/%s:0" % name for name in ("gamma", "beta", "moving_mean", "moving_variance"))]
    assert len(net.layers) == 2 and len(net.trainable_variables) == 4 and not net.losses
    assert isinstance(net.dense, tf.keras.layers.Dense)
    assert issubclass(tf.layers.Conv1D, tf.keras.layers.Layer)
    assert not isinstance(net.norm, tf.keras.layers.Dense)
