"""What Python's library, numpy and PyYAML have dropped since TensorFlow 1's time, and scripts still use.

Given back in a check of a program for TensorFlow 0.x or 1.x, and only where it is missing. Behaviours too:
numpy.load read pickled arrays (before 1.16.3), numpy.array made objects of rows of different lengths (before
1.24), and yaml.load had a loader by default (before 6.0).
"""
from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict

    from shapeflow.checker.import_hook import Act
    from shapeflow.checker.patches import Patcher

_RAGGED = "inhomogeneous"


def _add(module: ModuleType, by: Patcher, names: Dict[str, Callable[[], Any]]) -> None:
    for name, make in names.items():
        if not hasattr(module, name):
            by.set(module, name, make())


# --- Python's library -------------------------------------------------------------------------------
def _complete_inspect(inspect: ModuleType, by: Patcher) -> None:
    """inspect.getargspec: until 3.10."""
    def getargspec(func: Any) -> Any:
        from shapeflow.tensorflow.python.util import decorators  # which imports inspect itself

        return decorators.getargspec(func)

    _add(inspect, by, {"getargspec": lambda: getargspec})


def _complete_collections(collections: ModuleType, by: Patcher) -> None:
    """The abstract classes: until 3.9."""
    import collections.abc as abc

    _add(collections, by, {name: functools.partial(getattr, abc, name) for name in abc.__all__})


def _complete_time(time: ModuleType, by: Patcher) -> None:
    """time.clock: until 3.7."""
    _add(time, by, {"clock": lambda: time.process_time})


def _complete_fractions(fractions: ModuleType, by: Patcher) -> None:
    """fractions.gcd: until 3.8."""
    import math

    _add(fractions, by, {"gcd": lambda: math.gcd})


# --- packages ---------------------------------------------------------------------------------------
def _complete_numpy(numpy: ModuleType, by: Patcher) -> None:
    load, array, asarray = numpy.load, numpy.array, numpy.asarray

    @functools.wraps(load)
    def load_pickled(*args: Any, **kwargs: Any) -> Any:
        if by.on and len(args) < 3:
            kwargs.setdefault("allow_pickle", True)
        return load(*args, **kwargs)

    def of_objects(make: Any) -> Any:
        @functools.wraps(make)
        def made(*args: Any, **kwargs: Any) -> Any:
            try:
                return make(*args, **kwargs)
            except ValueError as error:
                asked = len(args) > 1 or kwargs.get("dtype") is not None
                if asked or not by.on or _RAGGED not in str(error):
                    raise
            return make(*args, **dict(kwargs, dtype=object))

        return made

    by.set(numpy, "load", load_pickled)
    by.set(numpy, "array", of_objects(array))
    by.set(numpy, "asarray", of_objects(asarray))


def _complete_yaml(yaml: ModuleType, by: Patcher) -> None:
    def with_loader(load: Any) -> Any:
        @functools.wraps(load)
        def loaded(stream: Any, Loader: Any = None) -> Any:
            return load(stream, Loader or yaml.FullLoader)

        return loaded

    if hasattr(yaml, "FullLoader"):
        by.set(yaml, "load", with_loader(yaml.load))
        by.set(yaml, "load_all", with_loader(yaml.load_all))


ACTS: Dict[str, Act] = {
    "inspect": _complete_inspect, "collections": _complete_collections, "time": _complete_time,
    "fractions": _complete_fractions, "numpy": _complete_numpy, "yaml": _complete_yaml}
