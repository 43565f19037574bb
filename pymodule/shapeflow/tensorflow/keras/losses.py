"""tf.keras.losses: what they ask of the shapes of labels and predictions.

Source: tensorflow/python/keras/losses.py (1.15), keras/src/{losses,backend/tensorflow/nn}.py.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras.base_layer import is_keras3, limits_of
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import about, shape_args
from shapeflow.tensorflow.python.framework.error_report import fail_untyped as fail
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


def squeezed(y_true: Any, y_pred: Any) -> Any:
    """A last dim of one that the other lacks goes away."""
    a, b = _dims(y_true), _dims(y_pred)
    if a is not None and b is not None:
        if len(a) == len(b) + 1 and a[-1] == 1:
            if is_keras3() and len(a) == 2:
                y_pred = tf.expand_dims(y_pred, -1)
            else:
                y_true = tf.squeeze(y_true, [-1])
        elif len(b) == len(a) + 1 and b[-1] == 1:
            if is_keras3() and len(b) == 2:
                y_true = tf.expand_dims(y_true, -1)
            else:
                y_pred = tf.squeeze(y_pred, [-1])
    return y_true, y_pred


def wrapped(y_true: Any, y_pred: Any) -> Any:
    """What Keras 3 hands to the function of a loss: tensors of float32, of one rank if a last dim of one
    may come or go."""
    y_true, y_pred = framework_lib.convert_to_tensor(y_true), framework_lib.convert_to_tensor(y_pred)
    if y_true.dtype.name != "string":
        y_true = tf.cast(y_true, _core.as_dtype("float32"))
    return squeezed(y_true, tf.cast(y_pred, _core.as_dtype("float32")))


def _last_mean(x: Any) -> Any:
    return tf.reduce_mean(x, axis=-1) if x.get_shape().ndims != 0 or is_keras3() else x


def _elementwise(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    if is_keras3():
        y_true, y_pred = squeezed(y_true, y_pred)
    return _last_mean(y_pred - y_true)


def _unsqueezed(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
    """hinge and its like: ranks are as they are."""
    y_true, y_pred = _both(y_true, y_pred)
    return _last_mean(y_pred - y_true)


def _same(y_true: Any, y_pred: Any, upto_last: bool = False) -> None:
    with about(("y_true", y_true), ("y_pred", y_pred)):
        _check_same(y_true, y_pred, upto_last)


def _check_same(y_true: Any, y_pred: Any, upto_last: bool) -> None:
    a, b = _dims(y_true), _dims(y_pred)
    if a is None or b is None or not is_keras3():
        return
    got = "Received: target.shape=%s, output.shape=%s" % (a, b)
    if upto_last:
        if len(a) != len(b[:-1]):
            raise fail("SF108", "Argument `output` must have rank (ndim) `target.ndim - 1`. " + got,
                       args=shape_args(a, b))
        if any(i != j for i, j in zip(a, b[:-1]) if None not in (i, j)):
            raise fail("SF108", "Arguments `target` and `output` must have the same shape up until the "
                       "last dimension: target.shape=%s, output.shape=%s" % (a, b), args=shape_args(a, b))
        return
    if len(a) != len(b):
        raise fail("SF108", "Arguments `target` and `output` must have the same rank (ndim). " + got,
                   args=shape_args(a, b))
    wrong = [axis for axis, (i, j) in enumerate(zip(a, b)) if None not in (i, j) and i != j]
    if wrong:
        raise fail("SF108", "Arguments `target` and `output` must have the same shape. " + got,
                   axis=wrong[0], args=shape_args(a, b))


def _binary(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    _same(y_true, y_pred)
    if not is_keras3():
        y_true, y_pred = squeezed(y_true, y_pred) if _core.get_version()[0] == "2" else (y_true, y_pred)
        return _last_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y_true, logits=y_pred))
    return _last_mean(y_pred * y_true)


def _categorical(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: Any = 0.0,
                 axis: int = -1, **kwargs: Any) -> Any:
    y_true, y_pred = _both(y_true, y_pred)
    _same(y_true, y_pred)
    if y_pred.get_shape().ndims is None or y_true.get_shape().ndims is None:
        return op_builders.like_shape([y_true, y_pred], y_pred.dtype, None)
    return tf.reduce_sum(y_true * y_pred, axis=axis)


def _sparse(y_true: Any, y_pred: Any, from_logits: bool = False, *args: Any, **kwargs: Any) -> Any:
    given = dict(zip(("ignore_class", "axis") if is_keras3() else ("axis",), args), **kwargs)
    axis, ignored = given.get("axis", -1), given.get("ignore_class")
    y_true, y_pred = _both(y_true, y_pred, False)
    a, b = _dims(y_true), _dims(y_pred)
    if is_keras3() and b == ():
        raise fail("SF103", "tuple index out of range", IndexError)
    if a is not None and b is not None and len(a) == len(b) and a and a[-1] == 1:
        y_true = tf.squeeze(y_true, [-1])
    _same(y_true, y_pred, True)
    if b is None:
        return op_builders.like_shape([y_true, y_pred], y_pred.dtype, None)
    low, high = limits_of(y_true) or (0, 0)
    if ignored is not None:  # its labels are replaced: the others are not known
        y_true = op_builders.like_shape([y_true], y_true.dtype, y_true.get_shape())
    elif b[-1] is not None and (low < 0 or high >= b[-1]):
        raise fail("SF117", "Received a label value of %d which is outside the valid range of [0, %d)."
                   % (low if low < 0 else high, b[-1]))
    if is_keras3() and a is not None and axis in (-1, len(b) - 1):
        y_true = tf.cast(y_true, _core.as_dtype("int64"))
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y_true, logits=y_pred)
    return op_builders.like_shape([y_true, y_pred], y_pred.dtype, list(b[:-1]))


_LOSSES: Dict[str, Any] = {
    "mean_squared_error": (_elementwise, "mse MSE"), "mean_absolute_error": (_elementwise, "mae MAE"),
    "mean_absolute_percentage_error": (_elementwise, "mape MAPE"),
    "mean_squared_logarithmic_error": (_elementwise, "msle MSLE"), "hinge": (_unsqueezed, ""),
    "squared_hinge": (_unsqueezed, ""), "logcosh": (_elementwise, "log_cosh"),
    "huber": (_elementwise, "huber_loss"), "poisson": (_unsqueezed, ""),
    "kullback_leibler_divergence": (_unsqueezed, "kld KLD kl_divergence"),
    "cosine_similarity": (_elementwise, "cosine_proximity cosine"),
    "categorical_hinge": (_unsqueezed, ""), "binary_crossentropy": (_binary, ""),
    "binary_focal_crossentropy": (_binary, ""), "categorical_crossentropy": (_categorical, ""),
    "categorical_focal_crossentropy": (_categorical, ""),
    "sparse_categorical_crossentropy": (_sparse, ""),
}
_FUNCTIONS: Dict[str, Any] = {}


def _register(name: str, body: Any, aliases: str) -> None:
    def function(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        return body(y_true, y_pred, *args, **kwargs)

    function.__name__ = name
    for spelled in [name] + aliases.split():
        _FUNCTIONS[spelled] = function
        put(function, "tf.keras.losses." + spelled, "tf.keras.metrics." + spelled, v2=True)


for _name, (_body, _aliases) in _LOSSES.items():
    _register(_name, _body, _aliases)


@export("tf.keras.losses.Loss", v2=True)
class Loss:
    """A loss of batches, reduced to one number unless told otherwise."""

    def __init__(self, reduction: Any = "auto", name: Optional[str] = None, **kwargs: Any) -> None:
        self.reduction = getattr(reduction, "value", reduction)
        self.name = name or to_snake_case(type(self).__name__)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        losses = framework_lib.convert_to_tensor(self.call(y_true, y_pred))
        if sample_weight is not None:
            sample_weight = tf.cast(framework_lib.convert_to_tensor(sample_weight), losses.dtype)
            if is_keras3():
                losses, sample_weight = squeezed(losses, sample_weight)
            a, b = _dims(sample_weight), _dims(losses)
            if a is not None and b is not None and len(a) == len(b) + 1 and a[-1] == 1:
                sample_weight = tf.squeeze(sample_weight, [-1])
            elif a is not None and b is not None and len(b) > len(a) > 0 and not is_keras3():
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
        self._args, self._kwargs = args, kwargs

    def call(self: Any, y_true: Any, y_pred: Any) -> Any:
        if is_keras3():
            y_true, y_pred = wrapped(y_true, y_pred)
        ignored = self._kwargs.get("ignore_class")
        if is_keras3() and function == "sparse_categorical_crossentropy" and len(self._args) > 1:
            ignored = self._args[1]
        return _FUNCTIONS[function](y_true, y_pred, **({} if ignored is None else {"ignore_class": ignored}))

    cls = type(name, (Loss,), {"__init__": __init__, "call": call, "__module__": __name__})
    put(cls, "tf.keras.losses." + name, v2=True)
    _CLASSES[name] = cls


_CLASSES: Dict[str, Any] = {}
for _name, _body in (
        ("MeanSquaredError", "mse"), ("MeanAbsoluteError", "mae"), ("Huber", "huber"),
        ("MeanAbsolutePercentageError", "mape"), ("MeanSquaredLogarithmicError", "msle"),
        ("BinaryCrossentropy", "binary_crossentropy"), ("LogCosh", "logcosh"), ("Hinge", "hinge"),
        ("CategoricalCrossentropy", "categorical_crossentropy"), ("Poisson", "poisson"),
        ("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy"),
        ("SquaredHinge", "squared_hinge"), ("KLDivergence", "kld"),
        ("CosineSimilarity", "cosine_similarity"), ("CategoricalHinge", "categorical_hinge"),
        ("BinaryFocalCrossentropy", "binary_crossentropy"),
        ("CategoricalFocalCrossentropy", "categorical_crossentropy")):
    _loss_class(_name, _body)


@export("tf.keras.losses.get", v2=True)
def get(identifier: Any) -> Any:
    if identifier is None or callable(identifier) and not isinstance(identifier, type):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    found = _FUNCTIONS.get(identifier) or _CLASSES.get(identifier)
    if found is None:
        raise ValueError("Unknown loss function:%s" % identifier if not is_keras3() else
                         "Could not interpret loss identifier: %s" % identifier)
    return found() if isinstance(found, type) else found
