"""Keras layers and models on what is not modelled: nothing is said about it, and nothing ends the run."""
import numpy as np
import pytest

from shapeflow import _core
from shapeflow.tensorflow.python.framework import op_builders


@pytest.fixture
def unknown(tf2):
    return op_builders.unknown("float32", None, None, [tf2.zeros([2, 100])])


LAYERS = [
    "Conv1D(4, 3)", "SeparableConv1D(4, 3)", "Conv2D(4, 3)", "DepthwiseConv2D(3)", "Conv2DTranspose(4, 3)",
    "Dense(3)", "LSTM(3)", "TimeDistributed(Dense(3))", "MaxPooling1D()", "GlobalAveragePooling2D()",
    "Flatten()", "Reshape((-1,))", "Permute((2, 1))", "BatchNormalization()",
    "LayerNormalization()", "PReLU()", "ZeroPadding2D(2)", "Cropping1D(1)", "Cropping2D(1)",
    "UpSampling2D(2)", "Lambda(lambda x: x[:, 0])"]


@pytest.mark.parametrize("text", LAYERS)
def test_a_layer_takes_an_unmodelled_input(tf2, unknown, text):
    layer = eval(text, dict(vars(tf2.keras.layers)))
    layer(unknown)
    assert [f for f in _core.findings() if f.severity == "error"] == []


@pytest.mark.parametrize("text", ["Add()", "Concatenate()", "Dot(-1)", "Attention()", "AdditiveAttention()"])
def test_a_merge_takes_unmodelled_inputs(tf2, unknown, text):
    eval(text, dict(vars(tf2.keras.layers)))([unknown, unknown])
    assert [f for f in _core.findings() if f.severity == "error"] == []


def test_a_layer_knows_the_rank_of_what_it_takes(tf2, unknown):
    assert tf2.keras.layers.Conv1D(4, 3)(unknown).shape.as_list() == [None, None, 4]


def test_a_model_says_what_it_can_of_an_unmodelled_shape(tf2, unknown):
    layers = tf2.keras.layers
    model = tf2.keras.Sequential([layers.Conv1D(4, 3), layers.Dense(2)])
    assert model(unknown).shape.as_list() == [None, None, 2]
    assert tf2.TensorShape(model.output_shape).as_list() == [None, None, 2]
    made = tf2.keras.layers.Input((4,))
    odd_layer = layers.Lambda(lambda x: op_builders.unknown("float32", None, None, [x]))
    odd = tf2.keras.Model(made, odd_layer(made))
    assert tf2.TensorShape(odd.output_shape).ndims is None
    odd.compile("adam", "mse")
    odd.fit(np.zeros((4, 4)), np.zeros((4, 2)), verbose=0)
    assert [f for f in _core.findings() if f.severity == "error"] == []
