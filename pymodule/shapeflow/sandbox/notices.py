"""What the sandbox kept from happening, as short notes at the end of a report."""
from __future__ import annotations

import os

from shapeflow.checker.findings import Record, display_path, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Sequence, Tuple

    from shapeflow.checker.findings import Report

    Event = Tuple[str, str, str, int, bool, int]

CODE, NAME = "SF903", "SANDBOX"
_SHOWN = 3
_OPTIONS = {"write": "--allow-write FOLDER keeps what is written there", "net": "--allow-net permits it",
            "delete": "--allow-write FOLDER does it for real there"}

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
    return [_note(kind, blocked, events)
            for (kind, blocked), events in kinds.items() if blocked or kind in ("write", "delete", "net")]


def add_removed(report: Report, paths: Sequence[str]) -> None:
    """What the kernel saw removed, by whatever program: where the script's own notes say nothing of it."""
    if any(record.code == CODE and ("name", _WORDS["delete"][1]) in record.arguments
           for record in report.records):
        return
    events = [("delete", display_path(path), "", 0, False, 1) for path in paths]
    report.records.append(_note("delete", False, events))


def is_blocked() -> bool:
    """Was anything refused?"""
    from shapeflow import _sandbox  # type: ignore[attr-defined]

    return any(blocked for _, _, _, _, blocked, _ in _sandbox.events())


def _without_passing(events: List[Event]) -> List[Event]:
    """Without what leaves nothing behind either way: what is written through a descriptor, the name that a
    process gives itself (absl), and files of the temporary folder that are also removed (multiprocessing).
    Nor a socket that was never to be connected: urllib3 makes one when it is imported; nor the folder and
    file of settings that Keras makes where it is imported first."""
    keras = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    settings = (keras, os.path.join(keras, "keras.json"))
    written = {what for kind, what, *_ in events if kind == "write"}
    removed = {what for kind, what, *_ in events if kind == "delete"}
    passing = {what for what in written & removed
               if os.path.dirname(what) in ("/tmp", os.environ.get("TMPDIR", "").rstrip("/"))}
    return [event for event in events
            if event[1] not in passing and not event[1].startswith("/proc/self/")
            and event[:2] != ("net", "socket") and not (event[0] == "write" and event[1] in settings)
            and not (event[0] == "net" and not event[4] and _is_own(event[1]))]


def _is_own(address: str) -> bool:
    """Of this machine, which a script reaches in a network of its own, too."""
    host = address.rpartition("://")[2].partition("/")[0].rpartition(":")[0] or address
    return address.startswith("/") or host.startswith("127.") or \
        host in ("", "localhost", "0.0.0.0", "::", "::1", "[::1]", os.uname().nodename)


def _note(kind: str, blocked: bool, events: List[Event]) -> Record:
    noun, done = _WORDS.get(kind, (kind, "touched"))
    blocked = blocked or kind == "net"  # by the kernel, which lets the call itself through
    folders = sum(os.path.isdir(what) for _, what, *_ in events) if kind in ("write", "delete") else 0
    if folders == len(events):
        noun, done = "folder", "made" if kind == "write" else done
    elif folders:
        noun = "files and folder"
    if len(events) != 1:
        noun += "es" if noun.endswith("s") else "s"
    places = []
    for _, what, path, line, _, _ in events[:_SHOWN]:
        places.append(f"{what} ({display_path(path)}:{line})" if path else what)
    if len(events) > _SHOWN:
        places.append(f"and {len(events) - _SHOWN} more")
    fate = "not {name}: blocked in a check" if blocked else "{name} in a scratch copy that is gone now"
    return told(CODE, NAME, "note", "{int} {name} " + fate + ": {text}; {text}", len(events), noun, done,
                ", ".join(places), _OPTIONS.get(kind, "--no-sandbox permits it"))
