"""Paths of data that may not be there, and who asks for them: what is known without what a check has seen."""
from __future__ import annotations

import os
import sys

from shapeflow.api.loaded_modules import loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Dict, Optional

    from shapeflow.checker.data_files import DataFiles

UNKNOWN_PATH = ".unknown"  # how the path ends that an unknown value gives
OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_PASSES_ON = ("pathlib", "glob", "os", "genericpath", "posixpath", "shutil", "_local")  # what others ask for


def absolute(path: Any) -> Optional[str]:
    try:
        name = os.fspath(path)
    except TypeError:
        return None  # an open file
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    try:
        return os.path.abspath(str.__str__(name)) if "\0" not in name else None
    except (OSError, ValueError):
        return None


def is_made_up(text: str) -> bool:
    unknown = loaded("shapeflow.api.unknown_text")
    return unknown is not None and isinstance(text, unknown.UnknownText)


def written() -> Dict[str, None]:
    """Where something unknown may have written, by path."""
    unknown = loaded("shapeflow.api.unknown_package")
    found: Dict[str, None] = {} if unknown is None else unknown.written
    return found


def is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(OURS)


def asks(of: DataFiles) -> bool:
    """Is it the script that wants to know, and no package for itself?"""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        name = os.path.basename(path).partition(".")[0]
        ours = path.startswith(OURS) or path.startswith("<frozen")
        if not ours and not (of.is_library(path) and (name in _PASSES_ON or "/pathlib/" in path)):
            return not of.is_library(path)
        frame = frame.f_back
    return False


def is_importing(of: DataFiles) -> bool:
    """Does a package ask while it is imported? It looks for settings of its own."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen") and not of.is_library(path):
            return False
        if frame.f_code.co_name == "<module>" and not path.startswith(OURS):
            return True
        frame = frame.f_back
    return False


def user_frame(of: DataFiles) -> Optional[FrameType]:
    """The nearest frame of the script's."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen") and not of.is_library(path):
            return frame
        frame = frame.f_back
    return None
