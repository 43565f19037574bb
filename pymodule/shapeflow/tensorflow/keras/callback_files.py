"""Callbacks that write files: what they write can be read back."""
from __future__ import annotations

import os

from shapeflow.api import outside
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.training import Callback
from shapeflow.tensorflow.python.platform import gfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List


@export("tf.keras.callbacks.ModelCheckpoint")
class ModelCheckpoint(Callback):
    """Makes the file that it is to write, with nothing in it: content is not computed."""

    def __init__(self, filepath: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(filepath, *args, **kwargs)
        self.filepath = os.fspath(filepath) if isinstance(filepath, os.PathLike) else filepath

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        try:
            path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        except (KeyError, ValueError, TypeError, AttributeError):
            return  # names of metrics that nobody knows
        gfile.note_file(path)


@export("tf.keras.callbacks.CSVLogger")
class CSVLogger(Callback):
    """A row for each epoch, once the training is over."""

    def __init__(self, filename: Any, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append

    def on_train_end(self, logs: Any = None) -> None:
        if not outside.sandbox.holds:
            return
        keys = sorted(logs or {})
        rows: List[List[Any]] = [["epoch", *keys]]
        rows += [[epoch, *((logs or {})[key] for key in keys)] for epoch in range(self.params["epochs"])]
        has_head = self.append and os.path.exists(self.filename)
        with open(self.filename, "a" if self.append else "w", encoding="utf-8") as stream:
            for row in rows[has_head:]:
                stream.write(self.sep.join(map(str, row)) + "\n")
