"""Other programs, and Python's own workers that are programs: multiprocessing's spawn, forkserver, trackers.

A worker is told by its command line to enter the sandbox before it does anything else. All other programs are
the kernel's to hold; where it does not, the guard refuses to start them.
"""
from __future__ import annotations

import os
import sys
import threading

from shapeflow.checker import worker_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, List

    from shapeflow.checker.patches import Patcher
    from shapeflow.sandbox.union import Union

_permitted = threading.local()


def hold(module: ModuleType, union: Union, by: Patcher) -> None:
    """_posixsubprocess: tells of each program, and starts it where the script takes it to be."""
    fork_exec = module.fork_exec

    def reported(args: Any, names: Dict[str, object], close_fds: object, pass_fds: object, cwd: object,
                 *rest: object) -> object:
        if not getattr(_permitted, "now", False):
            sys.audit("shapeflow.exec", os.fsdecode(args[0]) if args else "?")
        places = [os.fsencode(_place(union, name)) for name in names]
        where = None if cwd is None else _place(union, cwd)
        return fork_exec(args, places, close_fds, pass_fds, where, *rest)

    by.set(module, "fork_exec", reported)
    subprocess = sys.modules.get("subprocess")
    if subprocess is not None:
        for name in "_fork_exec", "_posixsubprocess":
            if vars(subprocess).get(name) is fork_exec:
                by.set(subprocess, name, reported)


def _place(union: Union, path: Any) -> str:
    try:
        return union.find(path)
    except OSError:
        return os.fsdecode(path)


def of_multiprocessing(util: ModuleType, union: Union, by: Patcher) -> None:
    """multiprocessing.util: its one function that starts Python."""
    def first(path: str, args: List[str], at: int) -> str:
        from shapeflow import _sandbox  # type: ignore[attr-defined]

        if path != os.fsdecode(sys.executable) or args[1:at - 1] != util._args_from_interpreter_flags() or \
                _settings() != _at_start:
            return ""
        return (f"from shapeflow.sandbox.worker import enter; "
                f"enter({union.scratch!r}, {union.allowed[1:]!r}, {_sandbox.policy()!r})")

    worker_starts.run_first(util, by, first, _permitting)


def _permitting(start: Callable[[], object]) -> object:
    """Starts a program, which is a worker in the sandbox."""
    _permitted.now = True
    try:
        return start()
    finally:
        _permitted.now = False


def _settings() -> Dict[str, str]:
    """What of the environment Python heeds before any code of ours runs."""
    return {key: value for key, value in os.environ.items() if key.startswith(("PYTHON", "LD_", "DYLD_"))}


def of_socket(module: ModuleType, union: Union, by: Patcher) -> None:
    """Sockets that are files: made in the scratch folder."""
    base: Any = sys.modules["_socket"].socket
    kind: Any = module.socket
    unix = getattr(module, "AF_UNIX", None)
    names: Dict[str, str] = {}

    def mapped(sock: Any, address: Any, makes: bool) -> object:
        if sock.family != unix or not isinstance(address, (str, bytes)) or not address:
            return address
        text = os.fsdecode(address)
        if text.startswith("\0"):
            return address
        place = _short(union.prepare(text) if makes else union.find(text))
        names[place] = text
        return place

    def named(address: Any) -> object:
        """As the script named it: other processes look for it there."""
        return names.get(address, address) if isinstance(address, str) else address

    def getsockname(self: object) -> object:
        return named(base.getsockname(self))

    def getpeername(self: object) -> object:
        return named(base.getpeername(self))

    def bind(self: Any, address: Any) -> object:
        return base.bind(self, mapped(self, address, True))

    def connect(self: object, address: object) -> object:
        return base.connect(self, mapped(self, address, False))

    def connect_ex(self: object, address: object) -> object:
        return base.connect_ex(self, mapped(self, address, False))

    def sendto(self: object, *args: object) -> object:
        return base.sendto(self, *args[:-1], mapped(self, args[-1], False))

    for function in (bind, connect, connect_ex, sendto, getsockname, getpeername):
        by.set(kind, function.__name__, function)


_folders: List[int] = []  # kept open while their sockets may be


def _short(path: str) -> str:
    """The address of a socket is at most a hundred bytes long; the scratch folder's name may be longer."""
    if len(os.fsencode(path)) < 100 or sys.platform != "linux":
        return path
    folder, _, name = path.rpartition("/")
    from shapeflow.sandbox.union import real

    _folders.append(real.open(folder, os.O_PATH | os.O_CLOEXEC))
    return f"/proc/self/fd/{_folders[-1]}/{name}"


_at_start = _settings()
