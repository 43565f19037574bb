"""tf.contrib.layers, slim, framework, learn, and keras' preprocessing. Expectations: TensorFlow 1.15."""
import struct

import numpy as np
import pytest


@pytest.fixture
def image(tf):
    return tf.placeholder(tf.float32, [None, 8, 8, 3])


@pytest.fixture
def flat(tf):
    return tf.placeholder(tf.float32, [None, 20])


def names(items):
    return [i.name for i in items]


@pytest.mark.parametrize("call, name, dims, variables", [
    (lambda l, x: l.conv2d(x, 5, 3), "Conv/Relu", [8, 8, 5], ["Conv/weights:0", "Conv/biases:0"]),
    (lambda l, x: l.convolution2d(x, 5, [3, 3], stride=2, padding="VALID"), "Conv/Relu", [3, 3, 5],
     ["Conv/weights:0", "Conv/biases:0"]),
    (lambda l, x: l.conv2d_transpose(x, 5, 3), "Conv2d_transpose/Relu", [8, 8, 5],
     ["Conv2d_transpose/weights:0", "Conv2d_transpose/biases:0"]),
    (lambda l, x: l.separable_conv2d(x, 5, 3), "SeparableConv2d/Relu", [8, 8, 5],
     ["SeparableConv2d/depthwise_weights:0", "SeparableConv2d/pointwise_weights:0",
      "SeparableConv2d/biases:0"]),
    (lambda l, x: l.separable_conv2d(x, None, 3), "SeparableConv2d/Relu", [8, 8, 3],
     ["SeparableConv2d/depthwise_weights:0", "SeparableConv2d/biases:0"]),
    (lambda l, x: l.conv2d(x, 5, 3, normalizer_fn=l.batch_norm), "Conv/Relu", [8, 8, 5],
     ["Conv/weights:0", "Conv/BatchNorm/beta:0", "Conv/BatchNorm/moving_mean:0",
      "Conv/BatchNorm/moving_variance:0"]),
    (lambda l, x: l.max_pool2d(x, 2), "MaxPool2D/MaxPool", [4, 4, 3], []),
    (lambda l, x: l.avg_pool2d(x, [3, 2], stride=1, padding="SAME"), "AvgPool2D/AvgPool",
     [8, 8, 3], []),
    (lambda l, x: l.flatten(x), "Flatten/flatten/Reshape", [192], []),
    (lambda l, x: l.layer_norm(x), None, [8, 8, 3], ["LayerNorm/beta:0", "LayerNorm/gamma:0"]),
    (lambda l, x: l.repeat(x, 2, l.conv2d, 9, [3, 3], scope="conv1"), "conv1/conv1_2/Relu",
     [8, 8, 9], ["conv1/conv1_1/weights:0", "conv1/conv1_1/biases:0", "conv1/conv1_2/weights:0",
                 "conv1/conv1_2/biases:0"]),
])
def test_layers(tf, image, call, name, dims, variables):
    made = call(tf.contrib.layers, image)
    assert made.get_shape().as_list() == [None] + dims
    assert name is None or made.op.name == name
    assert names(tf.global_variables()) == variables
    assert tf.contrib.layers.conv2d is tf.contrib.slim.conv2d


def test_fully_connected(tf, flat, image):
    layers = tf.contrib.layers
    made = layers.fully_connected(flat, 5, variables_collections=["vc"], outputs_collections=["oc"])
    assert made.op.name == "fully_connected/Relu" and made.get_shape().as_list() == [None, 5]
    assert names(tf.get_collection("vc")) == ["fully_connected/weights:0", "fully_connected/biases:0"]
    assert tf.get_collection("oc") == [made]
    assert names(tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)) == names(tf.get_collection("vc"))
    assert layers.linear(flat, 5).op.name == "fully_connected_1/BiasAdd"
    with pytest.raises(ValueError, match="num_outputs type should be one of"):
        layers.fully_connected(flat, 5.0)
    with pytest.raises(ValueError, match="Convolution expects input with rank 4, got 2"):
        layers.conv2d(flat, 5, 3)


def test_batch_norm_updates_in_place_or_later(tf, flat):
    layers = tf.contrib.layers
    layers.batch_norm(flat)
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 2
    layers.batch_norm(flat, is_training=False)
    training = tf.placeholder(tf.bool)
    out = layers.batch_norm(flat, is_training=training, updates_collections=None)
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 2
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in (True, False):
            assert sess.run(out, {flat: np.zeros((3, 20)), training: value}).shape == (3, 20)


