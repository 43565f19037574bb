"""Protocol buffer messages as scripts see them: ConfigProto, Example, GraphDef, Summary...

A class for each message of message_table.py, made when it is asked for. Fields that nobody set are not kept;
a message in a field is made when it is looked at, and does not count until something in it is set.
Source: google.protobuf, whose errors are raised with the words of the version that came with TensorFlow.
"""
from __future__ import annotations

import operator
import struct
import sys
from typing import Any, ClassVar, Dict, Iterable, List, Optional, Tuple

from shapeflow.api import names
from shapeflow.tensorflow.python.framework import message_text, message_wire
from shapeflow.tensorflow.python.framework.message_errors import DecodeError, is_unknown
from shapeflow.tensorflow.python.framework.message_table import Field, default, public_name, table

_INT32, _INT64 = (-(1 << 31), (1 << 31) - 1), (-(1 << 63), (1 << 63) - 1)
_UINT32, _UINT64 = (0, (1 << 32) - 1), (0, (1 << 64) - 1)
_RANGES = {"int32": _INT32, "sint32": _INT32, "sfixed32": _INT32, "uint32": _UINT32, "fixed32": _UINT32,
           "uint64": _UINT64, "fixed64": _UINT64}

TEXT_IS_BYTES = False  # in a program of Python 2 (checker.python2_runtime)
_classes: Dict[str, MessageMeta] = {}


def decode_error(cls: Optional[MessageMeta] = None, why: str = "") -> Exception:
    """For bytes that are not a message's: an error of the class that the script can catch, which is that of
    the package where it is installed and imported."""
    package = sys.modules.get("google.protobuf.message")
    error: type = getattr(package, "DecodeError", DecodeError)
    of = "" if cls is None else " with type '%s'" % public_name(cls.name_in_table)
    found: Exception = error("Error parsing message%s%s" % (of, _said(why, "")))
    return found


def is_of_absent_file(data: object) -> bool:
    """Is it what stands for the content of a file that is not there (api/unknown_text.py)?"""
    return type(data).__name__ in ("UnknownBytes", "UnknownText")


class Enum:
    """An enum of a message or module: `RunOptions.TraceLevel.Name(3)`."""

    def __init__(self, name: str) -> None:
        self._values = table().enum_values(name)
        self.DESCRIPTOR = self
        self.name = name.rstrip("!").rpartition(".")[2]
        self.full_name = public_name(name.rstrip("!"))

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def Name(self, number: int) -> str:
        for name, value in self._values.items():
            if value == number:
                return name
        raise ValueError("Enum %s has no name defined for value %r" % (self.name, number))

    def Value(self, name: str) -> int:
        if name not in self._values:
            raise ValueError("Enum %s has no value defined for name %r" % (self.name, name))
        return self._values[name]

    def keys(self) -> List[str]:
        return list(self._values)

    def values(self) -> List[int]:
        return list(self._values.values())

    def items(self) -> List[Tuple[str, int]]:
        return list(self._values.items())


class Descriptor:
    """What `Message.DESCRIPTOR` says."""

    def __init__(self, cls: MessageMeta) -> None:
        self.full_name = public_name(cls.name_in_table)
        self.name = cls.__name__
        self.fields_by_name = cls.fields()
        self.fields = sorted(self.fields_by_name.values(), key=lambda field: field.number)
        self.fields_by_number = {field.number: field for field in self.fields}
        self._concrete_class = cls


