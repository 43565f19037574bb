"""tf.linalg.LinearOperatorLowerTriangular.

Source: tensorflow/python/ops/linalg/linear_operator_lower_triangular.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept


@export("tf.linalg.LinearOperatorLowerTriangular", "tf.contrib.linalg.LinearOperatorLowerTriangular",
        "tf.contrib.linalg.LinearOperatorTriL", v2=True)
class LinearOperatorLowerTriangular(LinearOperator):
    """A matrix of which what lies above its diagonal is ignored."""

    _MATRIX_AXES = {"tril": 2}

    def __init__(self, tril: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorLowerTriangular") -> None:
        parameters = {"tril": tril, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square, "name": name}
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = kept(tril, "tril")
        rank = self._tril.get_shape().ndims
        if rank is not None and rank < 2:
            raise ValueError("Argument tril must have at least 2 dimensions.  Found: %s" % self._tril)
        super().__init__(self._tril.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         True, name, parameters)

    tril = property(lambda self: self._tril)

    def _shape(self) -> Any:
        return self._tril.get_shape()

    def _matmul(self, x: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return tf.matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        return tf.linalg.triangular_solve(self._to_dense(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self) -> Any:
        return tf.matrix_band_part(self._tril, -1, 0)
