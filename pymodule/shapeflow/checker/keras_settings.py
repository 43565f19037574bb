"""What a model of Keras is compiled with where nobody knows it: an optimizer, a loss or a metric of a package
that is not installed. The model trains all the same: with another optimizer, with a loss that nobody knows,
without that metric.
"""
from __future__ import annotations

from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Mapping


def known(given: Mapping[str, object]) -> Dict[str, Any]:
    """The arguments of `compile`, by name, with something in place of what is unknown among them."""
    made: Dict[str, Any] = {}
    for name, value in given.items():
        if name == "optimizer" and is_unmodelled(value):
            made[name] = "adam"
        elif name == "loss":
            made[name] = _losses(value)
        elif name in ("metrics", "weighted_metrics"):
            made[name] = _metrics(value)
        elif not is_unmodelled(value):
            made[name] = value
    return made


def _losses(loss: object) -> object:
    if is_unmodelled(loss):
        return _unknown_loss
    if isinstance(loss, dict):
        return {name: _losses(one) for name, one in loss.items()}
    return [_losses(one) for one in loss] if isinstance(loss, (list, tuple)) else loss


def _metrics(metrics: object) -> object:
    if is_unmodelled(metrics):
        return None
    if isinstance(metrics, dict):
        return {name: _metrics(one) for name, one in metrics.items() if not is_unmodelled(one)}
    if isinstance(metrics, (list, tuple)):
        return [_metrics(one) for one in metrics if not is_unmodelled(one)]
    return metrics


def _unknown_loss(y_true: object, y_pred: object) -> object:
    """One number for each sample."""
    from shapeflow.tensorflow.python.framework import op_builders

    return op_builders.unknown("float32", [None], None, [y_pred])
