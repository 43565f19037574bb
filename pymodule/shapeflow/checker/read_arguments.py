"""What a call of a reader says: what is to be read, and whether it is to be written."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Tuple

_PATHS = ("file", "fname", "filename", "path", "filepath_or_buffer", "fp", "io", "name", "url", "uri",
          "filepath", "path_or_buf", "imagename", "file_name", "mdict")


def given(args: Tuple[object, ...], kwargs: Dict[str, object]) -> object:
    """What is to be read."""
    if args:
        return args[0]
    for name in _PATHS:
        if name in kwargs:
            return kwargs[name]
    return None


def is_writing(args: Tuple[object, ...], kwargs: Dict[str, object], name: str = "") -> bool:
    at = 2 if name == "numpy.memmap" else 1
    mode = kwargs.get("mode", args[at] if len(args) > at else "r")
    return isinstance(mode, str) and not mode.startswith(("r", "U"))
