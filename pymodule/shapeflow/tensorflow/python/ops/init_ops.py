"""tf.*_initializer, tf.initializers.*, contrib's initialisers: objects that make a shaped tensor.

Source: tensorflow/python/ops/init_ops.py; node names are TensorFlow's (random_uniform, mul, ...).
"""
from __future__ import annotations

import math

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple


class Initializer:
    """Base: called with a shape, gives the initial value."""

    dtype: Any = None

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    @classmethod
    def from_config(cls, config: dict[str, object]) -> "Initializer":
        return cls(**config)

    def _dtype(self, dtype: object) -> _core.DType:
        return _core.as_dtype(dtype or self.dtype or "float32")


put(Initializer, "tf.keras.initializers.Initializer", v2=True)


class Zeros(Initializer):
    def __init__(self, dtype: Any = "float32") -> None:
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        return tf.zeros(shape, self._dtype(dtype))


class Ones(Initializer):
    def __init__(self, dtype: Any = "float32") -> None:
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        return tf.ones(shape, self._dtype(dtype))


class Constant(Initializer):
    def __init__(self, value: Any = 0, dtype: Any = "float32", verify_shape: bool = False) -> None:
        self.value = value
        self.dtype = _core.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None,
                 verify_shape: Optional[bool] = None) -> Any:
        return tf.constant(self.value, dtype=self._dtype(dtype), shape=shape)


class RandomUniform(Initializer):
    def __init__(self, minval: Any = 0, maxval: Any = None, seed: Any = None,
                 dtype: Any = "float32") -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        return tf.random_uniform(shape, self.minval, self.maxval, self._dtype(dtype), seed=self.seed)


class RandomNormal(Initializer):
    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None,
                 dtype: Any = "float32") -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        return tf.random_normal(shape, self.mean, self.stddev, self._dtype(dtype), seed=self.seed)


class TruncatedNormal(Initializer):
    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None,
                 dtype: Any = "float32") -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        return tf.truncated_normal(shape, self.mean, self.stddev, self._dtype(dtype), seed=self.seed)


class UniformUnitScaling(Initializer):
    def __init__(self, factor: float = 1.0, seed: Any = None, dtype: Any = "float32") -> None:
        self.factor, self.seed, self.dtype = factor, seed, _core.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: object = None, partition_info: object = None) -> Any:
        size = 1.0
        for dim in list(shape)[:-1]:
            size *= float(dim)
        limit = math.sqrt(3 / max(size, 1.0)) * self.factor
        return tf.random_uniform(shape, -limit, limit, self._dtype(dtype), seed=self.seed)


def fans(shape: Any) -> Tuple[float, float]:
    """fan_in, fan_out of a weight shape."""
    dims = [int(d) for d in shape]
    if len(dims) < 1:
        return 1.0, 1.0
    if len(dims) == 1:
        return float(dims[0]), float(dims[0])
    field = 1.0
    for d in dims[:-2]:
        field *= d
    return dims[-2] * field, dims[-1] * field


@export("tensorflow.python.ops.init_ops._compute_fans", v2=True)
def whole_fans(shape: object) -> Tuple[int, int]:
    """The same as whole numbers, as TensorFlow's own function gives them since 1.15."""
    fan_in, fan_out = fans(shape)
    return int(fan_in), int(fan_out)


class VarianceScaling(Initializer):
    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal",
                 seed: Any = None, dtype: Any = "float32") -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed
        self.dtype = _core.as_dtype(dtype)

    def __call__(self, shape: object, dtype: object = None, partition_info: object = None) -> Any:
        dtype = self._dtype(dtype)
        fan_in, fan_out = fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        scale = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return tf.random_uniform(shape, -limit, limit, dtype, seed=self.seed)
        stddev = math.sqrt(scale)
        if self.distribution == "untruncated_normal":
            return tf.random_normal(shape, 0.0, stddev, dtype, seed=self.seed)
        return tf.truncated_normal(shape, 0.0, stddev / .87962566103423978, dtype, seed=self.seed)


class GlorotUniform(VarianceScaling):
    def __init__(self, seed: Any = None, dtype: Any = "float32") -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class GlorotNormal(VarianceScaling):
    def __init__(self, seed: Any = None, dtype: Any = "float32") -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


class Orthogonal(Initializer):
    def __init__(self, gain: float = 1.0, seed: Any = None, dtype: Any = "float32") -> None:
        self.gain, self.seed, self.dtype = gain, seed, _core.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: object = None, partition_info: object = None) -> Any:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        return tf.random_normal(shape, dtype=self._dtype(dtype), seed=self.seed)


class Identity(Initializer):
    def __init__(self, gain: float = 1.0, dtype: Any = "float32") -> None:
        self.gain, self.dtype = gain, _core.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: object = None) -> Any:
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        return tf.eye(int(shape[0]), int(shape[1]), dtype=self._dtype(dtype))


