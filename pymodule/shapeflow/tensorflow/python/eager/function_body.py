"""The body of a tf.function runs: what fails in it fails as in the graph that TensorFlow makes of it.

Source: tensorflow/python/eager/polymorphic_function, tensorflow/core/common_runtime/graph_execution_state.
"""
from __future__ import annotations

import itertools
import os
import sys
import threading
import traceback
from types import FrameType, TracebackType
from typing import Any, Dict, List, Optional, Set, Tuple
from weakref import ref

from shapeflow import _core
from shapeflow.tensorflow.python.eager import python_effects
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.errors import OpError

_LED = "defined at (most recent call last):\n"
_PACKAGE = os.path.dirname(_core.__file__) + os.sep
_CONSTRUCTORS = ("variables.py", "variable_scope.py", "binding.py")  # the last asks for the arguments
_SINGLETON = (
    "tf.function only supports singleton tf.Variables created on the first call. Make sure the "
    "tf.Variable is only created once or created outside tf.function. See "
    "https://www.tensorflow.org/guide/function#creating_tfvariables for more information.")
_numbers = itertools.count(1)
_of_thread = threading.local()


class running:
    """While it holds, the body of `function` runs. TensorFlow runs the graph of the outermost function: what
    is called in it is part of that."""

    def __init__(self, function: object, is_converted: bool = True) -> None:
        self.name = getattr(function, "__name__", "function")
        self.graph: Any = None  # made when the body asks for it
        self.is_converted = is_converted  # by AutoGraph
        self.suspects: Set[Tuple[str, int, object]] = set()  # of loop_shapes.py

    def __enter__(self) -> running:
        self._is_outermost = _core.enter_function("__inference_%s_%d" % (self.name, next(_numbers)))
        if self._is_outermost:
            _of_thread.body = self
        return self

    def __exit__(self, kind: object, error: object, trace: Optional[TracebackType]) -> None:
        if not self._is_outermost:
            return
        _core.leave_function()
        _of_thread.body = None
        if isinstance(error, OpError):
            _tell_calls(error, trace)


class making_variables:
    """While it holds, the variables that the program's own code makes are counted; or refused."""

    def __init__(self, allowed: bool) -> None:
        self.allowed = allowed
        self.made = 0

    def __enter__(self) -> None:
        framework_lib.variable_makers.append(self)

    def __exit__(self, *exc: object) -> None:
        framework_lib.variable_makers.remove(self)


def makes_variable() -> None:
    """An eager variable is about to be made. What the packages around the program make was lifted out."""
    maker = framework_lib.variable_makers[-1]
    if maker is None or python_effects.is_hidden() or _of_packages(sys._getframe(2)):
        return
    if not maker.allowed:
        raise ValueError(_SINGLETON)
    maker.made += 1


def _of_packages(frame: Optional[FrameType]) -> bool:
    """Was it called by a package, through the constructors of ours?"""
    while frame is not None and os.path.basename(frame.f_code.co_filename) in _CONSTRUCTORS:
        frame = frame.f_back
    return frame is None or is_ours(frame.f_code.co_filename) or "site-packages" in frame.f_code.co_filename


def outermost() -> Optional[running]:
    """The outermost function whose body runs in this thread."""
    return getattr(_of_thread, "body", None)


_tensor_names: Dict[int, Tuple[ref[object], str]] = {}  # by id
_of_tensors = itertools.count(1)


def of_tensor(tensor: object, what: str) -> object:
    """What a tensor in a body has of the graph that TensorFlow makes, as the program's own code sees it: its
    name is one of its own, its operation is not known."""
    path = sys._getframe(1).f_code.co_filename
    if is_ours(path) or "site-packages" in path:
        raise AttributeError("Tensor.%s is undefined when eager execution is enabled." % what)
    if what == "graph":
        from shapeflow.tensorflow.python.framework.graph import graph_that_is_built

        return graph_that_is_built()
    if what == "value_index":
        return 0
    if what == "op":
        from shapeflow.api.unmodelled import Opaque

        return Opaque("tf.Tensor.op", [tensor])
    key, found = id(tensor), _tensor_names.get(id(tensor))
    if found is None or found[0]() is not tensor:
        name = "Tensor_%d:0" % next(_of_tensors)
        found = _tensor_names[key] = ref(tensor, lambda gone: _forget(key, gone)), name
    return found[1]


def _forget(key: int, gone: object) -> None:
    if key in _tensor_names and _tensor_names[key][0] is gone:
        del _tensor_names[key]


def _tell_calls(error: OpError, trace: Optional[TracebackType]) -> None:
    """The calls that led to the node, in the message."""
    head, led, rest = error.message.partition(_LED)
    if not led or rest.startswith("  File"):
        return
    found: List[Tuple[str, int, str]] = [frame[:2] + frame[5:6] for frame in reversed(_core.user_frames())]
    found += [(frame.filename, frame.lineno or 0, frame.name) for frame in traceback.extract_tb(trace)[1:]]
    calls = "".join('  File "%s", line %d, in %s\n\n' % call for call in found if not is_ours(call[0]))
    error._message = head + led + calls + rest.lstrip("\n")
    error.args = (error._message,)


def is_ours(path: str) -> bool:
    """A file of ShapeFlow, or what starts it."""
    return path.startswith(_PACKAGE) or os.path.basename(path).startswith("shapeflow")
