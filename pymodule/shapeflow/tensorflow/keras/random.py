"""keras.random: numbers of a shape that is given; which ones, nobody asks.

Source: keras/src/random/{random,seed_generator}.py, keras/src/backend/tensorflow/random.py (3).
"""

from __future__ import annotations

from typing import Any

from shapeflow import _core
from shapeflow.api.registry import export
from shapeflow.tensorflow.keras import mixed_precision
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf


@export("tf.keras.random.SeedGenerator", v2=True)
class SeedGenerator:
    """keras.random.SeedGenerator: `next()` gives a seed of two numbers."""

    def __init__(self, seed: Any = None, name: Any = None, **kwargs: Any) -> None:
        if seed is not None and not isinstance(seed, int):
            raise ValueError("Argument `seed` must be an integer. Received: seed=%s" % (seed,))
        self._initial_seed, self.name = seed, name or "seed_generator"

    def next(self, ordered: bool = True) -> Any:
        return op_builders.unknown("int64", [2], None, trusted=True)

    def get_config(self) -> Any:
        return {"seed": self._initial_seed}

    @classmethod
    def from_config(cls, config: Any) -> Any:
        return cls(**config)


def _numbers(shape: Any, dtype: Any) -> Any:
    dtype = _core.as_dtype(dtype or mixed_precision.floatx())
    return tf.cast(tf.random.uniform(shape, dtype=_core.as_dtype("float32")), dtype)


@export("tf.keras.random.normal", v2=True)
def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.truncated_normal", v2=True)
def truncated_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None,
                     seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.uniform", v2=True)
def uniform(shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.randint", v2=True)
def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.gamma", v2=True)
def gamma(shape: Any, alpha: Any, dtype: Any = None, seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.beta", v2=True)
def beta(shape: Any, alpha: Any, beta: Any, dtype: Any = None, seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.binomial", v2=True)
def binomial(shape: Any, counts: Any, probabilities: Any, dtype: Any = None, seed: Any = None) -> Any:
    return _numbers(shape, dtype)


@export("tf.keras.random.categorical", v2=True)
def categorical(logits: Any, num_samples: Any, dtype: Any = "int32", seed: Any = None) -> Any:
    """[batch, num_samples] of logits [batch, classes]."""
    made = tf.random.categorical(framework_lib.convert_to_tensor(logits), num_samples)
    return tf.cast(made, _core.as_dtype(dtype or "int32"))


@export("tf.keras.random.dropout", v2=True)
def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Any:
    return tf.identity(framework_lib.convert_to_tensor(inputs))


@export("tf.keras.random.shuffle", v2=True)
def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Any:
    return tf.identity(framework_lib.convert_to_tensor(x))
