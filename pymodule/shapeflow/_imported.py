"""Acts on modules of the standard library, of numpy and others once the script imports them.

One finder for all who want to: of two that ask the other finders for a module, only one would be asked.
"""
from __future__ import annotations

import sys
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional, Sequence, Set, Tuple

    Act = Callable[[ModuleType], None]


def act_on(who: str, acts: Dict[str, Act]) -> None:
    """On those modules that are there at once, on the others after their import, each time. What the same
    caller wanted before is forgotten. Of several the first to ask acts first."""
    for name, act in acts.items():
        module = sys.modules.get(name)
        if module is not None:
            act(module)
    finder = _the_finder()
    if finder is None:
        finder = _Finder()
        sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    for wanted in finder.wanted.values():
        wanted.pop(who, None)
    for name, act in acts.items():
        finder.wanted.setdefault(name, {})[who] = act


def _the_finder() -> Optional[_Finder]:
    return next((finder for finder in sys.meta_path if isinstance(finder, _Finder)), None)


class _Finder:
    """Lets the others find a module, and has its loader act when it has been run."""

    def __init__(self) -> None:
        self.wanted: Dict[str, Dict[str, Act]] = {}  # by module, by who wants it
        self._searched: Set[Tuple[int, str]] = set()  # now: another finder may ask all of them again

    def find_spec(self, fullname: str, path: Optional[Sequence[str]] = None,
                  target: Optional[ModuleType] = None) -> Optional[ModuleSpec]:
        search = get_ident(), fullname
        if not self.wanted.get(fullname) or search in self._searched:
            return None
        self._searched.add(search)
        try:
            return self._find(fullname, path, target)
        finally:
            self._searched.discard(search)

    def _find(self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType]
              ) -> Optional[ModuleSpec]:
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                _follow(spec)
                return spec
        return None


def _follow(spec: ModuleSpec) -> None:
    loader: Any = spec.loader
    if not hasattr(loader, "exec_module"):
        return  # none, or one of long ago, which makes and runs a module at once
    if isinstance(loader, type) or not hasattr(loader, "__dict__"):
        spec.loader = _Around(loader, spec.name)  # type: ignore[assignment]
    else:
        loader.exec_module = _Then(loader, spec.name)


def _act(name: str, module: ModuleType) -> None:
    finder = _the_finder()
    for act in list(finder.wanted.get(name, {}).values()) if finder is not None else ():
        act(module)


class _Then:
    """A loader's exec_module, for one import. A script may pickle or copy the loader that it finds."""

    def __init__(self, loader: Any, name: str) -> None:
        self._loader, self._name = loader, name
        self._before = vars(loader).get("exec_module")  # of another finder

    def __call__(self, module: ModuleType) -> None:
        if self._before is None:
            vars(self._loader).pop("exec_module", None)
        else:
            self._loader.exec_module = self._before
        self._loader.exec_module(module)
        _act(self._name, module)


class _Around:
    """In the place of a loader that is shared by many modules: built-in ones have their finder's class."""

    def __init__(self, loader: Any, name: str) -> None:
        self._loader, self._name = loader, name

    def __getattr__(self, name: str) -> Any:
        if name == "_loader":  # while it is copied
            raise AttributeError(name)
        return getattr(self._loader, name)

    def exec_module(self, module: Any) -> None:
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _act(self._name, module)
