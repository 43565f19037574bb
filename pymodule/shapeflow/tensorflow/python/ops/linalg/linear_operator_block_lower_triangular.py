"""tf.linalg.LinearOperatorBlockLowerTriangular.

Source: tensorflow/python/ops/linalg/linear_operator_block_lower_triangular.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast
from shapeflow.tensorflow.python.ops.linalg.linear_operator_block_diag import apply_to_blocks


@export("tf.linalg.LinearOperatorBlockLowerTriangular", v2=True)
class LinearOperatorBlockLowerTriangular(LinearOperator):
    """Rows of operators, each one block longer than the one above it."""

    def __init__(self, operators: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorBlockLowerTriangular") -> None:
        parameters = {"operators": operators, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operators = [list(row) for row in operators]
        if not self._operators:
            raise ValueError("Argument `operators` must be a list of >=1 operators. Received: []")
        for i, row in enumerate(self._operators):
            if len(row) != i + 1:
                raise ValueError("Argument `operators[%d]` must contain `%d` blocks. Received: %d blocks."
                                 % (i, i + 1, len(row)))
            for j in range(i):
                self._check_beside(i, j)
        if is_square is False:
            raise ValueError("`LinearOperatorBlockLowerTriangular` must be square. Expected argument "
                             "`is_square` to be True. Received: False.")
        self._diagonal = [row[-1] for row in self._operators]
        if is_non_singular is None and all(one.is_non_singular for one in self._diagonal):
            is_non_singular = True
        super().__init__(self._operators[0][0].dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, True, name, parameters)

    operators = property(lambda self: self._operators)

    def _check_beside(self, i: int, j: int) -> None:
        one, above, right = self._operators[i][j], self._operators[i - 1][j], self._operators[i][j + 1]
        for side, other, place in (("domain", above, (i - 1, j)), ("range", right, (i, j + 1))):
            name = side + "_dimension"
            if (getattr(one, name) != getattr(other, name)) is True:
                raise ValueError(
                    "Argument `operators[%d][%d].%s` (%s) must be the same as `operators[%d][%d].%s` (%s)."
                    % (i, j, name, getattr(one, name), *place, name, getattr(other, name)))

    def _block_dimensions(self, adjoint: bool) -> Any:
        return [one.domain_dimension if adjoint else one.range_dimension for one in self._diagonal]

    def _shape(self) -> Any:
        batch = broadcast(*(one.batch_shape for row in self._operators for one in row))
        return batch.concatenate([sum(self._block_dimensions(False)), sum(self._block_dimensions(True))])

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        above = super().matmul
        return apply_to_blocks(self, x, adjoint, lambda x: above(x, adjoint, adjoint_arg))

    def solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False,
              name: str = "solve") -> Any:
        above = super().solve
        return apply_to_blocks(self, rhs, not adjoint, lambda x: above(x, adjoint, adjoint_arg))
