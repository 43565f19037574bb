"""google.protobuf: what scripts use of it with TensorFlow's messages, where the package is missing; where it
is installed, its functions also take our messages.

Found in a check alone, as the other requirements of TensorFlow are (requirements.py).
"""
from __future__ import annotations

from types import ModuleType

from shapeflow.tensorflow.compat.requirements import fill, maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Type

    from shapeflow.checker.import_hook import Act, Make
    from shapeflow.checker.patches import Patcher


# --- text_format and json_format, of our messages -------------------------------------------------
def _text_functions() -> Dict[str, Callable[..., object]]:
    from shapeflow.tensorflow.python.framework import message_text

    def to_text(message: Any, as_utf8: bool = False, as_one_line: bool = False, *args: object,
                indent: int = 0, **options: object) -> str:
        return message_text.written(message, as_utf8, as_one_line, indent)

    def print_message(message: Any, out: Any, indent: int = 0, as_utf8: bool = False,
                      as_one_line: bool = False, *args: object, **options: object) -> None:
        out.write(message_text.written(message, as_utf8, as_one_line, indent))

    def parse(text: Any, message: Any, allow_unknown_extension: bool = False,
              allow_field_number: bool = False, descriptor_pool: Any = None,
              allow_unknown_field: bool = False) -> Any:
        return message_text.read(text, message, allow_unknown_field)

    def parse_lines(lines: Any, message: Any, *args: Any, **options: Any) -> Any:
        every = [line.decode() if isinstance(line, bytes) else line for line in lines]
        return parse("\n".join(every), message, *args, **options)

    return {"MessageToString": to_text, "PrintMessage": print_message, "Parse": parse, "Merge": parse,
            "ParseLines": parse_lines, "MergeLines": parse_lines}


def _json_functions() -> Dict[str, Callable[..., object]]:
    from shapeflow.tensorflow.python.framework import message_json

    def to_dict(message: Any, including_default_value_fields: bool = False,
                preserving_proto_field_name: bool = False, use_integers_for_enums: bool = False,
                descriptor_pool: object = None, float_precision: object = None,
                always_print_fields_with_no_presence: bool = False) -> Any:
        with_defaults = including_default_value_fields or always_print_fields_with_no_presence
        return message_json.as_dict(message, with_defaults, preserving_proto_field_name,
                                    use_integers_for_enums)

    def to_json(message: object, including_default_value_fields: bool = False,
                preserving_proto_field_name: bool = False, indent: Any = 2, sort_keys: bool = False,
                use_integers_for_enums: bool = False, descriptor_pool: object = None,
                float_precision: object = None, ensure_ascii: bool = True,
                always_print_fields_with_no_presence: bool = False) -> str:
        import json

        items = to_dict(message, including_default_value_fields, preserving_proto_field_name,
                        use_integers_for_enums, None, None, always_print_fields_with_no_presence)
        return json.dumps(items, indent=indent, sort_keys=sort_keys, ensure_ascii=ensure_ascii)

    def parse(text: Any, message: Any, ignore_unknown_fields: bool = False, descriptor_pool: Any = None,
              max_recursion_depth: int = 100) -> Any:
        return message_json.read(text, message, ignore_unknown_fields)

    def parse_dict(js_dict: Any, message: Any, ignore_unknown_fields: bool = False,
                   descriptor_pool: object = None, max_recursion_depth: int = 100) -> Any:
        return message_json.from_dict(js_dict, message, ignore_unknown_fields)

    return {"MessageToDict": to_dict, "MessageToJson": to_json, "Parse": parse, "ParseDict": parse_dict}


# --- where the package is missing -------------------------------------------------------------------
def _fill_package(module: ModuleType) -> None:
    """The packages have no names but their modules."""


def _fill_message(module: ModuleType) -> None:
    from shapeflow.tensorflow.python.framework import message_errors
    from shapeflow.tensorflow.python.framework.message import Message

    errors = {name: getattr(message_errors, name) for name in ("Error", "DecodeError", "EncodeError")}
    fill(module, {"Message": Message, **errors})


def _fill_text_format(module: ModuleType) -> None:
    from shapeflow.tensorflow.python.framework import message_text

    fill(module, {"Error": message_text.Error, "ParseError": message_text.ParseError, **_text_functions()})


def _fill_json_format(module: ModuleType) -> None:
    from shapeflow.tensorflow.python.framework import message_json

    fill(module, {"Error": message_json.Error, "ParseError": message_json.ParseError,
                  "SerializeToJsonError": message_json.Error, **_json_functions()})


MAKERS: Dict[str, Make] = {
    "google": maker(_fill_package, is_package=True), "google.protobuf": maker(_fill_package, is_package=True),
    "google.protobuf.message": maker(_fill_message), "google.protobuf.text_format": maker(_fill_text_format),
    "google.protobuf.json_format": maker(_fill_json_format)}


# --- where it is installed ----------------------------------------------------------------------------
def _is_writing(name: str) -> bool:
    return name.startswith(("MessageTo", "Print"))


def _take_ours(module: ModuleType, ours: Dict[str, Callable[..., object]], error: Type[Exception],
               by: Patcher) -> None:
    """Functions that are given a message of ours do what ours do."""
    from shapeflow.tensorflow.python.framework.message import Message
    from shapeflow.tensorflow.python.framework.message_errors import is_unknown

    parse_error: Any = module.ParseError

    def choose(name: str, theirs: Callable[..., object]) -> Callable[..., Any]:
        place = 0 if _is_writing(name) else 1  # the argument that is the message

        def call(*args: Any, **kwargs: Any) -> Any:
            message = args[place] if len(args) > place else kwargs.get("message")
            if is_unknown(message):
                return "" if name.startswith("MessageTo") else message
            if not isinstance(message, Message):
                return theirs(*args, **kwargs)
            try:
                return ours[name](*args, **kwargs)
            except error as found:
                raise parse_error(str(found)) from found

        return call

    for name in ours:
        if hasattr(module, name):
            by.set(module, name, choose(name, getattr(module, name)))


def _complete_text_format(module: ModuleType, by: Patcher) -> None:
    from shapeflow.tensorflow.python.framework.message_text import ParseError

    _take_ours(module, _text_functions(), ParseError, by)


def _complete_json_format(module: ModuleType, by: Patcher) -> None:
    from shapeflow.tensorflow.python.framework.message_json import ParseError

    _take_ours(module, _json_functions(), ParseError, by)


ACTS: Dict[str, Act] = {"google.protobuf.text_format": _complete_text_format,
                        "google.protobuf.json_format": _complete_json_format}
