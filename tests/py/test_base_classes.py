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
shape = tf.experimental.DynamicRaggedShape
assert issubclass(shape, tf.experimental.BatchableExtensionType)
assert issubclass(shape, tf.experimental.ExtensionType)
assert not issubclass(tf.experimental.RowPartition, tf.experimental.ExtensionType)
assert issubclass(tf.experimental.dtensor.DVariable, tf.Variable) and not issubclass(shape, tf.Variable)
assert issubclass(tf.__internal__.SymbolicTensor, tf.Tensor)


class Bench(metaclass=tf.__internal__.test.ParameterizedBenchmark):  # it is a metaclass
    pass


# Objects that cannot be called say so, those of unmodelled classes too.
for value in (tf.__internal__.distribute.combinations.default_strategy,
              tf.compat.v1.distributions.NOT_REPARAMETERIZED,
              tf.distribute.HierarchicalCopyAllReduce(), tf.saved_model.SaveOptions()):
    assert not callable(value), value
assert callable(tf.compat.v1.mixed_precision.FixedLossScale(2.0))
assert callable(tf.saved_model.load("there").serve)
assert callable(tf.distribute.experimental.partitioners.MinSizePartitioner())



@tf.test.with_eager_op_as_function()
def decorated():
    return 3


assert decorated() == 3
tf.random.set_seed(5)
from tensorflow.python.framework import random_seed
assert random_seed.get_seed(3) == (5, 3) and random_seed.get_seed(None)[0] == 5
tf.random.set_seed(0)
assert random_seed.get_seed(0) == (0, 2 ** 31 - 1)
assert tf.cast.__module__ == "tensorflow.python.ops.math_ops"
assert tf.group.__module__ == "tensorflow.python.ops.control_flow_ops"
print("done")
"""
ONE = """\
import abc
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
assert issubclass(lookup.StrongHashSpec, tuple) and len(lookup.StrongHashSpec([1, 2])) == 2
assert lookup.StrongHashSpec([1, 2])._fields == ("hasher", "key") and not callable(lookup.FastHashSpec)
assert issubclass(tf.pywrap_tensorflow.deprecation.hide_attribute_from_api, property)
assert not issubclass(tf.layers.Conv2DTranspose, tf.layers.Conv2D)

from tensorflow.python.framework import random_seed
from tensorflow.python.ops import math_ops
assert random_seed.get_seed(None) == (None, None) and random_seed.get_seed(3) == (87654321, 3)
tf.set_random_seed(5)
assert random_seed.get_seed(3) == (5, 3) and random_seed.get_seed(None)[0] == 5
# TensorFlow 2's function already, and public under tf.compat.v2 alone.
assert math_ops.reduce_sum(tf.ones([2, 3]), axis=1, keepdims=True).shape.as_list() == [2, 1]
from tensorflow.python.data.util import nest
assert nest.flatten({"b": (2, [3, 4]), "a": 1}) == [1, 2, [3, 4]] and not nest.is_sequence([1])
assert nest.map_structure(lambda one, two: (one, two), (1, [2]), (3, [4])) == ((1, 3), ([2], [4]))
assert nest.flatten_up_to((1, 2), ({"a": 3}, [4])) == [{"a": 3}, [4]]
from tensorflow.python.ops import rnn_cell_impl
assert rnn_cell_impl._concat(3, tf.TensorShape([5]), static=True) == [3, 5]
assert tf.zeros(rnn_cell_impl._concat(tf.constant(3), [5, 7])).shape.as_list() == [3, 5, 7]
assert rnn_cell_impl._concat(tf.placeholder(tf.int32, []), 5, static=True) is None
state = rnn_cell_impl._zero_state_tensors((4, 5), tf.placeholder(tf.int32, []), tf.float32)
assert [part.shape[1].value for part in state] == [4, 5]
from tensorflow.python.estimator.canned import metric_keys
from tensorflow.python.ops.losses import loss_reduction
assert metric_keys.MetricKeys.LOSS == "loss" and loss_reduction.ReductionV2.AUTO == "auto"
weight = tf.Variable(1.0)
saver = tf.train.Saver(max_to_keep=7)
assert saver.as_saver_def().max_to_keep == 7 and saver.as_saver_def().version == 2
assert tf.train.Saver(saver_def=saver.to_proto()).to_proto().max_to_keep == 7


