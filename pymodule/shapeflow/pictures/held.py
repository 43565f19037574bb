"""What each row of a summary, and each node of a picture, holds at the peak of the script's largest step:
for `summary --device` and `graph --device`.

A layer holds what nodes of its name scope hold: activations, and gradients on their way back. Variables,
slots and feeds of eager code are of the whole step.
"""
from __future__ import annotations

from shapeflow.pictures.judging import (
    AMOUNT,
    FLAG,
    LIST,
    NUMBER,
    NUMBER_OR_NONE,
    OBJECT,
    OBJECT_OR_NONE,
    TEXT,
    Judge,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.checker.memory_runs import Recorder

    Plain = Dict[str, Any]


OTHER_NODES = "(other nodes)"  # the row of a graph's nodes that are in no scope of variables
_RUNS = ("session.run", "eager code")  # that memory can be of
_PARTS = ("variables", "optimizer slots", "constants", "feeds", "activations", "gradients")
_JUDGE = Judge({
    "memory": {"of": TEXT, "rounding": NUMBER, "batch": OBJECT_OR_NONE, "peak": NUMBER, "at_least": FLAG,
               "parts": OBJECT, "workspace": NUMBER, "flops": AMOUNT, "moved": AMOUNT, "devices": LIST},
    "parts": dict.fromkeys(_PARTS, NUMBER),
    "device": {"device": TEXT, "title": TEXT, "memory": NUMBER, "usable": NUMBER, "needed": NUMBER,
               "fits": FLAG, "largest_batch": NUMBER_OR_NONE, "seconds_at_least": AMOUNT, "bound_by": TEXT},
}, {})


def misfit(memory: Any) -> Optional[str]:
    """The first thing that is not of its kind, in what a script's process sent; None: all is, or nothing."""
    if memory is None:
        return None
    wrong = _JUDGE.wrong("memory", memory)
    if wrong is None:
        wrong = _JUDGE.first([("parts", [memory["parts"]]), ("device", memory["devices"])])
    return wrong or (None if memory["of"] in _RUNS else "memory of an unknown run")


def add(document: Plain, recorder: Recorder, gpus: Sequence[Plain]) -> None:
    """`memory` of the document, and `held` of its rows; both stay None where nothing holds anything."""
    document["memory"], shares = largest(recorder, gpus)
    if document["memory"] is None:
        return
    for table in document["tables"]:
        if table["kind"] != "variables":
            _of_table(table, shares, document["tables"])


def add_to_nodes(document: Plain, shares: Dict[str, int]) -> None:
    """`held` of nodes that hold something. The scopes of traced functions stand before the names of their
    nodes here, and not in the record of the step."""
    outer = sorted((group["path"] + "/" for group in document["groups"] if group["kind"] == "function"),
                   key=len, reverse=True)
    left = dict(shares)
    for node in document["nodes"]:
        name = node["name"]
        prefix = next((scope for scope in outer if name.startswith(scope)), "")
        held = left.pop(name, 0) or (left.pop(name[len(prefix):], 0) if prefix else 0)
        if held:
            node["held"] = held


def largest(recorder: Recorder, gpus: Sequence[Plain]) -> Tuple[Optional[Plain], Dict[str, int]]:
    """The largest step, and the bytes that each node holds at its peak."""
    import shapeflow.checker.memory_runs as memory_runs
    import shapeflow.pictures.memory as memory

    best = recorder.largest(memory_runs.Trial(memory_runs.GPU_ROUNDING, by_node=True))
    if best is None:
        return None, {}
    return (memory.described(*best, memory_runs.GPU_ROUNDING, gpus),
            {name: int(share[0]) for name, share in best[1]["shares"][1].items() if share[0]})


def misfit_of_largest(found: object) -> bool:
    """Is what a script's process sent for `largest` something else, or of nothing?"""
    return not (type(found) is list and len(found) == 2 and found[0] is not None and not misfit(found[0])
                and type(found[1]) is dict and all(type(held) is int for held in found[1].values()))


def _of_table(table: Plain, shares: Dict[str, int], tables: Sequence[Plain]) -> None:
    rows = table["rows"]
    for row in rows:
        row["held"] = 0
    models = {_model(other) for other in tables if other["kind"] == "model"} - {_model(table)}
    for node, held in shares.items():
        if table["kind"] == "graph":
            at = _innermost(rows, node)
            found = [] if at is None else [at]
        else:
            parts = node.split("/")[:-1]
            found = [] if models.intersection(parts) else _path(rows, parts)
        for row in found:
            row["held"] += held
    table["total"]["held"] = sum(row["held"] for row in rows if row["depth"] == 0)


def _model(table: Plain) -> str:
    """`net` of "net (Functional)"."""
    return str(table["name"]).rpartition(" (")[0]


def _innermost(rows: Sequence[Plain], node: str) -> Optional[Plain]:
    """The row of the innermost variable scope that a node is in, or of the variable that it is; else that of
    all other nodes."""
    inside = [row for row in rows if node == row["name"] or node.startswith(row["name"] + "/")]
    rest = next((row for row in rows if row["name"] == OTHER_NODES), None)
    return max(inside, key=lambda row: len(row["name"]), default=rest)


def _path(rows: Sequence[Plain], parts: Sequence[str]) -> List[Plain]:
    """The layer that a name scope is of, and the models around it: rows of increasing depth."""
    found: List[Plain] = []
    first, last = 0, len(rows)
    for part in parts:
        depth = len(found)
        at = next((i for i in range(first, last) if rows[i]["depth"] == depth and rows[i]["name"] == part),
                  None)
        if at is None:
            continue
        found.append(rows[at])
        first = at + 1
        last = next((i for i in range(first, last) if rows[i]["depth"] <= depth), last)
    return found
