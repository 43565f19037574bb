"""What is said beside the findings, on standard error: assumptions, how runs ended, the count."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Set, Tuple

    from shapeflow.findings import Report


def notices(reports: Sequence[Report]) -> List[str]:
    """What was not modelled or was assumed, each once however many scripts met it."""
    seen: Set[Tuple[str, str]] = set()
    lines = []
    for report in reports:
        for record in report.of("note"):
            if (record.code, record.message) not in seen:
                seen.add((record.code, record.message))
                lines.append(f"shapeflow: note[{record.code}]: {record.message}")
    return lines


def endings(report: Report, unfinished: str = "could not be run to its end") -> List[str]:
    """Why a script was not run to its end; nothing when it was."""
    if report.ended.startswith("stopped"):
        return [f"shapeflow: {report.script} {report.ended}"]
    if report.failure:
        return [f"shapeflow: {report.script} {unfinished}: {report.failure}"]
    return []


def summary(report: Report) -> str:
    """`shapeflow: train.py: 1 error, 0 warnings in 0.12 s`."""
    errors, warnings = len(report.of("error")), len(report.of("warning"))
    counted = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    took = ", unchanged since it was checked" if report.cached else f" in {report.seconds:.2f} s"
    return f"shapeflow: {report.script}: {counted}{took}"
