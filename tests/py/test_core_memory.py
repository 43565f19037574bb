"""Nothing leaks and nothing crashes when the same thing is done very often."""
import gc
import os
import resource

import numpy as np
import pytest

from core_support import api, mode, placeholder
from shapeflow import _core as c


def grown(act, n, warm=3):
    """Kilobytes that the process grew by while `act` ran n times, after a warm-up."""
    for _ in range(warm):
        act()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(n):
        act()
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


no_asan = pytest.mark.skipif("SHAPEFLOW_UNDER_ASAN" in os.environ, reason="freed memory stays")


def graph_life():
    with c.Graph().as_default() as g:
        x = placeholder([None, 784])
        with g.name_scope("s"), g.device("/gpu:0"), g.control_dependencies([x]):
            y = api("tf.matmul")(x, api("tf.zeros")([784, 10])) + 1.0
        y.note = y
        s = c.SessionCore(g)
        for rows in (1, 2, 3):
            s.run({"a": [y, y.op]}, {x: np.zeros((rows, 784), np.float32)})
        for broken in (lambda: x + placeholder([3, 5]), lambda: s.run(y), lambda: s.run(None),
                       lambda: s.run(y, {x: np.zeros((2, 3))}), lambda: api("tf.matmul")(x),
                       lambda: x[1.5], lambda: g.get_tensor_by_name("q:0")):
            with pytest.raises(Exception):
                broken()
        [op.outputs for op in g.get_operations()]
    c.clear_findings()


@no_asan
def test_graphs_and_sessions_do_not_leak():
    with mode("1.15.0", eager=False):
        assert grown(graph_life, 300, warm=50) < 4000


def eager_life():
    x = c.convert_to_tensor(np.zeros((3, 4), np.float32))
    y = api("tf.matmul", 2)(x, x, transpose_b=True) * 2.0 + 1
    y.note = y
    [list(y), y.shape, y[0, :2].numpy(), repr(y), c.convert_to_tensor([[1, 2], [3, 4]])]
    for broken in (lambda: api("tf.matmul", 2)(x, x), lambda: c.convert_to_tensor([[1], [2, 3]]),
                   lambda: hash(x), lambda: x.name):
        with pytest.raises(Exception):
            broken()
    c.clear_findings()


@no_asan
def test_eager_does_not_leak():
    with mode("2.15.0", eager=True):
        assert grown(eager_life, 3000, warm=200) < 4000


def test_exact_references():
    """What is made and dropped leaves no reference behind."""
    import sys

    with mode("2.15.0", eager=True):
        f, x = api("tf.add", 2), c.convert_to_tensor([1.0])
        shape, text = [1], "name"
        kinds = (type(x), c.TensorShape, c.Dimension, type(f))
        before = [sys.getrefcount(o) for o in (f, x, shape, text, *kinds)]
        for _ in range(1000):
            f(x, x, name=text)
            api("tf.reshape", 2)(x, shape)
            x.shape.as_list()
            c.TensorShape(shape).dims
            c.Dimension(3) + 1
        after = [sys.getrefcount(o) for o in (f, x, shape, text, *kinds)]
    assert all(abs(a - b) <= 3 for a, b in zip(before, after)), (before, after)


@no_asan
def test_batches_of_floats_do_not_fill_the_memory():
    """Contents are interned for good, so a new batch in each step of a loop must not be one."""
    with mode("2.21.0", eager=True):
        constant = api("tf.constant", 2)
        random = np.random.RandomState(0)
        assert grown(lambda: constant(random.rand(32, 10).astype(np.float32)), 3000) < 8000
