"""Acts on modules of the standard library and of numpy once the script imports them."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any, Callable, Dict, Optional, Sequence, Set

    Act = Callable[[ModuleType], None]


class Finder:
    """Lets the others find a module, and acts when it has been imported."""

    def __init__(self, acts: Dict[str, Act]) -> None:
        self.acts = acts
        self._searched: Set[str] = set()  # now: another finder may ask all of them again

    def find_spec(self, fullname: str, path: Optional[Sequence[str]] = None,
                  target: Optional[ModuleType] = None) -> Optional[ModuleSpec]:
        act = self.acts.get(fullname)
        if act is None or fullname in self._searched:
            return None
        self._searched.add(fullname)
        try:
            return self._find(act, fullname, path, target)
        finally:
            self._searched.discard(fullname)

    @staticmethod
    def _find(act: Act, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType]
              ) -> Optional[ModuleSpec]:
        for finder in sys.meta_path:
            if isinstance(finder, Finder) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                loader: Any = spec.loader
                try:
                    loader.exec_module = _Then(loader, act)
                except AttributeError:
                    pass  # a built-in loader: none of the wanted modules has one
                return spec
        return None


class _Then:
    """A loader's exec_module, for one import. A script may pickle or copy the loader that it finds."""

    def __init__(self, loader: Any, act: Act) -> None:
        self._loader, self._act = loader, act
        self._before = vars(loader).get("exec_module")  # of another finder

    def __call__(self, module: ModuleType) -> None:
        if self._before is None:
            vars(self._loader).pop("exec_module", None)
        else:
            self._loader.exec_module = self._before
        self._loader.exec_module(module)
        self._act(module)


def act_after(acts: Dict[str, Act]) -> None:
    """From now on. Who acted on the same modules before no longer does."""
    sys.meta_path[:] = [f for f in sys.meta_path
                        if not isinstance(f, Finder) or f.acts.keys() != acts.keys()]
    sys.meta_path.insert(0, Finder(acts))  # type: ignore[arg-type]
