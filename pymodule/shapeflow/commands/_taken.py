"""A run of one script for what it leaves behind: its graphs and variables, for `graph` and `summary`."""
from __future__ import annotations

import sys

from shapeflow import _core
from shapeflow.check import Checker, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Tuple

    from shapeflow.cmdline import Arguments
    from shapeflow.findings import Report
    from shapeflow.sandbox.channel import Sender


class _Taker(Checker):
    """Looks at the objects of the run before its namespace goes."""

    def __init__(self, options: Options, deliver: Any) -> None:
        super().__init__(options, deliver)
        self.graphs: List[Any] = []
        self.variables: List[Any] = []

    def _execute(self, program: Callable[[Dict[str, Any]], None], path: str) -> None:
        def run(names: Dict[str, Any]) -> None:
            try:
                program(names)
            finally:
                self._take()

        super()._execute(run, path)

    def _take(self) -> None:
        import gc

        everything = gc.get_objects()
        self.graphs = [item for item in everything if isinstance(item, _core.Graph)
                       and not item.building_function and item.get_operations()]
        self.graphs.sort(key=lambda graph: -len(graph.get_operations()))
        self.variables = [item for item in everything if isinstance(item, _core.VariableBase)]


def take(script: str, args: List[str], arguments: Arguments,
         make: Callable[[_Taker], Any]) -> Tuple[int, Any]:
    """(exit status, what `make` made of the run: plain data; None: it could not be begun or finished).
    The script runs in the sandbox, and `make` with it; what went wrong is said on standard error."""
    import shapeflow.configuration as configuration
    import shapeflow.output as output
    import shapeflow.reports as reports
    import shapeflow.sandbox.supervise as supervise

    try:
        policy = configuration.sandbox_policy(arguments, configuration.load())
    except configuration.ConfigError as error:
        print(f"shapeflow: {error}", file=sys.stderr)
        return 2, None
    options = Options(script, args, arguments.tf_version, arguments.mode, False, arguments.time_limit)
    made: List[Any] = []
    arrived = supervise.Arrived()

    def work(sender: Sender) -> int:
        def deliver(report: Report, out: Any, err: Any) -> int:
            sender.send({"taken": make(taker)})
            sender.send({"report": reports.pack(report)})
            return report.status

        options.complain = lambda words: sender.send({"usage": words})
        taker = _Taker(options, deliver)
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
        return 2, None
    ending = child.wait(receive)
    if arrived.usage is not None:
        print(f"shapeflow: {arrived.usage}", file=sys.stderr)
        return 2, None
    report = arrived.report or arrived.without(script, ending)
    for line in output.beside(report):
        print(line, file=sys.stderr)
    sys.stderr.flush()
    return report.status, made[0] if made else None
