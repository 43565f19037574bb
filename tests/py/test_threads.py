"""Calls that run while another call does: in a second thread, or from an object's own conversion."""
import threading

import numpy as np
import pytest

from core_support import api, mode
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
