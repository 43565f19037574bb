"""Short ways to make nodes for what is written in Python."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api import namespace
from shapeflow.api.unknown_tensor import unknown as unknown  # noqa: PLC0414 also one of the builders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence


def _functions() -> namespace.Namespace:
    """Version 1 functions for compositions in this package, with the argument orders of 1.x also
    while TensorFlow 0.x is emulated."""
    functions = namespace.Namespace("tf", 1)
    find = functions.__getattr__

    def find_stable(attr: str) -> Any:
        if _core.get_version()[:2] == "0." and attr in _STABLE:
            return _STABLE[attr]  # not kept: the version may change
        return find(attr)

    functions.__getattr__ = find_stable  # type: ignore[method-assign]
    return functions


def _concat(values: object, axis: object, name: str = "concat") -> Any:
    concat: Any = _core.api_function("tf.concat_v2", 1)
    return concat(values, axis, name=name)


def _split(value: object, num_or_size_splits: int, axis: int = 0, name: str = "split") -> Any:
    return outputs("Split", [axis, value], {"num_split": num_or_size_splits}, name)


_STABLE = {"concat": _concat, "split": _split}
tf = namespace._cache[("tf", -1)] = _functions()


def op(op_type: str, inputs: Sequence[Any], attrs: Optional[Dict[str, Any]] = None,
       name: Optional[str] = None) -> Any:
    """One node; gives its only output, or the operation when it has none."""
    node = _core.make_op(op_type, inputs, attrs, name)
    outputs = getattr(node, "outputs", None)
    if outputs is None:  # eager: make_op gives tensors
        return node[0] if isinstance(node, (list, tuple)) and len(node) == 1 else node
    return outputs[0] if len(outputs) == 1 else node


def outputs(op_type: str, inputs: Sequence[Any], attrs: Optional[Dict[str, Any]] = None,
            name: Optional[str] = None) -> List[Any]:
    """All outputs of one node."""
    node = _core.make_op(op_type, inputs, attrs, name)
    found: Any = getattr(node, "outputs", node)
    return list(found)


def copy_op(node: Any, inputs: Sequence[object], name: Optional[str] = None) -> Any:
    """An op like `node`, of other inputs: what make_op gives."""
    info = _core.op_info(node.type)
    attrs = {}
    for attr in info["attrs"]:
        if not attr["inferred"]:
            try:
                attrs[attr["name"]] = node.get_attr(attr["name"])
            except ValueError:
                continue  # the default
    grouped: List[object] = []
    flat = list(inputs)
    for port in info["inputs"]:
        counter = port["number_attr"] or port["type_list_attr"]
        if counter:
            count = node.get_attr(counter)
            size = count if isinstance(count, int) else len(count)
            grouped.append(flat[:size])
            del flat[:size]
        else:
            grouped.append(flat.pop(0))
    return _core.make_op(node.type, grouped, attrs, name)


def known_op(op_type: str) -> bool:
    """True when the core models that raw op."""
    return _core.raw_op(op_type) is not None


def may_hide_more() -> bool:
    """Real TensorFlow may know more of a shape that came from nobody knows where: something before it
    failed or is not modelled. Asked only when a check is about to fail."""
    if any(f.severity == "error" for f in _core.findings()):
        return True
    if _core.executing_eagerly():
        return False
    graph = _core.default_graph()
    return "_sf_opaque" in graph.__dict__ or graph._has_unmodelled()


def as_dtype(tensor: Any, dtype: Any) -> Any:
    """`tensor`; with `dtype` instead of its own where that nobody knows."""
    wanted = _core.as_dtype(dtype).base_dtype
    if tensor.dtype.base_dtype != wanted and _core.is_unmodelled(tensor, True):
        return unknown(wanted, tensor.get_shape(), None, [tensor])
    return tensor


def like_shape(inputs: Sequence[Any], dtype: Any, shape: Any, name: Optional[str] = None) -> Any:
    """A tensor computed from `inputs` in a way that is not modelled, of a shape that is known."""
    return unknown(dtype, shape, name, inputs)


def gradient(x: object, ys: Sequence[object], name: Optional[str] = None) -> Any:
    """d ys / d x: shaped like x, computed from ys."""
    return op("SfGradient", [x, list(ys)], None, name or "gradients/grad")
