"""A process that answers with a framework loaded: a line of JSON a task, limits of time and memory.

What runs in it is a package that worker_start.py loads; its Python need not have shapeflow.
"""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    Plain = Dict[str, Any]

_START_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker_start.py")
START = 180.0  # seconds of CPU time: a framework's import; and of waiting, in which next to none is used
_PROGRESS = 0.02  # of the time that passes: what gets so much of a CPU goes on, where CPU time is the limit
# What decides which of a framework's kernels run: the CPU, which everybody has, and TensorFlow's own ones.
KERNELS = {"CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0"}
_GRACE = 30.0  # beyond a task's own limit: one evaluation may be long


def environment() -> Dict[str, str]:
    """Of a process of a framework: the same kernels everywhere, and few words."""
    made = {name: value for name, value in os.environ.items() if not name.startswith("SHAPEFLOW")}
    made.update(KERNELS, TF_CPP_MIN_LOG_LEVEL="3", PYTHONDONTWRITEBYTECODE="1")
    return made


def bytes_of(text: str, option: str) -> int:
    """4G as a number. Raises ValueError."""
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    digits = text.strip().upper().rstrip("B").rstrip("I")
    unit = units.get(digits[-1:], 0)
    try:
        size = int(float(digits[:-1] if unit else digits) * (1 << unit))
    except ValueError:
        size = 0
    if size <= 0:
        raise ValueError(f"{option}: {text!r} is no size")
    return size


class Lost(Exception):
    """The worker has no answer, and why."""


class Late(Lost):
    """It had no more time."""


class WorkerProcess:
    """Answers one task after the other. `close` ends it, in whatever state it is."""

    work = "it"
    is_by_cpu = False  # is the limit of a task one of CPU time

    def __init__(self, python: str, package: str, arguments: List[str], folder: str,
                 memory: Optional[int] = None, what: str = "TensorFlow") -> None:
        """`package`: the folder with serve.py; `folder`: where it runs; `memory`: bytes. Raises Lost."""
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen([python, _START_SCRIPT, package, *arguments],
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, cwd=folder, env=environment())
        except OSError as error:
            self._errors.close()
            raise Lost(f"{python} cannot be started: {error.strerror or error}") from None
        self._memory = memory
        self._limit(memory)
        self.begun()
        self._rest = b""
        try:
            self.ready = self._answer(START, is_by_cpu=True)
            if not self.ready.get("ready"):
                raise Lost(f"{python} has no {what} that can be used: {self.ready.get('reason')}")
        except BaseException:
            self.close()
            raise

    def begun(self) -> None:
        """Called before the framework is loaded, which takes long."""

    def kill(self) -> None:
        """From another thread: the one that waits for an answer has Lost."""
        self._process.kill()

    def _limit(self, memory: Optional[int]) -> None:
        if not memory:
            return
        try:
            import resource

            resource.prlimit(self._process.pid, resource.RLIMIT_DATA, (memory, memory))
        except (ImportError, AttributeError, OSError, ValueError):
            pass  # a system without

    def ask(self, task: Plain) -> Plain:
        """Raises Lost: after that the worker is no use."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(task).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Lost(self._end()) from None
        return self._answer(task["seconds"] + _GRACE, self.is_by_cpu)

    def _answer(self, seconds: float, is_by_cpu: bool) -> Plain:
        import select

        assert self._process.stdout is not None
        fd = self._process.stdout.fileno()
        end = time.monotonic() + seconds
        begun = self._cpu_seconds() if is_by_cpu else 0.0
        used = 0.0
        while b"\n" not in self._rest:
            left = end - time.monotonic()
            if left <= 0:
                before, used = used, self._cpu_seconds() - begun if is_by_cpu else 0.0
                if before + _PROGRESS * seconds <= used < seconds:
                    end += seconds  # it computes: the machine is busy with others
                    continue
                self.close()
                raise Late(f"{self.work} did not end within {seconds:.0f} s")
            if not select.select([fd], [], [], left)[0]:
                continue
            part = os.read(fd, 65536)
            if not part:
                raise Lost(self._end())
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Lost("its answer cannot be read")
        return answer

    def _cpu_seconds(self) -> float:
        """What the process has used of a CPU, with children that ended; 0 on a system that does not say."""
        try:
            with open(f"/proc/{self._process.pid}/stat", encoding="utf-8", errors="replace") as stream:
                fields = stream.read().rpartition(")")[2].split()  # the name before may have blanks
            return sum(map(int, fields[11:15])) / float(os.sysconf("SC_CLK_TCK"))
        except (OSError, ValueError, AttributeError):
            return 0.0

    def _end(self) -> str:
        """How the process ended, with the last line that it said."""
        try:
            status = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.close()
            return "the worker closed its output"
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 4000))
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        if status < 0:
            import signal

            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = str(-status)
            how = f"the worker was ended by {name}"
        else:
            how = f"the worker ended with status {status}"
        if self._memory:
            how += f" (its memory is limited to {self._memory / (1 << 20):.4g} MiB)"
        return how + (f": {said[-1][:300]}" if said else "")

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass
