"""Workers that are programs of their own: multiprocessing by spawn and forkserver starts a new interpreter,
which imports the script again. There, too, `tensorflow` is ShapeFlow.

What a worker finds is not reported, as with one that is forked: it gets the errors that TensorFlow raises.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any, Optional, Sequence

_UTIL = "multiprocessing.util"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STARTS = ("from multiprocessing.spawn import", "from multiprocessing.forkserver import")

# Nothing of the working folder may be taken for one of our modules.
_PREFACE = ("import sys; found = sys.path[:]; sys.path[:] = [{packages!r}, *filter(None, found)]; "
            "from shapeflow.workers import enter; enter({version!r}, {mode!r}, {script!r}); "
            "sys.path[:] = found; ")


class _Finder:
    """Lets the others find multiprocessing.util, and changes it once it is imported."""

    def __init__(self, version: str, mode: str, script: str) -> None:
        self._preface = _PREFACE.format(packages=_PACKAGES, version=version, mode=mode, script=script)

    def find_spec(self, fullname: str, path: Optional[Sequence[str]] = None,
                  target: Optional[ModuleType] = None) -> Optional[ModuleSpec]:
        if fullname != _UTIL:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                self._act_after(spec)
                return spec
        return None

    def _act_after(self, spec: ModuleSpec) -> None:
        loader: Any = spec.loader
        run = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            run(module)
            self.change(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass

    def change(self, util: ModuleType) -> None:
        """Its one function that starts Python."""
        spawn, preface = util.__dict__["spawnv_passfds"], self._preface

        def spawnv_passfds(path: Any, args: Any, passfds: Any) -> Any:
            texts = [os.fsdecode(arg) for arg in args]
            for at, text in enumerate(texts):
                if at and texts[at - 1] == "-c" and text.startswith(_STARTS):
                    texts[at] = preface + text
                    return spawn(path, texts, passfds)
            return spawn(path, args, passfds)

        util.__dict__["spawnv_passfds"] = spawnv_passfds


def install(version: str, mode: str, script: str) -> None:
    """In the script's process: its workers are to be as it is."""
    finder = _Finder(version, mode, script)
    util = sys.modules.get(_UTIL)
    if util is not None:
        finder.change(util)
    else:
        sys.meta_path.insert(0, finder)  # type: ignore[arg-type]


def enter(version: str, mode: str, script: str) -> None:
    """In a worker, before anything of the script's is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import shapeflow
    import shapeflow.hook as hook
    from shapeflow import _legacy, _library, _mode

    shapeflow._wake()
    _library.hide(script)
    _mode.activate(version, mode)
    _legacy.install(version)
    hook.install()
    install(version, mode, script)
