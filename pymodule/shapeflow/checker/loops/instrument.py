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

import _ast as ast  # `ast` itself costs a small script more than its own check
import builtins
import os
import sys
from _bisect import bisect_left

from shapeflow import _core
from shapeflow.checker import library_frames, source_loading
from shapeflow.checker.loops.places import (
    ENTER,
    GUESSED,
    LOOP,
    STRINGS,
    TEST,
    TRAINER,
    TRUTH,
    TURN,
    Place,
    known,
)
from shapeflow.checker.patches import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

    from shapeflow._core import Loop
    from shapeflow.checker.patches import Patcher

    Node = TypeVar("Node", bound=ast.AST)

SECONDS = 0.3  # spent at a place before its loop may be left
QUIET = 3  # turns without anything new before it is looked at
_WORDS = ("for", "while", "if", "assert", "join")  # a source without any of them has nothing to be marked
_KERAS = ("epoch", "begin_step")  # the names that the loops over epochs and over batches set
_LOAD = ast.Load()
_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")

_OPERATORS = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_NUMBERS = {kind: number for number, kind in enumerate(_OPERATORS)}  # as loops.c has them
_GIVES = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
# Where statements have statements: of others the expressions need no look.
_BODY, _BODIES, _PARTS = ("body",), ("body", "orelse"), ("body", "handlers", "orelse", "finalbody")
_STATEMENTS: Dict[str, Tuple[str, ...]] = {
    "Module": _BODY, "FunctionDef": _BODY, "AsyncFunctionDef": _BODY, "ClassDef": _BODY, "With": _BODY,
    "AsyncWith": _BODY, "For": _BODIES, "AsyncFor": _BODIES, "If": _BODIES, "Try": _PARTS, "TryStar": _PARTS,
    "ExceptHandler": _BODY, "Match": ("cases",), "match_case": _BODY}
_LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store})  # have nothing below them
# Statements that have none in them.
_PLAIN = frozenset({
    ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Import, ast.ImportFrom,
    ast.Pass, ast.Break, ast.Continue, ast.Delete, ast.Global, ast.Nonlocal})


# --- what may be marked ---------------------------------------------------------------------------
def _text_of(source: object) -> Optional[str]:
    """Its words, in ASCII; None: of a tree, or of a file that says how it is written."""
    if isinstance(source, bytes) and b"coding" not in source:
        return source.decode("latin-1")
    return source if isinstance(source, str) else None


def _lines_with(text: str, words: Sequence[str]) -> List[int]:
    """The lines with one of these words, of `else` those where no colon follows it. To look at the text costs
    less than to look at the tree."""
    found = set()
    for word in words:
        line, last, at = 1, 0, text.find(word)
        while at >= 0:
            line, last = line + text.count("\n", last, at), at
            if word != "else" or not text[at + 4:at + 16].lstrip(" \t").startswith(":"):
                found.add(line)
            at = text.find(word, at + 4)
    return sorted(found)


def located(node: Node, at: ast.AST) -> Node:
    """The node, with the place in the source that `at` has."""
    node.__dict__.update(_place_of(at))
    return node


def _place_of(at: ast.AST) -> Dict[str, object]:
    there = at.__dict__
    return {name: there.get(name) for name in _PLACE}


