"""Single transfers of intervals: what numpy computes in each dtype lies inside, rounding included."""
import numpy as np
import pytest

import shapeflow as sf
from shapeflow import _core

ZERO, INTEGERS = 8, 16
ENDS = {"float16": [0, 1, -1, 0.5, 2, -3, 10, -10, 88, 255, -255, 6e4, -6e4, 2.0 ** -14, -2.0 ** -10],
        "float32": [0, 1, -1, 0.5, 2, -3, 10, -88, 100, 255, 1e30, -1e30, 3e38, 1e-30, -1e-30, 2.0 ** -126]}
ENDS["float64"] = [*ENDS["float32"], 1e300, -1e300, 1e-300]
ENDS["bfloat16"] = ENDS["float32"]

UNARY = {
    "Neg": np.negative, "Abs": np.abs, "Sign": np.sign, "Square": np.square, "Reciprocal": lambda x: 1 / x,
    "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x), "Exp": np.exp, "Expm1": np.expm1, "Log": np.log,
    "Log1p": np.log1p, "Sin": np.sin, "Cos": np.cos, "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan,
    "Sinh": np.sinh, "Cosh": np.cosh, "Tanh": np.tanh, "Asinh": np.arcsinh, "Floor": np.floor,
    "Ceil": np.ceil, "Rint": np.rint, "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Relu": lambda x: np.maximum(x, 0),
    "Softplus": lambda x: np.logaddexp(x, 0), "Elu": lambda x: np.where(x < 0, np.expm1(x), x),
    "Relu6": lambda x: np.clip(x, 0, 6), "Softsign": lambda x: x / (1 + abs(x)),
}
BINARY = {"AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "RealDiv": np.divide,
          "Minimum": np.minimum, "Maximum": np.maximum, "SquaredDifference": lambda x, y: np.square(x - y)}


def dtype_of(name):
    return pytest.importorskip("ml_dtypes").bfloat16 if name == "bfloat16" else np.dtype(name).type


def content(rng, lo, hi, dtype):
    """Elements between the two, the ends among them."""
    with np.errstate(all="ignore"):
        x = np.concatenate([[lo, hi], lo * rng.random(20) + hi * rng.random(20),
                            rng.choice([lo, hi], 20) * 2.0 ** -rng.integers(0, 20, 20)])
        x = np.clip(np.asarray(np.clip(x, lo, hi).astype(dtype), "float64"), lo, hi)
        least = {"float16": 0, "float64": 2.0 ** -1022}.get(np.dtype(dtype).name, 2.0 ** -126)
        return np.where(abs(x) < least, lo, x)  # what is subnormal is flushed, or not


def interval(op, dtype, operands):
    graph, facts, inputs = _core.Graph(), [], []
    names = [spec["name"] for spec in _core.op_info(op)["inputs"]]
    with graph.as_default():
        for x in operands:
            inputs.append(sf.compat.v1.placeholder(dtype, [None]))
            flags = ZERO * (x == 0).any() | 2 * np.isposinf(x).any() | 4 * np.isneginf(x).any()
            x = x[np.isfinite(x)]
            facts.append((inputs[-1].op.name, 0, float(x.min()), float(x.max()), int(flags)))
        out = getattr(sf.raw_ops, op)(**dict(zip(names, inputs)))
    return next(row[2:] for row in _core.intervals(graph, facts) if row[0] == out.op.name)


def outside(y, lo, hi, flags, least):
    finite = np.isfinite(y)
    small = finite & (abs(y) < least) & bool(flags & ZERO and lo <= 0 <= hi)
    bad = np.isnan(y) & (not flags & 1) | np.isposinf(y) & (not flags & 2) | np.isneginf(y) & (not flags & 4)
    bad |= finite & ~small & ((y < lo) | (y > hi) | (y == 0) & (not flags & ZERO))
    return y[bad | finite & (y != np.rint(y)) & bool(flags & INTEGERS)]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("op, function", [*UNARY.items(), *BINARY.items()])
def test_what_numpy_computes_lies_inside(op, function, dtype):
    kind = dtype_of(dtype)
    rng = np.random.default_rng(len(op))
    ends = [float(np.asarray(e).astype(kind)) for e in ENDS[dtype]]
    least = {"float16": 2.0 ** -24, "float64": 2.0 ** -1022}.get(dtype, 2.0 ** -126)
    said = 0
    for _ in range(40):
        operands = [content(rng, *sorted(rng.choice(ends, 2)), kind) for _ in range(1 + (op in BINARY))]
        with np.errstate(all="ignore"):  # in double, and rounded once
            y = np.asarray(function(*operands)).astype(kind).astype("float64")
        lo, hi, flags = interval(op, dtype, operands)
        assert outside(y, lo, hi, flags, least).size == 0, (operands, lo, hi, flags)
        said += (lo, hi) != (-np.inf, np.inf) and (flags & 7 != 7 or lo > -6e4 or hi < 6e4)
    assert said > 10  # the claim is no tautology


