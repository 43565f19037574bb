"""The one way out of the sandbox: messages of plain data, each its length and its JSON.

What comes in is the script's word for it: a message that is none ends the reading, and nothing else.
"""
from __future__ import annotations

import os

try:
    from _json import encode_basestring_ascii
except ImportError:  # no CPython
    from json.encoder import encode_basestring_ascii  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

_HEAD = 8
_LARGEST = 1 << 30


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
        data = _text_of(message).encode("ascii")
        rest = memoryview(len(data).to_bytes(_HEAD, "big") + data)
        with self._lock:
            try:
                while rest:
                    rest = rest[os.write(self.fd, rest):]
            except OSError:
                pass


def _text_of(value: Any) -> str:
    """json.dumps without what json imports: the script waits for this, not for the parent's reading."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{%s}" % ", ".join(f"{encode_basestring_ascii(str(key))}: {_text_of(item)}"
                                  for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(map(_text_of, value))
    return encode_basestring_ascii(str(value))


class Receiver:
    """The parent's end: takes bytes as they come, gives the messages that are whole."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> List[Dict[str, Any]]:
        """Raises Broken."""
        import json

        self._data += data
        messages = []
        while len(self._data) >= _HEAD:
            size = int.from_bytes(self._data[:_HEAD], "big")
            if size > _LARGEST:
                raise Broken("a length of %d" % size)
            if len(self._data) < _HEAD + size:
                break
            try:
                message = json.loads(self._data[_HEAD:_HEAD + size].decode("utf-8", "surrogatepass"))
            except (ValueError, RecursionError) as error:
                raise Broken(str(error))
            if not isinstance(message, dict):
                raise Broken("not an object")
            messages.append(message)
            del self._data[:_HEAD + size]
        return messages
