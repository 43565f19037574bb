"""One line for each finding, as compilers print them."""
from __future__ import annotations

import shapeflow.formats.full as full
import shapeflow.formats.view as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from shapeflow.checker.findings import Record, Report
    from shapeflow.formats import RenderOptions


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    return "".join(render_finding(record, options) for report in reports for record in view.shown(report))


def render_finding(record: Record, options: RenderOptions) -> str:
    """One line."""
    return full.headline(record, full.Painter(options)) + "\n"
