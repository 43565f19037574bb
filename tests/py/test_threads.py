"""Calls that run while another call does: in a second thread, or from an object's own conversion."""
import random
import sys
import threading

import numpy as np
import pytest

from core_support import api, mode, placeholder
from shapeflow import _core as c

THREE = np.ones(3, np.float32)


class Waiting:
    """An array-like that stops in the middle of its conversion until the test says go."""

    def __init__(self):
        self.entered, self.go = threading.Event(), threading.Event()

    def __array__(self, dtype=None, copy=None):
        self.entered.set()
        assert self.go.wait(60)
        return THREE


class Calling:
    """An array-like that calls TensorFlow while it is converted."""

    def __init__(self, function):
        self.function = function

    def __array__(self, dtype=None, copy=None):
        self.function()
        return THREE


class Thread(threading.Thread):
    """A thread whose result, or exception, is taken by the one that joins it."""

    def __init__(self, function):
        super().__init__()
        self.function, self.result, self.error = function, None, None
        self.start()

    def run(self):
        try:
            self.result = self.function()
        except BaseException as e:
            self.error = e

    def take(self):
        self.join(60)
        assert not self.is_alive()
        if self.error is not None:
            raise self.error
        return self.result


@pytest.fixture
def v2():
    with mode("2.21.0", eager=True):
        yield


def test_a_call_does_not_use_the_memory_of_another_threads_call(v2):
    constant, stack = api("tf.constant", 2), api("tf.stack", 2)
    x, first, second = constant(THREE), Waiting(), Waiting()
    a = Thread(lambda: constant(first))
    first.entered.wait(60)
    b = Thread(lambda: stack([x] * 50 + [second]))
    second.entered.wait(60)
    first.go.set()
    assert a.take().shape.as_list() == [3]
    for i in range(3):
        constant([float(i)] * 300)
    second.go.set()
    assert b.take().shape.as_list() == [51, 3]


