"""TensorFlow's parameters for what is implemented in Python or not modelled: from the snapshots.

A function of ours may take more freely what it is given, or lack a parameter that changes no shape. A caller
sees TensorFlow's own signature: `inspect.signature` shows it, and a call that does not fit fails in Python's
words.
"""
from __future__ import annotations

import os
import sys
import types

from shapeflow.api import names, snapshot
from shapeflow.api.parameters import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from shapeflow.api.parameters import Parameter

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_FILE = _PACKAGE + os.path.join("api", "<signatures>")

_bound: Dict[Tuple[int, str], Any] = {}  # (id of ours, signature) -> what a program gets; it keeps ours alive
_prepared: Dict[Tuple[type, Tuple[int, int]], str] = {}


def of_code(function: Any) -> List[Parameter]:
    """The parameters of a function of ours; defaults are told apart from none only."""
    code, defaults = function.__code__, function.__defaults__ or ()
    count, only = code.co_argcount, code.co_kwonlyargcount
    kinds = code.co_varnames
    found = [(kinds[i], "", "=" if i >= count - len(defaults) else "") for i in range(count)]
    after = count + only
    if code.co_flags & 0x04:  # *args
        found.append((kinds[after], "*", ""))
        after += 1
    keyword_defaults = function.__kwdefaults__ or {}
    for i in range(count, count + only):
        found.append((kinds[i], "k", "=" if kinds[i] in keyword_defaults else ""))
    if code.co_flags & 0x08:  # **kwargs
        found.append((kinds[after], "**", ""))
    return found


class _Names:
    """Dotted names in defaults: `tf.float32` is ours, what is not there is `...`, as a snapshot writes it."""

    def __init__(self, api: int) -> None:
        self._api = api

    def __getattr__(self, name: str) -> Any:
        from shapeflow.api import namespace

        value = namespace.find(*names.place("tf." + name, self._api))
        return ... if value is namespace.MISSING else value


def make(name: str, text: str, api: int) -> Any:
    """A function that takes what a signature says and does nothing: a call of it is the check."""
    scope: Dict[str, Any] = {"tf": _Names(api), "float": float}
    try:
        exec(compile("def check%s: pass" % text, _FILE, "exec"), scope)
    except (NameError, AttributeError, SyntaxError):  # a default that only TensorFlow can compute
        written, starred = [], False
        for parameter, kind, default in parse(text):
            if kind == "k" and not starred:
                written.append("*")
            starred = starred or kind in ("*", "k")
            written.append(kind.strip("k") + parameter + ("=..." if default else ""))
        exec(compile("def check(%s): pass" % ", ".join(written), _FILE, "exec"), scope)
    check = scope["check"]
    check.__name__ = name.rpartition(".")[2]
    check.__qualname__ = name
    return check


def fit(check: Any, args: Any, kwargs: Any) -> None:
    """TypeError in Python's words when a call does not fit. A version between two snapshots may take what
    either does, and something else: there a call is not judged."""
    try:
        check(*args, **kwargs)
    except TypeError as error:
        if names.emulated() in snapshot.VERSIONS:
            raise error.with_traceback(None) from None


def constructor(block: snapshot.Block, entry: snapshot.Entry) -> str:
    """The signature of a class's __init__, with self; "" when it is not known."""
    init = block.lines.get("__init__", "").partition(" ")[2]
    if init.startswith("("):
        return snapshot.Entry(entry.dotted, "f", init).signature
    text = entry.signature
    return "" if text in ("", "()", "(*args, **kwargs)") else "(self, " + text[1:]


class Shown:
    """`__signature__` of one class and not of its subclasses: what inspect says of TensorFlow's."""

    def __init__(self, text: str, api: int) -> None:
        self.text, self.api = text, api
        self._made: Any = None

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is not None or vars(owner).get("__signature__") is not self:
            raise AttributeError("__signature__")
        if self._made is None:
            import inspect

            self._made = inspect.signature(make(owner.__name__, self.text, self.api))
        return self._made


def _same(wanted: List[Parameter], have: List[Parameter]) -> bool:
    return [(n, k, bool(d)) for n, k, d in wanted] == [(n, k, bool(d)) for n, k, d in have]


def _caller(ours: Any, wanted: List[Parameter], api: int, dotted: str) -> Callable[..., Any]:
    """How what a program gave reaches a function of ours: as it is, or by name where the orders differ."""
    have = of_code(ours)
    taken = {name for name, kind, _ in have if kind in ("", "k")}
    order = [name for name, kind, _ in have if kind == ""]
    stars = {kind for _, kind, _ in have} & {"*", "**"}
    positional = [name for name, kind, _ in wanted if kind == ""]
    missing = {name: default for name, kind, default in wanted if kind in ("", "k") and name not in taken}
    in_order = positional[:len(order)] == order[:len(positional)]
    if "**" in stars and ("*" in stars or in_order) or not missing and in_order:
        return ours  # type: ignore[no-any-return]
    rest = next((name for name, kind, _ in wanted if kind == "*"), None)
    if rest is not None and "*" not in stars:
        return ours  # type: ignore[no-any-return]

    def by_name(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(positional, args))
        more = args[len(positional):]
        for name, value in kwargs.items():
            given[name] = value
        for name in [name for name in given if name in missing and "**" not in stars]:
            value = given.pop(name)
            if name != "name" and not _is_default(value, missing[name]):
                from shapeflow.api.unmodelled import unmodelled

                return unmodelled(dotted, "f")(*args, **kwargs)
        if more:
            head = [given.pop(name) for name in order if name in given]
            return ours(*head, *more, **given)
        return ours(**given)

    return by_name


