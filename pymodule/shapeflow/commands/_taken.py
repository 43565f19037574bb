"""A run of one script, or a reading of one graph file, for what it leaves behind: its graphs, variables
and findings, for `graph` and `summary`."""
from __future__ import annotations

import os
import sys

from shapeflow import _core, _kept, findings
from shapeflow.check import Checker, Options
from shapeflow.check_graph import GraphChecker, find_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, Union

    from shapeflow.cmdline import Arguments
    from shapeflow.findings import Record, Report
    from shapeflow.sandbox.channel import Sender

    Taker = Union["ScriptTaker", "FileTaker"]


class _Collector(findings.Collector):
    """Keeps of each record the extension's finding that it was made of."""

    def __init__(self, launcher: str) -> None:
        super().__init__(launcher)
        self.launcher = launcher
        self.raw: Dict[int, Any] = {}  # by id of the record

    def extend(self, found: Any) -> None:
        for finding in found:
            super().extend([finding])
            self.keep(finding)

    def keep(self, finding: Any) -> None:
        """Of the newest record, unless that has one."""
        if self.records:
            self.raw.setdefault(id(self.records[-1]), finding)

    def of_record(self, record: Record) -> Any:
        return self.raw.get(id(record))


class ScriptTaker(Checker):
    """Looks at the objects of the run before its namespace goes. `graphs`: those of the program, the largest
    first; `functions`: those of functions that were traced; `variables`; `layers` of Keras."""

    def __init__(self, options: Options, deliver: Any) -> None:
        super().__init__(options, deliver)
        self.collector: _Collector = _Collector(os.path.abspath(sys.argv[0]))
        self.graphs: List[Any] = []
        self.functions: List[Any] = []
        self.variables: List[Any] = []
        self.layers: List[Any] = []  # of Keras
        self.begin: Optional[Callable[[], None]] = None  # called when the stage is set
        self.taken = False

    def _prepare(self, source: str) -> None:
        super()._prepare(source)
        if self.begin is not None:
            self.begin()
        else:
            _kept.start()

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
        self.functions = [graph for graph in made if graph.building_function]
        found = [item for item in everything if isinstance(item, _core.VariableBase)]
        kept = _kept.variables.now() if _kept.variables is not None else []
        self.variables = list({id(item): item for item in [*kept, *found]}.values())
        self.layers = list(_kept.layers or ())


class FileTaker(GraphChecker):
    """Keeps the graphs of a file. `shown` says which part of the file each is, `calls` which functions its
    nodes call, as _core.import_graph_def gives them, when `keep_calls`."""

    keep_calls = False

    def __init__(self, options: Options, deliver: Any) -> None:
        super().__init__(options, deliver)
        self.collector: _Collector = _Collector("")
        self.graphs: List[Any] = []
        self.shown: List[str] = []
        self.calls: List[List[Any]] = []
        self.functions: List[Any] = []
        self.variables: List[Any] = []
        self.layers: List[Any] = []

    def take(self) -> None:
        """All is there."""

    def _add(self, finding: Any, shown: str) -> None:
        super()._add(finding, shown)
        self.collector.keep(finding)

    def _import(self, shown: str, graph_def: Any) -> None:
        graph = _core.Graph()
        self.graphs.append(graph)
        self.shown.append(shown)
        made = _core.import_graph_def(graph_def, graph, keep_going=True, calls=self.keep_calls)
        self.calls.append(made.get("calls", []))


def is_model(path: str) -> bool:
    """A graph file, or the folder of a SavedModel?"""
    return find_model(path) is not None


def take_report(script: str, args: List[str], arguments: Arguments, make: Callable[[Any], Any],
                begin: Optional[Callable[[], None]] = None) -> Tuple[Optional[Report], Any]:
    """(report, what `make` made of the run: plain data). None: it could not be begun. The script runs in
    the sandbox, and `make` with it; `begin`, of who wants to know everything, is called there before the
    script. What went wrong is said on
    standard error."""
    import shapeflow.configuration as configuration
    import shapeflow.reports as reports
    import shapeflow.sandbox.supervise as supervise

    try:
        policy = configuration.sandbox_policy(arguments, configuration.load())
    except configuration.ConfigError as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return None, None
    options = Options(script, args, arguments.tf_version, arguments.mode, False, arguments.time_limit)
    made: List[Any] = []
    arrived = supervise.Arrived()

    def work(sender: Sender) -> int:
        def deliver(report: Report, out: Any, err: Any) -> int:
            taker.take()
            sender.send({"taken": make(taker)})
            sender.send({"report": reports.pack(report)})
            return report.status

        options.complain = lambda words: sender.send({"usage": words})
        taker: Taker
        if is_model(script):
            taker = FileTaker(options, deliver)
            taker.keep_calls = begin is not None
        else:
            taker = ScriptTaker(options, deliver)
            taker.begin = begin
        return taker.run()

    def receive(message: Dict[str, Any]) -> None:
        if "taken" in message:
            made.append(message["taken"])
        else:
            arrived.take(message)

    try:
        child = supervise.Child(work, policy, script, options.time_limit, False, False)
    except supervise.NoSandbox as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return None, None
    ending = child.wait(receive)
    child.close()
    if arrived.usage is not None:
        print(f"shapeflow: {arrived.usage}", file=sys.stderr)
        return None, None
    return arrived.report or arrived.without(script, ending), made[0] if made else None


def write(made: Union[str, bytes], output: Optional[str]) -> None:
    """To the file, else to standard output. Names of files and of a script's layers need not be Unicode."""
    if isinstance(made, str):
        made = made.encode("utf-8", "replace")
    if output:
        with open(output, "wb") as stream:
            stream.write(made)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
        sys.stdout.buffer.flush()


def tell(report: Report) -> None:
    """What went wrong, and the findings, on standard error."""
    import shapeflow.output as output

    for line in output.beside(report):
        print(line, file=sys.stderr)
    sys.stderr.flush()


def take(script: str, args: List[str], arguments: Arguments,
         make: Callable[[Any], Any]) -> Tuple[int, Any]:
    """(exit status, what `make` made of the run; None: it could not be begun or finished)."""
    report, made = take_report(script, args, arguments, make)
    if report is None:
        return 2, None
    tell(report)
    return report.status, made
