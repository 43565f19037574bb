"""What a checked script read: its modules, files, folders and variables of the environment.

The result of a check may be taken from the cache only while all of it is unchanged, and `--watch`
looks at the same list. Files are seen by an audit hook, questions about files by taking part in os.stat
and its like (file_functions.py), the environment by a subclass of its mapping; none of them changes what the
script gets. What cannot be followed (standard input, child processes, sockets, libraries that open files
themselves) makes a run `opaque`: it is never cached.
"""
from __future__ import annotations

import io
import os
import sys
import time

from shapeflow.checker.file_functions import take_part
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow.checker.patches import Patcher

    Stamp = Optional[List[Any]]  # [size, mtime in ns, hash or None]; None: not there

_INPUTS = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_CACHE = ".shapeflow_cache"  # made after a first check: that does not make its result an old one
_HASHED = 4 << 20  # larger files count as changed when their time is
_MODES = ("w", "a", "x", "+")

# Events after which the result depends on what nobody saw.
_OPAQUE = {
    "subprocess.Popen": "a child process", "os.system": "a child process", "os.fork": "a child process",
    "os.forkpty": "a child process", "os.posix_spawn": "a child process", "os.exec": "a child process",
    "os.spawn": "a child process", "socket.connect": "the network", "socket.bind": "the network",
    "sqlite3.connect": "a database",
}
# Modules that open files in C, where no audit event tells.
_READERS = frozenset({"h5py", "tables", "netCDF4", "cv2", "lmdb", "osgeo", "soundfile", "pyarrow", "av",
                      "torch", "jax", "rasterio", "zarr"})

_OURS = frozenset({"shapeflow", "tensorflow", "keras", "tensorflow_core"})

_current: Optional[Recorder] = None
_hooked = False
_real_stat = os.stat
_real_readlink = os.readlink
_EXTERNAL = "<frozen importlib._bootstrap_external>"


