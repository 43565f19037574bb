"""tf.contrib.metrics: those of tf.metrics with the predictions first.

Source: tensorflow/contrib/metrics/python/ops/metric_ops.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import metrics
from shapeflow.tensorflow.python.ops.losses import check_compatible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple
    pass


def _streaming(name: str, function: Any) -> None:
    def metric(predictions: Any, labels: Any, *args: Any, **kwargs: Any) -> Any:
        return function(labels, predictions, *args, **kwargs)

    metric.__name__ = "streaming_" + name
    put(metric, "tf.contrib.metrics.streaming_" + name, "tf.contrib.slim.metrics.streaming_" + name)


for _name in ("accuracy", "precision", "recall", "auc", "mean_squared_error", "mean_absolute_error",
              "root_mean_squared_error", "mean_iou", "true_positives", "true_negatives",
              "false_positives", "false_negatives", "mean_relative_error", "mean_cosine_distance"):
    _streaming(_name, getattr(metrics, _name))
put(metrics.mean, "tf.contrib.metrics.streaming_mean", "tf.contrib.slim.metrics.streaming_mean")


@export("tf.contrib.metrics.accuracy", "tf.contrib.slim.metrics.accuracy")
def accuracy(predictions: Any, labels: Any, weights: object = None, name: Optional[str] = None) -> Any:
    if not (labels.dtype.is_integer or labels.dtype in (
            _core.as_dtype("bool"), _core.as_dtype("string"))):
        raise ValueError("Labels should have bool, integer, or string dtype, not %r" % labels.dtype)
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError("Dtypes of predictions and labels should match. Given: predictions (%r) and "
                         "labels (%r)" % (predictions.dtype, labels.dtype))
    check_compatible(predictions, labels)
    with framework_lib.name_scope(name, "accuracy"):
        hits = tf.cast(tf.equal(predictions, labels), _core.as_dtype("float32"))
        if weights is None:
            return tf.reduce_mean(hits)
        weighted = tf.multiply(hits, weights)
        return tf.div(tf.reduce_sum(weighted), tf.reduce_sum(tf.ones_like(weighted) * weights))


@export("tf.contrib.metrics.aggregate_metrics", "tf.contrib.slim.metrics.aggregate_metrics")
def aggregate_metrics(*value_update_tuples: object) -> Tuple[List[Any], List[Any]]:
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


@export("tf.contrib.metrics.aggregate_metric_map", "tf.contrib.slim.metrics.aggregate_metric_map")
def aggregate_metric_map(names_to_tuples: Any) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    return ({k: v[0] for k, v in names_to_tuples.items()},
            {k: v[1] for k, v in names_to_tuples.items()})
