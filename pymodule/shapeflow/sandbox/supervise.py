"""The parent's side: starts the script's process, takes what it reports, and outlives it.

Findings arrive one by one, as they are made, and once more in the whole report at the end. Whatever
becomes of the script's process, what had arrived is reported, with the reason of the end.
"""
from __future__ import annotations

import os
import sys
import time

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import MAX_PROCESSES, Policy, shown_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.check import Deliver
    from shapeflow.findings import Report
    from shapeflow.options import Options

    Work = Callable[[channel.Sender], int]
    Conclude = Callable[[Report], Optional[Tuple[int, bool, str, str]]]

GRACE = 3.0  # seconds beyond the time limit: the script's process ends itself, unless it hangs in C
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
KEEPER = os.path.join(PACKAGE, "_keeper")
_SCRATCH = "shapeflow-"
_SOON_OVER = 250  # ms of a script
MAX_OUTPUT = 256 << 20  # bytes that a script may print, where they are shown


class NoSandbox(Exception):
    """Not even the least of the wanted layers works here; the words are for the user."""


class Ending:
    """How the script's process ended: `status` its exit status, negative for a signal; `reason` why it
    was ended from outside, in words that follow the script's name."""

    def __init__(self, layer: str = "") -> None:
        self.status: Optional[int] = None
        self.reason: Optional[str] = None
        self.layer = layer
        self.seconds = 0.0

    def read(self, status: bytes, reason: int, limit: float, memory: int) -> None:
        """What attend() gave. `limit` in seconds and `memory` in bytes were the script's."""
        if reason:
            self.reason = _REASONS[reason].format(limit=limit)
        for line in status.decode("utf-8", "replace").splitlines():
            words = line.split()
            if words[:2] == ["limit", "memory"]:
                self.reason = f"used more than {shown_size(memory)} of memory (--max-memory)"
            elif words[:2] == ["limit", "processes"]:
                self.reason = f"had more than {MAX_PROCESSES} processes"
            elif words[:2] == ["limit", "scratch"]:
                self.reason = f"wrote {shown_size(int(words[2]))}, more than there is room for"
            elif words[:1] == ["exit"]:
                self.status = int(words[1])
            elif words[:1] == ["signal"]:
                self.status = -int(words[1])


# By SfsbReason, of attend.h.
_REASONS = ("", "stopped after {limit:g} s (--time-limit)", "interrupted", "ended by SIGTERM",
            "ended by SIGHUP", f"printed more than {shown_size(MAX_OUTPUT)}", "sent what is no report")


