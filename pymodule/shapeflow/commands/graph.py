"""`shapeflow graph SCRIPT`: the shape graph of a script or graph file as a document, a page or a picture."""
from __future__ import annotations

import os
import sys

from shapeflow.cmdline import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Union

FORMATS = ("html", "svg", "png", "dot", "json")

COMMAND = Command("graph", "the graph of a script or model, with shapes, as a page or a picture", [
    Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
    Option("--format", "text", "how it is written (default: what FILE ends in, else json)",
           choices=FORMATS),
    Option("--layout", "text", "who lays out an svg: ours (default), or graphviz where it is installed",
           choices=("ours", "graphviz"), default="ours"),
    Option("--no-suggestions", help="do not look for fixes to show"),
    *run_options(),
], ("SCRIPT", "+", "one script, graph file (.pb, .pbtxt, .meta) or SavedModel"),
    "shapeflow graph [options] SCRIPT [-o FILE] [-- ARGS]",
    "Runs the script with shapes only, and writes the graph that it made, with what is wrong with it.",
    "exit status: as of `shapeflow check`; the file is written either way")


def format_of(given: Optional[str], output: Optional[str]) -> str:
    """The format that was asked for, by --format or by the name of the file."""
    if given is not None:
        return given
    suffix = os.path.splitext(output or "")[1].lower().lstrip(".")
    return {"htm": "html", "gv": "dot"}.get(suffix, suffix if suffix in FORMATS else "json")


def render(document: Dict[str, Any], format: str, layout: str = "ours") -> Union[str, bytes]:
    """Raises ValueError with words for the user when it cannot be drawn here."""
    if format == "svg" and layout == "graphviz":
        import shapeflow.pictures.graphviz

        drawn = shapeflow.pictures.graphviz.render(document, "svg")
        if drawn is None:
            raise ValueError("Graphviz (the program `dot`) is not installed or took too long; without "
                             "--layout graphviz it is not needed")
        return drawn
    if format == "json":
        import shapeflow.pictures.document

        return shapeflow.pictures.document.to_json(document)
    import importlib

    name = {"html": "page"}.get(format, format)
    made: Union[str, bytes] = importlib.import_module("shapeflow.pictures." + name).render(document)
    return made


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        return fail("shapeflow graph", "one script at a time")
    import shapeflow.commands._taken as taken
    import shapeflow.pictures.take as take

    format = format_of(arguments.format, arguments.output)
    status, document = take.document_of(arguments.paths[0], rest, arguments)
    if document is None:
        return status
    try:
        made = render(document, format, arguments.layout)
        taken.write(made, arguments.output)
    except (ValueError, OSError) as error:
        words = getattr(error, "strerror", None) or str(error)
        print(f"shapeflow: cannot write {arguments.output or format}: {words}", file=sys.stderr)
        return 2
    return status
