"""Puts the overlay of shapeflow.sandbox.union under `os`, `io` and all that is built on them.

install(scratch, allowed) replaces functions of C in the modules' dictionaries, so that what the standard
library calls as os.x is covered as well: pathlib, shutil, tempfile, glob, zipfile, logging, numpy. What other
C code opens by itself is left to the guard (shapeflow._sandbox) or the kernel to refuse.

Each takes part in the function that stands in for the original (checker/file_functions.py). Where nothing was
ever written it calls the next one at once.
"""
from __future__ import annotations

import errno
import importlib._bootstrap_external as bootstrap
import io
import os
import posix
import stat as modes
import sys
from functools import partial
from types import ModuleType, SimpleNamespace

from shapeflow.checker.file_functions import OPEN, take_part
from shapeflow.checker.patches import PROCESS
from shapeflow.sandbox.union import Union, fail, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional

    from shapeflow.checker.patches import Patcher

_real_open = io.open
_real_open_code = io.open_code
_FLAGS = {"r": os.O_RDONLY, "w": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
          "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL, "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND}
_READING_MODES = {"r", "rb", "rt", "br", "tr"}


def _is_ours(path: Any) -> bool:
    """A path that the original would take: its errors for all others are its own."""
    if not isinstance(path, (str, bytes)):
        if not hasattr(type(path), "__fspath__"):
            return False
        path = os.fspath(path)
        if not isinstance(path, (str, bytes)):
            return False
    if isinstance(path, bytes):
        return bool(path) and b"\0" not in path
    return bool(path) and "\0" not in path


class Replacement:
    """Stands in for one function of C: same name, same documentation, pickled by its name."""

    def __init__(self, union: Union, original: Any) -> None:
        self._union = union
        self._real = original
        self.__module__ = "os"
        self.__name__: str = original.__name__
        self.__qualname__ = self.__name__
        self.__doc__ = original.__doc__
        self.__text_signature__ = getattr(original, "__text_signature__", None)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"


class Reading(Replacement):
    """A function that reads what its first argument names: stat, access, getxattr..."""

    _follow = True

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        union = self._union
        epoch = union.epoch[0]
        if epoch:
            try:
                known = epoch == union.seen and args[0] in union.plain
            except (IndexError, TypeError):
                known = False
            if not known:
                return self._in_union(*args, **kwargs)
        return self._real(*args, **kwargs)

    def _in_union(self, path: Any, *args: Any, dir_fd: Optional[int] = None, **kwargs: Any) -> object:
        if not _is_ours(path):
            extra = {} if dir_fd is None else {"dir_fd": dir_fd}
            return self._real(path, *args, **extra, **kwargs)
        try:
            follow = self._follow and kwargs.get("follow_symlinks", True)
            found = self._union.find(path, dir_fd, follow)
            if isinstance(path, bytes):
                return self._real(os.fsencode(found), *args, **kwargs)
            return self._real(found, *args, **kwargs)
        except OSError as error:
            error.filename = path
            raise


class ReadingLink(Reading):
    """lstat, readlink: the name itself."""

    _follow = False


class Listing(Reading):
    """listdir."""

    def _in_union(self, path: Any = None, *args: Any, **kwargs: Any) -> object:
        union = self._union
        try:
            if isinstance(path, int):
                text = union.path_of(path)
            elif path is None or _is_ours(path):
                text = union.text("." if path is None else path)
                union.find(path if path is not None else ".")
            else:
                return self._real(path, *args, **kwargs)
            names = union.names(union.resolve(text))
        except OSError as error:
            error.filename = path
            raise
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names


