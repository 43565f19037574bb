"""Tried suggestions: after a check, edits that may mend a finding are made up, tried on the whole program,
and only those that lead to no further finding are kept.

    find(report, SearchOptions(args, ...))   fills Record.fixes: {description, diff, edits, kind}
    apply(record)                            {path: new text} with the first of them

Nothing is written anywhere. `search.py` says what holds, `trial.py` runs a candidate, the other modules
make them: `calls`, `operands`, `sizes`, `feeds`, `batches`, `labels`, `layers`, `steps`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    from shapeflow.checker.findings import Record, Report
    from shapeflow.fixes.search import SearchOptions


def find(report: Report, options: Optional[SearchOptions] = None) -> None:
    """Looks for fixes of the report's errors and warnings, with options.trials at most; `report.searched`
    says that it was done to its end, `report.search_stopped` why not.

    Where a process cannot be forked (Windows) it finds none."""
    import os

    import shapeflow.fixes.search as search

    if hasattr(os, "fork"):
        done = search.find(report, options or search.SearchOptions())
        report.searched, report.search_stopped = not done.cut, done.cut


def apply(record: Record, number: int = 0, texts: Optional[Dict[str, str]] = None) -> Dict[str, str]:
    """{path: new text} of the files that a fix changes; `texts` instead of what the files hold.

    Raises LookupError when the record has no such fix, ValueError when a file is no longer what it was
    when the fix was found."""
    from shapeflow.fixes.source import Edit, Source, apply_edits

    if number >= len(record.fixes):
        raise LookupError("the finding has no such fix")
    edits: Dict[str, Any] = {}
    for edit in record.fixes[number]["edits"]:
        edits.setdefault(edit["path"], []).append(edit)
    found = {}
    for path, items in edits.items():
        text = (texts or {}).get(path)
        if text is None:
            with open(path, encoding="utf-8", newline="") as stream:
                text = stream.read()
        source = Source(path, text)
        made = []
        for item in items:
            start = source.offset(item["line"], item["column"])
            end = source.offset(item["end_line"], item["end_column"])
            if text[start:end] != item["old"] or source.line(item["line"]) != item["whole"]:
                raise ValueError(f"{path} has changed since it was checked")
            made.append(Edit(path, start, end, item["text"]))
        found[path] = apply_edits(text, made)
    return found
