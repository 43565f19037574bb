"""The fields of TensorFlow's protocol buffer messages, read from api/messages.txt when they are asked for.

`tests/tools/api_messages.py` writes that file from real TensorFlows. A block is a module and the package that
its names are in (`tensorflow` is left out), then a line for each message and, with "!", for each enum:

    tensorflow.core.example.feature_pb2
     Feature 1:bytes_list=BytesList|kind 2:float_list=FloatList|kind
     Features 1:feature={string:Feature}
     Int64List 1:value=int64*

NUMBER:NAME=TYPE, where "*" says repeated, "{key:value}" a map, and "|" the oneof that a field belongs to.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, Optional, Tuple

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "api", "messages.txt")
SCALARS = frozenset("double float int64 uint64 int32 fixed64 fixed32 bool string bytes uint32 sfixed32 "
                    "sfixed64 sint32 sint64".split())


class Field:
    """One field of a message; also the FieldDescriptor that scripts see."""

    __slots__ = ("number", "name", "kind", "key", "is_repeated", "oneof")

    def __init__(self, text: str) -> None:
        number, _, rest = text.partition(":")
        self.number = int(number)
        self.name, _, kind = rest.partition("=")
        kind, _, oneof = kind.partition("|")
        self.oneof: Optional[str] = oneof or None
        self.key: Optional[str] = None  # of a map
        self.is_repeated = kind.endswith("*")
        if kind.startswith("{"):
            self.key, _, kind = kind[1:-1].partition(":")
        self.kind = kind.rstrip("*")

    def of_entry(self) -> Tuple["Field", "Field"]:
        """The fields of one entry of a map."""
        return Field("1:key=%s" % self.key), Field("2:value=%s" % self.kind)

    full_name = property(lambda self: self.name)
    is_enum = property(lambda self: self.kind.endswith("!"))
    is_message = property(lambda self: self.kind not in SCALARS and not self.kind.endswith("!"))


class Table:
    """All lines, by the full names that types have: "ConfigProto.Experimental", ".google.protobuf.Any"."""

    def __init__(self) -> None:
        self.lines: Dict[str, str] = {}
        self.places: Dict[str, Tuple[str, str]] = {}  # the first module of each, and its name there
        self.paths: Dict[str, str] = {}  # MODULE.NAME: a type; it may have several, one for each version
        module = package = ""
        with open(_FILE, encoding="ascii") as file:
            for line in file:
                if line.startswith(" "):
                    name, _, rest = line.strip().partition(" ")
                    known = self.lines.get(package + name, "")
                    if len(known) <= len(rest):  # what has moved is in two modules: the later one has more
                        self.lines[package + name] = rest
                    self.places.setdefault(package + name, (module, name))
                    self.paths[module + "." + name] = package + name
                elif line != "\n":
                    module, _, package = line[:-1].partition(" ")
                    package += "." if package else ""

    def fields(self, name: str) -> Dict[str, Field]:
        found = map(Field, self.lines[name].split())
        return {field.name: field for field in found}

    def enum_values(self, name: str) -> Dict[str, int]:
        """Of an enum, whose name ends with "!"."""
        pairs = (item.partition(":") for item in self.lines[name].split())
        return {value: int(number) for number, _, value in pairs}

    def nested(self, name: str) -> Iterator[str]:
        """What is declared in a message."""
        depth = name.count(".") + 1
        for other in self.lines:
            if other.startswith(name + ".") and other.count(".") == depth:
                yield other


_table: Optional[Table] = None


def table() -> Table:
    global _table
    if _table is None:
        _table = Table()
    return _table


def default(field: Field) -> Any:
    """What a scalar field is that was never set."""
    if field.is_enum:
        return next(iter(table().enum_values(field.kind).values()), 0)
    return {"string": "", "bytes": b"", "bool": False, "double": 0.0, "float": 0.0}.get(field.kind, 0)


def public_name(name: str) -> str:
    """A full name as protobuf has it."""
    return name[1:] if name.startswith(".") else "tensorflow." + name
