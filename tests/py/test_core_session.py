"""SessionCore: fetches, feeds, state, results, and TensorFlow's words for what is wrong."""
import collections
import gc

import numpy as np
import pytest

from core_support import api, mode, placeholder
from shapeflow import _core as c


@pytest.fixture(autouse=True)
def v1():
    with mode("1.15.0", eager=False):
        yield


@pytest.fixture
def net():
    x = placeholder([None, 784])
    y = api("tf.matmul")(x, api("tf.zeros")([784, 10]))
    return collections.namedtuple("Net", "x y s feed")(
        x, y, c.SessionCore(c.default_graph()), {x: np.zeros((5, 784), np.float32)})


# --- fetches --------------------------------------------------------------------------------------
def test_structures(net):
    x, y, s, feed = net
    Pair = collections.namedtuple("Pair", "a b")
    got = s.run({"a": y, "b": [x, (y, "x:0")], "c": Pair(y.op, y)}, feed)
    assert list(got) == ["a", "b", "c"] and got["a"].shape == (5, 10)
    assert type(got["b"]) is list and type(got["b"][1]) is tuple and got["b"][1][1].shape == (5, 784)
    assert type(got["c"]) is Pair and got["c"].a is None and got["c"].b.shape == (5, 10)
    ordered = collections.OrderedDict([("z", y), ("a", y)])
    assert type(s.run(ordered, feed)) is collections.OrderedDict
    assert s.run([], feed) == [] and s.run(y.op, feed) is None and s.run("x", feed) is None
    assert s.run([[]], feed) == [[]]


def test_fetch_protocol(net):
    x, y, s, feed = net

    class Slices:
        def _sf_fetch(self):
            return [y, x], lambda got: tuple(g.shape for g in got)

    class Alias:
        def _sf_fetch(self):
            return [y]

    class Variable(c.VariableBase):
        pass

    v = Variable()
    v._tensor = y
    assert s.run([Slices(), y], feed)[0] == ((5, 10), (5, 784))
    assert s.run(Alias(), feed)[0].shape == (5, 10) and s.run(v, feed).shape == (5, 10)


def test_attrs_classes(net):
    class Field:
        name = "loss"

    class Attrs:
        __attrs_attrs__ = (Field,)

        def __init__(self, loss):
            self.loss = loss

    got = net.s.run(Attrs(net.y), net.feed)
    assert type(got) is Attrs and got.loss.shape == (5, 10)


def test_results():
    s = c.SessionCore(c.default_graph())
    rows = [(3, np.int32), (2.5, np.float32), (True, np.bool_), ([[1, 2], [3, 4]], np.int32)]
    for value, kind in rows:
        got = s.run(c.convert_to_tensor(value))
        np.testing.assert_array_equal(got, value)
        assert np.asarray(got).dtype == kind
    assert isinstance(s.run(c.convert_to_tensor(3)), np.int32)
    assert s.run(c.convert_to_tensor("a")) == b"a"
    assert s.run(c.convert_to_tensor(["a", "b"])).tolist() == [b"a", b"b"]
    half = s.run(c.convert_to_tensor([1.5], dtype="float16"))
    assert half.dtype == np.float16 and half.tolist() == [1.5]
    assert s.run(c.convert_to_tensor(1 + 2j)) == 1 + 2j
    unknown = s.run(api("tf.random_normal")([2, 3]))
    assert unknown.shape == (2, 3) and unknown.dtype == np.float32 and unknown.flags.writeable
    p = s.run(api("tf.nn.softmax")(placeholder([None, 4])), {"x:0": np.zeros((2, 4))})
    np.testing.assert_allclose(p.sum(axis=1), [1, 1])


def test_huge_results_cost_nothing():
    s = c.SessionCore(c.default_graph())
    big = s.run(api("tf.zeros")([1 << 20, 1 << 14]))  # 64 GiB
    assert big.shape == (1 << 20, 1 << 14) and big[123456, 7] == 0
    big[1, 1] = 3
    assert big[1, 1] == 3
    del big
    with pytest.raises(MemoryError, match="shapeflow cannot show"):
        s.run(api("tf.zeros")([1 << 30, 1 << 30]))


