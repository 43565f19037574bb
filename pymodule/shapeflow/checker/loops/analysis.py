"""What a loop carries from one turn to the next, read in its source: which names a turn sets anew, which
others may read, whether it may be left half-way. Loaded when a loop is first looked at.

The tree has the calls that instrument.py put into it: names more that are read, and never set.
"""
from __future__ import annotations

import _ast as ast  # its functions are those of trees.py

from shapeflow.checker.loops.trees import SCOPES, children, own_nodes, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Set

_STEPPING = ("next", "__next__", "readline")


class Analysis:
    """Of one loop. `fresh`: the names whose content no turn takes over from the one before it. `is_stepping`:
    its file calls next(), so that an iterator may be further than at the last turn."""

    def __init__(self, loop: Any, scope: ast.AST, tree: Optional[ast.AST]) -> None:
        flow = _flow(loop.body, getattr(loop, "target", None))
        self.fresh = flow.stored - flow.exposed - shared(scope)
        self._flow, self._loop = flow, loop
        self.may_break = any(isinstance(part, (ast.Break, ast.Return)) for part in own_nodes(loop))
        self.is_stepping = tree is not None and _is_stepping(tree)


    @property
    def carried(self) -> Set[str]:
        """Names that a turn takes over from the one before it, and sets; none where a turn has parts of
        which it is not read here what they read."""
        own = list(own_nodes(self._loop))
        if any(isinstance(part, (*SCOPES, ast.Try, ast.comprehension)) or type(part).__name__ in (
                "TryStar", "Match") for part in own if part is not self._loop):
            return set()
        return self._flow.stored & self._flow.exposed


def _is_stepping(tree: ast.AST) -> bool:
    """Does the file take elements of iterators by itself?"""
    return any(isinstance(node, ast.Name) and node.id == "next" or
               isinstance(node, ast.Attribute) and node.attr in _STEPPING for node in walk(tree))


def shared(scope: ast.AST) -> Set[str]:
    """Names that other code than the scope's own may read: functions in it, or those of the module."""
    found: Set[str] = set()
    for node in own_nodes(scope):
        if isinstance(node, SCOPES) and node is not scope:
            found |= _free(node)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found


def _free(scope: Any) -> Set[str]:
    """Names that a function or class takes from around it, or sets there; rather too many than too few."""
    used: Set[str] = set()
    bound: Set[str] = set()
    outer: Set[str] = set()
    inner: Set[int] = set()  # what comprehensions set, which is nobody else's
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    for statement in body:
        for node in (statement,) if isinstance(statement, SCOPES) else own_nodes(statement):
            if isinstance(node, ast.comprehension):
                inner.update(map(id, walk(node.target)))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                outer.update(node.names)
            elif isinstance(node, SCOPES):
                used |= _free(node)
                bound.add(getattr(node, "name", ""))
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(node.id)
            elif isinstance(node, ast.Name) and id(node) not in inner:
                bound.add(node.id)
    around = [part for part in children(scope) if part not in body]
    used_around = {node.id for part in around for node in walk(part) if isinstance(node, ast.Name)}
    if isinstance(scope, ast.ClassDef):
        return used | bound | outer | used_around  # what its body sets its methods do not see
    bound.update(node.arg for part in around for node in walk(part) if isinstance(node, ast.arg))
    return (used - bound) | outer | used_around


# --- what a turn takes over from the one before it ------------------------------------------------
def _flow(body: List[ast.stmt], target: Optional[ast.expr]) -> _Flow:
    """What a turn sets, and reads before that."""
    flow = _Flow()
    assigned: Set[str] = set()
    if target is not None:
        flow.store(target, assigned)
    flow.run(body, assigned)
    return flow


class _Flow:
    """Which names may be read before they are set. A statement that may jump ends what is known."""

    def __init__(self) -> None:
        self.exposed: Set[str] = set()
        self.stored: Set[str] = set()

    def store(self, target: ast.AST, assigned: Set[str]) -> None:
        for part in walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.stored.add(part.id)
                assigned.add(part.id)

    def read(self, node: Optional[ast.AST], assigned: Set[str]) -> None:
        for part in walk(node) if node is not None else ():
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store) and part.id not in assigned:
                self.exposed.add(part.id)

    def run(self, body: List[ast.stmt], assigned: Set[str]) -> None:
        for node in body:
            self._statement(node, assigned)

    def _branches(self, bodies: List[List[ast.stmt]], assigned: Set[str]) -> None:
        ends: List[Set[str]] = []
        for body in bodies:
            own = set(assigned)
            self.run(body, own)
            if not body or not isinstance(body[-1], (ast.Continue, ast.Break, ast.Return, ast.Raise)):
                ends.append(own)
        if ends:
            assigned |= set.intersection(*ends)

    def _statement(self, node: Any, assigned: Set[str]) -> None:
        if isinstance(node, ast.Assign):
            self.read(node.value, assigned)
            for target in node.targets:
                self.read(target, assigned)
                self.store(target, assigned)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.read(node.value, assigned)
            self.read(node.target, assigned)
            self.store(node.target, assigned)
        elif isinstance(node, ast.AugAssign):
            self.read(node.value, assigned)
            for part in walk(node.target):
                if isinstance(part, ast.Name) and part.id not in assigned:
                    self.exposed.add(part.id)
            self.store(node.target, assigned)
        elif isinstance(node, ast.If):
            self.read(node.test, assigned)
            self._branches([node.body, node.orelse], assigned)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.read(node.iter, assigned)
            own = set(assigned)
            self.store(node.target, own)
            self.run(node.body, own)
            self.run(node.orelse, set(assigned))
        elif isinstance(node, ast.While):
            self.read(node.test, assigned)
            self.run(node.body, set(assigned))
            self.run(node.orelse, set(assigned))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.read(item.context_expr, assigned)
                if item.optional_vars is not None:
                    self.store(item.optional_vars, assigned)
            self.run(node.body, assigned)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            before = set(assigned)
            self.run(node.body, set(before))
            for handler in node.handlers:
                own = set(before)
                if handler.name:
                    own.add(handler.name)
                    self.stored.add(handler.name)
                self.run(handler.body, own)
            self.run(node.orelse, set(before))
            self.run(node.finalbody, assigned)
        elif isinstance(node, (*SCOPES, ast.Import, ast.ImportFrom)):
            self.read(node, assigned)
            if hasattr(node, "name"):
                assigned.add(node.name)
        else:
            self.read(node, assigned)
            for part in walk(node):
                if isinstance(part, ast.NamedExpr):
                    self.stored.add(part.target.id)
                    self.exposed.add(part.target.id)
