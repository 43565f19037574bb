"""The user's modules with calls around what loops iterate over and around conditions.

`for x in rows` becomes `for x in __shapeflow_loop__(7, rows)`, `while a < b` becomes
`while __shapeflow_turn__(8) and __shapeflow_test__(3, 0, a, b)`, and so do the conditions of `if`, `assert`
and conditional expressions, each comparison by itself. Where `join` and `assert` may meet what is unknown,
`"".join(x)` becomes `"".join(__shapeflow_strings__(x))`, and an assertion that fails asks
`__shapeflow_guessed__()`. Lines and columns stay as they were. Loops with
`yield` or `await` in them are left alone: who takes what they give must get all of it.
Source: pymodule/ext/loops.c, checker/guesses.py.
"""
from __future__ import annotations

import _ast as ast  # its functions are those of trees.py

from shapeflow.checker.loops.places import (
    ENTER,
    GUESSED,
    LOOP,
    STRINGS,
    TEST,
    TRUTH,
    TURN,
    Place,
    known,
)
from shapeflow.checker.loops.trees import Transformer, children, located, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Optional, Sequence, Set

_OPERATORS = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_NUMBERS = {kind: number for number, kind in enumerate(_OPERATORS)}  # as loops.c has them
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_GIVES = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_MARKED = (ast.For, ast.While, ast.If, ast.IfExp, ast.Assert)


