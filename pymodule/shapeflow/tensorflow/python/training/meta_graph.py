"""Graphs that were saved with their checkpoints: what import_meta_graph gives of one of the same program.

A saved graph is kept as it is and copied when it is imported: its nodes, its collections, its variables.
Source: tensorflow/python/framework/meta_graph.py.
"""
from __future__ import annotations

import os

from shapeflow import _core
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.ops.variables import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

_saved: Dict[str, Saved] = {}  # by absolute path


class Saved:
    """A graph with the variables that a saver has, by their names in the checkpoint."""

    def __init__(self, graph: Any, variables: Dict[str, Any]) -> None:
        self._graph = graph
        self._variables = dict(variables)

    def into(self, graph: Any, scope: Optional[str]) -> Dict[str, Any]:
        """Copies it; gives the copies of the variables."""
        prefix = (scope or "").rstrip("/")
        with graph.as_default():
            _core.import_graph_def(_core.graph_def_bytes(self._graph, False), graph, name=prefix)
        copies: Dict[int, object] = {}

        def copy(item: Any) -> Any:
            if id(item) not in copies:
                copies[id(item)] = _copy(item, graph, prefix + "/" if prefix else "")
            return copies[id(item)]

        for key in self._graph.get_all_collection_keys():
            for item in self._graph.get_collection(key):
                made = copy(item)
                if made is not None:
                    graph.add_to_collection(key, made)
        return {name: copy(variable) for name, variable in self._variables.items()
                if copy(variable) is not None}


def _copy(item: Any, graph: Any, prefix: str) -> Any:
    """What stands for an item of a collection in the graph; None: nothing does."""
    if isinstance(item, Variable):
        return item.in_graph(graph, prefix)
    if isinstance(item, (int, float, str, bytes)):
        return item
    if isinstance(item, (_core.Tensor, _core.Operation)):
        try:
            return graph.as_graph_element(prefix + item.name)
        except (KeyError, ValueError):
            return None
    return None


def keep(path: Any, graph: Any, variables: Dict[str, Any]) -> None:
    _saved[os.path.abspath(os.fsdecode(path))] = Saved(graph, variables)


def kept(path: Any) -> Optional[Saved]:
    return _saved.get(os.path.abspath(os.fsdecode(path)))


def import_kept(path: object, scope: Optional[str]) -> Optional[Dict[str, Any]]:
    """Into the default graph; None: no graph of this program was saved there."""
    found = kept(path)
    return None if found is None else found.into(get_default_graph(), scope)
