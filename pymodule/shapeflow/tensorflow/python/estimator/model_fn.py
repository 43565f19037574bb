"""tf.estimator.EstimatorSpec and ModeKeys: what a model_fn gives, checked.

Source: tensorflow_estimator/python/estimator/model_fn.py.
"""

from __future__ import annotations

import collections

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple, Union


@export("tf.estimator.ModeKeys", v2=True)
class ModeKeys:
    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


_ELSEWHERE = (
    '{0} with "{1}" must be from the default graph. Possible causes of this error include: \n\n'
    "1) {0} was created outside the context of the default graph.\n\n"
    "2) The object passed through to EstimatorSpec was not created in the most recent call to "
    '"model_fn".'
)


def _tensor(value: Any, name: str) -> _core.Tensor:
    """A tensor of the default graph."""
    found = framework_lib.convert_to_tensor(value) if hasattr(value, "__sf_tensor__") else value
    if isinstance(found, _core.VariableBase):
        found = framework_lib.convert_to_tensor(found)
    if not isinstance(found, _core.Tensor):
        raise TypeError("{} must be Tensor, given: {}".format(name, value))
    if found.graph is not _core.default_graph():
        raise ValueError(
            _ELSEWHERE.format("prediction values" if name.startswith("pred") else name, found.name)
        )
    return found


def _loss(loss: object, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    loss = _tensor(loss, "loss")
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        with about(("loss", loss)):
            raise fail("SF102", "Loss must be scalar, given: {text}", loss)
    return loss if shape.is_compatible_with([]) else tf.reshape(loss, [])


def _train_op(train_op: object, mode: str) -> Optional[Union[_core.Tensor, _core.Operation]]:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if isinstance(train_op, _core.Operation):
        if train_op.graph is not _core.default_graph():
            raise ValueError(_ELSEWHERE.format("train_op", train_op.name))
        return train_op
    if not isinstance(train_op, (_core.Tensor, _core.VariableBase)) and not hasattr(
        train_op, "__sf_tensor__"
    ):
        raise TypeError("train_op must be Operation or Tensor, given: {}".format(train_op))
    return _tensor(train_op, "train_op")


def _predictions(predictions: object, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if isinstance(predictions, dict):
        return {key: _tensor(value, "predictions[{}]".format(key)) for key, value in predictions.items()}
    return _tensor(predictions, "predictions")


def _metrics(eval_metric_ops: object) -> Dict[str, Any]:
    if eval_metric_ops is None:
        return {}
    if not isinstance(eval_metric_ops, dict):
        raise TypeError("eval_metric_ops must be a dict, given: {}".format(eval_metric_ops))
    for key, value in eval_metric_ops.items():
        if hasattr(value, "result") or hasattr(value, "_sf_unmodelled"):  # a metric of Keras
            continue
        if not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {} for key: "
                "{}".format(value, key)
            )
    return dict(eval_metric_ops)


def checked_hooks(hooks: Any) -> Tuple[Any, ...]:
    """Those that are modelled.

    Raises: TypeError where one is no SessionRunHook."""
    found = tuple(hooks or [])
    for hook in found:
        if not isinstance(hook, SessionRunHook) and not hasattr(hook, "_sf_unmodelled"):
            raise TypeError("All hooks must be SessionRunHook instances, given: {}".format(hook))
    return tuple(hook for hook in found if not hasattr(hook, "_sf_unmodelled"))


@export("tf.estimator.EstimatorSpec", v2=True)
class EstimatorSpec(
    collections.namedtuple(
        "EstimatorSpec",
        [
            "mode",
            "predictions",
            "loss",
            "train_op",
            "eval_metric_ops",
            "export_outputs",
            "training_chief_hooks",
            "training_hooks",
            "scaffold",
            "evaluation_hooks",
            "prediction_hooks",
        ],
    )
):
    """What a model_fn returns.

    Raises: ValueError where what the mode needs is missing, is of another graph, or the loss is no
    scalar; TypeError where a field is of another type."""

    def __new__(
        cls,
        mode: str,
        predictions: object = None,
        loss: object = None,
        train_op: object = None,
        eval_metric_ops: object = None,
        export_outputs: object = None,
        training_chief_hooks: object = None,
        training_hooks: object = None,
        scaffold: object = None,
        evaluation_hooks: object = None,
        prediction_hooks: object = None,
    ) -> EstimatorSpec:
        return super().__new__(
            cls,
            mode,
            train_op=_train_op(train_op, mode),
            loss=_loss(loss, mode),
            predictions=_predictions(predictions, mode),
            export_outputs=export_outputs,
            training_hooks=checked_hooks(training_hooks),
            evaluation_hooks=checked_hooks(evaluation_hooks),
            prediction_hooks=checked_hooks(prediction_hooks),
            training_chief_hooks=checked_hooks(training_chief_hooks),
            eval_metric_ops=_metrics(eval_metric_ops),
            scaffold=scaffold,
        )

    def _replace(self, **kwds: object) -> EstimatorSpec:
        if "mode" in kwds and kwds["mode"] != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**{**self._asdict(), **kwds})
