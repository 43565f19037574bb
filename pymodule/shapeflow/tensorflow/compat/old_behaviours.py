"""How numpy and PyYAML behaved in TensorFlow 1's time, in a check of a program for TensorFlow 0.x or 1.x.

numpy.load read pickled arrays (before 1.16.3), numpy.array made objects of rows of different lengths (before
1.24), and yaml.load had a loader by default (before 6.0). Names that are gone: checker/removed.
"""
from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict

    from shapeflow.checker.import_hook import Act
    from shapeflow.checker.patches import Patcher

_RAGGED = "inhomogeneous"


def _complete_numpy(numpy: ModuleType, by: Patcher) -> None:
    load, array, asarray = numpy.load, numpy.array, numpy.asarray

    @functools.wraps(load)
    def load_pickled(*args: object, **kwargs: object) -> Any:
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


ACTS: Dict[str, Act] = {"numpy": _complete_numpy, "yaml": _complete_yaml}
