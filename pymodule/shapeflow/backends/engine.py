"""The shape engine of a campaign: Keras on our TensorFlow, in a worker."""
from __future__ import annotations

import json
import sys

from shapeflow.backends import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

    Plain = Dict[str, Any]


class NoEngine(ValueError):
    """The worker that answers for shapes cannot be started, and why."""


class Engine:
    """What has which shape. `close` ends its process."""

    def __init__(self, seconds: float = 120.0) -> None:
        self._backend = process.Backend(process.SHAPES, sys.executable, seconds=seconds)
        if not self._backend.is_there():
            raise NoEngine(f"the shape engine needs Keras 3 beside shapeflow: {self._backend.missing}")
        self._known: Dict[str, Plain] = {}

    @property
    def release(self) -> str:
        """Of its Keras."""
        return self._backend.versions.get("keras", "")

    def signatures(self) -> Plain:
        answer = self._backend.ask({"do": "signatures"})
        if answer["status"] != "ok":
            raise NoEngine(answer["reason"])
        made: Plain = answer["signatures"]
        return made

    def infer(self, layers: List[Plain]) -> List[Plain]:
        """What was asked before is known. Each runs, too: where Keras computes the shape by a formula of its
        own (MelSpectrogram), what it calls is not asked; and some give another shape than that ("apart")."""
        keys = [json.dumps(layer, sort_keys=True) for layer in layers]
        new = {key: layer for key, layer in zip(keys, layers) if key not in self._known}
        if new:
            answer = self._backend.ask({"do": "infer", "layers": list(new.values()), "run": True})
            if answer["status"] != "ok":
                return [{"reason": answer["reason"]}] * len(layers)
            self._known.update(zip(new, answer["layers"]))
        return [self._known[key] for key in keys]

    def shapes(self, folder: str) -> Plain:
        return self._backend.ask({"do": "shapes", "folder": folder})

    def close(self) -> None:
        self._backend.close()
