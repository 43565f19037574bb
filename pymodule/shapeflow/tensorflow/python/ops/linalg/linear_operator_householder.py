"""tf.linalg.LinearOperatorHouseholder.

Source: tensorflow/python/ops/linalg/linear_operator_householder.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept


@export("tf.linalg.LinearOperatorHouseholder", v2=True)
class LinearOperatorHouseholder(LinearOperator):
    """A reflection: its own adjoint and inverse."""

    _MATRIX_AXES = {"reflection_axis": 1}

    def __init__(self, reflection_axis: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorHouseholder") -> None:
        parameters = {"reflection_axis": reflection_axis, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._reflection_axis = kept(reflection_axis, "reflection_axis")
        if self._reflection_axis.get_shape().ndims == 0:
            raise ValueError("Argument reflection_axis must have at least 1 dimension.  Found: %s"
                             % self._reflection_axis)
        for hint, wanted, complaint in (
                (is_self_adjoint, True, "A Householder operator is always self adjoint."),
                (is_positive_definite, False, "A Householder operator is always non-positive definite."),
                (is_square, True, "A Householder operator is always square.")):
            if hint is not None and bool(hint) != wanted:
                raise ValueError(complaint)
        super().__init__(self._reflection_axis.dtype, None, is_non_singular, True, False, True, name,
                         parameters)

    reflection_axis = property(lambda self: self._reflection_axis)

    def _shape(self) -> Any:
        shape = self._reflection_axis.get_shape()
        return shape if shape.ndims is None else shape.concatenate(shape[-1:])

    def _linop_adjoint(self) -> LinearOperatorHouseholder:
        return self

    _linop_inverse = _linop_adjoint
