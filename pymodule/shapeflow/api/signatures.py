"""TensorFlow's signatures as functions that check a call: from the snapshots.

`inspect.signature` shows them, and a call that does not fit fails in Python's words.
"""
from __future__ import annotations

import os

from shapeflow.api import modelled, names, registry, snapshot
from shapeflow.api.parameters import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature
    from typing import Any, Dict, Optional, Tuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_FILE = _PACKAGE + os.path.join("api", "<signatures>")



class _Names:
    """Dotted names in defaults: `tf.float32` is ours, what is not there is `...`, as a snapshot writes it."""

    def __init__(self, api: int) -> None:
        self._api = api

    def __getattr__(self, name: str) -> Any:
        value = modelled.find(*names.place("tf." + name, self._api))
        return ... if value is registry.MISSING else value


def make(name: str, text: str, api: int) -> Any:
    """A function that takes what a signature says and does nothing: a call of it is the check."""
    scope: Dict[str, Any] = {"tf": _Names(api), "float": float}
    try:
        exec(compile("def check%s: pass" % text, _FILE, "exec"), scope)
    except (NameError, AttributeError, SyntaxError):  # a default that only TensorFlow can compute
        exec(compile("def check(%s): pass" % _with_known_defaults(text, scope), _FILE, "exec"), scope)
    check = scope["check"]
    check.__name__ = name.rpartition(".")[2]
    check.__qualname__ = name
    return check


def _with_known_defaults(text: str, scope: Dict[str, Any]) -> str:
    """The parameters of a signature; a default that has no value here is `...`."""
    written, starred = [], False
    for parameter, kind, default in parse(text):
        if kind == "k" and not starred:
            written.append("*")
        starred = starred or kind in ("*", "k")
        if default:
            try:
                eval(default, scope)
            except Exception:
                default = "..."
        written.append(kind.strip("k") + parameter + (default and "=" + default))
    return ", ".join(written)


def fit(check: Any, args: Tuple[object, ...], kwargs: Dict[str, object]) -> bool:
    """Does a call fit? TypeError in Python's words when it does not. A version between two snapshots may take
    what either does, and something else: there a call that does not fit is not judged, and False."""
    try:
        check(*args, **kwargs)
    except TypeError as error:
        if names.emulated() in snapshot.VERSIONS:
            raise error.with_traceback(None) from None
        return False
    return True


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
        self._made: Optional[Signature] = None

    def __get__(self, instance: object, owner: Any) -> Any:
        if instance is not None or vars(owner).get("__signature__") is not self:
            raise AttributeError("__signature__")
        if self._made is None:
            import inspect

            self._made = inspect.signature(make(owner.__name__, self.text, self.api))
        return self._made


def shown(dotted: str, api: int) -> Optional[Signature]:
    """The inspect.Signature that the emulated TensorFlow has for a name; None when no list says it."""
    entry = names.entry(dotted, api)
    if entry is None or not entry.signature:
        return None
    import inspect

    return inspect.signature(make(dotted.rpartition(".")[2], entry.signature, api))
