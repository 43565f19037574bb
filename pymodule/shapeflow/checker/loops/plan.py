"""Which turns of a steady loop are still run.

Views of several turns in a row say what a turn changes (state.py) and which turns to come differ
(forecast.py): those are run, the others are skipped, and what they would have changed is set. docs/loops.md
has the argument. Loaded when a loop is first looked at, which most programs never come to.
"""
from __future__ import annotations

import ast
import sys
import time
from collections import deque
from types import GeneratorType

from shapeflow import _core
from shapeflow.api import positions
from shapeflow.checker.loops import columns, forecast, state
from shapeflow.checker.loops.columns import ENDLESS
from shapeflow.checker.loops.cycles import Cycle
from shapeflow.checker.loops.forms import Forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Deque, List, Optional, Sequence, Tuple

    from shapeflow._core import Loop
    from shapeflow.checker.loops.places import Place
    from shapeflow.checker.loops.watch import Looks, Watch

VIEWS = 5  # turns in a row of which views are taken
_REFERENCES = 3  # of an iterator that only its loop has, where _may_go_on looks at it
LAST = 2  # turns at the end that are always run
DRAWING = 0.2  # seconds for elements that are drawn without a turn
_BATCHES = "TFEpochIterator"  # of the installed Keras: its steps take the batches themselves
NO_PLAN = (state.TooMuch, forecast.Unforeseen)  # what a loop is run for


class Turn:
    """What one turn is, in the mean: runs, and seconds."""

    def __init__(self, runs: float, seconds: float) -> None:
        self.runs = runs
        self.seconds = seconds


class Sampling:
    """Views of turns in a row."""

    def __init__(self, watch: Watch, place: Place, looks: Looks) -> None:
        self._watch = watch
        self._place = place
        self._looks = looks
        self._views: List[state.View] = []
        self._began = 0.0  # seconds spent at the place, at the first view
        self._runs: List[int] = []
        self.expected = 0
        self.is_hopeless = False
        self._cycle: Optional[Cycle] = None  # of generators that the program steps

    def take(self, loop: Loop, frame: FrameType) -> Optional[Plan]:
        """One view more; a plan once there are enough. Raises TooMuch, Unforeseen."""
        self.expected = loop.turns + 1
        if self._cycle is not None and not self._cycle.turns:
            with self._looks:
                self.is_hopeless = not self._cycle.step(frame)
            return None
        if not self._views:
            self._began = loop.spent
        self._runs.append(self._watch.tally.runs())
        state.users_modules()  # which ones are is asked once of each: no cost of this loop
        with self._looks:
            self._views.append(state.view(frame, self._place, _iterators(loop.iterator)))
            if len(self._views) < 2:
                return None
            last = self._views[-1]
            change = None if self._cycle is not None else state.change_of(self._views)
            is_stepped = change is None and bool(last.stepped)
            if is_stepped:
                change = state.change_of(self._views, last.positions)
        if change is None:
            self.is_hopeless = True
            return None
        if len(self._views) < VIEWS:
            return None
        if is_stepped and self._cycle is None:  # looked for from turn to turn; then all is looked at anew
            self._cycle = Cycle(last.stepped)
            self._views, self._runs = [], []
            return None
        cycle = 1 if self._cycle is None else self._cycle.turns
        return Plan(self._watch, self._place, self._looks, change, self._mean(loop), loop, frame, cycle)

    def _mean(self, loop: Loop) -> Turn:
        turns = len(self._runs) - 1
        return Turn((self._runs[-1] - self._runs[0]) / turns, (loop.spent - self._began) / turns)


def _iterators(iterator: Any) -> List[Any]:
    """The iterator and what it goes over."""
    found = [iterator, iterator.rest] if isinstance(iterator, _Drawn) else [iterator]
    for item in found:
        if type(item) in (enumerate, zip, map, filter, reversed):
            try:
                found += [part for part in item.__reduce__()[1] if hasattr(part, "__next__")]
            except TypeError:
                pass
    return found + [positions.of(item) for item in found]


