"""`shapeflow check` of graph files: a GraphDef (.pb, .pbtxt), a MetaGraph (.meta), a SavedModel.

No script runs: the C core reads the file, builds every node and infers it again. Findings are
located by the name of their node, since there is no source line.
"""
from __future__ import annotations

import mmap
import os

from shapeflow import _core
from shapeflow.checker.check import Checker
from shapeflow.checker.findings import display_path
from shapeflow.checker.graph_findings import graph_record
from shapeflow.checker.selection import EXIT_USAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence, Tuple, Union

_SUFFIXES = {".pb": "graph", ".pbtxt": "graph", ".graphdef": "graph", ".meta": "meta"}
_SAVED_MODELS = ("saved_model.pb", "saved_model.pbtxt")


def find_model(path: str) -> Optional[Tuple[str, str]]:
    """(file, kind) when `path` names a graph file or a SavedModel directory; None: a script."""
    if os.path.isdir(path):
        for name in _SAVED_MODELS:
            if os.path.isfile(os.path.join(path, name)):
                return os.path.join(path, name), "saved"
        return None
    if os.path.basename(path) in _SAVED_MODELS:
        return path, "saved"
    kind = _SUFFIXES.get(os.path.splitext(path)[1].lower())
    return (path, kind) if kind else None


def _map(path: str) -> Union[bytes, mmap.mmap]:
    """The bytes of a file; large ones are mapped, so that 2 GB of weights are never read."""
    with open(path, "rb") as stream:
        if os.fstat(stream.fileno()).st_size < 1 << 20:
            return stream.read()
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


class GraphChecker(Checker):
    """One check of one graph file."""

    unfinished = "could not be read"

    def run(self) -> int:
        found = find_model(self.options.script)
        assert found is not None
        path, kind = found
        try:
            data = _map(path)
        except (OSError, ValueError) as error:  # ValueError: mmap of a file cut to nothing
            words = getattr(error, "strerror", None) or str(error)
            self._complain(f"cannot read {path}: {words}")
            return EXIT_USAGE
        if self.options.record_reads:
            import shapeflow.checker.dependency_tracker as reads

            self._reads = reads.Recorder()
            self._reads.open(os.path.abspath(path), "r", 0)
        try:
            self._check(path, data, kind)
        except (ValueError, MemoryError) as error:
            self.ended = "not a graph"
            self.failure = str(error) or type(error).__name__
        return self._report()

    def _check(self, path: str, data: Any, kind: str) -> None:
        data = _core.text_to_wire(data, kind) or data
        parts = _core.model_parts(data, kind)
        if not parts:
            raise ValueError("it holds no graph")
        before = _core.get_version()
        view = memoryview(data)
        try:
            for tags, version, start, size, _, _ in parts:
                shown = display_path(path)
                if len(parts) > 1:
                    shown += f" [{','.join(tags)}]"
                self._check_part(shown, view[start:start + size], version)
        finally:
            view.release()
            _core.set_version(before)

    def _check_part(self, shown: str, graph_def: Any, version: str) -> None:
        _core.set_version(self.options.tf_version or _usable(version) or _core.get_version())
        _core.clear_findings()
        try:
            with graph_def:
                self._import(shown, graph_def)
        finally:
            for finding in [*_core.findings(), *_core.other_findings()]:
                self._add(finding, shown)
            _core.clear_findings()

    def _add(self, finding: object, shown: str) -> None:
        self.collector.add(graph_record(finding, shown))

    def _import(self, shown: str, graph_def: object) -> None:
        _core.import_graph_def(graph_def, _core.Graph(), keep_going=True)

    def _drain(self) -> None:
        """Findings are collected with the file that they are of."""


def _usable(version: str) -> str:
    """`1.15.0` of "1.15.0-rc1"; "" for what names no version."""
    parts: Sequence[str] = version.split(".")
    usable = len(parts) >= 2 and parts[0].isdigit() and parts[1].isdigit()
    return f"{parts[0]}.{parts[1]}.0" if usable else ""


