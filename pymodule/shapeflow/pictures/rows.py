"""Rows of a graph as the extension gives them (`_core.graph_rows`)."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence, Tuple


class Row:
    """One node. `inputs`: (node, output) each; the node is a number of this graph, -1 where it is not known,
    or the key (graph, number) of a node in another one."""

    __slots__ = ("name", "op", "outputs", "inputs", "controls", "device", "location", "flops", "parameters",
                 "frame", "attrs", "value")

    def __init__(self, name: str, op: str, outputs: Sequence[Tuple[str, str, Optional[int]]],
                 inputs: Sequence[Tuple[Any, int]], controls: Sequence[int], device: str = "",
                 location: int = 0, flops: Optional[float] = None, parameters: Optional[int] = None,
                 frame: Optional[str] = None, attrs: Sequence[Tuple[str, str]] = (),
                 value: Optional[str] = None) -> None:
        self.name = name
        self.op = op
        self.outputs = outputs
        self.inputs = inputs
        self.controls = controls
        self.device = device
        self.location = location
        self.flops = flops
        self.parameters = parameters  # -1: of a variable, but not known
        self.frame = frame
        self.attrs = attrs
        self.value = value  # of output 0, where it is a few integers


def rows_of(given: Sequence[Tuple[Any, ...]]) -> List[Row]:
    """Rows as the extension gives them."""
    rows = [Row(*row) for row in given]
    for row in rows:
        if row.op == "SfUnknown":  # ours: an operation that is not modelled
            row.name, row.op = row.name.replace("SfUnknown", "Unknown"), "Unknown"
            row.flops, row.attrs = None, ()
    return rows


class Rows:
    """A graph: `key` tells it from others, `size` is how many nodes it has in all."""

    def __init__(self, graph: Any, most: int) -> None:
        self.key, self.size, rows = _core.graph_rows(graph, most)
        self.rows = rows_of(rows)
