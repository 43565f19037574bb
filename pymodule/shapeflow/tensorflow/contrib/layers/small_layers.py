"""tf.contrib.layers: small layers without weights of their own, embeddings and encoders.

Source: tensorflow/contrib/layers/python/layers/{layers,regularizers,summaries,optimizers,encoders,
embedding_ops}.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.contrib.framework import add_arg_scope, model_variable
from shapeflow.tensorflow.contrib.layers.layers import (
    _unranked,
    _variable,
    both,
    collect_named_outputs,
    collections_of,
    getter_with_names,
)
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers import core
from shapeflow.tensorflow.python.layers.base import known_dim
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional


@both("bias_add")
@add_arg_scope
def bias_add(inputs: Any, activation_fn: Any = None,
             initializer: Any = init_ops.Zeros(),  # noqa: B008 the default is an object in TensorFlow too
             regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
             outputs_collections: Any = None, trainable: bool = True, data_format: str = "NHWC",
             scope: object = None) -> Any:
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            return _unranked(inputs, "Dims of shape must be known but is None")
        if rank != 4 and data_format == "NCHW":
            raise fail("SF102", "Data format NCHW only supports 4D Tensor")
        size = known_dim(inputs, 1 if data_format == "NCHW" else -1,
                         "`C` dimension must be known but is None")
        biases = _variable("biases", [size], inputs, initializer, variables_collections, "biases",
                           trainable, regularizer)
        outputs = tf.nn.bias_add(inputs, biases, data_format=data_format)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@both("dropout")
@add_arg_scope
def dropout(inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: object = True,
            outputs_collections: Any = None, scope: object = None, seed: Any = None) -> Any:
    with variable_scope(scope, "Dropout", [inputs], custom_getter=getter_with_names()) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        layer = core.Dropout(1 - keep_prob, noise_shape, seed, name=sc.name, _scope=sc)
        outputs = layer(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@both("flatten")
@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    with framework_lib.name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = core.flatten(framework_lib.convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, sc, outputs)


@both("one_hot_encoding")
@add_arg_scope
def one_hot_encoding(labels: Any, num_classes: object, on_value: object = 1.0, off_value: object = 0.0,
                     outputs_collections: object = None, scope: Optional[str] = None) -> Any:
    with framework_lib.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = framework_lib.convert_to_tensor(labels)
        if labels.dtype == _core.as_dtype("int32"):
            labels = tf.cast(labels, _core.as_dtype("int64"))
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, outputs)


def _layer_name(layer: object, fallback: str) -> str:
    name = getattr(layer, "__name__", None)
    return name or getattr(getattr(layer, "func", None), "__name__", None) or fallback


@both("repeat")
def repeat(inputs: object, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs = framework_lib.convert_to_tensor(inputs)
        prefix = scope if scope is not None else _layer_name(layer, "repeat")
        for i in range(repetitions):
            kwargs["scope"] = prefix + "_" + str(i + 1)
            outputs = layer(outputs, *args, **kwargs)
        return outputs


@both("stack")
def stack(inputs: object, layer: Any, stack_args: object, **kwargs: Any) -> Any:
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = framework_lib.convert_to_tensor(inputs)
        prefix = scope if scope is not None else _layer_name(layer, "stack")
        for i, given in enumerate(stack_args):
            kwargs["scope"] = prefix + "_" + str(i + 1)
            given = given if isinstance(given, (list, tuple)) else [given]
            outputs = layer(outputs, *given, **kwargs)
        return outputs


@both("softmax")
@add_arg_scope
def softmax(logits: Any, scope: Optional[str] = None) -> Any:
    with variable_scope(scope, "softmax", [logits]):
        shape = logits.get_shape()
        if shape.ndims is not None and shape.ndims < 2:
            raise fail("SF103", "Shape {shape} must have rank at least {rank}", shape, 2)
        words = "dims of shape must be known but is None" if shape.ndims is None else \
            "dimension -1 of shape must be known but is None: %s" % shape
        classes = known_dim(logits, -1, words)
        flat = tf.reshape(logits, [-1, classes if classes is not None else tf.shape(logits)[-1]])
        predictions = tf.reshape(tf.nn.softmax(flat), tf.shape(logits))
        if not _core.executing_eagerly():
            predictions.set_shape(shape)
        return predictions


@both("spatial_softmax")
@add_arg_scope
def spatial_softmax(features: object, temperature: object = None, name: Optional[str] = None,
                    variables_collections: object = None, trainable: bool = True,
                    data_format: str = "NHWC") -> Any:
    with variable_scope(name, "spatial_softmax"):
        if data_format not in ("NHWC", "NCHW"):
            raise ValueError("data_format has to be either NCHW or NHWC.")
        axis = 3 if data_format == "NHWC" else 1
        channels = known_dim(features, axis, "The num_channels dimension of the inputs to "
                             "`spatial_softmax` should be defined. Found `None`.")
        start = init_ops.Ones() if temperature is None else init_ops.Constant(temperature)
        scale = model_variable("temperature", shape=(), dtype="float32", initializer=start,
                               collections=collections_of(variables_collections, "temperature"),
                               trainable=trainable)
        moved = tf.transpose(features, [0, 3, 1, 2]) if axis == 3 else features
        shape = tf.shape(moved)
        rows = tf.reshape(moved, [-1, shape[2] * shape[3]])
        weight = tf.reduce_sum(tf.nn.softmax(rows / scale), [1], keepdims=True)
        points = tf.reshape(tf.concat([weight, weight], 1),
                            [-1, channels * 2 if channels is not None else 2])
        if channels is not None:
            points.set_shape([None, channels * 2])
        return points


@both("unit_norm")
@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Optional[str] = None) -> Any:
    with variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.get_shape().ndims
        if not rank:
            raise fail("SF102", "The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise fail("SF111", "dim must be positive but smaller than the input rank.")
        return tf.div(inputs, tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, True)))


@both("maxout")
@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Optional[str] = None) -> Any:
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = framework_lib.convert_to_tensor(inputs)
        dims: List[Any] = inputs.get_shape().as_list()
        channels = dims[axis]
        if channels % num_units:
            raise fail("SF109", "number of features({dim}) is not a multiple of num_units({int})", channels,
                       num_units)
        dims[axis] = num_units
        dims.append(channels // num_units)
        dims = [tf.shape(inputs)[i] if d is None else d for i, d in enumerate(dims)]
        return tf.reduce_max(tf.reshape(inputs, dims), -1)


@both("embed_sequence")
def embed_sequence(ids: object, vocab_size: object = None, embed_dim: object = None,
                   unique: bool = False, initializer: object = None, regularizer: object = None,
                   trainable: bool = True, scope: Optional[str] = None, reuse: object = None) -> Any:
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError("Must specify vocab size and embedding dimension when not reusing. Got "
                         "vocab_size=%s and embed_dim=%s" % (vocab_size, embed_dim))
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = [vocab_size, embed_dim]
        embeddings = model_variable("embeddings", shape=None if reuse and vocab_size is None or
                                    embed_dim is None else shape, initializer=initializer,
                                    regularizer=regularizer, trainable=trainable)
        return tf.nn.embedding_lookup(embeddings, ids)


@both("bow_encoder")
def bow_encoder(ids: object, vocab_size: object, embed_dim: object, sparse_lookup: bool = True,
                initializer: object = None, regularizer: object = None, trainable: bool = True,
                scope: Optional[str] = None, reuse: object = None) -> Any:
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable("embeddings", shape=[vocab_size, embed_dim],
                                    initializer=initializer, regularizer=regularizer,
                                    trainable=trainable)
        return tf.reduce_mean(tf.nn.embedding_lookup(embeddings, ids), axis=1)


@export("tf.contrib.layers.scale_gradient")
def scale_gradient(inputs: object, gradient_multiplier: object) -> Any:
    return tf.identity(inputs)