class Meta(abc.ABCMeta):
    pass


class Layer(tf.keras.layers.Layer, metaclass=Meta):
    pass


class Trainer(learn.SVM, metaclass=Meta):
    pass


assert isinstance(Layer(), tf.keras.layers.Layer)
assert not isinstance(tf.keras.layers.Dense(3), Layer) and not issubclass(learn.SVM, Trainer)
print("done")
"""
OLD = """\
import inspect
import tensorflow as tf

# Classes since: functions that make initializers.
assert not inspect.isclass(tf.glorot_uniform_initializer) and inspect.isclass(tf.constant_initializer)
initializer = tf.glorot_uniform_initializer(seed=1)
assert tf.get_variable("v", [2, 3], initializer=initializer).shape.as_list() == [2, 3]
assert issubclass(tf.layers.Conv2DTranspose, tf.layers.Conv2D)
assert isinstance(tf.layers.Conv3DTranspose(2, 3), tf.layers.Conv3D)
print("done")
"""


@pytest.mark.parametrize("text, version", [(TWO, "2.21"), (ONE, "1.15"), (OLD, "1.8")])
def test_public_bases(tmp_path, text, version):
    write(tmp_path, train=text)
    done = shapeflow(tmp_path, "check", "--tf-version", version, "--show-output", "--no-cache", "train.py")
    assert done.returncode == 0 and done.stdout.startswith("done\n"), done.stdout + done.stderr
    assert "AssertionError" not in done.stdout


# --- abstract methods -------------------------------------------------------------------------------
# Version, class, what a program gives it, what Python says of the rest; as TensorFlow of that version does.
LACKING = [
    ("1.15.0", "contrib.seq2seq.Decoder", ["initialize"], "step"),
    ("1.15.0", "contrib.seq2seq.Helper", ["batch_size", "initialize", "next_inputs", "sample"],
     "sample_ids_dtype.*sample_ids_shape"),
    ("1.8.0", "contrib.seq2seq.Decoder", [], "initialize.*step"),
    ("2.21.0", "TypeSpec", ["value_type", "_serialize", "_to_components", "_from_components"],
     "_component_specs"),
    ("2.21.0", "data.Dataset", ["_inputs"], "element_spec"),
]


def derived(base, names):
    return type("Mine", (base,), {"__module__": "program", **dict.fromkeys(names, lambda self, *args: None)})


@pytest.mark.parametrize("number, name, given, rest", LACKING)
def test_a_class_without_the_abstract_methods_of_its_base_makes_no_object(version, number, name, given, rest):
    base = version(number, "eager" if number[0] == "2" else "graph")
    for part in name.split("."):
        base = getattr(base, part)
    incomplete = derived(base, given)
    with pytest.raises(TypeError, match="instantiate abstract class.*Mine.*" + rest):
        incomplete()
    below = derived(incomplete, [])
    with pytest.raises(TypeError, match=rest):
        below()
    whole = derived(incomplete, rest.split(".*"))
    assert isinstance(object.__new__(whole), base)


def test_classes_of_ours_and_what_older_releases_did_not_ask_for_are_complete(version):
    """Both of 1.8 and 1.15 may have been meant; in 1.8 a SessionCreator had no abstract methods."""
    tf = version("1.15.0", "graph")
    derived(tf.train.SessionCreator, [])()
    assert tf.data.Dataset.range(3).map(lambda x: x + 1)
    tf.contrib.seq2seq.GreedyEmbeddingHelper(tf.zeros([5, 3]), [0, 0], 1)
    tf = version("2.21.0", "eager")
    assert tf.TensorSpec([2]).shape == [2] and tf.RaggedTensorSpec([None, None]).dtype == tf.float32
