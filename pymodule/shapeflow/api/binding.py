"""What is implemented in Python, with TensorFlow's parameters.

A function of ours may take more freely what it is given, or lack a parameter that changes no shape. A caller
sees TensorFlow's own signature, and its arguments reach ours by a mapping.
"""
from __future__ import annotations

import os
import sys
import types

from shapeflow import _core
from shapeflow.api import names, unmodelled_members
from shapeflow.api.argument_mapping import Mapping, is_same, of_code
from shapeflow.api.parameters import parse
from shapeflow.api.registry import own_module
from shapeflow.api.signatures import Shown, constructor, fit, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    from shapeflow.api import snapshot

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_KERAS = frozenset(("keras", "tf_keras"))
_OURS = "shapeflow.tensorflow."

# (id of ours, signature) -> what a program gets; it keeps ours alive
_bound: Dict[Tuple[int, str], object] = {}
_prepared: Dict[Tuple[type, Tuple[int, int]], str] = {}


def _adapted(ours: Any, check: object, text: str, dotted: str) -> Callable[..., Any]:
    """`ours` for calls that fit `check`, whose signature `text` is."""
    mapping = Mapping(check, parse(text), of_code(ours))
    if mapping.is_straight:
        def checked(*args: Any, **kwargs: Any) -> Any:
            fit(check, args, kwargs)
            return ours(*args, **kwargs)

        return checked

    def mapped(*args: Any, **kwargs: Any) -> object:
        fits = fit(check, args, kwargs)
        taken, named, lost = mapping.apply(args, kwargs)
        if lost and not fits:  # of a version between two snapshots: as it is
            return ours(*args, **kwargs)
        if lost:  # what it does then is not known
            from shapeflow.api.unmodelled import unmodelled_function

            return unmodelled_function(dotted)(*args, **kwargs)
        return ours(*taken, **named)

    return mapped


def function(ours: Any, dotted: str, entry: snapshot.Entry, api: int) -> Any:
    """`ours` with TensorFlow's parameters; itself when they are its own."""
    text = entry.signature
    if not text or not isinstance(ours, types.FunctionType):
        return ours
    key = id(ours), text
    found = _bound.get(key)
    if found is not None:
        found.__module__ = entry.home or found.__module__  # of another version, it has moved since
        return found
    if is_same(parse(text), of_code(ours)):
        ours.__annotations__ = {}  # TensorFlow's have none, and packages compare signatures
        if "<locals>" in ours.__qualname__:  # made by another: Python's TypeErrors say the name
            ours.__qualname__ = ours.__name__ = entry.dotted.rpartition(".")[2]
        if entry.home:
            ours.__module__ = entry.home
        if "_sf_around" not in ours.__dict__:
            _show_defaults(ours, text, api)
        found = ours
    else:
        check = make(entry.dotted.rpartition(".")[2], text, api)
        around = ours.__dict__.get("_sf_around")
        found = _adapted(ours, check, text, dotted) if around is None else \
            around(_adapted(ours.__dict__["__wrapped__"], check, text, dotted))
        found.__dict__.update(ours.__dict__)
        found.__name__ = found.__qualname__ = check.__name__
        found.__doc__ = check.__doc__ = ours.__doc__
        found.__module__ = entry.home or "tensorflow"
        found.__dict__["__wrapped__"] = check  # what inspect.signature shows
        found.__dict__["_sf_ours"] = ours
    _bound[key] = found
    return found


def function_of_class(ours: type, dotted: str, entry: snapshot.Entry, api: int) -> object:
    """What makes objects of a class of ours, where TensorFlow has, or had, a function."""
    def made(*args: Any, **kwargs: Any) -> Any:
        return ours(*args, **kwargs)

    key = id(ours), "()"
    if key not in _bound:
        made.__name__ = made.__qualname__ = entry.dotted.rpartition(".")[2]
        made.__doc__, made.__module__ = ours.__doc__, entry.home or "tensorflow"
        if entry.signature:
            vars(made)["__wrapped__"] = make(made.__name__, entry.signature, api)
        _bound[key] = made
    return _bound[key]


