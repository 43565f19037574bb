"""Members of TensorFlow's classes that are not modelled: unknown, with one notice each, as its functions are.

Which they are: the members of the class in the snapshot, less what ours has.
"""
from __future__ import annotations

import types

from shapeflow import _core
from shapeflow.api import names, parameters, registry, signatures, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Set, Tuple

    from shapeflow.api.unmodelled import Opaque


def _made_when_asked(instance: object, attr: str) -> Any:
    """The member of a class of ours that makes members when they are asked for; MISSING for no such one."""
    cls: Any = type(instance)
    dynamic = getattr(cls, "__getattr__", None)
    if dynamic is not None and cls.__getattribute__ is object.__getattribute__:
        try:
            return dynamic(instance, attr)
        except AttributeError:
            pass
    return registry.MISSING


class Absent(property):
    """A member of the class `owner`; what an instance sets in its place wins."""

    def __init__(self, owner: str) -> None:
        super().__init__()
        self._owner, self._attr = owner, ""

    def __set_name__(self, owner: object, attr: str) -> None:
        self._attr = attr

    def __set__(self, instance: object, value: object) -> None:
        instance.__dict__[self._attr] = value

    def __delete__(self, instance: object) -> None:
        if self._attr not in getattr(instance, "__dict__", {}):
            raise AttributeError(self._attr)
        del instance.__dict__[self._attr]

    def __get__(self, instance: object, owner: object = None) -> Any:
        held = getattr(instance, "__dict__", {})
        if self._attr in held:
            return held[self._attr]
        if instance is None:  # to look whether a class has it is no use of it
            return self
        found = _made_when_asked(instance, self._attr)
        if found is not registry.MISSING:
            return found
        from shapeflow.api.unmodelled import Opaque

        name = "%s.%s" % (self._owner, self._attr)
        _core.notice_unmodelled(name)
        return Opaque(name)


class Method:
    """A method of the class `owner` (kind f, k for a class method, s for a static one), made when it is first
    touched: it takes TensorFlow's arguments and gives something unknown."""

    __slots__ = ("_owner", "_name", "_said", "_functions")

    def __init__(self, owner: str, name: str, kind: str, text: str, api: int) -> None:
        self._owner, self._name = owner, name
        self._said: Dict[Tuple[int, int], Tuple[str, str, int]] = {}  # emulated version -> kind, text, API
        self._functions: Dict[Tuple[str, str, int], Any] = {}
        self.say(kind, text, api)

    def say(self, kind: str, text: str, api: int) -> None:
        """What it is in this version; where two of its classes differ, what the first has."""
        self._said.setdefault(names.emulated(), (kind, text, api))

    def __get__(self, instance: object, owner: object) -> Any:
        said = self._said.get(names.emulated()) or next(reversed(self._said.values()))
        function = self._functions.get(said)
        if function is None:
            function = self._functions[said] = self._make(said[1], said[2])
        kind = said[0]
        if kind == "s" or kind == "f" and instance is None:
            return function
        if kind == "k":
            return types.MethodType(function, owner)
        from shapeflow.api.unmodelled import Opaque

        found = registry.MISSING if isinstance(instance, Opaque) else _made_when_asked(instance, self._name)
        return types.MethodType(function, instance) if found is registry.MISSING else found

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.__get__(None, None)(*args, **kwargs)

    def _make(self, said: str, api: int) -> Any:
        dotted = self._owner + "." + self._name
        text = parameters.leading(said)
        check = signatures.make(dotted, text, api) if text else None
        from shapeflow.api.unmodelled import Opaque, tensors_in

        def method(*args: Any, **kwargs: Any) -> Opaque:
            if check is not None:
                signatures.fit(check, args, kwargs)
            if args and isinstance(args[0], Opaque):
                return args[0]._more(".%s()" % self._name, args[1:], kwargs)
            _core.notice_unmodelled(dotted)
            return Opaque(dotted + "()", tensors_in((args, kwargs), []))

        method.__name__ = self._name
        method.__qualname__ = ".".join(dotted.rsplit(".", 2)[1:])
        vars(method)["_sf_unmodelled"] = True
        if check is not None:
            vars(method)["__wrapped__"] = check
        return method


def add(cls: type, dotted: str, lists: snapshot.Snapshot, api: int) -> List[Tuple[str, str, str, str]]:
    """Gives `cls` the members of TensorFlow's class `dotted` and of its bases that it lacks; (owner, name,
    kind, signature) of those that it has."""
    there: List[Tuple[str, str, str, str]] = []
    seen: Set[str] = set()
    for owner, member, kind, rest in lists.members(dotted):
        if member.startswith("_"):
            continue
        earlier = vars(cls).get(member)
        if isinstance(earlier, Method) and kind in "fks":  # of another version
            if member not in seen:
                earlier.say(kind, rest, api)
            seen.add(member)
            continue
        if hasattr(cls, member):
            if member not in seen:  # the nearest base says how it is called
                there.append((owner, member, kind, parameters.leading(rest)))
            seen.add(member)
            continue
        value = snapshot.literal(rest) if kind == "v" else None
        made: Any
        if value is not None:
            made = value[0]
        elif kind in "fks":
            made = Method(owner, member, kind, rest, api)
        else:
            made = Absent(owner)
            made.__set_name__(cls, member)
        seen.add(member)
        try:
            setattr(cls, member, made)
        except TypeError:  # a class of the C core that takes no more attributes
            return []
    return there


class Later:
    """A method of TensorFlow 2 that version 1 has as a function alone, which gives a transformation."""

    def __init__(self, module: str, function: str) -> None:
        self._module, self._function = module, function
        self._check: Any = None

    def expect(self, text: str, api: int) -> None:
        """Calls have the signature `text`, with self."""
        self._check = signatures.make(self._function, text, api)

    def __get__(self, instance: object, owner: Any) -> Any:
        if names.emulated()[0] < 2:
            raise AttributeError("'%s' object has no attribute '%s'" % (owner.__name__, self._function))
        import importlib

        made = getattr(importlib.import_module("shapeflow." + self._module), self._function)
        check = self._check

        def method(*args: Any, name: object = None, **kwargs: Any) -> Any:
            if check is not None:
                signatures.fit(check, args, kwargs)
            return args[0].apply(made(*args[1:], **kwargs))

        method.__name__ = method.__qualname__ = self._function
        if check is not None:
            vars(method)["__wrapped__"] = check
        return method if instance is None else types.MethodType(method, instance)