class MessageMeta(type):
    """The class of message classes: what is declared in a message is an attribute of its class."""

    name_in_table: str

    def __getattr__(cls, name: str) -> Any:
        if not cls.name_in_table or name.startswith("_"):
            raise AttributeError(name)
        found = cls._declared(name)
        if found is None:
            raise AttributeError("type object '%s' has no attribute '%s'" % (cls.__name__, name))
        if not isinstance(found, property):  # which would stand before the field
            setattr(cls, name, found)
        return found

    def _declared(cls, name: str) -> Any:
        if name == "DESCRIPTOR":
            return Descriptor(cls)
        if name.endswith("_FIELD_NUMBER"):
            field = cls.fields().get(name[:-len("_FIELD_NUMBER")].lower())
            return None if field is None else field.number
        inner = cls.name_in_table + "." + name
        if name in cls.fields() and names.emulated() < (2, 0):  # its protobuf had a property for each field
            return property(lambda message: message.__getattr__(name))
        if name.endswith("Entry"):
            for field in cls.fields().values():
                if field.key is not None and name == _entry_name(field):
                    return MessageMeta(name, (Message,), {
                        "name_in_table": inner, "__module__": cls.__module__, "__slots__": (),
                        "_fields": {part.name: part for part in field.of_entry()}})
        if inner in table().lines:
            return message_class(inner)
        if inner + "!" in table().lines:
            return Enum(inner + "!")
        for other in table().nested(cls.name_in_table):
            if other.endswith("!") and name in table().enum_values(other):
                return table().enum_values(other)[name]
        return None

    def fields(cls) -> Dict[str, Field]:
        own: Optional[Dict[str, Field]] = vars(cls).get("_fields")
        if own is None:
            own = table().fields(cls.name_in_table) if cls.name_in_table else {}
            cls._fields = own
        return own


def _entry_name(field: Field) -> str:
    """What protobuf calls the message of one entry of a map: `id_to_string` -> "IdToStringEntry"."""
    return "".join(word[:1].upper() + word[1:] for word in field.name.split("_")) + "Entry"


def message_class(name: str) -> MessageMeta:
    """The class of a message, by its full name in the table."""
    made = _classes.get(name)
    if made is None:
        module, own = table().places[name]
        made = MessageMeta(own.rpartition(".")[2], (Message,), {
            "name_in_table": name, "__module__": module, "__slots__": (),
            "__qualname__": own if names.emulated() >= (2, 0) else own.rpartition(".")[2]})
    return made


