"""tf.train.SessionRunHook and the hooks that come with TensorFlow.

Source: tensorflow/python/training/{session_run_hook,basic_session_run_hooks}.py.
"""
from __future__ import annotations

import collections
import os

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.training import training_util

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

SessionRunArgs = collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"],
                                        defaults=(None, None))
SessionRunValues = collections.namedtuple("SessionRunValues",
                                          ["results", "options", "run_metadata"])
put(SessionRunArgs, "tf.train.SessionRunArgs", "tf.estimator.SessionRunArgs")
put(SessionRunValues, "tf.train.SessionRunValues", "tf.estimator.SessionRunValues")


@export("tf.train.SessionRunContext", "tf.estimator.SessionRunContext")
class SessionRunContext:
    """What a hook is told about the run that it surrounds."""

    def __init__(self, original_args: Any, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self) -> None:
        self._stop_requested = True


@export("tf.train.SessionRunHook", "tf.estimator.SessionRunHook")
class SessionRunHook:
    """Base of the hooks: every method may be overridden."""

    def begin(self) -> None:
        pass

    def after_create_session(self, session: Any, coord: Any) -> None:
        pass

    def before_run(self, run_context: Any) -> Any:
        return None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        pass

    def end(self, session: Any) -> None:
        pass


# How many steps a hook waits for a global step whose value is not known.
_BLIND_STEPS = 100


@export("tf.train.StopAtStepHook", "tf.estimator.StopAtStepHook")
class StopAtStepHook(SessionRunHook):
    """Stops at a global step; when its value is not known, after a bounded number of runs."""

    def __init__(self, num_steps: Optional[int] = None, last_step: Optional[int] = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step
        self._runs = 0
        self._previous: Optional[int] = None

    def begin(self) -> None:
        self._step = training_util.get_global_step()
        if self._step is None:
            raise RuntimeError("Global step should be created to use StopAtStepHook.")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = self._value(session.run(self._step)) + (self._num_steps or 0)

    @staticmethod
    def _value(result: Any) -> int:
        return int(result)

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._runs += 1
        step = self._value(run_context.session.run(self._step))
        stuck = step == self._previous
        self._previous = step
        if self._last_step is not None and step >= self._last_step:
            run_context.request_stop()
        elif stuck and self._runs >= _BLIND_STEPS:
            _core.notice_unmodelled("the value of the global step (stopped after %d steps)"
                                    % self._runs)
            run_context.request_stop()


def _simple_hook(name: str) -> type:
    """A hook that only logs, saves or times: it keeps its arguments and does nothing."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        self._args, self._kwargs = args, kwargs

    cls = type(name, (SessionRunHook,), {"__init__": __init__, "__doc__": "tf.train." + name})
    put(cls, "tf.train." + name, "tf.estimator." + name)
    return cls


for _name in ("StepCounterHook", "SummarySaverHook",
              "NanTensorHook", "ProfilerHook", "GlobalStepWaiterHook"):
    globals()[_name] = _simple_hook(_name)


@export("tf.train.CheckpointSaverHook", "tf.estimator.CheckpointSaverHook")
class CheckpointSaverHook(SessionRunHook):
    """Saves, to memory, when a session starts and when it ends."""

    def __init__(self, checkpoint_dir: Any, save_secs: Any = None, save_steps: Any = None,
                 saver: Any = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
                 listeners: Any = None, save_graph_def: bool = True, steps_per_run: int = 1) -> None:
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold = saver, scaffold
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._listeners = list(listeners or ())

    def begin(self) -> None:
        self._step = training_util.get_global_step()
        if self._step is None:
            raise RuntimeError("Global step should be created to use CheckpointSaverHook.")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._save(session)

    def end(self, session: Any) -> None:
        step = self._save(session)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any) -> int:
        from shapeflow.tensorflow.python.training.saver import saver_or_default

        step = int(session.run(self._step))
        saver = self._saver or (self._scaffold.saver if self._scaffold else None)
        for listener in self._listeners:
            listener.before_save(session, step)
        (saver or saver_or_default()).save(session, self._path, global_step=step)
        for listener in self._listeners:
            listener.after_save(session, step)
        return step


@export("tf.train.CheckpointSaverListener", "tf.estimator.CheckpointSaverListener")
class CheckpointSaverListener:
    """What is told of each save."""

    def begin(self) -> None:
        pass

    def before_save(self, session: Any, global_step_value: int) -> None:
        pass

    def after_save(self, session: Any, global_step_value: int) -> None:
        pass

    def end(self, session: Any, global_step_value: int) -> None:
        pass


@export("tf.train.LoggingTensorHook", "tf.estimator.LoggingTensorHook")
class LoggingTensorHook(SessionRunHook):
    """Fetches its tensors at each run, as the real one does now and then."""

    def __init__(self, tensors: Any, every_n_iter: Any = None, every_n_secs: Any = None,
                 at_end: bool = False, formatter: Any = None) -> None:
        if (every_n_iter is None) == (every_n_secs is None) and not at_end:
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must "
                             "be provided.")
        self._tensors = tensors if isinstance(tensors, dict) else {
            getattr(t, "name", t): t for t in tensors}

    def begin(self) -> None:
        graph = get_default_graph()
        self._current = {k: graph.as_graph_element(v) if isinstance(v, str) else v
                         for k, v in self._tensors.items()}

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._current)


@export("tf.train.FinalOpsHook", "tf.estimator.FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Runs ops at the end of a session."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._ops, self._feed = final_ops, final_ops_feed_dict
        self.final_ops_values: Any = None

    def end(self, session: Any) -> None:
        if self._ops is not None:
            self.final_ops_values = session.run(self._ops, self._feed)


@export("tf.train.FeedFnHook", "tf.estimator.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Adds a feed to each run."""

    def __init__(self, feed_fn: Any) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


@export("tf.train.NanLossDuringTrainingError", "tf.estimator.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    def __str__(self) -> str:
        return "NaN loss during training."


@export("tf.train.SecondOrStepTimer", "tf.estimator.SecondOrStepTimer")
class SecondOrStepTimer:
    """A timer that triggers every n steps or seconds."""

    def __init__(self, every_secs: Any = None, every_steps: Any = None) -> None:
        self._every_steps = every_steps
        self._last: Optional[int] = None

    def reset(self) -> None:
        self._last = None

    def should_trigger_for_step(self, step: int) -> bool:
        return self._last is None or self._every_steps is not None and \
            step >= self._last + self._every_steps

    def update_last_triggered_step(self, step: int) -> Any:
        self._last = step
        return None, None

    def last_triggered_step(self) -> Optional[int]:
        return self._last
