"""A run of one script, or a reading of one graph file, for what it leaves behind: its graphs, variables
and findings, for `graph` and `summary`."""
from __future__ import annotations

import os
import sys

import shapeflow.checker.configuration as configuration
import shapeflow.checker.targets as targets
from shapeflow import _core
from shapeflow.checker import findings
from shapeflow.checker.check import Checker
from shapeflow.checker.check_graph import GraphChecker, find_model
from shapeflow.checker.options import CheckOptions
from shapeflow.tensorflow.python.framework import object_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, TextIO, Tuple, Union

    from shapeflow.checker.configuration import Settings
    from shapeflow.checker.findings import Record, Report
    from shapeflow.commands.option_tables import Arguments
    from shapeflow.sandbox import Policy
    from shapeflow.sandbox.channel import Sender
    from shapeflow.sandbox.supervise import Arrived

    Taker = Union["ScriptTaker", "FileTaker"]


class _TakenFindings(findings.UniqueFindings):
    """Keeps of each record the extension's finding that it was made of."""

    def __init__(self, launcher: str) -> None:
        super().__init__(launcher)
        self.raw: Dict[int, object] = {}  # by id of the record

    def extend(self, found: Any) -> None:
        for finding in found:
            super().extend([finding])
            self.keep(finding)

    def keep(self, finding: object) -> None:
        """Of the newest record, unless that has one."""
        if self.records:
            self.raw.setdefault(id(self.records[-1]), finding)

    def of_record(self, record: Record) -> object:
        return self.raw.get(id(record))


class ScriptTaker(Checker):
    """Looks at the objects of the run before its namespace goes. `graphs`: those of the program, the largest
    first; `variables`; `layers` of Keras."""

    def __init__(self, options: CheckOptions, deliver: Callable[[Report, TextIO, TextIO], int]) -> None:
        super().__init__(options, deliver)
        self.collector: _TakenFindings = _TakenFindings(os.path.abspath(sys.argv[0]))
        self.graphs: List[Any] = []
        self.bodies: List[object] = []  # graphs of functions
        self.variables: List[Any] = []
        self.layers: List[Any] = []  # of Keras
        self.begin: Optional[Callable[[], None]] = None  # called when the stage is set
        self.taken = False

    def _prepare(self, source: str) -> None:
        super()._prepare(source)
        if self.begin is not None:
            self.begin()
        else:
            object_log.start()

    def _execute(self, program: Callable[[Dict[str, Any]], None], path: str) -> None:
        def run(names: Dict[str, Any]) -> None:
            try:
                program(names)
            finally:
                self.take()

        super()._execute(run, path)

    def take(self) -> None:
        """Once: at the end of the script, or when it is ended."""
        import gc

        if self.taken:
            return
        self.taken = True
        everything = gc.get_objects()
        made = [item for item in everything if isinstance(item, _core.Graph) and item.version > 0]
        made.sort(key=lambda graph: -graph.version)
        self.graphs = [graph for graph in made if not graph.building_function]
        self.bodies = [graph for graph in made if graph.building_function]
        found = [item for item in everything if isinstance(item, _core.VariableBase)]
        kept = object_log.variables.now() if object_log.variables is not None else []
        self.variables = list({id(item): item for item in [*kept, *found]}.values())
        self.layers = list(object_log.layers or ())


class FileTaker(GraphChecker):
    """Keeps the graphs of a file. `shown` says which part of the file each is, `calls` which functions its
    nodes call, as _core.import_graph_def gives them, when `keep_calls`."""

    keep_calls = False

    def __init__(self, options: CheckOptions, deliver: Callable[[Report, TextIO, TextIO], int]) -> None:
        super().__init__(options, deliver)
        self.collector: _TakenFindings = _TakenFindings("")
        self.graphs: List[Any] = []
        self.shown: List[str] = []
        self.calls: List[List[Any]] = []
        self.variables: List[Any] = []
        self.layers: List[Any] = []

    def take(self) -> None:
        """All is there."""

    def _add(self, finding: object, shown: str) -> None:
        super()._add(finding, shown)
        self.collector.keep(finding)

    def _import(self, shown: str, graph_def: object) -> None:
        graph = _core.Graph()
        self.graphs.append(graph)
        self.shown.append(shown)
        made = _core.import_graph_def(graph_def, graph, keep_going=True, calls=self.keep_calls)
        self.calls.append(made.get("calls", []))


def is_model(path: str) -> bool:
    """A graph file, or the folder of a SavedModel?"""
    return find_model(path) is not None


class Taken:
    """What came of a run. `report`: what counts of it by the configuration; `raw`: its errors and warnings
    before that was judged; `made`: what `make` made, None where that did not arrive, and `missing` says
    why (nothing: as the report does)."""

    def __init__(self, report: Report, made: Any, missing: str, options: CheckOptions,
                 settings: Settings) -> None:
        self.report, self.made, self.missing = report, made, missing
        self.options, self.settings = options, settings
        self.raw: Sequence[Record] = report.of("error", "warning")

    @property
    def status(self) -> int:
        """The exit status: what is found, or that what was asked for could not be made."""
        return self.report.status or (3 if self.made is None else 0)

    def lack(self, what: str, message: str) -> None:
        """There is nothing to show, and why."""
        import shapeflow.formats.output as output

        self.made = None
        if message:
            print(f"shapeflow: no {what}: {output.harmless(message)}", file=sys.stderr)

    def tell(self) -> None:
        """What went wrong, on standard error."""
        import shapeflow.formats.output as output

        output.say(output.beside(self.report), sys.stderr)


