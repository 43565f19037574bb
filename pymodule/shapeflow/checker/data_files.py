"""Data files that are not there, as [tool.shapeflow.data] describes them.

A repository rarely holds its data, and a check needs only its shapes. For a path that does not exist and
matches a pattern, numpy's readers give zeros of the declared shape (allocated lazily, so that size costs
nothing), and os.stat and os.access say that it is there. A file that exists is read, always.
"""
from __future__ import annotations

import os

import shapeflow.checker.dependency_tracker as reads  # before os.stat is ours: it keeps the real one
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional

    from shapeflow.checker.patches import Patcher

_READERS = ("load", "loadtxt", "genfromtxt", "fromfile")


class _Data:
    """The declared files of one check."""

    def __init__(self, data: Dict[str, Any], root: str) -> None:
        self._data = data
        self._root = root

    def of(self, path: Any) -> Optional[Dict[str, Any]]:
        """What is declared of a missing file; None when it exists or nothing is."""
        try:
            name = os.fspath(path)
        except TypeError:
            return None  # an open file
        if isinstance(name, bytes):
            name = os.fsdecode(name)
        from shapeflow.checker.configuration import matches

        name = os.path.abspath(name)
        for pattern, known in self._data.items():
            if matches(name, [pattern], self._root):
                return None if reads.exists(name) else known
        return None


def install(by: Patcher, data: Dict[str, Any], root: str) -> None:
    """Makes the declared files appear."""
    known = _Data(data, root)
    real_stat, real_access = os.stat, os.access

    def of(path: Any, dir_fd: Any) -> Optional[Dict[str, Any]]:
        return known.of(path) if by.on and dir_fd is None and not isinstance(path, int) else None

    def stat(path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> Any:
        try:
            return real_stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        except FileNotFoundError:
            found = of(path, dir_fd)
            if found is None:
                raise
            size = _bytes(found)
            return os.stat_result((0o100644, 0, 0, 1, 0, 0, size, 0, 0, 0))

    def access(path: Any, mode: int, *, dir_fd: Any = None, effective_ids: bool = False,
               follow_symlinks: bool = True) -> bool:
        return real_access(path, mode, dir_fd=dir_fd, effective_ids=effective_ids,
                           follow_symlinks=follow_symlinks) or \
            mode in (os.F_OK, os.R_OK) and of(path, dir_fd) is not None

    for ours, real in ((stat, real_stat), (access, real_access)):
        ours.__name__ = ours.__qualname__ = real.__name__
        ours.__doc__ = real.__doc__
        by.set(os, real.__name__, ours)
        for group in (os.supports_dir_fd, os.supports_effective_ids, os.supports_fd,
                      os.supports_follow_symlinks):
            if real in group:
                by.add(group, ours)
    act_on(by, {"numpy": lambda numpy, by: _complete(numpy, known, by)})


def _bytes(known: Dict[str, Any]) -> int:
    size = 8
    for dim in known.get("shape", ()):
        size *= dim
    return size


def _zeros(numpy: Any, known: Dict[str, Any]) -> Any:
    if "arrays" in known:
        return _Archive({name: _zeros(numpy, item) for name, item in known["arrays"].items()})
    return numpy.zeros(known["shape"], known["dtype"])


class _Archive(dict):  # type: ignore[type-arg]
    """What np.load gives for an .npz: a mapping that is also a context manager with `files` and `f`."""

    @property
    def files(self) -> Any:
        return list(self)

    @property
    def f(self) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def close(self) -> None:
        pass


def _complete(numpy: Any, known: _Data, by: Patcher) -> None:
    """Wraps the readers of numpy that take a path first. memmap is a class, which scripts test for: it is
    left alone."""

    def wrap(name: str, read: Callable[..., Any]) -> Callable[..., Any]:
        def reader(file: Any = None, *args: Any, **kwargs: Any) -> Any:
            given = kwargs.get("fname", kwargs.get("filename")) if file is None else file
            found = known.of(given) if by.on and given is not None else None
            if found is None:
                return read(*([] if file is None else [file]), *args, **kwargs)
            made = _zeros(numpy, found)
            if name in ("loadtxt", "genfromtxt") and kwargs.get("unpack"):
                made = made.T
            return made

        reader.__name__, reader.__doc__ = name, read.__doc__
        return reader

    for name in _READERS:
        by.set(numpy, name, wrap(name, getattr(numpy, name)))
