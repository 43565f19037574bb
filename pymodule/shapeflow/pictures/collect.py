"""From the graphs of a run to a document: see docs/graph.md. Called inside the run, while its graphs live."""
from __future__ import annotations

import os

from shapeflow import _core
from shapeflow._version import __version__
from shapeflow.formats import view
from shapeflow.pictures import bookkeeping, document, groups
from shapeflow.pictures.rows import Rows, rows_of
from shapeflow.pictures.tables import shape_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow._core import Finding, Graph
    from shapeflow.checker.findings import Record
    from shapeflow.pictures.rows import Row

    Plain = Dict[str, Any]
    Key = Tuple[int, int]  # of a node among all graphs


_CALLS = {"While": "while", "StatelessWhile": "while", "If": "cond", "StatelessIf": "cond", "Case": "cond",
          "StatelessCase": "cond"}
# Attrs that have nothing to do with shapes, or repeat the shape of the output.
_QUIET_ATTRS = frozenset({"container", "shared_name", "frame_name", "seed", "seed2", "shape", "use_locking",
                          "validate_shape", "debug_name", "is_constant", "parallel_iterations"})
_SAME_SHAPE = frozenset({"SF107", "SF108"})  # of two operands, without an axis


class DocumentBuilder:
    """Makes one document of several graphs."""

    def __init__(self, script: str, launcher: str = "") -> None:
        self.script = script
        self.launcher = launcher
        self.files = document.Files()
        self.groups = document.Groups()
        self.nodes: List[Plain] = []
        self.edges: List[Plain] = []
        self.findings: List[Plain] = []
        self.runs: List[Plain] = []
        self.left_out = 0
        self.trainable: Dict[Key, bool] = {}
        self.counted: Set[Tuple[str, int]] = set()  # variables of eager mode
        self._numbers: Dict[Key, int] = {}
        self._by_key: Dict[int, Sequence[Row]] = {}
        self._boxes: Dict[int, int] = {}  # of nodes that call functions
        self._results: List[Tuple[Key, int, int]] = []
        self._names: Dict[Tuple[int, str], int] = {}
        self._rows: List[Tuple[int, int, Sequence[Row]]] = []  # key, first node, rows
        self._roots: Dict[int, Optional[int]] = {}  # the groups that graphs are in

    # --- graphs -------------------------------------------------------------------------------
    def add(self, graph: Graph, root: Optional[int] = None,
            group_of: Optional[Callable[[Row, Sequence[Any]], Optional[int]]] = None) -> int:
        """The nodes of a graph, in the group `root`; how many there were."""
        found = Rows(graph, max(0, document.LARGEST - len(self.nodes)))
        self.left_out += found.size - len(found.rows)
        self.add_rows(found.key, found.rows, root, group_of)
        return len(found.rows)

    def add_rows(self, key: int, rows: Sequence[Row], root: Optional[int] = None,
                 group_of: Optional[Callable[[Row, Sequence[object]], Optional[int]]] = None,
                 prefix: str = "") -> None:
        """`prefix` is of all names, and what the group `root` is for."""
        frames = _core.frames_of_locations({row.location for row in rows if row.location})
        frames = {location: [f for f in found if os.path.abspath(f[0]) != self.launcher]
                  for location, found in frames.items()}
        first = len(self.nodes)
        self._rows.append((key, first, rows))
        self._by_key[key] = rows
        self._roots[key] = root
        inner = groups.contexts(rows, len(prefix))
        scopes = groups.scopes_of(rows, len(prefix))
        for number, (row, context) in enumerate(zip(rows, inner)):
            there = frames.get(row.location) or ()
            if group_of is not None:
                group = group_of(row, there)
            else:
                name = row.name[len(prefix):]
                group = self.groups.at(root, groups.inside(
                    name if name in scopes else groups.scope_of(name), context))
            self._numbers[key, number] = first + number
            self._names.setdefault((key, row.name), first + number)
            self.nodes.append(self._node(key, number, row, group, there))
        for made in {id(c): c for c in inner if c is not None}.values():
            box = self.groups.at(root, made.box)
            if box is not None:
                self.groups.rows[box]["kind"] = made.kind

    def _node(self, key: int, number: int, row: Row, group: Optional[int],
              frames: Sequence[Any]) -> Plain:
        node: Plain = {
            "name": row.name, "op": row.op, "group": group,
            "outputs": [{"shape": shape, "dtype": dtype, "bytes": size}
                        for shape, dtype, size in row.outputs],
            "parameters": None, "flops": row.flops, "device": row.device,
            "source": self.files.place(frames[0] if frames else None),
        }
        attrs = {name: text for name, text in row.attrs if name not in _QUIET_ATTRS}
        if attrs:
            node["attrs"] = attrs
        if row.value is not None and row.outputs:
            node["outputs"][0]["value"] = row.value
        if row.parameters is not None:
            node["parameters"] = row.parameters if row.parameters >= 0 else None
            node["trainable"] = self.trainable.get((key, number), False)
        return node

    def connect(self) -> None:
        """The edges of all graphs, once all are there."""
        inputs = {self._numbers[key, number]: len(row.inputs) for key, _, rows in self._rows
                  for number, row in enumerate(rows)} if self._results else {}
        for key, first, rows in self._rows:
            for number, row in enumerate(rows, first):
                for k, (source, output) in enumerate(row.inputs):
                    at = self._numbers.get((key, source) if isinstance(source, int) else source)
                    if at is not None and output < len(self.nodes[at]["outputs"]):
                        self.edges.append({"from": at, "output": output, "to": number, "input": k})
                for source in row.controls:
                    at = self._numbers.get((key, source))
                    if at is not None:
                        self.edges.append({"from": at, "to": number, "control": True})
        for result, output, caller in self._results:
            at = self._numbers.get(result)
            if at is not None and output < len(self.nodes[at]["outputs"]):
                self.edges.append({"from": at, "output": output, "to": caller, "input": inputs[caller]})
                inputs[caller] += 1

    def alias(self, key: int, numbers: Dict[int, int], rows: Sequence[Row] = ()) -> None:
        """Nodes of the graph `key`, of which all are in `rows`, are shown as those of the document."""
        if rows:
            self._by_key[key] = rows
        for number, shown in numbers.items():
            self._numbers[key, number] = shown

    def add_calls(self, calls: Sequence[Any]) -> None:
        """Functions that nodes call, each in a box of its caller's; their results go into the caller, after
        its own inputs."""
        left = [call for call in calls if call[2][2]]
        while left:
            ready = [call for call in left if tuple(call[0]) in self._numbers]
            if not ready:
                if self.left_out:  # their callers too
                    self.left_out += sum(len(call[2][2]) for call in left)
                break
            left = [call for call in left if tuple(call[0]) not in self._numbers]
            for caller, function, (key, _, rows), results, arguments in ready:
                shown = rows_of(rows)
                self._pass_arguments(tuple(caller), shown, arguments)
                self._add_call(self._numbers[tuple(caller)], function, key, shown, results)

    def _pass_arguments(self, caller: Any, rows: Sequence[Row], arguments: Sequence[str]) -> None:
        """The nodes that stand for arguments take what their caller takes."""
        node = self.nodes[self._numbers[caller]]
        given = self._row(caller).inputs[1 if _CALLS.get(node["op"]) == "cond" else 0:]
        named = {row.name.rpartition("/")[2]: row for row in rows if row.op == "Unknown" and not row.inputs}
        for name, (source, output) in zip(arguments, given):
            row = named.get(name)
            if row is not None:
                row.op, row.flops = "_Arg", 0.0
                row.inputs = [((caller[0], source) if isinstance(source, int) else source, output)]

    def _row(self, key: Key) -> Row:
        return self._by_key[key[0]][key[1]]

    def _add_call(self, caller: int, function: str, key: int, rows: Sequence[Row],
                  results: Sequence[Any]) -> None:
        node = self.nodes[caller]
        kind = _CALLS.get(node["op"], "function")
        box = self._boxes.get(caller)
        if box is None:
            name, around = node["name"].rpartition("/")[2], node["group"]
            if around is not None and self.groups.rows[around]["name"] == name:
                box = around  # the scope of that name is its own
                self.groups.rows[box]["kind"] = kind
            else:
                box = self.groups.fresh(around, name, kind)
            self._boxes[caller] = node["group"] = box
        if kind != "function":
            box = self.groups.fresh(box, function, "function")
        elif node["op"] == "Unknown":
            node["op"] = function
        room = max(0, document.LARGEST - len(self.nodes))
        self.left_out += max(0, len(rows) - room)
        rows = rows[:room]
        self.add_rows(key, rows, box, prefix=node["name"] + "/" if all(
            row.name.startswith(node["name"] + "/") for row in rows) else "")
        for source, output in results:
            if source is not None:
                self._results.append((tuple(source), output, caller))

    def number_of(self, key: Optional[Sequence[int]]) -> Optional[int]:
        """The node of the document that a node of a graph became."""
        return None if key is None else self._numbers.get((key[0], key[1]))

    def named(self, graph: Optional[int], name: str) -> Optional[int]:
        """By the name in a graph, or in the first that has it."""
        if graph is not None:
            return self._names.get((graph, name))
        for key, _, _ in self._rows:
            found = self._names.get((key, name))
            if found is not None:
                return found
        return None

    # --- findings -----------------------------------------------------------------------------
    def add_finding(self, record: Record, finding: Optional[Finding] = None,
                    scope: Optional[str] = None) -> None:
        """`finding` is the extension's, of which `record` was made: it knows the nodes. `scope`: the layer or
        name scope that it was made in, where it is of no node."""
        operands = [_operand(record, k) for k in range(len(record.operands))]
        raw = list(finding.operands) if finding is not None else []
        for operand, item in zip(operands, raw):
            operand["node"] = self.number_of(item["node"])
        node = self._node_of(record, finding, operands, raw, scope)
        for operand in operands:
            if node is None or operand["node"] is None:
                operand["input"] = None
        chains = []
        for origin in finding.origins if finding is not None else ():
            way = [self.number_of(step["node"]) for step in origin["steps"]]
            numbers = [n for n in [node, *way] if n is not None]
            alone = [n for i, n in enumerate(numbers) if i == 0 or n != numbers[i - 1]]
            chains.append({"operand": origin["operand"], "axis": origin["axis"], "dim": origin["dim"],
                           "nodes": alone})
        self.findings.append({
            "node": node, "code": record.code, "error": record.severity == "error",
            "message": view.bare_message(record),
            "place": self.files.place(record.primary.frame() if record.primary else None),
            "operands": operands, "chains": chains, "fix": None,
            "notes": [{"text": note.text, "place": self.files.place(note.span.frame() if note.span else None)}
                      for note in view.notes(record, False) if note.kind == "note"],
        })

    def _node_of(self, record: Record, finding: Any, operands: Sequence[Plain], raw: Sequence[Any],
                 scope: Optional[str]) -> Optional[int]:
        if finding is None:
            return None
        number = self.number_of(finding.node)
        if number is None and record.node_name:
            graphs = [item["node"][0] for item in raw if item["node"] is not None]
            number = self.named(graphs[0] if graphs else None, record.node_name)
        if number is None and (record.op_type or any(o["node"] is not None for o in operands)):
            number = self._failed(record, operands, raw, scope)
        return number

    def _failed(self, record: Record, operands: Sequence[Plain], raw: Sequence[Any],
                scope: Optional[str]) -> int:
        """A node for an op that never became one, where it would be: in its own layer or scope, of the graph
        that its operands are of. Of an eager call without a scope only its operands tell."""
        known = [operand["node"] for operand in operands if operand["node"] is not None]
        op = record.op_type or _called(record)
        name = record.node_name or op
        if scope is None and record.node_name is None:
            group = self.nodes[known[-1]]["group"] if known else None
        else:
            graphs = [item["node"][0] for item in raw if item["node"] is not None]
            root = next((self._roots[key] for key in reversed(graphs) if key in self._roots), None)
            group = self.groups.at(root, groups.scope_of(name) if scope is None else scope)
        number = len(self.nodes)
        frame = record.primary.frame() if record.primary is not None else None
        edges = [{"from": operand["node"], "output": item["output"], "to": number, "input": k}
                 for k, (operand, item) in enumerate(zip(operands, raw)) if operand["node"] is not None
                 and item["output"] < len(self.nodes[operand["node"]]["outputs"])]
        node: Plain = {"name": name, "op": op, "group": group, "outputs": [], "parameters": None,
                "flops": None, "device": "", "source": self.files.place(frame)}
        went_on = self._went_on(node, edges)
        if went_on is not None:
            return went_on
        self.nodes.append(node)
        self.edges += edges
        return number

    def _went_on(self, failed: Plain, edges: Sequence[Plain]) -> Optional[int]:
        """The node of an eager call that failed, and with whose unknown result the run went on."""
        for number in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[number]
            if node["op"] == failed["op"] and node["source"] == failed["source"] is not None and \
                    all(output["shape"] == "<unknown>" for output in node["outputs"]):
                inputs = [edge for edge in self.edges if edge["to"] == number and not edge.get("control")]
                if sorted(map(_ends, inputs)) == sorted(map(_ends, edges)):
                    return number
        return None

    # --- runs ---------------------------------------------------------------------------------
    def add_runs(self, records: Sequence[Plain], counts: Sequence[int]) -> None:
        """What the extension recorded: see _core.recorded_runs."""
        for record, count in zip(records, counts):
            shapes = {}
            for number, found in record["shapes"].items():
                at = self._numbers.get((record["graph"], number))
                if at is not None and len(found) == len(self.nodes[at]["outputs"]):
                    shapes[str(at)] = found
            if shapes:
                self.runs.append({"first": record["first"], "count": count, "feeds": record["feeds"],
                                  "fetches": record["fetches"], "shapes": shapes})

    # --- the whole ----------------------------------------------------------------------------
    def document(self) -> Plain:
        failed = {finding["node"] for finding in self.findings if finding["node"] is not None}
        bookkeeping.fold(self.nodes, self.edges, self.groups, failed)
        return {
            "version": document.VERSION, "shapeflow": __version__, "script": self.script,
            "title": os.path.basename(self.script.rstrip("/")) or self.script,
            "collapsed": len(self.nodes) > document.COLLAPSED, "files": self.files.rows,
            "groups": self.groups.rows, "nodes": self.nodes, "edges": self.edges,
            "findings": self.findings, "runs": self.runs,
        }


