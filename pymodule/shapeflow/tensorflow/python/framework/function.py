"""Defun: functions of TensorFlow 1, whose body is a graph of its own that a node calls.

Here each call builds the body where it stands, so that what it holds is inferred and analysed as anything
else. As in TensorFlow the body knows of its arguments the dtypes alone, and the caller of its results: shapes
that do not fit are found in the run. Variables are those of the first call. An IdentityN bears the name of
the call; it takes the arguments too, as TensorFlow's gradient of a call reaches all of them.
Source: tensorflow/python/framework/function.py (1.15).
"""
from __future__ import annotations

import inspect
import itertools
import types
import weakref
import zlib

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.graph import get_default_graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, Union

_C_NAMES = {"float32": "float", "float64": "double", "float16": "half"}
_CALL_OPTIONS = frozenset({"noinline", "compiled", "separate_compiled_gradients", "_implements",
                           "_reference"})
_BODIES: List[List[object]] = []  # the variables that the bodies under way have asked for


def _check_options(kwargs: Any) -> None:
    unknown = {key: value for key, value in kwargs.items()
               if key not in _CALL_OPTIONS and not key.startswith("experimental_")}
    if unknown:
        raise ValueError("Unknown keyword arguments: %s" % unknown.keys())


@export("tensorflow.python.framework.function.Defun", v2=True)
class Defun:
    """Decorates a function over tensors of the given dtypes; of any, where none are given."""

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._input_types = input_types
        self._kwargs = kwargs

    def __call__(self, func: Any) -> Union[_OverloadedFunction, _DefinedFunction]:
        if not callable(func):
            raise ValueError("function %s must be callable" % func)
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError("function with argument defaults or keywords arguments are not supported. {} "
                             "has defaults {} and keywords {}.".format(func, spec.defaults, spec.varkw))
        names = spec.args[1:] if inspect.ismethod(func) else spec.args
        if self._input_types:
            count = len(self._input_types)
            if count < len(names) or count > len(spec.args) and not spec.varargs:
                raise ValueError("The function has fewer arguments than the number of specified input types.")
            return _DefinedFunction(func, names, self._input_types, **self._kwargs)
        if not names and not spec.varargs:
            return _DefinedFunction(func, [], [], **self._kwargs)
        return _OverloadedFunction(func, names, **self._kwargs)


