"""Functions of tf.keras.backend that compute: convolutions, padding, losses, CTC, control flow, statistics.

Source: tensorflow/python/keras/backend.py (1.15).
"""
from __future__ import annotations

import contextlib
import functools

import numpy as np

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.keras import backend, image_format
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.graph import get_default_graph
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

_K = "tf.keras.backend."


def _k(name: str) -> Callable[[Any], Any]:
    decorate: Callable[[Any], Any] = export(_K + name)
    return decorate


def _rank(x: object) -> Any:
    return framework_lib.convert_to_tensor(x).get_shape().ndims


def _is_first(data_format: object) -> bool:
    """Do the channels come first?"""
    if data_format is None:
        data_format = image_format.current()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format: " + str(data_format))
    return bool(data_format == "channels_first")


def _moved(x: object, first: bool, back: bool = False) -> Any:
    """Channels that come first are moved to the end, because no kernel of the CPU takes them; or back."""
    rank = _rank(x)
    if not first or rank is None:
        return x
    order = [0, rank - 1, *range(1, rank - 1)] if back else [0, *range(2, rank), 1]
    return tf.transpose(x, order)


def _padding(padding: str) -> str:
    if padding not in ("same", "valid", "causal"):
        raise ValueError("Invalid padding: " + str(padding))
    return "SAME" if padding == "same" else "VALID"


# --- statistics and shapes ------------------------------------------------------------------------
@_k("var")
def var(x: object, axis: object = None, keepdims: bool = False) -> Any:
    if getattr(x, "dtype", None) == _core.as_dtype("bool"):
        x = tf.cast(x, "float32")
    return tf.math.reduce_variance(x, axis=axis, keepdims=keepdims)


@_k("std")
def std(x: object, axis: object = None, keepdims: bool = False) -> Any:
    return tf.sqrt(var(x, axis, keepdims))


put(lambda x, axis=0: tf.cumsum(x, axis=axis), _K + "cumsum")
put(lambda x, axis=0: tf.cumprod(x, axis=axis), _K + "cumprod")
put(lambda x: tf.clip_by_value(0.2 * x + 0.5, 0.0, 1.0), _K + "hard_sigmoid")
put(lambda x, axes: tf.reverse(x, [axes] if isinstance(axes, int) else axes), _K + "reverse")
put(lambda indices, num_classes: tf.one_hot(indices, depth=num_classes, axis=-1), _K + "one_hot")
put(lambda predictions, targets, k: tf.nn.in_top_k(predictions, targets, k), _K + "in_top_k")
put(lambda x: np.prod(x.get_shape().as_list()), _K + "count_params")
put(lambda tensor: isinstance(tensor, tf.SparseTensor), _K + "is_sparse")
put(lambda tensor: tf.sparse.to_dense(tensor) if isinstance(tensor, tf.SparseTensor) else tensor,
    _K + "to_dense")


@_k("batch_flatten")
def batch_flatten(x: object) -> Any:
    x = framework_lib.convert_to_tensor(x)
    return tf.reshape(x, tf.stack([-1, tf.reduce_prod(tf.shape(x)[1:])]))


@_k("repeat")
def repeat(x: object, n: int) -> Any:
    assert _rank(x) in (2, None)
    return tf.tile(tf.expand_dims(x, 1), tf.stack([1, n, 1]))