def _show_defaults(ours: types.FunctionType, text: str, api: int) -> None:
    """Lets inspect show TensorFlow's defaults of a function that has its parameters: `tf.float32`, where
    ours has "float32"."""
    shown = [default for _, _, default in parse(text) if default]
    have = [*(ours.__defaults__ or ()), *(ours.__kwdefaults__ or {}).values()]
    if len(shown) == len(have) and any(one != repr(other) for one, other in zip(shown, have)):
        ours.__dict__["__wrapped__"] = make(ours.__name__, text, api)


def prepare_class(cls: type, entry: snapshot.Entry, api: int) -> None:
    """Gives a class of ours TensorFlow's parameters, and the members that it lacks; once a version. A class
    of the installed Keras's has its own."""
    if cls.__module__.partition(".")[0] in _KERAS:
        return
    _say_home(cls, entry.home)  # another version, which had it elsewhere, may have been emulated since
    key = cls, names.emulated()
    known = _prepared.get(key)
    if known is not None and known in (entry.dotted, ""):
        return
    _prepared[key] = entry.dotted if known is None else ""
    lists = names.source_of(entry)
    block = lists.class_block(entry.dotted) if lists is not None else None
    if lists is None or block is None:
        return
    there = unmodelled_members.add(cls, entry.dotted, lists, api)
    if block.abstract and known is None:
        from shapeflow.api import abstract_methods

        abstract_methods.ask_for(cls, entry.dotted)
    if known is not None:  # one class of ours is two of TensorFlow's: it takes what either does
        if entry.signature and entry.dotted.rpartition(".")[2] == cls.__name__:  # and shows that of its name
            cls.__signature__ = Shown(entry.signature, api)  # type: ignore[attr-defined]
        texts = {member: text for _, member, _, text in there}
        texts["__init__"] = constructor(block, entry)
        for name, value in vars(cls).items():
            value = getattr(value, "__func__", value)
            checked = checked_of(value)
            if checked is not None and checked.text != texts.get(name):
                checked.forget()
                vars(value)["__wrapped__"] = checked.ours
        return
    for owner, member, kind, text in there:
        if kind in "fks" and text:
            _bind_method(cls, member, kind, text, owner, api)
    init = constructor(block, entry)
    if init:
        _bind_init(cls, init, entry.dotted, api)
    if entry.signature:
        try:
            cls.__signature__ = Shown(entry.signature, api)  # type: ignore[attr-defined]
        except TypeError:  # a class of the C core that takes no attributes
            pass


def _say_home(cls: Any, home: str) -> None:
    """`__module__` of a class of ours is that of TensorFlow's."""
    if home and cls.__module__ != home:
        try:
            cls._sf_module, cls.__module__ = own_module(cls), home
        except TypeError:  # a class of the C core that takes no attributes
            pass


# Parameters that a metaclass takes and the constructor lacks, by name in TensorFlow 2.
_MORE_OF_METACLASS = {"tf.compat.v1.Variable": ", experimental_enable_variable_lifting=None)"}


