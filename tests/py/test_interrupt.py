"""Ctrl-C in the middle of long work of the core.

The signal comes just before the work, from C, so that Python sees it during the work or after it: what was
done then tells which."""
import ctypes
import functools
import signal

import pytest

from graphdef_bytes import T, graph, node, placeholder
from shapeflow import _core

F = T("float")
NODES = 20_000


def interrupted(work, *arguments, **options):
    """Calls `work`, which is of C, with SIGINT pending; what it returned, if it came to its end."""
    before = ctypes.CDLL(None)["raise"]
    calls = [functools.partial(before, int(signal.SIGINT)), functools.partial(work, *arguments, **options)]
    done = []
    done.extend(map(functools.partial.__call__, calls))  # no bytecode, thus no handler, between the two
    return done


@pytest.fixture
def handler():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield functools.partial(signal.signal, signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def chain(tf):
    """A variable, and its initializer behind many nodes."""
    v = tf.get_variable("v", [], tf.float32)
    x = tf.placeholder(tf.float32, [None])
    y = x
    for _ in range(NODES):
        y = tf.identity(y)
    with tf.control_dependencies([y]):
        return v, x, tf.assign(v, 1.0)


def test_a_session_run_ends(tf, handler):
    with tf.Graph().as_default() as g:
        v, x, last = chain(tf)
        with tf.Session() as sess:
            sess.run(x, {x: [1.0]})  # imports numpy, which is Python
            with pytest.raises(KeyboardInterrupt):
                interrupted(sess.run, last, {x: [1.0]})
            with pytest.raises(tf.errors.FailedPreconditionError):
                sess.run(v)
            sess.run(last, {x: [1.0]})
            assert sess.run(v).shape == ()
        assert g._verify() is None


def test_an_import_ends(tf, handler):
    nodes = [node("n%d" % i, "Relu", "n%d" % (i - 1) if i else "x", T=F) for i in range(NODES)]
    data = graph(placeholder("x", (None, 4)), *nodes)
    g = _core.Graph()
    with pytest.raises(KeyboardInterrupt):
        interrupted(_core.import_graph_def, data, g)
    assert len(g.get_operations()) < NODES and g._verify() is None
    assert _core.import_graph_def(data, _core.Graph())["nodes"] == NODES + 1


def test_a_handler_of_the_script_runs_after_the_work(tf, handler):
    seen = []
    handler(lambda number, frame: seen.append(number))
    with tf.Graph().as_default():
        v, x, last = chain(tf)
        with tf.Session() as sess:
            sess.run(x, {x: [1.0]})
            assert len(interrupted(sess.run, last, {x: [1.0]})) == 2
            assert seen == [signal.SIGINT] and sess.run(v).shape == ()


@pytest.mark.parametrize("nest", [lambda x: x, lambda x: [x], lambda x: [[1.0], [x]]])
def test_an_interrupt_inside_a_conversion_is_not_taken_for_a_bad_object(tf, nest):
    class Interrupted:
        def __array__(self, dtype=None, copy=None):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tf.convert_to_tensor(nest(Interrupted()))
