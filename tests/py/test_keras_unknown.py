"""Keras on what is not modelled, and Keras that is not installed: nothing is said, nothing ends the run."""
import importlib.util
import json
import subprocess
import sys

import pytest

from command import environment, lines, shapeflow, write

HAS_KERAS = importlib.util.find_spec("keras") is not None
needs_keras = pytest.mark.skipif(not HAS_KERAS, reason="Keras is not installed")

LAYERS = [
    "Conv1D(4, 3)", "SeparableConv1D(4, 3)", "Conv2D(4, 3)", "DepthwiseConv2D(3)", "Conv2DTranspose(4, 3)",
    "Dense(3)", "LSTM(3)", "TimeDistributed(Dense(3))", "MaxPooling1D()", "GlobalAveragePooling2D()",
    "Flatten()", "Reshape((-1,))", "Permute((2, 1))", "BatchNormalization()",
    "LayerNormalization()", "PReLU()", "ZeroPadding2D(2)", "Cropping1D(1)", "Cropping2D(1)",
    "UpSampling2D(2)", "Lambda(lambda x: x[:, 0])"]
MERGES = ["Add()", "Concatenate()", "Dot(-1)", "Attention()", "AdditiveAttention()"]


@needs_keras
def test_layers_take_what_is_not_modelled(tmp_path):
    calls = [f"{text}(unknown)" for text in LAYERS] + [f"{text}([unknown, unknown])" for text in MERGES]
    write(tmp_path, train="import tensorflow as tf\nfrom keras.layers import *\n"
          "unknown = tf.py_function(lambda x: x, [tf.random.normal([2, 100])], tf.float32)\n" +
          "\n".join(calls) + "\nprint('end')\n")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--show-output", "train.py")
    assert done.returncode == 0 and "end" in done.stdout, done.stdout + done.stderr


@needs_keras
def test_a_model_with_a_layer_of_unknown_output(tmp_path):
    write(tmp_path, train="""import numpy as np
import keras
import tensorflow as tf
made = keras.Input((4,))
odd = keras.layers.Lambda(lambda x: tf.py_function(lambda y: y, [x], tf.float32))
model = keras.Sequential([made, odd, keras.layers.Dense(2)])
model.compile("adam", "mse")
model.fit(np.zeros((4, 4)), np.zeros((4, 2)), verbose=0)
print('end')
""")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--show-output", "train.py")
    assert done.returncode == 0 and "end" in done.stdout, done.stdout + done.stderr


@pytest.fixture
def without(tmp_path):
    """An interpreter of its own without Keras: only ours and numpy are found."""
    import numpy

    import shapeflow as package

    site = tmp_path / "site"
    site.mkdir()
    for module in (numpy, package):
        folder = module.__path__[0]
        (site / folder.rpartition("/")[2]).symlink_to(folder)
    for found in (site / "numpy").resolve().parent.glob("numpy*"):
        if not (site / found.name).exists():
            (site / found.name).symlink_to(found)

    def check(text, *options):
        write(tmp_path, train=text)
        # Without site-packages (-S), so that only the links above are found.
        return subprocess.run(
            [sys.executable, "-S", "-m", "shapeflow", "check", "--no-cache", *options, "train.py"],
            cwd=tmp_path, capture_output=True, text=True, timeout=180, env=environment(PYTHONPATH=str(site)))

    return check


PROGRAM = """import numpy as np
import tensorflow as tf
import keras
from tensorflow.keras import layers
from tensorflow.keras.models import Sequential
from keras.utils import to_categorical

class Mine(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = layers.Dense(units)

    def call(self, x):
        return self.dense(x)

model = Sequential([keras.Input((8,)), Mine(4), layers.Dense(3, activation="softmax")])
model.compile(optimizer=tf.optimizers.Adam(0.1), loss=tf.losses.MeanSquaredError(), metrics=["accuracy"])
x, y = np.zeros((20, 8)), to_categorical(np.zeros(20), 3)
history = model.fit(x, y, epochs=2, callbacks=[tf.keras.callbacks.EarlyStopping()])
loss, accuracy = model.evaluate(x, y)
print(history.history["loss"][-1], np.argmax(model.predict(x), axis=1))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x))
for layer in model.layers:
    print(layer.name, layer.output_shape)
model.save("model.keras")
y = tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
"""


