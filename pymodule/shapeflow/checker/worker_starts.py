"""What workers of multiprocessing that are programs of their own do before anything else: all that is changed
of the one function of multiprocessing.util that starts Python.

Whoever wants a worker to do something first says so here. What they want comes in the order of
patches.OWNERS, the nearest to the interpreter first: a worker is in the sandbox before its `tensorflow` is
ShapeFlow.
"""
from __future__ import annotations

import os
import sys

from shapeflow.checker.patches import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.checker.patches import Patcher

    # Of the program, its arguments and the place of what it runs (-c): what it runs first, "" for nothing.
    First = Callable[[str, List[str], int], str]
    Around = Callable[[Callable[[], Any]], Any]

# Nothing of the working folder may be taken for one of our modules.
_PREFACE = "import sys; found = sys.path[:]; sys.path[:] = [{packages!r}, *filter(None, found)]; "
_RESTORE = "sys.path[:] = found; "
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_firsts: Dict[object, List[Tuple[Patcher, First, Optional[Around]]]] = {}  # by our function


def run_first(util: Any, by: Patcher, first: First, around: Optional[Around] = None) -> None:
    """Workers that `util` (multiprocessing.util) starts run what `first` says; where it says something,
    `around` is given the function that starts one, to call it."""
    if util.spawnv_passfds not in _firsts:
        _change(util, by)
    wanted = _firsts[util.spawnv_passfds]
    entry = by, first, around
    wanted.append(entry)
    wanted.sort(key=lambda one: rank(one[0].owner))

    def undo() -> None:
        wanted[:] = [one for one in wanted if one is not entry]

    by.also("what a worker does first", undo)


def _change(util: Any, by: Patcher) -> None:
    """Also where the modules of multiprocessing have a copy of the function."""
    before = util.spawnv_passfds
    wanted: List[Tuple[Patcher, First, Optional[Around]]] = []

    def spawnv_passfds(path: Any, args: Any, passfds: object) -> object:
        texts = [os.fsdecode(arg) for arg in args]
        at = texts.index("-c") + 1 if "-c" in texts[:-1] else 0
        said: List[str] = []

        def start() -> Any:
            return before(path, texts if said else args, passfds)

        for one, first, around in wanted if at else ():
            words = first(os.fsdecode(path), texts, at) if one.on else ""
            if words:
                said.append(words)
                start = start if around is None else _enclosed(around, start)
        if said:
            texts[at] = _PREFACE.format(packages=_PACKAGES) + "; ".join(said) + "; " + _RESTORE + texts[at]
        return start()

    _firsts[spawnv_passfds] = wanted
    by.also("workers that were started", lambda: (_firsts.pop(spawnv_passfds, None), None)[1])
    by.set(util, "spawnv_passfds", spawnv_passfds)
    for name in ("popen_spawn_posix", "forkserver", "resource_tracker"):
        module = sys.modules.get("multiprocessing." + name)
        if module is not None and vars(module).get("spawnv_passfds") is before:
            by.set(module, "spawnv_passfds", spawnv_passfds)


def _enclosed(around: Around, start: Callable[[], object]) -> Callable[[], Any]:
    return lambda: around(start)
