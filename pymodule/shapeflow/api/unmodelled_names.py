"""The names of TensorFlow that ShapeFlow does not model, typed as the snapshot says: a function takes
TensorFlow's arguments, a class has its bases and members and can be subclassed, a constant is its value,
exceptions, enumerations and named tuples are ones.
"""
from __future__ import annotations

import abc
import importlib
import types

from shapeflow import _core
from shapeflow.api import base_classes, names, parameters, signatures, snapshot, unknown_uses
from shapeflow.api.unmodelled import (
    Opaque,
    UnmodelledFunction,
    UnmodelledObject,
    UnmodelledType,
    is_unmodelled,
    mark_graph,
    tensors_in,
    unmodelled_function,
)
from shapeflow.api.unmodelled_members import Method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, Union

    Resolve = Callable[[str, int], Any]  # a public name and its API -> the object, or registry.MISSING

_made: Dict[str, Any] = {}
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
# First parameters of functions that are used as decorators: what they decorate goes on as it is.
_DECORATED = frozenset("func fn function f cls klass python_function wrapped method obj target".split())


def make(dotted: str, entry: snapshot.Entry, api: int, resolve: Resolve) -> Any:
    """The object of a name, one under all its names; `resolve` finds the public names that it is made of."""
    key = "%s %s %s" % (entry.dotted, entry.rest, names.emulated())
    if key not in _made:
        _made[key] = _make(dotted, entry, api, resolve)
    return _made[key]


def _make(dotted: str, entry: snapshot.Entry, api: int, resolve: Resolve) -> Any:
    if entry.kind == "v":
        value = snapshot.literal(entry.rest)
        return value[0] if value is not None else unmodelled_function(dotted)
    if entry.kind == "o":
        return _object(dotted, entry, api, resolve)
    if entry.kind == "c":
        found = _named_tuple(dotted, entry, api) if entry.bases == ["tuple"] else None
        if found is not None:
            return found
        bases = _bases(entry, api, resolve)
        if bases and issubclass(bases[0], _OF_PYTHON):
            return _class_of_python(dotted, entry, bases, api)
        if bases and not issubclass(bases[0], Opaque):
            return _plain_class(dotted, entry, bases, api)
        return _class(dotted, entry, bases, api)
    return _function(dotted, entry, api) if entry.kind == "f" and entry.signature else \
        unmodelled_function(dotted)


def is_unknown(value: object) -> bool:
    """Is what a name stands for not modelled: unknown itself, or what it makes or gives?"""
    if isinstance(value, type):
        return _is_unmodelled(value) or "_sf_made" in vars(value)
    return isinstance(value, Opaque) or is_unmodelled(value) or \
        "_sf_unmodelled" in getattr(value, "__dict__", ())


def unmodelled_class(dotted: str) -> type:
    """The class of a name of which nothing but the name is known."""
    if dotted not in _made:
        _made[dotted] = _class(dotted, None, (), 1)
    found: type = _made[dotted]
    return found


# --- functions ------------------------------------------------------------------------------------
def _function(dotted: str, entry: snapshot.Entry, api: int) -> Any:
    check = signatures.make(entry.dotted.rpartition(".")[2], entry.signature, api)
    wanted = parameters.parse(entry.signature)
    decorates = bool(wanted) and wanted[0][0] in _DECORATED

    def unmodelled_function(*args: object, **kwargs: object) -> Union[Opaque, types.FunctionType, type]:
        signatures.fit(check, args, kwargs)
        _core.notice_unmodelled(dotted)
        if decorates and len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]
        result = Opaque(dotted, tensors_in((args, kwargs), []))
        vars(result)["_sf_of_call"] = True
        if mark_graph():
            result.__sf_tensor__()  # the real one would have added nodes as well
        return result

    unmodelled_function.__name__ = unmodelled_function.__qualname__ = check.__name__
    unmodelled_function.__module__ = entry.home or "tensorflow"
    vars(unmodelled_function).update(__wrapped__=check, _sf_unmodelled=True, _sf_name=dotted)
    return unmodelled_function


# --- classes --------------------------------------------------------------------------------------
class _OpenMeta(abc.ABCMeta):
    """The class of classes of which no list says what they have: any attribute is unknown."""

    def __getattr__(cls, attr: str) -> UnmodelledFunction:
        if attr.startswith(("__", "_sf_")):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, attr))
        return UnmodelledFunction("%s.%s" % (cls._sf_dotted, attr))


