"""What the search for witnesses needs of a script's run, taken in the script's process: each graph as a
GraphDef, and what the script gave to session.run.

The recorder notes a run when it is new, and further batches of it, since the search draws other samples of
the script's data from them.
"""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    import numpy as np

    Plain = Dict[str, Any]

MOST_RUNS = 64
MOST_BATCHES = 24  # of one run
MOST_BYTES = 48 << 20  # of all arrays
_ROWS = 8  # of a batch of which nothing is known


class Recorder:
    """Notes runs of sessions, from `begin` on until `export`."""

    def __init__(self) -> None:
        # Graph, fetches, feeds, and those of them whose content is nobody's.
        self.runs: List[Tuple[Any, List[str], Dict[str, Any], List[str]]] = []
        self.left_out = 0  # feeds that were too many
        self._batches: Dict[Tuple[int, Tuple[str, ...]], int] = {}
        self._bytes = 0

    def begin(self, also: Optional[Callable[[Any, Any, object], None]] = None) -> None:
        """`also`: who notes runs as well."""
        def note(session: object, fetches: object, feed_dict: object) -> None:
            if also is not None:
                also(session, fetches, feed_dict)
            self.note(session, fetches, feed_dict)

        _core.set_run_hook(note)

    def note(self, session: Any, fetches: object, feed_dict: object) -> None:
        graph = session.graph
        names = _names(fetches)
        key = id(graph), tuple(names)
        count = self._batches.get(key, 0)
        if count >= MOST_BATCHES or count and not feed_dict or len(self._batches) >= MOST_RUNS:
            self.left_out += 1
            return
        self._batches[key] = count + 1
        feeds, made_up = _feeds(graph, feed_dict)
        size = sum(value.nbytes for value in feeds.values())
        if self._bytes + size > MOST_BYTES:
            self.left_out += 1
            return
        self._bytes += size
        self.runs.append((graph, names, feeds, made_up))

    def export_all(self, graphs: Sequence[object], suspects: Sequence[Any]) -> Dict[str, Plain]:
        """Of those that have suspects; as JSON has it, their numbers are text."""
        wanted = {suspect["graph"] for suspect in suspects}
        return {str(number): self.export(graph) for number, graph in enumerate(graphs)
                if number in wanted and graph is not None}

    def export(self, graph: Any) -> Plain:
        """The graph and its runs as plain data, of which `unpack` makes files."""
        import base64

        arrays: Dict[str, Any] = {}
        runs = []
        for of, fetches, feeds, made_up in self.runs:
            if of is graph:
                keys = {}
                for name, value in feeds.items():
                    keys[name] = f"a{len(arrays)}"
                    arrays[keys[name]] = value
                runs.append({"fetches": fetches, "feeds": keys, "made_up": made_up})
        return {"graph": base64.b64encode(_core.graph_def_bytes(graph, False)).decode("ascii"),
                "data": packed(arrays), "runs": runs, "outputs": _outputs(graph), "left_out": self.left_out}


def packed(arrays: Dict[str, Any]) -> str:
    """Of which `unpack` makes data.npz."""
    import base64
    import io

    import numpy as np

    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return base64.b64encode(stream.getvalue()).decode("ascii")


def unpack(exported: Plain, folder: str) -> Plain:
    """graph.pb and data.npz in the folder; what is to be in request.json."""
    import base64
    import os

    for name, key in (("graph.pb", "graph"), ("data.npz", "data")):
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(base64.b64decode(exported[key]))
    return {key: exported[key] for key in ("runs", "outputs", "writes") if key in exported}


def _text(value: object) -> Optional[np.ndarray]:
    """Bytes of fixed length, as a file of arrays takes them. None: it is no text, or ends with zeros, which
    such an array does not keep."""
    import numpy as np

    try:
        items = np.asarray(value, object)
        texts = [item.encode() if isinstance(item, str) else item for item in items.ravel().tolist()]
        if not all(isinstance(text, bytes) and not text.endswith(b"\0") for text in texts):
            return None
        return np.array(texts, np.bytes_).reshape(items.shape)
    except Exception:  # whatever an object of the script raises
        return None


def _outputs(graph: Any) -> Dict[str, List[Any]]:
    """{node: [[dtype, shape], ...]}: what stands for a node that real TensorFlow cannot run."""
    made = {}
    for op in graph.get_operations():
        made[op.name] = [[t.dtype.base_dtype.name, None if t.shape.ndims is None else t.shape.as_list()]
                         for t in op.outputs]
    return made


def _names(fetches: Any) -> List[str]:
    """Of all operations and tensors in whatever structure they are fetched, in order."""
    if isinstance(fetches, str):
        return [fetches]
    if isinstance(fetches, dict):
        return [name for item in fetches.values() for name in _names(item)]
    if isinstance(fetches, (list, tuple, set)):
        return [name for item in fetches for name in _names(item)]
    name = getattr(fetches, "name", None)
    return [name] if isinstance(name, str) else []


def _feeds(graph: Any, feed_dict: Any) -> Tuple[Dict[str, Any], List[str]]:
    """{name of a tensor: array}, without what is no array; and whose content is not the script's data."""
    import numpy as np

    from shapeflow.numeric.feeds import real_array

    made: Dict[str, Any] = {}
    made_up = []
    unknown = []
    for target, value in (feed_dict or {}).items():
        try:
            tensor = graph.get_tensor_by_name(target) if isinstance(target, str) else target
        except (KeyError, ValueError):
            continue
        if not isinstance(tensor, _core.Tensor):  # a sparse one
            continue
        dtype = tensor.dtype.base_dtype
        if dtype.name == "string":
            text = _text(value)
            if text is not None:
                made[tensor.name] = text
            continue
        try:
            array = np.asarray(value)
            is_known = array.dtype != object
            array = np.array(array, dtype.as_numpy_dtype) if is_known else array
        except Exception:  # whatever an object of the script raises
            is_known = False
        if not is_known:
            if dtype.is_floating or dtype.is_integer or dtype.is_bool:
                unknown.append(tensor)  # what came of something that is not there
            continue
        if array.dtype.kind in "fiubc":
            made[tensor.name] = array
            if array.size and real_array(value) is None:
                made_up.append(tensor.name)
    rows = next((len(array) for array in made.values() if array.ndim), _ROWS)
    for tensor in unknown:
        if tensor.shape.ndims is not None:
            sizes = [size if size is not None else 1 if i else rows
                     for i, size in enumerate(tensor.shape.as_list())]
            made[tensor.name] = np.zeros(sizes, tensor.dtype.base_dtype.as_numpy_dtype)
            made_up.append(tensor.name)
    return made, made_up
