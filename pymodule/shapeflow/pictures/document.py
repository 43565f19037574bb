"""The document of a graph: how it is put together, and what every one keeps.

A document is plain data. Nodes, groups and files are numbered by their places in their lists.
"""
from __future__ import annotations

import os

from shapeflow.pictures.judging import (
    AMOUNT_OR_NONE,
    FLAG,
    LIST,
    NUMBER,
    NUMBER_OR_NONE,
    OBJECT,
    OBJECT_OR_NONE,
    TEXT,
    Judge,
    texts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]

VERSION = 2
COLLAPSED = 20_000  # nodes: a document of more is shown collapsed
LARGEST = 200_000  # nodes of a document
DEEPEST = 40  # groups inside one another: what lies deeper is one group with a long name


def schema() -> Plain:
    """The JSON schema of documents."""
    import json

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "graph.schema.json")
    with open(path, encoding="utf-8") as stream:
        made: Plain = json.load(stream)
    return made


def to_json(document: Plain) -> str:
    """One line for each node, edge and group: readable, and quick to write."""
    import json

    write = json.JSONEncoder().encode
    parts = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            items = ",\n  ".join(map(write, value))
            parts.append(f" {write(key)}: [\n  {items}\n ]")
        else:
            parts.append(f" {write(key)}: {write(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


class Files:
    """The files and lines that a document names."""

    def __init__(self) -> None:
        self.rows: List[Plain] = []
        self._known: Dict[str, int] = {}

    def place(self, frame: Optional[Sequence[Any]]) -> Optional[Plain]:
        """{file, line, column} of (path, line, column...); the line's text is kept with the file."""
        if frame is None or not frame[0] or frame[1] < 1:
            return None
        path, line = str(frame[0]), int(frame[1])
        number = self._known.get(path)
        if number is None:
            from shapeflow.checker.findings import display_path

            number = self._known[path] = len(self.rows)
            self.rows.append({"path": display_path(path) if os.path.isabs(path) else path, "lines": {}})
        lines = self.rows[number]["lines"]
        if str(line) not in lines:
            import linecache

            lines[str(line)] = linecache.getline(path, line).rstrip("\r\n")
        return {"file": number, "line": line, "column": int(frame[2])}


class Groups:
    """The boxes of a document, by their paths; parents come before children, at most 3 * DEEPEST deep."""

    def __init__(self) -> None:
        self.rows: List[Plain] = []
        self._depth: List[int] = []
        self._known: Dict[Tuple[Optional[int], str], int] = {}
        self._next: Dict[Tuple[Optional[int], str], int] = {}  # the number after a name that is taken
        self._paths: Dict[Tuple[Optional[int], str], Optional[int]] = {}

    def child(self, parent: Optional[int], name: str, kind: str = "scope") -> int:
        """The group of that name in `parent`, made if there is none."""
        if parent is not None and self._depth[parent] >= 3 * DEEPEST:
            return parent
        key = parent, name
        number = self._known.get(key)
        if number is None:
            self._depth.append(1 if parent is None else self._depth[parent] + 1)
            number = self._known[key] = len(self.rows)
            path = name if parent is None else self.rows[parent]["path"] + "/" + name
            self.rows.append({"name": name, "path": path, "parent": parent, "kind": kind})
        elif kind != "scope":
            self.rows[number]["kind"] = kind
        return number

    def fresh(self, parent: Optional[int], name: str, kind: str) -> int:
        """A new group, with a number after its name if that is taken."""
        wanted, count = name, self._next.get((parent, name), 1)
        while (parent, wanted) in self._known:
            wanted = f"{name}_{count}"
            count += 1
        self._next[parent, name] = count
        return self.child(parent, wanted, kind)

    def at(self, root: Optional[int], path: str) -> Optional[int]:
        """The group of a path like `net/layer1` below `root`; of "" `root` itself."""
        if not path:
            return root
        key = root, path
        if key not in self._paths:
            parts = path.split("/", DEEPEST)
            number = root
            for part in parts:
                number = self.child(number, part or "/")
            self._paths[key] = number
        return self._paths[key]


# --- judging -----------------------------------------------------------------------------------------
_FIELDS: Dict[str, Dict[str, object]] = {
    "document": {"version": NUMBER, "shapeflow": TEXT, "script": TEXT, "title": TEXT, "collapsed": FLAG,
                 "files": LIST, "groups": LIST, "nodes": LIST, "edges": LIST, "findings": LIST, "runs": LIST},
    "file": {"path": TEXT, "lines": OBJECT},
    "place": {"file": NUMBER, "line": NUMBER, "column": NUMBER},
    "group": {"name": TEXT, "path": TEXT, "parent": NUMBER_OR_NONE, "kind": TEXT},
    "node": {"name": TEXT, "op": TEXT, "group": NUMBER_OR_NONE, "outputs": LIST,
             "parameters": NUMBER_OR_NONE, "flops": AMOUNT_OR_NONE, "device": TEXT,
             "source": OBJECT_OR_NONE},
    "output": {"shape": TEXT, "dtype": TEXT, "bytes": NUMBER_OR_NONE},
    "edge": {"from": NUMBER, "to": NUMBER},
    "data edge": {"from": NUMBER, "output": NUMBER, "to": NUMBER, "input": NUMBER},
    "finding": {"node": NUMBER_OR_NONE, "code": TEXT, "error": FLAG, "message": TEXT, "place": OBJECT_OR_NONE,
                "operands": LIST, "chains": LIST, "fix": OBJECT_OR_NONE},
    "operand": {"name": TEXT, "shape": TEXT, "input": NUMBER_OR_NONE, "node": NUMBER_OR_NONE},
    "chain": {"operand": NUMBER, "axis": NUMBER, "dim": TEXT, "nodes": LIST},
    "note": {"text": TEXT, "place": OBJECT_OR_NONE},
    "run": {"first": NUMBER, "count": NUMBER, "feeds": OBJECT, "fetches": LIST, "shapes": OBJECT},
}
_OPTIONAL: Dict[str, Dict[str, object]] = {
    "node": {"trainable": FLAG, "attrs": OBJECT, "held": NUMBER}, "output": {"value": TEXT},
    "group": {"variable": NUMBER, "folded": FLAG}, "edge": {"control": FLAG},
    "operand": {"value": TEXT, "axes": LIST, "expression": TEXT},
    "finding": {"notes": LIST}}
_JUDGE = Judge(_FIELDS, _OPTIONAL, ("column", "axis"))
KINDS = ("scope", "while", "cond", "function")


def _places(nodes: List[Plain], findings: List[Plain]) -> Iterator[object]:
    """All places; asked for after nodes, findings and notes were looked at."""
    yield from (n["source"] for n in nodes)
    yield from (f["place"] for f in findings)
    yield from (note["place"] for f in findings for note in f.get("notes", ()))


def misfit(document: Any) -> Optional[str]:
    """The first thing in a document that is not of its kind, or None: graph.schema.json by hand."""
    wrong = _JUDGE.wrong("document", document)
    if wrong is None:
        nodes, findings = document["nodes"], document["findings"]
        parts = [("file", document["files"]), ("group", document["groups"]), ("node", nodes),
                 ("finding", findings), ("run", document["runs"])]
        wrong = _JUDGE.first(parts)
    if wrong is None:
        edges = document["edges"]
        inner = [("output", (o for n in nodes for o in n["outputs"])),
                 ("note", (n for f in findings for n in f.get("notes", ()))),
                 ("place", (p for p in _places(nodes, findings) if p is not None)),
                 ("operand", (o for f in findings for o in f["operands"])),
                 ("chain", (c for f in findings for c in f["chains"])),
                 ("edge", (e for e in edges if type(e) is not dict or "control" in e)),
                 ("data edge", (e for e in edges if type(e) is dict and "control" not in e))]
        wrong = _JUDGE.first(inner)
    if wrong is not None:
        return wrong
    if not all(group["kind"] in KINDS for group in document["groups"]):
        return "a group of an unknown kind"
    if not all(texts(f["lines"].values()) for f in document["files"]):
        return "a line that is no text"
    if not all(texts(node["attrs"].values()) for node in nodes if "attrs" in node):
        return "an attr that is no text"
    for chain in (c for f in findings for c in f["chains"]):
        if not all(type(n) is int for n in chain["nodes"]):
            return "a chain of no nodes"
    for operand in (o for f in findings for o in f["operands"]):
        if not all(type(axis) is int for axis in operand.get("axes", ())):
            return "an axis that is no number"
    for run in document["runs"]:
        if not (texts(run["fetches"]) and texts(run["feeds"].values()) and all(
                key.isdigit() and type(s) is list and texts(s) for key, s in run["shapes"].items())):
            return "a run of no shapes"
    return None if all(f["fix"] is None for f in findings) else "a fix from the script"


def broken(document: Plain) -> Optional[str]:
    """The first promise beyond the schema that a document breaks, or None: numbers that name nothing,
    children before parents, edges from outputs that are not there."""
    nodes, groups, files = document["nodes"], document["groups"], document["files"]
    depth = [0] * len(groups)

    def bad_place(place: Optional[Plain]) -> bool:
        return place is not None and not (
            0 <= place["file"] < len(files) and str(place["line"]) in files[place["file"]]["lines"])

    def no_node(number: Optional[int]) -> bool:
        return number is not None and not 0 <= number < len(nodes)

    for i, group in enumerate(groups):
        if group["parent"] is not None and not 0 <= group["parent"] < i:
            return f"group {i} comes before its parent"
        if no_node(group.get("variable")):
            return f"group {i} is of no variable"
        depth[i] = 1 if group["parent"] is None else depth[group["parent"]] + 1
        if depth[i] > 3 * DEEPEST:
            return f"group {i} is too deep"
    for i, node in enumerate(nodes):
        if node["group"] is not None and not 0 <= node["group"] < len(groups):
            return f"node {i} is in no group"
        if bad_place(node["source"]):
            return f"node {i} has no source line"
    for i, edge in enumerate(document["edges"]):
        if no_node(edge["from"]) or no_node(edge["to"]):
            return f"edge {i} has a loose end"
        if not edge.get("control") and not (
                0 <= edge["output"] < len(nodes[edge["from"]]["outputs"]) and edge["input"] >= 0):
            return f"edge {i} begins at an output that is not there"
    for i, finding in enumerate(document["findings"]):
        numbers = [finding["node"]] + [operand["node"] for operand in finding["operands"]]
        for chain in finding["chains"]:
            numbers += chain["nodes"]
            if not 0 <= chain["operand"] < len(finding["operands"]):
                return f"finding {i} has a chain of no operand"
        places = [finding["place"], *(note["place"] for note in finding.get("notes", ()))]
        if any(map(no_node, numbers)) or any(map(bad_place, places)):
            return f"finding {i} names what is not there"
    for i, run in enumerate(document["runs"]):
        for key, shapes in run["shapes"].items():
            if no_node(int(key)) or len(shapes) != len(nodes[int(key)]["outputs"]):
                return f"run {i} has shapes of no node"
    return None
