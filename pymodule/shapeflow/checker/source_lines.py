"""Lines of sources that a report names: its words are those of a script, which may name any file."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import List, Optional

LARGEST = 1 << 25  # bytes of a source


def lines_of(path: str) -> List[str]:
    """All lines, with their ends; of cells of notebooks too. [] of what is no file that can be read to its
    end (a device, a pipe, a file of /proc without a size), of a file that nobody wrote, and of none."""
    import linecache

    if path not in linecache.cache and not is_plain(path):
        return []
    return linecache.getlines(path)


def line_of(path: str, number: int) -> str:
    """Without its end; "" where there is none."""
    lines = lines_of(path)
    return lines[number - 1].rstrip("\r\n") if 1 <= number <= len(lines) else ""


def is_plain(path: str) -> bool:
    """Is what linecache would open a regular file of some size?"""
    import os
    import stat

    found = _stat(path)
    if found is None and not os.path.isabs(path):
        import sys

        places = (_stat(os.path.join(str(folder), path)) for folder in sys.path)
        found = next((place for place in places if place is not None), None)
    return found is not None and stat.S_ISREG(found.st_mode) and 0 < found.st_size <= LARGEST


def _stat(path: str) -> Optional[os.stat_result]:
    import os

    try:
        return os.stat(path)
    except (OSError, ValueError):  # a name with a null character
        return None