class _OpenTuple(abc.ABCMeta):
    """The same of a named tuple."""

    def __getattr__(cls, attr: str) -> UnmodelledFunction:
        if attr.startswith("_"):
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, attr))
        return UnmodelledFunction("%s.%s" % (vars(cls).get("_sf_named", cls.__name__), attr))


def _is_unmodelled(cls: object) -> bool:
    """Is it an unmodelled class, or one that a program derives from it?"""
    return isinstance(cls, type) and hasattr(cls, "_sf_dotted")


def _property(name: str) -> property:
    """What a program has set wins, though TensorFlow's may not be set."""
    return property(lambda self: vars(self)[name] if name in vars(self) else Opaque.__getattr__(self, name))


def _class(dotted: str, entry: Optional[snapshot.Entry], bases: Tuple[type, ...], api: int) -> type:
    members, check = _members(entry, api) if entry is not None else (None, None)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if check is not None:
            signatures.fit(check, (self, *args), kwargs)
        _core.notice_unmodelled(dotted)
        mark_graph()
        Opaque.__init__(self, dotted, tensors_in((args, kwargs), []))

    def __call__(self: Any, *args: Any, **kwargs: Any) -> object:
        method = vars(type(self)).get("call") or getattr(type(self), "call", None)
        if callable(method) and not hasattr(method, "_sf_unmodelled"):
            return self.call(*args, **kwargs)
        return self._more("()", args, kwargs)

    def __setattr__(self: object, name: str, value: object) -> None:
        self.__dict__[name] = value

    if check is not None:
        vars(__init__)["__wrapped__"] = check
    is_listed = members is not None and not _is_message(entry)
    body: Dict[str, object] = {
        "__init__": __init__, "__setattr__": __setattr__,
        "_sf_dotted": dotted, "_sf_name": dotted, "_sf_tensor": None, "_sf_inputs": (),
        "__subclasshook__": classmethod(base_classes.subclass_hook),
        "__module__": entry and entry.home or "tensorflow"}
    if entry is not None:
        body["_sf_owner"] = entry.dotted
    if entry is None or _can_be_called(entry):
        body["__call__"] = __call__
    if entry is not None and entry.signature:
        body["__signature__"] = signatures.Shown(entry.signature, api)
    for name, (kind, rest) in (members or {}).items():
        body[name] = _member(dotted, name, kind, rest, api)
    for base in bases:  # what ours has beyond that would run on an object that it has not made
        if not issubclass(base, Opaque):
            body.update({attr: _property(attr) for attr in dir(base) if attr[0] != "_" and attr not in body})
    name = dotted.rpartition(".")[2]
    # A program may derive a class with a metaclass of its own, which goes together with no other.
    made = abc.ABCMeta if is_listed or _is_for_metaclass() else _OpenMeta
    try:
        return made(name, bases or (Opaque,), body)
    except TypeError:  # no order of these bases
        return made(name, (Opaque,), body)


def _is_for_metaclass() -> bool:
    """Does the file that asks for a class have metaclasses?"""
    frame = unknown_uses.innermost_user_frame()
    return frame is not None and unknown_uses.of(frame.f_code.co_filename).has_metaclass


def _can_be_called(entry: snapshot.Entry) -> bool:
    """Can objects of a class be called, as far as anybody knows? Of private classes no list says it."""
    lists = names.source_of(entry)
    todo = [entry.dotted]
    for name in todo:
        block = lists.class_block(name) if lists is not None else None
        found = lists.entry(name) if lists is not None else None
        is_open = block is None or "__call__" in block.special
        if is_open and name.startswith(("tf.", "tensorflow")) or name == "type":
            return True
        todo += [base for base in (found.bases if found is not None else ()) if base not in todo]
    return False


def _is_message(entry: Optional[snapshot.Entry]) -> bool:
    """A protocol buffer message: the values of its enumerations are members that no snapshot lists."""
    return entry is not None and any(base.startswith("google.protobuf") for base in entry.bases)


def _member(dotted: str, name: str, kind: str, rest: str, api: int) -> object:
    if kind in "fks":
        return Method(dotted, name, kind, rest, api)
    if kind == "p":
        return _property(name)
    value = snapshot.literal(rest) if kind == "v" else None
    if value is not None:
        return value[0]
    return unmodelled_class(dotted + "." + name) if kind == "c" else UnmodelledFunction(dotted + "." + name)