class Checked:
    """TensorFlow's signature of a constructor or method, before ours: one for each emulated version."""

    __slots__ = ("ours", "text", "_expected")

    def __init__(self, ours: Any) -> None:
        self.ours = ours
        self._expected: Dict[Tuple[int, int], Tuple[Any, Mapping, str]] = {}
        self.text = ""  # the newest signature

    @property
    def check(self) -> Any:
        """The function that checks calls in this version; None: they are taken as they are."""
        return self._expected.get(names.emulated(), (None,))[0]

    def forget(self) -> None:
        """In this version calls are taken as they are."""
        self._expected.pop(names.emulated(), None)

    def expect(self, text: str, dotted: str, method: str, api: int) -> Any:
        """In this version calls have the signature `text`; gives the function that checks them."""
        check = make(dotted.rpartition(".")[2] + "." + method, text, api)
        check.__name__ = method
        self.text = text
        self._expected[names.emulated()] = check, Mapping(check, parse(text), of_code(self.ours)), dotted
        return check

    def call(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """A parameter that ours lacks changes no shape by the rules of this package; it is said once."""
        expected = self._expected.get(names.emulated())
        if expected is None:
            return self.ours(*args, **kwargs)  # nobody has asked this version for the class
        check, mapping, dotted = expected
        fits = fit(check, args, kwargs)
        taken, named, lost = mapping.apply(args, kwargs)
        if lost and not fits:  # of a version between two snapshots: as it is
            return self.ours(*args, **kwargs)
        for name in lost:
            _core.notice_unmodelled("%s(%s)" % (dotted, name))
        return self.ours(*taken, **named)


def checked_of(function: Any) -> Optional[Checked]:
    """What checks the calls of a constructor or method of ours, where anything does."""
    found: Optional[Checked] = getattr(function, "__dict__", {}).get("_sf_checked")
    return found


def _bind_init(cls: type, text: str, dotted: str, api: int) -> None:
    ours = cls.__init__  # type: ignore[misc]
    holder = checked_of(vars(cls).get("__init__"))
    if holder is None:
        inherited = checked_of(ours)
        ours = inherited.ours if inherited is not None else ours
        if not isinstance(ours, types.FunctionType) or is_same(parse(text), of_code(ours)):
            return
        holder = held = Checked(ours)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            # What this package makes for itself has the parameters of ours.
            if sys._getframe(1).f_code.co_filename.startswith(_PACKAGE):
                held.ours(self, *args, **kwargs)
            else:
                held.call((self, *args), kwargs)

        __init__.__qualname__ = cls.__name__ + ".__init__"
        __init__.__doc__ = ours.__doc__
        vars(__init__)["_sf_checked"] = holder
        try:
            cls.__init__ = __init__  # type: ignore[misc]
        except TypeError:  # a class of the C core
            return
        ours = __init__
    more = _MORE_OF_METACLASS.get(dotted)
    if more is not None and names.emulated() >= (2, 0):
        text = text[:-1] + more
    ours.__dict__["__wrapped__"] = holder.expect(text, dotted, "__init__", api)


def _bind_method(cls: type, name: str, kind: str, text: str, dotted: str, api: int) -> None:
    """A method of ours takes TensorFlow's parameters: a misspelt keyword is a TypeError."""
    found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    if isinstance(found, unmodelled_members.Later):
        found.expect(text, api)
        return
    around = type(found) if isinstance(found, (staticmethod, classmethod)) else None
    ours = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
    if kind == "s" and around is classmethod:
        text = "(cls, " + text[1:]
    elif kind == "k" and around is staticmethod:
        text = "(" + text.partition(",")[2].lstrip() if "," in text else "()"
    holder = checked_of(ours) if name in vars(cls) else None
    if holder is None:
        inherited = checked_of(ours)
        ours = inherited.ours if inherited is not None else ours
        if not isinstance(ours, types.FunctionType) or not ours.__module__.startswith(_OURS):
            return
        if is_same(parse(text), of_code(ours)):
            if name in vars(cls):
                _show_defaults(ours, text, api)
            return
        holder = held = Checked(ours)

        def method(*args: Any, **kwargs: Any) -> Any:
            # What this package calls itself has the parameters of ours.
            if sys._getframe(1).f_code.co_filename.startswith(_PACKAGE):
                return held.ours(*args, **kwargs)
            return held.call(args, kwargs)

        method.__name__, method.__qualname__, method.__doc__ = name, ours.__qualname__, ours.__doc__
        method.__module__ = ours.__module__
        vars(method)["_sf_checked"] = holder
        setattr(cls, name, method if around is None else around(method))
        ours = method
    vars(ours)["__wrapped__"] = holder.expect(text, dotted, name, api)
