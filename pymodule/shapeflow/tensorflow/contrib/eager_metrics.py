"""tf.contrib.eager.metrics. Source: tensorflow/contrib/eager/python/metrics_impl.py."""
from __future__ import annotations

from typing import Any, List, Optional

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.variables import Variable

_convert = framework_lib.convert_to_tensor


@export("tf.contrib.eager.metrics.Metric")
class Metric:
    """Variables that `build` makes before the first call, what a call adds to them, and what they say."""

    def __init__(self, name: Optional[str] = None, use_global_variables: bool = False) -> None:
        self._name = name or type(self).__name__
        self._vars: List[Any] = []
        self._built = False
        self._collection = "variables" if use_global_variables else "local_variables"

    name = property(lambda self: self._name)
    variables = property(lambda self: self._vars)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        if not self._built:
            self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    def build(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        return self.result if _core.executing_eagerly() else self.result()

    def init_variables(self) -> Any:
        if not _core.executing_eagerly():
            return tf.group(*[v.initializer for v in self._vars])
        for v in self._vars:
            v.assign(tf.zeros_like(v))

    def aggregate(self, metrics: Any) -> None:
        for metric in metrics:
            if type(metric) is not type(self):
                raise TypeError("All metrics must be the same type, '%s' != '%s'." % (
                    type(self), type(metric)))
        for i, own in enumerate(self._vars):
            own.assign_add(tf.add_n([metric._vars[i] for metric in metrics]))

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        made = initializer() if isinstance(initializer, type) else initializer
        first = tf.zeros(shape or [], dtype) if made is None else made(shape or [], dtype)
        collections = None if _core.executing_eagerly() else [self._collection, "metric_variables"]
        variable = Variable(first, trainable=False, collections=collections,
                            name="%s/%s" % (self._name.replace(" ", "_"), name))
        self._vars.append(variable)
        return variable


@export("tf.contrib.eager.metrics.Mean")
class Mean(Metric):
    """The weighted mean of all values so far."""

    def __init__(self, name: Optional[str] = None, dtype: Any = "float64",
                 use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = _core.as_dtype(dtype)

    def build(self, *args: Any, **kwargs: Any) -> None:
        self.numer = self.add_variable("numer", (), self.dtype)
        self.denom = self.add_variable("denom", (), self.dtype)

    def call(self, values: Any, weights: Any = None) -> Any:
        if weights is None:
            self.denom.assign_add(tf.cast(tf.size(values), self.dtype))
            values = tf.reduce_sum(values)
            self.numer.assign_add(tf.cast(values, self.dtype))
            return values
        weights = tf.cast(weights, self.dtype)
        self.denom.assign_add(tf.reduce_sum(weights))
        values = tf.cast(values, self.dtype) * weights
        self.numer.assign_add(tf.reduce_sum(values))
        return values, weights

    def result(self, write_summary: bool = True) -> Any:
        return self.numer / self.denom


class _Matches(Mean):
    """The share of predictions that are right."""

    def __init__(self, name: Optional[str] = None, dtype: Any = "float64") -> None:
        super().__init__(name, dtype)

    def matches(self, labels: object, predictions: object) -> Any:
        return tf.equal(labels, predictions)

    def call(self, labels: Any, predictions: Any,  # type: ignore[override]
             weights: Any = None) -> Any:
        self.check(_convert(labels), _convert(predictions))
        super().call(tf.cast(self.matches(labels, predictions), self.dtype), weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def check(self, labels: object, predictions: object) -> None:
        tf.assert_equal(tf.shape(labels), tf.shape(predictions),
                        message="Shapes of labels and predictions are unequal")


@export("tf.contrib.eager.metrics.Accuracy")
class Accuracy(_Matches):
    """Of class numbers."""


@export("tf.contrib.eager.metrics.CategoricalAccuracy")
class CategoricalAccuracy(_Matches):
    """Of one-hot labels and a score for each class."""

    def matches(self, labels: object, predictions: object) -> Any:
        return tf.equal(tf.argmax(labels, axis=-1), tf.argmax(predictions, axis=-1))


@export("tf.contrib.eager.metrics.BinaryAccuracy")
class BinaryAccuracy(_Matches):
    """Of probabilities, right above a threshold."""

    def __init__(self, threshold: float, name: Optional[str] = None, dtype: Any = "float64") -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def matches(self, labels: Any, predictions: Any) -> Any:
        predictions = _convert(predictions)
        return tf.equal(labels, tf.cast(predictions > self.threshold, predictions.dtype))


@export("tf.contrib.eager.metrics.SparseAccuracy")
class SparseAccuracy(_Matches):
    """Of class numbers and a score for each class."""

    def matches(self, labels: Any, predictions: Any) -> Any:
        labels = _convert(labels)
        return tf.equal(labels, tf.cast(tf.argmax(predictions, axis=-1), labels.dtype))

    def check(self, labels: object, predictions: object) -> None:
        tf.assert_equal(tf.shape(labels), tf.shape(predictions)[:-1],
                        message="First axis of labels and predictions is unequal")
