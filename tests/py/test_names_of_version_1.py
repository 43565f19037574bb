"""TensorFlow 1: contrib.image, contrib.eager.metrics, strings.split, the names of Keras metrics."""
import importlib
import inspect

import pytest

from command import shapeflow, write
from shapeflow.api import sources, unmodelled


def test_moved_images_keep_their_shape(tf):
    image = tf.contrib.image
    batch = tf.placeholder("float32", [None, 8, 6, 3])
    assert image.rotate(batch, 0.5).shape.as_list() == [None, 8, 6, 3]
    assert image.translate(tf.ones([8, 6]), [1.0, 2.0]).shape.as_list() == [8, 6]
    assert image.transform(batch, [1.0, 0, 0, 0, 1, 0, 0, 0], output_shape=[4, 5]).shape.as_list() == [
        None, 4, 5, 3]
    assert image.dense_image_warp(batch, tf.zeros([2, 8, 6, 2])).shape.as_list() == [None, 8, 6, 3]
    with pytest.raises(TypeError, match="Images should have rank between 2 and 4"):
        image.rotate(tf.ones([8]), 0.5)


def test_a_metric_of_contrib_eager_counts_in_its_own_variables(tf):
    mean = tf.contrib.eager.metrics.Mean("loss")
    assert mean(tf.ones([3])).shape == []
    assert [v.name for v in mean.variables] == ["loss/numer:0", "loss/denom:0"]
    assert mean.variables[0] in tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES)
    assert mean.result().dtype == tf.float64 and mean.result().shape == []
    with pytest.raises(TypeError, match="All metrics must be the same type"):
        mean.aggregate([tf.contrib.eager.metrics.Accuracy()])


def test_strings_are_split_into_a_sparse_tensor(tf):
    words = tf.strings.split(tf.placeholder("string", [None]))
    assert isinstance(words, tf.SparseTensor) and words.shape.ndims == 2
    assert isinstance(tf.strings.split(["a b"], result_type="RaggedTensor"), tf.RaggedTensor)
    with pytest.raises(ValueError, match="result_type must be"):
        tf.strings.split(["a b"], result_type="list")


def test_a_metric_named_twice_is_one_and_each_output_has_all(tf):
    keras = tf.keras
    given = keras.Input([4])
    outputs = [keras.layers.Dense(3, name="a")(given), keras.layers.Dense(2, name="b")(given)]
    model = keras.Model(given, outputs[0])
    model.compile("sgd", "mse", metrics=["acc", "accuracy"])
    assert model.metrics_names == ["loss", "acc"]
    model = keras.Model(given, outputs)
    model.compile("sgd", "mse", metrics=["acc", "mae"])
    assert model.metrics_names == ["loss", "a_loss", "b_loss", "a_acc", "a_mean_absolute_error", "b_acc",
                                   "b_mean_absolute_error"]


def test_slots_of_optimizers_ask_no_variable_scope_before_1(version):
    """Programs of 2016 reuse the variables of the outermost scope and make their optimizers then."""
    tf = version("0.12.1")
    w = tf.get_variable("w", [3, 4])
    tf.get_variable_scope().reuse_variables()
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(w))
    names = [v.name for v in tf.all_variables()]
    assert names == ["w:0", "beta1_power:0", "beta2_power:0", "w/Adam:0", "w/Adam_1:0"]
    with pytest.raises(ValueError, match="Did you mean to set reuse=None in VarScope"):
        tf.get_variable("b", [4])
    tf = version("1.15.0")
    with tf.Graph().as_default():
        w = tf.get_variable("w", [3, 4])
        tf.get_variable_scope().reuse_variables()
        with pytest.raises(ValueError, match=r"Variable w/Adam/ does not exist.*reuse=tf.AUTO_REUSE"):
            tf.train.AdamOptimizer().minimize(tf.reduce_sum(w))


