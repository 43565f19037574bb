"""Where reports go: standard output or a file, in one of the formats; the words beside them on stderr."""
from __future__ import annotations

from shapeflow.formats import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, List, Optional, Sequence, TextIO

    from shapeflow.checker.findings import Record, Report

__all__ = ["FORMATS", "TEXTS", "text_of", "finding_of", "findings_of", "fixes_of", "write", "say", "beside",
           "totals", "count"]

TEXTS = ("full", "concise")  # those that can be given piece by piece, and have words beside them


def text_of(format: str, reports: Sequence[Report], color: bool, links: bool = False) -> str:
    if format in TEXTS and not any(report.of("error", "warning") for report in reports):
        return ""  # the usual answer needs no renderer
    import shapeflow.formats as formats

    return formats.render(format, reports, formats.RenderOptions(color=color, links=links))


def finding_of(format: str, record: Record, color: bool, links: bool, before: Sequence[Record]) -> str:
    """One finding of those of `findings_of`, in one of TEXTS, after those `before`."""
    import shapeflow.formats as formats

    options = formats.RenderOptions(color=color, links=links)
    if format == "concise":
        import shapeflow.formats.concise as concise

        return concise.render_finding(record, options)
    import shapeflow.formats.full as full

    return full.render_finding(record, options, before)


def findings_of(report: Report, color: bool, links: bool = False, before: Sequence[Record] = ()) -> str:
    """The first part of text_of("full", [report], color): what can be said before fixes are looked for, less
    what `finding_of` has said before."""
    if not report.of("error", "warning"):
        return ""
    import shapeflow.formats as formats
    import shapeflow.formats.full as full

    return full.render_findings(report, formats.RenderOptions(color=color, links=links), before)


def fixes_of(report: Report, color: bool, links: bool = False) -> str:
    """The rest of it."""
    if not report.of("error", "warning"):
        return ""
    import shapeflow.formats as formats
    import shapeflow.formats.full as full

    return full.render_fixes(report, formats.RenderOptions(color=color, links=links))


def write(text: str, out: TextIO, path: Optional[str]) -> None:
    """To the file `path`, else to `out`. Raises OSError."""
    if path is None:
        try:
            out.write(text)
            out.flush()
        except BrokenPipeError:
            be_unheard(out)
        return
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def say(lines: Iterable[str], err: TextIO) -> None:
    """On standard error."""
    try:
        for line in lines:
            print(line, file=err)
        err.flush()
    except BrokenPipeError:
        be_unheard(err)


def be_unheard(stream: TextIO) -> None:
    """The reader (head, less) has gone: what it wanted it has, and what more is said is for nobody. The check
    goes on, for its exit status."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def beside(report: Report, is_verbose: bool = False, is_quiet: bool = False,
           of_many: bool = False) -> List[str]:
    """What is said on stderr of one script: assumptions, how it ended, the count; `is_verbose`: which
    TensorFlow it was taken for; `is_quiet`: only why it was not run to its end. `of_many`: nothing of one
    that is clean, the totals count it."""
    import shapeflow.formats.afterword as afterword

    unfinished = "could not be read" if report.ended == "not a graph" else "could not be run to its end"
    lines = afterword.endings(report, unfinished)
    if is_quiet:
        lines = lines if report.failure else []
    elif is_verbose or not of_many or report.failure or report.of("error", "warning"):
        lines = [*(afterword.version(report) if is_verbose else ()), *afterword.notices([report]), *lines,
                 *afterword.ending(report), *afterword.search(report), afterword.summary(report)]
    return [harmless(line) for line in lines]


def totals(reports: Sequence[Report], seconds: float, is_verbose: bool) -> str:
    """`shapeflow: 200 checked, 2 with findings (3 errors, 0 warnings) in 5.20 s`."""
    found = sum(bool(report.of("error", "warning")) for report in reports)
    parts = [f"{len(reports)} checked", f"{found} with findings" + (f" ({count(reports)})" if found else "")]
    unfinished = sum(report.failure is not None for report in reports)
    if unfinished:
        parts.append(f"{unfinished} could not be run to the end")
    cached = sum(report.cached for report in reports)
    if cached:
        parts.append(f"{cached} unchanged since they were checked" if cached > 1 else
                     "1 unchanged since it was checked")
    noted = sum(bool(report.of("note")) and not (report.failure or report.of("error", "warning"))
                for report in reports)
    if noted and not is_verbose:
        parts.append(f"notes of {noted} not shown (--verbose)")
    return f"shapeflow: {', '.join(parts)} in {seconds:.2f} s"


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
