"""Where a code is explained, for whoever can follow a link: terminals (OSC 8), editors, readers of SARIF.

It is the text of `shapeflow explain`, a file of this very package: it is there without a network, and of this
version.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "codes")


def page(code: str, host: str = "") -> str:
    """The URI of the page of SF101. `host`: the machine that has it, for a terminal that may be another."""
    from urllib.parse import quote

    path = os.path.join(_FOLDER, code + ".txt").replace(os.sep, "/")
    return f"file://{host}{quote(path if path.startswith('/') else '/' + path)}"


def linked(code: str, text: str) -> str:
    """For a terminal: text with a link to the code's page.
    Source: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda."""
    import platform

    return f"\x1b]8;;{page(code, platform.node())}\x1b\\{text}\x1b]8;;\x1b\\"


def wanted(stream: TextIO) -> bool:
    """Is `stream` a terminal that knows links, or passes over them?"""
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") not in (None, "", "dumb", "linux")
    except (AttributeError, ValueError):
        return False
