"""Statements that a run passes over: they failed in the run before, which had something unknown in it.

A program that ends with an exception is not checked from there on. Where data or packages are not there, or
something is not modelled, the exception may owe to that. So the program is run again, and the statement where
it ended may fail: what it would have set is unknown then, and the program goes on. Of `for`, `with`, `if` and
`while` only the head is passed over. What a statement may have left half changed (the list of an `append`,
the array of an `a[i] = x`) is unknown too, so that nothing is found because of it. Each one is a note.
"""
from __future__ import annotations

import ast
import builtins
import sys

import shapeflow.checker.exception_handlers as handlers
import shapeflow.checker.numpy_errors as numpy_errors
import shapeflow.checker.unit_tests as unit_tests
from shapeflow import _core
from shapeflow.checker.findings import CALLER_CODES, Record, Span, display_path, told
from shapeflow.checker.library_frames import is_library
from shapeflow.checker.loops.trees import SCOPES, own_nodes
from shapeflow.checker.missing_imports import OF_VERSIONS
from shapeflow.checker.reports import iterations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, TypeVar, Union

    from shapeflow._core import Finding
    from shapeflow.checker.patches import Patcher

    _Node = TypeVar("_Node", bound=ast.AST)
    Place = Tuple[str, int]  # a file and a line of it

CODE, NAME = "SF908", "PASSED_OVER"
_FAILED, _PASS, _UNKNOWN, _SPOILED = (
    "__shapeflow_failed__", "__shapeflow_pass__", "__shapeflow_unknown__", "__shapeflow_spoiled__")
_ITERATED, _ENTERED, _TESTED = "__shapeflow_iterated__", "__shapeflow_entered__", "__shapeflow_tested__"
_SPOIL_GLOBAL = "__shapeflow_spoil_global__"
_COMPOUND = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)
_OWN_FRAME = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)  # what a lambda would take for itself
_NEVER_FAIL = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)
_NOTES_MOST = 24
_ANY_MOST = 100  # different statements that a run passes over where any may fail
# Where a run passes over any statement: what tells a loop or a caller that there is no more, or no such name.
_ENDS = (StopIteration, StopAsyncIteration, GeneratorExit)
_LOOKUPS = (AttributeError, LookupError)
# What no statement owes to something unknown.
_OTHERS = (SyntaxError, MemoryError)


def may_owe_to_unknown(error: BaseException) -> bool:
    """Is it an error that a statement may have made because of something unknown?"""
    if isinstance(error, SystemExit):
        return True
    if isinstance(error, ImportError):
        return error.name is None or lacks_name(error)  # else an import failed: the message says which
    return isinstance(error, Exception) and not isinstance(error, _OTHERS)


def lacks_name(error: BaseException) -> bool:
    """Is it an import of a name that an installed package, of another version, has not?"""
    if not isinstance(error, ImportError) or not str(error).startswith("cannot import name "):
        return False
    path = error.path or ""
    return is_library(path) and (error.name or "").partition(".")[0] not in OF_VERSIONS


