"""What a review found untested: how the mode is read, conversions by __sf_tensor__, sampled losses."""
import pytest

from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection


@pytest.mark.parametrize("source", [
    "import tensorflow as tf, numpy as np\ntf.placeholder(1)\n",
    "import numpy as np, tensorflow as T\nT.placeholder(1)\n",
    "import os; import tensorflow\ntensorflow.placeholder(1)\n",
    "import shapeflow as sf  # tensorflow as other\nsf.placeholder(1)\n",
])
def test_the_names_of_the_module(source):
    assert version_detection.decide(source) == (version_detection.DEFAULT_V1, "graph")
    other = source.replace("\ntensorflow.", "\nnp.").replace("\nT.", "\ntf.").replace("\nsf.", "\nother.")
    if other != source:
        assert version_detection.decide(other) == (version_detection.DEFAULT_V2, "eager")


def test_one_import_of_two_modules_is_read(tf):
    placeholder = "import tensorflow as tf, numpy as np\nx = tf.placeholder(tf.float32)\n"
    assert version_detection.decide(placeholder) == (version_detection.DEFAULT_V1, "graph")
    assert version_detection.decide("import tensorflow as tf, numpy as np\nx = tf.zeros([2])\n") == (
        version_detection.DEFAULT_V2, "eager")


def test_indexed_slices_are_taken_as_tensors(tf):
    slices = tf.IndexedSlices(tf.zeros([3, 4]), tf.constant([0, 2, 5]), tf.constant([9, 4]))
    assert tf.convert_to_tensor(slices).shape.as_list() == [9, 4]
    assert tf.add(slices, tf.zeros([9, 4])).shape.as_list() == [9, 4]
    assert tf.reduce_sum(slices, 0).shape.as_list() == [4]
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 4 and 5"):
        tf.add(slices, tf.zeros([9, 5]))
    with pytest.raises(ValueError, match="Tensor conversion requested for IndexedSlices without"):
        tf.convert_to_tensor(tf.IndexedSlices(tf.zeros([3, 4]), tf.constant([0, 2, 5])))


def test_sampled_losses(tf):
    weights, biases = tf.zeros([100, 16]), tf.zeros([100])
    labels, inputs = tf.zeros([8, 1], tf.int64), tf.placeholder(tf.float32, [None, 16])
    for loss in (tf.nn.nce_loss, tf.nn.sampled_softmax_loss):
        made = loss(weights, biases, labels, inputs, 5, 100)
        assert made.shape.ndims == 1
        with pytest.raises(ValueError, match="Dimensions must be equal, but are 15 and 16"):
            loss(weights, biases, labels, tf.zeros([8, 15]), 5, 100)


def test_an_error_about_known_shapes_is_a_finding(tf):
    with pytest.raises(ValueError, match="Rank mismatch"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.zeros([3, 1], tf.int32), logits=tf.zeros([3, 4]))
    assert [f.code for f in _core.findings() if f.severity == "error"] == ["SF132"]
