"""The parent's side: starts the script's process, takes what it reports, and outlives it.

Findings arrive one by one, as they are made, and once more in the whole report at the end. Whatever
becomes of the script's process, what had arrived is reported, with the reason of the end.
"""
from __future__ import annotations

import os
import sys
import time

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import PACKAGE, Policy
from shapeflow.sandbox.child import Child, NoSandbox
from shapeflow.sandbox.wait_child import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.checker.check import Deliver
    from shapeflow.checker.findings import Record, Report
    from shapeflow.checker.options import CheckOptions
    from shapeflow.sandbox.child import Work

    Show = Callable[[Record], None]

MAX_LINES = 10  # of a script's last words
_MOST_PATHS = 50  # that a second run takes to be there
_MOST_PASSED = 24  # statements that a run passes over, one after the other
_PASSED_ALONE = 2  # of them, before a run passes over any that fails
_SECONDS_PASSING = 30.0  # after which no further statement is
_MOST_DIFFERENCES = 4  # between two runs with other numbers, that are passed over
_MOST_PARTS = 64  # of a line
_MOST_COLUMNS = 16  # of a table, that were looked up in vain
_BY_IMPORTS = ("by ModuleNotFoundError", "by ImportError")
_MOST_ATTEMPTS = 5  # to run a program that gives up, each time with more of what it wants


# --- a check ------------------------------------------------------------------------------------
def check(options: CheckOptions, deliver: Deliver, policy: Policy, show: Optional[Show] = None) -> int:
    """check.check in a sandbox: runs one script, and gives the exit status that `deliver` gave. `show` is
    called with each error as it arrives, while the script runs on."""
    if not policy.layers:
        import shapeflow.checker.one_check as plain

        return plain.check(options, deliver)

    import shapeflow.sandbox.reporting as reporting

    def work(sender: channel.Sender) -> int:
        return reporting.check(options, sender)

    options.variant = 0
    options.is_shown_at_once = show is not None
    arrived, child, ending = _run(work, options, policy, show)
    if child is None:
        return 2
    given = options.tf_version, options.because
    if wants_another_version(arrived.report, options):
        first = arrived
        child.close()
        arrived, child, ending = _run(work, options, policy, show)
        if child is None:
            return 2
        if not is_better(arrived.report, first.report):
            arrived = first
            options.tf_version, options.because = given
        if arrived.report is not None and arrived.report.reads is not None:
            arrived.report.reads["opaque"] = "a first run under another version"
    arrived = _with_data(work, options, policy, arrived)
    if arrived.report is not None and arrived.report.loops:
        child.close()
        arrived.report = _confirmed(arrived.report, work, options, policy)
    try:
        return finish(options.script, arrived, ending, deliver)
    finally:
        child.close()


def gone_on(work: Work, options: CheckOptions, policy: Policy, arrived: Arrived) -> Optional[Arrived]:
    """A run that does not give up where the one that arrived did; None: there is none, or it did not."""
    report = arrived.report
    if not policy.layers or report is None or not _gave_up(report):
        return None
    return _completed(work, options, policy, report)


def _confirmed(report: Report, work: Work, options: CheckOptions, policy: Policy) -> Report:
    """What still holds when loops are left later, or not at all."""
    import shapeflow.checker.loops.confirm as confirm

    def attempt(patience: int) -> Optional[Report]:
        options.patience = patience
        again, child, _ = _run(work, options, policy, None)
        if child is not None:
            child.close()
        return again.report

    return confirm.confirmed(report, attempt, options.time_limit)


