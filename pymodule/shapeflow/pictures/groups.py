"""Which box a node of a graph belongs to: its name scope, and the loop or branch that it runs in.

Loops and branches of TensorFlow 1 are found by their data flow, as its executor finds them: Enter opens a
frame and Exit leaves it, Switch opens a branch and Merge leaves it; a control edge carries its node inside
as well. The box of a frame or branch is the name scope that was made for it, if it was made for one.
Source: graph.cc (BuildControlFlowInfo), control_flow_ops.py.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

    from shapeflow.pictures.rows import Row


class Context:
    """A while frame, or a cond."""

    __slots__ = ("kind", "path", "parent", "depth", "box")

    def __init__(self, kind: str, path: str, parent: Optional[Context]) -> None:
        self.kind = kind
        self.path = path  # the scope that was made for it
        self.parent = parent
        self.depth: int = 1 if parent is None else parent.depth + 1
        self.box = inside(path, parent)

    def holds(self, other: Optional[Context]) -> bool:
        while other is not None and other is not self:
            other = other.parent
        return other is self


def scope_of(name: str) -> str:
    return name.rpartition("/")[0]


def scopes_of(rows: Sequence[Row], skip: int = 0) -> Set[str]:
    """All name scopes. A node that is named as one (a variable, an op with constants of its own) is in it."""
    found: Set[str] = set()
    for row in rows:
        scope = scope_of(row.name[skip:])
        while scope and scope not in found and len(found) < 1 << 20:
            found.add(scope)
            scope = scope_of(scope)
    return found


def inside(scope: str, context: Optional[Context]) -> str:
    """The path of a scope within the box of a context: below it, wherever it is by its name."""
    if context is None or scope == context.box or scope.startswith(context.box + "/"):
        return scope
    return context.box + "/" + scope if scope else context.box


def contexts(rows: Sequence[Row], skip: int = 0) -> List[Optional[Context]]:
    """The innermost loop or branch of each node; the first `skip` characters of names are left out."""
    flow = _Flow(rows, skip)
    return [flow.enter(i, row) for i, row in enumerate(rows)]


class _Flow:
    def __init__(self, rows: Sequence[Row], skip: int) -> None:
        self.rows = rows
        self.skip = skip
        self.outs: List[Optional[Context]] = []  # what the outputs of each node are in
        self.made: Dict[Tuple[str, str], Context] = {}
        self.loop_scopes: Dict[str, str] = {}  # the scope of a loop: its frame

    def enter(self, number: int, row: Row) -> Optional[Context]:
        current = self._inputs(number, row)
        out = current
        kind = row.op[3:] if row.op.startswith("Ref") else row.op
        if kind == "Enter" and row.frame is not None:
            current = out = self._child("while", self._loop_path(row.frame), current)
        elif kind == "Exit":
            out = self._left("while", current)
        elif kind == "Switch" and not self._is_loop_switch(row):
            current = out = self._child("cond", self._cond_path(row), current)
        elif kind == "Merge" and not self._is_loop_merge(row):
            out = self._left("cond", current)
        self.outs.append(out)
        return current

    def _inputs(self, number: int, row: Row) -> Optional[Context]:
        deepest: Optional[Context] = None
        for other in [node for node, _ in row.inputs if isinstance(node, int)] + list(row.controls):
            found = self.outs[other] if 0 <= other < number else None
            if found is not None and (deepest is None or found.depth > deepest.depth):
                deepest = found
        return deepest

    def _child(self, kind: str, path: str, parent: Optional[Context]) -> Context:
        known = self.made.get((kind, path))
        if known is None:
            known = self.made[kind, path] = Context(kind, path, parent)
        elif parent is not None and known.holds(parent):
            return parent
        return known

    @staticmethod
    def _left(kind: str, context: Optional[Context]) -> Optional[Context]:
        at = context
        while at is not None and at.kind != kind:
            at = at.parent
        return context if at is None else at.parent

    def _loop_path(self, frame: str) -> str:
        """`while` of the frame `while/while_context`, unless another frame has that scope."""
        scope = scope_of(frame)
        if scope and self.loop_scopes.setdefault(scope, frame) == frame:
            return scope
        return frame or "while"

    def _cond_path(self, row: Row) -> str:
        """Its own Switch, and the Identity that the others ask, are made in the scope of a cond."""
        pred = self._producer(row, 1)
        if pred is not None and pred.name.endswith("/pred_id"):
            return scope_of(pred.name[self.skip:])
        return scope_of(row.name[self.skip:]) or "cond"

    def _producer(self, row: Row, number: int) -> Optional[Row]:
        if number < len(row.inputs):
            node: Any = row.inputs[number][0]
            if isinstance(node, int) and 0 <= node < len(self.rows):
                return self.rows[node]
        return None

    def _is_loop_switch(self, row: Row) -> bool:
        pred = self._producer(row, 1)
        return pred is not None and pred.op == "LoopCond"

    def _is_loop_merge(self, row: Row) -> bool:
        for i in range(len(row.inputs)):
            source = self._producer(row, i)
            if source is not None and source.op in ("Enter", "RefEnter", "NextIteration",
                                                    "RefNextIteration"):
                return True
        return False
