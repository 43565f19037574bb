"""Does a program fit the GPUs that `--device` names? A finding at the line that holds most, with what was
tried and would fit: the same run inferred again with another batch, in half precision, with parts of it
computed again, without the slots of its optimizer.

What is not known counts as nothing, and convolutions' workspace, an estimate, is left out: no false alarms.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.typed_messages import gib, worded
from shapeflow.checker.findings import Record, Span, is_file
from shapeflow.checker.memory_runs import (
    GPU_ROUNDING,
    EagerRun,
    Recorder,
    SessionRun,
    Trial,
    eager_devices,
    usable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.checker.memory_runs import Run

    Plain = Dict[str, Any]
    Part = Tuple[str, Tuple[Any, ...]]  # a text and the values of its fields

CODE, NAME = "SF310", "DOES_NOT_FIT"
_SEGMENTS = (2, 4, 8, 16)
_NOT_SEEN = 1 << 62
_SURE = 1.25  # times what is there: below, our account may be wrong (docs/memory.md): a warning


def recorder_for(devices: Optional[str]) -> Optional[Recorder]:
    """Notes what runs, from now on; None where no GPU of a model is named."""
    if not devices or not any(row for _, _, row in _core.machine() or ()):
        return None
    import shapeflow.pictures.recorder as picture_recorder

    made = Recorder()
    made.begin()
    picture_recorder.begin_scopes()
    return made


def of_run(recorder: Recorder, launcher: str = "") -> List[Record]:
    """The finding of the GPU that lacks most; none: all fits, as far as is known. Frames of the file
    `launcher` are nobody's program."""
    worst: Optional[Record] = None
    most = 0
    for number, where, there, of in _places():
        found = recorder.largest(Trial(GPU_ROUNDING, device=number), of=of)
        if found is not None and found[1]["peak"] - there > most:
            most = found[1]["peak"] - there
            worst = _finding(found[0], found[1], where, there, number, launcher)
    return [worst] if worst is not None else []


def _places() -> Iterator[Tuple[int, str, int, Tuple[type, ...]]]:
    """The number of each device that is a GPU of a model, or a part of one; what it is called, the bytes that
    there are, and the kinds of runs that are on it."""
    machine = _core.machine() or ()
    configured = eager_devices().are_configured()
    for number, (name, _, row) in enumerate(machine):
        if row is not None:
            of = (SessionRun,) if configured else (SessionRun, EagerRun)
            yield number, f"{row[1]} ({_short(name)})", usable(row[3], row[7]), of
    for number, (name, _) in enumerate(eager_devices().devices() if configured else ()):
        part_of = eager_devices().part_of(name)
        row = machine[part_of[0]][2] if part_of is not None else None
        if part_of is None or row is None:
            continue
        whole, limit = usable(row[3], row[7]), part_of[1]
        title = row[1] if limit is None else f"the {limit:,} MiB that the program takes of {row[1]}"
        yield number, f"{title} ({_short(name)})", whole if limit is None else int(limit * 2**20), (EagerRun,)


def _short(device: str) -> str:
    """GPU:0"""
    return device.rpartition("device:")[2]


def _finding(run: Run, found: Plain, where: str, there: int, device: int,
             launcher: str) -> Record:
    parts = sorted(((size, name) for name, size in found["parts"].items() if size > found["peak"] / 200),
                   reverse=True)
    location, size = max(((at, share[0]) for at, share in found["shares"][0].items() if at),
                         key=lambda row: row[1], default=(0, 0.0))
    frames = _core.frames_of_locations({location}).get(location) if location else None
    spans = [Span(*frame) for frame in frames or () if not is_file(frame[0], launcher)]
    scope, most = max(((name, share[0]) for name, share in found["shares"][1].items() if name),
                      key=lambda row: row[1], default=("", 0.0))
    said = _Said()
    said.add("{name} does not fit {name}: it needs %s{bytes:gib} of {bytes:gib} that TensorFlow may use: " % (
        "at least " if found["at_least"] else ""), run.title, where, found["peak"], there)
    said.join([("{name} {bytes:gib}", (name, amount)) for amount, name in parts])
    said.add("; {bytes:gib} of it are made at this line, more than at any other", size)
    if scope and most < size:
        said.add("; of its scopes {name} holds most, {bytes:gib}", scope, most)
    said.add("; ")
    _try(said, run, found, there, device)
    message, arguments = worded(said.text, said.values)
    severity = "error" if found["peak"] > _SURE * there else "warning"
    record = Record(CODE, NAME, severity, message, primary=spans[0] if spans else None, chain=spans[1:])
    record.arguments = arguments
    record.label = f"{gib(size)} at the peak"
    return record


