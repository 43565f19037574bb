"""tf.keras.layers that attend: Attention, AdditiveAttention.

Source: tensorflow/python/keras/layers/dense_attention.py (1.15).
"""

from __future__ import annotations

from typing import Any

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras.base_layer import KerasLayer
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf


class _DotAttention(KerasLayer):
    """What Attention and AdditiveAttention share: a list [query, value] or [query, value, key]."""

    def __init__(self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0,
                 seed: Any = None, **kwargs: Any) -> None:
        kwargs.pop("causal", None)  # of Keras 2
        super().__init__(**kwargs)
        self.use_scale, self.score_mode, self.dropout = use_scale, score_mode, dropout
        if score_mode not in ("dot", "concat"):
            raise fail("SF203", "Invalid value for argument score_mode. Expected one of {{'dot', 'concat'}}. "
                       "Received: score_mode={text}", score_mode)

    def _scores(self, query: object, key: object) -> Any:
        if self.score_mode == "concat":
            return tf.reduce_sum(tf.tanh(tf.expand_dims(query, -2) + tf.expand_dims(key, -3)), axis=-1)
        return tf.matmul(query, key, transpose_b=True)

    def call(self, inputs: Any, mask: Any = None, training: Any = None,
             return_attention_scores: bool = False, use_causal_mask: bool = False) -> Any:
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise fail("SF201", "{name} layer must be called on a list of inputs, namely [query, value] or "
                       "[query, value, key]. Received: inputs={text}.", name, inputs)
        if not 2 <= len(inputs) <= 3:
            raise fail("SF201", "{name} layer accepts inputs list of length 2 or 3, namely [query, value] or "
                       "[query, value, key]. Received length: {int}.", name, len(inputs))
        query, value, key = inputs[0], inputs[1], inputs[-1]
        if len(inputs) == 2:
            key = value
        weights = tf.nn.softmax(self._scores(query, key))
        outputs = tf.matmul(weights, value)
        return (outputs, weights) if return_attention_scores else outputs


@export("tf.keras.layers.Attention")
class Attention(_DotAttention):
    """softmax(query . key) . value"""


@export("tf.keras.layers.AdditiveAttention")
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

    def _scores(self, query: object, key: object) -> Any:
        sums = tf.tanh(tf.expand_dims(query, -2) + tf.expand_dims(key, -3))
        return tf.reduce_sum(sums if self.scale is None else self.scale * sums, axis=-1)
