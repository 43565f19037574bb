"""Training on samples that hardly differ but have different labels.

What tells them apart has to become large before the program can, and the whole range is many times that
difference: a classifier that learns from differences of 1/32 of the range has logits 32 times as large at its
ends. The difference is halved whenever the program has learnt it. All samples are inside the legal range, and
labels are rows of the program's own.
"""
from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Generator, List

    import numpy as np

    from .search import Search
    from .session import Run

    Values = Dict[str, np.ndarray]

_PHASE = "training on samples that hardly differ"
_STEPS = 10  # of the program's training, between two looks
_LOOKS = 3  # at which the distance fell too slowly: the difference is learnt
_SLOWER = 0.4  # times as fast as it ever fell at this difference; half the difference gives half of that anew
_HALVINGS = 6  # and then from the whole range again, as long as the distance falls
_LEAST = 1e-45  # a distance that is less has no logarithm in float32
_SLICE = 1.0  # seconds of one pattern, before the other one may have its turn
_LEAST_SHARE = 0.25  # of the time of that which came farther
_FALLS = 0.1  # of its logarithm, what counts as falling


class Contrast:
    """Samples of two kinds. `near`: what the program trains on; `far`: the same at the ends of the range,
    where the operation is looked at.

    `is_one_sided`: the first kind is all at the lower end, and the other one above it everywhere, so that the
    whole way to the upper end lies on the side that was learnt for it. Else each kind is above in those
    elements in which the other one is not, at random, for a program that sees no difference between samples
    that are even: of each of them only half of the elements have a way to go."""

    def __init__(self, search: Search, is_one_sided: bool) -> None:
        import numpy as np

        self._search = search
        random = search.program.random
        self.names = [name for name in search.ranges if name in search.values
                      and search.values[name].ndim and len(search.values[name]) == search.rows]
        kinds = random.randint(2, size=search.rows)
        kinds[:2] = 0, 1
        self._kinds = kinds.astype(bool)
        self._patterns = {
            name: np.ones(search.values[name].shape[1:], bool) if is_one_sided else
            random.randint(2, size=search.values[name].shape[1:]).astype(bool) for name in self.names}
        self._labels = self._two_labels()

    def _two_labels(self) -> Values:
        """Of what may not be changed: one row of the program's for each kind, which differ."""
        import numpy as np

        search = self._search
        own = {name: value for name, value in search.own.items()
               if name not in self.names and value.ndim and len(value) == search.rows}
        first = 0
        for second in range(1, search.rows):
            if any((value[first] != value[second]).any() for value in own.values()):
                break
        else:
            return {}
        return {name: value[np.where(self._kinds, first, second)] for name, value in own.items()}

    def at(self, share: float) -> Values:
        """All values that are fed, where the two kinds differ by this share of the range."""
        import numpy as np

        search = self._search
        made = {**search.values, **self._labels}
        for name in self.names:
            low, high = search.ranges[name]
            kinds = self._kinds.reshape(-1, *[1] * (made[name].ndim - 1))
            change = share * (np.float64(high) - low)
            if search.whole.get(name):
                change = np.maximum(np.round(change), 1)
            value = low + change * (kinds == self._patterns[name])
            made[name] = np.clip(value, low, high).astype(made[name].dtype)
        return made


def train(search: Search, training: List[Run], until: float) -> str:
    """Why it ended. With samples of both patterns in turn, most of the time of that which came farther: which
    of them a program breaks with is not known before. Raises Found, Ended. `until`: a time of the search's
    clock."""
    if search.rows < 2:
        return ""
    turns = [_Turn(search, Contrast(search, is_one_sided), training, until) for is_one_sided in (True, False)]
    reason = "the time limit"
    while turns and search.clock.now() < until:
        best = min(turns, key=lambda turn: turn.height)
        turn = next((turn for turn in turns if turn.spent < _LEAST_SHARE * best.spent), best)
        reason = turn.go_on() or reason
        turns = [turn for turn in turns if not turn.has_ended]
    return reason


class _Turn:
    """Training on samples of one pattern, which stops and goes on. `height`: the least that it came to."""

    def __init__(self, search: Search, contrast: Contrast, training: List[Run], until: float) -> None:
        self.spent, self.height = 0.0, -math.inf  # each has a turn before they are compared
        self.has_ended = False
        self._search = search
        self._steps = _train(search, contrast, training, until)
        self._values = search.program.start

    def go_on(self) -> str:
        """Why it ended; "": it did not yet."""
        program, clock = self._search.program, self._search.clock
        begun = clock.now()
        program.restore(self._values)
        try:
            while clock.now() < begun + _SLICE:
                self.height = next(self._steps)
        except StopIteration as ended:
            self.has_ended = True
            return str(ended.value)
        self.spent += clock.now() - begun
        self._values = program.values()
        return ""


def _train(search: Search, contrast: Contrast, training: List[Run],
           until: float) -> Generator[float, None, str]:
    """Why it ended; between two steps the logarithm of the least distance."""
    far = contrast.at(1.0)
    begun = float(search.look(far, phase=_PHASE)["distance"])
    first = _height(begun) if math.isfinite(begun) else -math.inf
    best = before = math.inf  # logarithms of distances; `before`: at the end of the last time around
    halvings, steepest, slow = 0, 0.0, 0
    is_measured = True
    while search.clock.now() < until:
        # Of samples that differ by the whole range the logarithm fell by first - best; of these by about one:
        # they are known apart, and there is still much to learn of them. Where it is learnt all the same
        # (biases tell labels apart, too), the difference is halved, from the whole range on.
        near = contrast.at(1 / max(first - best, 1) if is_measured else 0.5 ** halvings)
        values = search.program.values()
        for _ in range(_STEPS):
            for run in training:
                search.train(run, near)
        yield best
        seen = search.look(far, {name: search.slopes[name] for name in contrast.names
                                 if name in search.slopes}, _PHASE)
        if not math.isfinite(float(seen["distance"])):
            search.program.restore(values)
            return _look_at_each_step(search, training, near, far)
        far = search.moved_by_sign(far, seen["slopes"])
        height = _height(float(seen["distance"]))
        fall = best - height if best < math.inf else 0.0
        best = min(best, height)
        steepest = max(steepest, fall)
        slow = slow + 1 if fall <= _SLOWER * steepest else 0
        if slow < _LOOKS:
            continue
        halvings, steepest, slow = 0 if is_measured else halvings + 1, 0.0, 0
        is_measured = False
        if halvings > _HALVINGS:
            if best > before - _FALLS:
                return "the loss did not fall any further"
            halvings, before, is_measured = 0, best, True
    return "the time limit"


def _look_at_each_step(search: Search, training: List[Run], near: Values, far: Values) -> str:
    """Something broke in the training itself, and ended all numbers: here, or in what is trained on."""
    for _ in range(_STEPS):
        search.look(near, phase=_PHASE)
        search.look(far, phase=_PHASE)
        for run in training:
            search.train(run, near)
    return "its operand is NaN or infinite before it: another operation breaks first"


def _height(distance: float) -> float:
    return math.log(max(distance, _LEAST))
