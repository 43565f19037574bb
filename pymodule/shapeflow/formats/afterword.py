"""What is said beside the findings, on standard error: assumptions, how runs ended, the count."""
from __future__ import annotations

from shapeflow.checker.findings import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Set, Tuple

    from shapeflow.checker.findings import Report


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


def version(report: Report) -> List[str]:
    """`shapeflow: train.py: TensorFlow 1.15.0, graph mode: tf.placeholder (train.py:3) is not in 2.21`."""
    if len(report.emulated) != 3 or not report.emulated[0]:
        return []
    number, mode, because = report.emulated
    return [f"shapeflow: {report.script}: TensorFlow {number}, {mode} mode: {because}"]


def endings(report: Report, unfinished: str = "could not be run to its end") -> List[str]:
    """Why a script was not run to its end; nothing when it was."""
    if report.ended.startswith("stopped"):
        return [f"shapeflow: {report.script} {report.ended}"]
    if report.failure:
        return [f"shapeflow: {report.script} {unfinished}: {report.failure}", *_way_out(report)]
    if any(record.code == "SF908" for record in report.records):
        return _way_out(report)
    return []


_MOST_LINES = 6  # of declarations that are offered


def _way_out(report: Report) -> List[str]:
    """What to add to the configuration, where the script may lack data."""
    if not report.stubs:
        return []
    import shapeflow.checker.data_declarations as data_declarations

    lines = data_declarations.declaration(report.stubs[:_MOST_LINES])
    return ["shapeflow: it reads data that are not there; what they are like can be said in pyproject.toml "
            "(--write-data-stubs adds these lines, to be corrected):",
            "    [tool.shapeflow.data]", *("    " + line for line in lines)]


def ending(report: Report) -> List[str]:
    """What a script that was not run to its end wrote last, which may say more than its exception."""
    if not report.said or report.failure in (None, INTERRUPTED):
        return []
    return ["shapeflow: the last that it wrote on standard error (--show-output shows all that it prints):",
            *("    " + line for line in report.said)]


def search(report: Report) -> List[str]:
    """Why fixes were not looked for to the end; nothing when they were."""
    if not report.search_stopped or not report.of("error", "warning"):
        return []
    return [f"shapeflow: {report.script}: the search for fixes was stopped {report.search_stopped}; the next "
            "check looks again"]


def summary(report: Report) -> str:
    """`shapeflow: train.py: 1 error, 0 warnings in 0.12 s`. A script that was not run to its end has no count
    that could be read as a verdict."""
    errors, warnings = len(report.of("error")), len(report.of("warning"))
    counted = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    seconds = report.seconds if report.wall is None else report.wall
    took = ", unchanged since it was checked" if report.cached else f" in {seconds:.2f} s"
    if report.failure:
        counted = f"{counted} before that" if errors or warnings else "nothing found before that"
        took = took if report.cached else "," + took
    import shapeflow.checker.extent as extent

    more = "".join("; " + words for words in extent.summary_parts(report))
    return f"shapeflow: {report.script}: {counted}{took}{more}{_left(report)}"


def _left(report: Report) -> str:
    """`; 3 loops left when nothing new came (1,203 of 120,000,000 runs made)`."""
    loops = report.loops
    if not loops:
        return ""
    left, runs, of = loops["left"], loops["runs"], loops["of"]
    made = f" ({runs:,} of {of:,} runs made)" if of > runs else \
        f" ({loops['turns']:,} turns not made)" if loops["turns"] else ""
    return f"; {left} loop{'s' * (left != 1)} left when nothing new came{made}"
