"""Learning-rate schedules of tf.train, ExponentialMovingAverage, global step helpers.

Source: tensorflow/python/training/{learning_rate_decay,moving_averages,training_util}.py.
"""
from typing import Any, Dict, Optional

from shapeflow import _core
from shapeflow._impl import framework, slots, variable_scope, variables
from shapeflow._impl.graph import GraphKeys, get_default_graph
from shapeflow._impl.nodes import tf
from shapeflow._impl.registry import export
from shapeflow._impl.report import fail


def _rate(learning_rate: Any, global_step: Any, name: str, compute: Any) -> Any:
    """The schedule's scalar: computed from the step in the graph, as TensorFlow does."""
    if global_step is None:
        raise ValueError("global_step is required for %s." % name)
    if _core.executing_eagerly():
        return lambda: compute(framework.convert_to_tensor(learning_rate),
                               framework.convert_to_tensor(global_step))
    with framework.name_scope(name):
        rate = framework.convert_to_tensor(learning_rate, None, "learning_rate")
        return compute(rate, tf.cast(global_step, rate.dtype))


@export("tf.train.exponential_decay")
def exponential_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
                      staircase: bool = False, name: Optional[str] = None) -> Any:
    def compute(rate: Any, step: Any) -> Any:
        p = step / tf.cast(decay_steps, rate.dtype)
        return rate * tf.pow(tf.cast(decay_rate, rate.dtype), tf.floor(p) if staircase else p)

    return _rate(learning_rate, global_step, name or "ExponentialDecay", compute)


def _plain_decay(export_name: str, scope: str) -> None:
    def decay(learning_rate: Any, global_step: Any, decay_steps: Any, *args: Any,
              name: Optional[str] = None, **kwargs: Any) -> Any:
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
def cosine_decay_restarts(learning_rate: Any, global_step: Any, first_decay_steps: Any,
                          t_mul: float = 2.0, m_mul: float = 1.0, alpha: float = 0.0,
                          name: Optional[str] = None) -> Any:
    return _rate(learning_rate, global_step, name or "SGDRDecay",
                 lambda rate, step: rate * (step / tf.cast(first_decay_steps, rate.dtype)))


@export("tf.train.piecewise_constant", "tf.train.piecewise_constant_decay")
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: Optional[str] = None) -> Any:
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with framework.name_scope(name, "PiecewiseConstant"):
        x = framework.convert_to_tensor(x)
        stacked = tf.stack([framework.convert_to_tensor(v) for v in values])
        below = [tf.cast(tf.greater(x, tf.cast(b, x.dtype.base_dtype)), _core.as_dtype("int32"))
                 for b in boundaries]
        index = tf.add_n(below) if below else tf.constant(0)
        return tf.gather(stacked, index)


# --- moving averages -----------------------------------------------------------------------------
@export("tf.train.ExponentialMovingAverage", v2=True)
class ExponentialMovingAverage:
    """Shadow variables "w/ExponentialMovingAverage" and the op that moves them."""

    def __init__(self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
                 name: str = "ExponentialMovingAverage") -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: Dict[Any, Any] = {}

    name = property(lambda self: self._name)

    def apply(self, var_list: Any = None) -> Any:
        if var_list is None:
            var_list = variables.trainable_variables()
        for var in var_list:
            if var.dtype.base_dtype.name not in ("bfloat16", "float16", "float32", "float64"):
                raise TypeError("The variables must be half, float, or double: %s" % var.name)
            if _ref(var) not in self._averages:
                with _core.init_scope():
                    if isinstance(var, _core.VariableBase):
                        average = slots.create_slot(var, var.initialized_value(), self._name)
                        get_default_graph().add_to_collection(
                            GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                    else:
                        average = slots.create_zeros_slot(var, self._name)
                self._averages[_ref(var)] = average
        with framework.name_scope(self._name) as scope:
            updates = []
            for var in var_list:
                average = self._averages[_ref(var)]
                value = framework.convert_to_tensor(var)
                updates.append(average.assign_sub((average._tensor - value) * 0.1))
            return tf.group(*updates, name=scope)

    def average(self, var: Any) -> Any:
        return self._averages.get(_ref(var))

    def average_name(self, var: Any) -> str:
        average = self._averages.get(_ref(var))
        if average is not None:
            return average.op.name
        return get_default_graph().unique_name(var.op.name + "/" + self._name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> Dict[str, Any]:
        if moving_avg_variables is None:
            moving_avg_variables = variables.trainable_variables() + get_default_graph(
            ).get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES)
        found: Dict[str, Any] = {}
        moving = set(map(id, moving_avg_variables))
        for v in moving_avg_variables:
            found[self.average_name(v)] = v
        for v in variables.global_variables():
            if id(v) not in moving and v.op.name not in found:
                found[v.op.name] = v
        return found


def _ref(var: Any) -> Any:
    return id(var) if isinstance(var, _core.VariableBase) else (var.op.graph, var.name)


@export("private.moving_averages.assign_moving_average")
def assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool = True,
                          name: Optional[str] = None) -> Any:
    with framework.name_scope(name, "AssignMovingAvg"):
        value = framework.convert_to_tensor(value)
        return variable.assign_sub((variable._tensor - value) * (1.0 - tf.cast(
            decay, variable.dtype.base_dtype)))


@export("private.moving_averages.weighted_moving_average")
def weighted_moving_average(value: Any, decay: Any, weight: Any, **kwargs: Any) -> Any:
    return tf.identity(value)


# --- global step ---------------------------------------------------------------------------------
@export("tf.train.get_global_step", "tf.contrib.framework.get_global_step",
        "tf.contrib.slim.get_global_step")
def get_global_step(graph: Any = None) -> Any:
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        return None  # TensorFlow logs an error and gives None
    for variable in graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
        if variable.name == "global_step:0":
            return variable
    return None


@export("tf.train.create_global_step", "tf.contrib.framework.create_global_step",
        "tf.contrib.slim.create_global_step")
def create_global_step(graph: Any = None) -> Any:
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise fail("SF201", '"global_step" already exists.')
    with graph.as_default():
        return variable_scope.get_variable(
            GraphKeys.GLOBAL_STEP, shape=[], dtype=_core.as_dtype("int64"),
            initializer=tf.zeros_initializer(), trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP])


@export("tf.train.get_or_create_global_step", "tf.contrib.framework.get_or_create_global_step",
        "tf.contrib.slim.get_or_create_global_step")
def get_or_create_global_step(graph: Any = None) -> Any:
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


@export("tf.train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    return int(sess.run(global_step_tensor))


@export("tf.train.assert_global_step", "tf.contrib.framework.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    dtype = global_step_tensor.dtype.base_dtype
    if not dtype.is_integer:
        raise TypeError('Existing "global_step" does not have integer type: %s' % dtype)
    shape = global_step_tensor.get_shape()
    if shape.ndims not in (0, None):
        raise TypeError('Existing "global_step" is not scalar: %s' % shape)
