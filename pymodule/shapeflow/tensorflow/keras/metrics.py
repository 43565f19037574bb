"""tf.keras.metrics: numbers that are computed over batches. Nothing is asked of the shapes.

Source: tensorflow/python/keras/metrics.py (1.15).
"""

from __future__ import annotations

from typing import Any, List, Optional

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import unique_name
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import to_snake_case
from shapeflow.tensorflow.python.util import nest


def _register(name: str) -> None:
    def function(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        y_pred = framework_lib.convert_to_tensor(y_pred)
        shape = y_pred.get_shape()
        return op_builders.like_shape([y_pred], "float32", None if not shape.ndims else shape[:-1])

    function.__name__ = name
    put(function, "tf.keras.metrics." + name)


for _name in ("binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy",
              "top_k_categorical_accuracy", "sparse_top_k_categorical_accuracy"):
    _register(_name)


# --- classes --------------------------------------------------------------------------------------
@export("tf.keras.metrics.Metric")
class Metric(Members):
    """A number that is computed over batches."""

    def __init__(self, name: Optional[str] = None, dtype: Any = None, **kwargs: Any) -> None:
        self.name = name or to_snake_case(type(self).__name__)
        self.dtype = "float32"
        self.variables: Any = []

    def __call__(self, *args: object, **kwargs: object) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def update_state(self, *args: object, **kwargs: object) -> Any:
        return None

    def add_weight(self, *args: Any, **kwargs: Any) -> Any:
        name = args[0] if args and isinstance(args[0], str) else kwargs.get("name")
        shape = kwargs.get("shape", args[0] if args and not isinstance(args[0], str) else ())
        from shapeflow.tensorflow.python.ops.variables import Variable

        made = Variable(tf.zeros(list(shape), kwargs.get("dtype") or "float32"), name=name,
                        trainable=False)
        self.variables = self.variables + [made]
        return made

    add_variable = add_weight

    def result(self) -> Any:
        return op_builders.unknown("float32", self._result_dims)

    _result_dims: object = ()  # of a metric that gives a number for each threshold or class

    def reset_state(self) -> None:
        pass

    reset_states = reset_state
    trainable_variables: Any = ()


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    own = kwargs.pop("name", None) or next((a for a in args if isinstance(a, str)), None)
    Metric.__init__(self, own)


def _init_confusion(self: Any, *args: object, **kwargs: object) -> None:
    _init(self, *args, **dict(kwargs, name=kwargs.get("name") or unique_name(
        to_snake_case(type(self).__name__))))
    thresholds = args[0] if args else kwargs.get("thresholds")
    if type(self).__name__ != "AUC" and isinstance(thresholds, (list, tuple)) and len(thresholds) > 1:
        self._result_dims = (len(thresholds),)


def _of_tensor(self: Any, values: object, sample_weight: object = None) -> None:
    shape = framework_lib.convert_to_tensor(values).get_shape()
    self._result_dims = shape.as_list() if shape.ndims is not None else None


def _class(name: str, **members: object) -> None:
    put(type(name, (Metric,), dict({"__init__": _init, "__module__": __name__}, **members)),
        "tf.keras.metrics." + name)


for _name in ("Mean", "Sum", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy",
              "SparseCategoricalAccuracy", "TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy",
              "MeanSquaredError", "MeanAbsoluteError", "RootMeanSquaredError",
              "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError", "LogCoshError", "Hinge",
              "KLDivergence", "BinaryCrossentropy", "CategoricalCrossentropy",
              "SparseCategoricalCrossentropy", "CosineSimilarity", "MeanIoU", "SensitivityAtSpecificity",
              "SpecificityAtSensitivity", "SquaredHinge", "CategoricalHinge", "Poisson"):
    _class(_name)
for _name in ("AUC", "Precision", "Recall", "TruePositives", "TrueNegatives", "FalsePositives",
              "FalseNegatives"):
    _class(_name, __init__=_init_confusion)
_class("MeanTensor", update_state=_of_tensor)


# --- of a compiled model --------------------------------------------------------------------------
def _per_output(metrics: object, names: List[str], count: int) -> List[Any]:
    """The metrics of each output, as lists."""
    if count == 1:
        return [nest.flatten(metrics)]
    if isinstance(metrics, (list, tuple)) and not any(isinstance(one, (list, tuple)) for one in metrics):
        return [list(metrics) for _ in names]  # a flat list is of every output
    if isinstance(metrics, dict):
        chosen = [metrics.get(name) for name in names]
    elif isinstance(metrics, (list, tuple)) and len(metrics) == count:
        chosen = list(metrics)
    else:
        return [[] for _ in range(count)]
    return [[] if m is None else list(m) if isinstance(m, (list, tuple)) else [m] for m in chosen]
