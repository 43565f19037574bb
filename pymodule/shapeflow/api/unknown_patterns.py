"""Regular expressions over text that nobody knows: a pattern that does not match what was made up matches
what is really there, and each of its groups is some text.
"""
from __future__ import annotations

import functools
import re
import sys

from shapeflow.api import unknown_uses as uses
from shapeflow.api.made_up_numbers import assumed
from shapeflow.api.unknown_package import Unknown
from shapeflow.api.unknown_text import UnknownBytes, UnknownList, UnknownText, made_up_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Callable, Dict, Iterator, List, Mapping, Tuple, Union

    from shapeflow.checker.patches import Patcher

    Pattern = re.Pattern[str]  # or of bytes
    Key = Union[int, str]  # of a group

_MATCHES = ("match", "search", "fullmatch")
_WITH_TEXT = (*_MATCHES, "findall", "finditer", "split", "sub")
_MOST = 2000  # times that one place is told of a match, so that `while re.search(...)` ends
_WITHOUT = "_sf_without"  # of a text from which a pattern was taken out
_FOUND = 3  # that findall and finditer find
_asked: Dict[Tuple[CodeType, int], int] = {}


class UnknownMatch:
    """What match() gives for a text that nobody knows."""

    lastgroup = None

    def __init__(self, pattern: Pattern, text: object) -> None:
        self.re, self.string = pattern, text
        self.pos, self.endpos = 0, str.__len__(text) if isinstance(text, str) else 1
        self.lastindex = pattern.groups or None
        self._known: Dict[int, object] = {}

    def _one(self, key: Key) -> object:
        number = self.re.groupindex[key] if isinstance(key, str) else int(key)
        if number == 0:
            return self.string
        if number > self.re.groups:
            raise IndexError("no such group")
        return self._known.setdefault(number, made_up_text())

    def group(self, *keys: Key) -> object:
        found = tuple(self._one(key) for key in keys or (0,))
        return found if len(found) > 1 else found[0]

    def __getitem__(self, key: Key) -> object:
        return self._one(key)

    def groups(self, default: object = None) -> Tuple[object, ...]:
        return tuple(self._one(number) for number in range(1, self.re.groups + 1))

    def groupdict(self, default: object = None) -> Dict[str, object]:
        return {name: self._one(name) for name in self.re.groupindex}

    def start(self, group: object = 0) -> int:
        return 0

    def end(self, group: object = 0) -> int:
        return self.endpos

    def span(self, group: object = 0) -> Tuple[int, int]:
        return 0, self.endpos

    def expand(self, template: object) -> str:
        return made_up_text()


def _is_matched(pattern: Pattern, text: object) -> bool:
    """Does the pattern match what is really there, though not what was made up? One of which a blank line is
    a match, `^\\s*$`, asks for blank lines, and few are."""
    frame = uses.innermost_user_frame()
    empty = b"" if isinstance(text, bytes) else ""
    if getattr(text, _WITHOUT, None) == pattern.pattern:
        return False  # `while re.search(p, text): text = re.sub(p, "", text)` ends
    if frame is None or pattern.match(empty) is not None:  # type: ignore[arg-type]
        return False
    assumed.numbers += 1
    place = frame.f_code, frame.f_lasti
    count = _asked[place] = _asked.get(place, 0) + 1
    return count % _MOST != 0


def _parts(pattern: Pattern, found: List[object]) -> List[object]:
    """Of findall on an unknown text: what was found, else some of what there is."""
    if found:
        return UnknownList(UnknownText(one) if isinstance(one, str) else one for one in found)
    if pattern.groups > 1:
        return [tuple(made_up_text() for _ in range(pattern.groups)) for _ in range(_FOUND)]
    return UnknownList(made_up_text() for _ in range(_FOUND))


