"""tf.train.Example and SequenceExample as protocol buffers: bytes out of them and back.

Source: protobuf's encoding; tensorflow/core/example/{example,feature}.proto.
"""

from __future__ import annotations

import struct
from typing import Any, Dict, Iterator, List, Tuple

_LISTS = (("bytes_list", 1), ("float_list", 2), ("int64_list", 3))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(number: int, payload: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(payload)) + payload


def _feature(feature: Any) -> bytes:
    kinds = {name: getattr(feature, name, None) for name, _ in _LISTS}
    for name, number in _LISTS:
        values = getattr(kinds[name], "value", None)
        if not values:
            continue
        if name == "bytes_list":
            body = b"".join(_field(1, v.encode() if isinstance(v, str) else bytes(v)) for v in values)
        elif name == "float_list":
            body = _field(1, struct.pack("<%df" % len(values), *[float(v) for v in values]))
        else:
            body = _field(1, b"".join(_varint(int(v)) for v in values))
        return _field(number, body)
    return b""


def _map(items: Dict[str, Any], encode: Any) -> bytes:
    return b"".join(_field(1, _field(1, key.encode() if isinstance(key, str) else bytes(key))
                           + _field(2, encode(items[key]))) for key in sorted(items))


def _feature_list(features: Any) -> bytes:
    return b"".join(_field(1, _feature(f)) for f in features.feature)


def encode(message: Any) -> bytes:
    """The bytes of an Example or SequenceExample."""
    if "feature_lists" in message._DEFAULTS:
        return _field(1, _map(message.context.feature, _feature)) + _field(
            2, _map(message.feature_lists.feature_list, _feature_list))
    return _field(1, _map(message.features.feature, _feature))


# --- reading ------------------------------------------------------------------------------------
def _read_varint(data: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _fields(data: bytes) -> Iterator[Tuple[int, Any]]:
    at = 0
    while at < len(data):
        key, at = _read_varint(data, at)
        kind = key & 7
        if kind == 2:
            size, at = _read_varint(data, at)
            if at + size > len(data):
                raise ValueError("truncated")
            yield key >> 3, data[at:at + size]
            at += size
        elif kind == 0:
            value, at = _read_varint(data, at)
            yield key >> 3, value
        else:
            size = {5: 4, 1: 8}[kind]
            yield key >> 3, data[at:at + size]
            at += size


def _values(kind: int, data: bytes) -> List[Any]:
    found: List[Any] = []
    for _, item in _fields(data):
        if kind == 1:
            found.append(item)
        elif kind == 2:
            found.extend(struct.unpack("<%df" % (len(item) // 4), item))
        elif isinstance(item, int):
            found.append(item - (1 << 64) if item >> 63 else item)
        else:
            at = 0
            while at < len(item):
                value, at = _read_varint(item, at)
                found.append(value - (1 << 64) if value >> 63 else value)
    return found


def _entries(data: bytes) -> Iterator[Tuple[str, bytes]]:
    for _, entry in _fields(data):
        pair = dict(_fields(entry))
        yield pair.get(1, b"").decode("utf-8", "replace"), pair.get(2, b"")


def _fill(feature: Any, data: bytes) -> None:
    for number, body in _fields(data):
        name = dict((n, k) for k, n in _LISTS).get(number)
        if name is not None:
            getattr(feature, name).value = _values(number, body)


def decode(message: Any, data: bytes) -> None:
    """Fills `message`. ValueError or IndexError: these are not its bytes."""
    sequence = "feature_lists" in message._DEFAULTS
    for number, body in _fields(bytes(data)):
        if sequence and number == 2:
            from shapeflow.tensorflow.python.lib.example import Feature, FeatureList

            for key, features in _entries(body):
                made = []
                for _, one in _fields(features):
                    made.append(Feature())
                    _fill(made[-1], one)
                message.feature_lists.feature_list[key] = FeatureList(made)
        elif number == 1:
            target = message.context.feature if sequence else message.features.feature
            for key, feature in _entries(body):
                _fill(target[key], feature)