class Recorder:
    """Everything one run reads. Started before the script, asked once at the end."""

    def __init__(self) -> None:
        self.opened: Dict[str, Stamp] = {}  # by absolute path, as they were when first opened
        self.looked: Dict[str, Stamp] = {}  # asked about, not opened
        self.listed: Set[str] = set()
        self.scanned: Set[str] = set()  # listed together with what os.DirEntry tells
        self.links: Dict[str, Optional[str]] = {}  # asked about without following links
        self.wanted: Set[str] = set()  # first components of imported names
        self.written: Set[str] = set()
        self.opaque: Optional[str] = None
        self.busy = False  # while the recorder itself touches files
        self._environment = dict(os.environ)
        self.variables: Set[str] = set()
        self.is_terminal: Optional[bool] = None  # whether standard input is one, where that was asked for
        self._input_at: Optional[int] = None

    # --- start and stop -------------------------------------------------------------------------
    def start(self, by: Patcher) -> None:
        global _current, _hooked
        _current = self
        if not _hooked:
            _hooked = True
            sys.addaudithook(_hook)
        for name, over in _QUESTIONS.items():
            take_part(by, name, over)
        self._watch_input(by)
        by.set(os.environ, "__class__", _Environment)
        if os.supports_bytes_environ:
            by.set(os.environb, "__class__", _Environment)

    def _watch_input(self, by: Patcher) -> None:
        """sys.stdin is the same again, but that it tells when it is read."""
        self._input_at = _input_position()
        before = sys.stdin
        if type(before) is not io.TextIOWrapper or before.fileno() != 0:
            return
        raw = _Input(0, "rb", closefd=False)
        raw.name = before.name
        after = io.TextIOWrapper(io.BufferedReader(raw), before.encoding, before.errors, "\n")
        after.mode = "r"  # type: ignore[misc]  # as that of Python's own
        by.set(sys, "stdin", after)
        by.set(sys, "__stdin__", after)

    def stop(self) -> None:
        """Nothing is noted from here on. The patches end with their scope, and pass everything on."""
        global _current
        if _current is self:
            _current = None

    # --- what is seen ---------------------------------------------------------------------------
    def read_input(self) -> None:
        """What came there is not kept, and so neither is what the script made of it."""
        self.opaque = self.opaque or "standard input"

    def open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, str) and path in _INPUTS:
            self.read_input()
        if type(path) is str and (path.startswith(_MACHINE) or is_library(path)):
            return  # nearly all of them: modules of packages
        name = _absolute(path)
        if name is None or name in self.opened or name in self.written:
            return
        if isinstance(mode, str) and any(letter in mode for letter in _MODES) or \
                mode is None and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR):
            if name not in self.opened:
                self.written.add(name)
            return
        if not _is_covered(name):
            self.opened[name] = _stamp(name)

    def look(self, path: object, dir_fd: Optional[int] = None, link: bool = False) -> None:
        name = _absolute(path, dir_fd)
        if link and name is not None and name not in self.written and name not in self.links and \
                not _is_covered(name):
            self.links[name] = _link(name)
        if name is not None and name not in self.looked and name not in self.opened and \
                name not in self.written and not _is_covered(name):
            stamp = _stamp(name)
            # Whether it is there and how large: when it was written is nothing a script decides on.
            self.looked[name] = stamp and [stamp[0], None, None]

    # --- at the end -----------------------------------------------------------------------------
    def manifest(self, paths: Sequence[str], overridden: Sequence[str] = ()) -> Dict[str, object]:
        """What `changed` compares with the world later, as plain data. `paths`: the sys.path of the run."""
        self.busy = True
        if _input_position() != self._input_at:  # whoever read it: open(0), a library
            self.read_input()
        try:
            files = dict(self.looked)
            for name, stamp in self.opened.items():
                files[name] = self._hashed(name, stamp)
            for dotted, module in list(sys.modules.items()):
                if dotted.partition(".")[0] in _OURS:
                    continue  # asking TensorFlow's namespace for its file makes it look for one
                file = getattr(module, "__file__", None)
                if isinstance(file, str) and not _is_covered(file) and file not in self.opened and \
                        os.path.isabs(file):
                    files[file] = self._hashed(file, _stamp(file))
            roots = [os.path.abspath(path or ".") for path in paths]
            local = [path for path in dict.fromkeys(roots) if not _is_covered(os.path.join(path, ""))
                     and os.path.isdir(path)]
            return {
                "files": {name: stamp for name, stamp in files.items() if name not in overridden},
                "listed": {path: _listing(path) for path in sorted(self.listed)},
                "scanned": {path: _scan(path) for path in sorted(self.scanned)},
                "links": dict(self.links),
                "modules": {path: _importable(path, self.wanted) for path in local},
                "wanted": sorted(self.wanted),
                "installed": {path: _time(path) for path in dict.fromkeys(roots) if path not in local},
                "environment": {name: self._environment.get(name) for name in sorted(self.variables)},
                "terminal": self.is_terminal,
                "opaque": self.opaque or self._reader(),
                "at": time.time_ns(),
            }
        finally:
            self.busy = False

    def _hashed(self, name: str, stamp: Stamp) -> Stamp:
        if stamp is None or stamp[0] > _HASHED or stamp[2] is not None:
            return stamp
        if _stamp(name) != stamp:
            self.opaque = self.opaque or f"{name}, which changed during the run"
            return stamp
        return [stamp[0], stamp[1], digest_of(name)]

    @staticmethod
    def _reader() -> Optional[str]:
        from shapeflow.checker.lazy_imports import is_deferred

        found = sorted(name for name in _READERS.intersection(sys.modules)
                       if not is_deferred(sys.modules[name]))
        return f"{found[0]}, which opens files by itself" if found else None


class _Environment(os._Environ):  # type: ignore[type-arg]
    """os.environ that tells which variables were asked for."""

    def __getitem__(self, key: object) -> Any:
        if _current is not None and isinstance(key, (str, bytes)):
            _current.variables.add(os.fsdecode(key))
        return super().__getitem__(key)

    def __iter__(self) -> Any:
        if _current is not None and not _current.busy:
            # A copy of all of it: for a child process, or to look for prefixes.
            _current.variables.update(_current._environment)
        return super().__iter__()


class _Input(io.FileIO):
    """Descriptor 0, as sys.stdin has it: whoever reads it is seen, and who asks whether it is a terminal."""

    def readinto(self, buffer: Any) -> Any:
        if _current is not None:
            _current.read_input()
        return super().readinto(buffer)

    def readall(self) -> bytes:
        if _current is not None:
            _current.read_input()
        return super().readall()

    def isatty(self) -> bool:
        return _note_terminal(super().isatty())


def _note_terminal(answer: bool) -> bool:
    if _current is not None:
        _current.is_terminal = answer
    return answer


