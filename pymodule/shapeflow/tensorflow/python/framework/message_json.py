"""Protocol buffer messages as JSON, and back: what google.protobuf.json_format does.

Source: google/protobuf/json_format.py; https://protobuf.dev/programming-guides/json.
"""
from __future__ import annotations

import base64
import json

from shapeflow.tensorflow.python.framework.message import Message, checked
from shapeflow.tensorflow.python.framework.message_table import Field, default, public_name, table
from shapeflow.tensorflow.python.framework.message_text import shortest_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

_AS_TEXT = ("int64", "uint64", "fixed64", "sfixed64", "sint64")  # a JSON number has not their width


class Error(Exception):
    """google.protobuf.json_format.Error."""


class ParseError(Error):
    pass


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def _scalar(field: Field, value: object, enums_as_ints: bool) -> Any:
    if field.is_enum and not enums_as_ints:
        return next((name for name, number in table().enum_values(field.kind).items() if number == value),
                    value)
    if field.kind == "bytes":
        return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
    if field.kind in _AS_TEXT:
        return str(value)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"inf": "Infinity", "-inf": "-Infinity"}.get(repr(value), "NaN")
    if isinstance(value, float) and field.kind == "float":
        return float(shortest_text(value, field.kind))
    return value


def as_dict(message: Message, with_defaults: bool = False, keep_names: bool = False,
            enums_as_ints: bool = False) -> Dict[str, Any]:
    def one(field: Field, value: object) -> Any:
        if isinstance(value, Message):
            return as_dict(value, with_defaults, keep_names, enums_as_ints)
        return _scalar(field, value, enums_as_ints)

    out: Dict[str, Any] = {}
    for field, value in message.ListFields():
        name = field.name if keep_names else _camel(field.name)
        if field.key is not None:
            out[name] = {str(key).lower() if isinstance(key, bool) else str(key): one(field, item)
                         for key, item in value.items()}
        elif field.is_repeated:
            out[name] = [one(field, item) for item in value]
        else:
            out[name] = one(field, value)
    if with_defaults:
        for field in type(message).fields().values():
            if field.oneof is None and (field.key or field.is_repeated or not field.is_message):
                empty: Any = {} if field.key else [] if field.is_repeated else \
                    _scalar(field, default(field), enums_as_ints)
                out.setdefault(field.name if keep_names else _camel(field.name), empty)
    return out


def from_dict(items: object, into: Message, ignore_unknown: bool = False) -> Message:
    """Merges what the dictionary says. ParseError: it is not a message's."""
    if not isinstance(items, dict):
        raise ParseError("Failed to parse: expected a dictionary, got %s." % type(items).__name__)
    fields = type(into).fields()
    by_name = {**{_camel(name): field for name, field in fields.items()}, **fields}
    for name, value in items.items():
        field = by_name.get(name)
        if field is None:
            if ignore_unknown:
                continue
            raise ParseError('Message type "%s" has no field named "%s" at "%s".\n Available Fields(except '
                             'extensions): "%s"' % (public_name(type(into).name_in_table), name,
                                                    type(into).__name__, list(map(_camel, fields))))
        if value is None:
            continue
        try:
            _merge(into, field, value, ignore_unknown)
        except (TypeError, ValueError, KeyError) as error:
            raise ParseError("Failed to parse %s field: %s." % (name, error)) from error
    return into


def _read_scalar(field: Field, value: object) -> Any:
    if field.kind == "bytes" and isinstance(value, str):
        return base64.urlsafe_b64decode(value.replace("+", "-").replace("/", "_") + "=" * (-len(value) % 4))
    if isinstance(value, str) and field.kind not in ("string", "bytes", "bool") and not field.is_enum:
        value = float(value.replace("Infinity", "inf")) if field.kind in ("float", "double") else int(value)
    if isinstance(value, float) and value.is_integer() and field.kind not in ("float", "double"):
        value = int(value)
    return checked(field, value)


def _merge(into: Message, field: Field, value: Any, ignore_unknown: bool) -> None:
    target: Any = getattr(into, field.name)
    if field.key is not None:
        key_field = Field("1:key=%s" % field.key)
        for key, item in value.items():
            name = key == "true" if field.key == "bool" else _read_scalar(key_field, key)
            if field.is_message:
                from_dict(item, target[name], ignore_unknown)
            else:
                target[name] = _read_scalar(field, item)
    elif field.is_repeated:
        if not isinstance(value, list):
            raise ParseError("repeated field %s must be in [] which is %s" % (field.name, value))
        for item in value:
            if field.is_message:
                from_dict(item, target.add(), ignore_unknown)
            else:
                target.append(_read_scalar(field, item))
    elif field.is_message:
        target.SetInParent()
        from_dict(value, target, ignore_unknown)
    else:
        setattr(into, field.name, _read_scalar(field, value))


def read(text: Any, into: Message, ignore_unknown: bool = False) -> Message:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise ParseError("Failed to load JSON: %s." % error) from error
    return from_dict(items, into, ignore_unknown)
