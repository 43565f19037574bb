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
from shapeflow.checker.file_functions import take_part
from shapeflow.checker.findings import Record, Span, display_path, told
from shapeflow.checker.import_hook import act_on
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.checker.patches import Patcher

CODE, NAME = "SF906", "NO_DATA"
_MOST_NOTES = 5
_MOST_ASKED = 200
_QUESTIONS = ("isfile", "isdir", "is_file", "is_dir")
_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_DEPTH = 3  # folders below one that is not there
# What a script writes and reads back itself, or does without: no data.
_OWN = (".ckpt", ".index", ".meta", ".pb", ".pbtxt", ".keras", ".hdf5", "checkpoint", ".lock", ".pid", ".log")
UNKNOWN_PATH = ".unknown"  # how the path ends that an unknown value gives
_SUFFIX = (r"""["'*](\.(?:jpe?g|png|bmp|gif|tiff?|npy|npz|wav|mp3|flac|txt|csv|tsv|json|xml|mat|h5|pkl|nii"""
           r"""|tfrecords?|mp4|avi))["']""")


_OF_FILES = r"image|img|mask|annotation|frame|photo|picture|wav|audio|jpe?g|png|tfrecord|label|xml|txt"


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
        self._folders: Dict[str, int] = {}  # that were listed though they are not there: how deep
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
            or name in self._folders or os.path.dirname(name) in self._folders \
            or bool(self._kinds) and _without_numbers(name) in self._kinds or UNKNOWN_PATH in name
        if not known:
            outside = sys.modules.get("shapeflow.api.outside")
            known = outside is not None and name in outside.fetched or name in _written()
        return {} if known else None

    def is_folder(self, path: object) -> bool:
        """Is what appears a folder? Below a folder that nobody knows, as the question wants it."""
        name = absolute(path) or ""
        known = self.declared(name)
        if known is not None:
            return "files" in known and not os.path.splitext(name)[1]
        frame = sys._getframe(2)
        while frame is not None and not frame.f_code.co_name.startswith(_QUESTIONS):
            frame = frame.f_back  # type: ignore[assignment]
            if frame is None or not frame.f_code.co_filename.startswith((_OURS, "<frozen ")) and \
                    not self.is_library(frame.f_code.co_filename):
                return not os.path.splitext(name)[1]
        asked_for_folder = frame.f_code.co_name in ("isdir", "is_dir")
        if name.endswith(UNKNOWN_PATH):
            return asked_for_folder
        depth = self._folders.get(os.path.dirname(name))
        if depth is None:
            return not os.path.splitext(name)[1]
        return asked_for_folder and depth < _DEPTH

    def is_folder_of_data(self, folder: str) -> bool:
        """Does something unknown stand for it, or for what is below it?"""
        inside = folder + os.sep
        return self.appears(folder) is not None or \
            any(inside.startswith(known + os.sep) for known in self._folders) or \
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
        return _asks(self)

    def may_stand_in(self, path: object) -> bool:
        """For a read that has failed: is the path not there, and would the script not handle that?"""
        return self.on and self.is_absent(path) and not _is_importing(self) and \
            not handlers.reading_is_guarded(_user_frame(self))

    def note(self, path: object) -> None:
        """Something unknown stands for it from here on."""
        text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else str(path)
        name = str.__str__(text) if "://" in text else os.path.abspath(str.__str__(text))
        if name in self._first or UNKNOWN_PATH in name or \
                any(name.startswith(folder + os.sep) for folder in self._folders):
            return
        self._start()
        frame = _user_frame(self)
        self._first[name] = None if frame is None else Span(frame.f_code.co_filename, frame.f_lineno)

    def _start(self) -> None:
        from shapeflow.checker import unknown_values

        unknown_values.start(self._by, self._script)

    # --- folders --------------------------------------------------------------------------------
    def names_in(self, folder: object) -> List[str]:
        """Of a folder that is not there."""
        path = absolute(folder) or ""
        known = self.declared(path)
        if known is not None:
            return self._declared_names(path, known)
        self.note(path)
        if path not in self._folders:
            self._folders[path] = self._folders.get(os.path.dirname(path), 0) + 1
        return self._unknown_names(path)

    def _unknown_names(self, folder: str) -> List[str]:
        """Two; of a folder of files, as far as its name or the line that asks says so, enough for batches."""
        from shapeflow.api import unknown_package, unknown_text

        suffix = self._suffix()
        assumed = unknown_package.assumed
        count = _FILES + 7 * assumed.variant if suffix and self._holds_files(folder) else assumed.turns
        return [unknown_text.UnknownText("%d%s" % (i, suffix)) for i in range(count)]

    def _holds_files(self, folder: str) -> bool:
        import linecache
        import re

        if re.search(_OF_FILES, os.path.basename(folder).lower()) and self._folders.get(folder, 1) == 1:
            return True
        frame = _user_frame(self)
        line = "" if frame is None else linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        return re.search(_SUFFIX, line) is not None

    def _suffix(self) -> str:
        """Of the files that the script seems to look for."""
        import linecache
        import re

        frame = _user_frame(self)
        text = "".join(linecache.getlines(frame.f_code.co_filename)) if frame is not None else ""
        found = re.search(_SUFFIX, text)
        return found.group(1) if found else ""

    def _declared_names(self, path: str, known: Dict[str, Any]) -> List[str]:
        suffix = known.get("suffix", ".jpg")
        classes = known.get("classes") or []
        if classes and os.path.basename(path) not in classes:
            return list(classes)
        count = known.get("files", 0) // max(1, len(classes))
        return ["%05d%s" % (i, suffix) for i in range(count)]

    def matching(self, pattern: Any) -> Optional[List[str]]:
        """What glob finds in folders that are not there; None where the folder is, or where the script looks
        for what it writes itself."""
        text = os.fspath(pattern)
        if not isinstance(text, str):
            return None
        text = str.__str__(text)  # a name that is not known ends as anybody wants
        wild = min((text.find(sign) for sign in "*?[" if sign in text), default=-1)
        if wild < 0 and _is_made_up(text) and not reads.exists(absolute(text) or ""):
            return [text]
        if wild < 0 or text.rstrip("*").lower().endswith(_OWN):
            return None
        folder = absolute(os.path.dirname(text[:wild]) or ".") or ""
        if reads.exists(folder) or reads.was_written(folder):
            return _written_by_unknown(text) or None
        if _is_importing(self):
            return None
        known = self.declared(folder) or self.declared(text.replace("*", "0"))
        if known is not None and "files" in known:
            return list(self._declared_matches(text, known))
        self.note(folder)
        self._folders.setdefault(folder, 1)
        from shapeflow.api import unknown_package, unknown_text

        assumed = unknown_package.assumed
        is_of_files = "." in os.path.basename(text[wild:])  # as *.jpg: enough of them for batches
        count = _FILES + 7 * assumed.variant if is_of_files else assumed.turns
        return [unknown_text.UnknownText(_filled(text, str(i))) for i in range(count)]

    def _declared_matches(self, text: str, known: Dict[str, Any]) -> Iterator[str]:
        head, suffix = text.rpartition("*")[0].rstrip("*/"), known.get("suffix", ".jpg")
        folders = [os.path.join(head.split("*")[0].rstrip("/"), name) for name in known.get("classes") or ()]
        for folder in folders or [head]:
            for i in range(known["files"] // max(1, len(folders))):
                yield os.path.join(folder, "%05d%s" % (i, suffix))

    # --- afterwards -----------------------------------------------------------------------------
    @property
    def count(self) -> int:
        """Of the paths for which something unknown stood."""
        return len(self._first)

    def asked(self, path: object, dir_fd: object) -> None:
        """The script was told that it is not there."""
        name = absolute(path) if self.on and dir_fd is None and not isinstance(path, int) else None
        if name is not None and len(self._asked) < _MOST_ASKED and not self.is_library(name) and \
                _asks(self) and not _system_path(name) and not name.endswith((".py", ".pyc", ".so")):
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


_FILES = 150  # that a pattern finds


def _filled(pattern: str, number: str) -> str:
    """A name that matches."""
    import re

    return re.sub(r"\*\*|\*|\?|\[[^\]]*\]", number, pattern)


def absolute(path: Any) -> Optional[str]:
    try:
        name = os.fspath(path)
    except TypeError:
        return None  # an open file
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    try:
        return os.path.abspath(str.__str__(name)) if "\0" not in name else None
    except (OSError, ValueError):
        return None


_PASSES_ON = ("pathlib", "glob", "os", "genericpath", "posixpath", "shutil", "_local")  # what others ask for


def _is_made_up(text: str) -> bool:
    unknown = loaded("shapeflow.api.unknown_text")
    return unknown is not None and isinstance(text, unknown.UnknownText)


def _written() -> Dict[str, None]:
    """Where something unknown may have written, by path."""
    unknown = loaded("shapeflow.api.unknown_package")
    found: Dict[str, None] = {} if unknown is None else unknown.written
    return found


def _written_by_unknown(pattern: str) -> List[str]:
    """Of these, what a pattern matches, as glob names it."""
    import fnmatch

    head = "" if os.path.isabs(pattern) else os.path.join(os.getcwd(), "")
    plain = os.path.normpath(head + pattern)
    return [name[len(head):] for name in _written() if fnmatch.fnmatch(name, plain)]


def _without_numbers(path: str) -> str:
    """data_batch_2.bin is there when data_batch_1.bin is."""
    import re

    return re.sub(r"\d+", "0", path)


def is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_OURS)


