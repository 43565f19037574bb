"""Where reports go: standard output or a file, in one of the formats; the words beside them on stderr."""
from __future__ import annotations

from shapeflow.formats import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence

    from shapeflow.findings import Report

__all__ = ["FORMATS", "TEXTS", "text_of", "write", "beside", "count"]

TEXTS = ("full", "concise")  # those that can be given piece by piece, and have words beside them


def text_of(format: str, reports: Sequence[Report], color: bool) -> str:
    if format in TEXTS and not any(report.of("error", "warning") for report in reports):
        return ""  # the usual answer needs no renderer
    import shapeflow.formats as formats

    return formats.render(format, reports, formats.Options(color=color))


def write(text: str, out: Any, path: Optional[str]) -> None:
    """To the file `path`, else to `out`. Raises OSError."""
    if path is None:
        out.write(text)
        out.flush()
        return
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def beside(report: Report) -> List[str]:
    """What is said on stderr of one script: assumptions, how it ended, the count."""
    import shapeflow.formats.afterword as afterword

    unfinished = "could not be read" if report.ended == "not a graph" else "could not be run to its end"
    lines = [*afterword.notices([report]), *afterword.endings(report, unfinished),
             afterword.summary(report)]
    return [harmless(line) for line in lines]


def harmless(text: str) -> str:
    """Names of files and words of exceptions are the script's: a terminal must not obey them."""
    if text.isascii() and text.isprintable():
        return text
    import shapeflow.formats.view as view

    return view.printable_lines(text)


def count(reports: Sequence[Report]) -> str:
    """`1 error, 2 warnings`."""
    errors = sum(len(report.of("error")) for report in reports)
    warnings = sum(len(report.of("warning")) for report in reports)
    return f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
