"""`shapeflow backends compare|...`: a model on several backends of Keras, and what differs."""
from __future__ import annotations

import sys

from shapeflow.commands.option_tables import Command, Option, fail, parse, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Sequence

    from shapeflow.backends.comparing import Settings
    from shapeflow.backends.process import Fleet
    from shapeflow.commands.option_tables import Arguments

    Plain = Dict[str, Any]

FORMATS = ("text", "json", "html", "sarif")
ACTIONS = ("compare", "generate", "search")
COMMAND = Command(
    "backends",
    "a Keras model on several backends, and where their results differ",
    [
        Option("--backends", "list", "those to compare (default: all that are installed): tensorflow, jax, "
               "torch, numpy, openvino; torch:old is a second one, for --python", "NAME"),
        Option("--python", "list", "the Python of a backend", "NAME=PATH"),
        Option("--prelude", "list", "a Python file that a backend's process runs first", "NAME=FILE"),
        Option("--data", "text", "inputs x0, x1... and labels y0... (.npz, .npy; default: drawn)", "FILE"),
        Option("--loss", "text", "Keras's name of a loss (default mse)", "NAME"),
        Option("--phases", "list", "forward, loss, backward (default: all)", "PHASE"),
        Option("--threshold", "number", "of a layer by itself, relative (default 0.0001)", "NUMBER",
               default=1e-4),
        Option("--top", "count", "classes that count in D_class (default 5)", "K", default=5),
        Option("--class-threshold", "number", "of D_class (default 8)", "NUMBER", default=8.0),
        Option("--mad-threshold", "number", "of D_MAD (default 0.2)", "NUMBER", default=0.2),
        Option("--share", "number", "of samples that may reach those (default 0)", "NUMBER", default=0.0),
        Option("--seed", "count", "of what is drawn (default 0)", "N", default=0),
        Option("--models", "count", "generate so many models (default 100)", "N", default=100),
        Option("--check-shapes", "count", "generate so many models, and compare shapes only", "N"),
        Option("--layers", "count", "of a generated model, about (default 6)", "N", default=6),
        Option("--workers", "count", "run so many models side by side (default 1)", "N", default=1),
        Option("--dask", "text", "run the models on this Dask cluster", "ADDRESS"),
        Option("--change", "list", "what search changes: network, input, weight, both (default: all)",
               "KIND"),
        Option("--goal", "text", "of search: outputs that differ (default), or NaN",
               choices=("differ", "nan"), default="differ"),
        Option("--rounds", "count", "of search, with 6 variants each (default 20)", "N", default=20),
        Option("--campaign-time", "number", "stop generating after this long", "SECONDS"),
        Option("--results", "text", "where findings and the campaign's state are written (default "
               "shapeflow_backends)", "FOLDER", default="shapeflow_backends"),
        Option("--trust", help="run code that the model's file holds"),
        Option("--backend-memory", "text", "of each backend's process, as 4G (default: no limit)", "SIZE"),
        Option("--backend-time", "number", "for a model on a backend (default 120)", "SECONDS",
               default=120.0),
        Option("--format", "text", "text (default), json, html or sarif", choices=FORMATS, default="text"),
        Option("--json", help="the same as --format json"),
        Option("-o --output", "text", "write to FILE instead of standard output", "FILE"),
        *run_options(),
    ],
    ("ACTION MODEL", "+", "compare MODEL, search MODEL: a model (.keras, .h5, .json), a script that builds "
     "one, or the folder of a finding; generate"),
    "shapeflow backends compare|generate|search [options] [MODEL]",
    "Runs a Keras model, or models that are made up, on several backends, each in a process of its own, and\n"
    "says which layer, phase and backend it is where their results differ.",
    "exit status: 0 no difference, 1 differences, 2 usage, 3 nothing could be compared",
)


def run(argv: Sequence[str], rest: List[str]) -> int:
    arguments = parse("shapeflow", COMMAND, argv)
    action = arguments.paths[0]
    if action not in ACTIONS:
        return fail("shapeflow backends", f"no action {action!r}: {', '.join(ACTIONS)}", COMMAND.usage)
    try:
        return _ACTIONS[action](arguments, rest)
    except ValueError as error:
        return fail("shapeflow backends", str(error), COMMAND.usage)


def _pairs(given: str, option: str) -> Dict[str, str]:
    """NAME=VALUE of a list option. Raises ValueError."""
    found = {}
    for item in given or ():
        name, equals, value = item.partition("=")
        if not equals or not value:
            raise ValueError(f"{option}: {item!r} is not NAME=PATH")
        found[name] = value
    return found


def fleet_of(arguments: Arguments) -> Fleet:
    """The backends that were asked for. Raises ValueError."""
    import os

    import shapeflow.worker_process as worker_process
    from shapeflow.backends import process

    labels = arguments.backends or list(process.NAMES)
    for label in labels:
        if label.partition(":")[0] not in process.NAMES:
            raise ValueError(f"no backend {label!r}: {', '.join(process.NAMES)}")
    firsts = {name: os.path.abspath(path) for name, path in _pairs(arguments.prelude, "--prelude").items()}
    for path in firsts.values():
        if not os.path.exists(path):
            raise ValueError(f"--prelude: {path}: no such file")
    given = arguments.backend_memory
    memory = worker_process.bytes_of(given, "--backend-memory") if given else None
    return process.Fleet(labels, _pairs(arguments.python, "--python"), memory, arguments.backend_time, firsts)


