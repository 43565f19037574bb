"""tf.contrib.layers.summarize_*."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.tensorflow.contrib.layers.layers import (
    both,
)
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


@both("summarize_tensor")
def summarize_tensor(tensor: Any, tag: Optional[str] = None) -> Any:
    if tensor.get_shape().ndims == 0:
        return tf.summary.scalar(tag or "%s_summary" % tensor.op.name, tensor)
    return tf.summary.histogram(tag or "%s_summary" % tensor.op.name, tensor)


@both("summarize_activation")
def summarize_activation(op: Any) -> Any:
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        tf.summary.scalar("%s/zeros" % op.op.name, tf.reduce_mean(
            tf.cast(tf.less(op, 0.01), _core.as_dtype("float32"))))
    return tf.summary.histogram("%s/activation" % op.op.name, op)


@both("summarize_tensors")
def summarize_tensors(tensors: Any, summarizer: Any = summarize_tensor) -> List[Any]:
    return [summarizer(t) for t in tensors]


@both("summarize_collection")
def summarize_collection(collection: str, name_filter: Any = None,
                         summarizer: Any = summarize_tensor) -> List[Any]:
    import re

    items = get_default_graph().get_collection(collection)
    if name_filter is not None:
        items = [t for t in items if re.match(name_filter, t.op.name)]
    return [summarizer(t) for t in items]


@both("summarize_activations")
def summarize_activations(name_filter: object = None, summarizer: object = summarize_activation) -> Any:
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)
