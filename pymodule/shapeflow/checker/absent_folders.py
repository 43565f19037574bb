"""Folders that are not there, as a program lists them: their names are declared, or made up."""
from __future__ import annotations

import os
import sys

import shapeflow.checker.dependency_tracker as reads
from shapeflow.checker.data_paths import (
    OURS,
    UNKNOWN_PATH,
    absolute,
    is_importing,
    is_made_up,
    user_frame,
    written,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional

    from shapeflow.checker.data_files import DataFiles

_QUESTIONS = ("isfile", "isdir", "is_file", "is_dir")
_DEPTH = 3  # folders below one that is not there
# What a script writes and reads back itself, or does without: no data.
_OWN = (".ckpt", ".index", ".meta", ".pb", ".pbtxt", ".keras", ".hdf5", "checkpoint", ".lock", ".pid", ".log")
_SUFFIX = (r"""["'*](\.(?:jpe?g|png|bmp|gif|tiff?|npy|npz|wav|mp3|flac|txt|csv|tsv|json|xml|mat|h5|pkl|nii"""
           r"""|tfrecords?|mp4|avi))["']""")
_OF_FILES = r"image|img|mask|annotation|frame|photo|picture|wav|audio|jpe?g|png|tfrecord|label|xml|txt"
_FILES, _MOST_FILES = 150, 5000  # that a pattern finds
_FOLDERS = 24  # in a folder of which only those are wanted


class AbsentFolders:
    """Those of one check that were listed."""

    def __init__(self, data: DataFiles) -> None:
        self._data = data
        self._depths: Dict[str, int] = {}  # how deep below the first that is not there

    def has(self, name: str) -> bool:
        """Was the path listed, or named in a listing?"""
        return name in self._depths or os.path.dirname(name) in self._depths

    def is_inside(self, name: str) -> bool:
        """Is the path below one of them?"""
        return any(name.startswith(folder + os.sep) for folder in self._depths)

    def is_folder(self, path: object) -> bool:
        """Is what appears a folder? Below a folder that nobody knows, as the question wants it."""
        name = absolute(path) or ""
        known = self._data.declared(name)
        if known is not None:
            return "files" in known and not os.path.splitext(name)[1]
        frame = sys._getframe(3)  # of who asks os.stat
        while frame is not None and not frame.f_code.co_name.startswith(_QUESTIONS):
            frame = frame.f_back  # type: ignore[assignment]
            if frame is None or not frame.f_code.co_filename.startswith((OURS, "<frozen ")) and \
                    not self._data.is_library(frame.f_code.co_filename):
                return not os.path.splitext(name)[1]
        asked_for_folder = frame.f_code.co_name in ("isdir", "is_dir")
        if name.endswith(UNKNOWN_PATH):
            return asked_for_folder
        depth = self._depths.get(os.path.dirname(name))
        if depth is None:
            return not os.path.splitext(name)[1]
        return asked_for_folder and depth < _DEPTH

    def names_in(self, folder: object) -> List[str]:
        """Of a folder that is not there."""
        path = absolute(folder) or ""
        known = self._data.declared(path)
        if known is not None:
            return self._declared_names(path, known)
        self._data.note(path)
        if path not in self._depths:
            self._depths[path] = self._depths.get(os.path.dirname(path), 0) + 1
        return self._unknown_names(path)

    def _unknown_names(self, folder: str) -> List[str]:
        """Two; of a folder of files, as far as its name or the line that asks says so, enough for batches."""
        from shapeflow.api import unknown_package, unknown_text

        suffix = self._suffix()
        assumed = unknown_package.assumed
        many = suffix and self._holds_files(folder)
        count = self._enough() + 7 * assumed.variant if many else assumed.turns
        return [unknown_text.UnknownText("%d%s" % (i, suffix)) for i in range(count)]

    @staticmethod
    def some_names() -> List[str]:
        """Of folders: enough for a batch and to split off some."""
        from shapeflow.api import unknown_package, unknown_text

        count = _FOLDERS + 7 * unknown_package.assumed.variant
        return [unknown_text.UnknownText(str(i)) for i in range(count)]

    def _holds_files(self, folder: str) -> bool:
        import re

        if re.search(_OF_FILES, os.path.basename(folder).lower()) and self._depths.get(folder, 1) == 1:
            return True
        return re.search(_SUFFIX, _line_that_asks(self._data)) is not None

    def _enough(self) -> int:
        """So many files that something is left where the script cuts lists: `files[:-500]`."""
        from shapeflow.api import unknown_uses

        frame = user_frame(self._data)
        if frame is None:
            return _FILES
        return _FILES + unknown_uses.of(frame.f_code.co_filename).longest_cut(_MOST_FILES)

    def _suffix(self) -> str:
        """Of the files that the script seems to look for."""
        import linecache
        import re

        frame = user_frame(self._data)
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
        if wild < 0 and is_made_up(text) and not reads.exists(absolute(text) or ""):
            return [text]
        if wild < 0 or text.rstrip("*").lower().endswith(_OWN):
            return None
        folder = absolute(os.path.dirname(text[:wild]) or ".") or ""
        if reads.exists(folder) or reads.was_written(folder):
            return _written_by_unknown(text) or None
        if is_importing(self._data):
            return None
        known = self._data.declared(folder) or self._data.declared(text.replace("*", "0"))
        if known is not None and "files" in known:
            return list(self._declared_matches(text, known))
        self._data.note(folder)
        self._depths.setdefault(folder, 1)
        from shapeflow.api import unknown_package, unknown_text

        assumed = unknown_package.assumed
        is_of_files = "." in os.path.basename(text[wild:])  # as *.jpg: enough of them for batches
        count = self._enough() + 7 * assumed.variant if is_of_files else assumed.turns
        return [unknown_text.UnknownText(_filled(text, str(i))) for i in range(count)]

    def _declared_matches(self, text: str, known: Dict[str, Any]) -> Iterator[str]:
        head, suffix = text.rpartition("*")[0].rstrip("*/"), known.get("suffix", ".jpg")
        folders = [os.path.join(head.split("*")[0].rstrip("/"), name) for name in known.get("classes") or ()]
        for folder in folders or [head]:
            for i in range(known["files"] // max(1, len(folders))):
                yield os.path.join(folder, "%05d%s" % (i, suffix))


def _filled(pattern: str, number: str) -> str:
    """A name that matches."""
    import re

    return re.sub(r"\*\*|\*|\?|\[[^\]]*\]", number, pattern)


def _written_by_unknown(pattern: str) -> List[str]:
    """Of these, what a pattern matches, as glob names it."""
    import fnmatch

    head = "" if os.path.isabs(pattern) else os.path.join(os.getcwd(), "")
    plain = os.path.normpath(head + pattern)
    return [name[len(head):] for name in written() if fnmatch.fnmatch(name, plain)]


class Entries:
    """os.scandir of a folder that is not there."""

    def __init__(self, data: DataFiles, folder: Any) -> None:
        self._entries = iter([Entry(os.fspath(folder), name) for name in data.folders.names_in(folder)])

    def __iter__(self) -> Iterator[Entry]:
        return self._entries

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def close(self) -> None:
        pass


class Entry:
    """os.DirEntry."""

    def __init__(self, folder: str, name: str) -> None:
        self.name, self.path = name, os.path.join(folder, name)

    def is_dir(self, follow_symlinks: bool = True) -> bool:
        return os.path.isdir(self.path)

    def is_file(self, follow_symlinks: bool = True) -> bool:
        return os.path.isfile(self.path)

    def is_symlink(self) -> bool:
        return os.path.islink(self.path)

    is_junction = is_symlink

    def inode(self) -> int:
        return int(os.stat(self.path).st_ino)

    def stat(self, follow_symlinks: bool = True) -> object:
        return os.stat(self.path)

    def __fspath__(self) -> str:
        return self.path


def _line_that_asks(data: DataFiles) -> str:
    import linecache

    frame = user_frame(data)
    return "" if frame is None else linecache.getline(frame.f_code.co_filename, frame.f_lineno)


def _takes_folders(data: DataFiles) -> bool:
    import re

    return re.search(r"next\(\s*(os\.)?walk\(.*\)\s*\)\s*\[1\]", _line_that_asks(data)) is not None


def walk(data: DataFiles, top: str, topdown: bool) -> object:
    """One folder in one folder, with files in both; of a declared one what it has. More folders where the
    line takes them alone, as `next(os.walk(top))[1]`: each is a sample, or a class."""
    known = data.declared(top)
    names = data.folders.names_in(top)
    if known is not None:
        folders = list(known.get("classes") or ())
    else:
        folders = data.folders.some_names() if _takes_folders(data) else names[:1]
    files = [name for name in names if name not in folders] if known is not None else names
    if topdown:
        yield top, folders, files
    for folder in folders:
        inner = os.path.join(top, folder)
        yield inner, [], data.folders.names_in(inner)
    if not topdown:
        yield top, folders, files
