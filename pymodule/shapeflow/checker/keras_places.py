"""The installed Keras: its layers' weights are said to be made where the layers are, and what a training was
given is known while it runs."""
from __future__ import annotations

import functools
import inspect
import sys

from shapeflow.api import layer_places, training_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.patches import Patcher

LAYER = "keras.src.layers.layer"


def following(is_users: Callable[[FrameType], bool]) -> Callable[[ModuleType, Patcher], None]:
    """What is changed of Keras's layers; `is_users` tells the program's own code."""

    def act(module: ModuleType, by: Patcher) -> None:
        kind = vars(module)["Layer"]
        new, add = kind.__new__, kind.add_weight

        def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
            made = new(cls, *args, **kwargs)
            layer_places.note(made)
            return made

        @functools.wraps(add)
        def add_weight(layer: Any, *args: Any, **kwargs: Any) -> Any:
            if is_users(sys._getframe(1)):  # a layer of the program's own says itself what it makes
                return add(layer, *args, **kwargs)
            with layer_places.weights_of(layer):
                variable = add(layer, *args, **kwargs)
            if vars(variable).get("_initializer") is not None:  # it takes its value later
                vars(variable)["_initializer"] = _located(layer, variable._initializer)
            return variable

        by.set(kind, "__new__", staticmethod(__new__))
        by.set(kind, "add_weight", add_weight)

    return act


def _located(layer: Any, initializer: Callable[..., Any]) -> Callable[..., Any]:
    def initialize(*args: Any, **kwargs: Any) -> Any:
        with layer_places.weights_of(layer):
            return initializer(*args, **kwargs)

    return initialize


def data_of(fn: Callable[..., Any], args: Any, kwargs: Any) -> training_data.given:
    """What a step of a model (fit, evaluate...) was given."""
    try:
        bound: Dict[str, Any] = inspect.signature(fn).bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError):
        bound = {}
    return training_data.given(bound)
