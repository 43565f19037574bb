"""Layers of sizes that nobody knows: numbers are made up, and findings that depend on them are none."""
import importlib.util
import sys
import types

import pytest

from command import report_of, shapeflow, write
from shapeflow.api import made_up_layers
from shapeflow.api.loaded_modules import loaded
from shapeflow.checker.findings import Record
from shapeflow.sandbox import second_run

HEAD = """import numpy as np
import pandas as pd
from tensorflow.keras.layers import *
from tensorflow.keras.models import Model, Sequential
table = pd.read_csv("absent.csv")
n = table.shape[1]
"""
# Statements in this order; those that end with `# wrong` are to be reported, and no other.
BOTH = """m = Sequential([Dense(8, input_dim=n), Dense(3, activation="softmax")])
m.compile("adam", "categorical_crossentropy")
m.fit(table.values, np.zeros((100, 3)))
m = Sequential([Dense(8, input_shape=(n,)), Dense(len(table.kind.unique()), activation="softmax")])
m.compile("adam", "categorical_crossentropy")
m.fit(table.values, np.zeros((100, 4)))
m = Sequential([Conv2D(8, 3, input_shape=(n, n, 3)), MaxPooling2D(), Flatten(), Dense(table.units)])
m.compile("adam", "mse")
m.fit(np.zeros((10, 28, 28, 3)), np.zeros((10, 5)))
a, b = Input(shape=(n, 5)), Input(shape=(n, 6))
e = Embedding(len(table.words.unique()), 50, input_length=n)(Input((n,)))
f = Dense(4)(Flatten()(e))
r = Dense(2)(Reshape((n, 1))(Input((n,))))
s = TimeDistributed(Dense(n))(LSTM(n, return_sequences=True)(Input((n, n))))
d = Dense(4)
d.build((None, n))
g = Reshape((10, 10))(Input((n,)))
h = Add()([Input((n, 5)), Input((7, 5))])
"""
KERAS_3 = BOTH + """m.fit(table.values, np.zeros((100, 4)))
m = Sequential([Input((n,)), Dense(3)])
m.compile("adam", "mse")
m.fit(table.values, np.zeros((100, 4)))  # wrong
c = Add()([a, b])  # wrong
c = Concatenate(axis=1)([a, b])  # wrong
c = Concatenate(axis=1)([Input((n, 4, 5)), Input((7, 4, 5))])
dense = Dense(4)
c = dense(a)
c = dense(b)  # wrong
names = list(table.names.unique())
c = Dense(7)(Embedding(n, 9)(StringLookup(vocabulary=names)(Input((4,), dtype="string"))))
c = Dense(7)(StringLookup(vocabulary=names, output_mode="one_hot")(Input((1,), dtype="string")))
c = Dense(7)(IntegerLookup(vocabulary=table.ids, output_mode="multi_hot")(Input((1,), dtype="int64")))
c = Dense(3)(Lambda(lambda v: v[:, :n])(Input((100,))))
c = MultiHeadAttention(n, n)(Input((n, n)), Input((n, n)))
c = StringLookup(max_tokens=9, vocabulary=table.words)(Input((4,), dtype="string"))
c = Conv2D(n, table.kernel)(Input((8, 8, 3)))
c = Input(batch_shape=(n, 4))
c = Dense(5)(c[:, :3])
c = Conv2D(3, n)(Input((n, n, 3)))
c = Add()([Input((3,)), Input((4,))])  # wrong
"""
TENSORFLOW_1 = BOTH + """c = Add()([a, b])  # wrong
"""


def assert_reported(folder, text, *options):
    write(folder, train=text)
    report, done = report_of(folder, *options)
    assert report["scripts"][0]["failure"] is None, done.stderr
    errors = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    wanted = [at for at, line in enumerate(text.splitlines(), 1) if line.endswith("# wrong")]
    assert errors == wanted, done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
def test_layers_of_keras_3(tmp_path):
    assert_reported(tmp_path, HEAD + KERAS_3)


def test_layers_of_tensorflow_1(tmp_path):
    assert_reported(tmp_path, HEAD + TENSORFLOW_1, "--tf-version", "1.15")


