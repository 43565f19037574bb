"""`shapeflow memory SCRIPT`: what a step of the script holds in memory, and on which GPUs it fits."""
from __future__ import annotations

import sys

from shapeflow.commands import _gpus
from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence

FORMATS = ("text", "json", "md", "html")
MOST_BATCH = 2**40  # bytes of a tensor are numbers of 64 bits
COMMAND = Command("memory", "peak memory of a script's steps, and whether it fits a GPU", [
    _gpus.OPTION,
    Option("--devices", "text", "place sessions on this machine, as for check: cpu,gpu:2; says what each "
           "device holds, and what is copied between them", "MACHINE"),
    Option("--batch", "count", "as if the feeds had this batch", "N"),
    Option("--format", "text", "text (default), json, md or html", choices=FORMATS, default="text"),
    Option("--json", help="the same as --format json"),
    Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
    *run_options(),
], ("SCRIPT", "+", "one script"), "shapeflow memory [options] SCRIPT [-- ARGS]",
    "Runs the script with shapes only, and says what the largest session.run, or its eager code,\n"
    "holds in memory.")


def _machine(text: Optional[str]) -> Optional[str]:
    """Raises ValueError: it is none, or nothing is known of the GPUs here."""
    import shapeflow.checker.machine as machine

    if not text:
        return None
    try:
        found = machine.resolved(text)
        machine.gpus(found)
    except ValueError as error:
        raise ValueError(f"--devices: {error}") from None
    return found


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    if len(arguments.paths) != 1:
        return fail("shapeflow memory", "one script at a time", COMMAND.usage)
    if arguments.batch == 0:
        return fail("shapeflow memory", "--batch: a batch of 0 holds nothing", COMMAND.usage)
    if arguments.batch is not None and arguments.batch > MOST_BATCH:
        return fail("shapeflow memory", f"--batch: no more than {MOST_BATCH:,}", COMMAND.usage)
    try:
        gpus = _gpus.named(arguments.device or ())
        placed_on = _machine(arguments.devices)
    except ValueError as error:
        return fail("shapeflow memory", str(error), COMMAND.usage)
    import shapeflow.checker.memory_runs as memory_runs
    import shapeflow.commands._taken as taken
    import shapeflow.pictures.memory as memory
    import shapeflow.pictures.memory_text as memory_text

    script = arguments.paths[0]
    recorder = memory_runs.Recorder(placed_on)
    rounding = memory_runs.GPU_ROUNDING if gpus else 1

    def make(taker: Any) -> Any:
        return memory.document(recorder, rounding, arguments.batch, gpus) or {}

    found = taken.take_report(script, rest, arguments, make, memory.beginning(recorder))
    if found is None:
        return 2
    found.tell()
    document = found.made
    if not isinstance(document, dict) or not document:
        found.lack("memory", "neither a session nor eager code of the script held anything"
                   if document == {} else found.missing)
        return found.status
    document["script"] = script
    format = "json" if arguments.json else arguments.format
    try:
        taken.write(memory_text.rendered(document, format) + "\n", arguments.output)
    except OSError as error:
        print(f"shapeflow: cannot write {arguments.output or format}: {error.strerror}", file=sys.stderr)
        return 2
    return found.status or int(any(not device["fits"] for device in document["devices"]))
