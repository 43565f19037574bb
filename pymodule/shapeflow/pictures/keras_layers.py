"""Layers and models as the pictures ask for them: of the Keras of TensorFlow 1, which is ours, and of an
installed Keras 3, of which tensors are KerasTensors and variables wrap ours.
"""
from __future__ import annotations

import sys

from shapeflow import _core
from shapeflow.tensorflow.python.framework import object_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Tuple

    Call = Callable[[Any, Any, Callable[[], Any]], Any]

_OURS = "shapeflow.tensorflow.keras"
_THEIRS = "keras.src"


def _kinds(*paths: str) -> Tuple[type, ...]:
    """Classes of modules that are loaded: `keras.src.models.model.Model`."""
    found = []
    for path in paths:
        module, _, name = path.rpartition(".")
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type):
            found.append(kind)
    return tuple(found)


def is_model(layer: object) -> bool:
    return isinstance(layer, _kinds(_OURS + ".model.Model", _THEIRS + ".models.model.Model"))


def is_input(layer: object) -> bool:
    return isinstance(layer, _kinds(_OURS + ".base_layer.InputLayer",
                                    _THEIRS + ".layers.core.input_layer.InputLayer"))


def runs_cells(layer: object) -> bool:
    """Does it call what it holds once for each step?"""
    return isinstance(layer, _kinds(_OURS + ".recurrent.RNN", _OURS + ".recurrent.TimeDistributed",
                                    _THEIRS + ".layers.rnn.rnn.RNN"))


def is_theirs(layer: object) -> bool:
    return isinstance(layer, _kinds(_THEIRS + ".layers.layer.Layer"))


def sublayers(layer: Any) -> List[object]:
    """Those directly inside."""
    if not is_theirs(layer):
        return list(layer._sublayers())
    inner = vars(layer).get("_functional")  # of a Sequential
    return [*layer._flatten_layers(False, False), *([] if inner is None else [inner])]


def plain(variables: Sequence[Any]) -> List[Any]:
    """Our variables, of those of either Keras."""
    return [variable if isinstance(variable, _core.VariableBase) else vars(variable).get("_value", variable)
            for variable in variables]


def weights(layer: Any) -> List[Any]:
    return plain(layer.weights)


def others(model: Any) -> List[object]:
    """Variables of its metrics, and states of its random numbers."""
    if not is_theirs(model):
        return []
    return plain([*model.variables, *(variable for metric in model.metrics for variable in metric.variables)])


def of_optimizer(model: object) -> List[object]:
    return plain(getattr(getattr(model, "optimizer", None), "variables", ())) if is_theirs(model) else []


def is_seed(name: str) -> bool:
    """Is a variable of this name the state of random numbers that are no layer's?"""
    return name.startswith("seed_generator") and name.endswith("seed_generator_state") or \
        name.startswith("seed_generator") and "/" not in name


def ends(layer: Any) -> Optional[Tuple[Any, Any]]:
    """What it was first called with, and what that made; None: it was not called."""
    if not is_theirs(layer):
        found: Optional[Tuple[Any, Any]] = layer._io
        return found
    if is_input(layer):  # it is not called: it is made with what it gives
        return layer.input, layer.output
    return object_log.calls.get(id(layer))


def inputs(model: Any) -> Any:
    """The structure of tensors that a model was made of, or first called with."""
    if is_theirs(model):
        struct = getattr(model, "_inputs_struct", None)
        if struct is None and getattr(model, "_functional", None) is not None:  # a Sequential
            struct = model._functional._inputs_struct
        if struct is not None:
            return struct
    elif getattr(model, "_functional", False):
        return model._ins
    known = ends(model)
    return None if known is None else known[0]


def tensors(structure: object) -> List[_core.Tensor]:
    """Our tensors in a structure; of a KerasTensor the one beside it."""
    from shapeflow.tensorflow.python.util import nest

    found = []
    for one in nest.flatten(structure):
        if not isinstance(one, _core.Tensor) and hasattr(one, "__dict__"):
            one = getattr(vars(one).get("_sf_twin"), "tensor", None)
        if isinstance(one, _core.Tensor):
            found.append(one)
    return found


def shape_and_dtype(tensor: Any) -> Optional[Tuple[_core.TensorShape, _core.DType]]:
    """Of a tensor of either kind; None: it is none."""
    from shapeflow.tensorflow.python.framework import dtypes

    if isinstance(tensor, _core.Tensor):
        return tensor.get_shape(), tensor.dtype.base_dtype
    if type(tensor).__name__ == "KerasTensor":
        return _core.TensorShape(tensor.shape), dtypes.as_dtype(tensor.dtype)
    return None


def _watched(called: Callable[..., object], watch: Call) -> Callable[..., Any]:
    def __call__(layer: object, *args: object, **kwargs: object) -> object:
        return watch(layer, args[0] if args else None, lambda: called(layer, *args, **kwargs))

    return __call__


class Watched:
    """While entered, `watch(layer, inputs, call)` makes each call of a layer."""

    def __init__(self, watch: Call) -> None:
        self._watch = watch
        self._undo: List[Tuple[object, str, object]] = []

    def __enter__(self) -> None:
        watch = self._watch
        for kind in _kinds(_OURS + ".base_layer.KerasLayer"):
            call_here = kind.__dict__["_call_here"]
            self._undo.append((kind, "_call_here", call_here))

            def _call_here(layer: Any, inputs: Any, *args: Any, plain: Any = call_here) -> object:
                return watch(layer, inputs, lambda: plain(layer, inputs, *args))

            kind._call_here = _call_here  # type: ignore[attr-defined]
        for kind in _kinds(_THEIRS + ".layers.layer.Layer"):
            called = kind.__dict__["__call__"]
            self._undo.append((kind, "__call__", called))
            kind.__call__ = _watched(called, watch)  # type: ignore

    def __exit__(self, *error: object) -> None:
        for kind, name, value in self._undo:
            setattr(kind, name, value)
