"""Fixes for an editor: the search tries many edits, so it runs in a process of its own that can be killed.

As a program it reads {report, options} from its standard input and writes the records' fixes."""
from __future__ import annotations

import json
import subprocess
import sys

from shapeflow.checker import runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    from shapeflow.lsp.checks import Checked

SECONDS = 20.0


def find(checked: Checked, started: Callable[[object], None]) -> bool:
    """Fills Record.fixes of the report; True when there are any."""
    entry = checked.entry
    content = checked.report.to_json()
    content.pop("shapes", None)
    task = {"report": content, "seconds": checked.report.seconds, "options": {
        "args": list(entry.args), "overrides": checked.texts, "cwd": entry.cwd, "seconds": SECONDS,
        "tf_version": entry.tf_version, "mode": entry.mode, "every_batch": "--every-batch" in entry.options,
        "lent": checked.report.lent}}
    with subprocess.Popen([sys.executable, "-m", "shapeflow.lsp.fixing"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=entry.cwd,
                          env=runner.environment(), start_new_session=True) as child:
        started(child)
        try:
            answer, _ = child.communicate(json.dumps(task).encode())
            fixes = json.loads(answer)
        except (OSError, ValueError):
            return False  # killed, or it died: then there are none
    for record, found in zip(checked.report.records, fixes):
        record.fixes = found
    return any(fixes)


def main() -> None:
    import os

    from shapeflow.checker.findings import Report

    task = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w") as out:
        os.dup2(2, 1)  # whatever the program prints
        report = Report.from_json(task["report"])
        report.seconds = task["seconds"]
        try:
            import shapeflow.fixes as fixes
            from shapeflow.fixes.search import SearchOptions

            fixes.find(report, SearchOptions(**task["options"]))
        except ImportError:
            pass
        json.dump([record.fixes for record in report.records], out)


if __name__ == "__main__":
    main()
