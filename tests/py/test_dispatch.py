"""Dispatchers: calls of TensorFlow's functions with operands of a package's own kind. Keras 2 takes part so
that `tf.nn.relu(x)` of a symbolic tensor is a layer. What it gives is what tf_keras on TensorFlow 2.21 gives.
"""
import importlib.util
import sys

import pytest

import shapeflow as shapeflow_package
from command import lines, shapeflow, write
from shapeflow.api import namespace
from shapeflow.tensorflow.python.util.decorators import get_canonical_name_for_symbol


@pytest.fixture
def tf(tf2):
    yield tf2
    sys.modules["shapeflow.tensorflow.python.util.dispatch"]._global.clear()
    namespace.lent = None
    namespace.forget()
    shapeflow_package._forget()


class Symbol:
    """What no tensor can be made of."""


@pytest.fixture
def asked(tf):
    calls = []

    class Dispatcher(tf.__internal__.dispatch.GlobalOpDispatcher):
        def handle(self, op, args, kwargs):
            if not any(isinstance(one, Symbol) for one in tf.nest.flatten([args, kwargs])):
                return self.NOT_SUPPORTED
            calls.append(get_canonical_name_for_symbol(op))
            return "taken"

    Dispatcher().register()
    return calls


def test_a_refused_call_is_given_to_who_registered(tf, asked):
    symbol = Symbol()
    for call in (lambda: tf.nn.relu(symbol), lambda: tf.concat([tf.ones([2]), symbol], 0),
                 lambda: tf.multiply(symbol, 2.0), lambda: tf.image.resize(symbol, (2, 2)),
                 lambda: tf.__operators__.getitem(symbol, 0), lambda: tf.matmul(symbol, b=symbol)):
        assert call() == "taken"
    assert asked == ["nn.relu", "concat", "math.multiply", "image.resize", "__operators__.getitem",
                     "linalg.matmul"]


def test_other_calls_are_as_before(tf, asked):
    assert tf.nn.relu(tf.ones([2, 3])).shape == [2, 3] and tf.math.multiply is tf.multiply
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    with pytest.raises(ValueError, match="unsupported type"):
        tf.nn.relu(object())
    assert asked == []


def test_functions_of_packages_take_part(tf, asked):
    @tf.__internal__.dispatch.add_dispatch_support
    def own(x):
        return x + 1

    assert own(1) == 2 and own(Symbol()) == "taken" and own.__name__ == "own" and asked == [None]


# --- Keras 2 --------------------------------------------------------------------------------------
HAS_KERAS_2 = importlib.util.find_spec("tf_keras") is not None
needs_keras_2 = pytest.mark.skipif(not HAS_KERAS_2, reason="tf_keras is not installed")
HEAD = """\
import os
os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf
from tensorflow.keras import layers
i = tf.keras.Input((4,))
x = layers.Dense(3)(i)
"""
# The shapes that TensorFlow 2.21 with tf_keras 2.21 gives.
SHAPES = {"x + 1": "(None, 3)", "1 - x": "(None, 3)", "x * x": "(None, 3)", "tf.ones([3]) + x": "(None, 3)",
          "tf.reduce_sum(x, axis=1)": "(None,)", "tf.concat([x, x], 1)": "(None, 6)", "x[:, 0]": "(None,)",
          "tf.matmul(x, tf.ones([3, 5]))": "(None, 5)", "tf.shape(x)": "(2,)",
          "tf.einsum('bi,bj->bij', x, x)": "(None, 3, 3)", "tf.expand_dims(x, 1)": "(None, 1, 3)",
          "tf.keras.losses.binary_crossentropy(x, x)": "(None,)", "3 + tf.keras.backend.sum(x) * 2": "()",
          "tf.image.resize(tf.keras.Input((8, 8, 3)), (4, 4))": "(None, 4, 4, 3)"}


@needs_keras_2
def test_functions_of_symbolic_tensors_of_keras_2(tmp_path):
    write(tmp_path, train=HEAD + "".join(f"print(({text}).shape)\n" for text in SHAPES) + """\
tf.keras.backend.clear_session()
i = tf.keras.Input((4,))
model = tf.keras.Model(i, tf.reduce_sum(tf.nn.relu(layers.Dense(3, name="own")(i)) * 2, axis=1))
print([layer.name for layer in model.layers[1:]], model.predict(tf.ones([2, 4]), verbose=0).shape)
again = tf.keras.Model.from_config(model.get_config())
print(again(tf.ones([5, 4])).shape)
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "train.py")
    printed = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert dict(zip(SHAPES, printed)) == SHAPES
    assert printed[len(SHAPES):len(SHAPES) + 2] == [
        "['own', 'tf.nn.relu', 'tf.math.multiply', 'tf.math.reduce_sum'] (2,)", "(5,)"]


@needs_keras_2
@pytest.mark.parametrize("text, code", [
    ("tf.matmul(x, tf.ones([4, 5]))  # E\n", "SF101"),
    ("y = x + tf.ones([4])  # E\n", "SF101"),
    ("layers.add([x, layers.Dense(5)(i)])  # E\n", "SF107"),
    ("layers.Conv2D(3, 3)(x)  # E\n", "SF103"),
    ("layers.concatenate([x, layers.Reshape((3, 1))(x)])  # E\n", "SF108"),
])
def test_what_keras_2_refuses_is_found(text, code, tmp_path):
    write(tmp_path, train=HEAD + text)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--format", "concise", "train.py")
    assert [(line, found) for _, line, found in lines(done)] == [(7, code)], done.stdout + done.stderr
