"""After how many turns the generators that a program steps by itself are where they were.

What a generator is at cannot be set. A loop that calls next() is therefore left for whole cycles of its
generators: each of their integers is the same again, or has only ever grown, and counts.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import GeneratorType
    from typing import Any, List, Sequence, Set, Tuple

    Position = List[Tuple[str, int]]

LONGEST = 20_000  # turns after which integers that only grew are taken for counters


class Cycle:
    """From where the generators are now. `turns` is 0 until they are there again."""

    def __init__(self, generators: Sequence[GeneratorType[Any, Any, Any]]) -> None:
        self._generators = generators
        self._first = self._last = self._position()
        self._fallen: Set[int] = set()  # places in the position that were once less than the turn before
        self._passed = 0
        self.turns = 0

    def _position(self) -> Position:
        found: Position = []
        for generator in self._generators:
            frame = generator.gi_frame
            if frame is not None:
                found.append(("", frame.f_lasti))
                found += [(name, value) for name, value in frame.f_locals.items() if type(value) is int]
        return found

    def step(self) -> bool:
        """One turn later: False when they go on in some other way."""
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
