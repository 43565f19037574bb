"""tf.linalg.LinearOperatorFullMatrix.

Source: tensorflow/python/ops/linalg/linear_operator_full_matrix.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept

_DTYPES = ("float16", "float32", "float64", "complex64", "complex128")


@export("tf.linalg.LinearOperatorFullMatrix", "tf.contrib.linalg.LinearOperatorFullMatrix",
        "tf.contrib.linalg.LinearOperatorMatrix", v2=True)
class LinearOperatorFullMatrix(LinearOperator):
    """A matrix without structure."""

    _MATRIX_AXES = {"matrix": 2}

    def __init__(self, matrix: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorFullMatrix") -> None:
        parameters = {"matrix": matrix, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._matrix = kept(matrix, "matrix")
        dtype, rank = self._matrix.dtype.base_dtype, self._matrix.get_shape().ndims
        if dtype.name not in _DTYPES:
            raise TypeError("Argument `matrix` must have dtype in %s. Received: %s." % (
                [tf.as_dtype(name) for name in _DTYPES], dtype))
        if rank is not None and rank < 2:
            raise ValueError("Argument `matrix` must have at least 2 dimensions. Received: %s."
                             % self._matrix)
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name, parameters)

    matrix = property(lambda self: self._matrix)

    def _shape(self) -> Any:
        return self._matrix.get_shape()

    def _matmul(self, x: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return tf.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return framework_lib.convert_to_tensor(self._matrix)
