"""The body of a tf.function runs: what fails in it fails as in the graph that TensorFlow makes of it.

Source: tensorflow/python/eager/polymorphic_function, tensorflow/core/common_runtime/graph_execution_state.
"""
from __future__ import annotations

import itertools
import os
import threading
import traceback
from typing import Any, List, Optional, Tuple

from shapeflow import _core
from shapeflow.tensorflow.python.framework.errors import OpError

_LED = "defined at (most recent call last):\n"
_PACKAGE = os.path.dirname(_core.__file__) + os.sep
_numbers = itertools.count(1)
_of_thread = threading.local()


class running:
    """While it holds, the body of `function` runs. TensorFlow runs the graph of the outermost function: what
    is called in it is part of that."""

    def __init__(self, function: Any) -> None:
        self.name = getattr(function, "__name__", "function")
        self.graph: Any = None  # made when the body asks for it

    def __enter__(self) -> None:
        self._is_outermost = _core.enter_function("__inference_%s_%d" % (self.name, next(_numbers)))
        if self._is_outermost:
            _of_thread.body = self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if not self._is_outermost:
            return
        _core.leave_function()
        _of_thread.body = None
        if isinstance(error, OpError):
            _tell_calls(error, trace)


def outermost() -> Optional[running]:
    """The outermost function whose body runs in this thread."""
    return getattr(_of_thread, "body", None)


def _tell_calls(error: OpError, trace: Any) -> None:
    """The calls that led to the node, in the message."""
    head, led, rest = error.message.partition(_LED)
    if not led or rest.startswith("  File"):
        return
    found: List[Tuple[str, int, str]] = [frame[:2] + frame[5:6] for frame in reversed(_core.user_frames())]
    found += [(frame.filename, frame.lineno or 0, frame.name) for frame in traceback.extract_tb(trace)[1:]]
    calls = "".join('  File "%s", line %d, in %s\n\n' % call for call in found if not _is_ours(call[0]))
    error._message = head + led + calls + rest.lstrip("\n")
    error.args = (error._message,)


def _is_ours(path: str) -> bool:
    """A file of ShapeFlow, or what starts it."""
    return path.startswith(_PACKAGE) or os.path.basename(path).startswith("shapeflow")
