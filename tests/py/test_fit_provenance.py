"""Findings of a Keras training: which layer and which line gave each size, and TensorFlow's present words."""
import importlib.util
import json

import pytest

from command import shapeflow, write

HAS_KERAS = importlib.util.find_spec("keras") is not None
OLD = ("--tf-version", "1.15.0")
NEW = pytest.param("installed", (), marks=pytest.mark.skipif(not HAS_KERAS, reason="Keras is not installed"))
KERAS = pytest.mark.parametrize("keras, options", [NEW, ("", OLD)], ids=["installed", "own"])


def check(folder, text, keras, *options):
    write(folder, train=text)
    return shapeflow(folder, "check", "--no-cache", "--no-suggestions", *options, "train.py").stdout


LABELS = """\
import numpy as np
import tensorflow as tf

x = np.zeros((600, 28, 28, 1), "float32")
y = np.zeros((600, 1), "int32")

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28, 1)),
    tf.keras.layers.Dropout(0.5),
    tf.keras.layers.Dense(10, activation="softmax", name="predictions"),
])
model.compile("adam", loss="categorical_crossentropy")
model.fit(x, y, batch_size=64)
"""


@KERAS
def test_labels_are_followed_to_the_array_and_outputs_to_the_layer(tmp_path, keras, options):
    said = check(tmp_path, LABELS, keras, *options)
    assert "note: 1 came with `y`, made at train.py:5:1    y = np.zeros((600, 1), \"int32\")" in said
    assert "note: 10 was fixed by layer 'predictions' at train.py:10:5" in said


@KERAS
def test_data_that_a_function_was_given_are_followed_to_its_caller(tmp_path, keras, options):
    said = check(tmp_path, """\
import numpy as np
import tensorflow as tf

def train(model, features, labels):
    model.fit(features, labels)

inputs = tf.keras.Input((30,), name="pixels")
model = tf.keras.Model(inputs, tf.keras.layers.Dense(4)(inputs))
model.compile("adam", "mse")
table = np.zeros((100, 20), "float32")
train(model, table, np.zeros((100, 4)))
""", keras, *options)
    assert "train.py:5:5: error[SF106]" in said
    assert "to have shape (30,)" in said or "found shape=(32, 20)" in said
    assert "note: 20 came with `x`, made at train.py:10:1" in said
    assert "30 was fixed at train.py:7:10" in said


@KERAS
def test_a_layer_made_in_a_constructor_is_named(tmp_path, keras, options):
    said = check(tmp_path, """\
import numpy as np
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(16, name="first")
        self.w = self.add_weight(name="w", shape=(20, 4))

    def call(self, x):
        return tf.matmul(self.first(x), self.w)

model = Net()
model.compile("adam", "mse")
model.fit(np.zeros((100, 30), "float32"), np.zeros((100, 4), "float32"))
""", keras, *options)
    assert "train.py:11:16: error[SF101]: MatMul: Dimensions must be equal, but are 16 and 20" in said
    assert "note: 16 was fixed by layer 'first' at train.py:7:22" in said
    assert "20 was fixed" in said and "train.py:8:18" in said


def test_a_data_set_is_followed_to_its_line(tmp_path):
    said = check(tmp_path, LABELS.replace("model.fit(x, y, batch_size=64)", """\
pairs = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
model.fit(pairs)"""), "installed" if HAS_KERAS else "")
    assert "note: 1 came with `x`, made at train.py:13:1    pairs = tf.data.Dataset" in said


RESHAPE = """\
import numpy as np
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(6)

    def call(self, x):
        return tf.reshape(self.dense(x), [-1, 4])

model = Net()
model.compile("sgd", "mse")
x, y = np.zeros((70, 36), "float32"), np.zeros((70, 4), "float32")
"""


@pytest.mark.skipif(not HAS_KERAS, reason="Keras is not installed")
def test_what_only_a_run_refuses_is_a_graph_execution_error(tmp_path):
    said = check(tmp_path, RESHAPE + "model.fit(x, y)\n", "installed")
    assert "error[SF113]: Sub: Incompatible shapes: [32,4] vs. [48,4]" in said
    assert "tensorflow says: Graph execution error:\n   Incompatible shapes: [32,4] vs. [48,4]\n" in said
    assert "[[{{node Sub}}]] [Op:__inference_" in said


@pytest.mark.skipif(not HAS_KERAS, reason="Keras is not installed")
def test_the_exception_is_worded_as_tensorflow_words_it(tmp_path):
    said = check(tmp_path, RESHAPE + """\
try:
    model.fit(x, y, verbose=0)
except tf.errors.InvalidArgumentError as error:
    print(str(error))
""", "installed", "--show-output")
    at = said.index("Graph execution error:\n\nDetected at node Sub defined at (most recent call last):\n")
    assert 'train.py", line 16, in <module>\n' in said[at:] and "shapeflow-python" not in said[at:]
    assert "\n\nIncompatible shapes: [32,4] vs. [48,4]\n\t [[{{node Sub}}]] [Op:__inference_" in said[at:]


def test_a_function_refuses_when_it_is_traced_what_holds_for_every_batch(tmp_path):
    said = check(tmp_path, """\
import tensorflow as tf

@tf.function
def product(a, b):
    return tf.matmul(a, b)

try:
    product(tf.zeros([2, 3]), tf.zeros([4, 5]))
except ValueError as error:
    print("traced:", error)
""", "", "--show-output")
    assert "traced: Dimensions must be equal, but are 3 and 4 for '{{node MatMul}} = MatMul[" in said
    assert "error[SF101]" in said


def test_a_training_goes_on_behind_one_that_failed(tmp_path):
    said = check(tmp_path, LABELS + """\
model.evaluate(x, y)
other = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(3)])
other(tf.zeros([2, 7]))
""", "installed" if HAS_KERAS else "", "--format", "concise")
    assert "train.py:13:1: error[SF108]" in said and "train.py:16:1: error[SF106]" in said


def test_objects_that_say_what_tensor_they_are_keep_its_line(tmp_path):
    said = check(tmp_path, """\
import tensorflow as tf

class Table:
    def __init__(self):
        self.rows = tf.zeros([3, 4])

    def __tf_tensor__(self, dtype=None, name=None):
        return self.rows

table = Table()
tf.matmul(table, tf.zeros([5, 6]))
""", "")
    assert "note: 4 was fixed at train.py:5:21" in said


def test_the_picture_tells_the_same(tmp_path):
    """It is drawn when the training is over."""
    write(tmp_path, train=LABELS)
    done = shapeflow(tmp_path, "graph", "train.py", "-o", "train.json")
    finding, = json.loads((tmp_path / "train.json").read_text())["findings"]
    said = [(note["text"], note["place"]["line"]) for note in finding["notes"] if note["place"]]
    assert ("1 came with `y`, made at", 5) in said, done.stderr
    assert ("10 was fixed by layer 'predictions' at", 10) in said


def test_arguments_of_a_function_that_do_not_fit_are_told_and_followed(tmp_path):
    said = check(tmp_path, """\
import tensorflow as tf
logits = tf.placeholder(tf.float32, [64, 1])
labels = tf.zeros([64, 2])
tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=labels)
""", "", "--tf-version", "1.15.0")
    assert "train.py:4:1: error[SF132]: logits and labels must have the same shape ((64, 1) vs (64, 2))" \
        in said
    assert "[64, 1], axis 1 is 1" in said and "[64, 2], axis 1 is 2" in said
    assert "2 was fixed at train.py:3:10" in said
