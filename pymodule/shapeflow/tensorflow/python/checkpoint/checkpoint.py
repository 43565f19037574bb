"""tf.train.Checkpoint and its manager: nothing is written, what was saved is remembered."""
from __future__ import annotations

import os

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.trackable.base import AutoTrackable
from shapeflow.tensorflow.python.training import saver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional


@export("tf.train.Checkpoint", v1=False, v2=True)
class Checkpoint(AutoTrackable):
    """Object-based checkpoints: nothing is written, restoring changes no shape."""

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)
        self._count = 0

    def save(self, file_prefix: Any, options: Any = None) -> str:
        self._count += 1
        path = self.write("%s-%d" % (file_prefix, self._count))
        saver.note_state(os.path.dirname(path) or ".", [path])
        return path

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Without a number."""
        path = os.fspath(file_prefix)
        saver.note_saved(path, _shapes(self))
        return path

    def restore(self, save_path: Any, options: Any = None) -> _Status:
        return _Status()

    read = restore


@export("tf.train.Checkpoint")
class CheckpointV1(Checkpoint):
    """TensorFlow 1's: what it holds is named."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(None, **kwargs)


class _Status:
    """What a restore says: everything matched."""

    def _self(self, *args: Any, **kwargs: Any) -> "_Status":
        return self

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = expect_partial = _self
    initialize_or_restore = run_restore_ops = _self


def _shapes(checkpoint: Any) -> Dict[str, Any]:
    """Of the variables that a checkpoint holds, by TensorFlow's names for them where those are simple."""
    found: Dict[str, Any] = {}
    for key, value in vars(checkpoint).items():
        if key.startswith("_"):
            continue
        parts = getattr(value, "variables", None)
        own = [("", value)] if isinstance(value, _core.VariableBase) else [
            ("/%d" % i, part) for i, part in enumerate(parts if isinstance(parts, (list, tuple)) else ())]
        for suffix, variable in own:
            if not isinstance(variable, _core.VariableBase):
                continue
            shape = variable.get_shape()
            found["%s%s/.ATTRIBUTES/VARIABLE_VALUE" % (key, suffix)] = \
                None if shape.ndims is None else shape.as_list()
    return found


@export("tf.train.CheckpointManager", v2=True)
class CheckpointManager:
    """Numbers the checkpoints of one folder and keeps the newest."""

    def __init__(self, checkpoint: Any, directory: Any, max_to_keep: Any = 5,
                 keep_checkpoint_every_n_hours: Any = None, checkpoint_name: str = "ckpt",
                 **kwargs: Any) -> None:
        self.checkpoint = self._checkpoint = checkpoint
        self.directory = self._directory = os.fspath(directory)
        self._max_to_keep, self._name = max_to_keep, checkpoint_name
        state = saver.get_checkpoint_state(self.directory)
        self.checkpoints: List[str] = list(state.all_model_checkpoint_paths) if state else []

    @property
    def latest_checkpoint(self) -> Optional[str]:
        return self.checkpoints[-1] if self.checkpoints else None

    def save(self, checkpoint_number: Any = None, **kwargs: Any) -> str:
        self._checkpoint._count += 1
        number = self._checkpoint._count if checkpoint_number is None else int(checkpoint_number)
        path = os.path.join(self.directory, "%s-%d" % (self._name, number))
        self._checkpoint.write(path)
        self.checkpoints.append(path)
        if self._max_to_keep:
            del self.checkpoints[:-self._max_to_keep]
        saver.note_state(self.directory, self.checkpoints)
        return path

    def restore_or_initialize(self) -> Optional[str]:
        return self.latest_checkpoint
