"""tf.random.stateless_*, tf.nn.experimental: what takes a seed of two numbers.

Source: tensorflow/python/ops/{stateless_random_ops,nn_ops,sobol_ops}.py, math_ops.py.
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
def stateless_dropout(x: object, rate: object, seed: object, rng_alg: str = "auto_select",
                      noise_shape: object = None, name: Optional[str] = None) -> Any:
    """As tf.nn.dropout: the shape of x."""
    return tf.nn.dropout(x, rate=rate, noise_shape=noise_shape, name=name)


@export("tf.nn.experimental.general_dropout", v2=True)
def general_dropout(x: object, rate: object, uniform_sampler: object, noise_shape: object = None,
                    name: Optional[str] = None) -> Any:
    """As tf.nn.dropout: the shape of x."""
    return tf.nn.dropout(x, rate=rate, noise_shape=noise_shape, name=name)


@export("tf.random.stateless_gamma", v2=True)
def stateless_gamma(shape: object, seed: object, alpha: object, beta: object = None,
                    dtype: object = "float32", name: Optional[str] = None) -> Any:
    """Of `shape`, to which alpha and beta are broadcast."""
    dtype = _core.as_dtype(dtype)
    alpha = framework_lib.convert_to_tensor(alpha, dtype)
    drawn = tf.broadcast_to(alpha, shape)
    return drawn if beta is None else drawn / framework_lib.convert_to_tensor(beta, dtype)


@export("tf.random.stateless_binomial", v2=True)
def stateless_binomial(shape: object, seed: object, counts: Any, probs: Any, output_dtype: object = "int32",
                       name: Optional[str] = None) -> Any:
    """Of `shape`; counts and probs have the same dtype."""
    probs = framework_lib.convert_to_tensor(probs)
    counts = tf.cast(counts, probs.dtype)
    return op("StatelessRandomBinomial", [shape, seed, counts, probs],
              {"dtype": _core.as_dtype(output_dtype)}, name)


@export("tf.random.stateless_poisson", v2=True)
def stateless_poisson(shape: object, seed: object, lam: object, dtype: object = "int32",
                      name: Optional[str] = None) -> Any:
    """Of `shape`, whose last axes are those of lam."""
    lam = framework_lib.convert_to_tensor(lam)
    return op("StatelessRandomPoisson", [shape, seed, lam], {"dtype": _core.as_dtype(dtype)}, name)


@export("tf.random.stateless_parameterized_truncated_normal", v2=True)
def stateless_parameterized_truncated_normal(shape: object, seed: object, means: object = 0.0,
                                             stddevs: object = 1.0, minvals: object = -2.0,
                                             maxvals: object = 2.0, name: Optional[str] = None) -> Any:
    return op("StatelessParameterizedTruncatedNormal", [
              shape, seed, means, stddevs, minvals, maxvals], None, name)


@export("tf.random.split", "tf.random.experimental.stateless_split", v1=False, v2=True)
def stateless_split(seed: Any, num: Any = 2, alg: object = "auto_select") -> Any:
    """`num` seeds."""
    seed = framework_lib.convert_to_tensor(seed)
    return _seeds([num, 2], seed, seed.dtype)


@export("tf.random.fold_in", "tf.random.experimental.stateless_fold_in", v1=False, v2=True)
def stateless_fold_in(seed: Any, data: Any, alg: object = "auto_select") -> Any:
    """A seed that depends on `data` as well."""
    data = framework_lib.convert_to_tensor(data)
    return _seeds([2], framework_lib.convert_to_tensor(seed), data.dtype)


def _seeds(shape: object, seed: object, dtype: object) -> Any:
    """Numbers that depend on a seed of two."""
    return op("StatelessRandomUniformInt", [tf.stack(shape), seed, tf.zeros([], dtype), tf.ones([], dtype)])


@export("tf.random.experimental.stateless_shuffle", v1=False, v2=True)
def stateless_shuffle(value: object, seed: object, alg: object = "auto_select",
                      name: Optional[str] = None) -> Any:
    """The rows in another order."""
    return tf.random.shuffle(value, name=name)


@export("tf.random.experimental.index_shuffle", v1=False, v2=True)
def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """Where an index goes in a shuffle."""
    seed = framework_lib.convert_to_tensor(seed)
    if seed.dtype.is_floating:
        raise ValueError("Seed must be an integer type.")
    dims = seed.get_shape().as_list() if seed.get_shape().ndims is not None else [3]
    if dims[-1] == 2:
        seed = tf.concat([seed, seed[..., :1]], -1)
    index = framework_lib.convert_to_tensor(index)
    return op("RandomIndexShuffle", [index, seed, tf.cast(max_index, index.dtype)], {"rounds": 4})


@export("tf.math.sobol_sample", v2=True)
def sobol_sample(dim: object, num_results: object, skip: object = 0, dtype: object = "float32",
                 name: Optional[str] = None) -> Any:
    """Points in the unit cube of `dim` axes."""
    return op("SobolSample", [dim, num_results, skip], {"dtype": _core.as_dtype(dtype)}, name)
