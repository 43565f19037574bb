"""Graphs: names, scopes, devices, control dependencies, lookup by name, default graphs, threads."""
import gc
import threading
import weakref

import pytest

from core_support import api, mode, names, placeholder
from shapeflow import _core as c


@pytest.fixture(autouse=True)
def v1():
    with mode("1.15.0", eager=False):
        yield


def test_names_and_scopes():
    g = c.default_graph()
    assert [g.unique_name("a"), g.unique_name("a"), g.unique_name("a", mark_as_used=False)] == [
        "a", "a_1", "a_2"]
    with g.name_scope("s") as outer:
        assert (outer, g.get_name_scope()) == ("s/", "s")
        with g.name_scope("t") as inner:
            assert inner == "s/t/" and placeholder([1]).name == "s/t/x:0"
        with g.name_scope(None) as root:
            assert root == "" and placeholder([1]).name == "x:0"
    with g.name_scope("s") as again:
        assert again == "s_1/"
    with g.name_scope("s/") as same:
        assert same == "s/" and placeholder([1], "y").name == "s/y:0"
    assert g.get_name_scope() == ""
    for bad in ("-a", "a b", "a$"):
        with pytest.raises(ValueError, match="is not a valid scope name"):
            with g.name_scope(bad):
                pass


def test_scope_is_left_when_the_body_raises():
    g = c.default_graph()
    with pytest.raises(KeyError):
        with g.name_scope("s"), g.device("/gpu:0"), g.control_dependencies([]):
            raise KeyError
    x = placeholder([1])
    assert (x.name, x.device) == ("x:0", "")


def test_devices():
    g = c.default_graph()
    with g.device("/job:ps/task:1"):
        with g.device("/gpu:0"):
            assert placeholder([1]).device == "/job:ps/task:1/device:GPU:0"
            with g.device(None):
                assert placeholder([1]).device == ""
        with g.device("/job:worker/device:CPU:1"):
            assert placeholder([1]).device == "/job:worker/task:1/device:CPU:1"
        seen = []

        def choose(op):
            seen.append(op.type)
            return "/device:TPU:3" if op.type == "Placeholder" else op.device

        with g.device(choose):
            assert placeholder([1]).device == "/job:ps/task:1/device:TPU:3"
        assert seen == ["Placeholder"]

        def fail(op):
            raise RuntimeError("no device")

        with g.device(fail), pytest.raises(RuntimeError, match="no device"):
            placeholder([1])
    assert placeholder([1]).device == ""


def test_control_dependencies():
    g = c.default_graph()
    a, b = placeholder([1], "a"), placeholder([1], "b")
    with g.control_dependencies([a, b.op]):
        with g.control_dependencies(["a", a]):
            n = c.make_op("NoOp", [], name="n")
        with g.control_dependencies(None):
            free = c.make_op("NoOp", [], name="free")
    assert n.control_inputs == [a.op, b.op] and free.control_inputs == []
    assert n.node_def.input == ["^a", "^b"]
    free._set_control_input(n)
    assert free.control_inputs == [n]
    with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
        g.control_dependencies([3])
    with pytest.raises(ValueError, match="is not an element of this graph"):
        c.Graph().control_dependencies([a])


@pytest.mark.parametrize("name,kind,error,words", [
    ("x", "tensor", ValueError, "The name 'x' refers to an Operation, not a Tensor."),
    ("nope", "tensor", ValueError, "The name 'nope' looks like an .invalid. Operation name"),
    ("nope:0", "tensor", KeyError, "The name 'nope:0' refers to a Tensor which does not exist."),
    ("x:1", "tensor", KeyError, "exists but only has 1 outputs"),
    ("x:a", "tensor", ValueError, "looks a like a Tensor name, but is not a valid one"),
    ("x:0:0", "tensor", ValueError, "looks a like a Tensor name"),
    ("nope", "operation", KeyError, "The name 'nope' refers to an Operation not in the graph."),
    ("x:0", "operation", ValueError, "Name 'x:0' appears to refer to a Tensor, not a Operation."),
    (3, "tensor", TypeError, "Tensor names are strings .or similar., not int."),
    (3, "operation", TypeError, "Operation names are strings .or similar., not int."),
])
def test_lookup_errors(name, kind, error, words):
    placeholder([1])
    g = c.default_graph()
    with pytest.raises(error, match=words):
        (g.get_tensor_by_name if kind == "tensor" else g.get_operation_by_name)(name)


