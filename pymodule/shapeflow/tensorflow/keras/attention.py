"""tf.keras.layers that attend: EinsumDense, MultiHeadAttention, Attention, AdditiveAttention.

Their projections are einsums over weights of the inputs' own sizes, as in Keras, so that it is the op
that refuses a second call with another size. Source: keras/src/layers/{attention,core} (3).
"""

from __future__ import annotations

import re
import string
from typing import Any, Dict, List, Optional, Sequence, Tuple

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.python.framework import op_builders
from shapeflow.tensorflow.python.framework.error_report import fail_untyped as fail
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.layers.base import activation_of

_FORMS = (r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)", r"\.\.\.([a-zA-Z]+),([a-zA-Z]+)->\.\.\.([a-zA-Z]+)",
          r"([a-zA-Z]{2,})\.\.\.,([a-zA-Z]+)->([a-zA-Z]+)\.\.\.")
_OWN = ("kernel_", "bias_", "lora_", "quantization_", "gptq_")


def _taken(kwargs: Dict[str, Any]) -> Dict[str, Any]:
    """What is said of weights, which has no say in shapes, is taken out of `kwargs`."""
    return {k: kwargs.pop(k) for k in list(kwargs) if k.startswith(_OWN)}


@export("tf.keras.layers.EinsumDense", v2=True)
class EinsumDense(KerasLayer):
    """einsum(equation, inputs, kernel) + bias"""

    def __init__(self, equation: str, output_shape: Any, activation: Any = None, bias_axes: Any = None,
                 **kwargs: Any) -> None:
        self._own = _taken(kwargs)
        super().__init__(**kwargs)
        self.equation, self.bias_axes = equation, bias_axes
        self.partial_output_shape = (output_shape,) if isinstance(output_shape, int) else tuple(output_shape)
        self.activation = activation_of(activation)

    def build(self, input_shape: Any) -> None:
        dims = _core.TensorShape(input_shape).as_list()
        form, found = next(((i, m) for i, m in enumerate(
            re.fullmatch(pattern, self.equation) for pattern in _FORMS) if m), (0, None))
        if found is None:
            raise fail("SF203", "Invalid einsum equation '%s'. Equations must be in the form "
                       "[X],[Y]->[Z], ...[X],[Y]->...[Z], or [X]...,[Y]->[Z]...." % self.equation)
        inputs, weights, outputs = found.groups()
        elided = len(dims) - len(inputs)
        size: Dict[str, Optional[int]] = {}
        made = [dims[0], *self.partial_output_shape]
        if form == 1:
            made[1:1] = dims[1:elided]
        elif elided > 0:
            made += dims[len(dims) - elided:]
        shift = elided if form == 1 else 0
        for axis, letter in enumerate(outputs):
            if axis + shift < len(made):
                size[letter] = made[axis + shift]
        for axis, letter in enumerate(inputs):
            got = dims[axis + shift] if axis + shift < len(dims) else None
            if letter in size and size[letter] not in (got, None) and got is not None:
                raise fail("SF106", "Input shape and output shape do not match at shared dimension '%s'. "
                           "Input shape is %s, and output shape is %s." % (letter, got, size[letter]))
            size[letter] = got if got is not None else size.get(letter)
        for letter in weights:
            if letter not in size:
                raise fail("SF203", "Weight dimension '%s' did not have a match in either the input spec "
                           "'%s' or the output spec '%s'. For this layer, the weight must be fully specified."
                           % (letter, inputs, outputs))
        self.kernel = self.add_weight("kernel", shape=[size[letter] for letter in weights])
        self.bias = None
        if self.bias_axes:
            first = min(outputs.index(letter) for letter in self.bias_axes)
            self.bias = self.add_weight("bias", shape=[
                size[letter] if letter in self.bias_axes else 1 for letter in outputs[first:]],
                initializer="zeros")

    def call(self, inputs: Any) -> Any:
        outputs = tf.einsum(self.equation, inputs, self.kernel)
        if self.bias is not None:
            outputs = outputs + self.bias
        return self.activation(outputs) if self.activation is not None else outputs


