"""The version of the package tensorflow in importlib.metadata: others ask for it before they import it."""
from __future__ import annotations

from shapeflow import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from shapeflow.checker.patches import Patcher


def be_installed(module: ModuleType, by: Patcher) -> None:
    """The version that is emulated, where no TensorFlow is installed."""
    names: Any = module
    version = names.version

    def version_of(distribution_name: str) -> object:
        try:
            return version(distribution_name)
        except names.PackageNotFoundError:
            if distribution_name == "tensorflow":
                return _core.get_version()
            raise

    by.set(module, "version", version_of)