def lacks_package(error: BaseException) -> bool:
    """Does a library say, in words of its own, that it lacks another one? Keras without Pillow does."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return isinstance(error, ImportError) and error.name is None and trace is not None and \
        is_library(trace.tb_frame.f_code.co_filename)


# What an `assert` asks of arrays as a whole, and what it asks of more than their content, which a check does
# not compute.
_CONTENT = frozenset("all any allclose isclose array_equal isfinite isnan".split())
_KNOWN = frozenset("""shape ndim rank size dtype get_shape len type isinstance hasattr callable issubclass
                   exists""".split())


def is_of_surroundings(error: BaseException, frames: Sequence[Span]) -> bool:
    """Does an exception tell of what a check, or this environment, does not have?"""
    return lacks_package(error) or lacks_name(error) or is_about_content(error, frames)


def is_about_content(error: BaseException, frames: Sequence[Span]) -> bool:
    """Is it an `assert` that compares what sessions gave, of which only the shape is known?"""
    if not isinstance(error, AssertionError) or not frames or not iterations(_core.counters()):
        return False
    import linecache

    from shapeflow.fixes.source import Source

    path, line = frames[0].path, frames[0].line
    try:
        statement = Source(path, "".join(linecache.getlines(path))).statement_at(line)
    except (SyntaxError, ValueError, RecursionError):
        return False
    if not isinstance(statement, ast.Assert):
        return False
    names = {part.attr if isinstance(part, ast.Attribute) else part.id for part in ast.walk(statement.test)
             if isinstance(part, (ast.Attribute, ast.Name))}
    return names.isdisjoint(_KNOWN) and not names.isdisjoint(_CONTENT)


class PassedOver:
    """What one run passes over. `places`: the statements that may fail; `script`: every statement of the
    program may, unless it catches the exception itself, or a finding has told of it: `is_told`."""

    def __init__(self, places: Sequence[Place], script: str = "",
                 is_told: Callable[[BaseException], bool] = lambda error: False) -> None:
        self._places = list(places)
        self._script, self._is_told = script, is_told
        self._first: Dict[Place, BaseException] = {}  # that did fail
        self._refusals: Dict[Place, Tuple[str, int, int]] = {}  # each `raise`, and the lines of its function

    def install(self, by: Patcher) -> None:
        """What the changed sources call."""
        calls = {_FAILED: (Exception, SystemExit), _PASS: self._pass, _UNKNOWN: self._unknown,
                 _SPOILED: _spoiled, _SPOIL_GLOBAL: _spoil_global, _ITERATED: self._iterated,
                 _ENTERED: self._entered, _TESTED: self._tested}
        for name, value in calls.items():
            by.set(builtins, name, value, regardless=True)

    def records(self) -> List[Record]:
        """A note for each statement that failed."""
        found = []
        more = list(self._first)[_NOTES_MOST:]
        for (path, line), error in list(self._first.items())[:_NOTES_MOST]:
            words = " ".join(str(error).split())
            words = words if len(words) <= 160 else words[:157] + "..."
            why = "in this numpy alone" if numpy_errors.is_of_later_numpy(error) else \
                "as it may for want of what is unknown"
            text = "{text}:{int} was passed over: it failed, {text} ({name}{text})"
            found.append(told(CODE, NAME, "note", text, display_path(path), line, why, type(error).__name__,
                              ": " * bool(words) + words, primary=Span(path, line)))
        if more:
            found.append(told(CODE, NAME, "note", "{int} more statements were passed over", len(more),
                              primary=Span(*more[0])))
        return found

    def may_be_cause(self, finding: Finding) -> bool:
        """May a finding be there only because statements were passed over? They decide which values are
        checked, which names variables have; and a function that refused its arguments goes on with them."""
        if finding.code in ("SF129", "SF205"):
            return True
        refused = [self._refusals[place] for place in self._first if place in self._refusals]
        frames = finding.raised_frames if finding.code in CALLER_CODES else finding.frames
        return any(path == file and first <= line <= last for file, first, last in refused
                   for path, line, *_ in frames)

    # --- in the program -----------------------------------------------------------------------------
    def _pass(self, number: int, error: Optional[BaseException] = None) -> None:
        """Notes that a statement failed; ends the program where it wants to end well."""
        error = error or sys.exc_info()[1]
        if isinstance(error, SystemExit) and error.code in (None, 0):
            raise error
        if error is not None and self._script and (
                len(self._first) >= _ANY_MOST and self._places[number] not in self._first or
                self._is_told(error) or _is_meant(error, sys._getframe(1))):
            raise error
        if error is not None:
            self._first.setdefault(self._places[number], error)

    def _unknown(self, name: str) -> Any:
        from shapeflow.api import unknown_package

        return unknown_package.Unknown(name)

    def _iterated(self, number: int, head: Callable[[], Any]) -> Iterator[object]:
        """What a `for` goes over: as far as it goes, then something unknown if it fails at once."""
        began = False
        try:
            for item in head():
                began = True
                yield item
        except Exception as error:
            self._pass(number, error)
            if not began:
                yield from self._unknown("an item")

    def _entered(self, number: int, head: Callable[[], Any]) -> _Entered:
        """What a `with` enters."""
        return _Entered(self, number, head)

    def _tested(self, number: int, head: Callable[[], object], otherwise: bool) -> bool:
        """The truth of a condition."""
        try:
            return bool(head())
        except Exception as error:
            self._pass(number, error)
            return otherwise

    # --- in the source ------------------------------------------------------------------------------
    def changed(self, source: Any, path: str) -> object:
        """What compile() takes of a file, of its text or its tree; SyntaxError and ValueError as from it."""
        numbers = {line: number for number, (file, line) in enumerate(self._places) if file == path}
        takes_all = bool(self._script) and not is_library(path, self._script)
        if not numbers and not takes_all:
            return source
        tree = source if isinstance(source, ast.AST) else \
            compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        changer: _Changer = _AllChanger(numbers, self._places, path) if takes_all else _Changer(numbers)
        changed = changer.visit(tree)
        for number, (first, last) in changer.refusals.items():
            self._refusals[self._places[number]] = path, first, last
        return ast.fix_missing_locations(changed)


class _Entered:
    """A context manager that is unknown where it cannot be had or entered."""

    def __init__(self, owner: PassedOver, number: int, head: Callable[[], Any]) -> None:
        self._owner, self._number, self._head = owner, number, head
        self._manager: Any = None

    def __enter__(self) -> object:
        try:
            manager = self._head()
            entered = type(manager).__enter__(manager)
        except Exception as error:
            self._owner._pass(self._number, error)
            return self._owner._unknown("what was entered")
        self._manager = manager
        return entered

    def __exit__(self, kind: object, error: object, trace: Optional[TracebackType]) -> object:
        if self._manager is None:
            return False
        return type(self._manager).__exit__(self._manager, kind, error, trace)


def _spoiled(value: object) -> object:
    """What stands for something that a statement may have left half changed."""
    if isinstance(value, (list, dict, set, bytearray)) or type(value).__name__ in ("ndarray", "deque"):
        from shapeflow.api import unknown_package

        return unknown_package.Unknown("what was half changed")
    return value


def _spoil_global(names: Dict[str, object], name: str) -> None:
    """The same for a name of a module, in a function that only reads it."""
    if name in names:
        names[name] = _spoiled(names[name])


class _Changer(ast.NodeTransformer):
    """Changes the innermost statement at each of some lines, and what else begins there."""

    def __init__(self, numbers: Dict[int, int]) -> None:
        self._numbers = numbers
        self._changed: Dict[int, int] = {}  # those of `numbers` that a statement has had
        self._is_class = False
        self._local: Optional[Set[str]] = None  # names of the function; None: no function
        self._lines = 0, 0  # of the function
        self.refusals: Dict[int, Tuple[int, int]] = {}  # of each `raise` of a function, the function's lines

    def visit(self, node: ast.AST) -> Union[ast.stmt, ast.AST]:
        if not isinstance(node, ast.stmt):
            return self.generic_visit(node)
        outer = self._is_class, self._local, self._lines
        if isinstance(node, SCOPES):
            self._is_class = isinstance(node, ast.ClassDef)
            self._local = None if self._is_class else _names_set(node)
            self._lines = (0, 0) if self._is_class else (node.lineno, node.end_lineno or node.lineno)
        self.generic_visit(node)
        self._is_class, self._local, self._lines = outer
        number = self._number(node)
        if number is None:
            return node
        if isinstance(node, (ast.Raise, ast.Assert)) and self._local is not None:
            self.refusals[number] = self._lines
        return self._head(node, number) or _tried(node, number, self._local)

    def _number(self, node: ast.stmt) -> Optional[int]:
        """Of the place that the statement is; None: it stays."""
        if isinstance(node, _NEVER_FAIL):  # `class C(Base): pass`
            return None
        first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or first
        line = next((line for line in sorted(self._numbers) if first <= line <= last), None)
        if line is not None:
            self._changed[line] = self._numbers.pop(line)
            return self._changed[line]
        return None if isinstance(node, SCOPES) else self._changed.get(node.lineno)

    def _head(self, node: ast.stmt, number: int) -> Optional[ast.stmt]:
        """The statement with another head; None: it is passed over whole."""
        if isinstance(node, ast.For):
            heads = [node.iter]
        elif isinstance(node, (ast.If, ast.While)):
            heads = [node.test]
        elif isinstance(node, ast.With):
            heads = [item.context_expr for item in node.items]
        else:
            return None
        if self._is_class or any(isinstance(part, _OWN_FRAME) for head in heads for part in ast.walk(head)):
            return None
        if isinstance(node, ast.For):
            node.iter = _late(_ITERATED, number, node.iter)
        elif isinstance(node, (ast.If, ast.While)):
            node.test = _late(_TESTED, number, node.test, ast.Constant(isinstance(node, ast.If)))
        elif isinstance(node, ast.With):
            for item in node.items:
                item.context_expr = _late(_ENTERED, number, item.context_expr)
        return node


class _AllChanger(_Changer):
    """Changes every statement that may fail, each to a place of its own; of loops, which are left early where
    they are as they were written, only some: those in `numbers`, and what may end the program by itself."""

    def __init__(self, numbers: Dict[int, int], places: List[Place], path: str) -> None:
        super().__init__(numbers)
        self._places, self._path = places, path
        self._loops = 0  # around the statement, in its function

    def visit(self, node: ast.AST) -> Union[ast.AST, ast.expr]:
        if isinstance(node, ast.expr):
            return node
        before = self._loops
        if isinstance(node, SCOPES):
            self._loops = 0
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self._loops += 1
        changed = super().visit(node)
        self._loops = before
        return changed

    def _number(self, node: ast.stmt) -> Optional[int]:
        number = super()._number(node)
        if number is not None or not _may_fail(node):
            return number
        inside = self._loops - isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        if inside > 0 and not isinstance(node, (ast.Raise, ast.Assert)):
            return None
        self._places.append((self._path, node.lineno))
        return len(self._places) - 1


def _may_fail(node: ast.stmt) -> bool:
    """May the statement itself, without those that it holds?"""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return bool(node.decorator_list or node.args.defaults or any(node.args.kw_defaults))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return False
    return not isinstance(node, (*_NEVER_FAIL, ast.Try))


def _is_meant(error: BaseException, frame: Optional[FrameType]) -> bool:
    """Is the exception one that somebody waits for: the script, a library, the interpreter itself?"""
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    if isinstance(error, _ENDS) or type(error).__module__.partition(".")[0] in ("unittest", "pytest"):
        return True
    if frame is None:
        return False
    if isinstance(error, SystemExit) and unit_tests.result_of(error) is not None:
        return True
    if isinstance(error, _LOOKUPS) and frame.f_code.co_name.startswith("__"):
        return True  # of __getattr__, __getitem__ and the like
    if isinstance(error, AssertionError) and _is_in_test(frame):
        return True
    return handlers.is_caught(error, frame)


def _is_in_test(frame: Optional[FrameType]) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.replace("\\", "/").endswith("/unittest/case.py"):
            return True
        frame = frame.f_back
    return False


def _late(name: str, number: int, head: ast.expr, *more: ast.expr) -> ast.expr:
    """`name(number, lambda: head)`."""
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return _at(head, _call(name, ast.Constant(number), ast.Lambda(nothing, head), *more))


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _at(place: ast.AST, made: _Node) -> _Node:
    """`made` stands at the first line of `place`, as far as its parts have no place of their own."""
    return ast.fix_missing_locations(ast.copy_location(made, place))


def _tried(node: ast.stmt, number: int, local: Optional[Set[str]]) -> ast.stmt:
    """The statement; where it fails, what it would have set is unknown. `local`: the names that the function
    around it sets."""
    then: List[ast.stmt] = [ast.Expr(_call(_PASS, ast.Constant(number)))]
    is_whole = not isinstance(node, _COMPOUND)
    then += [_suite(ast.Assign([target], _call(_UNKNOWN, ast.Constant(_shown(target)))), is_whole or target)
             for target in _targets(node)]
    for thing in _changed_by(node):
        if isinstance(thing, ast.Name) and local is not None and thing.id not in local:
            names = _call("globals")
            then.append(_suite(ast.Expr(_call(_SPOIL_GLOBAL, names, ast.Constant(thing.id))), True))
        else:
            then.append(_suite(ast.Assign([_stored(thing)], _call(_SPOILED, thing)), True))
    if isinstance(node, ast.Return):
        then.append(ast.Return(_call(_UNKNOWN, ast.Constant("what was returned"))))
    handler = ast.ExceptHandler(ast.Name(_FAILED, ast.Load()), None, then)
    return _at(node, ast.Try([node], [handler], [], []))


def _suite(statement: ast.stmt, when: Union[bool, ast.expr]) -> ast.stmt:
    """The statement, which may fail; `when`: a name, which only gets a value where it has none."""
    nothing = ast.ExceptHandler(ast.Name(_FAILED, ast.Load()), None, [ast.Pass()])
    if isinstance(when, ast.Name):
        unset = ast.ExceptHandler(ast.Name(_FAILED, ast.Load()), None, [statement])
        return ast.Try([ast.Expr(ast.Name(when.id, ast.Load()))], [unset], [], [])
    return ast.Try([statement], [nothing], [], [])


def _targets(node: ast.stmt) -> List[ast.expr]:
    """Names and attributes that the statement sets in its own scope."""
    found: Dict[str, ast.expr] = {}
    for part in _own(node):
        if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Store):
            found.setdefault(ast.dump(part), _stored(part))
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.setdefault(part.name, ast.Name(part.name, ast.Store()))
        elif isinstance(part, ast.alias):
            name = part.asname or part.name.partition(".")[0]
            found.setdefault(name, ast.Name(name, ast.Store()))
    return list(found.values())


def _changed_by(node: ast.stmt) -> List[ast.expr]:
    """Names and attributes whose values the statement changes in place."""
    found: Dict[str, ast.expr] = {}
    for part in _own(node):
        thing: Optional[ast.expr] = None
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, (ast.Store, ast.Del)):
            thing = part.value
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            thing = part.func.value
        while isinstance(thing, ast.Subscript):
            thing = thing.value
        if isinstance(thing, (ast.Name, ast.Attribute)) and _is_plain(thing):
            found.setdefault(ast.dump(thing), thing)
    return list(found.values())


def _names_set(function: Any) -> Set[str]:
    """Names that are the function's own."""
    of = function.args
    found = {arg.arg for arg in [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg] if arg}
    outer: Set[str] = set()
    for statement in function.body:
        for part in _own(statement):
            if isinstance(part, (ast.Global, ast.Nonlocal)):
                outer.update(part.names)
        found.update(target.id for target in _targets(statement) if isinstance(target, ast.Name))
    return found | outer


def _is_plain(thing: ast.expr) -> bool:
    """`a.b.c`: asking for it calls nothing that the statement has not."""
    while isinstance(thing, ast.Attribute):
        thing = thing.value
    return isinstance(thing, ast.Name)


def _stored(thing: ast.expr) -> ast.expr:
    if isinstance(thing, ast.Attribute):
        return ast.Attribute(thing.value, thing.attr, ast.Store())
    assert isinstance(thing, ast.Name)
    return ast.Name(thing.id, ast.Store())


def _shown(target: ast.expr) -> str:
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _own(node: ast.stmt) -> List[ast.AST]:
    """Parts of the statement in its own scope: of a function or class itself, without what it holds."""
    nodes: List[ast.AST] = [node] if isinstance(node, SCOPES) else list(own_nodes(node))
    inner = {id(part) for comp in nodes if isinstance(comp, ast.comprehension)
             for part in ast.walk(comp.target)}
    return [part for part in nodes if id(part) not in inner]  # what comprehensions set is theirs
