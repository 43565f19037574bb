"""tf.estimator.tpu and tf.contrib.tpu: estimators whose model_fn is told its batch size.

No machine with TPUs is modelled: a batch goes to the model_fn whole, as where use_tpu is False.
Source: tensorflow_estimator/python/estimator/tpu/{tpu_estimator,tpu_config}.py.
"""
from __future__ import annotations

import collections
import copy

from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.estimator import estimator as core
from shapeflow.tensorflow.python.estimator.model_fn import EstimatorSpec, ModeKeys, checked_hooks
from shapeflow.tensorflow.python.estimator.run_config import RunConfig as CoreConfig
from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunHook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

_RESERVED = ["batch_size", "context"]
_NO_PARAMS = "{} ({}) does not include params argument, required by TPUEstimator to pass batch size as"
_CORES = 1, 2, 4, 8, 16, 32, 64, 128


def _positive(value: object, name: str) -> None:
    if is_unmodelled(value):
        return
    if not isinstance(value, int):
        raise TypeError("{} must be int, got {}".format(name, type(value)))
    if value <= 0:
        raise ValueError("{} must be positive, got {}".format(name, value))


@export("tf.contrib.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """How input_fn gives batches to the cores."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


@export("tf.contrib.tpu.TPUConfig")
class TPUConfig(collections.namedtuple("TPUConfig", [
        "iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training",
        "tpu_job_name", "initial_infeed_sleep_secs", "input_partition_dims",
        "eval_training_input_configuration", "experimental_host_call_every_n_steps"])):
    """The settings of TPUs: kept and given back.

    Raises: ValueError and TypeError in TensorFlow's words where a number is none that it takes."""

    def __new__(cls, iterations_per_loop: object = 2, num_shards: object = None,
                num_cores_per_replica: object = None, per_host_input_for_training: object = True,
                tpu_job_name: object = None, initial_infeed_sleep_secs: object = None,
                input_partition_dims: object = None,
                eval_training_input_configuration: object = InputPipelineConfig.PER_HOST_V1,
                experimental_host_call_every_n_steps: object = 1) -> TPUConfig:
        _positive(iterations_per_loop, "TPUConfig iterations_per_loop")
        if num_shards is not None:
            _positive(num_shards, "TPUConfig num_shards")
        if num_cores_per_replica is not None and not is_unmodelled(num_cores_per_replica) and \
                num_cores_per_replica not in _CORES:
            raise ValueError("num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; got {}".format(
                num_cores_per_replica))
        if per_host_input_for_training is False:
            per_host_input_for_training = InputPipelineConfig.PER_SHARD_V1
        elif per_host_input_for_training is True:
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica, per_host_input_for_training,
            tpu_job_name, initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
            experimental_host_call_every_n_steps)


@export("tf.contrib.tpu.RunConfig")
class RunConfig(CoreConfig):
    """The configuration of a TPUEstimator."""

    def __init__(self, tpu_config: Any = None, evaluation_master: Any = None, master: Any = None,
                 cluster: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if master is not None and cluster is not None and not is_unmodelled(cluster):
            raise ValueError("Both master and cluster are set.")
        self.__dict__.update(tpu_config=tpu_config or TPUConfig(), cluster=cluster)
        if master is None and cluster is not None:
            master = cluster.master()
        if master is not None:
            self.__dict__["master"] = master
        self.__dict__["evaluation_master"] = \
            self.__dict__["master"] if evaluation_master is None else evaluation_master

    def replace(self, **kwargs: Any) -> CoreConfig:
        """A copy with other values."""
        tpu_config = kwargs.pop("tpu_config", self.__dict__["tpu_config"])
        new = super().replace(**kwargs)
        new.__dict__["tpu_config"] = tpu_config
        return new


def _check_calls(calls: Dict[str, object]) -> None:
    """Of eval_metrics and host_call: a function and what it takes."""
    for name, call in calls.items():
        if is_unmodelled(call):
            continue
        if not isinstance(call, (tuple, list)):
            raise ValueError("{} should be tuple or list".format(name))
        if len(call) != 2:
            raise ValueError("{} should have two elements.".format(name))
        if not callable(call[0]):
            raise TypeError("{}[0] should be callable.".format(name))
        if not isinstance(call[1], (tuple, list, dict)) and not is_unmodelled(call[1]):
            raise ValueError("{}[1] should be tuple or list, or dict.".format(name))


def _called(call: Any) -> Any:
    function, tensors = call
    return function(**tensors) if isinstance(tensors, dict) else function(*tensors)


class _RunsToo(SessionRunHook):
    """Runs what a host_call gives with each step."""

    def __init__(self, ops: Any) -> None:
        self._ops = ops

    def before_run(self, run_context: object) -> Any:
        from shapeflow.tensorflow.python.training.session_run_hooks import SessionRunArgs

        return SessionRunArgs(self._ops)


@export("tf.contrib.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", [
        "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn",
        "host_call", "training_hooks", "evaluation_hooks", "prediction_hooks"])):
    """What the model_fn of a TPUEstimator returns; `eval_metrics` is a function and what it takes.

    Raises: ValueError and TypeError in TensorFlow's words where a field is of another type."""

    def __new__(cls, mode: str, predictions: object = None, loss: object = None, train_op: object = None,
                eval_metrics: object = None, export_outputs: object = None, scaffold_fn: object = None,
                host_call: object = None, training_hooks: object = None, evaluation_hooks: object = None,
                prediction_hooks: object = None) -> TPUEstimatorSpec:
        _check_calls({name: call for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call))
                      if call is not None})
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call,
            checked_hooks(training_hooks), checked_hooks(evaluation_hooks), checked_hooks(prediction_hooks))

    def as_estimator_spec(self) -> EstimatorSpec:
        """The EstimatorSpec of the same, with its metrics made."""
        hooks = () if self.host_call is None else (_RunsToo(_called(self.host_call)),)
        return EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
            eval_metric_ops=None if self.eval_metrics is None else _called(self.eval_metrics),
            export_outputs=self.export_outputs, scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks, evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks)


