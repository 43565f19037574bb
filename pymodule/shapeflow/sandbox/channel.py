"""The one way out of the sandbox: messages, each a kind, a length and a value as JSON.

What comes in is the script's word for it: a message that is none ends the reading, and nothing else.
"""
from __future__ import annotations

import os
import sys

# The C of the json package, which itself imports re and enum: a check needs them for nothing else.
from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, Tuple

# Kinds, and what their values are.
FINDING = 1  # a record as JSON has it; sent when it is made
REPORT = 2  # reports.pack(report), at the end
USAGE = 3  # words: the options cannot be followed
FAILURE = 4  # words: ShapeFlow itself failed
COMPILED = 5  # paths of our modules that were compiled
TAKEN = 6  # what `shapeflow graph` or `summary` made of a run
TRIAL = 7  # what fixes/trial.py saw
MAKING = 8  # None: what is sent as TAKEN is being made now
_KINDS = range(FINDING, MAKING + 1)

_LENGTH = 8  # bytes, after the one of the kind
_HEAD = 1 + _LENGTH
_LARGEST = 256 << 20  # bytes of a message
_MOST = 320 << 20  # of all: nobody limits what the parent uses
_DIGITS = 4000  # of an integer: to read one takes the square of their count


class Broken(Exception):
    """What came is no message."""


class Sender:
    """The script's end. Threads may send: each message is whole."""

    def __init__(self, fd: int) -> None:
        import _thread

        self.fd = fd
        self._lock = _thread.allocate_lock()
        self._pid = os.getpid()

    def adopt(self) -> None:
        """From now on this process is the one that sends: a child that was forked by us."""
        self._pid = os.getpid()

    def send(self, kind: int, value: object) -> None:
        """Nothing is sent by a child that the script forked. A parent that is gone is no error."""
        if os.getpid() != self._pid:
            return
        data = _encode(value).encode("ascii")
        rest = memoryview(bytes((kind,)) + len(data).to_bytes(_LENGTH, "big") + data)
        with self._lock:
            try:
                while rest:
                    rest = rest[os.write(self.fd, rest):]
            except OSError:
                pass


class Receiver:
    """The parent's end: cuts what arrives into messages."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._received = 0

    def receive(self, part: bytes) -> Iterator[Tuple[int, object]]:
        """(kind, value) of each message that is whole now. Raises Broken."""
        data = self._data
        data += part
        self._received += len(part)
        while len(data) >= _HEAD:
            end = _HEAD + int.from_bytes(data[1:_HEAD], "big")
            if data[0] not in _KINDS or end > _LARGEST or self._received > _MOST:
                raise Broken(f"kind {data[0]}, length {end}, {self._received} bytes in all")
            if len(data) < end:
                return
            kind, text = data[0], bytes(data[_HEAD:end])
            del data[:end]
            yield kind, _decode(text)


def _encode(value: object) -> str:
    encode = make_encoder({}, str, encode_basestring_ascii, None, ":", ",", False, False, True)
    return "".join(encode(value, 0))


def _decode(data: bytes) -> object:
    """Raises Broken."""
    try:
        text = data.decode("ascii")
        value, end = _scan(text, 0)
        if end == len(text):
            return value
    except (ValueError, RecursionError, StopIteration, SystemError) as error:
        raise Broken(str(error))  # SystemError: json.decoder, whose error is to be raised, is not imported
    raise Broken("more than one value")


def _no_number(name: str) -> None:
    """NaN and the infinities."""


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"an integer of {len(text)} digits")
    return int(text)


class _Scanning:
    """What the scanner asks of a json.JSONDecoder."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int if sys.version_info >= (3, 11) else staticmethod(_integer)  # int() has a limit by then
    parse_constant = staticmethod(_no_number)
    memo: Dict[str, str] = {}


_scan = make_scanner(_Scanning)  # type: ignore[arg-type]
