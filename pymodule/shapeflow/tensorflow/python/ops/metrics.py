"""tf.metrics: streaming metrics, each a value and its update op.

Source: tensorflow/python/ops/metrics_impl.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.losses import (
    broadcast_weights,
    check_compatible,
    remove_squeezable_dimensions,
)
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope
from shapeflow.tensorflow.python.ops.variables import Variable

Pair = Tuple[Any, Any]


def _graph_only(name: str) -> None:
    if _core.executing_eagerly():
        raise RuntimeError("tf.metrics.%s is not supported when eager execution is enabled." % name)


def _type(name: str) -> Any:
    return _core.as_dtype(name)


def metric_variable(shape: object, dtype: object, name: str) -> Any:
    return Variable(lambda: tf.zeros(shape, dtype), trainable=False, name=name,
                    collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES])


def _aligned(predictions: Any, labels: object, weights: Any) -> Tuple[Any, Any, Any]:
    """Predictions, labels and weights of one rank."""
    predictions = framework_lib.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        check_compatible(predictions, labels)
    if weights is None:
        return predictions, labels, None
    weights = framework_lib.convert_to_tensor(weights)
    rank, want = weights.get_shape().ndims, predictions.get_shape().ndims
    if rank is not None and want is not None and rank > 0:
        if rank - want == 1:
            weights = tf.squeeze(weights, [-1])
        elif want - rank == 1:
            weights = tf.expand_dims(weights, [-1])
    return predictions, labels, weights


def _collected(value: object, update: object, values_in: object, updates_in: object) -> Pair:
    if values_in:
        get_default_graph().add_to_collections(values_in, value)
    if updates_in:
        get_default_graph().add_to_collections(updates_in, update)
    return value, update


def _ratio(a: object, b: Any, name: Optional[str] = None) -> Any:
    """a / b, 0 where b is not above 0: by an op since TensorFlow has it."""
    divide = getattr(tf, "div_no_nan", None)
    if divide is not None:
        return divide(a, tf.maximum(b, 0), name=name)
    quotient = tf.truediv(a, b)
    zero = tf.zeros_like(quotient, dtype=b.dtype)
    return tf.where(tf.greater(b, zero), quotient, tf.cast(zero, quotient.dtype), name=name)


@export("tf.metrics.mean")
def mean(values: Any, weights: Any = None, metrics_collections: Any = None,
         updates_collections: Any = None, name: Optional[str] = None) -> Pair:
    _graph_only("mean")
    return _mean(values, weights, metrics_collections, updates_collections, name, "mean", [])


def _mean(values: Any, weights: object, values_in: object, updates_in: object, name: Optional[str],
          fallback: str, shape: Any) -> Pair:
    with variable_scope(name, fallback, (values, weights)):
        values = tf.cast(values, _type("float32"))
        whole = shape is None  # mean_tensor: one mean for each element
        shape = values.get_shape() if whole else shape
        total = metric_variable(shape, _type("float32"),
                                "total_tensor" if whole else "total")
        count = metric_variable(shape, _type("float32"),
                                "count_tensor" if whole else "count")
        ones = tf.ones_like(values) if whole else None
        if weights is None:
            number = ones if whole else tf.cast(tf.size(values), _type("float32"))
        else:
            values, _, weights = _aligned(values, None, weights)
            weights = broadcast_weights(tf.cast(weights, _type("float32")), values)
            values = tf.multiply(values, weights)
            number = tf.multiply(ones, weights) if whole else tf.reduce_sum(weights)
        update_total = tf.assign_add(total, values if whole else tf.reduce_sum(values))
        with framework_lib.control_dependencies([values]):
            update_count = tf.assign_add(count, number)
        value = _ratio(total, count, "value")
        update = _ratio(update_total, update_count, "update_op")
        return _collected(value, update, values_in, updates_in)


@export("tf.metrics.mean_tensor")
def mean_tensor(values: object, weights: object = None, metrics_collections: object = None,
                updates_collections: object = None, name: Optional[str] = None) -> Pair:
    _graph_only("mean_tensor")
    return _mean(values, weights, metrics_collections, updates_collections, name, "mean", None)


@export("tf.metrics.accuracy")
def accuracy(labels: Any, predictions: Any, weights: object = None, metrics_collections: object = None,
             updates_collections: object = None, name: Optional[str] = None) -> Pair:
    _graph_only("accuracy")
    predictions, labels, weights = _aligned(predictions, labels, weights)
    if labels.dtype != predictions.dtype:
        predictions = tf.cast(predictions, labels.dtype.base_dtype)
    correct = tf.cast(tf.equal(predictions, labels), _type("float32"))
    return mean(correct, weights, metrics_collections, updates_collections, name or "accuracy")


@export("tf.metrics.mean_absolute_error")
def mean_absolute_error(labels: Any, predictions: Any, weights: Any = None,
                        metrics_collections: Any = None, updates_collections: Any = None,
                        name: Optional[str] = None) -> Pair:
    _graph_only("mean_absolute_error")
    predictions, labels, weights = _aligned(predictions, labels, weights)
    return mean(tf.abs(predictions - labels), weights, metrics_collections, updates_collections,
                name or "mean_absolute_error")


@export("tf.metrics.mean_squared_error")
def mean_squared_error(labels: object, predictions: object, weights: object = None,
                       metrics_collections: object = None, updates_collections: object = None,
                       name: Optional[str] = None) -> Pair:
    _graph_only("mean_squared_error")
    predictions, labels, weights = _aligned(predictions, labels, weights)
    return mean(tf.squared_difference(labels, predictions), weights, metrics_collections,
                updates_collections, name or "mean_squared_error")


@export("tf.metrics.root_mean_squared_error")
def root_mean_squared_error(labels: object, predictions: object, weights: object = None,
                            metrics_collections: object = None, updates_collections: object = None,
                            name: Optional[str] = None) -> Pair:
    _graph_only("root_mean_squared_error")
    value, update = mean_squared_error(labels, predictions, weights, None, None,
                                       name or "root_mean_squared_error")
    return _collected(tf.sqrt(value), tf.sqrt(update), metrics_collections, updates_collections)


@export("tf.metrics.mean_relative_error")
def mean_relative_error(labels: Any, predictions: Any, normalizer: Any, weights: object = None,
                        metrics_collections: object = None, updates_collections: object = None,
                        name: Optional[str] = None) -> Pair:
    _graph_only("mean_relative_error")
    predictions, labels, weights = _aligned(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    check_compatible(predictions, normalizer)
    errors = tf.where(tf.equal(normalizer, 0.0), tf.zeros_like(labels),
                      tf.div(tf.abs(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections,
                name or "mean_relative_error")


@export("tf.metrics.mean_cosine_distance")
def mean_cosine_distance(labels: object, predictions: object, dim: int, weights: object = None,
                         metrics_collections: object = None, updates_collections: object = None,
                         name: Optional[str] = None) -> Pair:
    _graph_only("mean_cosine_distance")
    predictions, labels, weights = _aligned(predictions, labels, weights)
    products = tf.reduce_sum(tf.multiply(predictions, labels), axis=[dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    return _collected(tf.subtract(1.0, value), tf.subtract(1.0, update), metrics_collections,
                      updates_collections)


@export("tf.metrics.percentage_below")
def percentage_below(values: object, threshold: object, weights: object = None,
                     metrics_collections: object = None, updates_collections: object = None,
                     name: Optional[str] = None) -> Pair:
    _graph_only("percentage_below")
    below = tf.cast(tf.less(values, threshold), _type("float32"))
    name = name or "percentage_below_threshold"
    return mean(below, weights, metrics_collections, updates_collections, name)


# --- counts of positives and negatives -----------------------------------------------------------------
def _count_condition(values: object, weights: object, values_in: object, updates_in: object) -> Pair:
    count = metric_variable([], _type("float32"), "count")
    values = tf.cast(values, _type("float32"))
    if weights is not None:
        weights = tf.cast(weights, _type("float32"))
        values, _, weights = _aligned(values, None, weights)
        values = tf.multiply(values, broadcast_weights(weights, values))
    value = tf.identity(count)
    return _collected(value, tf.assign_add(count, tf.reduce_sum(values)), values_in, updates_in)


def _counter(name: str, label: bool, prediction: bool) -> Any:
    def counter(labels: object, predictions: object, weights: object = None,
                metrics_collections: object = None, updates_collections: object = None,
                name: Optional[str] = None) -> Pair:
        _graph_only(function_name)
        with variable_scope(name, function_name, (predictions, labels, weights)):
            p, t, weights = _aligned(tf.cast(predictions, _type("bool")),
                                     tf.cast(labels, _type("bool")), weights)
            hits = tf.logical_and(tf.equal(t, label), tf.equal(p, prediction))
            return _count_condition(hits, weights, metrics_collections, updates_collections)

    function_name = name
    counter.__name__ = name
    put(counter, "tf.metrics." + name)
    return counter


true_positives = _counter("true_positives", True, True)
true_negatives = _counter("true_negatives", False, False)
false_positives = _counter("false_positives", False, True)
false_negatives = _counter("false_negatives", True, False)


def _of_counts(function_name: str, other: Any) -> Any:
    """precision and recall: true positives among these and `other`."""
    def metric(labels: object, predictions: object, weights: Any = None, metrics_collections: object = None,
               updates_collections: object = None, name: Optional[str] = None) -> Pair:
        _graph_only(function_name)
        with variable_scope(name, function_name, (predictions, labels, weights)):
            p, t, weights = _aligned(tf.cast(predictions, _type("bool")),
                                     tf.cast(labels, _type("bool")), weights)
            hit, hit_update = true_positives(t, p, weights)
            missed, missed_update = other(t, p, weights)

            def compute(a: Any, b: Any, name: str) -> Any:
                return tf.where(tf.greater(a + b, 0), tf.div(a, a + b), 0, name)

            return _collected(compute(hit, missed, "value"),
                              compute(hit_update, missed_update, "update_op"),
                              metrics_collections, updates_collections)

    metric.__name__ = function_name
    put(metric, "tf.metrics." + function_name)
    return metric


precision = _of_counts("precision", false_positives)
recall = _of_counts("recall", false_negatives)


# --- at thresholds --------------------------------------------------------------------------------------
_NAMES = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives",
          "fp": "false_positives"}


def _at_thresholds(labels: object, predictions: object, thresholds: List[float], weights: object = None,
                   includes: Any = ("tp", "fn", "tn", "fp")) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    predictions, labels, weights = _aligned(tf.cast(predictions, _type("float32")),
                                            tf.cast(labels, _type("bool")), weights)
    n = len(thresholds)
    column = tf.reshape(predictions, [-1, 1])
    row = tf.reshape(tf.cast(labels, _type("bool")), [1, -1])
    length = column.get_shape().as_list()[0]
    if length is None:
        length = tf.shape(column)[0]
    limits = tf.tile(tf.expand_dims(tf.constant(thresholds), [1]), tf.stack([1, length]))
    predicted = {"p": tf.greater(tf.tile(tf.transpose(column), [n, 1]), limits)}
    predicted["n"] = tf.logical_not(predicted["p"])
    actual = {"p": tf.tile(row, [n, 1])}
    actual["n"] = tf.logical_not(actual["p"])
    tiled = None
    if weights is not None:
        weights = broadcast_weights(tf.cast(weights, _type("float32")), predictions)
        tiled = tf.tile(tf.reshape(weights, [1, -1]), [n, 1])
        check_compatible(limits, tiled)
    values, updates = {}, {}
    for key in includes:
        variable = metric_variable([n], _type("float32"), _NAMES[key])
        label = key[1] if key[0] == "t" else {"p": "n", "n": "p"}[key[1]]
        hits = tf.cast(tf.logical_and(actual[label], predicted[key[1]]), _type("float32"))
        if tiled is not None:
            hits = hits * tiled
        values[key] = variable
        updates[key] = tf.assign_add(variable, tf.reduce_sum(hits, 1))
    return values, updates


def _even_thresholds(n: int) -> List[float]:
    inner = [(i + 1) * 1.0 / (n - 1) for i in range(n - 2)]
    return [0.0 - 1e-7] + inner + [1.0 + 1e-7]


@export("tf.metrics.auc")
def auc(labels: object, predictions: object, weights: object = None, num_thresholds: int = 200,
        metrics_collections: object = None, updates_collections: object = None, curve: str = "ROC",
        name: Optional[str] = None, summation_method: str = "trapezoidal",
        thresholds: Any = None) -> Pair:
    _graph_only("auc")
    with variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
        limits = _even_thresholds(num_thresholds) if thresholds is None else \
            [0.0 - 1e-7] + sorted(thresholds) + [1.0 + 1e-7]
        values, updates = _at_thresholds(labels, predictions, limits, weights)
        if summation_method not in ("trapezoidal", "careful_interpolation", "minoring", "majoring"):
            raise ValueError("Invalid summation_method: %s" % summation_method)
        n = len(limits)

        def compute(v: Dict[str, Any], name: str) -> Any:
            rates = tf.div(v["tp"] + 1e-6, v["tp"] + v["fn"] + 1e-6)
            x = tf.div(v["fp"], v["fp"] + v["tn"] + 1e-6) if curve == "ROC" else rates
            y = rates if curve == "ROC" else tf.div(v["tp"] + 1e-6, v["tp"] + v["fp"] + 1e-6)
            areas = tf.multiply(x[:n - 1] - x[1:], (y[:n - 1] + y[1:]) / 2.)
            return tf.reduce_sum(areas, name=name)

        return _collected(compute(values, "value"), compute(updates, "update_op"),
                          metrics_collections, updates_collections)


def _threshold_function(name: str, formula: Any, includes: object, fallback: str) -> None:
    def metric(labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
               metrics_collections: Any = None, updates_collections: object = None,
               name: Optional[str] = None) -> Pair:
        _graph_only(function_name)
        with variable_scope(name, fallback, (predictions, labels, weights)):
            values, updates = _at_thresholds(labels, predictions, list(thresholds), weights,
                                             includes)
            return _collected(formula(values), formula(updates), metrics_collections,
                              updates_collections)

    function_name = name
    metric.__name__ = name
    put(metric, "tf.metrics." + name)


def _share(a: str, b: str) -> Any:
    return lambda v: tf.div(v[a], 1e-7 + v[a] + v[b])


_threshold_function("precision_at_thresholds", _share("tp", "fp"), ("tp", "fp"),
                    "precision_at_thresholds")
_threshold_function("recall_at_thresholds", _share("tp", "fn"), ("tp", "fn"),
                    "recall_at_thresholds")
for _key, _name in _NAMES.items():
    _threshold_function(_name + "_at_thresholds",
                        lambda v, key=_key: tf.convert_to_tensor(v[key]), (_key,), _name)


def _at_point(name: str, a: Any, b: Any) -> None:
    """sensitivity_at_specificity and its mirror: one number out of the curves."""
    def metric(labels: object, predictions: object, given: Any, weights: object = None,
               num_thresholds: int = 200, metrics_collections: object = None,
               updates_collections: object = None, name: Optional[str] = None, **kwargs: object) -> Pair:
        _graph_only(function_name)
        if given < 0 or given > 1:
            raise ValueError("`%s` must be in the range [0, 1]." % function_name.split("_at_")[1])
        with variable_scope(name, function_name, (predictions, labels, weights)):
            values, updates = _at_thresholds(labels, predictions, _even_thresholds(num_thresholds),
                                             weights)

            def compute(v: Dict[str, Any], name: str) -> Any:
                known = tf.div(v[b[0]], v[b[0]] + v[b[1]] + 1e-7)
                index = tf.cast(tf.argmin(tf.abs(known - given), 0), _type("int32"))
                return tf.div(v[a[0]][index], v[a[0]][index] + v[a[1]][index] + 1e-7, name)

            return _collected(compute(values, "value"), compute(updates, "update_op"),
                              metrics_collections, updates_collections)

    function_name = name
    metric.__name__ = name

    def renamed(labels: Any, predictions: Any, *args: Any, **kwargs: Any) -> Pair:
        key = function_name.split("_at_")[1]
        if key in kwargs:
            kwargs["given"] = kwargs.pop(key)
        return metric(labels, predictions, *args, **kwargs)

    renamed.__name__ = name
    put(renamed, "tf.metrics." + name)


_at_point("sensitivity_at_specificity", ("tp", "fn"), ("tn", "fp"))
_at_point("specificity_at_sensitivity", ("tn", "fp"), ("tp", "fn"))


# --- by class ---------------------------------------------------------------------------------------------
def _flat(x: Any) -> Any:
    rank = x.get_shape().ndims
    return tf.reshape(x, [-1]) if rank is None or rank > 1 else x


@export("tf.metrics.mean_per_class_accuracy")
def mean_per_class_accuracy(labels: Any, predictions: Any, num_classes: object, weights: object = None,
                            metrics_collections: object = None, updates_collections: object = None,
                            name: Optional[str] = None) -> Pair:
    _graph_only("mean_per_class_accuracy")
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _flat(tf.cast(labels, _type("int64")))
        predictions = _flat(framework_lib.convert_to_tensor(predictions))
        check_compatible(predictions, labels)
        total = metric_variable([num_classes], _type("float32"), "total")
        count = metric_variable([num_classes], _type("float32"), "count")
        ones = tf.ones([tf.size(labels)], _type("float32"))
        if labels.dtype != predictions.dtype:
            predictions = tf.cast(predictions, labels.dtype.base_dtype)
        correct = tf.cast(tf.equal(predictions, labels), _type("float32"))
        if weights is not None:
            weights = tf.cast(_flat(framework_lib.convert_to_tensor(weights)), _type("float32"))
            correct, ones = correct * weights, ones * weights
        update_total = tf.scatter_add(total, labels, ones)
        update_count = tf.scatter_add(count, labels, correct)
        value = tf.reduce_mean(_ratio(count, total), name="mean_accuracy")
        update = _ratio(update_count, update_total, "update_op")
        return _collected(value, update, metrics_collections, updates_collections)


@export("tf.metrics.mean_iou")
def mean_iou(labels: object, predictions: object, num_classes: object, weights: object = None,
             metrics_collections: object = None, updates_collections: object = None,
             name: Optional[str] = None) -> Pair:
    _graph_only("mean_iou")
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        labels = framework_lib.convert_to_tensor(labels)
        predictions = framework_lib.convert_to_tensor(predictions)
        check_compatible(predictions, labels)
        matrix = metric_variable([num_classes, num_classes], _type("float64"),
                                 "total_confusion_matrix")
        if weights is not None:
            weights = _flat(framework_lib.convert_to_tensor(weights))
        current = tf.confusion_matrix(_flat(tf.cast(labels, _type("int64"))),
                                      _flat(tf.cast(predictions, _type("int64"))), num_classes,
                                      dtype=_type("float64"), weights=weights)
        update = tf.assign_add(matrix, current)
        rows = tf.cast(tf.reduce_sum(matrix, 0), _type("float32"))
        columns = tf.cast(tf.reduce_sum(matrix, 1), _type("float32"))
        both = tf.cast(tf.diag_part(matrix), _type("float32"))
        union = rows + columns - both
        present = tf.reduce_sum(tf.cast(tf.not_equal(union, 0.0), _type("float32")))
        union = tf.where(tf.greater(union, 0.0), union, tf.ones_like(union))
        ratio = tf.reduce_sum(tf.div(both, union), name="mean_iou")
        value = tf.where(tf.greater(present, 0.0), ratio / present, tf.zeros_like(ratio))
        return _collected(value, update, metrics_collections, updates_collections)


def _at_k(function_name: str, other: str) -> None:
    def metric(labels: object, predictions: Any, k: int, class_id: object = None, weights: object = None,
               metrics_collections: object = None, updates_collections: object = None,
               name: Optional[str] = None) -> Pair:
        _graph_only(function_name)
        predictions = framework_lib.convert_to_tensor(predictions)
        if predictions.get_shape().ndims == 0:
            raise fail("SF103", "Shape must be at least rank {rank} but is rank {rank}", 1, 0)
        with variable_scope(name, "%s_at_%s" % (function_name.split("_at_")[0], k),
                            (predictions, labels, weights)):
            tf.nn.top_k(predictions, k)
            hit = metric_variable([], _type("float64"), "true_positive_at_%s" % k)
            missed = metric_variable([], _type("float64"), "%s_at_%s" % (other, k))
            zero = tf.constant(0.0, _type("float64"))
            with framework_lib.control_dependencies([predictions]):
                updates = [tf.assign_add(hit, zero), tf.assign_add(missed, zero)]
            return _collected(tf.div(hit, hit + missed, name=function_name),
                              tf.div(updates[0], updates[0] + updates[1], name="update"),
                              metrics_collections, updates_collections)

    metric.__name__ = function_name
    put(metric, "tf.metrics." + function_name)


_at_k("precision_at_k", "false_positive")
_at_k("recall_at_k", "false_negative")