class Entry:
    """os.DirEntry, of a folder that is partly ours."""

    __slots__ = ("name", "path", "_where", "_text", "_union", "_status")

    def __init__(self, union: Union, folder: Any, text: str, name: str) -> None:
        self._union = union
        self._text = f"{text}/{name}"
        self._where = union.where(union.resolve(self._text, follow=False))
        self._status: Optional[os.stat_result] = None
        if isinstance(folder, bytes):
            self.name: Any = os.fsencode(name)
            self.path: Any = os.path.join(folder, self.name)
        else:
            self.name = name
            self.path = name if folder is None else os.path.join(folder, name)

    def __fspath__(self) -> object:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def _lstat(self) -> os.stat_result:
        if self._status is None:
            self._status = real.lstat(self._where)
        assert self._status is not None
        return self._status

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        try:
            status = self._lstat()
            if follow_symlinks and modes.S_ISLNK(status.st_mode):
                found: os.stat_result = real.stat(self._union.find(self._text))
                return found
            return status
        except OSError as error:
            error.filename = self.path
            raise

    def _is(self, test: Callable[[int], bool], follow: bool) -> bool:
        try:
            return test(self.stat(follow_symlinks=follow).st_mode)
        except FileNotFoundError:
            return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return self._is(modes.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return self._is(modes.S_ISREG, follow_symlinks)

    def is_symlink(self) -> bool:
        return self._is(modes.S_ISLNK, False)

    def is_junction(self) -> bool:
        return False

    def inode(self) -> int:
        return self._lstat().st_ino


class Entries:
    """What scandir gives: an iterator that can be closed."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries

    def __iter__(self) -> Entries:
        return self

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries = iter(())


class Scanning(Reading):
    """scandir."""

    def _in_union(self, path: Any = None, *args: Any, **kwargs: Any) -> object:
        union = self._union
        try:
            if isinstance(path, int):
                text, shown = union.path_of(path), None
            elif path is None or _is_ours(path):
                shown = "." if path is None else os.fspath(path)
                text = union.text(shown)
                union.find(shown)
            else:
                return self._real(path, *args, **kwargs)
            here = union.resolve(text)
            if not union.is_mirrored(here) and union.where(here) == text:
                return self._real(path)
            names = union.names(here)
        except OSError as error:
            error.filename = path
            raise
        return Entries(Entry(union, shown, here, name) for name in names)


class Opening(Replacement):
    """io.open, which is also the builtin."""

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        mode = args[1] if len(args) > 1 else kwargs.get("mode", "r")
        union = self._union
        epoch = union.epoch[0]
        try:
            if mode in _READING_MODES and (
                    not epoch or epoch == union.seen and args[0] in union.plain):
                return self._real(*args, **kwargs)
        except (IndexError, TypeError):
            pass
        return self._in_union(*args, **kwargs)

    def _in_union(self, file: Any, mode: Any = "r", buffering: int = -1, encoding: Any = None,
                  errors: Any = None, newline: Any = None, closefd: bool = True,
                  opener: Any = None) -> object:
        flags = _flags_of(mode)
        if not _is_ours(file) or flags is None:
            return self._real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if not closefd or ("b" in mode and (encoding or errors or newline)):
            # It complains before it opens; in this mode nobody refuses first.
            return self._real(file, "rb" if closefd else "r", buffering, encoding, errors, newline,
                              closefd)
        flags |= os.O_CLOEXEC
        name = os.fspath(file)
        if opener is not None:
            fd = opener(file, flags)
            if not isinstance(fd, int):
                raise TypeError("expected integer from opener")
            if fd < 0:
                raise ValueError(f"opener returned {fd}")
        else:
            try:
                fd = self._union.open(name, flags, 0o666)
            except OSError as error:
                error.filename = name
                raise
        try:
            if modes.S_ISDIR(real.fstat(fd).st_mode):
                raise fail(errno.EISDIR, name)
            stream = self._real(fd, mode, buffering, encoding, errors, newline)
        except BaseException:
            try:
                real.close(fd)
            except OSError:
                pass  # it closed what it had begun to use
            raise
        raw = stream
        for part in ("buffer", "raw"):
            raw = getattr(raw, part, raw)
        raw.name = name
        return stream


def _flags_of(mode: object) -> Optional[int]:
    """Of os.open, for a mode of open; None for what it will not take."""
    if not isinstance(mode, str) or set(mode) - set("rwxab+t") or len(set(mode)) != len(mode):
        return None
    kinds = [letter for letter in mode if letter in "rwxa"]
    if len(kinds) != 1 or ("b" in mode and "t" in mode):
        return None
    flags = _FLAGS[kinds[0]]
    return flags & ~os.O_WRONLY | os.O_RDWR if "+" in mode else flags


class Changing(Replacement):
    """A function that changes the tree: `_change` does it in the union."""

    _change: Callable[..., object]

    def __init__(self, union: Union, original: Any, change: Any) -> None:
        super().__init__(union, original)
        self._change = change

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        path = args[0] if args else kwargs.get("path", kwargs.get("src"))
        if isinstance(path, (str, bytes)) and not _is_ours(path):
            return self._real(*args, **kwargs)  # "" and NUL: its own errors
        try:
            return self._change(*args, **kwargs)
        except OSError as error:
            if error.filename is not None:
                error.filename = path
                if self.__name__ in ("rename", "replace", "link", "symlink"):
                    error.filename2 = args[1] if len(args) > 1 else kwargs.get("dst")
            raise


class Changes:
    """The functions that change the tree, with the signatures of os."""

    def __init__(self, union: Union) -> None:
        self.union = union

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: Optional[int] = None) -> int:
        return self.union.open(path, flags | os.O_CLOEXEC, mode, dir_fd)

    def mkdir(self, path: object, mode: int = 0o777, *, dir_fd: Optional[int] = None) -> None:
        self.union.make(path, dir_fd, lambda name: real.mkdir(name, mode))

    def mkfifo(self, path: object, mode: int = 0o666, *, dir_fd: Optional[int] = None) -> None:
        self.union.make(path, dir_fd, lambda name: real.mkfifo(name, mode))

    def mknod(self, path: object, mode: int = 0o600, device: int = 0, *,
              dir_fd: Optional[int] = None) -> None:
        if modes.S_ISCHR(mode) or modes.S_ISBLK(mode):
            raise fail(errno.EPERM, path)
        self.union.make(path, dir_fd, lambda name: real.mknod(name, mode, device))

    def symlink(self, src: Any, dst: Any, target_is_directory: bool = False, *,
                dir_fd: Optional[int] = None) -> None:
        self.union.make(dst, dir_fd, lambda name: real.symlink(os.fsdecode(src), name))

    def link(self, src: object, dst: object, *, src_dir_fd: Optional[int] = None,
             dst_dir_fd: Optional[int] = None, follow_symlinks: bool = True) -> None:
        self.union.link(src, dst, src_dir_fd, dst_dir_fd)

    def unlink(self, path: object, *, dir_fd: Optional[int] = None) -> None:
        self.union.remove(path, dir_fd)

    remove = unlink

    def rmdir(self, path: object, *, dir_fd: Optional[int] = None) -> None:
        self.union.rmdir(path, dir_fd)

    def rename(self, src: object, dst: object, *, src_dir_fd: Optional[int] = None,
               dst_dir_fd: Optional[int] = None) -> None:
        self.union.rename(src, dst, src_dir_fd, dst_dir_fd)

    replace = rename

    def truncate(self, path: object, length: int) -> None:
        if isinstance(path, int):
            real.ftruncate(path, length)
            return
        fd = self.union.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            real.ftruncate(fd, length)
        finally:
            real.close(fd)

    def chmod(self, path: object, mode: int, *, dir_fd: Optional[int] = None,
              follow_symlinks: bool = True) -> None:
        self.union.change(path, dir_fd, follow_symlinks, lambda name: real.chmod(name, mode))

    def fchmod(self, fd: int, mode: int) -> None:
        self.chmod(fd, mode)

    def lchmod(self, path: object, mode: int) -> None:
        self.chmod(path, mode, follow_symlinks=False)

    def chown(self, path: object, uid: int, gid: int, *, dir_fd: Optional[int] = None,
              follow_symlinks: bool = True) -> None:
        self.union.change(path, dir_fd, follow_symlinks, lambda name: real.chown(name, uid, gid))

    def fchown(self, fd: int, uid: int, gid: int) -> None:
        self.chown(fd, uid, gid)

    def lchown(self, path: object, uid: int, gid: int) -> None:
        self.chown(path, uid, gid, follow_symlinks=False)

    def chflags(self, path: object, flags: int, follow_symlinks: bool = True) -> None:
        self.union.change(path, None, follow_symlinks, lambda name: real.chflags(name, flags))

    def lchflags(self, path: object, flags: int) -> None:
        self.chflags(path, flags, follow_symlinks=False)

    def utime(self, path: object, times: object = None, *, ns: object = None, dir_fd: Optional[int] = None,
              follow_symlinks: bool = True) -> None:
        if times is not None and ns is not None:
            real.utime(path, times, ns=ns)  # raises
        when = {"ns": ns} if ns is not None else {"times": times}
        try:
            self.union.change(path, dir_fd, follow_symlinks, lambda name: real.utime(name, **when))
        except OSError as error:
            if sys.version_info < (3, 13):
                error.filename = None  # it did not have it
            raise

    def setxattr(self, path: object, attribute: object, value: object, flags: int = 0, *,
                 follow_symlinks: bool = True) -> None:
        self.union.change(path, None, follow_symlinks, owners=False,
                          changer=lambda name: real.setxattr(name, attribute, value, flags))

    def removexattr(self, path: object, attribute: object, *, follow_symlinks: bool = True) -> None:
        self.union.change(path, None, follow_symlinks, owners=False,
                          changer=lambda name: real.removexattr(name, attribute))

    def chdir(self, path: object) -> None:
        if _is_ours(path):
            self.union.chdir(path)
        else:
            real.chdir(path)

    def fchdir(self, fd: int) -> None:
        real.fchdir(fd)
        self.union.plain.clear()

    def getcwd(self) -> str:
        return self.union.cwd()

    def getcwdb(self) -> bytes:
        return os.fsencode(self.union.cwd())


_READINGS = {"stat": Reading, "access": Reading, "statvfs": Reading, "pathconf": Reading,
             "getxattr": Reading, "listxattr": Reading, "lstat": ReadingLink,
             "readlink": ReadingLink, "listdir": Listing, "scandir": Scanning}


def replacements(union: Union) -> Dict[str, Callable[[Any], Any]]:
    """By name in `os`: what makes one over the function that comes next."""
    found: Dict[str, Callable[[Any], Any]] = {}
    for name, kind in _READINGS.items():
        if hasattr(real, name):
            found[name] = partial(kind, union)
    changes = Changes(union)
    for name in dir(changes):
        if hasattr(real, name) and not name.startswith("_"):
            found[name] = partial(Changing, union, change=getattr(changes, name))
    return found


def install(scratch: str, allowed: Iterable[str] = ()) -> Union:
    """From now on, and in forked children, what this process writes goes to `scratch`, an empty folder, but
    for what is below the folders in `allowed`. Each change is an event of shapeflow._sandbox."""
    from shapeflow import _sandbox  # type: ignore[attr-defined]
    from shapeflow.sandbox import patching

    union = Union(scratch, allowed)
    by = PROCESS.by("sandbox.redirect", "what is written goes to a scratch folder")
    by_id: Dict[int, Any] = {}
    functions: Dict[str, Any] = {}
    for name, over in replacements(union).items():
        original = getattr(real, name)
        by_id[id(original)] = take_part(by, name, over)
        functions[name] = over(original)  # for who is asked by importlib: nobody else takes part in that
        if name not in _READINGS:
            by.set(posix, name, functions[name])  # at full speed until a module is written
    by_id[id(_real_open)] = take_part(by, OPEN, partial(Opening, union))
    by.set(sys.modules["_io"], "open", Opening(union, _real_open))  # which io.open_code asks
    by = PROCESS.by("sandbox.patching", "copies of functions of `os` write to the scratch folder too")
    patching.sweep(by, by_id)
    patching.extend_supports(by, by_id)
    by = PROCESS.by("sandbox.patching", "modules of C that open files or start programs are held too")
    patching.after_imports(by, union)
    modules_written = _import_follower(union, functions, by)

    def changed(kind: str, path: object) -> None:
        if kind == "write":
            modules_written(path)
        if isinstance(path, (str, bytes, os.PathLike)):
            _sandbox.note(kind, path)

    union.note = changed
    return union


def _import_follower(union: Union, functions: Mapping[str, object], by: Patcher
                     ) -> Callable[[object], None]:
    """What, told of a module that was written, lets importlib see the union."""
    done: List[bool] = []

    def open_code(path: str) -> IO[bytes]:
        stream = _real_open_code(union.find(path))
        return stream

    def follow(path: Any) -> None:
        if done or not os.fsdecode(path).endswith((".py", ".pyc")):
            return
        done.append(True)
        by.set(bootstrap, "_os", SimpleNamespace(**{**vars(posix), **functions}))
        names: Dict[str, Any] = {**vars(sys.modules["_io"]), "open_code": open_code}
        by.set(bootstrap, "_io", SimpleNamespace(**names))

    return follow


assert isinstance(bootstrap, ModuleType)