def _with_data(work: Work, options: CheckOptions, policy: Policy, arrived: Arrived) -> Arrived:
    """Runs again what needs it because arguments or data are not there: with packages that expect unknown
    values from the start, as Python 2, with arguments that are made up, as if files were there that the
    script asks for before it gives up, and with other numbers where some were made up."""
    if arrived.report is not None and arrived.report.counters.get("late_for_unknown"):
        options.unknown_at_start = True
        again = _attempt(work, options, policy)
        arrived = arrived if again is None or again.report is None else again
    report = arrived.report
    version = options.tf_version, options.because
    if report is not None and _gave_up(report):
        found = _completed(work, options, policy, report)
        if found is not None and found.report is not None:
            arrived, report = found, found.report
        else:
            options.lend(report.lent)
            options.tf_version, options.because = version
    if report is None or not report.depends_on_made_up:
        return arrived
    had_errors = bool(report.of("error"))
    arrived.report = _compared(work, options, policy, report)
    if had_errors and arrived.report.failure and not arrived.report.of("error"):
        # Its findings were of the numbers that were made up, and had kept it from passing over its end.
        options.variant = 0
        found = _passed_over(work, options, policy, arrived.report)
        if found is not None and found.report is not None:
            arrived = found
            arrived.report = _compared(work, options, policy, found.report)
    return arrived


def _compared(work: Work, options: CheckOptions, policy: Policy, first: Report) -> Report:
    """What two runs with other numbers say together. Where one ends by an exception, or a finding, that the
    other does not have, both pass over that."""
    import shapeflow.sandbox.second_run as second_run

    def run(variant: int) -> Optional[Report]:
        options.variant = variant
        again = _another(work, options, policy)
        return None if again is None else again.report

    second = run(1)
    for _ in range(_MOST_DIFFERENCES):
        if second is None or first.passable == second.passable and \
                not second_run.ends_differ(first, second, options.passed_over):
            break
        places = _places(second, options) or _places(first, options)
        if not places:
            break
        options.passed_over = options.passed_over + places
        again = run(0)
        if again is None:
            break
        first, second = again, run(1)
    return first if second is None else second_run.together(first, second, options.passed_over)


def _gave_up(report: Report) -> bool:
    """Did the script end before its time, perhaps for want of something? Also one that only shows how it is
    used."""
    return bool(report.failure) or report.ended == "by sys.exit" and not report.counters.get("ops")


def _completed(work: Work, options: CheckOptions, policy: Policy, report: Report) -> Optional[Arrived]:
    """A run that has what the runs before it wanted, and does not give up, or, from the one of them that came
    furthest, passes over what failed; None: there is none."""
    best = report
    for _ in range(_MOST_ATTEMPTS):
        more = [path for path in report.wanted if path not in options.present]
        again = None
        if report.python2:
            again = _as_python2(work, options, policy, report)
            if again is None:
                report.python2 = False
                continue
        elif report.old_messages:
            options.old_messages = True
        elif more and len(options.present) < _MOST_PATHS:
            options.present = options.present + more[:_MOST_PATHS]
        elif report.lacking:
            options.arguments = options.arguments + report.lacking
        elif any(name not in options.unguarded for name in report.guarded):
            # Its answer to an import that fails was to give up, at once or later.
            options.unguarded = list(dict.fromkeys([*options.unguarded, *report.guarded]))
        elif not options.parts and len(report.split_at) == 1 and (parts := _unpacked(report)):
            # zip(*pairs), long after the lines were split: how many parts they have shows only there. Were it
            # said of lines that are split elsewhere, two runs would agree about what nobody knows.
            options.parts = [(*report.split_at[0], min(parts, _MOST_PARTS))]
        elif report.counters.get("unknown_columns") and len(options.columns) < _MOST_COLUMNS and \
                (key := _lacking_key(report)) not in ("", *options.columns):
            options.columns = [*options.columns, key]
        else:
            break
        again = again or _attempt(work, options, policy)
        if again is None or again.report is None:
            return None
        if not _gave_up(again.report) or again.report.of("error") or _is_stopped(again.report):
            return again
        report = again.report
        further = _progress(report) >= _progress(best)
        if report.lent.get("unguarded") != best.lent.get("unguarded"):  # that lets it pass over more
            further = _progress(report)[1] > _progress(best)[1] or \
                best.ended in _BY_IMPORTS and report.ended not in _BY_IMPORTS
        if further:
            best = report
    options.lend(best.lent)
    return _passed_over(work, options, policy, best)


