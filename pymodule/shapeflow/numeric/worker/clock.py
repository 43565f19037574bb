"""The time of a search: what it has of a processor, so that what else the machine does takes nothing of it.

Never more than the clock says, though threads of TensorFlow compute side by side; and as the clock may go on
while nothing is computed, never less than a part of that.
"""
from __future__ import annotations

import time

_SLOWEST = 8.0  # times as slow as the clock


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._begun_cpu = time.process_time()

    def now(self) -> float:
        passed = time.monotonic() - self._begun
        return max(min(passed, time.process_time() - self._begun_cpu), passed / _SLOWEST)
