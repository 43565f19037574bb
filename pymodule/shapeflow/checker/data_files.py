"""Data that are not there: files, folders and addresses.

A repository rarely holds its data. What exists is read, always. Of what does not exist, in this order:
`[tool.shapeflow.data]` may say what it is like (declared), and then arrays of zeros and tables of that shape
come of it; else it is unknown, with one note for each path. A script that has an answer of its own to a file
that is missing gets the error. Which functions read what: data_readers.py.
"""
from __future__ import annotations

import os
import sys

import shapeflow.checker.absent_paths as absent_paths
import shapeflow.checker.dependency_tracker as reads  # before os.stat is ours: it keeps the real one
import shapeflow.checker.exception_handlers as handlers
from shapeflow.api.loaded_modules import loaded
from shapeflow.checker.data_paths import (
    UNKNOWN_PATH,
    absolute,
    asks,
    is_importing,
    user_frame,
    written,
)
from shapeflow.checker.file_functions import take_part
from shapeflow.checker.findings import Record, Span, display_path, told
from shapeflow.checker.import_hook import act_on
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.checker.absent_folders import AbsentFolders
    from shapeflow.checker.patches import Patcher

CODE, NAME = "SF906", "NO_DATA"
_MOST_NOTES = 5
_MOST_ASKED = 200


def _system_path(path: str) -> bool:
    return path.startswith(("/proc/", "/sys/", "/dev/", "/etc/"))


class DataFiles:
    """What one check knows of them. `present`: paths that are taken to be there, though they are not."""

    def __init__(self, declared: Dict[str, Any], root: str, script: str, present: Sequence[str],
                 by: Patcher) -> None:
        self._declared = declared
        self._root = root
        self._script = os.path.abspath(script)
        self._by = by
        self._present = {os.path.abspath(path) for path in present}
        self._kinds = {_without_numbers(path) for path in self._present}
        self._folders: Optional[AbsentFolders] = None  # once one is listed
        self._first: Dict[str, Optional[Span]] = {}  # by path: where it was read
        self._asked: Dict[str, None] = {}  # absent ones, of which the script wanted to know whether they are

    @property
    def on(self) -> bool:
        return self._by.on

    def is_library(self, path: str) -> bool:
        return is_library(path, self._script)

    # --- what is said of a path ---------------------------------------------------------------
    def declared(self, path: object) -> Optional[Dict[str, Any]]:
        """What [tool.shapeflow.data] says of a missing file; None when it exists or nothing is said."""
        name = absolute(path) if self._declared else None
        if name is None:
            return None
        from shapeflow.checker.configuration import matches

        for pattern, known in self._declared.items():
            if matches(name, [pattern], self._root):
                if reads.exists(name):
                    return None
                return dict(known)
        return None

    def is_absent(self, path: Any) -> bool:
        """Is it a path, or an address, of which a stand-in may be given?"""
        if type(path) not in (str, bytes) and not isinstance(path, (str, os.PathLike)):
            return False
        name = absolute(path)
        if name is None or _system_path(name) or reads.was_written(name) and not self.is_unknown(name):
            return False
        return "://" in os.fsdecode(path) or not reads.exists(name) or self.is_unknown(name)

    @staticmethod
    def is_unknown(name: str) -> bool:
        """Is it a file that the script has written with content that nobody knows?"""
        unknown = loaded("shapeflow.api.unknown_text")
        if unknown is None:
            return False
        try:
            with open(name, "rb") as stream:
                return bool(unknown.is_sample(stream.read(64)))
        except OSError:
            return False

    def has_unknown_content(self, path: object) -> bool:
        """Is it a file in which the script has put what nobody knows?"""
        name = absolute(path)
        return name is not None and reads.was_written(name) and self.is_unknown(name)

    def appears(self, path: object) -> Optional[Dict[str, object]]:
        """Is it to be said of a path that does not exist that it does?"""
        found = self.declared(path)
        if found is not None:
            return found
        name = absolute(path)
        if name is None:
            return None
        known = name in self._present or any(name.startswith(folder + os.sep) for folder in self._present) \
            or self._folders is not None and self._folders.has(name) \
            or bool(self._kinds) and _without_numbers(name) in self._kinds or UNKNOWN_PATH in name
        if not known:
            outside = sys.modules.get("shapeflow.api.outside")
            known = outside is not None and name in outside.fetched or name in written()
        return {} if known else None

    # --- folders --------------------------------------------------------------------------------
    @property
    def folders(self) -> AbsentFolders:
        """Those that are not there, and are listed or looked into."""
        if self._folders is None:
            from shapeflow.checker.absent_folders import AbsentFolders

            self._folders = AbsentFolders(self)
        return self._folders

    def is_folder_of_data(self, folder: str) -> bool:
        """Does something unknown stand for it, or for what is below it?"""
        inside = folder + os.sep
        return self.appears(folder) is not None or \
            self._folders is not None and self._folders.is_inside(inside) or \
            any(name.startswith(inside) for name in self._first)

    @staticmethod
    def is_folder_there(path: object) -> bool:
        name = absolute(path)
        return name is not None and reads.exists(name)

    def download(self, path: object) -> None:
        """A file was fetched, as far as the script knows."""
        name = absolute(path)
        if name is not None:
            self._present.add(name)

    # --- stand-ins ----------------------------------------------------------------------------
    def is_asked_by_script(self) -> bool:
        """Is it the script that reads, and no package for itself?"""
        return asks(self)

    def may_stand_in(self, path: object) -> bool:
        """For a read that has failed: is the path not there, and would the script not handle that?"""
        return self.on and self.is_absent(path) and not is_importing(self) and \
            not handlers.reading_is_guarded(user_frame(self))

    def note(self, path: object) -> None:
        """Something unknown stands for it from here on."""
        text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else str(path)
        name = str.__str__(text) if "://" in text else os.path.abspath(str.__str__(text))
        if name in self._first or UNKNOWN_PATH in name or \
                self._folders is not None and self._folders.is_inside(name):
            return
        self._start()
        frame = user_frame(self)
        self._first[name] = None if frame is None else Span(frame.f_code.co_filename, frame.f_lineno)

    def _start(self) -> None:
        from shapeflow.checker import unknown_values

        unknown_values.start(self._by, self._script)

    # --- afterwards -----------------------------------------------------------------------------
    @property
    def count(self) -> int:
        """Of the paths for which something unknown stood."""
        return len(self._first)

    def asked(self, path: object, dir_fd: object) -> None:
        """The script was told that it is not there."""
        name = absolute(path) if self.on and dir_fd is None and not isinstance(path, int) else None
        if name is not None and len(self._asked) < _MOST_ASKED and not self.is_library(name) and \
                asks(self) and not _system_path(name) and not name.endswith((".py", ".pyc", ".so")):
            self._asked[name] = None

    def wanted(self) -> List[str]:
        """What the script asked for, in vain, and did not make itself."""
        return [name for name in self._asked if not reads.exists(name)]

    def records(self) -> List[Record]:
        """A note for each path; of many, of the first ones."""
        shown = list(self._first.items())[:_MOST_NOTES]
        made = [told(CODE, NAME, "note", "{text} is not there: what is read from it is unknown", _shown(name),
                     primary=at) for name, at in shown]
        if len(self._first) > len(shown):
            made.append(told(CODE, NAME, "note", "{int} more files or folders are not there",
                             len(self._first) - len(shown)))
        return made

    def paths(self) -> List[str]:
        """Those for which something unknown stood, relative to the configuration where they lie below it."""
        return [_relative(name, self._root) for name in self._first if "://" not in name]


