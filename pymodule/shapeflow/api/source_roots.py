"""Where a project has a module that its program imports and Python does not find.

Programs of larger projects are started from the project's folder, by a build tool, or with PYTHONPATH set, as
`slim/nets/resnet_test.py` that imports `nets`. Searched are the folders above the program and above the
importing file, and what lies in those folders, up to the project's folder.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional

_MARKS = frozenset((".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"))
_BELOW = ("", "src", "lib", "python")  # folders of a project in which modules lie
_BUILT_FROM = (".pyx", ".c", ".cpp", ".cc", ".cu", ".f90")  # what a compiler makes modules of
_LEVELS = 4  # above a program whose project nothing marks
_ENTRIES_MAX = 200  # a folder with more is no project's


def found_above(name: str, starts: List[str], root: str) -> Optional[str]:
    """The folder that has to be on sys.path, above one of `starts`; None: there is none, or two beside each
    other might be meant."""
    for start in dict.fromkeys(starts):
        folders = above(start, root)
        for folder in folders:
            if module_in(folder, name) is not None:
                return folder
        for folder in folders:
            beside = [path for path in _folders(folder) if module_in(path, name) is not None]
            if beside:
                return beside[0] if len(beside) == 1 else None
    return None


def found_below(name: str, starts: List[str]) -> Optional[str]:
    """The file or folder of this name in the usual folders for sources of `starts`."""
    for start in dict.fromkeys(starts):
        for below in _BELOW:
            path = module_in(os.path.join(start, below), name)
            if path is not None:
                return path
    return None


def module_in(folder: str, name: str) -> Optional[str]:
    """The file or folder of this name that lies in the folder; a folder without sources is none."""
    inside = _entries(folder)
    if inside.get(name + ".py") is False:
        return os.path.join(folder, name + ".py")
    path = os.path.join(folder, name)
    if inside.get(name) and any(entry.endswith(".py") for entry in _entries(path)):
        return path
    return None


def unbuilt_in(folder: str, name: str) -> Optional[str]:
    """The source of a compiled module of this name that lies in the folder."""
    inside = _entries(folder)
    files = (name + end for end in _BUILT_FROM)
    return next((os.path.join(folder, file) for file in files if inside.get(file) is False), None)


def above(start: str, root: str) -> List[str]:
    """The folders above `start`, the nearest first."""
    folders: List[str] = []
    folder = start
    while not _is_top(folder) and (len(folders) < _LEVELS or _is_inside(folder, root)):
        parent = os.path.dirname(folder)
        if parent == folder or _is_shared(parent):
            break
        folders.append(parent)
        folder = parent
    return folders


def _is_top(folder: str) -> bool:
    return not _MARKS.isdisjoint(_entries(folder))


def _is_inside(folder: str, root: str) -> bool:
    return folder.startswith(root.rstrip(os.sep) + os.sep)


def _is_shared(folder: str) -> bool:
    """Do things lie here that have nothing to do with each other?"""
    shared = (os.path.expanduser("~"), os.environ.get("TMPDIR") or "/tmp", os.sep, "/tmp", "/home", "/usr",
              "/mnt", "/opt", "/srv")
    return folder in shared


def _entries(folder: str) -> Dict[str, bool]:
    """What lies in a folder, and whether that is a folder. Files are not asked for by name: what a program
    asks for in vain is taken for its data (checker/data_files)."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name: entry.is_dir() for entry in entries}
    except OSError:
        return {}


def _folders(folder: str) -> List[str]:
    found = sorted(os.path.join(folder, name) for name, is_folder in _entries(folder).items()
                   if is_folder and not name.startswith("."))
    return found if len(found) <= _ENTRIES_MAX else []
