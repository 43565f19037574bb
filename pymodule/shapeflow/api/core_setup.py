"""What the C core must be told before the first op: its exception classes and the Graph class.

Done when the first namespace is touched, so that `import shapeflow` stays cheap.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import notebook_html

_done = False


def prepare() -> None:
    """Registers errors and the Graph class with the core; idempotent."""
    global _done
    if _done:
        return
    _done = True
    from shapeflow.tensorflow.python.framework import errors, graph

    errors.register()
    _core.set_graph_class(graph.Graph)
    _core.Tensor._repr_html_ = notebook_html.of_tensor  # type: ignore[attr-defined]
    _core.VariableBase._repr_html_ = notebook_html.of_tensor  # type: ignore[attr-defined]
