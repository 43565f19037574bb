"""tf.train.Checkpoint and its manager: nothing is written, what was saved is remembered."""
from __future__ import annotations

import os
import weakref

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.checkpoint import object_graph
from shapeflow.tensorflow.python.trackable.base import AutoTrackable
from shapeflow.tensorflow.python.training import saver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

_trees: Dict[str, object_graph.Saved] = {}  # what was saved, by path


@export("tf.train.Checkpoint", v1=False, v2=True)
class Checkpoint(AutoTrackable):
    """Object-based checkpoints: nothing is written, what was saved is remembered and restored."""

    _sf_root: object = None

    def __init__(self, root: object = None, **kwargs: object) -> None:
        for name, value in sorted(kwargs.items()):
            setattr(self, name, value)
        self._count = 0
        self.__dict__["_sf_root"] = root

    @property
    def save_counter(self) -> _core.VariableBase:
        """A variable that counts what was saved."""
        counter: Optional[_core.VariableBase] = self.__dict__.get("_save_counter")
        if counter is None:
            from shapeflow.tensorflow.python.ops.variables import VariableV2

            made: Any = VariableV2
            counter = self.__dict__["_save_counter"] = made(
                self._count, trainable=False, name="save_counter", dtype="int64")
        return counter

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: object) -> Dict[str, Any]:
        root = self._sf_root
        if isinstance(root, weakref.ref):  # Keras 2 keeps one of its model
            root = root()
        own = {**object_graph.children_of(root), **super()._trackable_children(save_type)}
        counter = own.pop("_save_counter", None)
        return own if counter is None else {**own, "save_counter": counter}

    def save(self, file_prefix: Any, options: object = None) -> str:
        self._counted()
        path = self.write("%s-%d" % (file_prefix, self._count))
        saver.note_state(os.path.dirname(path) or ".", [path])
        return path

    def _counted(self) -> None:
        self._count += 1
        if _core.executing_eagerly():
            self.save_counter.assign(self._count)

    def write(self, file_prefix: Any, options: object = None) -> str:
        """Without a number."""
        path = os.fspath(file_prefix)
        _trees[os.path.abspath(path)], shapes = object_graph.save(self)
        saver.note_saved(path, shapes)
        return path

    def restore(self, save_path: Any, options: object = None) -> CheckpointLoadStatus:
        """Raises for a variable of another shape, as TensorFlow does where it runs at once."""
        if save_path is None:
            return InitializationOnlyStatus()
        counts = _core.executing_eagerly()
        if counts:
            self.save_counter  # noqa: B018  made now, so that it is restored
        status = self.read(save_path)
        if counts:
            self._count = int(self.save_counter)
        return status

    def read(self, save_path: Any, options: object = None) -> CheckpointLoadStatus:
        """Of what was written without a number."""
        tree = None if is_unmodelled(save_path) else _trees.get(os.path.abspath(os.fspath(save_path)))
        if tree is not None and _core.executing_eagerly():
            object_graph.restore(self, tree)
        return CheckpointLoadStatus()


@export("tf.train.Checkpoint")
class CheckpointV1(Checkpoint):
    """TensorFlow 1's: what it holds is named."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(None, **kwargs)


class CheckpointLoadStatus:
    """What a restore says: everything matched."""

    def _self(self, *args: object, **kwargs: object) -> CheckpointLoadStatus:
        return self

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = expect_partial = _self
    initialize_or_restore = run_restore_ops = _self


class InitializationOnlyStatus(CheckpointLoadStatus):
    """There was nothing to restore."""


@export("tf.train.CheckpointOptions", v1=False, v2=True)
class CheckpointOptions:
    """How a checkpoint is written: nothing of it changes what it holds."""

    def __init__(self, experimental_io_device: Optional[str] = None,
                 experimental_enable_async_checkpoint: bool = False,
                 experimental_write_callbacks: object = None, enable_async: bool = False,
                 experimental_skip_slot_variables: bool = False,
                 experimental_sharding_callback: object = None) -> None:
        self.experimental_io_device = experimental_io_device
        self.enable_async = experimental_enable_async_checkpoint or enable_async
        self.experimental_enable_async_checkpoint = self.enable_async
        self.experimental_write_callbacks = experimental_write_callbacks
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback


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
        self._checkpoint._counted()
        number = self._checkpoint._count if checkpoint_number is None else int(checkpoint_number)
        path = os.path.join(self.directory, "%s-%d" % (self._name, number))
        self._checkpoint.write(path)
        self.checkpoints.append(path)
        if self._max_to_keep:
            del self.checkpoints[:-self._max_to_keep]
        saver.note_state(self.directory, self.checkpoints)
        return path

    def restore_or_initialize(self) -> Optional[str]:
        if self.latest_checkpoint is not None:
            self._checkpoint.restore(self.latest_checkpoint)
        return self.latest_checkpoint
