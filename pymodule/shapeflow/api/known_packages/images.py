"""OpenCV, scikit-image and scipy.misc: the shapes of the images that they make (api/unknown_pixels.py)."""
from __future__ import annotations

from shapeflow.api import unknown_pixels
from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict


def _function(dotted: str) -> Callable[..., Unknown]:
    def function(*args: object, **kwargs: object) -> Unknown:
        return Unknown(dotted + "()")._shaped(*unknown_pixels.facts(dotted, args, kwargs))

    function.__name__ = function.__qualname__ = dotted.rpartition(".")[2]
    return function


MODULES: Dict[str, Dict[str, object]] = {
    module: {name: _function(f"{module}.{name}") for name in unknown_pixels.named(module)}
    for module in ("cv2", "scipy.misc", "skimage.transform", "skimage.color")}
MODULES.update(skimage={}, scipy={})