def options_of(script: str, args: List[str], arguments: Arguments, settings: Settings) -> CheckOptions:
    """How `check` would run the script: as the command line says, else its entry in the configuration (the
    first, but for its folder), else the rest of that."""
    entry = next(iter(settings.scripts_at(script)), None) or configuration.Script(script)
    limit = next((limit for limit in (arguments.time_limit, entry.time_limit) if limit is not None),
                 settings.time_limit)
    version = arguments.tf_version or entry.tf_version or settings.tf_version
    mode = arguments.mode or entry.mode or settings.mode
    return CheckOptions(script, args or entry.args, version, mode, False, limit, None, settings.data,
                   settings.root, settings.warn_unused_ignores, missing_imports=settings.missing_imports,
                   devices=settings.device,
                   patience=int(not (arguments.every_batch or settings.every_batch
                                     or arguments.no_sandbox or not settings.sandbox)))


def take_report(script: str, args: List[str], arguments: Arguments, make: Callable[[Any], Any],
                begin: Optional[Callable[[], None]] = None, errors_only: bool = False) -> Optional[Taken]:
    """None: it could not be begun, which is said on standard error. The script runs in the sandbox, and
    `make` with it, which gives plain data; `begin`, of who wants to know everything, is called there before
    it. `errors_only`: no run is made to confirm warnings."""
    import shapeflow.checker.loops.confirm as confirm
    import shapeflow.checker.selection as selection
    from shapeflow.sandbox.child import NoSandbox

    refused = targets.refusal(script)
    if refused:
        print(f"shapeflow: {refused}", file=sys.stderr)
        return None
    try:
        settings = configuration.load()
        policy = configuration.sandbox_policy(arguments, settings)
        rules = selection.selection_of(settings, arguments)
        options = options_of(script, args, arguments, settings)
        run = Taken(*_run(options, policy, make, begin), options, settings)
        runs: Dict[int, Taken] = {}

        def attempt(patience: int) -> Report:
            options.patience = patience
            runs[patience] = Taken(*_run(options, policy, make, begin), options, settings)
            return runs[patience].report

        confirmed = confirm.confirmed(run.report, attempt, options.time_limit, errors_only)
        if confirmed is not run.report:
            run = runs[0]
        run.raw = confirmed.of("error", "warning")
    except (configuration.ConfigError, NoSandbox, _NotBegun) as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return None
    rules.apply([run.report])
    return run


class _NotBegun(Exception):
    pass


def _run(options: CheckOptions, policy: Policy, make: Callable[[object], object],
         begin: Optional[Callable[[], None]]) -> Tuple[Report, Any, str]:
    """(report, what was made, why that is missing). A script that ends for want of data is run again as a
    check runs it, and passes over what failed. Raises NoSandbox, _NotBegun."""
    import shapeflow.sandbox.supervise as supervise

    work = _work_of(options, make, begin)
    arrived, reason = _run_once(work, options, policy)
    assert arrived.report is not None
    given = options.tf_version, options.because
    if supervise.wants_another_version(arrived.report, options):
        second, said = _run_once(work, options, policy)
        if supervise.is_better(second.report, arrived.report):
            arrived, reason = second, said
        else:
            options.tf_version, options.because = given
    again = None if is_model(options.script) else supervise.gone_on(work, options, policy, arrived)
    if again is not None and again.made is not None:
        arrived, reason = again, ""
    assert arrived.report is not None
    return arrived.report, arrived.made, "" if arrived.made is not None else reason


def _work_of(options: CheckOptions, make: Callable[[object], object],
             begin: Optional[Callable[[], None]]) -> Callable[[Sender], int]:
    """What the script's process does."""
    import shapeflow.sandbox.channel as channel
    import shapeflow.sandbox.reporting as reporting

    def work(sender: Sender) -> int:
        send = reporting.sending(options, sender)

        def deliver(report: Report, out: object, err: object) -> int:
            # First: at the time limit there is little time to report, and none for what many objects are
            # looked through for; what is made of the run may fail, or take too long.
            send(report)
            sender.send(channel.MAKING, None)
            taker.take()
            sender.send(channel.TAKEN, make(taker))
            return report.status

        taker: Taker
        if is_model(options.script):
            taker = FileTaker(options, deliver)
            taker.keep_calls = begin is not None
        else:
            taker = ScriptTaker(options, deliver)
            taker.begin = begin
        return taker.run()

    return work


def _run_once(work: Callable[[Sender], int], options: CheckOptions, policy: Policy) -> Tuple[Arrived, str]:
    """What arrived, with a report, and why nothing was made, if nothing was."""
    import shapeflow.sandbox.supervise as supervise
    from shapeflow.sandbox.child import Child

    arrived = supervise.Arrived()
    child = Child(work, policy, options.script, options.time_limit, False, False)
    ending = child.wait(arrived.take)
    child.close()
    if arrived.usage is not None:
        raise _NotBegun(arrived.usage)
    if arrived.report is None:
        arrived.report, arrived.made = arrived.without(options.script, ending), None
        return arrived, ""
    return arrived, ending.reason or arrived.failure or "its process sent none"


def write(made: Union[str, bytes], output: Optional[str]) -> None:
    """To the file, else to standard output. Names of files and of a script's layers need not be Unicode."""
    if isinstance(made, str):
        made = made.encode("utf-8", "replace")
    if output:
        with open(output, "wb") as stream:
            stream.write(made)
    else:
        import shapeflow.formats.output

        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(made)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            shapeflow.formats.output.be_unheard(sys.stdout)
