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


@export("tf.random.stateless_poisson", v2=True)
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = "int32",
                      name: Optional[str] = None) -> Any:
    """Of `shape`, whose last axes are those of lam."""
    lam = framework_lib.convert_to_tensor(lam)
    return op("StatelessRandomPoisson", [shape, seed, lam], {"dtype": _core.as_dtype(dtype)}, name)


@export("tf.random.stateless_parameterized_truncated_normal", v2=True)
def stateless_parameterized_truncated_normal(shape: Any, seed: Any, means: Any = 0.0, stddevs: Any = 1.0,
                                             minvals: Any = -2.0, maxvals: Any = 2.0,
                                             name: Optional[str] = None) -> Any:
    return op("StatelessParameterizedTruncatedNormal", [
              shape, seed, means, stddevs, minvals, maxvals], None, name)


@export("tf.random.split", "tf.random.experimental.stateless_split", v1=False, v2=True)
def stateless_split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """`num` seeds."""
    seed = framework_lib.convert_to_tensor(seed)
    return _seeds([num, 2], seed, seed.dtype)


@export("tf.random.fold_in", "tf.random.experimental.stateless_fold_in", v1=False, v2=True)
def stateless_fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A seed that depends on `data` as well."""
    data = framework_lib.convert_to_tensor(data)
    return _seeds([2], framework_lib.convert_to_tensor(seed), data.dtype)


def _seeds(shape: Any, seed: Any, dtype: Any) -> Any:
    """Numbers that depend on a seed of two."""
    return op("StatelessRandomUniformInt", [tf.stack(shape), seed, tf.zeros([], dtype), tf.ones([], dtype)])


@export("tf.random.experimental.stateless_shuffle", v1=False, v2=True)
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: Optional[str] = None) -> Any:
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
def sobol_sample(dim: Any, num_results: Any, skip: Any = 0, dtype: Any = "float32",
                 name: Optional[str] = None) -> Any:
    """Points in the unit cube of `dim` axes."""
    return op("SobolSample", [dim, num_results, skip], {"dtype": _core.as_dtype(dtype)}, name)
