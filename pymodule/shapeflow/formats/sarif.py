"""SARIF 2.1.0: one run, a rule for each code, a result for each finding.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/. What was assumed or not modelled, and why a script
could not be run to its end, are notifications of its invocation, since they are no results.
"""
from __future__ import annotations

import hashlib
import json
import os

import shapeflow.formats.links as links
import shapeflow.formats.view as view
import shapeflow.notebook.ipynb as ipynb
from shapeflow.checker.findings import Span, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.checker.findings import Record, Report
    from shapeflow.formats import RenderOptions

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def _artifact(path: str) -> Dict[str, object]:
    from urllib.parse import quote

    shown = display_path(path)
    if os.path.isabs(shown):
        return {"uri": "file://" + quote(shown.replace(os.sep, "/"))}
    return {"uri": quote(shown.replace(os.sep, "/")), "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> Dict[str, object]:
    region: Dict[str, object] = {"startLine": span.line}
    if span.column >= 0:
        region["startColumn"] = view.character_column(span, span.column) + 1
        if span.end_line >= span.line and span.end_column >= 0:
            end = type(span)(span.path, span.end_line, span.end_column)
            region["endLine"] = span.end_line
            region["endColumn"] = view.character_column(end, span.end_column) + 1
    return region


def _location(span: Span, message: str = "", number: Optional[int] = None) -> Dict[str, object]:
    path, cell = ipynb.split(span.path)
    # The lines of a cell are not those of the notebook's file.
    where: Dict[str, Any] = {"physicalLocation": {
        "artifactLocation": _artifact(path),
        "region": _region(span) if cell is None else {"startLine": 1}}}
    if cell is not None:
        where["logicalLocations"] = [{"name": f"cell {cell}", "fullyQualifiedName": view.location(span)}]
    if message:
        where["message"] = {"text": message}
    if number is not None:
        where["id"] = number
    return where


def _related(record: Record) -> List[Dict[str, object]]:
    """The operands within the guilty expression, and what the notes quote."""
    spans = [(mark.span, mark.label) for mark in view.marks(record) if mark.sign == "-"]
    spans += [(note.span, note.text.replace(" at", "", 1) if note.text.endswith(" at") else note.text)
              for note in view.notes(record) if note.span is not None]
    return [_location(span, text, number) for number, (span, text) in enumerate(spans, 1)]


def _fix(fix: Dict[str, Any]) -> Dict[str, object]:
    changes: Dict[str, List[Dict[str, object]]] = {}
    for edit in fix["edits"]:
        deleted = Span(edit["path"], edit["line"], edit["column"], edit["end_line"], edit["end_column"])
        changes.setdefault(edit["path"], []).append(
            {"deletedRegion": _region(deleted), "insertedContent": {"text": edit["text"]}})
    return {"description": {"text": fix["description"]},
            "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": parts}
                                for path, parts in changes.items()]}


def _fingerprint(record: Record) -> str:
    """The same for the same mistake after lines above it have changed."""
    at = record.primary
    parts = [record.code, record.op_type or "", record.node_name or "" if at is None else at.text.strip(),
             display_path(at.path) if at else record.place or ""]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _text(record: Record) -> str:
    """The message: the title, then what the operands are; related places say the rest."""
    at = f"{view.place(record)}: " if record.primary and ipynb.split(record.primary.path)[1] else ""
    lines = [at + view.title(record), *view.operand_lines(record)]
    lines += [f"{note.kind}: {note.text}" for note in view.notes(record)
              if note.span is None and note.kind != "tensorflow says"]
    return "\n".join(lines)


def _result(record: Record, rules: Dict[str, int]) -> Dict[str, Any]:
    result: Dict[str, Any] = {
        "ruleId": record.code, "level": _LEVELS[record.severity],
        "message": {"text": _text(record)},
        "partialFingerprints": {"shapeflow/v1": _fingerprint(record)},
        "properties": {"tensorflow": record.message, "phase": record.phase,
                       "operands": [{"name": o.name, "shape": o.shape, "dtype": o.dtype}
                                    for o in record.operands]},
    }
    if record.code in rules:
        result["ruleIndex"] = rules[record.code]
    if record.primary is not None:
        result["locations"] = [_location(record.primary)]
    elif record.place:
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": record.place}]}]
    related = _related(record)
    if related:
        result["relatedLocations"] = related
    if record.chain and record.primary is not None:
        frames = [{"location": _location(span)} for span in (record.primary, *record.chain)]
        result["stacks"] = [{"message": {"text": "the calls that led there"}, "frames": frames}]
    if record.fixes:
        result["fixes"] = [_fix(fix) for fix in record.fixes]
    if record.count > 1:
        result["occurrenceCount"] = record.count
    return result


def _rules() -> List[Dict[str, Any]]:
    import shapeflow.checker.explanations as explain

    return [{"id": code.code, "name": code.name,
             "shortDescription": {"text": code.title},
             "fullDescription": {"text": code.text},
             "help": {"text": explain.plain(code)}, "helpUri": links.page(code.code),
             "defaultConfiguration": {"level": _LEVELS[code.severity]}}
            for code in explain.codes()]


def _invocation(report: Report) -> Dict[str, Any]:
    notes = [{"level": "note", "message": {"text": record.message},
              "descriptor": {"id": record.code}} for record in report.of("note")]
    if report.failure:
        notes.append({"level": "error", "message": {"text": report.failure}})
    elif report.ended.startswith("stopped"):
        notes.append({"level": "warning", "message": {"text": report.ended}})
    return {"executionSuccessful": report.status in (0, 1), "exitCode": report.status,
            "commandLine": f"shapeflow check {report.script}", "toolExecutionNotifications": notes}


def document(reports: Sequence[Report]) -> Dict[str, Any]:
    from shapeflow._version import __version__

    rules = _rules()
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "shapeflow", "version": __version__,
                                "semanticVersion": __version__, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "invocations": [_invocation(report) for report in reports],
            "results": [_result(record, numbers) for report in reports
                        for record in view.shown(report)],
        }],
    }


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    return json.dumps(document(reports), indent=2, sort_keys=True) + "\n"
