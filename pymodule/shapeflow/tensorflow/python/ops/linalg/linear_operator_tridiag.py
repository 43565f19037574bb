"""tf.linalg.LinearOperatorTridiag.

Source: tensorflow/python/ops/linalg/linear_operator_tridiag.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast, kept


@export("tf.linalg.LinearOperatorTridiag", "tf.contrib.linalg.LinearOperatorTridiag", v2=True)
class LinearOperatorTridiag(LinearOperator):
    """Three diagonals."""

    def __init__(self, diagonals: Any, diagonals_format: str = "compact",
                 is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorTridiag") -> None:
        parameters = {"diagonals": diagonals, "diagonals_format": diagonals_format,
                      "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square, "name": name}
        if diagonals_format not in ("compact", "matrix", "sequence"):
            raise ValueError("Argument `diagonals_format` must be one of compact, matrix, or sequence. "
                             "Received : %s." % diagonals_format)
        if diagonals_format == "sequence":
            self._diagonals: Any = [kept(one) for one in diagonals]
            dtype = self._diagonals[0].dtype
        else:
            self._diagonals = kept(diagonals, "diagonals")
            dtype = self._diagonals.dtype
        self._diagonals_format = diagonals_format
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                         name, parameters)

    diagonals = property(lambda self: self._diagonals)
    diagonals_format = property(lambda self: self._diagonals_format)

    def _shape(self) -> Any:
        if self._diagonals_format == "sequence":
            shapes = [one.get_shape() for one in self._diagonals]
            if any(one.ndims is None for one in shapes):
                return broadcast(*shapes)
            side = shapes[1][-1:]
            return broadcast(*(one[:-1] for one in shapes)).concatenate(side).concatenate(side)
        shape = self._diagonals.get_shape()
        if self._diagonals_format == "matrix" or shape.ndims is None:
            return shape
        return shape[:-2].concatenate(shape[-1:]).concatenate(shape[-1:])
