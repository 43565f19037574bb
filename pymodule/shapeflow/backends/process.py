"""Backends from the outside: which there are, and a process of each that stays and is started anew."""
from __future__ import annotations

import os
import sys
import tempfile
import threading

from shapeflow.worker_process import Late, Lost, WorkerProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence

    Plain = Dict[str, Any]

__all__ = ["NAMES", "SHAPES", "Backend", "Fleet", "Lost"]

NAMES = ("tensorflow", "jax", "torch", "numpy", "openvino")
SHAPES = "shapeflow"  # Keras on our TensorFlow: shapes, no numbers
WITH_GRADIENTS = ("tensorflow", "jax", "torch")
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker")


class _Process(WorkerProcess):
    """One that its backend can end while it starts."""

    def __init__(self, backend: Backend, arguments: List[str], folder: str) -> None:
        self._backend = backend
        super().__init__(backend.python, HERE, arguments, folder, backend.memory,
                         f"Keras with {backend.name}")

    def begun(self) -> None:
        self._backend.begun(self)


class Backend:
    """One backend. `label` tells two of one name apart: "torch:old". Its process starts when it is asked."""

    def __init__(self, label: str, python: str, memory: Optional[int] = None, seconds: float = 60.0,
                 first: str = "") -> None:
        self.label, self.python, self.memory, self.seconds, self.first = label, python, memory, seconds, first
        self.name = label.partition(":")[0]
        self.starts = 0
        self.missing = ""  # why it cannot be started
        self.versions: Dict[str, str] = {}
        self._process: Optional[WorkerProcess] = None
        self._starting: Optional[WorkerProcess] = None
        self._is_closed = False
        self._one_at_a_time = threading.Lock()  # a campaign makes models while others run
        self._folder = tempfile.TemporaryDirectory(prefix="shapeflow-backend-")

    def is_there(self) -> bool:
        """Starts it, if need be."""
        if self._process is None and not self.missing:
            try:
                self._start()
            except Lost as lost:
                self.missing = str(lost)
        return not self.missing

    def _start(self) -> None:
        """Raises Lost."""
        if self._is_closed:
            raise Lost("it was ended")
        arguments = [self.name] + ([self.first] if self.first else [])
        try:
            self._process = _Process(self, arguments, self._folder.name)
        except Lost:
            if self._is_closed:
                raise Lost("it was ended") from None
            raise
        finally:
            self._starting = None
        self.starts += 1
        if self._is_closed:  # while it started
            self._end()
            raise Lost("it was ended")
        self.versions = self._process.ready.get("versions", {})

    def begun(self, process: WorkerProcess) -> None:
        self._starting = process
        if self._is_closed:
            process.kill()

    def ask(self, task: Plain, seconds: Optional[float] = None) -> Plain:
        """The answer; {"status": "lost", "reason"} when the process ended over it: the next has a new one."""
        with self._one_at_a_time:
            return self._asked({"seconds": seconds or self.seconds, **task})

    def _asked(self, task: Plain) -> Plain:
        try:
            if self._is_closed:
                raise Lost("it was ended")
            if self._process is None:
                self._start()
            process = self._process
            if process is None:  # another thread has closed it
                raise Lost("it was ended")
            return process.ask(task)
        except Lost as lost:
            self._end()
            return {"status": "lost", "reason": str(lost), "late": isinstance(lost, Late)}
        except (OSError, ValueError):  # of a file that another thread has closed
            if not self._is_closed:
                raise
            return {"status": "lost", "reason": "it was ended", "late": False}

    def close(self) -> None:
        """For good: another thread may still ask it."""
        self._is_closed = True
        starting = self._starting
        if starting is not None:
            starting.kill()
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


class Fleet:
    """The backends of a comparison; `close` ends their processes."""

    def __init__(self, labels: Sequence[str], pythons: Mapping[str, str], memory: Optional[int] = None,
                 seconds: float = 60.0, firsts: Optional[Mapping[str, str]] = None) -> None:
        """`pythons`: another interpreter, by label or name; `firsts`: a file that runs first, as well."""
        def of(table: Mapping[str, str], label: str, default: str) -> str:
            return table.get(label, table.get(label.partition(":")[0], default))

        self.arguments: Plain = {"labels": list(labels), "pythons": dict(pythons), "memory": memory,
                                 "seconds": seconds, "firsts": dict(firsts or {})}
        self.all = [Backend(label, of(pythons, label, sys.executable), memory, seconds,
                            of(firsts or {}, label, "")) for label in labels]
        self.there: List[Backend] = []
        self.notes: List[str] = []

    def start(self) -> List[Backend]:
        """Those that can be started; `notes` says which cannot."""
        self.there = [backend for backend in self.all if backend.is_there()]
        self.notes = [f"{backend.label} is left out: {backend.missing}" for backend in self.all
                      if backend.missing]
        return self.there

    def versions(self) -> Dict[str, Dict[str, str]]:
        return {backend.label: backend.versions for backend in self.there}

    def signatures(self) -> List[Plain]:
        """Of the layers of each release of Keras that takes part."""
        releases = {backend.versions.get("keras"): backend for backend in self.there}
        answers = [backend.ask({"do": "signatures"}) for backend in releases.values()]
        return [answer["signatures"] for answer in answers if answer["status"] == "ok"]

    def refusals(self, layers: Sequence[Plain], release: str) -> List[Plain]:
        """Of each layer (see worker/serve.py, "infer") {"reason"} where a release of Keras other than
        `release` does not run it on any of its backends, {"apart"} where it does on none in the shape that it
        says, else {}: what is so on only some of them is to be found."""
        made: List[Plain] = [{} for _ in layers]
        for other in sorted({backend.versions.get("keras", release) for backend in self.there} - {release}):
            left = [place for place, row in enumerate(made) if "reason" not in row]
            told: Dict[int, Plain] = {}
            for backend in self.there:
                if backend.versions.get("keras") == other and left:
                    answer = backend.ask({"do": "infer", "run": True,
                                          "layers": [layers[place] for place in left]})
                    rows = answer.get("layers", [{}] * len(left))  # a crash is no refusal
                    wrong = {place: {key: f"Keras {other}: {row[key]}" for key in ("reason", "apart")
                                     if key in row} for place, row in zip(left, rows)}
                    left = [place for place, row in wrong.items() if row]
                    # One that runs it says more than one that does not.
                    told.update({place: wrong[place] for place in left
                                 if "apart" not in told.get(place, ())})
            for place in left:
                made[place] = told[place]
        return made

    def close(self) -> None:
        for backend in self.all:
            backend.close()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
