"""Functions of datasets: traced once over placeholders, then run for each kind of element.

A traced function is a graph whose placeholders are sources (pymodule/ext/source.c): a run of it
takes the current element. Tensors of the graph around it are captured, and evaluated when an
iterator starts. Source: tensorflow/python/data/ops/dataset_ops.py (StructuredFunctionWrapper).
"""
from __future__ import annotations

import linecache

from shapeflow import _core
from shapeflow.tensorflow.python.data.element_runs import bounds_of, component, joined
from shapeflow.tensorflow.python.data.structure import Leaf, NestedLeaf, Structure
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.graph import Graph
from shapeflow.tensorflow.python.framework.op_builders import op, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

_CONSTANTS = 128  # elements of captured values that become constants, as in TensorFlow


class Env:
    """Where the tensors that a dataset was made of get their values: a session and its feeds."""

    def __init__(self, session: Any = None, feed_dict: Any = None) -> None:
        self.session, self.feed_dict = session, feed_dict

    def get(self, tensor: Any) -> Any:
        """What is known of a tensor, as an eager tensor."""
        if isinstance(tensor, _core.VariableBase):
            tensor = framework_lib.convert_to_tensor(tensor)
        if not isinstance(tensor, _core.Tensor):
            return framework_lib.convert_to_tensor(tensor)
        graph = getattr(tensor, "graph", None) if not hasattr(tensor, "numpy") else None
        if graph is None:
            return tensor
        return self.evaluate(graph, tensor)

    def evaluate(self, graph: Any, tensor: Any) -> Any:
        if self.session is not None and self.session.graph is graph:
            return self.session.evaluate([tensor], self.feed_dict)[0]
        value = _core.constant_value(tensor)
        return component(tensor.dtype.base_dtype, tensor.get_shape(), value)

    def value(self, given: Any) -> Any:
        """The content of an argument: a Python value, or an array, or None when it is unknown."""
        if given is None or isinstance(given, (int, float, str, bytes, bool)):
            return given
        return _core.constant_value(self.get(given))

    def integer(self, given: object) -> Optional[int]:
        value = self.value(given)
        return None if value is None else int(value)


class Undecided(BaseException):
    """A traced function branches on a tensor: AutoGraph would convert it."""


# Versions whose datasets do not convert `if tensor:`.
_BEFORE_AUTOGRAPH = [["0", str(n)] for n in range(13)] + [["1", str(n)] for n in range(13)]


def _branch(tensor: object) -> bool:
    value = _core.constant_value(tensor)
    if value is None and _core.get_version()[0] == "2":
        raise Undecided
    # Version 1 cannot run the function by itself: one branch stands for both.
    return True if value is None else bool(value)


# What Python says where a function of its own is given a tensor of a graph, and that function: AutoGraph
# converts it.
_REFUSED = (("cannot be interpreted as an integer", "range("), ("len is not well defined", "len("),
            ("float() argument must be", "float("), ("int() argument must be", "int("))


def _is_converted(error: TypeError) -> bool:
    """Would AutoGraph have made an operation of the call that raised it?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or _core.get_version()[0] != "2":
        return False
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
    return any(said in str(error) and call in line for said, call in _REFUSED)


class FunctionGraph(Graph):
    """The graph of a traced function: what comes from elsewhere becomes a placeholder."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = None if _core.executing_eagerly() else _core.default_graph()
        self.captured: Dict[int, Tuple[Any, Any, Any]] = {}  # id: (outside, inside, its Input)
        self._sf_is_body = True
        self.building_function = self.outer is None  # `==` compares elements, as in tf.function
        self.is_traced = True  # False: it runs eagerly, element by element
        self.facts: Dict[str, Any] = {}  # name of a placeholder: what all that it stood for lay between
        if _core.get_version().split(".")[:2] not in _BEFORE_AUTOGRAPH:
            self._sf_branch = _branch

    def capture(self, tensor: Any, name: Optional[str] = None) -> Any:
        found = self.captured.get(id(tensor))
        if found is not None:
            return found[1]
        value = _core.constant_value(tensor)
        with self.as_default(), self.control_dependencies(None):
            if hasattr(tensor, "numpy") and value is not None and value.size <= _CONSTANTS:
                inside, source = framework_lib.convert_to_tensor(value, tensor.dtype), None
            elif _core.is_unmodelled(tensor):  # nothing may be reported of what nobody knows
                dtype = None if _core.is_unmodelled(tensor, True) else tensor.dtype.base_dtype
                inside, source = unknown(dtype, tensor.get_shape()), None
            else:
                source = Input()
                inside = placeholder(tensor.dtype.base_dtype, tensor.get_shape(), "Placeholder",
                                     source)
                _core.locate_as(inside.op, tensor)
        self.captured[id(tensor)] = tensor, inside, source
        return inside


