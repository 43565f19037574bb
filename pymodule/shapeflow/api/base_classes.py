"""Bases of TensorFlow's classes from which ours do not inherit: the snapshot says what is below them."""
from __future__ import annotations

import abc
import weakref

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
        above = _names_above(cls, version)
        answers[cls] = bool(above) and not above.isdisjoint(_names_of(base))
    return answers[cls]


def _names_above(cls: type, version: Tuple[int, int]) -> Set[str]:
    """What the snapshots list as bases, near or far, of the classes from which `cls` derives: those that are
    registered, and unmodelled ones. Asked upwards, since who names a base is known only when all was read."""
    own = registry.names_of_any(cls.__mro__)
    todo = [listed for name, api in own for listed in names.listed(name, api, version)]
    todo += [vars(one)["_sf_owner"] for one in cls.__mro__ if "_sf_owner" in vars(one)]
    found: Set[str] = set()
    for source in snapshot.nearest(version):
        waiting = list(todo)
        while waiting:
            entry = source.entry(waiting.pop())
            new = [] if entry is None or entry.kind != "c" else [
                base for base in entry.bases if base not in found]
            found.update(new)
            waiting += new
    return found


def _names_of(base: type) -> Iterator[str]:
    """The public names of a base, none of a class that a program derives from it."""
    unmodelled = vars(base).get("_sf_dotted")
    if unmodelled is not None:
        yield unmodelled
    yield from registry.names_of(base)
