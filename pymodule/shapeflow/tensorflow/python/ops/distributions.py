"""tf.distributions and tf.contrib.distributions: shapes of samples, densities, entropies.

A density is computed by ops that broadcast as the real ones do; only its value is made up.
Source: tensorflow/python/ops/distributions/{distribution,normal,categorical,bernoulli,...}.py (1.15).
"""

from __future__ import annotations

from shapeflow import _core
from shapeflow.api import registry
from shapeflow.api.registry import export, put, put_subclass
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.error_report import fail
from shapeflow.tensorflow.python.framework.op_builders import tf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence


def to_float(value: object) -> Any:
    return framework_lib.convert_to_tensor(value, None, None, _core.as_dtype("float32"))


class Distribution:
    """What all share: `_like` is a tensor of the shape batch + event, unknown in a script's own class."""

    _event = 0  # axes of one event

    def __init__(self, dtype: Any = None, reparameterization_type: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, parameters: Any = None, graph_parents: Any = None,
                 name: Optional[str] = None, is_continuous: bool = True,
                 is_reparameterized: bool = True) -> None:
        self._describe(op_builders.unknown(dtype), name, dtype)

    def _describe(self, like: Any, name: Optional[str], dtype: Any = None) -> None:
        self._like, self._name = like, name or type(self).__name__
        self._dtype = _core.as_dtype(dtype) if dtype is not None else like.dtype

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def _static(self) -> Any:
        return self._like.get_shape()

    @property
    def batch_shape(self) -> Any:
        shape = self._static()
        return shape if shape.ndims is None or not self._event else shape[:-self._event]

    @property
    def event_shape(self) -> Any:
        shape = self._static()
        if not self._event:
            return _core.TensorShape([])
        return shape if shape.ndims is None else shape[-self._event:]

    def _batch(self, x: object) -> Any:
        return tf.reduce_sum(x, axis=list(range(-self._event, 0))) if self._event else x

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        return tf.shape(self._batch(self._like))

    def sample(self, sample_shape: object = (), seed: object = None, name: str = "sample") -> Any:
        with framework_lib.name_scope(self._name + "/" + name):
            wanted = framework_lib.convert_to_tensor(sample_shape, _core.as_dtype("int32"))
            if wanted.get_shape().ndims == 0:
                wanted = tf.reshape(wanted, [1])
            noise = tf.random_normal(tf.concat([wanted, tf.shape(self._like)], 0))
            made = self._sampled(noise)
            lead = _core.constant_value_as_shape(wanted)
            if not _core.executing_eagerly() and lead.ndims is not None:
                made.set_shape(lead.concatenate(self._static()))
            return made

    def _sampled(self, noise: Any) -> Any:
        return self._like + tf.cast(noise, self._like.dtype)

    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        with framework_lib.name_scope(self._name + "/" + name):
            value = framework_lib.convert_to_tensor(value, None, "value", self._dtype)
            if value.dtype != self._like.dtype:
                value = tf.cast(value, self._like.dtype)
            return self._density(value)

    prob = cdf = log_cdf = survival_function = log_survival_function = log_prob

    def _density(self, value: Any) -> Any:
        return self._batch(-tf.square(value - self._like))

    def entropy(self, name: str = "entropy") -> Any:
        with framework_lib.name_scope(self._name + "/" + name):
            return self._batch(tf.abs(self._like))

    def mean(self, name: str = "mean") -> Any:
        with framework_lib.name_scope(self._name + "/" + name):
            return tf.identity(self._like)

    stddev = variance = mode = mean

    def kl_divergence(self, other: object, name: str = "kl_divergence") -> Any:
        return kl_divergence(self, other)

    cross_entropy = kl_divergence


def _named(name: str) -> List[str]:
    return ["tf.distributions." + name, "tf.contrib.distributions." + name]


put(Distribution, *_named("Distribution"))


def _check_broadcast(a: Any, b: Any) -> None:
    if a.ndims is None or b.ndims is None:
        return
    for x, y in zip(reversed(a.as_list()), reversed(b.as_list())):
        if None not in (x, y) and 1 not in (x, y) and x != y:
            raise fail("SF107", "Incompatible shapes for broadcasting: {shape} and {shape}", a, b)


