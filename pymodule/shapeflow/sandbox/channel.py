"""The one way out of the sandbox: messages of plain data, each its length and its text.

What comes in is the script's word for it: a message that is none ends the reading, and nothing else.
The text is not JSON: the package that reads JSON, with the regular expressions that it needs, would be more
than all else that the waiting process has imported.

    n t f           None, True, False
    i12;  d1.5;     numbers
    s3:abc          a string and its length in characters
    [vvv]  {kvkv}   lists and tuples; dicts, whose keys are strings

What is long, such as the document of a graph, is JSON after a J: reading this text takes five times as long,
and a script must not keep its reader busy for hours.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Tuple

_HEAD = 8
_LARGEST = 256 << 20  # as attend.c has it
_LONG = 1 << 20  # bytes that are written without JSON
_LONGEST = 4 << 20  # and read
_DIGITS = 400  # of a number: to read one takes the square of their count

_LAST = b"F"
_JSON = b"J"
_CONSTANTS = {"n": None, "t": True, "f": False}


class Broken(Exception):
    """What came is no message."""


class Sender:
    """The script's end. Threads may send: each message is whole."""

    def __init__(self, fd: int) -> None:
        import _thread

        self.fd = fd
        self._lock = _thread.allocate_lock()
        self._pid = os.getpid()

    def send(self, message: Dict[str, Any], is_long: bool = False) -> None:
        """Nothing is sent by a child that the script forked. A parent that is gone is no error. `is_long`: it
        will be, so that its text need not be made to know."""
        parts: List[str] = []
        if not is_long:
            _add_text(message, parts)
        data = "".join(parts).encode("utf-8", "surrogatepass")
        if is_long or len(data) > _LONG:
            from json.encoder import JSONEncoder  # json.dumps may be the script's

            data = _JSON + JSONEncoder(default=str).encode(message).encode("ascii")
        self._send(data)

    def conclude(self, status: int, cached: bool, report: str, words: str) -> None:
        """The last message, after the report: what is left to do needs no interpreter. See conclude.h."""
        parts = [text.encode("ascii") for text in (report, words)]
        self._send(_LAST + b"%d%d" % (status, cached) +
                   b"".join(len(part).to_bytes(_HEAD, "big") + part for part in parts))

    def _send(self, data: bytes) -> None:
        if os.getpid() != self._pid:
            return
        rest = memoryview(len(data).to_bytes(_HEAD, "big") + data)
        with self._lock:
            try:
                while rest:
                    rest = rest[os.write(self.fd, rest):]
            except OSError:
                pass


def _add_text(value: Any, to: List[str]) -> None:
    if value is None:
        to.append("n")
    elif value is True or value is False:
        to.append("t" if value else "f")
    elif isinstance(value, int):
        to.append(f"i{int.__repr__(value)};")
    elif isinstance(value, float):
        to.append(f"d{float.__repr__(value)};" if value - value == 0 else "n")
    elif isinstance(value, dict):
        to.append("{")
        for key, item in value.items():
            _add_text(str(key), to)
            _add_text(item, to)
        to.append("}")
    elif isinstance(value, (list, tuple)):
        to.append("[")
        for item in value:
            _add_text(item, to)
        to.append("]")
    else:
        text = value if isinstance(value, str) else str(value)
        to += (f"s{len(text)}:", text)


def _value_at(text: str, at: int) -> Tuple[Any, int]:
    """(a value, where it ends). Raises ValueError, IndexError or RecursionError."""
    kind = text[at]
    at += 1
    if kind == "s":
        colon = text.index(":", at, at + _DIGITS)
        end = colon + 1 + int(text[at:colon])
        if not colon < end <= len(text):
            raise ValueError(f"a string beyond the end at {at}")
        return text[colon + 1:end], end
    if kind in ("i", "d"):
        end = text.index(";", at, at + _DIGITS)
        return (int if kind == "i" else float)(text[at:end]), end + 1
    if kind == "[":
        items = []
        while text[at] != "]":
            item, at = _value_at(text, at)
            items.append(item)
        return items, at + 1
    if kind == "{":
        found = {}
        while text[at] != "}":
            key, at = _value_at(text, at)
            if not isinstance(key, str):
                raise ValueError(f"a key that is no string at {at}")
            found[key], at = _value_at(text, at)
        return found, at + 1
    if kind not in _CONSTANTS:
        raise ValueError(f"no value at {at - 1}")
    return _CONSTANTS[kind], at


def messages(data: bytes) -> Iterator[Dict[str, Any]]:
    """Those that are whole, without the last one, which is for who only waits (Sender.conclude). Raises
    Broken."""
    at = 0
    while len(data) - at >= _HEAD:
        size = int.from_bytes(data[at:at + _HEAD], "big")
        if size > _LARGEST:
            raise Broken("a length of %d" % size)
        at += _HEAD
        if len(data) - at < size:
            break
        text = data[at:at + size]
        at += size
        if not text.startswith(_LAST):
            yield message_of(text)


def message_of(data: bytes) -> Dict[str, Any]:
    """The message of this text. Raises Broken."""
    try:
        if data.startswith(_JSON):
            import json

            message = json.loads(data[1:], parse_constant=lambda name: None)
        else:
            if len(data) > _LONGEST:
                raise Broken("%d bytes that are no JSON" % len(data))
            text = data.decode("utf-8", "surrogatepass")
            message, end = _value_at(text, 0)
            if end != len(text):
                raise Broken("more than one value")
    except (ValueError, IndexError, RecursionError) as error:
        raise Broken(str(error))
    if not isinstance(message, dict):
        raise Broken("no dict")
    return message
