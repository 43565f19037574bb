"""One JSON document for all reports; its schema is json.schema.json beside this file."""
from __future__ import annotations

import json

import shapeflow.checker.selection as selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    from shapeflow.checker.findings import Report
    from shapeflow.formats import RenderOptions

VERSION = 1


def exit_status(reports: Sequence[Report]) -> int:
    """What the command deserves for all of them."""
    return selection.worst(report.status for report in reports)


def _script(report: Report) -> Dict[str, Any]:
    entry = {"script": report.script, "exit_status": report.status, "ended": report.ended,
             "failure": report.failure}
    return {**entry, "shapes": report.shapes} if report.shapes else entry


def document(reports: Sequence[Report]) -> Dict[str, Any]:
    from shapeflow._version import __version__

    findings: List[Dict[str, Any]] = []
    for report in reports:
        findings += [{"script": report.script, **record.to_json()} for record in report.records]
    return {
        "version": VERSION,
        "tool": {"name": "shapeflow", "version": __version__},
        "exit_status": exit_status(reports),
        "scripts": [_script(report) for report in reports],
        "findings": findings,
    }


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    return json.dumps(document(reports), indent=2, sort_keys=True) + "\n"
