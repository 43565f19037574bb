"""Protocol buffer messages as bytes, and back.

Source: https://protobuf.dev/programming-guides/encoding.
"""
from __future__ import annotations

import struct

from shapeflow.tensorflow.python.framework.message_errors import DecodeError, is_unknown
from shapeflow.tensorflow.python.framework.message_table import Field, default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Tuple

    from shapeflow.tensorflow.python.framework.message import Message

_FORMATS = {"double": "<d", "float": "<f", "fixed64": "<Q", "sfixed64": "<q", "fixed32": "<I",
            "sfixed32": "<i"}
_MASK = (1 << 64) - 1
_UNSIGNED = ("uint32", "uint64")
_ZIGZAG = ("sint32", "sint64")


def _wire(field: Field) -> int:
    """The wire type of one item of a field."""
    if field.kind in _FORMATS:
        return 1 if _FORMATS[field.kind] in ("<d", "<Q", "<q") else 5
    return 2 if field.is_message or field.kind in ("string", "bytes") else 0


# --- writing ----------------------------------------------------------------------------------------
def _varint(value: int) -> bytes:
    value &= _MASK
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _scalar(field: Field, value: Any) -> bytes:
    if is_unknown(value):
        value = default(field)
    if field.kind in _FORMATS:
        return struct.pack(_FORMATS[field.kind], value)
    if field.kind in ("string", "bytes"):
        raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
        return _varint(len(raw)) + raw
    if field.kind in _ZIGZAG:
        value = value << 1 ^ value >> 63
    return _varint(int(value))


def _item(field: Field, value: Any, is_sorted: bool) -> bytes:
    if field.is_message:
        raw = encode(value, is_sorted)
        return _varint(len(raw)) + raw
    return _scalar(field, value)


def _of_map(field: Field, items: Any, is_sorted: bool) -> bytes:
    key_field, value_field = _entry(field)
    out = bytearray()
    for key in sorted(items) if is_sorted else items:
        raw = _varint(1 << 3 | _wire(key_field)) + _scalar(key_field, key)
        raw += _varint(2 << 3 | _wire(value_field)) + _item(value_field, items[key], is_sorted)
        out += _varint(field.number << 3 | 2) + _varint(len(raw)) + raw
    return bytes(out)


def _entry(field: Field) -> Tuple[Field, Field]:
    return Field("1:key=%s" % field.key), Field("2:value=%s" % field.kind)


def encode(message: Message, is_sorted: bool = False) -> bytes:
    out = bytearray()
    for field, value in message.ListFields():
        wire = _wire(field)
        if field.key is not None:
            out += _of_map(field, value, is_sorted)
        elif field.is_repeated and wire != 2:  # packed
            if field.kind in _FORMATS and not any(map(is_unknown, value)):
                raw = struct.pack("<%d%s" % (len(value), _FORMATS[field.kind][1]), *value)
            else:
                raw = b"".join(_scalar(field, item) for item in value)
            out += _varint(field.number << 3 | 2) + _varint(len(raw)) + raw
        else:
            tag = _varint(field.number << 3 | wire)
            for item in value if field.is_repeated else (value,):
                out += tag + _item(field, item, is_sorted)
    return bytes(out) + message._unknown


# --- reading ----------------------------------------------------------------------------------------
def _read_varint(data: Any, at: int) -> Tuple[int, int]:
    shift = value = 0
    while True:
        if at >= len(data) or shift > 63:
            raise DecodeError("Error parsing message")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & _MASK, at


def fields_of(data: Any) -> Iterator[Tuple[int, int, Any, int]]:
    """(number, wire type, value, end) of each field; a value is an int or a memoryview."""
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        wire = tag & 7
        value: Any
        if wire == 0:
            value, at = _read_varint(data, at)
        elif wire in (1, 2, 5):
            size = 8 if wire == 1 else 4
            if wire == 2:
                size, at = _read_varint(data, at)
            value = data[at:at + size]
            if len(value) != size:
                raise DecodeError("Error parsing message")
            at += size
        else:
            raise DecodeError("Error parsing message")
        if not tag >> 3:
            raise DecodeError("Error parsing message")
        yield tag >> 3, wire, value, at


def _read_scalar(field: Field, value: Any) -> Any:
    kind = field.kind
    if kind in _FORMATS:
        return struct.unpack(_FORMATS[kind], value)[0]
    if kind == "string":
        try:
            return str(value, "utf-8")
        except UnicodeDecodeError as error:
            raise DecodeError("Error parsing message") from error
    if kind == "bytes":
        return bytes(value)
    if kind == "bool":
        return bool(value)
    if kind in _ZIGZAG:
        return value >> 1 ^ -(value & 1)
    if kind in _UNSIGNED:
        return value
    signed = value - (1 << 64) if value >> 63 else value
    if field.is_enum or kind == "int32":
        low = signed & 0xFFFFFFFF
        return low - (1 << 32) if low >> 31 else low
    return signed


def decode(message: Message, data: Any) -> None:
    """Merges what the bytes say. DecodeError: they are not a message's."""
    by_number = {field.number: field for field in type(message).fields().values()}
    start = 0
    for number, wire, value, end in fields_of(data):
        field = by_number.get(number)
        if field is None or not _merge(message, field, wire, value):
            object.__setattr__(message, "_unknown", message._unknown + bytes(data[start:end]))
        start = end


def _merge(message: Message, field: Field, wire: int, value: object) -> bool:
    """False: the value is not of the field's type."""
    expected = _wire(field)
    if field.key is not None:
        if wire != 2:
            return False
        _merge_entry(getattr(message, field.name), field, value)
    elif field.is_message:
        if wire != 2:
            return False
        if not field.is_repeated:
            message._forget_others(field)
        target = getattr(message, field.name)
        if field.is_repeated:
            target = target.add()
        target.SetInParent()
        decode(target, value)
    elif not field.is_repeated:
        if wire != expected:
            return False
        message._forget_others(field)
        message._values[field.name] = _read_scalar(field, value)
    elif wire == expected:
        list.append(getattr(message, field.name), _read_scalar(field, value))
    elif wire == 2:
        list.extend(getattr(message, field.name), _unpacked(field, value))
    else:
        return False
    return True


def _unpacked(field: Field, data: Any) -> Iterator[Any]:
    form = _FORMATS.get(field.kind)
    if form is not None:
        size = struct.calcsize(form)
        if len(data) % size:
            raise DecodeError("Error parsing message")
        yield from struct.unpack("<%d%s" % (len(data) // size, form[1]), data)
        return
    at = 0
    while at < len(data):
        item, at = _read_varint(data, at)
        yield _read_scalar(field, item)


def _merge_entry(items: Any, field: Field, data: object) -> None:
    key_field, value_field = _entry(field)
    key = default(key_field)
    value: Any = items.new_value()
    for number, wire, content, _ in fields_of(data):
        if number == 1 and wire == _wire(key_field):
            key = _read_scalar(key_field, content)
        elif number == 2 and wire == _wire(value_field):
            if value_field.is_message:
                decode(value, content)
            else:
                value = _read_scalar(value_field, content)
    dict.__setitem__(items, key, value)
