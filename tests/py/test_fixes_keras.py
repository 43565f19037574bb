"""Which fix comes first for mistakes that users of Keras make: the one that was likely meant."""
import importlib.util

import pytest

from shapeflow import fixes
from shapeflow.checker import runner
from shapeflow.fixes.search import SearchOptions

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
HEAD = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
"""
IMAGES = """\
model = keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(4, 3), layers.Flatten(), layers.Dense(3)])
model.compile("adam", "mse")
"""
ROWS = """\
model = keras.Sequential([keras.Input((8,)), layers.Dense(1)])
model.compile("adam", "mse")
"""
RESIZED = IMAGES + """\
def small(image):
    return tf.image.resize(image, (20, 20))
images = tf.data.Dataset.from_tensor_slices(tf.zeros([20, 40, 40, 1])).map(small).batch(5)
print(model.predict(images, verbose=0).shape)
"""
CASES = {
    "one image": (IMAGES + """\
image = np.zeros((28, 28, 1))
print(model.predict(image, verbose=0).shape)
""", "model.predict(np.expand_dims(image, 0), verbose=0)"),
    "no batches": (ROWS + """\
data = tf.data.Dataset.from_tensor_slices((tf.zeros([50, 8]), tf.zeros([50, 1])))
data = data.shuffle(50)
model.fit(data, verbose=0)
""", "model.fit(data.batch(32), verbose=0)"),
    "no batches in a loop": (IMAGES + """\
data = tf.data.Dataset.from_tensor_slices(tf.zeros([50, 28, 28, 1])).shuffle(50)
for epoch in range(2):
    for step, x in enumerate(data):
        model(x, training=True)
""", "enumerate(data.batch(32))"),
    "no axis of channels": ("""\
class Coder(keras.Model):
    def __init__(self):
        super().__init__()
        self.layer = layers.Conv2D(1, 3, padding="same")
    def call(self, x):
        return self.layer(x)
    def train_step(self, x):
        return {"loss": tf.reduce_mean(keras.losses.binary_crossentropy(x, self(x)))}
class Images(Coder):
    def call(self, x):
        return self.layer(tf.reshape(x, [-1, 28, 28, 1]))
model = Images()
model.compile()
digits = np.zeros((40, 28, 28), "float32")
model.fit(digits, verbose=0)
""", "model.fit(np.expand_dims(digits, -1), verbose=0)"),
    "one axis too many": ("""\
images = tf.zeros([8, 28, 28, 1])
loss = tf.reduce_mean(tf.reduce_sum(keras.losses.mse(images, images), axis=(1, 2, 3)))
""", "axis=(1, 2)"),
    "the other axis": ("""\
weights = tf.ones([40])
messages = tf.zeros([40, 32]) * tf.expand_dims(weights, 0)
""", "tf.expand_dims(weights, 1)"),
    "channels first": ("""\
x = np.zeros((10, 3, 28, 28))
model = keras.Sequential([keras.Input((28, 28, 3)), layers.Conv2D(4, 3)])
print(model.predict(x, verbose=0).shape)
""", "x = np.transpose(np.zeros((10, 3, 28, 28)), (0, 2, 3, 1))"),
    "reshape in add": ("""\
model = keras.Sequential()
model.add(keras.Input((100,)))
model.add(layers.Dense(7 * 7 * 16))
model.add(layers.Reshape((7, 7, 32)))
model.add(layers.Conv2D(4, 3))
""", "layers.Reshape((7, 7, 16))"),
    "reshape that is called": ("""\
x = keras.Input((96,))
model = keras.Model(x, layers.Reshape((4, 4, 3))(x))
""", "layers.Reshape((8, 4, 3))"),
    "numbers of samples": (ROWS + """\
x, y = np.zeros((100, 8)), np.zeros((100, 1))
train_x, train_y = x[:80], y[:90]
model.fit(train_x, train_y, verbose=0)
""", "train_x, train_y = x[:90], y[:90]"),
    "queries and keys": ("""\
