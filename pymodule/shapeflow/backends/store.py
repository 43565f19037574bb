"""What a campaign has done, in a SQLite file: the same command goes on where it was stopped.

What belongs to one model is kept at once (`with store:`), or not at all where the campaign ends meanwhile.
"""
from __future__ import annotations

import json
import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

    from shapeflow.backends.coverage import Coverage

    Plain = Dict[str, Any]

_TABLES = """
create table if not exists time (seconds real);
create table if not exists models (number integer primary key, status text, layers integer, seconds real,
  reason text);
create table if not exists under_way (number integer primary key, document text);
create table if not exists findings (identity text primary key, number integer, times integer,
  document text);
create table if not exists apart (layer text primary key, words text, times integer);
create table if not exists coverage (layer text, parameter text, value text, times integer,
  primary key (layer, parameter, value));
create table if not exists cells (layer text, parameter text, value text, phase text, times integer,
  primary key (layer, parameter, value, phase));
"""


def identity(finding: Plain) -> str:
    """Two findings are one when layer class, parameters that matter, phase, kind and backends are the
    same; of outputs alone, when their distances have the same pattern."""
    blamed = sorted(finding.get("blame", ()))
    what = [finding["phase"], finding["kind"], finding["backends"]]
    if "pattern" in finding:
        return json.dumps([finding["pattern"], [], *what])
    return json.dumps([finding["class"], blamed, *what])


class Store:
    """Raises sqlite3.Error, also for a full disk. Not shared between threads: the campaign's thread has
    it. What is put is kept when the block `with store:` around it ends without an exception."""

    def __init__(self, path: str) -> None:
        self._base = sqlite3.connect(path)
        self._base.executescript(_TABLES)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, *exception: object) -> None:
        if kind is None:
            self._base.commit()
        else:
            self._base.rollback()

    def next_number(self) -> int:
        row = self._base.execute("select max(number) from (select number from models union all "
                                 "select number from under_way)").fetchone()
        return 0 if row[0] is None else int(row[0]) + 1

    # --- models -----------------------------------------------------------------------------------------
    def put_under_way(self, number: int, document: Plain) -> None:
        """A model that was made, and has no outcome yet."""
        self._base.execute("insert into under_way values (?, ?)", (number, json.dumps(document)))

    def under_way(self) -> List[Plain]:
        """Those that a campaign has left without an outcome."""
        rows = self._base.execute("select document from under_way order by number").fetchall()
        return [json.loads(row[0]) for row in rows]

    def put_model(self, number: int, status: str, layers: int, seconds: float, reason: str = "") -> None:
        """The outcome of a model, which is under way no more."""
        self._base.execute("insert or replace into models values (?, ?, ?, ?, ?)",
                           (number, status, layers, seconds, reason))
        self._base.execute("delete from under_way where number = ?", (number,))

    def counts(self) -> Dict[str, int]:
        return dict(self._base.execute("select status, count(*) from models group by status"))

    def reasons(self, status: str) -> List[str]:
        return [row[0] for row in self._base.execute(
            "select distinct reason from models where status = ? order by reason", (status,))]

    # --- findings ---------------------------------------------------------------------------------------

    def put_finding(self, number: int, finding: Plain) -> bool:
        """Is it a new one?"""
        key = identity(finding)
        changed = self._base.execute("update findings set times = times + 1 where identity = ?", (key,))
        if changed.rowcount:
            return False
        self._base.execute("insert into findings values (?, ?, 1, ?)", (key, number, json.dumps(finding)))
        return True

    def update_finding(self, finding: Plain) -> None:
        self._base.execute("update findings set document = ? where identity = ?",
                           (json.dumps(finding), identity(finding)))

    def findings(self) -> List[Plain]:
        rows = self._base.execute("select document, times, number from findings order by number")
        return [{**json.loads(document), "times": times, "model": number} for document, times, number in rows]

    def put_apart(self, layer: str, words: str) -> None:
        """Of a class of layers: how its shape when it runs is another one than Keras says."""
        self._base.execute("insert into apart values (?, ?, 1) on conflict (layer) do update "
                           "set times = times + 1", (layer, words))

    def apart(self) -> List[List[Any]]:
        """[class, words of the first, how many models have such a layer]."""
        return [list(row) for row in self._base.execute("select * from apart order by layer")]

    def add_seconds(self, seconds: float) -> None:
        """That a campaign has run: less than its models took, where they run side by side."""
        with self:
            self._base.execute("insert into time values (?)", (seconds,))

    def seconds(self) -> float:
        return float(self._base.execute("select total(seconds) from time").fetchone()[0])

    # --- coverage: parameter "" is the layer itself -----------------------------------------------------
    def load(self, coverage: Coverage) -> None:
        for layer, parameter, value, times in self._base.execute("select * from coverage"):
            if parameter == "":
                coverage.layers[layer] = times
            else:
                coverage.values[layer, parameter, value] = times
        for *cell, times in self._base.execute("select * from cells"):
            coverage.cells[tuple(cell)] = times

    def save(self, coverage: Coverage) -> None:
        rows = [(layer, "", "", times) for layer, times in coverage.layers.items()]
        rows += [(*key, times) for key, times in coverage.values.items()]
        cells = [(*cell, times) for cell, times in coverage.cells.items()]
        self._base.executemany("insert or replace into coverage values (?, ?, ?, ?)", rows)
        self._base.executemany("insert or replace into cells values (?, ?, ?, ?, ?)", cells)

    def close(self) -> None:
        self._base.close()
