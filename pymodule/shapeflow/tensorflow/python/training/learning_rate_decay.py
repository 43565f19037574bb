"""Learning-rate schedules of tf.train.

Source: tensorflow/python/training/learning_rate_decay.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def _rate(learning_rate: Any, global_step: Any, name: str, compute: Any) -> Any:
    """The schedule's scalar: computed from the step in the graph, as TensorFlow does."""
    if global_step is None:
        raise ValueError("global_step is required for %s." % name)
    if _core.executing_eagerly():
        return lambda: compute(framework_lib.convert_to_tensor(learning_rate),
                               framework_lib.convert_to_tensor(global_step))
    with framework_lib.name_scope(name):
        rate = framework_lib.convert_to_tensor(learning_rate, None, "learning_rate")
        return compute(rate, tf.cast(global_step, rate.dtype))


@export("tf.train.exponential_decay")
def exponential_decay(learning_rate: object, global_step: object, decay_steps: Any, decay_rate: Any,
                      staircase: bool = False, name: Optional[str] = None) -> Any:
    def compute(rate: Any, step: Any) -> Any:
        p = step / tf.cast(decay_steps, rate.dtype)
        return rate * tf.pow(tf.cast(decay_rate, rate.dtype), tf.floor(p) if staircase else p)

    return _rate(learning_rate, global_step, name or "ExponentialDecay", compute)


def _plain_decay(export_name: str, scope: str) -> None:
    def decay(learning_rate: object, global_step: object, decay_steps: object, *args: object,
              name: Optional[str] = None, **kwargs: object) -> Any:
        return _rate(learning_rate, global_step, name or scope,
                     lambda rate, step: rate * (step / tf.cast(decay_steps, rate.dtype)))

    decay.__name__ = export_name
    export("tf.train." + export_name)(decay)


for _name, _scope in (("polynomial_decay", "PolynomialDecay"), ("natural_exp_decay", "NaturalExpDecay"),
                      ("inverse_time_decay", "InverseTimeDecay"), ("cosine_decay", "CosineDecay"),
                      ("linear_cosine_decay", "LinearCosineDecay"),
                      ("noisy_linear_cosine_decay", "NoisyLinearCosineDecay")):
    _plain_decay(_name, _scope)


@export("tf.train.cosine_decay_restarts")
def cosine_decay_restarts(learning_rate: object, global_step: object, first_decay_steps: object,
                          t_mul: float = 2.0, m_mul: float = 1.0, alpha: float = 0.0,
                          name: Optional[str] = None) -> Any:
    return _rate(learning_rate, global_step, name or "SGDRDecay",
                 lambda rate, step: rate * (step / tf.cast(first_decay_steps, rate.dtype)))


@export("tf.train.piecewise_constant", "tf.train.piecewise_constant_decay")
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: Optional[str] = None) -> Any:
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with framework_lib.name_scope(name, "PiecewiseConstant"):
        x = framework_lib.convert_to_tensor(x)
        stacked = tf.stack([framework_lib.convert_to_tensor(v) for v in values])
        below = [tf.cast(tf.greater(x, tf.cast(b, x.dtype.base_dtype)), _core.as_dtype("int32"))
                 for b in boundaries]
        index = tf.add_n(below) if below else tf.constant(0)
        return tf.gather(stacked, index)
