"""One check in this process: of a script, a model that Keras saved, or a graph file."""
from __future__ import annotations

import os

from shapeflow.checker.check import Checker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapeflow.checker.check import Deliver
    from shapeflow.checker.options import CheckOptions

_MODEL_SUFFIXES = (".pb", ".pbtxt", ".graphdef", ".meta")


def check(options: CheckOptions, deliver: Deliver) -> int:
    """The exit status that `deliver` gave."""
    if options.script.lower().endswith(_MODEL_SUFFIXES) or os.path.isdir(options.script):
        import shapeflow.checker.check_graph as check_graph

        if check_graph.find_model(options.script) is not None:
            return check_graph.GraphChecker(options, deliver).run()
    return Checker(options, deliver).run()
