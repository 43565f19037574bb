"""The one way out of the sandbox: messages of plain data, each its length and its text.

What comes in is the script's word for it: a message that is none ends the reading, and nothing else.
The text is not JSON: the parent stays in memory beside the script, and the package that reads JSON, with the
regular expressions that it needs, would be more than all else that the parent has imported.

    n t f           None, True, False
    i12;  d1.5;     numbers
    s3:abc          a string and its length in characters
    [vvv]  {kvkv}   lists and tuples; dicts, whose keys are strings
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple

_HEAD = 8
_LARGEST = 1 << 30
_DIGITS = 400  # of a number: to read one takes the square of their count

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

    def send(self, message: Dict[str, Any]) -> None:
        """Nothing is sent by a child that the script forked. A parent that is gone is no error."""
        if os.getpid() != self._pid:
            return
        parts: List[str] = []
        _add_text(message, parts)
        data = "".join(parts).encode("utf-8", "surrogatepass")
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


class Receiver:
    """The parent's end: takes bytes as they come, gives the messages that are whole."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> List[Dict[str, Any]]:
        """Raises Broken."""
        self._data += data
        messages = []
        while len(self._data) >= _HEAD:
            size = int.from_bytes(self._data[:_HEAD], "big")
            if size > _LARGEST:
                raise Broken("a length of %d" % size)
            if len(self._data) < _HEAD + size:
                break
            try:
                text = self._data[_HEAD:_HEAD + size].decode("utf-8", "surrogatepass")
                message, end = _value_at(text, 0)
            except (ValueError, IndexError, RecursionError) as error:
                raise Broken(str(error))
            if not isinstance(message, dict) or end != len(text):
                raise Broken("not one dict")
            messages.append(message)
            del self._data[:_HEAD + size]
        return messages
