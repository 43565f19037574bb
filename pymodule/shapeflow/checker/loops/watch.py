"""Watches the loops of the user's modules: what the extension asks at the head of a turn.

A loop is looked at once some turns brought nothing new and enough time was spent at its place; plan.py then
finds which of its turns are still run. Looking may cost no more than a part of what the loop itself takes and
of what was saved there: a program may hold much, and have short loops that begin again and again.
"""
from __future__ import annotations

import builtins
import functools
import os
import sys
import time

from shapeflow import _core
from shapeflow.checker import guesses
from shapeflow.checker.library_frames import is_library
from shapeflow.checker.loops.places import (
    ENTER,
    GUESSED,
    LOOP,
    STRINGS,
    TEST,
    TRAINER,
    TRUTH,
    TURN,
    known,
)
from shapeflow.checker.patches import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Callable, Dict, Optional, Set

    from shapeflow._core import Loop
    from shapeflow.checker.loops.places import Place
    from shapeflow.checker.patches import Patcher

SECONDS = 0.3  # spent at a place before its loop may be left
QUIET = 3  # turns without anything new before it is looked at
_LOOKING = 0.3  # seconds at each place that need not pay
_SHARE = 0.25  # of the seconds spent there


class Tally:
    """How often loops were left, and how many runs were made and would have been."""

    def __init__(self) -> None:
        self.places: Set[Any] = set()
        self.skipped_turns = 0
        self.skipped_runs = 0
        self.turns = 0

    def runs(self) -> int:
        """Runs so far, those of skipped turns included."""
        counters = _core.counters()
        return counters["runs"] + counters["steps"] + self.skipped_runs

    def to_json(self) -> Dict[str, Any]:
        counters = _core.counters()
        made = counters["runs"] + counters["steps"]
        return {"left": len(self.places), "runs": made, "of": made + self.skipped_runs,
                "turns": self.skipped_turns}


class Looks:
    """What it cost to look at the loops of one place, and what was saved by it: seconds of the processor."""

    def __init__(self) -> None:
        self._cost = 0.0
        self.saved = 0.0
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = time.thread_time()

    def __exit__(self, *failure: object) -> None:
        self._cost += time.thread_time() - self._began

    def are_too_dear(self, spent: float) -> bool:
        return self._cost > _LOOKING + _SHARE * spent + self.saved


class Watch:
    """One check's. `patience` multiplies what a loop must have shown before it is left; `first` is called
    before the first skip."""

    def __init__(self, patience: int, first: Callable[[], None]) -> None:
        self.tally = Tally()
        self._patience = patience
        self._first: Optional[Callable[[], None]] = first
        self._looks: Dict[int, Looks] = {}  # by place

    def start(self) -> None:
        """From here on, in this thread; not in processes that the program forks."""
        os.register_at_fork(after_in_child=functools.partial(_core.watch_loops, None))
        _core.watch_loops(self.decide, SECONDS * self._patience, QUIET * self._patience)

    # --- the hook ---------------------------------------------------------------------------------
    def decide(self, loop: Loop) -> bool:
        """Does the loop go on with its next turn? May have moved it there."""
        from shapeflow.checker.loops import plan as plans

        frame = sys._getframe(1)
        data = loop.data
        if isinstance(data, plans.Plan) and data.expected == loop.turns:
            return data.go_on(loop, frame)
        looks = self._looks.setdefault(loop.place, Looks())
        if looks.are_too_dear(loop.spent):
            self._wait(loop)
            return True
        if not isinstance(data, plans.Sampling) or data.expected != loop.turns:
            data = loop.data = plans.Sampling(self, known.loops[loop.place], looks)
        try:
            plan = data.take(loop, frame)
        except plans.NO_PLAN:
            self._wait(loop)
            return True
        if plan is None:
            if data.is_hopeless:
                self._wait(loop)
            return True
        loop.data = plan
        return plan.go_on(loop, frame)

    def _wait(self, loop: Loop) -> None:
        """It is looked at again when it has gone on for a while."""
        loop.data = None
        loop.wait = max(8, loop.turns // 4)

    def skip(self, place: Place, turns: int, runs: float) -> None:
        """Notes that turns are left out."""
        if self._first is not None:
            self._first()
            self._first = None
        self.tally.places.add((place.path, place.line))
        self.tally.skipped_turns += turns
        self.tally.skipped_runs += int(turns * runs)


# --- which modules --------------------------------------------------------------------------------
_CALLS = {LOOP: _core.loop, ENTER: _core.loop_enter, TURN: _core.loop_turn,
          TEST: _core.branch_test, TRUTH: _core.branch_truth,
          STRINGS: guesses.strings, GUESSED: guesses.is_guessed}
_WORDS = ("for", "while", "if", "assert", "join")  # a source without any of them has nothing to be marked


_KERAS = ("epoch", "begin_step")  # the names that the loops over epochs and over batches set


def marked(source: Any, path: str, flags: int = 0) -> Any:
    """What compile() takes of a file, of its text or its tree, so that its loops are seen. SyntaxError and
    ValueError as from compile()."""
    if isinstance(source, str) and not any(word in source for word in _WORDS):
        return source
    if isinstance(source, bytes) and not any(word.encode() in source for word in (*_WORDS, "coding")):
        return source
    from shapeflow.checker.loops import instrument

    return instrument.tree_of(source, path, flags, _KERAS if path.endswith(TRAINER) else ())


def instrument_imports(by: Patcher, script: str, translated: Callable[[Any, str], Any]) -> None:
    """From here on the user's modules are compiled so that their loops are seen. `translated`: gives the tree
    of a source that is to be taken for Python 2, else the source."""
    from importlib.machinery import SourceFileLoader

    known.forget()
    builtin = PROCESS.by(by.owner, by.reason)
    for name, call in _CALLS.items():
        if vars(builtins).get(name) is not call:
            # They stay: what was compiled with them may run after the check, from atexit or in a thread.
            builtin.set(builtins, name, call)
    to_code, stats = SourceFileLoader.source_to_code, SourceFileLoader.path_stats

    def is_watched(path: Any) -> bool:
        return by.on and isinstance(path, str) and not path.startswith("<") and (
            not is_library(path, script) or path.endswith(TRAINER))

    def source_to_code(loader: Any, data: Any, path: Any, **kwargs: Any) -> CodeType:
        if is_watched(path):
            try:
                data = marked(translated(data, path), path)
            except SyntaxError:
                pass  # it may be Python 2, which whoever comes next translates
        return to_code(loader, data, path, **kwargs)

    def path_stats(loader: Any, path: str) -> Any:
        if is_watched(path):
            raise OSError("watched: no compiled file stands for it")
        return stats(loader, path)

    by.set(SourceFileLoader, "source_to_code", source_to_code)
    by.set(SourceFileLoader, "path_stats", path_stats)
