"""Right programs that were reported: each runs under real TensorFlow, so nothing may be found."""
import pytest

from command import shapeflow
from shapeflow import _core


def test_resize_methods_are_numbers_in_1(tf):
    method = tf.image.ResizeMethod
    assert method.NEAREST_NEIGHBOR == 1 and method.AREA == 3
    small = tf.image.resize_images(tf.zeros([2, 8, 8, 3]), [4, 6], method.AREA)
    assert small.shape.as_list() == [2, 4, 6, 3]


def test_resize_methods_are_words_in_2(tf2):
    assert tf2.image.ResizeMethod.NEAREST_NEIGHBOR == "nearest"
    assert tf2.compat.v1.image.ResizeMethod.BICUBIC == 2
    small = tf2.image.resize(tf2.zeros([2, 8, 8, 3], tf2.uint8), [4, 6],
                             method=tf2.image.ResizeMethod.NEAREST_NEIGHBOR)
    assert small.shape == [2, 4, 6, 3] and small.dtype == tf2.uint8


def test_a_resize_method_out_of_what_is_not_modelled(tf2):
    method = tf2.image.ssim_multiscale(tf2.zeros([2, 8, 8, 3]), 0, 1)
    assert tf2.image.resize(tf2.zeros([2, 8, 8, 3]), [4, 6], method=method).shape.ndims is None
    assert not [f for f in _core.findings() if f.severity == "error"]


def test_string_split_makes_a_sparse_tensor(tf):
    words = tf.string_split(["a b", "c"])
    assert isinstance(words, tf.SparseTensor)
    assert words.values.shape.as_list() == [None] and words.values.dtype == tf.string
    assert words.indices.shape.as_list() == [None, 2]
    with tf.Session() as session:
        assert type(session.run(words)).__name__ == "SparseTensorValue"
    ragged = tf.string_split(["a b"], result_type="RaggedTensor")
    assert ragged.values.get_shape().ndims is None


def test_the_last_batch_may_be_smaller(tf):
    some = tf.train.batch([tf.zeros([3])], 5, allow_smaller_final_batch=True)
    assert some.shape.as_list() == [None, 3]
    assert tf.train.batch([tf.zeros([3])], 5).shape.as_list() == [5, 3]
    queue = tf.FIFOQueue(10, [tf.float32], shapes=[[3]])
    assert queue.dequeue_up_to(4).shape.as_list() == [None, 3]
    assert queue.dequeue_up_to(4).name.startswith("fifo_queue_DequeueUpTo")
    padded = tf.PaddingFIFOQueue(10, [tf.float32], shapes=[[None, 3]])
    assert padded.dequeue_up_to(4).shape.as_list() == [None, None, 3]
    with tf.Session() as session:  # as far as is known there is enough for a whole one
        assert session.run(some).shape == (5, 3)
        assert session.run(queue.dequeue_up_to(4)).shape == (4, 3)


def test_rows_of_a_tensor_array_of_no_one_shape(tf):
    rows, kept = tf.placeholder(tf.float32, [3, 6, 4]), tf.placeholder(tf.bool, [3, 6])

    def keep(i, array):
        return i + 1, array.write(i, tf.boolean_mask(rows[i], kept[i]))

    array = tf.TensorArray(tf.float32, size=3, infer_shape=False)
    _, array = tf.while_loop(lambda i, a: i < 3, keep, [0, array])
    other = tf.TensorArray(tf.float32, size=2, infer_shape=False)
    other = other.write(0, tf.zeros([2, 3])).write(1, tf.zeros([5, 3]))
    mixed = tf.TensorArray(tf.float32, size=2, infer_shape=False)
    mixed = mixed.write(0, tf.zeros([2, 3])).write(1, tf.zeros([4]))
    feed = {rows: [[[0.0] * 4] * 6] * 3, kept: [[True] * 6] * 3}
    with tf.Session() as session:
        assert session.run(array.concat(), feed).shape[1] == 4
        assert session.run(other.concat()).shape[1] == session.run(other.read(0)).shape[1] == 3
    assert mixed.read(0).shape.ndims is None


def test_a_variable_of_a_shape_that_nobody_models(tf):
    from shapeflow.tensorflow.python.framework import op_builders

    hidden = op_builders.unknown()
    shape = hidden.get_shape()
    assert tf.get_variable("a", [shape[-1], 4]).shape.as_list() == [None, 4]
    assert tf.get_variable("b", shape[-1:]).shape.ndims is None
    assert tf.contrib.slim.utils.last_dimension(shape, min_rank=2) is None
    for layer in (tf.contrib.layers.layer_norm, tf.contrib.layers.instance_norm,
                  tf.contrib.layers.bias_add, tf.contrib.layers.batch_norm):
        layer(hidden)
    assert not [f for f in _core.findings() if f.severity == "error"]


def test_a_variable_of_no_known_shape(tf):
    with pytest.raises(ValueError, match="must be fully defined"):
        tf.get_variable("a", [tf.placeholder(tf.float32).shape[-1:].ndims, 4])
    assert [f.code for f in _core.findings()] == ["SF132"]


def test_a_variable_of_the_shape_of_what_failed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 7])
y = tf.layers.dense(x, 5) + tf.ones([3])
g = tf.get_variable("g", y.get_shape()[-1:])
h = tf.get_variable("h", [tf.contrib.slim.utils.last_dimension(y.get_shape()), 4])
z = tf.contrib.layers.layer_norm(y)
""")
    done = shapeflow(tmp_path, "check", "--tf-version", "1.15.0", program)
    assert done.returncode == 1 and "1 error," in done.stdout + done.stderr
