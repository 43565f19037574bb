"""Images that are not there. What a program makes of one is known where the program says it: an image of
unknown size is one of a known size once it is resized.
"""
from __future__ import annotations

import sys

from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Tuple

_CHANNELS = {"1": 0, "L": 0, "P": 0, "I": 0, "F": 0, "LA": 2, "RGB": 3, "YCbCr": 3, "HSV": 3, "LAB": 3,
             "RGBA": 4, "CMYK": 4}
_DTYPES = {"1": "bool", "I": "int32", "F": "float32"}


class UnknownImage(Unknown):
    """A PIL image: `size` and `mode` as far as they are known. When both are, it is a real one (`_known`)."""

    def __init__(self, dotted: str, inputs: Any = (), mode: Optional[str] = None,
                 size: Optional[Tuple[int, int]] = None) -> None:
        super().__init__(dotted, inputs)
        if mode is not None:
            self.__dict__["mode"] = mode
        if size is not None:
            self.__dict__.update(size=size, width=size[0], height=size[1])
        if mode in _CHANNELS:  # as an array
            self._shaped((*(size or (None, None))[::-1], *filter(None, [_CHANNELS[mode]])),
                         _DTYPES.get(mode, "uint8"))

    def _known(self, mode: Optional[str], size: Any) -> object:
        if size is not None:
            try:
                size = int(size[0]), int(size[1])
            except (TypeError, ValueError, IndexError):
                size = None
        pil = sys.modules.get("PIL.Image")
        if mode in _CHANNELS and size is not None and pil is not None and size[0] > 0 and size[1] > 0:
            return pil.new(mode, size)
        return UnknownImage(self._sf_name, self._sf_inputs, mode, size)

    def _array(self) -> Any:
        """Of zeros, when size and mode are known; else None."""
        size, mode = self.__dict__.get("size"), self.__dict__.get("mode")
        if size is None or mode not in _CHANNELS:
            return None
        import numpy

        shape = (size[1], size[0], *filter(None, [_CHANNELS[mode]]))
        return numpy.zeros(shape, _DTYPES.get(mode, "uint8"))

    def convert(self, mode: Any = None, *args: object, **kwargs: object) -> object:
        return self._known(mode, self.__dict__.get("size"))

    def resize(self, size: Any, *args: object, **kwargs: object) -> object:
        unknown = isinstance(size, Unknown) or any(isinstance(item, Unknown) for item in size)
        return self._known(self.__dict__.get("mode"), None if unknown else size)

    def copy(self) -> UnknownImage:
        return self

    def load(self) -> UnknownImage:
        return self

    def _turned(self, *args: object, **kwargs: object) -> UnknownImage:
        """Of another size."""
        return UnknownImage(self._sf_name, self._sf_inputs, self.__dict__.get("mode"))

    crop = rotate = transpose = _turned

    def _same(self, *args: object, **kwargs: object) -> UnknownImage:
        """Of the same size and mode."""
        return self

    filter = point = _same
