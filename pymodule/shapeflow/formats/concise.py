"""One line for each finding, as compilers print them."""
from __future__ import annotations

import shapeflow.formats.full as full
import shapeflow.formats.view as view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from shapeflow.checker.findings import Report
    from shapeflow.formats import RenderOptions


def render(reports: Sequence[Report], options: RenderOptions) -> str:
    paint = full.Painter(options)
    return "".join(full.headline(record, paint) + "\n"
                   for report in reports for record in view.shown(report))
