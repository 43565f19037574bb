"""tf.contrib.distributions beyond tf.distributions: more families, events of several numbers, mixtures.

Source: tensorflow/contrib/distributions/python/ops (1.15).
"""
from __future__ import annotations

from shapeflow.api import registry
from shapeflow.api.registry import export, put
from shapeflow.tensorflow.python.framework import framework_lib, op_builders
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.ops.distributions import Discrete, Distribution, Parameters, to_float

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_BOTH = "tf.distributions.%s tf.contrib.distributions.%s"

for _name, _names in (("Cauchy", ("loc", "scale")), ("Logistic", ("loc", "scale")),
                      ("HalfNormal", ("scale",)), ("Poisson", ("rate",)),
                      ("InverseGamma", ("concentration", "rate")),
                      ("Kumaraswamy", ("concentration1", "concentration0")), ("Deterministic", ("loc",))):
    put(type(_name, (Parameters,), {"names": _names, "__module__": __name__}),
        "tf.contrib.distributions." + _name)
put(type("Chi2", (registry.loaded("tf.distributions.Gamma", 1),), {"names": ("df",), "__module__": __name__}),
    "tf.contrib.distributions.Chi2")


@export("tf.contrib.distributions.Geometric")
class Geometric(Discrete):
    """How often it fails before it succeeds, for each logit: a float."""

    def __init__(self, logits: Any = None, probs: Any = None, validate_args: bool = True,
                 allow_nan_stats: bool = True, name: str = "Geometric") -> None:
        super().__init__(logits, probs, "float32", validate_args, allow_nan_stats, name)


class _Vectors(Discrete):
    """One event for each row of logits."""

    _event = 1

    @staticmethod
    def _normalised(values: object) -> Any:
        return tf.nn.softmax(values)

    @property
    def event_size(self) -> Any:
        return tf.shape(self._values)[-1]


@export("tf.contrib.distributions.OneHotCategorical")
class OneHotCategorical(_Vectors):
    """A row with one 1."""


class _Relaxed(_Vectors):
    """Of a temperature."""

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, dtype: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: Optional[str] = None) -> None:
        values = logits if logits is not None else probs
        super().__init__(logits, probs, dtype or to_float(values).dtype, validate_args, allow_nan_stats, name)
        self.temperature = to_float(temperature)


@export("tf.contrib.distributions.RelaxedOneHotCategorical",
        "tf.contrib.distributions.ExpRelaxedOneHotCategorical")
class RelaxedOneHotCategorical(_Relaxed):
    """A row of numbers whose sum is 1."""


@export("tf.contrib.distributions.RelaxedBernoulli")
class RelaxedBernoulli(_Relaxed):
    """A number between 0 and 1, for each logit."""

    _event = 0

    def __init__(self, temperature: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: Optional[str] = None) -> None:
        super().__init__(temperature, logits, probs, None, validate_args, allow_nan_stats, name)

    @staticmethod
    def _normalised(values: object) -> Any:
        return tf.nn.sigmoid(values)


