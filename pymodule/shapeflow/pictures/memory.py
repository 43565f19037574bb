"""What a program holds in memory, as plain data: the runs of its sessions, and its eager code.

The recorder notes each run of a session that infers something, and has the core note what Python holds of
eager tensors, in the script's process; the document is of what has the highest peak. As a function of the
batch: it is inferred again with data of other sizes, never computed.
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
MOST_MOMENTS = 600  # in the document: neighbours are one, as high as the highest


class SessionRun:
    """A call of session.run."""

    what = "session.run"

    def __init__(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        self.session, self.fetches, self.feed_dict = session, fetches, feed_dict

    @property
    def batch(self) -> Optional[int]:
        return batch_of(self.feed_dict)

    def measure(self, rounding: int, batch: Optional[int] = None) -> Optional[Plain]:
        """None: it does not go through, as with a batch that its reshapes refuse."""
        feeds = self.feed_dict if batch is None else with_batch(self.feed_dict, batch)
        if feeds is None and self.feed_dict:
            feeds = self.feed_dict
        try:
            with _core.mute():
                found: Optional[Plain] = self.session.memory(self.fetches, feeds, rounding)
        except Exception:  # whatever TensorFlow would raise of such a run
            return None
        return found


class EagerRun:
    """All eager code of the program, and its functions. `variables`, `slots`: the bytes of each one."""

    what = "eager code"

    def __init__(self, variables: Sequence[int], slots: Sequence[int]) -> None:
        self.variables, self.slots = variables, slots

    @property
    def batch(self) -> Optional[int]:
        found = _core.memory_batch()
        return found if found > 0 else None

    def measure(self, rounding: int, batch: Optional[int] = None) -> Optional[Plain]:
        sums = [sum(-(-size // rounding) * rounding for size in sizes)
                for sizes in (self.variables, self.slots)]
        return _core.memory_of_log(sums[0], sums[1], rounding, -1 if batch is None else batch)


class Recorder:
    """Notes runs, from `begin` on."""

    def __init__(self) -> None:
        self.runs: List[Run] = []
        self.left_out = 0

    def begin(self) -> None:
        from shapeflow.tensorflow.python.framework import object_log

        object_log.start()
        _core.set_memory_hook(self.note)
        _core.start_memory_log()

    def note(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        if len(self.runs) < MOST_RUNS:
            self.runs.append(SessionRun(session, fetches, feed_dict))
        else:
            self.left_out += 1

    def largest(self, rounding: int, batch: Optional[int] = None) -> Optional[Tuple[Run, Plain]]:
        """The run with the highest peak; None: nothing holds anything."""
        _core.set_memory_hook(None)
        best: Optional[Tuple[Run, Plain]] = None
        for run in [*self.runs, _eager_run()]:
            found = run.measure(rounding, batch)
            if found is not None and found["peak"] > (best[1]["peak"] if best else 0):
                best = run, found
        return best

    def document(self, rounding: int, batch: Optional[int] = None,
                 gpus: Sequence[Plain] = ()) -> Optional[Plain]:
        """None: no run that holds anything."""
        best = self.largest(rounding, batch)
        if best is None:
            return None
        run, found = best
        made = _document(run, found, rounding, batch)
        made["devices"] = [_fit(run, made, gpu) for gpu in gpus]
        return made


def _eager_run() -> EagerRun:
    from shapeflow.tensorflow.python.framework import object_log

    sizes: Tuple[List[int], List[int]] = ([], [])
    for variable in object_log.variables.left() if object_log.variables is not None else ():
        count = variable.shape.num_elements() if variable.shape.ndims is not None else None
        if count is not None:
            sizes[variable.of_optimizer].append(count * variable.dtype.base_dtype.size)
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


def _line(run: Run, rounding: int, peak: int, batch: Optional[int]) -> Optional[Tuple[int, float, float]]:
    """(batch, a, b) of peak = a * batch + b, from this run and one of twice the batch."""
    batch = batch or run.batch
    if not batch:
        return None
    other = run.measure(rounding, 2 * batch)
    if other is None:
        return None
    slope = (other["peak"] - peak) / batch
    return batch, slope, peak - slope * batch


def _document(run: Run, found: Plain, rounding: int, batch: Optional[int]) -> Plain:
    frames = _core.frames_of_locations({row[5] for row in found["largest"] if row[5]})
    moments = found["moments"]
    width = -(-len(moments) // MOST_MOMENTS) or 1
    at = found["at"]
    line = _line(run, rounding, found["peak"], batch)
    return {
        "version": 1, "of": run.what, "peak": found["peak"], "at_least": found["at_least"],
        "rounding": rounding,
        "at": {"node": _named(moments[at][0]), "backward": moments[at][1], "moment": at, "of": len(moments)},
        "parts": found["parts"], "workspace": found["workspace"],
        "largest": [{"node": _named(name), "op": op, "output": output, "kind": kind, "bytes": size,
                     "line": _place(frames.get(location))}
                    for name, op, output, kind, size, location in found["largest"]],
        "moments": [max(size for _, _, size in moments[i:i + width]) for i in range(0, len(moments), width)],
        "width": width, "flops": found["flops"], "moved": found["moved"],
        "batch": None if line is None else {"size": line[0], "each": line[1], "fixed": line[2]},
    }


def _named(node: str) -> str:
    """What eager code gets from outside is recorded as an op that does nothing."""
    head, _, last = node.rpartition("/")
    return node if last != "NoOp" else f"{head}/data" if head else "data"


def _place(frames: Any) -> Optional[List[Any]]:
    return [frames[0][0], frames[0][1]] if frames else None


def usable(bytes_there: int, capability: int) -> int:
    """What TensorFlow takes of a GPU: all but what it leaves to CUDA, by compute capability
    (MinSystemMemory of common_runtime/gpu/gpu_device.cc)."""
    kept = 500 if capability < 70 else 1050 if capability < 80 else 1536 if capability < 90 else 1800
    return bytes_there - kept * 2**20


def _needed(run: Run, rounding: int, batch: int) -> Optional[int]:
    """Bytes with that batch, workspace included; None: it does not go through."""
    found = run.measure(rounding, batch)
    return None if found is None else int(found["peak"] + found["workspace"])


def _largest_batch(run: Run, document: Plain, there: int) -> Optional[int]:
    """The largest batch that needs no more than `there`; None: nobody knows. The peak is the highest of many
    lines, so that the one at hand may only promise too much."""
    line = document["batch"]
    if line is None or line["each"] <= 0:
        return None
    low, high = 0, max(1, int((there - line["fixed"]) // line["each"]) + 1)
    while high - low > 1:
        middle = (low + high) // 2
        needed = _needed(run, document["rounding"], middle)
        if needed is None:
            return None
        low, high = (middle, high) if needed <= there else (low, middle)
    return low


def _fit(run: Run, document: Plain, gpu: Plain) -> Plain:
    """Whether the run fits a GPU of the catalogue, its largest batch there, and the least time of a step."""
    there = usable(gpu["free"], gpu["capability"])
    needed = document["peak"] + document["workspace"]
    arithmetic = document["flops"] / gpu["fp32"] if gpu["fp32"] else 0.0
    traffic = document["moved"] / gpu["bandwidth"] if gpu["bandwidth"] else 0.0
    return {"device": gpu["name"], "title": gpu["title"], "memory": gpu["memory"], "usable": there,
            "needed": needed, "fits": needed <= there, "largest_batch": _largest_batch(run, document, there),
            "seconds_at_least": max(arithmetic, traffic),
            "bound_by": "arithmetic" if arithmetic >= traffic else "memory"}
