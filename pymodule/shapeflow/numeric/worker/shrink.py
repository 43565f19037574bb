"""A witness made small: the fewest samples, and the fewest elements that are not the program's own."""
from __future__ import annotations

from . import clock, objective

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Optional

    import numpy as np

    from .search import Search

    Values = Dict[str, np.ndarray]

_TRIALS, _SECONDS = 200, 15.0  # evaluations, and what they may take of a large program
_SINGLES = 8  # samples that are tried alone


class Small:
    """`values` break the operation as `what` says. `samples`: 0 where there is no such axis; `changed` of
    `elements` of what is fed are not the program's own."""

    def __init__(self, values: Values, what: str, samples: int, changed: int, elements: int) -> None:
        self.values = values
        self.what = what
        self.samples = samples
        self.changed = changed
        self.elements = elements


def shrink(search: Search, values: Values, what: str) -> Small:
    trials = _Trials(search, values, what)
    rows = search.rows or _rows(search, values)
    own = dict(search.own)
    samples = rows
    if rows:
        kept = trials.rows(rows)
        if kept is not None:
            samples = len(kept)
            own = {name: value[kept] if value.ndim and len(value) == rows else value
                   for name, value in own.items()}
    trials.variables()
    changed = elements = 0
    for name in sorted(own):
        if name in trials.values and trials.values[name].shape == own[name].shape:
            trials.elements(name, own[name])
            changed += int((trials.values[name] != own[name]).sum())
            elements += own[name].size
    return Small(trials.values, trials.what, samples, changed, elements)


def _rows(search: Search, values: Values) -> int:
    """The first axis that all inputs share."""
    sizes = {len(values[e.name]) if values[e.name].ndim else 0 for e in search.externals
             if e.kind == "input" and e.name in values}
    return sizes.pop() if len(sizes) == 1 else 0


class _Trials:
    """Smaller values, each of which breaks the operation still."""

    def __init__(self, search: Search, values: Values, what: str) -> None:
        self._search = search
        self.values = values
        self.what = what
        self._left = _TRIALS
        self._clock = clock.Clock()

    def _holds(self, values: Values) -> bool:
        if self._left <= 0 or self._clock.now() > _SECONDS:
            return False
        self._left -= 1
        try:
            what, _ = self._search.breaks(values)
        except Exception:  # a shape that the graph refuses, such as a batch of one where it wants eight
            return False
        if what:
            self.values, self.what = values, what
        return bool(what)

    def rows(self, count: int) -> Optional[np.ndarray]:
        """One sample alone, else fewer and fewer of them; None: all are needed."""
        import numpy as np

        _, result = self._search.breaks(self.values)
        bad = objective.rows_that_broke(result)
        first = [row for row in bad if row < count] if np.ndim(result) and len(result) == count else []
        for row in [*first, *(row for row in range(count) if row not in first)][:_SINGLES]:
            kept = np.array([row])
            if count > 1 and self._holds(self._cut(self.values, kept, count)):
                return kept
        kept = np.arange(count)
        full = self.values
        size = count // 2
        while size >= 1 and len(kept) > 1:
            for start in range(0, len(kept), size):
                rest = np.delete(kept, np.arange(start, min(start + size, len(kept))))
                if len(rest) and self._holds(self._cut(full, rest, count)):
                    kept = rest
                    break
            else:
                size //= 2
        return kept if len(kept) < count else None

    def _cut(self, values: Values, kept: np.ndarray, count: int) -> Values:
        names = {e.name for e in self._search.externals if e.kind in ("input", "random")}
        return {name: value[kept] if name in names and value.ndim and len(value) == count else value
                for name, value in values.items()}

    def variables(self) -> None:
        """Their initial values in place of those that training or the search led to."""
        start = self._search.program.start
        for external in self._search.externals:
            value = start.get(external.variable) if external.kind == "variable" else None
            if value is not None and value.shape == self.values[external.name].shape:
                self._holds({**self.values, external.name: value})

    def elements(self, name: str, own: np.ndarray) -> None:
        """The program's own elements in place of others: all of them, then halves, quarters..."""
        import numpy as np

        places = np.flatnonzero((self.values[name] != own).ravel())
        if not len(places) or self._holds({**self.values, name: own}):
            return
        size = (len(places) + 1) // 2
        while size >= 1 and self._left > 0:
            start = 0
            while start < len(places) and self._left > 0:
                part = places[start:start + size]
                tried = self.values[name].copy()
                tried.flat[part] = own.flat[part]
                if self._holds({**self.values, name: tried}):
                    places = np.delete(places, np.arange(start, start + len(part)))
                else:
                    start += size
            size //= 2
