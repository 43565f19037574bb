"""tf.function: the function is called once for each signature, or traced where a graph of it is wanted.

Source: tensorflow/python/eager/def_function.py.
"""
from __future__ import annotations

import abc
import functools
import weakref

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.eager import function_body
from shapeflow.tensorflow.python.eager.concrete_function import ConcreteFunction
from shapeflow.tensorflow.python.eager.function_trace import Signatures
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import about, fail
from shapeflow.tensorflow.python.framework.type_spec import TensorSpec
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow.tensorflow.python.eager.python_effects import FirstRun

_run_eagerly = [False]
_RELAXED = ("reduce_retracing", "experimental_relax_shapes")


class Function:
    """tf.function: the Python function itself runs, eagerly, once for each signature of its arguments."""

    def __init__(self, python_function: Any, input_signature: Any = None,
                 signatures: Optional[Signatures] = None,
                 options: Optional[Dict[str, object]] = None) -> None:
        self._python_function = python_function
        self._options = options or {}  # of tf.function
        self._input_signature = input_signature
        self._signatures = Signatures(input_signature is not None) if signatures is None else signatures
        self._of_instances: Any = weakref.WeakKeyDictionary()
        functools.update_wrapper(self, python_function)

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: None if self._input_signature is None else tuple(
        self._input_signature))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._called(args, kwargs, None)

    def _called(self, args: Any, kwargs: Any, first: Optional[FirstRun]) -> Any:
        """`first`: the run that TensorFlow made of it, where that is not the one of these arguments."""
        if self._input_signature is not None:
            given = args
            args, kwargs = self._as_signature(args, kwargs)
            self._check(args, given)
        if not _core.executing_eagerly() or _run_eagerly[-1]:
            return self._in_graph(self._python_function(*args, **kwargs))
        with function_body.running(self._python_function, bool(self._options.get("autograph", True))) as body:
            try:
                made = self._signatures.call(self._python_function, args, kwargs, first)
            except TypeError as error:
                self._explain(error, args, kwargs)
                raise
        if body.suspects and first is None:
            self._look_again(args, kwargs, body.suspects)
        if _core.places_tensors():  # whatever the body says, they are where the call is
            made = nest.map_structure(_core.eager_here, made, expand_composites=True)
        return made

    def _explain(self, error: TypeError, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        """TensorFlow's own words where Python refused the arguments themselves."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or not function_body.is_ours(trace.tb_frame.f_code.co_filename):
            return
        from shapeflow.tensorflow.python.eager import function_signature

        told = function_signature.why_not(self._python_function, args, kwargs, self._input_signature)
        if told is not None:
            raise told from None

    def _look_again(self, args: Sequence[object], kwargs: Mapping[str, object],
                    suspects: Collection[Tuple[str, int, object]]) -> None:
        from shapeflow.tensorflow.python.eager import loop_shapes

        # After its first trace TensorFlow makes graphs of shapes that fit several calls.
        if not any(self._options.get(name) for name in _RELAXED) or self._signatures.traces() <= 1:
            loop_shapes.look_again(self._python_function, args, kwargs, self._input_signature or (), suspects,
                                   self._signatures.looks)

    def _in_graph(self, made: object) -> object:
        """What a call gives the graph that it is in."""
        if _core.executing_eagerly():
            return made
        seal = getattr(_core.default_graph(), "_sf_seal", None)
        return made if seal is None else seal(made)

    def _as_signature(self, args: Any, kwargs: Any) -> Any:
        """Lists, numbers and arrays as the tensors that the signature says."""
        given = [_as_spec(spec, value) for spec, value in zip(self._input_signature, args)]
        by_name = dict(zip(self._names(), self._input_signature)) if kwargs else {}
        named = {name: _as_spec(by_name[name], value) if name in by_name else value
                 for name, value in kwargs.items()}
        return (*given, *args[len(given):]), named

    def _names(self) -> List[str]:
        """Of the parameters, without `self`."""
        function: Any = self._python_function
        bound = 0
        if isinstance(function, functools.partial):
            function, bound = function.func, len(function.args)
        code = getattr(function, "__code__", None)
        return [] if code is None else list(code.co_varnames[bound:code.co_argcount])

    def _check(self, args: Any, received: Any) -> None:
        """Tensors that cannot be what the signature says are refused."""
        for spec, given in zip(self._input_signature, args):
            if not isinstance(spec, TensorSpec) or not isinstance(given, (_core.Tensor, _core.VariableBase)):
                continue
            shape = given.get_shape()
            tensor = framework_lib.convert_to_tensor(given)
            is_other = given.dtype.base_dtype != spec.dtype.base_dtype and \
                not _core.is_unmodelled(tensor, True)
            if is_other or not spec.shape.is_compatible_with(shape) and not _core.is_unmodelled(tensor):
                named = zip(self._names(), self._input_signature)
                signature = "(%s)" % ", ".join("%s: %r" % pair for pair in named)
                wanted = TensorSpec(shape, given.dtype.base_dtype, spec.name)
                with about(("argument", tensor)):
                    if is_other:
                        raise fail("SF202", "Binding inputs to tf.function failed due to `Can not "
                                   "cast {text!r} to {text!r}`. Received args: {text} and kwargs: {{}} for "
                                   "signature: {text}.", wanted, spec, received, signature,
                                   error=TypeError)
                    raise fail("SF106", "Binding inputs to tf.function failed due to `Can not "
                               "cast {text!r} to {text!r}`. Received args: {text} and kwargs: {{}} for "
                               "signature: {text}.", wanted, spec, received, signature,
                               error=TypeError)

    def __get__(self, instance: Any, owner: object) -> Function:
        if instance is None:
            return self
        method = functools.partial(self._python_function, instance)
        try:
            signatures = self._of_instances.get(instance)
            if signatures is None:
                signatures = self._of_instances[instance] = Signatures(self._input_signature is not None)
        except TypeError:  # without a hash, or that nobody can refer to weakly
            signatures = None
        made = Function(method, self._input_signature, signatures, self._options)
        functools.update_wrapper(made, self._python_function)  # a partial has no name
        return made

    def get_concrete_function(self, *args: object, **kwargs: object) -> ConcreteFunction:
        made = ConcreteFunction(self, args, kwargs)
        made._trace()  # what is wrong in it is found here
        return made

    def experimental_get_compiler_ir(self, *args: object, **kwargs: object) -> Opaque:
        return Opaque("tf.function.experimental_get_compiler_ir")

    def experimental_get_tracing_count(self) -> int:
        return self._signatures.traces()

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """Those of all traces."""
        with self._signatures.unchanged():
            return "\n\n".join(one.pretty_printed_signature(verbose)
                               for one in self._list_all_concrete_functions())

    def _list_all_concrete_functions(self) -> List[ConcreteFunction]:
        return [ConcreteFunction(self, *call) for call in self._signatures.first_calls()]


def _as_spec(spec: object, given: object) -> Any:
    """`given` in the structure of `spec`, with tensors where that has TensorSpecs."""
    if isinstance(given, (_core.Tensor, _core.VariableBase)):
        return given
    try:
        return nest.map_structure_up_to(spec, _as_tensor, spec, given)
    except (TypeError, ValueError):  # the function's own words for it
        return given


def _as_tensor(spec: object, given: object) -> Any:
    is_data = isinstance(given, (list, tuple, int, float, complex, str, bytes)) or \
        type(given).__module__ == "numpy"
    if type(spec) is not TensorSpec or not is_data:
        return given
    return framework_lib.convert_to_tensor(given, spec.dtype)


@export("tf.function", "tf.contrib.eager.defun", v2=True)
def function(func: Any = None, input_signature: Any = None, autograph: bool = True,
             jit_compile: Any = None, **kwargs: Any) -> Any:
    if func is None:
        return lambda inner: function(inner, input_signature, autograph, jit_compile, **kwargs)
    return Function(func, input_signature, None, {"autograph": autograph, **kwargs})


@export("tf.config.run_functions_eagerly", "tf.config.experimental_run_functions_eagerly", v2=True)
def run_functions_eagerly(run_eagerly: bool) -> None:
    """From here on bodies run at each call."""
    _run_eagerly[-1] = bool(run_eagerly)


@export("tf.config.functions_run_eagerly", "tf.config.experimental_functions_run_eagerly", v2=True)
def functions_run_eagerly() -> bool:
    """Do bodies run at each call?"""
    return _run_eagerly[-1]




# --- what they are instances of -------------------------------------------------------------------
class Callable(abc.ABC):
    """tf.types.experimental.Callable: what runs as a graph. Source: tensorflow/python/types/core.py."""

    @abc.abstractmethod
    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Runs it."""


class GenericFunction(Callable):
    """tf.types.experimental.GenericFunction: what tf.function gives."""


class ConcreteFunctionType(Callable):
    """tf.types.experimental.ConcreteFunction: one of a signature."""


ConcreteFunctionType.__name__ = ConcreteFunctionType.__qualname__ = "ConcreteFunction"
# Not bases: what these have beyond ours would stand before what ours asks of its graph.
GenericFunction.register(Function)
ConcreteFunctionType.register(ConcreteFunction)
put(Callable, "tf.types.experimental.Callable", v2=True)
put(GenericFunction, "tf.types.experimental.GenericFunction", "tf.types.experimental.PolymorphicFunction",
    v2=True)
put(ConcreteFunctionType, "tf.types.experimental.ConcreteFunction", v2=True)
