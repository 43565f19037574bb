"""What the user's modules ask where something unknown may be in a text or an assertion: loops/instrument.py
puts these calls there. A program without anything unknown pays the call.
"""
from __future__ import annotations

import shapeflow.checker.made_up as made_up
from shapeflow.api.loaded_modules import loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def strings(joined: object) -> object:
    """For `"".join(joined)`: what is unknown among it is a text."""
    unknown = loaded("shapeflow.api.unknown_package")
    if unknown is None or isinstance(joined, (str, bytes, int, float)) or not hasattr(joined, "__iter__"):
        return joined
    from shapeflow.api.unknown_text import UnknownText

    return [UnknownText(item) if isinstance(item, unknown.Unknown) else item for item in joined]


def is_guessed() -> bool:
    """May an assertion that fails owe it to a number or an answer that was made up?"""
    conditions = loaded("shapeflow.api.unknown_conditions")
    return bool(made_up.count()) or conditions is not None and bool(conditions.was_asked())
