"""After how many turns the iterators that a program steps by itself are where they were.

What an iterator is at cannot be set. A loop that calls next() is therefore left for whole cycles of its
iterators: each of the integers that say where they are is the same again, or has only ever grown, and counts.
"""
from __future__ import annotations

import warnings
from itertools import cycle
from types import GeneratorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Dict, List, Sequence, Set, Tuple

    Position = List[Tuple[str, int]]

LONGEST = 20_000  # turns after which integers that only grew are taken for counters
ITERATORS: Tuple[type, ...] = (
    type(iter([])), type(iter(())), type(iter(range(0))), type(iter({})), type(iter({}.values())),
    type(iter({}.items())), type(reversed([])), type(iter(set())), type(iter("")))
WRAPPERS = (enumerate, zip, map, filter, reversed)


def parts(wrapper: object) -> Any:
    """What enumerate and its like go over."""
    try:
        return wrapper.__reduce__()[1]
    except TypeError:
        return ()


def position(value: Any) -> Position:
    """The integers that say where an iterator is."""
    kind = type(value)
    if kind is GeneratorType:
        frame = value.gi_frame
        if frame is None:
            return []
        return [("", frame.f_lasti),
                *((name, item) for name, item in frame.f_locals.items() if type(item) is int)]
    if kind in ITERATORS:
        return [("left", value.__length_hint__())]
    if kind is cycle:
        return _position_of_cycle(value)
    found: Position = []
    for part in parts(value) if kind in WRAPPERS else ():
        found += [("number", part)] if type(part) is int else position(part)
    return found


def _position_of_cycle(value: Any) -> Position:
    """Nothing but the copying of it tells where a cycle is, which Python 3.12 warns of and 3.14 has not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, (inner,), (kept, _) = value.__reduce__()
    except TypeError:
        return []
    return [("kept", len(kept)), *position(inner)]


class Stepped:
    """An iterator that the program keeps somewhere; it may put a new one there when one is used up."""

    def __init__(self, holder: Any, key: Any, value: Any) -> None:
        self._holder: Dict[object, object] = holder if isinstance(holder, dict) else {}
        self._key = key
        self._value = value

    def position(self) -> Position:
        return position(self._holder.get(self._key, self._value))


class Cycle:
    """From where the iterators are now. `turns` is 0 until they are there again."""

    def __init__(self, iterators: Sequence[Stepped]) -> None:
        self._iterators = iterators
        self._first = self._last = self._position()
        self._fallen: Set[int] = set()  # places in the position that were once less than the turn before
        self._passed = 0
        self.turns = 0

    def _position(self) -> Position:
        return [part for iterator in self._iterators for part in iterator.position()]

    def step(self, frame: FrameType) -> bool:
        """One turn later: False when they go on in some other way."""
        frame.f_locals  # noqa: B018  brings the dictionary of a function's names up to date
        now, before = self._position(), self._last
        if [name for name, _ in now] != [name for name, _ in before]:
            return False
        self._last = now
        self._passed += 1
        self._fallen.update(at for at, (old, new) in enumerate(zip(before, now)) if new[1] < old[1])
        if self._fallen:
            if all(now[at] == self._first[at] for at in self._fallen):
                self.turns = self._passed
        elif self._passed >= LONGEST:
            self.turns = 1
        return True