def _set_parameter(params: Any, name: str, value: Any) -> None:
    """Of a dictionary, or of HParams."""
    if not hasattr(params, "set_hparam"):
        params[name] = value
    elif name in params:
        params.set_hparam(name, value)
    else:
        params.add_hparam(name, value)


@export("tf.contrib.tpu.TPUEstimator")
class TPUEstimator(core.Estimator):
    """An Estimator whose input_fn and model_fn find the size of a batch in params["batch_size"].

    Raises: ValueError in TensorFlow's words without a RunConfig of TPUs, with reserved params, or where
    input_fn takes none."""

    def __init__(self, model_fn: Any = None, model_dir: Any = None, config: Any = None, params: Any = None,
                 use_tpu: Any = True, train_batch_size: Optional[int] = None,
                 eval_batch_size: Optional[int] = None, predict_batch_size: Optional[int] = None,
                 batch_axis: Any = None, eval_on_tpu: Any = True, export_to_tpu: Any = True,
                 export_to_cpu: Any = True, warm_start_from: Any = None, embedding_config_spec: Any = None,
                 export_saved_model_api_version: Any = None) -> None:
        if not isinstance(config, RunConfig) and not is_unmodelled(config):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and not is_unmodelled(params) and any(key in params for key in _RESERVED):
            raise ValueError("{} are reserved keys but existed in params {}.".format(_RESERVED, params))
        if use_tpu is True and train_batch_size is None:
            raise ValueError("`train_batch_size` cannot be `None`")
        for size, name in ((train_batch_size, "train_batch_size"), (eval_batch_size, "eval_batch_size"),
                           (predict_batch_size, "predict_batch_size")):
            if size is not None:
                _positive(size, name)
        if model_fn is not None and "params" not in core.argument_names(model_fn):
            raise ValueError(_NO_PARAMS.format("model_fn", model_fn) + " params['batch_size']")
        super().__init__(model_fn, model_dir, config, params, warm_start_from)
        self._batch_sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
                             ModeKeys.PREDICT: predict_batch_size}
        self._mode = ""

    @property
    def params(self) -> Any:
        """A copy, with the size of a batch where one is built."""
        found = copy.deepcopy(self._params)
        size = self._batch_sizes.get(self._mode)
        if size is not None:
            _set_parameter(found, "batch_size", size)
        return found

    def _build(self, input_fn: object, mode: str) -> Any:
        if "params" not in core.argument_names(input_fn):
            raise ValueError(_NO_PARAMS.format("input_fn", input_fn) + ' params["batch_size"]')
        self._mode = mode
        try:
            return super()._build(input_fn, mode)
        finally:
            self._mode = ""

    def _checked_spec(self, spec: object) -> Any:
        if isinstance(spec, TPUEstimatorSpec):
            return spec.as_estimator_spec()
        return super()._checked_spec(spec)
