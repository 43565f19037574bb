"""GraphDef and the messages in it, as scripts see them: read, edited, written.

A GraphDef that is only handed on stays the bytes that it was read from; the C core reads those.
Source: tensorflow/core/framework/{graph,node_def,attr_value,tensor,tensor_shape,versions}.proto.
"""
import struct
from typing import Any, Dict, Iterator, List, Optional, Tuple

from shapeflow import _core
from shapeflow.api.registry import put

_WIRE = {"int": 0, "bool": 0, "double": 1, "text": 2, "bytes": 2, "float": 5}


class DecodeError(ValueError):
    """google.protobuf.message.DecodeError."""


def _varint(data: Any, at: int) -> Tuple[int, int]:
    shift = value = 0
    while True:
        if at >= len(data) or shift > 63:
            raise DecodeError("Error parsing message")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def _put_varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(data: Any) -> Iterator[Tuple[int, int, Any]]:
    """(number, wire type, value) of each field: int or memoryview."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        wire = tag & 7
        if wire == 0:
            value: Any
            value, at = _varint(data, at)
        elif wire in (1, 2, 5):
            size = 8 if wire == 1 else 4
            if wire == 2:
                size, at = _varint(data, at)
            value = data[at:at + size]
            if len(value) != size:
                raise DecodeError("Error parsing message")
            at += size
        else:
            raise DecodeError("Error parsing message")
        yield tag >> 3, wire, value


def _scalar(kind: str, value: Any) -> Any:
    if kind == "int":
        return value - (1 << 64) if value >> 63 else value
    if kind == "bool":
        return bool(value)
    if kind == "text":
        return bytes(value).decode("utf-8", "surrogateescape")
    if kind == "bytes":
        return bytes(value)
    return struct.unpack("<f" if kind == "float" else "<d", bytes(value))[0]


def _put_scalar(kind: str, value: Any) -> bytes:
    if kind in ("int", "bool"):
        return _put_varint(int(getattr(value, "as_datatype_enum", value)))
    if kind in ("text", "bytes"):
        raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
        return _put_varint(len(raw)) + raw
    return struct.pack("<f" if kind == "float" else "<d", value)


class _Repeated(list[Any]):
    """A repeated field: a list that makes its messages."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self._kind = kind

    def add(self, **fields: Any) -> Any:
        self.append(self._kind(**fields))
        return self[-1]

    def MergeFrom(self, other: Any) -> None:
        self.extend(other)


class _AttrMap(dict[str, Any]):
    """NodeDef.attr: who asks for an attr that is not there makes it."""

    def __missing__(self, key: str) -> "AttrValue":
        self[key] = AttrValue()
        return self[key]

    def get_or_create(self, key: str) -> "AttrValue":
        return self[key]