def _unpacked(report: Report) -> int:
    """How many values were expected where it failed because there were others; 0: it failed otherwise."""
    _, found, words = (report.failure or "").partition(" values to unpack (expected ")
    number = words.replace("at least ", "", 1).partition(")")[0].partition(",")[0]
    return int(number) if found and number.isdigit() else 0


def _lacking_key(report: Report) -> str:
    """What was looked up in vain, as {name: i for i, name in enumerate(table.columns)}["price"]; or ""."""
    _, _, key = (report.failure or "").partition("KeyError: ")
    return key[1:-1] if key[:1] in ("'", '"') and key[-1:] == key[:1] else ""


def _as_python2(work: Work, options: CheckOptions, policy: Policy, report: Report) -> Optional[Arrived]:
    """A run of the program as Python 2; None: it comes no further, so that it is none, and is run as Python 3
    from here on, where a division means another."""
    options.python2 = True
    again = _attempt(work, options, policy)
    if again is not None and again.report is not None and _is_further(again.report, report):
        return again
    options.python2, options.is_python3 = False, True
    return None


def _is_further(report: Report, before: Report) -> bool:
    """Does the program end later than it did before, or not at all?"""
    ops, ops_before = report.counters.get("ops", 0), before.counters.get("ops", 0)
    if not _gave_up(report) or ops != ops_before or not report.failed_at or not before.failed_at:
        return not _gave_up(report) or ops > ops_before
    (path, line), (path_before, line_before) = report.failed_at[:2], before.failed_at[:2]
    return bool(path != path_before or line > line_before)


def _is_stopped(report: Report) -> bool:
    """Did it go on until the time limit, and nothing fail before, not in a thread either?"""
    return report.ended.startswith("stopped") and report.failure in (None, report.ended)


def _progress(report: Report) -> Tuple[bool, int]:
    """May one that passes over something come further than a run that gave up, and how far did it come?"""
    return any(report.passable), report.counters.get("ops", 0)


def _passed_over(work: Work, options: CheckOptions, policy: Policy, report: Report) -> Optional[Arrived]:
    """A run that passes over the statements at which the runs before it ended, one after the other, and does
    not give up; None: there is none."""
    began, rounds = time.monotonic(), 0
    if report.of("error"):
        return None  # it has its findings, and what is unknown may come of them
    while len(options.passed_over) < _MOST_PASSED and time.monotonic() - began < _SECONDS_PASSING:
        as_python2 = _as_python2(work, options, policy, report) if report.python2 else None
        if as_python2 is not None and as_python2.report is not None:
            report = as_python2.report
            if report.failure is None or report.of("error"):
                return as_python2
        elif rounds == _PASSED_ALONE:
            again = _passed_all(work, options, policy, began)
            if again is not None:
                return again
        again = _with_wanted(work, options, policy, report) if rounds else None
        if again is not None and again.report is not None:
            if again.report.failure is None or again.report.of("error"):
                return again
            report = again.report
        places = _places(report, options)
        if not places:
            return None
        options.passed_over = options.passed_over + places
        rounds += 1
        again = _attempt(work, options, policy)
        if again is None or again.report is None:
            return None
        if report.ended.startswith("by sys.exit(") and _progress(again.report)[1] <= _progress(report)[1]:
            return None  # it has ended itself where nothing follows
        if again.report.failure is None or again.report.of("error") or _is_stopped(again.report):
            return again
        report = again.report
    return None


def _with_wanted(work: Work, options: CheckOptions, policy: Policy, report: Report) -> Optional[Arrived]:
    """A run that has the files for which only this one asked, and comes further by that; None: there is
    none."""
    given = options.present
    more = [path for path in report.wanted if path not in given]
    if not more or len(given) >= _MOST_PATHS:
        return None
    options.present = given + more[:_MOST_PATHS]
    again = _attempt(work, options, policy)
    if again is not None and again.report is not None and (
            again.report.failure is None or
            again.report.failure != report.failure and _progress(again.report) >= _progress(report)):
        return again
    options.present = given
    return None


