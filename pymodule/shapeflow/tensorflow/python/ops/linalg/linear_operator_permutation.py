"""tf.linalg.LinearOperatorPermutation.

Source: tensorflow/python/ops/linalg/linear_operator_permutation.py.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, kept


@export("tf.linalg.LinearOperatorPermutation", v2=True)
class LinearOperatorPermutation(LinearOperator):
    """Rows in another order."""

    _MATRIX_AXES = {"perm": 1}

    def __init__(self, perm: Any, dtype: Any = "float32", is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: str = "LinearOperatorPermutation") -> None:
        parameters = {"perm": perm, "dtype": dtype, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._perm = kept(perm, "perm")
        if self._perm.get_shape().ndims == 0:
            raise ValueError("Argument `perm` must have at least 1 dimension. Received: %s." % self._perm)
        if not self._perm.dtype.is_integer:
            raise TypeError("Argument `perm` must be integer dtype. Received: %s." % self._perm)
        static = framework_lib.constant_value(self._perm)
        if static is not None and np.any(np.sort(static, axis=-1) != np.arange(static.shape[-1])):
            raise ValueError("Argument `perm` must be a vector of unique integers from 0 to %d."
                             % (static.shape[-1] - 1))
        for hint, word in ((is_non_singular, "non-singular"), (is_square, "square")):
            if hint is False:
                raise ValueError("A Permutation operator is always %s. Expected argument `is_%s` to be "
                                 "True. Received: False." % (word, word.replace("-", "_")))
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name,
                         parameters)

    perm = property(lambda self: self._perm)

    def _shape(self) -> Any:
        shape = self._perm.get_shape()
        return shape if shape.ndims is None else shape.concatenate(shape[-1:])
