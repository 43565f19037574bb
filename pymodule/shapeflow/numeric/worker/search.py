"""The search for values that make an operation give NaN or infinity.

Per suspect, until one breaks it: the program's own data, legal extremes, and then by gradients. What is fed
anew in each step is moved by the sign of the gradient, clipped to its legal range, with the program's own
training step between; samples that move least are replaced by others of the program's data. What is there
once (initial values) is moved by a linear solve, and by the sign where that leads nowhere.
Source: Yan et al., ESEC/FSE 2021, sections 3.2 to 3.4: change 0.15 of the range, switch rate 0.05.
"""
from __future__ import annotations

import math

from . import clock, contrast, externals, objective

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

    import numpy as np

    from .session import Program, Run

    Values = Dict[str, np.ndarray]

_STEP = 0.15  # of the legal range
_SWITCH_RATE = 0.05  # of the samples, replaced each time
_SWITCH_EVERY = 20  # iterations
_FIRST_BATCHES = 4  # of the program's own, before anything else is tried
_QUICK = 40  # iterations before the program trains
_TREND, _LEAST_FALL = 6, 0.8  # iterations, and the share of the distance that they have to leave
_PATIENCE = 2500  # iterations without a smaller distance: the trend of the loss ends the search
_LEARNS, _MOVES = 40, 15  # iterations with the program's training step, and without, in turn
_ATTEMPTS = 4  # from the initial values, with training
_SOLVES = 25
_NEARLY, _SINGLE_MOVES = 1e-3, 8  # the share of the first distance that single elements take, and how many
_SLOWLY, _SLOW = 3, 0.95  # solutions, and the share of the distance that each of them leaves
_QUARTER = (0.2, 0.3)
_MISTAKES = 3  # times that the operand itself is NaN before the operation breaks
_HALVINGS = 24
_SMALLER = 1e-4  # what counts as smaller, as a share


class Found(Exception):
    """`values` of all externals; `what` came out."""

    def __init__(self, what: str, values: Values, phase: str) -> None:
        super().__init__(what)
        self.what = what
        self.values = values
        self.phase = phase


class Ended(Exception):
    """Nothing was found, and why the search ended."""


