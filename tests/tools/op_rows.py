#!/usr/bin/env python3
"""Writes SF_OP rows from a real TensorFlow's registry: how families that are signatures only were made.

    PYTHON_WITH_TENSORFLOW tests/tools/op_rows.py Name[=infer] ...  > rows

One row a name, in the grammar of core/op/op.h: inputs, outputs, attrs, flags and what the gradient registry
says. `infer` is the transfer function; without it sf_infer_unknown (sf_infer_no_output where there is
none). The rows are then kept by hand; run it again for an op that a later TensorFlow adds.
"""
from __future__ import annotations

import sys
import textwrap
from typing import Any

from google.protobuf import json_format
from tensorflow.python.framework import op_def_registry, ops


def dtype(name: str) -> str:
    return name.removeprefix("DT_").lower()


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("\n", "\\n") + "'"


def shape(value: dict[str, Any]) -> str:
    if value.get("unknown_rank"):
        return "?"
    dims = [d.get("size", "0") for d in value.get("dim", [])]
    return "[%s]" % ",".join("?" if d == "-1" else d for d in dims)


def text_of(kind: str, value: Any) -> str:
    """A default or an allowed value, which JSON keeps under the name of its kind."""
    if kind in ("shape", "type", "bool"):
        return {"shape": shape, "type": dtype, "bool": lambda b: str(b).lower()}[kind](value)
    return quoted(value) if kind == "string" else str(value)


def default(kind: str, value: Any) -> str:
    key = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "shape": "shape"}
    if kind.startswith("list("):
        kind = kind[5:-1]
        items = value.get("list", {}).get(key.get(kind, ""), [])
        return "[%s]" % ", ".join(text_of(kind, item) for item in items)
    return text_of(kind, value[key[kind]])


def attr(a: Any) -> str:
    import base64

    message = json_format.MessageToDict(a, preserving_proto_field_name=True)
    kind = message["type"]
    text = kind
    if "allowed_values" in message:
        values = message["allowed_values"]["list"]
        if "s" in values:
            words = [quoted(base64.b64decode(s).decode()) for s in values["s"]]
        else:
            words = [dtype(t) for t in values["type"]]
        text = "{%s}" % ", ".join(words)
        text = f"list({text})" if kind.startswith("list(") else text
    if message.get("has_minimum"):
        text += " >= " + message.get("minimum", "0")
    if "default_value" in message:
        value = message["default_value"]
        if kind == "string":
            value = {"s": base64.b64decode(value["s"]).decode()}
        elif kind == "list(string)":
            words = [base64.b64decode(s).decode() for s in value.get("list", {}).get("s", [])]
            value = {"list": {"s": words}}
        text += " = " + default(kind, value)
    return f"{a.name}: {text}"


def port(p: Any) -> str:
    text = p.type_attr or p.type_list_attr or dtype(json_format.MessageToDict(p)["type"])
    if p.number_attr:
        text = f"{p.number_attr} * {text}"
    return f"{p.name}: " + (f"Ref({text})" if p.is_ref else text)


def field(name: str, parts: list[str]) -> list[str]:
    """`.attrs = "a: int, " "b: int",` over as many lines as it takes."""
    lines = textwrap.wrap(", ".join(parts), 76, break_long_words=False, break_on_hyphens=False)
    strings = ['"%s%s"' % (line.replace('"', '\\"'), " " if i + 1 < len(lines) else "")
               for i, line in enumerate(lines)] or ['""']
    head = f"          .{name} = "
    return [head + strings[0]] + [" " * len(head) + s for s in strings[1:]]


def row(name: str, infer: str = "") -> str:
    op = op_def_registry.get(name)
    registry = ops.gradient_registry._registry  # type: ignore[attr-defined]
    grad = "" if name in registry else "SF_GRAD_MISSING"
    if name in registry and registry[name]["type"] is None:
        grad = "SF_GRAD_NONE"
    infer = infer or ("sf_infer_unknown" if op.output_arg else "sf_infer_no_output")
    lines = field("inputs", [port(p) for p in op.input_arg])
    lines[-1] += ","
    lines += field("outputs", [port(p) for p in op.output_arg])
    lines[-1] += ","
    lines += field("attrs", [attr(a) for a in op.attr])
    tail = f".infer = {infer}, .cost = sf_common_cost_none"
    tail += ", .flags = SF_OP_STATEFUL" if op.is_stateful else ""
    tail += f", .grad = {grad}" if grad else ""
    lines[0] = f"    SF_OP({name},\n" + lines[0]
    return "\n".join(lines) + f",\n          {tail}),"


def main() -> None:
    import tensorflow  # noqa: F401  registers every op and gradient

    for argument in sys.argv[1:]:
        print(row(*argument.split("=", 1)))


if __name__ == "__main__":
    main()
