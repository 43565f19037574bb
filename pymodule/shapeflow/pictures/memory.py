"""What the largest run of a program holds in memory, and costs, as plain data.

As a function of the batch: the run is inferred again with data of other sizes, never computed.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.checker.memory_runs import Trial, usable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    from shapeflow.checker.memory_runs import Recorder, Run

    Plain = Dict[str, Any]

MOST_SHARES = 20  # lines, or scopes, in the document
MOST_MOMENTS = 600  # in the document, as in memory_stack.c: neighbours are one, as high as the highest


def beginning(recorder: Recorder) -> Callable[[], None]:
    """What starts the record, with the names of scopes and layers, before the script."""
    def begin() -> None:
        import shapeflow.pictures.recorder as picture_recorder

        recorder.begin()
        picture_recorder.begin_scopes()

    return begin


def document(recorder: Recorder, rounding: int, batch: Optional[int] = None,
             gpus: Sequence[Plain] = ()) -> Optional[Plain]:
    """Of the run with the highest peak; None: nothing holds anything."""
    best = recorder.largest(Trial(rounding), batch)
    if best is None:
        return None
    run, found = best
    made = _document(run, found, rounding, batch, gpus)
    made["devices"] = [_fit(run, made, gpu) for gpu in gpus]
    return made


def described(run: Run, found: Plain, rounding: int, gpus: Sequence[Plain]) -> Plain:
    """Of a run that was measured: its peak, and whether that fits."""
    line = _line(run, Trial(rounding), found["peak"], None)
    batch = None if line is None else {"size": line[0], "each": line[1], "fixed": line[2]}
    kept = ("peak", "at_least", "parts", "workspace", "flops", "moved")
    made: Plain = {"of": run.what, "rounding": rounding, "batch": batch, **{key: found[key] for key in kept}}
    made["devices"] = [_fit(run, made, gpu) for gpu in gpus]
    return made


def _line(run: Run, trial: Trial, peak: int, batch: Optional[int]) -> Optional[Tuple[int, float, float]]:
    """(batch, a, b) of peak = a * batch + b, from this run and one of twice the batch; None: it has none."""
    if not run.batch:
        return None
    batch = batch or run.batch
    other = run.measure(trial, 2 * batch)
    if other is None:
        return None
    slope = (other["peak"] - peak) / batch
    return batch, slope, peak - slope * batch


def gpu_of(gpus: Sequence[Plain]) -> Optional[Plain]:
    """The first that is asked about, for estimates of time."""
    return gpus[0] if gpus else None


def roofline(gpu: Plain, flops: float, moved: float) -> float:
    """Seconds that no program can beat by the data sheet: an estimate."""
    arithmetic = flops / gpu["fp32"] if gpu["fp32"] else 0.0
    return max(arithmetic, moved / gpu["bandwidth"] if gpu["bandwidth"] else 0.0)


def _lines(shares: Mapping[int, object]) -> Dict[int, str]:
    frames = _core.frames_of_locations({location for location in shares if location})
    return {location: f"{at[0][0]}:{at[0][1]}" for location, at in frames.items() if at}


def _shares(shares: Dict[Any, Tuple[float, float, float]], gpu: Optional[Plain],
            names: Dict[Any, str]) -> List[Plain]:
    """What each line, or scope, has of the peak and of the step's cost; those that cost most first."""
    sums: Dict[str, List[float]] = {}
    for key, share in shares.items():
        name = names.get(key) or (key if isinstance(key, str) and key else "(elsewhere)")
        now = sums.setdefault(name, [0.0, 0.0, 0.0])
        now[:] = [a + b for a, b in zip(now, share)]
    rows: List[Plain] = [
        {"name": name, "held": int(held), "flops": flops, "moved": moved,
             "intensity": flops / moved if moved else 0.0,
             **({"seconds_at_least": roofline(gpu, flops, moved)} if gpu else {})}
        for name, (held, flops, moved) in sums.items()]
    rows.sort(key=lambda row: (-row["moved"] - row["flops"], row["name"]))
    return rows[:MOST_SHARES]


