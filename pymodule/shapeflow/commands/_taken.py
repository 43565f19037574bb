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


def take(script: str, args: List[str], arguments: Arguments) -> Tuple[int, Any]:
    """(exit status, the taker) after a run; what went wrong is said on standard error."""
    import shapeflow.output as output

    status = [0]

    def deliver(report: Report, out: Any, err: Any) -> int:
        for line in output.beside(report):
            print(line, file=err)
        status[0] = report.status
        return report.status

    options = Options(script, args, arguments.tf_version, arguments.mode, False, arguments.time_limit)
    taker = _Taker(options, deliver)
    result = taker.run()
    sys.stderr.flush()
    return (result or status[0]), taker