def _members(entry: snapshot.Entry, api: int) -> Tuple[Optional[Dict[str, Tuple[str, str]]], object]:
    """name -> (kind, what the snapshot says) of the members of a class and of its bases, None when no
    snapshot says it; and the check of its constructor."""
    lists = names.source_of(entry)
    if lists is None:
        return None, None
    members: Dict[str, Tuple[str, str]] = {}
    init, owner = "", ""
    for name, member, kind, rest in lists.members(entry.dotted):
        if not init and name != owner:
            owner, block, found = name, lists.class_block(name), lists.entry(name)
            init = signatures.constructor(block, found) if block is not None and found is not None else ""
        if member != "__init__":
            members.setdefault(member, (kind, rest))
    name = entry.dotted.rpartition(".")[2]
    return members, signatures.make(name + ".__init__", init, api) if init else None


def _bases(entry: snapshot.Entry, api: int, resolve: Resolve) -> Tuple[type, ...]:
    """The bases of a class: unmodelled ones and ours, or those of an exception or an enumeration."""
    import builtins
    import enum

    found: List[type] = []
    ours: List[type] = []
    plain: List[type] = []
    for base in entry.bases:
        kind = resolve(*names.place(base, api)) if base.startswith("tf.") else \
            abc.ABCMeta if base == "abc.ABCMeta" else \
            getattr(builtins, base, None) or getattr(enum, base.rpartition(".")[2], None)
        if not isinstance(kind, type):
            continue
        if issubclass(kind, (BaseException, enum.Enum)) or issubclass(kind, (int, str)) and found or \
                issubclass(kind, _OF_PYTHON) and len(entry.bases) == 1:
            plain.append(kind)
        elif _is_unmodelled(kind):
            found.append(kind)
        elif hasattr(kind, "_sf_unmodelled_class"):  # it has a class for those that are not modelled
            found.append(kind._sf_unmodelled_class)
        elif _is_plain_python(kind):
            ours.append(kind)
    if plain or not found and not ours:
        return tuple(plain)
    # What is unmodelled comes first: nothing of ours runs on an object that it has not made.
    return (*(found or [Opaque]), *ours)


def _is_plain_python(kind: type) -> bool:
    """No class of C is among its bases, and it has no metaclass of its own, so that it goes together with
    others."""
    is_usual = type(kind) in (type, abc.ABCMeta, _OpenMeta)
    return is_usual and kind.__basicsize__ == Opaque.__basicsize__ and all(
        base is object or base.__flags__ & _HEAP_TYPE for base in kind.__mro__)


def _plain_class(dotted: str, entry: snapshot.Entry, bases: Tuple[type, ...], api: int) -> type:
    """An exception or an enumeration."""
    import enum

    name = dotted.rpartition(".")[2]
    if not issubclass(bases[0], enum.Enum):
        return _exception(name, entry, bases, api)
    members = _members(entry, api)[0] or {}
    lists = names.source_of(entry)
    block = lists.class_block(entry.dotted) if lists is not None else None
    values: Dict[str, Any] = {}
    for member in [*(block.modules if block is not None else ()), *members]:
        kind, text = members.get(member, ("", ""))
        value = snapshot.literal(text) if kind == "v" else None
        if value is not None:
            values.setdefault(member, value[0])
    if not values:  # a private one: no list says what it has
        return _class(dotted, entry, (), api)
    made: Any = bases[0](name, values)  # type: ignore[call-arg]
    made.__module__ = entry.home or "tensorflow"
    return made  # type: ignore[no-any-return]


# Classes of Python of which Python asks more than attributes: metaclasses, properties, and named tuples.
_OF_PYTHON = (type, property, tuple)


def _class_of_python(dotted: str, entry: snapshot.Entry, bases: Tuple[type, ...], api: int) -> type:
    """A metaclass, a kind of property, or a named tuple with another constructor than its base."""
    members, check = _members(entry, api)
    base: Any = bases[0]

    def __new__(cls: Any, *args: object, **kwargs: object) -> Any:
        if issubclass(cls, type):
            return base.__new__(cls, *args, **kwargs)
        _core.notice_unmodelled(dotted)
        if not issubclass(cls, tuple):
            return base.__new__(cls)
        fields = getattr(cls, "_fields", ())
        return base.__new__(cls, *(Opaque("%s.%s" % (dotted, field)) for field in fields))

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if check is not None and not isinstance(self, type):
            signatures.fit(check, (self, *args), kwargs)
        if isinstance(self, type):
            type.__init__(self, *args)

    body: Dict[str, object] = {"__module__": entry.home or "tensorflow", "__new__": __new__,
                               "__init__": __init__, "_sf_made": dotted}
    if entry.signature:
        body["__signature__"] = signatures.Shown(entry.signature, api)
    for name, (kind, rest) in (members or {}).items():
        if not hasattr(base, name):
            body[name] = _member(dotted, name, kind, rest, api)
    return type(dotted.rpartition(".")[2], bases, body)


