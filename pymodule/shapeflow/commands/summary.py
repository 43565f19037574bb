"""`shapeflow summary SCRIPT`: what a script's models and graphs are made of, a table for each."""
from __future__ import annotations

import sys

from shapeflow.commands import _gpus
from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

FORMATS = ("text", "json", "md", "html")
COMMAND = Command("summary", "layers and variables of a script, with shapes, parameters and costs", [
    _gpus.OPTION,
    Option("--format", "text", "text (default), json, md or html", choices=FORMATS, default="text"),
    Option("--json", help="the same as --format json"),
    Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
    *run_options(),
], ("SCRIPT", "+", "one script"), "shapeflow summary [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, and lists the layers, scopes and variables that it makes.")


def _rendered(document: Dict[str, Any], format: str) -> str:
    import shapeflow.pictures.table_text as table_text

    if format == "json":
        import json

        return json.dumps(document, indent=1)
    make = {"md": table_text.markdown, "html": table_text.html, "text": table_text.text}[format]
    return make(document)


def _show(document: Dict[str, Any]) -> None:
    """As text on standard output: as wide as a terminal is, where that is one."""
    import shutil

    import shapeflow.formats.colours as colours
    import shapeflow.pictures.table_text as table_text

    terminal = sys.stdout.isatty()
    text = table_text.text(document, shutil.get_terminal_size((120, 24)).columns if terminal else 120,
                           colours.wanted(sys.stdout))
    try:
        print(text)
    except UnicodeEncodeError:  # a terminal that knows neither lines nor the script's names
        coding = sys.stdout.encoding or "ascii"
        print(text.replace("─", "-").replace("…", "...").encode(coding, "replace").decode(coding))


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        return fail("shapeflow summary", "one script at a time", COMMAND.usage)
    try:
        gpus = _gpus.named(arguments.device or ())
    except ValueError as error:
        return fail("shapeflow summary", str(error), COMMAND.usage)
    import shapeflow.checker.memory_runs as memory_runs
    import shapeflow.commands._taken as taken
    import shapeflow.pictures.memory as memory
    import shapeflow.pictures.scopes as scopes
    import shapeflow.pictures.tables as tables

    script = arguments.paths[0]
    recorder = memory_runs.Recorder()

    def make(taker: Any) -> Dict[str, Any]:
        document = tables.document(script, taker.layers, taker.graphs, taker.variables, scopes.table)
        if gpus:
            import shapeflow.pictures.held as held

            held.add(document, recorder, gpus)
        return document

    run = taken.take_report(script, rest, arguments, make, memory.beginning(recorder) if gpus else None)
    if run is None:
        return 2
    run.tell()
    document = run.made
    wrong = run.missing if document is None else tables.misfit(document)  # it is the script's word
    if document is None or wrong:
        run.lack("summary", wrong or "")
        return run.status
    if not document["tables"]:
        print("shapeflow: the script left no variables", file=sys.stderr)
    format = "json" if arguments.json else arguments.format
    if arguments.output or format != "text":
        try:
            taken.write(_rendered(document, format) + "\n", arguments.output)
        except OSError as error:
            print(f"shapeflow: cannot write {arguments.output or format}: {error.strerror}", file=sys.stderr)
            return 2
    elif document["tables"]:
        _show(document)
    devices = document["memory"]["devices"] if document["memory"] is not None else ()
    return run.status or int(any(not device["fits"] for device in devices))
