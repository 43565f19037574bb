"""Linear operators where tests/probes cannot ask TensorFlow: partly known shapes, gradients, graphs."""
import pytest
import shapeflow.compat.v1 as tf1

import shapeflow as tf

pytestmark = pytest.mark.usefixtures("tf2")


def test_a_batch_that_nobody_knows_keeps_its_sides():
    with tf1.Graph().as_default():
        operator = tf1.linalg.LinearOperatorDiag(tf1.placeholder("float32", [None, 3]))
        assert operator.shape.as_list() == [None, 3, 3]
        assert operator.matmul(tf1.ones([3, 2])).shape.as_list() == [None, 3, 2]


def test_gradients_reach_what_an_operator_is_made_of():
    scale, factor = tf.Variable(tf.ones([3])), tf.Variable(tf.ones([2, 2]))
    with tf.GradientTape() as tape:
        operator = tf.linalg.LinearOperatorKronecker([
            tf.linalg.LinearOperatorDiag(scale), tf.linalg.LinearOperatorFullMatrix(factor)])
        found = tf.reduce_sum(operator.solve(tf.ones([6, 1])))
    assert [one.shape.as_list() for one in tape.gradient(found, [scale, factor])] == [[3], [2, 2]]


def test_a_graph_of_version_1_takes_an_operator():
    with tf1.Graph().as_default():
        matrix = tf1.placeholder("float32", [None, 4, 4])
        operator = tf1.linalg.LinearOperatorLowerTriangular(matrix)
        found = operator.solvevec(tf1.ones([4]))
        assert found.shape.as_list() == [None, 4]
        with tf1.Session() as session:
            assert session.run(found, {matrix: tf1.Session().run(tf1.ones([2, 4, 4]))}).shape == (2, 4)


def test_a_class_of_the_script_says_its_shape_and_product():
    class Shift(tf.linalg.LinearOperator):
        def __init__(self, size):
            super().__init__(dtype=tf.float32, is_square=True)
            self._size = size

        def _shape(self):
            return tf.TensorShape([self._size, self._size])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return tf.roll(x, 1, -2)

    shift = Shift(3)
    assert (shift @ tf.ones([3, 2])).shape == [3, 2]
    assert shift.to_dense().shape == [3, 3] and shift.is_square
    with pytest.raises(ValueError, match="Dimensions 3 and 4 are not compatible"):
        shift.matmul(tf.ones([4, 2]))
