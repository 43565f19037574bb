"""librosa: the shapes of the arrays that it makes of sounds (api/unknown_sounds.py)."""
from __future__ import annotations

from shapeflow.api import unknown_sounds
from shapeflow.api.unknown_package import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict


def _function(dotted: str) -> Callable[..., Unknown]:
    def function(*args: object, **kwargs: object) -> Unknown:
        return Unknown(dotted + "()")._shaped(*unknown_sounds.facts(dotted, args, kwargs))

    function.__name__ = function.__qualname__ = dotted.rpartition(".")[2]
    return function


MODULES: Dict[str, Dict[str, object]] = {
    module: {name: _function(f"{module}.{name}") for name in unknown_sounds.named(module)}
    for module in ("librosa", "librosa.feature", "librosa.effects", "librosa.util")}
MODULES["librosa"]["load"] = unknown_sounds.load
