"""tf.linalg.LinearOperatorToeplitz.

Source: tensorflow/python/ops/linalg/linear_operator_toeplitz.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast, kept


@export("tf.linalg.LinearOperatorToeplitz", "tf.contrib.linalg.LinearOperatorToeplitz", v2=True)
class LinearOperatorToeplitz(LinearOperator):
    """The same number along each diagonal, given by the first column and row."""

    def __init__(self, col: Any, row: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorToeplitz") -> None:
        parameters = {"col": col, "row": row, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._row, self._col = kept(row, "row"), kept(col, "col")
        for word, tensor in (("row", self._row), ("col", self._col)):
            if tensor.get_shape().ndims == 0:
                raise ValueError("Argument %s must have at least 1 dimension.  Found: %s" % (word, tensor))
        sides = [one.get_shape()[-1:].as_list() for one in (self._row, self._col)
                 if one.get_shape().ndims is not None]
        if len(sides) == 2 and [None] not in sides and sides[0] != sides[1]:
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        super().__init__(self._row.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         True, name, parameters)

    _MATRIX_AXES = {"col": 1, "row": 1}
    col = property(lambda self: self._col)
    row = property(lambda self: self._row)

    def _shape(self) -> Any:
        shape = broadcast(self._row.get_shape(), self._col.get_shape())
        return shape if shape.ndims is None else shape.concatenate(shape[-1:])