def _may_go_on(iterator: Any, place: Place) -> bool:
    """May the program take more from the iterator itself, where it must be just as far as the loop?"""
    kind = type(iterator)
    if iterator is None or kind in columns.SEQUENCES or positions.of(iterator) is not None:
        return False  # they are moved themselves
    is_held = sys.getrefcount(iterator) > _REFERENCES
    return is_held and (place.analysis.may_break or kind in columns.RANGES or kind in (enumerate, zip))


def _is_followed(frame: FrameType, alike: Optional[int]) -> bool:
    """Is it known how far the data set is from which Keras's steps take their batches?"""
    position = positions.of(frame.f_locals.get("iterator"))
    return position is not None and (position.left is None or alike is not None)


class Plan:
    """Which turns of a loop are still run."""

    def __init__(self, watch: Watch, place: Place, looks: Looks, change: state.Change, mean: Turn,
                 loop: Loop, frame: FrameType, cycle: int) -> None:
        """`cycle`: turns are left out by so many, or by twice, thrice... as many."""
        self._watch = watch
        self._place = place
        self._looks = looks
        self._change = change
        self._mean = mean
        self._cycle = cycle
        self.expected = loop.turns
        of_keras = type(loop.iterator).__name__ == _BATCHES  # begins anew in each epoch
        if not of_keras and _may_go_on(loop.iterator, place):
            raise forecast.Unforeseen
        if any(change.grows(part.__reduce__()[1][0]) for part in _iterators(loop.iterator)
               if type(part) in columns.SEQUENCES and part.__length_hint__()):
            raise forecast.Unforeseen  # the loop feeds itself
        self._at = 0  # turns from where the plan was made
        now = change.last
        scene = forecast.Scene(frame, now, change, place.target, place.analysis.fresh)
        conditions = self._foreseen(scene, loop)
        self._combinations = forecast.Combinations(conditions)
        self._forms = Forms()
        self._alike = change.turns_of_data()
        if of_keras and not _is_followed(frame, self._alike):
            raise forecast.Unforeseen
        self._turns: Optional[List[int]] = None  # to be run, in order; None: as elements are drawn
        self._end = ENDLESS
        if loop.iterator is None:
            self._while(scene)
        else:
            self._for(loop.iterator)
        if self._turns is None and cycle > 1:
            raise forecast.Unforeseen

    def _foreseen(self, scene: forecast.Scene, loop: Loop) -> List[forecast.Condition]:
        """The conditions that are. Raises Unforeseen when one that went one way only may go the other
        way, and nobody can say when."""
        found = []
        for number, node in self._place.conditions.items():
            try:
                condition = scene.condition(number, node)
            except forecast.Unforeseen:
                continue
            if condition.varies:
                found.append(condition)
        known = {condition.number for condition in found}
        for number, _, varied in _core.branches_open(loop.since):
            if varied and number not in known and number not in self._place.own:
                raise forecast.Unforeseen
        return found

    # --- turns that can be computed ----------------------------------------------------------------
    def _for(self, iterator: Any) -> None:
        """Where it is known what the loop takes next; else elements are drawn."""
        rows = columns.columns_of(iterator)
        if rows is None or rows.are_short:
            return
        if isinstance(self._place.target, (ast.Attribute, ast.Subscript, ast.Starred)):
            raise forecast.Unforeseen
        try:
            self._schedule(len(rows), rows.part, rows.new_forms())
        except forecast.Unforeseen:
            self._turns, self._end = None, ENDLESS

    def _while(self, scene: forecast.Scene) -> None:
        test = self._place.test
        end = None if test is None else forecast.turns_left(scene, test)
        self._schedule(ENDLESS if end is None else end, None, ())

    def _schedule(self, count: int, part: Any, further: Sequence[int]) -> None:
        of_data = self._change.turns_of_data()
        count = count if of_data is None else min(count, of_data)
        turns = {*self._combinations.new_turns(count, part), *further}
        if count < ENDLESS:
            turns.update(range(max(0, count - LAST), count))
            turns.update(1 << power for power in range(2, count.bit_length(), 2))
        self._turns = sorted(turns)
        self._end = count

    # --- going on ---------------------------------------------------------------------------------
    def go_on(self, loop: Loop, frame: FrameType) -> bool:
        """Moves to the next turn that is run; False: there is none."""
        self.expected = loop.turns + 1
        if self._turns is None:
            return self._draw(loop, frame)
        while self._turns and self._turns[0] < self._at:
            self._turns.pop(0)
        if not self._turns:
            if self._end < ENDLESS:  # of the loop, or of elements that are alike
                loop.data, loop.wait = None, LAST
                return True
            self._watch.skip(self._place, 0, 0)
            return False
        turns = (self._turns[0] - self._at) // self._cycle * self._cycle
        if self._change.is_too_much(turns):
            self._watch.skip(self._place, 0, 0)
            return False
        self._skip(loop, frame, turns)
        self._at += turns + 1
        return True

    def _skip(self, loop: Loop, frame: FrameType, turns: int) -> None:
        """Leaves turns out, and does what they would have changed."""
        if turns <= 0:
            return
        with self._looks:
            now = state.view(frame, self._place, _iterators(loop.iterator))
        self._looks.saved += turns * self._mean.seconds
        self._watch.skip(self._place, turns, self._mean.runs)
        self._change.apply(frame, now, turns)
        if self._turns is not None and loop.iterator is not None:
            loop.iterator = columns.moved(loop.iterator, turns)

    # --- elements that must be drawn ----------------------------------------------------------------
    def _draw(self, loop: Loop, frame: FrameType) -> bool:
        """Draws elements until one is new. The last ones are kept, and run in any case."""
        if not isinstance(loop.iterator, _Drawn):
            loop.iterator = _Drawn(loop.iterator)
        drawn = loop.iterator
        until = time.thread_time() + DRAWING
        skipped = 0
        is_counted = isinstance(drawn.rest, enumerate)
        while drawn.fill(LAST + 1):
            element = drawn.waiting[0]
            is_new = self._forms.is_new(element[1] if is_counted else element)
            is_new = is_new or self._change.is_too_much(skipped + 1)
            is_new = is_new or self._alike is not None and self._at + skipped >= self._alike - LAST
            if self._combinations.is_new(self._at + skipped, _part_of(element)) or is_new:
                break
            drawn.waiting.popleft()
            skipped += 1
            if time.thread_time() > until:
                left = 0 if self._alike is None else self._alike - LAST - self._at
                if type(drawn.rest).__name__ == _BATCHES and left > skipped and \
                        not self._change.is_too_much(left):
                    skipped = left  # to the end of the data set, which the numbers of batches then do not say
                    break
                drawn.close()
                self._skip(loop, frame, skipped)
                self._watch.skip(self._place, 0, 0)
                return False
        self._skip(loop, frame, skipped)
        self._at += skipped + 1
        return True