def _asks(of: DataFiles) -> bool:
    """Is it the script that wants to know, and no package for itself?"""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        name = os.path.basename(path).partition(".")[0]
        ours = path.startswith(_OURS) or path.startswith("<frozen")
        if not ours and not (of.is_library(path) and (name in _PASSES_ON or "/pathlib/" in path)):
            return not of.is_library(path)
        frame = frame.f_back
    return False


def _is_importing(of: DataFiles) -> bool:
    """Does a package ask while it is imported? It looks for settings of its own."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen") and not of.is_library(path):
            return False
        if frame.f_code.co_name == "<module>" and not path.startswith(_OURS):
            return True
        frame = frame.f_back
    return False


def _user_frame(of: DataFiles) -> Optional[FrameType]:
    """The nearest frame of the script's."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen") and not of.is_library(path):
            return frame
        frame = frame.f_back
    return None


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
                mode = 0o040755 if data.is_folder(path) else 0o100644
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
                if not by.on or path is None or isinstance(path, int) or not _asks(data) or \
                        data.declared(path) is None and not data.may_stand_in(path):
                    raise
                return data.names_in(path)

        return listdir

    def of_tensorflow(outside: object, by: Patcher) -> None:
        def stands_in(path: object) -> bool:
            if not by.on or data.declared(path) is None and not data.may_stand_in(path):
                return False
            data.note(path)
            return True

        by.set(outside, "stands_in", stands_in)
        by.set(outside, "matching", lambda pattern: data.matching(pattern) or [] if by.on else [])

    act_on(by, {"shapeflow.api.outside": of_tensorflow})
    absent_paths.install(by, data)
    for name, over in (("stat", over_stat), ("access", over_access), ("listdir", over_listdir)):
        take_part(by, name, over)


