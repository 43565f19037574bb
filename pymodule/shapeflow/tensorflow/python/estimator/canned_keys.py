"""The names of what the estimators that TensorFlow brings along measure and predict.

Source: tensorflow_estimator/python/estimator/canned/{metric_keys,prediction_keys}.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapeflow.api.registry import Decorator


def _in_canned(name: str) -> Decorator:
    return export("tensorflow_estimator.python.estimator.canned." + name,
                  "tensorflow.python.estimator.canned." + name, v2=True)


@_in_canned("metric_keys.MetricKeys")
class MetricKeys:
    """Names of metrics; those with a place for a number or a name are filled in by the heads."""

    LOSS = "loss"
    LOSS_MEAN = "average_loss"
    LOSS_REGULARIZATION = "regularization_loss"
    ACCURACY = "accuracy"
    PRECISION = "precision"
    RECALL = "recall"
    ACCURACY_BASELINE = "accuracy_baseline"
    AUC = "auc"
    AUC_PR = "auc_precision_recall"
    LABEL_MEAN = "label/mean"
    PREDICTION_MEAN = "prediction/mean"
    ACCURACY_AT_THRESHOLD = "accuracy/positive_threshold_%g"
    PRECISION_AT_THRESHOLD = "precision/positive_threshold_%g"
    RECALL_AT_THRESHOLD = "recall/positive_threshold_%g"
    PROBABILITY_MEAN_AT_CLASS = "probability_mean/class%d"
    AUC_AT_CLASS = "auc/class%d"
    AUC_PR_AT_CLASS = "auc_precision_recall/class%d"
    PROBABILITY_MEAN_AT_NAME = "probability_mean/%s"
    AUC_AT_NAME = "auc/%s"
    AUC_PR_AT_NAME = "auc_precision_recall/%s"


@_in_canned("prediction_keys.PredictionKeys")
class PredictionKeys:
    """Keys of predictions."""

    CLASSES = "classes"
    CLASS_IDS = "class_ids"
    ALL_CLASSES = "all_classes"
    ALL_CLASS_IDS = "all_class_ids"
    LOGISTIC = "logistic"
    LOGITS = "logits"
    PREDICTIONS = "predictions"
    PROBABILITIES = "probabilities"
    TOP_K = "top_k"
