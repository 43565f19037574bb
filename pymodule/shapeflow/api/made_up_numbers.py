"""Numbers that are made up because Python wanted one of something that nobody knows."""
from __future__ import annotations

TURNS = 2  # of a `for` over something unknown, in a first run


class _Assumed:
    """What was made up because Python wanted a number. Of one program two runs are made with two variants
    of it, 0 and 1: what both find does not depend on it."""

    def __init__(self) -> None:
        self.numbers = 0
        self.variant = 0

    def number(self) -> int:
        """One that nobody knows."""
        self.numbers += 1
        return 3 if self.variant else 1

    @property
    def turns(self) -> int:
        """Of a `for` over something unknown."""
        return TURNS + self.variant


assumed = _Assumed()
