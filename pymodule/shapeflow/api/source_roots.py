"""Where a project has a module that its program imports and Python does not find.

Programs of larger projects are started from the project's folder, by a build tool, or with PYTHONPATH set, as
`slim/nets/resnet_test.py` that imports `nets`. Searched are the folders above the program and above the
importing file, and what lies in those folders, up to the project's folder.
"""
from __future__ import annotations

import os
from _imp import extension_suffixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Sequence

_MARKS = frozenset((".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"))
_BELOW = ("", "src", "lib", "python")  # folders of a project in which modules lie
_BUILT_FROM = (".pyx", ".c", ".cpp", ".cc", ".cu", ".f90")  # what a compiler makes modules of
_LEVELS = 4  # above a program whose project nothing marks
_ENTRIES_MAX = 200  # a folder with more is no project's
_EXTENSIONS = (".so", ".pyd")
_INSTALLED = (".dist-info", ".egg-info")  # what pip leaves beside the packages that it puts into a folder
_SEARCHED_MAX = 400  # folders in which a compiled module is looked for


def found_above(name: str, starts: List[str], root: str) -> Optional[str]:
    """The folder that has to be on sys.path, above one of `starts`; None: there is none, or two beside each
    other might be meant."""
    for start in dict.fromkeys(starts):
        folders = above(start, root)
        for folder in folders:
            if _has(folder, name):
                return folder
        for folder in folders:
            beside = [path for path in _folders(folder) if _has(path, name)]
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


def lacks(folder: str, names: Sequence[str]) -> bool:
    """Is it a folder without __init__.py, which gives its modules only, and none of these names is one? So a
    project's folder that is called as a package that is not installed, `transformers/train.py`, is not taken
    for that."""
    inside = _entries(folder)
    return bool(names) and bool(inside) and "__init__.py" not in inside and \
        not any(name == "*" or name in inside or name + ".py" in inside for name in names)


def unbuilt_in(folder: str, name: str) -> Optional[str]:
    """The source of a compiled module of this name that lies in the folder, or what was built of it for
    another Python."""
    inside = _entries(folder)
    files = [name + end for end in _BUILT_FROM]
    files += [file for file in inside if file.startswith(name + ".") and is_of_other_python(file)]
    return next((os.path.join(folder, file) for file in files if inside.get(file) is False), None)


def is_of_other_python(file: str) -> bool:
    """Is it a compiled module that this Python does not load: `_speed.cpython-37m-x86_64-linux-gnu.so`?"""
    _, _, rest = os.path.basename(file).partition(".")
    return file.endswith(_EXTENSIONS) and rest.startswith(("cpython-", "cp3", "pypy")) \
        and "." + rest not in extension_suffixes()


def _has(folder: str, name: str) -> bool:
    """Does the module lie there, and can this Python import it? Packages that were installed for another one
    cannot be, nor any that is beside them: the folder is that Python's."""
    path = module_in(folder, name)
    if path is None:
        return False
    is_installed = any(entry.endswith(_INSTALLED) for entry in _entries(folder))
    return not _is_built_for_other_python(folder if is_installed else path)


def _is_built_for_other_python(folder: str) -> bool:
    """Is any compiled module below it, without one of the same name for this Python?"""
    rest = [folder]
    for _ in range(_SEARCHED_MAX):
        if not rest:
            break
        inside = _entries(rest[0])
        for entry in inside:
            if is_of_other_python(entry):
                name = entry.partition(".")[0]
                if not any(name + suffix in inside for suffix in extension_suffixes()):
                    return True
        rest = rest[1:] + [os.path.join(rest[0], entry) for entry, is_folder in inside.items() if is_folder]
    return False


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