class _Marker:
    """Puts the calls into the tree of one file: a method visit_NAME gives what stands for a node of that
    class, for a statement also a list; others are gone through."""

    def __init__(self, path: str, tree: ast.AST, text: Optional[str], only: Sequence[str]) -> None:
        """`only`: of the loops those whose `for` sets one of these names first; () for all."""
        self._path = path
        self._only = only
        self._loops: List[Place] = []  # around the statement, in its own scope
        self._scope = tree
        self._tree = None if only else tree  # Keras's loops over epochs begin their iterator anew
        self._lines = self._givers = None  # None: any line may have what is asked for
        if text is not None:
            if "\r" in text:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
            self._lines = _lines_with(text, ("join", "else"))
            self._givers = _lines_with(text, ("yield", "await", "async"))
        self._methods: Dict[type, Any] = {}  # by class of node

    def visit(self, node: ast.AST) -> Any:
        kind = type(node)
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = getattr(self, "visit_" + kind.__name__, self._inner)
        return method(node)

    def _inner(self, node: ast.AST) -> object:
        """The node, with what is below it visited."""
        if not self._may_have_expressions(node):
            for name in _STATEMENTS.get(type(node).__name__, ()):
                setattr(node, name, self._statements(getattr(node, name)))
            return node
        for name, value in node.__dict__.items():
            if type(value) is list:
                value[:] = self._statements(value)
            elif isinstance(value, ast.AST) and type(value) not in _LEAVES:
                node.__dict__[name] = self.visit(value)  # a key that is there: the dictionary stays as long
        return node

    def _may_have_expressions(self, node: ast.AST) -> bool:
        """May there be expressions that are marked in it?"""
        line: Optional[int] = getattr(node, "lineno", None)
        if self._lines is None or line is None:
            return True
        at = bisect_left(self._lines, line)
        return at < len(self._lines) and self._lines[at] <= node.end_lineno  # type: ignore[attr-defined]

    def _statements(self, body: List[Any]) -> List[Any]:
        """These, or the parts of an expression, visited."""
        made: List[Any] = []
        lines = self._lines
        for part in body:
            kind = type(part)
            if kind in _LEAVES:
                made.append(part)
                continue
            if lines is not None and kind in _PLAIN:
                at = bisect_left(lines, part.lineno)
                if at == len(lines) or lines[at] > part.end_lineno:
                    made.append(part)
                    continue
            changed = self.visit(part) if isinstance(part, ast.AST) else part
            made += changed if isinstance(changed, list) else [changed]
        return made

    # --- scopes -----------------------------------------------------------------------------------
    def _function(self, node: Any) -> Any:
        before = self._loops, self._scope
        self._loops, self._scope = [], node
        self._inner(node)
        self._loops, self._scope = before
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    # --- loops ------------------------------------------------------------------------------------
    def _gives(self, node: Any) -> bool:
        if self._givers is not None:
            at = bisect_left(self._givers, node.lineno)
            if at == len(self._givers) or self._givers[at] > node.end_lineno:
                return False
        from shapeflow.checker.loops.trees import own_nodes

        return any(isinstance(part, _GIVES) for part in own_nodes(node))

    def _place(self, node: object) -> Place:
        place = Place(len(known.loops), self._path, node, self._scope, self._tree)
        known.loops.append(place)
        return place

    def _inside(self, node: Any, place: Place) -> None:
        self._loops.append(place)
        node.body = self._statements(node.body)
        self._loops.pop()
        node.orelse = self._statements(node.orelse)

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        first = node.target
        if isinstance(first, ast.Tuple) and first.elts:
            first = first.elts[0]
        if self._gives(node) or self._only and not (isinstance(first, ast.Name) and first.id in self._only):
            self._inner(node)
            return node
        place = self._place(node)
        node.iter = _call(LOOP, node.iter, ast.Constant(place.number), node.iter)
        self._inside(node, place)
        return node

    def visit_While(self, node: ast.While) -> object:
        if self._gives(node) or self._only:
            node.test = self._condition(node.test)
            node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
            return node
        place = self._place(node)
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
        self._inner(test)
        at = ast.Constant(number)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            operator = ast.Constant(_NUMBERS[type(test.ops[0])])
            return _call(TEST, test, at, operator, test.left, test.comparators[0])
        return _call(TRUTH, test, at, test)

    def _tested(self, node: Any) -> object:
        test, node.test = node.test, located(ast.Constant(True), node.test)
        test = self._condition(test)
        self._inner(node)
        node.test = test
        return node

    visit_IfExp = _tested

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self._condition(node.test)
        node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        self._tested(node)
        guessed = _call(GUESSED, node.test)
        node.test = located(ast.BoolOp(ast.Or(), [node.test, guessed]), node.test)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self._inner(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and len(node.args) == 1 and \
                not node.keywords and not isinstance(node.args[0], ast.Starred):
            node.args[0] = _call(STRINGS, node.args[0], node.args[0])
        return node


def _call(name: str, at: Any, *arguments: ast.expr) -> ast.Call:
    place = _place_of(at)
    function = ast.Name(name, _LOAD)
    call = ast.Call(function, list(arguments), [])
    for node in (function, call, *arguments):
        if "lineno" not in node.__dict__:
            node.__dict__.update(place)
    return call


# --- the user's modules ---------------------------------------------------------------------------
def marked(source: Any, path: str, flags: int = 0, parsed: Any = None) -> Any:
    """What compile() takes of a file, of its text or its tree, with the calls. SyntaxError and ValueError as
    from compile(); what is nested too deep for us is left as it is. `parsed`: the tree of a text, which is
    changed."""
    if isinstance(source, str) and not any(word in source for word in _WORDS):
        return source
    if isinstance(source, bytes) and not any(word.encode() in source for word in (*_WORDS, "coding")):
        return source
    tree: ast.AST = parsed
    if tree is None:
        tree = compile(source, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    before = len(known.loops), known.branches
    try:
        return _Marker(path, tree, _text_of(source), _KERAS if path.endswith(TRAINER) else ()).visit(tree)
    except RecursionError:
        known.forget(*before)
        return compile(source, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)


def _strings(joined: object) -> object:
    from shapeflow.checker import guesses

    return guesses.strings(joined)


def _is_guessed() -> bool:
    from shapeflow.checker import guesses

    return guesses.is_guessed()


CALLS: Dict[str, Callable[..., object]] = {
    LOOP: _core.loop, ENTER: _core.loop_enter, TURN: _core.loop_turn, TEST: _core.branch_test,
    TRUTH: _core.branch_truth, STRINGS: _strings, GUESSED: _is_guessed}


def instrument_imports(by: Patcher, script: str, translated: Callable[[Any, str], object],
                       parsed: Callable[[Any, str], object]) -> None:
    """From here on the user's modules are compiled so that their loops are seen. `translated`: gives the tree
    of a source that is to be taken for Python 2, else the source. `parsed`: a tree of a text, or None."""
    known.forget()
    builtin = PROCESS.by(by.owner, by.reason)
    for name, call in CALLS.items():
        if vars(builtins).get(name) is not call:
            # They stay: what was compiled with them may run after the check, from atexit or in a thread.
            builtin.set(builtins, name, call)
    others = (*library_frames.folders(script), "<")  # asked first: most modules are in one of them

    def is_watched(path: str) -> bool:
        return not path.startswith(others) and not library_frames.is_library(path, script) or \
            path.endswith(TRAINER)

    def change(data: object, path: str) -> Any:
        data = translated(data, path)
        return marked(data, path, 0, parsed(data, path))

    source_loading.change_sources(by, is_watched, change)


def start(decide: Callable[[Loop], bool], patience: int) -> None:
    """From here on `decide` says whether a loop goes on that may be steady, in this thread; not in processes
    that the program forks. `patience` multiplies what a loop must have shown before it is asked."""
    os.register_at_fork(after_in_child=lambda: _core.watch_loops(None))
    _core.watch_loops(decide, SECONDS * patience, QUIET * patience)
    _core.set_graph_loop_hook(_begins)


def _begins(place: int, iterable: object) -> Optional[Tuple[object, Callable[[], bool]]]:
    from shapeflow.tensorflow.python.eager import loop_shapes

    found = known.loops[place]
    return loop_shapes.begins(lambda: found.analysis.carried, found.own, iterable, sys._getframe(1))
