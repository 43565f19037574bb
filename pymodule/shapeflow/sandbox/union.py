"""A folder tree in which what is written lies over what is there: the overlay, in Python.

Used where the kernel gives no overlay of its own. Below the scratch folder, `root` holds what the script
wrote, at the same paths; `gone` are the paths whose original is hidden, because the script removed it or
put something else there. Nothing else is ever changed.

Words: a path is *canonical* when it is absolute and names no symbolic link, as the script sees the tree; ""
is the root. *lower* is the user's tree, *upper* the scratch one. A folder is *mirrored* when upper has it
too, which is so for each folder in which something was changed: elsewhere a path means what it always meant.

Forked children see each other's changes: the two sets are kept in a journal, and a number in shared memory
says that it grew. A path found to be untouched is remembered until then: asking again costs one look-up.
"""
from __future__ import annotations

import _thread
import errno
import fcntl
import mmap
import os
import posix
import stat as modes
import struct
import sys
from contextlib import contextmanager
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set

# The functions as they were: `posix` itself is patched later.
real = SimpleNamespace(**{name: value for name, value in vars(posix).items() if callable(value)})

MAX_LINKS = 40  # as the kernel
MAX_REMEMBERED = 20_000
CHUNK = 1 << 20
TMPFILE = getattr(os, "O_TMPFILE", 0)
_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_SPECIAL = ("/proc", "/sys", "/dev")


def fail(number: int, *names: Any) -> OSError:
    """The error that the call itself would have raised."""
    name, other = (*names, None, None)[:2]
    return OSError(number, os.strerror(number), name, None, other)


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _is_special(path: str) -> bool:
    """Of the kernel's own trees: no content to lay anything over."""
    return path.startswith(_SPECIAL) and (path.count("/") == 1 or path.startswith(
        ("/proc/", "/sys/", "/dev/"))) and not is_below(path, "/dev/shm")