class Message(metaclass=MessageMeta):
    """A message; `_values` has what was set, and messages and lists that were looked at."""

    name_in_table: ClassVar[str] = ""
    __slots__ = ("_values", "_unknown", "_is_given", "_of_absent_file", "__weakref__")
    __hash__ = None  # type: ignore[assignment]

    def __init_subclass__(cls) -> None:
        if cls.name_in_table:
            _classes.setdefault(cls.name_in_table, cls)

    def __init__(self, **fields: Any) -> None:
        write = object.__setattr__
        write(self, "_values", {})
        write(self, "_unknown", b"")  # fields that the table lacks, as they were
        write(self, "_is_given", False)
        write(self, "_of_absent_file", False)
        for name, value in fields.items():
            field = type(self).fields().get(name)
            if field is None:
                raise ValueError('Protocol message %s has no "%s" field.' % (type(self).__name__, name))
            if value is not None:
                self._initialize(field, value)

    def _initialize(self, field: Field, value: object) -> None:
        if field.key is not None:
            getattr(self, field.name)._update(value)
        elif field.is_repeated:
            if not isinstance(value, Iterable):
                raise TypeError(_said("must assign iterable", "Value must be iterable"))
            getattr(self, field.name).extend(value)
        elif not field.is_message:
            setattr(self, field.name, value)
        elif isinstance(value, dict):
            self._values[field.name] = message_class(field.kind)(**value)
            self._values[field.name].SetInParent()
        else:
            getattr(self, field.name)._copy(value, "initialize message field")

    # --- fields --------------------------------------------------------------------------------
    def __getattr__(self, name: str) -> Any:
        field = None if name.startswith("_") else type(self).fields().get(name)
        if field is None:
            if name.startswith("_"):
                raise AttributeError(name)
            # An enum's value, a class that is declared in this one.
            found = getattr(type(self), name, None)
            if found is None or isinstance(found, property):  # one that has raised
                raise AttributeError(name)
            return found
        values = self._values
        if name not in values:
            if field.key is not None:
                values[name] = Map(field)
            elif field.is_repeated:
                values[name] = Repeated(field)
            elif field.is_message:
                values[name] = message_class(field.kind)()
            else:
                return default(field)
        return values[name]

    def __setattr__(self, name: str, value: object) -> None:
        field = type(self).fields().get(name)
        if field is None:
            raise AttributeError(_said('Protocol message %s has no "%s" field.',
                                       "'%s' object has no attribute '%s'") % (type(self).__name__, name))
        if field.is_message or field.is_repeated or field.key is not None:
            is_many = field.is_repeated or field.key is not None
            what = _said("map, or repeated " if is_many else "message ", "repeated " if is_many else "")
            raise AttributeError('Assignment not allowed to %sfield "%s" in protocol message object.' % (
                what, name))
        self._forget_others(field)
        self._values[name] = checked(field, value)

    def _forget_others(self, field: Field) -> None:
        if field.oneof is not None:
            for other in type(self).fields().values():
                if other.oneof == field.oneof and other.name != field.name:
                    self._values.pop(other.name, None)

    def _is_set(self, field: Field) -> bool:
        value = self._values.get(field.name)
        if value is None:
            return False
        if isinstance(value, Message):
            return not value._is_untouched()
        if field.is_repeated or field.key is not None:
            return bool(value)
        return field.oneof is not None or is_unknown(value) or bool(value != default(field))

    def _is_untouched(self) -> bool:
        """Was nothing ever set, here or further in?"""
        fields = type(self).fields()
        return not (self._is_given or self._unknown or any(
            self._is_set(fields[name]) for name in self._values))

    def _set_fields(self) -> List[Field]:
        """By number, as they are written."""
        fields = type(self).fields()
        return sorted((fields[name] for name in self._values if self._is_set(fields[name])),
                      key=lambda field: field.number)

    def HasField(self, name: str) -> bool:
        field = type(self).fields().get(name)
        if field is None:
            if any(other.oneof == name for other in type(self).fields().values()):
                return self.WhichOneof(name) is not None
            raise ValueError(_said('Protocol message %s has no "%s" field.',
                                   "Protocol message %s has no field %s.") % (type(self).__name__, name))
        if field.is_repeated or field.key or not (field.is_message or field.oneof):
            raise ValueError('Field %s.%s does not have presence.' % (
                public_name(type(self).name_in_table), name))
        return self._is_set(field)

    def ClearField(self, name: str) -> None:
        if name not in type(self).fields() and not any(
                field.oneof == name for field in type(self).fields().values()):
            raise ValueError('Protocol message %s has no "%s" field.' % (type(self).__name__, name))
        self._values.pop(name, None)
        for field in type(self).fields().values():
            if field.oneof == name:
                self._values.pop(field.name, None)

    def Clear(self) -> None:
        self._values.clear()
        object.__setattr__(self, "_unknown", b"")
        object.__setattr__(self, "_is_given", False)
        object.__setattr__(self, "_of_absent_file", False)

    def SetInParent(self) -> None:
        object.__setattr__(self, "_is_given", True)

    def WhichOneof(self, name: str) -> Optional[str]:
        of = [field for field in type(self).fields().values() if field.oneof == name]
        if not of:
            raise ValueError('Protocol message has no oneof "%s" field.' % name)
        return next((field.name for field in of if self._is_set(field)), None)

    def ListFields(self) -> List[Tuple[Field, Any]]:
        return [(field, self._values[field.name]) for field in self._set_fields()]

    # --- whole messages ------------------------------------------------------------------------
    def MergeFromString(self, data: Any) -> int:
        if is_of_absent_file(data):
            object.__setattr__(self, "_of_absent_file", True)
            return len(data)
        try:
            message_wire.decode(self, memoryview(data))
        except DecodeError:
            raise decode_error(type(self), ": Wire format was corrupt") from None
        return len(data)

    def ParseFromString(self, data: object) -> int:
        self.Clear()
        return self.MergeFromString(data)

    @classmethod
    def FromString(cls, data: object) -> Message:
        made = cls()
        made.MergeFromString(data)
        return made

    def SerializeToString(self, deterministic: object = None) -> bytes:
        return message_wire.encode(self, bool(deterministic))

    SerializePartialToString = SerializeToString

    def CopyFrom(self, other: object) -> None:
        self._copy(other, "CopyFrom()")

    def _copy(self, other: Any, by: str) -> None:
        if other is not self:
            self._require_same(other, by)
            self.Clear()
            self.MergeFrom(other)

    def _require_same(self, other: Any, by: str) -> None:
        if isinstance(other, Message) and type(other).name_in_table == type(self).name_in_table:
            return
        if is_unknown(other):
            return
        expected, got = "%s.%s" % (type(self).__module__, type(self).__qualname__), type(other)
        or_dict = "dict or " if by.startswith("initialize") else ""
        raise TypeError(_said(
            "Parameter to %s must be %sinstance of same class: expected <class '%s'> got %s." % (
                by, or_dict, expected, got),
            "Parameter to %s must be instance of same class: expected %s got %s." % (
                by if by == "CopyFrom()" else "MergeFrom()", public_name(type(self).name_in_table),
                public_name(got.name_in_table) if isinstance(other, Message) else got.__name__)))

    def MergeFrom(self, other: object) -> None:
        self._require_same(other, "MergeFrom()")
        self.SetInParent()
        if not isinstance(other, Message):
            return
        for field, value in other.ListFields():
            if field.key is not None or field.is_repeated:
                getattr(self, field.name).MergeFrom(value)
            elif field.is_message:
                self._forget_others(field)
                getattr(self, field.name).MergeFrom(value)
            else:
                self._forget_others(field)
                self._values[field.name] = value
        object.__setattr__(self, "_unknown", self._unknown + other._unknown)

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    def IsInitialized(self, errors: object = None) -> bool:
        return True

    def FindInitializationErrors(self) -> List[str]:
        return []

    def DiscardUnknownFields(self) -> None:
        object.__setattr__(self, "_unknown", b"")

    # None of TensorFlow's messages has extensions.
    @property
    def Extensions(self) -> Any:
        raise AttributeError("Extensions")

    def HasExtension(self, field: Any) -> bool:
        raise KeyError(_said("Object %r is not a field descriptor\n" % field, field))

    ClearExtension = HasExtension

    @staticmethod
    def RegisterExtension(extension_handle: object) -> None:
        """Of TensorFlow 1's protobuf."""

    def UnknownFields(self) -> List[Any]:
        if names.emulated() >= (2, 0):
            raise NotImplementedError("unknown field accessor")
        return []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or type(other).name_in_table != type(self).name_in_table:
            return NotImplemented
        return self._unknown == other._unknown and \
            [(field.name, value) for field, value in self.ListFields()] == \
            [(field.name, value) for field, value in other.ListFields()]

    def __deepcopy__(self, memo: object) -> Message:
        made = type(self)()
        made.CopyFrom(self)
        return made

    def __reduce__(self) -> Any:
        return read_message, (type(self).name_in_table, self.SerializeToString())

    def __str__(self) -> str:
        return message_text.shown(self)

    __repr__ = __str__

    def __dir__(self) -> List[str]:
        return [*object.__dir__(self), *type(self).fields()]


