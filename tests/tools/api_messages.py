"""Writes which protocol buffer messages TensorFlow has, and their fields, as shapeflow/api/messages.txt.

    python tests/tools/api_messages.py PYTHON [PYTHON ...]    writes the file: what any of them has
    python tests/tools/api_messages.py PYTHON --check         exit 1 when it lacks what that TensorFlow has

PYTHON is an interpreter that has a TensorFlow, the newest first; this file is run under it and so must suit
Python 3.6. The format is described in pymodule/shapeflow/tensorflow/python/framework/message_table.py.
"""
import argparse
import importlib
import json
import os
import subprocess
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "pymodule", "shapeflow", "api",
                    "messages.txt")
FOLDERS = ("core/example", "core/framework", "core/protobuf", "core/util", "python/training",
           "python/checkpoint", "core/profiler", "compiler/mlir/quantization/tensorflow",
           "contrib/decision_trees/proto", "contrib/session_bundle", "contrib/tensor_forest/proto",
           "contrib/tensorboard/plugins/projector", "contrib/tensorboard/plugins/trace")
KINDS = ("", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "group",
         "message", "bytes", "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64")


def of_package(name):
    """A full name as the file has it: the package `tensorflow` is not said."""
    return name[len("tensorflow."):] if name.startswith("tensorflow.") else "." + name


def is_repeated(field):
    found = getattr(field, "is_repeated", None)
    return bool(found) if found is not None else field.label == 3


def kind_of(field):
    if field.message_type is not None:
        return of_package(field.message_type.full_name)
    if field.enum_type is not None:
        return of_package(field.enum_type.full_name) + "!"
    return KINDS[field.type]


def is_map(field):
    inner = field.message_type
    return inner is not None and inner.GetOptions().map_entry


def field_text(field):
    if is_map(field):
        entry = field.message_type.fields_by_name
        kind = "{%s:%s}" % (kind_of(entry["key"]), kind_of(entry["value"]))
    else:
        kind = kind_of(field) + "*" * is_repeated(field)
    oneof = field.containing_oneof
    return "%s=%s%s" % (field.name, kind, "" if oneof is None else "|" + oneof.name)


class Collector:
    """The messages and enums of some files, and of the files that these use, by module."""

    def __init__(self):
        self.blocks = {}
        self.seen = set()

    def add_file(self, file):
        if file.name in self.seen:
            return
        self.seen.add(file.name)
        module = file.name[:-len(".proto")].replace("/", ".") + "_pb2"
        block = self.blocks.setdefault(module, {})
        block[""] = {"0": of_package(file.package + ".").rstrip(".")}
        for message in file.message_types_by_name.values():
            self.add_message(block, message, message.name)
        for enum in file.enum_types_by_name.values():
            self.add_enum(block, enum, enum.name)
        for used in file.dependencies:
            self.add_file(used)

    def add_message(self, block, message, name):
        if message.GetOptions().map_entry:
            return
        block[name] = {str(field.number): field_text(field) for field in message.fields}
        for nested in message.nested_types:
            self.add_message(block, nested, name + "." + nested.name)
        for enum in message.enum_types:
            self.add_enum(block, enum, name + "." + enum.name)

    @staticmethod
    def add_enum(block, enum, name):
        block[name + "!"] = {str(value.number): value.name for value in enum.values}


def collect():
    import tensorflow as tf

    root = os.path.dirname(tf.__file__)
    if not os.path.isdir(os.path.join(root, "core")):
        root = os.path.join(os.path.dirname(root), "tensorflow_core")
    out = Collector()
    for folder in FOLDERS:
        place = os.path.join(root, *folder.split("/"))
        for file in sorted(os.listdir(place) if os.path.isdir(place) else ()):
            if file.endswith("_pb2.py"):
                path = "tensorflow." + folder.replace("/", ".") + "." + file[:-len(".py")]
                out.add_file(importlib.import_module(path).DESCRIPTOR)
    return out.blocks


def of_interpreter(python):
    env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    said = subprocess.run([python, "-W", "ignore", os.path.abspath(__file__), "--print"], env=env,
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    return json.loads(said.splitlines()[-1])


def text_of(blocks):
    out = []
    for module in sorted(blocks):
        out.append("%s %s" % (module, blocks[module][""]["0"]))
        for name in sorted(blocks[module]):
            rows = blocks[module][name]
            if name:
                out.append(" ".join([" " + name] + ["%s:%s" % (number, rows[number])
                                                    for number in sorted(rows, key=int)]))
        out.append("")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--print", action="store_true", help="what this interpreter's TensorFlow has")
    args = parser.parse_args()
    if args.print:
        print()
        print(json.dumps(collect()))
        return 0
    found = {}
    for python in args.python:
        for module, block in of_interpreter(python).items():
            mine = found.setdefault(module, {})
            for name, rows in block.items():
                mine[name] = dict(rows, **mine.get(name, {}))  # the newest TensorFlow's word counts
    if not args.check:
        with open(FILE, "w") as file:
            file.write(text_of(found))
        return 0
    with open(FILE) as file:
        have = set(file.read().split())
    lacking = sorted(set(text_of(found).split()) - have)
    print("messages.txt lacks", lacking[:20]) if lacking else None
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
