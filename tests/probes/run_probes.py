"""What TensorFlow makes of one expression after the other: `python run_probes.py [--ours] FILE... > JSON`.

A line of a file: statements and at last an expression, with ` ;; ` between. Its answer tells kind, shape and
dtype of what it gives, or the class of what it raises; never a number that was computed. With --ours it is
ShapeFlow that is asked; a line in which ShapeFlow knows nothing answers ["?"].
"""
import contextlib
import json
import os
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
OURS = "--ours" in sys.argv
if OURS:
    import shapeflow as tf
    from shapeflow import _core
    from shapeflow.api.unmodelled import Opaque

    sys.modules.setdefault("tensorflow", tf)
else:
    import tensorflow as tf
import numpy as np  # noqa: E402
from verdicts import lines_of  # noqa: E402


def dims(shape):
    try:
        return None if shape.rank is None else shape.as_list()
    except AttributeError:
        return str(shape)


def is_unknown(value):
    if not OURS:
        return False
    if isinstance(value, tf.Tensor):
        return value.shape.rank is None and _core.is_unmodelled(value)
    return isinstance(value, Opaque) and not isinstance(value, tf.RaggedTensor)


def describe(value, depth=0):
    if is_unknown(value):
        return ["?"]
    if isinstance(value, float):
        return "a float"
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    if depth > 6:
        return "..."
    for kind, parts in (
            ("RaggedTensor", lambda: [dims(value.shape), value.dtype.name, value.ragged_rank]),
            ("SparseTensor", lambda: [dims(value.shape), value.dtype.name, dims(value.indices.shape)]),
            ("IndexedSlices", lambda: [dims(value.values.shape), dims(value.indices.shape),
                                       value.dtype.name]),
            ("Variable", lambda: [dims(value.shape), tf.as_dtype(value.dtype).name]),
            ("Tensor", lambda: [dims(value.shape), value.dtype.name]),
            ("TensorShape", lambda: [dims(value)]),
            ("DType", lambda: [value.name]),
            ("TypeSpec", lambda: [repr(value)])):
        if isinstance(value, getattr(tf, kind)):
            return [kind, *parts()]
    if isinstance(value, (np.ndarray, np.generic)):
        return ["array", list(value.shape), str(value.dtype)]
    if isinstance(value, dict):
        return {str(key): describe(part, depth + 1) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return ["list", *(describe(part, depth + 1) for part in value)]
    return "<%s>" % type(value).__name__


def answer(line):
    scope = {"tf": tf, "np": np, "os": os, "sys": sys}
    *statements, expression = line.split(" ;; ")
    try:
        for statement in statements:
            exec(statement, scope)
        return describe(eval(expression, scope))
    except Exception as error:
        return ["raises", type(error).__name__]


def main():
    warnings.simplefilter("ignore")
    answers = {}
    for path in [one for one in sys.argv[1:] if not one.startswith("--")]:
        for line in lines_of(path):
            with contextlib.redirect_stdout(sys.stderr):
                answers[line] = answer(line)
    json.dump(answers, sys.stdout, indent=0)


if __name__ == "__main__":
    main()
