"""Where the layers of a program were made.

A layer makes its weights when it first sees an input, in the middle of a model or of a training; the line to
change is the one that made the layer. Its weights are said to be made there.
"""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Tuple

_HERE = "_sf_here"
_names: Dict[int, Set[str]] = {}  # of the layers with weights, by where they were made


def note(layer: object) -> None:
    """`layer` is made now."""
    vars(layer).setdefault(_HERE, _core.here())


class weights_of:
    """What is made while it holds is a weight of `layer`."""

    def __init__(self, layer: Any) -> None:
        self._here = vars(layer).get(_HERE, 0)
        if self._here:
            _names.setdefault(self._here, set()).add(str(layer.name))

    def __enter__(self) -> None:
        self._before = _core.set_located(self._here)

    def __exit__(self, *exc: object) -> None:
        _core.set_located(self._before)


def frames_of(layer: object) -> Optional[List[Tuple[str, int, int, int, int, str]]]:
    """Where it was made; None: nobody knows."""
    here = vars(layer).get(_HERE, 0)
    return _core.frames_of_locations([here]).get(here) or None if here else None


def name_at(frame: Tuple[str, int, int, int, int, str]) -> str:
    """The layer whose weights were made there; "" for none, or where there are several."""
    found: Set[str] = set()
    for here, frames in _core.frames_of_locations(list(_names)).items():
        if frames and tuple(frames[0]) == tuple(frame):
            found |= _names[here]
    return found.pop() if len(found) == 1 else ""
