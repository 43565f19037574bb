"""tf.tpu.CrossShardOptimizer: an optimizer of gradients that are summed over the cores of TPUs.

Source: tensorflow/python/tpu/tpu_optimizer.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.api.unmodelled import is_unmodelled
from shapeflow.tensorflow.python.training.optimizer import Optimizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List

_REDUCTIONS = "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", \
    "weighted_sum_by_nonzero_weights"


@export("tf.tpu.CrossShardOptimizer")
class CrossShardOptimizer(Optimizer):
    """The steps of another optimizer. A sum over cores keeps the shape of each gradient.

    Raises: TypeError where `opt` is no optimizer, ValueError for an unknown reduction."""

    def __init__(self, opt: Any, reduction: str = "weighted_mean", name: str = "CrossShardOptimizer",
                 group_assignment: Any = None) -> None:
        if not is_unmodelled(reduction) and reduction not in _REDUCTIONS:
            raise ValueError("Unsupported reduction: %s." % reduction)
        if not isinstance(opt, Optimizer) and not is_unmodelled(opt):
            raise TypeError(
                "CrossShardOptimizer only works with tf.training.Optimizer and not Optimizer_v2. If you are "
                "using TPUStrategy, OptimizerV2 will sum gradients across replicas."
                "If you are using TPUEstimator, you may instead sum your gradients with: "
                "grads = [tf.compat.v1.tpu.cross_replica_sum(g) for g in grads]. If you want to average your "
                "gradients, rescale your loss with: loss /= global_batch_size")
        super().__init__(False, name)
        self._opt = opt

    def compute_gradients(self, loss: Any, var_list: Any = None, *args: Any, **kwargs: Any) -> Any:
        return self._opt.compute_gradients(loss, var_list, *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: Any = None) -> Any:
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> List[str]:
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        return self._opt.variables()
