"""tf.contrib.layers without convolutions: small layers, regularizers, summaries, optimize_loss.

Source: tensorflow/contrib/layers/python/layers/{layers,regularizers,summaries,optimizers,encoders,
embedding_ops}.py (1.15).
"""

from __future__ import annotations

import numbers
from typing import Any, List, Optional

from shapeflow import _core
from shapeflow._impl import framework, initializers, layers
from shapeflow._impl.contrib_framework import add_arg_scope, model_variable
from shapeflow._impl.contrib_layers import (
    _unranked,
    _variable,
    both,
    collect_named_outputs,
    collections_of,
    getter_with_names,
)
from shapeflow._impl.control_flow import with_dependencies
from shapeflow._impl.graph import GraphKeys, get_default_graph
from shapeflow._impl.layer_base import known_dim
from shapeflow._impl.nodes import tf
from shapeflow._impl.registry import export, put
from shapeflow._impl.report import fail
from shapeflow._impl.variable_scope import variable_scope


# --- small layers ---------------------------------------------------------------------------------
@both("bias_add")
@add_arg_scope
def bias_add(inputs: Any, activation_fn: Any = None,
             initializer: Any = initializers.Zeros(),  # noqa: B008 the default is an object in TensorFlow too
             regularizer: Any = None, reuse: Any = None, variables_collections: Any = None,
             outputs_collections: Any = None, trainable: bool = True, data_format: str = "NHWC",
             scope: Any = None) -> Any:
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = framework.convert_to_tensor(inputs)
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
def dropout(inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
            outputs_collections: Any = None, scope: Any = None, seed: Any = None) -> Any:
    with variable_scope(scope, "Dropout", [inputs], custom_getter=getter_with_names()) as sc:
        inputs = framework.convert_to_tensor(inputs)
        layer = layers.Dropout(1 - keep_prob, noise_shape, seed, name=sc.name, _scope=sc)
        outputs = layer(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@both("flatten")
@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    with framework.name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = layers.flatten(framework.convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, sc, outputs)


@both("one_hot_encoding")
@add_arg_scope
def one_hot_encoding(labels: Any, num_classes: Any, on_value: Any = 1.0, off_value: Any = 0.0,
                     outputs_collections: Any = None, scope: Any = None) -> Any:
    with framework.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = framework.convert_to_tensor(labels)
        if labels.dtype == _core.as_dtype("int32"):
            labels = tf.cast(labels, _core.as_dtype("int64"))
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, outputs)


def _layer_name(layer: Any, fallback: str) -> str:
    name = getattr(layer, "__name__", None)
    return name or getattr(getattr(layer, "func", None), "__name__", None) or fallback


@both("repeat")
def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Any:
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs = framework.convert_to_tensor(inputs)
        prefix = scope if scope is not None else _layer_name(layer, "repeat")
        for i in range(repetitions):
            kwargs["scope"] = prefix + "_" + str(i + 1)
            outputs = layer(outputs, *args, **kwargs)
        return outputs


@both("stack")
def stack(inputs: Any, layer: Any, stack_args: Any, **kwargs: Any) -> Any:
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = framework.convert_to_tensor(inputs)
        prefix = scope if scope is not None else _layer_name(layer, "stack")
        for i, given in enumerate(stack_args):
            kwargs["scope"] = prefix + "_" + str(i + 1)
            given = given if isinstance(given, (list, tuple)) else [given]
            outputs = layer(outputs, *given, **kwargs)
        return outputs


@both("softmax")
@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Any:
    with variable_scope(scope, "softmax", [logits]):
        shape = logits.get_shape()
        if shape.ndims is not None and shape.ndims < 2:
            raise fail("SF103", "Shape %s must have rank at least 2" % shape)
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
def spatial_softmax(features: Any, temperature: Any = None, name: Optional[str] = None,
                    variables_collections: Any = None, trainable: bool = True,
                    data_format: str = "NHWC") -> Any:
    with variable_scope(name, "spatial_softmax"):
        if data_format not in ("NHWC", "NCHW"):
            raise ValueError("data_format has to be either NCHW or NHWC.")
        axis = 3 if data_format == "NHWC" else 1
        channels = known_dim(features, axis, "The num_channels dimension of the inputs to "
                             "`spatial_softmax` should be defined. Found `None`.")
        start = initializers.Ones() if temperature is None else initializers.Constant(temperature)
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
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Any:
    with variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.get_shape().ndims
        if not rank:
            raise fail("SF102", "The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise fail("SF111", "dim must be positive but smaller than the input rank.")
        return tf.div(inputs, tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, True)))


