"""The global step of a graph."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops import variable_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@export("tf.train.get_global_step", "tf.contrib.framework.get_global_step",
        "tf.contrib.slim.get_global_step")
def get_global_step(graph: Any = None) -> Any:
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        return None  # TensorFlow logs an error and gives None
    for variable in graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
        if variable.name == "global_step:0":
            return variable
    return None


@export("tf.train.create_global_step", "tf.contrib.framework.create_global_step",
        "tf.contrib.slim.create_global_step")
def create_global_step(graph: Any = None) -> Any:
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise fail("SF201", '"global_step" already exists.')
    if _core.executing_eagerly():  # it is no part of the graph, whose collection knows it all the same
        made = _new_global_step()
        if get_global_step(graph) is None:
            graph.add_to_collection(GraphKeys.GLOBAL_STEP, made)
        return made
    with graph.as_default():
        return _new_global_step()


def _new_global_step() -> Any:
    return variable_scope.get_variable(
        GraphKeys.GLOBAL_STEP, shape=[], dtype=_core.as_dtype("int64"),
        initializer=tf.zeros_initializer(), trainable=False,
        collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP])


@export("tf.train.get_or_create_global_step", "tf.contrib.framework.get_or_create_global_step",
        "tf.contrib.slim.get_or_create_global_step")
def get_or_create_global_step(graph: object = None) -> Any:
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


@export("tf.train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    if _core.executing_eagerly():
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))


@export("tf.train.assert_global_step", "tf.contrib.framework.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    dtype = global_step_tensor.dtype.base_dtype
    if not dtype.is_integer:
        raise TypeError('Existing "global_step" does not have integer type: %s' % dtype)
    shape = global_step_tensor.get_shape()
    if shape.ndims not in (0, None):
        raise TypeError('Existing "global_step" is not scalar: %s' % shape)
