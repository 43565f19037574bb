"""For people: location, source with carets, where each operand and dim is from, TensorFlow's own words."""
from __future__ import annotations

import shapeflow.formats.snippet as snippet
import shapeflow.formats.view as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence

    from shapeflow.findings import Record, Report
    from shapeflow.formats import Options

_TAB = "    "
_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "help": "\x1b[1;32m",
    "tensorflow says": "\x1b[1m", "place": "\x1b[1m", "gutter": "\x1b[34m", "source": "",
    "primary": "\x1b[1;31m", "operand": "\x1b[34m", "plain": "", "dim": "\x1b[2m",
}


class Painter:
    """Puts text into a style, or leaves it alone."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, style: str, text: str) -> str:
        code = _STYLES[style] if self._color else ""
        return f"{code}{text}{_RESET}" if code and text else text


def headline(record: Record, paint: Painter) -> str:
    """`path.py:LINE:COL: error[SF101]: op: message`."""
    return (f"{paint('place', view.printable(view.place(record)) + ':')} "
            f"{paint(record.severity, f'{record.severity}[{record.code}]')}: "
            f"{view.printable_lines(view.title(record))}")


def _snippet(record: Record, options: Options, paint: Painter) -> List[str]:
    lines = snippet.layout(view.marks(record), options.width, record.primary)
    gutter = max((len(str(line.number)) for line in lines if line.number is not None), default=0)
    out = []
    for line in lines:
        number = "" if line.number is None else str(line.number)
        pieces = "".join(paint(style, text) for style, text in line.pieces)
        out.append(f" {paint('gutter', number.rjust(gutter) + ' |')} {pieces}".rstrip())
    return out


def _note(note: view.Note, paint: Painter) -> str:
    text = f" {paint(note.kind, note.kind + ':')} "
    text += view.printable_lines(note.text).replace("\n", "\n   ")
    if note.span is not None:
        text += f" {view.printable(view.location(note.span))}"
        quoted = view.source_of(note.span)
        text += _TAB + paint("dim", quoted) if quoted else ""
    return text


def text_of(record: Record, options: Options) -> str:
    """One finding, without an empty line after it."""
    paint = Painter(options.color)
    lines = [headline(record, paint), *_snippet(record, options, paint)]
    lines += ["  " + view.printable(line) for line in view.operand_lines(record)]
    lines += [_note(note, paint) for note in view.notes(record)]
    return "\n".join(lines)


def render(reports: Sequence[Report], options: Options) -> str:
    return "".join(text_of(record, options) + "\n\n"
                   for report in reports for record in view.shown(report))