@pytest.mark.parametrize("fetch,error,words", [
    (None, TypeError, "^Fetch argument None has invalid type <class 'NoneType'>$"),
    ([None], TypeError, "^Fetch argument None has invalid type"),
    (3, TypeError, "^Fetch argument 3 has invalid type <class 'int'>, must be a string or Tensor. "
                   r"\(Can not convert a int into a Tensor or Operation.\)$"),
    ("nope:0", ValueError, "^Fetch argument 'nope:0' cannot be interpreted as a Tensor. "),
    ("nope", ValueError, "refers to an Operation not in the graph"),
    ({"a": object()}, TypeError, "has invalid type <class 'object'>"),
])
def test_fetch_errors(net, fetch, error, words):
    with pytest.raises(error, match=words):
        net.s.run(fetch, net.feed)


def test_fetch_of_another_graph(net):
    with c.Graph().as_default():
        z = placeholder([2], "z")
    with pytest.raises(ValueError, match="is not an element of this graph"):
        net.s.run(z)
    with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor: Tensor Tensor"):
        net.s.run(net.y, {z: [1, 2]})


# --- feeds ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [
    np.zeros((5, 784)), np.zeros((5, 784), np.int64), np.zeros((5, 784), np.float16),
    [[0.0] * 784] * 5, [np.zeros(784)] * 5, np.zeros((784, 5)).T, np.zeros((10, 784))[::2],
    np.ma.zeros((5, 784)), tuple([[1] * 784] * 5)])
def test_feeds(net, value):
    assert net.s.run(net.y, {net.x: value}).shape == (5, 10)
    assert net.s.run(net.y, feed_dict={"x:0": value}).shape == (5, 10)


def test_feed_shapes_are_checked(net):
    with pytest.raises(ValueError, match=r"^Cannot feed value of shape \(64, 783\) for Tensor 'x:0', "
                                         r"which has shape '\(\?, 784\)'$"):
        net.s.run(net.y, {net.x: np.zeros((64, 783))})
    f = c.findings()[0]
    assert (f.code, f.node_name, f.operands[0]["shape"]) == ("SF301", "x", "[x, 784]") or f.code == "SF301"
    assert f.raised_frames[0][5] == "test_feed_shapes_are_checked"


@pytest.mark.parametrize("key,value,error,words", [
    ("x", "abc", ValueError, "could not convert string to float"),
    ("x", [[1, 2], [3]], ValueError, "setting an array element with a sequence"),
    ("x", None, ValueError, "Cannot feed value of shape"),
    ("nope:0", 1, TypeError, "^Cannot interpret feed_dict key as Tensor: The name 'nope:0' refers"),
    (3, 1, TypeError, "^Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor."),
    ("b", 2, TypeError, "^Type of feed value 2 with type <class 'int'> is not compatible with Tensor type"),
    ("u", 300, TypeError, "larger type"), ("u", -1, TypeError, "larger type"),
])
def test_feed_errors(net, key, value, error, words):
    tensors = {"x": net.x, "b": placeholder([], "b", "bool"), "u": placeholder([], "u", "uint8")}
    with pytest.raises(error, match=words):
        net.s.run(net.y, {tensors.get(key, key): value})


def test_a_tensor_is_no_feed(net):
    with pytest.raises(TypeError, match="The value of a feed cannot be a tf.Tensor object."):
        net.s.run(net.y, {net.x: net.y})
    with pytest.raises(TypeError, match="input must be a dictionary"):
        net.s.run(net.y, 5)


