"""tf.keras.metrics: what they ask of the shapes of labels, predictions and weights.

Keras 3's are computed, as it computes them; of older ones nothing is asked. Source: keras/src/metrics (3).
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from shapeflow import _core
from shapeflow.api import names as api_names
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import is_keras3, unique_name
from shapeflow.tensorflow.keras.losses import _FUNCTIONS, squeezed
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail_untyped as fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import to_snake_case
from shapeflow.tensorflow.python.util import nest


def _float(x: Any) -> Any:
    return tf.cast(framework_lib.convert_to_tensor(x), _core.as_dtype("float32"))


def _dims(x: Any) -> Any:
    return x.get_shape().as_list() if x.get_shape().ndims is not None else None


# --- functions ------------------------------------------------------------------------------------
def _equal(a: Any, b: Any) -> Any:
    return tf.cast(tf.equal(a, b), _core.as_dtype("float32"))


def _argmax(x: Any) -> Any:
    return tf.cast(tf.argmax(x, -1), _core.as_dtype("float32"))


def _plain(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
    return _equal(*squeezed(_float(y_true), _float(y_pred)))


def _categorical(y_true: Any, y_pred: Any) -> Any:
    return _sparse_matches(_argmax(_float(y_true)), _float(y_pred), True)


def _sparse(y_true: Any, y_pred: Any) -> Any:
    matches = _sparse_matches(_float(y_true), _float(y_pred), False)
    dims = _dims(matches)
    return tf.squeeze(matches, [-1]) if dims is not None and len(dims) > 1 and dims[-1] == 1 else matches


def _sparse_matches(y_true: Any, y_pred: Any, always: bool) -> Any:
    """Labels of as many axes as the predictions lose the last one; of a categorical metric `always`."""
    shape = y_true.get_shape()
    a, b = _dims(y_true), _dims(y_pred)
    if a is None or b is None:
        return op_builders.like_shape([y_true, y_pred], "float32", None)
    again = len(a) == len(b) and bool(a) and (always or a[-1] == 1)
    matches = _equal(tf.squeeze(y_true, [-1]) if again else y_true, _argmax(y_pred))
    return tf.reshape(matches, tf.shape(y_true) if None in shape.as_list() else shape) if again else matches


def _top_k(y_true: Any, y_pred: Any, k: int = 5, **kwargs: Any) -> Any:
    return _in_top_k(_argmax(_float(y_true)), _float(y_pred), k)


def _sparse_top_k(y_true: Any, y_pred: Any, k: int = 5, from_sorted_ids: bool = False, **kwargs: Any) -> Any:
    return _in_top_k(_float(y_true), _float(y_pred), k)


def _in_top_k(y_true: Any, y_pred: Any, k: int) -> Any:
    a, b = _dims(y_true), _dims(y_pred)
    if a is None or b is None:
        return op_builders.like_shape([y_true, y_pred], "float32", None)
    flat_true = tf.reshape(y_true, [-1]) if len(a) > 1 else y_true
    flat_pred = tf.reshape(y_pred, [-1, b[-1]]) if len(b) > 2 and b[-1] is not None else y_pred
    matches = tf.nn.in_top_k(flat_pred, tf.cast(flat_true, _core.as_dtype("int32")), k)
    matches = tf.cast(matches, _core.as_dtype("float32"))
    return tf.reshape(matches, tf.shape(y_true)) if len(a) > 1 else matches


_ACCURACIES: Dict[str, Callable[..., Any]] = {
    "accuracy": _plain, "binary_accuracy": _plain, "categorical_accuracy": _categorical,
    "sparse_categorical_accuracy": _sparse, "top_k_categorical_accuracy": _top_k,
    "sparse_top_k_categorical_accuracy": _sparse_top_k,
}


def _loose(y_pred: Any) -> Any:
    """Of the versions before Keras 3: a number for each prediction."""
    y_pred = framework_lib.convert_to_tensor(y_pred)
    shape = y_pred.get_shape()
    return op_builders.like_shape([y_pred], "float32", None if not shape.ndims else shape[:-1])


def _register(name: str, body: Callable[..., Any]) -> Callable[..., Any]:
    def function(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        return body(y_true, y_pred, *args, **kwargs) if is_keras3() else _loose(y_pred)

    function.__name__ = name
    if name != "accuracy":
        put(function, "tf.keras.metrics." + name, v2=True)
    return function


_CALLED: Dict[str, Callable[..., Any]] = {n: _register(n, body) for n, body in _ACCURACIES.items()}


# --- classes --------------------------------------------------------------------------------------
@export("tf.keras.metrics.Metric", v2=True)
class Metric:
    """A number that is computed over batches."""

    def __init__(self, name: Optional[str] = None, dtype: Any = None, **kwargs: Any) -> None:
        self.name = name or to_snake_case(type(self).__name__)
        self.dtype = "float32"
        self.variables: Any = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
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

    _result_dims: Any = ()  # of a metric that gives a number for each threshold or class

    def reset_state(self) -> None:
        pass

    reset_states = reset_state
    trainable_variables: Any = ()


def _weigh(values: Any, sample_weight: Any) -> None:
    """reduce_to_samplewise_values: weights are broadcast to the values, summed to the weights' rank."""
    if sample_weight is None or not is_keras3():
        return
    values, weight = squeezed(_float(values), _float(sample_weight))
    a, b = _dims(values), _dims(weight)
    if a is None or b is None:
        return
    if len(a) > len(b):
        values = tf.reduce_sum(values, axis=list(range(len(b), len(a))))
    tf.broadcast_to(weight, tf.shape(values))


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    own = kwargs.pop("name", None) or next((a for a in args if isinstance(a, str)), None)
    Metric.__init__(self, own)
    self._options = {k: v for k, v in kwargs.items() if k in ("k", "from_logits", "axis")}


