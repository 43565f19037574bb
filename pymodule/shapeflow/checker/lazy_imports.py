"""Modules that the installed Keras and numpy import and few programs touch: they are loaded when they are.

Keras names all of its modules when it is imported, and asks for pandas, scipy, scikit-learn, h5py, rich... if
they are there; most of the time that takes is for what the program never uses. Such a module is found as
before (so that what is not installed is not there), is in sys.modules as before, and runs its file when an
attribute is asked for that the import system has not set. A package that lists names (`from
keras.src.layers.core.dense import Dense`) imports a module of its list when the name is asked for. Keras's
files stay as they are. Of numpy's imports those wait that its functions alone use.
"""
from __future__ import annotations

import builtins
import gc
import sys
from _frozen_importlib import _DeadlockError, _ModuleLockManager  # type: ignore[attr-defined]
from _thread import RLock  # that of threading, without the rest
from functools import partial
from importlib import import_module
from types import FunctionType, ModuleType

from shapeflow.module_finder import HERE as _FINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType
    from typing import Any, Callable, Dict, List, Set, Union

# Packages that Keras uses for a few functions.
_OTHERS = frozenset(("IPython", "absl", "cv2", "h5py", "jax", "json", "matplotlib", "ml_dtypes",
                     "multiprocessing", "namex", "narwhals", "pandas", "psutil", "PIL", "pydot", "random",
                     "requests", "rich", "scipy", "sklearn", "torch"))
# What numpy does, and who imports it.
_OF_NUMPY = {"ctypes": "numpy.", "numpy._typing": "numpy.linalg.", "pickle": "numpy.", "platform": "numpy."}
# What is run as it is imported: Keras reads there which backend and settings it has.
_AT_ONCE = ("keras.src.api_export", "keras.src.version", "keras.src.backend", "keras.src.backend.config")
# Lists of names that are read then; what they name waits.
_READ_AT_ONCE = ("keras", "keras.src")
# Lists that are read when they are touched, beside all of the packages in `keras` itself.
_LISTS = frozenset(("namex", *("keras.src." + name for name in ("callbacks", "layers", "saving", "utils"))))
# Modules of which a package takes a base class, and which import that package: it runs first.
_AFTER = {"keras.src.backend.tensorflow.optimizer": "keras.src.optimizers",
          "keras.src.backend.tensorflow.export": "keras.src.export"}
# Classes that Keras compares with when it is imported.
_ASKED_FOR = {"pandas": ("DataFrame", "Series")}
# Functions that Keras takes from such a module when it is imported, and calls.
_CALLED = {"keras.src.quantizers.awq_core": ("awq_quantize",),
           "keras.src.quantizers.gptq_core": ("gptq_quantize",)}
_PLAIN: Any = ModuleType
_DICTIONARY: Any = vars(ModuleType)["__dict__"]
_lock = RLock()
_MANY = 2000  # objects that an import has made
_frozen = 0  # objects that the supervisor froze before this process began: they are no program's


def defers(name: str) -> bool:
    """Is it one of those modules, imported by Keras or numpy where it is their choice?"""
    root = name.partition(".")[0]
    if root == "keras":
        return name not in _AT_ONCE and name not in _READ_AT_ONCE
    if root in _OTHERS:
        return _importer().startswith("keras.")
    return name in _OF_NUMPY and _importer().startswith(_OF_NUMPY[name])


