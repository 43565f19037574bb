"""What a run made and nothing else may hold any more when it has ended: models and variables of functions
that returned. Noted for the commands that show what a script makes; a check notes nothing.

Layers are kept. Of a variable only what a table says of it: a script may look at whether its variables go.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

_MOST = 100_000
_FRAMES = 40  # between an optimizer and the variable that it makes


class Left:
    """What is left of an eager variable."""

    _kind = "eager"

    def __init__(self, variable: Any) -> None:
        self.name = variable.name
        self.shape = variable.shape
        self.dtype = variable.dtype
        self.trainable = variable.trainable
        self.of_optimizer = _in_optimizer()
        from shapeflow.tensorflow.python.framework import eager_devices

        self.devices = eager_devices.now()  # as eager_devices has them


class Known:
    """An eager variable, which may go; `gone` is called then."""

    def __init__(self, variable: Any, gone: Optional[Callable[[Any], Any]] = None) -> None:
        import weakref

        self._left = Left(variable)
        self._there = weakref.ref(variable, gone)

    def now(self) -> Any:
        """The variable, or what is left of it."""
        variable = self._there()
        return self._left if variable is None else variable

    def left(self) -> Left:
        """What is known of it, whether it is there or not."""
        return self._left


class Variables:
    """All eager variables."""

    def __init__(self) -> None:
        self._known: List[Known] = []

    def __len__(self) -> int:
        return len(self._known)

    def append(self, variable: Any) -> None:
        self._known.append(Known(variable))

    def now(self) -> List[Any]:
        return [known.now() for known in self._known]

    def left(self) -> List[Left]:
        return [known.left() for known in self._known]


layers: Optional[List[Any]] = None  # of Keras, in the order in which they were made
variables: Optional[Variables] = None
models: Any = None  # the graph of symbolic models of an installed Keras
failed: Optional[Callable[[Any, str], None]] = None  # told of a finding and the layer that was refused
is_pictured = False  # is that to have the operations of its layers?
left_out = False  # was a call of Keras answered without its operations, since nobody knows its data?
calls: Dict[int, Any] = {}  # by the id of a layer that is kept: what its first call was given, and made


def start() -> None:
    """From now on they are kept."""
    global layers, variables, left_out
    layers, variables, left_out = [], Variables(), False


def add(kept: Any, item: Any) -> None:
    if len(kept) < _MOST:
        kept.append(item)


def _in_optimizer() -> bool:
    """Is an optimizer making it, Keras's or ours?"""
    import sys

    frame, depth = sys._getframe(3), 0
    while frame is not None and depth < _FRAMES:
        if "optimizers" in frame.f_code.co_filename.replace("\\", "/").rsplit("/", 2)[-2:]:
            return True
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return False
