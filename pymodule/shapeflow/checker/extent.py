"""How much of a program a check has seen: "clean" is a claim about that much."""
from __future__ import annotations

import os
import sys

from shapeflow.checker.findings import Record, Span, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List

    from shapeflow.checker.findings import Report

CODE, NAME = "SF907", "NOTHING_CHECKED"
_MOST_NAMES = 3
_ROOTS = ("tensorflow", "keras")


def of_run(counters: Dict[str, int], script: str) -> List[Record]:
    """The warning about a program that ran to its end and of which nothing was seen."""
    made, unknown = counters.get("ops", 0), counters.get("unknown", 0)
    if not any(name in sys.modules for name in _ROOTS) or not made and not _names_used(script):
        return []
    if not made:
        text = "nothing was checked: the program made no operation, or constants alone"
        return [told(CODE, NAME, "warning", text,
                     primary=Span(os.path.abspath(script), 1))]
    if unknown == made and made > 1:
        return [told(CODE, NAME, "warning", "nothing was checked: the shapes of all {int:,} operations are "
                     "unknown", made, primary=Span(os.path.abspath(script), 1))]
    return []


def _names_used(script: str) -> bool:
    """Does the script do anything with what it imports of TensorFlow? Else there is nothing to check."""
    import ast
    import linecache

    try:
        tree = ast.parse("".join(linecache.getlines(os.path.abspath(script))))
    except (SyntaxError, ValueError, RecursionError):
        return False
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {(item.asname or item.name).partition(".")[0] for item in node.names
                      if item.name.partition(".")[0] in _ROOTS}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in _ROOTS:
            names |= {item.asname or item.name for item in node.names}
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(tree))


def require(report: Report, percent: float) -> None:
    """Makes too little an error, for a report of a script that ran to its end."""
    made, unknown = report.counters.get("ops", 0), report.counters.get("unknown", 0)
    known = 100.0 * (made - unknown) / made if made else 0.0
    if known >= percent or report.failure:
        return
    report.records = [record for record in report.records if record.code != CODE]
    report.records.append(told(
        CODE, NAME, "error", "{float:.0f} % of the operations ({int:,} of {int:,}) were checked with a known "
        "shape: --require-checked asks for {float:g} %", known, made - unknown, made, percent,
        primary=Span(os.path.abspath(report.script), 1)))


def summary_parts(report: Report) -> List[str]:
    """For the summary: what was checked, and what was not."""
    made, unknown = report.counters.get("ops", 0), report.counters.get("unknown", 0)
    parts = []
    if made:
        of_unknown = f", {unknown:,} of unknown shape" if unknown else ""
        parts.append(f"{made:,} operation{'s' * (made != 1)} checked{of_unknown}")
    notes = report.of("note")
    names = list(dict.fromkeys(str(record.arguments[0][1]) for record in notes if record.code == "SF901"))
    if names:
        more = ", ..." if len(names) > _MOST_NAMES else ""
        parts.append(f"not modelled: {len(names)} ({', '.join(names[:_MOST_NAMES])}{more})")
    absent = sum(record.code == "SF904" for record in notes)
    if absent:
        parts.append(f"{absent} package{'s' * (absent != 1)} not installed")
    stand_ins = report.counters.get("stand_ins", 0)
    if stand_ins:
        parts.append(f"{stand_ins} stand-in{'s' * (stand_ins != 1)} for data")
    size = report.counters.get("made_up_size", 0)
    if size:
        parts.append(f"{size} stands for sizes of layers that are unknown")
    return parts
