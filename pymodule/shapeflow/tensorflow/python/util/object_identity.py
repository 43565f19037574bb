"""Sets and mappings of objects that are compared by `is`.

Source: tensorflow/python/util/object_identity.py.
"""
from __future__ import annotations

import collections.abc
import weakref

from shapeflow.api.registry import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator

_PATH = "tensorflow.python.util.object_identity."


class _Wrapper:
    """One object; equal to another of the same object."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    @property
    def unwrapped(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wrapper) and self.unwrapped is other.unwrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return "<%s wrapping %r>" % (type(self).__name__, self.unwrapped)


class _WeakWrapper(_Wrapper):
    """The same without holding the object."""

    def __init__(self, wrapped: Any) -> None:
        super().__init__(weakref.ref(wrapped))
        self._hash = id(wrapped)

    @property
    def unwrapped(self) -> Any:
        return self._wrapped()

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other) and self.unwrapped is not None

    def __hash__(self) -> int:
        return self._hash


@export(_PATH + "Reference", v2=True)
class Reference(_Wrapper):
    """A reference to an object, as a key."""

    def deref(self) -> Any:
        return self._wrapped


class _Storage:
    """What dictionaries and sets of this kind share: they go over what is still there."""

    _storage: Dict[_Wrapper, Any]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._storage):
            value = key.unwrapped
            if value is None and isinstance(key, _WeakWrapper):
                del self._storage[key]
            else:
                yield value


@export(_PATH + "ObjectIdentityDictionary", v2=True)
class ObjectIdentityDictionary(_Storage, collections.abc.MutableMapping):  # type: ignore[type-arg]
    """A dictionary whose keys are compared by `is`."""

    _wrap = _Wrapper

    def __init__(self) -> None:
        self._storage: Dict[_Wrapper, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._storage[self._wrap(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[self._wrap(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[self._wrap(key)]

    def __repr__(self) -> str:
        return "%s(%r)" % (type(self).__name__, self._storage)


@export(_PATH + "ObjectIdentityWeakKeyDictionary", v2=True)
class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """The same without holding its keys."""

    _wrap = _WeakWrapper


@export(_PATH + "ObjectIdentitySet", v2=True)
class ObjectIdentitySet(_Storage, collections.abc.MutableSet):  # type: ignore[type-arg]
    """A set whose members are compared by `is`."""

    _wrap = _Wrapper

    def __init__(self, *args: Any) -> None:
        self._storage: Dict[_Wrapper, None] = {}  # in their order
        self.update(*args)

    def __contains__(self, key: object) -> bool:
        return self._wrap(key) in self._storage

    def add(self, key: Any) -> None:
        self._storage[self._wrap(key)] = None

    def discard(self, key: Any) -> None:
        self._storage.pop(self._wrap(key), None)

    def update(self, items: Any = ()) -> None:
        for item in items:
            self.add(item)

    def intersection(self, items: Any) -> Any:
        return {wrapped for item in items if (wrapped := self._wrap(item)) in self._storage}

    def difference(self, items: Any) -> ObjectIdentitySet:
        others = {self._wrap(item) for item in items}
        return ObjectIdentitySet(item for item in self if self._wrap(item) not in others)

    def clear(self) -> None:
        self._storage.clear()


@export(_PATH + "ObjectIdentityWeakSet", v2=True)
class ObjectIdentityWeakSet(ObjectIdentitySet):
    """The same without holding its members."""

    _wrap = _WeakWrapper
