"""The table of a graph: its variable scopes, with the nodes that belong to each.

A node belongs to the innermost scope of variables that its name begins with, else to the variable that it
reads. Counted is what computes with data or variables: neither initial values, nor gradients, nor updates.
"""
from __future__ import annotations

import re

from shapeflow import _core
from shapeflow.pictures import held, tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Set

    from shapeflow._core import Graph, Operation

    Plain = Dict[str, Any]

_UPDATES = re.compile(r"(Resource)?(Sparse)?(Apply[A-Z]|Scatter)|Assign|SfGradient$|Save|Restore")
_BEGINS = re.compile(r"(Ref)?Variable(V2)?$|VarHandleOp$|Placeholder|Iterator|QueueDequeue|ReaderRead|"
                     r"TemporaryVariable$|ParseExample|ParseSingleExample|PyFunc")
_READS = frozenset({"Identity", "ReadVariableOp", "Switch", "Enter", "Cast", "RefEnter", "RefSwitch"})
_VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp"})
_ROOT = ""


class _Node:
    __slots__ = ("name", "type", "inputs", "users", "row", "live", "tensors")

    def __init__(self, operation: Operation) -> None:
        self.name: str = operation.name
        self.type: str = operation.type
        self.inputs: List[int] = []
        self.users: List[int] = []
        self.row: Optional[str] = None
        self.live = False
        self.tensors = operation.outputs


def _nodes(graph: _core.Graph) -> List[_Node]:
    operations = graph.get_operations()
    nodes = [_Node(operation) for operation in operations]
    places = {node.name: place for place, node in enumerate(nodes)}
    for place, operation in enumerate(operations):
        for tensor in operation.inputs:
            before = places[tensor.op.name]
            nodes[place].inputs.append(before)
            nodes[before].users.append(place)
    return nodes


def _mark_live(nodes: Sequence[_Node]) -> None:
    """What follows from data and variables, up to gradients and updates."""
    todo = [place for place, node in enumerate(nodes) if _BEGINS.match(node.type)]
    while todo:
        node = nodes[todo.pop()]
        if not node.live and not _UPDATES.match(node.type):
            node.live = True
            todo += node.users


def _optimizers(nodes: Sequence[_Node], trainable: Set[str]) -> Set[str]:
    """The variables that only updates of other variables use: slots, powers of beta."""
    found: Set[str] = set()
    for node in nodes:
        if not re.match(r"(Resource)?(Sparse)?Apply[A-Z]", node.type):
            continue
        for place in node.inputs:
            while nodes[place].type in _READS and nodes[place].inputs:
                place = nodes[place].inputs[0]
            if nodes[place].type in _VARIABLES and nodes[place].name not in trainable:
                found.add(nodes[place].name)
    return found


def _scope_of(name: str, rows: Mapping[str, Sequence[object]]) -> Optional[str]:
    """The innermost row whose scope `name` is in."""
    while "/" in name:
        name = name.rpartition("/")[0]
        if name in rows:
            return name
    return None


def _assign_rows(nodes: Sequence[_Node], rows: Mapping[str, Sequence[object]],
                 owners: Dict[str, str]) -> None:
    """owners: the row of each variable, by name."""
    for node in nodes:
        node.row = owners.get(node.name) or _scope_of(node.name, rows)
        if node.row is None and node.live:
            read = [owners[n.name] for n in map(lambda i: _variable_of(nodes, i), node.inputs)
                    if n is not None and n.name in owners]
            node.row = read[0] if read else None


def _variable_of(nodes: Sequence[_Node], place: int) -> Optional[_Node]:
    """The variable whose value that node is."""
    for _ in range(8):
        node = nodes[place]
        if node.type in _VARIABLES:
            return node
        if node.type not in _READS or not node.inputs:
            return None
        place = node.inputs[0]
    return None


