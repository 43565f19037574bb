"""tf.contrib.learn's estimators, experiments and their runner, on those of tf.estimator.

A model_fn of contrib.learn takes features and labels by position, and gives ModelFnOps or a tuple.
Source: tensorflow/contrib/learn/python/learn/{estimators/estimator,experiment,learn_runner,metric_spec}.py.
"""

from __future__ import annotations

import collections
import inspect

import numpy as np

from shapeflow.api.registry import export
from shapeflow.tensorflow.contrib.layers.feature_column import real_valued_column
from shapeflow.tensorflow.python.estimator import canned
from shapeflow.tensorflow.python.estimator import estimator as core
from shapeflow.tensorflow.python.estimator.model_fn import EstimatorSpec, ModeKeys
from shapeflow.tensorflow.python.estimator.run_config import RunConfig as CoreConfig
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional

_LEARN = "tf.contrib.learn."
_SOURCES = "tensorflow.contrib.learn.python.learn."


@export(_LEARN + "ModelFnOps", _LEARN + "estimators.model_fn.ModelFnOps")
class ModelFnOps(
    collections.namedtuple(
        "ModelFnOps",
        [
            "predictions",
            "loss",
            "train_op",
            "eval_metric_ops",
            "output_alternatives",
            "training_chief_hooks",
            "training_hooks",
            "scaffold",
            "mode",
        ],
    )
):
    """What a model_fn of contrib.learn returns."""

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        if train_op is None and mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        if loss is None and mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return super().__new__(
            cls,
            predictions,
            loss,
            train_op,
            eval_metric_ops or {},
            output_alternatives,
            list(training_chief_hooks or []),
            list(training_hooks or []),
            scaffold,
            mode,
        )


@export(_LEARN + "RunConfig", _LEARN + "estimators.run_config.RunConfig")
class RunConfig(CoreConfig):
    def __init__(
        self,
        master: Any = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: Any = None,
        save_summary_steps: Any = 100,
        save_checkpoints_secs: Any = ...,
        save_checkpoints_steps: Any = None,
        keep_checkpoint_max: Any = 5,
        keep_checkpoint_every_n_hours: Any = 10000,
        log_step_count_steps: Any = 100,
        protocol: Any = None,
        evaluation_master: str = "",
        model_dir: Any = None,
        session_config: Any = None,
        session_creation_timeout_secs: Any = 7200,
    ) -> None:
        steps = save_checkpoints_steps
        super().__init__(
            model_dir,
            tf_random_seed,
            save_summary_steps,
            ... if steps is None else steps,
            ... if steps is not None else save_checkpoints_secs,
            session_config,
            keep_checkpoint_max,
            keep_checkpoint_every_n_hours,
            log_step_count_steps,
        )
        self.__dict__.update(master=master or "", num_cores=num_cores, evaluation_master=evaluation_master)


@export(_LEARN + "MetricSpec", _LEARN + "metric_spec.MetricSpec")
class MetricSpec:
    """A metric, and which prediction and label it is of."""

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: Any = None,
        label_key: Any = None,
        weight_key: Any = None,
    ) -> None:
        self.metric_fn, self.prediction_key = metric_fn, prediction_key
        self.label_key, self.weight_key = label_key, weight_key

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        def picked(values: Any, key: Any, what: str) -> Any:
            if not isinstance(values, dict):
                return values
            if key is None and len(values) == 1:
                return next(iter(values.values()))
            if key not in values:
                raise ValueError(
                    "MetricSpec without specified %s_key requires %ss tensor or single element dict, "
                    "got %s" % (what, what, values)
                )
            return values[key]

        prediction = picked(predictions, self.prediction_key, "prediction")
        label = picked(labels, self.label_key, "label")
        given = {
            "predictions": prediction,
            "prediction": prediction,
            "labels": label,
            "targets": label,
            "label": label,
            "target": label,
        }
        if self.weight_key is not None and isinstance(inputs, dict):
            given["weights"] = inputs.get(self.weight_key)
        try:
            names = list(inspect.signature(self.metric_fn).parameters)
        except (TypeError, ValueError):
            names = []
        named = {name: given[name] for name in names if name in given}
        return self.metric_fn(**named) if len(named) > 1 else self.metric_fn(prediction, label)


