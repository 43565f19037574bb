"""Protocol buffer messages as text (pbtxt), and back: what google.protobuf.text_format does.

Source: google/protobuf/text_format.py; https://protobuf.dev/reference/protobuf/textformat-spec.
"""
from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from shapeflow.api import names
from shapeflow.tensorflow.python.framework.message_errors import is_unknown
from shapeflow.tensorflow.python.framework.message_table import Field, public_name, table

if TYPE_CHECKING:
    from typing import Sequence, Union

    from shapeflow.tensorflow.python.framework.message import Message

_TOKEN = re.compile(r"""\s+ | \#[^\n]* | (?P<word>[A-Za-z_][\w.]*) | (?P<number>-?[0-9.][\w.+-]*|-\s*\w+) |
                        (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*') | (?P<mark>[{}<>\[\]:;,]) |
                        (?P<other>.)""", re.VERBOSE)
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
_UNESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_CLOSING = {"{": "}", "<": ">"}

_FloatText = Callable[[float, str], str]


class Error(Exception):
    """google.protobuf.text_format.Error."""


class ParseError(Error):
    pass


# --- writing ----------------------------------------------------------------------------------------
def _quoted(value: Any, as_utf8: bool) -> str:
    if isinstance(value, str) and as_utf8:
        return '"%s"' % "".join(_ESCAPES.get(c, c) for c in value)
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
    return '"%s"' % "".join(
        _ESCAPES.get(chr(b)) or (chr(b) if 32 <= b < 127 else "\\%03o" % b) for b in raw)


def shortest_text(value: float, kind: str) -> str:
    """The shortest that reads as the same number of its width."""
    if kind == "float" and value == value:
        for digits in range(6, 10):
            short = float("%.*g" % (digits, value))
            if _as_float32(short) == value:
                return repr(short)
    return repr(value)


def _shortest_and_plain(value: float, kind: str) -> str:
    text = shortest_text(value, kind)
    return text[:-len(".0")] if text.endswith(".0") else text


def _full_text(value: float, kind: str) -> str:
    return repr(value)


