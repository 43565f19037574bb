"""What Keras refuses by a text of its own is found where the program asked for it."""
import importlib.util

import pytest

from shapeflow import _core
from shapeflow.checker import keras_errors, runner

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
HEAD = """\
import tensorflow as tf
import keras
from keras import layers
a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
"""
# Real TensorFlow 2.21 with Keras 3.15 raises a ValueError in each.
PROGRAMS = {
    "one input of two": "m = keras.Model([a, b], layers.Concatenate()([a, b]))\nm([tf.zeros([2, 3])])  # E\n",
    "one named input of two": "m = keras.Model({'a': a, 'b': b}, layers.Concatenate()([a, b]))\n"
                              "m([tf.zeros([2, 3])])  # E\n",
    "a sum of one tensor": "layers.Add()(a)  # E\n",
    "a difference of three": "layers.Subtract()([a, b, a])  # E\n",
    "a product of three": "layers.Dot(1)([a, b, a])  # E\n",
    "steps of rows": "layers.TimeDistributed(layers.Dense(3))(a)  # E\n",
    "groups of filters": "layers.Conv1D(4, 3, groups=3)(keras.Input((8, 6)))  # E\n",
    "a size that does not divide": "layers.Reshape((5, -1))(keras.Input((4, 4, 3)))  # E\n",
    "rows that are crossed": "layers.HashedCrossing(5)([tf.constant([1, 2]), tf.constant([1, 2, 3])])  # E\n",
    "an axis of unknown size": "layers.Normalization()(keras.Input((None,)))  # E\n",
    "data with an axis of unknown size":
        "made = tf.data.Dataset.from_generator(\n    lambda: iter([tf.ones([5])]),\n"
        "    output_signature=tf.TensorSpec([None]))\n"
        "layers.Normalization().adapt(made.batch(2))  # E\n",
    "a concatenation of one tensor": "layers.Concatenate()(a)  # E\n",
    "an axis that is not there": "layers.BatchNormalization(axis=5)(a)  # E\n",
    "features of unknown number": "layers.Dense(4)(keras.Input((None,)))  # E\n",
    "images that are too small": "keras.applications.VGG16(weights=None, include_top=False,  # E\n"
                                 "                         input_shape=(16, 16, 3))\n",
    "images of no rank of images": "keras.ops.image.resize(tf.zeros([4, 4]), (2, 2))  # E\n",
    "a matrix that is not square": "keras.ops.cholesky(keras.Input((3, 4)))  # E\n",
    "a mask that does not fit": "layers.Softmax()(tf.zeros([3, 4]), mask=tf.ones([5, 4], bool))  # E\n",
    "blocks that do not divide": "keras.ops.depth_to_space(tf.zeros([2, 4, 4, 3]), 2)  # E\n",
    "a state of another number of samples":
        "rnn = layers.LSTM(4, stateful=True)\nrnn(tf.zeros([2, 3, 5]))\nrnn(tf.zeros([3, 3, 5]))  # E\n",
    "weights of another size": "keras.ops.average(keras.Input((4,)), axis=1, weights=tf.zeros([5]))  # E\n",
}


def test_a_refusal_is_a_finding_about_shapes():
    """SF201 is none: four refusals were kept back, and the program went on as if nothing had been said."""
    codes = {code for code, _, _ in keras_errors._ROWS}
    assert [code for code in sorted(codes) if not _core.is_shape_finding(code)] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_keras_refuses_is_found(name, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(HEAD + PROGRAMS[name])
    report = runner.run(str(script), ["--no-cache", "--no-suggestions"])
    lines = script.read_text().splitlines()
    wanted = [number for number, line in enumerate(lines, 1) if line.endswith("# E")]
    assert [record.primary.line for record in report.of("error")] == wanted and report.failure is None


def test_a_size_that_nobody_knows_is_no_refusal_in_eager_code(tmp_path):
    """Keras wants a size for its variables; in TensorFlow what comes from a file has one."""
    script = tmp_path / "program.py"
    script.write_text(HEAD + "x = tf.io.parse_tensor(tf.io.read_file('nowhere'), tf.float32)\n"
                             "layers.Dense(3)(tf.reshape(x, [2, -1]))\n")
    report = runner.run(str(script), ["--no-cache", "--no-suggestions"])
    assert report.of("error") == []
