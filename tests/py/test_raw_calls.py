"""tf.raw_ops that call traced functions: through the bodies. As real TensorFlow 2.21 answers, but where a
comment says that we know more."""
import numpy as np
import pytest

import shapeflow as tf
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

v1 = tf.compat.v1
raw = tf.raw_ops
F = tf.float32


pytestmark = pytest.mark.usefixtures("eager")


def traced(function, *before):
    spec = tf.TensorSpec([None, None], F)
    return tf.function(function).get_concrete_function(*before, spec)


COUNT = tf.TensorSpec([], tf.int32)


def increased():
    return traced(lambda x: x + 1.)


def doubled():
    return traced(lambda x: tf.concat([x, x], 0))


def summed():
    return traced(lambda x: tf.reduce_sum(x, 1))


def product():
    return traced(lambda x: tf.matmul(x, tf.ones([3, 4])))


def few(n):
    return traced(lambda i, x: i < n, COUNT)


def growing():
    return traced(lambda i, x: (i + 1, tf.concat([x, x], 0)), COUNT)


def keeping():
    return traced(lambda i, x: (i + 1, x * 2.), COUNT)


CALLS = {
    "If": lambda x, p: raw.If(cond=p, input=[x], Tout=[F], then_branch=increased(), else_branch=doubled()),
    "StatelessIf": lambda x, p: raw.StatelessIf(
        cond=p, input=[x], Tout=[F], then_branch=increased(), else_branch=summed()),
    "Case": lambda x, p: raw.Case(
        branch_index=p, input=[x], Tout=[F], branches=[increased(), doubled(), summed()]),
    "PartitionedCall": lambda x, p: raw.PartitionedCall(args=[x], Tout=[F], f=doubled()),
    "StatefulPartitionedCall": lambda x, p: raw.StatefulPartitionedCall(args=[x], Tout=[F], f=doubled()),
    "RemoteCall": lambda x, p: raw.RemoteCall(target="/cpu:0", args=[x], Tout=[F], f=doubled()),
    "While": lambda x, p: raw.While(input=[tf.constant(0), x], cond=few(5), body=keeping())[1:],
    "StatelessWhile": lambda x, p: raw.StatelessWhile(
        input=[tf.constant(p), x], cond=few(5), body=growing())[1:],
    "For": lambda x, p: raw.For(start=0, limit=3, delta=1, input=[x], body=traced(
        lambda i, x: x * 2., COUNT)),
}

ROWS = [
    ("If", True, (2, 2)), ("If", False, (4, 2)), ("StatelessIf", False, (2,)), ("Case", 1, (4, 2)),
    ("Case", 7, (2,)), ("Case", -1, (2,)), ("PartitionedCall", None, (4, 2)),
    ("StatefulPartitionedCall", None, (4, 2)), ("RemoteCall", None, (4, 2)), ("While", None, (2, 2)),
    ("StatelessWhile", 0, (64, 2)), ("StatelessWhile", 9, (2, 2)), ("For", None, (2, 2)),
]


@pytest.mark.parametrize("op, choice, shape", ROWS)
def test_eager(op, choice, shape):
    assert tuple(CALLS[op](tf.ones([2, 2]), choice)[0].shape) == shape


@pytest.mark.parametrize("op, choice, shape", ROWS)
def test_in_a_graph(op, choice, shape):
    with v1.Graph().as_default():
        x = v1.placeholder(F, [None, 2])
        made, = CALLS[op](x, choice)
        assert made.op.name == op
        if op not in ("StatelessWhile", "For"):
            assert made.shape.as_list() == [None, 2][:len(shape)]
            with v1.Session() as session:
                rows = {2: 3, 4: 6}[shape[0]]
                assert session.run(made, {x: np.ones([3, 2])}).shape == (rows,) + shape[1:]


def test_a_branch_that_is_not_known():
    """TensorFlow knows nothing of these: either branch's shape."""
    with v1.Graph().as_default():
        x, p = v1.placeholder(F, [2, 2]), v1.placeholder(tf.bool, [])
        made, = CALLS["If"](x, p)
        assert made.shape.as_list() == [None, 2]
        with v1.Session() as session:
            assert session.run(made, {x: np.ones([2, 2]), p: True}).shape == (2, 2)
            assert session.run(made, {x: np.ones([2, 2]), p: False}).shape == (4, 2)


def test_a_loop_that_changes_a_shape_is_not_believed_to_keep_it():
    """TensorFlow says [2, 2], and its run gives [64, 2]."""
    with v1.Graph().as_default():
        made = raw.While(input=[tf.constant(0), v1.placeholder(F, [2, 2])], cond=few(5), body=growing())
        assert made[1].shape.as_list() == [None, 2]


