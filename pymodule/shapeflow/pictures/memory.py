"""What the runs of a script's sessions hold in memory, as plain data.

The recorder notes each run that infers something, in the script's process; the document is of the run with
the highest peak. As a function of the batch: the run is inferred again with feeds
of other sizes, never computed.
"""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]
    Noted = Tuple[Any, Any, Any]  # session, fetches, feeds

MOST_RUNS = 200  # that are remembered
GPU_ROUNDING = 256  # bytes: of TensorFlow's allocator for GPUs
MOST_MOMENTS = 600  # in the document: neighbours are one, as high as the highest


class Recorder:
    """Notes runs, from `begin` on."""

    def __init__(self) -> None:
        self.runs: List[Noted] = []
        self.left_out = 0

    def begin(self) -> None:
        _core.set_memory_hook(self.note)

    def note(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        if len(self.runs) < MOST_RUNS:
            self.runs.append((session, fetches, feed_dict))
        else:
            self.left_out += 1

    def document(self, rounding: int, batch: Optional[int] = None,
                 gpus: Sequence[Plain] = ()) -> Optional[Plain]:
        """None: no run that holds anything."""
        _core.set_memory_hook(None)
        best: Optional[Tuple[Noted, Plain]] = None
        for session, fetches, feed_dict in self.runs:
            feeds = None if batch is None else with_batch(feed_dict, batch)
            run = session, fetches, feed_dict if feeds is None else feeds
            found = _memory(run, rounding)
            if found is not None and (best is None or found["peak"] > best[1]["peak"]):
                best = run, found
        if best is None:
            return None
        made = _document(*best, rounding)
        made["devices"] = [_fit(best[0], made, gpu) for gpu in gpus]
        return made


def _memory(run: Noted, rounding: int) -> Optional[Plain]:
    """None: the run does not go through, as with a batch that its reshapes refuse."""
    session, fetches, feed_dict = run
    try:
        with _core.mute():
            found: Optional[Plain] = session.memory(fetches, feed_dict, rounding)
    except Exception:  # whatever TensorFlow would raise of such a run
        return None
    return found


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


def _line(run: Noted, rounding: int, peak: int) -> Optional[Tuple[int, float, float]]:
    """(batch, a, b) of peak = a * batch + b, from this run and one of twice the batch."""
    batch = batch_of(run[2])
    if not batch:
        return None
    feeds = with_batch(run[2], 2 * batch)
    other = _memory((run[0], run[1], feeds), rounding)
    if other is None:
        return None
    slope = (other["peak"] - peak) / batch
    return batch, slope, peak - slope * batch


def _document(run: Noted, found: Plain, rounding: int) -> Plain:
    frames = _core.frames_of_locations({row[5] for row in found["largest"] if row[5]})
    moments = found["moments"]
    width = -(-len(moments) // MOST_MOMENTS) or 1
    at = found["at"]
    line = _line(run, rounding, found["peak"])
    return {
        "version": 1, "peak": found["peak"], "at_least": found["at_least"], "rounding": rounding,
        "at": {"node": moments[at][0], "backward": moments[at][1], "moment": at, "of": len(moments)},
        "parts": found["parts"], "workspace": found["workspace"],
        "largest": [{"node": name, "op": op, "output": output, "kind": kind, "bytes": size,
                     "line": _place(frames.get(site))}
                    for name, op, output, kind, size, site in found["largest"]],
        "moments": [max(size for _, _, size in moments[i:i + width]) for i in range(0, len(moments), width)],
        "width": width, "flops": found["flops"], "moved": found["moved"],
        "batch": None if line is None else {"size": line[0], "each": line[1], "fixed": line[2]},
    }


def _place(frames: Any) -> Optional[List[Any]]:
    return [frames[0][0], frames[0][1]] if frames else None


def usable(bytes_there: int, capability: int) -> int:
    """What TensorFlow takes of a GPU: all but what it leaves to CUDA, by compute capability
    (MinSystemMemory of common_runtime/gpu/gpu_device.cc)."""
    kept = 500 if capability < 70 else 1050 if capability < 80 else 1536 if capability < 90 else 1800
    return bytes_there - kept * 2**20


def _needed(run: Noted, rounding: int, batch: int) -> Optional[int]:
    """Bytes with that batch, workspace included; None: it does not go through."""
    found = _memory((run[0], run[1], with_batch(run[2], batch)), rounding)
    return None if found is None else int(found["peak"] + found["workspace"])


def _largest_batch(run: Noted, document: Plain, there: int) -> Optional[int]:
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


def _fit(run: Noted, document: Plain, gpu: Plain) -> Plain:
    """Whether the run fits a GPU of the catalogue, its largest batch there, and the least time of a step."""
    there = usable(gpu["free"], gpu["capability"])
    needed = document["peak"] + document["workspace"]
    arithmetic, traffic = document["flops"] / gpu["fp32"], document["moved"] / gpu["bandwidth"]
    return {"device": gpu["name"], "title": gpu["title"], "memory": gpu["memory"], "usable": there,
            "needed": needed, "fits": needed <= there, "largest_batch": _largest_batch(run, document, there),
            "seconds_at_least": max(arithmetic, traffic),
            "bound_by": "arithmetic" if arithmetic >= traffic else "memory"}
