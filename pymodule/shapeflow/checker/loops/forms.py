"""The forms of elements: what of them decides which shapes come of them."""
from __future__ import annotations

from shapeflow import _core
from shapeflow.checker.loops import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Set, Tuple

DATA = 16  # different integers at one place, after which they are taken for data
_ITEMS = 16  # of an element that are looked at


class Forms:
    """Which forms elements had: arrays by shape and dtype, texts by value, integers by value while there are
    few different ones."""

    def __init__(self) -> None:
        self._known: Set[Any] = set()
        self._integers: Dict[object, Set[int]] = {}

    def is_new(self, element: object) -> bool:
        form = self._form(element, ())
        if form in self._known:
            return False
        self._known.add(form)
        return True

    def _form(self, value: Any, path: Tuple[object, ...]) -> object:
        kind = type(value)
        if kind is int:
            values = self._integers.setdefault(path, set())
            if len(values) > DATA:
                return int
            values.add(value)
            return value
        if kind in (str, bytes, bool, type(None)):
            return value
        if kind is float or len(path) > 3:
            return kind
        if isinstance(value, (tuple, list)):
            items = value if len(value) <= _ITEMS else ()
            return kind, len(value), tuple(self._form(item, (*path, at)) for at, item in enumerate(items))
        if isinstance(value, dict):
            return kind, tuple((str(key), self._form(item, (*path, str(key)))) for key, item in value.items())
        if state.is_users(kind) and hasattr(value, "__dict__"):
            return kind, self._form(vars(value), (*path, kind))
        return kind, _core.shape_and_dtype(value)
