"""Would an error raised now be caught? A check goes on after an error, with unknown outputs, so that one
run shows every independent error; but a script that catches the error must get it, as from TensorFlow.

Asked only after an error, so files are parsed, not traced.
"""
from __future__ import annotations

import os
import sys

from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import FrameType
    from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

    Range = Tuple[int, int]

# Handlers of these alone never see a shape error.
_OTHERS = frozenset({
    "OutOfRangeError", "StopIteration", "StopAsyncIteration", "KeyboardInterrupt", "SystemExit",
    "GeneratorExit", "ImportError", "ModuleNotFoundError", "KeyError", "IndexError", "NameError",
    "AttributeError", "OSError", "IOError", "FileNotFoundError", "FileExistsError", "PermissionError",
    "EOFError", "UnicodeDecodeError", "NotFoundError", "CancelledError", "AbortedError",
    "DataLossError", "ZeroDivisionError", "AssertionError", "NotImplementedError", "Empty", "Full",
    "TimeoutError", "MemoryError", "JSONDecodeError",
})
# Context managers that swallow or expect: contextlib.suppress, pytest.raises, self.assertRaises...
_EXPECTING = ("raises", "Raises", "suppress")
# Handlers of imports that fail, of files that are not there, and of anything.
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_FILE_ERRORS = frozenset({"OSError", "IOError", "EnvironmentError", "FileNotFoundError", "NotFoundError",
                          "URLError", "HTTPError", "RequestException", "ConnectionError"})
_BROAD = frozenset({"Exception", "BaseException"})
_LEAVES = frozenset({"exit", "quit", "_exit", "abort", "fail", "skip"})
_SHORT = 6  # lines of a `try` that is about one read

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# What the program's layers are called by: what these functions catch is as if nobody did.
_CALLERS = frozenset({(_OURS + os.path.join("checker", "keras_calls.py"), "_called"),
                      (_OURS + os.path.join("checker", "keras_ranks.py"), "through")})
_RUNNERS = frozenset({_OURS + os.path.join("checker", "check.py"), _OURS + "cli.py", _OURS + "__main__.py"})


def _last_name(node: ast.expr) -> str:
    import ast

    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) \
        else ""


def _catches(handler: ast.ExceptHandler, library: bool) -> bool:
    """Does it take a ValueError or one of TensorFlow's, and keep it? A library that raises another error in
    its place only tells more of it."""
    import ast

    last = handler.body[-1]
    if isinstance(last, ast.Raise) and (library or last.exc is None):
        return False
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(_last_name(t) not in _OTHERS for t in types)


def _expects(node: ast.With) -> bool:
    import ast

    for item in node.items:
        call = item.context_expr
        name = _last_name(call.func) if isinstance(call, ast.Call) else ""
        if any(word in name for word in _EXPECTING):
            return True
    return False


def _gives_up(body: Sequence[ast.stmt]) -> bool:
    """Has a handler no other answer than to end the program?"""
    import ast

    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and \
        _last_name(last.value.func) in _LEAVES


def _import_handler(handlers: Sequence[ast.ExceptHandler]) -> Set[str]:
    """The names by which the handler of a failing import catches it; none where it gives up."""
    import ast

    for handler in handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {"BaseException" if kind is None else _last_name(kind) for kind in types}
        taken = names & (_IMPORT_ERRORS | _BROAD)
        if taken:
            return set() if _gives_up(handler.body) else taken
    return set()


def _answers_file_error(handlers: Sequence[ast.ExceptHandler], is_short: bool) -> bool:
    import ast

    for handler in handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {"BaseException" if kind is None else _last_name(kind) for kind in types}
        if names & _FILE_ERRORS or is_short and names & _BROAD:
            return not _gives_up(handler.body)
    return False


class _Guards:
    """What one file guards, read from its tree once. Each entry begins with the first and the last line of a
    body: errors of ops that are caught there; errors that the program waits for; imports (is it for imports
    alone?); files; each `try` with its handlers (None: a `with` that expects exceptions)."""

    __slots__ = ("errors", "expected", "files", "handlers", "imports")

    def __init__(self, tree: ast.Module, library: bool) -> None:
        import ast

        self.errors: List[Range] = []
        self.expected: List[Range] = []
        self.imports: List[Tuple[int, int, bool]] = []
        self.files: List[Range] = []
        self.handlers: List[Tuple[int, int, Optional[Sequence[ast.ExceptHandler]]]] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                self._add_try(node, _lines_of(node.body), library)
            elif isinstance(node, ast.With) and _expects(node):
                self._add_expecting(node, _lines_of(node.body))

    def _add_try(self, node: ast.Try, lines: Range, library: bool) -> None:
        if any(_catches(handler, library) for handler in node.handlers):
            self.errors.append(lines)
        names = _import_handler(node.handlers)
        if names:
            self.imports.append((*lines, bool(names & _IMPORT_ERRORS)))
        if _answers_file_error(node.handlers, lines[1] - lines[0] < _SHORT):
            self.files.append(lines)
        if node.handlers:
            self.handlers.append((*lines, node.handlers))

    def _add_expecting(self, node: ast.With, lines: Range) -> None:
        import ast

        self.errors.append(lines)
        self.expected.append(lines)
        names = {_last_name(arg) for item in node.items if isinstance(item.context_expr, ast.Call)
                 for arg in item.context_expr.args} & (_IMPORT_ERRORS | _BROAD)
        if names:
            self.imports.append((*lines, bool(names & _IMPORT_ERRORS)))
        self.handlers.append((*lines, None))