def read_message(name: str, data: bytes) -> Any:
    """For pickle."""
    return message_class(name).FromString(data)


# --- containers -----------------------------------------------------------------------------------
class Repeated(list[Any]):
    """A repeated field: a list that makes its messages, and checks what it is given."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field

    def _item(self, value: object) -> Any:
        if not self._field.is_message:
            return checked(self._field, value)
        made: Any = message_class(self._field.kind)()
        if isinstance(value, dict):
            made = message_class(self._field.kind)(**value)
        else:
            made._copy(value, _said("CopyFrom()", "MergeFrom()"))
        return made

    def add(self, **fields: Any) -> Any:
        if not self._field.is_message:
            raise AttributeError("'RepeatedScalarContainer' object has no attribute 'add'")
        super().append(message_class(self._field.kind)(**fields))
        return self[-1]

    def append(self, value: Any) -> None:
        super().append(self._item(value))

    def insert(self, index: Any, value: Any) -> None:
        super().insert(index, self._item(value))

    def extend(self, values: Iterable[Any]) -> None:
        if values is not None:
            super().extend(checked_all(self._field, values) if not self._field.is_message else
                           [self._item(value) for value in values])

    MergeFrom = extend

    def __iadd__(self, values: Iterable[object]) -> Repeated:  # type: ignore[misc]
        self.extend(values)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._field.is_message:
            raise TypeError("'RepeatedCompositeContainer' object does not support item assignment")
        super().__setitem__(index, checked_all(self._field, value) if isinstance(index, slice) else
                            self._item(value))

    def __deepcopy__(self, memo: object) -> Repeated:
        made = Repeated(self._field)
        made.extend(self)
        return made

    def __reduce__(self) -> Any:
        return list, (list(self),)


class Map(dict[Any, Any]):
    """A map field; who asks for a message that is not there makes it."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field

    def __missing__(self, key: object) -> Any:
        made = self.new_value()
        super().__setitem__(self._key(key), made)
        return made

    def new_value(self) -> Any:
        """A value that nobody has set anything of."""
        return message_class(self._field.kind)() if self._field.is_message else default(self._field)

    def _key(self, key: object) -> Any:
        return checked(Field("0:key=" + str(self._field.key)), key)

    def get_or_create(self, key: object) -> Any:
        return self[key]

    def __setitem__(self, key: object, value: object) -> None:
        if self._field.is_message:
            raise ValueError(_said("Message objects may not be assigned",
                                   "Direct assignment of submessage not allowed"))
        super().__setitem__(self._key(key), checked(self._field, value))

    def _update(self, items: Any) -> None:
        for key, value in dict(items).items():
            if self._field.is_message:
                if isinstance(value, dict):
                    value = message_class(self._field.kind)(**value)
                self[key]._copy(value, _said("CopyFrom()", "MergeFrom()"))
            else:
                self[key] = value

    update = MergeFrom = _update  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> Map:
        made = Map(self._field)
        made._update(self)
        return made

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