class Input:
    """The source of one placeholder."""

    now: Any = None

    def __call__(self, session: object, feed_dict: object) -> Any:
        return self.now

    def undo(self, session: object) -> None:
        pass


def placeholder(dtype: object, shape: object, name: str, source: Input) -> Any:
    made = op("Placeholder", [], {"dtype": dtype, "shape": shape}, name)
    _core.set_source(made.op, source)
    return made


class Part:
    """Stands in a traced function for a dataset that is an element (see `window`)."""

    def __init__(self, leaf: NestedLeaf) -> None:
        self.leaf = leaf
        self.now: Any = None


class Function:
    """A user's function over elements of `structure`."""

    def __init__(self, function: Callable[..., Any], structure: Structure) -> None:
        self.function = function
        self.inputs: List[Any] = []  # an Input, Part or None for each leaf
        self.places: Dict[int, Any] = {}  # what stands for a leaf in the graph
        self.graph = FunctionGraph()
        # A generator of a dataset may be traced where no graph is the default yet.
        self.input_structure = structure
        self.session: Any = None
        self.eager = False
        self._intervals: Dict[object, Dict[object, object]] = {}  # by what the placeholders stand for
        with self.graph.as_default():
            arguments = [self._argument(leaf, i) for i, leaf in enumerate(structure.leaves)]
            try:
                self.result = self._call(arguments)
                return
            except Undecided:
                pass
            except TypeError as error:
                if not _is_converted(error):
                    raise
            self.eager = True
            self.graph.is_traced = False
        with _core.init_scope():
            self.result = self._call([leaf.unknown() for leaf in structure.leaves])

    def _call(self, items: Sequence[object]) -> Any:
        arguments = self.input_structure.pack(items)
        several = isinstance(arguments, tuple) and not hasattr(arguments, "_fields")
        result = self.function(*arguments) if several else self.function(arguments)
        if isinstance(result, list):
            result = tuple(result) if any(isinstance(
                r, (_core.Tensor, framework_lib.SparseTensor, tuple, dict, list)) for r in result) \
                else result
        return result

    def _argument(self, leaf: Leaf, number: int) -> Any:
        if isinstance(leaf, NestedLeaf):
            part = Part(leaf)
            self.inputs.append(part)
            return leaf.dataset_of(part)
        source = Input()
        self.inputs.append(source)
        made = leaf.argument("arg%d" % number, source, placeholder)
        self.places[number] = made
        return made

    def structure(self, what: str) -> Structure:
        """Converts the result to tensors; gives its structure."""
        with _core.init_scope() if self.eager else self.graph.as_default():
            found = Structure.of(self.result, "Unsupported return value from function passed to %s: %%s."
                                 % what)
        self.outputs = found.tensors
        self.output_leaves = found.leaves
        return found

    # --- at run time
    def bind(self, env: Env) -> List[Any]:
        """What its captured tensors are for one iterator: give it to `run`."""
        return [env.get(outside) for outside, _, source in self.graph.captured.values()
                if source is not None]

    def enter(self, element: Any, bound: List[Any]) -> None:
        sources = [s for _, _, s in self.graph.captured.values() if s is not None]
        for source, value in zip(sources, bound):
            source.now = (value,)
        for source, value in zip(self.inputs, element):
            source.now = value if isinstance(source, Part) else (value,)

    def known(self, tensors: List[Any]) -> List[Any]:
        if self.session is None:
            self.session = _core.SessionCore(self.graph)
        distinct = list({id(t): t for t in tensors}.values())
        known = dict(zip((id(t) for t in distinct), self.session.evaluate(distinct, None)))
        return [known[id(t)] for t in tensors]

    def run(self, element: Any, bound: List[Any]) -> Tuple[Any, ...]:
        """The result for one element, one component a leaf."""
        if self.eager:
            with _core.init_scope():
                return tuple(Structure.of(self._call(list(element))).tensors)
        self.enter(element, bound)
        tensors = [t for t in self.outputs if isinstance(t, _core.Tensor)]
        found = self.known(tensors) if tensors else []
        if _core.notes_numbers():
            found = self._bounded(tensors, found, element, bound)
        known = map(_as_said, tensors, found)
        return tuple(next(known) if isinstance(t, _core.Tensor) else leaf.unknown()
                     for t, leaf in zip(self.outputs, self.output_leaves))

    def _bounded(self, tensors: List[Any], known: List[Any], element: Any, bound: List[Any]) -> List[Any]:
        """What the function gave, with the bounds that follow from those of what it was given."""
        inside = [self.places[i] for i, source in enumerate(self.inputs) if isinstance(source, Input)]
        given = [value for value, source in zip(element, self.inputs) if isinstance(source, Input)]
        inside += [place for _, place, source in self.graph.captured.values() if source is not None]
        facts = []
        for place, value in zip(inside, [*given, *bound]):
            bounds = bounds_of([value])
            if isinstance(place, _core.Tensor):
                name = place.op.name
                self.graph.facts[name] = _joined(self.graph.facts.get(name, bounds), bounds)
                facts += [] if bounds is None else [(name, 0, *bounds)]
        key = tuple(facts)
        if key not in self._intervals:
            rows = _core.intervals(self.graph, facts)
            self._intervals[key] = {row[:2]: row[2:] for row in rows}
        return [self._with(k, self._intervals[key].get((t.op.name, t.value_index)))
                for t, k in zip(tensors, known)]

    @staticmethod
    def _with(tensor: Any, bounds: Any) -> Any:
        if bounds is None or bounds[0] > bounds[1] or not hasattr(tensor, "numpy") or \
                _core.constant_value(tensor) is not None:
            return tensor
        return component(tensor.dtype, tensor.shape, bounds=joined([bounds]))