def _ends(edge: Plain) -> Tuple[int, int, int]:
    return edge["from"], edge["output"], edge["input"]


def _operand(record: Record, index: int) -> Plain:
    """Without the node that made it."""
    item = record.operands[index]
    made: Plain = {"name": item.name, "shape": shape_text(item.shape), "input": index, "node": None}
    if item.value is not None:
        made["value"] = item.value
    axes = sorted({axis for axis in view.blamed_axes(record, index) if axis is not None})
    if axes or record.code in _SAME_SHAPE and (axes := _differing(record, index)):
        made["axes"] = axes
    written = view.expression(item)
    if written and written not in (item.name, item.value):
        made["expression"] = written
    return made


def _differing(record: Record, index: int) -> List[int]:
    """The axes of an operand whose sizes are others than those of the other one, counted from the last."""
    shapes = [_known_dims(item.shape) for item in record.operands]
    if len(shapes) != 2:
        return []
    own, other = shapes[index], shapes[1 - index]
    return [len(own) - back for back in range(min(len(own), len(other)), 0, -1)
            if own[-back].isdigit() and other[-back].isdigit() and own[-back] != other[-back]
            and "1" not in (own[-back], other[-back])]


def _known_dims(shape: str) -> List[str]:
    return shape.strip("[]").split(", ") if shape.startswith("[") else []


