"""What was found after a turn of a loop was skipped is confirmed before it is reported.

A run without skipping decides when it comes to its end within the time limit. Otherwise a finding counts
that runs which leave their loops later have too, or the run without skipping as far as it came; and what the
script itself raised after a skip is no more than a note.
"""
from __future__ import annotations

from shapeflow.checker.findings import INTERRUPTED, Record, Report, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Set

    Attempt = Callable[[int], Optional[Report]]  # a run of this patience

CODE, NAME = "SF905", "LOOPS_LEFT"
LATER = (2, 4)  # patience of further runs
_MARGIN = 8


def is_unsure(report: Report) -> bool:
    """Is there anything to confirm?"""
    return bool(report.loops) and (bool(_unsure(report)) or _is_own_failure(report))


def _takes_too_long(report: Report, time_limit: float) -> bool:
    """Would a run without skipping be stopped? By the runs that were made and those that were not; the time
    that the rest of the script took counts as well, hence with a margin."""
    made, of = report.loops["runs"], report.loops["of"]
    seconds: float = (of - made) * report.seconds / max(made, 1) / _MARGIN
    return 0 < time_limit < seconds


def confirmed(report: Report, attempt: Attempt, time_limit: float, errors_only: bool = False) -> Report:
    """The report with what holds without skipping. `attempt` runs the script once more; None: it cannot.
    `errors_only`: warnings are no reason for that, and those that are not sure are left out."""
    if not is_unsure(report):
        return report
    if errors_only and not _is_own_failure(report):
        doubtful = _unsure(report)
        if not any(record.severity == "error" for record in doubtful):
            left_out = {id(record) for record in doubtful}
            report.records = [record for record in report.records if id(record) not in left_out]
            return report
    seconds = report.seconds
    whole = None if _takes_too_long(report, time_limit) else attempt(0)
    if whole is not None:
        seconds += whole.seconds
        if _came_to_its_end(whole):
            whole.seconds = seconds
            return whole
    later: List[Report] = []
    for patience in LATER if whole is None or whole.failure != INTERRUPTED else ():
        run = attempt(patience)
        if run is not None:
            later.append(run)
            seconds += run.seconds
    held = set.intersection(*(_keys(run) for run in later)) if later else set()
    if whole is not None:
        held |= _keys(whole)
    unsure = {id(record) for record in _unsure(report)}
    kept = [record for record in report.records if id(record) not in unsure or record.key() in held]
    report.records = kept + [record for record in (whole.of("error", "warning") if whole is not None else ())
                             if record.key() not in {known.key() for known in kept}]
    _demote_failure(report)
    if any(id(record) in unsure for record in kept):
        report.records.append(told(
            CODE, NAME, "note", "what was found after loops were left held when loops were left later: the "
            "run without leaving any did not end within --time-limit"))
    report.seconds = seconds
    report.status = 1 if report.of("error") else 3 if report.failure else 0
    return report


def _came_to_its_end(report: Report) -> bool:
    return not report.ended.startswith("stopped") and report.failure != INTERRUPTED and \
        report.ended not in ("early", "without a report")


def _unsure(report: Report) -> List[Record]:
    sure: Set[Any] = set(report.loops.get("sure") or ())
    return [record for at, record in enumerate(report.records)
            if at not in sure and record.severity in ("error", "warning")]


def _is_own_failure(report: Report) -> bool:
    return report.failure is not None and report.failure != INTERRUPTED and \
        not report.ended.startswith("stopped")


def _keys(report: Report) -> Set[object]:
    return {record.key() for record in report.of("error", "warning")}


def _demote_failure(report: Report) -> None:
    """An exception of the script's after loops were left may come of what they did not do."""
    if _is_own_failure(report):
        words = (report.failure or "").splitlines()[0]
        report.records.append(told(CODE, NAME, "note", "after loops were left the script ended: {text}",
                                   words))
        report.failure = None