def _array(values: Any) -> Any:
    """As the feeder of contrib.learn gives it: numbers of 32 bits, or integers of 64."""
    if isinstance(values, dict):
        return {key: _array(value) for key, value in values.items()}
    found = np.asarray(values)
    kind = found.dtype.kind
    return found.astype(np.float32) if kind == "f" else found.astype(np.int64) if kind in "iu" else found


def _input_fn(x: Any, y: Any, input_fn: Any, batch_size: Any, epochs: Optional[int]) -> Any:
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return input_fn
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")

    def arrays() -> Any:
        from shapeflow.tensorflow.python.data.dataset_ops import DatasetV1

        features = _array(x)
        slices = features if y is None else (features, _array(y))
        count = len(next(iter(features.values()))) if isinstance(features, dict) else len(features)
        return (
            DatasetV1.from_tensor_slices(slices).repeat(epochs).batch(batch_size or min(128, max(1, count)))
        )

    return arrays


class _Core(core.Estimator):
    """The estimator of tf.estimator behind one of contrib.learn."""

    def __init__(self, outer: Any, model_dir: Any, config: Any, params: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str) -> Any:
            return outer._spec(features, labels, mode)

        super().__init__(model_fn, model_dir, config)
        self._params = (
            dict(params or {}) if not hasattr(params, "values") or isinstance(params, dict) else params
        )


@export(_LEARN + "BaseEstimator")
class BaseEstimator:
    """fit, evaluate and predict, of arrays or by an input_fn."""

    def __init__(self, model_dir: Any = None, config: Any = None) -> None:
        self._core = _Core(self, model_dir, config, None)
        self._metrics: Dict[str, Any] = {}

    model_dir = property(lambda self: self._core.model_dir)
    config = property(lambda self: self._core.config)

    def _ops(self, features: Any, labels: Any, mode: str) -> Any:
        raise NotImplementedError

    def _spec(self, features: Any, labels: Any, mode: str) -> Any:
        ops = self._ops(features, labels, mode)
        if isinstance(ops, EstimatorSpec):
            predictions, metrics = ops.predictions, dict(ops.eval_metric_ops)
        else:
            predictions, metrics = ops.predictions, dict(ops.eval_metric_ops or {})
        if mode == ModeKeys.EVAL:
            for name, metric in self._metrics.items():
                spec = metric if isinstance(metric, MetricSpec) else MetricSpec(metric)
                metrics[name] = spec.create_metric_ops(features, labels, predictions)
        return EstimatorSpec(
            mode,
            predictions=predictions,
            loss=ops.loss if mode != ModeKeys.PREDICT else None,
            train_op=ops.train_op if mode == ModeKeys.TRAIN else None,
            eval_metric_ops=metrics if mode == ModeKeys.EVAL else None,
            training_hooks=ops.training_hooks,
            scaffold=ops.scaffold,
        )

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: Any = None,
        batch_size: Any = None,
        monitors: Any = None,
        max_steps: Any = None,
    ) -> BaseEstimator:
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        given = _input_fn(x, y, input_fn, batch_size, None if steps or max_steps else 1)
        hooks = [hook for hook in monitors or () if isinstance(hook, SessionRunHook)
                 and not hasattr(hook, "_sf_unmodelled")]
        self._core.train(given, hooks=hooks, steps=steps, max_steps=max_steps)
        return self

    def partial_fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int = 1,
        batch_size: Any = None,
        monitors: Any = None,
    ) -> BaseEstimator:
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: Any = None,
        steps: Any = None,
        metrics: Any = None,
        name: Any = None,
        checkpoint_path: Any = None,
        hooks: Any = None,
        log_progress: bool = True,
    ) -> Dict[str, Any]:
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError("Metrics argument should be None or dict. Got %s." % metrics)
        self._metrics = dict(metrics or {})
        return self._core.evaluate(
            _input_fn(x, y, input_fn, batch_size, 1),
            steps=steps,
            hooks=hooks,
            checkpoint_path=checkpoint_path,
        )

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        found = self._core.predict(
            _input_fn(x, None, input_fn, batch_size, 1),
            predict_keys=outputs,
            yield_single_examples=not iterate_batches,
        )
        return found if as_iterable else _together(list(found))

    def get_variable_names(self) -> List[str]:
        return self._core.get_variable_names()

    def get_variable_value(self, name: str) -> Any:
        return self._core.get_variable_value(name)

    def export_savedmodel(
        self, export_dir_base: Any, serving_input_fn: Any, *args: Any, **kwargs: Any
    ) -> bytes:
        return self._core.export_saved_model(export_dir_base, serving_input_fn)


