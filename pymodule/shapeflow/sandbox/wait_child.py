"""The parent while the script runs: one loop over descriptors, which takes what the script's process sends
and prints, hands signals on to it, and ends it when it goes too far."""
from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself imports enum
import os
import select
import time

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import MAX_PROCESSES, shown_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Set

    Take = Callable[[int, Any], None]

GRACE = 3.0  # seconds beyond the time limit: the script's process ends itself, unless it hangs in C
MAX_KEPT = 1 << 12  # bytes of what is not shown
MAX_OUTPUT = 256 << 20  # bytes that a script may print, where they are shown
_LEAVING = 5.0  # seconds after the report: for what the script does at exit, and for its threads
_MAKING = 60.0  # after the script: for what a command makes of its run
_PATIENCE = 5.0  # after Ctrl-C: for the report
_AGAIN = 1.0  # after all was ended, should anything be left
_PART = 1 << 16  # bytes of one read
_LONGEST = 1e6  # ms of one poll
_SIGNALS = {_signal.SIGINT: "interrupted", _signal.SIGTERM: "ended by SIGTERM",
            _signal.SIGHUP: "ended by SIGHUP"}


class Signals:
    """SIGINT, SIGTERM and SIGHUP as bytes of the descriptor `fd`. Made before the fork, so that none is lost.
    One that is ignored stays so (nohup); outside of the main thread there are none."""

    def __init__(self) -> None:
        self.fd, self._writing = os.pipe()
        os.set_blocking(self._writing, False)
        self._handlers: Dict[int, object] = {}
        self._wakeup: Optional[int] = None
        self._blocked: Set[int] = set()
        try:
            self._wakeup = _signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        except ValueError:  # not the main thread
            return
        wanted = {n for n in _SIGNALS if _signal.getsignal(n) not in (_signal.SIG_IGN, None)}
        self._blocked = wanted - _signal.pthread_sigmask(_signal.SIG_BLOCK, wanted)

    def listen(self) -> None:
        """From now on, in the parent."""
        self._handlers = {n: _signal.signal(n, lambda *_: None) for n in self._blocked}
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, self._blocked)

    def restore(self) -> None:
        """Handlers and mask as they were. The script's process does no more: it has no such descriptors."""
        for number, handler in self._handlers.items():
            _signal.signal(number, handler)
        if self._wakeup is not None:
            _signal.set_wakeup_fd(self._wakeup)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, self._blocked)

    def close(self) -> None:
        self.restore()
        os.close(self.fd)
        os.close(self._writing)


class Ending:
    """How the script's process ended: `status` its exit status, negative for a signal; `reason` why it
    was ended from outside, in words that follow the script's name. `max_memory`: its limit."""

    def __init__(self, layer: str = "", max_memory: int = 0) -> None:
        self.status: Optional[int] = None
        self.reason: Optional[str] = None
        self.layer = layer
        self.said = b""  # the last of what was written on standard error, where that is not shown
        self.removed: List[str] = []  # files and folders of the user's, by whatever the script started too
        self.seconds = 0.0
        self._max_memory = max_memory

    def take_line(self, line: str) -> None:
        """What the C processes say, as _sandbox.pyi has it."""
        what, _, path = line.partition(" ")
        if what == "removed":
            self.removed.append(path)
            return
        what, _, number = line.rpartition(" ")
        if what == "limit memory":
            self.reason = f"used more than {shown_size(self._max_memory)} of memory (--max-memory)"
        elif what == "limit processes":
            self.reason = f"had more than {MAX_PROCESSES} processes"
        elif what == "limit scratch":
            self.reason = f"wrote {shown_size(int(number))}, more than there is room for"
        elif what == "exit":
            self.status = int(number)
        elif what == "signal":
            self.status = -int(number)


