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
_mirroring: List[object] = []


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


def mirroring() -> Any:
    """The strategy that has a copy on each of its devices of a variable that is made here, or None."""
    return _mirroring[-1] if _mirroring else None


@contextlib.contextmanager
def mirrored(strategy: object) -> Iterator[None]:
    """Variables that are made within are that strategy's; None: nobody's."""
    _mirroring.append(strategy)
    try:
        yield
    finally:
        _mirroring.pop()


@contextlib.contextmanager
def _on(devices: int) -> Iterator[None]:
    first = _core.memory_moment()
    _entered.append(devices)
    try:
        yield
    finally:
        _entered.pop()
        _core.memory_place(first, devices)