def _called(record: Record) -> str:
    """The name of the function whose call is guilty: `mean_squared_error`."""
    import re

    span = record.focus or record.primary
    if span is not None and span.column >= 0:
        found = re.match(r"[\w.]+", span.text.encode()[span.column:].decode("utf-8", "replace"))
        if found is not None:
            return found[0].rpartition(".")[2]
    return record.name


def collect(taker: Any, notes: Any = None) -> Plain:
    """{document, notices} of a run: see commands/_taken.py. `notes` are the recorder's; None: of a file."""
    from shapeflow.pictures import program

    made = DocumentBuilder(taker.options.script, os.path.abspath(taker.collector.launcher))
    made.trainable = program.trainable_keys(taker.variables)
    notices: List[str] = []
    if notes is None:
        for number, graph in enumerate(taker.graphs):
            made.add(graph, None if len(taker.graphs) == 1 else made.groups.fresh(
                None, taker.shown[number], "scope"))
            made.add_calls(taker.calls[number])
    else:
        program.add_all(made, taker, notes, notices)
    if made.left_out:
        notices.append(f"{made.left_out:,} nodes are left out: a picture has {document.LARGEST:,} at most")
    made.connect()
    for record in taker.collector.of("error", "warning"):
        raw = taker.collector.of_record(record)
        made.add_finding(record, raw, None if notes is None else notes.scope_of_failed(raw))
    if not made.nodes:
        notices.append("the script made no graph, and called no operation")
    made.add_runs(*_core.recorded_runs()[:2])
    left_out = _core.recorded_runs()[2]
    if left_out:
        notices.append(f"of the runs of sessions with other shapes {left_out:,} more are left out")
    return {"document": made.document(), "notices": notices}
