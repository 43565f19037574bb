"""What is changed in other packages once a program has a value that nobody knows: functions that insist on a
real one give another unknown value. A program without such values loads nothing of this.
"""
from __future__ import annotations

import sys
from types import ModuleType

import shapeflow.checker.unknown_paths as unknown_paths
from shapeflow.checker.import_hook import act_on, is_tensorflow
from shapeflow.checker.lazy_imports import is_deferred
from shapeflow.checker.library_frames import is_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, Dict, List, Optional, Set

    from shapeflow.checker.patches import Patcher


def start(by: Patcher, script: str) -> None:
    """From the first unknown value on; again does nothing."""
    from shapeflow import _core
    from shapeflow.api import unknown_arrays, unknown_calls, unknown_package, unknown_patterns, unknown_uses

    if unknown_uses.is_library is not unknown_uses.is_library_by_folder:
        return

    unknown_paths.install(by.scope)

    def is_theirs(path: str) -> bool:
        return is_library(path, script)

    by.set(unknown_uses, "is_library", is_theirs)
    _core.set_result_hook(unknown_package.result)
    # No ufunc is changed: unknown values have __array_ufunc__, and numba and ml_dtypes want real ones.
    changes = {"numpy": unknown_arrays.change, "numpy.random": unknown_arrays.change_random}
    for name in unknown_calls.MODULES:
        changes[name] = unknown_calls.change
    users = [module for name, module in list(sys.modules.items())
             if not _is_costly(name, module) and not is_theirs(str(vars(module).get("__file__") or "<"))]

    def also_where_it_was_imported(change: Callable[[ModuleType, Patcher], None]) -> Any:
        def act(module: ModuleType, by: Patcher) -> None:
            before = dict(vars(module))
            change(module, by)
            names = [name for name, value in before.items()
                     if callable(value) and vars(module).get(name) is not value]
            changed.update(id(vars(module)[name]) for name in names)
            _rebind(users, {id(before[name]): vars(module)[name] for name in names}, by)
        return act

    changed: Set[int] = set()  # what stands in the place of their functions
    for module in users:
        for name, pattern in unknown_patterns.those_of(vars(module)):
            by.item(vars(module), name, pattern, regardless=True)
    act_on(by, {name: also_where_it_was_imported(change) for name, change in changes.items()})
    unknown_package.assumed.is_late = _has_looked_up(changed, is_theirs)


def _has_looked_up(changed: Set[int], is_theirs: Callable[[str], bool]) -> bool:
    """Does the program call one of these functions with what is being computed now? It has looked the
    function up already, as it was before: `np.array([np.load(f) for f in glob.glob("data/*.npy")])`."""
    from shapeflow.api import unknown_uses

    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        names = {} if is_theirs(path) else {**frame.f_globals, **frame.f_locals}
        if names and any(id(_named(parts, names)) in changed
                         for parts in unknown_uses.of(path).calls_around(frame.f_lineno)):
            return True
        frame = frame.f_back
    return False


def _named(parts: List[str], names: Dict[str, object]) -> object:
    """What a dotted name is, where all but its last part are modules."""
    found = names.get(parts[0]) if parts else None
    for part in parts[1:]:
        found = vars(found).get(part) if isinstance(found, ModuleType) else None
    return found


def _is_costly(name: str, module: object) -> bool:
    """Does asking for its dictionary import much? TensorFlow's namespaces look all of their names up."""
    return is_tensorflow(name) or name.startswith("shapeflow.") or is_deferred(module)


def _rebind(modules: List[ModuleType], changed: Any, by: Patcher) -> None:
    """`from numpy import array`: the user's modules have the functions by names of their own."""
    for module in modules:
        names = vars(module)
        for name, value in list(names.items()):
            ours = changed.get(id(value))
            if ours is not None:
                by.item(names, name, ours, regardless=True)