@_k("arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = "int32") -> Any:
    if stop is None and isinstance(start, int) and start < 0:
        start = 0
    made = tf.range(start, limit=stop, delta=step)
    return made if dtype == "int32" else tf.cast(made, dtype)


@_k("eye")
def eye(size: object, dtype: object = None, name: Optional[str] = None) -> Any:
    return backend._variable(tf.eye(size, dtype=dtype or "float32"), dtype, name)


@_k("batch_dot")
def batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """Products of the samples: `axes` are summed over, one of each; axis 0 is the batch."""
    x, y = framework_lib.convert_to_tensor(x), framework_lib.convert_to_tensor(y)
    of_x, of_y = x.get_shape().ndims, y.get_shape().ndims
    if None in (of_x, of_y):
        return op_builders.unknown(x.dtype, None, None, [x, y])
    axes = (axes, axes) if isinstance(axes, int) else (of_x - 1, of_y - 2) if axes is None else axes
    more = abs(of_x - of_y)
    if of_x > of_y:
        y = tf.reshape(y, tf.concat([tf.shape(y), [1] * more], axis=0))
    elif of_y > of_x:
        x = tf.reshape(x, tf.concat([tf.shape(x), [1] * more], axis=0))
    rank = max(of_x, of_y)
    if rank == 2:
        made = tf.reduce_sum(x * y, axes[0]) if axes[0] == axes[1] else \
            tf.reduce_sum(tf.transpose(x, [1, 0]) * y, axes[1])
    else:
        made = tf.matmul(x, y, adjoint_a=axes[0] != rank - 1, adjoint_b=axes[1] == rank - 1)
    if more:
        first = of_x + of_y - 3 if of_x > of_y else of_x - 1
        made = tf.squeeze(made, list(range(first, first + more)))
    return tf.expand_dims(made, 1) if made.get_shape().ndims == 1 else made


# --- layers ---------------------------------------------------------------------------------------
def _convolved(x: object, kernel: object, strides: object, padding: str, data_format: object,
               dilation_rate: object) -> Any:
    first = _is_first(data_format)
    made = tf.nn.convolution(_moved(x, first), kernel, _padding(padding), strides=strides,
                             dilation_rate=dilation_rate)
    return _moved(made, first, back=True)


@_k("conv1d")
def conv1d(x: Any, kernel: Any, strides: int = 1, padding: str = "valid", data_format: object = None,
           dilation_rate: int = 1) -> Any:
    if padding == "causal":
        x = temporal_padding(x, (dilation_rate * (kernel.get_shape().as_list()[0] - 1), 0))
    return _convolved(x, kernel, [strides], padding, data_format, [dilation_rate])


@_k("conv2d")
def conv2d(x: object, kernel: object, strides: object = (1, 1), padding: str = "valid",
           data_format: object = None, dilation_rate: object = (1, 1)) -> Any:
    return _convolved(x, kernel, strides, padding, data_format, dilation_rate)


@_k("conv3d")
def conv3d(x: object, kernel: object, strides: object = (1, 1, 1), padding: str = "valid",
           data_format: object = None, dilation_rate: object = (1, 1, 1)) -> Any:
    return _convolved(x, kernel, strides, padding, data_format, dilation_rate)


@_k("conv2d_transpose")
def conv2d_transpose(x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid",
                     data_format: object = None, dilation_rate: object = (1, 1)) -> Any:
    first = _is_first(data_format)
    if isinstance(output_shape, (tuple, list)):
        sizes = list(output_shape)
        sizes = [tf.shape(x)[0] if sizes[0] is None else sizes[0], *sizes[1:]]
        output_shape = tf.stack([sizes[0], sizes[2], sizes[3], sizes[1]] if first else sizes)
    made = tf.nn.conv2d_transpose(_moved(x, first), kernel, output_shape, [1, *strides, 1],
                                  _padding(padding))
    return _moved(made, first, back=True)


@_k("separable_conv2d")
def separable_conv2d(x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1),
                     padding: str = "valid", data_format: object = None,
                     dilation_rate: object = (1, 1)) -> Any:
    first = _is_first(data_format)
    made = tf.nn.separable_conv2d(_moved(x, first), depthwise_kernel, pointwise_kernel, [1, *strides, 1],
                                  _padding(padding), rate=dilation_rate)
    return _moved(made, first, back=True)


def _pooled(x: Any, sizes: Any, strides: Any, padding: str, data_format: object, mode: str) -> Any:
    if mode not in ("max", "avg"):
        raise ValueError("Invalid pooling mode: " + str(mode))
    first = _is_first(data_format)
    function = (tf.nn.max_pool if mode == "max" else tf.nn.avg_pool) if len(sizes) == 2 else \
        tf.nn.max_pool3d if mode == "max" else tf.nn.avg_pool3d
    made = function(_moved(x, first), [1, *sizes, 1], [1, *strides, 1], _padding(padding))
    return _moved(made, first, back=True)


@_k("pool2d")
def pool2d(x: object, pool_size: object, strides: object = (1, 1), padding: str = "valid",
           data_format: object = None, pool_mode: str = "max") -> Any:
    return _pooled(x, pool_size, strides, padding, data_format, pool_mode)


@_k("pool3d")
def pool3d(x: object, pool_size: object, strides: object = (1, 1, 1), padding: str = "valid",
           data_format: object = None, pool_mode: str = "max") -> Any:
    return _pooled(x, pool_size, strides, padding, data_format, pool_mode)


