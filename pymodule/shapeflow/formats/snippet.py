"""Source lines with what is underlined in them, laid out in columns as a terminal shows them.

Tabs reach to the next multiple of four, wide characters take two columns, combining ones none; a line
that is too long is cut around its marks.
"""
from __future__ import annotations

import unicodedata

from shapeflow.formats.view import character_column, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Sequence, Tuple

    from shapeflow.checker.findings import Span
    from shapeflow.formats.view import Mark

    Piece = Tuple[str, str]

_TAB = 4
_MARGIN = 20  # columns kept before the first mark of a line that is cut


class Line:
    """One line of a snippet: the number in the gutter (None: none), and pieces of (style, text).
    Styles: "source", "primary", "operand", "plain"."""

    def __init__(self, number: Optional[int], pieces: List[Piece]) -> None:
        self.number = number
        self.pieces = pieces


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def columns(text: str) -> Tuple[str, List[int]]:
    """The line without tabs, and the display column of each character and of the end."""
    out: List[str] = []
    starts: List[int] = []
    column = 0
    for character in text:
        starts.append(column)
        if character == "\t":
            step = _TAB - column % _TAB
            out.append(" " * step)
        else:
            step = _width(character)
            out.append(character)
        column += step
    starts.append(column)
    return "".join(out), starts


class _Placed:
    """A mark on one line, in display columns."""

    def __init__(self, mark: Mark, start: int, stop: int) -> None:
        self.sign = mark.sign
        self.label = mark.label
        self.start = start
        self.stop = max(stop, start + 1)

    @property
    def style(self) -> str:
        return "primary" if self.sign == "^" else "operand"


def _line_of(mark: Mark) -> int:
    """Where it is drawn: a call that a chain of lines leads to is named on the last one."""
    span = mark.span
    if mark.sign == "^" and mark.label == "" and span.end_line > span.line and _is_tail(span):
        return span.end_line
    return span.line


def _is_tail(span: Span) -> bool:
    """Does nothing of it stand on its first line?"""
    return span.column >= 0 and not span.text[character_column(span, span.column):].strip(" \\")


def _place(mark: Mark, line: int, text: str, starts: Sequence[int]) -> _Placed:
    span = mark.span
    indent = len(text) - len(text.lstrip())
    first, last = indent, len(text.rstrip())
    if span.column >= 0:
        if line == span.line:
            first = character_column(span, span.column)
        if line == span.end_line and span.end_column >= 0:
            at = type(span)(span.path, line, span.end_column)
            last = character_column(at, span.end_column)
    first, last = min(first, len(text)), min(max(last, first), len(text))
    return _Placed(mark, starts[first], starts[last])


def _cut(text: str, marks: List[_Placed], width: int) -> str:
    """A window of `width` columns with the marks in it, which are moved along."""
    _, starts = columns(text)
    if starts[-1] <= width:
        return text
    left = max(0, min((mark.start for mark in marks), default=0) - _MARGIN)
    left = 0 if max((mark.stop for mark in marks), default=0) <= width - 3 else left
    first = next(i for i, column in enumerate(starts) if column >= left)
    left = starts[first]
    room = width - (3 if left else 0) - 3
    stop = next((i for i, column in enumerate(starts) if column > left + room), len(text) + 1) - 1
    cut = ("..." if left else "") + text[first:stop] + ("..." if stop < len(text) else "")
    shift = left - (3 if left else 0)
    end = starts[stop] - shift
    for mark in marks:
        mark.start = min(mark.start - shift, end - 1)
        mark.stop = min(mark.stop - shift, end)
    return cut


def _underline(marks: Sequence[_Placed]) -> List[Piece]:
    """`^^^^ ---- -----  label of the last`."""
    pieces: List[Piece] = []
    column = 0
    for mark in marks:
        if mark.start > column:
            pieces.append(("plain", " " * (mark.start - column)))
        start = max(column, mark.start)
        if mark.stop > start:
            pieces.append((mark.style, mark.sign * (mark.stop - start)))
        column = max(column, mark.stop)
    if marks[-1].label:
        pieces.append((marks[-1].style, " " + marks[-1].label))
    return pieces


def _labels(marks: Sequence[_Placed]) -> List[List[Piece]]:
    """A row for each label but the last mark's, from right to left, with bars down to those that wait."""
    rows: List[List[Piece]] = []
    waiting = [mark for mark in marks[:-1] if mark.label]
    while waiting:
        mark = waiting.pop()
        pieces: List[Piece] = []
        column = 0
        for other in waiting:
            pieces += [("plain", " " * (other.start - column)), (other.style, "|")]
            column = other.start + 1
        pieces += [("plain", " " * max(0, mark.start - column)), (mark.style, mark.label)]
        rows.append(pieces)
    return rows


def layout(marks: Sequence[Mark], width: int, primary: Optional[Span]) -> List[Line]:
    """The lines that hold `marks`, in order, each followed by its underlines, and the first line of
    `primary`; [] without any source."""
    by_line: Dict[int, List[Mark]] = {primary.line: []} if primary is not None else {}
    for mark in marks:
        by_line.setdefault(_line_of(mark), []).append(mark)
    lines: List[Line] = []
    before: Optional[int] = None
    for number in sorted(by_line):
        span = by_line[number][0].span if by_line[number] else primary
        text = printable(type(span)(span.path, number).text).rstrip() if span is not None else ""
        if not text:
            continue
        if before is not None and number > before + 1:
            lines.append(Line(None, [("plain", "...")]))
        before = number
        _, starts = columns(text)
        placed = [_place(mark, number, text, starts) for mark in by_line[number]]
        # An operand lies within the operation when that could not be told apart from it.
        placed.sort(key=lambda mark: (mark.start, mark.sign == "^", mark.stop))
        text = _cut(text, placed, width)
        lines.append(Line(number, [("source", columns(text)[0])]))
        if not placed:
            continue
        lines.append(Line(None, _underline(placed)))
        lines.extend(Line(None, row) for row in _labels(placed))
    return lines