@both("maxout")
@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> Any:
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = framework.convert_to_tensor(inputs)
        dims: List[Any] = inputs.get_shape().as_list()
        channels = dims[axis]
        if channels % num_units:
            raise fail("SF109", "number of features(%s) is not a multiple of num_units(%s)"
                       % (channels, num_units))
        dims[axis] = num_units
        dims.append(channels // num_units)
        dims = [tf.shape(inputs)[i] if d is None else d for i, d in enumerate(dims)]
        return tf.reduce_max(tf.reshape(inputs, dims), -1)


@both("embed_sequence")
def embed_sequence(ids: Any, vocab_size: Any = None, embed_dim: Any = None,
                   unique: bool = False, initializer: Any = None, regularizer: Any = None,
                   trainable: bool = True, scope: Any = None, reuse: Any = None) -> Any:
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
def bow_encoder(ids: Any, vocab_size: Any, embed_dim: Any, sparse_lookup: bool = True,
                initializer: Any = None, regularizer: Any = None, trainable: bool = True,
                scope: Any = None, reuse: Any = None) -> Any:
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable("embeddings", shape=[vocab_size, embed_dim],
                                    initializer=initializer, regularizer=regularizer,
                                    trainable=trainable)
        return tf.reduce_mean(tf.nn.embedding_lookup(embeddings, ids), axis=1)


# --- regularizers ----------------------------------------------------------------------------------------
def _check_scale(scale: Any, name: str = "scale") -> None:
    if isinstance(scale, numbers.Integral):
        raise ValueError("%s cannot be an integer: %s" % (name, scale))


def _penalty(scale: Any, scope: Any, default: str, measure: Any, end: str) -> Any:
    _check_scale(scale)
    if isinstance(scale, numbers.Real):
        if scale < 0.:
            raise ValueError("Setting a scale less than 0 on a regularizer: %g%s" % (scale, end))
        if scale == 0.:
            return lambda _: None

    def penalty(weights: Any, name: Optional[str] = None) -> Any:
        with framework.name_scope(scope, default, [weights]) as name:
            factor = framework.convert_to_tensor(scale, weights.dtype.base_dtype, name="scale")
            return tf.multiply(factor, measure(weights), name=name)

    return penalty


@both("l1_regularizer")
def l1_regularizer(scale: Any, scope: Any = None) -> Any:
    return _penalty(scale, scope, "l1_regularizer", lambda w: tf.reduce_sum(tf.abs(w)), "")


@both("l2_regularizer")
def l2_regularizer(scale: Any, scope: Any = None) -> Any:
    return _penalty(scale, scope, "l2_regularizer", lambda w: tf.nn.l2_loss(w), ".")


@both("l1_l2_regularizer")
def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: Any = None) -> Any:
    _check_scale(scale_l1, "scale_l1")
    _check_scale(scale_l2, "scale_l2")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


@both("sum_regularizer")
def sum_regularizer(regularizer_list: Any, scope: Any = None) -> Any:
    regularizers = [r for r in regularizer_list if r is not None]
    if not regularizers:
        return None

    def total(weights: Any) -> Any:
        with framework.name_scope(scope, "sum_regularizer", [weights]) as name:
            parts = [p for p in (r(weights) for r in regularizers) if p is not None]
            return tf.add_n(parts, name=name) if parts else None

    return total


@both("apply_regularization")
def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    graph = get_default_graph()
    weights_list = weights_list or graph.get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with framework.name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(w) for w in weights_list]
        penalties = [p if p is not None else tf.constant(0.0) for p in penalties]
        for penalty in penalties:
            if penalty.get_shape().ndims not in (0, None):
                raise fail("SF102", "regularizer must return a scalar Tensor instead of a Tensor "
                           "with rank %d." % penalty.get_shape().ndims)
        total = tf.add_n(penalties, name=scope)
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total