def _part_of(element: Any) -> Callable[[Tuple[int, ...], Any], Any]:
    def part(path: Tuple[int, ...], turns: Any) -> Any:
        found = element
        for index in path:
            found = found[index]
        return found

    return part


class _Drawn:
    """An iterator of which elements are taken before their turn."""

    def __init__(self, rest: Any) -> None:
        self.rest = rest
        self.waiting: Deque[Any] = deque()
        self._failure: Optional[BaseException] = None
        self._is_over = False

    def __iter__(self) -> _Drawn:
        return self

    def __next__(self) -> object:
        if self.waiting:
            return self.waiting.popleft()
        if self._failure is not None:
            failure, self._failure, self._is_over = self._failure, None, True
            raise failure
        if self._is_over:
            raise StopIteration
        return next(self.rest)

    def fill(self, count: int) -> bool:
        """Are there so many elements more? What the iterator raises is raised in its turn."""
        while len(self.waiting) < count and not self._is_over and self._failure is None:
            try:
                self.waiting.append(next(self.rest))
            except StopIteration:
                self._is_over = True
            except Exception as error:
                self._failure = error
        return len(self.waiting) == count

    def close(self) -> None:
        """As when all was taken: what a generator holds is let go, and Keras's data know that an epoch has
        ended."""
        for part in _iterators(self.rest):
            if isinstance(part, GeneratorType):
                part.close()
            elif type(part).__name__ == _BATCHES:
                part.data_adapter.on_epoch_end()