def _init_confusion(self: Any, *args: Any, **kwargs: Any) -> None:
    _init(self, *args, **dict(kwargs, name=kwargs.get("name") or unique_name(
        to_snake_case(type(self).__name__))))
    thresholds = args[0] if args else kwargs.get("thresholds")
    if type(self).__name__ != "AUC" and isinstance(thresholds, (list, tuple)) and len(thresholds) > 1:
        self._result_dims = (len(thresholds),)


def _init_per_class(chosen: str, default: Any) -> Callable[..., Any]:
    """Of a metric that gives a number for each class unless `chosen` says how to make one of them."""
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Metric.__init__(self, kwargs.get("name") or to_snake_case(type(self).__name__.replace("FB", "Fb")))
        if (args[0] if args else kwargs.get(chosen, default)) is None:
            self._result_dims = None

    return __init__


def _of_classes(self: Any, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
    dims = _dims(_float(y_pred)) if self._result_dims != () else None
    if dims:
        self._result_dims = (dims[-1],)


def _class(name: str, update: Callable[..., Any], init: Callable[..., Any] = _init) -> None:
    cls = type(name, (Metric,), {"__init__": init, "update_state": update, "__module__": __name__})
    put(cls, "tf.keras.metrics." + name, v2=True)
    _CLASSES[name] = cls


def _of_values(self: Any, values: Any, sample_weight: Any = None) -> None:
    _weigh(framework_lib.convert_to_tensor(values), sample_weight)


def _of_function(function: Callable[..., Any]) -> Callable[..., Any]:
    def update_state(self: Any, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        if is_keras3():
            _weigh(function(_float(y_true), _float(y_pred), **self._options), sample_weight)

    return update_state


def _of_confusion(self: Any, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
    """Labels and predictions are flattened, and go together one by one."""
    if is_keras3():
        y_pred, y_true = squeezed(_float(y_pred), _float(y_true))
        if _dims(y_pred) == [] and type(self).__name__ != "AUC":
            raise fail("SF103", "tuple index out of range", IndexError)
        if sample_weight is not None:
            weight = tf.expand_dims(_float(sample_weight), -1)
            a, b = _dims(y_true), _dims(weight)
            if a is not None and b is not None and len(b) == len(a) + 1 and b[-1] == 1:
                weight = tf.squeeze(weight, [-1])
            if a is not None:
                tf.broadcast_to(weight, tf.shape(y_pred))
        counts = y_true.get_shape().num_elements(), y_pred.get_shape().num_elements()
        if type(self).__name__ == "AUC" and None not in counts and counts[0] != counts[1]:
            raise fail("SF101", "Argument `segment_ids` and `data` should have same leading dimension. Got "
                       "(%d,) v.s. (%d,)." % (counts[1], counts[0]))
        tf.logical_and(tf.cast(tf.reshape(y_true, [1, -1]), tf.bool),
                       tf.greater(tf.reshape(y_pred, [1, -1]), 0.5))


def _of_tensor(self: Any, values: Any, sample_weight: Any = None) -> None:
    self._result_dims = _dims(framework_lib.convert_to_tensor(values))


def _of_anything(self: Any, *args: Any, **kwargs: Any) -> None:
    return None


_CLASSES: Dict[str, Any] = {}
for _name in ("Mean", "Sum"):
    _class(_name, _of_values)
for _name, _function in (
        ("Accuracy", "accuracy"), ("BinaryAccuracy", "binary_accuracy"),
        ("CategoricalAccuracy", "categorical_accuracy"),
        ("SparseCategoricalAccuracy", "sparse_categorical_accuracy"),
        ("TopKCategoricalAccuracy", "top_k_categorical_accuracy"),
        ("SparseTopKCategoricalAccuracy", "sparse_top_k_categorical_accuracy")):
    _class(_name, _of_function(_ACCURACIES[_function]))
for _name, _function in (
        ("MeanSquaredError", "mse"), ("MeanAbsoluteError", "mae"), ("RootMeanSquaredError", "mse"),
        ("MeanAbsolutePercentageError", "mape"), ("MeanSquaredLogarithmicError", "msle"),
        ("LogCoshError", "logcosh"), ("Hinge", "hinge"), ("KLDivergence", "kld"),
        ("BinaryCrossentropy", "binary_crossentropy"),
        ("CategoricalCrossentropy", "categorical_crossentropy"),
        ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy")):
    _class(_name, _of_function(_FUNCTIONS[_function]))
for _name in ("AUC", "Precision", "Recall", "TruePositives", "TrueNegatives", "FalsePositives",
              "FalseNegatives"):
    _class(_name, _of_confusion, _init_confusion)
for _name in ("F1Score", "FBetaScore"):
    _class(_name, _of_classes, _init_per_class("average", None))
_class("R2Score", _of_classes, _init_per_class("class_aggregation", "uniform_average"))
_class("MeanTensor", _of_tensor)
for _name in ("CosineSimilarity", "MeanIoU", "IoU", "BinaryIoU", "OneHotIoU", "OneHotMeanIoU",
              "PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity",
              "SpecificityAtSensitivity",
              "PearsonCorrelation", "ConcordanceCorrelation", "SquaredHinge", "CategoricalHinge", "Poisson"):
    _class(_name, _of_anything)


# --- of a compiled model --------------------------------------------------------------------------
def _resolved(identifier: Any, y_true: Any, y_pred: Any) -> Any:
    """A function of labels and predictions for what `compile(metrics=...)` may name; None: not known."""
    if isinstance(identifier, Metric):
        return identifier.update_state
    if not isinstance(identifier, str):
        return identifier if callable(identifier) else None
    if identifier.lower() in ("accuracy", "acc"):
        a, b = _dims(y_true), _dims(y_pred)
        if not a or not b:
            return None
        if b[-1] == 1:
            return _ACCURACIES["binary_accuracy"]
        sparse = len(a) < len(b) or a[-1] == 1 and (b[-1] is None or b[-1] > 1)
        return _ACCURACIES["sparse_categorical_accuracy" if sparse else "categorical_accuracy"]
    found = _ACCURACIES.get(identifier) or _FUNCTIONS.get(identifier)
    if found is None and identifier in _CLASSES:
        return _CLASSES[identifier]().update_state
    return found


def _per_output(metrics: Any, names: List[str], count: int) -> List[Any]:
    """The metrics of each output, as lists."""
    if count == 1:
        return [nest.flatten(metrics)]
    if api_names.emulated() < (2, 0) and isinstance(metrics, (list, tuple)) and not any(
            isinstance(one, (list, tuple)) for one in metrics):
        return [list(metrics) for _ in names]  # a flat list is of every output
    if isinstance(metrics, dict):
        chosen = [metrics.get(name) for name in names]
    elif isinstance(metrics, (list, tuple)) and len(metrics) == count:
        chosen = list(metrics)
    else:
        return [[] for _ in range(count)]
    return [[] if m is None else list(m) if isinstance(m, (list, tuple)) else [m] for m in chosen]


def update(metrics: Any, names: List[str], targets: List[Any], outputs: List[Any]) -> None:
    """What Keras 3 computes of a batch for `compile(metrics=...)`."""
    if not metrics or not is_keras3():
        return
    for chosen, y_true, y_pred in zip(_per_output(metrics, names, len(outputs)), targets, outputs):
        for identifier in chosen if y_true is not None else []:
            function = _resolved(identifier, y_true, y_pred)
            if function is not None:
                function(y_true, y_pred)
