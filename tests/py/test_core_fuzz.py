"""Every function and raw op with arguments that make little sense: an exception or a result, never a
crash, an internal error or a broken graph."""
import random

import numpy as np
import pytest

from core_support import mode, placeholder
from shapeflow import _core as c

ROUNDS = 12
pytestmark = pytest.mark.filterwarnings("ignore")  # numpy's, about what it is asked to do


class Variable(c.VariableBase):
    pass


class Liar:
    """Says it is a tensor, an array, a shape; is none."""

    def __sf_tensor__(self):
        return 3

    def __array__(self, dtype=None, copy=None):
        raise ValueError("no")

    def __index__(self):
        raise OverflowError


def values(tensors):
    empty = Variable()
    held = Variable()
    held._tensor = tensors[0]
    return tensors + [
        None, True, 0, 1, -1, 3, 2**31, 2**63, -2**70, 1.5, float("nan"), float("inf"), "", "SAME", "NHWC",
        "é\0x", b"\xff", [], [0], [1, 2], [-1], [[1, 2], [3, 4]], [[1], [2, 3]], [None], (2, 3), {"a": 1},
        set(), 1j, np.zeros((2, 3), np.float32), np.int64(2), np.array(["a"]), np.zeros(0),
        np.zeros((1, 0, 2)), np.datetime64("2020-01-01"), np.array([None]), np.float32, "float32",
        c.as_dtype("int32"), c.as_dtype("float32_ref"), c.TensorShape([2, None]), c.TensorShape(None),
        c.Dimension(3), c.Dimension(None), object(), Liar(), empty, held, int, len, ..., slice(1, None),
        [tensors[0], 1], [tensors[0]] * 3, range(3), c.default_graph(),
    ]


def tensors_of_mode(eager):
    if eager:
        return [c.convert_to_tensor(v) for v in (
            np.zeros((2, 3), np.float32), [1, 2, 3], 2, "text", [True, False], np.zeros((1, 4, 4, 3)))]
    return [placeholder(s, "x", t) for s, t in (
        ([None, 3], "float32"), ([3], "int32"), ([], "int32"), (None, "float32"), ([2], "bool"),
        ([1, 4, None, 3], "float32"), ([2, 3], "string"))]


def attempt(f, args, kwargs):
    try:
        f(*args, **kwargs)
    except SystemError:
        raise
    except Exception:  # noqa: BLE001
        pass


@pytest.mark.parametrize("version,eager", [("1.8.0", False), ("1.15.0", False), ("2.21.0", True)])
def test_functions(version, eager):
    rng = random.Random(7)
    with mode(version, eager):
        pool = values(tensors_of_mode(eager))
        for name in c.api_names(2 if eager else 1):
            f = c.api_function(name, 2 if eager else 1)
            if f is None:
                continue
            parameters = [p for p in f.__text_signature__.strip("()").replace("*, ", "").split(", ") if p]
            names = [p.split("=")[0] for p in parameters if not p.startswith("*")]
            required = sum("=" not in p for p in parameters)
            for _ in range(ROUNDS):
                kwargs = {n: rng.choice(pool) for n in names[required:] if rng.random() < 0.3 and n != "name"}
                attempt(f, [rng.choice(pool) for _ in range(required)], kwargs)
        assert c.default_graph()._verify() is None


@pytest.mark.parametrize("version,eager", [("1.15.0", False), ("2.21.0", True)])
def test_raw_ops(version, eager):
    rng = random.Random(11)
    with mode(version, eager):
        pool = values(tensors_of_mode(eager))
        for name in c.raw_op_names():
            info = c.op_info(name)
            keys = [i["name"] for i in info["inputs"]]
            attrs = [a["name"] for a in info["attrs"] if not a["inferred"]]
            for _ in range(ROUNDS):
                kwargs = {k: rng.choice(pool) for k in keys}
                kwargs.update({a: rng.choice(pool) for a in attrs if rng.random() < 0.5})
                attempt(c.raw_op(name), (), kwargs)
        assert c.default_graph()._verify() is None


@pytest.mark.parametrize("eager", [False, True])
def test_operators(eager):
    import operator as o

    rng = random.Random(13)
    binary = [o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.pow, o.matmul, o.and_, o.or_, o.xor,
              o.lt, o.le, o.gt, o.ge, o.eq, o.ne, o.getitem, divmod]
    with mode("2.21.0" if eager else "1.15.0", eager):
        tensors = tensors_of_mode(eager)
        pool = values(tensors)
        for _ in range(3000):
            a, b = rng.choice(tensors), rng.choice(pool)
            attempt(rng.choice(binary), rng.choice([(a, b), (b, a)]), {})
            attempt(rng.choice([o.neg, o.pos, o.inv, abs, len, bool, int, float, hash, repr, str, list,
                                o.index, round, c.constant_value, c.constant_value_as_shape]), (a,), {})
            attempt(a.__getitem__, ((rng.choice(pool), slice(rng.choice(pool), rng.choice(pool))),), {})


def test_runs():
    rng = random.Random(17)
    with mode("1.15.0", False):
        tensors = tensors_of_mode(False)
        pool = values(tensors) + ["x:0", "x", "x_1:0", tensors[0].op]
        s = c.SessionCore(c.default_graph())
        for _ in range(3000):
            fetch = rng.choice([rng.choice(pool), [rng.choice(pool), rng.choice(tensors)],
                                {"k": rng.choice(pool)}])
            feed = {}
            for _ in range(rng.randrange(3)):
                try:
                    feed[rng.choice(pool)] = rng.choice(pool)
                except TypeError:
                    pass  # unhashable
            attempt(s.run, (fetch, rng.choice([feed, None, rng.choice(pool)])), {})
            attempt(s.set_state, (rng.choice(pool), rng.choice(pool), rng.choice(pool)), {})


@pytest.mark.parametrize("make", [c.TensorShape, c.Dimension, c.as_dtype, c.convert_to_tensor],
                         ids=lambda f: f.__name__)
def test_makers(make):
    for version, eager in (("1.15.0", False), ("2.21.0", True)):
        with mode(version, eager):
            for value in values(tensors_of_mode(eager)):
                attempt(make, (value,), {})
                made = c.TensorShape([1, None])
                for method in ("merge_with", "concatenate", "with_rank", "with_rank_at_least",
                               "assert_has_rank", "assert_same_rank", "is_compatible_with",
                               "most_specific_compatible_shape", "__getitem__", "__eq__", "__add__"):
                    attempt(getattr(made, method), (value,), {})