def test_compat_v1_has_a_compat_of_its_own(tf2):
    """Programs that say `import tensorflow.compat.v1 as tf` go on writing `tf.compat.v1.placeholder`."""
    old = tf2.compat.v1
    assert old.compat.v1.placeholder is old.placeholder and old.compat.as_str(b"a") == "a"
    assert old.compat.v1.compat.v1.nn.relu is tf2.nn.relu and old.compat.v2.Variable is tf2.Variable
    assert old.compat.v2.compat.v1.layers.Dense is old.layers.Dense
    assert {"v1", "v2", "as_bytes", "dimension_value"} <= set(dir(old.compat))
    assert not hasattr(old.compat, "nn")


def test_what_is_not_modelled_is_one_object_under_all_its_names(tf2):
    assert tf2.config.LogicalDevice is tf2.compat.v1.config.LogicalDevice
    assert tf2.mlir.experimental.convert_function is tf2.compat.v1.mlir.experimental.convert_function


def test_cells_of_1_0_under_their_first_name(tmp_path):
    write(tmp_path, train="""\
import tensorflow as tf
cell = tf.contrib.rnn.core_rnn_cell.BasicLSTMCell(20)
out, state = tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [2, 3, 4]), dtype=tf.float32)
tf.matmul(out[:, 0], tf.zeros([21, 2]))
""")
    done = shapeflow(tmp_path, "check", "train.py")
    assert "Dimensions must be equal, but are 20 and 21" in done.stdout, done.stdout + done.stderr


def test_keras_says_its_version(tf):
    assert tf.keras.__version__ == "2.2.4-tf"  # that of 1.15


# What TensorFlow 1.15.0 says of its own tf.compat.v2.
OF_COMPAT_V2 = """
nn.crelu (features, axis=-1, name=None)
nn.conv2d (input, filters, strides, padding, data_format='NHWC', dilations=None, name=None)
nn.softmax_cross_entropy_with_logits (labels, logits, axis=-1, name=None)
reduce_sum (input_tensor, axis=None, keepdims=False, name=None)
nn.moments (x, axes, shift=None, keepdims=False, name=None)
nn.dropout (x, rate, noise_shape=None, seed=None, name=None)
strings.length (input, unit='BYTE', name=None)
image.resize (images, size, method='bilinear', preserve_aspect_ratio=False, antialias=False, name=None)
nn.max_pool (input, ksize, strides, padding, data_format=None, name=None)
"""


def test_compat_v2_of_1_has_the_functions_of_2(tf):
    """It said the parameters of TensorFlow 1, and had all of its names."""
    v2 = importlib.import_module("shapeflow.compat.v2")
    for line in OF_COMPAT_V2.strip().splitlines():
        name, _, parameters = line.partition(" ")
        value = v2
        for part in name.split("."):
            value = getattr(value, part)
        assert str(inspect.signature(value)) == parameters, name
    x = tf.zeros([2, 8, 8, 3])
    assert v2.nn.max_pool(x, 2, 2, "SAME").shape == v2.nn.avg_pool2d(x, 2, 2, "SAME").shape == [2, 4, 4, 3]
    assert not hasattr(v2, "placeholder") and not hasattr(v2.train, "AdamOptimizer")
    assert v2.data.Dataset is not tf.data.Dataset and issubclass(tf.data.Dataset, v2.data.Dataset)
    private = sources.module("tensorflow.python.ops.nn_ops")
    assert private.crelu_v2 is v2.nn.crelu and private.crelu is tf.nn.crelu


PRIVATE = """
from shapeflow.api import sources
mode = sources.module("tensorflow.python.ops.variable_scope")._ReuseMode.AUTO_REUSE
columns = sources.module("tensorflow.contrib.feature_column.python.feature_column.sequence_feature_column")
column = columns._SequenceNumericColumn("a", (1,), 0.0, None, None)
"""


def test_private_enumerations_and_tuples_have_what_no_list_says(tf, tmp_path):
    """A member of `_ReuseMode` that nobody knows ended the program."""
    write(tmp_path, program=PRIVATE)
    names = {}
    exec(compile(PRIVATE, str(tmp_path / "program.py"), "exec"), names)  # its file has no metaclass
    assert isinstance(names["mode"], unmodelled.UnmodelledFunction)
    made = names["column"]
    assert made.key == "a" and len(made) == 5 and unmodelled.is_unmodelled(made.parse_example_spec)
    assert not hasattr(made, "_sf_none")