class Parameters(Distribution):
    """Of parameters that broadcast against each other: one for each number that is drawn."""

    names: Sequence[str] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = kwargs.pop("name", None)
        for key in ("validate_args", "allow_nan_stats"):
            kwargs.pop(key, None)
        given = list(args[:len(self.names)])
        for key in self.names[len(given):]:
            given.append(kwargs.pop(key, 1.0))
        if kwargs:
            raise TypeError("__init__() got an unexpected keyword argument '%s'" % sorted(kwargs)[0])
        with framework_lib.name_scope(name or type(self).__name__):
            like, *others = values = [to_float(g) for g in given]
            for other in others:
                _check_broadcast(like.get_shape(), other.get_shape())
                like = like + other * tf.zeros_like(other)
        for key, value in zip(self.names, values):
            self.__dict__["_" + key] = value
        self._describe(like, name)

    def __getattr__(self, key: str) -> Any:
        if not key.startswith("_") and key in type(self).names:
            return self.__dict__["_" + key]
        raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, key))


for _name, _names_of in (("Normal", ("loc", "scale")), ("Laplace", ("loc", "scale")),
                         ("Uniform", ("low", "high")), ("Gamma", ("concentration", "rate")),
                         ("Beta", ("concentration1", "concentration0")),
                         ("StudentT", ("df", "loc", "scale"))):
    put(type(_name, (Parameters,), {"names": _names_of, "__module__": __name__}), *_named(_name))
put(type("Exponential", (registry.loaded("tf.distributions.Gamma", 1),),
         {"names": ("rate",), "__module__": __name__}), *_named("Exponential"))
put_subclass(registry.loaded("tf.distributions.Normal", 1),
             "tf.contrib.distributions.NormalWithSoftplusScale")


class Discrete(Distribution):
    """By logits or probs."""

    def __init__(self, logits: Any = None, probs: Any = None, dtype: Any = "int32",
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: Optional[str] = None, p: Any = None) -> None:
        probs = p if probs is None else probs  # its name in TensorFlow 0.12
        if (logits is None) == (probs is None):
            raise ValueError("Must pass probs or logits, but not both.")
        with framework_lib.name_scope(name or type(self).__name__):
            values = to_float(logits if logits is not None else probs)
            self.logits = values if logits is not None else tf.log(values)
            self.probs = values if probs is not None else self._normalised(values)
            like = self._reduced(values)
        self._describe(like, name, dtype)
        self._values = values

    @staticmethod
    def _normalised(values: object) -> Any:
        return tf.nn.sigmoid(values)

    @staticmethod
    def _reduced(values: object) -> Any:
        return values

    def _sampled(self, noise: object) -> Any:
        return tf.cast(super()._sampled(noise), self._dtype)

    def mode(self, name: str = "mode") -> Any:
        return tf.cast(self._like, self._dtype)


@export(*_named("Bernoulli"))
class Bernoulli(Discrete):
    """0 or 1, for each logit."""


@export(*_named("Categorical"))
class Categorical(Discrete):
    """The number of one of the logits of the last axis."""

    @staticmethod
    def _normalised(values: object) -> Any:
        return tf.nn.softmax(values)

    @staticmethod
    def _reduced(values: object) -> Any:
        return tf.reduce_max(values, axis=-1)

    @property
    def event_size(self) -> Any:
        return tf.shape(self._values)[-1]


@export("tf.contrib.distributions.MultivariateNormalDiag")
class MultivariateNormalDiag(Distribution):
    """Independent normals as one event: the last axis."""

    _event = 1

    def __init__(self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: Optional[str] = "MultivariateNormalDiag") -> None:
        with framework_lib.name_scope(name or type(self).__name__):
            parts = [to_float(p) for p in (loc, scale_diag) if p is not None]
            if not parts:
                raise ValueError("Must specify one or both of `loc`, `scale_diag`.")
            like = parts[0] if len(parts) == 1 else parts[0] + parts[1] * tf.zeros_like(parts[1])
        self.loc, self.scale_diag = loc, scale_diag
        self._describe(like, name)


put_subclass(MultivariateNormalDiag, "tf.contrib.distributions.MultivariateNormalDiagWithSoftplusScale")


@export(*_named("kl_divergence"))
def kl_divergence(distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True,
                  name: Optional[str] = None) -> Any:
    a, b = distribution_a, distribution_b
    if not hasattr(a, "_like") or not hasattr(b, "_like"):
        from shapeflow.api.unmodelled import Opaque

        return Opaque("tf.distributions.kl_divergence", [d._like for d in (a, b) if hasattr(d, "_like")])
    if isinstance(a, Categorical) and isinstance(b, Categorical):
        return tf.reduce_sum(a._values - b._values, axis=-1)
    return a._batch(a._like - b._like)