def settings_of(arguments: Arguments) -> Settings:
    from shapeflow.backends import comparing

    phases = arguments.phases or list(comparing.PHASES)
    for phase in phases:
        if phase not in comparing.PHASES:
            raise ValueError(f"no phase {phase!r}: {', '.join(comparing.PHASES)}")
    if arguments.workers < 1:
        raise ValueError("--workers is at least 1")
    if arguments.top < 1:
        raise ValueError("--top is at least 1")
    if not 0 <= arguments.share <= 1:
        raise ValueError("--share is between 0 and 1")
    return comparing.Settings(phases, arguments.threshold, arguments.top, arguments.class_threshold,
                              arguments.mad_threshold, arguments.share, patience=2)


def say(text: str) -> None:
    print(f"shapeflow: {text}", file=sys.stderr, flush=True)


def started(fleet: Fleet, arguments: Arguments, least: int = 2) -> int:
    """0, or the exit status where fewer than `least` can be started. What is left out is said, where it was
    asked for by name or too few are left."""
    backends = fleet.start()
    if arguments.backends or len(backends) < least:
        for note in fleet.notes:
            say(note)
    if len(backends) < least:
        say(f"nothing to compare: fewer than {least} of the backends can be started")
        return 3
    return 0


def _write(text: str, arguments: Arguments, status: int) -> int:
    """The exit status."""
    import shapeflow.commands._taken as taken

    try:
        taken.write(text + "\n", arguments.output)
    except OSError as error:
        say(f"cannot write {arguments.output or 'standard output'}: {error.strerror}")
        return 2
    return status


def _compare(arguments: Arguments, rest: List[str]) -> int:
    import tempfile

    from shapeflow.backends import comparing, configs, opening, rendering

    if len(arguments.paths) != 2:
        raise ValueError("one model at a time")
    path = arguments.paths[1]
    settings = settings_of(arguments)
    try:
        config = opening.config_of(path, arguments.trust, rest, arguments)
        if arguments.data:
            opening.judge_data(config, arguments.data, arguments.trust, arguments.loss)
        with fleet_of(arguments) as fleet, tempfile.TemporaryDirectory(prefix="shapeflow-") as folder:
            status = started(fleet, arguments)
            if status:
                return status
            case = opening.case_of(path, config, folder, fleet.there, arguments.trust, arguments.seed,
                                   arguments.data, arguments.loss)
            document = comparing.compare(case, fleet.there, settings)
    except configs.Unusable as error:
        say(str(error) + (f" [{error.code}]" if error.code else ""))
        return 1 if error.code else 3
    status = int(bool(rendering.counted(document["findings"])))
    if not status and rendering.nothing_compared(document):
        status = 3
    text = rendering.rendered(document, "json" if arguments.json else arguments.format)
    return _write(text, arguments, status)


def _generate(arguments: Arguments, rest: List[str]) -> int:
    """What was done before, in --results, is not done again."""
    if len(arguments.paths) != 1 or rest:
        raise ValueError("generate takes no model")
    count = arguments.check_shapes or arguments.models
    return _campaign(arguments, 1 if arguments.check_shapes else 2, count, "models",
                     lambda made: made.run(count, arguments.campaign_time, arguments.workers, arguments.dask))


def _search(arguments: Any, rest: List[str]) -> int:
    import tempfile

    from shapeflow.backends import configs, genetic, opening

    if len(arguments.paths) != 2:
        raise ValueError("one model at a time")
    path = arguments.paths[1]
    kinds = arguments.change or list(genetic.KINDS)
    for kind in kinds:
        if kind not in genetic.KINDS:
            raise ValueError(f"no kind {kind!r}: {', '.join(genetic.KINDS)}")
    try:
        config = opening.config_of(path, arguments.trust, rest, arguments)
        if arguments.data:
            opening.judge_data(config, arguments.data, arguments.trust, arguments.loss)
        with tempfile.TemporaryDirectory(prefix="shapeflow-") as folder:

            def work(made: Any) -> Plain:
                case = opening.case_of(path, config, folder, made.fleet.there, arguments.trust,
                                       arguments.seed, arguments.data, arguments.loss)
                found: Plain = made.search(case, kinds, arguments.goal, arguments.rounds)
                return found

            return _campaign(arguments, 2, 1 + 6 * arguments.rounds, "variants", work)
    except configs.Unusable as error:
        say(str(error) + (f" [{error.code}]" if error.code else ""))
        return 1 if error.code else 3


def _campaign(arguments: Arguments, least: int, total: int, unit: str, work: Callable[[Any], Plain]) -> int:
    """`least`: so many backends are needed; `total` of `unit`: what the progress counts."""
    import sqlite3

    from shapeflow.backends import campaign, rendering
    from shapeflow.progress import Progress

    if arguments.format not in ("text", "json"):
        raise ValueError("a campaign is written as text or json")
    settings = settings_of(arguments)
    made = None
    with fleet_of(arguments) as fleet:
        status = started(fleet, arguments, least)
        if status:
            return status
        again = ("what was found is kept" if arguments.paths[0] == "search"
                 else "the same command goes on with it")
        try:
            made = campaign.Campaign(fleet, settings, arguments.results, arguments.seed, arguments.layers,
                                     Progress(total, unit), bool(arguments.check_shapes))
            summary = work(made)
        except campaign.NoEngine as error:
            say(str(error))
            return 3
        except (OSError, sqlite3.Error) as error:
            say(f"the campaign stopped: {error}; {again}")
            return 3
        except KeyboardInterrupt:
            say(f"the campaign was stopped; {again}")
            return 130
        finally:
            if made is not None:
                made.close()
    as_json = arguments.json or arguments.format == "json"
    text = rendering.as_json(summary) if as_json else rendering.campaign_text(summary)
    return _write(text, arguments, int(bool(rendering.counted(summary["findings"]))))


_ACTIONS = {"compare": _compare, "generate": _generate, "search": _search}