def _local(inputs: Any, kernel: Any, sizes: Any, data_format: Any) -> Any:
    """A kernel for each place: of the places, in the given sizes, and the last axis of the kernel."""
    batch, filters = inputs.get_shape().as_list()[0], kernel.get_shape().as_list()[-1]
    shape = [batch, filters, *sizes] if _is_first(data_format) else [batch, *sizes, filters]
    return op_builders.unknown(inputs.dtype, shape, None, [inputs, kernel])


@_k("local_conv1d")
def local_conv1d(inputs: Any, kernel: Any, kernel_size: object, strides: object,
                 data_format: Any = None) -> Any:
    return _local(inputs, kernel, kernel.get_shape().as_list()[:1], data_format)


@_k("local_conv2d")
def local_conv2d(inputs: object, kernel: object, kernel_size: object, strides: object, output_shape: object,
                 data_format: object = None) -> Any:
    return _local(inputs, kernel, output_shape, data_format)


@_k("bias_add")
def bias_add(x: Any, bias: Any, data_format: Any = None) -> Any:
    first, sizes, rank = _is_first(data_format), bias.get_shape().as_list(), _rank(x)
    if rank is None:
        return x + bias
    if len(sizes) not in (1, rank - 1):
        raise ValueError("Unexpected bias dimensions %d, expect to be 1 or %d dimensions" % (
            len(sizes), rank))
    if len(sizes) == 1 and not first:
        return tf.nn.bias_add(x, bias)
    sizes = [*sizes, *[1] * (rank - 2)] if len(sizes) == 1 else [sizes[-1], *sizes[:-1]] if first else sizes
    return x + tf.reshape(bias, [1, *sizes])


@_k("temporal_padding")
def temporal_padding(x: Any, padding: Any = (1, 1)) -> Any:
    assert len(padding) == 2
    return tf.pad(x, [[0, 0], list(padding), [0, 0]])


def _padded(x: object, padding: Any, data_format: object) -> Any:
    inner = [list(one) for one in padding]
    return tf.pad(x, [[0, 0], [0, 0], *inner] if _is_first(data_format) else [[0, 0], *inner, [0, 0]])


put(lambda x, padding=((1, 1), (1, 1)), data_format=None: _padded(x, padding, data_format),
    _K + "spatial_2d_padding")
put(lambda x, padding=((1, 1), (1, 1), (1, 1)), data_format=None: _padded(x, padding, data_format),
    _K + "spatial_3d_padding")


def _enlarged(x: object, factors: Sequence[int], data_format: object) -> Any:
    """Each place is repeated along its axes."""
    axes = range(2, 2 + len(factors)) if _is_first(data_format) else range(1, 1 + len(factors))
    for axis, factor in zip(axes, factors):
        x = tf.repeat(x, factor, axis=axis)
    return x


@_k("resize_images")
def resize_images(x: object, height_factor: int, width_factor: int, data_format: object,
                  interpolation: str = "nearest") -> Any:
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError("interpolation should be one of \"nearest\" or \"bilinear\".")
    return _enlarged(x, (height_factor, width_factor), data_format)


@_k("resize_volumes")
def resize_volumes(x: object, depth_factor: int, height_factor: int, width_factor: int,
                   data_format: object) -> Any:
    return _enlarged(x, (depth_factor, height_factor, width_factor), data_format)


@_k("dropout")
def dropout(x: Any, level: float, noise_shape: Any = None, seed: Any = None) -> Any:
    return tf.nn.dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


@_k("batch_normalization")
def batch_normalization(x: object, mean: object, var: object, beta: object, gamma: object, axis: int = -1,
                        epsilon: float = 1e-3) -> Any:
    return tf.nn.batch_normalization(x, mean, var, beta, gamma, epsilon)


@_k("normalize_batch_in_training")
def normalize_batch_in_training(x: Any, gamma: object, beta: object, reduction_axes: Any,
                                epsilon: float = 1e-3) -> Tuple[Any, Any, Any]:
    mean, variance = tf.nn.moments(x, list(reduction_axes))
    rank = _rank(x)
    sizes = [1 if axis in reduction_axes else tf.shape(x)[axis] for axis in range(rank)]
    wide = [None if one is None else tf.reshape(one, tf.stack(sizes))
            for one in (mean, variance, beta, gamma)]
    return tf.nn.batch_normalization(x, wide[0], wide[1], wide[2], wide[3], epsilon), mean, variance


