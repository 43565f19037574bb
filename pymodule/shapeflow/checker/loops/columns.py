"""What a `for` still takes, where that can be known without a step: ranges, lists, tuples and arrays, also
numbered by enumerate and side by side in zip. Each is a column of the elements.
"""
from __future__ import annotations

import time

from shapeflow.api import positions
from shapeflow.checker.loops.forecast import Unforeseen
from shapeflow.checker.loops.forms import DATA, Forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple


class _Rows:
    """Has an iterator of the kind that arrays have."""

    def __getitem__(self, at: int) -> None:
        raise IndexError


RANGES: Tuple[type, ...] = (type(iter(range(0))), type(iter(range(1 << 70))))
SEQUENCES: Tuple[type, ...] = (type(iter([])), type(iter(())), type(iter(_Rows())))
ENDLESS = 1 << 40  # turns of a loop whose end nobody foresees
_LOOKING = 0.2  # seconds for the forms of elements
_FEW = 64
_TEXTS = {str, bytes, bool, type(None)}


class Column:
    """`rows[start + turn]` stands at `path` in the element of a turn."""

    def __init__(self, path: Tuple[int, ...], rows: Any, start: int) -> None:
        self.path = path
        self.rows = rows
        self.start = start

    def __len__(self) -> int:
        return max(0, len(self.rows) - self.start)

    def new_forms(self) -> Sequence[int]:
        """The turns whose row has a form that none before had."""
        rows = self.rows
        if isinstance(rows, range) or hasattr(rows, "dtype"):
            return ()  # of an array all rows have one form
        rows = rows[self.start:]
        kinds = set(map(type, rows))
        if kinds <= {float}:
            return ()
        if kinds <= {int}:
            return () if len(set(rows)) > DATA else sorted(_first(rows).values())
        if kinds <= _TEXTS:
            return sorted(_first(rows).values())
        forms, until = Forms(), time.thread_time() + _LOOKING
        found = []
        for turn, row in enumerate(rows):
            if forms.is_new(row):
                found.append(turn)
            if turn % 64 == 0 and time.thread_time() > until:
                break
        return found

    def at(self, turns: Any) -> Any:
        """Its rows, of numbers only. Raises Unforeseen."""
        if isinstance(self.rows, _Alike):
            raise Unforeseen
        if isinstance(self.rows, range):
            return self.rows.start + self.rows.step * (turns + self.start)
        import numpy

        rows = numpy.asarray(self.rows)
        if rows.ndim != 1 or rows.dtype.kind not in "biuf":
            raise Unforeseen
        self.rows = rows
        return rows[numpy.minimum(turns + self.start, len(rows) - 1)]


def _first(rows: Any) -> Dict[object, int]:
    """Of each value the first turn that has it."""
    return dict(zip(reversed(rows), range(len(rows) - 1, -1, -1)))


class _Alike:
    """As many rows as a data set still has that are alike."""

    def __init__(self, position: Any) -> None:
        self._left = position.left
        self.dtype = None

    def __len__(self) -> int:
        return ENDLESS if self._left is None else int(self._left)

    def __getitem__(self, turns: object) -> Any:
        raise Unforeseen


class Columns:
    """All columns of an iterator."""

    def __init__(self, columns: List[Column]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return min(map(len, self._columns))

    @property
    def are_short(self) -> bool:
        """Is it a data set of which only a few elements to come are alike, as in short epochs?"""
        return len(self) < _FEW and any(isinstance(column.rows, _Alike) for column in self._columns)

    def new_forms(self) -> Sequence[int]:
        """The turns whose element has a form that none before had."""
        return [turn for column in self._columns for turn in column.new_forms()]

    def part(self, path: Tuple[int, ...], turns: Any) -> Any:
        """Part of the elements, of one turn or an array of them. Raises Unforeseen."""
        for column in self._columns:
            if column.path == path:
                return column.at(turns)
        raise Unforeseen


def columns_of(iterator: object) -> Optional[Columns]:
    """None: nobody knows what it gives."""
    found = _columns(iterator, ())
    return None if found is None else Columns(found)


def _columns(iterator: Any, path: Tuple[int, ...]) -> Optional[List[Column]]:
    kind = type(iterator)
    if kind in RANGES:
        return [Column(path, rest_of(iterator), 0)]
    if kind in SEQUENCES:
        if not iterator.__length_hint__():
            return [Column(path, (), 0)]
        _, (rows,), start = iterator.__reduce__()
        return [Column(path, rows, start)] if _is_plain(rows) else None
    position = positions.of(iterator)
    if position is not None:
        return None if position.pushed else [Column(path, _Alike(position), 0)]
    if kind not in (enumerate, zip):
        return None
    parts = iterator.__reduce__()[1]
    if kind is enumerate:
        inner = _columns(parts[0], (*path, 1))
        count = min(map(len, inner)) if inner else 0
        numbers = range(parts[1], parts[1] + count)
        return None if inner is None else [Column((*path, 0), numbers, 0), *inner]
    found: List[Column] = []
    for number, part in enumerate(parts):
        inner = _columns(part, (*path, number))
        if inner is None:
            return None
        found += inner
    return found or None


def _is_plain(rows: object) -> bool:
    """Does reading a row do nothing else?"""
    return isinstance(rows, (list, tuple)) or type(rows).__module__ == "numpy" and hasattr(rows, "dtype")


def rest_of(iterator: Any) -> range:
    """What an iterator of a range still gives."""
    reduced = iterator.__reduce__()
    whole: range = reduced[1][0]
    position = reduced[2] if len(reduced) > 2 and reduced[2] is not None else 0
    return whole[position:]


def moved(iterator: Any, count: int) -> Any:
    """The same iterator, so many elements later: of those that have columns."""
    if type(iterator) in RANGES:
        return iter(rest_of(iterator)[count:])
    if type(iterator) in SEQUENCES:
        reduced = iterator.__reduce__()
        if len(reduced) > 2:
            iterator.__setstate__(reduced[2] + count)
        return iterator
    position = positions.of(iterator)
    if position is not None:
        position.drop(count)
        return iterator
    parts = iterator.__reduce__()[1]
    if type(iterator) is enumerate:
        return enumerate(moved(parts[0], count), parts[1] + count)
    return zip(*[moved(part, count) for part in parts])
