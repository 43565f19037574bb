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

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_RUNNERS = frozenset({_OURS + os.path.join("checker", "check.py"), _OURS + "cli.py", _OURS + "__main__.py"})

_guarded: Dict[str, Optional[List[Range]]] = {}


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


def _ranges(path: str) -> Optional[List[Range]]:
    """The lines of `path` whose errors are caught; None when it cannot be parsed."""
    if path not in _guarded:
        import ast
        import linecache

        try:
            lines = linecache.getlines(path)
            tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError, RecursionError):
            _guarded[path] = None
        else:
            if not lines:  # no file, or an empty one
                _guarded[path] = None
                return None
            found: List[Range] = []
            library = is_library(path)
            for node in ast.walk(tree):
                if isinstance(node, ast.Try) and any(_catches(h, library) for h in node.handlers):
                    body = node.body
                elif isinstance(node, ast.With) and _expects(node):
                    body = node.body
                else:
                    continue
                found.append((body[0].lineno, body[-1].end_lineno or body[-1].lineno))
            _guarded[path] = found
    return _guarded[path]


def forget(path: str) -> None:
    """What was read of `path`, which has another text now."""
    _guarded.pop(path, None)
    _importing.pop(path, None)
    _reading.pop(path, None)
    _expecting.pop(path, None)
    _handlers.pop(path, None)


_expecting: Dict[str, List[Range]] = {}


def is_expected(frames: Sequence[Sequence[object]]) -> bool:
    """Is an error that was made there one that the program waits for: in a `with` of assertRaises and its
    like? `frames`: (path, line, ...) of its calls."""
    for path, line, *_ in frames:
        if not isinstance(path, str) or not isinstance(line, int) or path.startswith("<frozen "):
            continue
        if path not in _expecting:
            import ast
            import linecache

            found = _expecting[path] = []
            text = "".join(linecache.getlines(path))
            if any(word in text for word in _EXPECTING):
                try:
                    nodes = list(ast.walk(ast.parse(text)))
                except (SyntaxError, ValueError, RecursionError):
                    nodes = []
                found += [(node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno)
                          for node in nodes if isinstance(node, ast.With) and _expects(node)]
        if any(first <= line <= last for first, last in _expecting[path]):
            return True
    return False


# What values decide: TensorFlow says it when the node runs, which may be never.
_LEFT_TO_RUNS = ("SF117", "SF129")


def is_no_failure(finding: Any) -> bool:
    """Does the program wait for this error, or will only a run of the node, if any, tell of it?"""
    return finding.severity == "error" and (
        finding.deferred and finding.code in _LEFT_TO_RUNS or
        is_expected([*(finding.frames or ()), *(finding.raised_frames or ())]))


# --- imports --------------------------------------------------------------------------------------
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_BROAD = frozenset({"Exception", "BaseException"})
_LEAVES = frozenset({"exit", "quit", "_exit", "abort", "fail", "skip"})

_importing: Dict[str, List[Tuple[int, int, bool]]] = {}


def _gives_up(body: Sequence[ast.stmt]) -> bool:
    """Has a handler no other answer than to end the program?"""
    import ast

    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and \
        _last_name(last.value.func) in _LEAVES


def _import_ranges(path: str) -> List[Tuple[int, int, bool]]:
    """(first line, last line, is it for imports alone?) of what is done when an import there fails."""
    found = _importing.get(path)
    if found is None:
        import ast
        import linecache

        found = _importing[path] = []
        try:
            tree = ast.parse("".join(linecache.getlines(path)))
        except (SyntaxError, ValueError, RecursionError):
            return found
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                names = _import_handler(node.handlers)
            elif isinstance(node, ast.With) and _expects(node):
                names = {_last_name(arg) for item in node.items if isinstance(item.context_expr, ast.Call)
                         for arg in item.context_expr.args} & (_IMPORT_ERRORS | _BROAD)
            else:
                continue
            if names:
                found.append((node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno,
                              bool(names & _IMPORT_ERRORS)))
    return found


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


