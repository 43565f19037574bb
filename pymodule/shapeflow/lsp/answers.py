"""A Report in the protocol's words: diagnostics, hover texts, inlay hints, quick fixes.

Each function is given `Checked` and the text that the editor has now; places that were edited since the
check are left out."""
from __future__ import annotations

import os

from lsprotocol import types

from shapeflow.formats import links, view
from shapeflow.lsp.texts import Moved, from_client, split_lines, to_client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence

    from shapeflow.checker.findings import Record, Span
    from shapeflow.lsp.checks import Checked

SOURCE = "shapeflow"
_LABEL_MAX = 60
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class Page:
    """One file: the text that was checked, the text that the editor has, and how columns are counted."""

    def __init__(self, path: str, checked: str, now: str, encoding: str) -> None:
        self.path = path
        self.encoding = encoding
        self.moved = Moved(split_lines(checked), split_lines(now))

    def range(self, line: int, column: int, end_line: int, end_column: int) -> Optional[types.Range]:
        """Of a span (lines from 1); the whole line without its indent where there are no columns. None:
        it was edited."""
        if column < 0 or end_column < 0:
            end_line = line
        lines = self.moved.range(line - 1, max(end_line, line) - 1)
        if lines is None:
            return None
        first, last = (self.moved.text(number) for number in lines)
        if column < 0 or end_column < 0:
            column = len(first) - len(first.lstrip())
            end_column = len(first.encode("utf-8", "surrogatepass"))
        return types.Range(types.Position(lines[0], to_client(first, column, self.encoding)),
                           types.Position(lines[1], to_client(last, end_column, self.encoding)))

    def span(self, span: Span) -> Optional[types.Range]:
        return self.range(span.line, span.column, span.end_line, span.end_column)


# --- diagnostics ------------------------------------------------------------------------------------
class Pages:
    """The pages that a report names, made when asked for. `page_of(path)` gives None for what cannot be
    shown; `uri_of(path)` is the client's own name of the file."""

    def __init__(self, page_of: Any, uri_of: Any) -> None:
        self._page_of = page_of
        self._uri_of = uri_of
        self._known: Dict[str, Optional[Page]] = {}

    def __getitem__(self, path: str) -> Optional[Page]:
        if path not in self._known:
            self._known[path] = self._page_of(path)
        return self._known[path]

    def location(self, span: Optional[Span]) -> Optional[types.Location]:
        page = self[span.path] if span is not None else None
        found = page.span(span) if page is not None and span is not None else None
        return types.Location(self._uri_of(page.path), found) if page is not None and found else None


def _message(record: Record) -> str:
    """The finding in a few lines: TensorFlow's words, the operands, what else is known without a place."""
    lines = [view.title(record)]
    for i, operand in enumerate(record.operands):
        text = view.operand_text(record, i)
        lines.append(f"  {operand.name or 'tensor'}{' ' if text.startswith('=') else ': '}{text}")
    for note in view.notes(record):
        if note.span is None and note.kind == "note":
            lines.append(note.text)
    return "\n".join(lines)


def _related(record: Record, pages: Pages) -> List[types.DiagnosticRelatedInformation]:
    """Where the dims come from, where it surfaced, how the program got here."""
    found = []
    for note in view.notes(record):
        place = pages.location(note.span)
        if place is not None:
            words = note.text[:-len("at")] + "here" if note.text.endswith(" at") else note.text
            found.append(types.DiagnosticRelatedInformation(place, words))
    return found


def diagnostic(record: Record, pages: Pages) -> Optional[types.Diagnostic]:
    if record.primary is None:
        return None
    page = pages[record.primary.path]
    where = page.span(record.primary) if page else None
    if where is None:
        return None
    return types.Diagnostic(where, _message(record), severity=_SEVERITY[record.severity], code=record.code,
                            source=SOURCE, related_information=_related(record, pages),
                            code_description=types.CodeDescription(links.page(record.code)))


def diagnostics(checked: Checked, pages: Pages) -> Dict[str, List[types.Diagnostic]]:
    """{path: diagnostics} of everything in the report that has a place."""
    found: Dict[str, List[types.Diagnostic]] = {}
    for record in checked.report.records:
        made = diagnostic(record, pages)
        if made is not None and record.primary is not None:
            found.setdefault(record.primary.path, []).append(made)
    if checked.report.failure and checked.report.failed_at:
        path, line, words = checked.report.failed_at
        path = os.path.join(checked.entry.cwd, path)
        page = pages[path]
        where = page.range(line, -1, -1, -1) if page else None
        if where is not None:
            found.setdefault(path, []).append(types.Diagnostic(
                where, f"The check ended here, by an exception of the program's own: {words}",
                severity=types.DiagnosticSeverity.Information, code="failed", source=SOURCE))
    return found


