"""What of a graph is no part of the model: how its variables get their values, the slots of optimizers,
gradients, updates and savers. Pictures show it folded, as TensorBoard does.

A variable's group is the name scope of its own name. What only feeds its initialization is put into it,
wherever it is by its name: `tf.Variable(tf.truncated_normal(...))`, the initializer of a Keras layer.
"""
from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, List, Optional, Set

    from shapeflow.pictures.document import Groups

    Plain = Dict[str, Any]

_ASSIGNS = frozenset({"Assign", "AssignVariableOp"})
_TRAINING = re.compile(r"(Resource)?(Sparse)?Apply[A-Z]")
_SIDE = re.compile(r"(gradients|save|init|report_uninitialized_variables)(_\d+)?$")
_MOST = 200  # nodes that make one initial value


class _Users:
    """Edges of a document by their ends."""

    def __init__(self, edges: Iterable[Plain]) -> None:
        self.inputs: Dict[int, List[Plain]] = {}
        self.users: Dict[int, Set[int]] = {}
        for edge in edges:
            self.inputs.setdefault(edge["to"], []).append(edge)
            self.users.setdefault(edge["from"], set()).add(edge["to"])

    def only_for(self, first: int, stop: Set[int]) -> List[int]:
        """`first` and what is before it, as far as nothing but these and `stop` uses it."""
        inside: Set[int] = set()
        todo = [first]
        while todo and len(inside) < _MOST:
            node = todo.pop()
            if node not in inside and node not in stop and self.users.get(node, set()) <= inside | stop:
                inside.add(node)
                todo += [edge["from"] for edge in self.inputs.get(node, ())]
        return sorted(inside)


def fold(nodes: List[Plain], edges: List[Plain], groups: Groups, named: Set[int]) -> None:
    """Marks the groups of variables with the number of theirs, those of training with `folded`. `named` are
    nodes that findings name: they stay where they are."""
    users = _Users(edges)
    for number, node in enumerate(nodes):
        if "trainable" in node or node["op"] == "Variable":
            _fold_variable(number, nodes, users, groups, named)
    _fold_training(nodes, groups)


def _fold_variable(number: int, nodes: List[Plain], users: _Users, groups: Groups, named: Set[int]) -> None:
    node = nodes[number]
    own = node["group"]
    if own is not None and groups.rows[own]["path"].rpartition("/")[2] == node["name"].rpartition("/")[2]:
        _mark(groups, own, number, nodes)
        for user in sorted(users.users.get(number, ())):
            if nodes[user]["op"] in _ASSIGNS and nodes[user]["group"] == own:
                _move(_value_of(user, users), {user}, own, nodes, users, groups, named)
        return
    if node["op"] != "Variable":
        return
    made = users.inputs.get(number, [])
    if len(made) == 1 and nodes[made[0]["from"]]["op"] == "Variable" and \
            nodes[made[0]["from"]]["group"] == own:
        return  # a use of the variable, which is folded with it
    uses = [user for user in users.users.get(number, ()) if nodes[user]["op"] == "Variable"
            and nodes[user]["group"] == own]
    inner = groups.child(own, node["name"].rpartition("/")[2])
    _move([edge["from"] for edge in made if not edge.get("control")], {number}, inner, nodes, users, groups,
          named)
    for member in [number, *uses]:
        nodes[member]["group"] = inner
        _mark(groups, inner, member, nodes)


def _value_of(assign: int, users: _Users) -> List[int]:
    return [edge["from"] for edge in users.inputs.get(assign, ()) if edge.get("input") == 1]


def _mark(groups: Groups, group: int, number: int, nodes: List[Plain]) -> None:
    """The one with parameters is the variable; of an eager one a use of it may have them."""
    known = groups.rows[group].get("variable")
    if known is None or nodes[known]["parameters"] is None:
        groups.rows[group]["variable"] = number


def _move(values: List[int], stop: Set[int], group: int, nodes: List[Plain], users: _Users, groups: Groups,
          named: Set[int]) -> None:
    """What only makes `values` goes into `group`, in a group of its own scope."""
    above = groups.rows[group]["parent"]
    prefix = "" if above is None else groups.rows[above]["path"] + "/"
    for value in values:
        members = users.only_for(value, stop)
        if any(member in named or "trainable" in nodes[member] for member in members):
            continue
        for member in members:
            scope = nodes[member]["group"]
            path = "" if scope is None else groups.rows[scope]["path"]
            if path == groups.rows[group]["path"] or path.startswith(groups.rows[group]["path"] + "/"):
                continue
            inner = path[len(prefix):] if path.startswith(prefix) else ""
            nodes[member]["group"] = groups.at(group, inner)


def _fold_training(nodes: List[Plain], groups: Groups) -> None:
    """Groups at the root that no forward pass goes through."""
    roots: Dict[Optional[int], Optional[int]] = {None: None}
    for number, group in enumerate(groups.rows):
        roots[number] = number if group["parent"] is None else roots[group["parent"]]
        if group["parent"] is None and group["kind"] == "scope" and _SIDE.match(group["name"]):
            group["folded"] = True
    for node in nodes:
        root = roots[node["group"]]
        if root is not None and groups.rows[root]["kind"] == "scope" and _TRAINING.match(node["op"]):
            groups.rows[root]["folded"] = True