@export(*(_BOTH % ("Dirichlet", "Dirichlet")).split())
class Dirichlet(Distribution):
    """A row whose sum is 1, for each row of concentrations."""

    _event = 1

    def __init__(self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Dirichlet") -> None:
        self.concentration = to_float(concentration)
        self.total_concentration = tf.reduce_sum(self.concentration, axis=-1)
        self._describe(self.concentration, name)


@export(*(_BOTH % ("Multinomial", "Multinomial")).split())
class Multinomial(Distribution):
    """How often each class is drawn."""

    _event = 1

    def __init__(self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Multinomial", p: Any = None) -> None:
        probs = p if probs is None else probs  # its name in TensorFlow 0.12
        if (logits is None) == (probs is None):
            raise ValueError("Must pass probs or logits, but not both.")
        self.total_count = to_float(total_count)
        values = to_float(logits if logits is not None else probs)
        self.logits = values if logits is not None else tf.log(values)
        self.probs = values if probs is not None else tf.nn.softmax(values)
        self._describe(values + tf.expand_dims(tf.zeros_like(self.total_count), -1), name)


class _Binomial(Distribution):
    """How often it succeeds, or fails, for each logit."""

    def __init__(self, total_count: Any, logits: Any = None, probs: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: Optional[str] = None, p: Any = None) -> None:
        probs = p if probs is None else probs  # its name in TensorFlow 0.12
        if (logits is None) == (probs is None):
            raise ValueError("Must pass probs or logits, but not both.")
        self.total_count = to_float(total_count)
        values = to_float(logits if logits is not None else probs)
        self.logits = values if logits is not None else tf.log(values)
        self.probs = values if probs is not None else tf.nn.sigmoid(values)
        self._describe(values + tf.zeros_like(self.total_count), name)


for _name in ("Binomial", "NegativeBinomial"):
    put(type(_name, (_Binomial,), {"__module__": __name__}), "tf.contrib.distributions." + _name)


class _Normals(Distribution):
    """Normals that depend on each other, as one event: the last axis."""

    _event = 1

    def __init__(self, loc: Any = None, scale: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: Optional[str] = None) -> None:
        with framework_lib.name_scope(name or type(self).__name__):
            parts: List[Any] = []
            if loc is not None:
                parts.append(to_float(loc))
            if scale is not None:
                parts.append(tf.reduce_max(to_float(scale), axis=-1))
            like = parts[0] if len(parts) == 1 else parts[0] + tf.zeros_like(parts[1])
        self.loc = None if loc is None else parts[0]
        self._describe(like, name)


@export("tf.contrib.distributions.MultivariateNormalTriL")
class MultivariateNormalTriL(_Normals):
    """By the triangle of its scale."""

    def __init__(self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalTriL") -> None:
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        super().__init__(loc, scale_tril, name=name)


@export("tf.contrib.distributions.MultivariateNormalFullCovariance")
class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """By its covariance."""

    def __init__(self, loc: Any = None, covariance_matrix: Any = None, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MultivariateNormalFullCovariance") -> None:
        if loc is None and covariance_matrix is None:
            raise ValueError("Must specify one or both of `loc`, `covariance_matrix`.")
        super().__init__(loc, covariance_matrix, name=name)


# --- of other distributions -----------------------------------------------------------------------
def _like(of: Any) -> Any:
    """A tensor of the shape of what a distribution draws; unknown where it is not ours."""
    return of._like if _is_ours(of) else op_builders.unknown("float32")


def _is_ours(distribution: object) -> bool:
    """Not one that is not modelled, which is an instance of Distribution, too."""
    return hasattr(distribution, "_like")


@export("tf.contrib.distributions.Independent")
class Independent(Distribution):
    """Another one whose last batch axes are axes of the event."""

    def __init__(self, distribution: Any, reinterpreted_batch_ndims: Any = None, validate_args: bool = False,
                 name: Optional[str] = None) -> None:
        self.distribution = distribution
        like = _like(distribution)
        of_event = distribution._event if _is_ours(distribution) else 0
        taken = reinterpreted_batch_ndims
        if taken is None:
            rank = like.get_shape().ndims
            taken = None if rank is None else max(0, rank - of_event - 1)
        if taken is None or not _is_ours(distribution):
            like, taken = op_builders.unknown(like.dtype), 0
        self.reinterpreted_batch_ndims = self._taken = int(taken)
        self._event = of_event + self._taken
        self._describe(like, name, distribution.dtype if _is_ours(distribution) else None)

    def _density(self, value: Any) -> Any:
        inner = self.distribution._density(value) if _is_ours(self.distribution) else self._like
        return tf.reduce_sum(inner, axis=list(range(-self._taken, 0))) if self._taken else inner


@export("tf.contrib.distributions.Mixture")
class Mixture(Distribution):
    """One of several, chosen by a Categorical."""

    def __init__(self, cat: Any, components: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 use_static_graph: bool = False, name: str = "Mixture") -> None:
        self.cat, self.components = cat, list(components)
        self.num_components = len(self.components)
        self._event = getattr(self.components[0], "_event", 0)
        self._describe(_like(self.components[0]), name, getattr(self.components[0], "dtype", None))


@export("tf.contrib.distributions.MixtureSameFamily")
class MixtureSameFamily(Distribution):
    """One of those along the last batch axis of another."""

    def __init__(self, mixture_distribution: Any, components_distribution: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "MixtureSameFamily") -> None:
        self.mixture_distribution = mixture_distribution
        self.components_distribution = components_distribution
        self._event = getattr(components_distribution, "_event", 0)
        like = _like(components_distribution)
        if like.get_shape().ndims is not None:
            like = tf.reduce_max(like, axis=-1 - self._event)
        self._describe(like, name, getattr(components_distribution, "dtype", None))