# --- scalars --------------------------------------------------------------------------------------
def _said(now: str, then: str) -> str:
    """protobuf's words: those of today, or of the time of TensorFlow 1."""
    return now if names.emulated() >= (2, 0) else then


def checked(field: Field, value: object) -> Any:
    """What a scalar field keeps of a value that it is given. Unknown is kept as it is."""
    kind = field.kind
    if kind == "string":
        if type(value) is str:
            return value
        if isinstance(value, bytes):
            try:
                return value.decode()
            except UnicodeDecodeError as error:
                raise ValueError("%r has type bytes, but isn't valid UTF-8 encoding. Non-UTF-8 strings must "
                                 "be converted to unicode objects before being added." % value) from error
        if isinstance(value, str) or is_unknown(value):
            return value
        raise TypeError(_said("bad argument type for built-in operation",
                              "%.1024r has type %s, but expected one of: bytes, unicode" % (
                                  value, type(value).__name__)))
    if kind == "bytes":
        if isinstance(value, bytes) or is_unknown(value):
            return value
        if TEXT_IS_BYTES and isinstance(value, str):
            return value.encode()
        raise TypeError(_said("expected bytes, %s found" % type(value).__name__,
                              "%.1024r has type %s, but expected one of: bytes" % (
                                  value, type(value).__name__)))
    if is_unknown(value):
        return value
    if kind in ("float", "double"):
        return _number(kind, value)
    return _integer(field, value)


def _number(kind: str, value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(_said("must be real number, not %s" % type(value).__name__,
                              "%.1024r has type %s, but expected one of: int, float" % (
                                  value, type(value).__name__)))
    number = float(value)
    if kind == "float":
        try:
            number = struct.unpack("<f", struct.pack("<f", number))[0]
        except OverflowError:
            number = float("inf") if number > 0 else float("-inf")
    return number


def _integer(field: Field, value: Any) -> int:
    kind = field.kind
    if field.is_enum:
        if isinstance(value, str):
            known = table().enum_values(kind)
            if value not in known:
                raise ValueError("unknown enum label \"%s\"" % value)
            return known[value]
        value = getattr(value, "as_datatype_enum", value)
        kind = "int32"
    if type(value).__name__ in ("bool", "bool_"):
        value = int(value)
    try:
        number = operator.index(value)
    except TypeError as error:
        expected = "int, bool" if kind == "bool" else "int"
        raise TypeError(_said(str(error), "%.1024r has type %s, but expected one of: %s" % (
            value, type(value).__name__, expected))) from None
    if kind == "bool":
        return bool(number)
    low, high = _RANGES.get(kind, _INT64)
    if not low <= number <= high:
        raise ValueError("Value out of range: %d" % number)
    return number


def checked_all(field: Field, values: Iterable[Any]) -> List[Any]:
    """Of many values, quickly where they are an array's or all of one type."""
    items = values if isinstance(values, (list, tuple)) else list(values)
    kinds = set(map(type, items))
    if field.kind == "int64" and kinds == {int} and -(1 << 63) <= min(items) and max(items) < 1 << 63:
        return list(items)
    if field.kind == "float" and kinds and all(issubclass(kind, float) for kind in kinds):
        try:
            return list(struct.unpack("<%df" % len(items), struct.pack("<%df" % len(items), *items)))
        except OverflowError:
            pass
    return [checked(field, item) for item in items]
