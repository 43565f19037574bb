"""A program that is run as `python -m` does."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict


def as_module(name: str, path: str,
               program: Callable[[Dict[str, Any]], None]) -> Callable[[Dict[str, Any]], None]:
    """The program as `python -m name` runs it: its packages are imported first, and relative imports work."""
    def run(names: Dict[str, Any]) -> None:
        from importlib.machinery import ModuleSpec, SourceFileLoader

        package = name.rpartition(".")[0]
        names["__package__"] = package
        names["__spec__"] = ModuleSpec(name, SourceFileLoader("__main__", path), origin=path)
        if package:
            import importlib

            importlib.import_module(package)
        program(names)

    return run
