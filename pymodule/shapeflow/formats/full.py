"""For people: location, source with carets, where each operand and dim is from, TensorFlow's own words."""
from __future__ import annotations

import re

import shapeflow.formats.links as links
import shapeflow.formats.snippet as snippet
import shapeflow.formats.view as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence, Tuple

    from shapeflow.checker.findings import Record, Report
    from shapeflow.formats import RenderOptions

_TAB = "    "
_RESET = "\x1b[0m"
# These two have a contrast of 4.5 and more against black and against white: #875fd7 and #767676.
_VIOLET = "\x1b[38;5;98m"
_GREY = "\x1b[38;5;243m"
_STYLES = {
    "error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "help": "\x1b[1;32m",
    "tensorflow says": "\x1b[1m", "place": "\x1b[1m", "gutter": _GREY, "source": "",
    "primary": "\x1b[1;31m", "operand": _VIOLET, "plain": "", "dim": _GREY,
    "old": "\x1b[31m", "new": "\x1b[32m",
}
_SHAPE = re.compile(r"[\[(][\w?.+*/, -]*[\])]")
_DIFF_SHOWN = 6  # lines of one fix


class Painter:
    """Puts text into a style, or leaves it alone."""

    def __init__(self, options: RenderOptions) -> None:
        self._color = options.color
        self._has_links = options.links

    def __call__(self, style: str, text: str) -> str:
        code = _STYLES[style] if self._color else ""
        return f"{code}{text}{_RESET}" if code and text else text

    def code(self, record: Record) -> str:
        """`error[SF101]`, with a link to what explains it."""
        text = self(record.severity, f"{record.severity}[{record.code}]")
        return links.linked(record.code, text) if self._has_links else text


def headline(record: Record, paint: Painter) -> str:
    """`path.py:LINE:COL: error[SF101]: op: message`."""
    return (f"{paint('place', view.printable(view.place(record)) + ':')} "
            f"{paint.code(record)}: "
            f"{view.printable_lines(view.title(record))}")


def _snippet(record: Record, options: RenderOptions, paint: Painter) -> List[str]:
    lines = snippet.layout(view.marks(record), options.width, record.primary)
    gutter = max((len(str(line.number)) for line in lines if line.number is not None), default=0)
    out = []
    for line in lines:
        number = "" if line.number is None else str(line.number)
        pieces = "".join(paint(style, text) for style, text in line.pieces)
        out.append(f" {paint('gutter', number.rjust(gutter) + ' |')} {pieces}".rstrip())
    return out


def _note(note: view.Note, paint: Painter, place: str = "") -> str:
    text = f" {paint(note.kind, note.kind + place + ':')} "
    text += view.printable_lines(note.text).replace("\n", "\n   ")
    if note.span is not None:
        text += f" {view.printable(view.location(note.span))}"
        quoted = view.source_of(note.span)
        text += _TAB + paint("dim", quoted) if quoted else ""
    return text


def _operand(text: str, paint: Painter) -> str:
    """Shapes stand out."""
    return _SHAPE.sub(lambda found: paint("operand", found.group()), text)


def text_of(record: Record, options: RenderOptions) -> str:
    """One finding without its fixes, and without an empty line after it."""
    paint = Painter(options)
    lines = [headline(record, paint), *_snippet(record, options, paint)]
    lines += ["  " + _operand(view.printable(line), paint) for line in view.operand_lines(record)]
    lines += [_note(note, paint) for note in view.notes(record, is_with_fixes=False)]
    return "\n".join(lines)


# --- fixes --------------------------------------------------------------------------------------
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)")


def _changes(diff: str) -> List[Tuple[str, int, str]]:
    """The lines that a unified diff takes and gives: ("-" or "+", number, text)."""
    found: List[Tuple[str, int, str]] = []
    old = new = 0
    for line in diff.splitlines():
        hunk = _HUNK.match(line)
        if hunk is not None:
            old, new = int(hunk.group(1)), int(hunk.group(2))
        elif line.startswith(("--- ", "+++ ")) and not old:
            continue
        elif line.startswith("--- "):  # the next file's
            old = 0
        elif line.startswith("-"):
            found.append(("-", old, line[1:]))
            old += 1
        elif line.startswith("+"):
            found.append(("+", new, line[1:]))
            new += 1
        elif line.startswith(" "):
            old, new = old + 1, new + 1
    return found


