"""`shapeflow numeric SCRIPT`: the operations of a script whose numbers may become NaN or infinite."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Sequence

    Plain = Dict[str, Any]

FORMATS = ("text", "json", "md")
COMMAND = Command("numeric", "operations of a script whose numbers may become NaN or infinite", [
    Option("--format", "text", "text (default), json or md", choices=FORMATS, default="text"),
    Option("--json", help="the same as --format json"),
    Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
    *run_options(),
], ("SCRIPT", "+", "one script"), "shapeflow numeric [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, bounds each tensor of its graphs by an interval, and lists the\n"
    "operations whose operands may be what they cannot take, in value or in derivative.")


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        return fail("shapeflow numeric", "one script at a time", COMMAND.usage)
    import shapeflow.commands._taken as taken
    import shapeflow.numeric.analysis as analysis
    import shapeflow.numeric.feeds as feeds
    import shapeflow.numeric.rendering as rendering

    script = arguments.paths[0]
    recorder = feeds.Recorder()

    def make(taker: Any) -> Any:
        return analysis.document(taker.graphs, recorder)

    found = taken.take_report(script, rest, arguments, make, recorder.begin)
    if found is None:
        return 2
    found.tell()
    document: Any = found.made
    if document is None:
        found.lack("suspects", found.missing)
        return found.status
    document["script"] = script
    format = "json" if arguments.json else arguments.format
    try:
        taken.write(rendering.rendered(document, format, str) + "\n", arguments.output)
    except OSError as error:
        print(f"shapeflow: cannot write {arguments.output or format}: {error.strerror}", file=sys.stderr)
        return 2
    return found.status or int(bool(document["suspects"]))
