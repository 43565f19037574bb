"""Findings of one script shown while it still runs: each error as it arrives, the rest at the end."""
from __future__ import annotations

import shapeflow.checker.reports as reports
import shapeflow.formats.output as output
from shapeflow.checker.findings import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, TextIO

    from shapeflow.checker.findings import Record
    from shapeflow.checker.targets import Target
    from shapeflow.commands.check import Session
    from shapeflow.formats.progress import Line


class AsFound:
    """What was shown, of what counts. `line`: where the script's process tells of its progress."""

    def __init__(self, session: Session, target: Target, out: TextIO, line: Optional[Line]) -> None:
        self.shown: List[Record] = []
        self._session = session
        self._policy = session.policy()
        self._target = target
        self._out = out
        self._line = line

    def show(self, record: Record) -> None:
        """Of two runs (the second one as another TensorFlow) the same finding is shown once."""
        report = Report(self._target.path, [record], 1)
        reports.quotable(report)
        self._policy.apply([report])
        if not report.records or any(known.key() == record.key() for known in self.shown):
            return
        if self._line is not None:
            self._line.wipe()
        session = self._session
        output.write(output.finding_of(session.format, record, session.color, session.has_links, self.shown),
                     self._out, None)
        self.shown.append(record)

    def retracted(self, report: Report) -> List[str]:
        """What is said of findings of a first run that the second one, as another TensorFlow, lacks."""
        keys = {record.key() for record in report.records}
        count = sum(record.key() not in keys for record in self.shown)
        if not count:
            return []
        version = f" as TensorFlow {report.emulated[0]}" if report.emulated else ""
        return [f"shapeflow: {report.script} was run again{version}: {count} of the findings above "
                f"{'does' if count == 1 else 'do'} not hold there and {'is' if count == 1 else 'are'} not "
                "counted"]