def _input_position() -> Optional[int]:
    """How far the file that is standard input has been read, or how many bytes wait in a pipe."""
    try:
        kind = os.fstat(0).st_mode & 0o170000
        if kind == 0o100000:
            return os.lseek(0, 0, os.SEEK_CUR)
        if kind != 0o010000:
            return None
        import fcntl
        import termios

        return int.from_bytes(fcntl.ioctl(0, termios.FIONREAD, bytes(4)), sys.byteorder)
    except (OSError, ImportError):
        return None


def _hook(event: str, args: Any) -> None:
    recorder = _current
    if recorder is None or recorder.busy:
        return
    if event == "open":
        recorder.busy = True
        try:
            recorder.open(*args)
        finally:
            recorder.busy = False
    elif event == "import":
        recorder.wanted.add(args[0].partition(".")[0])
    elif event in ("os.listdir", "os.scandir"):
        # The import system lists the folders of sys.path; what it looks for is in `wanted`.
        if sys._getframe(1).f_code.co_filename != _EXTERNAL:
            name = _absolute("", args[0]) if isinstance(args[0], int) else \
                _absolute("." if args[0] is None else args[0])
            if name is not None and not _is_covered(os.path.join(name, "")):
                (recorder.listed if event == "os.listdir" else recorder.scanned).add(name)
    elif event == "builtins.input":
        recorder.read_input()
    elif event in ("os.mkdir", "os.rename"):
        name = _absolute(args[0] if event == "os.mkdir" else args[1])
        if name is not None:
            recorder.written.add(name)
    elif event in _OPAQUE and recorder.opaque is None:
        recorder.opaque = _OPAQUE[event]


def _ask(path: Any, dir_fd: Any, link: bool) -> None:
    """One question of the script about a file."""
    recorder = _current
    if recorder is not None and not recorder.busy:
        recorder.busy = True
        try:
            recorder.look(path, dir_fd, link)
        finally:
            recorder.busy = False


