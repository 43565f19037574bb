"""Members of TensorFlow's classes that are not modelled: unknown, with one notice each, as its functions are.

Which they are: dir() of the real class (2.21), less what ours has.
"""
from __future__ import annotations

import functools
from typing import Any

from shapeflow import _core
from shapeflow.api import names, snapshot
from shapeflow.api.unmodelled import Opaque


class Absent:
    """A member of the class `owner`; what an instance sets in its place wins."""

    def __init__(self, owner: str, since: int) -> None:
        self._owner, self._since, self._attr = owner, since, ""

    def __set_name__(self, owner: Any, attr: str) -> None:
        self._attr = attr

    def __get__(self, instance: Any, owner: Any) -> Any:
        if names.emulated()[0] < self._since:
            raise AttributeError("'%s' object has no attribute '%s'" % (owner.__name__, self._attr))
        # A class of ours may make members when they are asked for.
        cls: Any = type(instance)
        dynamic = getattr(cls, "__getattr__", None)
        if dynamic is not None and cls.__getattribute__ is object.__getattribute__:
            try:
                return dynamic(instance, self._attr)
            except AttributeError:
                pass
        name = "%s.%s" % (self._owner, self._attr)
        if instance is not None:  # to look whether a class has it is no use of it
            _core.notice_unmodelled(name)
        return Opaque(name)


def absent(cls: type, owner: str, members: str, since: int = 2) -> None:
    """Gives `cls` the members `members`, in TensorFlow from major version `since` on."""
    for name in members.split():
        member = Absent(owner, since)
        member.__set_name__(cls, name)
        setattr(cls, name, member)


def add(cls: type, dotted: str, lists: snapshot.Snapshot) -> None:
    """Gives `cls` the members of TensorFlow's class `dotted` and of its bases that it lacks."""
    for owner, member, kind, rest in lists.members(dotted):
        if member.startswith("_") or hasattr(cls, member):
            continue
        value = snapshot.literal(rest) if kind == "v" else None
        made: Any = value[0] if value is not None else Absent(owner, 0)
        if value is None:
            made.__set_name__(cls, member)
        try:
            setattr(cls, member, made)
        except TypeError:  # a class of the C core that takes no more attributes
            return


class OfComposite:
    """A member of tf.RaggedTensor and its like, asked of a tensor.

    What is computed from something unmodelled is a tensor here, and may be a composite one in TensorFlow. Of
    a tensor whose rank is unknown it is unknown; any other tensor does not have it."""

    def __init__(self, owner: str) -> None:
        self._owner, self._attr = owner, ""

    def __set_name__(self, owner: Any, attr: str) -> None:
        self._attr = attr

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None or instance.shape.ndims is not None:
            kind = "type object '%s'" % owner.__name__ if instance is None else "'%s' object" % owner.__name__
            raise AttributeError("%s has no attribute '%s'" % (kind, self._attr))
        return Opaque("%s.%s" % (self._owner, self._attr), [instance])


@functools.lru_cache(maxsize=None)
def expect_composites() -> None:
    """From now on there may be composite tensors that are tensors here."""
    lists = snapshot.of(snapshot.VERSIONS[-1])
    for owner in ("tf.RaggedTensor", "tf.sparse.SparseTensor"):
        for _, name, _, _ in lists.members(owner):
            if not name.startswith("_") and not hasattr(_core.Tensor, name):
                member = OfComposite(owner)
                member.__set_name__(_core.Tensor, name)
                setattr(_core.Tensor, name, member)


class Later:
    """A method of TensorFlow 2 that version 1 has as a function alone, which gives a transformation."""

    def __init__(self, module: str, function: str) -> None:
        self._module, self._function = module, function

    def __get__(self, instance: Any, owner: Any) -> Any:
        if names.emulated()[0] < 2:
            raise AttributeError("'%s' object has no attribute '%s'" % (owner.__name__, self._function))
        import importlib

        made = getattr(importlib.import_module("shapeflow." + self._module), self._function)

        def method(dataset: Any, *args: Any, name: Any = None, **kwargs: Any) -> Any:
            return dataset.apply(made(*args, **kwargs))

        return method if instance is None else functools.partial(method, instance)