def _projection(free: int, bound: int, made: int) -> Tuple[str, str]:
    """(equation, axes of the bias): the last `bound` axes become `made` others."""
    letters = string.ascii_lowercase
    kept, gone = letters[:free], letters[free:free + bound]
    new = letters[free + bound:free + bound + made]
    return "%s%s,%s%s->%s%s" % (kept, gone, gone, new, kept, new), new


def _attention_equations(rank: int, axes: Sequence[int]) -> Tuple[str, str]:
    """Of the scores (key, query) and of their application to the values."""
    letters = string.ascii_lowercase
    target = letters[:rank]
    batch = [i for i in range(rank) if i not in axes and i != rank - 1]
    other = iter(letters[rank:])
    source = "".join(target[i] if i in batch or i == rank - 1 else next(other) for i in range(rank))
    product = "".join([target[i] for i in batch] + [target[i] for i in axes] + [source[i] for i in axes])
    return "%s,%s->%s" % (source, target, product), "%s,%s->%s" % (product, source, target)


@export("tf.keras.layers.MultiHeadAttention", v2=True)
class MultiHeadAttention(KerasLayer):
    """softmax(q . k) . v for several heads, each a projection of query, key and value."""

    def __init__(self, num_heads: Any, key_dim: Any, value_dim: Any = None, dropout: float = 0.0,
                 use_bias: bool = True, output_shape: Any = None, attention_axes: Any = None,
                 sliding_window: Any = None, flash_attention: Any = None, use_gate: bool = False,
                 seed: Any = None, **kwargs: Any) -> None:
        for name, value in (("num_heads", num_heads), ("key_dim", key_dim)):
            if not isinstance(value, int) or value <= 0:
                raise fail("SF201", "Received an invalid value for argument `%s`, expected a positive "
                           "integer. Received: %s=%s" % (name, name, value))
        self._own = _taken(kwargs)
        super().__init__(**kwargs)
        self.num_heads, self.key_dim, self.value_dim = num_heads, key_dim, value_dim or key_dim
        self.dropout, self.use_bias, self.use_gate = dropout, use_bias, use_gate
        self._wanted = (output_shape,) if isinstance(output_shape, int) else output_shape
        axes = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        self._axes: Optional[Tuple[int, ...]] = tuple(axes) if axes else None
        self._dense: Dict[str, Any] = {}

    def _make_dense(self, key: str, shape: Any, bound: int, sizes: List[int], activation: Any = None) -> None:
        rank = shape.ndims
        equation, letters = _projection(rank - bound, bound, len(sizes))
        free = [None] * (rank - bound - 1)
        made = EinsumDense(equation, free + sizes, activation, letters if self.use_bias else None, name=key)
        made._dtype, made._sf_policy = self._dtype, self._sf_policy
        made.build(shape)
        made.built = True
        self._dense[key] = made

    def _make(self, query: Any, value: Any, key: Any) -> None:
        shapes = [t.get_shape() for t in (query, value, key)]
        if shapes[1].as_list()[1:-1] != shapes[2].as_list()[1:-1]:
            raise fail("SF106", "All dimensions of `value` and `key`, except the last one, must be equal. "
                       "Received: value_shape=%s and key_shape=%s"
                       % (tuple(shapes[1].as_list()), tuple(shapes[2].as_list())))
        heads = self.num_heads
        self._make_dense("query", shapes[0], 1, [heads, self.key_dim])
        self._make_dense("key", shapes[2], 1, [heads, self.key_dim])
        if self.use_gate:
            self._make_dense("gate", shapes[0], 1, [heads, self.value_dim], "sigmoid")
        self._make_dense("value", shapes[1], 1, [heads, self.value_dim])
        rank = shapes[1].ndims + 1
        axes = self._axes if self._axes is not None else tuple(range(1, rank - 2))
        self._axes = tuple(a if a >= 0 else rank - 1 + a for a in axes)
        last = list(self._wanted) if self._wanted else [shapes[0].as_list()[-1]]
        projected = _core.TensorShape(shapes[0].as_list()[:-1] + [heads, self.value_dim])
        self._make_dense("attention_output", projected, 2, last)

    def call(self, query: Any, value: Any, key: Any = None, query_mask: Any = None, value_mask: Any = None,
             key_mask: Any = None, attention_mask: Any = None, return_attention_scores: bool = False,
             training: Any = None, use_causal_mask: bool = False) -> Any:
        key = value if key is None else key
        if None in [t.get_shape().ndims for t in (query, value, key)]:
            made = op_builders.unknown(query.dtype, None, None, [query, value, key])
            return (made, op_builders.unknown(query.dtype)) if return_attention_scores else made
        if not self._dense:
            self._make(query, value, key)
        q, k, v = (self._dense[name](t) for name, t in (("query", query), ("key", key), ("value", value)))
        score, combine = _attention_equations(v.get_shape().ndims, self._axes or ())
        scores = tf.einsum(score, k, q)
        scores = self._masked(scores, attention_mask, value_mask)
        weights = tf.nn.softmax(scores)
        outputs = tf.einsum(combine, weights, v)
        if self.use_gate:
            outputs = outputs * self._dense["gate"](query)
        outputs = self._dense["attention_output"](outputs)
        return (outputs, weights) if return_attention_scores else outputs

    def _masked(self, scores: Any, mask: Any, value_mask: Any) -> Any:
        """Scores where the masks allow them: each is broadcast against the scores."""
        if value_mask is not None:
            value_mask = tf.expand_dims(tf.cast(value_mask, tf.bool), -2)
            mask = value_mask if mask is None else tf.logical_and(tf.cast(mask, tf.bool), value_mask)
        if mask is None:
            return scores
        mask = tf.convert_to_tensor(mask)
        ranks = scores.get_shape().ndims, mask.get_shape().ndims
        if None in ranks:
            return scores
        for _ in range(ranks[0] - ranks[1]):
            mask = tf.expand_dims(mask, -len(self._axes or ()) * 2 - 1)
        return scores + tf.cast(mask, scores.dtype)


