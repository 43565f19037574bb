"""How a check takes part in imports: what it asks of the finder (module_finder.py), which is in front of all
others during a check, for four things.

`tensorflow` and `keras` resolve to ShapeFlow, so that a real TensorFlow, installed or not, is never loaded
(replace_tensorflow). Modules of the standard library, of numpy and others are changed once they are
imported (act_on).
Modules that a script of long ago expects, and nobody finds, are made (make_missing). What the script's
own code imports and nobody has is found last (find_last).
"""
from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from shapeflow.checker import lazy_imports, source_loading
from shapeflow.checker.library_frames import is_library
from shapeflow.module_finder import FINDER, HERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader as _LoaderBase
    from types import FrameType
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.api.modules import Listing
    from shapeflow.checker.patches import Patcher

    Act = Callable[[ModuleType, Patcher], None]
    Make = Callable[[str], Optional[ModuleSpec]]
    Find = Callable[[str, FrameType], Optional[ModuleSpec]]
    Load = Callable[[ModuleType], None]
    Run = Callable[[Load, ModuleType], None]
else:
    _LoaderBase = object  # importlib.abc is not worth its import time

# Top-level packages that we replace. Anything else, even `tensorflow_datasets`, is left alone.
ROOTS = ("tensorflow", "keras", "tensorflow_core", "tensorflow_estimator")
_IMPORTLIB = "/importlib/__init__.py"
_OURS = (__file__, HERE)
# Who comes by these only asks whether a module could be imported.
_PROBES = ("<frozen importlib.util>", "/importlib/util.py", "/pkgutil.py")


def is_tensorflow(name: str) -> bool:
    """Is the module one that we replace?"""
    return name.partition(".")[0] in ROOTS


# --- what a check wants ---------------------------------------------------------------------------
def replace_tensorflow(by: Patcher) -> None:
    """From here on `tensorflow` is ShapeFlow, also where a real one was imported before: that one is back
    when the scope ends, and the modules that we gave are gone."""
    hook = _join(by)
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if is_tensorflow(name)}
    hook.replacements += 1
    from shapeflow.api import installed_keras

    installed_keras.serve(1)

    def undo() -> None:
        hook.replacements -= 1
        installed_keras.serve(-1)
        for name in list(sys.modules):
            if is_tensorflow(name):
                del sys.modules[name]
        sys.modules.update(hidden)

    by.also("tensorflow in sys.modules", undo)


def act_on(by: Patcher, acts: Dict[str, Act]) -> None:
    """On those modules that are there at once, on the others after their import, each time. Of several the
    first to ask acts first."""
    hook = _join(by)
    for name, act in acts.items():
        module = sys.modules.get(name)
        if module is not None and not lazy_imports.is_deferred(module):
            act(module, by)
        elif module is not None and name not in hook.wanted:  # else that was done when it was imported
            _around(lazy_imports.spec_of(module), _then_act)
        hook.wanted.setdefault(name, []).append((by, act))

    def undo() -> None:
        for name in acts:
            kept = [item for item in hook.wanted.get(name, ()) if item[0] is not by]
            if kept:
                hook.wanted[name] = kept
            else:
                hook.wanted.pop(name, None)

    by.also(f"imports of {', '.join(acts)}", undo)


def act_before(by: Patcher, name: str, act: Callable[[], None]) -> None:
    """Before the package runs for the first time: at once where it did already, or once it is found."""
    if name in sys.modules:
        act()
        return
    waits = True

    def found(spec: ModuleSpec) -> ModuleSpec:
        nonlocal waits
        if waits and by.on:
            waits = False
            act()
        return spec

    by.also(f"what comes before {name}", FINDER.follow(lambda asked: asked == name, found))


def make_missing(by: Patcher, makers: Dict[str, Make]) -> None:
    """Modules for which there is no other finder. They are gone when the scope ends."""
    hook = _join(by)
    before = dict(hook.makers)
    hook.makers.update(makers)

    def undo() -> None:
        hook.makers.clear()
        hook.makers.update(before)
        for name in makers:
            module = sys.modules.get(name)
            if module is not None and isinstance(getattr(module.__spec__, "loader", None), Loader):
                del sys.modules[name]
                parent, _, last = name.rpartition(".")
                if parent in sys.modules:  # the import system has put it there
                    vars(sys.modules[parent]).pop(last, None)

    by.also(f"makers of {', '.join(makers)}", undo)


