"""The process of the command: how it was started, and whether anything but ours has run in it."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

# To start it again: the interpreter's arguments; None: called from Python.
command_line: Optional[List[str]] = None
nothing_ran = False  # no code but ours in this process: set by supervise.check
