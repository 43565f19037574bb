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
from shapeflow.api.signatures import Shown, constructor, fit, make
from shapeflow.api.unmodelled import unmodelled_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    from shapeflow.api import snapshot

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_bound: Dict[Tuple[int, str], Any] = {}  # (id of ours, signature) -> what a program gets; it keeps ours alive
_prepared: Dict[Tuple[type, Tuple[int, int]], str] = {}


def _adapted(ours: Any, check: Any, text: str, dotted: str) -> Callable[..., Any]:
    """`ours` for calls that fit `check`, whose signature `text` is."""
    mapping = Mapping(check, parse(text), of_code(ours))
    if mapping.is_straight:
        def checked(*args: Any, **kwargs: Any) -> Any:
            fit(check, args, kwargs)
            return ours(*args, **kwargs)

        return checked

    def mapped(*args: Any, **kwargs: Any) -> Any:
        fits = fit(check, args, kwargs)
        taken, named, lost = mapping.apply(args, kwargs)
        if lost and not fits:  # of a version between two snapshots: as it is
            return ours(*args, **kwargs)
        if lost:  # what it does then is not known
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
        return found
    if is_same(parse(text), of_code(ours)):
        ours.__annotations__ = {}  # TensorFlow's have none, and packages compare signatures
        if "<locals>" in ours.__qualname__:  # made by another: Python's TypeErrors say the name
            ours.__qualname__ = ours.__name__ = entry.dotted.rpartition(".")[2]
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


def prepare_class(cls: type, entry: snapshot.Entry, api: int) -> None:
    """Gives a class of ours TensorFlow's parameters, and the members that it lacks; once a version."""
    key = cls, names.emulated()
    known = _prepared.get(key)
    if known is not None and known in (entry.dotted, ""):
        return
    _prepared[key] = entry.dotted if known is None else ""
    lists = names.source_of(entry)
    block = lists.block(entry.dotted) if lists is not None else None
    if lists is None or block is None:
        return
    unmodelled_members.add(cls, entry.dotted, lists, api)
    if known is not None:  # one class of ours is two of TensorFlow's: it takes what either does
        holder = vars(cls).get("_sf_init")
        if holder is not None:
            holder.forget()
            cls.__init__.__dict__.pop("__wrapped__", None)  # type: ignore[misc]
        return
    init = constructor(block, entry)
    if init:
        _bind_init(cls, init, entry.dotted, api)
    if entry.signature:
        try:
            cls.__signature__ = Shown(entry.signature, api)  # type: ignore[attr-defined]
        except TypeError:  # a class of the C core that takes no attributes
            pass


class Constructor:
    """TensorFlow's constructor of the emulated version, before ours."""

    __slots__ = ("ours", "check", "mapping", "dotted", "version")

    def __init__(self, ours: Any) -> None:
        self.ours = ours
        self.forget()

    def forget(self) -> None:
        self.check: Any = None
        self.mapping: Optional[Mapping] = None
        self.dotted = ""
        self.version = names.emulated()

    def expect(self, text: str, dotted: str, api: int) -> Any:
        """From now on calls have the signature `text`; gives the function that checks them."""
        check = make(dotted.rpartition(".")[2] + ".__init__", text, api)
        check.__name__ = "__init__"
        self.check, self.dotted, self.version = check, dotted, names.emulated()
        self.mapping = Mapping(check, parse(text), of_code(self.ours))
        return check

    def call(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        """A parameter that ours lacks changes no shape by the rules of this package; it is said once."""
        if self.mapping is None or self.version != names.emulated():
            self.ours(*args, **kwargs)  # nobody has asked this version for the class
            return
        fits = fit(self.check, args, kwargs)
        taken, named, lost = self.mapping.apply(args, kwargs)
        if lost and not fits:  # of a version between two snapshots: as it is
            self.ours(*args, **kwargs)
            return
        for name in lost:
            _core.notice_unmodelled("%s(%s)" % (self.dotted, name))
        self.ours(*taken, **named)


def _bind_init(cls: type, text: str, dotted: str, api: int) -> None:
    ours = cls.__init__  # type: ignore[misc]
    holder: Optional[Constructor] = vars(cls).get("_sf_init")
    if holder is None:
        owner = next((base for base in cls.__mro__ if "__init__" in vars(base)), object)
        inherited: Optional[Constructor] = vars(owner).get("_sf_init")
        ours = inherited.ours if inherited is not None else ours
        if not isinstance(ours, types.FunctionType) or is_same(parse(text), of_code(ours)):
            return
        holder = held = Constructor(ours)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            # What this package makes for itself has the parameters of ours.
            if sys._getframe(1).f_code.co_filename.startswith(_PACKAGE):
                held.ours(self, *args, **kwargs)
            else:
                held.call((self, *args), kwargs)

        __init__.__qualname__ = cls.__name__ + ".__init__"
        __init__.__doc__ = ours.__doc__
        try:
            cls._sf_init = holder  # type: ignore[attr-defined]
            cls.__init__ = __init__  # type: ignore[misc]
        except TypeError:  # a class of the C core
            return
        ours = __init__
    ours.__dict__["__wrapped__"] = holder.expect(text, dotted, api)