def _document(run: Run, found: Plain, rounding: int, batch: Optional[int], gpus: Sequence[Plain]) -> Plain:
    frames = _core.frames_of_locations({row[5] for row in found["largest"] if row[5]})
    at, moments, node, backward = found["at"]
    line = _line(run, Trial(rounding), found["peak"], batch)
    return {
        "version": 1, "of": run.what, "peak": found["peak"], "at_least": found["at_least"],
        "rounding": rounding,
        "at": {"node": _named(node), "backward": backward, "moment": at, "of": moments},
        "parts": found["parts"], "workspace": found["workspace"],
        "largest": [{"node": _named(name), "op": op, "output": output, "kind": kind, "bytes": size,
                     "line": _place(frames.get(location))}
                    for name, op, output, kind, size, location in found["largest"]],
        "moments": found["moments"], "width": -(-moments // MOST_MOMENTS) or 1, "stack": found["stack"],
        "flops": found["flops"], "moved": found["moved"],
        "lines": _shares(found["shares"][0], gpu_of(gpus), _lines(found["shares"][0])),
        "scopes": _shares(found["shares"][1], gpu_of(gpus), {}),
        "placed": _placed(run, rounding, batch), **_copies(found["copies"]),
        "batch": None if line is None else {"size": line[0], "each": line[1], "fixed": line[2]},
    }


def _placed(run: Run, rounding: int, batch: Optional[int]) -> List[Plain]:
    """What each device holds at its own peak; [] where nothing is placed."""
    rows = []
    for i, name in enumerate(run.devices()):
        found = run.measure(Trial(rounding, device=i), batch)
        if found is not None:
            rows.append({"device": name, "peak": found["peak"], "at_least": found["at_least"],
                         "parts": found["parts"]})
    return rows


def _copies(rows: Sequence[Sequence[Any]]) -> Plain:
    """The edges between devices, those that move most first, and the lines that make what is copied."""
    names = [name for name, _, _ in _core.machine() or ()]
    lines = _lines({row[6]: None for row in rows})
    sums: Dict[str, int] = {}
    copies: List[Plain] = []
    for name, output, source, target, bytes_there, bytes_back, location in rows:
        line = lines.get(location, "(elsewhere)")
        sums[line] = sums.get(line, 0) + bytes_there + bytes_back
        copies.append({"tensor": f"{_named(name)}:{output}", "from": names[source], "to": names[target],
                       "bytes": bytes_there, "gradient": bytes_back, "line": line})
    copies.sort(key=lambda copy: (-copy["bytes"] - copy["gradient"], copy["tensor"]))
    return {"copied": sum(sums.values()), "copies": copies[:MOST_SHARES],
            "copy_lines": sorted(([line, size] for line, size in sums.items()), key=lambda row: -row[1])}


def _named(node: str) -> str:
    """What eager code gets from outside is recorded as an op that does nothing."""
    head, _, last = node.rpartition("/")
    return node if last != "NoOp" else f"{head}/data" if head else "data"


def _place(frames: Any) -> Optional[List[object]]:
    return [frames[0][0], frames[0][1]] if frames else None


def _needed(run: Run, trial: Trial, batch: int) -> Optional[int]:
    """Bytes with that batch, workspace included; None: it does not go through."""
    found = run.measure(trial, batch)
    return None if found is None else int(found["peak"] + found["workspace"])


def _largest_batch(run: Run, trial: Trial, line: Optional[Tuple[int, float, float]], there: int
                   ) -> Optional[int]:
    """The largest batch that needs no more than `there`; None: nobody knows. The peak is the highest of many
    lines, so that the one at hand may only promise too much."""
    if line is None or line[1] <= 0:
        return None
    low, high = 0, max(1, int((there - line[2]) // line[1]) + 1)
    while high - low > 1:
        middle = (low + high) // 2
        needed = _needed(run, trial, middle)
        if needed is None:
            return None
        low, high = (middle, high) if needed <= there else (low, middle)
    return low


def _fit(run: Run, document: Plain, gpu: Plain) -> Plain:
    """Whether the run fits a GPU of the catalogue, its largest batch there, and the least time of a step.
    Where the peak is a lower bound, so is what is needed, and the batch is an upper one. A run that is placed
    on several GPUs needs as many of that model, with what the fullest one holds; its work may be shared."""
    there = usable(gpu["free"], gpu["capability"])
    size = document["batch"]
    line = None if size is None else (size["size"], size["each"], size["fixed"])
    trial, peak = Trial(document["rounding"]), document["peak"]
    held = {i: row["peak"] for i, row in enumerate(document.get("placed", ()))
            if row["peak"] and ":GPU:" in row["device"]}
    if held:
        fullest = max(held, key=lambda i: held[i])
        trial, peak = Trial(document["rounding"], device=fullest), held[fullest]
        line = _line(run, trial, peak, None if line is None else line[0])
    needed = peak + document["workspace"]
    flops, moved = (document[key] / max(1, len(held)) for key in ("flops", "moved"))
    seconds = roofline(gpu, flops, moved)
    is_arithmetic = seconds > 0 and seconds == flops / (gpu["fp32"] or 1.0)
    return {"device": gpu["name"], "title": gpu["title"], "memory": gpu["memory"], "usable": there,
            "needed": needed, "fits": needed <= there,
            "largest_batch": _largest_batch(run, trial, line, there),
            "seconds_at_least": seconds, "bound_by": "arithmetic" if is_arithmetic else "memory"}