def _together(rows: List[Any]) -> Any:
    if rows and isinstance(rows[0], dict):
        return {key: np.stack([row[key] for row in rows]) for key in rows[0]}
    return np.stack(rows) if rows else np.zeros(0)


@export(_LEARN + "Estimator", _LEARN + "estimators.estimator.Estimator")
class Estimator(BaseEstimator):
    def __init__(
        self,
        model_fn: Any = None,
        model_dir: Any = None,
        config: Any = None,
        params: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        super().__init__(model_dir, config)
        if model_fn is not None and params is not None and "params" not in core.argument_names(model_fn):
            raise ValueError(
                "Estimator's model_fn (%s) does not have a params argument, but params (%s) were passed "
                "to the Estimator's constructor." % (model_fn, params)
            )
        self._model_fn, self.params, self._engineered = model_fn, params, feature_engineering_fn

    def _ops(self, features: Any, labels: Any, mode: str) -> Any:
        if self._engineered is not None:
            features, labels = self._engineered(features, labels)
        given = {"mode": mode, "params": self.params, "config": self.config, "model_dir": self.model_dir}
        names = core.argument_names(self._model_fn)
        result = self._model_fn(features, labels, **{n: v for n, v in given.items() if n in names})
        if isinstance(result, (ModelFnOps, EstimatorSpec)) or hasattr(result, "_sf_unmodelled"):
            return result
        if len(result) != 3:  # of what has no length a TypeError, as there
            raise ValueError("Unrecognized value returned by model_fn, please return ModelFnOps.")
        return ModelFnOps(mode, *result)


def _columns(given: Any) -> List[Any]:
    return list(given or ())


class _Classes(canned._Classes):
    """The head of contrib.learn: classes are numbers, one an example."""

    def predictions(self, logits: Any) -> Dict[str, Any]:
        found = super().predictions(logits)
        kept: Dict[str, Any] = {
            key: found[key] for key in ("logits", "logistic", "probabilities") if key in found
        }
        if "logistic" in kept:
            kept["logistic"] = tf.squeeze(kept["logistic"], [1])
        return {**kept, "classes": tf.squeeze(found["class_ids"], [1])}

    def metrics(self, labels: Any, predictions: Mapping[str, object], losses: Any) -> Dict[str, Any]:
        wide = {**predictions, "class_ids": tf.expand_dims(predictions["classes"], 1)}
        if "logistic" in wide:
            wide["logistic"] = tf.expand_dims(wide["logistic"], 1)
        found = super().metrics(labels, wide, losses)
        return {_METRICS[key]: value for key, value in found.items() if key in _METRICS}


_METRICS = {
    "accuracy": "accuracy",
    "accuracy_baseline": "accuracy/baseline_label_mean",
    "auc": "auc",
    "auc_precision_recall": "auc_precision_recall",
    "label/mean": "labels/actual_label_mean",
    "prediction/mean": "labels/prediction_mean",
    "precision": "precision/positive_threshold_0.500000_mean",
    "recall": "recall/positive_threshold_0.500000_mean",
}


class _Regression(canned._Regression):
    def predictions(self, logits: Any) -> Dict[str, Any]:
        return {"scores": tf.squeeze(logits, [1]) if self.logits_dimension == 1 else logits}

    def metrics(self, labels: Any, predictions: Mapping[str, object], losses: Any) -> Dict[str, Any]:
        return {}


class _Canned(Estimator):
    """A model of contrib.learn that tf.estimator has, too."""

    def __init__(self, model_dir: Any, config: Any, made: Callable[..., Any]) -> None:
        super().__init__(None, model_dir, config)
        self._made = made

    def _ops(self, features: Any, labels: Any, mode: str) -> Any:
        given = features if isinstance(features, dict) else {"": features}
        return self._made(given, labels, mode)


class _Predicting(_Canned):
    """One whose `predict` gives a value for each row unless outputs are asked for."""

    _value = ""  # the name of the method that does

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: Any = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        if outputs:
            return super().predict(x, input_fn, batch_size, outputs, as_iterable)
        return getattr(self, self._value)(x, input_fn, batch_size, as_iterable)


class _Classifier(_Predicting):
    _value = "predict_classes"

    def _one(self, key: str, x: Any, input_fn: Any, batch_size: Any, as_iterable: bool) -> Any:
        rows = (row[key] for row in _Canned.predict(self, x, input_fn, batch_size, [key]))
        return rows if as_iterable else _together(list(rows))

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None, as_iterable: bool = True
    ) -> Any:
        return self._one("classes", x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None, as_iterable: bool = True
    ) -> Any:
        return self._one("probabilities", x, input_fn, batch_size, as_iterable)


