"""Reports between processes and in the cache: the published record, and what only we need beside it."""
from __future__ import annotations

from shapeflow.checker.findings import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Mapping


def pack(report: Report) -> Dict[str, object]:
    """As plain data, with what the published form leaves out."""
    tried = [record.tried for record in report.records] if report.searched else None
    data = {**report.to_json(), "seconds": report.seconds, "counters": report.counters, "loops": report.loops,
            "said": report.said, "reads": report.reads, "emulated": list(report.emulated),
            "again": report.again, "again_because": report.again_because, "tried": tried,
            "again_tried": list(report.again_tried),
            "stubs": report.stubs, "wanted": report.wanted, "lacking": report.lacking,
            "guarded": report.guarded, "lent": report.lent,
            "python2": report.python2, "old_messages": report.old_messages, "failed_at": report.failed_at,
            "passable": report.passable, "split_at": report.split_at}
    if tried is None:  # what half a search has found is no answer
        for finding in data["findings"]:
            finding["fixes"] = []
    return data


def unpack(data: Dict[str, Any]) -> Report:
    """The inverse of `pack`."""
    report = Report.from_json(data)
    report.seconds = data.get("seconds", 0.0)
    report.counters = data.get("counters") or {}
    report.loops = data.get("loops") or {}
    report.reads = data.get("reads")
    report.said = [str(line) for line in data.get("said") or ()]
    report.emulated = [str(part) for part in data.get("emulated") or ()]
    report.stubs = [str(path) for path in data.get("stubs") or ()]
    report.wanted = [str(path) for path in data.get("wanted") or ()]
    report.python2 = bool(data.get("python2"))
    report.old_messages = bool(data.get("old_messages"))
    report.lent = dict(data.get("lent") or {})
    report.guarded = [str(name) for name in data.get("guarded") or ()]
    report.lacking = [str(name) for name in data.get("lacking") or ()]
    at = data.get("failed_at") or ()
    report.failed_at = [str(at[0]), int(at[1]), str(at[2])] if at else []
    report.passable = [[(str(path), int(line)) for path, line in frames]
                       for frames in data.get("passable") or ()]
    report.split_at = [(str(path), int(line)) for path, line in data.get("split_at") or ()]
    report.again = str(data.get("again") or "")
    report.again_because = str(data.get("again_because") or "")
    path, first, last = data.get("again_tried") or ("", 0, 0)
    report.again_tried = str(path), int(first), int(last)
    tried = data.get("tried")
    report.searched = tried is not None
    for record, count in zip(report.records, tried or ()):
        record.tried = count
    return report


def from_script(data: Mapping[str, object]) -> Report:
    """unpack() of what a script's process made, which may say what it likes. Fixes are looked for on our side
    only: `--fix` would write what a script says."""
    report = unpack({**data, "tried": None, "lent": {}})
    for record in report.records:
        record.fixes = []
    return report


def iterations(counters: Dict[str, int]) -> int:
    """Runs of sessions, and training steps made eagerly."""
    return counters.get("runs", 0) + counters.get("steps", 0)


def quotable(report: Report) -> None:
    """Cells of a notebook are no files: their lines are made known, for a report from elsewhere."""
    if not report.script.endswith(".ipynb"):
        return
    import linecache
    import os

    import shapeflow.notebook.ipynb as ipynb

    path = os.path.abspath(report.script)
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            notebook = ipynb.read(stream.read())
    except (OSError, ValueError):
        return
    for cell in notebook.cells:
        name = ipynb.cell_path(path, cell.number)
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(True), name)
