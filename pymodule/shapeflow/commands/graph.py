"""`shapeflow graph SCRIPT`: the shape graph of a script or graph file as a document, a page or a picture."""
from __future__ import annotations

import os
import sys

from shapeflow.commands import _gpus
from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Mapping, Optional, Sequence, Union

FORMATS = ("html", "svg", "png", "dot", "json")

COMMAND = Command("graph", "the graph of a script or model, with shapes, as a page or a picture", [
    _gpus.OPTION,
    Option("-o --output", "text", "write to FILE (default: a page that is opened in the browser, and json "
           "where standard output is no terminal)", "FILE"),
    Option("--format", "text", "how it is written (default: what FILE ends in)",
           choices=FORMATS),
    Option("--layout", "text", "who lays out an svg: ours (default), or graphviz where it is installed",
           choices=("ours", "graphviz"), default="ours"),
    Option("--whole", help="draw all of the graph in svg and png, not only what is near an error, and "
           "variables with their initializers"),
    Option("--no-suggestions", help="do not look for fixes to show"),
    *run_options(),
], ("SCRIPT", "+", "one script, model (.keras, .h5, .pb, .pbtxt, .meta) or SavedModel"),
    "shapeflow graph [options] SCRIPT [-o FILE] [-- ARGS]",
    "Runs the script with shapes only, and writes the graph that it made, with what is wrong with it.",
    "exit status: as of `shapeflow check`; the file is written either way")


def format_of(given: Optional[str], output: Optional[str]) -> str:
    """The format that was asked for, by --format or by the name of the file. Raises ValueError, with text
    for the user, for a name that ends in something else."""
    if given is not None:
        return given
    suffix = os.path.splitext(output or "")[1].lower().lstrip(".")
    suffix = {"htm": "html", "gv": "dot", "": "json"}.get(suffix, suffix)
    if suffix not in FORMATS:
        raise ValueError(f"no format .{suffix}: a graph is written as {', '.join(FORMATS)}; with another "
                         "name, --format says which")
    return suffix


def render(document: Dict[str, object], format: str, layout: str = "ours",
           whole: bool = False) -> Union[str, bytes]:
    """Raises ValueError with a message for the user when it cannot be drawn here."""
    if format in ("svg", "png") and not whole:
        import shapeflow.pictures.svg

        document = shapeflow.pictures.svg.legible(document)
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


def _show(made: Union[str, bytes], title: str) -> None:
    """Writes the page to a file of its own, and opens it where somebody sits who can look at it."""
    import tempfile

    import shapeflow.commands._taken as taken

    name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in title)[:80] + ".html"
    path = os.path.join(tempfile.mkdtemp(prefix="shapeflow-"), name)
    taken.write(made, path)
    if not (_can_open(os.environ, sys.platform) and _open(path)):
        print(f"the page is {path} (-o FILE to choose; -o FILE.svg, .png, .dot or .json for another format)")


def _can_open(environment: Mapping[str, str], platform: str) -> bool:
    """Is there a browser to be seen: no machine that tests, no remote shell, no console without a display?"""
    if environment.get("CI") or environment.get("GITHUB_ACTIONS"):
        return False
    if environment.get("BROWSER"):
        return True
    if environment.get("SSH_CONNECTION") and not environment.get("DISPLAY"):
        return False
    return platform in ("win32", "darwin") or bool(
        environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _open(path: str) -> bool:
    import webbrowser
    from pathlib import Path

    try:
        opened = webbrowser.open(Path(path).as_uri())
    except (webbrowser.Error, OSError):
        return False
    if opened:
        print(f"opened {path} in the browser")
    return opened


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        return fail("shapeflow graph", "one script at a time", COMMAND.usage)
    import shapeflow.commands._taken as taken
    import shapeflow.pictures.take as take

    page = arguments.output is None and arguments.format is None and sys.stdout.isatty()
    try:
        format = "html" if page else format_of(arguments.format, arguments.output)
        gpus = _gpus.named(arguments.device or ())
    except ValueError as error:
        return fail("shapeflow graph", str(error), COMMAND.usage)
    status, document = take.document_of(arguments.paths[0], rest, arguments, gpus)
    if document is None:
        return status
    try:
        made = render(document, format, arguments.layout, arguments.whole)
        if page:
            _show(made, document["title"])
        else:
            taken.write(made, arguments.output)
    except (ValueError, OSError) as error:
        message = getattr(error, "strerror", None) or str(error)
        print(f"shapeflow: cannot write {arguments.output or format}: {message}", file=sys.stderr)
        return 2
    return status
