"""The document of a graph: how it is put together, and what every one keeps.

A document is plain data. Nodes, groups and files are numbered by their places in their lists.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

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
            from shapeflow.findings import display_path

            number = self._known[path] = len(self.rows)
            self.rows.append({"path": display_path(path) if os.path.isabs(path) else path, "lines": {}})
        lines = self.rows[number]["lines"]
        if str(line) not in lines:
            import linecache

            lines[str(line)] = linecache.getline(path, line).rstrip("\r\n")
        return {"file": number, "line": line, "column": int(frame[2])}


class Groups:
    """The boxes of a document, by their paths; parents come before children."""

    def __init__(self) -> None:
        self.rows: List[Plain] = []
        self._known: Dict[Tuple[Optional[int], str], int] = {}
        self._paths: Dict[Tuple[Optional[int], str], Optional[int]] = {}

    def child(self, parent: Optional[int], name: str, kind: str = "scope") -> int:
        """The group of that name in `parent`, made if there is none."""
        key = parent, name
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.rows)
            path = name if parent is None else self.rows[parent]["path"] + "/" + name
            self.rows.append({"name": name, "path": path, "parent": parent, "kind": kind})
        elif kind != "scope":
            self.rows[number]["kind"] = kind
        return number

    def fresh(self, parent: Optional[int], name: str, kind: str) -> int:
        """A new group, with a number after its name if that is taken."""
        wanted, count = name, 0
        while (parent, wanted) in self._known:
            count += 1
            wanted = f"{name}_{count}"
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


def broken(document: Plain) -> Optional[str]:
    """The first promise beyond the schema that a document breaks, or None: numbers that name nothing,
    children before parents, edges from outputs that are not there."""
    nodes, groups, files = document["nodes"], document["groups"], document["files"]

    def bad_place(place: Optional[Plain]) -> bool:
        return place is not None and not (
            0 <= place["file"] < len(files) and str(place["line"]) in files[place["file"]]["lines"])

    def no_node(number: Optional[int]) -> bool:
        return number is not None and not 0 <= number < len(nodes)

    for i, group in enumerate(groups):
        if group["parent"] is not None and not 0 <= group["parent"] < i:
            return f"group {i} comes before its parent"
    for i, node in enumerate(nodes):
        if node["group"] is not None and not 0 <= node["group"] < len(groups):
            return f"node {i} is in no group"
        if bad_place(node["source"]):
            return f"node {i} has no source line"
    for i, edge in enumerate(document["edges"]):
        if no_node(edge["from"]) or no_node(edge["to"]):
            return f"edge {i} has a loose end"
        if not edge.get("control") and edge["output"] >= len(nodes[edge["from"]]["outputs"]):
            return f"edge {i} begins at an output that is not there"
    for i, finding in enumerate(document["findings"]):
        numbers = [finding["node"]] + [operand["node"] for operand in finding["operands"]]
        for chain in finding["chains"]:
            numbers += chain["nodes"]
            if not 0 <= chain["operand"] < len(finding["operands"]):
                return f"finding {i} has a chain of no operand"
        if any(map(no_node, numbers)) or bad_place(finding["place"]):
            return f"finding {i} names what is not there"
    for i, run in enumerate(document["runs"]):
        for key, shapes in run["shapes"].items():
            if no_node(int(key)) or len(shapes) != len(nodes[int(key)]["outputs"]):
                return f"run {i} has shapes of no node"
    return None
