"""configparser: `read` passes over a file that is not there, and the program fails at its first section.

Of a parser that has read such a file, sections and options that it lacks are unknown.
"""
from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

    from shapeflow.checker.data_files import DataFiles
    from shapeflow.checker.patches import Patcher

_GETTERS = ("get", "getint", "getfloat", "getboolean", "items", "options", "__getitem__")
_MARK = "_sf_absent"


def complete(data: DataFiles, module: ModuleType, by: Patcher) -> None:
    kind: Any = vars(module)["RawConfigParser"]
    read = kind.read

    @functools.wraps(read)
    def reading(self: object, filenames: object, encoding: object = None) -> Any:
        found = read(self, filenames, encoding)
        given = filenames if isinstance(filenames, (list, tuple)) else [filenames]
        absent = [path for path in given if data.may_stand_in(path)]
        if absent and not found and data.is_asked_by_script():
            data.note(absent[0])
            vars(self)[_MARK] = True
        return found

    def getting(real: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(real)
        def getter(self: object, *args: object, **kwargs: object) -> object:
            try:
                return real(self, *args, **kwargs)
            except (module.Error, KeyError):
                if _MARK not in vars(self):
                    raise
            from shapeflow.api.unknown_package import Unknown

            return Unknown("config")[args[-1] if args else ""]

        return getter

    by.set(kind, "read", reading)
    for name in _GETTERS:
        by.set(kind, name, getting(getattr(kind, name)))
