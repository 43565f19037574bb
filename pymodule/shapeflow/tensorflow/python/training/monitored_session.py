"""tf.train.MonitoredSession and its family, Scaffold, Supervisor, Server.

Source: tensorflow/python/training/{monitored_session,supervisor,server_lib}.py.
"""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, List, NamedTuple

from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.client.session import Session
from shapeflow.tensorflow.python.framework import errors
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.message import Message, message_class
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import variables
from shapeflow.tensorflow.python.training import session_run_hooks as hooks
from shapeflow.tensorflow.python.training import training_util
from shapeflow.tensorflow.python.training.queues import Coordinator
from shapeflow.tensorflow.python.training.saver import get_checkpoint_state, saver_or_default
from shapeflow.tensorflow.python.training.session_run_hooks import CheckpointSaverHook


@export("tf.train.Scaffold")
class Scaffold:
    """The ops that start a session."""

    def __init__(self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Any = None,
                 ready_op: Any = None, ready_for_local_init_op: Any = None,
                 local_init_op: Any = None, summary_op: Any = None, saver: Any = None,
                 copy_from_scaffold: Any = None, local_init_feed_dict: Any = None) -> None:
        self._init_op, self._init_feed_dict, self._init_fn = init_op, init_feed_dict, init_fn
        self._local_init_op, self._summary_op, self._saver = local_init_op, summary_op, saver
        self._ready_op = ready_op

    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    init_fn = property(lambda self: self._init_fn)
    ready_op = property(lambda self: self._ready_op)
    local_init_op = property(lambda self: self._local_init_op)
    summary_op = property(lambda self: self._summary_op)
    saver = property(lambda self: self._saver)

    def finalize(self) -> "Scaffold":
        graph = get_default_graph()
        if self._init_op is None:
            self._init_op = self._default("init_op", lambda: tf.group(
                variables.global_variables_initializer(),
                *graph.get_collection(GraphKeys.RESOURCES)))
        if self._local_init_op is None:
            self._local_init_op = self._default("local_init_op", lambda: tf.group(
                variables.local_variables_initializer(),
                *graph.get_collection(GraphKeys.TABLE_INITIALIZERS)))
        if self._summary_op is None:
            self._summary_op = self._default("summary_op", lambda: tf.summary.merge_all())
        if self._saver is None:
            self._saver = saver_or_default()
        return self

    @staticmethod
    def _default(key: str, make: Any) -> Any:
        found = get_default_graph().get_collection(key)
        return found[0] if found else make()

    @staticmethod
    def get_or_default(arg_name: str, collection_key: object, default_constructor: Any) -> Any:
        found = get_default_graph().get_collection(collection_key)
        return found[0] if found else default_constructor()

    @staticmethod
    def default_local_init_op() -> Any:
        return variables.local_variables_initializer()

    def start(self, session: Any) -> None:
        """Runs the init ops in `session`."""
        session.run(self._init_op, feed_dict=self._init_feed_dict)
        if self._init_fn is not None:
            self._init_fn(self, session) if _two_arguments(self._init_fn) else self._init_fn(session)
        session.run(self._local_init_op)


def _two_arguments(function: Any) -> bool:
    import inspect

    try:
        return len(inspect.signature(function).parameters) >= 2
    except (TypeError, ValueError):
        return False


@export("tf.train.SessionCreator")
class SessionCreator:
    """Base of what makes the session of a MonitoredSession."""


@export("tf.train.ChiefSessionCreator")
class ChiefSessionCreator(SessionCreator):
    """It keeps what it was given: there is one process."""

    def __init__(self, scaffold: Any = None, master: str = "", config: Any = None,
                 checkpoint_dir: Any = None, checkpoint_filename_with_path: Any = None) -> None:
        self.scaffold, self.master, self.config = scaffold, master, config
        self.checkpoint_dir = checkpoint_dir
        self.checkpoint_filename_with_path = checkpoint_filename_with_path


@export("tf.train.WorkerSessionCreator")
class WorkerSessionCreator(SessionCreator):
    """The same: nobody is waited for."""

    def __init__(self, scaffold: Any = None, master: str = "", config: Any = None,
                 max_wait_secs: int = 30 * 60) -> None:
        self.scaffold, self.master, self.config = scaffold, master, config


class StepContext(NamedTuple):
    """What a function given to run_step_fn is called with."""

    session: Any
    run_with_hooks: Callable[..., object]
    request_stop: Callable[[], None]


