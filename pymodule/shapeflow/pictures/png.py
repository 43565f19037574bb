"""A document as a PNG: drawn by Graphviz where it is installed, else our SVG by cairosvg where that is."""
from __future__ import annotations

from shapeflow.pictures import dot, folding, svg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    Plain = Dict[str, Any]

MOST_NODES = 1500  # what Graphviz lays out within its time
SECONDS = 120
HELP = "a PNG needs Graphviz (the program `dot`) or the Python package cairosvg; --format svg needs neither"


def render(document: Plain) -> bytes:
    """Raises ValueError with words for the user where nothing can draw it."""
    made = by_graphviz(document)
    made = made if made is not None else by_cairo(document)
    if made is None:
        raise ValueError(HELP)
    return made


def by_graphviz(document: Plain) -> Optional[bytes]:
    """None: there is no Graphviz, or it took too long."""
    import shutil
    import subprocess

    program = shutil.which("dot")
    if program is None:
        return None
    text = dot.render(folding.folded(document, MOST_NODES)).encode("utf-8", "replace")
    try:
        done = subprocess.run([program, "-Tpng"], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout.startswith(b"\x89PNG") else None


def by_cairo(document: Plain) -> Optional[bytes]:
    try:
        import cairosvg
    except (ImportError, OSError):  # the package without its library
        return None
    made: bytes = cairosvg.svg2png(bytestring=svg.render(document).encode("utf-8", "replace"))
    return made
