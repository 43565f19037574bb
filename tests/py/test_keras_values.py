"""Labels beyond the classes, words beyond the vocabulary, and data of which only a part is known: what fit,
evaluate and predict of the installed Keras say of them. Expectations are TensorFlow 2.21's on the CPU."""
import importlib.util

import pytest

from command import shapeflow, write

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")

HEAD = """import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
sparse = keras.losses.SparseCategoricalCrossentropy
def classes(loss=sparse(from_logits=True), **more):
    model = keras.Sequential([keras.Input((8,)), layers.Dense(5)])
    model.compile("adam", loss, **more)
    return model
def reader(**more):
    model = keras.Sequential([keras.Input((6,)), layers.Embedding(20, 4, **more), layers.LSTM(3)])
    model.compile("adam", "mse")
    return model
"""
DATA = """
x = np.random.rand(64, 8).astype("float32")
y = np.random.randint(0, 5, (64,))
words = np.random.randint(0, 20, (64, 6))
"""
LABEL, WORD = "error[SF128]", "error[SF117]"
MAPS = """maps = np.random.randint(0, 3, (4, 16, 16, 1))
def segments():
    model = keras.Sequential([keras.Input((16, 16, 3)), layers.Conv2D(3, 1, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    return model
"""
# What a program does with that data, what is said of its last line.
WRONG = [
    ("y[3] = 5\nclasses().fit(x, y, verbose=0)", LABEL, "of 5 which is outside the valid range of [0, 5)"),
    ("y[3] = 5\nclasses().fit(x, y.astype('float32'), verbose=0)", LABEL, "of 5 which"),
    ("y[3] = -1\nclasses(metrics=['accuracy']).fit(x, y, verbose=0)", LABEL, "of -1 which"),
    ("z = y.copy(); z[9] = 7\nclasses().fit(x, y, validation_data=(x, z), verbose=0)", LABEL, "of 7 which"),
    ("y[3] = 5\nclasses().evaluate(x, y, verbose=0)", LABEL, "of 5 which"),
    ("y[3] = 5\nclasses().train_on_batch(x, y)", LABEL, "of 5 which"),
    ("y[60] = 5\ndata = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).batch(32).prefetch(1)\n"
     "classes().fit(data, verbose=0)", LABEL, "of 5 which"),
    ("words[3, 2] = 20\nreader().fit(words, np.zeros((64, 3)), verbose=0)", WORD, "= 20 is not in [0, 20)"),
    ("words[3, 2] = 25\nreader(mask_zero=True).predict(words, verbose=0)", WORD, "= 25 is not in [0, 20)"),
    ("words[3, 2] = 25\nmodel = keras.Sequential([keras.Input((384,)), layers.Embedding(20, 4)])\n"
     "model.predict(words.reshape(1, 384), verbose=0)", WORD, "= 25 is not in [0, 20)"),
    ("y[3] = 5\nbatches = ((x[i:i + 16], y[i:i + 16]) for i in range(0, 64, 16))\n"
     "classes().fit(batches, verbose=0)", LABEL, "of 5 which"),
    ("y[3] = 5\nclass Batches(keras.utils.PyDataset):\n    def __len__(self):\n        return 4\n"
     "    def __getitem__(self, i):\n        return x[16 * i:16 * i + 16], y[16 * i:16 * i + 16]\n"
     "classes().fit(Batches(), verbose=0)", LABEL, "of 5 which"),
    ("y[3] = 5\ndata = tf.data.Dataset.from_tensor_slices((x, y)).batch(16).map(lambda a, b: (a * 2, b))\n"
     "classes().fit(data.take(2), verbose=0)", LABEL, "of 5 which"),
    (MAPS + "maps[1, 3, 3] = 3\nsegments().fit(np.zeros((4, 16, 16, 3)), maps, verbose=0)",
     LABEL, "of 3 which"),
]
RIGHT = [
    "classes().fit(x, y, verbose=0)\nreader().fit(words, np.zeros((64, 3)), verbose=0)",
    "y[3] = -1\nclasses(sparse(from_logits=True, ignore_class=-1)).fit(x, y, verbose=0)",
    "y[60] = 5\nclasses().fit(x, y, steps_per_epoch=1, shuffle=False, batch_size=16, verbose=0)",
    "y[3] = 7\nclasses(jit_compile=True).fit(x, y, verbose=0)",
    "words[3, 2] = -20\nreader().fit(words, np.zeros((64, 3)), verbose=0)",
    "y[60] = 5\ndata = tf.data.Dataset.from_tensor_slices((x, y)).take(32).batch(32)\n"
    "classes().fit(data, verbose=0)",
    MAPS + "segments().fit(np.zeros((4, 16, 16, 3)), maps, verbose=0)",
    "y[3] = 9\nclasses('mse').fit(x, np.eye(10)[y][:, :5], verbose=0)",
]