class _Monitored:
    """A session that runs hooks around each run."""

    def __init__(self, session_creator: Any = None, hooks: Any = None,
                 stop_grace_period_secs: int = 120, scaffold: Any = None, config: Any = None,
                 master: str = "", checkpoint_dir: Any = None,
                 checkpoint_filename_with_path: Any = None) -> None:
        self._hooks = list(hooks or ())
        creator = session_creator
        if scaffold is None and creator is not None:
            scaffold = getattr(creator, "scaffold", None)
        self._scaffold = scaffold or Scaffold()
        for hook in self._hooks:
            hook.begin()
        self._scaffold.finalize()
        self._graph = get_default_graph()
        self._was_finalized = self._graph.finalized
        self._graph.finalize()
        self._sess: Any = Session(
            config=config if config is not None else getattr(creator, "config", None) or None,
            graph=self._graph)
        self._coord = Coordinator()
        self._stop = False
        self._scaffold.start(self._sess)
        self._restore(checkpoint_dir or getattr(creator, "checkpoint_dir", None) or None,
                      checkpoint_filename_with_path
                      or getattr(creator, "checkpoint_filename_with_path", None) or None)
        for hook in self._hooks:
            hook.after_create_session(self._sess, self._coord)

    def _restore(self, directory: object, path: Any) -> None:
        """From the path, or from the directory's latest checkpoint if there is one."""
        if path is None and directory is not None:
            state = get_checkpoint_state(directory)
            path = state.model_checkpoint_path if state else None
        if path is not None and self._scaffold.saver is not None:
            self._scaffold.saver.restore(self._sess, path)

    graph = property(lambda self: self._graph)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None,
            run_metadata: Any = None) -> Any:
        if self._sess is None:
            raise RuntimeError("Session is closed.")
        if not self._hooks:
            return self._sess.run(fetches, feed_dict)
        context = hooks.SessionRunContext(
            hooks.SessionRunArgs(fetches, feed_dict, options), self._sess)
        feeds = dict(feed_dict or {})
        asked = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is not None:
                if request.fetches is not None:
                    asked[hook] = request.fetches
                if request.feed_dict:
                    feeds.update(request.feed_dict)
        caller, by_hook = self._sess.run([fetches, list(asked.values())], feeds or None)
        results = dict(zip(asked, by_hook))
        for hook in self._hooks:
            hook.after_run(context, hooks.SessionRunValues(results.get(hook), options, run_metadata))
        self._stop = self._stop or context.stop_requested
        return caller

    def run_step_fn(self, step_fn: Any) -> Any:
        context = StepContext(self._sess, self.run, self._request_stop)
        try:
            return step_fn(context)
        except StopIteration:
            return None

    def _request_stop(self) -> None:
        self._stop = True

    def should_stop(self) -> bool:
        if self._sess is None or self._stop:
            return True
        return self._coord.should_stop()

    def close(self) -> None:
        if self._sess is not None:
            try:
                for hook in self._hooks:
                    hook.end(self._sess)
            finally:
                self._end()

    def _end(self) -> None:
        """The session is closed, and the graph takes new nodes again."""
        self._sess.close()
        self._sess = None
        if not self._was_finalized:
            self._graph._unsafe_unfinalize()

    def __enter__(self) -> "_Monitored":
        self._contexts = [self._graph.as_default(), self._sess.as_default()]
        for context in self._contexts:
            context.__enter__()
        return self

    def __exit__(self, exc_type: Any, exc: object, tb: object) -> bool:
        if exc_type is not None and issubclass(exc_type, errors.OutOfRangeError):
            exc_type = None
        try:
            if exc_type is None:
                self.close()
            elif self._sess is not None:
                self._end()
        finally:
            for context in reversed(self._contexts):
                context.__exit__(None, None, None)
        return exc_type is None


class MonitoredSession(_Monitored):
    class StepContext:
        """What run_step_fn gives to its function."""


put(MonitoredSession, "tf.train.MonitoredSession")
put(_Monitored, "tf.train.SingularMonitoredSession")


