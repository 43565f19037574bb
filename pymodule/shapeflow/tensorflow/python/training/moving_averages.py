"""tf.train.ExponentialMovingAverage and assign_moving_average."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.training import slot_creator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional


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
                        with framework_lib.device(var.device):
                            start = var.initialized_value()
                        average = slot_creator.create_slot(var, start, self._name)
                        get_default_graph().add_to_collection(
                            GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                    else:
                        average = slot_creator.create_zeros_slot(var, self._name)
                self._averages[_ref(var)] = average
        with framework_lib.name_scope(self._name) as scope:
            updates = []
            for var in var_list:
                average = self._averages[_ref(var)]
                value = framework_lib.convert_to_tensor(var)
                with framework_lib.colocate_with(average):
                    updates.append(average.assign_sub((average._tensor - value) * 0.1))
            return tf.group(*updates, name=scope)

    def average(self, var: object) -> Any:
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


@export("tensorflow.python.training.moving_averages.assign_moving_average")
def assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool = True,
                          name: Optional[str] = None) -> Any:
    with framework_lib.name_scope(name, "AssignMovingAvg"):
        value = framework_lib.convert_to_tensor(value)
        return variable.assign_sub((variable._tensor - value) * (1.0 - tf.cast(
            decay, variable.dtype.base_dtype)))


@export("tensorflow.python.training.moving_averages.weighted_moving_average")
def weighted_moving_average(value: object, decay: object, weight: object, **kwargs: object) -> Any:
    return tf.identity(value)