# --- losses ---------------------------------------------------------------------------------------
@_k("categorical_crossentropy")
def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    target = tf.cast(framework_lib.convert_to_tensor(target), output.dtype)
    if from_logits:
        return tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)
    output = output / tf.reduce_sum(output, axis, keepdims=True)
    return -tf.reduce_sum(target * tf.log(tf.clip_by_value(output, 1e-7, 1.0 - 1e-7)), axis)


@_k("sparse_categorical_crossentropy")
def sparse_categorical_crossentropy(target: object, output: Any, from_logits: bool = False,
                                    axis: int = -1) -> Any:
    logits = output if from_logits else tf.log(tf.clip_by_value(output, 1e-7, 1.0 - 1e-7))
    target = tf.cast(framework_lib.convert_to_tensor(target), "int64")
    classes = logits.get_shape().as_list()[-1] if logits.get_shape().ndims else None
    flat = tf.reshape(logits, [-1, tf.shape(logits)[-1] if classes is None else classes])
    made = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(target, [-1]), logits=flat)
    return tf.reshape(made, tf.shape(logits)[:-1]) if (_rank(output) or 0) >= 3 else made


@_k("ctc_label_dense_to_sparse")
def ctc_label_dense_to_sparse(labels: object, label_lengths: object) -> Any:
    there = tf.where(tf.sequence_mask(label_lengths, tf.shape(labels)[1]))
    return tf.SparseTensor(there, tf.gather_nd(labels, there), tf.cast(tf.shape(labels), "int64"))


@_k("ctc_batch_cost")
def ctc_batch_cost(y_true: object, y_pred: object, input_length: object, label_length: object) -> Any:
    label_length = tf.cast(tf.squeeze(label_length, axis=-1), "int32")
    labels = tf.cast(ctc_label_dense_to_sparse(y_true, label_length), "int32")
    inputs = tf.log(tf.transpose(y_pred, [1, 0, 2]) + 1e-7)
    lengths = tf.cast(tf.squeeze(input_length, axis=-1), "int32")
    return tf.expand_dims(tf.nn.ctc_loss(inputs=inputs, labels=labels, sequence_length=lengths), 1)


@_k("ctc_decode")
def ctc_decode(y_pred: object, input_length: object, greedy: bool = True, beam_width: int = 100,
               top_paths: int = 1) -> Tuple[List[Any], Any]:
    inputs, lengths = tf.log(tf.transpose(y_pred, [1, 0, 2]) + 1e-7), tf.cast(input_length, "int32")
    if greedy:
        decoded, scores = tf.nn.ctc_greedy_decoder(inputs, lengths)
    else:
        decoded, scores = tf.nn.ctc_beam_search_decoder(inputs, lengths, beam_width=beam_width,
                                                        top_paths=top_paths)
    return [tf.sparse.to_dense(one, default_value=-1) for one in decoded], scores


# --- control flow ---------------------------------------------------------------------------------
@_k("switch")
def switch(condition: object, then_expression: Any, else_expression: Any) -> Any:
    condition = tf.cast(condition, "bool")
    as_function = [one if callable(one) else (lambda one=one: one)
                   for one in (then_expression, else_expression)]
    rank = _rank(condition)
    if not rank:
        return tf.cond(condition, *as_function)
    then, other = (one() for one in as_function)
    of_result = _rank(then)
    if of_result is not None and rank > of_result:
        raise ValueError("Rank of `condition` should be less than or equal to rank of `then_expression` and "
                         "`else_expression`. ndim(condition)=%d, ndim(then_expression)=%d" % (
                             rank, of_result))
    if of_result is not None and rank > 1:
        sizes = tf.concat([tf.shape(condition), [1] * (of_result - rank)], axis=0)
        wanted = tf.shape(then)
        times = tf.where(wanted > sizes, wanted, tf.ones_like(wanted))
        condition = tf.tile(tf.reshape(condition, sizes), times)
    return tf.where(condition, then, other)


@_k("in_train_phase")
def in_train_phase(x: object, alt: object, training: object = None) -> Any:
    if training is None:
        training = backend.learning_phase()
    if training is True or type(training) is int and training == 1:
        return x() if callable(x) else x
    if training is False or type(training) is int and training == 0:
        return alt() if callable(alt) else alt
    return switch(training, x, alt)


put(lambda x, alt, training=None: in_train_phase(alt, x, training=training), _K + "in_test_phase")


