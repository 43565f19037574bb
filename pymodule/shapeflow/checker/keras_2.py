"""A program of Keras 2 that is checked with Keras 3, because Keras 2 is not installed.

What Keras 3 has no more is unknown; a few names that most such programs use mean what they meant. What Keras
3 refuses, and Keras 2 may have taken, ends the check without a failure: nobody knows whether it is wrong.
"""
from __future__ import annotations

import sys
from types import ModuleType

from shapeflow.api import installed_keras
from shapeflow.checker.findings import Record, told
from shapeflow.checker.import_hook import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional

    from shapeflow.checker.findings import Span
    from shapeflow.checker.patches import Patcher

_NOTE = ("the script is taken as TensorFlow 2 before 2.16, which has Keras 2, and is checked with Keras 3: "
         "what that lacks is unknown (pip install tf_keras)")
_TENSOR = "keras.src.backend.common.keras_tensor"
# What models had: the method of today that takes the same arguments.
_METHODS = {"fit_generator": "fit", "evaluate_generator": "evaluate", "predict_generator": "predict",
            "predict_proba": "predict"}
_GONE = ("max_queue_size", "workers", "use_multiprocessing")  # parameters of those


def stand_in(by: Patcher, start: Callable[[], None]) -> None:
    """`start` is called before the first name is unknown."""

    def complete(module: ModuleType, by: Patcher) -> None:
        installed_keras.note("SF911", _NOTE)
        for name, loaded in list(sys.modules.items()):
            if name.partition(".")[0] == "keras" and not name.startswith("keras.src") and \
                    "__getattr__" not in vars(loaded):
                by.set(loaded, "__getattr__", _unknown_names(name, loaded, start))

    def keep_legacy(module: ModuleType, by: Patcher) -> None:
        by.set(module, "legacy", module)  # there an error in Keras 3

    act_on(by, {
        **dict.fromkeys(("keras.optimizers", "keras._tf_keras.keras.optimizers"), keep_legacy),
        "keras": complete, "keras.src.optimizers.base_optimizer": take_old_arguments,
        "keras.src.models.model": add_methods, _TENSOR: be_tensors})


def _unknown_names(module: str, loaded: ModuleType, start: Callable[[], None]) -> object:
    def __getattr__(name: str) -> Any:
        late: Any = vars(type(loaded)).get("__getattr__")
        if late is not None:  # it runs its file now
            try:
                return late(loaded, name)
            except AttributeError:
                pass
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        elsewhere = installed_keras.moved(module, name)
        if elsewhere is not None:
            return elsewhere
        from shapeflow.api.unknown_package import part

        start()
        return part(module, name)

    return __getattr__


def take_old_arguments(module: ModuleType, by: Patcher) -> None:
    """`lr` is the learning rate; `decay` has no shape."""
    kind: Any = vars(module)["BaseOptimizer"]
    init = kind.__init__

    def __init__(self: Any, learning_rate: Any, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("decay", None)
        init(self, kwargs.pop("lr", learning_rate), *args, **kwargs)

    by.set(kind, "__init__", __init__)


def add_methods(module: ModuleType, by: Patcher) -> None:
    kind: Any = vars(module)["Model"]
    for old, new in _METHODS.items():
        def method(self: Any, *args: Any, new: str = new, **kwargs: Any) -> Any:
            for name in _GONE:
                kwargs.pop(name, None)
            return getattr(self, new)(*args, **kwargs)

        by.set(kind, old, method)


def be_tensors(module: ModuleType, by: Patcher) -> None:
    """A function of TensorFlow took a symbolic tensor: it is what stands beside it."""
    kind: Any = vars(module)["KerasTensor"]
    refuse = kind.__tf_tensor__

    def __tf_tensor__(self: object, dtype: object = None, name: Optional[str] = None) -> object:
        twin = getattr(vars(self).get("_sf_twin"), "tensor", None)
        return refuse(self, dtype, name) if twin is None else twin

    by.set(kind, "__tf_tensor__", __tf_tensor__)


def is_of_keras(error: BaseException) -> bool:
    """Was it raised by Keras, or by the script for want of what Keras 3 lacks?"""
    trace, raised_in = error.__traceback__, ""
    while trace is not None:
        package = str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        raised_in = raised_in if package == "shapeflow" else package  # which only passes it on
        trace = trace.tb_next
    if raised_in == "keras":
        return True
    text = str(error)
    return isinstance(error, (AttributeError, ImportError, TypeError)) and (
        "keras" in text or any(name in text for name in _classes()))


def refused(words: str, frames: List[Span]) -> Record:
    """The note of a check that ended so."""
    return told("SF911", "NEWER_KERAS", "note", "Keras 3 refuses this, and Keras 2 may not: {text}; what "
                "follows was not checked", words, primary=frames[0] if frames else None)


def _classes() -> Any:
    """Names of what people have of Keras: 'Sequential' object has no attribute 'predict_classes'."""
    names = vars(sys.modules["keras.layers"]) if "keras.layers" in sys.modules else {}
    return [f"'{name}' object has no attribute" for name in (
        "Sequential", "Functional", "Model", *names) if not name.startswith("_")]
