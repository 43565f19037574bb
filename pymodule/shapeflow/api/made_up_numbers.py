"""Numbers that are made up because Python wanted one of something that nobody knows."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Dict

TURNS = 2  # of a `for` over something unknown, in a first run


class _Assumed:
    """What was made up because Python wanted a number. Of one program two runs are made with two variants
    of it, 0 and 1: what both find does not depend on it."""

    def __init__(self) -> None:
        self.numbers = 0
        self.variant = 0
        self._first: Dict[CodeType, int] = {}  # where a function first chose by something unknown

    def number(self) -> int:
        """One that nobody knows."""
        self.numbers += 1
        return 3 if self.variant else 1

    def takes(self, frame: FrameType) -> bool:
        """Does a choice between branches, by something unknown, take this one? A first run takes the
        first, and a second the one after it."""
        self.numbers += 1
        return not self.variant or frame.f_lasti != self._first.setdefault(frame.f_code, frame.f_lasti)

    @property
    def turns(self) -> int:
        """Of a `for` over something unknown."""
        return TURNS + self.variant


assumed = _Assumed()