def _bytes(known: Dict[str, Any]) -> int:
    size = 8
    for dim in known.get("shape", ()):
        size *= dim
    return size


# --- ways out -------------------------------------------------------------------------------------
_ARRAYS, _TABLES = (".npy", ".jpg", ".jpeg", ".png", ".wav"), (".csv", ".tsv", ".xlsx", ".parquet")


def declaration(paths: Iterable[str]) -> List[str]:
    """Lines of TOML that say what such data may be like, to be completed."""
    lines = []
    for path in paths:
        suffix = os.path.splitext(path)[1].lower()
        key = '"%s"' % path.replace("\\", "\\\\").replace('"', '\\"')
        if suffix == ".npy":
            lines.append(f'{key} = {{ shape = [1000, 10], dtype = "float32" }}')
        elif suffix in _ARRAYS:
            lines.append(f'{key} = {{ shape = [224, 224, 3], dtype = "uint8" }}')
        elif suffix in (".npz", ".h5", ".hdf5", ".mat"):
            lines.append(f'{key} = {{ arrays = {{ x = {{ shape = [1000, 10], dtype = "float32" }} }} }}')
        elif suffix in _TABLES:
            lines.append(f'{key} = {{ rows = 1000, columns = ["a", "b"] }}')
        elif suffix:
            lines.append(f"{key} = {{ lines = 1000 }}")
        else:
            lines.append(f'{key} = {{ files = 100, classes = ["a", "b"], suffix = ".jpg", '
                         "shape = [224, 224, 3] }")
    return lines


def write_stubs(paths: Sequence[str], root: str) -> Tuple[str, List[str]]:
    """Adds declarations for paths that have none to pyproject.toml in `root`; (its path, what was added)."""
    target = os.path.join(root, "pyproject.toml")
    try:
        with open(target, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        text = ""
    lines = [line for path, line in zip(paths, declaration(paths)) if f'"{path}"' not in text]
    if lines:
        header = "[tool.shapeflow.data]"
        body = "".join(line + "\n" for line in lines)
        if header in text:
            at = text.index("\n", text.index(header)) + 1 if "\n" in text[text.index(header):] else len(text)
            text = text[:at] + body + text[at:]
        else:
            text += ("\n" if text and not text.endswith("\n\n") else "") + header + "\n" + body
        with open(target, "w", encoding="utf-8") as stream:
            stream.write(text)
    return target, lines