class Child:
    """The script's process and those around it. `time_limit` 0: none. `terminal`: its standard error may
    be ours where that is a terminal. `cwd`: where `work` goes, unless it stays here."""

    def __init__(self, work: Work, policy: Policy, script: str, time_limit: float,
                 show_output: bool, terminal: bool, cwd: Optional[str] = None) -> None:
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        self.ending = Ending()
        self._limit = time_limit
        self._began = time.clock_gettime(time.CLOCK_MONOTONIC)
        self._scratch = _make_scratch()
        reading, writing = os.pipe()
        outputs = [_output(fd, show_output, terminal) for fd in (1, 2)]
        folders = [cwd or os.getcwd(), os.path.dirname(os.path.abspath(script)), os.path.expanduser("~"),
                   os.path.dirname(self._scratch)]
        sys.stdout.flush()
        sys.stderr.flush()
        kept = [writing, *(ours for _, ours in outputs if ours >= 0)]
        import gc

        # Before the fork: what only the script's process imports is never kept as compiled.
        import shapeflow.sandbox.inside as inside

        gc.freeze()  # what both processes have is not looked at, and so not copied, by either's collector
        limits = policy.native(kept, self._scratch, folders)
        self._memory = limits["max_memory"]
        self._signals = _sandbox.block_signals()
        try:
            limits["keeper"] = KEEPER if os.path.isfile(KEEPER) else None
            try:
                self._pid, self._status_fd, self.ending.layer, self.notes = _sandbox.spawn(limits)
            except OSError:
                if limits["keeper"] is None:
                    raise
                limits["keeper"] = None  # it may be what does not work here
                self._pid, self._status_fd, self.ending.layer, self.notes = _sandbox.spawn(limits)
        except BaseException as error:
            _sandbox.unblock_signals(self._signals)
            for fd in (reading, writing, *(fd for pair in outputs for fd in pair)):
                if fd >= 0:
                    os.close(fd)
            os.rmdir(self._scratch)
            if isinstance(error, OSError):
                raise NoSandbox(f"no sandbox can be had here: {error} (see shapeflow doctor)")
            raise
        if self._pid == 0:
            _sandbox.unblock_signals(self._signals)
            inside.main(work, channel.Sender(writing), self.ending.layer, policy, self._scratch,
                        [ours for _, ours in outputs])
        os.close(writing)
        for _, ours in outputs:
            if ours >= 0:
                os.close(ours)
        self._keeper: Optional[str] = limits["keeper"]
        limit = int((time_limit + GRACE) * 1000) if time_limit > 0 else 0
        self._waiting = (self._pid, reading, self._status_fd, outputs[0][0], 1, outputs[1][0], 2,
                         int(self._began * 1000), limit, MAX_OUTPUT, self._signals)

    def wait(self, take: Callable[[Dict[str, Any]], None]) -> Ending:
        """Gives each message to `take`, when all is over. Ctrl-C goes on to the script, which reports; a
        second one ends it."""
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        try:
            said, status, reason = _sandbox.attend(*self._waiting)
        finally:
            _sandbox.unblock_signals(self._signals)
        self.ending.read(status, reason, self._limit, self._memory)
        if self.ending.status is None:  # it vanished: what is below it goes with it
            self.close()
        self.ending.seconds = time.clock_gettime(time.CLOCK_MONOTONIC) - self._began
        _remove(self._scratch)
        read_messages(said, self.ending, take)
        return self.ending

    def leave(self, report_fd: Optional[int], cache: str, program: List[str]) -> None:
        """Waiting needs no interpreter: this process becomes the program of keeper.c, which ends a check with
        nothing to report by itself (`report_fd`, `cache`: conclude.h), and else runs `program`, this command
        once more, for the rest (resumed()).

        Returns where that program is not to be had, and where it would not be worth it: after a first
        finding, and for a script that is soon over, since to start Python again takes longer."""
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        if self._keeper is None or self._waiting[3] < 0 and self._waiting[5] < 0 and \
                not _sandbox.is_silent(self._waiting[1], self._waiting[2], _SOON_OVER):
            return
        fds = [fd for fd in (*self._waiting[1:4], self._waiting[5]) if fd >= 0]
        words = [str(number) for number in self._waiting]
        words += [f"{self.ending.layer} {self._memory}", str(-1 if report_fd is None else report_fd),
                  self._scratch, cache]
        try:
            for fd in fds:
                os.set_inheritable(fd, True)
            os.execv(self._keeper, ["shapeflow", "attend", *words, *program])
        except OSError:
            for fd in fds:
                os.set_inheritable(fd, False)

    def close(self) -> None:
        """Last, once there is nothing else to do: the kernel takes namespaces down in its own time."""
        if self._status_fd >= 0:
            os.close(self._status_fd)
            self._status_fd = -1
        try:
            os.waitpid(self._pid, 0)
        except OSError:
            pass


def read_messages(said: bytes, ending: Ending, take: Callable[[Dict[str, Any]], None]) -> None:
    """Each message to `take`, until one is none: it is the script's word."""
    try:
        for message in channel.messages(said):
            take(message)
    except channel.Broken:
        ending.reason = ending.reason or _REASONS[-1]


def _output(fd: int, show: bool, terminal: bool) -> Any:
    """(what we read, what the script's process gets as descriptor `fd`); -1: nothing. A terminal it gets
    as it is: to be shown as on one, or for its progress line."""
    try:
        is_terminal = os.isatty(fd)
    except OSError:
        is_terminal = False
    if is_terminal and (show or terminal and fd == 2):
        return -1, os.dup(fd)
    if not show:
        return -1, -1
    reading, writing = os.pipe()
    return reading, writing


def _make_scratch() -> str:
    """A new folder, for the layers that need one outside. tempfile would cost more than the fork."""
    base = os.path.realpath(os.environ.get("TMPDIR") or "/tmp")
    for _ in range(100):
        path = os.path.join(base, _SCRATCH + os.urandom(6).hex())
        try:
            os.mkdir(path, 0o700)
            return path
        except FileExistsError:
            continue
        except OSError:
            break
    import tempfile

    return tempfile.mkdtemp(prefix=_SCRATCH)


def _remove(path: str) -> None:
    try:
        os.rmdir(path)
    except OSError:
        import shutil

        shutil.rmtree(path, ignore_errors=True)
        if os.path.isdir(path):  # folders that the script shut to everybody but root
            for folder, names, _ in os.walk(path):
                for name in names:
                    inner = os.path.join(folder, name)
                    try:
                        if not os.path.islink(inner):
                            os.chmod(inner, 0o700)
                    except OSError:
                        pass
            shutil.rmtree(path, ignore_errors=True)


