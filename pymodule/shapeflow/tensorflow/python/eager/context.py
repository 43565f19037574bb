"""tensorflow.python.eager.context: whether ops run at once, and what packages above TensorFlow ask of it.

Source: tensorflow/python/eager/context.py, tensorflow/python/tf2.py, distribute/merge_call_interim.py.
"""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.eager import function_body
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.graph import Graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

_CONTEXT = "tensorflow.python.eager.context."
_SMALL = 128  # elements of a captured constant that stays one, as in TensorFlow


@contextlib.contextmanager
def _mode(eager: bool) -> Iterator[None]:
    # Out of the graphs that are being built; what is left is the mode of the program.
    with _core.init_scope() if eager else contextlib.nullcontext():
        before = _core.executing_eagerly()
        _core.set_eager(eager)
        try:
            yield
        finally:
            _core.set_eager(before)


@export(_CONTEXT + "eager_mode", v2=True)
def eager_mode() -> Any:
    """Within, ops run at once."""
    return _mode(True)


@export(_CONTEXT + "graph_mode", v2=True)
def graph_mode() -> Any:
    """Within, ops are added to the default graph."""
    return _mode(False)


@export(_CONTEXT + "Context", v2=True)
class Context:
    """The one context of the process."""

    def __init__(self, config: Any = None, device_policy: Any = None, execution_mode: Any = None,
                 server_def: Any = None) -> None:
        self.config = config
        self.device_policy = device_policy
        self.execution_mode = execution_mode or 0
        self.device_name = ""
        self.scope_name = ""
        self.summary_writer: object = None

    def executing_eagerly(self) -> bool:
        """Do ops run at once?"""
        return framework_lib.executing_eagerly()

    in_eager_mode = executing_eagerly

    def ensure_initialized(self) -> None:
        """Nothing has to be."""

    def clear_kernel_cache(self) -> None:
        """There is none."""

    def num_gpus(self) -> int:
        """0: nothing is computed."""
        return 0

    def is_async(self) -> bool:
        """Never: nothing is computed."""
        return False

    def eager_mode(self) -> Any:
        """As the function."""
        return eager_mode()

    def devices(self) -> List[str]:
        """The names of the devices."""
        return ["/job:localhost/replica:0/task:0/device:CPU:0"]

    def list_logical_devices(self, device_type: object = None) -> Any:
        """tf.config.list_logical_devices."""
        from shapeflow.api import namespace

        return namespace.namespace("tf", 2).config.list_logical_devices(device_type)

    def list_physical_devices(self, device_type: object = None) -> Any:
        """tf.config.list_physical_devices."""
        from shapeflow.api import namespace

        return namespace.namespace("tf", 2).config.list_physical_devices(device_type)


_the_context = Context()


@export(_CONTEXT + "context", _CONTEXT + "context_safe", v2=True)
def context() -> Context:
    """The context of the process."""
    return _the_context


put(lambda: _core.executing_eagerly(), _CONTEXT + "in_eager_mode", v2=True)
put(lambda: not _core.executing_eagerly(), _CONTEXT + "in_graph_mode",
    "tensorflow.python.eager.is_in_graph_mode.IS_IN_GRAPH_MODE", v2=True)
put(_the_context.ensure_initialized, _CONTEXT + "ensure_initialized", v2=True)
put(_the_context.num_gpus, _CONTEXT + "num_gpus", v2=True)
put(_the_context.is_async, _CONTEXT + "is_async", v2=True)
put(lambda: False, _CONTEXT + "xla_sharding_for_resource_variables_enabled", v2=True)


@export(_CONTEXT + "async_wait", _CONTEXT + "async_clear_error", v2=True)
def async_wait() -> None:
    """Nothing is computed, so nothing is under way."""


@export("tensorflow.python.tf2.enabled", v2=True)
def tf2_enabled() -> bool:
    """Is the behaviour that of TensorFlow 2?"""
    return names.emulated() >= (2, 0) and framework_lib.control_flow_v2_enabled()


@export("tensorflow.python.distribute.merge_call_interim.strategy_supports_no_merge_call", v2=True)
def strategy_supports_no_merge_call() -> bool:
    """Can one replica do what all would agree on? Where there is one."""
    from shapeflow.tensorflow.python.distribute import distribute_lib

    return not distribute_lib.get_strategy().extended._use_merge_call()


@export("tensorflow.python.distribute.merge_call_interim.maybe_merge_call", v2=True)
def maybe_merge_call(fn: Callable[..., object], strategy: object, *args: object, **kwargs: object) -> Any:
    """Calls `fn` for all replicas at once."""
    from shapeflow.tensorflow.python.distribute import distribute_lib

    replica = distribute_lib.get_replica_context()
    if replica is not None and distribute_lib.get_strategy().extended._use_merge_call():
        return replica.merge_call(fn, args=args, kwargs=kwargs)
    return fn(strategy, *args, **kwargs)


