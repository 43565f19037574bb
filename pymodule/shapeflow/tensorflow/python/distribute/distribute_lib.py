"""tf.distribute: strategies and their replicas.

Replicas run one after the other, each with its part of a batch. TensorFlow lets all of them come to a
`merge_call` first; here the first one calls it, with tensors of unknown content for what the others
would bring, and the others get what it gave. In a graph one replica is built for all. On a machine
without GPUs, as here, a strategy has one replica unless it is told its devices.
Source: tensorflow/python/distribute/{distribute_lib,mirrored_strategy,one_device_strategy}.py.
"""
from __future__ import annotations

import contextlib
import enum
import weakref

from shapeflow import _core
from shapeflow.api.registry import export, put_subclass
from shapeflow.tensorflow.python.distribute import values
from shapeflow.tensorflow.python.distribute.values import PerReplica
from shapeflow.tensorflow.python.framework import eager_devices, framework_lib
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

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

    @staticmethod
    def of(given: Any) -> ReduceOp:
        """As it is named too."""
        return given if isinstance(given, ReduceOp) else ReduceOp(str(getattr(given, "value", given)).upper())


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
        return fn(var, *values.select(0, tuple(args)), **values.select(0, kwargs or {}))

    def _use_merge_call(self) -> bool:
        return len(self._container_strategy._devices) > 1

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        return _combined(ReduceOp.of(reduce_op), value) if isinstance(value, PerReplica) else value

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any, options: Any = None) -> Any:
        return [self.reduce_to(reduce_op, value, there) for value, there in value_destination_pairs]

    def call_for_each_replica(self, fn: Callable[..., Any], args: Tuple[Any, ...] = (),
                              kwargs: Optional[Mapping[str, object]] = None) -> Any:
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
        for device in self._devices:
            _core.check_device_name(device)
        if len(set(self._devices)) < len(self._devices):
            raise AssertionError("No duplicates allowed in `devices` argument: %s" % (tuple(self._devices),))
        self._extended = StrategyExtended(self)
        self._variables: weakref.WeakSet[Any] = weakref.WeakSet()  # that have copies

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: len(self._devices))
    cluster_resolver = property(lambda self: None)
    _should_use_with_coordinator = property(lambda self: False)  # no parameter servers are here

    def scope(self) -> Any:
        """Within, what is made is the strategy's."""
        return _Scope(self)

    def run(self, fn: Callable[..., Any], args: Tuple[Any, ...] = (), kwargs: Optional[Dict[str, Any]] = None,
            options: Any = None) -> Any:
        if self.replica_of_this() is not None and self is not _default:
            raise RuntimeError("Method requires being in cross-replica context, use get_replica_context()"
                               ".merge_call()")
        together = _Together(self, values.differ((args, kwargs)))
        replicas = together.count if _core.executing_eagerly() else 1  # a graph has one for all
        made = [together.run(i, fn, values.select(i, tuple(args)), values.select(i, kwargs or {}))
                for i in range(replicas)]
        return made[0] if together.count == 1 else \
            values.regroup(made * (together.count // replicas), replicas == 1)

    experimental_run_v2 = run

    def replica_of_this(self) -> Optional[ReplicaContext]:
        """The replica in which we are, where it is one of this strategy."""
        strategy, replica = _here[-1]
        return replica if strategy is self else None

    def mirror(self, variable: Any) -> None:
        """A variable that was just made has a copy for each device."""
        from shapeflow.tensorflow.python.distribute.mirrored_variable import MirroredVariable

        variable.__class__ = MirroredVariable
        variable.start(self)
        self._variables.add(variable)

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """A value for all; along an axis each replica reduces first."""
        how = ReduceOp.of(reduce_op)
        if axis is not None:
            return nest.map_structure(lambda v: _reduced(how, v, axis), value)
        return value if len(self._devices) == 1 else nest.map_structure(lambda v: _combined(how, v), value)

    def gather(self, value: Any, axis: int) -> Any:
        """What all replicas have, one after the other."""
        return nest.map_structure(
            lambda v: tf.concat(v.values, axis) if isinstance(v, PerReplica) else v, value)

    def experimental_local_results(self, value: Any) -> Tuple[Any, ...]:
        if isinstance(value, values.DistributedValues):
            return tuple(value.values)
        if not nest.is_nested(value):
            return (value,)
        return tuple(values.select(i, value) for i in range(len(self._devices)))

    unwrap = experimental_local_results

    def group(self, value: Any, name: Optional[str] = None) -> Any:
        if not _core.executing_eagerly():
            return tf.group(value, name=name)
        return value if len(self._devices) == 1 else None

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Of each batch its part for each replica."""
        from shapeflow.tensorflow.python.distribute import input_lib

        return dataset if len(self._devices) == 1 else input_lib.split_batches(dataset, self._devices)

    def distribute_datasets_from_function(self, dataset_fn: Callable[..., Any], options: Any = None) -> Any:
        from shapeflow.tensorflow.python.distribute import input_lib

        dataset = dataset_fn(InputContext(1, 0, len(self._devices)))
        return dataset if len(self._devices) == 1 else input_lib.deal_batches(dataset, self._devices)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn: Callable[..., Any]) -> Any:
        replicas = len(self._devices)
        made = [value_fn(ValueContext(i, replicas)) for i in range(replicas)]
        return values.regroup(made) if replicas > 1 else made[0]

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
        there = eager_devices.devices()
        gpus = [name for name, kind in there if kind == "GPU"]
        self._start(devices or gpus or [name for name, _ in there])


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

    _together: Optional[_Together] = None
    _merged = 0  # merge calls so far

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any = 0) -> None:
        self._strategy = strategy
        self._id = replica_id_in_sync_group

    strategy = property(lambda self: self._strategy)
    num_replicas_in_sync = property(lambda self: self._strategy.num_replicas_in_sync)
    replica_id_in_sync_group = property(
        lambda self: self._id if self._together is None else tf.constant(self._id))
    devices = property(lambda self: [[self._strategy._devices[self._id]]])

    def merge_call(self, merge_fn: Callable[..., Any], args: Tuple[Any, ...] = (),
                   kwargs: Optional[Mapping[str, object]] = None) -> Any:
        if self._together is not None:
            self._merged += 1
            return self._together.merge(self._id, self._merged, merge_fn, args, kwargs or {})
        _here.append((self._strategy, None))
        try:
            return merge_fn(self._strategy, *args, **(kwargs or {}))
        finally:
            _here.pop()

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        how = ReduceOp.of(reduce_op)
        return self._for_each(lambda v: _combined(how, v), value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        return self._for_each(lambda v: self._strategy.gather(v, axis), value)

    def _for_each(self, combine: Callable[[Any], Any], value: Any) -> Any:
        """What all replicas make together of what each has, a tensor for each."""
        if self._together is None:
            return value

        def all_of(strategy: Any, given: Any) -> Any:
            return nest.map_structure(lambda v: self._copies(combine(v)), given)

        return self.merge_call(all_of, (value,))

    def _copies(self, value: Any) -> PerReplica:
        assert self._together is not None
        made = [value]
        for i in range(1, self._together.count):
            with self._together.placed(i):
                made.append(nest.map_structure(
                    lambda t: tf.identity(t) if isinstance(t, _core.Tensor) else t, value,
                    expand_composites=True))
        return PerReplica(made)

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


class _Together:
    """The replicas of one `run`."""

    def __init__(self, strategy: Strategy, is_uneven: bool) -> None:
        self.strategy = strategy
        self.count = len(strategy._devices)
        self._is_uneven = is_uneven  # are there replicas of which the shapes are others?
        self._merged: List[Any] = []

    def run(self, replica: int, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        context = _default_replica if self.strategy is _default else ReplicaContext(self.strategy, replica)
        context._together = self if self.count > 1 else None
        with self.placed(replica if _core.executing_eagerly() else None):
            _here.append((self.strategy, context))
            self._enter(replica)
            try:
                return fn(*args, **kwargs)
            finally:
                self._leave(replica)
                _here.pop()

    def placed(self, replica: Optional[int] = None) -> Any:
        """Within, what is made is on the device of that replica; None: on those of all."""
        return _placed(self.strategy, replica)

    def _enter(self, replica: int) -> None:
        for variable in self.strategy._variables:
            variable.enter(replica)

    def _leave(self, replica: int) -> None:
        for variable in self.strategy._variables:
            variable.leave(replica)

    def merge(self, replica: int, number: int, merge_fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """What the replicas agree on at their merge call of that number, counted from 1."""
        if number > len(self._merged):
            self._leave(replica)
            _here.append((self.strategy, None))
            try:
                with self.placed():
                    args, kwargs = values.like_others((tuple(args), kwargs), self.count, self.placed,
                                                      not self._is_uneven)
                    self._merged.append(merge_fn(self.strategy, *args, **kwargs))
            finally:
                _here.pop()
                self._enter(replica)
        return values.select(replica, self._merged[number - 1])


def _combined(how: ReduceOp, value: Any) -> Any:
    """One value of those of all replicas."""
    if not isinstance(value, PerReplica):
        if how is ReduceOp.SUM and (isinstance(value, (int, float)) and value or
                                    type(value) is _core.EagerTensor):
            raise ValueError("A non-DistributedValues value %s cannot be reduced with the given reduce op %s."
                             % (value, how))
        return value
    given = value.values
    if values.is_slices(given[0]):
        rows = tf.concat([v.values for v in given], 0)
        return type(given[0])(rows if how is ReduceOp.SUM else rows / len(given),
                              tf.concat([v.indices for v in given], 0), given[0].dense_shape)
    if not all(isinstance(v, (_core.Tensor, _core.VariableBase, int, float)) for v in given):
        return given[0]
    added = tf.add_n([framework_lib.convert_to_tensor(v) for v in given])
    return added if how is ReduceOp.SUM else added / len(given)


def _reduced(how: ReduceOp, value: Any, axis: Any) -> Any:
    given = value.values if isinstance(value, PerReplica) else (value,)
    if how is ReduceOp.SUM:
        sums = [tf.reduce_sum(v, axis=axis) for v in given]
        return tf.add_n(sums) if len(sums) > 1 else sums[0]
    if len({str(getattr(v, "shape", None)) for v in given}) == 1:
        means = [tf.reduce_mean(v, axis=axis) for v in given]
        return means[0] if len(means) == 1 else tf.add_n(means) / len(means)
    sums = [tf.reduce_sum(v, axis=axis) for v in given]
    count = tf.add_n([tf.reduce_prod(tf.gather(tf.shape(v), axis)) for v in given])
    return tf.add_n(sums) / tf.cast(count, sums[0].dtype)


@contextlib.contextmanager
def _placed(strategy: Strategy, replica: Optional[int] = None) -> Iterator[None]:
    """What is made within is on the device of that replica, or on each of its devices, where anybody asks."""
    with contextlib.ExitStack() as stack:
        if strategy is not _default:
            there = strategy._devices if replica is None else [strategy._devices[replica]]
            stack.enter_context(eager_devices.entered(there))
            stack.enter_context(eager_devices.mirrored(strategy if strategy._mirrors else None))
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