def test_fetched_feed_and_feed_protocol(net):
    i = placeholder([None], "i", "int32")
    assert net.s.run([i, i], {i: [1, 2]})[0].tolist() == [1, 2]
    assert net.s.run(i, {i: [1, 2**40]}).dtype == np.int32  # wraps around, as numpy 1 does

    class Sparse:
        def _sf_feed(self, value):
            return [(i, value[0]), (net.x, value[1])]

    got = net.s.run([i, net.y], {Sparse(): ([7], np.zeros((2, 784)))})
    assert got[0].tolist() == [7] and got[1].shape == (2, 10)
    assert net.s.run([i, net.y], {(i, net.x): ([7], np.zeros((2, 784)))})[1].shape == (2, 10)
    with pytest.raises(ValueError, match="Could not flatten dictionary"):
        net.s.run(i, {(i, net.x): ([7],)})


def test_fed_integers_are_known():
    n = placeholder([], "n", "int32")
    z = api("tf.zeros")(api("tf.stack")([n, 3]))
    s = c.SessionCore(c.default_graph())
    assert s.run(z, {n: 4}).shape == (4, 3) and s.run(z, {n: np.int64(5)}).shape == (5, 3)


def test_not_fed(net):
    with pytest.raises(Exception, match="You must feed a value for placeholder tensor 'x'") as e:
        net.s.run(net.y)
    assert type(e.value).__name__ == "InvalidArgumentError" and e.value.op is net.x.op
    assert c.findings() == [] and c.other_findings()[0].code in ("SF303", "SF306")


# --- runs -----------------------------------------------------------------------------------------
def test_errors_of_a_run(net):
    other = placeholder([None, 784], "other")
    bad = net.x + other
    with pytest.raises(Exception, match=r"Incompatible shapes: \[2,784\] vs. \[3,784\]") as e:
        net.s.run(bad, {net.x: np.zeros((2, 784)), other: np.zeros((3, 784))})
    assert type(e.value).__name__ == "InvalidArgumentError" and e.value.op is bad.op
    f = c.findings()[0]
    assert (f.phase, f.op_type, f.node_name) == ("run", "AddV2", "add")
    assert [o["name"] for o in f.operands] == ["x", "y"] and f.operands[0]["producer"] == "x"
    assert net.s.run(bad, {net.x: np.zeros((2, 784)), other: np.zeros((2, 784))}).shape == (2, 784)


def test_memo(net):
    x, y, s, feed = net
    total = c.raw_op("Sum")(input=y, reduction_indices=[0, 1])
    first = s.run([total, y], feed)
    again = s.run([total, y], feed)
    assert first[0] is again[0] and first[1] is not again[1]
    assert s.stats["memo_hits"] == 1 and s.stats["prepared"] == 1
    assert s.run([total, y], {x: np.zeros((7, 784))})[1].shape == (7, 10)
    assert s.run([total, y], feed)[1].shape == (5, 10)
    z = y * 2  # the graph grew
    assert s.run([total, z], feed)[1].shape == (5, 10)


def test_many_structures(net):
    for i in range(700):
        assert net.s.run([net.y] * (1 + i % 300), net.feed)[0].shape == (5, 10)


def test_closed_and_empty(net):
    net.s.close()
    assert net.s.closed
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        net.s.run(net.y, net.feed)
    empty = c.SessionCore(c.Graph())
    with pytest.raises(RuntimeError, match="^The Session graph is empty.  Add operations"):
        empty.run([])
    with pytest.raises(TypeError):
        c.SessionCore(3)
    with pytest.raises(TypeError):
        c.SessionCore()


def test_state():
    v = c.make_op("VariableV2", [], {"shape": [2, 3], "dtype": "int32"}, "v")
    s = c.SessionCore(c.default_graph())
    assert not s.initialized(v) and s.state_shape(v) is None and s.state_value(v) is None
    with pytest.raises(Exception, match="Attempting to use uninitialized value v") as e:
        s.run(v.outputs[0])
    assert type(e.value).__name__ == "FailedPreconditionError"
    assert c.findings() == [] and c.other_findings()[0].code == "SF302"
    assign = c.make_op("Assign", [v.outputs[0], api("tf.zeros")([2, 3], dtype="int32")], name="init")
    s.run(assign)
    assert s.initialized(v) and s.state_shape(v).as_list() == [2, 3]
    assert s.run(v.outputs[0]).shape == (2, 3) and s.run("v:0").shape == (2, 3)
    s.set_state(v, [2, 3], np.ones((2, 3)))
    assert s.run(v.outputs[0]).tolist() == [[1, 1, 1], [1, 1, 1]] == s.state_value(v).tolist()
    s.set_state("v", [2, 3])
    assert c.SessionCore(c.default_graph()).initialized(v) is False


