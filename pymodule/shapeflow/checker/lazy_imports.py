"""Modules that the installed Keras imports and few programs touch: they are loaded when they are touched.

Keras names all of its modules when it is imported, and asks for pandas, scipy, scikit-learn, h5py, rich... if
they are there; most of the time that takes is for what the program never uses. Such a module is found as
before (so that what is not installed is not there), is in sys.modules as before, and runs its file when an
attribute is asked for that the import system has not set. Keras's files stay as they are.
"""
from __future__ import annotations

import sys
from _thread import RLock  # that of threading, without the rest
from functools import partial
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any, List, Optional

# Packages that Keras uses for a few functions.
_OTHERS = frozenset(("IPython", "cv2", "h5py", "jax", "matplotlib", "narwhals", "pandas", "psutil", "PIL",
                     "pydot", "requests", "rich", "scipy", "sklearn", "torch"))
# Keras's own packages of which a program uses one or two. What lies in `keras` itself is a list of names.
_OF_KERAS = tuple("keras.src." + name for name in (
    "applications", "datasets", "distillation", "export", "legacy", "quantizers", "visualization", "wrappers",
    "saving.file_editor", "saving.orbax_util", "utils.model_visualization", "utils.jax_utils",
    "utils.torch_utils", "utils.audio_dataset_utils", "utils.text_dataset_utils",
    "utils.timeseries_dataset_utils", "utils.image_dataset_utils", "utils.dataset_utils"))
# Classes that Keras compares with when it is imported.
_ASKED_FOR = {"pandas": ("DataFrame", "Series")}
_ROOTS = ("keras._tf_keras", "keras._tf_keras.keras")
_PLAIN: Any = ModuleType
_lock = RLock()


def defers(name: str) -> bool:
    """Is it one of those modules, imported by Keras where it is Keras's choice?"""
    root = name.partition(".")[0]
    if root == "keras":
        if name.startswith("keras.src"):
            return name in _OF_KERAS
        return "." in name and name not in _ROOTS
    return root in _OTHERS and _importer().startswith("keras.")


def _importer() -> str:
    """The module whose code imports."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen importlib") and not path.startswith(_HERE):
            return str(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    return ""


_HERE = __file__.rpartition("lazy_imports")[0]


def deferred(spec: Optional[ModuleSpec]) -> Optional[ModuleSpec]:
    """The spec of a module that runs its file later; itself where that cannot be."""
    if spec is not None and hasattr(spec.loader, "exec_module") and spec.origin not in (None, "built-in"):
        spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
    return spec


def is_deferred(module: object) -> bool:
    """Is it one whose file was not run? To ask it for its __dict__ would run it."""
    return type(module) is _Module


class _Loader:
    """Makes the module and leaves it empty."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        spec: Any = module.__spec__
        spec.loader = module.__loader__ = self._loader
        module.__class__ = _Module  # not before the import system has set what it sets

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Module(ModuleType):
    """A module whose file was not run."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_sf_") or name == "__wrapped__":
            raise AttributeError(name)
        if name in _ASKED_FOR.get(self.__name__, ()) and _importer().startswith("keras."):
            return _ClassOf(name, (), {"_sf_module": self})
        _load(self)
        return getattr(self, name)

    def __dir__(self) -> List[str]:
        _load(self)
        return dir(self)

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        _load(self)
        return vars(self)


class _ClassOf(type):
    """Stands for a class of a module that was not loaded: nothing is an instance of it till then."""

    _sf_module: ModuleType

    def __instancecheck__(cls, instance: Any) -> bool:
        module = cls._sf_module
        return type(module) is not _Module and isinstance(instance, getattr(module, cls.__name__))


def _load(module: Any) -> None:
    with _lock:
        if type(module) is not _Module:
            return  # another thread has, or its own file asks
        module.__class__ = _PLAIN
        spec: Any = ModuleType.__getattribute__(module, "__spec__")
        try:
            spec.loader.exec_module(module)
        except BaseException:
            module.__class__ = _Module
            raise
        if module.__name__ in _OF_KERAS and hasattr(module, "__path__"):
            vars(module).setdefault("__getattr__", partial(_module_of, module.__name__))


def _module_of(package: str, name: str) -> Any:
    """A module of a package, which Keras's lists of names would have imported."""
    try:
        return import_module(package + "." + name)
    except ModuleNotFoundError:
        raise AttributeError("module '%s' has no attribute '%s'" % (package, name)) from None
