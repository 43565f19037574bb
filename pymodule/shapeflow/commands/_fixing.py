"""`check --fix` and `check --diff`: tried fixes (package fixes) put into the files, and checked again."""
from __future__ import annotations

import os
import sys

import shapeflow.checker.jobs as jobs
import shapeflow.fixes as fixes
import shapeflow.formats.output as output
from shapeflow.checker.findings import Record, Report, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Sequence, TextIO

    from shapeflow.checker.targets import Target
    from shapeflow.commands.check import Session
    from shapeflow.fixes.search import SearchOptions

ROUNDS = 20  # fixes applied to one script: each is a run


def _to_fix(session: Session, report: Report) -> List[Record]:
    """The records that --fix is for: errors, and with --strict warnings too."""
    severities = ("error", "warning") if session.strict else ("error",)
    return [record for record in report.of(*severities) if record.fixes]


def _judged(session: Session, target: Target, fresh: bool) -> Report:
    report = jobs.check_one(session, target, fresh=fresh)
    session.policy().apply([report])
    return report


def _write(texts: Dict[str, str]) -> Dict[str, str]:
    """Writes the files; what they held before. All or none."""
    before: Dict[str, str] = {}
    for path in texts:
        with open(path, encoding="utf-8", newline="") as stream:
            before[path] = stream.read()
    written: Dict[str, str] = {}
    try:
        for path, text in texts.items():
            written[path] = before[path]
            with open(path, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
    except OSError:
        for path, text in written.items():
            with open(path, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        raise
    return before


def fix(session: Session, target: Target, err: TextIO) -> Report:
    """Applies fixes one at a time, each followed by a check, until none is left; the last report."""
    report = _judged(session, target, False)
    given_up = set()
    for _ in range(ROUNDS):
        left = [record for record in _to_fix(session, report) if record.key() not in given_up]
        if not left:
            break
        record = left[0]
        where = f"{display_path(record.primary.path)}:{record.primary.line}" if record.primary else \
            target.path
        try:
            before = _write(fixes.apply(record))
        except (OSError, ValueError, LookupError) as error:
            given_up.add(record.key())
            print(f"shapeflow: {where}: not fixed: {error}", file=err)
            continue
        after = _judged(session, target, True)
        if after.failure and not report.failure or any(
                later.key() == record.key() for later in after.of("error", "warning")):
            _write(before)
            given_up.add(record.key())
            print(f"shapeflow: {where}: not fixed: the change did not help", file=err)
            continue
        print(f"shapeflow: fixed {where}: {record.code}: {record.fixes[0]['description']}", file=err)
        report = after
    return report


def run(session: Session, targets: Sequence[Target]) -> int:
    """The exit status: of what is left."""
    reports = []
    for target in targets:
        if session.arguments.diff:
            report = _judged(session, target, False)
            for record in _to_fix(session, report):
                sys.stdout.write(_colored(record.fixes[0]["diff"], session.color))
        else:
            report = fix(session, target, sys.stderr)
        reports.append(report)
    sys.stdout.flush()
    if session.arguments.diff:
        if not session.arguments.quiet:
            for report in reports:
                fixable = len(_to_fix(session, report))
                print(f"shapeflow: {report.script}: {output.count([report])}, {fixable} with a tried fix",
                      file=sys.stderr)
        return session.exit_status(reports)
    session.show(reports, sys.stdout, sys.stderr)
    return session.exit_status(reports)


def _colored(diff: str, color: bool) -> str:
    text = diff if not diff or diff.endswith("\n") else diff + "\n"
    if not color:
        return text
    painted = []
    for line in text.splitlines(True):
        code = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}.get(line[:1], "")
        painted.append(f"{code}{line.rstrip()}\x1b[0m\n" if code else line)
    return "".join(painted)


def suggest(session: Session, target: Target, report: Report,
            tell: Optional[Callable[[int, int], None]] = None) -> None:
    """Fills Record.fixes of what counts in a raw report. `tell`: see SearchOptions."""
    from shapeflow.checker.configuration import MODES, usable_version
    from shapeflow.fixes.search import SearchOptions

    counted = report.view()
    session.policy().apply([counted])
    if not counted.of("error", "warning") or "interrupted" in report.ended:
        return
    counted.script = os.path.abspath(target.script.path)
    # A fix is tried as the TensorFlow under which the finding was made.
    version, mode = session.tf_version(target), session.mode(target)
    if len(report.emulated) > 1 and usable_version(report.emulated[0]) and report.emulated[1] in MODES:
        version, mode = report.emulated[:2]
    options = SearchOptions(session.args(target), version, mode,
                      cwd=target.script.cwd, data=session.settings.data, root=session.settings.root,
                      policy=session.sandbox, tell=tell, overrides=target.overrides(),
                      module=target.module, missing_imports=session.missing_imports,
                      every_batch=session.every_batch, lent=report.lent)
    try:
        look(counted, options)
    finally:
        report.searched, report.search_stopped = counted.searched, counted.search_stopped


def look(report: Report, options: SearchOptions) -> None:
    """Fills Record.fixes of the report's errors and warnings; no way in which that fails matters much."""
    try:
        fixes.find(report, options)
    except KeyboardInterrupt:  # no more patience for suggestions: the findings are there
        report.search_stopped = "by Ctrl-C"
    except Exception as error:  # a suggestion is a courtesy: without one the findings stand
        if os.environ.get("SHAPEFLOW_DEBUG"):
            raise
        report.search_stopped = f"by {type(error).__name__}: {error}"
