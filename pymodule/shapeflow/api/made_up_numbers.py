"""Numbers that are made up because Python wanted one of something that nobody knows."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Dict, Set, Tuple

TURNS = 2  # of a `for` over something unknown, in a first run
_SIZES = 480, 672  # that heads, groups and strides divide, and five poolings leave more than one of


class _Assumed:
    """What was made up because Python wanted a number. Of one program two runs are made with two variants
    of it, 0 and 1: what both find does not depend on it."""

    def __init__(self) -> None:
        self.numbers = 0
        self.variant = 0
        # Files and lines where lines of a text that is not there are split at a separator, and gone through.
        self.split_at: Set[Tuple[str, int]] = set()
        self.parts: Dict[Tuple[str, int], int] = {}  # how many they have there, where it is not their words
        self.columns: Tuple[str, ...] = ()  # that a table of unknown columns has, too
        self.lists_columns = False  # were those of such a table gone through?
        self.size_used = 0  # of an axis of a model; 0: none was made up
        self.is_late = False  # a function that was looked up before anything was unknown may be given it
        self._first: Dict[CodeType, int] = {}  # where a function first chose by something unknown

    def number(self) -> int:
        """One that nobody knows."""
        self.numbers += 1
        return 3 if self.variant else 1

    def size(self) -> int:
        """Of an axis of a model. All that nobody knows are the same: programs have one size in many names."""
        self.numbers += 1
        self.size_used = _SIZES[self.variant]
        return self.size_used

    def takes(self, frame: FrameType) -> bool:
        """Does a choice between branches, by something unknown, take this one? A first run takes the
        first, and a second the one after it."""
        self.numbers += 1
        return not self.variant or frame.f_lasti != self._first.setdefault(frame.f_code, frame.f_lasti)

    @property
    def turns(self) -> int:
        """Of a `for` over something unknown."""
        self.numbers += 1
        return TURNS + self.variant


assumed = _Assumed()
