"""Are colours wanted? On terminals, as --color, NO_COLOR and FORCE_COLOR say."""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def wanted(stream: TextIO, choice: str = "auto") -> bool:
    """--color wins, then NO_COLOR (no-color.org), then FORCE_COLOR; else whether `stream` is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    force = os.environ.get("FORCE_COLOR")
    if force:
        return force != "0"
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") not in (None, "", "dumb")
    except (AttributeError, ValueError):
        return False
