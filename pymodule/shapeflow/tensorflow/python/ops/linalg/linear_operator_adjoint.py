"""tf.linalg.LinearOperatorAdjoint.

Source: tensorflow/python/ops/linalg/linear_operator_adjoint.py.
"""
from __future__ import annotations

from typing import Any, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator


@export("tf.linalg.LinearOperatorAdjoint", "tf.contrib.linalg.LinearOperatorAdjoint", v2=True)
class LinearOperatorAdjoint(LinearOperator):
    """Another operator, turned over."""

    def __init__(self, operator: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: Optional[str] = None) -> None:
        parameters = {"operator": operator, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operator = operator
        own = {"is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
               "is_positive_definite": is_positive_definite, "is_square": is_square}
        super().__init__(operator.dtype, None, name=name or operator.name + "_adjoint",
                         parameters=parameters, **hints_like(operator, own, "adjoint"))

    operator = property(lambda self: self._operator)

    def _shape(self) -> Any:
        shape = self._operator.shape
        return shape if shape.ndims is None else shape[:-2].concatenate([shape.dims[-1], shape.dims[-2]])

    def _linop_adjoint(self) -> Any:
        return self._operator


def hints_like(operator: object, own: Any, what: str) -> Any:
    """The hints of an operator for its adjoint or inverse, where those given do not contradict them."""
    found = {}
    for name, hint in own.items():
        theirs = getattr(operator, name)
        if hint is not None and theirs is not None and hint != theirs:
            word = name[len("is_"):].replace("_", "-")
            raise ValueError("An operator is %s if and only if its %s is %s." % (word, what, word))
        found[name] = theirs if hint is None else hint
    return found
