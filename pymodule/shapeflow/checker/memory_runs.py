"""Runs of a program whose memory can be asked for: of its sessions, and its eager code.

The recorder notes each run of a session that infers something, and has the core note what Python holds of
eager tensors, in the script's process. A run is measured as it was, or inferred again with data of another
batch, or counted as it would be otherwise.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.unmodelled import is_unmodelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

    Plain = Dict[str, Any]
    Run = Union["SessionRun", "EagerRun"]

MOST_RUNS = 200  # that are remembered
GPU_ROUNDING = 256  # bytes: of TensorFlow's allocator for GPUs


class Trial:
    """How memory is counted: as it is, or as it would be. `device`: what is on that one of the machine alone;
    `segments`: the forward pass in so many parts, each computed again; `by_node`: the shares that are by
    scope are by node."""

    def __init__(self, rounding: int = 1, half: bool = False, segments: int = 0, no_slots: bool = False,
                 device: int = -1, by_node: bool = False) -> None:
        self.rounding, self.device = rounding, device
        self.plain = (rounding, half, segments, no_slots, device, by_node)


class SessionRun:
    """A call of session.run."""

    what = "session.run"  # in documents
    title = what  # in findings

    def __init__(self, session: Any, fetches: Any, feed_dict: Any, elements: Any = None) -> None:
        self.session, self.fetches, self.feed_dict = session, fetches, feed_dict
        self.elements: Dict[Any, Any] = elements or {}  # what iterators gave, by the operation that takes it
        self.is_unknown = False  # it did not go through as it was

    @property
    def batch(self) -> Optional[int]:
        return batch_of(self._data())

    def _data(self) -> List[Tuple[Any, Any]]:
        """What the run takes from outside: tensors of the graph, and what each was."""
        taken = [pair for op, element in self.elements.items() for pair in zip(op.outputs, element)]
        return [*(self.feed_dict or {}).items(), *taken]

    def measure(self, trial: Trial, batch: Optional[int] = None) -> Optional[Plain]:
        """None: it does not go through, as with a batch that its reshapes refuse."""
        feeds, elements = self.feed_dict, self.elements
        try:
            if batch is not None and self.batch is not None:
                feeds = {target: with_batch(target, value, batch) for target, value in (feeds or {}).items()}
                elements = {op: tuple(with_batch(*pair, batch) for pair in zip(op.outputs, element))
                            for op, element in elements.items()}
            with _core.mute():
                found: Optional[Plain] = self.session.memory(self.fetches, feeds, trial.plain,
                                                             elements or None)
        except Exception:  # whatever TensorFlow would raise of such a run
            self.is_unknown = self.is_unknown or batch is None
            return None
        return found

    def devices(self) -> List[str]:
        """The names of the devices that it is placed on, by their numbers; []: nobody asks."""
        return [name for name, _, _ in _core.machine() or ()]


class EagerRun:
    """All eager code of the program, and its functions. Unknown is what Keras was not called for, because of
    data that nobody knows. `variables`, `slots`: the bytes of each one, and the
    devices that it is on (tensorflow/python/framework/eager_devices.py)."""

    what = "eager code"
    title = "a step of the program"

    def __init__(self, variables: Sequence[Tuple[int, int]], slots: Sequence[Tuple[int, int]],
                 is_unknown: bool) -> None:
        self.variables, self.slots, self.is_unknown = variables, slots, is_unknown

    @property
    def batch(self) -> Optional[int]:
        found = _core.memory_batch()
        return found if found > 0 else None

    def measure(self, trial: Trial, batch: Optional[int] = None) -> Optional[Plain]:
        default = eager_devices().default_number()
        sums = [sum(-(-size // trial.rounding) * trial.rounding for size, devices in sizes
                    if trial.device < 0 or (devices or 1 << default) >> trial.device & 1)
                for sizes in (self.variables, self.slots)]
        return _core.memory_of_log(sums[0], sums[1], -1 if batch is None else batch, trial.plain, default)

    def devices(self) -> List[str]:
        """The names of the devices that there are, by their numbers; []: nobody asks."""
        known = eager_devices().are_configured() or _core.machine()
        return [name for name, _ in eager_devices().devices()] if known else []


def eager_devices() -> ModuleType:
    import shapeflow.tensorflow.python.framework.eager_devices as eager_devices

    return eager_devices


class Recorder:
    """Notes runs, from `begin` on. `machine`: what sessions are placed on, "cpu,gpu:2"; None: any."""

    def __init__(self, machine: Optional[str] = None) -> None:
        self.machine = machine
        self.runs: List[Run] = []
        self.left_out = 0

    def begin(self) -> None:
        from shapeflow.tensorflow.python.framework import object_log

        if self.machine:
            _core.set_machine(self.machine)
        object_log.start()
        _core.set_memory_hook(self.note)
        _core.start_memory_log()

    def note(self, session: object, fetches: object, feed_dict: object, elements: object) -> None:
        if len(self.runs) < MOST_RUNS:
            self.runs.append(SessionRun(session, fetches, feed_dict, elements))
        else:
            self.left_out += 1

    def largest(self, trial: Trial, batch: Optional[int] = None,
                of: Tuple[type, ...] = (SessionRun, EagerRun)) -> Optional[Tuple[Run, Plain]]:
        """The run with the highest peak; None: all is known, and nothing holds anything. It is a lower bound
        where that of any run is one, or a run is not known: that may be the one with the highest."""
        _core.set_memory_hook(None)
        best: Optional[Tuple[Run, Plain]] = None
        at_least = self.left_out > 0
        for run in [*self.runs, _eager_run()]:
            if not isinstance(run, of):
                continue
            found = run.measure(trial, batch)
            at_least = at_least or run.is_unknown or (found is not None and found["at_least"])
            if found is None or not found["moments"] or not (found["peak"] or found["at_least"]):
                continue
            if best is None or found["peak"] > best[1]["peak"]:
                best = run, found
        if best:
            best[1]["at_least"] = at_least
        return best


def _eager_run() -> EagerRun:
    from shapeflow.tensorflow.python.framework import object_log

    sizes: Tuple[List[Tuple[int, int]], List[Tuple[int, int]]] = ([], [])
    for variable in object_log.variables.left() if object_log.variables is not None else ():
        count = variable.shape.num_elements() if variable.shape.ndims is not None else None
        if count is not None:
            sizes[variable.of_optimizer].append((count * variable.dtype.base_dtype.size, variable.devices))
    return EagerRun(*sizes, object_log.left_out)


def batch_of(data: Iterable[Tuple[object, object]]) -> Optional[int]:
    """The size of the axis 0 that all data share whose tensors leave it open; None: there is none."""
    sizes = {shape[0] for shape in (_shape_of(value) for target, value in data if _is_open(target)) if shape}
    sizes.discard(None)
    return sizes.pop() if len(sizes) == 1 else None


def _is_open(target: object) -> bool:
    """Does a tensor of the graph leave its axis 0 open?"""
    shape = target.shape if isinstance(target, _core.Tensor) else None
    return shape is not None and bool(shape.ndims) and shape.as_list()[0] is None


def _shape_of(value: object) -> Sequence[Optional[int]]:
    """(): it has none, or none that is known."""
    if isinstance(value, _core.Tensor):  # an element of an iterator
        return value.shape.as_list() if value.shape.ndims else ()
    if isinstance(value, (list, tuple)):
        return (len(value),)
    shape = None if is_unmodelled(value) else getattr(value, "shape", None)
    return shape if type(shape) is tuple else ()


def with_batch(target: object, value: object, batch: int) -> object:
    """What a tensor was, with another batch and without content; as it was where that is not open."""
    if not _is_open(target) or not _shape_of(value):
        return value
    if isinstance(value, _core.Tensor):
        return _core.eager_tensor(value.dtype, [batch, *_shape_of(value)[1:]])
    import numpy as np

    array = np.asarray(value)
    return np.broadcast_to(np.zeros((), array.dtype), (batch, *array.shape[1:]))


def usable(bytes_there: int, capability: int) -> int:
    """What TensorFlow takes of a GPU: all but what it leaves to CUDA, by compute capability
    (MinSystemMemory of common_runtime/gpu/gpu_device.cc)."""
    kept = 500 if capability < 70 else 1050 if capability < 80 else 1536 if capability < 90 else 1800
    return max(0, bytes_there - kept * 2**20)
