"""tf.Graph and what belongs to a graph: collections, default graph.

Source: tensorflow/python/framework/ops.py.
"""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api.registry import export, find, put
from shapeflow.api.unknown_tensor import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, FrozenSet, Iterator, List, Optional

    from shapeflow.tensorflow.python.framework.graph_def import GraphDef


class Graph(_core.Graph):
    """tf.Graph: the C node store with Python's collections and scopes on top."""

    @property
    def collections(self) -> List[Any]:
        return list(self._collections)

    def add_to_collection(self, name: object, value: object) -> None:
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: object) -> None:
        names = (names,) if isinstance(names, (str, bytes)) else set(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: object) -> List[Any]:
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: Optional[str] = None) -> List[Any]:
        items = self._collections.get(name)
        if items is None:
            return _unknown_items(name) if "_sf_imported" in self.__dict__ else []
        if scope is None:
            return list(items)
        import re

        pattern = re.compile(scope)
        return [i for i in items if hasattr(i, "name") and pattern.match(i.name)]

    def get_all_collection_keys(self) -> List[Any]:
        return [k for k in self._collections if isinstance(k, str)]

    def clear_collection(self, name: object) -> None:
        self._check_not_finalized()
        self._collections.pop(name, None)

    def _make_unknown_op(self, name: str) -> None:
        """For the core, which found no op of that name. A graph that was imported, or that an absent package
        may have filled, has names that nobody here knows: they are unknown, not missing."""
        if "_sf_imported" not in self.__dict__ and "_sf_has_more" not in self.__dict__:
            return
        with self.as_default(), self.control_dependencies(None):
            unknown(name=name + "/")

    def _check_not_finalized(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def as_graph_def(self, from_version: object = None, add_shapes: bool = False, **_: object) -> GraphDef:
        from shapeflow.tensorflow.python.framework import graph_def

        made = graph_def.GraphDef()
        made.ParseFromString(_core.graph_def_bytes(self, add_shapes))
        return made

    def _repr_html_(self) -> str:
        from shapeflow.api import notebook_html

        return notebook_html.of_graph(self)

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        yield container_name

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: Dict[str, str]) -> Iterator[None]:
        # Overrides decide how gradients are computed; that there is one is all that matters here, also of an
        # op that has none of its own: {"Round": "Identity"}.
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        with self._sf_with_gradients(frozenset(op_type_map)):
            yield

    @contextlib.contextmanager
    def _sf_with_gradients(self, ops: Optional[FrozenSet[str]]) -> Iterator[None]:
        """The program gives the gradients of these ops itself; None: of all."""
        before: Optional[FrozenSet[str]] = self.__dict__.get("_sf_of_program", frozenset())
        now = None if before is None or ops is None else before | ops
        self._sf_own_gradients(now)
        self.__dict__["_sf_of_program"] = now
        try:
            yield
        finally:
            self._sf_own_gradients(before)
            self.__dict__["_sf_of_program"] = before

    def prevent_feeding(self, tensor: object) -> None:
        self._sf("unfeedable").add(tensor)

    def is_feedable(self, tensor: object) -> bool:
        return tensor not in self._sf("unfeedable")

    def prevent_fetching(self, op: object) -> None:
        self._sf("unfetchable").add(op)

    def is_fetchable(self, tensor_or_op: object) -> bool:
        return getattr(tensor_or_op, "op", tensor_or_op) not in self._sf("unfetchable")

    def switch_to_thread_local(self) -> None:
        pass

    def _sf(self, key: str) -> set[Any]:
        return self.__dict__.setdefault("_sf_" + key, set())

    def _get_control_flow_context(self) -> Any:
        return self.__dict__.get("_sf_flow")

    def _set_control_flow_context(self, context: object) -> None:
        self.__dict__["_sf_flow"] = context

    @property
    def graph_def_versions(self) -> Any:
        return None


class _UnknownItems(list):  # type: ignore[type-arg]
    """A collection that a meta graph may have filled: empty, but every index has an unknown item."""

    def __getitem__(self, index: Any) -> Any:
        from shapeflow.api.unmodelled import Opaque

        return Opaque("collection[%s]" % index) if isinstance(index, int) else list(self)[index]


def _unknown_items(key: object) -> Any:
    known = {v for n, v in vars(GraphKeys).items() if n.isupper() and isinstance(v, str)}
    return [] if key in known else _UnknownItems()


put(Graph, "tf.Graph", v2=True)
put(_core.Tensor, "tf.Tensor", v2=True)
put(_core.Operation, "tf.Operation", v2=True)


def get_default_graph() -> Any:
    return _core.default_graph()


@export("tf.get_default_graph")
def graph_that_is_built() -> Any:
    """What a script asks for: in the body of a tf.function its graph, otherwise the default one."""
    if _core.inside_function() and _core.executing_eagerly():
        graph: Any = find("tensorflow.python.framework.func_graph.graph_of_body", 2)
        return graph()
    return get_default_graph()


@export("tf.reset_default_graph")
def reset_default_graph() -> None:
    _core.reset_default_graph()


@export("tf.add_to_collection")
def add_to_collection(name: object, value: object) -> None:
    get_default_graph().add_to_collection(name, value)


@export("tf.add_to_collections")
def add_to_collections(names: object, value: object) -> None:
    get_default_graph().add_to_collections(names, value)


@export("tf.get_collection")
def get_collection(key: Any, scope: Optional[str] = None) -> List[Any]:
    return get_default_graph().get_collection(key, scope)


@export("tf.get_collection_ref")
def get_collection_ref(key: object) -> List[Any]:
    return get_default_graph().get_collection_ref(key)


@export("tf.GraphKeys")
class GraphKeys:
    """tf.GraphKeys: the standard names of collections."""

    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _VARIABLE_COLLECTIONS = ["variables", "local_variables", "metric_variables", "model_variables",
                             "trainable_variables", "moving_average_variables",
                             "concatenated_variables", "trainable_resource_variables"]


def session_or_default(session: object, what: str) -> Any:
    """`session`, else the default one; TensorFlow's ValueError when there is neither."""
    if session is None:
        session = _core.default_session()
    if session is None:
        raise ValueError("Cannot evaluate tensor using `%s()`: No default session is registered. Use "
                         "`with sess.as_default()` or pass an explicit session to `%s(session=sess)`"
                         % (what, what))
    return session
