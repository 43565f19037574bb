"""Trials that begin where an edited program parts from the one that is run, as the search asks for them.

What is tried on the whole program takes as long as the program each time. Where the server can hold the
program at the points of `fixes/points.py` (`fixes/checkpoints.py`), only what follows the edit is run.
"""
from __future__ import annotations

import os
import sys

from shapeflow.fixes import points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.fixes.points import Point
    from shapeflow.fixes.search import Judge, Search, Texts

_ENOUGH = 2  # trials of which each had a program held for it, and left something behind


class Begun:
    """The trials for one finding. `texts`: of the script, in those that may be made."""

    def __init__(self, search: Search, judge: Judge, texts: Sequence[str]) -> None:
        self._search = search
        self._judge = judge
        self._path = os.path.abspath(os.path.join(search.cwd, search.script))
        self._points: Dict[str, Point] = {}  # by the edited text
        self._is_held = False
        self._spoilt = 0
        self._number = 0
        options = search.options
        source = next((s for path, s in judge.sources.items()
                       if os.path.abspath(os.path.join(search.cwd, path)) == self._path), None)
        self._text = source.text if source is not None else ""
        if len(texts) > 1 and source is not None and sys.platform == "linux" and options.policy.layers and \
                options.tf_version and self._path.endswith(".py"):
            self._points = {text: points.expected(source, text) for text in texts}

    def run(self, texts: Texts, watch: List[Any]) -> Optional[Dict[str, Any]]:
        """The answer of a trial; None where it must be made on the whole program."""
        point = self._points.get(texts.get(self._path, "")) if len(texts) == 1 else None
        if point is None or self._spoilt >= _ENOUGH:
            return None
        search, judge = self._search, self._judge
        if not self._is_held:
            job = search.job({self._path: self._text}, judge.watch(()), ())
            search.server.run({**job, "time_limit": search.left(),
                               "points": sorted(set(self._points.values()))})
            self._is_held = True
        self._number += 1
        answer: Dict[str, Any] = search.server.run({
            "point": point, "number": self._number, "texts": texts, "watch": watch,
            "allowed": judge.allowed(), "scout": False, "time_limit": search.job({}, (), ())["time_limit"]})
        if answer.get("refused"):
            self._is_held = False  # what is run instead ends it
            self._spoilt += 1
            return None
        if answer.get("lost") or not answer:
            self._points.clear()
            return None
        if answer.get("touched") or "report" not in answer:
            self._is_held = False  # the next one is to find the world as it was
            self._spoilt += 1
        return answer
