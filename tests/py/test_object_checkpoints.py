"""tf.train.Checkpoint: the tree of objects that is saved, and what restoring it into others of other shapes
says. The names and the texts are those of TensorFlow 2.21 with Keras 3."""
import importlib.util

import pytest

from command import shapeflow, write
from shapeflow import _core

needs_keras = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


@pytest.fixture
def tf(tf2):
    return tf2


@pytest.fixture
def module(tf):
    class Net(tf.Module):
        def __init__(self, units, inputs=None):
            super().__init__()
            self.units, self.kernel = units, None
            self.biases = [tf.Variable(tf.zeros([units])) for _ in range(2)]
            self.by_name = {"a.b": tf.Variable(tf.zeros([units, units]))}
            if inputs:
                self(tf.zeros([1, inputs]))

        def __call__(self, x):
            if self.kernel is None:
                self.kernel = tf.Variable(tf.zeros([x.shape[-1], self.units]), name="kernel")
            return x @ self.kernel

    return Net


def names(tf, path):
    return {name[:-len(VALUE)]: shape for name, shape in tf.train.list_variables(path)}


def test_names_of_what_is_saved(tf, module, tmp_path):
    shared = tf.Variable(tf.zeros([7]))
    checkpoint = tf.train.Checkpoint(net=module(3, 5), step=tf.Variable(0), again=[shared], first=shared)
    path = checkpoint.save(str(tmp_path / "c"))
    assert path.endswith("c-1") and names(tf, path) == {
        "net/kernel": [5, 3], "net/biases/0": [3], "net/biases/1": [3], "net/by_name/a..b": [3, 3],
        "step": [], "first": [7], "save_counter": []}
    assert names(tf, tf.train.Checkpoint(module(3)).write(str(tmp_path / "d"))) == {
        "biases/0": [3], "biases/1": [3], "by_name/a..b": [3, 3]}


@pytest.mark.parametrize("units, inputs, then, expected", [
    (4, 5, None, "shape (3,) when attempting to restore variable with shape (4,) and name Variable:0"),
    (3, 6, None, "shape (5, 3) when attempting to restore variable with shape (6, 3) and name kernel:0"),
    (3, None, 6, "shape (5, 3) when attempting to restore variable with shape (6, 3) and name kernel:0"),
    (3, 5, None, None), (3, None, 5, None)])
def test_variables_of_other_shapes(tf, module, tmp_path, units, inputs, then, expected):
    """Those that are there, and those that are made after the restore."""
    path = tf.train.Checkpoint(net=module(3, 5)).write(str(tmp_path / "c"))
    other = module(units, inputs)
    before = len(_core.findings())

    def restore():
        tf.train.Checkpoint(net=other).restore(path).expect_partial()
        if then:
            other(tf.zeros([1, then]))

    if expected is None:
        restore()
        assert len(_core.findings()) == before
        return
    with pytest.raises(ValueError) as error:
        restore()
    assert "Received incompatible tensor with " + expected in str(error.value)
    assert [one.code for one in _core.findings()[before:]] == ["SF125"]


def test_restored_contents_and_counters(tf, tmp_path):
    step = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(step=step)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    step.assign(7)
    manager.save()
    step.assign(9)
    other = tf.train.Checkpoint(step=tf.Variable(0))
    again = tf.train.CheckpointManager(other, str(tmp_path), max_to_keep=2)
    assert again.restore_or_initialize() == manager.latest_checkpoint
    assert int(other.step) == 7 and int(other.save_counter) == 1 and again.save().endswith("ckpt-2")
    assert type(other.restore(None)).__name__ == "InitializationOnlyStatus"
    assert type(other.restore(manager.latest_checkpoint)).__name__ == "CheckpointLoadStatus"


def test_what_is_not_followed_is_not_saved(tf, tmp_path):
    class Mine(tf.Module):
        @tf.Module.with_name_scope
        def keep(self):
            self.seen = tf.Variable(1.0)

        @tf.__internal__.tracking.no_automatic_dependency_tracking
        def hide(self):
            self.hidden = tf.Variable(1.0)

    mine = Mine()
    mine.keep()
    mine.hide()
    mine.gone = tf.Variable(2.0)
    del mine.gone
    assert names(tf, tf.train.Checkpoint(mine).write(str(tmp_path / "c"))) == {"seen": []}


@needs_keras
def test_models_of_keras(tmp_path):
    """Lists of layers that Keras follows itself are not saved; what the optimizer holds has its first name
    there: so it is in TensorFlow."""
    write(tmp_path, train="""\
import numpy as np, tensorflow as tf, keras
class Net(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.first, self.many = keras.layers.Dense(units), [keras.layers.Dense(2)]
        self.count = self.add_weight(shape=(units,), name="count")
    def call(self, x):
        return self.many[0](self.first(x))
def built(units):
    net = Net(units)
    net(tf.zeros([1, 5]))
    return net
net, adam = built(3), keras.optimizers.Adam()
adam.build(net.trainable_variables)
path = tf.train.Checkpoint(net=net, adam=adam).write("saved")
names = [name.replace("/.ATTRIBUTES/VARIABLE_VALUE", "") for name, _ in tf.train.list_variables(path)]
print(sorted(name for name in names if name.startswith("net")))
print(len([name for name in names if name.startswith("adam")]))
tf.train.Checkpoint(net=built(3)).restore(path).expect_partial()
late = keras.Sequential([keras.layers.Dense(2, name="a")])
path = tf.train.Checkpoint(model=keras.Sequential([keras.Input((5,)), keras.layers.Dense(3)])).write("other")
tf.train.Checkpoint(model=late).restore(path)
print("restored")
late(tf.zeros([1, 5]))
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "train.py")
    assert done.stdout.splitlines()[:3] == ["['net/count']", "16", "restored"], done.stdout + done.stderr
    assert "train.py:24:1: error[SF125]: Received incompatible tensor with shape (5, 3) when attempting to " \
        "restore variable with shape (5, 2) and name sequential/a/kernel:0." in done.stdout
    assert done.returncode == 1
