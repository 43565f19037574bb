"""tf.estimator.Estimator: a model_fn, built and run for training, evaluation and prediction.

Each call builds a graph of its own, as TensorFlow does, and runs it in a monitored session, so that hooks,
the shapes of every batch and restored checkpoints are those of the real one.
Source: tensorflow_estimator/python/estimator/estimator.py.
"""

from __future__ import annotations

import copy
import inspect
import os
import tempfile
import time

import numpy as np

from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.estimator.model_fn import EstimatorSpec, ModeKeys
from shapeflow.tensorflow.python.estimator.run_config import RunConfig
from shapeflow.tensorflow.python.framework.graph import Graph, GraphKeys
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.training import monitored_session, saver, training_util
from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook, StopAtStepHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Tuple

_MODEL_FN_ARGS = {"features", "labels", "mode", "params", "self", "config"}


def argument_names(function: Any) -> List[str]:
    """The names of a function's parameters, those that a partial has filled left out."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


class _Initialize(SessionRunHook):
    """Runs the initializer of an iterator when the session is there."""

    def __init__(self, initializer: Any) -> None:
        self._initializer = initializer

    def after_create_session(self, session: Any, coord: object) -> None:
        session.run(self._initializer)


class _StopAfterEvals(SessionRunHook):
    def __init__(self, count: int) -> None:
        self._left = count

    def after_run(self, run_context: Any, run_values: object) -> None:
        self._left -= 1
        if self._left <= 0:
            run_context.request_stop()


def _check_hooks(hooks: Any) -> List[Any]:
    found = list(hooks or [])
    for hook in found:
        if not isinstance(hook, SessionRunHook) and not hasattr(hook, "_sf_unmodelled"):
            raise TypeError("Hooks must be a SessionRunHook, given: {}".format(hook))
    return [hook for hook in found if not hasattr(hook, "_sf_unmodelled")]


def _inputs(given: Any) -> Tuple[Any, Any, List[Any]]:
    """(features, labels, hooks) of what an input_fn gave."""
    from shapeflow.tensorflow.python.data.dataset_ops import DatasetV2
    from shapeflow.tensorflow.python.data.iterator_ops import make_initializable_iterator

    hooks = []
    if isinstance(given, DatasetV2) and not hasattr(given, "_sf_unmodelled"):
        iterator = make_initializable_iterator(given)
        hooks.append(_Initialize(iterator.initializer))
        given = iterator.get_next()
    if is_unmodelled(given):  # it may be a pair as well
        return given[0], given[1], hooks
    if isinstance(given, (list, tuple)):
        if len(given) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return given[0], given[1], hooks
    return given, None, hooks


@export("tf.estimator.Estimator", v2=True)
class Estimator:
    """Trains, evaluates and predicts by a model_fn.

    Raises: ValueError in TensorFlow's words where the model_fn takes other arguments, or gives no
    EstimatorSpec."""

    def __init__(
        self,
        model_fn: Any,
        model_dir: Any = None,
        config: Any = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        names = set(argument_names(model_fn))
        if "features" not in names:
            raise ValueError("model_fn (%s) must include features argument." % model_fn)
        if params is not None and "params" not in names:
            raise ValueError(
                "model_fn (%s) does not include params argument, but params (%s) is passed to "
                "Estimator." % (model_fn, params)
            )
        others = list(names - _MODEL_FN_ARGS)
        if others:
            raise ValueError("model_fn (%s) has following not expected args: %s" % (model_fn, others))
        self._config = _config(config, model_dir)
        self._model_dir = self._config.model_dir
        self._model_fn, self._params = model_fn, copy.deepcopy(params or {})

    model_dir = property(lambda self: self._model_dir)
    config = property(lambda self: copy.deepcopy(self._config))
    params = property(lambda self: copy.deepcopy(self._params))

    @property
    def model_fn(self) -> Any:
        return lambda features, labels, mode, config: self._call_model_fn(features, labels, mode)

    def latest_checkpoint(self) -> Optional[str]:
        return saver.latest_checkpoint(self._model_dir)

    def _checkpoint(self) -> Any:
        path = self.latest_checkpoint()
        if path is None:
            raise ValueError("Could not find trained model in model_dir: %s." % self._model_dir)
        return path

    def _saved_step(self) -> int:
        """The global step of the latest checkpoint, which its name ends with; 0 without one."""
        number = (self.latest_checkpoint() or "").rpartition("-")[2]
        return int(number) if number.isdigit() else 0

    def get_variable_names(self) -> List[str]:
        return [name for name, _ in saver.list_variables(self._checkpoint())]

    def get_variable_value(self, name: str) -> Any:
        return tf.train.load_variable(self._checkpoint(), name)

    def eval_dir(self, name: Optional[str] = None) -> str:
        return os.path.join(self._model_dir, "eval" if not name else "eval_" + name)

    # --- building --------------------------------------------------------------------------------------
    def _call_input_fn(self, input_fn: Any, mode: str) -> Any:
        names = argument_names(input_fn)
        given = {"mode": mode, "params": self.params, "config": self.config}
        return input_fn(**{name: value for name, value in given.items() if name in names})

    def _call_model_fn(self, features: Any, labels: Any, mode: str) -> Any:
        names = argument_names(self._model_fn)
        given: Dict[str, Any] = {"mode": mode, "params": self.params, "config": self.config}
        kwargs = {name: value for name, value in given.items() if name in names}
        if "labels" in names:
            kwargs["labels"] = labels
        elif labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        return self._checked_spec(self._model_fn(features=features, **kwargs))

    def _checked_spec(self, spec: object) -> Any:
        if not isinstance(spec, EstimatorSpec) and not hasattr(spec, "_sf_unmodelled"):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _build(self, input_fn: object, mode: str) -> Tuple[Any, List[Any]]:
        """(the spec, hooks of its inputs), in the default graph."""
        if self._config.tf_random_seed is not None:
            tf.set_random_seed(self._config.tf_random_seed)
        training_util.create_global_step()
        features, labels, hooks = _inputs(self._call_input_fn(input_fn, mode))
        return self._call_model_fn(features, None if mode == ModeKeys.PREDICT else labels, mode), hooks

    # --- running ---------------------------------------------------------------------------------------
    def train(
        self,
        input_fn: object,
        hooks: object = None,
        steps: Optional[int] = None,
        max_steps: Optional[int] = None,
        saving_listeners: object = None,
    ) -> Estimator:
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        if max_steps is not None and max_steps <= 0:
            raise ValueError("Must specify max_steps > 0, given: {}".format(max_steps))
        if max_steps is not None and max_steps <= self._saved_step():
            return self
        given = _check_hooks(hooks)
        if steps is not None or max_steps is not None:
            given.append(StopAtStepHook(steps, max_steps))
        with Graph().as_default():
            spec, input_hooks = self._build(input_fn, ModeKeys.TRAIN)
            if not isinstance(spec, EstimatorSpec):
                return self
            tf.add_to_collection(GraphKeys.LOSSES, spec.loss)
            every = [*input_hooks, *given, *spec.training_hooks, *spec.training_chief_hooks]
            with monitored_session.MonitoredTrainingSession(
                checkpoint_dir=self._model_dir,
                scaffold=spec.scaffold,
                hooks=every,
                config=self._config.session_config,
                log_step_count_steps=None,
            ) as session:
                while not session.should_stop():
                    session.run([spec.train_op, spec.loss])
        return self

    def evaluate(
        self,
        input_fn: Any,
        steps: Optional[int] = None,
        hooks: Any = None,
        checkpoint_path: Any = None,
        name: Optional[str] = None,
    ) -> Dict[str, Any]:
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        given = _check_hooks(hooks)
        with Graph().as_default():
            spec, input_hooks = self._build(input_fn, ModeKeys.EVAL)
            if not isinstance(spec, EstimatorSpec):
                return {}
            values, updates = _metric_ops(spec)
            values["global_step"] = training_util.get_global_step()
            every = [*input_hooks, *given, *spec.evaluation_hooks]
            if steps is not None:
                every.append(_StopAfterEvals(steps))
            found: Dict[str, Any] = {}
            creator = monitored_session.ChiefSessionCreator(
                scaffold=spec.scaffold,
                config=self._config.session_config,
                checkpoint_filename_with_path=checkpoint_path or self.latest_checkpoint(),
            )
            with monitored_session.MonitoredSession(session_creator=creator, hooks=every) as session:
                while not session.should_stop():
                    session.run(updates)
                    found = session._sess.run(values)
        return found

    def predict(
        self,
        input_fn: object,
        predict_keys: object = None,
        hooks: object = None,
        checkpoint_path: object = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        given = _check_hooks(hooks)
        graph = Graph()
        with graph.as_default():
            spec, input_hooks = self._build(input_fn, ModeKeys.PREDICT)
            if not isinstance(spec, EstimatorSpec):
                return
            predictions = _picked(spec.predictions, predict_keys)
            creator = monitored_session.ChiefSessionCreator(
                scaffold=spec.scaffold,
                config=self._config.session_config,
                checkpoint_filename_with_path=checkpoint_path or self.latest_checkpoint(),
            )
            every = [*input_hooks, *given, *spec.prediction_hooks]
            with monitored_session.MonitoredSession(session_creator=creator, hooks=every) as session:
                while not session.should_stop():
                    found = session.run(predictions)
                    if not yield_single_examples:
                        yield found
                    elif not isinstance(predictions, dict):
                        yield from found
                    else:
                        for at in range(_batch_length(found)):
                            yield {key: value[at] for key, value in found.items()}

    def export_saved_model(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Any,
        assets_extra: object = None,
        as_text: bool = False,
        checkpoint_path: object = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        with Graph().as_default():
            training_util.create_global_step()
            receiver = serving_input_receiver_fn()
            self._call_model_fn(receiver.features, getattr(receiver, "labels", None), experimental_mode)
        path = os.path.join(os.fspath(export_dir_base), str(int(time.time())))
        os.makedirs(path, exist_ok=True)
        return path.encode()

    def export_savedmodel(
        self,
        export_dir_base: object,
        serving_input_receiver_fn: object,
        assets_extra: object = None,
        as_text: bool = False,
        checkpoint_path: object = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        return self.export_saved_model(
            export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path
        )


def _config(config: Any, model_dir: Any) -> Any:
    """The configuration, with the folder of the model."""
    if config is None:
        config = RunConfig()
    elif not isinstance(config, RunConfig):
        if isinstance(config, dict):
            config = RunConfig(**config)
        elif not hasattr(config, "_sf_unmodelled"):
            raise ValueError("config must be an instance of `RunConfig`, but provided %s." % config)
        else:
            config = RunConfig()
    if model_dir is not None and config.model_dir is not None and os.fspath(model_dir) != config.model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In "
            "constructor: '{}', in `RunConfig`: '{}' ".format(model_dir, config.model_dir)
        )
    folder = model_dir or config.model_dir or tempfile.mkdtemp()
    return config.replace(model_dir=os.fspath(folder))


def _metric_ops(spec: Any) -> Tuple[Dict[str, Any], List[Any]]:
    """(what each metric is, what updates them); the loss is one."""
    if "loss" in spec.eval_metric_ops:
        raise ValueError(
            'Metric with name "loss" is not allowed, because Estimator already defines a default metric '
            "with the same name."
        )
    every = dict(spec.eval_metric_ops)
    every["loss"] = tf.metrics.mean(spec.loss)
    values, updates = {}, []
    for key, metric in every.items():
        if isinstance(metric, tuple):
            values[key] = metric[0]
            updates.append(metric[1])
        elif hasattr(metric, "result"):
            values[key] = metric.result()
            updates += list(getattr(metric, "updates", ()))
    return values, updates


def _picked(predictions: Any, keys: Any) -> Any:
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    found = {key: value for key, value in predictions.items() if key in keys}
    if not found:
        raise ValueError(
            "Expected to run at least one output from %s, provided %s." % (predictions.keys(), keys)
        )
    return found


def _batch_length(found: Dict[str, Any]) -> int:
    length = 0
    for key, value in found.items():
        size = np.shape(value)[0]
        if hasattr(size, "_sf_unmodelled"):
            continue
        length = length or size
        if size != length:
            raise ValueError(
                "Batch length of predictions should be same. %s has different batch length than "
                "others." % key
            )
    return length or min(len(found), 1)  # of a batch whose size nobody knows, one
