"""The part of a document that a picture can show at a size that can be read: what fails, with its operands,
the steps on which its wrong dims came, and what is near it. The page shows all."""
from __future__ import annotations

from shapeflow.pictures import folding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Set

    from shapeflow.pictures.folding import Unit

    Plain = Dict[str, Any]

SMALL = 40  # boxes: a document of no more is shown whole
CLEAN = 150  # boxes of a document without findings
_USERS = 2
_FIRST_STEPS = 2  # of each chain
_UP, _DOWN = 3, 3  # how far from what fails


def focused(document: Plain, most: int = SMALL) -> Plain:
    """Variables and training are one box each. Round the first finding `most` boxes; without one, groups are
    folded until the rest is few."""
    first = next((finding for finding in document["findings"] if finding["node"] is not None), None)
    near = [] if first is None else [node for node in _named(document, first) if node is not None]
    stand_ins = _stand_ins(document, near)
    units = folding.units_of(document, stand_ins)
    if first is None:
        quiet = folding.kept(document, units, list(dict.fromkeys(units)))
        return quiet if len(quiet["nodes"]) <= CLEAN else folding.folded(quiet, CLEAN)
    if len(set(units)) <= most:
        return folding.kept(document, units, list(dict.fromkeys(units)))
    steps = {node for chain in telling(first) for node in chain["nodes"]}
    outer = _stand_ins(document, near, keep=True)
    units = folding.units_of(document, outer)
    chosen = list(dict.fromkeys(units[node] for node in near))
    for unit in _around(document, units, units[first["node"]]):
        if len(chosen) >= most:
            break
        if unit not in chosen:
            chosen.append(unit)
    made = folding.kept(document, units, chosen[:most])
    return {**made, "edges": made["edges"] + _skipped(made)} if steps else made


def telling(finding: Plain) -> List[Plain]:
    """The chains of dims that are wrong; all of them where that is not known."""
    operands = finding["operands"]
    found = [chain for chain in finding["chains"]
             if chain["axis"] in operands[chain["operand"]].get("axes", ())]
    return found or list(finding["chains"])


def _named(document: Plain, finding: Plain) -> Iterator[Optional[int]]:
    """What must be seen, what matters most first: what fails, its operands, what uses it, and of each chain
    the steps whose lines the notes tell, the last, and the first ones."""
    nodes = document["nodes"]
    places = [note["place"] for note in finding.get("notes", ()) if note["place"] is not None]
    lines = {(place["file"], place["line"]) for place in places}
    yield finding["node"]
    yield from (operand["node"] for operand in finding["operands"])
    yield from [edge["to"] for edge in document["edges"]
                if edge["from"] == finding["node"] and not edge.get("control")][:_USERS]
    for chain in telling(finding):
        for node in chain["nodes"]:
            source = nodes[node]["source"]
            if source is not None and (source["file"], source["line"]) in lines and \
                    _computes(nodes, chain, node):
                yield node
    for chain in telling(finding):
        yield chain["nodes"][-1] if chain["nodes"] else None
    for chain in telling(finding):
        yield from chain["nodes"][:_FIRST_STEPS + 1]


def _computes(nodes: List[Plain], chain: Plain, node: int) -> bool:
    """Has the node's result the wrong dim, which what it is made of has not?"""
    def has(number: int) -> bool:
        outputs = nodes[number]["outputs"]
        return bool(outputs) and chain["dim"] in outputs[0]["shape"].strip("(),").split(", ")

    made_of = chain["nodes"][chain["nodes"].index(node) + 1:][:1]
    return bool(made_of) and has(node) and not has(made_of[0])


def _stand_ins(document: Plain, near: List[int], keep: bool = False) -> List[Optional[int]]:
    """For each group the one that it is folded into: variables and training always, with `keep` all but those
    that hold one of `near`."""
    groups, nodes = document["groups"], document["nodes"]
    open_groups: Set[int] = set()
    for node in near:
        group = nodes[node]["group"]
        while group is not None and group not in open_groups:
            open_groups.add(group)
            group = groups[group]["parent"]
    failing = near[0] if near else None
    inside: Set[int] = set()
    group = None if failing is None else nodes[failing]["group"]
    while group is not None:
        inside.add(group)
        group = groups[group]["parent"]
    found: List[Optional[int]] = []
    for number, item in enumerate(groups):
        above = None if item["parent"] is None else found[item["parent"]]
        quiet = "variable" in item or item.get("folded")
        if above is not None:
            found.append(above)
        elif number not in inside and (quiet or keep and number not in open_groups):
            found.append(number)
        else:
            found.append(None)
    return found


def _around(document: Plain, units: List[Unit], start: Unit) -> Iterator[Unit]:
    """The boxes near one, nearest first; not through what is of training."""
    groups = document["groups"]
    before: Dict[Unit, Dict[Unit, None]] = {}
    after: Dict[Unit, Dict[Unit, None]] = {}
    for edge in document["edges"]:
        first, last = units[edge["from"]], units[edge["to"]]
        if first != last and not edge.get("control"):
            before.setdefault(last, {})[first] = None
            after.setdefault(first, {})[last] = None
    reached = {"up": [start], "down": [start]}
    for distance in range(max(_UP, _DOWN)):
        for way, edges, most in (("up", before, _UP), ("down", after, _DOWN)):
            if distance < most:
                reached[way] = [unit for at in reached[way] for unit in edges.get(at, ())
                                if unit[0] is None or not groups[unit[0]].get("folded")]
                yield from reached[way]


def _skipped(document: Plain) -> List[Plain]:
    """An edge for each gap in a chain: {from, to, control, skipped}."""
    edges = {(edge["from"], edge["to"]) for edge in document["edges"] if not edge.get("control")}
    made: Dict[Any, Plain] = {}
    for finding in document["findings"]:
        for chain in telling(finding):
            steps = chain.get("steps", range(len(chain["nodes"])))
            for k in range(1, len(chain["nodes"])):
                ends = chain["nodes"][k], chain["nodes"][k - 1]
                if ends not in edges and ends not in made:
                    made[ends] = {"from": ends[0], "to": ends[1], "control": True,
                                  "skipped": steps[k] - steps[k - 1] - 1}
    return list(made.values())
