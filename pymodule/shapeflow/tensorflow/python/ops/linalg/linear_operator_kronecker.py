"""tf.linalg.LinearOperatorKronecker.

Source: tensorflow/python/ops/linalg/linear_operator_kronecker.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast
from shapeflow.tensorflow.python.ops.linalg.linear_operator_composition import hint_of_all, parts_of


@export("tf.linalg.LinearOperatorKronecker", "tf.contrib.linalg.LinearOperatorKronecker", v2=True)
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators."""

    def __init__(self, operators: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: Optional[str] = None) -> None:
        parameters = {"operators": operators, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operators = parts_of(
            operators, "Argument `operators` must be a list of >=1 operators. Received: %s.")
        hints = {"is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                 "is_positive_definite": is_positive_definite}
        super().__init__(
            self._operators[0].dtype, None, is_square=is_square, parameters=parameters,
            name=name or "_x_".join(one.name for one in self._operators),
            **{key: hint_of_all(self._operators, key, own, "Kronecker product")
               for key, own in hints.items()})

    operators = property(lambda self: self._operators)

    def _shape(self) -> Any:
        rows, columns = self._operators[0].range_dimension, self._operators[0].domain_dimension
        for one in self._operators[1:]:
            rows, columns = rows * one.range_dimension, columns * one.domain_dimension
        batch = broadcast(*(one.batch_shape for one in self._operators))
        return batch.concatenate([rows, columns])

    def _of(self, parts: object) -> LinearOperatorKronecker:
        return LinearOperatorKronecker(parts, **self._hints())

    def _linop_adjoint(self) -> LinearOperatorKronecker:
        return self._of([one.adjoint() for one in self._operators])

    def _linop_inverse(self) -> LinearOperatorKronecker:
        return self._of([one.inverse() for one in self._operators])

    def _linop_cholesky(self) -> LinearOperatorKronecker:
        return LinearOperatorKronecker([one.cholesky() for one in self._operators], is_non_singular=True,
                                       is_square=True)
