"""Workers that are programs of their own: multiprocessing by spawn and forkserver starts a new interpreter,
which imports the script again. There, too, `tensorflow` is ShapeFlow.

What a worker finds is not reported, as with one that is forked: it gets the errors that TensorFlow raises.
"""
from __future__ import annotations

import os

from shapeflow._imported import act_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_UTIL = "multiprocessing.util"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STARTS = ("from multiprocessing.spawn import", "from multiprocessing.forkserver import")

# Nothing of the working folder may be taken for one of our modules.
_PREFACE = ("import sys; found = sys.path[:]; sys.path[:] = [{packages!r}, *filter(None, found)]; "
            "from shapeflow.workers import enter; enter({version!r}, {mode!r}, {script!r}); "
            "sys.path[:] = found; ")


class _Starts:
    """Of the script's workers."""

    def __init__(self, version: str, mode: str, script: str) -> None:
        self._preface = _PREFACE.format(packages=_PACKAGES, version=version, mode=mode, script=script)

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
    starts = _Starts(version, mode, script)
    act_on(__name__, {_UTIL: starts.change})


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
