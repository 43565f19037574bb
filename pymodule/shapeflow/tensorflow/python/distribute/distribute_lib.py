"""tf.distribute: strategies, whose replicas are alike, so that one of them is run for all.

A replica takes its part of a batch, and what several replicas give are alike too. On a machine without GPUs,
as here, a strategy has one replica unless it is told its devices.
Source: tensorflow/python/distribute/{distribute_lib,mirrored_strategy,one_device_strategy}.py.
"""
from __future__ import annotations

import contextlib
import enum

from shapeflow import _core
from shapeflow.api.registry import export, put_subclass
from shapeflow.tensorflow.python.framework import eager_devices
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

_TASK = "/job:localhost/replica:0/task:0"
_CPU = _TASK + "/device:CPU:0"


def _full_name(device: str) -> str:
    """As strategies say devices: of this task, where the name is as short as "gpu:1"."""
    kind, _, index = device.strip("/").rpartition("device:")[2].partition(":")
    short = not device.startswith("/job:") and kind.upper() in ("CPU", "GPU") and (index or "0").isdigit()
    return f"{_TASK}/device:{kind.upper()}:{index or 0}" if short else device


@export("tf.distribute.ReduceOp", v2=True)
class ReduceOp(enum.Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


@export("tf.distribute.DistributedValues", v2=True)
class DistributedValues:
    """Base of what has a value for each replica. There is never one: one replica is run for all."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = tuple(values)

    values = property(lambda self: self._values)


@export("tf.distribute.StrategyExtended", v2=True)
class StrategyExtended:
    """What a strategy does for those who write strategies, optimizers and layers."""

    def __init__(self, container_strategy: Any) -> None:
        self._container_strategy = container_strategy

    worker_devices = property(lambda self: tuple(self._container_strategy._devices))
    parameter_devices = worker_devices
    experimental_require_static_shapes = property(lambda self: False)
    should_checkpoint = should_save_summary = property(lambda self: True)

    def update(self, var: Any, fn: Callable[..., Any], args: Tuple[Any, ...] = (),
               kwargs: Optional[Dict[str, Any]] = None, group: bool = True) -> Any:
        return fn(var, *args, **(kwargs or {}))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        return value

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any, options: Any = None) -> Any:
        return [value for value, _ in value_destination_pairs]

    def call_for_each_replica(self, fn: Callable[..., Any], args: Tuple[Any, ...] = (),
                              kwargs: Optional[Dict[str, Any]] = None) -> Any:
        return self._container_strategy.run(fn, args, kwargs)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        return contextlib.nullcontext()

    def variable_created_in_scope(self, v: Any) -> bool:
        return True

    def value_container(self, value: Any) -> Any:
        return value

    def _in_multi_worker_mode(self) -> bool:
        return False


@export("tf.distribute.Strategy", v2=True)
class Strategy:
    """A strategy of as many replicas as it has devices."""

    _mirrors = False  # is a variable made once for each device?

    def __init__(self, extended: Any = None) -> None:
        self._start([_CPU])

    def _start(self, devices: Any) -> None:
        self._devices: List[str] = [_full_name(str(device)) for device in devices] or [_CPU]
        self._extended = StrategyExtended(self)

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: len(self._devices))
    cluster_resolver = property(lambda self: None)
    _should_use_with_coordinator = property(lambda self: False)  # no parameter servers are here

    def scope(self) -> Any:
        """Within, what is made is the strategy's."""
        return _Scope(self)

    def run(self, fn: Callable[..., Any], args: Tuple[Any, ...] = (), kwargs: Optional[Dict[str, Any]] = None,
            options: Any = None) -> Any:
        with _replica(self):
            return fn(*args, **(kwargs or {}))

    experimental_run_v2 = run

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """A value for all; along an axis each replica reduces first."""
        if axis is None:
            return value
        name = getattr(reduce_op, "value", reduce_op)
        reducing = tf.reduce_mean if str(name).upper() == "MEAN" else tf.reduce_sum
        return nest.map_structure(lambda v: reducing(v, axis=axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """What all replicas have, one after the other."""
        return tf.concat([value] * len(self._devices), axis) if len(self._devices) > 1 else value

    def experimental_local_results(self, value: Any) -> Tuple[Any, ...]:
        return (value,) * len(self._devices)

    unwrap = experimental_local_results

    def group(self, value: Any, name: Optional[str] = None) -> Any:
        return value if _core.executing_eagerly() else tf.group(value, name=name)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The batches that one replica takes."""
        replicas = len(self._devices)
        if replicas == 1:
            return dataset

        def first(t: Any) -> Any:
            if not t.shape.ndims:
                return t
            size = t.shape.as_list()[0]
            return t[:-(-(tf.shape(t)[0] if size is None else size) // replicas)]

        def part(*element: Any) -> Any:
            parts = nest.map_structure(first, element)
            return parts if len(parts) > 1 else parts[0]

        return dataset.map(part)

    def distribute_datasets_from_function(self, dataset_fn: Callable[..., Any], options: Any = None) -> Any:
        return dataset_fn(InputContext(1, 0, len(self._devices)))

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn: Callable[..., Any]) -> Any:
        return value_fn(ValueContext(0, len(self._devices)))

    def update_config_proto(self, config_proto: Any) -> Any:
        return config_proto

    def configure(self, session_config: Any = None, cluster_spec: Any = None, task_type: Any = None,
                  task_id: Any = None) -> None:
        """Nothing has to be."""

    def __copy__(self) -> Strategy:
        return self

    def __deepcopy__(self, memo: Any) -> Strategy:
        return self


@export("tf.distribute.MirroredStrategy", v2=True)
class MirroredStrategy(Strategy):
    """A replica on each device that is named, else on each GPU of the machine, else on its CPUs."""

    _mirrors = True

    def __init__(self, devices: Any = None, cross_device_ops: Any = None) -> None:
        there = _core.machine() or ()
        gpus = [name for name, kind, _ in there if kind == "GPU"]
        self._start(devices or gpus or [name for name, _, _ in there])


@export("tf.distribute.OneDeviceStrategy", v2=True)
class OneDeviceStrategy(Strategy):
    """One replica on the device that is named."""

    def __init__(self, device: Any) -> None:
        self._start([device])


@export("tf.distribute.MultiWorkerMirroredStrategy", v2=True)
class MultiWorkerMirroredStrategy(Strategy):
    """This process is the only worker."""

    _mirrors = True

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None,
                 **kwargs: Any) -> None:
        self._start([])


put_subclass(MultiWorkerMirroredStrategy, "tf.distribute.experimental.MultiWorkerMirroredStrategy", v2=True)


@export("tf.distribute.TPUStrategy", v2=True)
class TPUStrategy(Strategy):
    """One core of a TPU."""

    def __init__(self, tpu_cluster_resolver: Any = None, experimental_device_assignment: Any = None,
                 experimental_spmd_xla_partitioning: bool = False) -> None:
        self._start([])


@export("tf.distribute.experimental.CentralStorageStrategy", v2=True)
class CentralStorageStrategy(Strategy):
    """Variables on one device, replicas on others."""

    def __init__(self, compute_devices: Any = None, parameter_device: Any = None) -> None:
        self._start(compute_devices or [])


@export("tf.distribute.InputContext", v2=True)
class InputContext:
    """What a function that makes an input pipeline is told."""

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0,
                 num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError("The `global_batch_size` %r is not divisible by `num_replicas_in_sync` %r "
                             % (global_batch_size, self.num_replicas_in_sync))
        return global_batch_size // self.num_replicas_in_sync


class ValueContext:
    """Which replica a value is for."""

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync


@export("tf.distribute.ReplicaContext", v2=True)
class ReplicaContext:
    """Where a function runs that a strategy runs on its replicas."""

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any = 0) -> None:
        self._strategy = strategy
        self._id = replica_id_in_sync_group

    strategy = property(lambda self: self._strategy)
    num_replicas_in_sync = property(lambda self: self._strategy.num_replicas_in_sync)
    replica_id_in_sync_group = property(lambda self: self._id)
    devices = property(lambda self: tuple(self._strategy._devices[:1]))

    def merge_call(self, merge_fn: Callable[..., Any], args: Tuple[Any, ...] = (),
                   kwargs: Optional[Dict[str, Any]] = None) -> Any:
        _here.append((self._strategy, None))
        try:
            return merge_fn(self._strategy, *args, **(kwargs or {}))
        finally:
            _here.pop()

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        return value

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        return nest.map_structure(lambda v: self._strategy.gather(v, axis), value)

    def __enter__(self) -> None:
        _here.append((self._strategy, self))

    def __exit__(self, *exc: Any) -> None:
        _here.pop()


_default = Strategy()
_default_replica = ReplicaContext(_default)
# The innermost last: the strategy, and the replica in which we are or None.
_here: List[Tuple[Strategy, Optional[ReplicaContext]]] = [(_default, _default_replica)]


class _Scope:
    """strategy.scope()"""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._placed: Any = None

    def __enter__(self) -> Strategy:
        self._placed = _placed(self._strategy)
        self._placed.__enter__()
        _here.append((self._strategy, _default_replica if self._strategy is _default else None))
        return self._strategy

    def __exit__(self, *exc: Any) -> None:
        _here.pop()
        self._placed.__exit__(*exc)


@contextlib.contextmanager
def _replica(strategy: Strategy) -> Iterator[None]:
    _here.append((strategy, _default_replica if strategy is _default else ReplicaContext(strategy)))
    try:
        with _placed(strategy):
            yield
    finally:
        _here.pop()


@contextlib.contextmanager
def _placed(strategy: Strategy) -> Iterator[None]:
    """What is made within is on each of its devices, where anybody asks."""
    with contextlib.ExitStack() as stack:
        if strategy is not _default:
            stack.enter_context(eager_devices.entered(strategy._devices))
            stack.enter_context(eager_devices.mirrored(len(strategy._devices) if strategy._mirrors else 0))
        yield


@export("tf.distribute.get_strategy", v2=True)
def get_strategy() -> Strategy:
    """The strategy in whose scope this is."""
    return _here[-1][0]


@export("tf.distribute.has_strategy", v2=True)
def has_strategy() -> bool:
    """Is this in the scope of a strategy?"""
    return _here[-1][0] is not _default


@export("tf.distribute.get_replica_context", v2=True)
def get_replica_context() -> Optional[ReplicaContext]:
    """The replica in which this runs."""
    return _here[-1][1]


@export("tf.distribute.in_cross_replica_context", v2=True)
def in_cross_replica_context() -> bool:
    """Does this run once for all replicas?"""
    return _here[-1][1] is None


@export("tf.distribute.experimental_set_strategy", v2=True)
def experimental_set_strategy(strategy: Optional[Strategy]) -> None:
    """From here on everything is in the scope of the strategy."""
    _here[:] = [(_default, _default_replica) if strategy is None else (strategy, None)]


@export("tf.__internal__.distribute.variable_sync_on_read_context", v2=True)
def variable_sync_on_read_context() -> Any:
    """Within, a variable of several replicas is read as one: here it is one."""
    return contextlib.nullcontext()