# --- summaries ----------------------------------------------------------------------------------------------
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
def summarize_activations(name_filter: Any = None, summarizer: Any = summarize_activation) -> Any:
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


# --- optimize_loss --------------------------------------------------------------------------------------
OPTIMIZER_CLS_NAMES = {"Adagrad": "AdagradOptimizer", "Adam": "AdamOptimizer",
                       "Ftrl": "FtrlOptimizer", "Momentum": "MomentumOptimizer",
                       "RMSProp": "RMSPropOptimizer", "SGD": "GradientDescentOptimizer"}
put(OPTIMIZER_CLS_NAMES, "tf.contrib.layers.OPTIMIZER_CLS_NAMES",
    "tf.contrib.layers.optimizers.OPTIMIZER_CLS_NAMES")


@both("optimize_loss")
def optimize_loss(loss: Any, global_step: Any, learning_rate: Any, optimizer: Any,
                  gradient_noise_scale: Any = None, gradient_multipliers: Any = None,
                  clip_gradients: Any = None, learning_rate_decay_fn: Any = None,
                  update_ops: Any = None, variables: Any = None, name: Optional[str] = None,
                  summaries: Any = None, colocate_gradients_with_ops: bool = False,
                  increment_global_step: bool = True) -> Any:
    loss = framework.convert_to_tensor(loss)
    if loss.get_shape().ndims not in (0, None):
        raise fail("SF102", "Tensor %s:0 must be scalar" % loss.op.name)
    graph = get_default_graph()
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if global_step is None:
            global_step = tf.train.get_global_step()
        if update_ops is None:
            update_ops = set(graph.get_collection(GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = with_dependencies(list(update_ops), loss)
        rate = learning_rate
        if isinstance(rate, (int, float)):
            if rate < 0.0:
                raise ValueError("Invalid learning_rate %s.", rate)
            rate = tf.get_variable("learning_rate", [], trainable=False,
                                   initializer=initializers.Constant(rate))
        elif rate is None and learning_rate_decay_fn is not None:
            raise ValueError("'learning_rate' should be set when 'learning_rate_decay_fn' is set.")
        if rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
        opt = _optimizer(optimizer, rate)
        if variables is None:
            variables = tf.trainable_variables()
        gradients = opt.compute_gradients(loss, variables)
        if gradient_multipliers is not None:
            gradients = [(g if g is None or v not in gradient_multipliers and
                          v.name not in gradient_multipliers else
                          g * gradient_multipliers.get(v, gradient_multipliers.get(v.name)), v)
                         for g, v in gradients]
        if isinstance(clip_gradients, (int, float)):
            grads, vs = zip(*gradients)
            grads, _ = tf.clip_by_global_norm(list(grads), clip_gradients)
            gradients = list(zip(grads, vs))
        elif callable(clip_gradients):
            gradients = clip_gradients(gradients)
        elif clip_gradients is not None:
            raise ValueError("Unknown type %s for clip_gradients" % type(clip_gradients))
        updates = opt.apply_gradients(gradients, name="train", global_step=global_step
                                      if increment_global_step else None)
        return with_dependencies([updates], loss)


def _optimizer(optimizer: Any, rate: Any) -> Any:
    """A name, a class, an instance or a function of the learning rate."""
    from shapeflow._impl.optimizer import Optimizer

    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError("Optimizer name should be one of [%s], you provided %s."
                             % (", ".join(OPTIMIZER_CLS_NAMES), optimizer))
        cls = getattr(tf.train, OPTIMIZER_CLS_NAMES[optimizer])
        return cls(rate, momentum=0.9) if optimizer == "Momentum" else cls(learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        make: Any = optimizer
        return make(learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError("Unrecognized optimizer: function should return subclass of Optimizer. "
                             "Got %s." % str(made))
        return made
    raise ValueError("Unrecognized optimizer: should be string, subclass of Optimizer, instance of "
                     "subclass of Optimizer or function with one argument. Got %s." % str(optimizer))


@export("tf.contrib.layers.scale_gradient")
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    return tf.identity(inputs)
