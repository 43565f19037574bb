"""Defun of TensorFlow 1: the body of a call is inferred and analysed; words and results as in 1.15."""
import subprocess
import textwrap

import numpy as np
import pytest

from command import command


@pytest.fixture
def defun(tf):
    from shapeflow.tensorflow.python.framework import function
    return function.Defun


def refused(tf, defun):
    """{what it says: a call}, each as TensorFlow 1.15 refuses it."""
    a = tf.placeholder(tf.float32, [None, 3])

    @defun(tf.float32, tf.float32)
    def add(x, y):
        return x + y

    def none(x):
        return x, None

    return {
        "Expected number of arguments: 2, received: 1": lambda: add(a),
        "Expected number of arguments: 2, received: 3": lambda: add(a, a, a),
        "Input 'y' passed int32 expected float while building NodeDef": lambda: add(a, 1),
        "Unknown keyword arguments": lambda: add(a, a, other=1),
        "fewer arguments than the number of specified": lambda: defun(tf.float32)(lambda x, y: x),
        "function with argument defaults": lambda: defun(tf.float32)(lambda x=1: x),
        "function 3 must be callable": lambda: defun(tf.float32)(3),
        "Function none can not return None": lambda: defun(tf.float32)(none)(a),
        "shape_func produced 2 shapes for 1 outputs":
            lambda: defun(tf.float32, shape_func=lambda op: [[3], [4]])(lambda x: x)(a)}


def test_what_is_refused(tf, defun):
    for words, call in refused(tf, defun).items():
        with pytest.raises(ValueError, match=words):
            call()


def test_shapes_are_those_of_the_run(tf, defun):
    a = tf.placeholder(tf.float32, [None, 3])
    inside = []

    @defun(tf.float32, tf.float32)
    def product(x, y):
        inside.append(x.shape)
        return tf.matmul(x, y)

    good, bad = product(a, tf.ones([3, 4])), product(a, tf.ones([2, 4]))
    assert inside[0].ndims is None and good.shape.ndims is None  # TensorFlow's caller knows none either
    feed = {a: np.ones((5, 3), np.float32)}
    with tf.Session() as session:
        assert session.run(good, feed).shape == (5, 4)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(bad, feed)
    told = defun(tf.float32, shape_func=lambda op: [op.inputs[0].get_shape()])(lambda x: x * 2)
    assert told(a).shape.as_list() == [None, 3]
    assert product(a, tf.ones([3, 4]), name="named").op.name == "named"


def test_variables_are_those_of_the_first_call(tf, defun):
    @defun(tf.float32)
    def dense(x):
        x.set_shape([None, 3])
        return tf.layers.dense(x, 5)

    a = tf.ones([2, 3])
    with tf.variable_scope("s"):
        dense(a)
    dense(a)
    assert [v.name for v in tf.trainable_variables()] == ["s/dense/kernel:0", "s/dense/bias:0"]


def test_captured_inputs_and_stateful_operations(tf, defun):
    b = tf.ones([3], name="b")
    noisy = defun(tf.float32)(lambda x: x * b + tf.random_uniform([3]))
    assert [t.name for t in noisy.captured_inputs] == ["b:0"]
    assert [kind for _, kind in noisy.stateful_ops] == ["RandomUniform"]
    with pytest.raises(ValueError, match="Expected number of arguments: 2, received: 1"):
        noisy()


def test_gradients_reach_every_argument(tf, defun):
    a, b = tf.ones([2, 3]), tf.ones([3])
    first = defun(tf.float32, tf.float32)(lambda x, y: tf.log(x))
    assert [g.shape.as_list() for g in tf.gradients(first(a, b), [a, b])] == [[2, 3], [3]]
    own = defun(tf.float32, python_grad_func=lambda op, grad: grad * 2)(lambda x: tf.round(x))
    assert tf.gradients(own(a), a)[0].shape.as_list() == [2, 3]


def test_overloaded_and_without_results(tf, defun):
    product = defun()(lambda x, y: tf.matmul(x, y))
    assert product(tf.ones([2, 3], tf.float64), tf.ones([3, 4], tf.float64)).dtype == tf.float64
    nothing = defun(tf.float32)(lambda x: None)
    assert isinstance(nothing(tf.ones([2])), tf.Operation)


def test_suspects_in_a_body(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(textwrap.dedent("""\
        import tensorflow as tf
        from tensorflow.python.framework import function

        @function.Defun(tf.float32)
        def entropy(x):
            return tf.log(tf.nn.softmax(x))

        a = tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_sum(entropy(a))
        with tf.Session() as session:
            session.run(loss, {a: [[1., 2., 300.]]})
        """))
    done = subprocess.run(command("numeric", script.name), cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert "train.py:6: operand 0 of Log" in done.stdout
