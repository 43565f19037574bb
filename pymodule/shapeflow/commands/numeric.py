"""`shapeflow numeric SCRIPT`: the operations of a script whose numbers may become NaN or infinite."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    from shapeflow.commands.option_tables import Arguments
    from shapeflow.numeric.confirm import Settings

    Plain = Dict[str, Any]

FORMATS = ("text", "json", "md")
COMMAND = Command("numeric", "operations of a script whose numbers may become NaN or infinite", [
    Option("--format", "text", "text (default), json or md", choices=FORMATS, default="text"),
    Option("--json", help="the same as --format json"),
    Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
    Option("--confirm", help="search for a witness of each suspect on real TensorFlow"),
    Option("--tensorflow", "text", "the Python whose TensorFlow is used (default: this one)", "PYTHON"),
    Option("--search-time", "number", "of the processor, for each suspect (default 30)", "SECONDS",
           default=30.0),
    Option("--search-memory", "text", "of each worker, as 4G (default: no limit)", "SIZE"),
    Option("--workers", "count", "search with so many processes (default 1)", "N", default=1),
    Option("--witnesses", "text", "where witnesses are written (default shapeflow_witnesses)", "FOLDER",
           default="shapeflow_witnesses"),
    Option("--dask", "text", "several scripts on this Dask cluster", "ADDRESS"),
    *run_options(),
], ("SCRIPT", "+", "a script; several, or a folder: each by itself"),
    "shapeflow numeric [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, bounds each tensor of its graphs by an interval, and lists the\n"
    "operations whose operands may be what they cannot take, in value or in derivative.")


def run(argv: Sequence[str], rest: List[str]) -> int:
    import os

    import shapeflow.numeric.confirm as confirm

    arguments = parse("shapeflow", COMMAND, argv)
    try:
        settings = confirm.settings_of(arguments)
    except ValueError as error:
        return fail("shapeflow numeric", str(error), COMMAND.usage)
    if len(arguments.paths) != 1 or os.path.isdir(arguments.paths[0]):
        return _campaign(arguments, settings, rest)
    import shapeflow.commands._taken as taken
    import shapeflow.numeric.analysis as analysis
    import shapeflow.numeric.confirm_export as confirm_export
    import shapeflow.numeric.confirm_trace as confirm_trace
    import shapeflow.numeric.feeds as feeds
    import shapeflow.numeric.rendering as rendering

    script = arguments.paths[0]
    recorder = feeds.Recorder()
    runs = confirm_export.Recorder()
    arrays = confirm_trace.Arrays()

    def begin() -> None:
        recorder.begin(arrays.bounds if arguments.confirm else None)
        if arguments.confirm:
            runs.begin(recorder.note)

    def make(taker: Any) -> Any:
        graphs = [*taker.graphs, *analysis.of_functions(taker.bodies)]
        analysed: List[Any] = []
        document: Any = analysis.document(graphs, recorder, analysed)
        if arguments.confirm:
            document["exported"] = runs.export_all(analysed, document["suspects"])
            document["exported"].update(confirm_trace.export_eager(document, arrays))
        return document

    found = taken.take_report(script, rest, arguments, make, begin, errors_only=True)
    if found is None:
        return 2
    found.tell()
    document: Any = found.made
    if document is None:
        found.lack("suspects", found.missing)
        return found.status
    analysis.received(document)
    document["script"] = script
    if arguments.confirm:
        confirm.confirm(document["suspects"], document.pop("exported"), script, settings, _progress())
    format = "json" if arguments.json else arguments.format
    try:
        taken.write(rendering.rendered(document, format, confirm.described) + "\n", arguments.output)
    except OSError as error:
        print(f"shapeflow: cannot write {arguments.output or format}: {error.strerror}", file=sys.stderr)
        return 2
    return found.status or int(bool(document["suspects"]))


def _progress() -> Any:
    """On standard error, while somebody looks at it."""
    if not sys.stderr.isatty():
        return None
    return lambda text: print(f"shapeflow: {text}", file=sys.stderr)


def _campaign(arguments: Arguments, settings: Settings, rest: Sequence[str]) -> int:
    """Status 1: some script has suspects; 3: some could not be analysed."""
    import shapeflow.numeric.campaign as campaign
    import shapeflow.numeric.confirm as confirm

    options = confirm.options_of(arguments, settings)
    if rest:
        return fail("shapeflow numeric", "arguments after -- are of one script", COMMAND.usage)
    try:
        scripts = campaign.scripts_of(arguments.paths)
        if not scripts:
            raise ValueError("no script that uses TensorFlow")
        results = campaign.run(scripts, options, settings.folder, settings.workers,
                               settings.seconds if arguments.confirm else None, arguments.dask,
                               lambda text: print(f"shapeflow: {text}", file=sys.stderr, flush=True))
    except ValueError as error:
        return fail("shapeflow numeric", str(error), COMMAND.usage)
    import shapeflow.commands._taken as taken

    as_json = arguments.json or arguments.format == "json"
    try:
        taken.write(campaign.rendered(results, as_json) + "\n", arguments.output)
    except OSError as error:
        print(f"shapeflow: cannot write {arguments.output}: {error.strerror}", file=sys.stderr)
        return 2
    statuses = [result["status"] for result in results.values()]
    return 1 if 1 in statuses else max(statuses)
