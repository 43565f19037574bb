"""What a program does to files and folders that are not there, as if they were: it removes, renames and moves
them, and writes into them.
"""
from __future__ import annotations

import functools
import os

from shapeflow.checker.file_functions import take_part
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

_REMOVALS = ("remove", "unlink", "rmdir", "removedirs")
_MOVES = ("rename", "renames", "replace")


def install(by: Patcher, data: DataFiles) -> None:
    def removing(real: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(real)
        def remove(path: object, *args: object, **kwargs: object) -> object:
            try:
                return real(path, *args, **kwargs)
            except FileNotFoundError:
                if kwargs.get("dir_fd") is not None or not _stands_in(data, path):
                    raise
            return None

        return remove

    def moving(real: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(real)
        def move(source: object, target: object, **kwargs: object) -> object:
            try:
                return real(source, target, **kwargs)
            except FileNotFoundError:
                if kwargs.get("src_dir_fd") is not None or not _stands_in(data, source):
                    raise
            data.download(target)
            return None

        return move

    def making(real: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(real)
        def mkdir(path: object, *args: object, **kwargs: object) -> object:
            try:
                return real(path, *args, **kwargs)
            except FileNotFoundError:
                if kwargs.get("dir_fd") is not None or not make_folder_of(data, path):
                    raise
            return real(path, *args, **kwargs)

        return mkdir

    for names, changed in ((_REMOVALS, removing), (_MOVES, moving), (("mkdir",), making)):
        for name in names:
            take_part(by, name, changed)

    def of_shutil(shutil: Any, by: Patcher) -> None:
        real = shutil.rmtree

        @functools.wraps(real)
        def rmtree(path: Any, *args: object, **kwargs: Any) -> object:
            if kwargs.get("dir_fd") is None and not os.path.lexists(path) and _stands_in(data, path):
                return None
            return real(path, *args, **kwargs)

        by.set(shutil, "rmtree", rmtree)

    act_on(by, {"shutil": of_shutil})


def _stands_in(data: DataFiles, path: object) -> bool:
    """May something unknown stand for it, where the program itself does something to it?"""
    return data.is_asked_by_script() and (data.declared(path) is not None or data.may_stand_in(path))


def make_folder_of(data: DataFiles, path: object) -> bool:
    """Makes the folder in which a program writes: of the data that are not there, or one that no checkout
    has. Asked once the system has said that it is not there."""
    if not data.on or not isinstance(path, (str, bytes, os.PathLike)):
        return False
    folder = os.path.dirname(os.path.abspath(os.fsdecode(path)))
    if not data.is_folder_of_data(folder) and not data.may_stand_in(folder):
        return False
    os.makedirs(folder, exist_ok=True)
    return True
