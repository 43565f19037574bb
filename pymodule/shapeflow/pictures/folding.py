"""A document of fewer nodes: the insides of deep groups become one node each."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set, Tuple

    Plain = Dict[str, Any]
    Unit = Tuple[Optional[int], Optional[int]]


def folded(document: Plain, most: int) -> Plain:
    """The document itself when it has at most `most` nodes; else with groups below some depth folded, and if
    that is not enough only what findings name and the first of its other nodes. What findings name is folded
    like the rest."""
    nodes, groups = document["nodes"], document["groups"]
    if len(nodes) <= most:
        return document
    depths: List[int] = []
    for group in groups:
        depths.append(1 if group["parent"] is None else depths[group["parent"]] + 1)
    of_nodes = [0 if node["group"] is None else depths[node["group"]] for node in nodes]
    depth = 0
    while depth < max(of_nodes) and _visible(of_nodes, depths, depth + 1) <= most:
        depth += 1
    return _without(document, _stand_ins(document, depths, depth), most)


def _visible(of_nodes: List[int], depths: List[int], depth: int) -> int:
    return sum(d <= depth for d in of_nodes) + sum(d == depth + 1 for d in depths)


def _stand_ins(document: Plain, depths: List[int], depth: int) -> List[Optional[int]]:
    """For each group the one that it is folded into; None: it stays."""
    found: List[Optional[int]] = []
    for number, group in enumerate(document["groups"]):
        found.append(None if depths[number] <= depth else number if depths[number] == depth + 1
                     else found[group["parent"]])
    return found


def _named(findings: List[Plain]) -> List[int]:
    """The nodes of findings, what matters most first: those that fail, then what fixed a dim and what led
    there, then operands."""
    failing = [finding["node"] for finding in findings]
    on_way = [node for finding in findings for chain in finding["chains"]
              for node in [*chain["nodes"][-1:], *chain["nodes"]]]
    operands = [operand["node"] for finding in findings for operand in finding["operands"]]
    return [node for node in failing + on_way + operands if node is not None]


def units_of(document: Plain, stand_ins: List[Optional[int]]) -> List[Unit]:
    """What becomes one box, by node: (group that is folded, None) or (None, node)."""
    return [(None, number) if node["group"] is None or stand_ins[node["group"]] is None
            else (stand_ins[node["group"]], None) for number, node in enumerate(document["nodes"])]


def _without(document: Plain, stand_ins: List[Optional[int]], most: int) -> Plain:
    units = units_of(document, stand_ins)
    wanted = list(dict.fromkeys(units[number] for number in _named(document["findings"])))[:most]
    return kept(document, units, list(dict.fromkeys([*wanted, *units]))[:most])


def kept(document: Plain, units: List[Unit], chosen: List[Unit]) -> Plain:
    """A document of the boxes `chosen`, in the order of their nodes."""
    nodes, groups = document["nodes"], document["groups"]
    wanted = set(chosen)
    places: Dict[Unit, int] = {}
    numbers: List[Optional[int]] = []
    made: List[Plain] = []
    for node, unit in zip(nodes, units):
        group = unit[0]
        if unit in places:
            if group is not None:
                made[places[unit]]["folded"] += 1
        elif unit in wanted:
            places[unit] = len(made)
            made.append(node if group is None else _folded(groups[group], nodes))
        numbers.append(places.get(unit))
    edges = _edges(document["edges"], nodes, numbers, made)
    findings = [_renumbered(finding, numbers) for finding in document["findings"]]
    own = [{key: value for key, value in group.items() if key != "variable"} for group in groups]
    return {**document, "groups": own, "nodes": made, "edges": edges, "findings": findings, "runs": [],
            "left_out": sum(number is None for number in numbers)}


def _folded(group: Plain, nodes: List[Plain]) -> Plain:
    """The box of a folded group; of a variable's it looks like the variable."""
    made: Plain = {"name": group["path"], "op": group["kind"], "folded": 1, "group": group["parent"],
                   "outputs": [], "parameters": None, "flops": None, "device": "", "source": None}
    if "variable" in group:
        variable = nodes[group["variable"]]
        made.update({key: variable[key] for key in ("op", "parameters", "device", "source")}, variable=True)
    return made


def _edges(edges: List[Plain], nodes: List[Plain], numbers: List[Optional[int]],
           kept: List[Plain]) -> List[Plain]:
    """Between what is left, each pair of ends once; a folded group has an output for each shape that leaves
    it."""
    found: List[Plain] = []
    seen: Set[Tuple[object, ...]] = set()
    outputs: Dict[Tuple[int, str], int] = {}
    for edge in edges:
        first, last = numbers[edge["from"]], numbers[edge["to"]]
        if first is None or last is None or first == last:
            continue
        made = {**edge, "from": first, "to": last}
        if not edge.get("control") and "folded" in kept[first]:
            output = nodes[edge["from"]]["outputs"][edge["output"]]
            place = outputs.get((first, output["shape"]))
            if place is None:
                place = outputs[first, output["shape"]] = len(kept[first]["outputs"])
                kept[first]["outputs"].append(output)
            made["output"] = place
        key = (first, made.get("output", -1), last, None if "folded" in kept[last] else edge.get("input"))
        if key not in seen:
            seen.add(key)
            found.append(made)
    return found


def _renumbered(finding: Plain, numbers: List[Optional[int]]) -> Plain:
    def number(node: Optional[int]) -> Optional[int]:
        return None if node is None else numbers[node]

    chains = []
    for chain in finding["chains"]:
        nodes: List[int] = []
        steps: List[int] = []  # of those that are left
        for step, node in zip(chain.get("steps", range(len(chain["nodes"]))), map(number, chain["nodes"])):
            if node is not None and node not in nodes:
                nodes.append(node)
                steps.append(step)
        chains.append({**chain, "nodes": nodes, "steps": steps})
    operands = [{**operand, "node": number(operand["node"])} for operand in finding["operands"]]
    return {**finding, "node": number(finding["node"]), "operands": operands, "chains": chains}
