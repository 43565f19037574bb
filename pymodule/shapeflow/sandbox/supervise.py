"""The parent's side: starts the script's process, takes what it reports, and outlives it.

Findings arrive one by one, as they are made, and once more in the whole report at the end. Whatever
becomes of the script's process, what had arrived is reported, with the reason of the end.
"""
from __future__ import annotations

import _signal  # what signal.py wraps, without its enums
import os
import sys
import time

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import Policy, shown_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from shapeflow.check import Deliver
    from shapeflow.findings import Report
    from shapeflow.options import Options

    Work = Callable[[channel.Sender], int]

GRACE = 3.0  # seconds beyond the time limit: the script's process ends itself, unless it hangs in C
_LEAVING = 5.0  # after its report: what it does at exit, or what its threads still do
_PATIENCE = 5.0  # after Ctrl-C: for its report
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
MAX_OUTPUT = 256 << 20  # bytes that a script may print, where they are shown


class NoSandbox(Exception):
    """Not even the least of the wanted layers works here; the words are for the user."""


class Ending:
    """How the script's process ended: `status` its exit status, negative for a signal; `reason` why it
    was ended from outside, in words that follow the script's name."""

    def __init__(self) -> None:
        self.status: Optional[int] = None
        self.reason: Optional[str] = None
        self.layer = ""
        self.seconds = 0.0


class Child:
    """The script's process and those around it. `time_limit` 0: none. `terminal`: its standard error may
    be ours where that is a terminal. `cwd`: where `work` goes, unless it stays here."""

    def __init__(self, work: Work, policy: Policy, script: str, time_limit: float,
                 show_output: bool, terminal: bool, cwd: Optional[str] = None) -> None:
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        self.ending = Ending()
        self._limit = time_limit
        self._began = time.monotonic()
        self._scratch = _make_scratch()
        self._pumped: Dict[int, int] = {}
        self._printed = 0
        self._interrupted = 0.0
        self._kill_at = 0.0
        self._pid = 0
        reading, writing = os.pipe()
        outputs = [_output(fd, show_output, terminal) for fd in (1, 2)]
        folders = [cwd or os.getcwd(), os.path.dirname(os.path.abspath(script)), os.path.expanduser("~"),
                   os.path.dirname(self._scratch)]
        sys.stdout.flush()
        sys.stderr.flush()
        self._before = self._take_signals()
        self._terminal = _terminal_settings()
        kept = [writing, *(ours for _, ours in outputs if ours >= 0)]
        import gc

        # Before the fork: what only the script's process imports is never kept as compiled.
        import shapeflow.sandbox.inside as inside

        gc.freeze()  # what both processes have is not looked at, and so not copied, by either's collector
        limits = policy.native(kept, self._scratch, folders)
        self._memory, self._processes = limits["max_memory"], limits["max_processes"]
        try:
            self._pid, self._status_fd, self.ending.layer, self.notes = _sandbox.spawn(limits)
        except BaseException as error:
            self._give_back_signals()
            for fd in (reading, writing, *(fd for pair in outputs for fd in pair)):
                if fd >= 0:
                    os.close(fd)
            os.rmdir(self._scratch)
            if isinstance(error, OSError):
                raise NoSandbox(f"no sandbox can be had here: {error} (see shapeflow doctor)")
            raise
        if self._pid == 0:
            self._give_back_signals()
            inside.main(work, channel.Sender(writing), self.ending.layer, policy, self._scratch,
                        [ours for _, ours in outputs])
        os.close(writing)
        self._channel = reading
        for number, (theirs, ours) in enumerate(outputs, 1):
            if theirs >= 0:
                self._pumped[theirs] = number
            if ours >= 0:
                os.close(ours)

    def wait(self, take: Callable[[Dict[str, Any]], None]) -> Ending:
        """Gives each message to `take`, until all is over. Ctrl-C goes on to the script, which reports;
        a second one ends it."""
        try:
            self._listen(take)
        finally:
            if self.ending.status is None:  # it vanished: what is below it goes with it
                self.close()
            self._give_back_signals()
            _restore_terminal(self._terminal)
            self.ending.seconds = time.monotonic() - self._began
            _remove(self._scratch)
        return self.ending

    def close(self) -> None:
        """Last, once there is nothing else to do: the kernel takes namespaces down in its own time."""
        if self._status_fd >= 0:
            os.close(self._status_fd)
            self._status_fd = -1
        self._reap()

    # --- listening --------------------------------------------------------------------------------
    def _listen(self, take: Callable[[Dict[str, Any]], None]) -> None:
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        receiver = channel.Receiver()
        status = b""
        waiting = [self._channel, self._status_fd, *self._pumped]
        if self._limit > 0:
            self._kill_at = self._began + self._limit + GRACE
        while waiting:
            ready = _sandbox.readable(waiting, self._pause())
            if self._kill_at and time.monotonic() >= self._kill_at:
                self._give_up()
            for fd in ready:
                data = os.read(fd, 1 << 16)
                if fd == self._status_fd:
                    status += data
                    if not data or _is_last(status):  # none of its processes is left
                        waiting.remove(fd)
                elif not data:
                    waiting.remove(fd)
                    os.close(fd)
                elif fd in self._pumped:
                    self._print(self._pumped[fd], data)
                else:
                    self._receive(receiver, data, take)
        for line in status.decode("utf-8", "replace").splitlines():
            self._read_status(line)

    def _pause(self) -> int:
        """Milliseconds until something must be done; a Ctrl-C that sets a new time is soon noticed."""
        return min(500, int(max(0.0, self._kill_at - time.monotonic()) * 1000)) if self._kill_at else 500

    def _receive(self, receiver: channel.Receiver, data: bytes,
                 take: Callable[[Dict[str, Any]], None]) -> None:
        try:
            for message in receiver.feed(data):
                take(message)
                if "report" in message:
                    self._kill_at = time.monotonic() + _LEAVING
        except channel.Broken:
            self._stop("sent what is no report")

    def _print(self, fd: int, data: bytes) -> None:
        self._printed += len(data)
        if self._printed > MAX_OUTPUT:
            self._stop(f"printed more than {shown_size(MAX_OUTPUT)}")
            return
        try:
            while data:
                data = data[os.write(fd, data):]
        except OSError:
            pass  # nobody reads it any more

    def _read_status(self, line: str) -> None:
        words = line.split()
        if words[:2] == ["limit", "memory"]:
            self.ending.reason = \
                f"used more than {shown_size(self._memory)} of memory (--max-memory)"
        elif words[:2] == ["limit", "processes"]:
            self.ending.reason = f"had more than {self._processes} processes"
        elif words[:2] == ["limit", "scratch"]:
            self.ending.reason = f"wrote {shown_size(int(words[2]))}, more than there is room for"
        elif words[:1] == ["exit"]:
            self.ending.status = int(words[1])
        elif words[:1] == ["signal"]:
            self.ending.status = -int(words[1])

    # --- ending it --------------------------------------------------------------------------------
    def _take_signals(self) -> Dict[int, Any]:
        """Ctrl-C, and what ends a command whose terminal or whose caller has gone: what they did before.
        A signal that is ignored stays so."""
        before: Dict[int, Any] = {}
        for number, handler in ((_signal.SIGINT, self._interrupt), (_signal.SIGTERM, self._terminate),
                                (_signal.SIGHUP, self._terminate)):
            try:
                known = _signal.getsignal(number)
                if known not in (None, _signal.SIG_IGN):
                    _signal.signal(number, handler)
                    before[number] = known
            except ValueError:  # not in the main thread
                break
        return before

    def _give_back_signals(self) -> None:
        for number, known in self._before.items():
            _signal.signal(number, known)
        self._before = {}

    def _terminate(self, number: int, frame: Any) -> None:
        self._stop("ended by " + ("SIGTERM" if number == _signal.SIGTERM else "SIGHUP"))

    def _interrupt(self, number: int, frame: Any) -> None:
        if self._interrupted:
            self._stop("interrupted")
            return
        self._interrupted = time.monotonic()
        self._kill_at = self._interrupted + _PATIENCE
        self._send(_signal.SIGINT)

    def _give_up(self) -> None:
        if self._interrupted:
            self._stop("interrupted")
        else:
            self._stop(f"stopped after {self._limit:g} s (--time-limit)")

    def _stop(self, reason: str) -> None:
        """Ends everything in the sandbox, now."""
        again = self.ending.reason is not None
        self.ending.reason = self.ending.reason or reason
        self._kill_at = time.monotonic() + 1.0  # again, should anything be left
        self._send(_signal.SIGKILL if again else _signal.SIGTERM)

    def _send(self, number: int) -> None:
        try:
            if self._pid:
                os.kill(self._pid, number)
        except OSError:
            pass

    def _reap(self) -> None:
        try:
            os.waitpid(self._pid, 0)
        except OSError:
            pass


