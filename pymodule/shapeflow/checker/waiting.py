"""What a script sleeps: nobody waits for it, and a script that only waits ends.

A program that looks for a new checkpoint every ten minutes would use up the time limit. So a long sleep
takes a moment only, in which other threads run, once the program has made operations. Shorter ones are real:
signals and processes of the program are timed by them. Where one place has slept for long, no operation was
made in between, its names have the values that they had, and no other thread of the script is there to change
anything, the next turn is as the last: it ends there.
"""
from __future__ import annotations

import sys
import time

from shapeflow import _core
from shapeflow.checker.findings import Record, Span, assumed, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, Mapping, Tuple

    from shapeflow.checker.patches import Patcher

_MOMENT = 0.005
_LONG = 10.0  # seconds
_ENOUGH = 60.0  # seconds that a place would have slept
_TURNS = 3
_NEAR_NOW = 3600.0  # seconds from the clock: a time that the script has taken


class EndlessWait(SystemExit):
    """Ends a program that waits for what does not come."""


def cut_short(by: Patcher, script: str, note: Callable[[Record], None]) -> None:
    """time.sleep of the script and of what it imports; `note` takes the note where it ends."""
    sleep = time.sleep
    slept: Dict[object, Tuple[int, float, object]] = {}  # by place: how often, how long, in what state

    def shortened(seconds: Any) -> None:
        made = _core.counters()["ops"]
        if not by.on or not made or not isinstance(seconds, (int, float)) or not seconds >= _LONG:
            sleep(seconds)
            return
        sleep(_MOMENT)
        frame = sys._getframe(1)
        place = frame.f_code, frame.f_lineno
        now = made, _values(frame.f_locals, seconds)
        turns, sum_s, before = slept.get(place, (0, 0.0, now))
        turns, sum_s = (turns + 1, sum_s + seconds) if before == now else (1, float(seconds))
        slept[place] = turns, sum_s, now
        if turns >= _TURNS and sum_s >= _ENOUGH and not _has_threads() and _is_of(frame, script):
            where = Span(frame.f_code.co_filename, frame.f_lineno)
            note(assumed("{text}:{int} waits for what nobody brings while it is checked: the program ends "
                         "there", display_path(where.path), where.line, primary=where))
            raise EndlessWait

    by.set(time, "sleep", shortened)


def _values(names: Mapping[str, Any], slept: float) -> Dict[str, object]:
    """What tells one turn of a loop from another: a counter, how long a list is. Not what the clock says, nor
    what is left of an interval, which is slept."""
    found: Dict[str, Any] = {}
    clock = time.time()
    for name, value in list(names.items()):
        if type(value) is float and (value == slept or abs(value - clock) < _NEAR_NOW):
            continue
        if type(value) in (bool, int, float, str, bytes):
            found[name] = value
        elif type(value) in (list, dict, set):
            found[name] = len(value)
    return found


def _has_threads() -> bool:
    """Does the script have another thread than its first?"""
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def _is_of(frame: FrameType, script: str) -> bool:
    from shapeflow.checker.library_frames import is_library

    return not is_library(frame.f_code.co_filename, script)