def find_last(by: Patcher, script: str, find: Find) -> None:
    """`find` is asked for modules that nobody else finds, when the user's code imports them, with its frame;
    it may raise ImportError in words of its own. Modules that it gave are gone when the scope ends."""
    given: List[str] = []

    def find_missing(name: str) -> Optional[ModuleSpec]:
        frame = _importing(script)
        spec = None if frame is None else find(name, frame)
        if spec is not None:
            given.append(name)
        return spec

    def unless_empty(spec: ModuleSpec) -> ModuleSpec:
        """A folder of data, or of what a package has written (wandb/), hides no package that is not there."""
        is_folder = spec.loader is None and spec.submodule_search_locations is not None
        return is_folder and not _has_modules(spec) and find_missing(spec.name) or spec

    leave = FINDER.add("packages that are not there", lambda name: True, find_missing)
    stop = FINDER.follow(lambda name: "." not in name, unless_empty)

    def undo() -> None:
        stop()
        leave()
        for name in given:
            sys.modules.pop(name, None)
            parent, _, own = name.rpartition(".")
            if parent in sys.modules:
                vars(sys.modules[parent]).pop(own, None)

    by.also("what nobody finds", undo)


def _has_modules(spec: ModuleSpec) -> bool:
    """Is there a module in a folder without an __init__.py, as far as a short look says?"""
    waiting, looked = list(spec.submodule_search_locations or ()), 0
    for folder in waiting:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    looked += 1
                    if entry.name.endswith(_MODULES):
                        return True
                    if entry.is_dir():
                        waiting.append(entry.path)
                    if looked > _MOST_LOOKED:
                        return False
        except OSError:
            continue
    return False


_MODULES = (".py", ".pyc", ".so", ".pyd")
_MOST_LOOKED = 2000


def override(by: Patcher, texts: Dict[str, str]) -> None:
    """Files that the check is to see with another text: for tracebacks and quotations, and when a
    module is imported. `texts` is by absolute path."""
    if not texts:
        return
    import linecache

    for path, text in texts.items():
        by.item(linecache.cache, path, (len(text), None, text.splitlines(True), path), regardless=True)
    source_loading.give_texts(by, texts)


def override_more(texts: Dict[str, str], more: Dict[str, str]) -> None:
    """The same for files that `texts`, which `override` was given, are to have from now on."""
    import linecache

    texts.update(more)
    for path, text in more.items():
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)


# --- what it is asked ------------------------------------------------------------------------------
class _Hook:
    """What the scopes that are open want of imports."""

    def __init__(self) -> None:
        self.replacements = 0  # scopes in which `tensorflow` is ours
        self.wanted: Dict[str, List[Tuple[Patcher, Act]]] = {}  # by module
        self.makers: Dict[str, Make] = {}
        self.users = 0  # calls of _join that are not undone
        self.leave: List[Callable[[], None]] = []  # what ends that the finder asks us

    def sources(self) -> List[Callable[[], None]]:
        """Has the finder ask us; calls that end it."""
        return [
            FINDER.add("TensorFlow in a check", self._is_replaced, _spec_of_ours),
            FINDER.add("modules of long ago", self.makers.__contains__, self._make),
            FINDER.follow(self._is_list, lambda spec: _around(spec, lazy_imports.run_list)),
            FINDER.follow(_LARGE.__contains__, lambda spec: _around(spec, lazy_imports.uncollected)),
            FINDER.follow(self.wanted.__contains__, lambda spec: _around(spec, _then_act)),
            FINDER.follow(self._is_late, lazy_imports.deferred)]

    def _is_replaced(self, name: str) -> bool:
        return bool(self.replacements) and is_tensorflow(name) and not _is_installed_keras(name)

    def _is_list(self, name: str) -> bool:
        return bool(self.replacements) and lazy_imports.is_list(name) and _is_keras_3()

    def _is_late(self, name: str) -> bool:
        """Is it a module that is loaded when it is touched?"""
        return bool(self.replacements) and lazy_imports.defers(name) and (
            not is_tensorflow(name) or _is_keras_3())

    def _make(self, name: str) -> Optional[ModuleSpec]:
        return self.makers[name](name)


_hook = _Hook()


