"""Pillow: filters and ways to measure text that 10 dropped."""
from __future__ import annotations

from importlib import import_module

from shapeflow.checker.removed.changes import of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.removed.restore import Removed


def _text_size(self: Any, text: Any, font: Any = None, *args: object, **kwargs: object) -> object:
    left, top, right, bottom = self.textbbox((0, 0), text, font)
    return right - left, bottom - top


def _size(self: Any, text: Any, *args: Any, **kwargs: Any) -> object:
    left, top, right, bottom = self.getbbox(text)
    return right - left, bottom - top


def _complete_draw(module: ModuleType, removed: Removed) -> None:
    removed.add(module.ImageDraw, "textsize", _text_size, "PIL")
    removed.add(module.ImageDraw, "multiline_textsize", _text_size, "PIL")


def _complete_font(module: ModuleType, removed: Removed) -> None:
    for cls in (module.FreeTypeFont, module.ImageFont):
        removed.add(cls, "getsize", _size, "PIL")


def _complete_image(module: ModuleType, removed: Removed) -> None:
    removed.add(module.Image, "tostring", lambda self, *args: self.tobytes(*args), "PIL")
    removed.add(module.Image, "fromstring", lambda self, *args: self.frombytes(*args), "PIL")


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {"PIL.Image": {
    "ANTIALIAS": of("PIL.Image", "LANCZOS"), "LINEAR": of("PIL.Image", "BILINEAR"),
    "CUBIC": of("PIL.Image", "BICUBIC"), "fromstring": of("PIL.Image", "frombytes"),
    **{name: (lambda name=name: getattr(import_module("PIL.Image").Dither, name))  # type: ignore[misc]
       for name in ("FLOYDSTEINBERG", "ORDERED", "RASTERIZE")},
    **{name: (lambda name=name: getattr(import_module("PIL.Image").Palette, name))  # type: ignore[misc]
       for name in ("WEB", "ADAPTIVE")}}}
PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {
    "PIL.ImageDraw": _complete_draw, "PIL.ImageFont": _complete_font, "PIL.Image": _complete_image}
