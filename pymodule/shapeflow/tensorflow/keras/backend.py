"""The rest of tf.keras that programs touch: backend functions, saving, small utilities.

Source: tensorflow/python/keras/{backend,utils,models}.py (1.15).
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras import base_layer, image_format, mixed_precision
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf


# --- backend --------------------------------------------------------------------------------------
def _backend(name: str, function: object) -> None:
    put(function, "tf.keras.backend." + name)


_FORMAT = {"epsilon": 1e-7}


def _zeros_of(x: Any) -> Any:
    """The value of a variable of a graph, of which the shape alone is known."""
    import numpy

    shape = x.get_shape()
    dims = [1 if dim is None else dim for dim in shape.as_list()] if shape.ndims is not None else []
    return numpy.zeros(dims, x.dtype.base_dtype.as_numpy_dtype)[()]


def _int_shape(x: Any) -> Optional[Tuple[Optional[int], ...]]:
    shape = x.get_shape()
    return None if shape.ndims is None else tuple(shape.as_list())


def _reduced(name: str) -> None:
    def function(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return getattr(tf, "reduce_" + name)(x, axis=axis, keepdims=keepdims)

    _backend(name, function)


for _name in ("sum", "mean", "max", "min", "prod", "any", "all"):
    if _name in ("any", "all", "sum", "mean", "max", "min", "prod"):
        _reduced(_name)
for _name in ("square", "exp", "log", "sqrt", "abs", "sign", "round", "pow", "maximum", "minimum", "equal",
              "not_equal", "greater", "greater_equal", "less", "less_equal", "sin", "cos", "stop_gradient",
              "tile", "shape", "rank", "zeros_like", "ones_like"):
    _backend(_name, (lambda n: lambda *a, **k: getattr(tf, n)(*a, **k))(_name))
for _name in ("relu", "softmax", "softplus", "sigmoid", "tanh", "elu", "softsign"):
    _backend(_name, (lambda n: lambda x, *a, **k: getattr(tf.nn, n)(x))(_name))
_backend("int_shape", _int_shape)
_backend("dtype", lambda x: x.dtype.base_dtype.name)
_backend("ndim", lambda x: x.get_shape().ndims)
_backend("epsilon", lambda: _FORMAT["epsilon"])
_backend("floatx", mixed_precision.floatx)
_backend("set_floatx", mixed_precision.set_floatx)
_backend("set_epsilon", lambda value: _FORMAT.update(epsilon=value))
_backend("backend", lambda: "tensorflow")
_backend("image_data_format", image_format.current)
_backend("set_image_data_format", image_format.choose)


@export("tf.keras.backend.learning_phase")
def learning_phase() -> Any:
    """A flag that graphs of TensorFlow 1 may be fed."""
    if _core.executing_eagerly():
        return 0
    graph = get_default_graph()
    found = graph.__dict__.get("_sf_learning_phase")
    if found is None:
        found = tf.placeholder_with_default(False, [], name="keras_learning_phase")
        graph.__dict__["_sf_learning_phase"] = found
    return found


@export("tf.keras.backend.get_session", "tf.compat.v1.keras.backend.get_session")
def get_session(op_input_list: object = ()) -> Any:
    from shapeflow.tensorflow.python.client.session import Session

    session = _core.default_session() if hasattr(_core, "default_session") else None
    graph = get_default_graph()
    if session is None:
        session = graph.__dict__.get("_sf_keras_session")
    if session is None:
        session = graph.__dict__["_sf_keras_session"] = Session(graph=graph)
    _initialize_variables(session, graph)
    return session


def _initialize_variables(session: Any, graph: Any) -> None:
    """Gives variables that have no value yet their first one, once each."""
    new = [v for v in graph.get_collection("variables") if not v.__dict__.get("_keras_initialized")]
    for variable in new:
        variable.__dict__["_keras_initialized"] = True
    if new:
        with graph.as_default():
            has_value = session.run([v.is_initialized() for v in new])
            session.run([v.initializer for v, known in zip(new, has_value) if not known])


@export("tf.keras.backend.set_session")
def set_session(session: object) -> None:
    get_default_graph().__dict__["_sf_keras_session"] = session


_backend("set_learning_phase", lambda value: None)
_backend("cast", lambda x, dtype: tf.cast(x, _core.as_dtype(dtype)))
_backend("cast_to_floatx", lambda x: np.asarray(x, "float32") if not hasattr(x, "get_shape")
         else tf.cast(x, _core.as_dtype("float32")))
_backend("clip", lambda x, min_value, max_value: tf.clip_by_value(x, min_value, max_value))
_backend("flatten", lambda x: tf.reshape(x, [-1]))
_backend("reshape", lambda x, shape: tf.reshape(x, shape))
_backend("expand_dims", lambda x, axis=-1: tf.expand_dims(x, axis))
_backend("squeeze", lambda x, axis: tf.squeeze(x, [axis]))
_backend("permute_dimensions", lambda x, pattern: tf.transpose(x, pattern))
_backend("transpose", lambda x: tf.transpose(x))
_backend("concatenate", lambda tensors, axis=-1: tf.concat(tensors, axis))
_backend("stack", lambda x, axis=0: tf.stack(x, axis=axis))
_backend("argmax", lambda x, axis=-1: tf.argmax(x, axis))
_backend("argmin", lambda x, axis=-1: tf.argmin(x, axis))
_backend("gather", lambda reference, indices: tf.gather(reference, indices))
_backend("repeat_elements", lambda x, rep, axis: tf.concat([x] * rep, axis))
_backend("l2_normalize", lambda x, axis=None: tf.nn.l2_normalize(x, axis))
_backend("constant", lambda value, dtype=None, shape=None, name=None: tf.constant(
    value, dtype=dtype or "float32", shape=shape))
_backend("zeros", lambda shape, dtype=None, name=None: _variable(tf.zeros(shape, dtype or "float32")))
_backend("ones", lambda shape, dtype=None, name=None: _variable(tf.ones(shape, dtype or "float32")))
_backend("random_normal", lambda shape, mean=0.0, stddev=1.0, dtype=None, seed=None: tf.random_normal(
    shape, mean, stddev))
_backend("random_uniform", lambda shape, minval=0.0, maxval=1.0, dtype=None, seed=None: tf.random_uniform(
    shape, minval, maxval))
_backend("get_value", lambda x: x.numpy() if _core.executing_eagerly() and hasattr(x, "numpy") else
         _zeros_of(x) if hasattr(x, "get_shape") else x)
_backend("set_value", lambda x, value: None)
_backend("binary_crossentropy", lambda target, output, from_logits=False: target * 0.0 + output)
_backend("placeholder", lambda shape=None, ndim=None, dtype=None, sparse=False, name=None: tf.placeholder(
    dtype or "float32", shape if shape is not None else [None] * ndim if ndim else None))


def _variable(value: Any, dtype: Any = None, name: Any = None, constraint: Any = None) -> Any:
    from shapeflow.tensorflow.python.ops.variables import Variable

    if dtype is None and not isinstance(value, _core.Tensor):
        dtype = mixed_precision.floatx()
    return Variable(value, dtype=dtype, name=name or "Variable")


_backend("variable", _variable)


@export("tf.keras.backend.dot")
def dot(x: Any, y: Any) -> Any:
    x, y = framework_lib.convert_to_tensor(x), framework_lib.convert_to_tensor(y)
    ranks = x.get_shape().ndims, y.get_shape().ndims
    if None in ranks or ranks == (2, 2):
        return tf.matmul(x, y)
    return tf.tensordot(x, y, [[ranks[0] - 1], [max(ranks[1] - 2, 0)]])


@export("tf.keras.backend.clear_session")
def clear_session(free_memory: bool = True) -> None:
    base_layer._state["names"] = {}
    base_layer._state["graph"] = None
    if not _core.executing_eagerly():
        tf.reset_default_graph()


# --- utilities ------------------------------------------------------------------------------------
@export("tf.keras.utils.plot_model")
def plot_model(*args: object, **kwargs: object) -> None:
    """No picture is drawn."""


@export("tf.keras.utils.normalize")
def normalize(x: object, axis: int = -1, order: int = 2) -> Any:
    return np.zeros(np.asarray(x).shape)


@export("tf.keras.models.clone_model")
def clone_model(model: object, input_tensors: object = None, clone_function: object = None,
                call_function: object = None, recursive: bool = False, **kwargs: object) -> Any:
    """A model of the same layers: shapes do not ask whose weights they are."""
    import copy

    return copy.copy(model)