def import_is_guarded(frame: Optional[FrameType]) -> bool:
    """Has the script an answer of its own to an import that fails in `frame`? A `try` round the statement,
    or one for ImportError round the import of the module in which it stands."""
    outer = False
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path in _RUNNERS:
            return False
        if not path.startswith("<frozen "):
            for first, last, alone in _import_ranges(path):
                if first <= line <= last and (alone or not outer):
                    return True
            outer = outer or not path.startswith("<")
        frame = frame.f_back
    return False


# --- files ----------------------------------------------------------------------------------------
_FILE_ERRORS = frozenset({"OSError", "IOError", "EnvironmentError", "FileNotFoundError", "NotFoundError",
                          "URLError", "HTTPError", "RequestException", "ConnectionError"})
_SHORT = 6  # lines of a `try` that is about one read

_reading: Dict[str, List[Range]] = {}


def _reading_ranges(path: str) -> List[Range]:
    """The lines of `path` where the script has an answer of its own to a file that is not there."""
    found = _reading.get(path)
    if found is None:
        import ast
        import linecache

        found = _reading[path] = []
        try:
            tree = ast.parse("".join(linecache.getlines(path)))
        except (SyntaxError, ValueError, RecursionError):
            return found
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                first, last = node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno
                if _answers_file_error(node.handlers, last - first < _SHORT):
                    found.append((first, last))
    return found


def _answers_file_error(handlers: Sequence[ast.ExceptHandler], is_short: bool) -> bool:
    import ast

    for handler in handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {"BaseException" if kind is None else _last_name(kind) for kind in types}
        if names & _FILE_ERRORS or is_short and names & _BROAD:
            return not _gives_up(handler.body)
    return False


def reading_is_guarded(frame: Optional[FrameType]) -> bool:
    """Has the script an answer of its own to a file that cannot be read in `frame`, or round that?"""
    from shapeflow.checker.library_frames import is_library

    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path in _RUNNERS:
            return False
        if not path.startswith("<") and not is_library(path) and \
                any(first <= line <= last for first, last in _reading_ranges(path)):
            return True
        frame = frame.f_back
    return False


# --- any exception ------------------------------------------------------------------------------------
# What calls the script's functions and keeps every exception only to tell of it.
_TELLERS = tuple(os.sep + os.path.join(*parts) for parts in (
    ("unittest", "case.py"), ("threading.py",), ("concurrent", "futures", "thread.py"),
    ("multiprocessing", "pool.py"), ("multiprocessing", "process.py")))

_handlers: Dict[str, List[Tuple[int, int, Optional[Sequence[ast.ExceptHandler]]]]] = {}


def _handler_ranges(path: str) -> List[Tuple[int, int, Optional[Sequence[ast.ExceptHandler]]]]:
    """(first line, last line, handlers) of each `try` of `path`; None for handlers: a `with` that expects
    exceptions."""
    found = _handlers.get(path)
    if found is None:
        import ast
        import linecache

        found = _handlers[path] = []
        try:
            tree = ast.parse("".join(linecache.getlines(path)))
        except (SyntaxError, ValueError, RecursionError):
            return found
        for node in ast.walk(tree):
            handlers: Optional[Sequence[ast.ExceptHandler]] = None
            if isinstance(node, ast.Try) and node.handlers:
                handlers = node.handlers
            elif not isinstance(node, ast.With) or not _expects(node):
                continue
            found.append((node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno, handlers))
    return found


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
            for first, last, handlers in _handler_ranges(path):
                if first <= line <= last and (
                        handlers is None or any(_takes(handler, error, frame) for handler in handlers)):
                    return True
        frame = frame.f_back
    return False


# --- errors of ops --------------------------------------------------------------------------------
def uncaught() -> bool:
    """True when no frame of the running thread would catch an error of the op being made."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path, line = frame.f_code.co_filename, frame.f_lineno
        if path not in _RUNNERS and not path.startswith("<frozen "):
            ranges = _ranges(path)
            if ranges is None or any(first <= line <= last for first, last in ranges):
                return False
        elif path in _RUNNERS:
            return True  # what called the checker is not the script's
        frame = frame.f_back
    return False  # another thread: its own rules
