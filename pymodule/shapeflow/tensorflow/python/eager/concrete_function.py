"""tf.types.experimental.ConcreteFunction: a tf.function for one signature.

A call runs the body, as every call of a tf.function; what a program asks of the graph (its operations, the
names of inputs and outputs, what was captured) is told by a graph that is made when it is asked for.
Source: tensorflow/python/eager/polymorphic_function/concrete_function.py.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import types
import weakref

from shapeflow import _core
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.eager import function_body, function_trace
from shapeflow.tensorflow.python.eager.python_effects import FirstRun, as_then, names_of
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.errors import InvalidArgumentError
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec, TypeSpec
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow.tensorflow.python.eager.context import FuncGraph
    from shapeflow.tensorflow.python.eager.def_function import Function
    from shapeflow.tensorflow.python.eager.function_signature import FunctionType, Named

# By their names.
_named: weakref.WeakValueDictionary[str, ConcreteFunction] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def named_function(name: object) -> Optional[ConcreteFunction]:
    """The concrete function of that name, as attrs give it; or None."""
    name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
    return _named.get(name) if isinstance(name, str) else None


def _spec_of(given: object) -> object:
    """A tensor, or an array, given as an example stands for its kind."""
    if isinstance(given, _core.VariableBase) or not hasattr(type(given), "__array__"):
        return given
    tensor = framework_lib.convert_to_tensor(given)
    return TensorSpec(tensor.shape, tensor.dtype.base_dtype)


class ConcreteFunction:
    """A function for one signature, which was traced when it was made."""

    def __init__(self, function: Function, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        from shapeflow.tensorflow.python.eager import function_signature

        self._function = function
        if function.input_signature is not None:
            args, kwargs = tuple(function.input_signature), {}
        args, kwargs = nest.map_structure(_spec_of, (tuple(args), dict(kwargs)))
        self._parameters = function_signature.parameters(function._python_function, args, kwargs)
        self.structured_input_signature = (
            (args, kwargs) if self._parameters is None else function_signature.named_specs(self._parameters)
        )
        self._made: Optional[Tuple[Sequence[object], object]] = None
        self._graph_made: object = None
        self._named = names_of(function)
        self._first: Optional[FirstRun] = None
        self._name = "__inference_%s_%d" % (getattr(function, "__name__", "function"), next(_numbers))
        _named[self._name] = self

    name = property(lambda self: self._name.encode())

    def as_traced(self) -> as_then:
        """TensorFlow traced it when it was made; it runs now with what its names stood for then."""
        return as_then(self._named)

    def __call__(self, *args: object, **kwargs: object) -> object:
        if self._parameters is not None and _core.executing_eagerly():
            from shapeflow.tensorflow.python.eager import function_signature

            named = function_signature.bound(
                self._parameters,
                lambda: str(self.function_type),
                getattr(self._function, "__name__", "function"),
                args,
                kwargs,
            )
            self._check(named)
            args, kwargs = function_signature.placed(named)
        with self.as_traced():
            return self._function._called(args, kwargs, self._first)

    def _check(self, named: Sequence[Named]) -> None:
        """A graph takes tensors of its own dtypes."""
        number = 0
        for one, given in zip(self._parameters or (), named):
            leaves = nest.flatten(one.value)
            values = nest.flatten(given.value)
            for spec, value in zip(leaves, values) if len(leaves) == len(values) else ():
                if type(spec) is not TensorSpec:
                    continue
                if (
                    isinstance(value, _core.Tensor)
                    and not _core.is_unmodelled(value, True)
                    and value.dtype.base_dtype != spec.dtype.base_dtype
                ):
                    with about(("argument", value)):
                        raise fail(
                            "SF210",
                            "cannot compute {text} as input #{int}(zero-based) was expected to be "
                            "a {text} tensor but is a {text} tensor [Op:{text}]",
                            self._name,
                            number,
                            _proto_name(spec.dtype),
                            _proto_name(value.dtype.base_dtype),
                            self._name,
                            error=lambda message: InvalidArgumentError(None, None, message),
                        )
                number += 1

    def _trace(self) -> Tuple[Sequence[object], object]:
        """The inputs, and what the function makes of tensors of which only the specs are known."""
        if self._made is None:
            taken: List[object] = []

            def one(spec: object) -> object:
                if not isinstance(spec, TypeSpec):
                    return spec
                taken.append(spec.unknown())
                return taken[-1]

            args, kwargs = nest.map_structure(one, self.structured_input_signature)
            function = self._function
            with contextlib.ExitStack() as stack:
                if _core.executing_eagerly():
                    stack.enter_context(function_body.running(function._python_function))
                made, self._first = function._signatures.trace_of_specs(
                    function._python_function, args, kwargs, self.structured_input_signature
                )
                self._made = taken, function_trace.as_results(made)
        return self._made

    # --- what is asked of its graph
    def _graph(self) -> Any:
        """A FuncGraph; None where none can be made of it: what AutoGraph converts, for one."""
        if self._graph_made is None:
            self._graph_made = _graph_of(self) or False
        return self._graph_made or None

    @property
    def graph(self) -> object:
        return self._graph() or self.__getattr__("graph")

    @property
    def inputs(self) -> List[object]:
        graph = self._graph()
        return list(self._trace()[0] if graph is None else graph.inputs)

    @property
    def structured_outputs(self) -> object:
        graph = self._graph()
        return self._trace()[1] if graph is None else graph.structured_outputs

    @property
    def outputs(self) -> List[object]:
        graph = self._graph()
        if graph is not None:
            return list(graph.outputs)
        return [made for made in nest.flatten(self._trace()[1]) if made is not None]

    @property
    def captured_inputs(self) -> object:
        graph = self._graph()
        return (
            self.__getattr__("captured_inputs")
            if graph is None
            else [outside for outside, _ in graph.captures]
        )

    output_shapes = property(lambda self: nest.map_structure(_shape_of, self.structured_outputs))
    output_dtypes = property(
        lambda self: nest.map_structure(lambda t: getattr(t, "dtype", None), self.structured_outputs)
    )

    @property
    def function_type(self) -> FunctionType:
        from shapeflow.tensorflow.python.eager import function_signature

        graph = self._graph()
        captures = (
            {}
            if graph is None
            else {id(outside): TensorSpec(inside.shape, inside.dtype) for outside, inside in graph.captures}
        )
        returns = function_signature.kind_text(self._trace()[1])
        return function_signature.FunctionType(self._parameters or (), returns, captures)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        return repr(self.function_type) if verbose else str(self.function_type)

    def __str__(self) -> str:
        return "ConcreteFunction %s" % self.pretty_printed_signature()

    def __repr__(self) -> str:
        return "<ConcreteFunction %s at 0x%X>" % (self.pretty_printed_signature(False), id(self))

    @property
    def function_def(self) -> object:
        graph = self._graph()
        if graph is None:
            return self.__getattr__("function_def")
        taken = [
            types.SimpleNamespace(
                name=one.op.name.lower().replace("/", "_"), type=one.dtype.as_datatype_enum
            )
            for one in graph.inputs
        ]
        given = [
            types.SimpleNamespace(
                name=one.op.name.lower().replace("/", "_"), type=one.dtype.as_datatype_enum
            )
            for one in graph.outputs
        ]
        of_inputs = {one.op.name for one in graph.inputs}
        return types.SimpleNamespace(
            signature=types.SimpleNamespace(name=self._name, input_arg=taken, output_arg=given),
            node_def=[node for node in graph.as_graph_def().node if node.name not in of_inputs],
        )

    @property
    def variables(self) -> object:
        """Those of what the code names; TensorFlow has those that the graph reads."""
        bound = self._function._python_function
        holders = [*bound.args] if isinstance(bound, functools.partial) else []
        holders += [found for _, _, found in self._named]
        seen: List[object] = []
        for holder in holders:
            of = [holder] if isinstance(holder, _core.VariableBase) else getattr(holder, "variables", ())
            for variable in of if isinstance(of, (list, tuple)) else ():
                variable = getattr(variable, "_value", variable)  # of Keras, which holds one
                if isinstance(variable, _core.VariableBase) and all(variable is not one for one in seen):
                    seen.append(variable)
        return tuple(seen)

    trainable_variables = property(
        lambda self: tuple(variable for variable in self.variables if getattr(variable, "trainable", True))
    )

    def __getattr__(self, attr: str) -> Opaque:
        if attr.startswith("_"):
            raise AttributeError(attr)
        _core.notice_unmodelled("tf.types.experimental.ConcreteFunction." + attr)
        return Opaque("tf.types.experimental.ConcreteFunction." + attr)


def _shape_of(made: object) -> object:
    return made.shape if hasattr(made, "shape") else _core.TensorShape(None)


def _proto_name(dtype: _core.DType) -> str:
    return str({"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name))


# --- a graph of it -----------------------------------------------------------------------------------
def _graph_of(function: ConcreteFunction) -> object:
    """Out of sight: what happens in it happens in the calls."""
    from shapeflow.tensorflow.python.data.traced_function import Undecided
    from shapeflow.tensorflow.python.eager.context import graph_of_function

    if not _core.executing_eagerly():
        return None
    python_function, run = function._function._python_function, function_trace.Trace()
    graph = graph_of_function(getattr(function._function, "__name__", "function"))
    graph.structured_input_signature = function.structured_input_signature
    uses: Dict[int, _core.VariableBase] = {}
    before = _core.note_reads(uses)
    graph.reads = uses
    try:
        with function.as_traced(), graph.as_default(), _core.mute(), function_trace.recorded(run):
            try:
                args, kwargs = _placeholders(graph, function)
                made = FirstRun(python_function).again(
                    lambda: python_function(*args, **kwargs), (args, kwargs)
                )
                graph.structured_outputs = nest.map_structure(_returned, made)
            finally:
                run.undo()
    except (Undecided, Exception):
        return None  # it is not known how TensorFlow would make the graph
    finally:
        _core.note_reads(before)
    graph.outputs = [one for one in nest.flatten(graph.structured_outputs) if isinstance(one, _core.Tensor)]
    graph.inputs += [inside for _, inside in graph.captures]
    return graph


def _returned(made: object) -> object:
    if made is None:
        return None
    tensor = function_trace.as_result(made)
    if not isinstance(tensor, _core.Tensor):
        raise ValueError("composite")  # its parts are outputs of their own
    return op_builders.op("Identity", [tensor], {}, "Identity")


def _placeholders(
    graph: FuncGraph, function: ConcreteFunction
) -> Tuple[Sequence[object], Mapping[str, object]]:
    """TensorFlow calls each after its argument, those of a list or a dictionary too."""
    names: List[str] = []
    for parameter in function._parameters or ():
        specs = [leaf for leaf in nest.flatten(parameter.value) if isinstance(leaf, TypeSpec)]
        names += [getattr(spec, "name", None) or parameter.name for spec in specs]
    named = iter(names)

    def one(spec: object) -> object:
        if not isinstance(spec, TypeSpec):
            return spec
        if type(spec) is not TensorSpec:
            raise ValueError("composite")
        name = next(named, None) or spec.name or "Placeholder"
        made = op_builders.op("Placeholder", [], {"dtype": spec.dtype, "shape": spec.shape}, name)
        graph.inputs.append(made)
        return made

    args, kwargs = function.structured_input_signature
    return nest.map_structure(one, args), nest.map_structure(one, kwargs)
