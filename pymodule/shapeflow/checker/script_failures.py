"""How a script failed: where, in which words, and whether a finding has said it already."""
from __future__ import annotations

import os
import sys

from shapeflow import _core
from shapeflow.checker.findings import Span, display_path
from shapeflow.checker.import_hook import act_on
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType, TracebackType
    from typing import Any, Callable, List, Optional, Sequence, Tuple

    from shapeflow.checker.patches import Patcher


def location(span: Span) -> str:
    return f"{display_path(span.path)}:{span.line}:{max(span.column, 0) + 1}"


def tells(message: str, error: BaseException, text: str) -> bool:
    """Is the exception a finding's, or one that quotes it? A failure of the script's own has any words,
    none at all included (`assert x`)."""
    if message and message in text:
        return True
    words = text.partition("\n\t [[")[0]  # a run names the node where a finding has shapes
    return bool(words) and message.startswith(words) and not isinstance(error, (AssertionError, LookupError))


def message_of(error: BaseException) -> str:
    """`ValueError: ...` as a traceback ends."""
    import traceback

    return "".join(traceback.format_exception_only(type(error), error)).rstrip()


def first_line(error: BaseException) -> str:
    """`ValueError: ...`, of a message of several lines the first that is not empty."""
    lines = [line for line in str(error).split("\n") if line.strip()]
    return ": ".join([type(error).__name__, *lines[:1]])


def advice(error: BaseException) -> str:
    """Where what a script lacks was looked for, in words that follow the exception's."""
    name = getattr(error, "name", None)
    if not isinstance(error, ModuleNotFoundError) or not name or "." in name:
        return ""
    words = f"neither beside the script nor installed for {sys.executable}"
    if os.environ.get("PRE_COMMIT"):
        words += "; name what provides it under additional_dependencies of the hook (.pre-commit-config.yaml)"
    return f" ({words})"


def user_frames(trace: Optional[TracebackType], script: str) -> List[Span]:
    """The script's frames of a traceback, innermost first, as far as they are lines of files."""
    frames: List[Span] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        path = code.co_filename
        if not path.startswith("<") and not is_library(path, script):
            position: Tuple[Any, ...] = (trace.tb_lineno, None, None, None)
            if hasattr(code, "co_positions"):
                positions = list(code.co_positions())
                index = trace.tb_lasti // 2
                if 0 <= index < len(positions):
                    position = positions[index]
            line, end_line, column, end_column = position
            frames.append(
                Span(path, trace.tb_lineno, -1 if column is None else column,
                     -1 if end_line is None else end_line,
                     -1 if end_column is None else end_column, code.co_name)
            )
        trace = trace.tb_next
    frames.reverse()
    return frames


# How threads end that wait for a queue, which somebody else closes.
_ENDS_OF_THREADS = ("SystemExit", "OutOfRangeError", "CancelledError")


def watch_threads(by: Patcher, script: str,
                  failed: Callable[[str, BaseException, Sequence[Span]], None]) -> None:
    """`failed` is told what ends a thread of the script, unless a finding has told of it."""
    def change(threading: ModuleType, by: Patcher) -> None:
        before = threading.excepthook

        def excepthook(args: Any) -> None:
            before(args)
            if not by.on or args.exc_value is None or args.exc_type.__name__ in _ENDS_OF_THREADS:
                return
            text = str(args.exc_value)
            frames = user_frames(args.exc_traceback, os.path.abspath(script))
            if frames and not any(tells(finding.message, args.exc_value, text) for finding in _core.findings()
                                  if finding.severity == "error"):
                where = location(frames[0])
                failed(f"{where}: in a thread: {message_of(args.exc_value)}", args.exc_value, frames)

        by.set(threading, "excepthook", excepthook)

    act_on(by, {"threading": change})
