"""tf.contrib.layers: layer functions; what goes with them is in contrib_layers_more.py.

Source: tensorflow/contrib/layers/python/layers/{layers,utils}.py (1.15).
"""

from __future__ import annotations

import functools

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.contrib.framework import add_arg_scope, model_variable
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.graph import GraphKeys, get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers import convolutional, core, normalization
from shapeflow.tensorflow.python.layers.base import known_dim, normalize_tuple
from shapeflow.tensorflow.python.ops import init_ops
from shapeflow.tensorflow.python.ops.control_flow_ops import smart_cond, smart_constant_value
from shapeflow.tensorflow.python.ops.variable_scope import variable_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    from shapeflow.api.registry import Decorator

_ZEROS = init_ops.Zeros()
_XAVIER = init_ops.xavier_initializer()
_PLACES = ("tf.contrib.layers.", "tf.contrib.slim.")


def both(*names: str) -> "Decorator":
    """Registers under tf.contrib.layers and tf.contrib.slim."""
    return export(*[place + name for name in names for place in _PLACES])


def relu(x: object) -> Any:
    """The default activation; looked up when called, so that importing this file stays cheap."""
    return tf.nn.relu(x)


# --- variables and collections ------------------------------------------------------------------------
def getter_with_names(rename: Optional[Dict[str, str]] = None) -> Any:
    """A custom getter: layer variables become model variables under contrib's names."""
    def renaming(getter: Any, name: str, *args: object, **kwargs: object) -> Any:
        head, _, last = name.rpartition("/")
        if rename and last in rename:
            name = head + "/" + rename[last] if head else rename[last]
        given = {k: kwargs.get(k) for k in (
            "shape", "dtype", "initializer", "regularizer", "collections", "caching_device",
            "partitioner", "use_resource", "synchronization", "aggregation")}
        given["trainable"] = kwargs.get("trainable", True)
        checked = kwargs.get("validate_shape", True)
        return model_variable(name, custom_getter=functools.partial(getter, validate_shape=checked),
                              **given)

    return renaming


_KERNEL = {"bias": "biases", "kernel": "weights"}


def collections_of(variables_collections: object, name: str) -> Any:
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


def _collect_variable(variable: object, variables_collections: object, name: str) -> None:
    graph = get_default_graph()
    for collection in collections_of(variables_collections, name) or []:
        if not any(v is variable for v in graph.get_collection(collection)):
            graph.add_to_collection(collection, variable)


_aliases: Dict[int, Any] = {}


@export("tf.contrib.layers.utils.collect_named_outputs", "tf.contrib.slim.utils.collect_named_outputs")
def collect_named_outputs(collections: object, alias: str, outputs: object) -> Any:
    if collections:
        outputs.__dict__.setdefault("aliases", []).append(alias.rstrip("/")) \
            if hasattr(outputs, "__dict__") else _aliases.setdefault(
                id(outputs), (outputs, []))[1].append(alias.rstrip("/"))
        get_default_graph().add_to_collections(collections, outputs)
    return outputs


def aliases_of(tensor: Any) -> List[str]:
    found = getattr(tensor, "aliases", None)
    if found is None:
        found = _aliases.get(id(tensor), (None, []))[1]
    return found or [tensor.op.name]


@export("tf.contrib.layers.utils.convert_collection_to_dict",
        "tf.contrib.slim.utils.convert_collection_to_dict")
def convert_collection_to_dict(collection: object, clear_collection: bool = False) -> Dict[str, Any]:
    import collections as python_collections

    graph = get_default_graph()
    outputs = python_collections.OrderedDict(
        (alias, t) for t in graph.get_collection(collection) for alias in aliases_of(t))
    if clear_collection:
        graph.clear_collection(collection)
    return outputs


