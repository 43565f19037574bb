"""tf.train.Checkpoint and its manager: nothing is written, what was saved is remembered."""
from __future__ import annotations

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


@export("tf.train.Checkpoint", v1=False, v2=True)
class Checkpoint:
    """Object-based checkpoints: nothing is written, restoring changes no shape."""

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)
        self._count = 0

    def save(self, file_prefix: Any, options: Any = None) -> str:
        self._count += 1
        return "%s-%d" % (file_prefix, self._count)

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Without a number."""
        return str(file_prefix)

    def restore(self, save_path: Any, options: Any = None) -> Any:
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


@export("tf.train.CheckpointManager", v2=True)
class CheckpointManager:
    def __init__(self, checkpoint: Any, directory: Any, max_to_keep: Any = 5, **kwargs: Any) -> None:
        self._checkpoint, self._directory = checkpoint, directory
        self.latest_checkpoint: Optional[str] = None
        self.checkpoints: List[str] = []

    def save(self, checkpoint_number: Any = None, **kwargs: Any) -> str:
        self.latest_checkpoint = self._checkpoint.save("%s/ckpt" % self._directory)
        self.checkpoints.append(self.latest_checkpoint)
        return self.latest_checkpoint

    def restore_or_initialize(self) -> Any:
        return None
