"""The document of a script or graph file: a run in the sandbox, and what the parent adds to it."""
from __future__ import annotations

import sys

import shapeflow.commands._taken as taken
from shapeflow.pictures import document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    from shapeflow.cmdline import Arguments
    from shapeflow.findings import Report

    Plain = Dict[str, Any]


def document_of(script: str, args: List[str], arguments: Arguments) -> Tuple[Optional[Report],
                                                                            Optional[Plain]]:
    """(report, document). No report: it could not be begun; no document: it could not be finished. What is
    to be said is said on standard error."""

    def make(taker: Any) -> Plain:
        from shapeflow.pictures.collect import collect

        return collect(taker)

    report, made = taken.take_report(script, args, arguments, make)
    if report is None:
        return None, None
    taken.tell(report)
    if made is None:
        return report, None
    made, notices = made["document"], made["notices"]
    for words in notices:
        print(f"shapeflow: {words}", file=sys.stderr)
    wrong = document.broken(made)
    if wrong is not None:
        print(f"shapeflow: no picture: {wrong}", file=sys.stderr)
        return report, None
    return report, made
