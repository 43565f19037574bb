"""What a model of Keras is compiled and trained with where nobody knows it: an optimizer, a loss or a metric
of a package that is not installed, a number of epochs that a file says. The model trains all the same: with
another optimizer, with a loss that nobody knows, without that metric, for one epoch.
"""
from __future__ import annotations

from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Mapping, Optional

_STEPS = frozenset(("steps", "steps_per_epoch", "validation_steps"))
_DATA = ("x", "y")


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


def of_step(given: Mapping[str, object], has_unknown: Callable[[object], bool]
            ) -> Optional[Dict[str, object]]:
    """The arguments of fit, evaluate or predict, by name, with something in place of what is unknown among
    them, or without it; None: the data are. `has_unknown`: is it unknown, or an item of it?"""
    from shapeflow.api.made_up_numbers import assumed

    if not given or any(has_unknown(given.get(name)) for name in _DATA):
        return None
    made: Dict[str, object] = {}
    # Of arrays the steps would decide on the size of a batch; a generator may be without end.
    has_end = isinstance(given.get("x"), (list, tuple, dict)) or hasattr(given.get("x"), "shape")
    for name, value in given.items():
        if not has_unknown(value):
            made[name] = value
        elif name == "epochs" or name in _STEPS and not has_end:
            made[name] = 1
        elif name == "batch_size":
            made[name] = assumed.size()
        elif name == "callbacks" and isinstance(value, (list, tuple)):
            made[name] = [one for one in value if not is_unmodelled(one)]
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
