"""How the arguments of a call that fits TensorFlow's signature reach a function of ours.

Ours may name a parameter otherwise, have another order, or lack a parameter that changes no shape. A rename
is accepted only for parameters at the same position of which one is required: two optional ones that differ
in name differ in meaning.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Tuple

    from shapeflow.api.parameters import Parameter

_NO_DEFAULT = object()


def of_code(function: Callable[..., object]) -> List[Parameter]:
    """The parameters of a function, of one that functools.wraps wrapped those of what is in it; a default is
    written as "=", none as ""."""
    while not hasattr(function, "_sf_checked") and hasattr(function, "__wrapped__"):
        function = function.__wrapped__
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


def is_same(wanted: List[Parameter], have: List[Parameter]) -> bool:
    """Do both take the same arguments?"""
    return [(n, k, bool(d)) for n, k, d in wanted] == [(n, k, bool(d)) for n, k, d in have]


def _renamed(wanted: List[Parameter], have: List[Parameter]) -> Dict[str, str]:
    """TensorFlow's names of parameters that ours has under another name."""
    theirs, ours = {name for name, _, _ in wanted}, {name for name, _, _ in have}
    found = {}
    for (name, kind, default), (own, own_kind, own_default) in zip(wanted, have):
        if kind or own_kind:
            break
        if name not in ours and own not in theirs and not (default and own_default):
            found[name] = own
    return found


class Mapping:
    """From arguments that fit `check`, a function with TensorFlow's signature, to those of ours."""

    def __init__(self, check: Any, wanted: List[Parameter], have: List[Parameter]) -> None:
        kinds = {kind for _, kind, _ in have}
        stars = {kind for _, kind, _ in wanted} & {"*", "**"}
        self._check = check
        self._takes_any = "**" in kinds
        self._takes_more = "*" in kinds
        self._order = [name for name, kind, _ in have if kind == ""]
        self._taken = {name for name, kind, _ in have if kind in ("", "k")}
        self._positional = [name for name, kind, _ in wanted if kind == ""]
        self._renamed = _renamed(wanted, have)
        self.missing = [name for name, kind, _ in wanted if kind in ("", "k") and name not in self._taken
                        and name not in self._renamed and not self._takes_any]
        head = self._positional[:len(self._order)]
        in_order = not self._renamed and not self.missing and head == self._order[:len(head)] and \
            (len(self._positional) == len(head) or self._takes_more)
        self.is_straight = in_order and stars <= kinds
        if in_order and "*" in stars:  # what TensorFlow's takes freely, ours may have by name
            self._positional += self._order[len(self._positional):]

    def apply(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> \
            Tuple[Tuple[object, ...], Dict[str, object], List[str]]:
        """(args, kwargs, names): what ours gets, and what it was given that it has no place for."""
        if self.is_straight:
            return args, kwargs, []
        given = dict(zip(self._positional, args))
        given.update(kwargs)
        lost = []
        for name in list(given):
            own = self._renamed.get(name)
            if own is not None:
                given[own] = given.pop(name)
            elif name not in self._taken and not self._takes_any:
                value = given.pop(name)
                if name != "name" and not self._is_default(name, value):
                    lost.append(name)
        more = args[len(self._positional):]
        if more and not self._takes_more:
            return (), given, lost + ["*args"]
        if more:
            return tuple(given.pop(name) for name in self._order if name in given) + more, given, lost
        return (), given, lost

    def _is_default(self, name: str, value: object) -> bool:
        code, defaults = self._check.__code__, self._check.__defaults__ or ()
        held = dict(zip(code.co_varnames[code.co_argcount - len(defaults):code.co_argcount], defaults))
        held.update(self._check.__kwdefaults__ or {})
        default = held.get(name, _NO_DEFAULT)
        plain = (bool, int, float, str, bytes, type(None))
        return value is default or isinstance(value, plain) and type(value) is type(default) and \
            value == default