def _exception(name: str, entry: snapshot.Entry, bases: Tuple[type, ...], api: int) -> type:
    check = _members(entry, api)[1]

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if check is not None:
            signatures.fit(check, (self, *args), kwargs)
        vars(self).update(kwargs)
        BaseException.__init__(self, *args, *kwargs.values())

    body: Dict[str, object] = {"__module__": entry.home or "tensorflow", "__init__": __init__}
    if entry.signature:
        body["__signature__"] = signatures.Shown(entry.signature, api)
    return type(name, bases, body)


def _named_tuple(dotted: str, entry: snapshot.Entry, api: int) -> Optional[type]:
    """A class of tuples that has its fields for parameters, as those of collections.namedtuple have; None
    where they are not known. What it has besides, methods above all, is unknown."""
    fields = [name for name, _, _ in parameters.parse(entry.signature)]
    if not fields or not all(name.isidentifier() and name[0] != "_" for name in fields):
        return None
    lists = names.source_of(entry)
    block = lists.class_block(entry.dotted) if lists is not None else None
    members = {} if block is None else {**block.lines}
    if members and not {*fields} <= {*members}:  # its constructor makes others of them
        return None
    import collections

    where, _, last = entry.dotted.rpartition(".")
    make: Any = collections.namedtuple
    defaults = signatures.make(last, entry.signature, api).__defaults__
    made: type = make(last, fields, module=entry.home or where, defaults=defaults)
    body: Dict[str, object] = {"__slots__": (), "__module__": made.__module__}
    if block is None:  # a private one: no list says what it has besides
        def __getattr__(self: object, name: str) -> Opaque:
            if name.startswith("_"):
                raise AttributeError(f"{last!r} object has no attribute {name!r}")
            return Opaque(f"{dotted}.{name}", tensors_in(self, []))

        body.update(__getattr__=__getattr__, _sf_named=dotted)
    for name, what in members.items():
        if not hasattr(made, name) and name != "__init__":
            kind, _, rest = what.partition(" ")
            body[name] = _member(dotted, name, kind, rest, api)
    return (_OpenTuple if block is None else type)(last, (made,), body) if len(body) > 2 else made


# --- other objects --------------------------------------------------------------------------------
_EMPTY: Dict[str, Callable[[], object]] = {
    "dict": dict, "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "object": object,
    "OrderedDict": dict, "WeakKeyDictionary": lambda: _empty("weakref", "WeakKeyDictionary"),
    "WeakSet": lambda: _empty("weakref", "WeakSet"), "lock": lambda: _empty("threading", "Lock"),
    "RLock": lambda: _empty("threading", "RLock"), "_local": lambda: _empty("threading", "local"),
    "Counter": lambda: _empty("collections", "Counter"),
    "defaultdict": lambda: _empty("collections", "defaultdict"),
    "Logger": lambda: importlib.import_module("logging").getLogger("tensorflow"),
}

_OF_TYPING = frozenset((
    "_CallableGenericAlias", "_GenericAlias", "_SpecialForm", "_SpecialGenericAlias", "_TupleType",
    "_UnionGenericAlias", "_VariadicGenericAlias", "GenericAlias", "Optional", "Union"))


def _empty(where: str, name: str) -> object:
    return getattr(importlib.import_module(where), name)()


def _object(dotted: str, entry: snapshot.Entry, api: int, resolve: Resolve) -> object:
    """An object that is no constant, of which the class is known: a collection is empty, one of an unmodelled
    class is unknown."""
    kind, _, signature = entry.rest.partition(" ")
    if kind in _EMPTY:
        return _EMPTY[kind]()
    cls: Any = resolve(*names.place(kind, 1)) if kind.startswith("tf.") else None
    if not _is_unmodelled(cls):
        if not signature:
            return UnmodelledObject(dotted)
        if kind in _OF_TYPING:
            return UnmodelledType(dotted)
        return _function(dotted, snapshot.Entry(entry.dotted, "f", signature), api)
    made = object.__new__(cls)
    Opaque.__init__(made, dotted)
    return made
