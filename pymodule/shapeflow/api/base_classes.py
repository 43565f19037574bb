"""Bases of TensorFlow's classes from which ours do not inherit: the snapshot says what is below them."""
from __future__ import annotations

import abc
import weakref

from shapeflow import _core
from shapeflow.api import names, registry, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, Set, Tuple

# For (base, version): is a class below it? A class that is asked about has been made, so the answer stays.
_answers: Dict[Tuple[type, Tuple[int, int]], weakref.WeakKeyDictionary[type, bool]] = {}


def subclass_hook(cls: Any, subclass: type) -> Any:
    """The `__subclasshook__` of such a base: `issubclass` and `isinstance` answer as TensorFlow's do. No
    metaclass does it: a program may derive a class with one of its own."""
    return is_below(cls, subclass) or NotImplemented


class Base(metaclass=abc.ABCMeta):  # noqa: B024 the hook alone
    """What such a base derives from."""

    __subclasshook__ = classmethod(subclass_hook)


def is_below(base: type, cls: type) -> bool:
    """Is `cls`, a class of ours or one that a program derives from it, in TensorFlow below `base`?"""
    version = names.emulated()
    answers = _answers.setdefault((base, version), weakref.WeakKeyDictionary())
    if cls not in answers:
        answers[cls] = not _made_below(base, version).isdisjoint(cls.__mro__) or \
            _is_listed_below(base, cls, version)
    return answers[cls]


def _is_listed_below(base: type, cls: type, version: Tuple[int, int]) -> bool:
    """Is `cls`, or a class from which it derives, unmodelled and in TensorFlow below `base`? It cannot derive
    from that where it is of the C core or has another metaclass."""
    unmodelled = {vars(one)["_sf_owner"] for one in cls.__mro__ if "_sf_owner" in vars(one)}
    return bool(unmodelled) and any(
        not unmodelled.isdisjoint(source.subclasses(dotted))
        for source in snapshot.nearest(version) for dotted in _names_of(base))


def _made_below(base: type, version: Tuple[int, int]) -> Set[type]:
    """The classes of ours that are made and have `base` among their bases in TensorFlow."""
    found: Set[type] = set()
    for source in snapshot.nearest(version):
        for dotted in _names_of(base):
            for below in source.subclasses(dotted):
                place = names.place(below, 1 if version < (2, 0) else 2)
                for ours in registry.loaded(*place), _core.api_function(*place):
                    if isinstance(ours, type):
                        found.add(ours)
    return found


def _names_of(base: type) -> Iterator[str]:
    """The public names of a base, none of a class that a program derives from it."""
    unmodelled = vars(base).get("_sf_dotted")
    if unmodelled is not None:
        yield unmodelled
    yield from registry.names_of(base)
