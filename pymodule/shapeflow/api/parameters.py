"""The parameters of a signature as a snapshot writes it."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    Parameter = Tuple[str, str, str]  # name, kind: "" "*" "**" "k" (keyword only), default or ""

_OPEN, _CLOSED = "([{", ")]}"


def parse(text: str) -> List[Parameter]:
    """The parameters of a signature as it is written in a snapshot."""
    found: List[Parameter] = []
    keyword_only = False
    for part in _parts(text[1:-1]):
        if part in ("*", "/"):
            keyword_only = part == "*"
        elif part.startswith("**"):
            found.append((part[2:], "**", ""))
        elif part.startswith("*"):
            keyword_only = True
            found.append((part[1:], "*", ""))
        else:
            name, _, default = part.partition("=")
            found.append((name, "k" if keyword_only else "", default))
    return found


def _parts(text: str) -> List[str]:
    """`text` at its commas that stand in no bracket and no string."""
    if not any(mark in text for mark in "([{'\""):
        return text.split(", ") if text else []
    parts, depth, start, quote, skip = [], 0, 0, "", False
    for at, letter in enumerate(text):
        if skip:
            skip = False
        elif quote:
            skip = letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSED:
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return parts + [last] if last else parts
