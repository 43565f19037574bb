"""Watches the loops of the user's modules: what is asked at the head of a turn once a loop takes its time.

A loop is looked at once some turns brought nothing new and enough time was spent at its place; plan.py then
finds which of its turns are still run. Looking may cost no more than a part of what the loop itself takes and
of what was saved there: a program may hold much, and have short loops that begin again and again.
"""
from __future__ import annotations

import time

from shapeflow import _core
from shapeflow.checker.loops import plan as plans
from shapeflow.checker.loops.places import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, Optional, Set

    from shapeflow._core import Loop
    from shapeflow.checker.loops.places import Place

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
    """One check's. `first` is called before the first skip."""

    def __init__(self, first: Callable[[], None]) -> None:
        self.tally = Tally()
        self._first: Optional[Callable[[], None]] = first
        self._looks: Dict[int, Looks] = {}  # by place

    def decide(self, loop: Loop, frame: FrameType) -> bool:
        """Does the loop, in this frame, go on with its next turn? May have moved it there."""
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