def test_regularizers(tf):
    layers = tf.contrib.layers
    assert layers.l2_regularizer(0.1)(tf.ones([3])).op.name == "l2_regularizer"
    assert layers.l2_regularizer(0.0)(tf.ones([3])) is None
    with pytest.raises(ValueError, match="scale cannot be an integer: 1"):
        layers.l2_regularizer(1)
    with pytest.raises(ValueError, match="No weights to regularize."):
        layers.apply_regularization(layers.l2_regularizer(0.1))


def test_arg_scope(tf, image, flat):
    slim = tf.contrib.slim
    with slim.arg_scope([slim.conv2d], padding="VALID") as scope:
        assert slim.conv2d(image, 4, 3).get_shape().as_list() == [None, 6, 6, 4]
        with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=None):
            assert slim.conv2d(image, 4, 3, scope="B").op.name == "B/BiasAdd"
            assert slim.conv2d(image, 4, 3, padding="SAME").get_shape().as_list()[1] == 8
            assert slim.fully_connected(flat, 4).op.name == "fully_connected/BiasAdd"
    assert slim.conv2d(image, 4, 3).get_shape().as_list() == [None, 8, 8, 4]
    with slim.arg_scope(scope):
        assert slim.conv2d(image, 4, 3).get_shape().as_list() == [None, 6, 6, 4]
    with pytest.raises(ValueError, match="is not decorated with @add_arg_scope"):
        with slim.arg_scope([names], a=1):
            pass
    with pytest.raises(TypeError, match="list_ops_or_scope must either be a list/tuple"):
        with slim.arg_scope(3):
            pass

    @slim.add_arg_scope
    def mine(a, b=1, c=2):
        return a, b, c

    with slim.arg_scope([mine], b=5):
        assert (mine(1), mine(1, c=7), mine(1, b=9)) == ((1, 5, 2), (1, 5, 7), (1, 9, 2))


def test_variables_of_framework(tf, image):
    slim = tf.contrib.slim
    slim.conv2d(image, 4, 3, scope="A")
    slim.conv2d(image, 4, 3, scope="B")
    assert names(slim.get_variables("B")) == ["B/weights:0", "B/biases:0"]
    assert names(slim.get_variables_by_name("weights")) == ["A/weights:0", "B/weights:0"]
    assert names(slim.get_variables_to_restore(exclude=["A"])) == ["B/weights:0", "B/biases:0"]
    assert slim.get_unique_variable("A/biases").get_shape().as_list() == [4]


def test_analyze_vars(tf, capsys):
    tf.get_variable("w", [3, 2])
    analyze = tf.contrib.slim.model_analyzer.analyze_vars
    assert analyze(tf.global_variables(), print_info=True) == (6, 24)
    assert capsys.readouterr().out.splitlines() == [
        "---------", "Variables: name (type shape) [size]", "---------",
        "w:0 (float32_ref 3x2) [6, bytes: 24]", "Total size of variables: 6",
        "Total bytes of variables: 24"]


def test_slim_trains(tf, flat):
    slim = tf.contrib.slim
    logits = slim.fully_connected(slim.batch_norm(tf.ones([4, 20])), 3, activation_fn=None)
    tf.losses.softmax_cross_entropy(tf.ones([4, 3]), logits)
    train_op = slim.learning.create_train_op(slim.losses.get_total_loss(),
                                             tf.train.GradientDescentOptimizer(0.1))
    assert np.shape(slim.learning.train(train_op, "/nowhere", number_of_steps=3)) == ()


def test_optimize_loss(tf, flat):
    layers = tf.contrib.layers
    loss = tf.reduce_mean(layers.linear(flat, 1))
    assert layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 0.1, "SGD",
                                clip_gradients=5.0).get_shape().ndims == 0
    with pytest.raises(ValueError, match="Optimizer name should be one of"):
        layers.optimize_loss(loss, None, 0.1, "Bogus")


def test_data_sets_of_learn(tf):
    load = tf.contrib.learn.datasets.load_dataset
    boston, iris = load("boston"), load("iris")
    assert (boston.data.shape, boston.target.shape, boston.data.dtype) == ((506, 13), (506,), float)
    assert iris.data.shape == (150, 4) and iris.target.tolist().count(2) == 50
    with pytest.raises(ValueError, match="Name of dataset is not found: bogus"):
        load("bogus")


