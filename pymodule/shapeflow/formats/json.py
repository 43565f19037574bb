"""One JSON document for all reports; its schema is json.schema.json beside this file."""
from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    from shapeflow.findings import Report
    from shapeflow.formats import Options

VERSION = 1
_WORST = {0: 0, 3: 1, 2: 2, 1: 3}  # findings outrank everything, then usage, then scripts that failed


def exit_status(reports: Sequence[Report]) -> int:
    """What the command deserves for all of them."""
    return max((report.status for report in reports), key=lambda s: _WORST.get(s, 1), default=0)


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


def render(reports: Sequence[Report], options: Options) -> str:
    return json.dumps(document(reports), indent=2, sort_keys=True) + "\n"
