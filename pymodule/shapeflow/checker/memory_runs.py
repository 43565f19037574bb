"""Runs of a program whose memory can be asked for: of its sessions, and its eager code.

The recorder notes each run of a session that infers something, and has the core note what Python holds of
eager tensors, in the script's process. A run is measured as it was, or inferred again with data of another
batch, or counted as it would be otherwise.
"""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

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

    def __init__(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        self.session, self.fetches, self.feed_dict = session, fetches, feed_dict

    @property
    def batch(self) -> Optional[int]:
        return batch_of(self.feed_dict)

    def measure(self, trial: Trial, batch: Optional[int] = None) -> Optional[Plain]:
        """None: it does not go through, as with a batch that its reshapes refuse."""
        feeds = self.feed_dict if batch is None else with_batch(self.feed_dict, batch)
        if feeds is None and self.feed_dict:
            feeds = self.feed_dict
        try:
            with _core.mute():
                found: Optional[Plain] = self.session.memory(self.fetches, feeds, trial.plain)
        except Exception:  # whatever TensorFlow would raise of such a run
            return None
        return found


class EagerRun:
    """All eager code of the program, and its functions. `variables`, `slots`: the bytes of each one, and the
    devices that it is on (tensorflow/python/framework/eager_devices.py)."""

    what = "eager code"
    title = "a step of the program"

    def __init__(self, variables: Sequence[Tuple[int, int]], slots: Sequence[Tuple[int, int]]) -> None:
        self.variables, self.slots = variables, slots

    @property
    def batch(self) -> Optional[int]:
        found = _core.memory_batch()
        return found if found > 0 else None

    def measure(self, trial: Trial, batch: Optional[int] = None) -> Optional[Plain]:
        default = _default_device()
        sums = [sum(-(-size // trial.rounding) * trial.rounding for size, devices in sizes
                    if trial.device < 0 or (devices or 1 << default) >> trial.device & 1)
                for sizes in (self.variables, self.slots)]
        return _core.memory_of_log(sums[0], sums[1], -1 if batch is None else batch, trial.plain, default)


def _default_device() -> int:
    """Where eager code runs that no one has placed: the first GPU, else the CPU."""
    return next((i for i, (_, kind, _) in enumerate(_core.machine() or ()) if kind == "GPU"), 0)


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

    def note(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        if len(self.runs) < MOST_RUNS:
            self.runs.append(SessionRun(session, fetches, feed_dict))
        else:
            self.left_out += 1

    def largest(self, trial: Trial, batch: Optional[int] = None) -> Optional[Tuple[Run, Plain]]:
        """The run with the highest peak; None: nothing holds anything."""
        _core.set_memory_hook(None)
        best: Optional[Tuple[Run, Plain]] = None
        for run in [*self.runs, _eager_run()]:
            found = run.measure(trial, batch)
            if found is not None and found["peak"] > (best[1]["peak"] if best else 0):
                best = run, found
        return best


def _eager_run() -> EagerRun:
    from shapeflow.tensorflow.python.framework import object_log

    sizes: Tuple[List[Tuple[int, int]], List[Tuple[int, int]]] = ([], [])
    for variable in object_log.variables.left() if object_log.variables is not None else ():
        count = variable.shape.num_elements() if variable.shape.ndims is not None else None
        if count is not None:
            sizes[variable.of_optimizer].append((count * variable.dtype.base_dtype.size, variable.devices))
    return EagerRun(*sizes)


def batch_of(feed_dict: Any) -> Optional[int]:
    """The size of the axis 0 that all feeds share whose placeholders leave it open; None: there is none."""
    sizes = set()
    for target, value in (feed_dict or {}).items():
        shape = getattr(target, "shape", None)
        given = getattr(value, "shape", None)
        if given is None and hasattr(value, "__len__"):
            given = (len(value),)
        if shape is not None and shape.ndims and shape.as_list()[0] is None and given:
            sizes.add(int(given[0]))
    return sizes.pop() if len(sizes) == 1 else None


def with_batch(feed_dict: Any, batch: int) -> Optional[Dict[Any, Any]]:
    """The same feeds of another batch, without content; None: there is no batch."""
    import numpy as np

    if batch_of(feed_dict) is None:
        return None
    made = {}
    for target, value in feed_dict.items():
        array = np.asarray(value)
        if target.shape.ndims and target.shape.as_list()[0] is None and array.ndim:
            value = np.broadcast_to(np.zeros((), array.dtype), (batch, *array.shape[1:]))
        made[target] = value
    return made


def usable(bytes_there: int, capability: int) -> int:
    """What TensorFlow takes of a GPU: all but what it leaves to CUDA, by compute capability
    (MinSystemMemory of common_runtime/gpu/gpu_device.cc)."""
    kept = 500 if capability < 70 else 1050 if capability < 80 else 1536 if capability < 90 else 1800
    return max(0, bytes_there - kept * 2**20)
