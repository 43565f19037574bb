"""Nothing leaks and nothing crashes when the same thing is done very often."""
import gc
import os
import resource
import subprocess
import sys

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


GROWTH = """
import resource, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from core_support import api, mode
from shapeflow import _core as c

def resident():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * resource.getpagesize() / 1e6

make = eval("lambda i: " + sys.argv[2])
with mode("2.15.0", True):
    for i in range(20_000):
        make(i)
    before = resident()
    for i in range(20_000, 220_000):
        make(i)
    print(resident() - before)
"""


@no_asan
@pytest.mark.parametrize("make", [
    "api('tf.constant')(i)",
    "api('tf.constant')(np.float32(i))",
    "api('tf.constant')([i, i + 1, i + 2])",
    "api('tf.add')(api('tf.constant')(i), 1)",
    "c.eager_tensor('int32', [2], np.array([i, i], np.int32))",
])
def test_contents_that_no_tensor_holds_are_forgotten(make):
    """In a process of its own: what another test left switched on, a trace say, may keep them."""
    here = os.path.dirname(os.path.abspath(__file__))
    done = subprocess.run([sys.executable, "-c", GROWTH, here, make], check=True,
                          capture_output=True, text=True)
    assert float(done.stdout) < 6  # MB; 25 and more when each is kept


def test_contents_are_kept_where_somebody_needs_them():
    """Every sweep takes all that it may: what a tensor, a graph, a function or a trace holds stays."""
    c.set_sweep_after(0)
    try:
        with mode("2.15.0", True):
            constant, add, reshape = api("tf.constant"), api("tf.add"), api("tf.reshape")
            held = [constant(i + 100_000) for i in range(100)]
            arrays = [constant([i, 200_000 + i]) for i in range(100)]
            shapes = [constant([i + 1, 2]) for i in range(20)]
            sums = [add(t, 1) for t in held]
            with c.Graph().as_default() as g:
                nodes = [api("tf.identity")(t) if i % 2 else add(t, i) for i, t in enumerate(held)]
                session = c.SessionCore(g)
            for i in range(1000):
                constant(300_000 + i)
            assert [int(t) for t in held] == [i + 100_000 for i in range(100)]
            assert [int(t) for t in sums] == [i + 100_001 for i in range(100)]
            assert [t.numpy().tolist() for t in arrays] == [[i, 200_000 + i] for i in range(100)]
            assert [reshape(constant(list(range(2 * i + 2))), s).shape.as_list()
                    for i, s in enumerate(shapes)] == [[i + 1, 2] for i in range(20)]
            del held, sums
            for i in range(1000):
                constant(400_000 + i)
            with g.as_default():
                got = session.run(nodes)
            assert [int(v) for v in got] == [i + 100_000 + (0 if i % 2 else i) for i in range(100)]
    finally:
        c.set_sweep_after(8192)
