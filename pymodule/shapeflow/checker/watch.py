"""`--watch`: checks again when something changes that a check read, until Ctrl-C. Polls: a few hundred
stats twice a second need no library and work on every file system."""
from __future__ import annotations

import os
import sys
import time

import shapeflow.checker.dependency_tracker as reads
import shapeflow.checker.jobs as jobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Optional, Sequence, Tuple

    from shapeflow.checker.findings import Report
    from shapeflow.checker.targets import Target
    from shapeflow.commands.check import Session

    Seen = Dict[str, Optional[Tuple[int, int]]]

INTERVAL = 0.5
SETTLED = 0.1  # editors write a file in steps


def _seen(paths: Sequence[str]) -> Seen:
    found: Seen = {}
    for path in paths:
        try:
            stat = os.stat(path)
            found[path] = (stat.st_size, stat.st_mtime_ns)
        except OSError:
            found[path] = None
    return found


def _paths(session: Session, targets: Sequence[Target], reports: Sequence[Report]) -> Sequence[str]:
    paths = [target.script.path for target in targets]
    for report in reports:
        if report.reads is not None:
            paths += reads.files_of(report.reads)
    paths += [path for path in (session.settings.path, session.baseline_path) if path]
    return list(dict.fromkeys(paths))


def run(session: Session, targets: Sequence[Target]) -> int:
    """Rounds until Ctrl-C; the exit status of the last one."""
    status = 0
    try:
        while True:
            # Looked at before the round: what changes during it is seen after it.
            before = _seen([target.script.path for target in targets])
            status, found = jobs.run_once(session, targets, sys.stdout, sys.stderr)
            watched = {**_seen(_paths(session, targets, found)), **before}
            if not session.arguments.quiet:
                print(f"shapeflow: watching {len(watched)} files (Ctrl-C ends)", file=sys.stderr)
            sys.stderr.flush()
            changed = _wait(watched)
            if not session.arguments.quiet:
                print(f"\nshapeflow: {os.path.relpath(changed)} changed", file=sys.stderr)
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[H")
    except KeyboardInterrupt:
        return status


def _wait(watched: Seen) -> str:
    """The first path that changes; waits for it to settle."""
    paths = list(watched)
    while True:
        now = _seen(paths)
        for path in paths:
            if now[path] != watched[path]:
                while True:
                    time.sleep(SETTLED)
                    later = _seen([path])
                    if later[path] == now[path]:
                        return path
                    now.update(later)
        time.sleep(INTERVAL)