@export("tensorflow.python.framework.function._DefinedFunction", v2=True)
class _DefinedFunction:
    """A function for one list of dtypes."""

    def __init__(self, func: Any, argnames: Any, input_types: Any, func_name: Optional[str] = None,
                 grad_func: Any = None, python_grad_func: Any = None, out_names: Any = None,
                 shape_func: Any = None, capture_by_value: bool = False,
                 whitelisted_stateful_ops: Any = None, capture_resource_var_by_value: bool = True,
                 **kwargs: Any) -> None:
        self._func, self._func_name = func, func_name
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._shape_func, self._extra_kwargs = shape_func, kwargs
        self._input_types = input_types
        self._arg_names = [argnames[i] if i < len(argnames) else "arg%d" % i
                           for i in range(len(input_types))]
        self._graph: Any = None  # weakly, that of the first call
        self._variables: List[Any] = []
        self._found: Any = None

    @property
    def name(self) -> str:
        """TensorFlow ends it with a hash of the body."""
        if self._func_name is None:
            base = getattr(self._func, "__name__", "function").strip("<>")
            code = getattr(self._func, "__code__", None)
            text = "%s %s" % (self._input_types, code.co_code if code else base)
            self._func_name = "%s_%08x" % (base, zlib.crc32(text.encode()))
        return self._func_name

    declared_input_types = property(lambda self: self._input_types)
    python_grad_func = property(lambda self: self._python_grad_func)
    grad_func_name = property(lambda self: self._grad_func.name if self._grad_func else None)
    captured_inputs = property(lambda self: self._definition()[0])
    stateful_ops = property(lambda self: self._definition()[1])

    @property
    def definition(self) -> Opaque:
        name = "tensorflow.python.framework.function._DefinedFunction.definition"
        _core.notice_unmodelled(name)
        return Opaque(name)

    def set_grad_func(self, grad_func: object) -> None:
        assert not self._grad_func
        assert isinstance(grad_func, _DefinedFunction)
        self._grad_func = grad_func

    def add_to_graph(self, g: object) -> None:
        """A body is built where it is called."""

    def _definition(self) -> Tuple[List[Any], List[Tuple[str, str]]]:
        """(tensors from outside, stateful operations) of the body, built in a graph of its own."""
        from shapeflow.tensorflow.python.data.traced_function import FunctionGraph

        if self._found is None:
            outer = get_default_graph()
            graph = FunctionGraph()
            with _core.mute(), graph.as_default():
                arguments = [op_builders.tf.placeholder(dtype, name=name)
                             for dtype, name in zip(self._input_types, self._arg_names)]
                self._outputs_of(arguments, outer)
                self._found = ([outside for outside, _, _ in graph.captured.values()],
                               [(op.name, op.type) for op in graph.get_operations() if op.op_def.is_stateful])
        return self._found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tensors = [framework_lib.convert_to_tensor(arg) for arg in args]
        if _core.executing_eagerly():
            return self._func(*tensors)
        self._check(tensors)
        name = kwargs.pop("name", None)
        _check_options({**self._extra_kwargs, **kwargs})
        graph = get_default_graph()
        with framework_lib.name_scope(name or self.name) as scope:
            before = len(graph.get_operations())
            outputs = self._outputs_of([_of_any_shape(t) for t in tensors], graph)
            if not outputs:
                with graph.control_dependencies(graph.get_operations()[before:]):
                    return op_builders.tf.no_op(scope)
            with graph._sf_with_gradients(None):
                made = op_builders.outputs("IdentityN", [[*outputs, *tensors]], None, scope)[:len(outputs)]
        if self._shape_func is not None:
            self._set_shapes(tensors, made)
        return made[0] if len(made) == 1 else tuple(made)

    def _check(self, tensors: List[Any]) -> None:
        if len(tensors) != len(self._input_types):
            captured = len(self.captured_inputs)
            raise ValueError("Expected number of arguments: %d, received: %d" % (
                len(self._input_types) + captured, len(tensors) + captured))
        for name, declared, tensor in zip(self._arg_names, self._input_types, tensors):
            wanted, given = _core.as_dtype(declared).base_dtype, tensor.dtype.base_dtype
            if wanted != given and not _core.is_unmodelled(tensor):
                raise ValueError("Input %r passed %s expected %s while building NodeDef %r" % (
                    name, _C_NAMES.get(given.name, given.name), _C_NAMES.get(wanted.name, wanted.name),
                    self.name))

    def _outputs_of(self, arguments: List[Any], graph: Any) -> List[Any]:
        from shapeflow.tensorflow.python.ops import variable_scope

        if self._graph is None or self._graph() is not graph:
            self._graph, self._variables = weakref.ref(graph), []
        taken: List[Any] = []
        numbers = itertools.count()

        def variable(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            number = next(numbers)
            if number == len(self._variables):
                with graph.as_default():
                    self._variables.append(getter(*args, **kwargs))
            taken.append(self._variables[number])
            return taken[-1]

        with graph.as_default():
            store = variable_scope.store()
        counts, store.counts = store.counts, {}  # scopes without a name are counted in the body alone
        own = self._grad_func is not None or self._python_grad_func is not None
        _BODIES.append(taken)
        try:
            with get_default_graph()._sf_with_gradients(None if own else frozenset()), \
                    variable_scope.variable_scope(store.scope, custom_getter=variable,
                                                  auxiliary_name_scope=False):
                result = self._func(*arguments)
        finally:
            _BODIES.pop()
            store.counts = counts
        given = [] if result is None else list(result) if isinstance(result, (list, tuple)) else [result]
        if any(item is None for item in given):
            raise ValueError("Function %s can not return None." % getattr(self._func, "__name__", "function"))
        return [_of_any_shape(framework_lib.convert_to_tensor(item)) for item in given]

    def _set_shapes(self, arguments: List[Any], made: List[Any]) -> None:
        call = types.SimpleNamespace(inputs=arguments, outputs=made, name=made[0].op.name, type=self.name)
        shapes = self._shape_func(call)
        if len(shapes) != len(made):
            raise ValueError("shape_func produced %d shapes for %d outputs" % (len(shapes), len(made)))
        for tensor, shape in zip(made, shapes):
            tensor.set_shape(shape)


def _of_any_shape(tensor: object) -> Any:
    """The same tensor, of which a graph that is built knows no shape."""
    if _core.is_unmodelled(tensor):
        return tensor
    return op_builders.tf.placeholder_with_default(tensor, None)


@export("tensorflow.python.framework.function._OverloadedFunction", v2=True)
class _OverloadedFunction:
    """A function that is defined for the dtypes of each call."""

    def __init__(self, func: Any, argnames: Any, func_name: Optional[str] = None, grad_func: Any = None,
                 python_grad_func: Any = None, out_names: Any = None, **kwargs: Any) -> None:
        self._func, self._argnames, self._func_name = func, argnames, func_name
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._extra_kwargs = kwargs
        self._overload: Dict[str, _DefinedFunction] = {}

    def instantiate(self, input_types: Any) -> _DefinedFunction:
        key = "".join(_core.as_dtype(t).base_dtype.name for t in input_types)
        if key not in self._overload:
            name = None if self._func_name is None else "%s_%s" % (self._func_name, key)
            self._overload[key] = _DefinedFunction(
                self._func, self._argnames, input_types, name, self._grad_func, self._python_grad_func,
                **self._extra_kwargs)
        return self._overload[key]

    def __call__(self, *args: object, **kwargs: object) -> Any:
        tensors = [framework_lib.convert_to_tensor(arg) for arg in args]
        inspect.signature(self._func).bind(*tensors)  # its body would be called with these
        return self.instantiate([t.dtype.base_dtype for t in tensors])(*tensors, **kwargs)


@export("tensorflow.python.framework.function.get_extra_vars", v2=True)
def get_extra_vars() -> List[Any]:
    """The variables that the body under way has asked for."""
    return list(_BODIES[-1]) if _BODIES else []
