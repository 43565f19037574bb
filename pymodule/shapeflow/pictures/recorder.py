"""What is noted during a run for its picture, beyond what every check notes: the shapes of runs, functions
that are traced, and which layer, scope and tf.function an eager call was made in.

Nothing of it exists in a run of `check`: `begin` puts its own pieces into the package, in the run's process.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.tensorflow.keras import base_layer, training
from shapeflow.tensorflow.python.data import traced_function
from shapeflow.tensorflow.python.eager import def_function
from shapeflow.tensorflow.python.framework import (
    error_report,
    framework_lib,
    graph,
    object_log,
    op_builders,
)
from shapeflow.tensorflow.python.ops import variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Type

RUNS = 32  # of different shapes
FUNCTIONS = 256  # traced graphs that are kept
GRAPHS = 64


class Notes:
    """What was noted. `functions`: (label, graph) in the order in which they were traced; without a label
        those that the package itself made for a look at something."""

    def __init__(self) -> None:
        self.functions: List[Tuple[str, Any]] = []
        self.function_scopes: Set[str] = set()
        self.graphs: List[Any] = []  # of the program; a function's would go with it
        self.label = ""
        self.variables: List[object_log.Known] = []  # eager ones
        self.values: Dict[Tuple[int, int], int] = {}  # the node of each value that one had: its number
        self._names: List[str] = []  # of variables
        self._numbers: Dict[int, int] = {}  # of those that are there, by id
        self._used: Dict[str, int] = {}
        self._scopes: List[str] = [""]
        self._layers: List[str] = []  # of Keras, that are being called
        self._failed: Dict[int, Tuple[Any, str]] = {}  # by id; the finding itself keeps the id taken

    def enter(self, name: str, kind: str = "scope") -> None:
        """`name` is one or more scopes below the current one; with a final slash from the root."""
        here = self._scopes[-1]
        if name.endswith("/"):
            scope = name.rstrip("/")
        else:
            scope = f"{here}/{name}" if here and name else name or here
        if kind == "function":
            self.function_scopes.add(scope)
        self._scopes.append(scope)
        _core.trace_scope(scope)

    def leave(self) -> None:
        if len(self._scopes) > 1:
            self._scopes.pop()
        _core.trace_scope(self._scopes[-1])

    def add_variable(self, variable: Any, value: object) -> object:
        """Gives a new variable its number; its value as one of its own."""
        name = str(variable.name).split(":")[0]
        here = self._scopes[-1]
        if here and not name.startswith(here + "/"):
            name = f"{here}/{name}"
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        name = f"{name}_{count}" if count else name
        at = id(variable)
        self._numbers[at] = len(self.variables)
        self._names.append(name)
        self.variables.append(object_log.Known(variable, lambda ref: self._numbers.pop(at, None)))
        return self.value_of(variable, value)

    def value_of(self, variable: object, value: object) -> object:
        """A value that a variable takes, as a call of its own: the same tensor may be of many."""
        number = self.number_of(variable)
        if number is None or not isinstance(value, _core.Tensor) or _core.node_key(value) is None:
            return value
        _core.trace_scope(self._names[number])
        try:
            value = op_builders.op("Identity", [value], None, None)
        finally:
            _core.trace_scope(self._scopes[-1])
        key = _core.node_key(value)
        if key is not None:
            self.values[key] = number
        return value

    def name_of(self, number: int) -> str:
        """`net/dense/kernel`"""
        return self._names[number]

    def number_of(self, variable: object) -> Optional[int]:
        return self._numbers.get(id(variable))

    def call_layer(self, name: str, call: Callable[[], object]) -> object:
        self._layers.append(name)
        try:
            return call()
        finally:
            self._layers.pop()

    def fail_here(self, finding: object) -> None:
        """Which layer or scope a finding was made in that is of no node."""
        scope = "/".join(self._layers)
        if not scope:
            scope = self._scopes[-1] if _core.executing_eagerly() else \
                graph.get_default_graph().get_name_scope()
        self._failed[id(finding)] = finding, scope.rstrip("/")

    def fail_in(self, finding: object, layer: str) -> None:
        """The same of a layer of the installed Keras."""
        self._failed[id(finding)] = finding, layer

    def scope_of_failed(self, finding: object) -> Optional[str]:
        known = self._failed.get(id(finding))
        return None if known is None else known[1]

    def last_scope(self) -> str:
        return self._scopes[-1].rpartition("/")[2]

    def keep(self, graph: object) -> None:
        label, self.label = self.label, ""
        if len(self.functions) < FUNCTIONS:
            self.functions.append((label, graph))


class _Scope:
    """While entered, eager calls are of this scope."""

    def __init__(self, notes: Notes, name: str, kind: str = "scope") -> None:
        self._notes, self._name, self._kind = notes, name, kind

    def __enter__(self) -> None:
        self._notes.enter(self._name, self._kind)

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._notes.leave()


def begin() -> Notes:
    """Notes from here on, to the end of this process."""
    notes = Notes()
    object_log.is_pictured = True
    _core.record_runs(RUNS)
    _watch_name_scopes(notes)
    _watch_layers(notes)
    _watch_failures(notes)
    _watch_variables(notes)
    _watch_functions(notes)
    _watch_traces(notes)
    return notes


def begin_scopes() -> None:
    """From here on the names of eager calls begin with their name scope, that is, with their layer."""
    _watch_name_scopes(Notes())


def _watch_name_scopes(notes: Notes) -> None:
    enter, leave = framework_lib.name_scope.__enter__, framework_lib.name_scope.__exit__

    def __enter__(self: Any) -> object:
        made = enter(self)
        noted = bool(_core.executing_eagerly() and self._name)
        if noted:
            notes.enter(self._name)
        self.__dict__.setdefault("_sf_noted", []).append(noted)  # one object may be entered within itself
        return made

    def __exit__(self: Any, *exc: Any) -> object:
        noted = self.__dict__.get("_sf_noted")
        if noted and noted.pop():
            notes.leave()
        return leave(self, *exc)

    framework_lib.name_scope.__enter__ = __enter__  # type: ignore[method-assign]
    framework_lib.name_scope.__exit__ = __exit__  # type: ignore[method-assign]


def _watch_layers(notes: Notes) -> None:
    named: Callable[[Any], Any] = base_layer._named

    def _named(layer: Any) -> Any:
        return _Scope(notes, str(layer._name)) if _core.executing_eagerly() else named(layer)

    base_layer._named = _named
    make_weight = base_layer.KerasLayer._make_weight

    def _make_weight(self: Any, *args: Any, **kwargs: Any) -> variables.Variable:
        own = str(self._name)
        with _Scope(notes, "" if notes.last_scope() == own else own):
            return make_weight(self, *args, **kwargs)

    base_layer.KerasLayer._make_weight = _make_weight  # type: ignore[method-assign]
    call_here = base_layer.KerasLayer._call_here

    def _call_here(self: Any, *args: Any) -> object:
        return notes.call_layer(str(self._name), lambda: call_here(self, *args))

    base_layer.KerasLayer._call_here = _call_here  # type: ignore


def _watch_failures(notes: Notes) -> None:
    object_log.failed = notes.fail_in
    report = error_report._report

    def _report(*args: Any) -> Exception:
        error = report(*args)
        found = _core.findings()
        if found:
            notes.fail_here(found[-1])
        return error

    error_report._report = _report  # type: ignore[assignment]


def _watch_variables(notes: Notes) -> None:
    """Each value that an eager variable takes is noted as its."""
    plain: Any = _core.VariableBase.__dict__["_tensor"]
    start = variables.Variable._init_eager

    def _init_eager(self: Any, *args: Any) -> None:
        start(self, *args)
        plain.__set__(self, notes.add_variable(self, plain.__get__(self)))

    def set_value(self: object, value: object) -> None:
        plain.__set__(self, notes.value_of(self, value))

    variables.Variable._init_eager = _init_eager  # type: ignore
    variables.Variable._tensor = property(plain.__get__, set_value)


def _name_of(function: object) -> str:
    """A callable object's name may be anything."""
    try:
        name = getattr(function, "__name__", "function")
    except Exception:
        return "function"
    return name if isinstance(name, str) else "function"


