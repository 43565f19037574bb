"""The document of a script or graph file: a run in the sandbox, and what the parent adds to it."""
from __future__ import annotations

import sys

import shapeflow.commands._taken as taken
import shapeflow.configuration as configuration
from shapeflow.pictures import document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    from shapeflow.cmdline import Arguments
    from shapeflow.findings import Report

    Plain = Dict[str, Any]


def document_of(script: str, args: List[str], arguments: Arguments) -> Tuple[Optional[Report],
                                                                            Optional[Plain]]:
    """(report, document). No report: it could not be begun; no document: it could not be finished. What is
    to be said is said on standard error."""

    noted: List[Any] = []

    def begin() -> None:
        import shapeflow.pictures.recorder as recorder

        noted.append(recorder.begin())

    def make(taker: Any) -> str:
        import json

        from shapeflow.pictures.collect import collect

        return json.dumps(collect(taker, noted[0] if noted else None))  # one text: quick to send

    report, made = taken.take_report(script, args, arguments, make, begin)
    if report is None:
        return None, None
    raw = report.of("error", "warning")
    try:
        _judge(report)
    except configuration.ConfigError as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return None, None
    taken.tell(report)
    if made is None:
        return report, None
    try:
        made, notices = _read(made)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        print(f"shapeflow: no picture: {error}", file=sys.stderr)
        return report, None
    for words in notices:
        print(f"shapeflow: {words}", file=sys.stderr)
    counted = report.of("error", "warning")
    kept = [(finding, record) for finding, record in zip(made["findings"], raw)
            if any(record is other for other in counted)]
    made["findings"] = [finding for finding, _ in kept]
    if not arguments.no_suggestions and counted and not taken.is_model(script):
        _suggest(report, args, arguments)
    for finding, record in kept:
        if record.fixes:
            finding["fix"] = {"title": record.fixes[0]["description"], "diff": record.fixes[0]["diff"]}
    return report, made


def _judge(report: Report) -> None:
    """Which findings count, as `check` has it from the configuration and from comments; the exit status."""
    import shapeflow.verdict as verdict

    settings = configuration.load()
    allowed = None
    if settings.baseline:
        from shapeflow.baseline import Baseline

        allowed = Baseline(settings.baseline)
    verdict.Policy(settings.select, settings.ignore, settings.per_file_ignores, settings.root,
                   settings.strict, False, allowed).judge([report])


def _read(text: Any) -> Tuple[Plain, List[str]]:
    """(document, notices) of what the script's process sent, which is the script's word for it. Raises
    ValueError, or what a thing of another kind raises."""
    import json

    import shapeflow.output as output

    def refuse(text: str) -> None:
        raise ValueError(f"{text} is no number")

    sent = json.loads(text, parse_constant=refuse)
    made, notices = sent["document"], sent["notices"]
    wrong = document.misfit(made) or document.broken(made)
    if wrong is not None:
        raise ValueError(wrong)
    return made, [output.harmless(str(words)) for words in notices]


def _suggest(report: Report, args: List[str], arguments: Arguments) -> None:
    """Looks for fixes, as `check` does; a picture without one is still one."""
    import os

    import shapeflow.fixes as fixes
    from shapeflow.fixes.search import Options

    settings = configuration.load()
    options = Options(args, arguments.tf_version, arguments.mode, data=settings.data, root=settings.root,
                      policy=configuration.sandbox_policy(arguments, settings))
    script = report.script
    report.script = os.path.abspath(script)
    try:
        fixes.find(report, options)
    except KeyboardInterrupt:
        pass
    except Exception as error:
        if os.environ.get("SHAPEFLOW_DEBUG"):
            raise
        print(f"shapeflow: looking for fixes failed: {type(error).__name__}: {error}", file=sys.stderr)
    finally:
        report.script = script