def test_a_call_from_a_conversion_leaves_the_outer_call_alone(v2):
    constant, stack, matmul = api("tf.constant", 2), api("tf.stack", 2), api("tf.matmul", 2)
    x = constant(THREE)

    def inner():
        assert stack([x] * 30 + [Calling(lambda: constant([1.0] * 300))]).shape.as_list() == [31, 3]
        with pytest.raises(Exception, match="Matrix size-incompatible|must be"):
            matmul(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    t = stack([x] * 20 + [Calling(inner)] + [x] * 20)
    assert t.shape.as_list() == [41, 3]


def test_a_finding_is_of_the_call_that_made_it():
    """A thread that stops inside of an error's hook does not lose its error to another thread."""
    with mode("1.15.0", eager=False):
        entered, go, main = threading.Event(), threading.Event(), threading.get_ident()
        constant, matmul = api("tf.constant"), api("tf.matmul")
        graphs = [c.Graph(), c.Graph()]

        def hook():
            if threading.get_ident() != main:
                entered.set()
                assert go.wait(60)
            return False

        def wrong(graph, n):
            with graph.as_default():
                return matmul(np.ones((2, n), np.float32), np.ones((n + 1, 2), np.float32))
        c.set_go_on_hook(hook)
        try:
            a = Thread(lambda: wrong(graphs[0], 5))
            entered.wait(60)
            with pytest.raises(ValueError, match="but are 7 and 8"):
                wrong(graphs[1], 7)
            with graphs[0].as_default():
                assert constant(THREE).shape.as_list() == [3]  # no error of anybody else
            go.set()
            with pytest.raises(ValueError, match="but are 5 and 6"):
                a.take()
        finally:
            go.set()
            c.set_go_on_hook(None)
        assert [f.message.split(" for")[0] for f in c.findings()] == [
            "Dimensions must be equal, but are 7 and 8", "Dimensions must be equal, but are 5 and 6"]


def test_an_op_has_the_line_of_its_own_call():
    with mode("1.15.0", eager=False):
        constant, stack = api("tf.constant"), api("tf.stack")
        graph, obj = c.Graph(), Waiting()

        def first():
            with graph.as_default():
                return stack([constant(THREE)] * 3 + [obj])
        a = Thread(first)
        obj.entered.wait(60)
        with graph.as_default():
            other = constant(THREE)
        obj.go.set()
        innermost = [t.op.traceback[0][5] for t in (a.take(), other)]
        assert innermost == ["first", "test_an_op_has_the_line_of_its_own_call"]


def test_muting_is_of_a_thread(v2):
    matmul = api("tf.matmul", 2)

    def wrong():
        with pytest.raises(Exception):
            matmul(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    with c.mute():
        Thread(wrong).take()
        wrong()
    assert len(c.findings()) == 1


def test_a_session_waits_for_the_run_of_another_thread():
    """Core asks a hook in the middle of a run; the same session runs in another thread after that."""
    with mode("1.15.0", eager=False):
        entered, go, main = threading.Event(), threading.Event(), threading.get_ident()
        x = placeholder([None, None], "x")
        y, session = api("tf.matmul")(x, x), c.SessionCore(c.default_graph())

        def hook():
            if threading.get_ident() != main:
                entered.set()
                assert go.wait(60)
            return False
        c.set_go_on_hook(hook)
        try:
            a = Thread(lambda: session.run(y, {x: np.ones((5, 6), np.float32)}))
            entered.wait(60)
            threading.Timer(0.2, go.set).start()
            assert session.run([y, y], {x: np.ones((2, 2), np.float32)})[0].shape == (2, 2)
            assert go.is_set()
            with pytest.raises(Exception, match=r"\[5,6\]"):
                a.take()
        finally:
            go.set()
            c.set_go_on_hook(None)


# --- eight threads --------------------------------------------------------------------------------
ROUNDS = 30


class Busy:
    """A number that lets other threads run, and calls TensorFlow itself."""

    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        for _ in range(random.randrange(1000)):
            pass
        assert api("tf.stack", 2)([self.value, self.value + 1]) is not None
        return np.array(self.value, np.float32)

    def __float__(self):
        return float(self.__array__())


def fails(text, function, *args):
    with pytest.raises(Exception) as e:
        function(*args)
    assert text in str(e.value), e.value


def build_graphs(n, shared):
    matmul, stack = api("tf.matmul"), api("tf.stack")
    for i in range(ROUNDS):
        graph = c.Graph()
        with graph.as_default(), graph.name_scope("scope%d" % n):
            x = placeholder([None, n + 2])
            y = matmul(x, np.ones((n + 2, i + 1), np.float32))
            z = stack([Busy(1.0), 2.0] * 3 + [2.0] * i)
            fails("but are %d and %d" % (n + 2, n + 3), matmul, x, np.ones((n + 3, 2), np.float32))
            assert (y.shape.as_list(), z.shape.as_list()) == ([None, i + 1], [6 + i])
            session = c.SessionCore(graph)
            for rows in [1, 2, i + 1]:
                a, b = session.run([y, z], {x: [[Busy(1.0)] * (n + 2)] * rows})
                assert (a.shape, b.shape) == ((rows, i + 1), (6 + i,))
        assert graph._verify() is None
        assert all(o.name.startswith("scope%d/" % n) for o in graph.get_operations())


def run_eagerly(n, shared):
    constant, matmul, concat = api("tf.constant", 2), api("tf.matmul", 2), api("tf.concat", 2)
    for i in range(ROUNDS * 4):
        x = constant([[float(n)] * (n + 2)] * (i % 7 + 1))
        text = constant([str(n) * 500, "last"])
        assert c.constant_value(text)[0] == str(n).encode() * 500
        assert concat([x, [[Busy(1.0)] * (n + 2)]], 0).shape.as_list() == [i % 7 + 2, n + 2]
        fails("[%d,%d]" % (i % 7 + 1, n + 2), matmul, x, np.ones((n + 3, 1), np.float32))


def grow_shared_graph(n, shared):
    with shared["graph"].as_default():
        matmul, add_n = api("tf.matmul"), api("tf.add_n")
        x = placeholder([None, n + 2])
        for i in range(ROUNDS):
            y = add_n([x] * (i + 2))
            assert y.shape.as_list() == [None, n + 2] and len(y.op.inputs) == i + 2
            fails("but are %d and %d" % (n + 2, n + 3), matmul, x, np.ones((n + 3, 2), np.float32))


def run_shared_session(n, shared):
    run, x, y = shared["session"].run, shared["x"], shared["y"]
    for i in range(ROUNDS * 4):
        rows = n + 1 + i % 5
        with shared["graph"].as_default():
            got, count = run([y, shared["count"]], {x: [[Busy(1.0)] * 3] * rows})
        assert (got.shape, count) == ((rows, 2), rows)
        fails("[%d,%d]" % (rows, n + 4), run, y, {x: np.ones((rows, n + 4), np.float32)})


@pytest.mark.parametrize("hook", [None, lambda: bool(sum(range(50)) < 0)], ids=["plain", "checked"])
def test_eight_threads(hook):
    """Graphs of their own, a shared one, a shared session and eager calls, two threads each."""
    interval = sys.getswitchinterval()
    with mode("1.15.0", eager=False):
        shared = {"graph": c.Graph()}
        with shared["graph"].as_default():
            shared["x"] = placeholder([None, None], "x")
            shared["y"] = api("tf.matmul")(shared["x"], np.ones((3, 2), np.float32))
            shared["count"] = api("tf.shape")(shared["x"])[0]
            shared["session"] = c.SessionCore(shared["graph"])

        def eagerly(n, shared):
            with c.init_scope():
                run_eagerly(n, shared)
        jobs = [build_graphs, grow_shared_graph, run_shared_session, eagerly] * 2
        sys.setswitchinterval(1e-5)
        c.set_go_on_hook(hook)
        try:
            threads = [Thread(lambda f=f, n=n: f(n, shared)) for n, f in enumerate(jobs)]
            for t in threads:
                t.take()
        finally:
            c.set_go_on_hook(None)
            sys.setswitchinterval(interval)
        assert shared["graph"]._verify() is None