def test_what_was_made_up_is_said(tmp_path):
    write(tmp_path, train=HEAD + "x = Dense(n)(Input((4,)))\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", "1.15", "train.py")
    assert "480 stands for sizes of layers that are unknown" in done.stderr and done.returncode == 0


@pytest.mark.skipif(importlib.util.find_spec("tf_keras") is None, reason="Keras 2 is not installed")
def test_layers_of_keras_2(tmp_path):
    """It said that the last dimension should be defined."""
    assert_reported(tmp_path, HEAD + """m = Sequential([Dense(8, input_shape=(n,)), Dense(3)])
a, b = Input(shape=(n, 5)), Input(shape=(n, 6))
c = Add()([a, b])  # wrong
""", "--tf-version", "2.10")


def record(message, arguments=()):
    made = Record("SF107", "X", "error", message)
    made.arguments = list(arguments)
    return made


@pytest.mark.parametrize("one, other, wanted", [
    ("shapes (480, 5) and (480, 6)", "shapes (672, 5) and (672, 6)", True),
    ("shapes (480, 5) and (7, 6)", "shapes (672, 5) and (7, 6)", False),
    ("shapes (480, 5) and (480, 6)", "shapes (672, 5) and (672, 7)", False),
    ("shapes (480, 5) and (480, 6)", "forms (672, 5) and (672, 6)", False),
    ("shapes (480, 5) and (480,)", "shapes (672, 5) and (672,)", False),
    ("shapes (480, 5) and (480, 5)", "shapes (672, 5) and (672, 5)", False),
    ("[(None, 480, 5), (None, 480, 6), (None, 480, 5)]", "[(None, 672, 5), (None, 672, 6), (None, 672, 5)]",
     True),
    ("total (480,) to (28, 28)", "total (672,) to (28, 28)", False),
    ("nothing 480", "nothing 672", False),
    ("must have the same rank (ndim). target.shape=(8,), output.shape=(8, 4)",
     "must have the same rank (ndim). target.shape=(12,), output.shape=(12, 4)", True),
    ("must have the same rank (ndim). target.shape=(8,), output.shape=(8, 4)",
     "must have the same rank (ndim). target.shape=(12, 3), output.shape=(12, 4)", False),
    ("expected ndim=4, found ndim=3. Full shape received: (8, 480, 5)",
     "expected ndim=4, found ndim=3. Full shape received: (8, 672, 5)", True),
])
def test_two_runs_find_the_same_where_the_dims_that_do_not_fit_are_the_same(one, other, wanted):
    assert second_run._is_same_conflict(record(one), record(other)) is wanted


@pytest.mark.parametrize("axis, one, other, wanted", [
    (-1, "(None, 480, 6)", "(None, 672, 6)", True), (-1, "(None, 480)", "(None, 672)", False),
    (3, "(None, 480, 6)", "(None, 672, 6)", False)])
def test_one_axis_of_one_shape(axis, one, other, wanted):
    arguments = [("axis", axis), ("dim", 5)]
    assert second_run._is_same_conflict(record(one, arguments), record(other, arguments)) is wanted


def test_a_module_that_a_thread_is_importing_is_not_asked(monkeypatch):
    """`partially initialized module ... has no attribute` ended a thread of the program."""
    module = types.ModuleType("half")
    module.__spec__ = types.SimpleNamespace(_initializing=True)
    monkeypatch.setitem(sys.modules, "half", module)
    assert loaded("half") is None and loaded("not.there") is None
    module.__spec__._initializing = False
    assert loaded("half") is module


def test_arguments_are_of_the_object_that_was_made():
    """Where its constructor is not called the next object must not get them."""
    class Layer:
        def __init__(self, size):
            self.size = size

    init, made = Layer.__init__, Layer.__new__(Layer)
    made_up_layers.construct_with(made, [7], {})
    other = Layer(3)
    assert other.size == 3 and Layer.__init__ is init
    made_up_layers.construct_with(made, [7], {})
    made.__init__(None)
    assert made.size == 7 and Layer.__init__ is init
