"""The dtypes that layers of tf.keras compute with: policies, mixed precision, loss scaling.

A layer of a mixed policy keeps its variables in one dtype and computes in another. One of ours computes as
always and casts what it gives; one of the script gets its inputs and, for the time of its call, what
add_weight made in the dtype that it computes with.
Source: keras/src/{dtype_policies/dtype_policy,layers/layer,optimizers/loss_scale_optimizer}.py (3),
tensorflow/python/keras/mixed_precision (2.4).
"""

from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, List

from shapeflow import _core
from shapeflow.api import names
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework.op_builders import tf
from shapeflow.tensorflow.python.util import nest

_MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}
_state: Dict[str, Any] = {"policy": None, "floatx": "float32"}


class DTypePolicy:
    """keras.DTypePolicy(name): `compute_dtype` and `variable_dtype` are names of dtypes."""

    def __init__(self, name: Any, source_name: Any = None) -> None:
        if not isinstance(name, str):
            raise TypeError("'name' must be a string, such as 'mixed_float16'. Received: name=%s (of type %s)"
                            % (name, type(name)))
        self._name = name
        name = name.rpartition("_from_")[2]  # int8_from_mixed_bfloat16: what is not quantized
        self.variable_dtype = "float32" if name in _MIXED else _core.as_dtype(name).name
        self.compute_dtype = _MIXED.get(name, self.variable_dtype)

    name = property(lambda self: self._name)

    def __repr__(self) -> str:
        return '<DTypePolicy "%s">' % self._name

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other._name == self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def get_config(self) -> Dict[str, Any]:
        return {"name": self._name}

    @classmethod
    def from_config(cls, config: Dict[str, Any]) -> Any:
        return cls(**config)


put(DTypePolicy, *("tf.keras." + _name for _name in (
    "DTypePolicy", "FloatDTypePolicy", "dtype_policies.DTypePolicy", "dtype_policies.FloatDTypePolicy",
    "mixed_precision.DTypePolicy", "mixed_precision.Policy", "mixed_precision.experimental.Policy")), v2=True)


@export("tf.keras.mixed_precision.global_policy", "tf.keras.mixed_precision.dtype_policy",
        "tf.keras.config.dtype_policy", "tf.keras.mixed_precision.experimental.global_policy", v2=True)
def dtype_policy() -> Any:
    return _state["policy"] or DTypePolicy(_state["floatx"])


@export("tf.keras.mixed_precision.set_global_policy", "tf.keras.mixed_precision.set_dtype_policy",
        "tf.keras.config.set_dtype_policy", "tf.keras.mixed_precision.experimental.set_policy", v2=True)
def set_dtype_policy(policy: Any) -> None:
    _state["policy"] = policy if policy is None else _policy(policy)


def _policy(given: Any) -> Any:
    if isinstance(given, Opaque):
        return None
    return given if hasattr(given, "compute_dtype") else DTypePolicy(given if isinstance(given, str) else
                                                                     _core.as_dtype(given).name)


def policy_of(dtype: Any) -> Any:
    """The policy of a layer that is made with `dtype`; None where its dtype is not given in any way, or by
    something unmodelled."""
    if dtype is None:
        plain = _state["policy"] is None and _state["floatx"] == "float32"
        return None if plain else dtype_policy()
    if isinstance(dtype, dict):  # a configuration
        return _policy(dtype.get("config", dtype).get("name", "float32"))
    return _policy(dtype)


def floatx() -> Any:
    return _state["floatx"]


def set_floatx(value: Any) -> None:
    if value not in ("float16", "float32", "float64", "bfloat16"):
        raise ValueError("Unknown `floatx` value: %s. Expected one of "
                         "{'bfloat16', 'float16', 'float32', 'float64'}" % value)
    _state["floatx"] = value


# --- calls ------------------------------------------------------------------------------------------
def is_mixed(policy: Any) -> bool:
    return policy is not None and policy.compute_dtype != policy.variable_dtype and \
        names.emulated() >= (2, 0)


def cast(structure: Any, dtype: Any) -> Any:
    """Floating tensors in another dtype."""
    wanted = _core.as_dtype(dtype)

    def one(x: Any) -> Any:
        if isinstance(x, _core.Tensor) and x.dtype.is_floating and x.dtype.base_dtype != wanted:
            return tf.cast(x, wanted)
        return x

    return nest.map_structure(one, structure)


def is_ours(layer: Any) -> bool:
    return str(getattr(type(layer).call, "__module__", "")).startswith("shapeflow.")


@contextlib.contextmanager
def reading(variables: List[Any], dtype: Any) -> Iterator[None]:
    """Floating variables are read in this dtype."""
    wanted = _core.as_dtype(dtype)
    read: List[Any] = []
    for variable in variables:
        if variable._kind == "eager" and variable.dtype.is_floating and \
                variable.dtype.base_dtype != wanted and "_sf_stored" not in variable.__dict__:
            stored = variable._tensor
            variable._tensor = tf.cast(stored, wanted)
            variable.__dict__["_sf_stored"] = stored  # until something else is written
            read.append(variable)
    try:
        yield
    finally:
        for variable in read:
            stored = variable.__dict__.pop("_sf_stored", None)
            if stored is not None:
                variable._tensor = stored


# --- optimizers -------------------------------------------------------------------------------------
@export("tf.keras.mixed_precision.LossScaleOptimizer", "tf.keras.optimizers.LossScaleOptimizer",
        "tf.keras.mixed_precision.experimental.LossScaleOptimizer", v2=True)
class LossScaleOptimizer:
    """Another optimizer, whose losses are scaled: no shape changes."""

    def __init__(self, inner_optimizer: Any = None, *args: Any, **kwargs: Any) -> None:
        inner = kwargs.pop("optimizer", None) if inner_optimizer is None else inner_optimizer
        self.__dict__.update(_inner=inner, initial_scale=kwargs.get("initial_scale", 2.0 ** 15),
                             dynamic=kwargs.get("dynamic", True))

    inner_optimizer = property(lambda self: self._inner)
    loss_scale = property(lambda self: tf.constant(float(self.initial_scale or 1.0)))

    def scale_loss(self, loss: Any) -> Any:
        return (lambda: self.scale_loss(loss())) if callable(loss) and not isinstance(
            loss, _core.Tensor) else loss

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads: Any) -> Any:
        return grads

    def __getattr__(self, name: str) -> Any:
        if name == "_inner":  # while it is copied
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, value)
