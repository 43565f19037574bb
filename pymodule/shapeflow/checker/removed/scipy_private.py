"""SciPy's modules that got an underscore in 1.8: what stands at their old names lends the public names alone,
and programs of long ago import private ones, too."""
from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional


class _Names:
    """Those of one module, by its old name; as the table of a module that names each."""

    def __init__(self, module: str) -> None:
        folder, _, file = module.rpartition(".")
        self._files = [f"{folder}._{file}", f"{folder}._{file}_py"]

    def get(self, name: str) -> Optional[Callable[[], Any]]:
        for file in () if name.startswith("__") else self._files:
            try:
                found = getattr(import_module(file), name)
            except (ImportError, AttributeError):
                continue
            return lambda: found
        return None


class _Modules:
    @staticmethod
    def get(module: str) -> _Names:
        return _Names(module)


MODULES = _Modules()