def _importer() -> str:
    """The module whose code imports."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith("<frozen importlib") and not path.startswith(_HERE) and \
                path != _FINDER:
            return str(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    return ""


_HERE = __file__.rpartition("lazy_imports")[0]


def deferred(spec: ModuleSpec) -> ModuleSpec:
    """The spec of a module that runs its file later; itself where that cannot be."""
    if hasattr(spec.loader, "exec_module") and spec.origin not in (None, "built-in"):
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
        if name.startswith("_sf_") or name in ("__wrapped__", "__path__"):  # each `from` asks for a __path__
            raise AttributeError(name)
        if name in _ASKED_FOR.get(self.__name__, ()) and _importer().startswith("keras."):
            return _ClassOf(name, (), {"_sf_module": self})
        if name in _CALLED.get(self.__name__, ()) and _importer().startswith("keras."):
            return _FunctionOf(self, name)
        if name == "NDArray" and self.__name__ == "numpy._typing" and _importer().startswith("numpy.linalg."):
            return _AnnotationOf(self, name)
        _load(self)
        return getattr(self, name)

    def __dir__(self) -> List[str]:
        _load(self)
        return dir(self)

    @property
    def __dict__(self) -> object:  # type: ignore[override]
        _load(self)
        return vars(self)


class _ClassOf(type):
    """Stands for a class of a module that was not loaded: nothing is an instance of it till then."""

    _sf_module: ModuleType

    def __instancecheck__(cls, instance: object) -> bool:
        module = cls._sf_module
        return type(module) is not _Module and isinstance(instance, getattr(module, cls.__name__))


class _FunctionOf:
    """Stands for a function of a module that was not loaded, till it is called."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self._module, self.__name__ = module, name

    def __call__(self, *args: object, **kwargs: object) -> object:
        return getattr(self._module, self.__name__)(*args, **kwargs)


class _AnnotationOf:
    """Stands for a generic alias in annotations, which are text for its own package, as in the many modules
    that import annotations from __future__."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self._sf_module, self._sf_name = module, name

    def __getitem__(self, item: object) -> object:
        if is_deferred(self._sf_module) and _importer().startswith("numpy.linalg."):
            return "%s[%s]" % (self._sf_name, getattr(item, "__name__", None) or getattr(item, "_name", item))
        found: object = getattr(self._sf_module, self._sf_name)[item]
        return found

    def __getattr__(self, name: str) -> object:
        found: object = getattr(getattr(self._sf_module, self._sf_name), name)
        return found


class _Loading(ModuleType):
    """One whose file runs. Another thread waits for what is not there yet."""

    def __getattr__(self, name: str) -> object:
        _wait(self)
        if type(self) is _Loading:  # its own file asks, or what that imports
            raise AttributeError("partially initialized module '%s' has no attribute '%s'"
                                 % (ModuleType.__getattribute__(self, "__name__"), name))
        found: object = getattr(self, name)
        return found


def _wait(module: ModuleType) -> None:
    try:
        with _ModuleLockManager(spec_of(module).name):
            pass
    except _DeadlockError:
        pass  # the other thread waits for what this one imports: as in every import, it sees a part


def _load(module: ModuleType) -> None:
    spec = spec_of(module)
    for package in (spec.name.rpartition(".")[0], _AFTER.get(spec.name, "")):  # as Python does
        if package in _AFTER.values():
            import_module(package)
        before = sys.modules.get(package)
        if type(before) is _Module:
            _load(before)
    try:
        with _ModuleLockManager(spec.name):
            if type(module) is _Module:
                uncollected(_run, module)
    except _DeadlockError:
        pass


def _run(module: ModuleType) -> None:
    spec = spec_of(module)
    module.__class__ = _Loading
    spec._initializing = True
    try:
        spec.loader.exec_module(module)
    except BaseException:
        module.__class__ = _Module
        raise
    finally:
        spec._initializing = False
    names = _names_of(module)
    if spec.name.startswith("keras.src") and "__path__" in names:
        names.setdefault("__getattr__", partial(_module_of, spec.name))
    if type(module) is _Loading:
        module.__class__ = _PLAIN


def uncollected(load: Callable[[ModuleType], None], module: ModuleType) -> None:
    """Without the garbage collector, which would look often at what an import makes, and find nothing. Nor
    does the next look for young garbage go through it all: it is old at once."""
    if not gc.isenabled():
        load(module)
        return
    gc.disable()
    try:
        load(module)
    finally:
        if gc.get_count()[0] > _MANY and gc.get_freeze_count() <= _frozen:  # else the program froze something
            gc.freeze()
            gc.unfreeze()  # this moves them among the oldest
        gc.enable()


def note_frozen() -> None:
    """Called as the script's process begins, which has what its parent had frozen."""
    global _frozen
    _frozen = gc.get_freeze_count()


def spec_of(module: ModuleType) -> Any:
    """Its spec, which does not load it."""
    return ModuleType.__getattribute__(module, "__spec__")


def _names_of(module: ModuleType) -> Dict[str, Any]:
    """Its dictionary as it is: what a class of ours has under that name would load the module."""
    found: Dict[str, Any] = _DICTIONARY.__get__(module)
    return found