@export("tf.train.MonitoredTrainingSession")
def MonitoredTrainingSession(master: str = "", is_chief: bool = True, checkpoint_dir: object = None,
                             scaffold: object = None, hooks: Any = None, chief_only_hooks: Any = None,
                             save_checkpoint_secs: object = None, save_summaries_steps: object = None,
                             save_summaries_secs: object = None, config: object = None,
                             stop_grace_period_secs: int = 120, log_step_count_steps: object = 100,
                             max_wait_secs: int = 7200, save_checkpoint_steps: object = None,
                             summary_dir: object = None, save_graph_def: bool = True) -> MonitoredSession:
    every = list(hooks or ()) + list(chief_only_hooks or () if is_chief else ())
    if checkpoint_dir and is_chief and training_util.get_global_step() is None:
        raise RuntimeError("Global step should be created to use StepCounterHook.")
    if scaffold is None:
        scaffold = Scaffold()
    never = save_checkpoint_secs == 0 or save_checkpoint_steps == 0
    if checkpoint_dir and is_chief and not never:
        every.append(CheckpointSaverHook(checkpoint_dir, scaffold=scaffold))
    return MonitoredSession(hooks=every, scaffold=scaffold, config=config,
                            checkpoint_dir=checkpoint_dir)


# --- Supervisor ------------------------------------------------------------------------------------------
@export("tf.train.Supervisor", "tf.train.supervisor.Supervisor")
class Supervisor:
    """tf.train.Supervisor: starts sessions with everything initialised; services do not run."""

    USE_DEFAULT = 0

    def __init__(self, graph: Any = None, ready_op: Any = 0, ready_for_local_init_op: Any = 0,
                 is_chief: bool = True, init_op: Any = 0, init_feed_dict: Any = None,
                 local_init_op: Any = 0, logdir: Any = None, summary_op: Any = 0, saver: Any = 0,
                 global_step: Any = 0, save_summaries_secs: int = 120, save_model_secs: int = 600,
                 recovery_wait_secs: int = 30, stop_grace_secs: int = 120,
                 checkpoint_basename: str = "model.ckpt", session_manager: Any = None,
                 summary_writer: Any = 0, init_fn: Any = None,
                 local_init_run_options: Any = None) -> None:
        from shapeflow.tensorflow.python.summary.summary import FileWriter
        from shapeflow.tensorflow.python.training.saver import Saver

        self._graph = graph or get_default_graph()
        with self._graph.as_default():
            self._init_op = variables.global_variables_initializer() if _default(init_op) else init_op
            self._local_init_op = variables.local_variables_initializer() if _default(
                local_init_op) else local_init_op
            self._summary_op = tf.summary.merge_all() if _default(summary_op) else summary_op
            self._saver = Saver(allow_empty=True) if _default(saver) else saver
            self._global_step = global_step
            if _default(global_step):
                self._global_step = training_util.get_global_step()
        self._init_fn, self._feed = init_fn, init_feed_dict
        self._logdir = logdir
        self._coord = Coordinator()
        self._writer = FileWriter(logdir) if _default(summary_writer) else summary_writer

    coord = property(lambda self: self._coord)
    saver = property(lambda self: self._saver)
    init_op = property(lambda self: self._init_op)
    summary_op = property(lambda self: self._summary_op)
    summary_writer = property(lambda self: self._writer)
    global_step = property(lambda self: self._global_step)
    is_chief = property(lambda self: True)
    save_path = property(lambda self: "%s/model.ckpt" % self._logdir if self._logdir else None)
    session_manager = property(lambda self: self)

    def prepare_or_wait_for_session(self, master: str = "", config: Any = None,
                                    wait_for_checkpoint: bool = False, max_wait_secs: int = 7200,
                                    start_standard_services: bool = True) -> Session:
        session = Session(graph=self._graph, config=config)
        if self._init_op is not None:
            session.run(self._init_op, feed_dict=self._feed)
        if self._init_fn is not None:
            self._init_fn(session)
        if self._local_init_op is not None:
            session.run(self._local_init_op)
        return session

    PrepareSession = prepare_or_wait_for_session
    PrepareOrWaitForSession = prepare_or_wait_for_session

    @contextlib.contextmanager
    def managed_session(self, master: str = "", config: Any = None,
                        start_standard_services: bool = True,
                        close_summary_writer: bool = True) -> Iterator[Session]:
        session = self.prepare_or_wait_for_session(master, config)
        with self._graph.as_default(), session.as_default():
            try:
                yield session
            except errors.OutOfRangeError:
                pass
            finally:
                self._coord.request_stop()
                session.close()

    def should_stop(self) -> bool:
        return self._coord.should_stop()

    def request_stop(self, ex: object = None) -> None:
        self._coord.request_stop(ex)

    def stop(self, threads: object = None, close_summary_writer: bool = True,
             ignore_live_threads: bool = False) -> None:
        self._coord.request_stop()

    def summary_computed(self, sess: object, summary: object, global_step: object = None) -> None:
        pass

    def start_queue_runners(self, sess: object, queue_runners: object = None) -> List[Any]:
        return []

    start_standard_services = start_queue_runners

    def loop(self, timer_interval_secs: object, target: Any, args: Any = None,
             kwargs: Any = None) -> None:
        target(*(args or ()), **(kwargs or {}))

    def stop_on_exception(self) -> Any:
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        pass


