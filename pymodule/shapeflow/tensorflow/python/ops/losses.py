"""tf.losses: the weighted losses and the collections they are kept in.

Source: tensorflow/python/ops/losses/{losses_impl,util}.py, weights_broadcast_ops.py,
confusion_matrix.py (1.15); tensorflow/contrib/losses/python/losses/loss_ops.py.
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple
    pass


# --- shapes of labels, predictions and weights ------------------------------------------------------
def check_compatible(a: Any, b: Any) -> None:
    """a.get_shape().assert_is_compatible_with(b.get_shape()), with a finding."""
    left, right = a.get_shape(), b.get_shape()
    if not left.is_compatible_with(right):
        raise fail("SF124", "Shapes {shape} and {shape} are incompatible", left, right)


def remove_squeezable_dimensions(labels: Any, predictions: Any, expected_rank_diff: int = 0,
                                 name: Optional[str] = None) -> Tuple[Any, Any]:
    """Squeezes the last dim of the one whose rank is one larger than expected."""
    with framework_lib.name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions = framework_lib.convert_to_tensor(predictions)
        labels = framework_lib.convert_to_tensor(labels)
        p, q = predictions.get_shape(), labels.get_shape()
        if p.ndims is not None and q.ndims is not None:
            difference = p.ndims - q.ndims
            if difference == expected_rank_diff + 1:
                predictions = tf.squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = tf.squeeze(labels, [-1])
            return labels, predictions
        difference = tf.rank(predictions) - tf.rank(labels)
        given = predictions
        if p.ndims is None or p.ndims > 0 and p.as_list()[-1] in (None, 1):
            predictions = tf.cond(tf.equal(expected_rank_diff + 1, difference),
                                  lambda: tf.squeeze(given, [-1]), lambda: given)
        given_labels = labels
        if q.ndims is None or q.ndims > 0 and q.as_list()[-1] in (None, 1):
            labels = tf.cond(tf.equal(expected_rank_diff - 1, difference),
                             lambda: tf.squeeze(given_labels, [-1]), lambda: given_labels)
        return labels, predictions


def squeeze_weights(labels: Any, weights: Any) -> Any:
    """weights [..., 1] for labels of one rank less: squeezed."""
    if weights is None:
        return None
    weights = framework_lib.convert_to_tensor(weights)
    rank, want = weights.get_shape().ndims, labels.get_shape().ndims
    if rank is not None and want is not None:
        return tf.squeeze(weights, [-1]) if rank - want == 1 else weights
    if rank is None or rank > 0 and weights.get_shape().as_list()[-1] in (None, 1):
        difference = tf.rank(weights) - tf.rank(labels)
        return tf.cond(tf.equal(1, difference), lambda: tf.squeeze(weights, [-1]), lambda: weights)
    return weights


_PREFIX = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Any:
    """An operation that fails unless weights are scalar, or each dim is 1 or that of values."""
    with framework_lib.name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        weights = framework_lib.convert_to_tensor(weights)
        values = framework_lib.convert_to_tensor(values)
        w, v = weights.get_shape(), values.get_shape()
        if w.ndims == 0 or _core.executing_eagerly() and w.ndims is None:
            return tf.no_op(name="static_scalar_check_success")
        if w.ndims is not None and v.ndims is not None:
            if w.ndims != v.ndims:
                raise fail("SF108", "{text} values.rank={rank}. weights.rank={rank}. "
                           "values.shape={shape}. weights.shape={shape}.", _PREFIX, v.ndims, w.ndims, v, w)
            if w.is_fully_defined() and v.is_fully_defined():
                for i, (a, b) in enumerate(zip(w.as_list(), v.as_list())):
                    if a not in (1, b):
                        raise fail("SF113", "{text} Mismatch at dim {axis}. values.shape={shape:array} "
                                   "weights.shape={shape:array}.", _PREFIX, i, v, w)
                return tf.no_op(name="static_dims_check_success")
        if w.ndims is None or v.ndims is None:
            return tf.no_op(name="dynamic_check")  # the product of both is checked when it is run
        wanted, given = tf.shape(values), tf.shape(weights)
        fits = tf.reduce_all(tf.logical_or(tf.equal(given, wanted), tf.equal(given, 1)))
        data = (_PREFIX, "weights.shape=", weights.name, given, "values.shape=", values.name, wanted,
                "is_scalar=", False)
        return tf.Assert(fits, data, name=scope)


@export("tf.__internal__.ops.broadcast_weights",
        "tensorflow.python.ops.weights_broadcast_ops.broadcast_weights", v2=True)
def broadcast_weights(weights: Any, values: Any) -> Any:
    """weights repeated to the shape of values."""
    with framework_lib.name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = framework_lib.convert_to_tensor(values, name="values")
        weights = framework_lib.convert_to_tensor(weights, values.dtype.base_dtype, name="weights")
        w, v = weights.get_shape(), values.get_shape()
        if w.is_fully_defined() and v.is_fully_defined() and w.as_list() == v.as_list():
            return weights
        with framework_lib.control_dependencies([assert_broadcastable(weights, values)]):
            return tf.multiply(weights, tf.ones_like(values), name=scope)


put(remove_squeezable_dimensions, "tensorflow.python.ops.confusion_matrix.remove_squeezable_dimensions")


# --- reductions and collections ---------------------------------------------------------------------
@export("tensorflow.python.ops.losses.loss_reduction.ReductionV2",
        "tensorflow.python.keras.utils.losses_utils.ReductionV2", v2=True)
class ReductionV2:
    """The same of TensorFlow 2."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> Tuple[str, ...]:
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key: object) -> None:
        if key not in cls.all():
            raise ValueError("Invalid Reduction Key %s." % key)