def _passed_all(work: Work, options: CheckOptions, policy: Policy, began: float) -> Optional[Arrived]:
    """A run that passes over any statement that fails, of loops those at which a run before it ended, and
    does not give up; None: there is none."""
    given = options.passed_over
    options.passes_all = True
    while time.monotonic() - began < _SECONDS_PASSING:
        again = _attempt(work, options, policy)
        if again is None or again.report is None:
            break
        report = again.report
        if report.python2 and _as_python2(work, options, policy, report) is not None:
            continue
        if report.failure is None or report.of("error"):
            return again
        else:
            places = _places(report, options)
            if not places:
                break
            options.passed_over = options.passed_over + places
    options.passes_all, options.passed_over = False, given
    return None


def _places(report: Report, options: CheckOptions) -> List[Tuple[str, int]]:
    """What the next run passes over, of each failure the innermost line that no run has passed over."""
    found = (next((place for place in frames if place not in options.passed_over), None)
             for frames in report.passable)
    left = _MOST_PASSED - len(options.passed_over)
    return list(dict.fromkeys(place for place in found if place is not None))[:left]


def _attempt(work: Work, options: CheckOptions, policy: Policy) -> Optional[Arrived]:
    """A further run; where that shows that the program is one of another version, one as that version."""
    given = options.tf_version, options.because
    again = _another(work, options, policy)
    if again is None or not wants_another_version(again.report, options):
        return again
    other = _another(work, options, policy)
    if other is not None and is_better(other.report, again.report):
        return other
    options.tf_version, options.because = given
    return again


def _another(work: Work, options: CheckOptions, policy: Policy) -> Optional[Arrived]:
    """A further run, which shows nothing."""
    shown, options.show_output = options.show_output, False
    progress, options.progress = options.progress, False
    try:
        arrived, child, _ = _run(work, options, policy, None)
        if child is not None:
            child.close()
        return arrived
    finally:
        options.show_output, options.progress = shown, progress


# --- a second run, as another version -------------------------------------------------------------
def wants_another_version(report: Optional[Report], options: CheckOptions) -> bool:
    """Did a run fail for want of a name that another version has? What the script's files showed was not all
    then: `options` are those of a second run, as that version."""
    if report is None or not report.again or options.tf_version:
        return False
    from shapeflow.tensorflow.compat.version_decision import BETWEEN, CANDIDATES

    if report.again not in CANDIDATES + BETWEEN:  # the script's process may say anything
        return False
    options.tf_version = report.again
    options.because = report.again_because
    return True


def is_better(second: Optional[Report], first: Optional[Report]) -> bool:
    """Does a second run count, and not the first? Of those that end because they are of that version only one
    that came further; of a version that is only tried, one in which the call succeeds for which it was."""
    if second is None or first is not None and first.again_tried[0] and _fails_too(second, first):
        return False
    if second.failure and second.ended in (
            "by AttributeError", "by ImportError", "by ModuleNotFoundError", "by TypeError"):
        return first is not None and bool(first.failure) and \
            second.counters.get("ops", 0) > first.counters.get("ops", 0)
    return not (second.ended == "by AssertionError" and not second.counters.get("ops"))


def _fails_too(second: Report, first: Report) -> bool:
    """Does the call fail in both runs, or does the second one end where the first went on?"""
    tried, begins, ends = first.again_tried
    spans = [record.primary for record in second.of("error")]
    places = [(span.path, span.line) for span in spans if span is not None]
    if second.failure is not None:
        if first.failure is None or not second.failed_at:
            return True
        places.append((second.failed_at[0], second.failed_at[1]))
    return any(path == tried and begins <= line <= ends for path, line in places)


