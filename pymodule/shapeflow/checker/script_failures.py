"""How a script failed: where, in which words, and whether a finding has said it already."""
from __future__ import annotations

import os
import sys

from shapeflow.checker.findings import Span, display_path
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, List, Optional, Tuple


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
