"""tf.gfile, tf.io.gfile. In a sandbox, which holds all that a script writes, they do what TensorFlow's do.

Elsewhere reading is real, and what would write or delete is remembered, not done: the script sees its own
changes through tf.gfile; on disk nothing is written, made or removed.
"""
from __future__ import annotations

import fnmatch
import glob
import io
import os
import shutil
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set

from shapeflow.api import outside
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import errors

_made: Dict[str, Optional[bytes]] = {}  # what the script made: content, None for a directory
_gone: Set[str] = set()                 # what it removed, with all below


def _key(path: Any) -> str:
    return os.path.abspath(os.fsdecode(path))


def is_gone(path: Any) -> bool:
    """Did the script remove this, or a directory around it?"""
    if not _gone or outside.sandbox.holds and (os.path.exists(path) or
                                               os.path.exists(os.fspath(path) + ".index")):
        return False
    key = _key(path)
    return any(key == g or key.startswith(g + os.sep) for g in _gone)


def note_file(path: Any, content: bytes = b"") -> None:
    """The script (or a Saver for it) made this file."""
    if outside.sandbox.holds:
        try:
            folder = os.path.dirname(_key(path))
            if not os.path.isdir(folder):  # the sandbox tells of a folder that is made
                os.makedirs(folder, exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(content)
            return
        except OSError:
            pass  # a folder where the sandbox lets nobody write
    _made[_key(path)] = content


def _of_system(error: OSError, path: Any) -> Exception:
    """TensorFlow's error for one of the system's."""
    kind = errors.NotFoundError if isinstance(error, FileNotFoundError) else \
        errors.AlreadyExistsError if isinstance(error, FileExistsError) else \
        errors.FailedPreconditionError if isinstance(error, (IsADirectoryError, NotADirectoryError)) else \
        errors.PermissionDeniedError
    return kind(None, None, "%s; %s" % (os.fsdecode(path), error.strerror or "failed"))


class FileIO:
    """tf.gfile.GFile / FastGFile: what it writes is only seen through tf.gfile."""

    def __init__(self, name: Any, mode: str, encoding: Optional[str] = None) -> None:
        self.name, self.mode = os.fspath(name), mode
        self._stream: Any = None

    def _open(self) -> Any:
        if self._stream is None:
            if self.mode[0] == "r":
                self._stream = self._open_to_read()
            elif outside.sandbox.holds:
                self._stream = self._open_to_write()
            else:
                self._stream = io.BytesIO()
                if self.mode[0] == "a" and exists(self.name):
                    old = GFile(self.name, "rb")
                    self._stream.write(old.read())
                    old.close()
        return self._stream

    def _open_to_read(self) -> Any:
        binary = "b" in self.mode
        content = _made.get(_key(self.name))
        if content is not None:
            return io.BytesIO(content) if binary else io.StringIO(content.decode("utf-8", "replace"))
        try:
            if is_gone(self.name):
                raise FileNotFoundError(self.name)
            return open(self.name, "rb") if binary else open(self.name, encoding="utf-8")
        except (FileNotFoundError, IsADirectoryError):
            raise errors.NotFoundError(None, None, "%s; No such file or directory" % self.name)

    def _open_to_write(self) -> Any:
        try:
            return open(self.name, self.mode[0] + "b" + ("+" if "+" in self.mode else ""))
        except OSError as error:
            raise _of_system(error, self.name) from None

    def read(self, n: int = -1) -> Any:
        return self._read(self._open().read(n))

    def readline(self) -> Any:
        return self._read(self._open().readline())

    def readlines(self) -> List[Any]:
        return [self._read(line) for line in self._open().readlines()]

    def _read(self, content: object) -> Any:
        """What is written is bytes, whatever the mode."""
        return content.decode() if isinstance(content, bytes) and "b" not in self.mode else content

    def write(self, content: Any) -> None:
        self._open().write(content.encode() if isinstance(content, str) else content)

    def seek(self, offset: object = None, whence: int = 0, position: object = None) -> None:
        self._open().seek(position if offset is None else offset, whence)

    def tell(self) -> int:
        return self._open().tell()

    def size(self) -> int:
        self.flush()
        return stat(self.name).length if exists(self.name) else 0

    def flush(self) -> None:
        if self.mode[0] != "r" and outside.sandbox.holds:
            self._open().flush()
        elif self.mode[0] != "r":
            _made[_key(self.name)] = self._open().getvalue()

    def close(self) -> None:
        if self.mode[0] != "r":
            self.flush()
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def __iter__(self) -> Iterator[Any]:
        return map(self._read, self._open())

    def __next__(self) -> Any:
        return self._read(next(self._open()))

    def __enter__(self) -> "FileIO":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class GFile(FileIO):
    """The same, which reads when nobody says how."""

    def __init__(self, name: Any, mode: str = "r", encoding: Optional[str] = None) -> None:
        super().__init__(name, mode, encoding)


put(FileIO, "tensorflow.python.lib.io.file_io.FileIO", v2=True)
put(GFile, "tf.gfile.GFile", "tf.gfile.Open", "tf.gfile.FastGFile", "tf.io.gfile.GFile", v2=True)


@export("tf.io.gfile.exists", v2=True)
def exists(path: Any) -> bool:
    key = _key(path)
    if any(made == key or made.startswith(key + os.sep) for made in _made):
        return True
    return os.path.exists(path) and not is_gone(path)


@export("tf.gfile.Exists")
def exists_v1(filename: object) -> bool:
    return exists(filename)


put(exists_v1, "tensorflow.python.lib.io.file_io.file_exists")


@export("tf.io.gfile.isdir", v2=True)
def isdir(path: Any) -> bool:
    key = _key(path)
    if any(made.startswith(key + os.sep) or made == key and content is None
           for made, content in _made.items()):
        return True
    return os.path.isdir(path) and not is_gone(path)


@export("tf.gfile.IsDirectory")
def isdir_v1(dirname: object) -> bool:
    return isdir(dirname)


@export("tf.io.gfile.listdir", v2=True)
def listdir(path: Any) -> List[str]:
    if not isdir(path):
        raise errors.NotFoundError(None, None, "Could not find directory %s" % path)
    head = _key(path) + os.sep
    names = {made[len(head):].split(os.sep)[0] for made in _made if made.startswith(head)}
    if os.path.isdir(path):
        names.update(name for name in os.listdir(path) if not is_gone(head + name))
    return sorted(names)


@export("tf.gfile.ListDirectory")
def listdir_v1(dirname: object) -> List[str]:
    return listdir(dirname)


@export("tf.gfile.Glob")
def glob_v1(filename: object) -> List[str]:
    return glob_files(filename)


@export("tf.io.gfile.glob", v2=True)
def glob_files(pattern: Any) -> List[str]:
    patterns: List[Any] = [pattern] if isinstance(pattern, (str, bytes)) else list(pattern)
    found = {name for p in patterns for name in glob.glob(p) if not is_gone(name)}
    for p in patterns:
        whole = _key(p)
        found.update(made if os.path.isabs(p) else os.path.relpath(made)
                     for made in _made if fnmatch.fnmatchcase(made, whole))
    return sorted(found)


@export("tf.gfile.Walk", "tf.io.gfile.walk", v2=True)
def walk(top: object, topdown: bool = True, onerror: object = None, in_order: object = None) -> Any:
    return os.walk(top, topdown if in_order is None else bool(in_order))


class FileStatistics(NamedTuple):
    """What `stat` says of a file."""

    length: int
    mtime_nsec: int
    is_directory: bool


@export("tf.io.gfile.stat", v2=True)
def stat(path: Any) -> Any:
    content = _made.get(_key(path))
    if content is not None:
        return FileStatistics(len(content), 0, False)
    if not exists(path):
        raise errors.NotFoundError(None, None, "%s; No such file or directory" % path)
    found = os.stat(path)
    return FileStatistics(found.st_size, int(found.st_mtime * 1e9), os.path.isdir(path))


@export("tf.gfile.Stat")
def stat_v1(filename: object) -> Any:
    return stat(filename)


# --- changes, which only the script sees ---------------------------------------------------------
# Version 1 and version 2 name their arguments differently, and keyword calls of both are common.
@export("tf.io.gfile.makedirs", "tf.io.gfile.mkdir", v2=True)
def make_directory(path: Any) -> None:
    if outside.sandbox.holds:
        try:
            os.makedirs(path, exist_ok=True)
        except OSError as error:
            raise _of_system(error, path) from None
        return
    _made.setdefault(_key(path), None)


@export("tf.gfile.MakeDirs", "tf.gfile.MkDir", "tensorflow.python.lib.io.file_io.create_dir",
        "tensorflow.python.lib.io.file_io.recursive_create_dir", v2=True)
def make_directory_v1(dirname: object) -> None:
    make_directory(dirname)


@export("tf.io.gfile.rmtree", "tf.io.gfile.remove", v2=True)
def remove(path: object) -> None:
    """The script finds nothing there from now on; on disk nothing changes."""
    key = _key(path)
    if not exists(key):
        raise errors.NotFoundError(None, None, "%s; No such file or directory" % key)
    if outside.sandbox.holds and os.path.lexists(key):
        try:
            shutil.rmtree(key) if os.path.isdir(key) and not os.path.islink(key) else os.remove(key)
        except OSError as error:
            raise _of_system(error, path) from None
        _gone.add(key)
        return
    for made in [m for m in _made if m == key or m.startswith(key + os.sep)]:
        del _made[made]
    _gone.add(key)


@export("tf.gfile.DeleteRecursively", "tensorflow.python.lib.io.file_io.delete_recursively", v2=True)
def delete_recursively_v1(dirname: object) -> None:
    remove(dirname)


@export("tf.gfile.Remove", "tensorflow.python.lib.io.file_io.delete_file", v2=True)
def remove_v1(filename: object) -> None:
    remove(filename)


@export("tf.io.gfile.copy", v2=True)
def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    if outside.sandbox.holds and not overwrite and os.path.exists(dst):
        raise errors.AlreadyExistsError(None, None, "file already exists")
    source = GFile(src, "rb")
    content = source.read()
    source.close()
    if not outside.sandbox.holds:
        _made[_key(dst)] = content
        return
    with GFile(dst, "wb") as target:
        target.write(content)


@export("tf.gfile.Copy", "tensorflow.python.lib.io.file_io.copy", v2=True)
def copy_v1(oldpath: object, newpath: object, overwrite: bool = False) -> None:
    copy(oldpath, newpath, overwrite)


@export("tf.io.gfile.rename", v2=True)
def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    if outside.sandbox.holds:
        if not overwrite and os.path.exists(dst):
            raise errors.AlreadyExistsError(None, None, "file already exists")
        try:
            os.replace(src, dst)
        except OSError as error:
            raise _of_system(error, src) from None
    elif not isdir(src):
        copy(src, dst, overwrite)
        remove(src)


@export("tf.gfile.Rename", "tensorflow.python.lib.io.file_io.rename", v2=True)
def rename_v1(oldname: object, newname: object, overwrite: bool = False) -> None:
    rename(oldname, newname, overwrite)


@export("tf.io.gfile.join", v2=True)
def join(path: Any, *paths: Any) -> str:
    return os.path.join(path, *paths)
