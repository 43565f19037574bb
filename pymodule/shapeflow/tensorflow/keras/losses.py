"""tf.keras.losses: what they ask of the shapes of labels and predictions.

Source: tensorflow/python/keras/losses.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, Optional

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.members import Members
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import to_snake_case


def _both(y_true: Any, y_pred: Any, labels_as_pred: bool = True) -> Any:
    y_pred = framework_lib.convert_to_tensor(y_pred)
    y_true = framework_lib.convert_to_tensor(y_true)
    if labels_as_pred and y_true.dtype != y_pred.dtype and y_pred.dtype.is_floating:
        y_true = tf.cast(y_true, y_pred.dtype)
    return y_true, y_pred


def _dims(t: Any) -> Any:
    return tuple(t.get_shape().as_list()) if t.get_shape().ndims is not None else None


def _last_mean(x: Any) -> Any:
    return tf.reduce_mean(x, axis=-1) if x.get_shape().ndims != 0 else x


def _elementwise(y_true: Any, y_pred: Any, *args: object, **kwargs: object) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    return _last_mean(y_pred - y_true)


def _binary(y_true: object, y_pred: object, *args: object, **kwargs: object) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    return _last_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y_true, logits=y_pred))


def _categorical(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: object = 0.0,
                 axis: int = -1, **kwargs: object) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    if y_pred.get_shape().ndims is None or y_true.get_shape().ndims is None:
        return op_builders.like_shape([y_true, y_pred], y_pred.dtype, None)
    return tf.reduce_sum(y_true * y_pred, axis=axis)


def _sparse(y_true: Any, y_pred: Any, from_logits: bool = False, *args: object, **kwargs: object) -> Any:
    y_true, y_pred = _both(y_true, y_pred, False)
    b = _dims(y_pred)
    return op_builders.like_shape([y_true, y_pred], y_pred.dtype, None if b is None else list(b[:-1]))


_LOSSES: Dict[str, Any] = {
    "mean_squared_error": (_elementwise, "mse MSE"), "mean_absolute_error": (_elementwise, "mae MAE"),
    "mean_absolute_percentage_error": (_elementwise, "mape MAPE"),
    "mean_squared_logarithmic_error": (_elementwise, "msle MSLE"), "hinge": (_elementwise, ""),
    "squared_hinge": (_elementwise, ""), "logcosh": (_elementwise, "log_cosh"),
    "huber_loss": (_elementwise, ""), "poisson": (_elementwise, ""),
    "kullback_leibler_divergence": (_elementwise, "kld KLD kl_divergence"),
    "cosine_similarity": (_elementwise, "cosine_proximity cosine"),
    "categorical_hinge": (_elementwise, ""), "binary_crossentropy": (_binary, ""),
    "categorical_crossentropy": (_categorical, ""),
    "sparse_categorical_crossentropy": (_sparse, ""),
}
_FUNCTIONS: Dict[str, Any] = {}


def _register(name: str, body: Any, aliases: str) -> None:
    def function(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        return body(y_true, y_pred, *args, **kwargs)

    function.__name__ = name
    for spelled in [name] + aliases.split():
        _FUNCTIONS[spelled] = function
        put(function, "tf.keras.losses." + spelled, "tf.keras.metrics." + spelled)


for _name, (_body, _aliases) in _LOSSES.items():
    _register(_name, _body, _aliases)


@export("tf.keras.losses.Loss")
class Loss(Members):
    """A loss of batches, reduced to one number unless told otherwise."""

    def __init__(self, reduction: Any = "auto", name: Optional[str] = None, **kwargs: Any) -> None:
        self.reduction = getattr(reduction, "value", reduction)
        self.name = name or to_snake_case(type(self).__name__)

    def __call__(self, y_true: object, y_pred: object, sample_weight: object = None) -> Any:
        losses = framework_lib.convert_to_tensor(self.call(y_true, y_pred))
        if sample_weight is not None:
            sample_weight = tf.cast(framework_lib.convert_to_tensor(sample_weight), losses.dtype)
            a, b = _dims(sample_weight), _dims(losses)
            if a is not None and b is not None and len(a) == len(b) + 1 and a[-1] == 1:
                sample_weight = tf.squeeze(sample_weight, [-1])
            elif a is not None and b is not None and len(b) > len(a) > 0:
                sample_weight = tf.reshape(sample_weight, list(a[:1]) + [1] * (len(b) - 1)) \
                    if a[0] is not None and len(a) == 1 else sample_weight
            losses = losses * sample_weight
        if str(self.reduction).lower() == "none" or self.reduction is None:
            return losses
        return tf.reduce_mean(losses)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        raise NotImplementedError("Must be implemented by subclass.")

    def get_config(self) -> Dict[str, Any]:
        return {"reduction": self.reduction, "name": self.name}


def _loss_class(name: str, function: str) -> None:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Loss.__init__(self, kwargs.pop("reduction", "auto"), kwargs.pop("name", None))

    def call(self: Any, y_true: Any, y_pred: Any) -> Any:
        return _FUNCTIONS[function](y_true, y_pred)

    cls = type(name, (Loss,), {"__init__": __init__, "call": call, "__module__": __name__})
    put(cls, "tf.keras.losses." + name)
    _CLASSES[name] = cls


_CLASSES: Dict[str, object] = {}
for _name, _body in (
        ("MeanSquaredError", "mse"), ("MeanAbsoluteError", "mae"), ("Huber", "huber_loss"),
        ("MeanAbsolutePercentageError", "mape"), ("MeanSquaredLogarithmicError", "msle"),
        ("BinaryCrossentropy", "binary_crossentropy"), ("LogCosh", "logcosh"), ("Hinge", "hinge"),
        ("CategoricalCrossentropy", "categorical_crossentropy"), ("Poisson", "poisson"),
        ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy"),
        ("SquaredHinge", "squared_hinge"), ("KLDivergence", "kld"),
        ("CosineSimilarity", "cosine_similarity"), ("CategoricalHinge", "categorical_hinge")):
    _loss_class(_name, _body)


@export("tf.keras.losses.get")
def get(identifier: Any) -> Any:
    if identifier is None or callable(identifier) and not isinstance(identifier, type):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    found = _FUNCTIONS.get(identifier) or _CLASSES.get(identifier)
    if found is None:
        raise ValueError("Unknown loss function:%s" % identifier)
    return found() if isinstance(found, type) else found