def _outputs(nodes: Sequence[_Node], own: Sequence[int], row: str) -> List[int]:
    """The nodes of a row whose values leave it; where none does, its last one."""
    def computes(place: int) -> bool:
        return nodes[place].live and nodes[place].type not in _VARIABLES and \
            _variable_of(nodes, place) is None and len(nodes[place].tensors) > 0

    inside = [place for place in own if computes(place)]
    leaving = [place for place in inside
               if any(nodes[user].live and nodes[user].row != row for user in nodes[place].users)]
    # What only asks for the shape of an inner value is no reader of the layer's output.
    leaving = [place for place in leaving
               if any(nodes[user].live and nodes[user].row != row and nodes[user].type not in (
                   "Shape", "Size", "Rank") for user in nodes[place].users)] or leaving
    return leaving or inside[-1:]


def table(graph: Graph, variables: Sequence[Any], others: Sequence[Any] = ()) -> Plain:
    """`others`: variables of the graph that another table shows, with the nodes that use them."""
    nodes = _nodes(graph)
    _mark_live(nodes)
    costs = _core.graph_costs(graph, 1)
    each = tables._each_once(variables)
    trainable = {tables.name_of(v) for v in each if getattr(v, "trainable", True)}
    of_optimizers = _optimizers(nodes, trainable)
    # Of a sparse gradient the ops that update slots are the same as those that update a variable.
    of_optimizers |= {tables.name_of(v) for v in variables if getattr(v, "_sf_of_optimizer", False)}
    kept = [v for v in each if tables.name_of(v) not in of_optimizers]
    rows: Dict[str, List[Any]] = {}
    owners: Dict[str, str] = {}
    for variable in kept:
        name = tables.name_of(variable)
        scope = name.rpartition("/")[0] or name  # a variable of the root is a row by itself
        rows.setdefault(scope, []).append(variable)
        owners[name] = scope
    shown = set(rows)
    for variable in others:
        name = tables.name_of(variable)
        scope = name.rpartition("/")[0] or name
        rows.setdefault(scope, [])
        owners[name] = scope
    _assign_rows(nodes, rows, owners)
    places: Dict[Optional[str], List[int]] = {}
    for place, node in enumerate(nodes):
        places.setdefault(node.row, []).append(place)
    first = {row: min(places.get(row, [0])) for row in rows}
    lines = [_row(nodes, costs, row, places.get(row, []), rows[row])
             for row in sorted(shown, key=lambda row: (first[row], row))]
    rest = _flops(nodes, costs, [p for p in places.get(None, []) if nodes[p].live])
    if rest or rest is None:
        lines.append(tables.row(held.OTHER_NODES, "", 0, [], [], rest, 0.0))
    slots = [tables.parameters_of(v) or 0 for v in each if tables.name_of(v) in of_optimizers]
    return tables.finished("graph", "graph", lines, kept, optimizer=sum(slots))


def _flops(nodes: Sequence[_Node], costs: Sequence[Any], places: Sequence[int]) -> Optional[float]:
    found = [costs[place][0] for place in places if nodes[place].live]
    return None if any(flops is None for flops in found) else sum(found)


def _row(nodes: Sequence[_Node], costs: Sequence[Any], name: str, own: Sequence[int],
         variables: Sequence[Any]) -> Plain:
    outputs = _outputs(nodes, own, name)
    sizes = [costs[place][1] for place in outputs]
    kinds = [nodes[place].type for place in own
             if nodes[place].live and costs[place][0] and nodes[place].type not in _READS]
    best = max((place for place in own if nodes[place].live), default=None,
               key=lambda place: costs[place][0] or 0.0)
    kind = nodes[best].type if best is not None and kinds else "variables"
    shapes = tables.shapes_of([t for place in outputs for t in nodes[place].tensors])
    return tables.row(name, kind, 0, list(dict.fromkeys(shapes)), variables, _flops(nodes, costs, own),
                      None if any(size is None for size in sizes) else sum(sizes))
