"""What the search for witnesses needs of eager code, taken in the script's process: its trace as a GraphDef,
what is written to variables, and arrays that became tensors.

An array is no part of the trace; it belongs to a record of the same shape and dtype between whose bounds its
elements lie.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.numeric import feeds
from shapeflow.numeric.confirm_export import MOST_BATCHES, MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    from shapeflow.numeric.feeds import Bounds
    from shapeflow.numeric.suspects import Document

    Plain = Dict[str, Any]
    Shape = Optional[Tuple[Optional[int], ...]]

STEP = "sf_step"  # what the worker makes of the writes


class Arrays:
    """Notes arrays of eager code that became tensors and are too large to be kept there."""

    def __init__(self) -> None:
        self._noted: Dict[Tuple[str, Tuple[int, ...]], List[Tuple[Bounds, Any]]] = {}
        self._bytes = 0

    def bounds(self, value: Any) -> Optional[Bounds]:
        """As feeds.bounds."""
        import numpy as np

        found = feeds.bounds(value)
        if found is not None and self._bytes + value.nbytes <= MOST_BYTES:
            array = np.array(value)
            noted = self._noted.setdefault((array.dtype.name, array.shape), [])
            if len(noted) < MOST_BATCHES:
                noted.append((found, array))
                self._bytes += array.nbytes
        return found

    def between(self, dtype: str, shape: Tuple[int, ...], lo: float, hi: float) -> List[Any]:
        return [array for (low, high, _), array in self._noted.get((dtype, shape), [])
                if lo <= low and high <= hi]

    def batches(self, dtype: str, shape: Tuple[int, ...]) -> List[Any]:
        """Samples of the only data of such samples: what took them out of it was not followed."""
        whole = [arrays for (kind, sizes), arrays in self._noted.items()
                 if kind == dtype and shape and len(sizes) == len(shape) and sizes[1:] == shape[1:]]
        if len(whole) != 1 or not shape[0] or len(whole[0][0][1]) < shape[0]:
            return []
        rows, size = whole[0][0][1], shape[0]
        starts = range(0, len(rows) - size + 1, size)
        return [rows[start:start + size] for start in starts[:MOST_BATCHES]]


def export_eager(document: Document, arrays: Arrays) -> Dict[str, Plain]:
    """By the number of eager code among the graphs of the document, where it has suspects."""
    for number, graph in enumerate(document["graphs"]):
        names = sorted({suspect["node"] for suspect in document["suspects"] if suspect["graph"] == number})
        exported = _export(names, arrays) if graph["kind"] == "eager" and names else None
        if exported is not None:
            return {str(number): exported}
    return {}


def _export(suspects: Sequence[str], arrays: Arrays) -> Optional[Plain]:
    """As confirm_export.Recorder.export; None: there is no trace."""
    import base64

    from shapeflow.numeric.confirm_export import packed

    made = _core.trace_program()
    if made is None:
        return None
    graph, outputs, outside, writes = made
    batches, made_up = _data(outside, arrays)
    kept: Dict[str, Any] = {}
    runs = []
    for batch in batches:
        keys = {}
        for name, value in batch.items():
            keys[name] = f"a{id(value)}"
            kept[keys[name]] = value
        runs.append({"fetches": [STEP, *suspects], "feeds": keys, "made_up": made_up})
    return {"graph": base64.b64encode(graph).decode("ascii"), "data": packed(kept), "runs": runs,
            "outputs": {name: [[dtype, None if shape is None else list(shape)] for dtype, shape in rows]
                        for name, rows in outputs.items()},
            "writes": writes, "left_out": 0}


def _data(outside: Sequence[Tuple[str, str, Shape, float, float]],
          arrays: Arrays) -> Tuple[List[Dict[str, Any]], List[str]]:
    """What stands for each tensor that comes from outside, in several batches; and those of which nobody
    knows the content."""
    import numpy as np

    found: Dict[str, List[Any]] = {}
    made_up = []
    for name, dtype, shape, lo, hi in outside:
        try:
            kind = np.dtype(dtype)
        except TypeError:  # text, bfloat16: not searched
            continue
        if shape is None or None in shape:
            continue
        sizes = tuple(size or 0 for size in shape)
        noted = arrays.between(dtype, sizes, lo, hi) if lo <= hi else []
        noted = noted or [batch for batch in arrays.batches(dtype, sizes)
                          if lo > hi or lo <= batch.min() and batch.max() <= hi]
        tensor = name + ":0"
        if not noted:
            if _bytes_of(kind, sizes) > MOST_BYTES:
                continue
            made_up.append(tensor)
        found[tensor] = noted or [np.zeros(sizes, kind)]
    count = max((len(noted) for noted in found.values()), default=1)
    return [{tensor: noted[i % len(noted)] for tensor, noted in found.items()} for i in range(count)], made_up


def _bytes_of(kind: Any, sizes: Tuple[int, ...]) -> int:
    total: int = kind.itemsize
    for size in sizes:
        total *= size
    return total