def test_a_body_that_fails_when_it_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\]: \[2,2\], In\[1\]: \[3,4\]"):
        raw.If(cond=True, input=[tf.ones([2, 2])], Tout=[F], then_branch=product(), else_branch=increased())
    assert raw.If(cond=False, input=[tf.ones([2, 2])], Tout=[F], then_branch=product(),
                  else_branch=increased())[0].shape == (2, 2)
    _core.clear_findings()
    with v1.Graph().as_default():
        x = v1.placeholder(F, [None, 2])
        bad, = raw.If(cond=True, input=[x], Tout=[F], then_branch=product(), else_branch=increased())
        good, = raw.If(cond=False, input=[x], Tout=[F], then_branch=product(), else_branch=increased())
        assert not _core.findings()
        with v1.Session() as session:
            assert session.run(good, {x: np.ones([3, 2])}).shape == (3, 2)
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\]: \[3,2\], In\[1\]: \[3,4\]"):
                session.run(bad, {x: np.ones([3, 2])})


def test_a_partitioned_call_is_refused_while_it_is_built():
    with v1.Graph().as_default():
        with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 3"):
            raw.PartitionedCall(args=[v1.placeholder(F, [None, 2])], Tout=[F], f=product())


def test_functions_by_name_and_what_is_none():
    f = doubled()
    assert raw.PartitionedCall(args=[tf.ones([2, 2])], Tout=[F], f=f.name)[0].shape == (4, 2)
    assert raw.PartitionedCall(args=[tf.ones([2, 2])], Tout=[F], f="nonesuch")[0].shape.ndims is None
    with v1.Graph().as_default():
        with pytest.raises(TypeError, match="Don't know how to convert 3 to a func for argument f"):
            raw.PartitionedCall(args=[v1.placeholder(F, [2, 2])], Tout=[F], f=3)


def test_keywords_only():
    with pytest.raises(TypeError, match="only takes keyword args"):
        raw.If(True)


def test_a_function_made_from_examples_takes_them_as_arguments():
    matmul = tf.function(tf.matmul).get_concrete_function(
        np.ones([2, 3], np.float32), tf.TensorSpec([3, None], F))
    assert matmul.structured_input_signature[0][0] == tf.TensorSpec([2, 3], F, "a")
    made, = raw.PartitionedCall(args=[tf.ones([2, 3]), tf.ones([3, 7])], Tout=[F], f=matmul)
    assert made.shape == (2, 7)
    start = tf.constant(0)
    body = tf.function(lambda i, x: (i + 1, tf.concat([x, [0.]], 0))).get_concrete_function(
        start, tf.TensorSpec([None], F))
    more = tf.function(lambda i, x: i < 3).get_concrete_function(start, tf.TensorSpec([None], F))
    assert raw.While(input=[start, tf.ones([2])], cond=more, body=body)[1].shape == (5,)
    assert not _core.findings()


def vector(function, *before):
    return tf.function(function).get_concrete_function(*before, tf.TensorSpec([None], F))


