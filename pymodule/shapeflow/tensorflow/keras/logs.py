"""The numbers that fit and evaluate of a compiled model tell: their names, and the shapes of some.

Source: tensorflow/python/keras/engine/training.py (1.15).
"""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from shapeflow.tensorflow.keras.metrics import Metric, _per_output
from shapeflow.tensorflow.python.util import nest


def output_keys(model: Any) -> List[str]:
    """What losses, metrics and targets name the outputs by; none where only the outputs would say."""
    if not model._functional:
        loss = model._compiled.get("loss")
        return sorted(loss) if isinstance(loss, dict) else []
    return model.output_names


# What the Keras of TensorFlow 1 calls metrics that a program names in short.
_OF_VERSION_1 = {
    "accuracy": "acc", "crossentropy": "ce", "mse": "mean_squared_error", "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error", "msle": "mean_squared_logarithmic_error"}


def _name(metric: Any) -> str:
    if isinstance(metric, str):
        return _OF_VERSION_1.get(metric, metric)
    return str(getattr(metric, "name", None) or getattr(metric, "__name__", "metric"))


def _losses(model: Any, names: List[str]) -> List[str]:
    """loss, and that of each output where there are several."""
    given = model._compiled.get("given")
    if isinstance(given, dict):
        chosen = [n for n in names if given.get(n) is not None]
    elif isinstance(given, (list, tuple)):
        chosen = [n if n else _name(one) for n, one in zip(names or [""] * len(given), given)
                  if one is not None]
    else:
        chosen = names if given is not None else []
    return ["loss"] + ([n + "_loss" for n in chosen] if len(chosen) > 1 else [])


def told(model: Any) -> Dict[str, Any]:
    """The dims of each number by its name, in the order of evaluate's list."""
    names = output_keys(model)
    found: Dict[str, Any] = dict.fromkeys(_losses(model, names), ())
    for metric in vars(model).values():
        if isinstance(metric, Metric):
            found[metric.name] = metric._result_dims or ()
    metrics: Dict[str, Any] = {}
    for kind in ("metrics", "weighted"):
        given = model._compiled.get(kind)
        if not given:
            continue
        if len(names) > 1:
            groups = list(zip(names, _per_output(given, names, len(names))))
            if not any(group for _, group in groups) and not isinstance(given, dict):
                groups = [(n, nest.flatten(given)) for n in names]  # the same of every output
        else:
            groups = [("", nest.flatten(given))]
        for output, group in groups:
            of_name = {_name(metric): metric for metric in group}
            for metric in of_name.values():  # the metrics of an output are kept by their names
                _add(metrics, (output + "_" if output else "") + _name(metric), metric, kind)
    found.update(metrics)
    return found


def _add(found: Dict[str, object], name: str, metric: object, kind: str) -> None:
    if name in found and kind == "weighted":
        name = "weighted_" + name
    plain, count = name, 1
    while name in found:
        name, count = "%s_%d" % (plain, count), count + 1
    found[name] = getattr(metric, "_result_dims", None) or ()


def value(dims: Any) -> Any:
    """A number, or numbers, of these dims."""
    return np.zeros(dims, "float32") if dims and None not in dims else 0.0
