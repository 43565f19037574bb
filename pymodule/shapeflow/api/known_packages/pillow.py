"""Pillow: images whose size and mode are known as far as the program says them."""
from __future__ import annotations

from shapeflow.api.unknown_images import UnknownImage
from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

_MODES = {None: "L", 3: "RGB", 4: "RGBA", 2: "LA"}


def open_image(fp: object, *args: object, **kwargs: object) -> UnknownImage:
    return UnknownImage("PIL.Image.open(%s)" % fp)


def new(mode: Any, size: Any, *args: Any, **kwargs: Any) -> Any:
    return UnknownImage("PIL.Image.new()", (), mode)._known(mode, None if isinstance(size, Unknown) else size)


def fromarray(array: object, mode: Any = None) -> object:
    """Of rows and columns, and channels that tell the mode."""
    made = UnknownImage("PIL.Image.fromarray()")
    shape = getattr(array, "shape", ())
    if isinstance(array, Unknown) or not isinstance(shape, tuple) or len(shape) not in (2, 3):
        return made
    mode = mode or _MODES.get(shape[2] if len(shape) == 3 else None)
    return made._known(mode, (shape[1], shape[0]))


MODULES: Dict[str, Dict[str, object]] = {
    "PIL": {}, "PIL.Image": {"open": open_image, "new": new, "fromarray": fromarray}}
