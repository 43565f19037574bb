"""Workflow commands that GitHub Actions shows as annotations on the changed lines.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""
from __future__ import annotations

import os

import shapeflow.formats.afterword as afterword
import shapeflow.formats.view as view
import shapeflow.notebook.ipynb as ipynb
from shapeflow.checker.findings import display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Tuple

    from shapeflow.checker.findings import Record, Report, Span
    from shapeflow.formats import RenderOptions


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _where(span: Span) -> List[Tuple[str, str]]:
    path, cell = ipynb.split(span.path)
    if cell is not None:  # its lines are not those of the notebook's file
        return [("file", display_path(path).replace(os.sep, "/")), ("line", "1")]
    parts = [("file", display_path(span.path).replace(os.sep, "/")), ("line", str(span.line))]
    if span.column >= 0:
        parts.append(("col", str(view.character_column(span, span.column) + 1)))
        # The end column belongs to the first line: GitHub ignores it for a range of lines.
        if span.end_line == span.line and span.end_column > span.column:
            parts.append(("endColumn", str(view.character_column(span, span.end_column) + 1)))
    return parts


def _body(record: Record) -> str:
    lines = [view.title(record)]
    lines += [mark.label for mark in view.marks(record) if mark.label]
    lines += view.operand_lines(record)
    for note in view.notes(record):
        place = f" {view.location(note.span)}    {view.source_of(note.span)}" if note.span else ""
        lines.append(f"{note.kind}: {note.text}{place}")
    return "\n".join(lines)


def _command(record: Record) -> str:
    parts = _where(record.primary) if record.primary is not None else []
    parts.append(("title", f"shapeflow {record.code}" + (f" {record.op_type}" if record.op_type else "")))
    properties = ",".join(f"{name}={_property(value)}" for name, value in parts)
    elsewhere = record.place is not None or record.primary and ipynb.split(record.primary.path)[1]
    body = f"{view.place(record)}: {_body(record)}" if elsewhere else _body(record)
    return f"::{record.severity} {properties}::{_data(body)}"


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    lines = [_command(record) for report in reports for record in view.shown(report)]
    for text in afterword.notices(reports):
        lines.append(f"::notice title=shapeflow::{_data(text)}")
    for report in reports:
        lines += [f"::warning title=shapeflow::{_data(text)}" for text in afterword.endings(report)]
    return "".join(line + "\n" for line in lines)