for _cls, _names in (
        (Zeros, "zeros_initializer initializers.zeros keras.initializers.zeros keras.initializers.Zeros"),
        (Ones, "ones_initializer initializers.ones keras.initializers.ones keras.initializers.Ones"),
        (Constant, "constant_initializer initializers.constant keras.initializers.constant "
                   "keras.initializers.Constant"),
        (RandomUniform, "random_uniform_initializer initializers.random_uniform "
                        "keras.initializers.RandomUniform keras.initializers.random_uniform"),
        (RandomNormal, "random_normal_initializer initializers.random_normal "
                       "keras.initializers.RandomNormal keras.initializers.random_normal"),
        (TruncatedNormal, "truncated_normal_initializer initializers.truncated_normal "
                          "keras.initializers.TruncatedNormal keras.initializers.truncated_normal"),
        (UniformUnitScaling, "uniform_unit_scaling_initializer initializers.uniform_unit_scaling"),
        (VarianceScaling, "variance_scaling_initializer initializers.variance_scaling "
                          "keras.initializers.VarianceScaling"),
        (Orthogonal, "orthogonal_initializer initializers.orthogonal keras.initializers.Orthogonal "
                     "keras.initializers.orthogonal"),
        (Identity, "initializers.identity keras.initializers.Identity keras.initializers.identity"),
        (GlorotUniform, "glorot_uniform_initializer initializers.glorot_uniform "
                        "keras.initializers.glorot_uniform keras.initializers.GlorotUniform"),
        (GlorotNormal, "glorot_normal_initializer initializers.glorot_normal "
                       "keras.initializers.glorot_normal keras.initializers.GlorotNormal")):
    for _name in _names.split():
        put(_cls, "tf." + _name, v2=not _name.endswith("_initializer"))


# TensorFlow 2's, which are given the dtype with the shape.
@export("tf.zeros_initializer", v1=False, v2=True)
class ZerosV2(Zeros):
    def __init__(self) -> None:
        super().__init__()


@export("tf.ones_initializer", v1=False, v2=True)
class OnesV2(Ones):
    def __init__(self) -> None:
        super().__init__()


@export("tf.constant_initializer", v1=False, v2=True)
class ConstantV2(Constant):
    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        super().__init__(value)


@export("tf.random_uniform_initializer", v1=False, v2=True)
class RandomUniformV2(RandomUniform):
    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)


@export("tf.random_normal_initializer", v1=False, v2=True)
class RandomNormalV2(RandomNormal):
    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)


def _scaling(names: str, scale: float, mode: str, distribution: str) -> None:
    def make(seed: Any = None, dtype: Any = "float32") -> VarianceScaling:
        return VarianceScaling(scale, mode, distribution, seed, dtype or "float32")

    make.__name__ = names.split()[0].rsplit(".", 1)[-1]
    put(make, *names.split(), v2=True)


_scaling("tf.initializers.he_normal tf.keras.initializers.he_normal tf.keras.initializers.HeNormal",
         2.0, "fan_in", "truncated_normal")
_scaling("tf.initializers.he_uniform tf.keras.initializers.he_uniform tf.keras.initializers.HeUniform",
         2.0, "fan_in", "uniform")
_scaling("tf.initializers.lecun_normal tf.keras.initializers.lecun_normal "
         "tf.keras.initializers.LecunNormal", 1.0, "fan_in", "truncated_normal")
_scaling("tf.initializers.lecun_uniform tf.keras.initializers.lecun_uniform "
         "tf.keras.initializers.LecunUniform", 1.0, "fan_in", "uniform")


@export("tf.contrib.layers.xavier_initializer", "tf.contrib.layers.xavier_initializer_conv2d",
        "tf.contrib.slim.xavier_initializer", "tf.contrib.slim.xavier_initializer_conv2d")
def xavier_initializer(uniform: bool = True, seed: object = None, dtype: object = "float32") -> Any:
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


@export("tf.contrib.layers.variance_scaling_initializer",
        "tf.contrib.slim.variance_scaling_initializer")
def variance_scaling_initializer(factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False,
                                 seed: object = None, dtype: object = "float32") -> Any:
    dtype = _core.as_dtype(dtype)
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]" % mode)

    def initializer(shape: List[int], dtype: Any = dtype, partition_info: Any = None) -> Any:
        fan_in, fan_out = fans(shape)
        fan = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / max(fan, 1e-12))
            return tf.random_uniform(shape, -limit, limit, dtype, seed=seed)
        stddev = math.sqrt(1.3 * factor / max(fan, 1e-12))
        return tf.truncated_normal(shape, 0.0, stddev, dtype, seed=seed)

    return initializer


@export("tf.keras.initializers.get", v2=True)
def get(identifier: Any) -> Any:
    """keras.initializers.get: a name, a config or a callable."""
    if identifier is None or callable(identifier) and not isinstance(identifier, (str, type)):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    from shapeflow.api import registry

    if isinstance(identifier, dict):
        name, config = identifier["class_name"], identifier.get("config", {})
    else:
        name, config = str(identifier), {}
    if name == "normal":
        name = "random_normal"
    elif name == "uniform":
        name = "random_uniform"
    found = registry.find("tf.keras.initializers." + name, 1)
    if found is registry.MISSING:
        raise ValueError("Unknown initializer: " + str(identifier))
    return found(**config)