# --- hover and inlay hints --------------------------------------------------------------------------
def _type(kind: Dict[str, object]) -> str:
    return f"{kind['shape']} {kind['dtype']}".strip()


def _shapes(checked: Checked, page: Page) -> Iterator[Any]:
    for item in checked.report.shapes:
        if item["path"] == page.path:
            where = page.range(item["line"], item["column"], item["end_line"], item["end_column"])
            if where is not None:
                yield item, where


def _before(a: types.Position, b: types.Position) -> bool:
    return (a.line, a.character) <= (b.line, b.character)


def hover(checked: Checked, page: Page, at: types.Position) -> Optional[types.Hover]:
    """What is known of the smallest expression around `at`."""
    best: Any = None
    for item, where in _shapes(checked, page):
        if _before(where.start, at) and _before(at, where.end):
            size = (where.end.line - where.start.line, where.end.character - where.start.character)
            if where.end.line == where.start.line or best is None:
                if best is None or size < best[0]:
                    best = (size, item, where)
    if best is None:
        return None
    _, item, where = best
    text = _source(page, where)
    lines = [f"```python\n{text}\n```"] if text else []
    for kind in item["types"]:
        lines.append(f"`{_type(kind)}`" + (" (numpy array)" if kind["kind"] == "array" else ""))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(lines)), where)


def _source(page: Page, where: types.Range) -> str:
    line = page.moved.text(where.start.line)
    start = from_client(line, where.start.character, page.encoding)
    raw = line.encode("utf-8", "surrogatepass")
    if where.end.line != where.start.line:
        return raw[start:].decode("utf-8", "replace") + " ..."
    return raw[start:from_client(line, where.end.character, page.encoding)].decode("utf-8", "replace")


def inlay_hints(checked: Checked, page: Page, within: types.Range) -> List[types.InlayHint]:
    """The shape of each name behind its assignment: `logits: [batch, 10] float32`."""
    hints = []
    for item, where in _shapes(checked, page):
        if not item["assigned"] or not within.start.line <= where.end.line <= within.end.line:
            continue
        text = " or ".join(dict.fromkeys(_type(kind) for kind in item["types"]))
        label = text if len(text) <= _LABEL_MAX else text[:_LABEL_MAX - 1] + "…"
        hints.append(types.InlayHint(where.end, f": {label}", kind=types.InlayHintKind.Type,
                                     tooltip=text if label != text else None))
    return hints


# --- quick fixes ------------------------------------------------------------------------------------
def code_actions(checked: Checked, pages: Pages, page: Page, within: types.Range,
                 uri_of: object) -> List[types.CodeAction]:
    """The tried fixes of the findings of one file that touch `within`."""
    actions = []
    for record in checked.report.records:
        if not record.fixes or record.primary is None or record.primary.path != page.path:
            continue
        made = diagnostic(record, pages)
        if made is None or made.range.end.line < within.start.line or made.range.start.line > within.end.line:
            continue
        for number, fix in enumerate(record.fixes):
            changes = _changes(fix["edits"], pages, uri_of)
            if changes is not None:
                actions.append(types.CodeAction(
                    f"{fix['description']} (tried)", kind=types.CodeActionKind.QuickFix, diagnostics=[made],
                    is_preferred=number == 0, edit=types.WorkspaceEdit(changes=changes)))
    return actions


def _changes(edits: Sequence[Dict[str, Any]], pages: Pages,
             uri_of: Any) -> Optional[Dict[str, List[types.TextEdit]]]:
    """None when a place was edited since, so that the fix no longer stands."""
    changes: Dict[str, List[types.TextEdit]] = {}
    for edit in edits:
        page = pages[edit["path"]]
        where = page.range(edit["line"], edit["column"], edit["end_line"], edit["end_column"]) \
            if page else None
        if where is None:
            return None
        changes.setdefault(uri_of(edit["path"]), []).append(types.TextEdit(where, edit["text"]))
    return changes