def _shown(name: str) -> str:
    return name if "://" in name else display_path(name)


def _relative(name: str, root: str) -> str:
    inside = os.path.relpath(name, root)
    return name if inside.startswith("..") else inside





def _without_numbers(path: str) -> str:
    """data_batch_2.bin is there when data_batch_1.bin is."""
    import re

    return re.sub(r"\d+", "0", path)


# --- what the system is asked ---------------------------------------------------------------------
def install(by: Patcher, data: DataFiles) -> None:
    """Makes them appear."""

    def known(path: object, dir_fd: object) -> Optional[Dict[str, Any]]:
        return data.appears(path) if by.on and dir_fd is None and not isinstance(path, int) else None

    def over_stat(before: Any) -> Any:
        def stat(path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> object:
            try:
                return before(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
            except FileNotFoundError:
                found = known(path, dir_fd)
                if found is None:
                    data.asked(path, dir_fd)
                    raise
                mode = 0o040755 if data.folders.is_folder(path) else 0o100644
                number = abs(hash(absolute(path)))  # else all of them were the same file
                return os.stat_result((mode, number, 0, 1, 0, 0, _bytes(found), 0, 0, 0))

        return stat

    def over_access(before: Any) -> Any:
        def access(path: Any, mode: int, *, dir_fd: Any = None, effective_ids: bool = False,
                   follow_symlinks: bool = True) -> bool:
            if before(path, mode, dir_fd=dir_fd, effective_ids=effective_ids,
                      follow_symlinks=follow_symlinks):
                return True
            if mode not in (os.F_OK, os.R_OK):
                return False
            data.asked(path, dir_fd)
            return known(path, dir_fd) is not None

        return access

    def over_listdir(before: Any) -> Any:
        def listdir(path: Any = None) -> object:
            try:
                return before(path)
            except (FileNotFoundError, NotADirectoryError):
                if not by.on or path is None or isinstance(path, int) or not asks(data) or \
                        data.declared(path) is None and not data.may_stand_in(path):
                    raise
                return data.folders.names_in(path)

        return listdir

    def of_tensorflow(outside: object, by: Patcher) -> None:
        def stands_in(path: object) -> bool:
            if not by.on or data.declared(path) is None and not data.may_stand_in(path):
                return False
            data.note(path)
            return True

        by.set(outside, "stands_in", stands_in)
        by.set(outside, "matching", lambda pattern: data.folders.matching(pattern) or [] if by.on else [])

    act_on(by, {"shapeflow.api.outside": of_tensorflow})
    absent_paths.install(by, data)
    for name, over in (("stat", over_stat), ("access", over_access), ("listdir", over_listdir)):
        take_part(by, name, over)


def _bytes(known: Dict[str, Any]) -> int:
    size = 8
    for dim in known.get("shape", ()):
        size *= dim
    return size
