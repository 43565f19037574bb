"""TensorFlow's public base classes: `issubclass` and `isinstance` answer as TensorFlow's own classes do."""
import pytest

from command import shapeflow, write

TWO = """\
import abc
import tensorflow as tf
import numpy as np

like = tf.types.experimental.TensorLike
for value in (tf.constant(1), tf.Variable(1.0), 1, 1.0, "a", b"a", 1j, np.ones(2), np.float32(1), [1], (1,)):
    assert isinstance(value, like), value
for value in (None, object(), {}, tf.SparseTensor([[0]], [1], [1]), tf.TensorSpec([1])):
    assert not isinstance(value, like), value

trackable = tf.__internal__.tracking.Trackable
for cls in (tf.Variable, tf.data.Iterator, tf.lookup.StaticHashTable, tf.lookup.TextFileInitializer,
            tf.compat.v1.train.Optimizer):
    assert issubclass(cls, trackable), cls
assert issubclass(tf.random.Generator, tf.__internal__.tracking.AutoTrackable)
composite = tf.__internal__.CompositeTensor
assert isinstance(tf.Variable(1.0), trackable) and issubclass(tf.data.Dataset, trackable)
assert isinstance(tf.train.Checkpoint(), tf.__internal__.tracking.AutoTrackable)
assert isinstance(tf.ragged.constant([[1]]), composite) and issubclass(tf.data.Dataset, composite)
assert isinstance(tf.SparseTensor([[0]], [1], [1]), composite)
assert issubclass(tf.compat.v1.Variable, tf.Variable) and not issubclass(tf.Module, composite)
assert isinstance(tf.queue.FIFOQueue(3, tf.int32), tf.queue.QueueBase)
assert isinstance(tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1),
                  tf.saved_model.experimental.TrackableResource)
assert issubclass(tf.io.RaggedFeature, tuple)


class Mine(trackable):
    pass


assert isinstance(Mine(), trackable) and not isinstance(tf.Variable(1.0), Mine)
assert not isinstance(tf.constant(1), trackable)


class Meta(type):
    pass


class Other(metaclass=Meta):
    pass


class Both(tf.Module, Other):
    pass


class Tracked(trackable, Other):
    pass


class AbstractMeta(abc.ABCMeta):
    pass


class Made(tf.Module, metaclass=AbstractMeta):
    pass


class MadeOfTensors(Made, composite):
    pass


assert type(tf.Module) is type(trackable) is type and isinstance(Both(), trackable)
assert issubclass(MadeOfTensors, composite) and not issubclass(tf.data.Dataset, MadeOfTensors)
assert tf.cast.__module__ == "tensorflow.python.ops.math_ops"
assert tf.group.__module__ == "tensorflow.python.ops.control_flow_ops"
print("done")
"""
ONE = """\
import tensorflow as tf
from tensorflow.contrib import learn, lookup

assert issubclass(tf.Variable, tf.contrib.checkpoint.CheckpointableBase)
assert issubclass(tf.train.ClusterDef, tf.GraphDef.__mro__[-2]) and tf.HistogramProto(num=2.0).num == 2.0
assert issubclass(learn.DNNClassifier, learn.Estimator) and issubclass(learn.Estimator, learn.Trainable)
assert issubclass(lookup.HashTable, lookup.LookupInterface)
assert issubclass(tf.contrib.distributions.NormalWithSoftplusScale, tf.distributions.Normal)
gamma = tf.distributions.Gamma
assert issubclass(tf.distributions.Exponential, gamma) and issubclass(tf.contrib.distributions.Chi2, gamma)
assert tf.contrib.distributions.Chi2(df=[3.0, 4.0]).sample(5).shape.as_list() == [5, 2]
assert issubclass(tf.contrib.rnn.GRUBlockCellV2, tf.contrib.rnn.GRUBlockCell)
assert issubclass(tf.contrib.tpu.TPUEstimatorSpec, tuple)
spec = tf.contrib.tpu.TPUEstimatorSpec("train", loss=tf.constant(1.0), train_op=tf.no_op())
assert spec.loss.shape.ndims == 0
print("done")
"""


@pytest.mark.parametrize("text, version", [(TWO, "2.21"), (ONE, "1.15")])
def test_public_bases(tmp_path, text, version):
    write(tmp_path, train=text)
    done = shapeflow(tmp_path, "check", "--tf-version", version, "--show-output", "--no-cache", "train.py")
    assert done.returncode == 0 and done.stdout.startswith("done\n"), done.stdout + done.stderr
    assert "AssertionError" not in done.stdout