class _DotAttention(KerasLayer):
    """What Attention and AdditiveAttention share: a list [query, value] or [query, value, key]."""

    def __init__(self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0,
                 seed: Any = None, **kwargs: Any) -> None:
        kwargs.pop("causal", None)  # of Keras 2
        super().__init__(**kwargs)
        self.use_scale, self.score_mode, self.dropout = use_scale, score_mode, dropout
        if score_mode not in ("dot", "concat"):
            raise fail("SF203", "Invalid value for argument score_mode. Expected one of {'dot', 'concat'}. "
                       "Received: score_mode=%s" % score_mode)

    def _scores(self, query: Any, key: Any) -> Any:
        if self.score_mode == "concat":
            return tf.reduce_sum(tf.tanh(tf.expand_dims(query, -2) + tf.expand_dims(key, -3)), axis=-1)
        return tf.matmul(query, key, transpose_b=True)

    def call(self, inputs: Any, mask: Any = None, training: Any = None,
             return_attention_scores: bool = False, use_causal_mask: bool = False) -> Any:
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise fail("SF201", "%s layer must be called on a list of inputs, namely [query, value] or "
                       "[query, value, key]. Received: inputs=%s." % (name, inputs))
        if not 2 <= len(inputs) <= 3:
            raise fail("SF201", "%s layer accepts inputs list of length 2 or 3, namely [query, value] or "
                       "[query, value, key]. Received length: %d." % (name, len(inputs)))
        query, value, key = inputs[0], inputs[1], inputs[-1]
        if len(inputs) == 2:
            key = value
        weights = tf.nn.softmax(self._scores(query, key))
        outputs = tf.matmul(weights, value)
        return (outputs, weights) if return_attention_scores else outputs


@export("tf.keras.layers.Attention", v2=True)
class Attention(_DotAttention):
    """softmax(query . key) . value"""


@export("tf.keras.layers.AdditiveAttention", v2=True)
class AdditiveAttention(_DotAttention):
    """softmax(sum(tanh(query + key))) . value, with a scale for each feature."""

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(use_scale, "concat", dropout, **kwargs)

    def build(self, input_shape: Any) -> None:
        self.scale = None
        if self.use_scale and isinstance(input_shape, list):
            shape = _core.TensorShape(input_shape[0])
            if shape.ndims is not None:
                self.scale = self.add_weight("scale", shape=[shape.as_list()[-1]])

    def _scores(self, query: Any, key: Any) -> Any:
        sums = tf.tanh(tf.expand_dims(query, -2) + tf.expand_dims(key, -3))
        return tf.reduce_sum(sums if self.scale is None else self.scale * sums, axis=-1)
