"""tf.linalg.LinearOperatorZeros.

Source: tensorflow/python/ops/linalg/linear_operator_zeros.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator
from shapeflow.tensorflow.python.ops.linalg.linear_operator_identity import batch_of, count_of


@export("tf.linalg.LinearOperatorZeros", "tf.contrib.linalg.LinearOperatorZeros", v2=True)
class LinearOperatorZeros(LinearOperator):
    """Nothing but zeros."""

    def __init__(self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = None,
                 is_non_singular: Optional[bool] = False, is_self_adjoint: Optional[bool] = True,
                 is_positive_definite: Optional[bool] = False, is_square: Optional[bool] = True,
                 assert_proper_shapes: bool = False, name: str = "LinearOperatorZeros") -> None:
        parameters = {"num_rows": num_rows, "num_columns": num_columns, "batch_shape": batch_shape,
                      "dtype": dtype, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "assert_proper_shapes": assert_proper_shapes, "name": name}
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        super().__init__(dtype or "float32", None, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name, parameters)
        rows = count_of(num_rows, "num_rows")
        columns = rows if num_columns is None else count_of(num_columns, "num_columns")
        if is_square and rows.value is not None and columns.value is not None and rows != columns:
            raise ValueError("LinearOperatorZeros initialized as is_square=True, but got num_rows(%s) != "
                             "num_columns(%s)" % (rows.value, columns.value))
        self._own_shape = batch_of(batch_shape).concatenate([rows, columns])

    def _shape(self) -> Any:
        return self._own_shape
