"""Methods that a class of the program's must have: the abstract ones of TensorFlow's base classes, where they
are modelled.

A program may be one of any release that has what it uses, and older releases asked for less: a method counts
that is abstract in every snapshot of that TensorFlow which has the class. Python itself refuses to make an
object of a class with `__abstractmethods__`, in its own words.
"""
from __future__ import annotations

from shapeflow.api import names, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, FrozenSet

_OURS = ("shapeflow", "tensorflow")  # classes that we make: they have what they need


def ask_for(cls: type, dotted: str) -> None:
    """From now on, of classes that a program derives from ours, which stands for `dotted`."""
    if not any(abstract_in(source, dotted) for source in snapshot.nearest(names.emulated())):
        return
    before = vars(cls).get("__init_subclass__")
    if before is not None:  # of another version, emulated before
        before = getattr(before.__func__, "_sf_before", before)

    def derived(sub: Any, /, **kwargs: object) -> None:
        if before is not None:
            before.__get__(None, sub)(**kwargs)
        else:
            above: object = super(cls, sub)
            above.__init_subclass__(**kwargs)
        if sub.__module__.partition(".")[0] not in _OURS:
            lacking = {name for name in abstract(dotted) if _is_ours(sub, name, cls)}
            sub.__abstractmethods__ = frozenset(lacking | set(getattr(sub, "__abstractmethods__", ())))

    vars(derived)["_sf_before"] = before
    setattr(cls, "__init_subclass__", classmethod(derived))  # noqa: B010


def abstract(dotted: str) -> FrozenSet[str]:
    """The methods that are abstract in all snapshots of the emulated TensorFlow that have the class."""
    is_first = names.emulated() < (2, 0)
    sources = [snapshot.of(version) for version in snapshot.VERSIONS if (version < (2, 0)) == is_first]
    asked = [abstract_in(source, dotted) for source in sources if source.block(dotted) is not None]
    return frozenset.intersection(*asked) if asked else frozenset()


def abstract_in(source: snapshot.Snapshot, dotted: str) -> FrozenSet[str]:
    block = source.block(dotted)
    return frozenset(block.abstract if block is not None else ())


def _is_ours(sub: type, name: str, cls: type) -> bool:
    """Is what a class has under a name that of `cls`, or nothing?"""
    owner = next((kind for kind in sub.__mro__ if name in vars(kind)), None)
    return owner is None or owner in cls.__mro__
