"""K.image_data_format(): where pictures have their channels unless a layer or a generator says it."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Tuple

_USUAL = "channels_last"
_OF_CONVOLUTIONS = ["filters", "kernel_size", "strides", "padding", "data_format"]
_current = [_USUAL]


def current() -> str:
    return _current[-1]


def choose(data_format: str) -> None:
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Unknown data_format: " + str(data_format))
    _current[-1] = data_format


def chosen(init: Callable[..., object], args: Tuple[object, ...],
           kwargs: Dict[str, object]) -> Dict[str, Any]:
    """The keywords of a layer, with the program's format where it gives none."""
    if current() == _USUAL:
        return kwargs
    import inspect

    names = [name for name in inspect.signature(init).parameters if name != "self"]
    if "args" in names and "kernel_size" in names:  # a convolution, whose twin in tf.layers names the rest
        names = _OF_CONVOLUTIONS
    if "data_format" not in names or kwargs.get("data_format") is not None or \
            len(args) > names.index("data_format"):
        return kwargs
    return {**kwargs, "data_format": current()}