def _as_said(traced: _core.Tensor, value: _core.Tensor) -> _core.Tensor:
    """The value of a traced tensor, with what the function says of its shape: set_shape on an argument has no
    node that would say it when it runs."""
    shape = value.shape
    if shape.is_fully_defined() or traced.shape.rank is None or not shape.is_compatible_with(traced.shape):
        return value
    said = shape.merge_with(traced.shape)
    if shape.rank is not None and said.as_list() == shape.as_list():
        return value
    return component(value.dtype, said, bounds=bounds_of([value]))


def _joined(a: object, b: object) -> Any:
    return None if a is None or b is None else joined([a, b])


class FunctionEnv(Env):
    """Inside a traced function, for one element: what a dataset that it returned is made of."""

    def __init__(self, function: Function, element: Any, bound: List[Any], outer: Env) -> None:
        super().__init__()
        self.function, self.element, self.bound, self.outer = function, element, bound, outer

    def evaluate(self, graph: Any, tensor: Any) -> Any:
        if graph is not self.function.graph:
            return self.outer.evaluate(graph, tensor)
        self.function.enter(self.element, self.bound)
        return self.function.known([tensor])[0]

    def part(self, part: Part) -> Any:
        for mine, value in zip(self.function.inputs, self.element):
            if mine is part:
                return value
        return self.outer.part(part)  # type: ignore[attr-defined]
