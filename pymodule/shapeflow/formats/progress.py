"""A line on the terminal while something takes long, and nothing anywhere else."""
from __future__ import annotations

import _thread
import os

from shapeflow.checker.reports import iterations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, TextIO

DELAY = 1.0  # seconds before the first line: most checks are over by then
INTERVAL = 0.2


def wanted(stream: TextIO) -> bool:
    """Is `stream` a terminal that can rewrite a line?"""
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):
        return False


class Line:
    """One line that is written over, and wiped before anything else is printed. One thread shows it while
    another one reports; Ctrl-C reports at any moment, hence the lock, which a thread can take twice."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = ""
        self._is_held = False
        self._lock = _thread.RLock()

    def hold(self, held: bool) -> None:
        """While somebody else writes in its place."""
        with self._lock:
            self._is_held = held
            if held:
                self.clear()

    def show(self, text: str) -> None:
        text = text[:_width() - 1]
        with self._lock:
            if self._is_held or text == self._shown:
                return
            pad = " " * max(0, len(self._shown) - len(text))
            self._write("\r" + text + pad)
            self._shown = text

    def wipe(self) -> None:
        """Whatever stands there, also of another process."""
        with self._lock:
            self._write("\r" + " " * (_width() - 1) + "\r")
            self._shown = ""

    def clear(self) -> None:
        with self._lock:
            if self._shown:
                self._write("\r" + " " * len(self._shown) + "\r")
                self._shown = ""

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # the terminal is gone; the check is not


def _width() -> int:
    try:
        return os.get_terminal_size(2).columns or 80
    except OSError:
        return 80


def line_text(script: str, counters: Dict[str, int], seconds: float) -> str:
    """`train.py: 12,800 iterations, 12,798 not repeated, 14 s`."""
    parts = [f"{script}: "]
    made = iterations(counters)
    if made:
        parts.append(f"{made:,} iteration{'s' * (made != 1)}, ")
        if counters.get("hits"):
            parts.append(f"{counters['hits']:,} of them known from before, ")
    parts.append(f"{seconds:.0f} s")
    return "".join(parts)
