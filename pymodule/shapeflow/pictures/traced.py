"""What the layers of a Keras model cost: the model is called once more, on a batch of one, and the nodes
that it makes are counted for the layer whose call made them.

Runs inside the process of the script, after it; muted. A loop's body counts as often as the loop runs where
that is known (recurrent layers).
"""
from __future__ import annotations

import contextlib
import io

from shapeflow import _core
from shapeflow.pictures import keras_layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow._core import Graph

ASSUMED = 1  # for each dim that is not known


class Cost:
    """Of one layer, all its calls together. None: not known."""

    def __init__(self) -> None:
        self.flops: Optional[float] = 0.0
        self.bytes: Optional[float] = 0.0  # of its outputs
        self.calls = 0


def _sum(a: Optional[float], b: Optional[float]) -> Optional[float]:
    return None if a is None or b is None else a + b


class _Watch:
    """Makes the calls of layers (keras_layers.Watched), and notes which nodes each makes."""

    def __init__(self, graph: Graph, rows: List[Any]) -> None:
        self.graph = graph
        # Whose nodes they are, by graph: that of the model, and those of the bodies of loops in it.
        self.graphs: Dict[int, Tuple[Any, List[Tuple[Any, float]]]] = {id(graph): (graph, [])}
        self.rows = {id(layer): layer for layer in rows}
        # The calls under way: layer, the row that it counts for, how often, inputs.
        self.open: List[Tuple[Any, Any, float, Any]] = []
        self.outputs: Dict[int, List[Any]] = {}
        self.calls: Dict[int, int] = {}

    def claim(self, row: object, times: float) -> None:
        """The nodes that nobody has yet are that row's."""
        for graph, owners in self.graphs.values():
            owners += [(row, times)] * (graph.version - len(owners))

    def __call__(self, layer: object, inputs: object, call: Callable[[], Any]) -> object:
        from shapeflow.tensorflow.python.util import nest

        here = _core.default_graph()
        self.graphs.setdefault(id(here), (here, []))
        _, row, times, _ = before = self.open[-1] if self.open else (None, None, 1.0, None)
        self.claim(row, times)
        outermost = row is None and id(layer) in self.rows
        row = layer if outermost else row
        times *= _steps(before[0], before[3], layer)
        self.open.append((layer, row, times, inputs))
        try:
            outputs = call()
            self.claim(row, times)
        finally:
            self.open.pop()
        if outermost:
            self.calls[id(layer)] = self.calls.get(id(layer), 0) + 1
            self.outputs.setdefault(id(layer), []).extend(
                t for t in nest.flatten(outputs) if isinstance(t, _core.Tensor))
        return outputs


def _steps(outer: object, inputs: object, layer: object) -> float:
    """How often `outer` calls `layer` where one call stands for all: a cell, once for each step."""
    if outer is None or layer is not outer.__dict__.get("cell") and layer is not outer.__dict__.get("layer"):
        return 1.0
    from shapeflow.tensorflow.python.util import nest

    if not keras_layers.runs_cells(outer):
        return 1.0
    shape = nest.flatten(inputs)[0].get_shape()
    axis = 0 if getattr(outer, "time_major", False) else 1
    steps = shape.as_list()[axis] if shape.ndims is not None and shape.ndims > axis else None
    return float(steps) if steps else 1.0


def costs(model: Any, rows: List[Any]) -> Tuple[Dict[int, Cost], Optional[float]]:
    """({id of a layer among `rows`: its cost}, FLOPs of what no layer made); empty where the model cannot
    be called by itself."""
    from shapeflow.tensorflow.python.data.traced_function import FunctionGraph, Undecided

    given = keras_layers.inputs(model)
    if given is None:
        return {}, None
    graph = FunctionGraph()
    watch = _Watch(graph, rows)
    saved = _outputs_of(model)
    try:
        with keras_layers.Watched(watch), _core.mute(), contextlib.redirect_stdout(_nowhere()), \
                contextlib.redirect_stderr(_nowhere()), graph.as_default():
            model(_placeholders(given))
        watch.claim(None, 1.0)
        nodes = [_core.graph_costs(of, ASSUMED) for of, _ in watch.graphs.values()]
    except (Exception, SystemExit, Undecided):  # whatever the model's own code does when called once more
        return {}, None
    finally:
        for layer, ends in saved:
            layer._io = ends
    return _added(watch, nodes)


def _nowhere() -> io.TextIOWrapper:
    """What a model prints when it is called once more is nobody's; it may ask where to."""
    return io.TextIOWrapper(io.BytesIO(), "utf-8", "replace")


def _outputs_of(model: Any) -> List[Any]:
    """What calls forget: the tensors that each layer was first called with."""
    found: Dict[int, Any] = {}
    todo = [] if keras_layers.is_theirs(model) else [model]
    while todo:
        layer = todo.pop()
        if id(layer) not in found:
            found[id(layer)] = layer, layer._io
            todo.extend(layer._sublayers())
    return list(found.values())


def _placeholders(given: object) -> object:
    from shapeflow.tensorflow.python.framework.op_builders import tf
    from shapeflow.tensorflow.python.util import nest

    def placeholder(tensor: object) -> object:
        known = keras_layers.shape_and_dtype(tensor)
        if known is None:
            return tensor
        shape, dtype = known
        if shape.ndims is not None:
            dims = [ASSUMED if d is None else d for d in shape.as_list()]
            shape = _core.TensorShape([ASSUMED, *dims[1:]] if dims else [])
        return tf.placeholder(dtype, shape)

    return nest.map_structure(placeholder, given)


_LOOPS = ("While", "StatelessWhile")


def _added(watch: _Watch, nodes: List[List[Tuple[Optional[float], Optional[float]]]]
           ) -> Tuple[Dict[int, Cost], Optional[float]]:
    found: Dict[int, Cost] = {key: Cost() for key in watch.calls}
    rest: Optional[float] = 0.0
    sizes: Dict[str, Optional[float]] = {}
    for (graph, owners), costs_of in zip(watch.graphs.values(), nodes):
        for operation, (row, times), (flops, size) in zip(graph.get_operations(), owners, costs_of):
            if graph is watch.graph:
                sizes[operation.name] = size
            if operation.type in _LOOPS and len(watch.graphs) > 1:
                continue  # its body is counted
            flops = None if flops is None else flops * times
            if row is None or id(row) not in found:
                rest = _sum(rest, flops)
            else:
                found[id(row)].flops = _sum(found[id(row)].flops, flops)
    for key, cost in found.items():
        cost.calls = watch.calls[key]
        for name in {tensor.op.name for tensor in watch.outputs[key]}:
            cost.bytes = _sum(cost.bytes, sizes.get(name))
    return found, rest
