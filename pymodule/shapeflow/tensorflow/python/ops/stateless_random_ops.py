"""tf.random.stateless_*, tf.nn.experimental: what takes a seed of two numbers.

Source: tensorflow/python/ops/{stateless_random_ops,nn_ops}.py.
"""
from __future__ import annotations

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.python.framework import framework_lib
from shapeflow.tensorflow.python.framework.op_builders import op, tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


@export("tf.nn.experimental.stateless_dropout", v2=True)
def stateless_dropout(x: Any, rate: Any, seed: Any, rng_alg: str = "auto_select", noise_shape: Any = None,
                      name: Optional[str] = None) -> Any:
    """As tf.nn.dropout: the shape of x."""
    return tf.nn.dropout(x, rate=rate, noise_shape=noise_shape, name=name)


@export("tf.nn.experimental.general_dropout", v2=True)
def general_dropout(x: Any, rate: Any, uniform_sampler: Any, noise_shape: Any = None,
                    name: Optional[str] = None) -> Any:
    """As tf.nn.dropout: the shape of x."""
    return tf.nn.dropout(x, rate=rate, noise_shape=noise_shape, name=name)


@export("tf.random.stateless_gamma", v2=True)
def stateless_gamma(shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = "float32",
                    name: Optional[str] = None) -> Any:
    """Of `shape`, to which alpha and beta are broadcast."""
    dtype = _core.as_dtype(dtype)
    alpha = framework_lib.convert_to_tensor(alpha, dtype)
    drawn = tf.broadcast_to(alpha, shape)
    return drawn if beta is None else drawn / framework_lib.convert_to_tensor(beta, dtype)


@export("tf.random.stateless_binomial", v2=True)
def stateless_binomial(shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = "int32",
                       name: Optional[str] = None) -> Any:
    """Of `shape`; counts and probs have the same dtype."""
    probs = framework_lib.convert_to_tensor(probs)
    counts = tf.cast(counts, probs.dtype)
    return op("StatelessRandomBinomial", [shape, seed, counts, probs],
              {"dtype": _core.as_dtype(output_dtype)}, name)