def _lines_of(body: Sequence[ast.stmt]) -> Range:
    return body[0].lineno, body[-1].end_lineno or body[-1].lineno


_guards: Dict[str, Optional[_Guards]] = {}


def _guards_of(path: str) -> Optional[_Guards]:
    """None for a file that is not there, is empty, or cannot be parsed."""
    if path not in _guards:
        import ast
        import linecache

        text = "".join(linecache.getlines(path))
        try:
            _guards[path] = _Guards(ast.parse(text), is_library(path)) if text else None
        except (SyntaxError, ValueError, RecursionError):
            _guards[path] = None
    return _guards[path]


def _holds(ranges: Sequence[Range], line: int) -> bool:
    return any(first <= line <= last for first, last in ranges)


def forget(path: str) -> None:
    """What was read of `path`, which has another text now."""
    _guards.pop(path, None)


def is_expected(frames: Sequence[Sequence[object]]) -> bool:
    """Is an error that was made there one that the program waits for: in a `with` of assertRaises and its
    like? `frames`: (path, line, ...) of its calls."""
    for path, line, *_ in frames:
        if isinstance(path, str) and isinstance(line, int) and not path.startswith("<frozen "):
            guards = _guards_of(path)
            if guards is not None and _holds(guards.expected, line):
                return True
    return False


# What values decide: TensorFlow says it when the node runs, which may be never.
_LEFT_TO_RUNS = ("SF117", "SF129")


def is_no_failure(finding: Any) -> bool:
    """Does the program wait for this error, or will only a run of the node, if any, tell of it?"""
    return finding.severity == "error" and (
        finding.deferred and finding.code in _LEFT_TO_RUNS or
        is_expected([*(finding.frames or ()), *(finding.raised_frames or ())]))


def import_is_guarded(frame: Optional[FrameType]) -> bool:
    """Has the script an answer of its own to an import that fails in `frame`? A `try` round the statement,
    or one for ImportError round the import of the module in which it stands."""
    outer = False
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path in _RUNNERS:
            return False
        if not path.startswith("<frozen "):
            guards = _guards_of(path)
            if guards is not None and any(first <= line <= last and (alone or not outer)
                                          for first, last, alone in guards.imports):
                return True
            outer = outer or not path.startswith("<")
        frame = frame.f_back
    return False


def reading_is_guarded(frame: Optional[FrameType]) -> bool:
    """Has the script an answer of its own to a file that cannot be read in `frame`, or round that?"""
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path in _RUNNERS:
            return False
        if not path.startswith("<") and not is_library(path):
            guards = _guards_of(path)
            if guards is not None and _holds(guards.files, line):
                return True
        frame = frame.f_back
    return False


# What calls the script's functions and keeps every exception only to tell of it.
_TELLERS = tuple(os.sep + os.path.join(*parts) for parts in (
    ("unittest", "case.py"), ("threading.py",), ("concurrent", "futures", "thread.py"),
    ("multiprocessing", "pool.py"), ("multiprocessing", "process.py")))


def _named(node: ast.expr, frame: FrameType) -> Any:
    """What a name with dots stands for in `frame`; raises LookupError and AttributeError."""
    import ast
    import builtins

    if isinstance(node, ast.Attribute):
        return getattr(_named(node.value, frame), node.attr)
    if isinstance(node, ast.Tuple):
        return tuple(_named(item, frame) for item in node.elts)
    if not isinstance(node, ast.Name):
        raise LookupError
    for names in (frame.f_locals, frame.f_globals, vars(builtins)):
        if node.id in names:
            return names[node.id]
    raise LookupError


def _takes(handler: ast.ExceptHandler, error: BaseException, frame: FrameType) -> bool:
    """Does the handler keep this exception, and go on?"""
    if _gives_up(handler.body):
        return False
    if handler.type is None:
        return True
    try:
        return isinstance(error, _named(handler.type, frame))
    except Exception:  # a name that is not there, or is no class
        return False


def is_caught(error: BaseException, frame: Optional[FrameType]) -> bool:
    """Would the script, or a library between, catch this exception of `frame` and go on?"""
    while frame is not None and frame.f_code.co_filename not in _RUNNERS:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if not path.startswith("<") and not path.endswith(_TELLERS):
            guards = _guards_of(path)
            for first, last, handlers in guards.handlers if guards is not None else ():
                if first <= line <= last and (
                        handlers is None or any(_takes(handler, error, frame) for handler in handlers)):
                    return True
        frame = frame.f_back
    return False


def uncaught() -> bool:
    """True when no frame of the running thread would catch an error of the op being made."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path not in _RUNNERS and not path.startswith("<frozen "):
            guards = _guards_of(path)
            if (guards is None or _holds(guards.errors, line)) and \
                    (path, frame.f_code.co_name) not in _CALLERS:
                return False
        elif path in _RUNNERS:
            return True  # what called the checker is not the script's
        frame = frame.f_back
    return False  # another thread: its own rules