class _Proto:
    """A message by its table of fields: {name: (number, kind, repeated)}."""

    FIELDS: Dict[str, Tuple[int, Any, bool]] = {}
    ONEOF: Optional[str] = None  # all fields exclude each other

    def __init__(self, **fields: Any) -> None:
        self.__dict__["_values"] = {}
        self.__dict__["_other"] = b""  # fields that are not known here, as they were
        for name, value in fields.items():
            number, kind, repeated = self.FIELDS[name]
            if repeated:
                getattr(self, name).extend(value)
            elif isinstance(kind, type):
                getattr(self, name).CopyFrom(value)
            else:
                setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in self.FIELDS:
            raise AttributeError(name)
        values = self._values
        if name not in values:
            _, kind, repeated = self.FIELDS[name]
            if repeated:
                values[name] = _Repeated(kind)
            elif isinstance(kind, type):
                made = kind()
                made.__dict__["_parent"] = (self, name)
                values[name] = made
            else:
                return {"text": "", "bytes": b"", "bool": False, "int": 0}.get(kind, 0.0)
        return values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.FIELDS:
            raise AttributeError(f"Assignment not allowed (no field \"{name}\" in protocol message object).")
        if self.ONEOF:
            self._values.clear()
        if self.FIELDS[name][1] == "int":
            value = int(getattr(value, "as_datatype_enum", value))
        if self.FIELDS[name][1] == "bytes" and isinstance(value, str):
            value = value.encode()
        self._values[name] = value

    def _is_set(self, name: str) -> bool:
        value = self._values.get(name)
        return value is not None and (not isinstance(value, list) or bool(value))

    def HasField(self, name: str) -> bool:
        return self._is_set(name) and not (isinstance(self._values[name], _Proto) and
                                           self._values[name]._is_untouched())

    def _is_untouched(self) -> bool:
        return not self._values and not self._other and "_given" not in self.__dict__

    def ClearField(self, name: str) -> None:
        self._values.pop(name, None)

    def Clear(self) -> None:
        self._values.clear()
        self.__dict__["_other"] = b""

    def SetInParent(self) -> None:
        self.__dict__["_given"] = True

    def WhichOneof(self, name: str) -> Optional[str]:
        return next((field for field in self._values if self.HasField(field)), None)

    def ListFields(self) -> List[Tuple[Any, Any]]:
        return [(name, value) for name, value in self._values.items() if self._is_set(name)]

    def MergeFromString(self, data: Any) -> int:
        by_number = {row[0]: (name, *row[1:]) for name, row in self.FIELDS.items()}
        for number, wire, value in _fields(memoryview(data)):
            if number in by_number:
                self._merge(*by_number[number], wire, value)
            else:
                raw = _put_varint(number << 3 | wire)
                raw += _put_varint(value) if wire == 0 else \
                    (_put_varint(len(value)) if wire == 2 else b"") + bytes(value)
                self.__dict__["_other"] += raw
        return len(data)

    def _merge(self, name: str, kind: Any, repeated: bool, wire: int, value: Any) -> None:
        if isinstance(kind, type):
            if wire != 2:
                return
            target = getattr(self, name).add() if repeated else getattr(self, name)
            target.__dict__["_given"] = True
            target.MergeFromString(value)
        elif not repeated:
            if wire == _WIRE[kind]:
                self._values[name] = _scalar(kind, value)
        elif wire == _WIRE[kind]:
            getattr(self, name).append(_scalar(kind, value))
        elif wire == 2:  # packed
            items, at = getattr(self, name), 0
            while at < len(value):
                if _WIRE[kind] == 0:
                    one, at = _varint(value, at)
                else:
                    size = 8 if kind == "double" else 4
                    one, at = value[at:at + size], at + size
                    if len(one) != size:
                        raise DecodeError("Error parsing message")
                items.append(_scalar(kind, one))

    def ParseFromString(self, data: Any) -> int:
        self.Clear()
        return self.MergeFromString(data)

    def SerializeToString(self, deterministic: Any = None) -> bytes:
        out = b""
        for name, (number, kind, repeated) in self.FIELDS.items():
            if not self._is_set(name):
                continue
            value = self._values[name]
            if isinstance(value, _Proto) and value._is_untouched():
                continue
            for item in value if repeated else [value]:
                if isinstance(kind, type):
                    raw = item.SerializeToString()
                    out += _put_varint(number << 3 | 2) + _put_varint(len(raw)) + raw
                else:
                    out += _put_varint(number << 3 | _WIRE[kind]) + _put_scalar(kind, item)
        return out + self._other

    def CopyFrom(self, other: Any) -> None:
        if other is not self:
            self.ParseFromString(other.SerializeToString())
            self.__dict__["_given"] = True

    def MergeFrom(self, other: Any) -> None:
        self.MergeFromString(other.SerializeToString())

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    def IsInitialized(self) -> bool:
        return True

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: Any) -> Any:
        made = type(self)()
        made.CopyFrom(self)
        return made

    def __str__(self) -> str:
        lines = []
        for name, value in self._values.items():
            if not self._is_set(name):
                continue
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, _Proto):
                    inner = "".join("  %s\n" % line for line in str(item).splitlines())
                    lines.append("%s {\n%s}\n" % (name, inner))
                else:
                    shown = {True: "true", False: "false"}[item] if isinstance(item, bool) else \
                        '"%s"' % item if isinstance(item, str) else \
                        '"%s"' % repr(item)[2:-1] if isinstance(item, bytes) else item
                    lines.append("%s: %s\n" % (name, shown))
        return "".join(lines)

    __repr__ = __str__


class _Dim(_Proto):
    FIELDS = {"size": (1, "int", False), "name": (2, "text", False)}


class TensorShapeProto(_Proto):
    FIELDS = {"dim": (2, _Dim, True), "unknown_rank": (3, "bool", False)}
    Dim = _Dim


class TensorProto(_Proto):
    FIELDS = {
        "dtype": (1, "int", False), "tensor_shape": (2, TensorShapeProto, False),
        "version_number": (3, "int", False), "tensor_content": (4, "bytes", False),
        "half_val": (13, "int", True), "float_val": (5, "float", True),
        "double_val": (6, "double", True), "int_val": (7, "int", True),
        "string_val": (8, "bytes", True), "scomplex_val": (9, "float", True),
        "int64_val": (10, "int", True), "bool_val": (11, "bool", True),
        "dcomplex_val": (12, "double", True), "uint32_val": (16, "int", True),
        "uint64_val": (17, "int", True),
    }