def _run(work: Work, options: CheckOptions, policy: Policy,
         show: Optional[Show]) -> Tuple[Arrived, Optional[Child], Any]:
    """What arrived of one run, its process, and how that ended; no process: there is no sandbox."""
    arrived = Arrived(show)
    said = None if options.show_output else os.pipe()
    options.error_fd = said[1] if said is not None else -1
    try:
        child = Child(work, policy, options.script, options.time_limit, options.show_output,
                      options.progress or os.isatty(0), said=said)
    except NoSandbox as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return arrived, None, None
    ending = child.wait(arrived.take)
    if arrived.report is not None:
        arrived.report.lent = options.lent()  # whatever the script's process says
    return arrived, child, ending


def finish(script: str, arrived: Arrived, ending: Ending, deliver: Deliver) -> int:
    """What is left to do for a script that has run."""
    if arrived.usage is not None:
        print(f"shapeflow: {arrived.usage}", file=sys.stderr)
        return 2
    import shapeflow.checker.reports as reports
    import shapeflow.process as process

    process.nothing_ran = True
    report = arrived.report or arrived.without(script, ending)
    reports.quotable(report)
    if report.failure:
        report.said = ending.said.decode("utf-8", "replace").splitlines()[-MAX_LINES:]
    if ending.removed:
        import shapeflow.sandbox.notices as notices

        notices.add_removed(report, ending.removed)
    for stream in (sys.stdout, sys.stderr):  # source lines may hold what the locale cannot write
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return deliver(report, sys.stdout, sys.stderr)
    finally:
        _compile(arrived.compiled)


def _compile(paths: List[str]) -> None:
    """Modules of ours that the script's process had to compile, and could not keep: once, not at each check.
    From their sources, whatever that process says of them."""
    from importlib.machinery import SourceFileLoader

    for path in paths:
        if path.startswith(PACKAGE) and path.endswith(".py") and ".." not in path:
            try:
                SourceFileLoader(__name__, path).get_code(__name__)
            except (OSError, ValueError, SyntaxError):
                pass


class Arrived:
    """What came over the channel. `show`: called with each finding as it comes."""

    def __init__(self, show: Optional[Show] = None) -> None:
        self._show = show
        self.report: Optional[Report] = None
        self.usage: Optional[str] = None
        self.failure: Optional[str] = None
        self.findings: List[Dict[str, Any]] = []
        self.compiled: List[str] = []
        self.made: Any = None  # of the run, by who wants more of it than the report

    def take(self, kind: int, value: Any) -> None:
        """Raises channel.Broken for what does not hold what it should."""
        try:
            if kind == channel.FINDING:
                self.findings.append({**value, "fixes": []})
                if self._show is not None and not value.get("unsure"):
                    from shapeflow.checker.findings import Record

                    self._show(Record.from_json(self.findings[-1]))
            elif kind == channel.REPORT:
                import shapeflow.checker.reports as reports

                self.report = reports.from_script(value)
            elif kind == channel.USAGE:
                self.usage = str(value)
            elif kind == channel.COMPILED:
                self.compiled = [str(path) for path in value]
            elif kind == channel.TAKEN:
                self.made = value if self.made is None else self.made
            elif kind == channel.FAILURE:
                self.failure = str(value)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise channel.Broken(str(error))

    def without(self, script: str, ending: Ending) -> Report:
        """The report of a process that gave none: what had arrived, and why it ended."""
        from shapeflow.checker.findings import Record, Report

        records = []
        for item in self.findings:
            try:
                records.append(Record.from_json(item))
            except (KeyError, TypeError, ValueError, AttributeError):
                continue
        reason = ending.reason or self.failure or _words_of(ending.status)
        status = 1 if any(record.severity == "error" for record in records) else 3
        return Report(script, records, status, "early", reason, ending.seconds)


def _words_of(status: Optional[int]) -> str:
    if status is not None and status < 0:
        import signal

        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"its process was ended by {name}"
    if status is None:
        return "its process vanished"
    return f"its process left with status {status} and no report"
