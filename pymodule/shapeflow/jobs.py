"""Several scripts, a process each: at most `--jobs` at a time, shown in the order given."""
from __future__ import annotations

import os
import sys
import threading
import time

import shapeflow.output as output
import shapeflow.reports as reports_
import shapeflow.runner as runner
from shapeflow.findings import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List, Optional, Sequence

    from shapeflow.commands.check import Session
    from shapeflow.targets import Target

    Child = Any


class Pool:
    """Runs targets on threads that each wait for one child; gives their reports in order."""

    def __init__(self, session: Session, targets: Sequence[Target]) -> None:
        self._session = session
        self._targets = list(targets)
        self._results: List[Optional[Report]] = [None] * len(self._targets)
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
            try:
                report = check_one(self._session, target, self._add)
            except Exception as error:  # ours, or the system's: one script must not take the others along
                report = Report(target.path, [], 3, "without a report", f"{type(error).__name__}: {error}")
            with self._changed:
                self._results[number] = report
                self._running.remove(target.path)
                self._changed.notify_all()

    def _add(self, child: Child) -> None:
        with self._changed:
            self._children = [known for known in self._children if known.poll() is None] + [child]
            if self._stop:
                _interrupt(child)

    def reports(self, tick: Callable[[int, int, List[str]], None]) -> Iterator[Report]:
        """Each as soon as it and all before it are there. After Ctrl-C: those that had begun, with what
        they found until then. `tick(done, all, running)` is called now and then."""
        for thread in self._threads:
            thread.start()
        for number in range(len(self._targets)):
            while not self._ready(number):
                try:
                    with self._changed:
                        if self._results[number] is None:
                            self._changed.wait(0.2)
                        done = sum(result is not None for result in self._results)
                        running = list(self._running)
                    tick(done, len(self._targets), running)
                except KeyboardInterrupt:
                    if self._stop:
                        raise
                    self.interrupt()
            report = self._results[number]
            if report is not None:
                yield report

    def _ready(self, number: int) -> bool:
        return self._results[number] is not None or self._stop and not any(
            thread.is_alive() for thread in self._threads)

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
              fresh: bool = False) -> Report:
    """The raw report of one target, from the cache or from a child."""
    cache = session.cache
    key = session.key(cache, target) if cache is not None else ""
    if cache is not None and not fresh:
        known = cache.get(key)
        if known is not None:
            report = reports_.unpack(known)
            report.cached = True
            report.script = target.path
            reports_.quotable(report)
            return report
    cwd = target.script.cwd
    report = runner.run(target.script.path if cwd else target.path, session.child_options(target),
                        session.args(target), time_limit=session.time_limit(target), cwd=cwd,
                        started=started, show_output=bool(session.arguments.show_output))
    report.script = target.path
    reports_.quotable(report)
    session.suggest(target, report)
    if cache is not None and report.reads is not None:
        cache.put(key, reports_.pack(report), report.reads)
    return report


def run(session: Session, targets: Sequence[Target]) -> int:
    """Checks all of them; the exit status."""
    if session.arguments.watch:
        import shapeflow.watch as watch

        return watch.run(session, targets)
    if session.arguments.fix or session.arguments.diff:
        import shapeflow.commands._fixing as fixing

        return fixing.run(session, targets)
    return run_once(session, targets, sys.stdout, sys.stderr)[0]


def run_once(session: Session, targets: Sequence[Target], out: Any, err: Any) -> Any:
    """(exit status, raw reports' manifests): one round over the targets."""
    began = time.monotonic()
    policy = session.policy()
    piecewise = session.format in output.TEXTS and session.arguments.output is None and \
        not policy.warn_unused_ignores and not session.arguments.write_baseline
    line = _line(session, err)
    pool = Pool(session, targets)
    found: List[Report] = []

    def tick(done: int, all: int, running: List[str]) -> None:
        seconds = time.monotonic() - began
        if line is not None and seconds > 1.0 and running:
            line.show(f"{done} of {all} done, {seconds:.0f} s: {', '.join(running)}")

    for report in pool.reports(tick):
        found.append(report)
        if piecewise:
            policy.judge([report])
            if line is not None:
                line.clear()
            session.show([report], out, err)
    if line is not None:
        line.clear()
    if not piecewise:
        policy.judge(found)
    if session.arguments.write_baseline:
        return session.write_baseline(found, err), found
    if not piecewise:
        session.show(found, out, err)
    if not session.arguments.quiet and len(targets) > 1 and session.format in output.TEXTS:
        cached = sum(report.cached for report in found)
        known = f", {cached} unchanged since" if cached else ""
        print(f"shapeflow: {len(found)} scripts{known}: {output.count(found)} in "
              f"{time.monotonic() - began:.2f} s", file=err)
    if pool.left_out:
        print(f"shapeflow: interrupted: {pool.left_out} of {len(targets)} scripts were not checked",
              file=err)
    status = session.exit_status(found) if found else 3
    return (3 if pool.left_out and status == 0 else status), found


def _line(session: Session, err: Any) -> Any:
    if session.arguments.quiet or not err.isatty():
        return None
    import shapeflow.progress as progress

    return progress.Line(err) if progress.wanted(err) else None
