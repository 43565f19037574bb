"""The parameters of a signature as a snapshot writes it."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Tuple

    Parameter = Tuple[str, str, str]  # name, kind: "" "*" "**" "k" (keyword only), default or ""

_OPEN, _CLOSED = "([{", ")]}"
_NESTED = frozenset("([{]}'\"")  # what keeps the first bracket that closes from being the end


def parse(text: str) -> List[Parameter]:
    """The parameters of "(a, b=1)"."""
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


def leading(text: str) -> str:
    """The signature with which a text starts: "(a, b=')')" of "(a, b=')') : Base @module"; "" for none."""
    if text.startswith("("):
        end = text.find(")") + 1
        if _NESTED.isdisjoint(text[1:end]):
            return text[:end]
        for at, letter, depth in _outside_strings(text):
            if letter in _CLOSED and not depth:
                return text[:at + 1]
    return ""


def _parts(text: str) -> List[str]:
    """`text` at its commas that stand in no bracket and no string."""
    if not any(mark in text for mark in "([{'\""):
        return text.split(", ") if text else []
    parts, start = [], 0
    for at, letter, depth in _outside_strings(text):
        if letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def _outside_strings(text: str) -> Iterator[Tuple[int, str, int]]:
    """(position, letter, depth of brackets after it) of what stands in no string."""
    depth, quote, skip = 0, "", False
    for at, letter in enumerate(text):
        if skip:
            skip = False
        elif quote:
            skip = letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter in _OPEN) - (letter in _CLOSED)
            yield at, letter, depth
