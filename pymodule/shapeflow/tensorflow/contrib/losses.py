"""tf.contrib.losses: those of tf.losses with the predictions first.

Source: tensorflow/contrib/losses/python/losses/loss_ops.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.losses import (
    _float32,
    absolute_difference,
    add_loss,
    check_compatible,
    compute_weighted_loss,
    cosine_distance,
    get_losses,
    get_regularization_losses,
    get_total_loss,
    log_loss,
    mean_pairwise_squared_error,
    mean_squared_error,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional

_RENAMED = {"targets": "labels", "target": "labels", "weight": "weights"}


def _contrib(name: str) -> Callable[[Any], Any]:
    """Registers a loss; that of 0.12 also takes the parameters' older names."""
    def register(function: Any) -> Any:
        def before_1_0(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **{_RENAMED.get(given, given): value for given, value in kwargs.items()})

        put(before_1_0, "tf0.contrib.losses." + name, "tf0.contrib.slim.losses." + name)
        return export("tf.contrib.losses." + name, "tf.contrib.slim.losses." + name)(function)

    return register


for _f in (add_loss, get_losses, get_regularization_losses, get_total_loss):
    put(_f, "tf.contrib.slim.losses." + _f.__name__)


@_contrib("compute_weighted_loss")
def contrib_weighted_loss(losses: Any, weights: Any = 1.0, scope: Optional[str] = None) -> Any:
    losses = framework_lib.convert_to_tensor(losses)
    weights = framework_lib.convert_to_tensor(weights)
    if losses.get_shape().ndims is not None and weights.get_shape().ndims not in (0, None):
        # Weights by example: as many leading dims as they have, then ones.
        missing = losses.get_shape().ndims - weights.get_shape().ndims
        for _ in range(missing):
            weights = tf.expand_dims(weights, -1)
    return compute_weighted_loss(losses, weights, scope)


@_contrib("absolute_difference")
def contrib_absolute_difference(predictions: object, labels: object = None, weights: object = 1.0,
                                scope: Optional[str] = None) -> Any:
    return absolute_difference(labels, predictions, weights, scope)


@_contrib("mean_squared_error")
def contrib_mean_squared_error(predictions: object, labels: object = None, weights: object = 1.0,
                               scope: Optional[str] = None) -> Any:
    return mean_squared_error(labels, predictions, weights, scope)


@_contrib("mean_pairwise_squared_error")
def contrib_mean_pairwise_squared_error(predictions: object, labels: object = None, weights: object = 1.0,
                                        scope: Optional[str] = None) -> Any:
    return mean_pairwise_squared_error(labels, predictions, weights, scope)


@_contrib("log_loss")
def contrib_log_loss(predictions: object, labels: object = None, weights: object = 1.0,
                     epsilon: float = 1e-7, scope: Optional[str] = None) -> Any:
    return log_loss(labels, predictions, weights, epsilon, scope)


@_contrib("cosine_distance")
def contrib_cosine_distance(predictions: object, labels: object = None, axis: object = None,
                            weights: object = 1.0, scope: Optional[str] = None,
                            dim: object = None) -> Any:
    return cosine_distance(labels, predictions, axis, weights, scope, dim=dim)


@_contrib("hinge_loss")
def contrib_hinge_loss(logits: Any, labels: Any = None, scope: Optional[str] = None) -> Any:
    with framework_lib.name_scope(scope, "hinge_loss", [logits, labels]):
        logits = framework_lib.convert_to_tensor(logits)
        check_compatible(logits, framework_lib.convert_to_tensor(labels))
        labels = _float32(labels)
        ones = tf.ones_like(labels)
        return tf.nn.relu(tf.subtract(ones, tf.multiply(tf.subtract(2 * labels, ones), logits)))


@_contrib("sigmoid_cross_entropy")
def contrib_sigmoid_cross_entropy(logits: object, multi_class_labels: object, weights: object = 1.0,
                                  label_smoothing: object = 0, scope: Optional[str] = None) -> Any:
    return sigmoid_cross_entropy(multi_class_labels, logits, weights, label_smoothing, scope)


@_contrib("softmax_cross_entropy")
def contrib_softmax_cross_entropy(logits: object, onehot_labels: object, weights: object = 1.0,
                                  label_smoothing: object = 0, scope: Optional[str] = None) -> Any:
    return softmax_cross_entropy(onehot_labels, logits, weights, label_smoothing, scope)


@_contrib("sparse_softmax_cross_entropy")
def contrib_sparse_softmax_cross_entropy(logits: object, labels: Any, weights: object = 1.0,
                                         scope: Optional[str] = None) -> Any:
    with framework_lib.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels]) as scope:
        labels = framework_lib.convert_to_tensor(labels)
        rank = labels.get_shape().ndims
        depth = framework_lib.convert_to_tensor(logits).get_shape().ndims
        if rank is not None and rank == depth and rank > 1 or labels.get_shape().ndims is None:
            labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        return sparse_softmax_cross_entropy(labels, logits, weights, scope)
