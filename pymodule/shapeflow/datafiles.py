"""Data files that are not there, as [tool.shapeflow.data] describes them.

A repository rarely holds its data, and a check needs only its shapes. For a path that does not exist and
matches a pattern, numpy's readers give zeros of the declared shape (allocated lazily, so that size costs
nothing), and os.stat and os.access say that it is there. A file that exists is read, always.
"""
from __future__ import annotations

import os

import shapeflow.reads as reads  # before os.stat is ours: it keeps the real one
from shapeflow._imported import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional

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
        from shapeflow.configuration import matches

        name = os.path.abspath(name)
        for pattern, known in self._data.items():
            if matches(name, [pattern], self._root):
                return None if reads.exists(name) else known
        return None


def install(data: Dict[str, Any], root: str) -> None:
    """Makes the declared files appear, for the rest of this process."""
    known = _Data(data, root)
    before = os.stat

    def stat(path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> Any:
        try:
            return before(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        except FileNotFoundError:
            found = known.of(path) if dir_fd is None and not isinstance(path, int) else None
            if found is None:
                raise
            size = _bytes(found)
            return os.stat_result((0o100644, 0, 0, 1, 0, 0, size, 0, 0, 0))

    os.stat = stat  # type: ignore[assignment]
    for group in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        group.add(stat)
    act_on(__name__, {"numpy": lambda numpy: _complete(numpy, known)})


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


def _complete(numpy: Any, known: _Data) -> None:
    """Wraps the readers of numpy that take a path first. memmap is a class, which scripts test for: it is
    left alone."""

    def wrap(name: str, read: Callable[..., Any]) -> Callable[..., Any]:
        def reader(file: Any = None, *args: Any, **kwargs: Any) -> Any:
            given = kwargs.get("fname", kwargs.get("filename")) if file is None else file
            found = known.of(given) if given is not None else None
            if found is None:
                return read(*([] if file is None else [file]), *args, **kwargs)
            made = _zeros(numpy, found)
            if name in ("loadtxt", "genfromtxt") and kwargs.get("unpack"):
                made = made.T
            return made

        reader.__name__, reader.__doc__ = name, read.__doc__
        return reader

    for name in _READERS:
        setattr(numpy, name, wrap(name, getattr(numpy, name)))