def _finished(outputs: Any, normalizer_fn: Any, normalizer_params: Any, activation_fn: Any,
              outputs_collections: object, alias: str) -> Any:
    """What every layer ends with: normalizer, activation, collection."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, alias, outputs)


def _need_format(data_format: object, one: str = "NCHW", other: str = "NHWC") -> str:
    if data_format not in (one, other):
        raise fail("SF203", "data_format has to be either {text} or {text}.", one, other)
    return "channels_first" if data_format.startswith("NC") else "channels_last"


# --- dense and convolutions -----------------------------------------------------------------------------
@both("fully_connected")
@add_arg_scope
def fully_connected(inputs: Any, num_outputs: object, activation_fn: object = relu,
                    normalizer_fn: object = None, normalizer_params: object = None,
                    weights_initializer: object = _XAVIER, weights_regularizer: object = None,
                    biases_initializer: object = _ZEROS, biases_regularizer: object = None,
                    reuse: object = None, variables_collections: object = None,
                    outputs_collections: object = None, trainable: bool = True,
                    scope: Optional[str] = None) -> Any:
    if isinstance(num_outputs, Opaque):
        from shapeflow.api.made_up_numbers import assumed

        num_outputs = assumed.size()
    if not isinstance(num_outputs, int):
        raise fail("SF201", "num_outputs type should be one of {text}, got {text}.", [int],
                   type(num_outputs))
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse,
                        custom_getter=getter_with_names(_KERNEL)) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        layer = core.Dense(
            num_outputs, use_bias=bool(not normalizer_fn and biases_initializer),
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc,
            _reuse=reuse)
        return _layered(layer, inputs, variables_collections, normalizer_fn, normalizer_params,
                        activation_fn, outputs_collections, sc.name)


def _layered(layer: Any, inputs: Any, variables_collections: Any, normalizer_fn: object,
             normalizer_params: object, activation_fn: object, outputs_collections: object,
             alias: str) -> Any:
    outputs = layer(inputs)
    for attr in ("kernel", "depthwise_kernel", "pointwise_kernel"):
        if hasattr(layer, attr):
            _collect_variable(getattr(layer, attr), variables_collections, "weights")
    if layer.bias is not None:
        _collect_variable(layer.bias, variables_collections, "biases")
    return _finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections,
                     alias)


def _convolve(inputs: Any, num_outputs: object, kernel_size: object, stride: object = 1,
              padding: object = "SAME", data_format: object = None, rate: object = 1,
              activation_fn: object = relu, normalizer_fn: object = None, normalizer_params: object = None,
              weights_initializer: object = _XAVIER, weights_regularizer: object = None,
              biases_initializer: object = _ZEROS, biases_regularizer: object = None, reuse: object = None,
              variables_collections: object = None, outputs_collections: object = None,
              trainable: bool = True, scope: object = None, conv_dims: Optional[int] = None) -> Any:
    if data_format not in (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise fail("SF203", "Invalid data_format: {text!r}", data_format)
    with variable_scope(scope, "Conv", [inputs], reuse=reuse,
                        custom_getter=getter_with_names(_KERNEL)) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            from shapeflow.tensorflow.python.layers.base import from_unmodelled

            rank = (conv_dims or 2) + 2 if from_unmodelled(inputs) else None
        if conv_dims is not None and rank is None or conv_dims is not None and conv_dims + 2 != rank:
            if rank is None:
                raise TypeError("%d format: a number is required, not NoneType")
            raise fail("SF102", "Convolution expects input with rank {rank}, got {rank}", conv_dims + 2,
                       rank)
        classes = {3: convolutional.Conv1D, 4: convolutional.Conv2D, 5: convolutional.Conv3D}
        if rank not in classes:
            raise fail("SF102", "Convolution not supported for input with rank {int}", rank, error=lambda _:
                       ValueError("Convolution not supported for input with rank", rank))
        layer = classes[rank](
            num_outputs, kernel_size, stride, padding,
            "channels_first" if (data_format or "").startswith("NC") else "channels_last", rate,
            use_bias=bool(not normalizer_fn and biases_initializer),
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc,
            _reuse=reuse)
        return _layered(layer, inputs, variables_collections, normalizer_fn, normalizer_params,
                        activation_fn, outputs_collections, sc.name)


@both("convolution")
@add_arg_scope
def convolution(*args: Any, **kwargs: Any) -> Any:
    return _convolve(*args, **kwargs)


def _convolution_of(dims: int) -> Any:
    def convolve(*args: Any, **kwargs: Any) -> Any:
        return _convolve(*args, **{**kwargs, "conv_dims": dims})

    convolve.__name__ = convolve.__qualname__ = "convolution%dd" % dims
    convolve._key_op = "<shapeflow convolution%dd>" % dims  # type: ignore[attr-defined]
    made = add_arg_scope(convolve)
    both("convolution%dd" % dims, "conv%dd" % dims)(made)
    return made


convolution1d, convolution2d, convolution3d = (_convolution_of(n) for n in (1, 2, 3))
conv1d, conv2d, conv3d = convolution1d, convolution2d, convolution3d


def _transposed(dims: int) -> Any:
    def convolve(inputs: Any, num_outputs: object, kernel_size: object, stride: object = 1,
                 padding: object = "SAME", data_format: object = "NHWC" if dims == 2 else "NDHWC",
                 activation_fn: object = relu, normalizer_fn: object = None,
                 normalizer_params: object = None, weights_initializer: object = _XAVIER,
                 weights_regularizer: object = None, biases_initializer: object = _ZEROS,
                 biases_regularizer: object = None, reuse: object = None,
                 variables_collections: object = None, outputs_collections: object = None,
                 trainable: bool = True, scope: Optional[str] = None) -> Any:
        with variable_scope(scope, "Conv%dd_transpose" % dims, [inputs], reuse=reuse,
                            custom_getter=getter_with_names(_KERNEL)) as sc:
            where = _need_format(data_format) if dims == 2 else _need_format(data_format, "NCDHW",
                                                                            "NDHWC")
            inputs = framework_lib.convert_to_tensor(inputs)
            cls = convolutional.Conv2DTranspose if dims == 2 else convolutional.Conv3DTranspose
            layer = cls(num_outputs, kernel_size, stride, padding, where,
                        use_bias=bool(not normalizer_fn and biases_initializer),
                        kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
                        kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
                        trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc,
                        _reuse=reuse)
            return _layered(layer, inputs, variables_collections, normalizer_fn, normalizer_params,
                            activation_fn, outputs_collections, sc.name)

    name = "convolution%dd_transpose" % dims
    convolve.__name__ = convolve.__qualname__ = name
    convolve._key_op = "<shapeflow %s>" % name  # type: ignore[attr-defined]
    made = add_arg_scope(convolve)
    both(name, "conv%dd_transpose" % dims)(made)
    return made


convolution2d_transpose, convolution3d_transpose = _transposed(2), _transposed(3)


@both("separable_convolution2d", "separable_conv2d")
@add_arg_scope
def separable_convolution2d(inputs: Any, num_outputs: object, kernel_size: object,
                            depth_multiplier: int = 1, stride: object = 1, padding: object = "SAME",
                            data_format: object = "NHWC", rate: object = 1, activation_fn: object = relu,
                            normalizer_fn: object = None, normalizer_params: object = None,
                            weights_initializer: object = _XAVIER, pointwise_initializer: object = None,
                            weights_regularizer: object = None, biases_initializer: object = _ZEROS,
                            biases_regularizer: object = None, reuse: object = None,
                            variables_collections: object = None, outputs_collections: object = None,
                            trainable: bool = True, scope: Optional[str] = None) -> Any:
    where = _need_format(data_format)
    names = {"bias": "biases", "depthwise_kernel": "depthwise_weights",
             "pointwise_kernel": "pointwise_weights"}
    with variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse,
                        custom_getter=getter_with_names(names)) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        pair = normalize_tuple(rate, 2, "rate")
        if num_outputs is not None:
            layer = convolutional.SeparableConv2D(
                num_outputs, kernel_size, stride, padding, where, pair, depth_multiplier,
                use_bias=bool(not normalizer_fn and biases_initializer),
                depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer,
                bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
                trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc,
                _reuse=reuse)
            return _layered(layer, inputs, variables_collections, normalizer_fn,
                            normalizer_params, activation_fn, outputs_collections, sc.name)
        channels = known_dim(inputs, 1 if where == "channels_first" else -1,
                             "dimension %d must be defined" % 3)
        height, width = normalize_tuple(kernel_size, 2, "kernel_size")
        steps = list(normalize_tuple(stride, 2, "stride"))
        weights = _variable("depthwise_weights", [height, width, channels, depth_multiplier], inputs,
                            weights_initializer, variables_collections, "weights", trainable,
                            weights_regularizer)
        outputs = tf.nn.depthwise_conv2d(
            inputs, weights, [1, 1] + steps if where == "channels_first" else [1] + steps + [1],
            padding, rate=pair, data_format=data_format)
        if normalizer_fn is None and biases_initializer is not None:
            count = None if channels is None else channels * depth_multiplier
            biases = _variable("biases", [count], inputs, biases_initializer,
                               variables_collections, "biases", trainable, biases_regularizer)
            outputs = tf.nn.bias_add(outputs, biases, data_format=data_format)
        return _finished(outputs, normalizer_fn, normalizer_params, activation_fn,
                         outputs_collections, sc.name)


def _unranked(inputs: Any, text: str, *args: object) -> Any:
    """What a layer makes of an input of unknown rank: an error, unless TensorFlow may know it."""
    from shapeflow.tensorflow.python.framework import op_builders
    from shapeflow.tensorflow.python.layers import base

    if not base.from_unmodelled(inputs):
        raise fail("SF102", text, *args)
    return op_builders.unknown(inputs.dtype, None, None, [inputs])


def _variable(name: str, shape: Any, like: Any, initializer: Any, variables_collections: Any,
              collection_name: str, trainable: bool, regularizer: Any = None,
              dtype: Any = None) -> Any:
    """A model variable of the current scope; a dim that came from something unmodelled is open."""
    from shapeflow.tensorflow.python.framework import op_builders

    given: Dict[str, Any] = dict(
        dtype=dtype or like.dtype.base_dtype, regularizer=regularizer, trainable=trainable,
        collections=collections_of(variables_collections, collection_name))
    if _core.TensorShape(shape).is_fully_defined():
        return model_variable(name, shape=shape, initializer=initializer, **given)
    start = op_builders.unknown(given["dtype"], shape)
    made = model_variable(name, initializer=start, custom_getter=_unchecked, **given)
    made.set_shape(shape)
    return made


def _unchecked(name: str, **kwargs: object) -> Any:
    from shapeflow.tensorflow.python.ops.variable_scope import get_variable

    kwargs.pop("reuse", None)
    return get_variable(name, validate_shape=False, **kwargs)


# --- pooling -------------------------------------------------------------------------------------------
def _pool_of(name: str, scope_name: str, cls: Any, dims: int) -> Any:
    forms = ("NCHW", "NHWC") if dims == 2 else ("NCDHW", "NDHWC")

    def pool(inputs: Any, kernel_size: Any, stride: Any = 2, padding: Any = "VALID",
             data_format: object = forms[1], outputs_collections: object = None,
             scope: Optional[str] = None) -> Any:
        where = _need_format(data_format, *forms)
        with framework_lib.name_scope(scope, scope_name, [inputs]) as sc:
            inputs = framework_lib.convert_to_tensor(inputs)
            outputs = cls(kernel_size, stride, padding, where, _scope=sc)(inputs)
            return collect_named_outputs(outputs_collections, sc, outputs)

    pool.__name__ = pool.__qualname__ = name
    pool._key_op = "<shapeflow %s>" % name  # type: ignore[attr-defined]
    made = add_arg_scope(pool)
    both(name)(made)
    return made


def _layer_class(name: str) -> Any:
    from shapeflow.api import registry

    return registry.find("tf.layers." + name, 1)


max_pool2d = _pool_of("max_pool2d", "MaxPool2D", _layer_class("MaxPooling2D"), 2)
avg_pool2d = _pool_of("avg_pool2d", "AvgPool2D", _layer_class("AveragePooling2D"), 2)
max_pool3d = _pool_of("max_pool3d", "MaxPool3D", _layer_class("MaxPooling3D"), 3)
avg_pool3d = _pool_of("avg_pool3d", "AvgPool3D", _layer_class("AveragePooling3D"), 3)


@both("pool")
@add_arg_scope
def pool(inputs: Any, kernel_size: object, pooling_type: str, padding: str = "VALID",
         data_format: object = None, dilation_rate: object = 1, stride: object = 1,
         outputs_collections: object = None, scope: Optional[str] = None) -> Any:
    with framework_lib.name_scope(scope, "%s_pool" % pooling_type.lower(), [inputs]) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            raise fail("SF102", "Rank of inputs must be known")
        if rank < 3:
            raise fail("SF103", "Rank of inputs must be >= {rank}", 3)
        n = rank - 2
        outputs = tf.nn.pool(input=inputs, window_shape=normalize_tuple(kernel_size, n, "kernel_size"),
                             pooling_type=pooling_type, padding=padding, data_format=data_format,
                             dilation_rate=normalize_tuple(dilation_rate, n, "dilation_rate"),
                             strides=normalize_tuple(stride, n, "stride"), name=sc)
        return collect_named_outputs(outputs_collections, sc, outputs)


# --- normalisation --------------------------------------------------------------------------------------
@both("batch_norm")
@add_arg_scope
def batch_norm(inputs: Any, decay: Any = 0.999, center: bool = True, scale: bool = False,
               epsilon: float = 0.001, activation_fn: object = None, param_initializers: Any = None,
               param_regularizers: Any = None, updates_collections: object = GraphKeys.UPDATE_OPS,
               is_training: bool = True, reuse: Any = None, variables_collections: Any = None,
               outputs_collections: object = None, trainable: bool = True, batch_weights: Any = None,
               fused: Any = None, data_format: Any = "NHWC",
               zero_debias_moving_mean: bool = False, scope: object = None, renorm: bool = False,
               renorm_clipping: Any = None, renorm_decay: float = 0.99,
               adjustment: Any = None) -> Any:
    inputs = framework_lib.convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    fuse = fused in (None, True) and batch_weights is None and not renorm and rank in (2, 4) \
        and adjustment is None
    plain = updates_collections is GraphKeys.UPDATE_OPS or updates_collections == "update_ops"
    where = _need_format(data_format)
    starts = dict({"beta": _ZEROS, "gamma": init_ops.Ones(), "moving_mean": _ZEROS,
                   "moving_variance": init_ops.Ones()}, **(param_initializers or {}))
    rules = param_regularizers or {}
    if not (fuse and (zero_debias_moving_mean or rank == 2 or not plain)) and plain \
            and batch_weights is None and not zero_debias_moving_mean:
        with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse,
                            custom_getter=getter_with_names()) as sc:
            layer = normalization.BatchNormalization(
                axis=1 if where == "channels_first" else -1, momentum=decay, epsilon=epsilon,
                center=center, scale=scale, beta_initializer=starts["beta"],
                gamma_initializer=starts["gamma"],
                moving_mean_initializer=starts["moving_mean"],
                moving_variance_initializer=starts["moving_variance"],
                beta_regularizer=rules.get("beta"), gamma_regularizer=rules.get("gamma"),
                trainable=trainable, renorm=renorm, renorm_clipping=renorm_clipping,
                renorm_momentum=renorm_decay, adjustment=adjustment, name=sc.name, _scope=sc,
                _reuse=reuse, fused=fused)
            outputs = layer(inputs, training=is_training)
            for name in ("moving_mean", "moving_variance", "beta", "gamma"):
                if getattr(layer, name) is not None:
                    _collect_variable(getattr(layer, name), variables_collections, name)
            return _finished(outputs, None, None, activation_fn, outputs_collections, sc.name)
    if renorm:
        raise ValueError("renorm is not supported with batch_weights, updates_collections or "
                         "zero_debias_moving_mean")
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        if rank is None:
            return _unranked(inputs, "Inputs {name} has undefined rank.", inputs.name)
        channels = known_dim(inputs, 1 if where == "channels_first" else -1,
                             "`C` dimension must be known but is None" if fuse and rank == 2 else
                             "Inputs %s has undefined %s dimension (?,)." % (
                                 inputs.name, "`C`" if fuse else "channels"))
        dtype = _core.as_dtype("float32") if fuse else inputs.dtype.base_dtype

        def made(name: str, trained: bool) -> Any:
            return _variable(name, [channels], inputs, starts[name], variables_collections, name,
                             trained, rules.get(name), dtype)

        parameters = {"beta": made("beta", trainable) if center else None,
                      "gamma": made("gamma", trainable) if scale else None,
                      "moving_mean": made("moving_mean", False),
                      "moving_variance": made("moving_variance", False)}
        outputs = _normalized(inputs, parameters, decay, epsilon, is_training, updates_collections,
                              where, fuse, batch_weights)
        return _finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


def _normalized(inputs: Any, parameters: Dict[str, Any], decay: object, epsilon: float,
                is_training: object, updates_collections: object, where: str, fuse: bool,
                batch_weights: object) -> Any:
    """Batch normalisation whose updates run with it, or go to a collection."""
    rank = inputs.get_shape().ndims
    channel = 1 if where == "channels_first" else rank - 1
    axes = [i for i in range(rank) if i != channel]
    if batch_weights is not None:
        weights = framework_lib.convert_to_tensor(batch_weights)
        first = _core.TensorShape(inputs.get_shape().as_list()[:1])
        if not first.is_compatible_with(weights.get_shape()):
            raise fail("SF124", "Shapes {shape} and {shape} are incompatible", first, weights.get_shape())
    known = smart_constant_value(is_training)
    moving = (parameters["moving_mean"], parameters["moving_variance"])
    mean, variance = moving
    if known is not False:
        batch = tf.nn.moments(inputs, axes)
        batch = [tf.cast(b, m.dtype.base_dtype) for b, m in zip(batch, moving)]

        def updates() -> List[Any]:
            return [normalization.follow_average(m, b, decay)
                    for m, b in zip(moving, batch)]

        if updates_collections is None:
            def forced() -> Any:
                with framework_lib.control_dependencies(updates()):
                    return tuple(tf.identity(b) for b in batch)

            mean, variance = smart_cond(is_training, forced, lambda: tuple(
                tf.identity(m) for m in moving))
        else:
            delayed = smart_cond(is_training, lambda: tuple(updates()),
                                 lambda: tuple(tf.identity(m) for m in moving))
            for update in delayed:
                get_default_graph().add_to_collections(updates_collections, update)
            mean, variance = smart_cond(is_training, lambda: tuple(tf.identity(b) for b in batch),
                                        lambda: tuple(tf.identity(m) for m in moving))
    spread = [1] * rank
    spread[channel] = -1
    parts = [mean, variance, parameters["beta"], parameters["gamma"]]
    if where == "channels_first":
        parts = [p if p is None else tf.reshape(p, spread) for p in parts]
    parts = [p if p is None else tf.cast(p, inputs.dtype.base_dtype) for p in parts]
    outputs = tf.nn.batch_normalization(inputs, parts[0], parts[1], parts[2], parts[3], epsilon)
    if not _core.executing_eagerly():
        outputs.set_shape(inputs.get_shape())
    return outputs


def _affine(inputs: Any, shape: Any, center: bool, scale: bool, variables_collections: Any,
            trainable: bool, rules: Any = None, starts: Any = None) -> Any:
    starts, rules = starts or {}, rules or {}
    beta = _variable("beta", shape, inputs, starts.get("beta", _ZEROS), variables_collections,
                     "beta", trainable, rules.get("beta")) if center else None
    gamma = _variable("gamma", shape, inputs, starts.get("gamma", init_ops.Ones()),
                      variables_collections, "gamma", trainable,
                      rules.get("gamma")) if scale else None
    return beta, gamma


@both("layer_norm")
@add_arg_scope
def layer_norm(inputs: Any, center: bool = True, scale: bool = True, activation_fn: object = None,
               reuse: object = None, variables_collections: object = None,
               outputs_collections: object = None, trainable: bool = True, begin_norm_axis: int = 1,
               begin_params_axis: int = -1, scope: Optional[str] = None) -> Any:
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = framework_lib.convert_to_tensor(inputs)
        shape = inputs.get_shape()
        rank = shape.ndims
        if rank is None:
            return _unranked(inputs, "Inputs {name} has undefined rank.", inputs.name)
        if begin_norm_axis < 0:
            begin_norm_axis += rank
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise fail("SF111", "begin_params_axis ({axis}) and begin_norm_axis ({axis}) must be < "
                       "rank(inputs) ({int})", begin_params_axis, begin_norm_axis, rank)
        first = begin_params_axis + rank if begin_params_axis < 0 else begin_params_axis
        words = "Inputs %s: shape(inputs)[%s:] is not fully defined: %s" % (
            inputs.name, begin_params_axis, shape)
        dims = [known_dim(inputs, i, words) for i in range(first, rank)]
        beta, gamma = _affine(inputs, dims, center, scale, variables_collections, trainable)
        mean, variance = tf.nn.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, 1e-12)
        if not _core.executing_eagerly():
            outputs.set_shape(shape)
        return _finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


@both("instance_norm")
@add_arg_scope
def instance_norm(inputs: Any, center: bool = True, scale: bool = True, epsilon: float = 1e-6,
                  activation_fn: object = None, param_initializers: object = None, reuse: object = None,
                  variables_collections: object = None, outputs_collections: object = None,
                  trainable: bool = True, data_format: str = "NHWC", scope: Optional[str] = None) -> Any:
    inputs = framework_lib.convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    if rank is None:
        return _unranked(inputs, "Inputs {name} has undefined rank.", inputs.name)
    where = _need_format(data_format)
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        channel = 1 if where == "channels_first" else rank - 1
        size = known_dim(inputs, channel, "Inputs %s has undefined channels dimension (?,)."
                         % inputs.name)
        beta, gamma = _affine(inputs, [size], center, scale, variables_collections, trainable, None,
                              param_initializers)
        if where == "channels_first":
            spread = [1, -1] + [1] * (rank - 2)
            beta, gamma = (p if p is None else tf.reshape(p, spread) for p in (beta, gamma))
        axes = [i for i in range(1, rank) if i != channel]
        mean, variance = tf.nn.moments(inputs, axes, keep_dims=True)
        outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        if not _core.executing_eagerly():
            outputs.set_shape(inputs.get_shape())
        return _finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


for _name, _activation in (("relu", "relu"), ("relu6", "relu6"), ("elu", "elu"), ("linear", None)):
    put(functools.partial(fully_connected, activation_fn=None if _activation is None else
                          (lambda x, _f=_activation: getattr(tf.nn, _f)(x))),
        "tf.contrib.layers." + _name)
put(functools.partial(fully_connected, activation_fn=None), "tf.contrib.slim.linear")
