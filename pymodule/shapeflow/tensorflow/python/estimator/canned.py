"""The estimators that come with a model: deep, linear, both, and the baselines, with their heads' checks.

Names of variables are TensorFlow's, so that summaries and checkpoints agree.
Source: tensorflow_estimator/python/estimator/canned/{dnn,linear,dnn_linear_combined,baseline,head}.py.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.estimator.estimator import Estimator
from shapeflow.tensorflow.python.estimator.model_fn import EstimatorSpec, ModeKeys
from shapeflow.tensorflow.python.feature_column.feature_column import input_layer, linear_model
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.op_builders import tf, unknown
from shapeflow.tensorflow.python.ops.variable_scope import get_variable, variable_scope
from shapeflow.tensorflow.python.training import training_util

Minimize = Callable[[Any], Any]


class _Head:
    """What follows the logits: labels checked against them, loss, predictions, metrics."""

    def __init__(self, logits_dimension: int, labels_dimension: int) -> None:
        self.logits_dimension, self._labels_dimension = logits_dimension, labels_dimension

    def _labels(self, labels: Any, logits: Any) -> Any:
        if labels is None:
            raise ValueError(
                "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check "
                "that your data contain your label feature. Check that your input_fn properly parses "
                "and returns labels."
            )
        labels = framework_lib.convert_to_tensor(labels)
        rank, of_logits = labels.get_shape().ndims, logits.get_shape().ndims
        if rank is not None and of_logits is not None and rank == of_logits - 1:
            labels = tf.expand_dims(labels, -1)
        size = labels.get_shape()[-1] if labels.get_shape().ndims else None
        known = getattr(size, "value", size)
        if known is not None and known != self._labels_dimension:
            with about(("labels", labels)):
                raise fail(
                    "SF102",
                    "Mismatched label shape. Expected labels dimension={dim}.  Received {dim}. Suggested "
                    "Fix:If your classifier expects one-hot encoding label,check your n_classes argument to "
                    "the estimator and/or the shape of your label. Otherwise, check the shape of your label.",
                    self._labels_dimension,
                    known,
                )
        return labels

    def predictions(self, logits: object) -> Dict[str, Any]:
        raise NotImplementedError

    def losses(self, labels: Any, logits: Any) -> Any:
        """Of each example."""
        raise NotImplementedError

    def metrics(self, labels: Any, predictions: Dict[str, Any], losses: Any) -> Dict[str, Any]:
        return {"average_loss": tf.metrics.mean(losses)}

    def spec(self, mode: str, logits: object, labels: object, minimize: Minimize) -> EstimatorSpec:
        predictions = self.predictions(logits)
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, predictions=predictions)
        labels = self._labels(labels, logits)
        losses = self.losses(labels, logits)
        loss = tf.reduce_sum(losses)
        if mode == ModeKeys.EVAL:
            return EstimatorSpec(
                mode,
                predictions=predictions,
                loss=loss,
                eval_metric_ops=self.metrics(labels, predictions, losses),
            )
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=minimize(loss))


class _Classes(_Head):
    def __init__(self, n_classes: int) -> None:
        if n_classes is None or n_classes < 2:
            raise ValueError("n_classes must be > 1 for classification: {}.".format(n_classes))
        super().__init__(1 if n_classes == 2 else n_classes, 1)
        self._n_classes = n_classes

    def predictions(self, logits: object) -> Dict[str, object]:
        found = {"logits": logits}
        if self._n_classes == 2:
            found["logistic"] = tf.sigmoid(logits)
            scores = tf.concat((tf.zeros_like(logits), logits), axis=-1)
        else:
            scores = logits
        ids = tf.expand_dims(tf.argmax(scores, axis=-1), axis=-1)
        found.update(
            probabilities=tf.nn.softmax(scores),
            class_ids=ids,
            classes=tf.as_string(ids, name="str_classes"),
        )
        if names.emulated() >= (1, 14):
            every = tf.tile(tf.expand_dims(tf.range(self._n_classes), 0), tf.stack([tf.shape(logits)[0], 1]))
            found.update(all_class_ids=every, all_classes=tf.as_string(every))
        return found

    def losses(self, labels: Any, logits: Any) -> Any:
        if labels.dtype.name == "string":  # by a vocabulary: its numbers have the same shape
            labels = unknown("int64", labels.get_shape(), "class_lookup", [labels], trusted=True)
        if self._n_classes == 2:
            return tf.nn.sigmoid_cross_entropy_with_logits(
                labels=tf.cast(labels, _core.as_dtype("float32")), logits=logits
            )
        numbers = tf.squeeze(tf.cast(labels, _core.as_dtype("int64")), axis=-1)
        return tf.expand_dims(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=numbers, logits=logits), -1
        )

    def metrics(self, labels: Any, predictions: Dict[str, Any], losses: Any) -> Dict[str, Any]:
        if labels.dtype.name == "string":
            labels = unknown("int64", labels.get_shape(), "class_lookup", [labels], trusted=True)
        ids = predictions["class_ids"]
        found = super().metrics(labels, predictions, losses)
        found["accuracy"] = tf.metrics.accuracy(tf.cast(labels, ids.dtype), ids)
        if self._n_classes == 2:
            truth = tf.cast(labels, _core.as_dtype("float32"))
            found.update(
                {
                    "precision": tf.metrics.precision(truth, ids),
                    "recall": tf.metrics.recall(truth, ids),
                    "auc": tf.metrics.auc(truth, predictions["logistic"]),
                    "auc_precision_recall": tf.metrics.auc(truth, predictions["logistic"]),
                    "accuracy_baseline": tf.metrics.mean(truth),
                    "label/mean": tf.metrics.mean(truth),
                    "prediction/mean": tf.metrics.mean(predictions["logistic"]),
                }
            )
        return found


class _Regression(_Head):
    def __init__(self, label_dimension: int) -> None:
        if label_dimension < 1:
            raise ValueError("Invalid label_dimension %s." % label_dimension)
        super().__init__(label_dimension, label_dimension)

    def predictions(self, logits: object) -> Dict[str, Any]:
        return {"predictions": logits}

    def losses(self, labels: Any, logits: Any) -> Any:
        return tf.squared_difference(logits, tf.cast(labels, _core.as_dtype("float32")))

    def metrics(self, labels: Any, predictions: Dict[str, Any], losses: Any) -> Dict[str, Any]:
        found = super().metrics(labels, predictions, losses)
        found["prediction/mean"] = tf.metrics.mean(predictions["predictions"])
        found["label/mean"] = tf.metrics.mean(tf.cast(labels, _core.as_dtype("float32")))
        return found


def _optimizer(given: object, rate: float) -> Any:
    """An optimizer by its name, or as it was given."""
    if callable(given) and not isinstance(given, str) and not hasattr(given, "minimize"):
        given = given()
    if not isinstance(given, str):
        return given
    by_name = {
        "Adagrad": tf.train.AdagradOptimizer,
        "Adam": tf.train.AdamOptimizer,
        "Ftrl": tf.train.FtrlOptimizer,
        "RMSProp": tf.train.RMSPropOptimizer,
        "SGD": tf.train.GradientDescentOptimizer,
    }
    if given not in by_name:
        raise ValueError(
            "Unsupported optimizer name: {}. Supported names are: {}".format(given, tuple(sorted(by_name)))
        )
    return by_name[given](learning_rate=rate)


def _minimize(optimizer: object, rate: float, scope: str) -> Minimize:
    def minimize(loss: object) -> Any:
        chosen = _optimizer(optimizer, rate)
        variables = tf.get_collection("trainable_variables", scope=scope)
        return chosen.minimize(
            loss, global_step=training_util.get_global_step(), var_list=variables or None
        )

    return minimize


def _check_features(features: object) -> None:
    if not isinstance(features, dict) and not is_unmodelled(features):
        raise ValueError(
            "features should be a dictionary of `Tensor`s. Given type: {}".format(type(features))
        )


def _deep(
    features: object,
    columns: object,
    hidden_units: Sequence[int],
    activation_fn: object,
    dropout: object,
    units: int,
    training: bool,
    batch_norm: bool = False,
) -> Any:
    with variable_scope("dnn"):
        with variable_scope("input_from_feature_columns"):
            net = input_layer(features, columns)
        for at, size in enumerate(hidden_units):
            net = tf.layers.dense(
                net,
                size,
                activation=activation_fn,
                name="hiddenlayer_%d" % at,
                kernel_initializer=tf.glorot_uniform_initializer(),
            )
            if dropout is not None and training:
                net = tf.layers.dropout(net, rate=dropout, training=True)
            if batch_norm:
                net = tf.layers.batch_normalization(
                    net, training=training, name="hiddenlayer_%d/batchnorm_%d" % (at, at)
                )
        return tf.layers.dense(
            net, units, activation=None, name="logits", kernel_initializer=tf.glorot_uniform_initializer()
        )


def _linear(features: object, columns: object, units: int) -> Any:
    with variable_scope("linear"):
        return linear_model(features, columns, units=units)


# What makes the model of each family. The parameters are those of TensorFlow's constructors; `unused` change
# no shape.
def deep_fn(head: _Head, hidden_units: Any, feature_columns: object, optimizer: object = "Adagrad",
            activation_fn: object = None, dropout: object = None, batch_norm: bool = False,
            **unused: object) -> Any:
    def model_fn(features: object, labels: object, mode: str) -> EstimatorSpec:
        _check_features(features)
        logits = _deep(
            features,
            feature_columns,
            hidden_units,
            activation_fn or tf.nn.relu,
            dropout,
            head.logits_dimension,
            mode == ModeKeys.TRAIN,
            batch_norm,
        )
        return head.spec(mode, logits, labels, _minimize(optimizer, 0.05, "dnn"))

    return model_fn


def linear_fn(head: _Head, feature_columns: Any, optimizer: object = "Ftrl", **unused: object) -> Any:
    def model_fn(features: object, labels: object, mode: str) -> EstimatorSpec:
        _check_features(features)
        logits = _linear(features, feature_columns, head.logits_dimension)
        rate = min(0.2, max(1, len(feature_columns)) ** -0.5)
        return head.spec(mode, logits, labels, _minimize(optimizer, rate, "linear"))

    return model_fn


def combined_fn(head: _Head, linear_feature_columns: object = None, linear_optimizer: object = "Ftrl",
                dnn_feature_columns: object = None, dnn_optimizer: object = "Adagrad",
                dnn_hidden_units: Any = None, dnn_activation_fn: object = None, dnn_dropout: object = None,
                **unused: object) -> Any:
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")

    def model_fn(features: object, labels: object, mode: str) -> EstimatorSpec:
        _check_features(features)
        parts: List[Tuple[Any, Minimize]] = []
        if dnn_feature_columns:
            parts.append(
                (
                    _deep(
                        features,
                        dnn_feature_columns,
                        dnn_hidden_units or [],
                        dnn_activation_fn or tf.nn.relu,
                        dnn_dropout,
                        head.logits_dimension,
                        mode == ModeKeys.TRAIN,
                    ),
                    _minimize(dnn_optimizer, 0.05, "dnn"),
                )
            )
        if linear_feature_columns:
            parts.append(
                (
                    _linear(features, linear_feature_columns, head.logits_dimension),
                    _minimize(linear_optimizer, 0.2, "linear"),
                )
            )
        logits = parts[0][0] if len(parts) == 1 else parts[0][0] + parts[1][0]
        return head.spec(
            mode, logits, labels, lambda loss: tf.group(*[minimize(loss) for _, minimize in parts])
        )

    return model_fn


def baseline_fn(head: _Head, optimizer: object = "Ftrl", **unused: object) -> Any:
    def model_fn(features: Any, labels: object, mode: str) -> EstimatorSpec:
        _check_features(features)
        rows = tf.shape(framework_lib.convert_to_tensor(next(iter(features.values()))))[0]
        with variable_scope("baseline"):
            bias = get_variable("bias", [head.logits_dimension], initializer=tf.zeros_initializer())
        logits = tf.multiply(bias, tf.ones(tf.stack([rows, head.logits_dimension])))
        return head.spec(mode, logits, labels, _minimize(optimizer, 0.3, "baseline"))

    return model_fn


@export("tf.estimator.DNNClassifier", v2=True)
class DNNClassifier(Estimator):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(deep_fn(_Classes(n_classes), **options), model_dir, config)


@export("tf.estimator.DNNRegressor", v2=True)
class DNNRegressor(Estimator):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(deep_fn(_Regression(label_dimension), **options), model_dir, config)


@export("tf.estimator.LinearClassifier", v2=True)
class LinearClassifier(Estimator):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(linear_fn(_Classes(n_classes), **options), model_dir, config)


@export("tf.estimator.LinearRegressor", v2=True)
class LinearRegressor(Estimator):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(linear_fn(_Regression(label_dimension), **options), model_dir, config)


@export("tf.estimator.DNNLinearCombinedClassifier", v2=True)
class DNNLinearCombinedClassifier(Estimator):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(combined_fn(_Classes(n_classes), **options), model_dir, config)


@export("tf.estimator.DNNLinearCombinedRegressor", v2=True)
class DNNLinearCombinedRegressor(Estimator):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(combined_fn(_Regression(label_dimension), **options), model_dir, config)


@export("tf.estimator.BaselineClassifier", v2=True)
class BaselineClassifier(Estimator):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(baseline_fn(_Classes(n_classes), **options), model_dir, config)


@export("tf.estimator.BaselineRegressor", v2=True)
class BaselineRegressor(Estimator):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(baseline_fn(_Regression(label_dimension), **options), model_dir, config)