class _NameAttrList(_Proto):
    FIELDS = {"name": (1, "text", False)}


class _ListValue(_Proto):
    FIELDS = {
        "s": (2, "bytes", True), "i": (3, "int", True), "f": (4, "float", True),
        "b": (5, "bool", True), "type": (6, "int", True), "shape": (7, TensorShapeProto, True),
        "tensor": (8, TensorProto, True), "func": (9, _NameAttrList, True),
    }


class AttrValue(_Proto):
    ONEOF = "value"
    FIELDS = {
        "list": (1, _ListValue, False), "s": (2, "bytes", False), "i": (3, "int", False),
        "f": (4, "float", False), "b": (5, "bool", False), "type": (6, "int", False),
        "shape": (7, TensorShapeProto, False), "tensor": (8, TensorProto, False),
        "placeholder": (9, "text", False), "func": (10, _NameAttrList, False),
    }
    ListValue = _ListValue


class _AttrEntry(_Proto):
    FIELDS = {"key": (1, "text", False), "value": (2, AttrValue, False)}


class NodeDef(_Proto):
    FIELDS = {"name": (1, "text", False), "op": (2, "text", False), "input": (3, "text", True),
              "device": (4, "text", False)}

    def __init__(self, **fields: Any) -> None:
        attrs = fields.pop("attr", None) or {}
        super().__init__(**fields)
        self.__dict__["attr"] = _AttrMap()
        for key, value in attrs.items():
            self.attr[key].CopyFrom(value)

    def MergeFromString(self, data: Any) -> int:
        size = super().MergeFromString(data)
        rest, self.__dict__["_other"] = self._other, b""
        for number, wire, value in _fields(memoryview(rest)):
            if number == 5 and wire == 2:
                entry = _AttrEntry()
                entry.MergeFromString(value)
                self.attr[entry.key] = entry.value
        return size

    def Clear(self) -> None:
        super().Clear()
        self.attr.clear()

    def SerializeToString(self, deterministic: Any = None) -> bytes:
        out = super().SerializeToString()
        for key, value in self.attr.items():
            raw = _put_varint(10) + _put_scalar("text", key)
            raw += _put_varint(18) + _put_scalar("bytes", value.SerializeToString())
            out += _put_varint(42) + _put_scalar("bytes", raw)
        return out

    def __str__(self) -> str:
        attrs = ("attr {\n  key: \"%s\"\n  value {\n%s  }\n}\n" % (
            key, "".join("    %s\n" % line for line in str(value).splitlines()))
            for key, value in self.attr.items())
        return super().__str__() + "".join(attrs)

    __repr__ = __str__


class VersionDef(_Proto):
    FIELDS = {"producer": (1, "int", False), "min_consumer": (2, "int", False),
              "bad_consumers": (3, "int", True)}


class _Raw(_Proto):
    """A message that is handed on unread."""


class _Library(_Proto):
    FIELDS = {"function": (1, _Raw, True), "gradient": (2, _Raw, True)}


class GraphDef(_Proto):
    """Its nodes are read when they are first looked at."""

    FIELDS = {"node": (1, NodeDef, True), "library": (2, _Library, False),
              "version": (3, "int", False), "versions": (4, VersionDef, False)}

    def __init__(self, **fields: Any) -> None:
        self.__dict__["_raw"] = None
        super().__init__(**fields)

    def _read(self) -> None:
        raw, self.__dict__["_raw"] = self._raw, None
        if raw is not None:
            super().MergeFromString(raw)

    def __getattr__(self, name: str) -> Any:
        if self._raw is not None and name in self.FIELDS:
            self._read()
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._read()
        super().__setattr__(name, value)

    def MergeFromString(self, data: Any) -> int:
        data = bytes(data)
        try:
            _core.model_parts(data, "meta")  # any message: only its form is looked at
        except ValueError as error:
            raise DecodeError("Error parsing message") from error
        if self._raw is None and not self._values:
            self.__dict__["_raw"] = data
            return len(data)
        self._read()
        return super().MergeFromString(data)

    def Clear(self) -> None:
        self.__dict__["_raw"] = None
        super().Clear()

    def SerializeToString(self, deterministic: Any = None) -> bytes:
        return self._raw if self._raw is not None else super().SerializeToString()

    def HasField(self, name: str) -> bool:
        self._read()
        return super().HasField(name)

    def ListFields(self) -> List[Tuple[Any, Any]]:
        self._read()
        return super().ListFields()

    def __str__(self) -> str:
        self._read()
        return super().__str__()

    __repr__ = __str__


put(GraphDef, "tf.GraphDef")
put(NodeDef, "tf.NodeDef")
put(AttrValue, "tf.AttrValue")
