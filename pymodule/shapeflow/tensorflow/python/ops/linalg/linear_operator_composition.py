"""tf.linalg.LinearOperatorComposition.

Source: tensorflow/python/ops/linalg/linear_operator_composition.py.
"""
from __future__ import annotations

from typing import Any, List, Optional

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.ops.linalg.linear_operator import LinearOperator, broadcast


def parts_of(operators: Any, complaint: str) -> List[Any]:
    """A list of operators of one dtype."""
    found = list(operators)
    if not found:
        raise ValueError(complaint % found)
    if any(one.dtype != found[0].dtype for one in found):
        raise TypeError("Expected all operators to have the same dtype.  Found %s" % "   ".join(
            str((one.name, one.dtype)) for one in found))
    return found


def hint_of_all(operators: Any, name: str, own: Optional[bool], whole: str) -> Optional[bool]:
    """True when all the operators have the property, whatever was said of the whole."""
    if not all(getattr(one, name) for one in operators):
        return own
    if own is False:
        word = name[len("is_"):].replace("_", "-")
        raise ValueError("The %s of %s operators is always %s." % (whole, word, word))
    return True


@export("tf.linalg.LinearOperatorComposition", "tf.contrib.linalg.LinearOperatorComposition", v2=True)
class LinearOperatorComposition(LinearOperator):
    """One operator after the other: their product."""

    def __init__(self, operators: Any, is_non_singular: Optional[bool] = None,
                 is_self_adjoint: Optional[bool] = None, is_positive_definite: Optional[bool] = None,
                 is_square: Optional[bool] = None,
                 name: Optional[str] = None) -> None:
        parameters = {"operators": operators, "is_non_singular": is_non_singular,
                      "is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite,
                      "is_square": is_square, "name": name}
        self._operators = parts_of(operators, "Expected a non-empty list of operators. Found: %s")
        is_non_singular = hint_of_all(self._operators, "is_non_singular", is_non_singular, "composition")
        super().__init__(self._operators[0].dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square,
                         name or "_o_".join(one.name for one in self._operators), parameters)
        self._shape()  # the sides that meet must fit

    operators = property(lambda self: self._operators)

    def _shape(self) -> Any:
        first, last = self._operators[0], self._operators[-1]
        for one, following in zip(self._operators, self._operators[1:]):
            one.domain_dimension.assert_is_compatible_with(following.range_dimension)
        batch = broadcast(*(one.batch_shape for one in self._operators))
        return batch.concatenate([first.range_dimension, last.domain_dimension])

    def _matmul(self, x: object, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = self._operators if adjoint else self._operators[::-1]
        found = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            found = operator.matmul(found, adjoint=adjoint)
        return framework_lib.convert_to_tensor(found)
