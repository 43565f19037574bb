"""Our one finder in sys.meta_path, and the order of what it asks.

    the sources of BEFORE -> the finders behind it -> the sources of AFTER

A name that a source of BEFORE has is never looked for elsewhere; one of AFTER is asked for what nobody else
finds, finders that a program adds later included. Followers are told of what the finders behind it found.
It stands last in sys.meta_path, where the small finder of `import shapeflow` was, and first while somebody
needs it there: a source of BEFORE, a follower, or one of AFTER which finds what is not ours.
"""
from __future__ import annotations

import sys
from _thread import get_ident

from shapeflow import _Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Callable, List, Optional, Sequence, Set, Tuple

    Concerns = Callable[[str], bool]  # of the name of a module
    Find = Callable[[str], Optional[ModuleSpec]]
    Follow = Callable[[ModuleSpec], ModuleSpec]  # gives the spec to go on with

# Sources in their order.
BEFORE = ("TensorFlow in a check", "TensorFlow in a process")
AFTER = ("modules of long ago", "names of shapeflow", "packages that are not there")
HERE = __file__  # of frames between an import and its sources
_OWN = "names of shapeflow"  # it finds no other names than ours: the finder may stay where it is


class Finder:
    """What stands in sys.meta_path."""

    def __init__(self) -> None:
        self._before: List[Tuple[int, Concerns, Find]] = []
        self._after: List[Tuple[int, Concerns, Find]] = []
        self._followers: List[Tuple[Concerns, Follow]] = []
        self._in_front = 0  # how many need it there
        self._home = -1  # its place in sys.meta_path while nobody does
        self._searched: Set[Tuple[int, str]] = set()  # now: another finder may ask all of them again

    def add(self, source: str, concerns: Concerns, find: Find) -> Callable[[], None]:
        """A source of BEFORE or AFTER; what is returned takes it out again."""
        group, order = (self._before, BEFORE) if source in BEFORE else (self._after, AFTER)
        entry = order.index(source), concerns, find
        group.append(entry)
        group.sort(key=lambda one: one[0])
        if source == _OWN:
            self._home = len(sys.meta_path)
            sys.meta_path.insert(0 if self._in_front else self._home, self)
        else:
            self._step_forward()

        def remove() -> None:
            group[:] = [one for one in group if one is not entry]
            self._step_back()

        return remove

    def follow(self, concerns: Concerns, follow: Follow) -> Callable[[], None]:
        """`follow` is given what the finders behind it found, in the order in which they came."""
        entry = concerns, follow
        self._followers.append(entry)
        self._step_forward()

        def remove() -> None:
            self._followers = [one for one in self._followers if one is not entry]
            self._step_back()

        return remove

    def _step_forward(self) -> None:
        if not self._in_front and self in sys.meta_path:
            self._home = sys.meta_path.index(self)
            sys.meta_path.remove(self)
            sys.meta_path.insert(0, self)
        self._in_front += 1

    def _step_back(self) -> None:
        self._in_front -= 1
        if not self._in_front and self in sys.meta_path:
            sys.meta_path.remove(self)
            sys.meta_path.insert(self._home, self)

    def find_spec(self, name: str, path: Optional[Sequence[str]] = None, target: object = None
                  ) -> Optional[ModuleSpec]:
        for _, concerns, find in self._before:
            if concerns(name):
                spec = find(name)
                if spec is not None:
                    return spec
        sources = [find for _, concerns, find in self._after if concerns(name)]
        followers = [follow for concerns, follow in self._followers if concerns(name)]
        if not sources and not followers:
            return None
        search = get_ident(), name
        if search in self._searched:
            return None
        self._searched.add(search)
        try:
            spec = self._ask_others(name, path, target)
            if spec is not None:
                for follow in followers:
                    spec = follow(spec)
                return spec
            for find in sources:
                spec = find(name)
                if spec is not None:
                    return spec
            return None
        finally:
            self._searched.discard(search)

    def _ask_others(self, name: str, path: Optional[Sequence[str]], target: object
                    ) -> Optional[ModuleSpec]:
        """Those behind it: the others have been asked already."""
        at = sys.meta_path.index(self) if self in sys.meta_path else -1
        for finder in sys.meta_path[at + 1:]:
            if hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)  # type: ignore[arg-type]
                if spec is not None:
                    return spec
        return None


FINDER = Finder()
if _Names in sys.meta_path:
    sys.meta_path.remove(_Names)
FINDER.add("names of shapeflow", _Names.concerns, _Names.find)