class _Said:
    """A message in the making: its text, and a value for each field of it."""

    def __init__(self) -> None:
        self.text = ""
        self.values: List[Any] = []

    def add(self, text: str, *values: Any) -> None:
        self.text += text
        self.values += values

    def join(self, parts: Sequence[Part]) -> None:
        for number, (text, values) in enumerate(parts):
            self.add(", " * bool(number) + text, *values)


def _try(said: _Said, run: Run, found: Plain, there: int, device: int) -> None:
    """What of the usual means is enough, each tried alone; where none is, all at once."""
    enough: List[Part] = []
    lacking: List[Part] = []
    batch = run.batch
    may_vary = bool(batch) and _peak(run, Trial(GPU_ROUNDING), max(1, (batch or 0) // 2)) < _NOT_SEEN
    here = Trial(GPU_ROUNDING, device=device)
    smaller = _largest_batch(run, batch, there, here) if may_vary and batch else 0
    if smaller:
        enough.append(("a batch of {int:,} (now {int:,})", (smaller, batch)))
    elif may_vary:
        lacking.append(("a smaller batch", ()))
    half = _peak(run, Trial(GPU_ROUNDING, half=True, device=device))
    if half <= there:
        enough.append(("mixed precision ({bytes:gib})", (half,)))
    else:
        lacking.append(("mixed precision", ()))
    for segments in _SEGMENTS:
        again = _peak(run, Trial(GPU_ROUNDING, segments=segments, device=device))
        if again <= there:
            enough.append(("recomputing the forward pass in {int} parts ({bytes:gib})", (segments, again)))
            break
    else:
        lacking.append(("recomputation", ()))
    if found["parts"].get("optimizer slots"):
        without = _peak(run, Trial(GPU_ROUNDING, no_slots=True, device=device))
        if without <= there:
            enough.append(("an optimizer without slots ({bytes:gib})", (without,)))
        else:
            lacking.append(("no slots", ()))
    said.add("tried, and would fit: " if enough else "tried, and not enough: ")
    said.join(enough or lacking)
    if not enough:
        _try_together(said, run, batch if may_vary else None, there, device)
    if not may_vary and batch:
        said.add("; no other batch was tried: the program is made for {int:,}", batch)
    elif not may_vary:
        said.add("; no other batch was tried: no axis of its data is open")


def _try_together(said: _Said, run: Run, batch: Optional[int], there: int, device: int) -> None:
    """Mixed precision and recomputation together, and with them the largest batch."""
    for segments in _SEGMENTS:
        trial = Trial(GPU_ROUNDING, half=True, segments=segments, device=device)
        least = _peak(run, trial)
        if least <= there:
            said.add("; mixed precision and recomputing in {int} parts would fit together ({bytes:gib})",
                     segments, least)
            return
    smaller = _largest_batch(run, batch, there, trial) if batch else 0
    if smaller:
        said.add("; both together would fit with a batch of {int:,} (now {int:,})", smaller, batch)


def _peak(run: Run, trial: Trial, batch: Optional[int] = None) -> int:
    found = run.measure(trial, batch)
    return _NOT_SEEN if found is None else int(found["peak"])


def _largest_batch(run: Run, batch: int, there: int, trial: Trial) -> int:
    """Below the one at hand; 0: there is none, or none goes through."""
    low, high = 0, batch
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (middle, high) if _peak(run, trial, middle) <= there else (low, middle)
    return low
