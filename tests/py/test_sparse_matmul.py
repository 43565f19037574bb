"""tf.sparse.sparse_dense_matmul, either matrix sparse, as TensorFlow 2.21 answers."""
import pytest


@pytest.mark.parametrize("first, second, adjoint_a, adjoint_b", [
    ((2, 3), (3, 5), False, False), ((3, 2), (3, 5), True, False), ((2, 3), (5, 3), False, True),
    ((3, 2), (5, 3), True, True)])
@pytest.mark.parametrize("sparse", ["first", "second"])
def test_either_matrix_may_be_sparse(tf2, first, second, adjoint_a, adjoint_b, sparse):
    one, other = tf2.ones(first), tf2.ones(second)
    if sparse == "first":
        one = tf2.sparse.from_dense(one)
    else:
        other = tf2.sparse.from_dense(other)
    assert tf2.sparse.sparse_dense_matmul(one, other, adjoint_a, adjoint_b).shape == (2, 5)


def test_sizes_must_fit(tf2):
    with pytest.raises(tf2.errors.InvalidArgumentError, match="inner dimension does not match: 4 vs. 3"):
        tf2.sparse.sparse_dense_matmul(tf2.ones([2, 3]), tf2.sparse.from_dense(tf2.ones([4, 5])))
    with pytest.raises(TypeError, match="Input must be a SparseTensor"):
        tf2.sparse.sparse_dense_matmul(tf2.ones([2, 3]), tf2.ones([3, 5]))
