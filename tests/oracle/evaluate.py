"""One case on whichever TensorFlow it is given: the real one in its server, ours in the tests.

A case is {"inputs": {name: [dtype, shape or None]}, "text": an expression over tf, np and them}.
"""
import inspect

import numpy as np


def _described(value):
    if isinstance(value, dict):
        return [out for key in sorted(value) for out in _described(value[key])]
    if isinstance(value, (list, tuple)):
        return [out for item in value for out in _described(item)]
    if not hasattr(value, "get_shape"):
        return [["python", repr(value)]]
    shape = value.get_shape()
    dims = None if shape.rank is None else [None if d is None else int(d) for d in shape.as_list()]
    return [[value.dtype.base_dtype.name, dims]]


def _run(tf, case, tensor):
    names = {"tf": tf, "np": np}
    for name, (dtype, shape) in case["inputs"].items():
        names[name] = tensor(dtype, shape, name)
    try:
        out = eval(case["text"], names)  # noqa: S307 the generator's own text
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"outputs": _described(out)}


def evaluate(tf, case):
    """{"outputs": [[dtype, dims or None]...]} or {"error": class name, "message": text}."""
    with tf.Graph().as_default():
        return _run(tf, case, tf.placeholder)


def evaluate_eagerly(tf, case, tensor):
    """The same in eager mode; tensor(dtype, shape, name) makes an input of any content."""
    return _run(tf, case, tensor)


def _default(value):
    """A default as text that is the same for both: objects by what they are, not where."""
    if value is inspect.Parameter.empty:
        return "-"
    if hasattr(value, "as_datatype_enum"):
        return "tf." + value.name
    if isinstance(value, (type(None), bool, int, float, str, bytes, list, tuple)):
        return repr(value)
    return type(value).__name__


def signature(function):
    """[[name, kind, default]...], or None when Python cannot tell."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return [[p.name, p.kind.name, _default(p.default)] for p in found.parameters.values()]


def lookup(tf, dotted):
    """The object behind "tf.a.b"; raises AttributeError."""
    for part in dotted.split(".")[1:]:
        tf = getattr(tf, part)
    return tf
