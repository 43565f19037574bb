"""Functions of the standard library's C that change the world and raise no audit event.

Each is replaced by one that raises the event first, which the guard (pymodule/sandbox/audit.c) judges as any
other. Shared memory is made in the scratch folder, where it ends with the check.
"""
from __future__ import annotations

import os
import sys

from shapeflow.sandbox.union import Union, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.import_hook import Act
    from shapeflow.checker.patches import Patcher

_MACHINE = ("chroot", "unshare", "setns", "pivot_root", "reboot", "setuid", "setgid", "seteuid", "setegid",
            "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "initgroups")
_CLOCKS = ("clock_settime", "clock_settime_ns")


def _replace(by: Patcher, module: object, name: str, function: Callable[..., object]) -> None:
    original = getattr(module, name, None)
    if original is not None:
        function.__name__, function.__doc__ = name, original.__doc__
        by.set(module, name, function)


def _tells(original: Callable[..., object], what: str) -> Callable[..., Any]:
    def reported(*args: Any, **kwargs: Any) -> object:
        sys.audit("shapeflow.device", what)
        return original(*args, **kwargs)
    return reported


def _of_process(original: Callable[..., object]) -> Callable[..., Any]:
    """Of a function whose first argument is a process, 0: this one."""
    def reported(pid: int, *args: Any) -> object:
        if pid:
            sys.audit("shapeflow.signal", pid, 1)
        return original(pid, *args)
    return reported


def of_os(by: Patcher) -> None:
    """os: what changes other processes or the machine."""
    import posix

    for module in (os, posix):
        for name in _MACHINE:
            if hasattr(real, name):
                _replace(by, module, name, _tells(getattr(real, name), "os." + name))
        for name in ("sched_setaffinity", "sched_setparam"):
            if hasattr(real, name):
                _replace(by, module, name, _of_process(getattr(real, name)))
        if hasattr(real, "sched_setscheduler"):
            _replace(by, module, "sched_setscheduler", _sched_setscheduler)
        if hasattr(real, "nice"):
            _replace(by, module, "nice", _nice)
        if hasattr(real, "setpriority"):
            _replace(by, module, "setpriority", _setpriority)


def _nice(increment: int) -> int:
    if increment < 0:
        sys.audit("shapeflow.device", "os.nice")
    result: int = real.nice(increment)
    return result


def _sched_setscheduler(pid: int, policy: int, param: object) -> None:
    usual = ("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE")
    if policy not in [getattr(os, name, None) for name in usual]:
        sys.audit("shapeflow.device", "os.sched_setscheduler")  # before all other processes
    if pid:
        sys.audit("shapeflow.signal", pid, 1)
    real.sched_setscheduler(pid, policy, param)


def _setpriority(which: int, who: int, priority: int) -> None:
    if which != os.PRIO_PROCESS:
        sys.audit("shapeflow.signal", -1, 1)  # groups and users: more than this process
    elif who:
        sys.audit("shapeflow.signal", who, 1)
    elif priority < 0:
        sys.audit("shapeflow.device", "os.setpriority")
    real.setpriority(which, who, priority)


def of_time(module: ModuleType, by: Patcher) -> None:
    for name in _CLOCKS:
        if hasattr(module, name):
            _replace(by, module, name, _tells(getattr(module, name), "time." + name))


def of_signal(module: ModuleType, by: Patcher) -> None:
    send = getattr(module, "pidfd_send_signal", None)

    def pidfd_send_signal(pidfd: int, signalnum: int, *args: object) -> None:
        pid = 0
        with open(f"/proc/self/fdinfo/{pidfd}") as stream:
            for line in stream:
                if line.startswith("Pid:"):
                    pid = int(line[4:])
        sys.audit("shapeflow.signal", pid or -1, 1)
        send(pidfd, signalnum, *args)  # type: ignore[misc]

    if send is not None:
        _replace(by, module, "pidfd_send_signal", pidfd_send_signal)


def actions(union: Union) -> Dict[str, Act]:
    """What is to be done with a module of C once it is there."""

    def of_shmem(module: ModuleType, by: Patcher) -> None:
        folder = union.scratch + "/shm"

        def place(name: str) -> str:
            text = name[1:] if name.startswith("/") else name
            if not text or "/" in text or text in (".", ".."):
                raise ValueError(f"a bad name of shared memory: {name!r}")
            return f"{folder}/{text}"

        def shm_open(path: str, flags: int, mode: int = 0o777) -> int:
            try:
                real.mkdir(folder, 0o700)
            except FileExistsError:
                pass
            try:
                fd: int = real.open(place(path), flags | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
            except OSError as error:
                error.filename = path
                raise
            return fd

        def shm_unlink(path: str) -> None:
            try:
                real.unlink(place(path))
            except OSError as error:
                error.filename = path
                raise

        _replace(by, module, "shm_open", shm_open)
        _replace(by, module, "shm_unlink", shm_unlink)

    def of_subprocess(module: ModuleType, by: Patcher) -> None:
        from shapeflow.sandbox import programs

        programs.hold(module, union, by)

    return {"_posixshmem": of_shmem, "_posixsubprocess": of_subprocess, "time": of_time,
            "signal": of_signal, "_signal": of_signal}
