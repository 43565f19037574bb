"""Workers that are programs of their own: multiprocessing by spawn and forkserver starts a new interpreter,
which imports the script again. There, too, `tensorflow` is ShapeFlow.

What a worker finds is not reported, as with one that is forked: it gets the errors that TensorFlow raises.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from shapeflow.checker.patches import Patcher

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_STARTS = ("from multiprocessing.spawn import", "from multiprocessing.forkserver import")

# Nothing of the working folder may be taken for one of our modules.
_PREFACE = ("import sys; found = sys.path[:]; sys.path[:] = [{packages!r}, *filter(None, found)]; "
            "from shapeflow.checker.worker_programs import enter; enter({version!r}, {mode!r}, {script!r}); "
            "sys.path[:] = found; ")


def change(util: ModuleType, by: Patcher, version: str, mode: str, script: str) -> None:
    """multiprocessing.util, in the script's process: its one function that starts Python."""
    spawn = vars(util)["spawnv_passfds"]
    preface = _PREFACE.format(packages=_PACKAGES, version=version, mode=mode, script=script)

    def spawnv_passfds(path: Any, args: Any, passfds: Any) -> Any:
        texts = [os.fsdecode(arg) for arg in args] if by.on else []
        for at, text in enumerate(texts):
            if at and texts[at - 1] == "-c" and text.startswith(_STARTS):
                texts[at] = preface + text
                return spawn(path, texts, passfds)
        return spawn(path, args, passfds)

    by.set(util, "spawnv_passfds", spawnv_passfds)


def enter(version: str, mode: str, script: str) -> None:
    """In a worker, before anything of the script's is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import shapeflow
    import shapeflow.checker.import_hook as hook
    from shapeflow.checker import library_frames
    from shapeflow.checker.patches import PROCESS
    from shapeflow.checker.removed.restore import Removed
    from shapeflow.tensorflow.compat import python2, version_detection

    shapeflow._wake()
    library_frames.hide(script)
    version_detection.activate(version, mode)
    reason = "a worker is as the process that started it"
    python2.install(PROCESS.by("tensorflow.compat.python2", reason), version)
    Removed(PROCESS.by("checker.removed.restore", reason), script).install()
    hook.act_on(PROCESS.by("checker.worker_programs", reason),
                {"multiprocessing.util": lambda util, by: change(util, by, version, mode, script)})
    hook.replace_tensorflow(PROCESS.by("checker.import_hook", reason))