@_k("rnn")
def rnn(step_function: Any, inputs: object, initial_states: Any, go_backwards: bool = False,
        mask: object = None, constants: Any = None, unroll: bool = False, input_length: object = None,
        time_major: bool = False, zero_output_for_mask: bool = False) -> Tuple[Any, Any, List[Any]]:
    """Each step has the shapes of the first one."""
    first = tf.nest.map_structure(lambda x: x[0] if time_major else x[:, 0], inputs)
    output, states = step_function(first, [*initial_states, *(constants or [])])
    some = tf.nest.flatten(inputs)[0]
    axis = 0 if time_major else 1
    steps = some.get_shape().as_list()[axis] if some.get_shape().ndims is not None else None
    steps = tf.shape(some)[axis] if steps is None else steps

    def of_all(one: Any) -> Any:
        rank = _rank(one)
        if rank is None:
            return op_builders.unknown(one.dtype, None, None, [one])
        times = [steps if i == axis else 1 for i in range(rank + 1)]
        return tf.tile(tf.expand_dims(one, axis), tf.stack(times))

    return output, tf.nest.map_structure(of_all, output), list(states)


def _over(function: str, fn: object, elems: object, **kwargs: object) -> Any:
    return getattr(tf, function)(fn, elems, **kwargs)


for _name in ("map_fn", "foldl", "foldr"):
    put(functools.partial(_over, _name), _K + _name)


# --- variables, sessions, functions ---------------------------------------------------------------
put(lambda x, new_x: tf.assign(x, new_x), _K + "update")
put(lambda x, increment: tf.assign_add(x, increment), _K + "update_add")
put(lambda x, decrement: tf.assign_sub(x, decrement), _K + "update_sub")
put(lambda x, value, momentum: tf.assign_sub(x, (x - value) * (1.0 - momentum)), _K + "moving_average_update")
put(lambda tensors: [backend._zeros_of(x) for x in tensors], _K + "batch_get_value")
put(lambda tuples: None, _K + "batch_set_value")
put(lambda loss, variables: tf.gradients(loss, variables), _K + "gradients")
put(lambda x, message="": tf.identity(x), _K + "print_tensor")
put(lambda value: None, _K + "manual_variable_initialization")
put(lambda shape, mean=0.0, stddev=1.0, dtype=None, seed=None: tf.truncated_normal(
    shape, mean, stddev, dtype=dtype or "float32"), _K + "truncated_normal")
put(lambda shape, p=0.0, dtype=None, seed=None: tf.cast(tf.random_uniform(shape) <= p, dtype or "float32"),
    _K + "random_binomial")
put(lambda shape, mean, scale, dtype=None, name=None, seed=None: backend._variable(
    tf.random_normal(shape, mean, scale), dtype, name), _K + "random_normal_variable")
put(lambda shape, low, high, dtype=None, name=None, seed=None: backend._variable(
    tf.random_uniform(shape, low, high), dtype, name), _K + "random_uniform_variable")


@_k("eval")
def evaluate(x: Any) -> Any:
    return x.numpy() if _core.executing_eagerly() else backend.get_session().run(x)


class Function:
    """What K.function gives: runs its outputs and updates on arrays for its inputs."""

    def __init__(self, inputs: Sequence[Any], outputs: Any, updates: Any) -> None:
        self.inputs, self.outputs = list(inputs), outputs
        self._updates = [tf.assign(*one) if isinstance(one, tuple) else one for one in updates or ()]

    def __call__(self, inputs: Sequence[Any]) -> Any:
        if not isinstance(inputs, (list, tuple)):
            raise TypeError("`inputs` should be a list or tuple.")
        feeds: Dict[Any, Any] = {place: value for place, value in zip(self.inputs, inputs)
                                 if value is not None}
        values, _ = backend.get_session().run([self.outputs, self._updates], feeds)
        return values


@_k("function")
def function(inputs: Any, outputs: Any, updates: Any = None, name: object = None, **kwargs: Any) -> Function:
    return Function(inputs if isinstance(inputs, (list, tuple)) else [inputs], outputs, updates)


@_k("get_uid")
def get_uid(prefix: str = "") -> int:
    counts: Dict[str, int] = get_default_graph().__dict__.setdefault("_sf_keras_uids", {})
    counts[prefix] = counts.get(prefix, 0) + 1
    return counts[prefix]


@_k("reset_uids")
def reset_uids() -> None:
    get_default_graph().__dict__.pop("_sf_keras_uids", None)


@_k("learning_phase_scope")
@contextlib.contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    own = get_default_graph().__dict__
    before = own.get("_sf_learning_phase")
    own["_sf_learning_phase"] = value
    try:
        yield
    finally:
        own["_sf_learning_phase"] = before
