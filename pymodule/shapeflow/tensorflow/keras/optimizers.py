"""tf.keras.optimizers and schedules: their numbers, and what apply_gradients asks of shapes.

Source: tensorflow/python/keras/optimizers.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, List

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf

_known: Dict[str, Any] = {}


@export("tf.keras.optimizers.Optimizer")
class Optimizer(Members):
    """Holds hyperparameters; a step changes no shape."""

    _default = 0.001

    def __init__(self, learning_rate: Any = None, *args: Any, **kwargs: Any) -> None:
        given = args if learning_rate is None else (learning_rate, *args)
        self._sf_made_with = (None, given, dict(kwargs))
        if isinstance(learning_rate, str):
            kwargs["name"], learning_rate = learning_rate, None
        rate = kwargs.pop("lr", learning_rate)
        self._name = kwargs.pop("name", None) or type(self).__name__
        self._hyper = kwargs
        self._rate: object = self._default if rate is None else rate
        self._steps = 0
        self._kept: Dict[str, Any] = {}  # what TensorFlow 2 gives as variables, once asked for
        self.weights: List[Any] = []

    name = property(lambda self: self._name)

    def _variable(self, name: str, value: Any, dtype: str) -> Any:
        if not _core.executing_eagerly() or not isinstance(value, (int, float)):
            return self._kept.get(name, value)
        if name not in self._kept:
            from shapeflow.tensorflow.python.ops.variables import Variable

            self._kept[name] = Variable(value, trainable=False, name=name, dtype=dtype)
        return self._kept[name]

    @property
    def iterations(self) -> Any:
        return self._variable("iteration", self._steps, "int64")

    @property
    def learning_rate(self) -> Any:
        return self._variable("learning_rate", self._rate, "float32")

    @learning_rate.setter
    def learning_rate(self, value: object) -> None:
        if "learning_rate" in self._kept and not callable(value):
            self._kept["learning_rate"].assign(value)
        else:
            self._kept.pop("learning_rate", None)
            self._rate = value

    def _stepped(self) -> None:
        """An eager step: loops may wait for the count."""
        self._steps += 1
        if "iteration" in self._kept:
            self._kept["iteration"].assign_add(1)

    def _get_lr(self) -> Any:
        return self.learning_rate

    def _set_lr(self, value: object) -> None:
        self.learning_rate = value

    lr = property(_get_lr, _set_lr)
    variables = property(lambda self: self.weights)

    def get_config(self) -> Dict[str, Any]:
        return dict(self._hyper, name=self._name, learning_rate=self._rate)

    def apply_gradients(self, grads_and_vars: Any, name: Any = None, **kwargs: Any) -> Any:
        pairs = list(grads_and_vars)
        grads = [(g, v) for g, v in pairs if g is not None]
        if pairs and not grads:
            raise ValueError("No gradients provided for any variable: %s." % ([v.name for _, v in pairs],))
        for grad, variable in grads:
            if is_unmodelled(grad) or is_unmodelled(variable):
                continue
            shape = getattr(grad, "shape", None)
            if isinstance(shape, _core.TensorShape) and not shape.is_compatible_with(variable.shape):
                raise fail("SF204", "Shapes {shape} and {shape} are incompatible", shape, variable.shape)
        if _core.executing_eagerly():
            self._stepped()
            _train(variable for _, variable in grads)
            return None
        deps = [framework_lib.convert_to_tensor(g) for g, _ in grads if not isinstance(
            g, framework_lib.IndexedSlices)]
        with framework_lib.control_dependencies(deps):
            return tf.no_op(name=name or self._name)

    def minimize(self, loss: Any, var_list: Any = None, grad_loss: object = None, name: Any = None,
                 tape: object = None) -> Any:
        loss = loss() if callable(loss) and not isinstance(loss, _core.Tensor) else loss
        variables = var_list() if callable(var_list) else var_list
        if _core.executing_eagerly():
            _core.count_step()
            self._stepped()
            _train(variables or ())
            return None
        return self.apply_gradients(zip(tf.gradients(loss, list(variables)), variables), name)

    def get_gradients(self, loss: object, params: object) -> Any:
        return tf.gradients(loss, params)

    def get_weights(self) -> List[Any]:
        return []

    def set_weights(self, weights: object) -> None:
        pass


def _train(variables: Iterable[Any]) -> None:
    for variable in variables if _core.notes_numbers() else ():
        if isinstance(variable, _core.VariableBase):
            variable.train_anyhow()


for _name, _rate in (("SGD", 0.01), ("Adam", 0.001), ("RMSprop", 0.001), ("Adagrad", 0.001),
                     ("Adadelta", 0.001), ("Adamax", 0.001), ("Nadam", 0.001), ("Ftrl", 0.001)):
    _made = type(_name, (Optimizer,), {"_default": _rate, "__module__": __name__})
    _known[_name.lower()] = _made
    put(_made, "tf.keras.optimizers." + _name)


@export("tf.keras.optimizers.get")
def get(identifier: Any) -> Any:
    if isinstance(identifier, str):
        found = _known.get(identifier.lower())
        if found is None:
            raise ValueError("Unknown optimizer: %s" % identifier)
        return found()
    if identifier is None:
        raise ValueError("Could not interpret optimizer identifier: None")
    return identifier


@export("tf.keras.optimizers.schedules.LearningRateSchedule")
class LearningRateSchedule:
    """A rate that depends on the step: a number all the same."""

    def __init__(self, initial_learning_rate: Any = 0.001, *args: Any, **kwargs: Any) -> None:
        self.initial_learning_rate = initial_learning_rate

    def __call__(self, step: object) -> Any:
        return tf.constant(0.001)


for _name in ("ExponentialDecay", "PolynomialDecay", "PiecewiseConstantDecay", "InverseTimeDecay"):
    put(type(_name, (LearningRateSchedule,), {"__module__": __name__}),
        "tf.keras.optimizers.schedules." + _name)
