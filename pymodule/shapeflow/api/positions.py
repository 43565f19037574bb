"""How far the program's data sets and queues are: what their own steps change, and no object of the program
shows. A position has `left`: the elements that are still to come and are alike, None when they never end; who
leaves out turns of a loop (checker/loops) makes it smaller.
"""
from __future__ import annotations

import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List

class Ahead:
    """How many seconds of processor time elements of a Python generator are drawn for before they are
    wanted, to see how many are alike; 0 until a loop takes its time, and where every turn is run."""

    def __init__(self) -> None:
        self.seconds = 0.0


ahead = Ahead()
_positions: weakref.WeakSet[object] = weakref.WeakSet()  # of all that are alive


def register(position: Any) -> None:
    """From now on it is one of them, for as long as it lives."""
    _positions.add(position)


def alive() -> List[Any]:
    return list(_positions)


def of(iterator: Any) -> Any:
    """The position of an iterator of a data set; None: it is none."""
    kind = type(iterator)
    return iterator._sf_position if hasattr(kind, "_sf_position") else None
