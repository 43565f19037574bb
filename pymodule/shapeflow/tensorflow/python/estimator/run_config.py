"""tf.estimator.RunConfig: kept and given back.

Source: tensorflow_estimator/python/estimator/run_config.py.
"""

from __future__ import annotations

import copy

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

_DEFAULTS: Dict[str, object] = {
    "model_dir": None,
    "tf_random_seed": None,
    "save_summary_steps": 100,
    "save_checkpoints_steps": None,
    "save_checkpoints_secs": None,
    "session_config": None,
    "keep_checkpoint_max": 5,
    "keep_checkpoint_every_n_hours": 10000,
    "log_step_count_steps": 100,
    "train_distribute": None,
    "device_fn": None,
    "protocol": None,
    "eval_distribute": None,
    "experimental_distribute": None,
    "experimental_max_worker_delay_secs": None,
    "session_creation_timeout_secs": 7200,
    "checkpoint_save_graph_def": True,
}
_FIXED: Dict[str, object] = {
    "task_type": "worker",
    "task_id": 0,
    "is_chief": True,
    "master": "",
    "evaluation_master": "",
    "num_ps_replicas": 0,
    "num_worker_replicas": 1,
    "global_id_in_cluster": 0,
    "service": None,
}


@export("tf.estimator.RunConfig", v2=True)
class RunConfig:
    def __init__(
        self,
        model_dir: Any = None,
        tf_random_seed: Any = None,
        save_summary_steps: Any = 100,
        save_checkpoints_steps: Any = ...,
        save_checkpoints_secs: Any = ...,
        session_config: Any = None,
        keep_checkpoint_max: Any = 5,
        keep_checkpoint_every_n_hours: Any = 10000,
        log_step_count_steps: Any = 100,
        **more: Any,
    ) -> None:
        steps, seconds = save_checkpoints_steps, save_checkpoints_secs
        if steps not in (..., None) and seconds not in (..., None):
            raise ValueError("`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.")
        if steps is ... and seconds is ...:
            steps, seconds = None, 600
        given = dict(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=None if steps is ... else steps,
            save_checkpoints_secs=None if seconds is ... else seconds,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            **more,
        )
        for key in (
            "save_summary_steps",
            "save_checkpoints_steps",
            "save_checkpoints_secs",
            "log_step_count_steps",
        ):
            value = given[key]
            if isinstance(value, (int, float)) and value < 0:
                raise ValueError("%s should be >= 0, but got %s" % (key, value))
        self.__dict__.update(_DEFAULTS)
        self.__dict__.update(_FIXED)
        self.__dict__.update(given)

    @property
    def cluster_spec(self) -> Any:
        from shapeflow.tensorflow.python.training.monitored_session import ClusterSpec

        return ClusterSpec({})

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values."""
        allowed = set(_DEFAULTS)
        for name in kwargs:
            if name not in allowed:
                raise ValueError(
                    "Replacing {} is not supported. Allowed properties are {}.".format(
                        name, sorted(allowed)
                    )
                )
        new = copy.copy(self)
        new.__dict__.update(kwargs)
        if "save_checkpoints_steps" in kwargs and "save_checkpoints_secs" not in kwargs:
            new.__dict__["save_checkpoints_secs"] = None
        if "save_checkpoints_secs" in kwargs and "save_checkpoints_steps" not in kwargs:
            new.__dict__["save_checkpoints_steps"] = None
        return new