def test_as_graph_element():
    x = placeholder([1])
    g = c.default_graph()

    class Wrapper:
        def _as_graph_element(self):
            return x

    for key in (x, "x:0", b"x:0", Wrapper()):
        assert g.as_graph_element(key) is x
    assert g.as_graph_element("x") is x.op is g.as_graph_element(x.op)
    with pytest.raises(TypeError, match="Can not convert a Operation into a Tensor."):
        g.as_graph_element(x.op, allow_operation=False)
    with pytest.raises(ValueError, match="can't both be False"):
        g.as_graph_element(x, False, False)


def test_default_graph():
    outer = c.default_graph()
    with c.Graph().as_default() as g:
        assert c.default_graph() is g is not outer
        with pytest.raises(AssertionError, match="nested graphs"):
            c.reset_default_graph()
    assert c.default_graph() is outer
    c.reset_default_graph()
    assert c.default_graph() is not outer

    class Mine(c.Graph):
        pass

    before = type(c.default_graph())
    c.set_graph_class(Mine)
    c.reset_default_graph()
    assert type(c.default_graph()) is Mine
    c.set_graph_class(before)
    with pytest.raises(TypeError):
        c.set_graph_class(int)


def test_crossed_default_graphs():
    a, b = c.Graph().as_default(), c.Graph().as_default()
    a.__enter__()
    b.__enter__()
    with pytest.raises(AssertionError, match="Nesting violated"):
        a.__exit__(None, None, None)
    b.__exit__(None, None, None)
    a.__exit__(None, None, None)


def test_each_thread_has_its_own():
    mine, theirs = c.default_graph(), []

    def work():
        theirs.append(c.default_graph())
        placeholder([1])

    with mine.as_default():
        t = threading.Thread(target=work)
        t.start()
        t.join()
    assert theirs[0] is not mine and names(mine) == [] and names(theirs[0]) == ["x"]


def test_many_threads_build():
    def work():
        for _ in range(200):
            with c.Graph().as_default():
                x = placeholder([2, 3])
                y = api("tf.matmul")(x, x, transpose_b=True) + 1
                assert y.shape.as_list() == [2, 2]

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def test_finalize_and_version():
    g = c.default_graph()
    assert g.version == 0 and not g.finalized
    x = placeholder([1])
    assert g.version == 1
    g.finalize()
    assert g.finalized
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        x + x


def test_graph_is_collected_with_its_tensors():
    g = c.Graph()
    with g.as_default():
        x = placeholder([1])
        x.self = x
        y = x + x
        y.op.mark = g
    gone = weakref.ref(g), weakref.ref(x), weakref.ref(y)
    del g, x, y
    gc.collect()
    assert [r() for r in gone] == [None] * 3


def test_a_tensor_keeps_its_graph():
    def make():
        with c.Graph().as_default():
            return placeholder([2]) * 2

    y = make()
    gc.collect()
    assert y.op.type == "Mul" and names(y.graph) == ["x", "mul/y", "mul"]
    op = y.op
    del y
    gc.collect()
    assert op.outputs[0].shape.as_list() == [2]


def test_gradients_connected():
    x, w, other = placeholder([2, 3]), placeholder([3, 4], "w"), placeholder([1], "o")
    y = api("tf.matmul")(x, w)
    assert c.gradients_connected([y], [x, w, other], []) == [True, True, None]
    assert c.gradients_connected([y], [w], [y]) in ([None], [True])
    with pytest.raises(TypeError):
        c.gradients_connected([y], [3], [])