LATE = {  # their shapes change after more turns than are made here
    "cond": lambda: (lambda i, x: i < 152, lambda i, x: (i + 1, tf.cond(
        i < 150, lambda: x, lambda: tf.concat([x, [1.]], 0)))),
    "count": lambda: (lambda i, x: i < 200, lambda i, x: (
        i + 1, tf.zeros([tf.minimum(i // 100, 1) * 2 + 2]))),
    "content": lambda: (lambda i, x: tf.reduce_sum(x) < tf.reduce_sum(tf.ones([38]) / 10.),
                        lambda i, x: (i + 1, tf.concat([x, [1.]], 0))),
}


@pytest.mark.parametrize("name", LATE)
def test_a_long_loop_is_not_believed_to_keep_a_shape(name):
    more, body = LATE[name]()
    made = raw.While(input=[tf.constant(0), tf.ones([2])], cond=vector(more, COUNT),
                     body=vector(body, COUNT))
    assert made[1].shape.as_list() == [None]
    assert tf.reshape(made[1], [2, 2]).shape == (2, 2)
    assert not _core.findings()


def test_a_long_loop_that_keeps_its_shape():
    made = raw.While(input=[tf.constant(0), tf.ones([2, 2])], cond=few(1000), body=keeping())
    assert made[1].shape == (2, 2)


def converted():
    """AutoGraph makes a cond of it."""
    def body(x):
        if tf.reduce_sum(x) > 0.:
            x = x * 2.
        return x
    return body


def test_bodies_that_autograph_converts():
    body = vector(converted())
    turn = vector(lambda i, x: (i + 1, converted()(x)), COUNT)
    assert raw.PartitionedCall(args=[tf.ones([3])], Tout=[F], f=body)[0].shape == (3,)
    with v1.Graph().as_default():
        x = v1.placeholder(F, [None])
        assert len(raw.PartitionedCall(args=[x], Tout=[F], f=body)) == 1
        assert len(raw.StatelessIf(cond=True, input=[x], Tout=[F], then_branch=body, else_branch=body)) == 1
        made = raw.While(input=[tf.constant(0), x], cond=vector(lambda i, x: i < 9, COUNT), body=turn)
        assert [t.op.type for t in made] == ["While"] * 2
    assert not _core.findings()


def test_a_case_of_one_result():
    with v1.Graph().as_default():
        x, i = v1.placeholder(F, [None, 2]), v1.placeholder(tf.int32, [])
        made, = raw.Case(branch_index=i, input=[x], Tout=[F], branches=[increased(), doubled()])
        with v1.Session() as session:
            for index, rows in ((0, 3), (1, 6), (7, 6), (-1, 6)):
                assert session.run(made, {x: np.ones([3, 2]), i: index}).shape == (rows, 2)
        chosen = tf.switch_case(i, [lambda: [tf.ones([2])], lambda: [tf.ones([3])]])
        assert type(chosen) is list and chosen[0].shape.as_list() == [None]
        with pytest.raises(ValueError, match="'branches' of 'Case' Op passed list of length 0"):
            raw.Case(branch_index=i, input=[x], Tout=[F], branches=[])


def test_a_loop_goes_on_while_a_number_is_not_zero():
    more = vector(lambda i, x: 3 - i, COUNT)
    body = vector(lambda i, x: (i + 1, tf.concat([x, [1.]], 0)), COUNT)
    assert raw.While(input=[tf.constant(0), tf.ones([2])], cond=more, body=body)[1].shape == (5,)
    with v1.Graph().as_default():
        made = raw.While(input=[tf.constant(0), v1.placeholder(F, [2])], cond=more, body=body)
        assert [t.op.type for t in made] == ["While"] * 2 and made[1].shape.as_list() == [None]


def test_results_of_several_tensors():
    sparse = vector(lambda x: {"a": tf.sparse.from_dense(x), "b": None, "c": x})
    made = raw.PartitionedCall(args=[tf.ones([2])], Tout=[tf.int64, F, tf.int64, F], f=sparse)
    assert [t.shape.ndims for t in made] == [2, 1, 1, 1] and made[3].shape == (2,)


def test_a_body_that_python_lets_run_once():
    calls = []

    def body(x):
        calls.append(x)
        assert len(calls) == 1
        return x

    once = vector(body)
    assert len(calls) == 1  # TensorFlow traces it when it is made
    for size in (3, 4):
        found = raw.PartitionedCall(args=[tf.ones([size])], Tout=[F], f=once)
        assert found[0].shape.as_list() == [None]


WIDTH = 2


def test_names_stand_for_what_they_stood_for_when_it_was_traced(monkeypatch):
    functions = []
    for n in (2, 3, 4):
        weights = tf.ones([n, 5])
        functions.append(traced(lambda x: tf.matmul(x, weights)[:, :WIDTH]))  # noqa: B023
    monkeypatch.setitem(globals(), "WIDTH", 4)
    for n, function in zip((2, 3, 4), functions):
        made, = raw.PartitionedCall(args=[tf.ones([1, n])], Tout=[F], f=function)
        assert made.shape == function(tf.ones([1, n])).shape == (1, 2)
        assert function.outputs[0].shape.as_list() == [None, 2]
    assert weights.shape == (4, 5) and WIDTH == 4
    assert not _core.findings()


def test_the_name_of_a_function_is_bytes():
    assert doubled().name.startswith(b"__inference_")


def test_the_handle_of_a_variable():
    v, n = tf.Variable(tf.zeros([2, 2])), tf.TensorSpec([], tf.resource)
    assert v.handle.dtype == tf.resource and v.handle.shape == []
    assert raw.ReadVariableOp(resource=v.handle, dtype=F).shape == (2, 2)

    def body(i, handle):
        raw.AssignAddVariableOp(resource=handle, value=tf.ones([2, 2]))
        return i + 1, handle

    made = raw.While(input=[tf.constant(0), v.handle], body=tf.function(body).get_concrete_function(COUNT, n),
                     cond=tf.function(lambda i, handle: i < 4).get_concrete_function(COUNT, n))
    assert made[0].shape == [] and v.shape == (2, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"with shape \[2,2\] using a Tensor with"):
        raw.AssignAddVariableOp(resource=v.handle, value=tf.ones([3, 2]))


def test_a_case_of_functions_that_are_not_held():
    for functions in ([increased(), doubled()], ["one", "two"]):
        version_detection.activate("1.15.0", "graph")
        with v1.Graph().as_default():
            x, i = v1.placeholder(F, [None, 2]), v1.placeholder(tf.int32, [])
            assert len(raw.Case(branch_index=i, input=[x], Tout=[F], branches=functions)) == 1
    version_detection.activate("2.21.0", "eager")
    made, = raw.Case(branch_index=0, input=[tf.ones([2, 2])], Tout=[F], branches=["one", "two"])
    assert made.shape.ndims is None
