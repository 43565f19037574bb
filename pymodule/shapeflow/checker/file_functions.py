"""The functions of `os` that look at files or change them, and `open`: one stands in for each, and asks all
who take part.

    script -> checker.unknown_paths -> checker.dependency_tracker -> checker.data_files -> sandbox -> C

Who takes part gives, for as long as its scope lasts, what makes a function over the one that comes next. The
order is that of patches.OWNERS, whoever came first. The stand-in is put into `os` for the first of them and
taken out with the last; a copy that a module has made of it (`from os import stat`) is the same object, and
goes on to the original when nobody takes part. It is an object and no function of Python, because one that is
put into a class, as the standard library does with os.unlink, must not become a method.
"""
from __future__ import annotations

import builtins
import io
import os
import sys

from shapeflow.checker.patches import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature
    from types import FrameType
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.checker.patches import Patcher

    Over = Callable[[Callable[..., Any]], Callable[..., Any]]  # of the function that comes next

OPEN = "io.open"  # which is the builtin; "open" is that of os
_PASSING = (__name__, "shapeflow.checker.unknown_paths")  # they only hand on what they are asked


class FileFunction:
    """Stands in for one function: same name, documentation and signature, pickled by its name."""

    def __init__(self, module: str, real: Any) -> None:
        self.real = real
        self._call: Callable[..., Any] = real
        self._views: List[Tuple[int, Over]] = []  # the nearest to the interpreter first
        self.__module__ = module
        self.__name__: str = real.__name__
        self.__qualname__ = self.__name__
        self.__doc__ = real.__doc__

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self._call(*args, **kwargs)

    @property
    def __signature__(self) -> Signature:
        import inspect

        return inspect.signature(self.real)

    @property
    def is_seen(self) -> bool:
        """Does anybody take part?"""
        return bool(self._views)

    def join(self, by: Patcher, over: Over) -> Callable[[], None]:
        """What is returned ends it."""
        entry = rank(by.owner), over
        self._views.append(entry)
        self._views.sort(key=lambda view: view[0])  # of one owner in the order in which they came
        self._compose()

        def leave() -> None:
            self._views = [view for view in self._views if view is not entry]
            self._compose()

        return leave

    def _compose(self) -> None:
        call = self.real
        for _, over in self._views:
            call = over(call)
        self._call = call

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"


_functions: Dict[str, FileFunction] = {}


def take_part(by: Patcher, name: str, over: Over) -> FileFunction:
    """Who calls `os.<name>`, or as OPEN `open`, calls what `over` makes of the function that comes next."""
    holders: List[Any] = [io, builtins] if name == OPEN else [os]
    attribute = name.rpartition(".")[2]
    function = _functions.get(name)
    if function is None or not function.is_seen:
        before = getattr(holders[0], attribute)
        if function is None or before is not function.real and before is not function:
            function = _functions[name] = FileFunction(holders[0].__name__, before)
        if before is not function:
            for holder in holders:
                setattr(holder, attribute, function)
        for group in _groups():
            if function.real in group:
                group.add(function)  # shutil asks whether os.stat is one of them
    whole, leave = function, function.join(by, over)

    def undo() -> None:
        leave()
        if whole.is_seen:
            return
        for holder in holders:
            if getattr(holder, attribute) is whole:  # else somebody else's lies over it
                setattr(holder, attribute, whole.real)
        for group in _groups():
            group.discard(whole)

    by.also(name if name == OPEN else "os." + name, undo)
    return function


def _groups() -> Tuple[Any, ...]:
    return os.supports_dir_fd, os.supports_effective_ids, os.supports_fd, os.supports_follow_symlinks


def asking_frame() -> Optional[FrameType]:
    """Of who has called the function in which this is asked."""
    frame = sys._getframe(1).f_back
    while frame is not None and frame.f_globals.get("__name__") in _PASSING:
        frame = frame.f_back
    return frame
