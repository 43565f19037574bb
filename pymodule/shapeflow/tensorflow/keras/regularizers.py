"""tf.keras.regularizers and tf.keras.constraints of TensorFlow 1. A constraint changes no shape.

Source: tensorflow/python/keras/{regularizers,constraints}.py (1.15).
"""
from __future__ import annotations

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

_REGULARIZERS, _CONSTRAINTS = "tf.keras.regularizers.", "tf.keras.constraints."


@export(_REGULARIZERS + "Regularizer")
class Regularizer:
    """tf.keras.regularizers.Regularizer"""

    def __call__(self, x: object) -> float:
        return 0.0

    @classmethod
    def from_config(cls, config: Dict[str, object]) -> Regularizer:
        return cls(**config)


@export(_REGULARIZERS + "L1L2")
class L1L2(Regularizer):
    """tf.keras.regularizers.L1L2"""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = l1, l2

    def __call__(self, x: object) -> Any:
        found: Any = 0.0
        if self.l1:
            found = found + tf.reduce_sum(self.l1 * tf.abs(x))
        if self.l2:
            found = found + tf.reduce_sum(self.l2 * tf.square(x))
        return found if self.l1 or self.l2 else tf.constant(0.0)

    def get_config(self) -> Dict[str, Any]:
        return {"l1": self.l1, "l2": self.l2}


@export(_REGULARIZERS + "l1")
def l1(l: float = 0.01) -> L1L2:  # noqa: E741
    return L1L2(l1=l)


@export(_REGULARIZERS + "l2")
def l2(l: float = 0.01) -> L1L2:  # noqa: E741
    return L1L2(l2=l)


@export(_REGULARIZERS + "l1_l2")
def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    return L1L2(l1=l1, l2=l2)


@export(_CONSTRAINTS + "Constraint")
class Constraint:
    """tf.keras.constraints.Constraint"""

    def __call__(self, w: object) -> Any:
        return w

    def get_config(self) -> Dict[str, Any]:
        return {}


class MaxNorm(Constraint):
    def __init__(self, max_value: Any = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def get_config(self) -> Dict[str, Any]:
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    pass


class UnitNorm(Constraint):
    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def get_config(self) -> Dict[str, Any]:
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    def __init__(self, min_value: Any = 0.0, max_value: Any = 1.0, rate: Any = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def get_config(self) -> Dict[str, Any]:
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate,
                "axis": self.axis}


class RadialConstraint(Constraint):
    pass


for _class, _short in ((MaxNorm, "max_norm"), (NonNeg, "non_neg"), (UnitNorm, "unit_norm"),
                       (MinMaxNorm, "min_max_norm"), (RadialConstraint, "radial_constraint")):
    put(_class, _CONSTRAINTS + _class.__name__, _CONSTRAINTS + _short)
