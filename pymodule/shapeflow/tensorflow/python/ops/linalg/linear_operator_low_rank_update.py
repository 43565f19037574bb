"""tf.linalg.LinearOperatorLowRankUpdate.

Source: tensorflow/python/ops/linalg/linear_operator_low_rank_update.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast, kept
from shapeflow.tensorflow.python.ops.linalg.linear_operator_diag import LinearOperatorDiag
from shapeflow.tensorflow.python.ops.linalg.linear_operator_identity import LinearOperatorIdentity


@export("tf.linalg.LinearOperatorLowRankUpdate", "tf.contrib.linalg.LinearOperatorLowRankUpdate",
        "tf.contrib.linalg.LinearOperatorUDVHUpdate", v2=True)
class LinearOperatorLowRankUpdate(LinearOperator):
    """Another operator and the product of two narrow matrices."""

    def __init__(self, base_operator: Any, u: Any, diag_update: Any = None, v: Any = None,
                 is_diag_update_positive: Optional[bool] = None, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None, name: str = "LinearOperatorLowRankUpdate") -> None:
        parameters = {"base_operator": base_operator, "u": u, "diag_update": diag_update, "v": v,
                      "is_diag_update_positive": is_diag_update_positive,
                      "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                      "is_positive_definite": is_positive_definite, "is_square": is_square, "name": name}
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Default diagonal is the identity, which is positive.  However, user set "
                                 "'is_diag_update_positive' to False.")
            is_diag_update_positive = True
        symmetric = base_operator.is_self_adjoint and v is None
        if symmetric and not base_operator.dtype.is_complex:
            is_self_adjoint = _implied(is_self_adjoint)
        if symmetric and base_operator.is_positive_definite and is_diag_update_positive:
            is_positive_definite = _implied(is_positive_definite)
            is_self_adjoint = _implied(is_self_adjoint)
        self._base_operator = base_operator
        self._u = kept(u, "u")
        self._v = self._u if v is None else kept(v, "v")
        self._diag_update = None if diag_update is None else kept(diag_update, "diag_update")
        self._is_diag_update_positive = is_diag_update_positive
        super().__init__(base_operator.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name, parameters)
        self._check_shapes()

    u = property(lambda self: self._u)
    v = property(lambda self: self._v)
    diag_update = property(lambda self: self._diag_update)
    base_operator = property(lambda self: self._base_operator)
    is_diag_update_positive = property(lambda self: self._is_diag_update_positive)

    @property
    def diag_operator(self) -> Any:
        if self._diag_update is None:
            return LinearOperatorIdentity(self._u.get_shape()[-1], dtype=self.dtype)
        return LinearOperatorDiag(self._diag_update, is_positive_definite=self._is_diag_update_positive)

    def _check_shapes(self) -> None:
        narrow = broadcast(self._u.get_shape(), self._v.get_shape())
        if narrow.ndims is None:
            return
        broadcast(self._base_operator.batch_shape, narrow[:-2])
        self._base_operator.domain_dimension.assert_is_compatible_with(narrow.dims[-2])
        if self._diag_update is not None and self._diag_update.get_shape().ndims is not None:
            narrow.dims[-1].assert_is_compatible_with(self._diag_update.get_shape().dims[-1])

    def _shape(self) -> Any:
        batches = [self._base_operator.batch_shape, self._u.get_shape()[:-2], self._v.get_shape()[:-2]]
        if self._diag_update is not None:
            batches.append(self._diag_update.get_shape()[:-1])
        return broadcast(*batches).concatenate(self._base_operator.shape[-2:])


def _implied(hint: Optional[bool]) -> bool:
    if hint is False:
        raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
    return True