def _watch_functions(notes: Notes) -> None:
    def_function.run_functions_eagerly(True)  # a picture has the ops of each call
    call = def_function.Function.__call__

    def __call__(self: Any, *args: Any, **kwargs: Any) -> object:
        if not _core.executing_eagerly():
            return call(self, *args, **kwargs)
        function = self._python_function
        with _Scope(notes, _name_of(getattr(function, "func", function)), "function"):
            return call(self, *args, **kwargs)

    def_function.Function.__call__ = __call__  # type: ignore[method-assign]


def _watch_traces(notes: Notes) -> None:
    """Graphs of functions: of datasets by the function's name, of fit, evaluate and predict by theirs."""
    def init_plain(self: object) -> None:
        if len(notes.graphs) < GRAPHS and not isinstance(self, traced_function.FunctionGraph):
            notes.graphs.append(self)

    make, trace, before = (traced_function.FunctionGraph.__init__, traced_function.Function.__init__,
                           training._stage_graph)

    def init_graph(self: Any) -> None:
        make(self)
        notes.keep(self)

    def init_function(self: Any, function: Callable[..., object], *args: Any) -> None:
        outer, notes.label = notes.label, _name_of(function)
        try:
            trace(self, function, *args)
        finally:
            notes.label = outer

    def stage_graph(model: object, stage: str) -> object:
        notes.label = f"{getattr(model, '_name', 'model')}.{stage}"
        return before(model, stage)

    graph.Graph.__init__ = init_plain  # type: ignore[method-assign]
    traced_function.FunctionGraph.__init__ = init_graph  # type: ignore[method-assign]
    traced_function.Function.__init__ = init_function  # type: ignore
    training._stage_graph = stage_graph
