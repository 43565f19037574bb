"""A process in the sandbox: started, waited for, closed. What it does is given by its caller (`work`)."""
from __future__ import annotations

import os
import sys
import time

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import Policy
from shapeflow.sandbox.wait_child import Ending, Signals, wait_child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Tuple

    from shapeflow.sandbox.wait_child import Take

    Work = Callable[[channel.Sender], int]


class NoSandbox(Exception):
    """Not even the least of the wanted layers works here; the words are for the user."""


class Child:
    """The script's process and those around it. `time_limit` 0: none. `terminal`: its standard error may
    be ours where that is a terminal. `cwd`: where `work` goes, unless it stays here. `said`: a pipe
    that `work` writes to, whose last bytes are kept. `reads`: a descriptor that `work` reads."""

    def __init__(self, work: Work, policy: Policy, script: str, time_limit: float,
                 show_output: bool, terminal: bool, cwd: Optional[str] = None,
                 said: Optional[Tuple[int, int]] = None, reads: int = -1) -> None:
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        self._time_limit = time_limit
        self._began = time.monotonic()
        self._is_closed = False
        self._scratch = _make_scratch()
        reading, writing = os.pipe()
        outputs = [_output(fd, show_output, terminal) for fd in (1, 2)]
        folders = [cwd or os.getcwd(), os.path.dirname(os.path.abspath(script)), os.path.expanduser("~"),
                   os.path.dirname(self._scratch)]
        sys.stdout.flush()
        sys.stderr.flush()
        kept = [writing, *(ours for _, ours in outputs if ours >= 0), *(said or ())[1:],
                *((reads,) if reads >= 0 else ())]
        import gc

        # Before the fork: what only the script's process imports is never kept as compiled.
        import shapeflow.sandbox.inside as inside

        gc.freeze()  # what both processes have is not looked at, and so not copied, by either's collector
        limits = policy.native(kept, self._scratch, folders)
        self._signals = Signals()
        try:
            self._pid, self._status_fd, layer, self.notes = _sandbox.spawn(limits)
        except BaseException as error:
            self._signals.close()
            for fd in (reading, writing, *(fd for pair in outputs for fd in pair), *(said or ())):
                if fd >= 0:
                    os.close(fd)
            os.rmdir(self._scratch)
            if isinstance(error, OSError):
                raise NoSandbox(f"no sandbox can be had here: {error} (see shapeflow doctor)")
            raise
        if self._pid == 0:
            self._signals.restore()
            inside.main(work, channel.Sender(writing), layer, policy, self._scratch,
                        [ours for _, ours in outputs])
        self.ending = Ending(layer, limits["max_memory"])
        self._channel_fd = reading
        self._outputs = {theirs: fd for fd, (theirs, _) in enumerate(outputs, 1) if theirs >= 0}
        os.close(writing)
        self._said_fd = -1
        if said is not None:
            self._said_fd = said[0]
            os.close(said[1])
        for _, ours in outputs:
            if ours >= 0:
                os.close(ours)

    def wait(self, take: Take) -> Ending:
        """Gives each message to `take`, as it comes. Ctrl-C goes on to the script, which reports; a second
        one ends it."""
        wait_child(self._pid, self._channel_fd, self._status_fd, self._outputs, self._signals,
                   self._time_limit, self.ending, take, self._said_fd)
        if self.ending.status is None:  # it vanished: what is below it goes with it
            self.close()
        self.ending.seconds = time.monotonic() - self._began
        _remove(self._scratch)
        return self.ending

    def close(self) -> None:
        """Last, once there is nothing else to do: the kernel takes namespaces down in its own time."""
        if self._status_fd >= 0:
            os.close(self._status_fd)
            self._status_fd = -1
        if self._is_closed:
            return
        self._is_closed = True
        try:
            os.waitpid(self._pid, 0)
        except OSError:
            pass


def _output(fd: int, show: bool, terminal: bool) -> Tuple[int, int]:
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
