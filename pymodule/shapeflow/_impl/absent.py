"""Members of TensorFlow's classes that are not modelled: unknown, with one notice each, as its functions are.

Which they are: dir() of the real class (2.21), less what ours has.
"""
from __future__ import annotations

import functools
from typing import Any

from shapeflow import _core, _names
from shapeflow._unmodelled import Opaque


class Absent:
    """A member of the class `owner`; what an instance sets in its place wins."""

    def __init__(self, owner: str, since: int) -> None:
        self._owner, self._since, self._attr = owner, since, ""

    def __set_name__(self, owner: Any, attr: str) -> None:
        self._attr = attr

    def __get__(self, instance: Any, owner: Any) -> Any:
        if _names.emulated()[0] < self._since:
            raise AttributeError("'%s' object has no attribute '%s'" % (owner.__name__, self._attr))
        name = "%s.%s" % (self._owner, self._attr)
        _core.notice_unmodelled(name)
        return Opaque(name)


def absent(cls: type, owner: str, names: str, since: int = 2) -> None:
    """Gives `cls` the members `names`, in TensorFlow from major version `since` on."""
    for name in names.split():
        member = Absent(owner, since)
        member.__set_name__(cls, name)
        setattr(cls, name, member)


class Later:
    """A method of TensorFlow 2 that version 1 has as a function alone, which gives a transformation."""

    def __init__(self, module: str, function: str) -> None:
        self._module, self._function = module, function

    def __get__(self, instance: Any, owner: Any) -> Any:
        if _names.emulated()[0] < 2:
            raise AttributeError("'%s' object has no attribute '%s'" % (owner.__name__, self._function))
        import importlib

        made = getattr(importlib.import_module("shapeflow._impl." + self._module), self._function)

        def method(dataset: Any, *args: Any, name: Any = None, **kwargs: Any) -> Any:
            return dataset.apply(made(*args, **kwargs))

        return method if instance is None else functools.partial(method, instance)
