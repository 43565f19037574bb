"""The dtypes of layers of tf.keras: policies, floatx, loss scaling.

A layer of a mixed policy is one of the dtype of its variables here.
Source: tensorflow/python/keras/mixed_precision/experimental (1.15).
"""

from __future__ import annotations

from typing import Any, Dict

from shapeflow import _core
from shapeflow.api.registry import export, put
from shapeflow.api.unmodelled import Opaque
from shapeflow.tensorflow.python.framework.op_builders import tf

_MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}
_state: Dict[str, Any] = {"policy": None, "floatx": "float32"}


class Policy:
    """Policy(name): `compute_dtype` and `variable_dtype` are names of dtypes."""

    def __init__(self, name: Any, source_name: Any = None) -> None:
        if not isinstance(name, str):
            raise TypeError("'name' must be a string, such as 'mixed_float16'. Received: name=%s (of type %s)"
                            % (name, type(name)))
        self._name = name
        self.variable_dtype = "float32" if name in _MIXED else _core.as_dtype(name).name
        self.compute_dtype = _MIXED.get(name, self.variable_dtype)

    name = property(lambda self: self._name)

    def __repr__(self) -> str:
        return '<Policy "%s">' % self._name

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._name == self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def get_config(self) -> Dict[str, Any]:
        return {"name": self._name}

    @classmethod
    def from_config(cls, config: Dict[str, object]) -> Policy:
        return cls(**config)


put(Policy, "tf.keras.mixed_precision.experimental.Policy")


@export("tf.keras.mixed_precision.experimental.global_policy")
def global_policy() -> Any:
    return _state["policy"] or Policy(_state["floatx"])


@export("tf.keras.mixed_precision.experimental.set_policy")
def set_policy(policy: object) -> None:
    _state["policy"] = policy if policy is None else _policy(policy)


def _policy(given: object) -> Any:
    if isinstance(given, Opaque):
        return None
    return given if hasattr(given, "compute_dtype") else Policy(given if isinstance(given, str) else
                                                                     _core.as_dtype(given).name)


def policy_of(dtype: object) -> Any:
    """The policy of a layer that is made with `dtype`; None where its dtype is not given in any way, or by
    something unmodelled."""
    if dtype is None:
        plain = _state["policy"] is None and _state["floatx"] == "float32"
        return None if plain else global_policy()
    if isinstance(dtype, dict):  # a configuration
        return _policy(dtype.get("config", dtype).get("name", "float32"))
    return _policy(dtype)


def floatx() -> Any:
    return _state["floatx"]


def set_floatx(value: object) -> None:
    if value not in ("float16", "float32", "float64", "bfloat16"):
        raise ValueError("Unknown `floatx` value: %s. Expected one of "
                         "{'bfloat16', 'float16', 'float32', 'float64'}" % value)
    _state["floatx"] = value


# --- optimizers -------------------------------------------------------------------------------------
@export("tf.keras.mixed_precision.experimental.LossScaleOptimizer")
class LossScaleOptimizer:
    """Another optimizer, whose losses are scaled: no shape changes."""

    def __init__(self, inner_optimizer: Any = None, *args: Any, **kwargs: Any) -> None:
        inner = kwargs.pop("optimizer", None) if inner_optimizer is None else inner_optimizer
        self.__dict__.update(_inner=inner, initial_scale=kwargs.get("initial_scale", 2.0 ** 15),
                             dynamic=kwargs.get("dynamic", True))

    inner_optimizer = property(lambda self: self._inner)
    loss_scale = property(lambda self: tf.constant(float(self.initial_scale or 1.0)))

    def scale_loss(self, loss: object) -> Any:
        return (lambda: self.scale_loss(loss())) if callable(loss) and not isinstance(
            loss, _core.Tensor) else loss

    get_scaled_loss = scale_loss

    def get_unscaled_gradients(self, grads: object) -> Any:
        return grads

    def __getattr__(self, name: str) -> Any:
        if name == "_inner":  # while it is copied
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._inner, name, value)
