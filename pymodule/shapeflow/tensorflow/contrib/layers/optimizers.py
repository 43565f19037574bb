"""tf.contrib.layers.optimize_loss."""
from __future__ import annotations

from shapeflow.api.registry import put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.contrib.layers.layers import (
    both,
)
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.control_flow_ops import with_dependencies
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

OPTIMIZER_CLS_NAMES = {"Adagrad": "AdagradOptimizer", "Adam": "AdamOptimizer",
                       "Ftrl": "FtrlOptimizer", "Momentum": "MomentumOptimizer",
                       "RMSProp": "RMSPropOptimizer", "SGD": "GradientDescentOptimizer"}
put(OPTIMIZER_CLS_NAMES, "tf.contrib.layers.OPTIMIZER_CLS_NAMES",
    "tf.contrib.layers.optimizers.OPTIMIZER_CLS_NAMES")


@both("optimize_loss")
def optimize_loss(loss: Any, global_step: Any, learning_rate: object, optimizer: object,
                  gradient_noise_scale: object = None, gradient_multipliers: Any = None,
                  clip_gradients: object = None, learning_rate_decay_fn: Any = None,
                  update_ops: Any = None, variables: object = None, name: Optional[str] = None,
                  summaries: object = None, colocate_gradients_with_ops: bool = False,
                  increment_global_step: bool = True) -> Any:
    loss = framework_lib.convert_to_tensor(loss)
    if loss.get_shape().ndims not in (0, None):
        raise fail("SF102", "Tensor {name}:0 must be scalar", loss.op.name)
    graph = get_default_graph()
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if global_step is None:
            global_step = tf.train.get_global_step()
        if update_ops is None:
            update_ops = set(graph.get_collection(GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = with_dependencies(list(update_ops), loss)
        rate = learning_rate
        if isinstance(rate, (int, float)):
            if rate < 0.0:
                raise ValueError("Invalid learning_rate %s.", rate)
            rate = tf.get_variable("learning_rate", [], trainable=False,
                                   initializer=init_ops.Constant(rate))
        elif rate is None and learning_rate_decay_fn is not None:
            raise ValueError("'learning_rate' should be set when 'learning_rate_decay_fn' is set.")
        if rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
        opt = _optimizer(optimizer, rate)
        if variables is None:
            variables = tf.trainable_variables()
        gradients = opt.compute_gradients(loss, variables)
        if gradient_multipliers is not None:
            gradients = [(g if g is None or v not in gradient_multipliers and
                          v.name not in gradient_multipliers else
                          g * gradient_multipliers.get(v, gradient_multipliers.get(v.name)), v)
                         for g, v in gradients]
        if isinstance(clip_gradients, (int, float)):
            grads, vs = zip(*gradients)
            grads, _ = tf.clip_by_global_norm(list(grads), clip_gradients)
            gradients = list(zip(grads, vs))
        elif callable(clip_gradients):
            gradients = clip_gradients(gradients)
        elif clip_gradients is not None:
            raise ValueError("Unknown type %s for clip_gradients" % type(clip_gradients))
        updates = opt.apply_gradients(gradients, name="train", global_step=global_step
                                      if increment_global_step else None)
        return with_dependencies([updates], loss)


def _optimizer(optimizer: object, rate: object) -> Any:
    """A name, a class, an instance or a function of the learning rate."""
    from shapeflow.tensorflow.python.training.optimizer import Optimizer

    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError("Optimizer name should be one of [%s], you provided %s."
                             % (", ".join(OPTIMIZER_CLS_NAMES), optimizer))
        cls = getattr(tf.train, OPTIMIZER_CLS_NAMES[optimizer])
        return cls(rate, momentum=0.9) if optimizer == "Momentum" else cls(learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        make: Any = optimizer
        made = make(learning_rate=rate)
        return _any_step(rate) if hasattr(optimizer, "_sf_unmodelled") else made
    if is_unmodelled(optimizer):
        return _any_step(rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if is_unmodelled(made):
            return _any_step(rate)
        if not isinstance(made, Optimizer):
            raise ValueError("Unrecognized optimizer: function should return subclass of Optimizer. "
                             "Got %s." % str(made))
        return made
    raise ValueError("Unrecognized optimizer: should be string, subclass of Optimizer, instance of "
                     "subclass of Optimizer or function with one argument. Got %s." % str(optimizer))


def _any_step(rate: object) -> Any:
    """For an optimizer that is not modelled: the shapes of its gradients and steps are those of any other."""
    return tf.train.GradientDescentOptimizer(0.1 if rate is None else rate)