def _default(value: object) -> bool:
    return isinstance(value, int) and value == 0


@export("tf.train.SessionManager")
class SessionManager:
    """Prepares sessions from an init op."""

    def __init__(self, local_init_op: Any = None, ready_op: Any = None,
                 ready_for_local_init_op: Any = None, graph: Any = None,
                 recovery_wait_secs: int = 30, local_init_run_options: Any = None,
                 local_init_feed_dict: Any = None) -> None:
        self._graph, self._local_init_op = graph or get_default_graph(), local_init_op
        self._local_init_feed_dict = local_init_feed_dict

    def prepare_session(self, master: str, init_op: object = None, saver: object = None,
                        checkpoint_dir: object = None, checkpoint_filename_with_path: object = None,
                        wait_for_checkpoint: bool = False, max_wait_secs: int = 7200,
                        config: object = None, init_feed_dict: object = None, init_fn: Any = None) -> Session:
        session = Session(graph=self._graph, config=config)
        if init_op is not None:
            session.run(init_op, feed_dict=init_feed_dict)
        if init_fn is not None:
            init_fn(session)
        if self._local_init_op is not None:
            session.run(self._local_init_op, feed_dict=self._local_init_feed_dict)
        return session


# --- clusters --------------------------------------------------------------------------------------------
@export("tf.train.ClusterSpec", v2=True)
class ClusterSpec:
    """Jobs and tasks by name."""

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, Message):
            cluster = {job.name: dict(job.tasks) for job in cluster.job}
        self._spec = {job: list(tasks.values()) if isinstance(tasks, dict) else list(tasks)
                      for job, tasks in (cluster.as_dict() if isinstance(cluster, ClusterSpec)
                                         else dict(cluster)).items()}

    jobs = property(lambda self: list(self._spec))

    def as_dict(self) -> dict[str, Any]:
        return dict(self._spec)

    def num_tasks(self, job_name: str) -> int:
        return len(self._spec[job_name])

    def task_address(self, job_name: str, task_index: int) -> str:
        return self._spec[job_name][task_index]

    def job_tasks(self, job_name: str) -> List[str]:
        return list(self._spec[job_name])

    def task_indices(self, job_name: str) -> List[int]:
        return list(range(len(self._spec[job_name])))

    def as_cluster_def(self) -> Any:
        jobs = [{"name": job, "tasks": dict(enumerate(tasks))} for job, tasks in sorted(self._spec.items())]
        return message_class("ClusterDef")(job=jobs)

    def __bool__(self) -> bool:
        return bool(self._spec)


@export("tf.train.Server", "tf.distribute.Server")
class Server:
    """A server that listens nowhere; `join` returns, so that a parameter server's script ends."""

    def __init__(self, server_or_cluster_def: Any, job_name: Any = None, task_index: Any = None,
                 protocol: Any = None, config: Any = None, start: bool = True) -> None:
        if isinstance(server_or_cluster_def, Message) and "job_name" in type(server_or_cluster_def).fields():
            self.server_def: object = server_or_cluster_def
        else:
            self.server_def = message_class("ServerDef")(
                cluster=ClusterSpec(server_or_cluster_def).as_cluster_def(), job_name=job_name,
                task_index=task_index, protocol=protocol)

    target = property(lambda self: "")

    def start(self) -> None:
        pass

    def join(self) -> None:
        pass

    @staticmethod
    def create_local_server(config: object = None, start: bool = True) -> "Server":
        return Server({"local": ["localhost:0"]})


@export("tf.train.basic_train_loop")
def basic_train_loop(supervisor: Any, train_step_fn: Any, args: Any = None, kwargs: Any = None,
                     master: str = "") -> None:
    with supervisor.managed_session(master) as session:
        while not supervisor.should_stop():
            train_step_fn(session, *(args or ()), **(kwargs or {}))

