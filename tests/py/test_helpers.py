"""Data, flags, files, messages: what scripts touch around the graph."""
import gzip
import struct
import sys
import time

import numpy as np
import pytest


def mnist(tf, folder, **kwargs):
    from shapeflow.api import modules

    module = modules.resolve_module("tensorflow.examples.tutorials.mnist.input_data")
    return module.read_data_sets(str(folder), **kwargs)


def test_mnist_without_files_has_the_real_sizes(tf, tmp_path):
    data = mnist(tf, tmp_path, one_hot=True)
    assert data.train.images.shape == (55000, 784) and data.train.labels.shape == (55000, 10)
    assert data.validation.num_examples == 5000 and data.test.num_examples == 10000
    assert data.train.images.dtype == np.float32 and data.test.labels.dtype == np.float64
    assert mnist(tf, tmp_path).test.labels.shape == (10000,)
    assert mnist(tf, tmp_path, reshape=False).train.images.shape == (55000, 28, 28, 1)
    assert list(tmp_path.iterdir()) == []


def test_mnist_epochs(tf, tmp_path):
    train = mnist(tf, tmp_path, validation_size=59990).train
    assert train.num_examples == 10
    shapes = [train.next_batch(4)[0].shape for _ in range(5)]
    assert shapes == [(4, 784)] * 5 and train.epochs_completed == 1
    with pytest.raises(ValueError, match="Validation size should be between 0 and 60000"):
        mnist(tf, tmp_path, validation_size=70000)


def test_mnist_batches_are_cheap(tf, tmp_path):
    train = mnist(tf, tmp_path).train
    start = time.perf_counter()
    for _ in range(20000):
        train.next_batch(100)
    assert time.perf_counter() - start < 2.0


def test_mnist_files_are_read(tf, tmp_path):
    def images(name, n):
        with gzip.open(tmp_path / name, "wb") as f:
            f.write(struct.pack(">IIII", 2051, n, 28, 28) + b"\x07" * (n * 784))

    def labels(name, n):
        with gzip.open(tmp_path / name, "wb") as f:
            f.write(struct.pack(">II", 2049, n) + b"\x03" * n)

    images("train-images-idx3-ubyte.gz", 20)
    labels("train-labels-idx1-ubyte.gz", 20)
    images("t10k-images-idx3-ubyte.gz", 5)
    labels("t10k-labels-idx1-ubyte.gz", 5)
    data = mnist(tf, tmp_path, one_hot=True, validation_size=5)
    assert data.train.num_examples == 15 and data.test.num_examples == 5
    assert data.test.labels[0].argmax() == 3 and np.allclose(data.test.images, 7 / 255)


def test_flags(tf, monkeypatch):
    flags = tf.app.flags
    flags.DEFINE_string("sf_name", "a", "help")
    flags.DEFINE_integer("sf_n", 3, "help")
    flags.DEFINE_float("sf_rate", 0.5, "help")
    flags.DEFINE_boolean("sf_on", True, "help")
    flags.DEFINE_enum("sf_kind", "x", ["x", "y"], "help")
    monkeypatch.setattr(sys, "argv", ["prog", "--sf_name=b", "--sf_n", "7", "--nosf_on", "rest"])
    flags.FLAGS.unparse_flags()
    values = flags.FLAGS
    assert (values.sf_name, values.sf_n, values.sf_rate, values.sf_on, values.sf_kind) == (
        "b", 7, 0.5, False, "x")
    with pytest.raises(AttributeError):
        values.sf_missing
    values.sf_n = 9
    assert tf.flags.FLAGS.sf_n == 9
    seen = []
    with pytest.raises(SystemExit):
        tf.app.run(main=lambda argv: seen.append(argv))
    assert seen == [["prog", "rest"]]


def test_config_messages(tf):
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    assert config.gpu_options.allow_growth is True and config.log_device_placement is False
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    with tf.Session(config=config) as sess:
        assert sess.run(tf.constant(1), options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
                        run_metadata=tf.RunMetadata()) == 1
    with pytest.raises(TypeError, match="graph must be a tf.Graph"):
        tf.Session(graph=1)


def test_examples_serialise(tf):
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))
    example = tf.train.Example(features=tf.train.Features(feature={"a": feature}))
    assert isinstance(example.SerializeToString(), bytes)
    assert example.features.feature["a"].int64_list.value == [1, 2]


