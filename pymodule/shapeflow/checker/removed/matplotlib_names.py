"""matplotlib: names, arguments and styles that 3.x dropped."""
from __future__ import annotations

import functools
from importlib import import_module

from shapeflow.checker.removed.changes import all_of, renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional

    from shapeflow.checker.removed.restore import Removed


def _color_map(name: Optional[str] = None, lut: object = None) -> object:
    maps = import_module("matplotlib").colormaps
    found = name if name is not None and not isinstance(name, str) else maps[name or "viridis"]
    return found if lut is None else found.resampled(lut)


def _hold(*args: object, **kwargs: object) -> None:
    """Each plot is held now."""


_OF_HISTOGRAMS = all_of(renamed("normed", "density"))
_OF_AXES = all_of(renamed("axisbg", "facecolor"))


def _complete_axes(module: ModuleType, removed: Removed) -> None:
    axes = module.Axes
    removed.add(axes, "set_axis_bgcolor", lambda self, color: self.set_facecolor(color), "matplotlib")
    removed.add(axes, "get_axis_bgcolor", lambda self: self.get_facecolor(), "matplotlib")
    removed.add(axes, "hold", _hold, "matplotlib")
    removed.retry(axes, "hist", _OF_HISTOGRAMS, "matplotlib")


def _complete_figure(module: ModuleType, removed: Removed) -> None:
    figure = module.Figure
    before = figure.gca

    @functools.wraps(before)
    def gca(self: Any, *args: object, **kwargs: Any) -> object:
        if not kwargs or not removed.by.on:
            return before(self, *args, **kwargs)
        removed.use("matplotlib", "arguments of Figure.gca")
        return self.add_subplot(**kwargs)

    removed.by.set(figure, "gca", gca)


def _complete_plots(module: ModuleType, removed: Removed) -> None:
    removed.add(module, "hold", _hold, "matplotlib", "matplotlib.pyplot.hold")
    removed.retry(module, "hist", _OF_HISTOGRAMS, "matplotlib")
    for name in ("subplot", "axes"):
        removed.retry(module, name, _OF_AXES, "matplotlib")


def _complete_backends(module: ModuleType, removed: Removed) -> None:
    def set_title(self: object, title: str) -> None:
        """The title of a window, which nobody sees in a check."""

    removed.add(module.FigureCanvasBase, "set_window_title", set_title, "matplotlib")


def _complete_styles(module: ModuleType, removed: Removed) -> None:
    before = module.use

    @functools.wraps(before)
    def use(style: object) -> object:
        if isinstance(style, str) and style.startswith("seaborn") and style not in module.available:
            renamed_to = style.replace("seaborn", "seaborn-v0_8", 1)
            if renamed_to in module.available:
                removed.use("matplotlib", f"style {style!r}")
                style = renamed_to
        return before(style)

    removed.by.set(module, "use", use)


def _complete(module: ModuleType, removed: Removed) -> None:
    removed.retry(module, "use", renamed("warn", None), "matplotlib")


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {
    "matplotlib.cm": {"get_cmap": lambda: _color_map}}
PATCHES: Dict[str, Callable[[ModuleType, Removed], None]] = {
    "matplotlib": _complete, "matplotlib.pyplot": _complete_plots, "matplotlib.axes": _complete_axes,
    "matplotlib.figure": _complete_figure, "matplotlib.backend_bases": _complete_backends,
    "matplotlib.style": _complete_styles}
