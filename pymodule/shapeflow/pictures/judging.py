"""Judging plain data that a script's process sent, field by field, before anything is drawn of it. Schemas by
hand: a document of 20,000 nodes is looked at each time."""
from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Optional, Tuple

TEXT, NUMBER, FLAG, LIST, OBJECT = (str,), (int,), (bool,), (list,), (dict,)
NUMBER_OR_NONE, OBJECT_OR_NONE = (int, type(None)), (dict, type(None))
AMOUNT, AMOUNT_OR_NONE = (int, float), (int, float, type(None))
LARGEST = 1 << 100  # no sum of honest numbers, and still a float


class Judge:
    """`fields`: by what it is the kinds of its fields; `more`: those that may be missing; `signed`: the names
    of numbers that may be negative."""

    def __init__(self, fields: Dict[str, Dict[str, Any]], more: Dict[str, Dict[str, Any]],
                 signed: Tuple[str, ...] = ()) -> None:
        self._fields, self._more, self._signed = fields, more, signed

    def wrong(self, what: str, item: object) -> Optional[str]:
        fields = self._fields[what]
        if type(item) is not dict or not fields.keys() <= item.keys():
            return f"a {what} is none"
        more = self._more.get(what)
        for key, value in item.items():
            kinds = fields.get(key) or more and more.get(key)
            kind = type(value)
            if not kinds or kind not in kinds:
                return f"a {what} has {key!r} of another kind"
            least = -LARGEST if key in self._signed else 0
            if kind is int and not least <= value < LARGEST or kind is float and not 0 <= value < math.inf:
                return f"a {what} has {key!r} out of range"
        return None

    def first(self, parts: Iterable[Tuple[str, Iterable[Any]]]) -> Optional[str]:
        """Of many things, (what they are, they)."""
        return next((w for what, items in parts for w in (self.wrong(what, i) for i in items) if w), None)


def texts(items: Any) -> bool:
    return all(type(item) is str for item in items)