@export("tensorflow.python.framework.func_graph.FuncGraph", v2=True)
class FuncGraph(Graph):
    """The graph of a function that is traced."""

    def __init__(self, name: str, collections: Any = None, capture_by_value: Any = None,
                 structured_input_signature: Any = None, structured_outputs: Any = None) -> None:
        super().__init__()
        self.name = name
        self.inputs: List[Any] = []
        self.outputs: List[Any] = []
        self.structured_input_signature = structured_input_signature
        self.structured_outputs = structured_outputs
        self.building_function = True
        self.outer_graph = _core.default_graph()
        self._captured: Dict[int, Tuple[object, object]] = {}  # id: (outside, inside)
        # The same of variables, with that variable: what is outside and inside are handles.
        self._handles: Dict[int, Tuple[object, object, object]] = {}

    @property
    def captures(self) -> List[Tuple[object, object]]:
        """(outside, inside) of all that is not an argument."""
        return [self._handles[key][1:] if key in self._handles else pair
                for key, pair in self._captured.items()]

    @property
    def variables(self) -> Tuple[object, ...]:
        """Those that it reads."""
        return tuple(variable for variable, _, _ in self._handles.values())

    trainable_variables = property(lambda self: tuple(
        variable for variable in self.variables if getattr(variable, "trainable", True)))

    def __repr__(self) -> str:
        return "FuncGraph(name=%s, id=%d)" % (self.name, id(self))

    def capture(self, tensor: Any, name: Optional[str] = None, shape: object = None) -> Any:
        """What a tensor from elsewhere is in this graph."""
        found = self._captured.get(id(tensor))
        if found is not None:
            return found[1]
        value = _core.constant_value(tensor)
        with self.as_default(), self.control_dependencies(None):
            if value is not None and value.size <= _SMALL:
                inside = framework_lib.convert_to_tensor(value, tensor.dtype)
            elif _core.is_unmodelled(tensor):  # nothing may be reported of what nobody knows
                inside = op_builders.unknown(None, tensor.get_shape())
            else:
                attrs = {"dtype": tensor.dtype.base_dtype, "shape": tensor.get_shape()}
                inside = op_builders.op("Placeholder", [], attrs, name or "Placeholder")
                _core.locate_as(inside.op, tensor)
        self._captured[id(tensor)] = tensor, inside
        return inside


class _FunctionGraph(FuncGraph):
    """The graph that is made of a tf.function when it is asked for; of variables it has handles."""

    reads: Dict[int, _core.VariableBase] = {}  # variables that were read

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._sf_branch = _undecided

    def capture(self, tensor: _core.Tensor, name: Optional[str] = None, shape: object = None) -> object:
        """A variable's content is read in the graph."""
        variable = None if id(tensor) in self._captured else next(
            (one for one in self.reads.values() if one._tensor is tensor), None)
        if variable is None:
            return super().capture(tensor, name, shape)
        with self.as_default(), self.control_dependencies(None):
            handle = op_builders.op("Placeholder", [], {"dtype": "resource", "shape": []},
                                    "ReadVariableOp/resource")
            inside = op_builders.op("ReadVariableOp", [handle], {"dtype": tensor.dtype.base_dtype},
                                    "ReadVariableOp")
            inside.set_shape(tensor.get_shape())
        self._captured[id(tensor)] = tensor, inside
        with _core.init_scope():  # not the handle itself: who has that may write to the variable
            outside = op_builders.unknown("resource", [], trusted=True)
        self._handles[id(tensor)] = variable, outside, handle
        return inside


_FunctionGraph.__name__ = _FunctionGraph.__qualname__ = "FuncGraph"


def _undecided(tensor: object) -> bool:
    from shapeflow.tensorflow.python.data.traced_function import Undecided

    raise Undecided  # AutoGraph converts it


def graph_of_function(name: str) -> _FunctionGraph:
    """A FuncGraph to trace a function in."""
    return _FunctionGraph(name)


class _BodyGraph(FuncGraph):
    """The graph of the body that runs. Its operations run at once and are no nodes: there is at least one, of
    which nothing is known."""

    @contextlib.contextmanager
    def as_default(self) -> Iterator["_BodyGraph"]:
        yield self

    def get_operations(self) -> List[Any]:
        return [*super().get_operations(), Opaque("tf.Operation")]


_BodyGraph.__name__ = _BodyGraph.__qualname__ = "FuncGraph"


@export("tensorflow.python.framework.func_graph.graph_of_body", v2=True)
def graph_of_body() -> Any:
    """The graph of the outermost function whose body runs in this thread."""
    body = function_body.outermost()
    if body is None:
        return _core.default_graph()
    if body.graph is None:
        body.graph = _BodyGraph(body.name)
    return body.graph


# --- what Keras 2 asks for -------------------------------------------------------------------------
@export("tf.__internal__.execute_fn_for_device", v2=True)
def execute_fn_for_device(device_branch_fns: object, default_fn: Callable[[], object],
                          name: str = "execute_fn") -> Any:
    """The branches give the same shapes on each device: that of none is taken."""
    return default_fn()


@export("tf.__internal__.ops.is_resource_variable", v2=True)
def is_resource_variable(var: object) -> bool:
    return isinstance(var, _core.VariableBase)


@export("tf.__internal__.train.is_mixed_precision_graph_rewrite_enabled", v2=True)
def is_mixed_precision_graph_rewrite_enabled() -> bool:
    """Never: no graph is rewritten."""
    return False


@export("tf.__internal__.train.set_using_mixed_precision_policy", v2=True)
def set_using_mixed_precision_policy(is_using: bool) -> None:
    """It would forbid a rewrite of graphs, which nobody does here."""


@export("tf.__internal__.eager_context.get_device_name", v2=True)
def get_device_name() -> str:
    """None was chosen."""
    return ""