def _as_float32(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value


def _scalar_text(field: Field, value: object, as_utf8: bool, float_text: _FloatText) -> str:
    if field.is_enum:
        return next((name for name, number in table().enum_values(field.kind).items() if number == value),
                    str(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if field.kind in ("string", "bytes"):
        return _quoted(value, as_utf8) if isinstance(value, (str, bytes)) else str(value)
    return float_text(value, field.kind) if isinstance(value, float) else str(value)


def _rows(field: Field, value: Any) -> List[Tuple[Field, Any]]:
    """The items of a field, those of a map as messages of a key and a value."""
    if field.key is not None:
        key, item = Field("1:key=%s" % field.key), Field("2:value=%s" % field.kind)
        return [(field, [(key, k), (item, value[k])]) for k in sorted(value)]
    return [(field, item) for item in value] if field.is_repeated else [(field, value)]


def _lines(fields: Sequence[Tuple[Field, object]], indent: str, out: List[str], as_utf8: bool = False,
           float_text: _FloatText = shortest_text) -> None:
    for of, all_of in fields:
        for field, value in _rows(of, all_of):
            inner = value if isinstance(value, list) else \
                value.ListFields() if hasattr(value, "ListFields") else None
            if inner is None:
                out.append("%s%s: %s" % (indent, field.name, _scalar_text(field, value, as_utf8, float_text)))
                continue
            out.append("%s%s {" % (indent, field.name))
            _lines(inner, indent + "  ", out, as_utf8, float_text)
            out.append(indent + "}")


def written(message: Message, as_utf8: bool = False, as_one_line: bool = False, indent: int = 0) -> str:
    if is_unknown(message):
        return str(message)
    out: List[str] = []
    _lines(message.ListFields(), " " * indent, out, as_utf8)
    if as_one_line:
        return " ".join(line.strip() for line in out)
    return "".join(line + "\n" for line in out)


def shown(message: Message) -> str:
    """What str() and repr() say. TensorFlow 1's protobuf wrote floats with all their digits."""
    out: List[str] = []
    _lines(message.ListFields(), "", out,
           float_text=_shortest_and_plain if names.emulated() >= (2, 0) else _full_text)
    return "".join(line + "\n" for line in out)


# --- reading ----------------------------------------------------------------------------------------
class _Parser:
    """A recursive descent over the tokens: (kind, text, offset)."""

    def __init__(self, text: str, allow_unknown: bool) -> None:
        self._text = text
        self._allow_unknown = allow_unknown
        self._tokens = [(str(found.lastgroup), found.group().strip(), found.start())
                        for found in _TOKEN.finditer(text) if found.lastgroup is not None]
        self._tokens.append(("end", "", len(text)))
        self._at = 0

    def _fail(self, message: str, back: int = 0, quotes: bool = False) -> ParseError:
        offset = self._tokens[max(self._at - back, 0)][2]
        line = self._text.count("\n", 0, offset) + 1
        quoted = "'%s': " % self._text.splitlines()[line - 1] if quotes else ""
        column = offset - self._text.rfind("\n", 0, offset)
        return ParseError("%d:%d : %s%s" % (line, column, quoted, message))

    def _next(self) -> Tuple[str, str]:
        kind, text, _ = self._tokens[self._at]
        self._at += 1
        return kind, text

    def _accept(self, *marks: str) -> Optional[str]:
        kind, text, _ = self._tokens[self._at]
        if kind == "mark" and text in marks:
            self._at += 1
            return text
        return None

    def message(self, into: Message, close: str = "") -> None:
        while not (close and self._accept(close)):
            kind, name, _ = self._tokens[self._at]
            if kind == "end" and not close:
                return
            if kind != "word":
                raise self._fail('Expected "%s".' % close if close else
                                 "Expected identifier or number, got %s." % name)
            self._at += 1
            self._field(into, name)
            self._accept(";", ",")

    def _field(self, into: Message, name: str) -> None:
        field = type(into).fields().get(name)
        if field is None:
            if not self._allow_unknown:
                raise self._fail('Message type "%s" has no field named "%s".' % (
                    public_name(type(into).name_in_table), name), 1)
            self._skip()
            return
        self._accept(":")
        if (field.is_repeated or field.key) and self._accept("["):
            while not self._accept("]"):
                self._value(into, field)
                self._accept(",")
            return
        self._value(into, field)

    def _value(self, into: Message, field: Field) -> None:
        if field.key is not None:
            self._entry(into, field)
        elif field.is_message:
            opened = self._open()
            into._forget_others(field)
            target = getattr(into, field.name)
            if field.is_repeated:
                target = target.add()
            target.SetInParent()
            self.message(target, _CLOSING[opened])
        elif field.is_repeated:
            getattr(into, field.name).append(self._scalar(field))
        else:
            setattr(into, field.name, self._scalar(field))

    def _open(self) -> str:
        opened = self._accept("{", "<")
        if opened is None:
            raise self._fail('Expected "{".', quotes=True)
        return opened

    def _entry(self, into: Message, field: Field) -> None:
        close = _CLOSING[self._open()]
        key_field = Field("1:key=%s" % field.key)
        key: Any = "" if field.key == "string" else 0
        items = getattr(into, field.name)
        value: Any = items.new_value() if field.is_message else None
        while not self._accept(close):
            _, name = self._next()
            self._accept(":")
            if name == "key":
                key = self._scalar(key_field)
            elif name != "value":
                raise self._fail('Expected "%s".' % close, 1)
            elif field.is_message:
                self.message(value, _CLOSING[self._open()])
            else:
                value = self._scalar(Field("2:value=%s" % field.kind))
            self._accept(";", ",")
        if field.is_message:
            items[key].CopyFrom(value)
        elif value is not None:
            items[key] = value

    def _scalar(self, field: Field) -> Any:
        kind, text = self._next()
        if field.kind in ("string", "bytes"):
            if kind != "text":
                raise self._fail("Expected string but found: %r" % text, 1)
            raw = _unquoted(text)
            while self._tokens[self._at][0] == "text":  # one after another: they are one
                raw += _unquoted(self._next()[1])
            return raw if field.kind == "bytes" else raw.decode("utf-8", "surrogateescape")
        try:
            return _number(field, text)
        except (ValueError, KeyError):
            what = "Enum type \"%s\" has no value named %s." % (public_name(field.kind[:-1]), text) \
                if field.is_enum else "Couldn't parse %s: %s" % (
                    "number" if field.kind in ("float", "double") else "integer", text)
            if field.kind == "bool":
                what = 'Expected "true" or "false".'
            raise self._fail(what, 1, quotes=True) from None

    def _skip(self) -> None:
        """A field that nobody knows."""
        self._accept(":")
        opened = self._accept("{", "<", "[")
        if opened is None:
            self._next()
            return
        depth = 1
        while depth and self._tokens[self._at][0] != "end":
            text = self._next()[1]
            depth += (text in ("{", "<", "[")) - (text in ("}", ">", "]"))


def _unquoted(text: str) -> bytes:
    def plain(found: Any) -> bytes:
        escape = found.group(1)
        if escape[:1].isdigit():
            return bytes((int(escape, 8) & 0xFF,))
        if escape[:1] == b"x" and len(escape) > 1:
            return bytes((int(escape[1:], 16),))
        return _PLAIN.get(escape, escape)

    return _UNESCAPE.sub(plain, text[1:-1].encode("utf-8", "surrogateescape"))


def _number(field: Field, text: str) -> Union[int, float, bool]:
    text = text.replace(" ", "")
    if field.kind == "bool":
        return {"true": True, "t": True, "True": True, "1": True, "false": False, "f": False, "False": False,
                "0": False}[text]
    if field.kind in ("float", "double"):
        return float(text.rstrip("fF") if text[-1:] in "fF" and "inf" not in text.lower() else text)
    if field.is_enum:
        known: Dict[str, int] = table().enum_values(field.kind)
        return known[text] if text in known else int(text, 0)
    return int(text, 0)


def read(text: Any, into: Message, allow_unknown: bool = False) -> Message:
    """Merges what the text says. ParseError: it is not a message's. A message of a module that is not there
    stays unknown, whatever the text."""
    if is_unknown(into) or is_unknown(text):
        return into
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    _Parser(text, allow_unknown).message(into)
    return into
