"""Eager code as a graph that trains: its variables, their initial values, and one step of what it writes.

In the trace what a variable holds is a record (COPY): one of its first content, and one for each place that
writes it, whatever is written there. A step is the last time around: the last place that writes a variable
gives the next content, a place before it is inside of the step.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Outputs = Dict[str, List[Tuple[str, Optional[List[Optional[int]]]]]]
    Writes = Sequence[Tuple[str, str, Sequence[Tuple[str, int]]]]

COPY = "Snapshot"
STEP, INITIAL = "sf_step", "sf_initial"  # nodes that are added


def add(graph_def: Any, writes: Writes, outputs: Outputs) -> Dict[str, Any]:
    """Makes variables of such records and adds the nodes STEP and INITIAL; the run that initialises."""
    nodes = {node.name: node for node in graph_def.node}
    written: Dict[str, List[Tuple[str, str]]] = {}  # of a variable: places, and what is written there last
    for root, record, sources in writes:
        if sources:
            name, output = sources[-1]
            written.setdefault(root, []).append((record, f"{name}:{output}"))
    held = {record: root for root, record, _ in writes}
    inside = {record: value for places in written.values() for record, value in places[:-1]}
    for root in [name for name, node in nodes.items() if node.op == COPY and name not in held]:
        _become_variable(graph_def, nodes, root, outputs[root][0])
    for record, root in held.items():
        value = inside.get(record)
        node = nodes[record]
        node.op = "Identity"
        of = value if value is not None and not _needs(nodes, inside, value, record) else root
        del node.input[:]
        node.input.append(of)
    for node in graph_def.node:
        if node.op == "Placeholder" and node.attr["shape"].shape.dim:
            node.attr["shape"].shape.dim[0].size = -1  # a witness may have fewer samples
    _add_step(graph_def, nodes, {root: places[-1][1] for root, places in written.items()})
    return {"fetches": [INITIAL], "feeds": {}, "made_up": []}


def _needs(nodes: Dict[str, Any], inside: Dict[str, str], value: str, record: str) -> bool:
    """Is the value computed from the record itself? Then it comes of a loop of its own."""
    seen = set()
    rest = [value.split(":")[0]]
    while rest:
        name = rest.pop()
        if name == record:
            return True
        if name not in seen and name in nodes:
            seen.add(name)
            after = inside.get(name)
            rest += [after.split(":")[0]] if after is not None else \
                [source.split(":")[0] for source in nodes[name].input]
    return False


def _become_variable(graph_def: object, nodes: Dict[str, Any], name: str, output: Any) -> None:
    node = nodes[name]
    content = list(node.input)
    kind = node.attr["T"].type
    node.op = "VariableV2"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = kind
    _, shape = output
    node.attr["shape"].shape.SetInParent()  # that of a scalar has no dims
    if shape is None:
        node.attr["shape"].shape.unknown_rank = True
    for size in shape or ():
        node.attr["shape"].shape.dim.add(size=-1 if size is None else size)
    _assign(graph_def, nodes, name, content[0], kind, name + "_first")


def _assign(graph_def: Any, nodes: Dict[str, Any], variable: str, value: str, kind: int, name: str,
            after: Sequence[str] = ()) -> None:
    node = graph_def.node.add(name=name, op="Assign", input=[variable, value, *after])
    node.attr["T"].type = kind
    node.attr["validate_shape"].b = False
    node.attr["use_locking"].b = True
    nodes[name] = node


def _add_step(graph_def: Any, nodes: Dict[str, Any], values: Dict[str, str]) -> None:
    """Nothing is written before all is computed, as eager code reads what the step before wrote."""
    firsts = [name for name in nodes if name.endswith("_first")]
    copies = {root: f"{root}_next" for root in values}
    for root, value in values.items():
        kind = nodes[root].attr["dtype"].type
        node = graph_def.node.add(name=copies[root], op="Identity", input=[value])
        node.attr["T"].type = kind
        nodes[node.name] = node
    after = ["^" + name for name in copies.values()]
    assigned = []
    for root, copy in copies.items():
        assigned.append(f"{root}_write")
        _assign(graph_def, nodes, root, copy, nodes[root].attr["dtype"].type, assigned[-1], after)
    for name, needed in ((STEP, assigned), (INITIAL, firsts)):
        graph_def.node.add(name=name, op="NoOp", input=["^" + source for source in needed])