class _Regressor(_Predicting):
    _value = "predict_scores"

    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None, as_iterable: bool = True
    ) -> Any:
        found = (row["scores"] for row in _Canned.predict(self, x, input_fn, batch_size))
        rows = (row[0] if np.shape(row) == (1,) else row for row in found)
        return rows if as_iterable else _together(list(rows))


def _deep(head: Any, hidden_units: Any, feature_columns: Any, optimizer: Any = None, **options: Any) -> Any:
    return canned.deep_fn(head, hidden_units, _columns(feature_columns), optimizer or "Adagrad", **options)


def _linear(head: Any, feature_columns: Any, optimizer: Any = None, **options: Any) -> Any:
    return canned.linear_fn(head, _columns(feature_columns), optimizer or "Ftrl", **options)


@export(_LEARN + "DNNClassifier")
class DNNClassifier(_Classifier):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(model_dir, config, _deep(_Classes(n_classes), **options))


@export(_LEARN + "DNNRegressor")
class DNNRegressor(_Regressor):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(model_dir, config, _deep(_Regression(label_dimension), **options))


@export(_LEARN + "LinearClassifier")
class LinearClassifier(_Classifier):
    def __init__(self, model_dir: Any = None, n_classes: int = 2, config: Any = None, **options: Any) -> None:
        super().__init__(model_dir, config, _linear(_Classes(n_classes), **options))


@export(_LEARN + "LinearRegressor")
class LinearRegressor(_Regressor):
    def __init__(self, model_dir: Any = None, label_dimension: int = 1, config: Any = None,
                 **options: Any) -> None:
        super().__init__(model_dir, config, _linear(_Regression(label_dimension), **options))


@export(_LEARN + "infer_real_valued_columns_from_input", "tf.contrib.layers.infer_real_valued_columns")
def infer_real_valued_columns_from_input(x: Any) -> List[Any]:
    def width(values: Any) -> int:
        shape = values.get_shape().as_list() if hasattr(values, "get_shape") else np.shape(values)
        return int(shape[1]) if len(shape) > 1 else 1

    if isinstance(x, dict):
        return [real_valued_column(key, width(x[key])) for key in sorted(x)]
    return [real_valued_column("", width(x))]