# --- a check ------------------------------------------------------------------------------------
class Plan:
    """What the command knows of the end before the script runs. `program`: how to start the command once
    more, unless it must not be; `conclude`: called in the script's process with the report, gives (exit
    status, is it cached, what goes to `report_fd`, what goes to standard error) of one that needs no more;
    `cache`: the file for the report."""

    def __init__(self, program: Optional[List[str]] = None, report_fd: Optional[int] = None, cache: str = "",
                 conclude: Optional[Conclude] = None) -> None:
        self.program = program
        self.report_fd = report_fd
        self.cache = cache
        self.conclude = conclude


def check(options: Options, deliver: Deliver, policy: Policy, plan: Plan) -> int:
    """check.check in a sandbox: runs one script, and gives the exit status that `deliver` gave."""
    if not policy.layers:
        import shapeflow.check as plain

        return plain.check(options, deliver)

    import shapeflow.sandbox.inside as inside

    def work(sender: channel.Sender) -> int:
        return inside.check(options, sender, plan.conclude)

    arrived = Arrived()
    try:
        child = Child(work, policy, options.script, options.time_limit, options.show_output,
                      options.progress)
    except NoSandbox as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return 2
    if plan.program is not None:
        child.leave(plan.report_fd, plan.cache, plan.program)
    ending = child.wait(arrived.take)
    try:
        return finish(options.script, arrived, ending, deliver)
    finally:
        child.close()


def finish(script: str, arrived: Arrived, ending: Ending, deliver: Deliver) -> int:
    """What is left to do for a script that has run."""
    if arrived.usage is not None:
        print(f"shapeflow: {arrived.usage}", file=sys.stderr)
        return 2
    import shapeflow.cli as cli
    import shapeflow.reports as reports

    cli.nothing_ran = True
    report = arrived.report or arrived.without(script, ending)
    reports.quotable(report)
    for stream in (sys.stdout, sys.stderr):  # source lines may hold what the locale cannot write
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return deliver(report, sys.stdout, sys.stderr)
    finally:
        _compile(arrived.compiled)


def resumed(time_limit: float) -> Optional[Tuple[Arrived, Ending]]:
    """What a keeper has of the script that this command began; None: it is to be begun. Once."""
    words = os.environ.pop("SHAPEFLOW_KEPT", "").split(" ", 6)
    try:
        fd, length, reason, took, memory = (int(words[i]) for i in (0, 1, 2, 3, 5))
        ending, scratch = Ending(words[4]), words[6]
        if fd < 3 or scratch and not os.path.basename(scratch).startswith(_SCRATCH):
            return None  # nobody's but the user's words, who has other files to lose
        with open(fd, "rb") as stream:
            status, said = stream.read(length), stream.read()
        ending.read(status, reason, time_limit, memory)
    except (OSError, ValueError, IndexError):
        return None
    if scratch:
        _remove(scratch)
    ending.seconds = took / 1000
    arrived = Arrived()
    read_messages(said, ending, arrived.take)
    return arrived, ending


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
    """What came over the channel."""

    def __init__(self) -> None:
        self.report: Optional[Report] = None
        self.usage: Optional[str] = None
        self.broken: Optional[str] = None
        self.findings: List[Dict[str, Any]] = []
        self.compiled: List[str] = []

    def take(self, message: Dict[str, Any]) -> None:
        """Raises channel.Broken for what does not hold what it should."""
        import shapeflow.reports as reports

        try:
            if "finding" in message:
                self.findings.append(message["finding"])
            elif "report" in message:
                self.report = reports.from_script(message["report"])
            elif "usage" in message:
                self.usage = str(message["usage"])
            elif "compiled" in message:
                self.compiled = [str(path) for path in message["compiled"]]
            elif "broken" in message:
                self.broken = str(message["broken"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise channel.Broken(str(error))

    def without(self, script: str, ending: Ending) -> Report:
        """The report of a process that gave none: what had arrived, and why it ended."""
        from shapeflow.findings import Record, Report

        records = []
        for item in self.findings:
            try:
                records.append(Record.from_json({**item, "fixes": []}))
            except (KeyError, TypeError, ValueError, AttributeError):
                continue
        reason = ending.reason or self.broken or _words_of(ending.status)
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
