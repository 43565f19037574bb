"""Dispatchers: who takes a call of TensorFlow's that has operands of its own kind. Keras 2 does, for its
symbolic tensors, of which TensorFlow knows nothing: `tf.nn.relu(x)` becomes a layer of the model.

As in TensorFlow a function is tried first, and who is registered is asked once it refused its arguments.
Until somebody registers, functions are as they are. Source: tensorflow/python/util/dispatch.py.
"""
from __future__ import annotations

import functools
import operator
import sys
from types import FunctionType

from shapeflow import _core
from shapeflow.api import namespace
from shapeflow.api.registry import export, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Tuple

    Function = Callable[..., object]

_global: List[GlobalOpDispatcher] = []
_around: Dict[int, Tuple[Function, Function]] = {}  # a function, and what dispatches its calls, by id
_ATTRIBUTE = "_tf_fallback_dispatchers"


@export("tf.__internal__.dispatch.OpDispatcher", v1=False, v2=True)
class OpDispatcher:
    """Takes calls of one function."""

    NOT_SUPPORTED = object()

    def handle(self, args: object, kwargs: object) -> object:
        return self.NOT_SUPPORTED

    def register(self, op: object) -> None:
        getattr(op, _ATTRIBUTE, []).append(self)


@export("tf.__internal__.dispatch.GlobalOpDispatcher", v1=False, v2=True)
class GlobalOpDispatcher:
    """Takes calls of any function."""

    NOT_SUPPORTED = OpDispatcher.NOT_SUPPORTED

    def handle(self, op: object, args: object, kwargs: object) -> object:
        """For subclasses; of none, as TensorFlow's, what comes of a call is None."""

    def register(self) -> None:
        _global.append(self)
        namespace.lent = around
        namespace.lend_again()
        symbolic = getattr(vars(sys.modules[type(self).__module__]).get("keras_tensor"), "KerasTensor", None)
        if symbolic is not None:
            _lend_operators(symbolic)


def around(value: object, dotted: str, version: int) -> object:
    """What stands for a function while there are dispatchers."""
    if not callable(value) or not isinstance(value, (FunctionType, _core.ApiFunction)) or \
            hasattr(value, _ATTRIBUTE):
        return value
    if id(value) not in _around:
        _around[id(value)] = value, _dispatching(value, _first_name(value, dotted, version))
    return _around[id(value)][1]


def _first_name(function: Function, dotted: str, version: int) -> str:
    """The name that TensorFlow gives it first: `tf.multiply` is math.multiply before."""
    name = dotted[3:]
    for space in ("math.", "linalg.") if "." not in name else ():
        if namespace.resolve("tf." + space + name, version) is function:
            return space + name
    return name


@export("tensorflow.python.util.dispatch.add_dispatch_support",
        "tf.__internal__.dispatch.add_dispatch_support", v2=True)
def add_dispatch_support(target: Optional[Function] = None, iterable_parameters: object = None) -> object:
    """@add_dispatch_support: the function of a package takes part."""
    if target is None:
        return lambda function: add_dispatch_support(function, iterable_parameters)
    return _dispatching(target, "")


def _dispatching(function: Function, symbol: str) -> Function:
    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            for own in vars(call)[_ATTRIBUTE]:
                made = own.handle(args, kwargs)
                if made is not OpDispatcher.NOT_SUPPORTED:
                    return made
            for one in _global:
                made = one.handle(call, args, kwargs)
                if made is not OpDispatcher.NOT_SUPPORTED:
                    return made
            raise

    vars(call).update({_ATTRIBUTE: [], "_sf_symbol": symbol})
    return call


# --- operators: those of a Tensor take Tensors alone ------------------------------------------------
def _refuse(name: str, *operands: object) -> None:
    """Operands that no tensor can be made of: their own operators would ask here again."""
    for one in operands:
        if hasattr(type(one), "_sf_lent") or not hasattr(type(one), "__" + name + "__"):
            raise TypeError("Expected a tensor, got %s" % type(one).__name__)


def _add(x: object, y: object, name: Optional[str] = None) -> object:
    _refuse("add", x, y)
    return operator.add(x, y)


def _eq(self: object, other: object) -> object:
    _refuse("eq", self, other)
    return self == other


def _ne(self: object, other: object) -> object:
    _refuse("ne", self, other)
    return self != other


def _getitem(tensor: object, slice_spec: object, var: object = None) -> object:
    _refuse("getitem", tensor)
    return vars(operator)["getitem"](tensor, slice_spec)


def _operator(function: Function, name: str) -> Function:
    function.__name__ = function.__qualname__ = name
    made = _dispatching(function, "__operators__." + name)
    put(made, "tf.__operators__." + name, v1=False, v2=True)
    return made


_OWN = {name: _operator(function, name) for name, function in (
    ("add", _add), ("getitem", _getitem), ("eq", _eq), ("ne", _ne))}
# The function behind each operator of two operands, which some have from both sides.
_BINARY = {"add": "", "sub": "math.subtract", "mul": "math.multiply", "div": "math.divide",
           "truediv": "math.truediv", "floordiv": "math.floordiv", "mod": "math.floormod", "pow": "math.pow",
           "matmul": "linalg.matmul", "and": "math.logical_and", "or": "math.logical_or",
           "xor": "math.logical_xor"}
_COMPARED = {"lt": "math.less", "le": "math.less_equal", "gt": "math.greater", "ge": "math.greater_equal",
             "eq": "", "ne": ""}
_UNARY = {"neg": "math.negative", "abs": "math.abs", "invert": "math.logical_not"}


def _function(dotted: str, name: str) -> Function:
    if not dotted:
        return _OWN[name]
    value = namespace.resolve("tf." + dotted, 2)
    around(value, "tf." + dotted, 2)
    return _around[id(value)][1]


def _lend_operators(kind: type) -> None:
    """To a class that has taken a Tensor's: those are C's, and refuse it."""
    setattr(kind, "_sf_lent", True)  # noqa: B010  its class knows nothing of it

    def binary(dotted: str, name: str, reflected: bool) -> Function:
        def operation(self: object, other: object) -> object:
            function = _function(dotted, name)
            if reflected and not isinstance(other, (_core.Tensor, _core.VariableBase)):
                other = _core.convert_to_tensor(other, operator.attrgetter("dtype")(self))
            return function(other, self) if reflected else function(self, other)

        return operation

    def unary(dotted: str) -> Function:
        return lambda self: _function(dotted, "")(self)

    for name, dotted in {**_BINARY, **_COMPARED}.items():
        setattr(kind, "__%s__" % name, binary(dotted, name, False))
        if name in _BINARY:
            setattr(kind, "__r%s__" % name, binary(dotted, name, True))
    for name, dotted in _UNARY.items():
        setattr(kind, "__%s__" % name, unary(dotted))
    setattr(kind, "__getitem__", lambda self, key: _OWN["getitem"](self, key))  # noqa: B010


def symbol_of(function: object) -> Optional[str]:
    """The name in the API of what dispatches calls; None: it is no such function."""
    return getattr(function, "_sf_symbol", None) or None


def function_of(symbol: str) -> object:
    """The function of such a name; None: there is none."""
    value = namespace.resolve("tf." + symbol, 2)
    return None if value is namespace.MISSING else around(value, "tf." + symbol, 2)

