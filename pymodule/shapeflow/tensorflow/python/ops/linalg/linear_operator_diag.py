"""tf.linalg.LinearOperatorDiag.

Source: tensorflow/python/ops/linalg/linear_operator_diag.py.
"""
from __future__ import annotations

from typing import Any, Dict, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import (
    LinearOperator,
    kept,
    product_is_non_singular,
)


@export("tf.linalg.LinearOperatorDiag", "tf.contrib.linalg.LinearOperatorDiag", v2=True)
class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix."""

    _MATRIX_AXES = {"diag": 1}

    def __init__(self, diag: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorDiag") -> None:
        parameters = {"diag": diag, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square, "name": name}
        self._diag = kept(diag, "diag")
        if self._diag.get_shape().ndims == 0:
            raise ValueError("Argument diag must have at least 1 dimension.  Found: %s" % self._diag)
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(self._diag.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         True, name, parameters)

    diag = property(lambda self: self._diag)

    def _shape(self) -> Any:
        shape = self._diag.get_shape()
        return shape if shape.ndims is None else shape.concatenate(shape[-1:])

    def _matmul(self, x: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return tf.expand_dims(self._diag, -1) * (tf.linalg.adjoint(x) if adjoint_arg else x)

    def _solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _diag_part(self) -> Any:
        return self._diag

    def _eigvals(self) -> Any:
        return framework_lib.convert_to_tensor(self._diag)

    def _with(self, diag: object, **hints: object) -> LinearOperatorDiag:
        given: Dict[str, Any] = {**self._hints(), **hints, "is_square": True}
        return LinearOperatorDiag(diag, **given)

    def _linop_adjoint(self) -> LinearOperatorDiag:
        return self._with(tf.conj(self._diag))

    def _linop_inverse(self) -> LinearOperatorDiag:
        return self._with(1.0 / self._diag)

    def _linop_cholesky(self) -> LinearOperatorDiag:
        return self._with(tf.sqrt(self._diag))

    def _linop_matmul(self, left: Any, right: Any) -> Any:
        if isinstance(right, LinearOperatorDiag):
            return _of_both(left, right, left.diag * right.diag)
        return super()._linop_matmul(left, right)

    def _linop_solve(self, left: Any, right: Any) -> Any:
        if isinstance(right, LinearOperatorDiag):
            return _of_both(left, right, right.diag / left.diag)
        return super()._linop_solve(left, right)


def _of_both(left: Any, right: Any, diag: object) -> LinearOperatorDiag:
    definite = all((left.is_positive_definite, left.is_self_adjoint, right.is_positive_definite,
                    right.is_self_adjoint))
    return LinearOperatorDiag(diag, is_non_singular=product_is_non_singular(left, right),
                              is_positive_definite=True if definite else None, is_square=True)
