"""What the sandbox kept from happening, as short notes at the end of a report."""
from __future__ import annotations

import os

from shapeflow.findings import Record, display_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple

    Event = Tuple[str, str, str, int, bool, int]

CODE, NAME = "SF903", "SANDBOX"
_SHOWN = 3

# kind: what is named, and what was to be done with it.
_WORDS: Dict[str, Tuple[str, str]] = {
    "write": ("file", "written"), "delete": ("file", "removed or renamed"), "net": ("address", "reached"),
    "process": ("program", "started"), "signal": ("process", "signalled"), "device": ("device", "opened"),
}


def records() -> List[Record]:
    """One note for each kind of event, naming the first few with their lines."""
    from shapeflow import _sandbox  # type: ignore[attr-defined]

    kinds: Dict[Tuple[str, bool], List[Event]] = {}
    for event in _without_passing(_sandbox.events()):
        kinds.setdefault((event[0], event[4]), []).append(event)
    return [Record(CODE, NAME, "note", _message(kind, blocked, events))
            for (kind, blocked), events in kinds.items() if blocked or kind in ("write", "delete")]


def is_blocked() -> bool:
    """Was anything refused?"""
    from shapeflow import _sandbox  # type: ignore[attr-defined]

    return any(blocked for _, _, _, _, blocked, _ in _sandbox.events())


def _without_passing(events: List[Event]) -> List[Event]:
    """Without what leaves nothing behind either way, as multiprocessing does: what is written through a
    descriptor, and files of the temporary folder that are also removed. Nor a socket that was never to be
    connected: urllib3 makes one when it is imported."""
    written = {what for kind, what, *_ in events if kind == "write"}
    removed = {what for kind, what, *_ in events if kind == "delete"}
    passing = {what for what in written & removed
               if os.path.dirname(what) in ("/tmp", os.environ.get("TMPDIR", "").rstrip("/"))}
    return [event for event in events
            if event[1] not in passing and os.path.dirname(event[1]) != "/proc/self/fd"
            and event[:2] != ("net", "socket")]


def _message(kind: str, blocked: bool, events: List[Event]) -> str:
    noun, done = _WORDS.get(kind, (kind, "touched"))
    if len(events) != 1:
        noun += "es" if noun.endswith("s") else "s"
    places = []
    for _, what, path, line, _, _ in events[:_SHOWN]:
        places.append(f"{what} ({display_path(path)}:{line})" if path else what)
    if len(events) > _SHOWN:
        places.append(f"and {len(events) - _SHOWN} more")
    fate = "not " + done + ": blocked in a check" if blocked else done + " in a scratch copy that is gone now"
    return f"{len(events)} {noun} {fate}: {', '.join(places)}"
