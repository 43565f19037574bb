"""Results of checks, kept under .shapeflow_cache for as long as nothing that the script read changes.

An entry is found by the question (script, arguments, options, Python and this very build of ours) and
holds only while `reads.changed` of its manifest says so. A broken or foreign entry is no entry.

Entries are marshalled, with a digest in front: reading one takes a tenth of importing json. They are
trusted as the .pyc files beside them are.
"""
from __future__ import annotations

import os
import sys

import shapeflow.checker.dependency_tracker as reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Sequence, Tuple

_FORMAT = 3
_DIGEST = 32  # letters of reads.digest
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_KEPT = 500  # entries; the oldest go


def fingerprint() -> str:
    """Changes with every file of this package: a result of another build is no answer."""
    parts = [sys.version, str(_FORMAT)]
    folders = [_PACKAGE]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                else:
                    seen = entry.stat()
                    parts.append(f"{folder} {entry.name} {seen.st_size} {seen.st_mtime_ns}")
    return reads.digest("\n".join(parts).encode())


class Cache:
    """One folder of entries. A folder that cannot be written is silently no cache."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._fingerprint: Optional[str] = None

    def key(self, script: str, args: Sequence[str], *options: Any) -> str:
        """The name of the entry for one way to run one script."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint()
        asked = [self._fingerprint, os.path.abspath(script), os.getcwd(), *args, repr(options)]
        return reads.digest("\0".join(asked).encode("utf-8", "surrogateescape"))

    def path(self, key: str) -> str:
        """The file of an entry."""
        return os.path.join(self.folder, key)

    def get(self, key: str) -> Optional[Dict[str, Any]]:
        """The stored report as plain data, if it still is what a run would give."""
        try:
            with open(self.path(key), "rb") as stream:
                data = stream.read()
        except OSError:
            return None
        if reads.digest(data[_DIGEST:]).encode("ascii") != data[:_DIGEST]:
            return None
        import marshal

        try:
            report, manifest = marshal.loads(data[_DIGEST:])
            found: Dict[str, Any] = report
            return found if reads.changed(manifest) is None else None
        except (ValueError, KeyError, TypeError, AttributeError, EOFError):
            return None

    def put(self, key: str, report: Dict[str, Any], manifest: Optional[Dict[str, Any]]) -> None:
        """Keeps a report, unless something it depends on was not seen."""
        if manifest is None or manifest["opaque"]:
            return
        import marshal

        try:
            data = marshal.dumps((report, manifest))
            self._make_folder()
            path = self.path(key)
            part = f"{path}.{os.getpid()}"
            with open(part, "wb") as stream:
                stream.write(reads.digest(data).encode("ascii") + data)
            os.replace(part, path)
        except (OSError, ValueError):
            return

    def _make_folder(self) -> None:
        if os.path.isdir(self.folder):
            self._trim()
            return
        os.makedirs(self.folder, exist_ok=True)
        for name, text in (
            (".gitignore", "*\n"),
            ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# Made by shapeflow.\n"),
        ):
            with open(os.path.join(self.folder, name), "w", encoding="ascii") as stream:
                stream.write(text)

    def _trim(self) -> None:
        with os.scandir(self.folder) as listed:
            entries = [entry for entry in listed if len(entry.name) == _DIGEST]
        if len(entries) <= _KEPT:
            return
        aged: Sequence[Tuple[float, str]] = sorted((e.stat().st_mtime, e.path) for e in entries)
        for _, path in aged[:len(entries) - _KEPT // 2]:
            os.unlink(path)
