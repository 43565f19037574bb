"""What the search minimises: how far an operand is from what its operation does not take.

One function for each condition of a suspect; each is zero or below where the operation breaks, but for
rounding, and whether it broke is always read off the operation's own result.
Source: Yan et al., Exposing Numerical Bugs in Deep Learning via Gradient Back-Propagation, ESEC/FSE 2021,
table 1.
"""
from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List

    import numpy as np

_LOG_LARGEST = {"float16": 11.09, "bfloat16": 88.72, "float32": 88.73, "float64": 709.79}
_LEAST = 1e-37  # normal in float32
_EXPONENTIALS = ("Exp", "Expm1", "Sinh", "Cosh")
_ABOVE_ONE = ("Acosh",)  # takes what is at least one, not what is at most


class NoObjective(Exception):
    """Nothing can be searched for at this operation."""


def _zero(tf: Any, x: Any, op: str) -> Any:
    return tf.abs(x)


def _low(tf: object, x: Any, op: str) -> Any:
    return x + 1 if op in ("Log1p", "Xlog1py") else x


def _overflow(tf: Any, x: Any, op: str) -> Any:
    largest = _LOG_LARGEST.get(x.dtype.name, 88.73)
    if op in ("Sinh", "Cosh"):
        return largest - tf.abs(x)
    if op in _EXPONENTIALS:
        return largest - x
    return -tf.abs(x)


def _outside_one(tf: Any, x: Any, op: str) -> Any:
    return x - 1 if op in _ABOVE_ONE else 1 - tf.abs(x)


def _at_one(tf: Any, x: Any, op: str) -> Any:
    return tf.abs(1 - tf.abs(x))


def _pole(tf: Any, x: Any, op: str) -> Any:
    return tf.abs(x - tf.minimum(tf.stop_gradient(tf.round(x)), tf.zeros_like(x)))


def _singular(tf: Any, x: Any, op: str) -> Any:
    return tf.abs(tf.linalg.det(x))


_CONDITIONS: Dict[str, Callable[[Any, Any, str], object]] = {
    "zero": _zero, "negative": _low, "nonpositive": _low, "overflow": _overflow,
    "out_of_unit_interval": _outside_one, "at_unit_boundary": _at_one, "pole": _pole, "singular": _singular,
}


class Objective:
    """Tensors of one suspect. `distance`: of the nearest element; `loss`: of all samples, of which each goes
    its own way, and `nearest`: of the nearest alone, both steep near zero; `operand` and `inputs`: what it
    reads; `result`: where NaN or inf shows."""

    def __init__(self, tf: Any, operation: Any, suspect: Dict[str, Any], ys: List[Any]) -> None:
        condition = suspect["condition"]
        if condition not in _CONDITIONS:
            raise NoObjective(f"nothing to search for: {condition}")
        number = suspect["input"]
        if not 0 <= number < len(operation.inputs):
            raise NoObjective(f"{operation.type} has no input {number} in TensorFlow {tf.__version__}")
        self.operand = operation.inputs[number]
        if not self.operand.dtype.is_floating:
            raise NoObjective(f"its operand is {self.operand.dtype.base_dtype.name}, which holds no NaN")
        self.inputs = [x for x in operation.inputs if x.dtype.is_floating]
        if suspect["in_gradient"]:
            self.inputs, self.result = self._backward(tf, operation, number, ys)
        else:
            floating = [y for y in operation.outputs if y.dtype.is_floating]
            if not floating:
                raise NoObjective("its result holds no NaN")
            self.result = floating[0]
        x = self.operand
        if x.dtype.name in ("float16", "bfloat16"):
            x = tf.cast(x, tf.float32)
        each = _CONDITIONS[condition](tf, x, operation.type)
        self.distance = tf.reduce_min(each)
        self.loss = _by_sample(tf, _steep(tf, each))
        self.nearest = _steep(tf, self.distance)

    def _backward(self, tf: Any, operation: Any, number: int, ys: List[Any]) -> Any:
        """What comes back to the operation is finite, what it passes on is not."""
        result = operation.outputs[0]
        into = tf.gradients(ys, [result])[0] if ys else None
        if into is None:  # nobody derives by it in the program's own way: as if its sum were the loss
            passed_on = tf.gradients([result], [self.operand])[0]
            into = tf.ones_like(result)
        else:
            into = tf.convert_to_tensor(into)
            passed_on = tf.gradients([result], [self.operand], grad_ys=[into])[0]
        if passed_on is None:
            raise NoObjective(f"{operation.type} has no gradient by this operand")
        return [*self.inputs, into], tf.convert_to_tensor(passed_on)


def _steep(tf: Any, distance: Any) -> Any:
    """Its logarithm: of a probability near zero the slope is as small as itself, and vanishes before it."""
    return tf.log(tf.maximum(distance, 0) + _LEAST)


def height(distance: float) -> float:
    """What a slope of the logarithm is multiplied by for that of the distance, where that is above zero."""
    return distance + _LEAST


def _by_sample(tf: Any, each: Any) -> Any:
    rank = each.shape.ndims
    if rank is None or rank == 0:
        return tf.reduce_min(each)
    if rank == 1:
        return tf.reduce_sum(each)
    return tf.reduce_sum(tf.reduce_min(each, axis=list(range(1, rank))))


def broke(result: object, inputs: List[Any]) -> str:
    """"NaN", "inf" or "-inf", which the operation made of finite operands; "": it did not."""
    import numpy as np

    value = np.asarray(result, np.float64)
    if np.isfinite(value).all() or not all(np.isfinite(np.asarray(x, np.float64)).all() for x in inputs):
        return ""
    if np.isnan(value).any():
        return "NaN"
    return "inf" if (value == math.inf).any() else "-inf"


def rows_that_broke(result: object) -> np.ndarray:
    """Of the first axis."""
    import numpy as np

    value = np.asarray(result, np.float64)
    bad = ~np.isfinite(value)
    if bad.ndim == 0:
        return np.zeros(0, np.int64)
    return np.flatnonzero(bad.reshape(bad.shape[0], -1).any(axis=1))
