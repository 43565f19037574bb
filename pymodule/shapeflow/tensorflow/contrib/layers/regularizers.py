"""tf.contrib.layers: regularizers of weights."""
from __future__ import annotations

import numbers

from shapeflow.tensorflow.contrib.layers.layers import (
    both,
)
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def _check_scale(scale: object, name: str = "scale") -> None:
    if isinstance(scale, numbers.Integral):
        raise ValueError("%s cannot be an integer: %s" % (name, scale))


def _penalty(scale: Any, scope: Any, default: str, measure: Any, end: str) -> Any:
    _check_scale(scale)
    if isinstance(scale, numbers.Real):
        if scale < 0.:
            raise ValueError("Setting a scale less than 0 on a regularizer: %g%s" % (scale, end))
        if scale == 0.:
            return lambda _: None

    def penalty(weights: Any, name: Optional[str] = None) -> Any:
        with framework_lib.name_scope(scope, default, [weights]) as name:
            factor = framework_lib.convert_to_tensor(scale, weights.dtype.base_dtype, name="scale")
            return tf.multiply(factor, measure(weights), name=name)

    return penalty


@both("l1_regularizer")
def l1_regularizer(scale: object, scope: Optional[str] = None) -> Any:
    return _penalty(scale, scope, "l1_regularizer", lambda w: tf.reduce_sum(tf.abs(w)), "")


@both("l2_regularizer")
def l2_regularizer(scale: object, scope: Optional[str] = None) -> Any:
    return _penalty(scale, scope, "l2_regularizer", lambda w: tf.nn.l2_loss(w), ".")


@both("l1_l2_regularizer")
def l1_l2_regularizer(scale_l1: object = 1.0, scale_l2: object = 1.0, scope: Optional[str] = None) -> Any:
    _check_scale(scale_l1, "scale_l1")
    _check_scale(scale_l2, "scale_l2")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


@both("sum_regularizer")
def sum_regularizer(regularizer_list: Any, scope: Optional[str] = None) -> Any:
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def total(weights: Any) -> Any:
        with framework_lib.name_scope(scope, "sum_regularizer", [weights]) as name:
            parts = [p for p in (r(weights) for r in regularizers) if p is not None]
            return tf.add_n(parts, name=name) if parts else None

    return total


@both("apply_regularization")
def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    graph = get_default_graph()
    weights_list = weights_list or graph.get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with framework_lib.name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(w) for w in weights_list]
        penalties = [p if p is not None else tf.constant(0.0) for p in penalties]
        for penalty in penalties:
            if penalty.get_shape().ndims not in (0, None):
                raise fail("SF102", "regularizer must return a scalar Tensor instead of a Tensor with "
                           "rank {int}.", penalty.get_shape().ndims)
        total = tf.add_n(penalties, name=scope)
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total