class Union:
    """The tree as the script sees it."""

    def __init__(self, scratch: str, allowed: Iterable[str] = ()) -> None:
        self.scratch = os.path.realpath(scratch)
        self.upper = self.scratch + "/root"
        self.allowed = [self.scratch, *(os.path.realpath(path) for path in allowed)]
        self.mirrored: Set[str] = set()
        self.gone: Set[str] = set()
        self.plain: Set[Any] = set()  # paths, as given, that mean what they always meant
        self._canonical: Dict[str, str] = {}  # of folders, by absolute name
        self._entered: Set[str] = set()
        self._lock = _thread.RLock()
        self._depth = 0
        self._journal = self.scratch + "/journal"
        self.seen = 0  # how much of the journal is known
        self.note: Callable[[str, Any], None] = lambda kind, path: None  # of each change
        real.close(real.open(self._journal, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        fd = real.open(self.scratch + "/epoch", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            if real.fstat(fd).st_size < 8:
                real.ftruncate(fd, 8)
            self.epoch = memoryview(mmap.mmap(fd, 8)).cast("Q")
        finally:
            real.close(fd)
        self._make_root()
        os.register_at_fork(after_in_child=self._forked)

    def _make_root(self) -> None:
        try:
            real.mkdir(self.upper, 0o700)
        except FileExistsError:
            pass

    def _forked(self) -> None:
        self._lock = _thread.RLock()
        self._depth = 0

    # --- the journal --------------------------------------------------------------------------
    @contextmanager
    def changing(self) -> Iterator[None]:
        """Alone, among the threads and processes of the check, and up to date."""
        with self._lock:
            if self._depth:
                yield
                return
            fd = real.open(self._journal, os.O_RDWR | os.O_CLOEXEC)
            self._depth = 1
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                self.update()
                yield
            finally:
                self._depth = 0
                real.close(fd)

    def _announce(self, sign: str, path: str) -> None:
        """`+`: mirrored. `-`: what is there now is hidden. `!`: a link or folder of upper changed."""
        record = os.fsencode(sign + path) + b"\0"
        fd = real.open(self._journal, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            real.write(fd, record)
            self.epoch[0] = real.fstat(fd).st_size
        finally:
            real.close(fd)
        self.update()

    def update(self) -> None:
        """Reads what was announced since. Another thread may do the same: each record is only a fact, and
        taken twice it is still one."""
        seen, end = self.seen, self.epoch[0]
        if end <= seen:
            return
        fd = real.open(self._journal, os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = real.pread(fd, end - seen, seen)
        finally:
            real.close(fd)
        for record in data[:-1].split(b"\0"):
            text = os.fsdecode(record)
            sign, path = text[0], text[1:]
            if sign == "+":
                self.mirrored.add(path)
            elif sign == "-":
                self.gone.add(path)
                self.mirrored -= {folder for folder in self.mirrored if is_below(folder, path)}
        self._canonical.clear()
        self.plain.clear()
        self._entered.clear()
        self.seen = max(self.seen, end)

    # --- names --------------------------------------------------------------------------------
    def cwd(self) -> str:
        """The working folder under its user's name."""
        path: str = real.getcwd()
        return path[len(self.upper):] or "/" if is_below(path, self.upper) else path

    def path_of(self, fd: int) -> str:
        """The user's name of an open file or folder."""
        if sys.platform == "darwin":
            found = fcntl.fcntl(fd, fcntl.F_GETPATH, bytes(1024)).split(b"\0", 1)[0]
            path = os.fsdecode(found)
        else:
            real.fstat(fd)  # EBADF
            path = real.readlink(f"/proc/self/fd/{fd}")
        return path[len(self.upper):] or "/" if is_below(path, self.upper) else path

    def text(self, path: Any, dir_fd: Optional[int] = None) -> str:
        """`path` as an absolute str."""
        text = os.fsdecode(path)
        if text.startswith("/"):
            return text
        base = self.cwd() if dir_fd is None or dir_fd == -100 else self.path_of(dir_fd)
        return f"{base}/{text}"

    def is_free(self, path: str) -> bool:
        """Not ours to lay anything over: permitted folders, and the kernel's own."""
        return any(is_below(path, folder) for folder in self.allowed) or _is_special(path)

    def _is_hidden(self, path: str) -> bool:
        if not self.gone:
            return False
        while path:
            if path in self.gone:
                return True
            path = _parent(path)
        return False

    def where(self, path: str) -> str:
        """Where the content of a canonical path is; where nothing is, a name at which nothing is."""
        if path and _parent(path) in self.mirrored:
            upper = self.upper + path
            try:
                real.lstat(upper)
                return upper
            except OSError:
                pass
        if self._is_hidden(path):
            return self.upper + path
        return path or "/"

    def _walk(self, path: str) -> str:
        """The canonical name of `path`, all links followed. Raises where `..` has nothing to leave."""
        todo = path.split("/")[::-1]
        at = ""
        links = 0
        while todo:
            name = todo.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not modes.S_ISDIR(real.stat(self.where(at)).st_mode):
                    raise fail(errno.ENOTDIR, path)
                at = _parent(at)
                continue
            if at in _SPECIAL and not (at == "/dev" and name == "shm"):
                return "/".join([at, name, *reversed(todo)])  # /proc/self/fd/1 names no path
            here = f"{at}/{name}"
            try:
                target = real.readlink(self.where(here))
            except OSError:
                at = here
                continue
            links += 1
            if links > MAX_LINKS:
                raise fail(errno.ELOOP, path)
            if target.startswith("/"):
                at = ""
            todo.extend(target.split("/")[::-1])
        return at

    def resolve(self, path: str, follow: bool = True) -> str:
        """The canonical name of an absolute path; with follow=False of the link, not its target."""
        self.update()
        head, _, name = path.rpartition("/")
        if name in ("", ".", ".."):
            return self._walk(path)
        folder = self._canonical.get(head)
        if folder is None:
            folder = self._canonical[head] = self._walk(head)
        here = f"{folder}/{name}"
        if follow and not _is_special(here):
            try:
                real.readlink(self.where(here))
            except OSError:
                return here
            return self._walk(here)
        return here

    def find(self, path: object, dir_fd: Optional[int] = None, follow: bool = True) -> str:
        """Where to read what the script calls `path`."""
        text = self.text(path, dir_fd)
        canonical = self.resolve(text, follow)
        if follow and dir_fd is None and isinstance(path, (str, bytes)):
            if self.resolve(text, follow=False) == canonical:  # no link at the end
                self._remember(path, canonical)
        found = self.where(canonical)
        return found + "/" if text.endswith("/") and found != "/" else found

    def _remember(self, path: object, canonical: str) -> None:
        untouched = canonical not in self.mirrored and _parent(canonical) not in self.mirrored
        if untouched and not self._is_hidden(canonical):
            if len(self.plain) >= MAX_REMEMBERED:
                self.plain.clear()
            self.plain.add(path)

    def names(self, path: str) -> List[str]:
        """What a canonical folder holds."""
        if path not in self.mirrored:
            found: List[str] = real.listdir(self.where(path))
        else:
            found = real.listdir(self.upper + path)
            if not self._is_hidden(path):
                have = set(found)
                try:
                    below = real.listdir(path or "/")
                except (FileNotFoundError, NotADirectoryError):
                    below = []
                found += [name for name in below
                          if name not in have and f"{path}/{name}" not in self.gone]
        if path == _parent(self.scratch):
            found = [name for name in found if f"{path}/{name}" != self.scratch]
        return found

    def is_mirrored(self, path: str) -> bool:
        return path in self.mirrored or path == _parent(self.scratch)

    # --- making room in upper -----------------------------------------------------------------
    def _is_in_upper(self, path: str) -> bool:
        return self.where(path).startswith(self.upper)

    def _has_lower(self, path: str) -> bool:
        """Is something of the user's visible, or covered, at `path`?"""
        if self._is_hidden(path):
            return False
        try:
            real.lstat(path)
        except OSError:
            return False
        return True

    def _mirror(self, path: str) -> None:
        """Makes upper's folder for a folder that is there."""
        if path in self.mirrored:
            return
        if path:
            self._mirror(_parent(path))
        status = real.stat(self.where(path))
        if not modes.S_ISDIR(status.st_mode):
            raise fail(errno.ENOTDIR, path)
        upper = self.upper + path
        try:
            real.mkdir(upper, 0o700)
        except FileExistsError:
            pass
        self._like(upper, status, folder=True)
        if path:  # the folder above did not change for the script
            above = real.stat(_parent(path) or "/") if not self._is_hidden(_parent(path)) else None
            if above is not None:
                real.utime(_parent(upper), ns=(above.st_atime_ns, above.st_mtime_ns))
        self._announce("+", path)

    def _like(self, upper: str, status: os.stat_result, folder: bool = False) -> None:
        """Owner, mode and times as they were, as far as we may."""
        if real.geteuid() == 0:
            try:
                real.chown(upper, status.st_uid, status.st_gid)
            except OSError:
                pass
        real.chmod(upper, modes.S_IMODE(status.st_mode) | (0o700 if folder else 0o200))
        real.utime(upper, ns=(status.st_atime_ns, status.st_mtime_ns))

    def _enter(self, path: str) -> str:
        """Upper's name for `path`, in whose folder something may now be made or removed."""
        folder = _parent(path)
        if folder not in self._entered:
            lower = folder or "/"
            status = real.stat(self.where(folder))
            if not modes.S_ISDIR(status.st_mode):
                raise fail(errno.ENOTDIR, path)
            if self._has_lower(folder) and not real.access(lower, os.W_OK | os.X_OK,
                                                           effective_ids=True):
                usual = modes.S_IMODE(real.stat(lower).st_mode) | 0o700
                if modes.S_IMODE(status.st_mode) | 0o700 == usual:
                    raise fail(errno.EACCES, path)
            self._mirror(folder)
            self._entered.add(folder)
        return self.upper + path

    def _copy_up(self, path: str, content: bool = True) -> str:
        """Upper's name for what is at `path`, copied there if need be."""
        found = self.where(path)
        if found.startswith(self.upper):
            return found
        status = real.lstat(found)
        self._mirror(_parent(path))
        upper = self.upper + path
        if modes.S_ISDIR(status.st_mode):
            self._mirror(path)
        elif modes.S_ISLNK(status.st_mode):
            real.symlink(real.readlink(found), upper)
            self._announce("!", path)
        elif modes.S_ISFIFO(status.st_mode):
            real.mkfifo(upper, modes.S_IMODE(status.st_mode))
        elif modes.S_ISREG(status.st_mode):
            self._copy(found, upper, status, content)
        else:
            raise fail(errno.EPERM, path)
        return upper

    def _copy(self, source: str, target: str, status: os.stat_result, content: bool) -> None:
        """Whole or not at all: nobody may see half a copy."""
        partial = f"{self.scratch}/copy-{os.getpid()}"
        writing = real.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            if content:
                reading = real.open(source, os.O_RDONLY | os.O_CLOEXEC)
                try:
                    _copy_content(reading, writing)
                finally:
                    real.close(reading)
        finally:
            real.close(writing)
        self._like(partial, status)
        real.chmod(partial, modes.S_IMODE(status.st_mode))
        real.rename(partial, target)

    def _copy_tree(self, path: str) -> str:
        """All of a folder in upper."""
        self._mirror(path)
        for name in self.names(path):
            here = f"{path}/{name}"
            if modes.S_ISDIR(real.lstat(self.where(here)).st_mode):
                self._copy_tree(here)
            else:
                self._copy_up(here)
        return self.upper + path

    def _lstat(self, path: str) -> Optional[os.stat_result]:
        try:
            status: os.stat_result = real.lstat(self.where(path))
        except FileNotFoundError:
            return None
        return status

    # --- changing -----------------------------------------------------------------------------
    def open(self, path: Any, flags: int, mode: int = 0o777, dir_fd: Optional[int] = None) -> int:
        """os.open. A descriptor opened for writing is always of upper, or of what is free."""
        text = self.text(path, dir_fd)
        exclusive = flags & os.O_CREAT and flags & os.O_EXCL
        follow = not (flags & os.O_NOFOLLOW or exclusive)
        slash = "/" if text.endswith("/") else ""
        if not flags & _CHANGES:
            fd: int = real.open(self.find(path, dir_fd, follow), flags, mode)
            return fd
        here = self.resolve(text, follow)
        if self.is_free(here):
            fd = real.open(here + slash, flags, mode)
            return fd
        with self.changing():
            if TMPFILE and flags & TMPFILE == TMPFILE:
                self._enter(here + "/")
                fd = real.open(self.upper + here, flags, mode)
                return fd
            status = self._lstat(here)
            if status is None:
                if not flags & os.O_CREAT:
                    raise fail(errno.ENOENT, path)
                if slash:
                    raise fail(errno.EISDIR, path)
                fd = real.open(self._enter(here), flags, mode)
                self.note("write", path if dir_fd is None else here)
                return fd
            if exclusive:
                raise fail(errno.EEXIST, path)
            if modes.S_ISDIR(status.st_mode):
                raise fail(errno.EISDIR, path)
            if slash:
                raise fail(errno.EISDIR if flags & os.O_CREAT else errno.ENOTDIR, path)
            if modes.S_ISLNK(status.st_mode):
                raise fail(errno.ELOOP, path)
            if not modes.S_ISREG(status.st_mode):
                fd = real.open(self.where(here), flags, mode)
                return fd
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_TRUNC) and not self._is_in_upper(here):
                need = os.W_OK | (os.R_OK if flags & os.O_RDWR else 0)
                if not real.access(here, need, effective_ids=True):
                    raise fail(errno.EACCES, path)
                self._copy_up(here, content=not flags & os.O_TRUNC)
            fd = real.open(self.where(here), flags, mode)
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_TRUNC):
                self.note("write", path if dir_fd is None else here)
            return fd

    def make(self, path: Any, dir_fd: Optional[int], maker: Any) -> None:
        """mkdir, mkfifo, symlink: `maker` makes it at the name that it is given."""
        here = self.resolve(self.text(path, dir_fd), follow=False)
        if self.is_free(here):
            maker(here)
            return
        with self.changing():
            if self._lstat(here) is not None or not here:
                raise fail(errno.EEXIST, path)
            upper = self._enter(here)
            maker(upper)
            status = real.lstat(upper)
            if modes.S_ISDIR(status.st_mode):
                self._announce("+", here)
            elif modes.S_ISLNK(status.st_mode):
                self._announce("!", here)
            self.note("write", path if dir_fd is None else here)

    def remove(self, path: object, dir_fd: Optional[int] = None) -> None:
        text = self.text(path, dir_fd)
        here = self.resolve(text, follow=False)
        if self.is_free(here):
            real.unlink(here)
            return
        with self.changing():
            status = self._lstat(here)
            if status is None:
                raise fail(errno.ENOENT, path)
            if modes.S_ISDIR(status.st_mode):
                raise fail(errno.EPERM if sys.platform == "darwin" else errno.EISDIR, path)
            if text.endswith("/"):
                raise fail(errno.ENOTDIR, path)
            upper = self._enter(here)
            if self._is_in_upper(here):
                real.unlink(upper)
            if self._has_lower(here):
                self._announce("-", here)
            elif modes.S_ISLNK(status.st_mode):
                self._announce("!", here)
            self.note("delete", path if dir_fd is None else here)

    def rmdir(self, path: object, dir_fd: Optional[int] = None) -> None:
        here = self.resolve(self.text(path, dir_fd), follow=False)
        if self.is_free(here):
            real.rmdir(here)
            return
        with self.changing():
            status = self._lstat(here)
            if status is None:
                raise fail(errno.ENOENT, path)
            if not modes.S_ISDIR(status.st_mode):
                raise fail(errno.ENOTDIR, path)
            if self.names(here):
                raise fail(errno.ENOTEMPTY, path)
            upper = self._enter(here)
            if here in self.mirrored:
                real.rmdir(upper)
            self._announce("-", here)
            self.note("delete", path if dir_fd is None else here)

    def rename(self, old: object, new: object, old_fd: Optional[int] = None,
               new_fd: Optional[int] = None) -> None:
        """os.rename and os.replace. A folder of the user's is copied whole: it may not be moved."""
        source = self.resolve(self.text(old, old_fd), follow=False)
        target = self.resolve(self.text(new, new_fd), follow=False)
        free = self.is_free(source), self.is_free(target)
        if all(free):
            real.rename(source, target)
            return
        with self.changing():
            status = self._lstat(source)
            if status is None:
                raise fail(errno.ENOENT, old, new)
            if any(free):
                raise fail(errno.EXDEV, old, new)  # shutil.move then copies
            there = self._lstat(target)
            is_folder = modes.S_ISDIR(status.st_mode)
            if is_folder and is_below(target, source) and source != target:
                raise fail(errno.EINVAL, old, new)
            if there is not None:
                if (there.st_dev, there.st_ino) == (status.st_dev, status.st_ino):
                    return
                if is_folder and not modes.S_ISDIR(there.st_mode):
                    raise fail(errno.ENOTDIR, old, new)
                if modes.S_ISDIR(there.st_mode) and not is_folder:
                    raise fail(errno.EISDIR, old, new)
                if is_folder and self.names(target):
                    raise fail(errno.ENOTEMPTY, old, new)
            self._enter(source)
            self._enter(target)
            moved = self._copy_tree(source) if is_folder else self._copy_up(source)
            real.rename(moved, self.upper + target)
            for here in (source, target):
                if self._has_lower(here) or here in self.mirrored:
                    self._announce("-", here)
            if is_folder:
                self._announce_tree(target)
            elif modes.S_ISLNK(status.st_mode):
                self._announce("!", target)
            self.note("write", old)

    def _announce_tree(self, path: str) -> None:
        self._announce("+", path)
        for entry in real.scandir(self.upper + path):
            if entry.is_dir(follow_symlinks=False):
                self._announce_tree(f"{path}/{entry.name}")

    def link(self, old: object, new: object, old_fd: Optional[int] = None,
             new_fd: Optional[int] = None) -> None:
        source = self.resolve(self.text(old, old_fd), follow=False)
        target = self.resolve(self.text(new, new_fd), follow=False)
        if self.is_free(source) and self.is_free(target):
            real.link(source, target)
            return
        with self.changing():
            status = self._lstat(source)
            if status is None:
                raise fail(errno.ENOENT, old, new)
            if self._lstat(target) is not None:
                raise fail(errno.EEXIST, old, new)
            if modes.S_ISDIR(status.st_mode):
                raise fail(errno.EPERM, old, new)
            if self.is_free(source) or self.is_free(target):
                raise fail(errno.EXDEV, old, new)
            real.link(self._copy_up(source), self._enter(target))
            self.note("write", new)

    def change(self, path: object, dir_fd: Optional[int], follow: bool, changer: Any,
               owners: bool = True) -> Any:
        """chmod, chown, utime, setxattr: `changer` changes what is at the name that it is given."""
        text = self.path_of(path) if isinstance(path, int) else self.text(path, dir_fd)
        here = self.resolve(text, follow)
        if self.is_free(here):
            return changer(here)
        with self.changing():
            status = self._lstat(here)
            if status is None:
                raise fail(errno.ENOENT, path)
            if owners and status.st_uid != real.geteuid() != 0:
                raise fail(errno.EPERM, path)
            if modes.S_ISLNK(status.st_mode):
                return None  # of a link itself: nothing that the script could see
            result = changer(self._copy_up(here))
            self.note("write", text)
            return result

    def prepare(self, path: object) -> str:
        """Where C code that opens by itself may read and write what the script calls `path`."""
        here = self.resolve(self.text(path))
        if self.is_free(here):
            return here
        with self.changing():
            self.note("write", path)
            if self._lstat(here) is not None:
                return self._copy_up(here)
            return self._enter(here)

    def chdir(self, path: object) -> None:
        here = self.resolve(self.text(path))
        # The user's folder where there is one: what C code reads by a relative name is there.
        real.chdir((here or "/") if self._has_lower(here) else self.where(here))
        self.plain.clear()


def _copy_content(reading: int, writing: int) -> None:
    copy_range = getattr(real, "copy_file_range", None)
    try:
        while copy_range is not None and copy_range(reading, writing, CHUNK * 64) > 0:
            pass
    except OSError:
        pass  # not between these file systems: the rest by hand
    while True:
        data = real.read(reading, CHUNK)
        if not data:
            return
        while data:
            data = data[real.write(writing, data):]


assert struct.calcsize("Q") == 8