def test_without_keras_it_is_unknown_with_one_note(without):
    done = without(PROGRAM, "--format", "json", "--no-suggestions")
    found = json.loads(done.stdout)["findings"]
    wrong = [(f["code"], f["primary"]["line"]) for f in found if f["severity"] == "error"]
    assert wrong == [("SF114", 27)], done.stdout + done.stderr
    notes = [f for f in found if f["code"] == "SF910"]
    assert len(notes) == 1 and "pip install keras" in notes[0]["message"] and done.returncode == 1


@needs_keras
def test_keras_3_stands_for_keras_2(tmp_path):
    if importlib.util.find_spec("tf_keras") is not None:
        pytest.skip("Keras 2 is installed")
    write(tmp_path, train="""import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.keras.utils import np_utils, to_categorical
model = tf.keras.models.Sequential([layers.Dense(4, input_shape=(8,)), layers.Dense(3)])
model.compile(tf.keras.optimizers.Adam(lr=0.1), "categorical_crossentropy")
model.fit_generator(((np.zeros((5, 8)), np.zeros((5, 3))) for i in range(3)), steps_per_epoch=3, workers=2)
model.fit(np.zeros((20, 8)), to_categorical(np.zeros(20), 4))
""")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--format", "concise", "--tf-version", "2.8.0",
                     "train.py")
    assert [(line, code) for _, line, code in lines(done)] == [(8, "SF108")], done.stdout + done.stderr
    assert "SF911" in done.stderr
    write(tmp_path, train="""from tensorflow.keras.layers import Dense
dense = Dense(4, input_shape=(8,), nobody_knows=3)
""")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--tf-version", "2.8.0", "train.py")
    assert done.returncode == 0 and "Keras 3 refuses" in done.stderr


@needs_keras
def test_a_model_trains_with_what_absent_packages_and_configurations_would_give(tmp_path):
    write(tmp_path, train="""import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa
import config_of_nobody
cfg = config_of_nobody.load()
x, y = np.zeros([10, 4], "float32"), np.zeros([10, 3], "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile(optimizer=tfa.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4), loss="mse")
model.fit(x, y, verbose=0)
schedule = tf.keras.optimizers.schedules.CosineDecay(cfg.lr, cfg.steps)
model.compile(tf.keras.optimizers.SGD(schedule, momentum=cfg.momentum), run_eagerly=cfg.eager,
              loss=tfa.losses.SigmoidFocalCrossEntropy(), metrics=["mse", tfa.metrics.F1Score(3)])
model.fit(x, y, verbose=0)
model.compile("adam", "mse")
model.fit(x, np.zeros([10, 2], "float32"), verbose=0)
""")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--no-cache", "--format", "concise", "train.py")
    assert lines(done) == [("train.py", 15, "SF101")], done.stdout + done.stderr
    assert "SF908" not in done.stderr and "SF907" not in done.stderr


@needs_keras
def test_ml_dtypes_that_is_loaded_after_the_first_unknown_value(tmp_path):
    """It takes numpy's functions for ufuncs, and read beyond the end of ours: the program ended."""
    write(tmp_path, train="""\
import numpy as np
import keras
from keras import ops
class Sums(keras.layers.Layer):
    def call(self, x):
        return ops.scan(lambda carry, row: (carry + row, carry), ops.zeros([3]), x)[1]
print(Sums()(np.zeros([2, 3], "float32")).shape)
print(ops.image.resize(np.zeros((1, 8, 8, 3)), (16, 12)).shape)
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "train.py")
    assert done.returncode == 0 and done.stdout.splitlines()[:2] == ["(2, 3)", "(1, 16, 12, 3)"], done.stderr


@needs_keras
def test_layers_of_arrays_whose_sizes_nobody_knows(tmp_path):
    """Channels of None were a TypeError of Python's, after which nothing was known."""
    layers = ["Conv2D(5, 3)", "DepthwiseConv2D(3)", "Conv2DTranspose(5, 3)", "SeparableConv2D(5, 3)"]
    write(tmp_path, train="import numpy as np\nimport tensorflow as tf\nfrom keras.layers import *\n"
          "h, w, c = np.load('x.npy').shape[1:]\nx = tf.zeros([2, h, w, c])\n" +
          "\n".join(f"y = {text}(x)\nassert y.shape.rank == 4 and y.shape[0] == 2" for text in layers) +
          "\nassert Conv2D(5, 3)(x).shape[3] == 5\n")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "train.py")
    assert done.returncode == 0 and "SF908" not in done.stderr, done.stdout + done.stderr


