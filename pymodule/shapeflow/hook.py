"""The import hook of `shapeflow check`: `tensorflow` and `keras` names resolve to ShapeFlow.

A meta-path finder in front of all others, so that a real TensorFlow, installed or not, is never
loaded. It holds for the checked script and for every module that the script imports.
"""
from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader
    from typing import Any, Dict, Optional, Sequence
else:
    Loader = object  # importlib.abc is not worth its import time

# Top-level packages we stand in for. Anything else, even `tensorflow_datasets`, is left alone.
ROOTS = ("tensorflow", "keras", "tensorflow_core")


class _Loader(Loader):
    """Hands the import system a module that already exists."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run: the namespaces fill themselves when touched."""


class Finder:
    """Resolves `tensorflow[.a.b.c]` and `keras[.a.b]` through shapeflow._modules."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        if fullname.partition(".")[0] not in ROOTS:
            return None
        from shapeflow._modules import resolve_module

        module = resolve_module(fullname)
        if module is None:
            return None
        spec = ModuleSpec(fullname, _Loader(module), is_package=True)
        spec.submodule_search_locations = []
        return spec


def override(texts: Dict[str, str]) -> None:
    """Files that the check is to see with another text: for tracebacks and quotations, and when a
    module is imported. `texts` is by absolute path."""
    if not texts:
        return
    import linecache
    from importlib.machinery import SourceFileLoader

    for path, text in texts.items():
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    read, stats = SourceFileLoader.get_data, SourceFileLoader.path_stats

    def get_data(self: SourceFileLoader, path: str) -> bytes:
        text = texts.get(path)
        return read(self, path) if text is None else text.encode()

    def path_stats(self: SourceFileLoader, path: str) -> Any:
        if path in texts:
            raise OSError("overridden: no compiled file stands for it")
        return stats(self, path)

    SourceFileLoader.get_data = get_data  # type: ignore
    SourceFileLoader.path_stats = path_stats  # type: ignore


def install() -> Finder:
    """Puts the finder first, and forgets modules of a real TensorFlow imported before."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ROOTS:
            del sys.modules[name]
    finder = Finder()
    sys.meta_path.insert(0, finder)
    return finder


def uninstall(finder: Finder) -> None:
    """Takes the finder out again, with the modules that it gave."""
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)
    for name in list(sys.modules):
        if name.partition(".")[0] in ROOTS:
            del sys.modules[name]