def _is_default(value: Any, text: str) -> bool:
    return isinstance(value, (bool, int, float, str, bytes, type(None))) and ascii(value) == text


def function(ours: Any, dotted: str, entry: snapshot.Entry, api: int) -> Any:
    """`ours` with TensorFlow's parameters; itself when they are its own."""
    text = entry.signature
    if not text or not isinstance(ours, types.FunctionType):
        return ours
    key = id(ours), text
    found = _bound.get(key)
    if found is not None:
        return found
    wanted = parse(text)
    if _same(wanted, of_code(ours)):
        found = ours
    else:
        check = make(entry.dotted.rpartition(".")[2], text, api)
        call = _caller(ours, wanted, api, dotted)

        def bound(*args: Any, **kwargs: Any) -> Any:
            fit(check, args, kwargs)
            return call(*args, **kwargs)

        found = bound
        found.__dict__.update(ours.__dict__)
        found.__name__ = found.__qualname__ = check.__name__
        found.__doc__ = ours.__doc__
        found.__module__ = ours.__module__
        found.__dict__["__wrapped__"] = check  # what inspect.signature shows
        found.__dict__["_sf_ours"] = ours
        check.__doc__ = ours.__doc__
    _bound[key] = found
    return found


def shown(dotted: str, api: int) -> Any:
    """The inspect.Signature that the emulated TensorFlow has for a name; None when no list says it."""
    entry = names.entry(dotted, api)
    if entry is None or not entry.signature:
        return None
    import inspect

    return inspect.signature(make(dotted.rpartition(".")[2], entry.signature, api))


def prepare_class(cls: type, dotted: str, entry: snapshot.Entry, api: int) -> None:
    """Gives a class of ours TensorFlow's parameters, and the members that it lacks; once a version."""
    version = names.emulated()
    key = cls, version
    known = _prepared.get(key)
    if known is not None and known in (entry.dotted, ""):
        return
    _prepared[key] = entry.dotted if known is None else ""
    lists = _lists_of(entry)
    block = lists.block(entry.dotted) if lists is not None else None
    if lists is None or block is None:
        return
    from shapeflow.api import unmodelled_members

    unmodelled_members.add(cls, entry.dotted, lists)
    if known is not None:  # one class of ours is two of TensorFlow's: it takes what either does
        holder = vars(cls).get("_sf_init")
        if holder is not None:
            holder.check = None
            cls.__init__.__dict__.pop("__wrapped__", None)  # type: ignore[misc]
        return
    init = constructor(block, entry)
    if init:
        _bind_init(cls, init, api)
    if entry.signature:
        try:
            cls.__signature__ = Shown(entry.signature, api)  # type: ignore[attr-defined]
        except TypeError:  # a class of the C core that takes no attributes
            pass


def _lists_of(entry: snapshot.Entry) -> Optional[snapshot.Snapshot]:
    """The snapshot from which an entry of the emulated version came."""
    return names.source_of(entry)


class _Init:
    """The check of a constructor, by version; what the class has for others stays as it is."""

    __slots__ = ("check",)

    def __init__(self) -> None:
        self.check: Any = None


def _bind_init(cls: type, text: str, api: int) -> None:
    ours = cls.__init__  # type: ignore[misc]
    holder: Optional[_Init] = vars(cls).get("_sf_init")
    if holder is None:
        if not isinstance(ours, types.FunctionType) or _same(parse(text), of_code(ours)):
            return
        holder = _Init()
        original = ours

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            # What this package makes for itself may say more than a program can.
            if holder.check is not None and not sys._getframe(1).f_code.co_filename.startswith(_PACKAGE):
                fit(holder.check, (self, *args), kwargs)
            original(self, *args, **kwargs)

        __init__.__qualname__ = cls.__name__ + ".__init__"
        __init__.__doc__ = original.__doc__
        try:
            cls._sf_init = holder  # type: ignore[attr-defined]
            cls.__init__ = __init__  # type: ignore[misc]
        except TypeError:  # a class of the C core
            return
        ours = __init__
    holder.check = make(cls.__name__ + ".__init__", text, api)
    holder.check.__name__ = "__init__"
    ours.__dict__["__wrapped__"] = holder.check
