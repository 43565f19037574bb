"""tf.train.replica_device_setter: variables on parameter servers, in turn, the rest on a worker.

Source: tensorflow/python/training/device_setter.py.
"""
from __future__ import annotations

from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.device_spec import DeviceSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Sequence

STANDARD_PS_OPS = ("Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
                   "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable",
                   "MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp",
                   "BoostedTreesQuantileStreamResourceHandleOp")


def _round_robin(tasks: int) -> Callable[[object], int]:
    given = -1

    def next_task(op: object) -> int:
        nonlocal given
        given = (given + 1) % tasks
        return given

    return next_task


def _tasks_of(cluster: object, job: Optional[str]) -> int:
    """How many tasks a job of a ClusterSpec, or of a dict of addresses, has."""
    jobs = cluster.as_dict() if hasattr(cluster, "as_dict") else cluster
    return len(jobs[job]) if isinstance(jobs, dict) and job in jobs else 0


@export("tf.train.replica_device_setter")
def replica_device_setter(ps_tasks: int = 0, ps_device: str = "/job:ps", worker_device: str = "/job:worker",
                          merge_devices: bool = True, cluster: object = None,
                          ps_ops: Optional[Sequence[str]] = None, ps_strategy: object = None) -> Any:
    if cluster is not None:
        ps_tasks = _tasks_of(cluster, DeviceSpec.from_string(ps_device).job)
    if ps_tasks == 0:
        return None
    on_server = STANDARD_PS_OPS if ps_ops is None else ps_ops
    if ps_strategy is None:
        ps_strategy = _round_robin(ps_tasks)
    if not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")

    def choose(op: Any) -> str:
        current = DeviceSpec.from_string(op.device or "")
        if not merge_devices and op.device:
            return current.to_string()
        if ps_device and op.type in on_server:
            server = DeviceSpec.from_string(ps_device)
            if server.job and server.task is None:
                server = server.replace(task=ps_strategy(op))
            return server.make_merged_spec(current).to_string()
        return DeviceSpec.from_string(worker_device or "").make_merged_spec(current).to_string()

    return choose
