"""tf.ConditionalAccumulator and the sparse one: what TensorFlow 0.12, 1.8, 1.15 and 2.21 gave or said,
each asked with the same script."""
import numpy as np
import pytest

from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

# Version, the op that holds the gradients, the dtype of what stands for it, what the other ops begin with.
VERSIONS = [
    ("0.12.1", "ConditionalAccumulator", "string_ref", "Accumulator"),
    ("1.8.0", "ConditionalAccumulator", "string_ref", "Accumulator"),
    ("1.15.0", "ResourceConditionalAccumulator", "resource", "ResourceAccumulator"),
]
# What is applied to an accumulator of a shape; "" where it is taken.
DENSE = [
    ("[2, 3]", "tf.ones([2, 3])", ""),
    ("[2, 3]", "np.zeros([2, 3], 'float32'), 3", ""),
    ("[2, 3]", "[[1., 2., 3.], [1., 2., 3.]], tf.constant(1, tf.int64), 'mine'", ""),
    ("[2, 3]", "tf.placeholder(tf.float32)", ""),
    ("[2, 3]", "tf.placeholder(tf.float32, [None, 3])", ""),
    ("[2, 3]", "tf.ones([2, 4])", "Shapes (2, 4) and (2, 3) are incompatible"),
    ("[2, 3]", "tf.ones([3])", "Shapes (3,) and (2, 3) are incompatible"),
    ("[2, 3]", "tf.ones([2, 3], tf.float64)", "Tensor conversion requested dtype float32 for"),
    ("[2, 3]", "tf.ones([2, 3]), tf.zeros([2], tf.int64)", "Shape must be rank 0 but is rank 1 for"),
    ("tf.TensorShape([None, 3])", "tf.ones([7, 3])", ""),
    ("tf.TensorShape([None, 3])", "tf.ones([7, 4])", "Shapes (7, 4) and (?, 3) are incompatible"),
    ("None", "tf.ones([5])", ""),
]
# TensorFlow refuses none of these before it runs; what cannot run is found.
SPARSE = [
    ("[0, 2], tf.ones([2, 3])", []),
    ("tf.constant([0, 2], tf.int64), tf.ones([2, 3]), [4, 3], 1", []),
    ("[0, 2], tf.placeholder(tf.float32)", []),
    ("[0, 2], tf.ones([2, 5])", ["SF107"]),
    ("[0, 2, 3], tf.ones([2, 3])", ["SF101"]),
]


def errors():
    return [f.code for f in _core.findings() if f.severity == "error"]


def given(tf, arguments):
    return eval(f"({arguments},)", {"tf": tf, "np": np})


@pytest.mark.parametrize("shape, arguments, message", DENSE)
def test_what_a_dense_one_takes(tf, shape, arguments, message):
    accumulator = tf.ConditionalAccumulator(tf.float32, *given(tf, shape), name="q")
    if message:
        with pytest.raises(ValueError) as refused:
            accumulator.apply_grad(*given(tf, arguments))
        assert str(refused.value).startswith(message)
        assert errors() or "dtype" in message
    else:
        assert accumulator.apply_grad(*given(tf, arguments)).type == "ResourceAccumulatorApplyGradient"
        assert errors() == []


def test_what_is_taken_has_the_declared_shape(tf):
    def taken(*shape):
        return tf.ConditionalAccumulator(tf.float32, *shape).take_grad(1).get_shape()

    assert taken([2, 3]).as_list() == [2, 3]
    assert taken(tf.TensorShape([None, 3])).as_list() == [None, 3]
    assert taken().ndims is None
    accumulator = tf.ConditionalAccumulator(tf.float64, (2,), "shared", "q", reduction_type="SUM")
    assert (accumulator.name, accumulator.dtype) == ("q", tf.float64)
    assert accumulator.take_grad(1, "t").name == "t:0"
    count = accumulator.num_accumulated()
    assert (count.name, count.dtype, count.shape) == ("q_NumAccumulated:0", tf.int32, [])
    assert accumulator.set_global_step(4).type == "ResourceAccumulatorSetGlobalStep"
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1"):
        accumulator.take_grad([1, 2])
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1"):
        accumulator.set_global_step([4, 5])
    with pytest.raises(ValueError, match="'reduction_type'.* 'MAX' not in"):
        tf.ConditionalAccumulator(tf.float32, [2], reduction_type="MAX")
    with pytest.raises(TypeError, match="unexpected keyword argument 'reduction'"):
        tf.ConditionalAccumulator(tf.float32, [2], reduction="MEAN")


@pytest.mark.parametrize("version, kind, dtype, prefix", VERSIONS)
def test_its_ops_are_those_of_the_version(tf, version, kind, dtype, prefix):
    version_detection.activate(version, "graph")
    accumulator = tf.ConditionalAccumulator(tf.float32, [2])
    held = accumulator.accumulator_ref
    assert (held.op.type, held.dtype.name) == (kind, dtype)
    assert accumulator.apply_grad(tf.ones([2])).type == prefix + "ApplyGradient"
    sparse = tf.SparseConditionalAccumulator(tf.float32, [4, 3])
    assert sparse.accumulator_ref.op.type == "SparseConditionalAccumulator"
    assert sparse.set_global_step(1).type == "AccumulatorSetGlobalStep"
    if version != "1.15.0":
        with pytest.raises(TypeError, match="reduction_type"):
            tf.ConditionalAccumulator(tf.float32, [2], reduction_type="SUM")


@pytest.mark.parametrize("arguments, found", SPARSE)
def test_a_sparse_one_looks_at_shapes_when_it_runs(tf, arguments, found):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, [4, 3])
    assert accumulator.apply_grad(*given(tf, arguments)).type == "SparseAccumulatorApplyGradient"
    assert errors() == found


def test_slices_go_in_and_come_out(tf):
    accumulator = tf.SparseConditionalAccumulator(tf.float32, [None, 3])
    assert accumulator.name == "sparse_conditional_accumulator"
    slices = tf.IndexedSlices(tf.ones([1, 3]), tf.constant([1]), tf.constant([4, 3]))
    assert accumulator.apply_indexed_slices_grad(slices, 2).type == "SparseAccumulatorApplyGradient"
    taken = accumulator.take_indexed_slices_grad(1)
    assert isinstance(taken, tf.IndexedSlices)
    assert taken.values.get_shape().as_list() == [None, 3] and taken.indices.dtype == tf.int64
    assert accumulator.take_grad(1)._fields == ("indices", "values", "shape")
    assert issubclass(tf.SparseConditionalAccumulator, tf.ConditionalAccumulatorBase)


def test_a_run_refuses_what_does_not_fit(tf):
    fed = tf.placeholder(tf.float32)
    dense = tf.ConditionalAccumulator(tf.float32, [2]).apply_grad(fed)
    sparse = tf.SparseConditionalAccumulator(tf.float32, [4, 3]).apply_grad([0, 2], fed)
    with tf.Session() as session:
        session.run(dense, {fed: np.zeros([2])})
        session.run(sparse, {fed: np.zeros([2, 3])})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected \[2\], got \[3\]"):
            session.run(dense, {fed: np.zeros([3])})
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected values dim 1 to be 3, got 5"):
            session.run(sparse, {fed: np.zeros([2, 5])})
