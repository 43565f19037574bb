"""Paths that are unknown: `open(args.file)` where the module that parses `args` is not installed. An unknown
value is an index, too, and Python's own functions would take it for the number of an open file.
"""
from __future__ import annotations

import functools
import os

from shapeflow.checker.file_functions import OPEN, take_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from shapeflow.checker.patches import Scope

_TAKE_FILES = ("stat", "listdir", "scandir", "chdir", "truncate", "utime", "chmod", "chown", "statvfs")


def install(scope: Scope) -> None:
    """Once there is an unknown value: over all that looks at paths."""
    by = scope.by("checker.unknown_paths", "unknown values are paths")
    from shapeflow.api.unknown_package import Unknown

    def by_its_name(real: Callable[..., object]) -> Callable[..., Any]:
        @functools.wraps(real)
        def function(*args: Any, **kwargs: Any) -> Any:
            if args and type(args[0]) is Unknown:
                args = (os.fspath(args[0]), *args[1:])
            return real(*args, **kwargs)

        return function

    for name in (*_TAKE_FILES, OPEN):
        if name == OPEN or hasattr(os, name):
            take_part(by, name, by_its_name)