@export("tf.losses.Reduction")
class Reduction:
    """How the losses of the elements become one number."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> Tuple[str, ...]:
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
                cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key: str) -> None:
        if key not in cls.all():
            raise ValueError("Invalid Reduction Key %s." % key)


_MEAN = Reduction.SUM_BY_NONZERO_WEIGHTS
_LOSSES = GraphKeys.LOSSES


@export("tf.losses.add_loss", "tf.contrib.losses.add_loss")
def add_loss(loss: object, loss_collection: object = _LOSSES) -> None:
    if loss_collection and not _core.executing_eagerly():
        get_default_graph().add_to_collection(loss_collection, loss)


@export("tf.losses.get_losses", "tf.contrib.losses.get_losses")
def get_losses(scope: Optional[str] = None, loss_collection: object = _LOSSES) -> List[Any]:
    return get_default_graph().get_collection(loss_collection, scope)


@export("tf.losses.get_regularization_losses", "tf.contrib.losses.get_regularization_losses")
def get_regularization_losses(scope: Optional[str] = None) -> List[Any]:
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@export("tf.losses.get_regularization_loss")
def get_regularization_loss(scope: Optional[str] = None,
                            name: str = "total_regularization_loss") -> Any:
    losses = get_regularization_losses(scope)
    return tf.add_n(losses, name=name) if losses else tf.constant(0.0)


@export("tf.losses.get_total_loss", "tf.contrib.losses.get_total_loss")
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss",
                   scope: Optional[str] = None) -> Any:
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return tf.add_n(losses, name=name)


def _num_elements(losses: Any) -> Any:
    with framework_lib.name_scope(None, "num_elements", [losses]) as scope:
        return tf.cast(tf.size(losses, name=scope), losses.dtype)


def _num_present(losses: object, weights: object, per_batch: bool = False) -> Any:
    if isinstance(weights, float) and weights != 0.0:
        return _num_elements(losses)
    with framework_lib.name_scope(None, "num_present", (losses, weights)) as scope:
        weights = _float32(weights)
        present = tf.where(tf.equal(weights, 0.0), tf.zeros_like(weights), tf.ones_like(weights))
        present = broadcast_weights(present, losses)
        if per_batch:
            return tf.reduce_sum(present, axis=tf.range(1, tf.rank(present)), keepdims=True,
                                 name=scope)
        return tf.reduce_sum(present, name=scope)


def _float32(value: object) -> Any:
    return tf.cast(value, _core.as_dtype("float32"))


def _safe_div(total: object, count: object) -> Any:
    """total / count, 0 where the count is 0: by an op since TensorFlow has it."""
    divide = getattr(tf, "div_no_nan", None)
    if divide is not None:
        return divide(total, count, name="value")
    safe = tf.where(tf.equal(count, 0), tf.ones_like(count), count)
    return tf.where(tf.greater(count, 0), tf.div(total, safe), tf.zeros_like(total), name="value")


@export("tf.losses.compute_weighted_loss")
def compute_weighted_loss(losses: Any, weights: object = 1.0, scope: Optional[str] = None,
                          loss_collection: object = _LOSSES, reduction: str = _MEAN) -> Any:
    Reduction.validate(reduction)
    with framework_lib.name_scope(scope, "weighted_loss", (losses, weights)):
        with framework_lib.control_dependencies([assert_broadcastable(weights, losses)]):
            losses = framework_lib.convert_to_tensor(losses)
            dtype = losses.dtype
            losses, weights = _float32(losses), _float32(weights)
            loss = tf.multiply(losses, weights)
            if reduction != Reduction.NONE:
                loss = tf.reduce_sum(loss)
                count = None
                if reduction == Reduction.MEAN:
                    count = tf.reduce_sum(tf.ones_like(losses) * weights)
                elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                    count = _num_present(losses, weights)
                elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                    count = _num_elements(losses)
                if count is not None:
                    loss = _safe_div(tf.reduce_sum(loss), count)
            loss = tf.cast(loss, dtype)
            add_loss(loss, loss_collection)
            return loss


def _pair(labels: object, predictions: object, label_name: str = "labels",
          prediction_name: str = "predictions") -> None:
    if labels is None:
        raise ValueError(label_name + " must not be None.")
    if predictions is None:
        raise ValueError(prediction_name + " must not be None.")


def _floats(labels: object, predictions: object) -> Tuple[object, object]:
    predictions, labels = _float32(predictions), _float32(labels)
    check_compatible(predictions, labels)
    return labels, predictions


@export("tf.losses.absolute_difference")
def absolute_difference(labels: object, predictions: object, weights: object = 1.0,
                        scope: Optional[str] = None, loss_collection: object = _LOSSES,
                        reduction: str = _MEAN) -> Any:
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "absolute_difference", (predictions, labels)) as scope:
        labels, predictions = _floats(labels, predictions)
        losses = tf.abs(tf.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.cosine_distance")
def cosine_distance(labels: object, predictions: object, axis: object = None, weights: object = 1.0,
                    scope: Optional[str] = None, loss_collection: object = _LOSSES,
                    reduction: str = _MEAN, dim: object = None) -> Any:
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "cosine_distance_loss", (predictions, labels)) as scope:
        labels, predictions = _floats(labels, predictions)
        losses = 1 - tf.reduce_sum(tf.multiply(predictions, labels), axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.hinge_loss")
def hinge_loss(labels: Any, logits: Any, weights: object = 1.0, scope: Optional[str] = None,
               loss_collection: object = _LOSSES, reduction: str = _MEAN) -> Any:
    _pair(labels, logits, "labels", "logits")
    with framework_lib.name_scope(scope, "hinge_loss", (logits, labels)) as scope:
        labels, logits = _floats(labels, logits)
        ones = tf.ones_like(labels)
        losses = tf.nn.relu(tf.subtract(ones, tf.multiply(tf.subtract(2 * labels, ones), logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.huber_loss")
def huber_loss(labels: object, predictions: object, weights: object = 1.0, delta: object = 1.0,
               scope: Optional[str] = None, loss_collection: object = _LOSSES,
               reduction: str = _MEAN) -> Any:
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "huber_loss", (predictions, labels)) as scope:
        labels, predictions = _floats(labels, predictions)
        error = tf.abs(tf.subtract(predictions, labels))
        quadratic = tf.minimum(error, delta)
        linear = tf.subtract(error, quadratic)
        half = framework_lib.convert_to_tensor(0.5, quadratic.dtype)
        losses = tf.add(tf.multiply(half, tf.multiply(quadratic, quadratic)),
                        tf.multiply(delta, linear))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.log_loss")
def log_loss(labels: Any, predictions: Any, weights: object = 1.0, epsilon: float = 1e-7,
             scope: Optional[str] = None, loss_collection: object = _LOSSES,
             reduction: str = _MEAN) -> Any:
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "log_loss", (predictions, labels)) as scope:
        labels, predictions = _floats(labels, predictions)
        losses = -tf.multiply(labels, tf.log(predictions + epsilon)) - tf.multiply(
            1 - labels, tf.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.mean_pairwise_squared_error")
def mean_pairwise_squared_error(labels: object, predictions: object, weights: object = 1.0,
                                scope: Optional[str] = None, loss_collection: object = _LOSSES) -> Any:
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "mean_pairwise_squared_error", (predictions, labels)) as scope:
        weights, labels = _float32(weights), _float32(labels)
        with framework_lib.control_dependencies([assert_broadcastable(weights, labels)]):
            labels, predictions = _floats(labels, predictions)
            diffs = tf.subtract(predictions, labels)
            axis = tf.range(1, tf.rank(diffs))
            squares = tf.reduce_sum(tf.square(diffs), axis=axis, keepdims=True)
            present = _num_present(diffs, weights, per_batch=True)
            term1 = 2.0 * _safe_div(squares, tf.maximum(present - 1, 0))
            total = tf.reduce_sum(diffs, axis=axis, keepdims=True)
            term2 = 2.0 * _safe_div(
                tf.square(total), tf.maximum(tf.multiply(present, present - 1), 0))
            loss = tf.reduce_sum(tf.multiply(term1 - term2, weights))
            loss = tf.where(tf.reduce_sum(present) > 0, loss, tf.zeros_like(loss), name="value")
            add_loss(loss, loss_collection)
            return loss


@export("tf.losses.mean_squared_error")
def mean_squared_error(labels: object, predictions: object, weights: object = 1.0,
                       scope: Optional[str] = None, loss_collection: object = _LOSSES,
                       reduction: str = _MEAN) -> Any:
    _pair(labels, predictions)
    with framework_lib.name_scope(scope, "mean_squared_error", (predictions, labels)) as scope:
        labels, predictions = _floats(labels, predictions)
        losses = tf.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def _logits_and_labels(logits: Any, labels: Any) -> Tuple[Any, Any]:
    """As tensors of one dtype and one shape."""
    logits = framework_lib.convert_to_tensor(logits)
    labels = tf.cast(labels, logits.dtype.base_dtype)
    check_compatible(logits, labels)
    return logits, labels


@export("tf.losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(multi_class_labels: object, logits: object, weights: object = 1.0,
                          label_smoothing: Any = 0, scope: Optional[str] = None,
                          loss_collection: object = _LOSSES, reduction: str = _MEAN) -> Any:
    _pair(multi_class_labels, logits, "multi_class_labels", "logits")
    with framework_lib.name_scope(scope, "sigmoid_cross_entropy_loss",
                              (logits, multi_class_labels)) as scope:
        logits, labels = _logits_and_labels(logits, multi_class_labels)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits,
                                                         name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.softmax_cross_entropy")
def softmax_cross_entropy(onehot_labels: object, logits: Any, weights: object = 1.0,
                          label_smoothing: Any = 0, scope: Optional[str] = None,
                          loss_collection: object = _LOSSES, reduction: str = _MEAN) -> Any:
    _pair(onehot_labels, logits, "onehot_labels", "logits")
    with framework_lib.name_scope(scope, "softmax_cross_entropy_loss",
                              (logits, onehot_labels)) as scope:
        logits, labels = _logits_and_labels(logits, onehot_labels)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[-1], logits.dtype.base_dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        labels = tf.stop_gradient(labels, name="labels_stop_gradient")
        losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits,
                                                            name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@export("tf.losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(labels: object, logits: object, weights: object = 1.0,
                                 scope: Optional[str] = None, loss_collection: object = _LOSSES,
                                 reduction: str = _MEAN) -> Any:
    _pair(labels, logits, "labels", "logits")
    with framework_lib.name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels)) as scope:
        labels, logits = remove_squeezable_dimensions(labels, logits, 1)
        weights = squeeze_weights(labels, weights)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits,
                                                                name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)