def test_vocabulary_processor(tf):
    processor = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
    rows = list(processor.fit_transform(["the cat sat on it", "the dog"]))
    assert [r.tolist() for r in rows] == [[1, 2, 3, 4], [1, 6, 0, 0]]
    assert len(processor.vocabulary_) == 7


def test_pad_sequences(tf):
    pad = tf.keras.preprocessing.sequence.pad_sequences
    assert pad([[1], [2, 3], [4, 5, 6]]).tolist() == [[0, 0, 1], [0, 2, 3], [4, 5, 6]]
    assert pad([[1], [2, 3, 4]], maxlen=2, padding="post", truncating="post").tolist() == [
        [1, 0], [2, 3]]
    with pytest.raises(ValueError) as e:
        pad([[[1, 2]], [[1, 2, 3]]])
    assert str(e.value) == ("Shape of sample (3,) of sequence at position 1 is different from "
                            "expected shape (2,)")


def test_tokenizer_and_to_categorical(tf):
    tokenizer = tf.keras.preprocessing.text.Tokenizer(num_words=5)
    tokenizer.fit_on_texts(["the cat sat", "the dog, sat!", "a B"])
    assert tokenizer.word_index == {"the": 1, "sat": 2, "cat": 3, "dog": 4, "a": 5, "b": 6}
    assert tokenizer.texts_to_sequences(["the cat sat a b zz"]) == [[1, 3, 2]]
    one_hot = tf.keras.utils.to_categorical
    assert one_hot(np.zeros((4, 1)), 5).shape == (4, 5)
    assert one_hot([1, 2, 3]).shape == (3, 4)
    with pytest.raises(IndexError):
        one_hot([7], 5)


def test_images(tf, tmp_path):
    image = tf.keras.preprocessing.image
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 30, 20) + b"\x08\x02")
    assert image.load_img(str(path)).size == (30, 20)
    assert image.img_to_array(image.load_img(str(path))).shape == (20, 30, 3)
    grey = image.load_img(str(path), grayscale=True, target_size=(5, 6))
    assert image.img_to_array(grey).shape == (5, 6, 1)
    batches = image.ImageDataGenerator().flow(np.zeros((10, 8, 8, 3)), np.zeros((10, 2)), batch_size=4)
    assert [next(batches)[0].shape[0] for _ in range(4)] == [4, 4, 2, 4] and len(batches) == 3
    with pytest.raises(OSError):
        image.load_img(str(tmp_path / "none.png"))


def test_data_sets_of_keras(tf):
    (x, y), (tx, ty) = tf.keras.datasets.mnist.load_data()
    assert (x.shape, y.shape, tx.shape, ty.shape) == (
        (60000, 28, 28), (60000,), (10000, 28, 28), (10000,))
    (x, y), _ = tf.keras.datasets.cifar10.load_data()
    assert (x.shape, y.shape, x.dtype) == ((50000, 32, 32, 3), (50000, 1), np.uint8)
    (x, y), _ = tf.keras.datasets.imdb.load_data(num_words=100)
    assert len(x) == 25000 and max(map(max, x)) < 100


def test_hparams(tf):
    params = tf.contrib.training.HParams(rate=0.1, units=[3, 4], relu=True)
    assert params.parse("rate=2,units=[5,6],relu=false").values() == {
        "rate": 2.0, "units": [5, 6], "relu": False}
    with pytest.raises(ValueError, match="Unknown hyperparameter type for bogus"):
        params.parse("bogus=1")


def test_an_argument_scope_gives_what_a_call_must_have():
    """kernel_size comes from the scope, as in slim's DCGAN."""
    import shapeflow.compat.v1 as tf

    slim = tf.contrib.slim
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, 16, 16, 3])
        with slim.arg_scope([slim.conv2d, slim.conv2d_transpose], kernel_size=4, stride=2):
            assert slim.conv2d(x, 8).shape.as_list() == [2, 8, 8, 8]
            assert slim.conv2d_transpose(x, 8).shape.as_list() == [2, 32, 32, 8]
            assert slim.conv2d(x, 8, kernel_size=3, stride=1).shape.as_list() == [2, 16, 16, 8]
        with pytest.raises(TypeError, match="kernel_size"):
            slim.conv2d(x, 8)
        with slim.arg_scope([slim.conv2d], nothing=1), pytest.raises(TypeError, match="nothing"):
            slim.conv2d(x, 8, 3)