class Search:
    """Of one suspect. `closest`: the smallest distance that was seen."""

    def __init__(self, program: Program, suspect: Dict[str, Any], seconds: float) -> None:
        import numpy as np

        self.program = program
        self.tf = program.tf
        self.suspect = suspect
        self.clock = clock.Clock()
        self.deadline = self.phase_ends = seconds
        self.iterations = 0
        self.closest = math.inf
        self.notes: List[str] = []
        self.moves = True  # it has a slope there
        self.flat = False  # what is fed does not lower the distance: the program has to train first
        tf = self.tf
        losses = program.losses_of(suspect["node"]) if suspect["in_gradient"] else []
        with program.imported.graph.as_default():
            found = program.imported.operation(suspect["node"])
            if found is None:
                raise objective.NoObjective("the operation is a gradient, or not in TensorFlow's graph")
            self.objective = objective.Objective(tf, found, suspect, losses)
            batches = program.data_for(suspect["node"])
            self.batches = [self._clean(batch) for batch in batches]
            fed = {program.imported.tensor(name).name for batch in batches for name in batch
                   if program.imported.fetch(name) is not None}
            goal = self.objective
            self.externals = externals.externals([goal.operand, goal.result, *goal.inputs], fed)
            self._set_values()
            self._movable = [e for e in self.externals if e.tensor.dtype.is_floating]
            self._derived: Dict[str, Dict[str, Any]] = {}
        self.by_name = {e.name: e for e in self.externals}
        self.rows = self._batch_rows()
        count = self.rows or 1
        self.moved = np.zeros(count)
        self.clipped = np.zeros(count)
        self.turns = np.zeros(count)

    # Derivatives are made when a phase asks for them: an early witness needs one kind, or none.
    @property
    def slopes(self) -> Dict[str, Any]:
        return self._slopes_of("loss")

    @property
    def nearest(self) -> Dict[str, Any]:
        return self._slopes_of("nearest")

    @property
    def linear(self) -> Dict[str, Any]:
        return self._slopes_of("distance")

    def _slopes_of(self, what: str) -> Dict[str, Any]:
        if what not in self._derived:
            tf = self.tf
            with self.program.imported.graph.as_default():
                made = tf.gradients(getattr(self.objective, what), [e.tensor for e in self._movable]) \
                    if self._movable else []
                self._derived[what] = {e.name: tf.convert_to_tensor(slope)
                                       for e, slope in zip(self._movable, made) if slope is not None}
        return self._derived[what]

    # the program's own data
    def _clean(self, batch: Values) -> Values:
        """Without what is NaN in it, which is said."""
        import numpy as np

        made = {}
        for name, value in batch.items():
            if value.dtype.kind == "f" and not np.isfinite(value).all():
                note = f"the script's own data hold NaN or infinity ({name})"
                if note not in self.notes:
                    self.notes.append(note)
                value = np.nan_to_num(value, posinf=0.0, neginf=0.0)
            made[name] = value
        return made

    def _set_values(self) -> None:
        """`values`: of what is fed; `ranges`: of what may be changed."""
        first = self.batches[0] if self.batches else {}
        self.values: Values = {}
        self.ranges: Dict[str, Any] = {}
        self.whole: Dict[str, bool] = {}
        self.assumed: List[str] = []
        self.pool: Dict[str, List[np.ndarray]] = {}
        for name in first:
            if self.program.imported.fetch(name) is None:
                continue
            arrays = [batch[name] for batch in self.batches]
            tensor = self.program.imported.tensor(name).name
            self.values[tensor] = arrays[0].copy()
            self.pool[tensor] = arrays
            if self.program.is_made_up(name):
                self.assumed.append(tensor)
            found = externals.legal_range(arrays)
            if found is not None:
                self.ranges[tensor] = found
                self.whole[tensor] = externals.is_whole(arrays)
        batch = next((len(value) for value in self.values.values() if value.ndim), None)
        for external in self.externals:
            if external.kind == "input" and external.name not in self.values:
                self.values[external.name] = self.program.made_up(external.tensor, batch)
                self.assumed.append(external.name)
                if external.tensor.dtype.is_floating:
                    self.ranges[external.name] = 0.0, 1.0
        self.own = {name: value.copy() for name, value in self.values.items()}

    def _batch_rows(self) -> int:
        """The size of the axis that all changing feeds share, but for numbers; 0: there is none."""
        sizes = {len(self.values[name]) for name in self.ranges
                 if name in self.values and self.values[name].ndim}
        return sizes.pop() if len(sizes) == 1 else 0

    # one evaluation
    def look(self, values: Values, slopes: Optional[Dict[str, Any]] = None,
             phase: str = "") -> Dict[str, Any]:
        """The distance and the slopes at these values. Raises Found, Ended."""
        import numpy as np

        now = self.clock.now()
        if now > self.deadline:
            raise Ended("the time limit")
        if now > self.phase_ends:  # of a large program each step takes long; what trains is to have its share
            raise _Passed("the time limit")
        self.iterations += 1
        goal = self.objective
        wanted = {"distance": goal.distance, "operand": goal.operand, "result": goal.result,
                  "inputs": goal.inputs, "slopes": slopes or {},
                  "drawn": {e.name: e.tensor for e in self.externals
                            if e.kind in ("random", "state") and e.name not in values}}
        seen: Dict[str, Any] = self.program.runs_again.run(wanted, values)
        what = objective.broke(seen["result"], seen["inputs"])
        if what:
            self._confirm({**values, **seen["drawn"]}, phase)
        distance = float(np.asarray(seen["distance"], np.float64))
        if math.isfinite(distance):
            self.closest = min(self.closest, distance)
        return seen

    def _confirm(self, values: Values, phase: str) -> None:
        """Once more with every external value fixed: what is read of variables too. Raises Found."""
        goal = self.objective
        fixed = dict(values)
        missing = {e.name: e.tensor for e in self.externals if e.name not in fixed}
        fixed.update(self.program.session.run(missing))
        fixed = {name: value for name, value in fixed.items() if name in self.by_name}
        result, inputs = self.program.session.run([goal.result, goal.inputs], fixed)
        what = objective.broke(result, inputs)
        if what:
            raise Found(what, fixed, phase)

    def breaks(self, values: Values) -> Tuple[str, Any]:
        """(what comes out, the result) of a full set of values, for the shrinking."""
        result, inputs = self.program.session.run([self.objective.result, self.objective.inputs], values)
        return objective.broke(result, inputs), result

    # the phases
    def run(self) -> None:
        """Raises Found or Ended."""
        reason = "nothing that may be changed reaches the operand"
        for phase, share in self._phases():
            now = self.clock.now()
            self.phase_ends = now + share * (self.deadline - now)
            try:
                phase()
            except _Passed as passed:
                reason = str(passed) or reason
        raise Ended(reason)

    def _phases(self) -> Iterator[Tuple[Callable[[], None], float]]:
        """What is tried, with its share of the time that is left; what finds most in least time first."""
        yield from ((self._own_data, 0.3), (self._extremes, 0.3), (self._equals, 0.3), (self._by_sign, 0.2),
                    (self._by_solving, 0.3), (self._by_initial_values, 0.5))
        longer = (self._other_data, 0.3), (self._by_sign_longer, 0.2)
        is_first = not self.flat
        if is_first:
            yield from longer
        yield self._by_contrast, 0.5
        if not is_first:
            yield from longer
        yield self._by_training, 1.0

    def _own_data(self) -> None:
        """The program's first data, in the order in which they were fed."""
        self.look(self.values, phase="own data")
        self._look_at_batches(1, _FIRST_BATCHES)

    def _other_data(self) -> None:
        """All others: one batch seldom breaks what its neighbours do not."""
        self._look_at_batches(_FIRST_BATCHES, None)

    def _look_at_batches(self, first: int, last: Optional[int]) -> None:
        count = max(map(len, self.pool.values()), default=0)
        for i in range(first, count if last is None else min(last, count)):
            self.look({**self.values, **{name: arrays[i] for name, arrays in self.pool.items()
                                         if i < len(arrays)}}, phase="own data")

    def _extremes(self) -> None:
        """All of a changing feed at the ends of its range, and what is drawn at random."""
        import numpy as np

        for end in (0, 1):
            changed = dict(self.values)
            for name, limits in self.ranges.items():
                changed[name] = np.full_like(self.values[name], limits[end])
            if self.ranges:
                self.look(changed, phase="extremes")

    def _equals(self) -> None:
        """What two feeds of one shape have in common: a pair of the same sample, of which the distance is
        zero and the angle has no derivative."""
        import numpy as np

        names = [name for name in self.ranges if name in self.values]
        for i, first in enumerate(names):
            same = [name for name in names[i:] if self.values[name].shape == self.values[first].shape
                    and self.values[name].dtype == self.values[first].dtype]
            low = max(self.ranges[name][0] for name in same)
            high = min(self.ranges[name][1] for name in same)
            if len(same) > 1 and low <= high:
                shared = np.clip(self.values[first], low, high)
                self.look({**self.values, **{name: shared for name in same}}, phase="equal inputs")

    def _by_sign(self) -> None:
        """Of what is fed or drawn in each step, while the program does not train."""
        if not self._iterative():
            raise _Passed()
        self._iterate(_QUICK, [], has_trend=True)

    def _by_sign_longer(self) -> None:
        """From where it stopped, for what falls slowly."""
        if self._iterative():
            self._iterate(_QUICK, [])

    def _training(self) -> List[Run]:
        """The program's steps. Raises _Passed: there are none, or nothing of them reaches the operand."""
        training = list(self.program.training)
        if not training or not any(e.kind == "variable" for e in self.externals):
            raise _Passed("the loss did not fall any further" if self._iterative() else "")
        return training

    def _by_contrast(self) -> None:
        training = self._training()
        self.values = {name: value.copy() for name, value in self.own.items()}
        try:
            raise _Passed(contrast.train(self, training, self.phase_ends))
        finally:
            self.program.restore(self.program.start)

    def _by_training(self) -> None:
        """Step by step as `_by_sign`, with the program's own step between; the samples are the program's
        own again."""
        training = self._training()
        reason = ""
        for attempt in range(_ATTEMPTS):
            self.values = {name: value.copy() for name, value in self.own.items()}
            self.program.restore(self.program.start)
            try:
                self._iterate(1 << 60, training, together=attempt % 2 == 1)
            except _Passed as passed:
                reason = str(passed)
            finally:
                self.program.restore(self.program.start)
        raise _Passed(reason)

    def _iterative(self) -> List[str]:
        return [name for name in self.slopes
                if name in self.ranges or self.by_name[name].bounds() is not None]

    def _iterate(self, most: int, training: Sequence[Run], together: bool = False,
                 has_trend: bool = False) -> None:
        """`together`: all samples are moved while the program trains, too. `has_trend`: ends where the
        distance falls slowly."""
        import numpy as np

        names = self._iterative()
        drawn: Values = {}  # random values that the search moves
        best, since, step, mistakes = math.inf, 0, _STEP, 0
        phase = "gradient sign" + (" with training" if training else "")
        first = earlier = math.inf
        for turn in range(most):
            # Of what is trained on, the nearest sample alone is moved: were all samples alike, with different
            # labels, nothing could be learnt from them, and the variables would stay small.
            learns = bool(training) and (together or turn % (_LEARNS + _MOVES) < _LEARNS)
            slopes = self.nearest if learns and not together else self.slopes
            wanted = {name: slopes[name] for name in names if name in slopes}
            seen = self.look({**self.values, **drawn}, wanted, phase)
            distance = float(np.asarray(seen["distance"], np.float64))
            if not math.isfinite(distance):
                mistakes += 1
                if mistakes > _MISTAKES:
                    raise _Passed("its operand is NaN or infinite before it: another operation breaks first")
                self.values = {name: value.copy() for name, value in self.own.items()}
                drawn = {}
                step /= 4
                if training:
                    self.program.restore(self.program.start)
                continue
            since = 0 if distance < best - abs(best) * _SMALLER or best == math.inf else since + 1
            best = min(best, distance)
            first = distance if turn == 0 else first
            if has_trend and turn % _TREND == 0:
                self.flat = turn == 0 or best == first
                self.moves = turn > 0 or bool(seen["drawn"]) or any(map(np.any, seen["slopes"].values()))
                if turn and best > _LEAST_FALL * earlier:
                    raise _Passed("the loss did not fall any further")
                earlier = best
            if since and since % _SWITCH_EVERY == 0:
                step = _STEP if step < _STEP / 64 else step / 2  # a step too long goes to and fro
            if since > _PATIENCE:
                raise _Passed("the loss did not fall any further")
            before = dict(self.values)
            for name, slope in seen["slopes"].items():
                self._move(name, slope, step, drawn, seen["drawn"])
            if not training and not seen["drawn"] and all(
                    np.array_equal(value, self.values[name]) for name, value in before.items()):
                raise _Passed("the loss did not fall any further")  # nor will it
            self.turns += 1
            if self.rows and turn and turn % _SWITCH_EVERY == 0:
                self._switch()
            for run in training if learns else ():
                self.train(run, self.values)

    def moved_by_sign(self, values: Values, slopes: Values) -> Values:
        """One step inside the legal ranges."""
        moved = dict(values)
        for name, slope in slopes.items():
            low, high = self.ranges[name]
            change = _STEP * (high - low) * _sign(slope)
            if self.whole.get(name):
                change = _sign(slope) * max(round(_STEP * float(high - low)), 1)
            moved[name] = _clip(values[name], change, low, high)
        return moved

    def _move(self, name: str, slope: Any, step: float, drawn: Values, fresh: Values) -> None:
        import numpy as np

        now = self.values.get(name)
        if now is None:
            now = drawn.get(name, fresh.get(name))
        if now is None:
            return
        low, high = self.ranges.get(name) or self.by_name[name].bounds() or (0.0, 0.0)
        change = np.sign(np.nan_to_num(slope)) * (step * (high - low))
        if self.whole.get(name):
            change = np.sign(change) * np.maximum(np.round(np.abs(change)), np.abs(change) > 0)
        wanted = now - change.astype(now.dtype)
        new = np.clip(wanted, low, high).astype(now.dtype)
        if name not in self.values:
            drawn[name] = new
            return
        self.values[name] = new
        if self.rows:
            axes = tuple(range(1, now.ndim))
            self.moved += (change != 0).mean(axis=axes)
            self.clipped += ((wanted < low) | (wanted > high)).mean(axis=axes)

    def _switch(self) -> None:
        """The samples that moved least, or ran against their range most, give way to others of the
        program."""
        import numpy as np

        scores = (self.moved - self.clipped + 1) / (self.turns + 1e-7)
        worst = np.argsort(scores)[:max(1, int(self.rows * _SWITCH_RATE))]
        for row in worst:
            batch = self.program.random.randint(1 << 30)
            other = self.program.random.randint(self.rows)
            for name, arrays in self.pool.items():
                array = arrays[batch % len(arrays)]
                if array.ndim and len(self.values[name]) == self.rows and len(array):
                    self.values[name][row] = array[other % len(array)]
        for counts in (self.moved, self.clipped, self.turns):
            counts[worst] = 0

    def train(self, run: Run, values: Values) -> None:
        """The program's own training step on these values. Raises _Passed."""
        imported = self.program.imported
        feeds = {}
        for tensor, value in self.program.feed(run.feeds).items():
            here = values.get(tensor.name)
            feeds[tensor.name] = value if here is None or here.ndim != value.ndim else here
        fetches = [getattr(item, "op", item) for item in map(imported.fetch, run.fetches) if item is not None]
        try:
            self.program.runs_again.run({"step": fetches}, feeds)
        except self.tf.errors.OpError as error:
            raise _Passed(f"the program's training step failed: {str(error)[:200]}") from None

    # what is there once
    def _by_solving(self) -> None:
        names = self._iterative()
        if names and self.moves:
            self._solve(names, dict(self.values), "linear solve")

    def _by_initial_values(self) -> None:
        """Of variables, inside what the program's initialisation draws; what only feeds reach passes."""
        limits = {}
        for external in self.externals:
            if external.kind == "variable" and external.tensor.dtype.is_floating:
                found = self.program.initial_range(external.variable)
                if found is not None:
                    limits[external.name] = found
        limits = {name: found for name, found in limits.items() if name in self.nearest}
        if not limits:
            raise _Passed()
        start = self.program.session.run({name: self.by_name[name].tensor for name in limits})
        saved = dict(self.ranges)
        self.ranges.update(limits)
        try:
            self._solve(list(limits), {**self.values, **start}, "linear solve")
            for names in (list(limits), [*limits, *(n for n in self._iterative() if n not in limits)]):
                self._follow_signs(names, {**self.values, **start})
        finally:
            self.ranges = saved
        raise _Passed("the loss did not fall any further")

    def _follow_signs(self, names: List[str], values: Values) -> None:
        import numpy as np

        before: Optional[Values] = None
        for _ in range(_QUICK):
            seen = self.look(values, {name: self.slopes[name] for name in names}, "gradient sign")
            if float(np.asarray(seen["distance"], np.float64)) <= 0:
                if before is not None:
                    self._narrow(before, values)
                return
            before = dict(values)
            for name, slope in seen["slopes"].items():
                low, high = self.ranges.get(name) or self.by_name[name].bounds() or (0.0, 0.0)
                now = values.get(name)
                if now is None:
                    now = seen["drawn"][name]
                values[name] = _clip(now, _STEP * (high - low) * _sign(slope), low, high)
            if all(name in before and np.array_equal(value, before[name]) for name, value in values.items()):
                return

    def _narrow(self, outside: Values, inside: Values) -> None:
        """The operand is what breaks the operation, and nothing broke: so far inside, all that comes back of
        a saturated program is 0. Searches where it only just is."""
        import numpy as np

        for _ in range(_HALVINGS):
            middle = {name: (value + (outside[name] - value) / 2).astype(value.dtype)
                      if name in outside and value.dtype.kind == "f" else value
                      for name, value in inside.items()}
            seen = self.look(middle, phase="gradient sign")
            if float(np.asarray(seen["distance"], np.float64)) <= 0:
                inside = middle
            else:
                outside = middle

    def _solve(self, names: List[str], values: Values, phase: str) -> None:
        """distance(w + d) = 0 for a distance that is linear in w: d = -distance * slope / |slope|^2, again
        and again."""
        import numpy as np

        has_logarithm = True  # its slopes say those of the distance where that is above zero
        first = last = math.inf
        slow = 0
        for turn in range(_SOLVES):
            of = self.nearest if has_logarithm else self.linear
            wanted = {name: of[name] for name in names if name in of}
            if not wanted:
                return
            seen = self.look(values, wanted, phase)
            distance = float(np.asarray(seen["distance"], np.float64))
            if has_logarithm and (not distance > 0 or not all(np.isfinite(slope).all()
                                                              for slope in seen["slopes"].values())):
                has_logarithm = False
                continue
            scale = objective.height(distance) if has_logarithm else 1.0
            slopes = {name: np.nan_to_num(scale * np.asarray(slope, np.float64))
                      for name, slope in seen["slopes"].items()}
            square = sum(float((slope * slope).sum()) for slope in slopes.values())
            if not math.isfinite(distance) or square == 0:
                return
            first = distance if turn == 0 else first
            slow = slow + 1 if distance > _SLOW * last else 0
            if slow > _SLOWLY or distance > 0 and distance >= last:
                if 0 < distance < _NEARLY * first:
                    self._move_one(list(wanted), values, phase)
                return
            # A square root of squares: the step of a linear distance halves what is squared.
            is_square = _QUARTER[0] < distance / last < _QUARTER[1]
            last = distance
            for name, slope in slopes.items():
                now = values.get(name)
                if now is None:
                    now = seen["drawn"][name]
                low, high = self.ranges.get(name) or self.by_name[name].bounds() or (0.0, 0.0)
                # Every other time a little beyond: what is only nearly out of range is in it.
                beyond = 2.0 if is_square else 1 + 1e-6 * (turn % 2)
                values[name] = _clip(now, beyond * distance * slope / square, low, high)

    def _move_one(self, names: List[str], values: Values, phase: str) -> None:
        """The distance that is left is lost in the last digits of all elements together: one that is near
        zero has finer ones, and takes all of it. If that is rounded away, too, the next one has its turn."""
        import numpy as np

        tried: Set[Tuple[str, int]] = set()
        while len(tried) < _SINGLE_MOVES:
            slopes = {name: self.linear[name] for name in names if name in self.linear}
            seen = self.look(values, slopes, phase)
            distance = float(np.asarray(seen["distance"], np.float64))
            nearest = math.inf, "", 0
            for name, slope in seen["slopes"].items():
                sizes = np.where(slope == 0, math.inf, np.abs(values.get(name, math.inf))).ravel()
                for place in [place for of, place in tried if of == name]:
                    sizes[place] = math.inf
                if sizes.size:
                    nearest = min(nearest, (float(sizes.min()), name, int(sizes.argmin())))
            size, name, place = nearest
            if size == math.inf or not 0 < distance < math.inf:
                return
            tried.add((name, place))
            moved = values[name].copy()
            moved.flat[place] -= distance / seen["slopes"][name].flat[place]
            low, high = self.ranges.get(name) or (0.0, 0.0)
            values[name] = np.clip(moved, low, high).astype(moved.dtype)


class _Passed(Exception):
    """This phase found nothing; its text: why it ended."""


def _sign(slope: Any) -> Any:
    import numpy as np

    return np.sign(np.nan_to_num(slope))


def _clip(now: Any, change: Any, low: Any, high: Any) -> Any:
    import numpy as np

    return np.clip(now - np.asarray(change).astype(now.dtype), low, high).astype(now.dtype)
