"""tf.linalg.LinearOperatorInversion.

Source: tensorflow/python/ops/linalg/linear_operator_inversion.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator
from shapeflow.tensorflow.python.ops.linalg.linear_operator_adjoint import hints_like


@export("tf.linalg.LinearOperatorInversion", "tf.contrib.linalg.LinearOperatorInversion", v2=True)
class LinearOperatorInversion(LinearOperator):
    """The inverse of another operator."""

    def __init__(self, operator: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: Optional[str] = None) -> None:
        parameters = {"operator": operator, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operator = operator
        if operator.is_non_singular is False:
            raise ValueError("operator has is_non_singular=False.")
        if is_non_singular is False:
            raise ValueError("A inverse operator is always non-singular.")
        if is_square is False:
            raise ValueError("Only square inverses are supported.")
        own = {"is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite}
        super().__init__(operator.dtype, None, is_non_singular=True, is_square=True,
                         name=name or operator.name + "_inv", parameters=parameters,
                         **hints_like(operator, own, "inverse"))

    operator = property(lambda self: self._operator)

    def _shape(self) -> Any:
        return self._operator.shape

    def _linop_inverse(self) -> Any:
        return self._operator