@pytest.mark.parametrize("op, function", [*UNARY.items(), *BINARY.items(), ("Pow", np.power)])
def test_what_becomes_of_infinity_lies_inside(op, function):
    """inf ** -10 is 0, though no power of what is below one and finite is."""
    rng = np.random.default_rng(len(op))
    for _ in range(60):
        ends = rng.choice(ENDS["float32"], (1 + (op in BINARY or op == "Pow"), 2)).astype("float32")
        operands = [content(rng, *sorted(pair), np.float32) for pair in ends]
        operands[0] = np.append(operands[0], rng.choice([np.inf, -np.inf], 2)).astype("float32")
        operands[1:] = [np.append(x, x[:2]) if rng.random() < 0.5 else x[:1] for x in operands[1:]]
        with np.errstate(all="ignore"):
            y = np.asarray(function(*map(np.float64, operands))).astype("float32").astype("float64")
        lo, hi, flags = interval(op, "float32", operands)
        assert outside(y, lo, hi, flags, 2.0 ** -126).size == 0, (operands, lo, hi, flags)


@pytest.mark.parametrize("op, x, expected", [
    ("Exp", [0.0, 0.0], (1, 1)), ("Sigmoid", [-1e30, 1e30], (0, 1)), ("Log", [1.0, 1.0], (0, 0)),
    ("Tanh", [-1e30, 1e30], (-1, 1)), ("Abs", [-3.0, 2.0], (0, 3)), ("Square", [-3.0, 2.0], (0, 9)),
    ("Relu6", [-3.0, 20.0], (0, 6)), ("Softsign", [-9.0, 9.0], (-0.9, 0.9)),
])
def test_what_is_claimed_is_narrow(op, x, expected):
    lo, hi, _ = interval(op, "float32", [np.array(x)])
    assert (lo, hi) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("wide, narrow", [
    ("float32", "float16"), ("float32", "bfloat16"), ("float64", "float16"), ("float64", "bfloat16"),
    ("float64", "float32"), ("float16", "bfloat16"), ("bfloat16", "float16")])
def test_what_a_narrower_dtype_leaves_lies_inside(wide, narrow):
    """There and back: 1e-8 is 0 in float16, 0.9999 is 1, and 1e5 is infinite."""
    rng, big = np.random.default_rng(7), dtype_of(wide)
    ends = [*ENDS[wide], 0.9999, 1.0001, 1e-8, 65519.0, 65520.0, 2049.0, 2051.0, 257.0, 1e5]
    with np.errstate(over="ignore"):
        ends = [e for e in (float(np.asarray(e).astype(big)) for e in ends) if np.isfinite(e)]
    for _ in range(200):
        x = content(rng, *sorted(rng.choice(ends, 2)), big)
        with np.errstate(all="ignore"):
            y = x.astype(big).astype(dtype_of(narrow)).astype(big).astype("float64")
        graph = _core.Graph()
        with graph.as_default():
            there = sf.compat.v1.placeholder(wide, [None])
            back = sf.cast(sf.cast(there, narrow), wide)
        fact = (there.op.name, 0, float(x.min()), float(x.max()), ZERO if (x == 0).any() else 0)
        lo, hi, flags = next(row[2:] for row in _core.intervals(graph, [fact]) if row[0] == back.op.name)
        least = 2.0 ** -24 if "float16" in (wide, narrow) else 2.0 ** -126
        assert outside(y, lo, hi, flags, least).size == 0, (x.min(), x.max(), lo, hi, flags)


@pytest.mark.parametrize("dtype, largest, infinite", [
    ("float16", 6e4, True), ("float16", 1e3, False), ("bfloat16", 6e4, False), ("float32", 3e38, True),
    ("float32", 1e30, False)])
def test_the_loss_of_large_logits_may_be_infinite(dtype, largest, infinite):
    """A loss is a distance of logits: twice the largest."""
    graph = _core.Graph()
    with graph.as_default():
        logits = sf.compat.v1.placeholder(dtype, [None, 3])
        loss = sf.nn.sparse_softmax_cross_entropy_with_logits(labels=sf.constant([0, 2]), logits=logits)
    facts = [(logits.op.name, 0, -largest, largest, ZERO)]
    lo, hi, flags = next(row[2:] for row in _core.intervals(graph, facts) if row[0] == loss.op.name)
    assert lo == 0
    assert bool(flags & 2) is infinite
    assert infinite or hi < 20 * largest


def test_what_is_taken_for_0_in_a_case_may_be_minus_0():
    """x mod 1 of whole numbers is 0 or -0: one case of it is no +0."""
    graph = _core.Graph()
    with graph.as_default():
        x = sf.compat.v1.placeholder("float16", [None])
        rest = sf.raw_ops.FloorMod(x=x, y=sf.constant(1.0, "float16"))
        y = sf.raw_ops.Sub(x=rest, y=sf.abs(rest))
    fact = (x.op.name, 0, -100.0, 1.0, ZERO | INTEGERS)
    flags = next(row[4] for row in _core.intervals(graph, [fact]) if row[0] == y.op.name)
    assert not flags & 32


@pytest.mark.parametrize("edge, least, has_zero", [
    (-0.5, 0, True), (0.0, 1, False), (0.5, 1, False), (-1.0, 0, True)])
def test_whole_numbers_above_an_edge_begin_at_the_next_one(edge, least, has_zero):
    graph = _core.Graph()
    with graph.as_default():
        x = sf.compat.v1.placeholder("float32", [None])
        y = sf.where(x > sf.constant(edge), x, sf.constant(7.0) + 0 * x)
    fact = (x.op.name, 0, -100.0, 100.0, ZERO | INTEGERS)
    lo, hi, flags = next(row[2:] for row in _core.intervals(graph, [fact]) if row[0] == y.op.name)
    assert (lo, hi, bool(flags & ZERO)) == (least, 100, has_zero)
