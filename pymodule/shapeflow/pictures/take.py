"""The document of a script or graph file: a run in the sandbox, and what the parent adds to it."""
from __future__ import annotations

import sys

import shapeflow.checker.configuration as configuration
import shapeflow.commands._taken as taken
from shapeflow.pictures import document, held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.commands.option_tables import Arguments

    Plain = Dict[str, Any]


def document_of(script: str, args: List[str], arguments: Arguments,
                gpus: Sequence[Plain] = ()) -> Tuple[int, Optional[Plain]]:
    """(exit status, document). No document: it could not be begun or finished. What is to be said is said on
    standard error. `gpus`: whether the script's largest step fits them."""

    noted: List[Any] = []

    def begin() -> None:
        import shapeflow.pictures.recorder as recorder

        noted.append(recorder.begin())

    def make(taker: Any) -> str:
        import json

        from shapeflow.pictures.collect import collect

        return json.dumps(collect(taker, noted[0] if noted else None))  # one text: quick to send

    run = taken.take_report(script, args, arguments, make, begin)
    if run is None:
        return 2, None
    run.tell()
    if run.made is None:
        run.lack("picture", run.missing)
        return run.status, None
    try:
        made, notices = _read(run.made)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        run.lack("picture", str(error))
        return run.status, None
    for words in notices:
        print(f"shapeflow: {words}", file=sys.stderr)
    fits = not gpus or _add_memory(made, script, args, arguments, gpus)
    counted = run.report.of("error", "warning")
    kept = [(finding, record) for finding, record in zip(made["findings"], run.raw)
            if any(record is other for other in counted)]
    made["findings"] = [finding for finding, _ in kept]
    if not arguments.no_suggestions and run.settings.suggestions and counted and not taken.is_model(script):
        _suggest(run, arguments)
    for finding, record in kept:
        if record.fixes:
            finding["fix"] = {"title": record.fixes[0]["description"], "diff": record.fixes[0]["diff"]}
    return run.status or int(not fits), made


def _read(text: str) -> Tuple[Plain, List[str]]:
    """(document, notices) of what the script's process sent, which is the script's word for it. Raises
    ValueError, or what a thing of another kind raises."""
    import json

    import shapeflow.formats.output as output

    def refuse(text: str) -> None:
        raise ValueError(f"{text} is no number")

    sent = json.loads(text, parse_constant=refuse)
    made, notices = sent["document"], sent["notices"]
    wrong = document.misfit(made) or document.broken(made)
    if wrong is not None:
        raise ValueError(wrong)
    return made, [output.harmless(str(words)) for words in notices]


def _add_memory(made: Plain, script: str, args: List[str], arguments: Arguments,
                gpus: Sequence[Plain]) -> bool:
    """What the nodes hold, by a run of its own: one that notes everything for a picture keeps more alive.
    Says of each GPU whether the largest step fits it; whether it fits all."""
    import shapeflow.checker.memory_runs as memory_runs
    import shapeflow.formats.output as output
    import shapeflow.pictures.memory as memory
    import shapeflow.pictures.memory_text as memory_text

    recorder = memory_runs.Recorder()
    run = taken.take_report(script, args, arguments, lambda taker: held.largest(recorder, gpus),
                            memory.beginning(recorder))
    found: Any = None if run is None else run.made
    if held.misfit_of_largest(found):
        print("shapeflow: no memory: the script's process sent none", file=sys.stderr)
        return True
    held.add_to_nodes(made, found[1])
    for line in memory_text.fits(found[0]):
        print("shapeflow: " + output.harmless(line), file=sys.stderr)
    return all(device["fits"] for device in found[0]["devices"])


def _suggest(run: taken.Taken, arguments: Arguments) -> None:
    """Looks for fixes, as `check` does; a picture without one is still one."""
    import os

    import shapeflow.commands._fixing as fixing
    from shapeflow.fixes.search import SearchOptions

    settings, asked, report = run.settings, run.options, run.report
    options = SearchOptions(asked.args, asked.tf_version, asked.mode, data=settings.data, root=settings.root,
                      policy=configuration.sandbox_policy(arguments, settings),
                      missing_imports=settings.missing_imports, every_batch=not asked.patience,
                      lent=report.lent)
    script = report.script
    report.script = os.path.abspath(script)
    try:
        fixing.look(report, options)
    finally:
        report.script = script
