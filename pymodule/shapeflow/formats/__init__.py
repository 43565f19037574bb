"""The renderers: each reads Reports and nothing else, and gives one text.

A format is a module of this package with `render(reports, options) -> str`.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from shapeflow.checker.findings import Record, Report

FORMATS = ("full", "concise", "json", "sarif", "github", "html")


class RenderOptions:
    """What a renderer is told besides the reports.

    color: ANSI colours (full and concise); who calls decides, by NO_COLOR and whether it is a terminal.
    width: columns of a quoted source line before it is cut.
    links: codes lead to their explanation (OSC 8)."""

    def __init__(self, color: bool = False, width: int = 140, links: bool = False) -> None:
        self.color = color
        self.links = links
        self.width = width


def render(format: str, reports: Sequence[Report], options: RenderOptions) -> str:
    """The text of `reports` in one of FORMATS, "" when there is nothing to say; ends with a newline."""
    import importlib

    if format not in FORMATS:
        raise ValueError(f"no such format: {format!r}")
    text: str = importlib.import_module("shapeflow.formats." + format).render(reports, options)
    return text


def record_text(record: Record, color: bool = False) -> str:
    """A finding as `shapeflow check` prints it."""
    from shapeflow.checker.findings import Report

    return render("full", [Report("", [record], 1)], RenderOptions(color=color)).rstrip("\n")