def _module_of(package: str, name: str) -> ModuleType:
    """A module of a package, which Keras's lists of names would have imported."""
    try:
        return import_module(package + "." + name)
    except ModuleNotFoundError:
        raise AttributeError("module '%s' has no attribute '%s'" % (package, name)) from None


# --- lists of names -------------------------------------------------------------------------------
class _Later:
    """What `from module import name` gives in a list, until somebody asks for it."""

    __slots__ = ("module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name


class _Source:
    """A module of a list that was not imported: each of its names is a _Later."""

    def __init__(self, name: str) -> None:
        self._sf_name = name

    def __getattr__(self, name: str) -> _Later:
        return _Later(self._sf_name, name)


class _List(ModuleType):
    """A package whose list was read and of which not all names were asked for."""

    def __getattr__(self, name: str) -> Any:
        names = _names_of(self)
        late = names["__sf_later__"].get(name)
        if late is not None:
            return _resolve(names, name, late)
        own = names.get("__getattr__")
        if own is not None and not name.startswith("_"):
            return own(name)
        raise AttributeError("module '%s' has no attribute '%s'" % (names["__name__"], name))

    def __dir__(self) -> List[str]:
        return dir(_complete(self))

    @property
    def __dict__(self) -> object:  # type: ignore[override]
        return vars(_complete(self))


def is_list(name: str) -> bool:
    """Is it a package that does little else than to import names?"""
    return name in _LISTS or name.partition(".")[0] == "keras" and not name.startswith("keras.src.")


def run_list(load: Callable[[ModuleType], None], module: ModuleType) -> None:
    """Runs the file of a list, of which modules that nobody has imported yet wait, and its own functions."""
    loader = spec_of(module).loader
    if not hasattr(loader, "get_code"):
        load(module)
        return
    package = spec_of(module).name
    code = loader.get_code(package)
    below = package + "." if package in _LISTS else "keras.src."
    plain = builtins.__import__

    def importing(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (),
                  level: int = 0) -> Union[ModuleType, _Source]:
        if fromlist and not level and name.startswith(below) and not _is_loaded(name) and \
                name not in _AT_ONCE:
            return _Source(name)
        return plain(name, globals, locals, fromlist, level)

    names = _names_of(module)
    names["__builtins__"] = own = {**vars(builtins), "__import__": importing}
    try:
        exec(code, names)
    finally:
        own["__import__"] = plain
        names["__builtins__"] = vars(builtins)
    later: Dict[str, object] = {name: value for name, value in names.items() if type(value) is _Later}
    for name in later:
        del names[name]
    if later:
        own_functions = {name: value for name, value in names.items() if isinstance(value, FunctionType)
                         and value.__module__ == package}
        for name in own_functions:
            del names[name]
        later.update(own_functions)
        names["__sf_later__"], names["__sf_used__"] = later, _used_by_functions(code) & set(later)
        module.__class__ = _List


def _is_loaded(name: str) -> bool:
    module = sys.modules.get(name)
    return module is not None and not is_deferred(module) and \
        not getattr(module.__spec__, "_initializing", False)


def _used_by_functions(code: CodeType) -> Set[str]:
    used: Set[str] = set()
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            used.update(constant.co_names, _used_by_functions(constant))
    return used


def _resolve(names: Dict[str, Any], name: str, late: object) -> object:
    """`late`: a _Later, or a function of the list, which looks for what it names in the dictionary."""
    if type(late) is _Later:
        found = getattr(import_module(late.module), late.name)
    else:
        found = late
        for used in names["__sf_used__"] & set(names["__sf_later__"]) - {name}:
            _resolve(names, used, names["__sf_later__"][used])
    with _lock:
        if names["__sf_later__"].pop(name, None) is not None:
            names[name] = found
    return found


def _complete(module: ModuleType) -> ModuleType:
    """All that a list names is imported: it is a module as any other."""
    names = _names_of(module)
    for name, late in list(names.get("__sf_later__", {}).items()):
        _resolve(names, name, late)
    names.pop("__sf_later__", None)
    names.pop("__sf_used__", None)
    module.__class__ = _PLAIN
    return module
