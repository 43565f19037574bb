"""A document as a PNG: drawn by Graphviz where it is installed, else our SVG by cairosvg where that is."""
from __future__ import annotations

from shapeflow.pictures import graphviz, svg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    Plain = Dict[str, Any]

HELP = "a PNG needs Graphviz (the program `dot`) or the Python package cairosvg; --format svg needs neither"


def render(document: Plain) -> bytes:
    """Raises ValueError with words for the user where nothing can draw it."""
    made = graphviz.render(document, "png")
    made = made if made is not None else by_cairo(document)
    if made is None:
        raise ValueError(HELP)
    return made


def by_cairo(document: Plain) -> Optional[bytes]:
    try:
        import cairosvg
    except (ImportError, OSError):  # the package without its library
        return None
    drawn = svg.render(document).encode("utf-8", "replace")
    try:
        made: bytes = cairosvg.svg2png(bytestring=drawn)
    except Exception as error:  # CairoError is no ValueError: a picture larger than it can make, mostly
        raise ValueError(f"cairosvg cannot draw it: {error}; --format svg can") from error
    return made
