"""Where else references to the functions of `os` and `io` are kept, and modules of C that open by themselves.

sweep() goes over what is imported already; after_imports() waits for the others.
"""
from __future__ import annotations

import os
import sys

from shapeflow.checker.import_hook import act_on
from shapeflow.sandbox import programs, unaudited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict, Mapping, Sequence

    from shapeflow.checker.import_hook import Act
    from shapeflow.checker.patches import Patcher
    from shapeflow.sandbox.union import Union

# Modules that keep functions of `os` in classes and in default arguments.
_DEEP = ("pathlib", "glob", "tempfile", "shutil", "logging", "multiprocessing", "zipfile", "tarfile")


def sweep(by: Patcher, by_id: Mapping[int, object]) -> None:
    """Replaces, in all modules, what `from os import x` put there. Keyed by the original's id."""
    for name, module in list(sys.modules.items()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or name in ("posix", "_io", "shapeflow.sandbox.union",
                                                   "shapeflow.sandbox.redirect"):
            continue
        for key, value in list(names.items()):
            new = by_id.get(id(value))
            if new is not None:
                by.item(names, key, new)
        if name.partition(".")[0] in _DEEP:
            for value in list(names.values()):
                _sweep_value(by, value, by_id)


def _sweep_value(by: Patcher, value: object, by_id: Mapping[int, object]) -> None:
    defaults = getattr(value, "__defaults__", None)
    if isinstance(defaults, tuple) and any(id(item) in by_id for item in defaults):
        by.set(value, "__defaults__", tuple(by_id.get(id(item), item) for item in defaults))
    if isinstance(value, type) and value.__module__.partition(".")[0] in _DEEP:
        for key, item in list(vars(value).items()):
            inner = getattr(item, "__func__", item)  # of a staticmethod
            if id(inner) in by_id:
                by.set(value, key, by_id[id(inner)])
            elif not isinstance(item, type):
                _sweep_value(by, item, by_id)


def extend_supports(by: Patcher, by_id: Mapping[int, object]) -> None:
    """os.supports_dir_fd and its like name the replacements as well."""
    for group in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks,
                  os.supports_effective_ids):
        for function in list(group):
            if id(function) in by_id:
                by.add(group, by_id[id(function)])


def after_imports(by: Patcher, union: Union) -> None:
    """The modules of C in the standard library that open files without `os` or `io`."""

    def of_sqlite(module: ModuleType, by: Patcher) -> None:
        connect = module.connect

        def redirected(database: Any, *args: Any, **kwargs: Any) -> object:
            return connect(_database(union, database, kwargs.get("uri", False)), *args, **kwargs)

        by.set(module, "connect", redirected)

    def of_dbm(module: ModuleType, by: Patcher) -> None:
        opening = module.open

        def redirected(filename: Any, flag: str = "r", mode: int = 0o666) -> object:
            suffixes = ("",) if module.__name__ == "_gdbm" else ("", ".db", ".dir", ".pag")
            if flag[:1] == "r":
                return opening(union.find(filename), flag, mode)
            places = [union.prepare(os.fsdecode(filename) + suffix) for suffix in suffixes]
            return opening(places[0], flag, mode)

        by.set(module, "open", redirected)

    actions: Dict[str, Act] = {
        "_sqlite3": of_sqlite, "_dbm": of_dbm, "_gdbm": of_dbm, **unaudited.actions(union),
        "multiprocessing.util": lambda module, by: programs.of_multiprocessing(module, union, by),
        "socket": lambda module, by: programs.of_socket(module, union, by),
        "h5py.h5f": lambda module, by: _of_library(by, module, union, ("create", "open"), ("is_hdf5",)),
        "cv2": lambda module, by: _of_library(by, module, union, ("imwrite",), ("imread",))}
    unaudited.of_os(by)
    act_on(by, actions)
    if "sqlite3.dbapi2" in sys.modules:
        for name in "sqlite3", "sqlite3.dbapi2":
            by.set(sys.modules[name], "connect", sys.modules["_sqlite3"].connect)


def _of_library(by: Patcher, module: ModuleType, union: Union, writes: Sequence[str],
                reads: Sequence[str]) -> None:
    """Functions of C whose first argument is a path: those that may write, those that only read."""
    def replace(name: str, writing: bool) -> None:
        original = vars(module).get(name)
        if original is None:
            return

        def redirected(path: object, *args: object, **kwargs: object) -> object:
            place = path
            if isinstance(path, (str, bytes)) and path[:1] not in ("<", b"<", "", b""):
                only_reads = not writing or (name == "open" and args[:1] == (0,))  # h5f.ACC_RDONLY
                missing = name == "open" and not os.path.exists(path)
                place = union.find(path) if only_reads or missing else union.prepare(path)
                if place == union.text(path):
                    place = path  # as it is named in messages
                elif isinstance(path, bytes):
                    place = os.fsencode(place)
            return original(place, *args, **kwargs)

        redirected.__name__, redirected.__doc__ = name, getattr(original, "__doc__", None)
        by.set(module, name, redirected)

    for names, writing in ((writes, True), (reads, False)):
        for name in names:
            replace(name, writing)


def _database(union: Union, database: Any, is_uri: bool) -> object:
    """Where sqlite is to look instead."""
    text = os.fsdecode(database)
    if text in ("", ":memory:"):
        return database
    if is_uri and text.startswith("file:"):
        import urllib.parse

        parts = urllib.parse.urlsplit(text)
        if not parts.path or "mode=memory" in parts.query or ":memory:" in parts.path:
            return database
        path = urllib.parse.unquote(parts.path)
        reading = "mode=ro" in parts.query or "immutable=1" in parts.query
        place = union.find(path) if reading else _prepare(union, path)
        return "file:" + urllib.parse.quote(place) + ("?" + parts.query if parts.query else "")
    return _prepare(union, text)


def _prepare(union: Union, path: str) -> str:
    for suffix in ("-journal", "-wal"):
        if os.path.exists(path + suffix):
            union.prepare(path + suffix)
    return union.prepare(path)
