"""On which devices of the machine eager code runs: what tf.device and strategies say, noted for its memory.

Nothing is noted but while the core keeps a log of memory. A set of devices is a number: bit i stands for
device i of the machine, 0 for the one that TensorFlow takes by itself.
Source: tensorflow/python/eager/context.py (device), distribute/mirrored_run.py.
"""
from __future__ import annotations

import contextlib

from shapeflow import _core
from shapeflow.tensorflow.python.framework.device_spec import DeviceSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, List

_entered: List[int] = []
_copies: List[int] = []


def now() -> int:
    """The devices of what is made here."""
    return _entered[-1] if _entered else 0


def of_names(names: Iterable[str]) -> int:
    """Names that say no device of the machine count as nothing."""
    found = 0
    for name in names:
        wanted = DeviceSpec.from_string(name)
        for number, (full_name, kind, _) in enumerate(_core.machine() or ()):
            there = DeviceSpec.from_string(full_name)
            if wanted.device_type == kind and (wanted.device_index or 0) == there.device_index:
                found |= 1 << number
    return found


def entered(names: Iterable[str]) -> Any:
    """A context in which eager code runs on these devices."""
    return _on(of_names(names)) if _core.memory_moment() >= 0 else contextlib.nullcontext()


def copies() -> int:
    """Of a variable that is made here, as a mirroring strategy has them; 0: it is none of such a strategy."""
    return _copies[-1] if _copies else 0


@contextlib.contextmanager
def mirrored(devices: int) -> Iterator[None]:
    """What is made within has a copy on each of so many devices."""
    _copies.append(devices)
    try:
        yield
    finally:
        _copies.pop()


@contextlib.contextmanager
def _on(devices: int) -> Iterator[None]:
    first = _core.memory_moment()
    _entered.append(devices)
    try:
        yield
    finally:
        _entered.pop()
        _core.memory_place(first, devices)
