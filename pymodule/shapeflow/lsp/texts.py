"""Positions: ours are lines from 1 and columns in bytes of UTF-8, the protocol's lines from 0 and columns
in code units that client and server agree on. And where a line of a checked text is after edits."""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Tuple

_LINES = re.compile(r"\r\n|\r|\n")  # str.splitlines knows more ends than Python and the protocol do

_MOST = 1 << 20  # pairs of lines that are compared


def split_lines(text: str) -> List[str]:
    return _LINES.split(text)


def units(text: str, encoding: str) -> int:
    """How many code units of the client `text` takes."""
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == "utf-32":
        return len(text)
    return len(text) + sum(ord(char) > 0xFFFF for char in text)


def to_client(line: str, column: int, encoding: str) -> int:
    """A column in bytes as the client counts."""
    head = line.encode("utf-8", "surrogatepass")[:column]
    return units(head.decode("utf-8", "replace"), encoding)


def from_client(line: str, character: int, encoding: str) -> int:
    """The client's column in bytes; beyond the end: the end."""
    count = 0
    for i, char in enumerate(line):
        if count >= character:
            return len(line[:i].encode("utf-8", "surrogatepass"))
        count += units(char, encoding)
    return len(line.encode("utf-8", "surrogatepass"))


class Moved:
    """Lines of `old` in `new` (both from 0), where they were not edited."""

    def __init__(self, old: List[str], new: List[str]) -> None:
        most = min(len(old), len(new))
        head = 0
        while head < most and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        self._head = head
        self._tail = len(old) - tail
        self._shift = len(new) - len(old)
        self._new = new
        self._between: Dict[int, int] = {}
        middle, changed = old[head:self._tail], new[head:len(new) - tail]
        if 0 < len(middle) * len(changed) <= _MOST:
            from difflib import SequenceMatcher

            for match in SequenceMatcher(None, middle, changed, False).get_matching_blocks():
                for i in range(match.size):
                    self._between[head + match.a + i] = head + match.b + i

    def forward(self, line: int) -> Optional[int]:
        """Where a line of the old text is now; None: it was edited."""
        if line < self._head:
            return line
        return line + self._shift if line >= self._tail else self._between.get(line)

    def range(self, line: int, end_line: int) -> Optional[Tuple[int, int]]:
        """Of a place over several lines, all of them untouched."""
        first, last = self.forward(line), self.forward(end_line)
        return (first, last) if first is not None and last is not None \
            and last - first == end_line - line else None

    def text(self, line: int) -> str:
        return self._new[line] if 0 <= line < len(self._new) else ""