def applied(name: str, pattern: Pattern, text: object, result: object) -> object:
    """What a method of a pattern gives for an unknown text, where the made-up one gives `result`."""
    if name in _MATCHES:
        return UnknownMatch(pattern, text) if result is None and _is_matched(pattern, text) else result
    if not isinstance(text, UnknownText):
        return result
    if isinstance(result, str):  # of sub
        made = UnknownText(result)
        setattr(made, _WITHOUT, pattern.pattern)
        return made
    found: List[object] = list(result)  # type: ignore[call-overload]
    if name == "findall":
        return _parts(pattern, found)
    if name == "finditer":
        return iter(found or [UnknownMatch(pattern, text) for _ in range(_FOUND)])
    return UnknownList(UnknownText(part) if isinstance(part, str) else part for part in found)


def _text_of(args: Tuple[object, ...], kwargs: Mapping[str, object], at: int) -> object:
    return args[at] if len(args) > at else kwargs.get("string")


class UnknownPattern:
    """A compiled pattern of the program's, which may be asked of texts that nobody knows."""

    # Who asks with isinstance(), as pandas does, learns that it is a pattern.
    __class__ = property(lambda self: re.Pattern)

    def __init__(self, pattern: Pattern) -> None:
        self._sf_pattern = pattern

    def __getattr__(self, name: str) -> object:
        value = getattr(self._sf_pattern, name)
        if name not in _WITH_TEXT:
            return value
        at = 1 if name == "sub" else 0

        def method(*args: object, **kwargs: object) -> object:
            text = _text_of(args, kwargs, at)
            if isinstance(text, Unknown):
                return text._more("." + name + "()")
            result = value(*args, **kwargs)
            is_unknown = isinstance(text, (UnknownText, UnknownBytes))
            return applied(name, self._sf_pattern, text, result) if is_unknown else result

        return method

    def __eq__(self, other: object) -> bool:
        return self._sf_pattern == getattr(other, "_sf_pattern", other)

    def __hash__(self) -> int:
        return hash(self._sf_pattern)

    def __repr__(self) -> str:
        return repr(self._sf_pattern)

    def __reduce__(self) -> Tuple[type, Tuple[Pattern]]:
        return UnknownPattern, (self._sf_pattern,)


def _is_ours(pattern: object) -> bool:
    return type(pattern) is UnknownPattern


def _around(function: Callable[..., object], name: str, compiled: Callable[..., Pattern]
            ) -> Callable[..., object]:
    """re.match and its like."""
    at = 2 if name == "sub" else 1
    flags_at = {"split": 3, "sub": 4}.get(name, 2)

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        pattern = args[0] if args else kwargs.get("pattern")
        if _is_ours(pattern):
            pattern = vars(pattern)["_sf_pattern"]
            args, kwargs = ((pattern, *args[1:]), kwargs) if args else (args, {**kwargs, "pattern": pattern})
        result = function(*args, **kwargs)
        text = _text_of(args, kwargs, at)
        if not isinstance(text, (UnknownText, UnknownBytes)):
            return result
        flags = args[flags_at] if len(args) > flags_at else kwargs.get("flags", 0)
        return applied(name, compiled(pattern, flags), text, result)

    return call


def change(module: ModuleType, by: Patcher) -> None:
    """The module re."""
    real: Callable[..., Pattern] = vars(module)["compile"]

    @functools.wraps(real)
    def compiled(pattern: object, *args: object, **kwargs: object) -> object:
        if _is_ours(pattern):
            return pattern
        made = real(pattern, *args, **kwargs)
        return made if uses.is_library(sys._getframe(1).f_code.co_filename) else UnknownPattern(made)

    by.set(module, "compile", compiled)
    for name in _WITH_TEXT:
        by.set(module, name, _around(vars(module)[name], name, real))


def those_of(names: Mapping[str, object]) -> Iterator[Tuple[str, UnknownPattern]]:
    """The compiled patterns that a module of the program has already, as they are from now on."""
    for name, value in list(names.items()):
        if type(value) is re.Pattern:
            yield name, UnknownPattern(value)