def test_files_are_left_alone(tf, tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("one\ntwo\n")
    assert tf.gfile.GFile(str(path)).readlines() == ["one\n", "two\n"]
    with pytest.raises(tf.errors.NotFoundError):
        tf.gfile.GFile(str(tmp_path / "none")).read()
    tf.gfile.DeleteRecursively(str(tmp_path))
    assert not tf.gfile.Exists(str(path)) and not tf.gfile.IsDirectory(str(tmp_path))
    with pytest.raises(tf.errors.NotFoundError):
        tf.gfile.GFile(str(path)).read()
    with tf.gfile.GFile(str(path), "w") as f:
        f.write(b"\xff\x00two")  # a picture, say: what is written is bytes, whatever the mode
        f.write("\xe9")
    assert tf.gfile.GFile(str(path), "rb").read() == b"\xff\x00two\xc3\xa9"
    with tf.gfile.GFile(str(path), "w") as f:
        f.write("three")
    tf.gfile.MakeDirs(str(tmp_path / "d"))
    assert path.read_text() == "one\ntwo\n" and not (tmp_path / "d").exists()
    assert tf.gfile.GFile(str(path)).read() == "three"
    assert tf.gfile.ListDirectory(str(tmp_path)) == ["d", "f.txt"]
    assert tf.gfile.Glob(str(tmp_path / "*.txt")) == [str(path)]


def test_checkpoint_of_a_removed_directory_is_gone(tf, tmp_path):
    folder = str(tmp_path / "train")
    tf.Variable(tf.zeros([2]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, folder + "/model", global_step=3)
    assert tf.train.latest_checkpoint(folder) == path == folder + "/model-3"
    assert tf.gfile.Exists(folder)
    tf.gfile.DeleteRecursively(folder)
    assert tf.train.latest_checkpoint(folder) is None and not tf.train.checkpoint_exists(path)


def test_monitored_session_saves_and_restores(tf, tmp_path):
    folder = str(tmp_path / "train")
    for last, steps in ((3, 3), (5, 2)):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            train = tf.assign_add(step, 1)
            done = 0
            with tf.train.MonitoredTrainingSession(
                    checkpoint_dir=folder, hooks=[tf.train.StopAtStepHook(last_step=last)]) as sess:
                while not sess.should_stop():
                    done = done + 1 if sess.run(train) is not None else done
        assert done == steps
    with tf.Graph().as_default():
        tf.get_variable("global_step", [2], dtype=tf.int64)
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError):
            tf.train.Saver().restore(sess, tf.train.latest_checkpoint(folder))


def test_errors(tf):
    error = tf.errors.InvalidArgumentError(None, None, "wrong")
    assert (error.message, error.error_code, error.op, str(error)) == ("wrong", 3, None, "wrong")
    assert issubclass(tf.errors.OutOfRangeError, tf.errors.OpError)
    assert tf.OpError is tf.errors.OpError


def test_graph_and_collections(tf):
    graph = tf.Graph()
    with graph.as_default():
        a = tf.constant(1.0, name="a")
        assert tf.get_default_graph() is graph
    assert graph.get_tensor_by_name("a:0") is a and graph.get_operation_by_name("a") is a.op
    tf.add_to_collection("mine", a)
    assert tf.get_collection("mine") == [a] and tf.get_collection("mine", "b") == []
    assert tf.get_collection_ref("mine") is tf.get_collection_ref("mine")
    graph.finalize()
    with graph.as_default(), pytest.raises(RuntimeError, match="Graph is finalized"):
        tf.constant(2.0)


def test_sparse_tensors(tf):
    sp = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [3, 4])
    assert sp.get_shape().as_list() == [3, 4] and sp.dtype == tf.float32
    assert tf.sparse_tensor_to_dense(sp).get_shape().as_list() == [3, 4]
    assert tf.sparse_tensor_dense_matmul(sp, tf.zeros([4, 2])).get_shape().as_list() == [3, 2]
    fed = tf.sparse_placeholder(tf.float32, [None, 4])
    value = tf.SparseTensorValue(np.zeros((1, 2), np.int64), np.zeros(1, np.float32), [3, 4])
    with tf.Session() as sess:
        assert isinstance(sess.run(sp), tf.SparseTensorValue)
        assert sess.run(fed.values, {fed: value}).shape == (1,)


def test_conversion_functions(tf):
    class Celsius:
        def __init__(self, degrees):
            self.degrees = degrees

    tf.register_tensor_conversion_function(
        Celsius, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.degrees, dtype))
    assert tf.convert_to_tensor(Celsius([1.0, 2.0])).get_shape().as_list() == [2]


def test_nest(tf):
    nest = tf.contrib.framework.nest
    structure = {"b": [1, (2, 3)], "a": 4}
    assert nest.flatten(structure) == [4, 1, 2, 3]
    assert nest.pack_sequence_as(structure, [1, 2, 3, 4]) == {"b": [2, (3, 4)], "a": 1}
    assert nest.map_structure(lambda v: v * 2, structure) == {"b": [2, (4, 6)], "a": 8}
    with pytest.raises(ValueError, match="The two structures don't have the same"):
        nest.assert_same_structure([1, 2], [1])


def test_tensors_in_a_list_are_cast_to_the_dtype_that_is_preferred(tf2):
    x = tf2.zeros(6)
    assert tf2.reshape(x, [tf2.constant(2.0), 3]).shape == (2, 3)
    assert tf2.tile(x, [tf2.constant(2.0)]).shape == (12,)
    assert (x[:2] + [tf2.constant(1), 2]).dtype == "float32"
    assert ([tf2.constant(1.0), 2] + tf2.zeros(2, "int32")).dtype == "int32"
    assert tf2.raw_ops.ConcatV2(values=[[1, 2], [tf2.constant(1.0), 2]], axis=0).dtype == "int32"
    assert tf2.raw_ops.ConcatV2(values=[[1, 2], tf2.constant([1.0])], axis=0).dtype == "float32"
    with pytest.raises(tf2.errors.InvalidArgumentError, match="attr 'Tshape' of float"):
        tf2.reshape(x, [2.0, 3])
    with pytest.raises(tf2.errors.InvalidArgumentError, match="attr 'Index' of float"):
        tf2.slice(x, [tf2.constant(0.0)], [tf2.constant(2.0)])
