"""Values of small constants: seeded calls, and what one call gives on whichever TensorFlow it gets.

A case is {"op", "inputs": {name: tensor or [tensor, ...]}, "attrs": {...}}, a tensor is
[dtype, shape, texts]: `float.hex` of reals, so that the bits survive JSON. Run as a program this is
the server of real TensorFlow: one case a line in, one answer a line out.
"""
import random

import numpy as np

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
REALS = ("float32", "float64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SHAPES = ([], [1], [3], [2, 1], [2, 3], [1, 3], [0], [2, 1, 3])
SMALL = (0, 1, 2, 3, 5, 7, 31, 64)
REAL_EDGES = (0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e-3, 3.0, 1e10, -1e10, 3e38, -3e38,
              1e-40, float("inf"), float("-inf"), float("nan"))


def _limits(dtype):
    bits = int(dtype.strip("uint"))
    return (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _element(r, dtype, tame):
    if dtype == "bool":
        return r.random() < 0.5
    if dtype == "string":
        return r.choice(["", "a", "ab", "b", "\u00e9"])
    if dtype in INTEGERS:
        low, high = _limits(dtype)
        pick = r.choice(SMALL) * (1 if dtype[0] == "u" or r.random() < 0.5 else -1)
        edge = r.choice([low, high, low + 1, high - 1, low // 2, pick])
        return min(max(pick if tame or r.random() < 0.6 else edge, low), high)
    real = lambda: float(r.choice(SMALL) if r.random() < 0.4 else r.uniform(-4, 4)  # noqa: E731
                         if tame or r.random() < 0.6 else r.choice(REAL_EDGES))
    return [real(), real()] if dtype in COMPLEX else real()


def _text(value):
    if isinstance(value, list):
        return [v.hex() for v in value]
    return value.hex() if isinstance(value, float) else value


def tensor(r, dtype, shape, tame=False, low=None, high=None):
    n = int(np.prod(shape, dtype=np.int64))
    if low is not None:
        return [dtype, shape, [_text(float(v) if dtype in FLOATS else v)
                               for v in (r.randint(low, high) for _ in range(n))]]
    return [dtype, shape, [_text(_element(r, dtype, tame)) for _ in range(n)]]


def _pair(r):
    """Two shapes that broadcast."""
    shape = r.choice(SHAPES)
    other = [1 if r.random() < 0.3 else d for d in shape][r.choice([0, 0, 0, len(shape) // 2]):]
    return (shape, other) if r.random() < 0.5 else (other, shape)


def _binary(dtypes, x="x", y="y", tame=False):
    def draw(r, op):
        a, b = _pair(r)
        t = r.choice(dtypes)
        return {x: tensor(r, t, a, tame), y: tensor(r, t, b, tame)}, {}
    return draw


def _unary(dtypes, name="x", **attrs):
    return lambda r, op: ({name: tensor(r, r.choice(dtypes), r.choice(SHAPES))}, dict(attrs))


def _pow(r, op):
    a, b = _pair(r)
    t = r.choice(("int32", "int64", "float32", "float64"))
    y = tensor(r, t, b, low=0, high=9) if t[0] == "i" and r.random() < 0.9 else tensor(r, t, b, True)
    return {"x": tensor(r, t, a), "y": y}, {}


def _cast(r, op):
    # Reals that an integer cannot hold have no value that a specification gives: none are drawn.
    source = r.choice(INTEGERS + FLOATS + ("bool",))
    target = r.choice(INTEGERS + FLOATS + ("bool",))
    shape = r.choice(SHAPES)
    if source in FLOATS and target in INTEGERS:
        return {"x": tensor(r, source, shape, low=0 if target[0] == "u" else -100, high=100)}, \
            {"DstT": target}
    return {"x": tensor(r, source, shape)}, {"DstT": target}


def _select(r, op):
    t = r.choice(("int32", "int64", "float32", "bool", "string"))
    shape = r.choice(SHAPES)
    cond = shape if r.random() < 0.6 else [] if op == "Select" or r.random() < 0.5 else [1] * len(shape)
    then, other = ("x", "y") if op == "Select" else ("t", "e")
    return {"condition": tensor(r, "bool", cond), then: tensor(r, t, shape),
            other: tensor(r, t, shape)}, {}


def _clip(r, op):
    t = r.choice(("int32", "int64", "float32"))
    shape = r.choice(SHAPES)
    low = tensor(r, t, [], low=-3, high=1)
    return {"t": tensor(r, t, shape, True), "clip_value_min": low,
            "clip_value_max": tensor(r, t, [], low=2, high=5)}, {}


def _add_n(r, op):
    t, shape = r.choice(("int32", "int64", "float64")), r.choice(SHAPES)
    return {"inputs": [tensor(r, t, shape, t[0] == "f") for _ in range(r.randint(1, 4))]}, {}


def _axes(r, rank):
    axes = r.sample(range(rank), r.randint(0, rank))
    axes = [a - rank if r.random() < 0.3 else a for a in axes]
    index = r.choice(("int32", "int64"))
    return [index, [], axes] if len(axes) == 1 and r.random() < 0.5 else [index, [len(axes)], axes]


def _reduce(dtypes, tame):
    def draw(r, op):
        shape = r.choice([s for s in SHAPES if 0 not in s])
        if op in ("Sum", "Prod", "Any", "All") and r.random() < 0.1:
            shape = [2, 0]
        return {"input": tensor(r, r.choice(dtypes), shape, tame), "axis": _axes(r, len(shape))}, \
            {"keep_dims": r.random() < 0.5}
    return draw


def _arg(r, op):
    shape = r.choice([s for s in SHAPES if s and 0 not in s])
    index, rank = r.choice(("int32", "int64")), len(shape)
    return {"input": tensor(r, r.choice(("int32", "int64", "float32", "uint8", "bool")), shape, True),
            "dimension": [index, [], [r.randint(-rank, rank - 1)]]}, \
        {"output_type": r.choice(("int32", "int64"))}


def _scan(r, op):
    shape = r.choice([s for s in SHAPES if s])
    t = r.choice(("int32", "int64", "float64"))
    axis = r.randint(-len(shape), len(shape) - 1)
    return {"x": tensor(r, t, shape, t[0] == "f"), "axis": ["int32", [], [axis]]}, \
        {"exclusive": r.random() < 0.5, "reverse": r.random() < 0.5}


def _range(r, op):
    t = r.choice(("int32", "int64", "float32", "float64"))
    number = lambda low, high: tensor(  # noqa: E731
        r, t, [], low=low, high=high) if t[0] == "i" or r.random() < 0.3 else \
        [t, [], [r.uniform(low, high).hex()]]
    delta = r.choice([number(1, 4), number(-4, -1), number(0, 0)] if r.random() < 0.2
                     else [number(1, 4), number(-4, -1)])
    return {"start": number(-9, 9), "limit": number(-9, 9), "delta": delta}, {}


def _lin_space(r, op):
    t = r.choice(REALS)
    return {"start": tensor(r, t, [], True), "stop": tensor(r, t, [], True),
            "num": [r.choice(("int32", "int64")), [], [r.choice([0, 1, 1, 2, 3, 5, 8])]]}, {}


ARITHMETIC = ("int8", "int16", "int32", "int64", "uint8", "float32", "float64", "float16", "bfloat16")
ORDERED = INTEGERS + FLOATS
DRAWS = {
    "Add Mul Sub": _binary(ARITHMETIC + COMPLEX),
    "AddV2": _binary(INTEGERS + FLOATS),
    "Add Equal NotEqual": _binary(("string",)),
    "RealDiv": _binary(FLOATS),
    "Div FloorDiv TruncateDiv FloorMod": _binary(SIGNED + ("uint8",) + REALS),
    "TruncateMod Mod": _binary(("int32", "int64", "float32", "float64")),
    "Pow": _pow,
    "Maximum Minimum Less LessEqual Greater GreaterEqual": _binary(ORDERED),
    "SquaredDifference": _binary(("int32", "int64", "float32", "float64")),
    "DivNoNan MulNoNan Xdivy": _binary(REALS),
    "Xlogy Xlog1py": _binary(REALS, tame=True),
    "Atan2": _binary(REALS, "y", "x", True),
    "Equal NotEqual": _binary(ORDERED + ("bool",) + COMPLEX),
    "LogicalAnd LogicalOr": _binary(("bool",)),
    "BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift": _binary(INTEGERS),
    "Abs": _unary(SIGNED + FLOATS),
    "Neg Sign": _unary(SIGNED + FLOATS),
    "Round": _unary(FLOATS),
    "Square": _unary(INTEGERS + FLOATS),
    "Reciprocal Inv": _unary(REALS),
    "Rint": _unary(REALS),
    "Floor Ceil IsNan IsInf IsFinite": _unary(FLOATS),
    "Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh "
    "Sigmoid Erf Erfc Lgamma": lambda r, op: ({"x": tensor(r, "float64", r.choice(SHAPES), True)}, {}),
    "Invert PopulationCount": _unary(INTEGERS),
    "LogicalNot": _unary(("bool",)),
    "OnesLike ZerosLike": _unary(INTEGERS + FLOATS + ("bool",)),
    "Relu": _unary(("int32", "int64", "uint8", "float32"), "features"),
    "Relu6": _unary(("int32", "int64", "uint8", "float32"), "features"),
    "Softplus Softsign Elu Selu": lambda r, op: (
        {"features": tensor(r, "float64", r.choice(SHAPES), True)}, {}),
    "LeakyRelu": _unary(REALS, "features", alpha=0.25),
    "Cast": _cast,
    "Select SelectV2": _select,
    "ClipByValue": _clip,
    "AddN": _add_n,
    "Sum Prod": _reduce(("int32", "int64", "int16"), False),
    "Mean": _reduce(("int32", "int64"), True),
    "Max Min": _reduce(("int32", "int64", "uint8", "float64"), False),
    "Any All": _reduce(("bool",), False),
    "ArgMax ArgMin": _arg,
    "Cumsum Cumprod": _scan,
    "Range": _range,
    "LinSpace": _lin_space,
    "L2Loss": lambda r, op: ({"t": tensor(r, "float64", r.choice(SHAPES), True)}, {}),
}


def cases(seed, count):
    """`count` seeded cases, every op in turn."""
    r = random.Random(seed)
    turns = [(op, draw) for ops, draw in DRAWS.items() for op in ops.split()]
    for i in range(count):
        op, draw = turns[i % len(turns)]
        inputs, attrs = draw(r, op)
        yield {"op": op, "inputs": inputs, "attrs": attrs}


# --- one case, on either TensorFlow ---------------------------------------------------------------
def _value(dtype, text):
    if isinstance(text, list):
        return complex(*map(float.fromhex, text))
    return float.fromhex(text) if dtype in FLOATS else text


def _constant(tf, t):
    dtype, shape, texts = t
    if dtype in FLOATS or dtype in COMPLEX:  # numpy keeps -0.0 and knows no bfloat16
        wide = {"float16": "float32", "bfloat16": "float32"}.get(dtype, dtype)
        with np.errstate(over="ignore"):
            array = np.array([_value(dtype, x) for x in texts], wide).reshape(shape)
        return tf.constant(array) if wide == dtype else tf.cast(tf.constant(array), dtype)
    return tf.constant([_value(dtype, x) for x in texts], dtype, shape)


def _known(array):
    flat = np.asarray(array).reshape(-1)
    if flat.dtype.kind in "SO":
        return [x.decode() if isinstance(x, bytes) else x for x in flat.tolist()]
    if flat.dtype.kind == "c":
        return [[float(x.real).hex(), float(x.imag).hex()] for x in flat]
    if flat.dtype.kind in "iub":
        return [int(x) for x in flat]
    return [float(x).hex() for x in flat.astype(np.float64)]


def run(tf, case):
    """[dtype, shape, texts or None] of each output, or {"error": class, "message": text}."""
    inputs = {name: [_constant(tf, x) for x in t] if t and isinstance(t[0], list) else _constant(tf, t)
              for name, t in case["inputs"].items()}
    try:
        out = getattr(tf.raw_ops, case["op"])(**inputs, **case["attrs"])
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    outs = out if isinstance(out, (list, tuple)) else [out]
    answers = []
    for x in outs:
        known = tf.get_static_value(x)
        answers.append([x.dtype.name, x.shape.as_list(), None if known is None else _known(known)])
    return answers


def serve():
    import json
    import os
    import sys

    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import tensorflow

    for line in sys.stdin:
        print(json.dumps(run(tensorflow, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    serve()
