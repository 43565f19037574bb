"""The installed Keras: its layers' weights are said to be made where the layers are, and what a training was
given is known while it runs."""
from __future__ import annotations

import functools
import sys

from shapeflow import _core
from shapeflow.api import layer_places, training_data
from shapeflow.checker.loops.places import TRAINER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Any, Callable, Dict, List

    from shapeflow.checker.patches import Patcher

LAYER = "keras.src.layers.layer"
BACKEND = "keras.src.backend"


def following(is_users: Callable[[FrameType], bool]) -> Callable[[ModuleType, Patcher], None]:
    """What is changed of Keras's layers; `is_users` tells the program's own code."""

    def act(module: ModuleType, by: Patcher) -> None:
        kind = vars(module)["Layer"]
        new, add = kind.__new__, kind.add_weight

        def __new__(cls: object, *args: object, **kwargs: object) -> Any:
            made = new(cls, *args, **kwargs)
            layer_places.note(made)
            return made

        @functools.wraps(add)
        def add_weight(layer: Any, *args: Any, **kwargs: Any) -> object:
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


def muting_trials(trials: List[object]) -> Callable[[ModuleType, Patcher], None]:
    """A layer without `build` calls itself once to find its weights. What fails there is passed over, and
    fails again in the call that follows. `trials` has those that have not ended."""

    def act(module: ModuleType, by: Patcher) -> None:
        infer: Any = vars(module)["compute_output_spec"]

        @functools.wraps(infer)
        def compute_output_spec(*args: object, **kwargs: object) -> object:
            if sys._getframe(1).f_code.co_name != "_maybe_build":
                return infer(*args, **kwargs)
            trials.append(args)
            try:
                with _core.mute():
                    return infer(*args, **kwargs)
            finally:
                trials.pop()

        by.set(module, "compute_output_spec", compute_output_spec)

    return act


def _located(layer: object, initializer: Callable[..., object]) -> Callable[..., Any]:
    def initialize(*args: Any, **kwargs: Any) -> object:
        with layer_places.weights_of(layer):
            return initializer(*args, **kwargs)

    return initialize


def arguments_of(fn: Callable[..., Any], args: Any, kwargs: Any) -> Dict[str, object]:
    """By the names of the parameters; {} where they do not fit."""
    import inspect

    try:
        bound: Dict[str, Any] = inspect.signature(fn).bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {}
    return bound


def data_of(fn: Callable[..., object], args: object, kwargs: object) -> training_data.given:
    """What a step of a model (fit, evaluate...) was given."""
    return training_data.given(arguments_of(fn, args, kwargs))


def note_batch(finding: object, error: BaseException) -> None:
    """Says of a finding that it was made at the last, shorter batch of an epoch, where it was."""
    trace = error.__traceback__
    while trace is not None:
        own = trace.tb_frame.f_locals
        if "begin_step" in own and trace.tb_frame.f_code.co_filename.endswith(TRAINER):
            words = _short_batch(own, trace.tb_frame.f_code.co_name)
            if words:
                from shapeflow.tensorflow.python.framework import error_report

                error_report.belongs_to(finding, words)
        trace = trace.tb_next


def _short_batch(own: Dict[str, Any], step: str) -> str:
    data = getattr(own.get("epoch_iterator"), "data_adapter", None)
    try:
        usual, size = getattr(data, "batch_size", None), getattr(data, "partial_batch_size", None)
    except NotImplementedError:  # a generator's: how many there are it does not know
        return ""
    number = own["begin_step"] + 1
    if not usual or not size or number != getattr(data, "num_batches", None):
        return ""
    whole = "epoch" if step == "fit" else "data"
    return f"batch {number}, the last of the {whole}: {size} of {usual} samples"


def warn_of_one_class(layer: object, made: object) -> None:
    """SF502, once for each layer that ends in a softmax over classes of which there is one. An attention may
    have one key: its softmax is of a higher rank."""
    activation = getattr(layer, "activation", None)
    name = getattr(activation, "__name__", "")
    if type(layer).__name__ == "Softmax":
        name = "softmax" if getattr(layer, "axis", -1) == -1 else ""
    elif not str(getattr(activation, "__module__", "")).startswith("keras.src.activations"):
        return
    if name not in ("softmax", "log_softmax") or "_sf_told" in vars(layer):
        return
    shape: Any = getattr(made, "shape", None)
    rank = len(shape) if isinstance(shape, tuple) else getattr(shape, "rank", None)
    if type(rank) is not int or rank not in (2, 3) or shape[-1] != 1:
        return
    object.__setattr__(layer, "_sf_told", True)
    _core.report("SF502", f"{name} over axis {rank - 1} of size 1: the result is the same for every input",
                 frames=layer_places.frames_of(layer), args=[("text", name), ("int", rank - 1)])