def _join(by: Patcher) -> _Hook:
    """The finder asks us while somebody uses it."""
    _hook.users += 1
    if _hook.users == 1:
        _hook.leave = _hook.sources()
        sys.path_hooks.append(_list_ours)

    def undo() -> None:
        _hook.users -= 1
        if _hook.users:
            return
        for leave in _hook.leave:
            leave()
        if _list_ours in sys.path_hooks:
            sys.path_hooks.remove(_list_ours)
        for entry in list(sys.path_importer_cache):
            if _is_search_path(entry):
                del sys.path_importer_cache[entry]

    by.also("sys.meta_path", undo)
    return _hook


def _importing(script: str) -> Optional[FrameType]:
    """The user's frame that imports; None when a library does, or somebody only asks whether it could."""
    frame: Optional[FrameType] = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if path.endswith(_PROBES):
            return None
        if path not in _OURS and not path.startswith("<frozen importlib") and \
                not path.endswith(_IMPORTLIB):
            return None if is_library(path, script) else frame
        frame = frame.f_back
    return None


def _list_ours(entry: str) -> Listing:
    """A path hook: pkgutil lists the modules of our packages."""
    if not _is_search_path(entry):
        raise ImportError("no package of TensorFlow's", path=entry)
    from shapeflow.api import modules

    return modules.Listing(entry)


def _is_search_path(entry: str) -> bool:
    from shapeflow.api import registry

    return entry.startswith(registry.SEARCH_PATH)


def _is_installed_keras(name: str) -> bool:
    """Is it a module of the user's own Keras, which is run as it is?"""
    return name.partition(".")[0] == "keras" and _is_keras_3()


def _is_keras_3() -> bool:
    from shapeflow.api import installed_keras

    return installed_keras.package("keras") == installed_keras.KERAS_3


def _spec_of_ours(name: str) -> Optional[ModuleSpec]:
    """`tensorflow[.a.b.c]` and `keras[.a.b]`, through shapeflow.api.modules."""
    from shapeflow.api import modules

    return modules.spec(name)


class Loader(_LoaderBase):
    """Hands the import system a module of ours: one that exists, and fills itself when it is touched, or a
    new one that `fill` fills."""

    def __init__(self, module: Optional[ModuleType] = None,
                 fill: Optional[Callable[[ModuleType], None]] = None) -> None:
        self._module = module
        self._fill = fill

    def create_module(self, spec: ModuleSpec) -> Optional[ModuleType]:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        if self._fill is not None:
            self._fill(module)


# --- around an import -----------------------------------------------------------------------------
def _around(spec: ModuleSpec, run: Run) -> ModuleSpec:
    loader: Any = spec.loader
    if not hasattr(loader, "exec_module"):
        return spec  # none, or one of long ago, which makes and runs a module at once
    if isinstance(loader, type) or not hasattr(loader, "__dict__"):
        spec.loader = _Around(loader, run)  # type: ignore[assignment]
    else:
        loader.exec_module = _Once(loader, run)
    return spec


def _then_act(load: Load, module: ModuleType) -> None:
    name = module.__name__
    load(module)
    for by, act in list(_hook.wanted.get(name, ())):
        if by.on:
            act(module, by)


# Packages of which an import makes ten thousands of objects, all to stay.
_LARGE = frozenset(("keras", "matplotlib", "numpy", "pandas", "scipy", "sklearn", "tf_keras"))


class _Once:
    """A loader's exec_module, for one import. A script may pickle or copy the loader that it finds."""

    def __init__(self, loader: Any, run: Run) -> None:
        self._loader, self._run = loader, run
        self._before = vars(loader).get("exec_module")  # of another finder

    def __call__(self, module: ModuleType) -> None:
        if self._before is None:
            vars(self._loader).pop("exec_module", None)
        else:
            self._loader.exec_module = self._before
        self._run(self._loader.exec_module, module)


class _Around:
    """In the place of a loader that is shared by many modules: built-in ones have their finder's class."""

    def __init__(self, loader: Any, run: Run) -> None:
        self._loader, self._run = loader, run

    def __getattr__(self, name: str) -> Any:
        if name == "_loader":  # while it is copied
            raise AttributeError(name)
        return getattr(self._loader, name)

    def exec_module(self, module: Any) -> None:
        module.__loader__ = module.__spec__.loader = self._loader
        self._run(self._loader.exec_module, module)
