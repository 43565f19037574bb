"""Which findings count: codes switched on and off, per-file ignores, comments, the baseline; and the
exit status that is left. A raw report goes in, the same report with fewer records comes out.
"""
from __future__ import annotations

from shapeflow.checker.findings import INTERRUPTED, Record, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Sequence

    from shapeflow.checker.baseline import Baseline
    from shapeflow.checker.configuration import Settings
    from shapeflow.checker.ignores import Ignores
    from shapeflow.commands.option_tables import Arguments

EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, EXIT_SCRIPT = 0, 1, 2, 3
EXIT_INTERRUPTED = 130  # as a shell has it of a program that SIGINT ended


def selected(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """The longest beginning of the code that either list holds decides; `ignore` when both do.
    An empty `select` holds every code."""
    wanted = max((len(c) for c in select if code.startswith(c) or c == "ALL"), default=-1)
    if not select:
        wanted = 0
    refused = max((len(c) for c in ignore if code.startswith(c) or c == "ALL"), default=-1)
    return wanted > refused


class Selection:
    """What one invocation counts."""

    def __init__(self, select: Sequence[str] = (), ignore: Sequence[str] = (),
                 per_file_ignores: Optional[Dict[str, List[str]]] = None, root: str = ".",
                 strict: bool = False, warn_unused_ignores: bool = False,
                 baseline: Optional[Baseline] = None, require_checked: float = 0.0) -> None:
        self.select = list(select)
        self.ignore = list(ignore)
        self.per_file_ignores = per_file_ignores or {}
        self.root = root
        self.strict = strict
        self.warn_unused_ignores = warn_unused_ignores
        self.baseline = baseline
        self.require_checked = require_checked  # percent of the operations

    def apply(self, reports: Sequence[Report]) -> None:
        """Drops what does not count, and sets each report's status."""
        for report in reports:
            if self.require_checked:
                import shapeflow.checker.extent as extent

                extent.require(report, self.require_checked)
            report.records = [record for record in report.records if self._wanted(record)]
        if self.warn_unused_ignores or any(report.records for report in reports):
            import shapeflow.checker.ignores as ignores

            comments = ignores.Ignores()
            for report in reports:
                report.records = [r for r in report.records if not comments.hide(r)]
            if self.warn_unused_ignores:
                self._warn(reports, comments)
        for report in reports:
            if self.baseline is not None:
                report.records = [r for r in report.records
                                  if r.severity == "note" or not self.baseline.allows(r)]
            report.status = self.status(report)

    def status(self, report: Report) -> int:
        if report.status == EXIT_USAGE:
            return EXIT_USAGE
        if report.of("error") or self.strict and report.of("warning"):
            return EXIT_FINDINGS
        if report.failure == INTERRUPTED:
            return EXIT_INTERRUPTED
        return EXIT_SCRIPT if report.failure else EXIT_CLEAN

    def _wanted(self, record: Record) -> bool:
        if not selected(record.code, self.select, self.ignore):
            return False
        if self.per_file_ignores and record.primary is not None:
            from shapeflow.checker.configuration import matches

            path = record.primary.path.partition(":cell ")[0]  # of a notebook
            for pattern, codes in self.per_file_ignores.items():
                if not selected(record.code, (), codes) and matches(
                        path, [pattern], self.root):
                    return False
        return True

    def _warn(self, reports: Sequence[Report], comments: Ignores) -> None:
        """Unused comments, in the first report that ran their source; only after whole runs."""
        if any(report.failure or report.ended.startswith(("stopped", "interrupted"))
               for report in reports):
            return  # what was not reached may still need them
        seen: Dict[str, Report] = {}
        for report in reports:
            for path in _sources(report):
                seen.setdefault(path, report)
        for record in comments.unused(seen):
            if record.primary is not None and self._wanted(record):
                seen[record.primary.path].records.append(record)


def selection_of(settings: Settings, arguments: Arguments) -> Selection:
    """What counts by the command line, where the command has an option for it, and by the configuration.
    Fresh: a baseline is used up by one round. Raises ConfigError."""
    def given(name: str) -> Any:
        return getattr(arguments, name, None)

    allowed = None
    path = given("baseline") or settings.baseline
    if path and not given("write_baseline"):
        from shapeflow.checker.baseline import Baseline

        allowed = Baseline(path)
    return Selection(given("select") or settings.select, [*settings.ignore, *(given("ignore") or ())],
                  settings.per_file_ignores, settings.root, bool(given("strict") or settings.strict),
                  bool(given("warn_unused_ignores") or settings.warn_unused_ignores), allowed,
                  settings.require_checked if given("require_checked") is None else given("require_checked"))


def _sources(report: Report) -> Iterable[str]:
    """The Python files that a run read, the script included."""
    import os

    paths = [os.path.abspath(report.script)]
    if report.reads is not None:
        paths += list(report.reads["files"])
    return [path for path in dict.fromkeys(paths) if path.endswith(".py") and os.path.isfile(path)]


def worst(statuses: Iterable[int]) -> int:
    """Findings outrank everything, then usage, Ctrl-C, and scripts that failed."""
    rank = {EXIT_CLEAN: 0, EXIT_SCRIPT: 1, EXIT_INTERRUPTED: 2, EXIT_USAGE: 3, EXIT_FINDINGS: 4}
    return max(statuses, key=lambda status: rank.get(status, 4), default=EXIT_CLEAN)
