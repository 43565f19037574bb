"""tf.estimator.train_and_evaluate and its two specs.

Source: tensorflow_estimator/python/estimator/training.py.
"""

from __future__ import annotations

import collections
import os

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.estimator.estimator import Estimator
from shapeflow.tensorflow.python.estimator.export import Exporter
from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Tuple


def _hooks(hooks: Any) -> Tuple[Any, ...]:
    found = tuple(hooks or [])
    for hook in found:
        if not isinstance(hook, SessionRunHook) and not hasattr(hook, "_sf_unmodelled"):
            raise TypeError("All hooks must be `SessionRunHook` instances, given: {}".format(hook))
    return found


def _input_fn(input_fn: object) -> Any:
    if not callable(input_fn):
        raise TypeError("`input_fn` must be callable, given: {}".format(input_fn))
    return input_fn


@export("tf.estimator.TrainSpec", v2=True)
class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])):
    def __new__(
        cls, input_fn: object, max_steps: Any = None, hooks: object = None, saving_listeners: object = None
    ) -> TrainSpec:
        if max_steps is not None and max_steps <= 0:
            raise ValueError("Must specify max_steps > 0, given: {}".format(max_steps))
        return super().__new__(cls, _input_fn(input_fn), max_steps, _hooks(hooks))


@export("tf.estimator.EvalSpec", v2=True)
class EvalSpec(
    collections.namedtuple(
        "EvalSpec", ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"]
    )
):
    def __new__(
        cls,
        input_fn: object,
        steps: Any = 100,
        name: object = None,
        hooks: object = None,
        exporters: Any = None,
        start_delay_secs: Any = 120,
        throttle_secs: object = 600,
    ) -> EvalSpec:
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        if name is not None and not isinstance(name, str):
            raise TypeError("`name` must be string, given: {}".format(name))
        every = (exporters,) if isinstance(exporters, Exporter) else tuple(exporters or ())
        if start_delay_secs is not None and start_delay_secs < 0:
            raise ValueError("Must specify start_delay_secs >= 0, given: {}".format(start_delay_secs))
        return super().__new__(
            cls, _input_fn(input_fn), steps, name, _hooks(hooks), every, start_delay_secs, throttle_secs
        )


@export("tf.estimator.train_and_evaluate", v2=True)
def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> Tuple[Any, Any]:
    """Trains to the end, then evaluates and exports once: later rounds have the same graphs."""
    for value, kind, name in (
        (estimator, Estimator, "estimator"),
        (train_spec, TrainSpec, "train_spec"),
        (eval_spec, EvalSpec, "eval_spec"),
    ):
        if not isinstance(value, kind) and not hasattr(value, "_sf_unmodelled"):
            words = "`{}` must have type `tf.estimator.{}`. Got: {}"
            raise TypeError(words.format(name, kind.__name__, type(value)))
    estimator.train(train_spec.input_fn, hooks=train_spec.hooks, max_steps=train_spec.max_steps)
    result = estimator.evaluate(
        eval_spec.input_fn, steps=eval_spec.steps, hooks=eval_spec.hooks, name=eval_spec.name
    )
    exported = [
        exporter.export(
            estimator,
            os.path.join(estimator.model_dir, "export", str(exporter.name)),
            estimator.latest_checkpoint(),
            result,
            True,
        )
        for exporter in eval_spec.exporters
    ]
    return result, exported
