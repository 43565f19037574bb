"""Ragged tensors in layers and functions of Keras 3. The answers are those of TensorFlow 2.21."""
import importlib.util

import pytest

from command import lines, shapeflow, write

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
HEAD = """\
import tensorflow as tf, keras
from keras import layers
words = tf.ragged.constant([["a", "b"], ["c"], []])
whole = tf.ragged.constant([[1, 2], [3], []])
real = tf.ragged.constant([[1., 2.], [3.], []])
rows = tf.RaggedTensor.from_row_splits(tf.ones([3, 4]), [0, 2, 3, 3])
adapted = layers.StringLookup(output_mode="multi_hot")
adapted.adapt(words)
def show(made):
    print(type(made).__name__.replace("EagerTensor", "Tensor"), made.shape, made.dtype.name)
"""
ANSWERS = {
    "layers.StringLookup(vocabulary=['a', 'b', 'c'])(words)": "RaggedTensor (3, None) int64",
    "adapted(words)": "Tensor (3, 4) int64",
    "layers.StringLookup(vocabulary=['a', 'b', 'c'], output_mode='count')(words)": "Tensor (3, 4) int64",
    "layers.IntegerLookup(vocabulary=[1, 2, 3], output_mode='one_hot')(whole)":
        "RaggedTensor (3, None, 4) int64",
    "layers.Hashing(5)(words)": "RaggedTensor (3, None) int64",
    "layers.Discretization([1.5])(real)": "RaggedTensor (3, None) int32",
    "layers.CategoryEncoding(5, output_mode='multi_hot')(whole)": "Tensor (3, 5) float32",
    "layers.TextVectorization(vocabulary=['a', 'b'], ragged=True)(['a b', 'b'])":
        "RaggedTensor (2, None) int64",
    "layers.Embedding(10, 4)(whole)": "RaggedTensor (3, None, 4) float32",
    "layers.ReLU()(real)": "RaggedTensor (3, None) float32",
    "layers.Activation('tanh')(rows)": "RaggedTensor (3, None, 4) float32",
    "layers.Dropout(0.5)(rows)": "RaggedTensor (3, None, 4) float32",
    "layers.GlobalAveragePooling1D()(rows)": "Tensor (3, 4) float32",
    "layers.Add()([real, real])": "RaggedTensor (3, None) float32",
    "layers.Concatenate()([real, real])": "RaggedTensor (3, None) float32",
    "layers.Rescaling(2.0)(real)": "RaggedTensor (3, None) float32",
    "layers.Lambda(lambda x: x.to_tensor())(real)": "Tensor (3, 2) float32",
    "keras.ops.sum(real, axis=1)": "Tensor (3,) float32",
    "keras.ops.cast(whole, 'float32')": "RaggedTensor (3, None) float32",
    "keras.ops.exp(real)": "RaggedTensor (3, None) float32",
    "keras.Sequential([layers.Embedding(10, 4), layers.GlobalAveragePooling1D(), layers.Dense(1)])(whole)":
        "Tensor (3, 1) float32",
}


def test_layers_take_ragged_tensors(tmp_path):
    write(tmp_path, train=HEAD + "".join(f"show({call})\n" for call in ANSWERS))
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert dict(zip(ANSWERS, done.stdout.splitlines())) == ANSWERS


def test_labels_of_another_number_of_tags(tmp_path):
    write(tmp_path, train=HEAD + """\
data = tf.data.Dataset.from_tensor_slices((tf.ones([3, 6]), adapted(words))).batch(2)
model = keras.Sequential([layers.Dense(5)])
model.compile("adam", "mse")
model.fit(data)
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--format", "concise", "train.py")
    assert done.returncode == 1 and [line for _, line, _ in lines(done)] == [14], done.stdout