class _Marker(Transformer):
    """Puts the calls into the tree of one file."""

    def __init__(self, path: str, tree: ast.AST, only: Sequence[str] = ()) -> None:
        super().__init__()
        self._path = path
        self._only = only
        self._loops: List[Place] = []  # around the statement, in its own scope
        self._scope = tree
        self._names: Optional[Set[str]] = None  # _shared(self._scope), once a loop asks
        self._is_stepping = False
        kinds: Set[type] = set()
        joins = False
        for node in walk(tree):
            kinds.add(type(node))
            if isinstance(node, ast.Name) and node.id == "next" or \
                    isinstance(node, ast.Attribute) and node.attr in ("next", "__next__", "readline"):
                self._is_stepping = not only  # a loop over epochs begins its iterator anew
            joins = joins or isinstance(node, ast.Attribute) and node.attr == "join"
        self.is_needed = joins or not kinds.isdisjoint(_MARKED)
        self._has_marked = joins or ast.IfExp in kinds  # the expressions that are marked

    def generic_visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and not self._has_marked:
            return node
        return super().generic_visit(node)

    # --- scopes -----------------------------------------------------------------------------------
    def _function(self, node: Any) -> Any:
        before = self._loops, self._scope, self._names
        self._loops, self._scope, self._names = [], node, None
        self.generic_visit(node)
        self._loops, self._scope, self._names = before
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def _shared(self) -> Set[str]:
        if self._names is None:
            self._names = _shared(self._scope)
        return self._names

    # --- loops ------------------------------------------------------------------------------------
    def _place(self, node: Any, target: Optional[ast.expr], test: Optional[ast.expr]) -> Place:
        names = _fresh(node.body, target) - self._shared()
        may_break = any(isinstance(part, (ast.Break, ast.Return)) for part in _own(node))
        place = Place(len(known.loops), self._path, node.lineno, target, test, names, self._is_stepping,
                      may_break)
        known.loops.append(place)
        return place

    def _inside(self, node: Any, place: Place) -> None:
        self._loops.append(place)
        node.body = self._statements(node.body)
        self._loops.pop()
        node.orelse = self._statements(node.orelse)

    def _statements(self, body: List[ast.stmt]) -> List[ast.stmt]:
        made: List[ast.stmt] = []
        for statement in body:
            changed = self.visit(statement)
            made += changed if isinstance(changed, list) else [changed]
        return made

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        first = node.target
        if isinstance(first, ast.Tuple) and first.elts:
            first = first.elts[0]
        if _gives(node) or self._only and not (isinstance(first, ast.Name) and first.id in self._only):
            self.generic_visit(node)
            return node
        place = self._place(node, node.target, None)
        node.iter = _call(LOOP, node.iter, ast.Constant(place.number), node.iter)
        self._inside(node, place)
        return node

    def visit_While(self, node: ast.While) -> Any:
        if _gives(node) or self._only:
            node.test = self._condition(node.test)
            node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
            return node
        place = self._place(node, None, node.test)
        turn = _call(TURN, node.test, ast.Constant(place.number))
        if isinstance(node.test, ast.Constant) and node.test.value:
            node.test = turn
        else:
            before = known.branches
            test = self._condition(node.test)
            place.own.update(range(before, known.branches))
            node.test = located(ast.BoolOp(ast.And(), [turn, test]), test)
        self._inside(node, place)
        enter = located(ast.Expr(_call(ENTER, node.test, ast.Constant(place.number))), node.test)
        return [enter, node]

    # --- conditions -------------------------------------------------------------------------------
    def _condition(self, test: ast.expr) -> ast.expr:
        """The same truth, of which is noted how it came out."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._condition(value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._condition(test.operand)
            return test
        if isinstance(test, (ast.Constant, ast.NamedExpr)):
            return test
        number = known.branches
        known.branches += 1
        for place in self._loops:
            place.conditions[number] = test
        self.generic_visit(test)
        at = ast.Constant(number)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            operator = ast.Constant(_NUMBERS[type(test.ops[0])])
            return _call(TEST, test, at, operator, test.left, test.comparators[0])
        return _call(TRUTH, test, at, test)

    def _tested(self, node: Any) -> Any:
        test, node.test = node.test, located(ast.Constant(True), node.test)
        test = self._condition(test)
        self.generic_visit(node)
        node.test = test
        return node

    visit_If = visit_IfExp = _tested

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        self._tested(node)
        guessed = _call(GUESSED, node.test)
        node.test = located(ast.BoolOp(ast.Or(), [node.test, guessed]), node.test)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and len(node.args) == 1 and \
                not node.keywords and not isinstance(node.args[0], ast.Starred):
            node.args[0] = _call(STRINGS, node.args[0], node.args[0])
        return node


def _call(name: str, at: Any, *arguments: ast.expr) -> ast.Call:
    function = located(ast.Name(name, ast.Load()), at)
    for argument in arguments:
        if not hasattr(argument, "lineno"):
            located(argument, at)
    return located(ast.Call(function, list(arguments), []), at)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes of the scope of `node`; functions and classes in it are not entered."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        if here is node or not isinstance(here, _SCOPES):
            stack.extend(children(here))


def _gives(node: ast.AST) -> bool:
    return any(isinstance(part, _GIVES) for part in _own(node))


def _shared(scope: ast.AST) -> Set[str]:
    """Names that other code than the scope's own may read: functions in it, or those of the module."""
    found: Set[str] = set()
    for node in _own(scope):
        if isinstance(node, _SCOPES) and node is not scope:
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
        for node in (statement,) if isinstance(statement, _SCOPES) else _own(statement):
            if isinstance(node, ast.comprehension):
                inner.update(map(id, walk(node.target)))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                outer.update(node.names)
            elif isinstance(node, _SCOPES):
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
def _fresh(body: List[ast.stmt], target: Optional[ast.expr]) -> Set[str]:
    """Names that a turn always sets before it reads them."""
    flow = _Flow()
    assigned: Set[str] = set()
    if target is not None:
        flow.store(target, assigned)
    flow.run(body, assigned)
    return flow.stored - flow.exposed


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
        elif isinstance(node, (*_SCOPES, ast.Import, ast.ImportFrom)):
            self.read(node, assigned)
            if hasattr(node, "name"):
                assigned.add(node.name)
        else:
            self.read(node, assigned)
            for part in walk(node):
                if isinstance(part, ast.NamedExpr):
                    self.stored.add(part.target.id)
                    self.exposed.add(part.target.id)


def tree_of(source: Any, path: str, flags: int = 0, only: Sequence[str] = ()) -> Any:
    """What compile() takes of a file, of its text or its tree, with the calls. SyntaxError and ValueError as
    from compile(); what is nested too deep for us is left as it is. `only`: of the loops those whose `for`
    sets one of these names first."""
    tree: ast.AST = compile(source, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    before = len(known.loops), known.branches
    try:
        marker = _Marker(path, tree, only)
        marked: ast.AST = marker.visit(tree) if marker.is_needed else tree
    except RecursionError:
        known.forget(*before)
        tree = compile(source, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        return tree
    return marked
