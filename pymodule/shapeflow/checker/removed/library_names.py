"""What Python's own library had, and old programs still use: the abstract classes in `collections` (until
3.9), inspect.getargspec (3.10), time.clock (3.7), fractions.gcd (3.8)."""
from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict

_ABSTRACT = ("Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Hashable Iterable Iterator "
             "Generator Reversible Sized Container Callable Collection Set MutableSet Mapping MutableMapping "
             "MappingView KeysView ItemsView ValuesView Sequence MutableSequence ByteString").split()


def _abstract(name: str) -> object:
    import collections.abc as abc

    return getattr(abc, name)


def _getargspec() -> object:
    def getargspec(func: object) -> object:
        from shapeflow.tensorflow.python.util import decorators  # which imports inspect itself

        return decorators.getargspec(func)

    return getargspec


def _clock() -> object:
    import time

    return time.process_time


def _gcd() -> object:
    import math

    return math.gcd


MODULES: Dict[str, Dict[str, Callable[[], object]]] = {
    "collections": {name: functools.partial(_abstract, name) for name in _ABSTRACT},
    "inspect": {"getargspec": _getargspec}, "time": {"clock": _clock}, "fractions": {"gcd": _gcd}}
