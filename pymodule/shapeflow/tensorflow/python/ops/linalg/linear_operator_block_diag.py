"""tf.linalg.LinearOperatorBlockDiag.

Source: tensorflow/python/ops/linalg/linear_operator_block_diag.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast
from shapeflow.tensorflow.python.ops.linalg.linear_operator_composition import hint_of_all, parts_of


def apply_to_blocks(operator: Any, x: Any, adjoint: bool, apply: Any) -> Any:
    """A list of operands, one for each block, is worked on as one; it comes back as a list."""
    if not isinstance(x, (list, tuple)) or not x or isinstance(x[0], (int, float, list, tuple)):
        return apply(x)
    whole = apply(tf.concat([tf.convert_to_tensor(one) for one in x], axis=-2))
    sizes = [dim.value for dim in operator._block_dimensions(adjoint)]
    return list(tf.split(whole, sizes, axis=-2)) if None not in sizes else [
        operator._made(None, whole) for _ in sizes]


@export("tf.linalg.LinearOperatorBlockDiag", "tf.contrib.linalg.LinearOperatorBlockDiag", v2=True)
class LinearOperatorBlockDiag(LinearOperator):
    """Operators along the diagonal."""

    def __init__(self, operators: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = True,
                 name: Optional[str] = None) -> None:
        parameters = {"operators": operators, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operators = parts_of(operators, "Expected a non-empty list of operators. Found: %s")
        hints = {"is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                 "is_positive_definite": is_positive_definite}
        super().__init__(
            self._operators[0].dtype, None, is_square=is_square, parameters=parameters,
            name=name or "_ds_".join(one.name for one in self._operators),
            **{key: hint_of_all(self._operators, key, own, "direct sum") for key, own in hints.items()})

    operators = property(lambda self: self._operators)

    def _block_dimensions(self, adjoint: bool) -> Any:
        return [one.domain_dimension if adjoint else one.range_dimension for one in self._operators]

    def _shape(self) -> Any:
        rows = sum(one.range_dimension for one in self._operators)
        columns = sum(one.domain_dimension for one in self._operators)
        batch = broadcast(*(one.batch_shape for one in self._operators))
        return batch.concatenate([rows, columns])

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        above = super().matmul
        return apply_to_blocks(self, x, adjoint, lambda x: above(x, adjoint, adjoint_arg))

    def solve(self, rhs: object, adjoint: bool = False, adjoint_arg: bool = False,
              name: str = "solve") -> Any:
        above = super().solve
        return apply_to_blocks(self, rhs, not adjoint, lambda x: above(x, adjoint, adjoint_arg))

    def _linop_adjoint(self) -> LinearOperatorBlockDiag:
        return LinearOperatorBlockDiag([one.adjoint() for one in self._operators], **self._hints())

    def _linop_inverse(self) -> LinearOperatorBlockDiag:
        return LinearOperatorBlockDiag([one.inverse() for one in self._operators], **self._hints())

    def _linop_cholesky(self) -> LinearOperatorBlockDiag:
        return LinearOperatorBlockDiag([one.cholesky() for one in self._operators], is_non_singular=True,
                                       is_square=True)