@export(_LEARN + "infer_real_valued_columns_from_input_fn")
def infer_real_valued_columns_from_input_fn(input_fn: Any) -> List[Any]:
    from shapeflow.tensorflow.python.framework.graph import Graph

    with Graph().as_default():
        features = input_fn()
        return infer_real_valued_columns_from_input(
            features[0] if isinstance(features, tuple) else features
        )


@export(_LEARN + "SKCompat")
class SKCompat:
    """An estimator with the methods of scikit-learn."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: Any = None,
        max_steps: Any = None,
        monitors: Any = None,
    ) -> SKCompat:
        self._estimator.fit(
            x, y, batch_size=batch_size, steps=steps, max_steps=max_steps, monitors=monitors
        )
        return self

    def score(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: Any = None,
        metrics: Any = None,
        name: object = None,
    ) -> Any:
        found = self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics)
        return {key: value for key, value in found.items() if key != "global_step"}

    def predict(self, x: Any, batch_size: int = 128, outputs: Any = None) -> Any:
        rows = BaseEstimator.predict(self._estimator, x, batch_size=batch_size, outputs=outputs)
        return _together(list(rows))


@export(_LEARN + "Experiment", _LEARN + "experiment.Experiment")
class Experiment:
    """A training and its evaluation."""

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Any,
        eval_input_fn: Any,
        eval_metrics: Any = None,
        train_steps: Any = None,
        eval_steps: Any = 100,
        train_monitors: Any = None,
        eval_hooks: Any = None,
        **more: Any,
    ) -> None:
        self.estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self.train_steps, self.eval_steps = eval_metrics, train_steps, eval_steps
        self._hooks, self._eval_hooks = list(train_monitors or ()), eval_hooks

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        self._hooks.extend(additional_hooks)

    def train(self, delay_secs: Any = None) -> Any:
        if isinstance(self.estimator, core.Estimator):
            return self.estimator.train(self._train_input_fn, max_steps=self.train_steps, hooks=self._hooks)
        return self.estimator.fit(
            input_fn=self._train_input_fn, max_steps=self.train_steps, monitors=self._hooks
        )

    def evaluate(self, delay_secs: Any = None, name: Any = None) -> Any:
        if isinstance(self.estimator, core.Estimator):
            return self.estimator.evaluate(
                self._eval_input_fn, steps=self.eval_steps, hooks=self._eval_hooks
            )
        return self.estimator.evaluate(
            input_fn=self._eval_input_fn,
            steps=self.eval_steps,
            metrics=self._eval_metrics,
            hooks=self._eval_hooks,
        )

    def train_and_evaluate(self) -> Any:
        self.train()
        return self.evaluate(), []

    local_run = train_and_evaluate
    continuous_train_and_eval = train_and_evaluate

    def continuous_eval(self, delay_secs: Any = None, **more: Any) -> Any:
        return self.evaluate()

    def test(self) -> Any:
        self.train_steps = 1
        return self.train_and_evaluate()


@export(_LEARN + "learn_runner.run", _SOURCES + "learn_runner.run", _SOURCES + "learn_runner_lib.run")
def run(
    experiment_fn: Any,
    output_dir: Any = None,
    schedule: Any = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    if not callable(experiment_fn):
        raise TypeError('Experiment builder "%s" is not callable.' % experiment_fn)
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Missing output_dir")
    experiment = (
        experiment_fn(run_config=run_config, hparams=hparams)
        if run_config is not None
        else experiment_fn(output_dir=output_dir)
    )
    if not isinstance(experiment, Experiment) and not hasattr(experiment, "_sf_unmodelled"):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got %s instead." % type(experiment)
        )
    task = getattr(experiment, schedule or "train_and_evaluate", None)
    if not callable(task):
        raise ValueError("Schedule references non-existent task %s" % schedule)
    return task()
