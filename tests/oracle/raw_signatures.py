"""What TensorFlow says of every raw op, as JSON: run by test_raw_signatures.py in the oracle's Python."""
import inspect
import json
import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import tensorflow as tf  # noqa: E402
from tensorflow.python.framework import op_def_registry, ops  # noqa: E402


def plain(value):
    """A default as JSON: dtypes by name, anything that is no Python literal by its type."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, tf.DType):
        return value.name
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return "<%s>" % type(value).__name__


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [[p.name] if p.default is p.empty else [p.name, plain(p.default)] for p in found]


def port(p):
    return {"name": p.name, "is_ref": p.is_ref, "type_attr": p.type_attr or None,
            "number_attr": p.number_attr or None, "type_list_attr": p.type_list_attr or None,
            "dtype": tf.as_dtype(p.type).name if p.type else None}


def attr(a):
    values = a.allowed_values.list
    # Mod and ResizeBilinear name one type twice
    types = list(dict.fromkeys(tf.as_dtype(t).name for t in values.type))
    allowed = types or [s.decode() for s in values.s] or None
    kind, is_list = a.type, a.type.startswith("list(")
    return {"name": a.name, "type": kind[5:-1] if is_list else kind, "list": is_list,
            "has_default": a.HasField("default_value"),
            "minimum": a.minimum if a.has_minimum else None, "allowed": allowed}


def op(name):
    d = op_def_registry.get(name)
    try:
        gradient = "none" if ops.gradient_registry.lookup(name) is None else "some"
    except LookupError:
        gradient = "missing"
    return {"parameters": parameters(getattr(tf.raw_ops, name)), "inputs": [port(p) for p in d.input_arg],
            "outputs": [port(p) for p in d.output_arg], "attrs": [attr(a) for a in d.attr],
            "stateful": d.is_stateful, "gradient": gradient}


names = [n for n in dir(tf.raw_ops) if n[0].isupper()]
json.dump({n: op(n) for n in names}, answers)