def _window(texts: Sequence[str], width: int) -> List[str]:
    """Lines that are too long, cut before what they do not have in common."""
    common = 0
    while all(common < len(text) for text in texts) and len({text[common] for text in texts}) == 1:
        common += 1
    start = max(0, common - width // 3) if len(texts) > 1 else 0
    cut = []
    for text in texts:
        if len(text) > width:
            text = ("..." if start else "") + text[start:start + width] + \
                ("..." if start + width < len(text) else "")
        cut.append(text)
    return cut


def _diff_lines(fix: Dict[str, Any], options: RenderOptions, paint: Painter) -> List[str]:
    changes = _changes(fix["diff"])
    shown = changes[:_DIFF_SHOWN]
    texts = [view.printable(text.replace("\t", _TAB)) for _, _, text in shown]
    indent = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    gutter = max((len(str(number)) for _, number, _ in shown), default=0)
    lines = []
    for (sign, number, _), text in zip(shown, _window([text[indent:] for text in texts], options.width)):
        style = "old" if sign == "-" else "new"
        lines.append(f"   {paint('gutter', str(number).rjust(gutter))} {paint(style, f'{sign} {text}')}")
    more = len(changes) - len(shown)
    return lines + [f"   ... and {more} more lines"] * (more > 0)


def fixes_of(record: Record, options: RenderOptions, is_alone: bool = True) -> str:
    """What was tried and holds, each with its lines; or that nothing does. "" where none was looked for.
    `is_alone`: nobody need be told which finding it is for."""
    paint = Painter(options)
    place = "" if is_alone else f" for {view.printable(view.place(record))}"
    lines = []
    for fix in record.fixes:
        words = view.printable_lines(view.fix_text(record, fix))
        lines += [f" {paint('help', f'help{place}:')} {words}", *_diff_lines(fix, options, paint)]
    if not record.fixes and record.tried is not None:
        tried = f"{record.tried} edit{'s' * (record.tried != 1)} tried" if record.tried else "nothing to try"
        lines.append(f" {paint('note', f'no fix found{place}:')} {tried}")
    return "\n".join(lines)


def render_fixes(report: Report, options: RenderOptions) -> str:
    """What follows `render_findings`, once the fixes are known."""
    records = view.shown(report)
    texts = [fixes_of(record, options, len(records) == 1) for record in records]
    text = "\n".join(filter(None, texts))
    end = "\n" if len(records) == 1 else ""
    return (text + "\n" + (end or "\n") if text else end) if records else ""


def render_findings(report: Report, options: RenderOptions, before: Sequence[Record] = ()) -> str:
    """The findings of one report, without what was tried on them. One that is alone is not yet closed by an
    empty line: its fixes stand right below it. `before`: those that have been shown, by `render_finding`."""
    records = view.shown(report)
    keys = {record.key() for record in before}
    text = "\n".join(text_of(record, options) + "\n" for record in records if record.key() not in keys)
    text = ("\n" if before and text else "") + text + _later_notes(records, before, options)
    return text + ("\n" if len(records) > 1 else "")


def _later_notes(records: Sequence[Record], before: Sequence[Record], options: RenderOptions) -> str:
    """What has become known of findings since they were shown: how often they were seen, where a run came to
    them."""
    known = {record.key(): {(note.kind, note.text) for note in view.notes(record, is_with_fixes=False)}
             for record in before}
    paint = Painter(options)
    lines = []
    for record in records:
        place = "" if len(records) == 1 else f" for {view.printable(view.place(record))}"
        for note in view.notes(record, is_with_fixes=False) if record.key() in known else ():
            if (note.kind, note.text) not in known[record.key()]:
                lines.append(_note(note, paint, place) + "\n")
    return "".join(lines)


def render_finding(record: Record, options: RenderOptions, before: Sequence[Record]) -> str:
    """A piece of what `render_findings` says, as soon as there is this one."""
    return ("\n" if before else "") + text_of(record, options) + "\n"


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    return "".join(render_findings(report, options) + render_fixes(report, options) for report in reports)