def _over_stat(before: Any) -> object:
    def stat(path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> object:
        _ask(path, dir_fd, not follow_symlinks)
        return before(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    return stat


def _over_access(before: Any) -> object:
    def access(path: Any, mode: int, *, dir_fd: Any = None, effective_ids: bool = False,
               follow_symlinks: bool = True) -> object:
        _ask(path, dir_fd, not follow_symlinks)
        return before(path, mode, dir_fd=dir_fd, effective_ids=effective_ids,
                      follow_symlinks=follow_symlinks)
    return access


def _over_link(before: Any) -> object:
    def question(path: Any, *, dir_fd: Any = None) -> object:
        _ask(path, dir_fd, True)
        return before(path, dir_fd=dir_fd)
    return question


def _over_read(before: Any) -> object:
    def read(fd: Any, what: Any) -> object:
        if fd == 0 and _current is not None:
            _current.read_input()
        return before(fd, what)
    return read


def _over_isatty(before: Any) -> object:
    def isatty(fd: Any) -> object:
        answer = before(fd)
        return _note_terminal(answer) if fd == 0 else answer
    return isatty


_QUESTIONS: Dict[str, Callable[[Any], Any]] = {
    "stat": _over_stat, "lstat": _over_link, "access": _over_access, "readlink": _over_link,
    "read": _over_read, "readv": _over_read, "isatty": _over_isatty}


def exists(name: str) -> bool:
    """Is the file really there? The question counts as one of the script's."""
    if _current is not None:
        _current.look(name)
    return _stamp(name) is not None


def was_written(name: str) -> bool:
    """Has the script itself made this file?"""
    return _current is not None and name in _current.written


def looked_for(module: str) -> None:
    """Nobody found a module: a file of that name would be news, and so would a first package of the user's
    own, whose folder is searched only once it is there."""
    if _current is None:
        return
    _current.wanted.add(module.partition(".")[0])
    import site

    if site.ENABLE_USER_SITE:
        _current.look(site.getusersitepackages())


# --- files --------------------------------------------------------------------------------------
# Of the machine: what a script finds there is taken to stay as it is.
_MACHINE: Tuple[str, ...] = tuple(dict.fromkeys(os.path.join(path, "") for path in (
    os.path.join(sys.prefix, "lib"), "/proc", "/sys", "/dev", "/etc", "/usr/lib", "/usr/share")))


def _is_covered(path: str) -> bool:
    """By the version of Python, by ours or by the time of a folder of installed packages."""
    return path.startswith(_MACHINE) or is_library(path) or path.startswith("<") or "/__pycache__/" in path


def _absolute(path: Any, dir_fd: Optional[int] = None) -> Optional[str]:
    """`path`, below the folder that is open as `dir_fd`."""
    if isinstance(path, int):
        return None
    if dir_fd is not None:
        try:
            path = os.path.join(_real_readlink(f"/proc/self/fd/{dir_fd}"), os.fsdecode(path))
        except (OSError, TypeError, ValueError):
            return None
    try:
        name = os.fspath(path)
    except TypeError:
        return None
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    try:
        return os.path.abspath(name) if isinstance(name, str) and "\0" not in name else None
    except OSError:  # the working directory is gone
        return None


def _stamp(name: str) -> Stamp:
    try:
        seen = _real_stat(name)
    except (OSError, ValueError):
        return None
    if seen.st_mode & 0o170000 == 0o040000:
        return [-1, 0, None]  # a folder: that it is one
    return [seen.st_size, seen.st_mtime_ns, None]


def digest(data: bytes) -> str:
    """A short name of some content."""
    try:
        from _blake2 import blake2b  # hashlib would load OpenSSL
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=16).hexdigest()


def digest_of(name: str) -> Optional[str]:
    try:
        with open(name, "rb") as stream:
            return digest(stream.read())
    except OSError:
        return None


def _time(path: str) -> Optional[int]:
    try:
        return _real_stat(path).st_mtime_ns
    except OSError:
        return None


def _listing(path: str) -> Optional[List[str]]:
    try:
        return sorted(name for name in os.listdir(path) if name != _CACHE)
    except OSError:
        return None


def _link(path: str) -> Optional[str]:
    """Where a link leads; "" of another file, None where there is none."""
    try:
        return _real_readlink(path)
    except OSError:
        return "" if _stamp(path) is not None else None


def _scan(path: str) -> Optional[List[List[object]]]:
    """What os.scandir tells of a folder's files without another question."""
    try:
        with os.scandir(path) as entries:
            found = [[entry.name, entry.is_dir(), entry.is_symlink(),
                      None if entry.is_dir() else (_stamp(entry.path) or [None])[0]]
                     for entry in entries if entry.name != _CACHE]
    except OSError:
        return None
    return sorted(found, key=lambda item: str(item[0]))


def _importable(path: str, wanted: Set[str]) -> List[str]:
    """Which of the wanted modules `path` holds: a new file may take the place of another module."""
    found = []
    for name in _listing(path) or ():
        stem, _, rest = name.partition(".")
        if stem in wanted and (rest == "py" or not rest or rest.endswith("so")):
            found.append(name)
    return found


# --- later --------------------------------------------------------------------------------------
def changed(manifest: Dict[str, Any]) -> Optional[str]:
    """What is not as it was, or None while everything is."""
    for name, before in manifest["files"].items():
        if not _same(name, before, manifest["at"]):
            return str(name)
    for path, names in manifest["listed"].items():
        if _listing(path) != names:
            return str(path)
    for path, entries in manifest["scanned"].items():
        if _scan(path) != entries:
            return str(path)
    for path, leads in manifest["links"].items():
        if _link(path) != leads:
            return str(path)
    wanted = set(manifest["wanted"])
    for path, names in manifest["modules"].items():
        if _importable(path, wanted) != names:
            return str(path)
    for path, then in manifest["installed"].items():
        if _time(path) != then:
            return str(path)
    for name, value in manifest["environment"].items():
        if os.environ.get(name) != value:
            return f"${name}"
    if manifest["terminal"] not in (None, os.isatty(0)):
        return "standard input"
    return None


def _same(name: str, before: Stamp, at: int) -> bool:
    now = _stamp(name)
    if now is None or before is None:
        return now is None and before is None
    if now[0] != before[0]:
        return False
    if before[1] is None or now[1] == before[1] and at - now[1] > _COARSE:
        return True
    return before[2] is not None and digest_of(name) == before[2] or \
        before[2] is None and now[1] == before[1]


# Some file systems know seconds only: a file written just before the run may have changed just after.
_COARSE = 2 * 10 ** 9


def files_of(manifest: Dict[str, Any]) -> List[str]:
    """The files whose change `--watch` waits for, those that are not there included."""
    return list(manifest["files"])
