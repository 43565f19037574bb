"""What the layers of a Keras model cost: the model is called once more, on a batch of one, and the nodes
that it makes are counted for the layer whose call made them.

Runs inside the process of the script, after it; muted. A loop's body counts as often as the loop runs where
that is known (recurrent layers).
"""
from __future__ import annotations

import contextlib
import io

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

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
    """Stands in for KerasLayer._call_here: notes which nodes each layer's call makes."""

    def __init__(self, graph: Any, rows: List[Any], plain: Any) -> None:
        self.graph, self.plain = graph, plain
        self.rows = {id(layer): layer for layer in rows}
        # The calls under way: layer, the row that it counts for, how often, inputs.
        self.open: List[Tuple[Any, Any, float, Any]] = []
        self.owners: List[Tuple[Any, float]] = []  # by node
        self.outputs: Dict[int, List[Any]] = {}
        self.calls: Dict[int, int] = {}

    def claim(self, row: Any, times: float) -> None:
        """The nodes that nobody has yet are that row's."""
        self.owners += [(row, times)] * (self.graph.version - len(self.owners))

    def __call__(self, layer: Any, inputs: Any, args: Any, kwargs: Any, symbolic: bool) -> Any:
        from shapeflow.tensorflow.python.util import nest

        _, row, times, _ = before = self.open[-1] if self.open else (None, None, 1.0, None)
        self.claim(row, times)
        outermost = row is None and id(layer) in self.rows
        row = layer if outermost else row
        times *= _steps(before[0], before[3], layer)
        self.open.append((layer, row, times, inputs))
        try:
            outputs = self.plain(layer, inputs, args, kwargs, symbolic)
            self.claim(row, times)
        finally:
            self.open.pop()
        if outermost:
            self.calls[id(layer)] = self.calls.get(id(layer), 0) + 1
            self.outputs.setdefault(id(layer), []).extend(
                t for t in nest.flatten(outputs) if isinstance(t, _core.Tensor))
        return outputs


def _steps(outer: Any, inputs: Any, layer: Any) -> float:
    """How often `outer` calls `layer` where one call stands for all: a cell, once for each step."""
    if outer is None or layer is not outer.__dict__.get("cell") and layer is not outer.__dict__.get("layer"):
        return 1.0
    from shapeflow.tensorflow.keras.recurrent import RNN, TimeDistributed
    from shapeflow.tensorflow.python.util import nest

    if not isinstance(outer, (RNN, TimeDistributed)):
        return 1.0
    shape = nest.flatten(inputs)[0].get_shape()
    axis = 0 if getattr(outer, "time_major", False) else 1
    steps = shape.as_list()[axis] if shape.ndims is not None and shape.ndims > axis else None
    return float(steps) if steps else 1.0


def costs(model: Any, rows: List[Any]) -> Tuple[Dict[int, Cost], Optional[float]]:
    """({id of a layer among `rows`: its cost}, FLOPs of what no layer made); empty where the model cannot
    be called by itself."""
    from shapeflow.tensorflow.keras import base_layer
    from shapeflow.tensorflow.python.data.traced_function import FunctionGraph, Undecided

    given = _inputs(model)
    if given is None:
        return {}, None
    graph = FunctionGraph()
    plain = base_layer.KerasLayer.__dict__["_call_here"]
    watch = _Watch(graph, rows, plain)
    saved = _outputs_of(model)
    base_layer.KerasLayer._call_here = lambda *call: watch(*call)  # type: ignore[method-assign]
    try:
        with _core.mute(), contextlib.redirect_stdout(_nowhere()), contextlib.redirect_stderr(_nowhere()), \
                graph.as_default():
            model(_placeholders(given))
        watch.claim(None, 1.0)
        nodes = _core.graph_costs(graph, ASSUMED)
    except (Exception, SystemExit, Undecided):  # whatever the model's own code does when called once more
        return {}, None
    finally:
        base_layer.KerasLayer._call_here = plain  # type: ignore[method-assign]
        for layer, ends in saved:
            layer._io = ends
    return _added(watch, nodes)


def _nowhere() -> io.TextIOWrapper:
    """What a model prints when it is called once more is nobody's; it may ask where to."""
    return io.TextIOWrapper(io.BytesIO(), "utf-8", "replace")


def _outputs_of(model: Any) -> List[Any]:
    """What calls forget: the tensors that each layer was first called with."""
    found: Dict[int, Any] = {}
    todo = [model]
    while todo:
        layer = todo.pop()
        if id(layer) not in found:
            found[id(layer)] = layer, layer._io
            todo.extend(layer._sublayers())
    return list(found.values())


def _inputs(model: Any) -> Any:
    """The structure of tensors that the model was made of, or first called with."""
    if getattr(model, "_functional", False):
        return model._ins
    return model._io[0] if model._io is not None else None


def _placeholders(given: Any) -> Any:
    from shapeflow.tensorflow.python.framework.op_builders import tf
    from shapeflow.tensorflow.python.util import nest

    def placeholder(tensor: Any) -> Any:
        if not isinstance(tensor, _core.Tensor):
            return tensor
        shape = tensor.get_shape()
        if shape.ndims is not None:
            dims = [ASSUMED if d is None else d for d in shape.as_list()]
            shape = _core.TensorShape([ASSUMED, *dims[1:]] if dims else [])
        return tf.placeholder(tensor.dtype.base_dtype, shape)

    return nest.map_structure(placeholder, given)


def _added(watch: _Watch, nodes: List[Tuple[Optional[float], Optional[float]]]
           ) -> Tuple[Dict[int, Cost], Optional[float]]:
    found: Dict[int, Cost] = {key: Cost() for key in watch.calls}
    rest: Optional[float] = 0.0
    sizes: Dict[str, Optional[float]] = {}
    for operation, (row, times), (flops, size) in zip(watch.graph.get_operations(), watch.owners, nodes):
        sizes[operation.name] = size
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
