"""Workers that are programs of their own: multiprocessing by spawn and forkserver starts a new interpreter,
which imports the script again. There, too, `tensorflow` is ShapeFlow.

What a worker finds is not reported, as with one that is forked: it gets the errors that TensorFlow raises.
"""
from __future__ import annotations

import os

from shapeflow.checker import worker_starts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import List

    from shapeflow.checker.patches import Patcher

_STARTS = ("from multiprocessing.spawn import", "from multiprocessing.forkserver import")


def change(util: ModuleType, by: Patcher, version: str, mode: str, script: str) -> None:
    """multiprocessing.util, in the script's process."""
    def first(path: str, args: List[str], at: int) -> str:
        return ("from shapeflow.checker.worker_programs import enter; "
                f"enter({version!r}, {mode!r}, {script!r})" if args[at].startswith(_STARTS) else "")

    worker_starts.run_first(util, by, first)


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