def _is_last(status: bytes) -> bool:
    """Does it end with the line of the script's end?"""
    line = status[status.rfind(b"\n", 0, -1) + 1:]
    return line.endswith(b"\n") and line.startswith((b"exit ", b"signal "))


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


def _terminal_settings() -> Any:
    """Of the terminal on standard input, which the script has too; None: there is none."""
    try:
        if not os.isatty(0):
            return None
        import termios

        return termios.tcgetattr(0)
    except (ImportError, OSError, ValueError):
        return None


def _restore_terminal(settings: Any) -> None:
    if settings is None:
        return
    import termios

    try:
        if termios.tcgetattr(0) != settings:
            termios.tcsetattr(0, termios.TCSANOW, settings)
    except (OSError, termios.error):
        pass


def _make_scratch() -> str:
    """A new folder, for the layers that need one outside. tempfile would cost more than the fork."""
    base = os.path.realpath(os.environ.get("TMPDIR") or "/tmp")
    for _ in range(100):
        path = os.path.join(base, "shapeflow-" + os.urandom(6).hex())
        try:
            os.mkdir(path, 0o700)
            return path
        except FileExistsError:
            continue
        except OSError:
            break
    import tempfile

    return tempfile.mkdtemp(prefix="shapeflow-")


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
def check(options: Options, deliver: Deliver, policy: Policy) -> int:
    """check.check in a sandbox: runs one script, and gives the exit status that `deliver` gave."""
    if not policy.layers:
        import shapeflow.check as plain

        return plain.check(options, deliver)

    import shapeflow.sandbox.inside as inside

    def work(sender: channel.Sender) -> int:
        return inside.check(options, sender)

    arrived = Arrived()
    try:
        child = Child(work, policy, options.script, options.time_limit, options.show_output,
                      options.progress)
    except NoSandbox as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return 2
    ending = child.wait(arrived.take)
    if arrived.usage is not None:
        child.close()
        print(f"shapeflow: {arrived.usage}", file=sys.stderr)
        return 2
    import shapeflow.cli as cli
    import shapeflow.reports as reports

    cli.nothing_ran = True
    report = arrived.report or arrived.without(options.script, ending)
    reports.quotable(report)
    for stream in (sys.stdout, sys.stderr):  # source lines may hold what the locale cannot write
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return deliver(report, sys.stdout, sys.stderr)
    finally:
        _compile(arrived.compiled)
        child.close()


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
                self.report = reports.unpack(message["report"])
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
                records.append(Record.from_json(item))
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