def test_eval_and_run(net):
    with pytest.raises(ValueError, match="Cannot evaluate tensor using `eval..`: No default session"):
        net.y.eval()
    with pytest.raises(ValueError, match="Cannot execute operation using `run..`: No default session"):
        net.y.op.run()
    assert net.y.eval(net.feed, session=net.s).shape == (5, 10)
    c.push_session(net.s)
    assert c.default_session() is net.s and net.y.eval(feed_dict=net.feed).shape == (5, 10)
    assert net.y.op.run(net.feed) is None
    other = c.SessionCore(c.Graph())
    c.push_session(other)
    with pytest.raises(ValueError, match="Cannot use the default session to evaluate tensor: the tensor's"):
        net.y.eval()
    with pytest.raises(ValueError, match="Cannot use the given session to execute operation"):
        net.y.op.run(session=other)
    c.pop_session(other)
    c.pop_session(net.s)
    assert c.default_session() is None


def test_reentrant_run(net):
    """A fetch that runs the session while it is asked for its tensors."""
    x, y, s, feed = net

    class Nasty:
        def _sf_fetch(self):
            for n in range(1, 300):
                s.run([y] * n, feed)
            return [y], lambda got: s.run(y, feed).shape

    assert s.run([Nasty(), y], feed)[0] == (5, 10)

    class Feed:
        def __array__(self, dtype=None, copy=None):
            s.run(y, feed)
            s.close()
            return np.zeros((5, 784), np.float32)

    assert s.run(y, {x: Feed()}).shape == (5, 10)


def test_a_name_stays_that_name(net):
    """Objects of tensors come and go; what was prepared for one must not serve another."""
    w = api("tf.zeros")([3, 4], name="w")
    api("tf.zeros")([5, 6], name="v")
    del w
    for _ in range(50):
        for name, shape in (("w:0", (3, 4)), ("v:0", (5, 6)), ("MatMul:0", (5, 10))):
            assert net.s.run(name, net.feed).shape == shape
            assert net.s.run([c.default_graph().get_tensor_by_name(name)], net.feed)[0].shape == shape
    assert net.s.stats["prepared"] <= 6


# --- records of runs, for pictures ----------------------------------------------------------------
def test_runs_of_graphs_that_get_the_memory_of_freed_ones():
    """Each is a run of its own, though every address in it was seen before."""
    def run():
        with c.Graph().as_default() as graph:
            x = placeholder([None, 3])
            c.SessionCore(graph).run(x + 1.0, {x: np.zeros((2, 3), np.float32)})
            return c.graph_rows(graph, 0)[0]

    c.record_runs(100)
    try:
        numbers = []
        for _ in range(20):
            numbers.append(run())
            gc.collect()
        records, counts, left_out = c.recorded_runs()
    finally:
        c.record_runs(0)
    assert [record["graph"] for record in records] == numbers and len(set(numbers)) == 20
    assert counts == [1] * 20 and left_out == 0


def test_a_fresh_variable_has_no_value_and_a_temporary_one_has(net):
    """A TemporaryVariable gets its memory when it runs (TensorFlow 2.21); a variable must be assigned."""
    float32 = c.as_dtype("float32")
    fresh = c.raw_op("TemporaryVariable")(shape=[2], dtype=float32, var_name="t")
    assert net.s.run(fresh).shape == (2,)
    for op in ["VariableV2", "Variable"]:
        with pytest.raises(Exception, match="Attempting to use uninitialized value"):
            net.s.run(c.raw_op(op)(shape=[2], dtype=float32))