class _Wait:
    """The state of the loop: what is read, and when all is ended."""

    def __init__(self, pid: int, ending: Ending, take: Take, time_limit: float) -> None:
        self._pid = pid
        self._ending = ending
        self._take = take
        self._time_limit = time_limit
        self._kill_at: Optional[float] = None  # of time.monotonic()
        if time_limit > 0:
            self._kill_at = time.monotonic() + time_limit + GRACE
        self._receiver = channel.Receiver()
        self._lines = b""
        self._printed = 0
        self._is_reported = self._is_interrupted = self._is_stopped = self._is_broken = False
        self._is_making = False

    def run(self, readers: Dict[int, Callable[[bytes], bool]], signal_fd: int) -> None:
        """`readers`: of each descriptor; False: it is no longer read. Until there is none."""
        poll = select.poll()
        for fd in (signal_fd, *readers):
            poll.register(fd, select.POLLIN)
        while readers:
            rest = None
            if self._kill_at is not None:
                rest = (self._kill_at - time.monotonic()) * 1000
                if rest <= 0:
                    self.stop("interrupted" if self._is_interrupted else
                              f"stopped after {self._time_limit:g} s (--time-limit)", again=True)
                    continue
                rest = min(rest, _LONGEST)
            for fd, _ in poll.poll(rest):
                part = os.read(fd, _PART)
                if fd == signal_fd:
                    self.take_signals(part)
                elif not part or not readers[fd](part):
                    poll.unregister(fd)
                    del readers[fd]

    def stop(self, reason: str, again: bool = False) -> None:
        """Ends everything in the sandbox, now. `again`: by SIGKILL, if that was tried before."""
        self._ending.reason = self._ending.reason or reason
        if again or not self._is_stopped:
            self.send_signal(_signal.SIGKILL if self._is_stopped else _signal.SIGTERM)
            self._is_stopped = True
            self._kill_at = time.monotonic() + _AGAIN

    def send_signal(self, number: int) -> None:
        try:
            os.kill(self._pid, number)
        except ProcessLookupError:
            pass

    def take_signals(self, numbers: bytes) -> None:
        for number in numbers:
            if number == _signal.SIGINT and not self._is_interrupted:  # the script is to report what it has
                self._is_interrupted = True
                self._kill_at = time.monotonic() + _PATIENCE
                self.send_signal(number)
            elif number in _SIGNALS:
                self.stop(_SIGNALS[number])

    def take_messages(self, part: bytes) -> bool:
        """What comes after something that is no message is read, lest its sender wait, and not looked at."""
        try:
            for kind, value in () if self._is_broken else self._receiver.receive(part):
                if kind != channel.MAKING:
                    self._take(kind, value)
                if self._is_stopped:
                    continue
                is_first_report = kind == channel.REPORT and not self._is_reported
                if is_first_report or kind == channel.TAKEN and self._is_making:
                    self._is_reported, self._is_making = True, False
                    self._kill_at = time.monotonic() + _LEAVING
                elif kind == channel.MAKING and self._is_reported and not self._is_interrupted:
                    self._is_making = True
                    self._kill_at = time.monotonic() + _MAKING
        except channel.Broken:
            self._is_broken = True
            self.stop("sent what is no report")
        return True

    def take_status(self, part: bytes) -> bool:
        """The last line says that none of the script's processes is left."""
        *lines, self._lines = (self._lines + part).split(b"\n")
        for line in lines:
            self._ending.take_line(line.decode("utf-8", "surrogateescape"))
        return self._ending.status is None

    def keep(self, part: bytes) -> bool:
        self._ending.said = (self._ending.said + part)[-MAX_KEPT:]
        return True

    def hand_on(self, part: bytes, to: int) -> bool:
        self._printed += len(part)
        if self._printed > MAX_OUTPUT:
            self.stop(f"printed more than {shown_size(MAX_OUTPUT)}")
            return True
        try:
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(to, rest):]
        except OSError:
            pass  # who read it may have gone
        return True


def wait_child(pid: int, channel_fd: int, status_fd: int, outputs: Dict[int, int], signals: Signals,
               time_limit: float, ending: Ending, take: Take, said_fd: int = -1) -> None:
    """Returns when none of the script's processes is left and all that they sent has been taken; `ending`
    says how they ended. `outputs`: {what to read: where to write it}; `said_fd`: what to read and keep the
    end of. `take` may raise channel.Broken."""
    wait = _Wait(pid, ending, take, time_limit)
    readers: Dict[int, Any] = {channel_fd: wait.take_messages, status_fd: wait.take_status}
    for reading, to in outputs.items():
        readers[reading] = lambda part, to=to: wait.hand_on(part, to)
    if said_fd >= 0:
        readers[said_fd] = wait.keep
    settings = _terminal_settings()
    signals.listen()
    try:
        wait.run(readers, signals.fd)
    except BaseException:
        wait.stop("")
        raise
    finally:
        signals.close()
        for fd in (channel_fd, *outputs, *(() if said_fd < 0 else (said_fd,))):
            os.close(fd)
    # The script has the terminal, too: it may have died between getpass() and its end.
    if settings is not None and _terminal_settings() not in (None, settings):
        import termios

        termios.tcsetattr(0, termios.TCSANOW, settings)


def _terminal_settings() -> Optional[List[Any]]:
    """Of the terminal on standard input, if there is one."""
    if not os.isatty(0):
        return None
    import termios

    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None
