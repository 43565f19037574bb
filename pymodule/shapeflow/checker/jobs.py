"""Several scripts, a process each: at most `--jobs` at a time, shown in the order given."""
from __future__ import annotations

import os
import threading
import time

import shapeflow.checker.reports as reports_
import shapeflow.checker.runner as runner
import shapeflow.checker.selection as selection
import shapeflow.formats.output as output
from shapeflow.checker.findings import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TextIO, Tuple

    from shapeflow.checker.targets import Target
    from shapeflow.commands.check import Session

    Child = Any


class Pool:
    """Runs targets on threads that each wait for one child; gives their reports in order."""

    def __init__(self, session: Session, targets: Sequence[Target]) -> None:
        self._session = session
        self._targets = list(targets)
        self._found: List[Optional[Report]] = [None] * len(self._targets)  # before fixes are looked for
        self._results: List[Optional[Report]] = [None] * len(self._targets)
        self._tried: Dict[str, Tuple[int, int]] = {}
        self._next = 0
        self._stop = False
        self._changed = threading.Condition()
        self._children: List[Child] = []
        self._running: List[str] = []
        wished = session.arguments.jobs or session.settings.jobs or os.cpu_count() or 1
        self._threads = [threading.Thread(target=self._work, daemon=True)
                         for _ in range(min(wished, len(self._targets)))]

    def _work(self) -> None:
        while True:
            with self._changed:
                if self._stop or self._next >= len(self._targets):
                    self._changed.notify_all()
                    return
                number = self._next
                self._next += 1
                target = self._targets[number]
                self._running.append(target.path)

            def found(report: Report, number: int = number) -> None:
                with self._changed:
                    self._found[number] = report
                    self._changed.notify_all()

            def tell(made: int, planned: int, path: str = target.path) -> None:
                if self._stop:
                    raise KeyboardInterrupt  # the search ends, with what it has
                self._tried[path] = (made, planned)

            try:
                report = check_one(self._session, target, self._add, found=found, tell=tell)
            except Exception as error:  # ours, or the system's: one script must not take the others along
                report = Report(target.path, [], 3, "without a report", f"{type(error).__name__}: {error}")
            with self._changed:
                self._results[number] = report
                self._running.remove(target.path)
                self._tried.pop(target.path, None)
                self._changed.notify_all()

    def _add(self, child: Child) -> None:
        with self._changed:
            self._children = [known for known in self._children if known.poll() is None] + [child]
            if self._stop:
                _interrupt(child)

    def reports(self, tick: Callable[[int, int, List[str]], None]) -> Iterator[Tuple[Report, bool]]:
        """Each as soon as it and all before it are there: once when its script has run, and again, with True,
        when fixes have been looked for. After Ctrl-C: those that had begun, with what they found until then.
        `tick(done, all, running)` is called now and then."""
        for thread in self._threads:
            thread.start()
        for number in range(len(self._targets)):
            self._wait(number, self._found, tick)
            report = self._found[number]
            if report is not None:
                yield report, False
            self._wait(number, self._results, tick)
            report = self._results[number]
            if report is not None:
                yield report, True

    def _wait(self, number: int, wanted: List[Optional[Report]],
              tick: Callable[[int, int, List[str]], None]) -> None:
        while not self._ready(number, wanted):
            try:
                with self._changed:
                    if wanted[number] is None:
                        self._changed.wait(0.2)
                    done = sum(result is not None for result in self._results)
                    running = [self._doing(path) for path in self._running]
                tick(done, len(self._targets), running)
            except KeyboardInterrupt:
                if self._stop:
                    raise
                self.interrupt()

    def _doing(self, path: str) -> str:
        tried = self._tried.get(path)
        return path if tried is None else f"{path} (trying fixes: {tried[0]} of {tried[1]})"

    def _ready(self, number: int, wanted: List[Optional[Report]]) -> bool:
        if wanted[number] is not None or self._results[number] is not None:
            return True
        return self._stop and not any(thread.is_alive() for thread in self._threads)

    def interrupt(self) -> None:
        """No script is begun any more; the running ones report."""
        with self._changed:
            self._stop = True
            for child in self._children:
                _interrupt(child)

    @property
    def left_out(self) -> int:
        return sum(result is None for result in self._results)


def _interrupt(child: Child) -> None:
    import signal

    if child.poll() is None:
        child.send_signal(signal.SIGINT)


def check_one(session: Session, target: Target, started: Optional[Callable[[Child], None]] = None,
              fresh: bool = False, found: Optional[Callable[[Report], None]] = None,
              tell: Optional[Callable[[int, int], None]] = None) -> Report:
    """The raw report of one target, from the cache or from a child. `found` is called with it before fixes
    are looked for, `tell` during that."""
    cache = session.cache_for(target)
    began = time.monotonic()
    key = session.key(cache, target) if cache is not None else ""
    if cache is not None and not fresh:
        known = cache.get(key)
        if known is not None:
            report = reports_.unpack(known)
            report.cached = True
            report.script = target.path
            reports_.quotable(report)
            if found is not None:
                found(report)
            if session.lacks_search(report):
                session.suggest(target, report, tell)
                if report.searched:
                    cache.put(key, reports_.pack(report), report.reads)
            return report
    cwd = target.script.cwd
    report = runner.run(target.script.path if cwd else target.path, session.child_options(target),
                        session.args(target), target.overrides(), session.time_limit(target), cwd, started,
                        bool(session.arguments.show_output))
    report.script = target.path
    reports_.quotable(report)
    if found is not None:
        found(report)
    session.suggest(target, report, tell)
    report.wall = time.monotonic() - began
    if cache is not None and report.reads is not None:
        cache.put(key, reports_.pack(report), report.reads)
    return report


def run_once(session: Session, targets: Sequence[Target], out: TextIO,
             err: TextIO) -> Tuple[int, List[Report]]:
    """(exit status, raw reports' manifests): one round over the targets."""
    began = time.monotonic()
    policy = session.policy()
    piecewise = session.is_piecewise
    line = session.line(err)
    pool = Pool(session, targets)
    found: List[Report] = []

    def tick(done: int, all: int, running: List[str]) -> None:
        seconds = time.monotonic() - began
        if line is not None and seconds > 1.0 and running:
            line.show(f"{done} of {all} done, {seconds:.0f} s: {', '.join(running)}")

    shown: Optional[Report] = None  # what is shown of a report before its fixes are known
    for report, is_done in pool.reports(tick):
        if line is not None:
            line.clear()
        if piecewise and shown is None:
            shown = report.view()
            policy.apply([shown])
            session.show_findings(shown, out)
        if not is_done:
            continue
        if shown is None:
            found.append(report)
            continue
        shown.search_stopped, shown.wall = report.search_stopped, report.wall
        session.show_rest(shown, out, err)
        found.append(shown)
        shown = None
    if line is not None:
        line.clear()
    if not piecewise:
        policy.apply(found)
    if session.arguments.write_baseline:
        return session.write_baseline(found, err), found
    if not piecewise:
        session.show(found, out, err)
    if session.has_totals and not session.arguments.quiet and session.format in output.TEXTS:
        output.say([output.totals(found, time.monotonic() - began, bool(session.arguments.verbose))], err)
    statuses = [session.exit_status(found)]
    if pool.left_out:
        output.say([f"shapeflow: interrupted: {pool.left_out} of {len(targets)} scripts were not checked"],
                   err)
        statuses.append(selection.EXIT_INTERRUPTED)
    return selection.worst(statuses), found
