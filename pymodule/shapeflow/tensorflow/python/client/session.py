"""tf.Session and tf.InteractiveSession over the core's sessions.

Source: tensorflow/python/client/session.py.
"""
from __future__ import annotations

import threading
from typing import Any, Callable, List, NamedTuple

from shapeflow import _core
from shapeflow.api import use_log
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.graph import get_default_graph


class _DeviceAttributes(NamedTuple):
    """What list_devices says of a device."""

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int


class BaseSession(_core.SessionCore):
    """What Session and InteractiveSession share; `run` is the core's own method."""

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None) -> None:
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, _core.Graph):
            raise TypeError("graph must be a tf.Graph, but got %s" % type(graph))
        if target is not None and not isinstance(target, (str, bytes)):
            raise TypeError("target must be a string, but got %s" % type(target))
        if config is not None and not hasattr(config, "gpu_options"):
            raise TypeError("config must be a tf.ConfigProto, but got %s" % type(config))
        super().__init__(graph)
        use_log.watch(self)
        self._graph = graph
        self._target = target or ""
        self._config = config
        self.place(config is not None and config.allow_soft_placement is True)
        self._contexts: List[Any] = []
        if config is not None and config.log_device_placement is True:
            self.run = self._run_and_log  # type: ignore[method-assign]

    def _run_and_log(self, *args: object, **kwargs: object) -> Any:
        """Prints where nodes are as TensorFlow's placer does when it has placed the graph (anew): sources
        after all others. Nothing where no machine is said."""
        before = len(self.placement() or ())
        try:
            return _core.SessionCore.run(self, *args, **kwargs)
        finally:
            devices = self.placement() or {}
            if len(devices) != before:
                nodes = [self._graph.get_operation_by_name(name) for name in devices]
                for op in sorted(nodes, key=lambda op: not op.inputs and len(op.outputs) == 1):
                    print(f"{op.name}: ({op.type}): {devices[op.name]}")

    graph_def = property(lambda self: self._graph.as_graph_def())
    sess_str = property(lambda self: self._target.encode())

    def partial_run_setup(self, fetches: object, feeds: object = None) -> Any:
        return {}

    def partial_run(self, handle: Any, fetches: object, feed_dict: Any = None) -> Any:
        # What earlier parts were fed stays fed; the handle remembers it.
        handle.update(feed_dict or {})
        return self.run(fetches, handle)

    def make_callable(self, fetches: object, feed_list: object = None,
                      accept_options: bool = False) -> Callable[..., Any]:
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")

        def call(*args: Any, **kwargs: Any) -> Any:
            return self.run(fetches, dict(zip(feed_list or (), args)))

        return call

    def list_devices(self) -> List[Any]:
        return [_DeviceAttributes("/job:localhost/replica:0/task:0/device:CPU:0", "CPU", 268435456, 0)]

    def reset(self, *args: Any, **kwargs: Any) -> None:
        pass

    def as_default(self) -> _DefaultSession:
        return _DefaultSession(self)


class _DefaultSession:
    """Context manager: the default session of this thread (its graph stays as it is)."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.enforce_nesting = True

    def __enter__(self) -> Any:
        _core.push_session(self.session)
        return self.session

    def __exit__(self, *exc: object) -> None:
        _core.pop_session(self.session)


class Session(BaseSession):
    """tf.Session: `with tf.Session() as sess:` makes session and graph the defaults."""

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None) -> None:
        if _core.executing_eagerly() and graph is None and not isinstance(
                get_default_graph(), _core.Graph):
            raise RuntimeError("The Session graph is empty. Add operations to the graph before "
                               "calling run().")
        super().__init__(target, graph, config)

    def __enter__(self) -> "Session":
        graph = self._graph.as_default()
        graph.__enter__()
        _core.push_session(self)
        self._contexts.append(graph)
        return self

    def __exit__(self, exc_type: Any, exc: Any, tb: Any) -> None:
        _core.pop_session(self)
        self._contexts.pop().__exit__(exc_type, exc, tb)
        self.close()

    @staticmethod
    def reset(target: Any, containers: Any = None, config: Any = None) -> None:
        """Clears resource containers of a target; there are none here."""


put(Session, "tf.Session")


@export("tf.InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that makes itself the default when it is made."""

    _count_lock = threading.Lock()

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._graph_context = None
        if graph is not None:
            self._graph_context = self._graph.as_default()
            self._graph_context.__enter__()
        _core.push_session(self)
        self._pushed = True

    def close(self) -> None:
        super().close()
        if self._pushed:
            self._pushed = False
            _core.pop_session(self)
            if self._graph_context is not None:
                self._graph_context.__exit__(None, None, None)

    def __enter__(self) -> "InteractiveSession":
        # Not a context manager in TensorFlow 1 either; later versions tolerate it.
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


@export("tf.get_default_session")
def get_default_session() -> Any:
    return _core.default_session()


@export("tensorflow.python.client.device_lib.list_local_devices")
def list_local_devices(session_config: object = None) -> List[Any]:
    from shapeflow.tensorflow.python.framework.message import message_class

    return [message_class("DeviceAttributes")(name="/device:CPU:0", device_type="CPU",
                                              memory_limit=268435456)]


