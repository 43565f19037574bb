"""How far something long is: a bar where a person looks at standard error, else a line for each step."""
from __future__ import annotations

import sys
import time

_WIDTH = 24


class Progress:
    """`step` after each part that is done; `say` for what stays on the screen; `close` at the end."""

    def __init__(self, total: int, unit: str) -> None:
        self.total, self.unit, self.done = total, unit, 0
        self._begun = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._drawn = ""

    def step(self, more: str = "") -> None:
        self.done += 1
        self._show(more)

    def _show(self, more: str) -> None:
        spent = max(1e-9, time.monotonic() - self._begun)
        words = f"{self.done}/{self.total} {self.unit}, {60 * self.done / spent:.1f} a minute"
        words += f", {more}" if more else ""
        if not self._is_terminal:
            print(f"shapeflow: {words}", file=sys.stderr, flush=True)
            return
        full = _WIDTH * min(self.done, self.total) // max(1, self.total)
        left = spent / self.done * max(0, self.total - self.done)
        self._draw(f"[{'#' * full}{'.' * (_WIDTH - full)}] {words}, {_time(left)} left")

    def _draw(self, line: str) -> None:
        """In the place of the one before."""
        sys.stderr.write("\r" + line.ljust(len(self._drawn)))
        sys.stderr.flush()
        self._drawn = line

    def say(self, text: str) -> None:
        if self._drawn:
            self._draw("")
            sys.stderr.write("\r")
        print(f"shapeflow: {text}", file=sys.stderr, flush=True)
        self._drawn = ""

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = ""


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
