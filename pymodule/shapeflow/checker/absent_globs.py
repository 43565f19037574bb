"""glob and pathlib find folders that are not there, too."""
from __future__ import annotations

import functools
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher


def complete(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    (_complete_glob if module.__name__ == "glob" else _complete_pathlib)(data, module, by)


def _complete_glob(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    real, real_iter = module.glob, module.iglob

    @functools.wraps(real)
    def glob(pathname: object, *args: object, **kwargs: object) -> object:
        found = real(pathname, *args, **kwargs)
        if not found and data.on and not kwargs.get("root_dir"):
            return data.folders.matching(pathname) or found
        return found

    @functools.wraps(real_iter)
    def iglob(pathname: object, *args: object, **kwargs: object) -> object:
        found = list(real_iter(pathname, *args, **kwargs))
        if not found and data.on and not kwargs.get("root_dir"):
            return iter(data.folders.matching(pathname) or found)
        return iter(found)

    by.set(module, "glob", glob)
    by.set(module, "iglob", iglob)


def _complete_pathlib(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    def over(name: str, deep: bool) -> None:
        real = getattr(module.Path, name)

        @functools.wraps(real)
        def glob(self: Any, pattern: Any, *args: object, **kwargs: object) -> object:
            try:
                found = list(real(self, pattern, *args, **kwargs))
            except FileNotFoundError:  # it seems to be there: something unknown stands for it
                found = []
            if not found and data.on and not data.is_folder_there(self):
                inner = os.path.join(os.fspath(self), "*" if deep else "", os.fspath(pattern))
                return iter([type(self)(str.__str__(one)) for one in data.folders.matching(inner) or ()])
            return iter(found)

        by.set(module.Path, name, glob)

    over("glob", False)
    over("rglob", True)
    real_names = module.Path.iterdir

    @functools.wraps(real_names)
    def iterdir(self: Any) -> object:
        if data.on and not data.is_folder_there(self) and \
                (data.declared(self) is not None or data.may_stand_in(self)):
            return iter([self / str.__str__(name) for name in data.folders.names_in(self)])
        return real_names(self)

    by.set(module.Path, "iterdir", iterdir)
