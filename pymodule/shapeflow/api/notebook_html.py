"""How a notebook shows our objects: asked of the package `notebook`, which stands on all others and so is
found by its name, when something is shown."""
from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def of_tensor(tensor: object) -> str:
    return _html("tensor_html", tensor)


def of_graph(graph: object) -> str:
    return _html("graph_html", graph)


def of_finding(record: object) -> str:
    return _html("record_html", record)


def _html(function: str, shown: object) -> str:
    made: str = getattr(importlib.import_module("shapeflow.notebook.extension"), function)(shown)
    return made
