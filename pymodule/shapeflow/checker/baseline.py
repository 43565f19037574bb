"""A baseline: the findings that a project lives with, so that only new ones count.

An entry names the file, the code, the op and the text of the guilty line, never its number, so that it
holds when lines move. Several equal findings need as many entries.
"""
from __future__ import annotations

import os

from shapeflow.checker.configuration import ConfigError
from shapeflow.checker.findings import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Sequence, Set, Tuple

    Entry = Tuple[str, str, str, str, str]

_FIELDS = ("path", "code", "op", "function", "text")


def _entry(record: Record, folder: str) -> Entry:
    span = record.primary
    if span is None:  # of a model: the node is the place
        place = (record.place or "").split(": node ")[0]
        return (place, record.code, record.op_type or "", record.node_name or "", "")
    path = os.path.relpath(os.path.abspath(span.path), folder).replace(os.sep, "/")
    return (path, record.code, record.op_type or "", span.function, " ".join(span.text.split()))


def _place(record: Record) -> Tuple[int, int]:
    """Tells equal entries apart; a module that several scripts import shows each of its own once."""
    return (record.primary.line, record.primary.column) if record.primary else (0, 0)


def write(path: str, records: Sequence[Record]) -> int:
    """Writes the findings as a baseline; how many there are. Raises OSError."""
    import json

    folder = os.path.dirname(os.path.abspath(path))
    counts: Dict[Entry, int] = {}
    for entry, _ in dict.fromkeys((_entry(record, folder), _place(record)) for record in records):
        counts[entry] = counts.get(entry, 0) + 1
    items = [{**dict(zip(_FIELDS, entry)), "count": count} for entry, count in sorted(counts.items())]
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"version": 1, "findings": items}, stream, indent=1)
        stream.write("\n")
    return sum(counts.values())


class Baseline:
    """What a baseline file allows, used up as findings match it. Raises ConfigError for a bad file."""

    def __init__(self, path: str) -> None:
        import json

        self._folder = os.path.dirname(os.path.abspath(path))
        self._left: Dict[Entry, int] = {}
        self._granted: Set[Tuple[Entry, Tuple[int, int]]] = set()
        try:
            with open(path, encoding="utf-8") as stream:
                data = json.load(stream)
            if data["version"] != 1:
                raise ConfigError(f"{path}: a baseline of version {data['version']!r}, not 1")
            for item in data["findings"]:
                entry = (item["path"], item["code"], item["op"], item["function"], item["text"])
                self._left[entry] = self._left.get(entry, 0) + int(item["count"])
        except OSError as error:
            raise ConfigError(f"cannot read the baseline {path}: {error.strerror} "
                              "(--write-baseline makes one)")
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path} is no baseline: {type(error).__name__}: {error}")

    def allows(self, record: Record) -> bool:
        entry = _entry(record, self._folder)
        if (entry, _place(record)) in self._granted:
            return True
        left = self._left.get(entry, 0)
        if left > 0:
            self._left[entry] = left - 1
            self._granted.add((entry, _place(record)))
        return left > 0
