"""What raw ops keep beside a variant: the dtype and shape of a CSR sparse matrix, in both modes."""
import pytest

import shapeflow as tf
from shapeflow import raw_ops

pytestmark = pytest.mark.usefixtures("tf2")


def matrix(dtype=tf.float32):
    return raw_ops.SparseTensorToCSRSparseMatrix(
        indices=tf.constant([[0, 1]], tf.int64), values=tf.ones([1], dtype),
        dense_shape=tf.constant([2, 3], tf.int64))


def product(a):
    b = raw_ops.SparseMatrixTranspose(input=matrix(), type=tf.float32)
    return raw_ops.SparseMatrixSparseMatMul(a=a, b=b, type=tf.float32)


def test_a_sparse_matrix_is_as_large_as_what_it_was_made_of():
    assert raw_ops.CSRSparseMatrixToDense(sparse_input=product(matrix()), type=tf.float32).shape == [2, 2]
    with tf.Graph().as_default():
        assert raw_ops.CSRSparseMatrixToDense(sparse_input=product(matrix()), type=tf.float32).shape == [2, 2]


def test_a_sparse_matrix_of_another_dtype_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="of type float but saw dtype: double"):
        raw_ops.CSRSparseMatrixToDense(sparse_input=matrix(tf.float64), type=tf.float32)
    with tf.Graph().as_default():  # the kernel's to say: only a finding there
        raw_ops.CSRSparseMatrixToDense(sparse_input=matrix(tf.float64), type=tf.float32)