STEP = """\
import numpy as np
import tensorflow as tf
import config_of_nobody
cfg = config_of_nobody.load()
class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
    def call(self, x):
        return self.dense(x)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x) - y) + tf.reduce_sum(tf.matmul(self(x), tf.zeros([{rows}, 1])))
        self.optimizer.apply_gradients([(tape.gradient(loss, v), v) for v in self.trainable_variables][:0])
        return {{"loss": loss}}
x, y = np.zeros([64, 4], "float32"), np.zeros([64, 3], "float32")
def rows():
    while True:
        yield x[:8], y[:8]
model = Model()
model.compile("adam")
history = model.fit({given})
print(history.history["val_loss"][-1])
"""
SETTINGS = ("x, y, epochs=cfg.epochs", "x, y, batch_size=cfg.size, class_weight=cfg.weights",
            "tf.data.Dataset.from_tensor_slices((x, y)).batch(8), epochs=cfg.epochs, callbacks=[cfg.more]",
            "tf.data.Dataset.from_tensor_slices((x, y)).batch(8).repeat(), steps_per_epoch=cfg.steps",
            "rows(), steps_per_epoch=cfg.steps, epochs=cfg.epochs, validation_data=cfg.more",
            "x, y, steps_per_epoch=cfg.steps, validation_data=(cfg.x, y), verbose=cfg.verbose")


@needs_keras
@pytest.mark.parametrize("given", SETTINGS)
def test_a_step_of_known_data_and_unknown_settings_is_done(tmp_path, given):
    """A number of epochs that a file says, which is not there, left the training step unchecked."""
    for rows, found in ((3, []), (4, [("train.py", 14, "SF101")])):
        write(tmp_path, train=STEP.format(rows=rows, given=given))
        done = shapeflow(tmp_path, "check", "--no-suggestions", "--no-cache", "--format", "concise",
                         "train.py")
        assert lines(done) == found and "SF908" not in done.stderr, done.stdout + done.stderr


SERIES = """\
import numpy as np
import pandas_of_nobody as pd
import tensorflow as tf
table = pd.read_csv("weather.csv")
values = np.array(table, dtype=np.float32)
data = tf.keras.utils.timeseries_dataset_from_array(values, None, sequence_length=30, batch_size=32)
def parted(rows):
    first, rest = rows[:, :24, :], rows[:, 24:, :]
    first.set_shape([None, 24, None])
    rest.set_shape([None, 6, None])
    return first, rest
model = tf.keras.Sequential([
    tf.keras.layers.Lambda(lambda x: x[:, -1:, :]), tf.keras.layers.Dense(16), tf.keras.layers.Dense(30),
    tf.keras.layers.Reshape([{steps}, 5])])
model.compile("adam", "mse")
model.fit(data.map(parted))
"""


@needs_keras
def test_a_data_set_of_unknown_columns_for_a_model_without_inputs(tmp_path):
    """Its first layer wants to know how many there are; what the others make of it is known."""
    for steps, found in ((6, []), (7, [("train.py", 16, "SF104")])):
        write(tmp_path, train=SERIES.format(steps=steps))
        done = shapeflow(tmp_path, "check", "--no-suggestions", "--no-cache", "--format", "concise",
                         "train.py")
        assert lines(done) == found and "SF908" not in done.stderr, done.stdout + done.stderr


@needs_keras
@pytest.mark.parametrize("step", ["model.fit(x, y)", "model(x)"])
def test_the_layer_of_a_model_that_refuses_its_input_is_named(tmp_path, step):
    write(tmp_path, train=f"""\
import numpy as np
import tensorflow as tf
x, y = np.zeros([64, 4], "float32"), np.zeros([64, 7, 5], "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(30), tf.keras.layers.Reshape([7, 5], name="grid")])
model.compile("adam", "mse")
{step}
""")
    done = shapeflow(tmp_path, "check", "--no-suggestions", "--no-cache", "train.py")
    assert "SF104" in done.stdout and "inputs of layer 'grid': [" in done.stdout, done.stdout + done.stderr