class Heads(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.q, self.k = layers.Dense(size), layers.Dense(size)
    def call(self, x):
        return tf.matmul(self.q(x), self.k(x))
print(Heads(16)(tf.zeros([2, 12, 8])).shape)
""", "tf.matmul(self.q(x), self.k(x), transpose_b=True)"),
    "an upsampling": ("""\
x = keras.Input((16, 16, 4))
small = layers.MaxPooling2D(2)(x)
large = layers.UpSampling2D(4)(small)
both = layers.concatenate([large, x])
""", "layers.UpSampling2D(2)(small)"),
    "an axis too far": ("mean = tf.reduce_mean(tf.zeros([32, 4]), axis=2)\n", "axis=1"),
    "other weights": ("""\
def model(size):
    return keras.Sequential([keras.Input((4,)), layers.Dense(size)])
one, two = model(32), model(64)
two.set_weights(one.get_weights())
""", "one, two = model(32), model(32)"),
}
# Of these another one may be first.
AMONG = {
    "images that a function resizes": (RESIZED, "tf.image.resize(image, (28, 28))"),
    "images of the size that is resized to": (RESIZED, "keras.Input((20, 20, 1))"),
    "an order of axes": ("""\
steps = [layers.Dense(5)(tf.zeros([16, 8])) for _ in range(24)]
made = tf.transpose(tf.stack(steps), [1, 2, 0])
error = tf.zeros([16, 24, 5]) - made
""", "tf.stack(steps), [1, 0, 2])"),
    "rows beside images": ("""\
dense = layers.Dense(784)
@tf.function
def both(real):
    made = dense(tf.zeros([tf.shape(real)[0], 16]))
    return tf.concat([real, made], 0)
both(tf.zeros([5, 28, 28]))
""", "tf.concat([real, tf.reshape(made, [-1, 28, 28])], 0)"),
    "an axis of one": ("""\
model = keras.Sequential([
    keras.Input((28, 28)), layers.Reshape((28, 28, 1)), layers.Conv2D(1, 3, padding="same")])
x = np.zeros((8, 28, 28), "float32")
error = x - model(x)
""", "error = x - tf.squeeze(model(x), [3])"),
}


def searched(tmp_path, program):
    path = tmp_path / "script.py"
    path.write_text(HEAD + program)
    report = runner.run(str(path))
    fixes.find(report, SearchOptions(seconds=120))
    record = report.of("error")[0]
    texts = [fixes.apply(record, number)[str(path)] for number in range(len(record.fixes))]
    return texts, [fix["description"] for fix in record.fixes]


@pytest.mark.parametrize("name", CASES)
def test_the_fix_that_was_meant_is_first(name, tmp_path):
    program, part = CASES[name]
    texts, said = searched(tmp_path, program)
    assert texts and part in texts[0], said


@pytest.mark.parametrize("name", AMONG)
def test_the_fix_is_shown(name, tmp_path):
    program, part = AMONG[name]
    texts, said = searched(tmp_path, program)
    assert any(part in text for text in texts), said
    assert not any(text.startswith("sum") for text in said), said


def test_no_fix_brings_a_name_to_where_it_is_unknown(tmp_path):
    """`tf.shape(x)[0]` of the layer's x was written on the last line, which has none."""
    texts, said = searched(tmp_path, """\
class Scale(layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(6,), initializer="ones")
    def call(self, x):
        return x * self.scale
print(Scale()(np.zeros((3, 5))).shape)
""")
    assert texts and not any("tf.shape" in text for text in texts), said


def test_no_stride_is_made_up_where_a_data_set_is_not_batched(tmp_path):
    texts, said = searched(tmp_path, """\
model = keras.Sequential([
    keras.Input((28, 28, 1)), layers.Conv2D(4, 5, strides=2, padding="same"), layers.Flatten(),
    layers.Dense(1)])
for image in tf.data.Dataset.from_tensor_slices(tf.zeros([40, 28, 28, 1])).shuffle(40):
    model(image)
""")
    assert ".shuffle(40).batch(32)" in texts[0] and not any("Conv2D" in one for one in said), said


def test_batches_are_no_axis_of_a_layer(tmp_path):
    texts, said = searched(tmp_path, """\
a, b = keras.Input((24,)), keras.Input((32,))
product = layers.Dot(axes=1)([a, b])
""")
    assert texts and not any("axes=0" in text for text in texts), said


def test_what_a_model_was_given_is_an_operand_where_a_later_layer_refuses_it(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(HEAD + IMAGES + "model.predict(np.zeros((5, 20, 20, 1)), verbose=0)\n")
    record = runner.run(str(path)).of("error")[0]
    shown = [(operand.name, operand.shape) for operand in record.operands]
    assert shown[1:] == [("given", "[5, 20, 20, 1]"), ("input_layer", "[batch, 28, 28, 1]")]
    assert (1, 1) in record.blamed and (2, 1) in record.blamed and record.primary.line == 7