def checked(folder, program):
    write(folder, train=program)
    done = shapeflow(folder, "check", "--no-suggestions", "train.py")
    return [line for line in done.stdout.splitlines() if ": error[" in line], done


def test_what_a_kernel_refuses_is_a_finding_of_the_step(tmp_path):
    program, wanted = HEAD, []
    for text, code, said in WRONG:
        program += DATA + text + "\n"
        wanted.append(("train.py:%d:" % program.count("\n"), code, said))
    found, done = checked(tmp_path, program)
    assert len(found) == len(wanted), done.stdout + done.stderr
    for line, (place, code, said) in zip(found, wanted):
        assert line.startswith(place) and code in line and said in line, (line, place)


def test_what_kernels_take_or_never_see_is_none(tmp_path):
    found, done = checked(tmp_path, HEAD + "".join(DATA + text + "\n" for text in RIGHT))
    assert not found and done.returncode == 0, done.stdout + done.stderr


def test_a_step_of_data_known_in_part_checks_that_part(tmp_path):
    found, done = checked(tmp_path, """import numpy as np
import tensorflow as tf
x = np.load("absent.npy")
y = tf.keras.utils.to_categorical(np.zeros(1000, "int32"), 10)
class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)
    def call(self, inputs):
        tf.ones([2, 3]) @ tf.ones([4, 5])
        return self.dense(inputs)
own = Own()
own.compile("adam", "mse")
own.fit(x, np.load("labels.npy"), verbose=0)
layers = tf.keras.layers
def model(units):
    made = tf.keras.Sequential([tf.keras.Input((32, 32, 3)), layers.Flatten(), layers.Dense(units)])
    made.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    return made
model(10).fit(x, y, verbose=0)
model(9).fit(x, y, verbose=0)
""")
    assert [(line.split(":")[1], line.split("[")[1][:5]) for line in found] == \
        [("10", "SF114"), ("21", "SF108")], done.stdout + done.stderr


def test_structures_of_the_program_are_taken_as_keras_takes_them(tmp_path):
    program = HEAD + """
from collections import namedtuple
Pair = namedtuple("Pair", "words numbers")
class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.words, self.out = layers.Embedding(5, 3), layers.Dense(1)
    def call(self, pair):
        return self.out(tf.reduce_mean(self.words(pair.words), 1) + pair.numbers)
def model():
    made = Model()
    made.compile("adam", "mse")
    return made
numbers, wanted = np.zeros((20, 1), "f"), np.zeros(20)
model().fit(Pair(np.full((20, 1), 4), numbers), wanted, verbose=0)
model().fit(Pair(np.full((20, 1), 7), numbers), wanted, verbose=0)  # wrong
model().fit(np.load("words.npy"), [0.0] * 20, verbose=0)
"""
    found, done = checked(tmp_path, program)
    line = program[:program.index("return self.out")].count("\n") + 1  # where the words are looked up
    assert len(found) == 1 and found[0].startswith(f"train.py:{line}:") and "SF117" in found[0], done.stdout
    assert "SF911" not in done.stdout + done.stderr and done.returncode == 1, done.stderr


def test_a_model_that_is_built_by_its_first_batch(tmp_path):
    """Its input has the size of that batch: nobody looked at the words of a model without keras.Input."""
    program = HEAD + """
model = keras.Sequential([layers.Embedding(10, 4), layers.Flatten(), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.full((40, 5), 9), np.zeros((40, 1)), verbose=0)
model.fit(np.full((40, 5), 12), np.zeros((40, 1)), verbose=0)
model.predict(np.full((3, 5), 12), verbose=0)
"""
    found, done = checked(tmp_path, program)
    line = program[:program.index("model.fit(np.full((40, 5), 12)")].count("\n") + 1
    assert found and found[0].startswith(f"train.py:{line}:") and "SF117" in found[0], done.stdout
