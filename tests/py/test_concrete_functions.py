"""Concrete functions: what they take and say of themselves, and their graph. Answers of the real 2.21."""

import re

import numpy as np
import pytest

import shapeflow as tf

pytestmark = pytest.mark.usefixtures("eager")


class Scale(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(1.0, name="v")

    @tf.function
    def go(self, x, n):
        return x * n + self.v


@tf.function
def times(x, y=2, *, z=None):
    return x * y


def test_what_is_no_tensor_was_said_when_it_was_made():
    made = times.get_concrete_function(tf.TensorSpec([2]), 5)
    assert made(tf.ones(2)).numpy().tolist() == [5, 5]
    assert made(x=tf.ones(2), y=5, z=None).numpy().tolist() == [5, 5]
    of_method = Scale().go.get_concrete_function(tf.TensorSpec([None, 2], name="im"), n=3)
    assert (
        of_method(tf.ones([1, 2])).numpy().tolist()
        == of_method(im=tf.ones([1, 2])).numpy().tolist()
        == [[4, 4]]
    )
    assert of_method.structured_input_signature == ((tf.TensorSpec([None, 2], name="im"), 3), {})
    assert re.fullmatch(r"__inference_go_\d+", of_method.name.decode())


SIGNATURE = (
    "(x: TensorSpec(shape=(2,), dtype=tf.float32, name=None), y: Literal[5], *, z: Literal[None]) -> "
    "TensorSpec(shape=(2,), dtype=tf.float32, name=None)."
)


@pytest.mark.parametrize(
    "args, why, flat",
    [
        (
            (6,),
            "missing a required argument: 'y'",
            ": expected argument #0(zero-based) to be a Tensor; got int (6)",
        ),
        ((6, 5), "missing a required argument: 'z'", " takes 1 positional arguments, got 2"),
        (
            ([1.0, 2.0],),
            "missing a required argument: 'y'",
            ": expected argument #0(zero-based) to be a Tensor; got list ([1.0, 2.0])",
        ),
    ],
)
def test_other_arguments_are_refused(args, why, flat):
    made = times.get_concrete_function(tf.TensorSpec([2]), 5)
    with pytest.raises(TypeError) as refused:
        made(*args)
    assert str(refused.value) == (
        "Binding inputs to tf.function failed due to `%s`. Received args: %s and kwargs: {} for "
        "signature: %s\n"
        "Fallback to flat signature also failed due to: times(x)%s." % (why, args, SIGNATURE, flat)
    )


@pytest.mark.parametrize(
    "call, why",
    [
        (lambda: times(1, 2, 3), "too many positional arguments"),
        (lambda: times(), "missing a required argument: 'x'"),
        (lambda: times(1, q=1), "got an unexpected keyword argument 'q'"),
    ],
)
def test_a_function_refuses_arguments_in_the_same_words(call, why):
    with pytest.raises(TypeError) as refused:
        call()
    assert str(refused.value).startswith(
        "Binding inputs to tf.function failed due to `%s`. Received args: (" % why
    )
    assert str(refused.value).endswith(
        " for signature: (x, y=<captured_default_value>, *, z=<captured_default_value>)."
    )


def test_an_error_of_the_body_keeps_its_words():
    with pytest.raises(TypeError, match=r"takes 0 positional arguments but 1 was given"):
        tf.function(lambda x: (lambda: x)(x))(tf.ones(2))


def test_dtypes_are_those_of_the_graph():
    made = times.get_concrete_function(tf.TensorSpec([2]), 5)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=(
            r"cannot compute __inference_times_\d+ as input #0\(zero-based\) was expected to be a "
            r"float tensor but "
            r"is a int32 tensor \[Op:__inference_times_\d+\]"
        ),
    ):
        made(tf.ones(2, tf.int32))
    signed = tf.function(lambda a: a, input_signature=[tf.TensorSpec([], tf.int32)])
    with pytest.raises(
        TypeError,
        match=r"Can not cast TensorSpec\(shape=\(\), dtype=tf.float32, name=None\) to "
        r"TensorSpec\(shape=\(\), dtype=tf.int32, name=None\)",
    ):
        signed(tf.constant(3.0))


def test_what_it_says():
    @tf.function
    def f(*args, **named):
        return {"a": args[0] + named["k"], "b": [args[1]]}

    made = f.get_concrete_function(tf.TensorSpec([2]), 3, k=tf.TensorSpec([], name="kk"))
    assert (
        str(made)
        == """ConcreteFunction Input Parameters:
  args_0 (POSITIONAL_ONLY): TensorSpec(shape=(2,), dtype=tf.float32, name=None)
  args_1 (POSITIONAL_ONLY): Literal[3]
  k (KEYWORD_ONLY): TensorSpec(shape=(), dtype=tf.float32, name='kk')
Output Type:
  Dict[['a', TensorSpec(shape=(2,), dtype=tf.float32, name=None)], ['b', List[%s]]]
Captures:
  None"""
        % "TensorSpec(shape=(), dtype=tf.int32, name=None)"
    )
    assert made.structured_input_signature == (
        (tf.TensorSpec([2], name="args_0"), 3),
        {"k": tf.TensorSpec([], name="kk")},
    )
    assert [one.name for one in made.inputs] == ["args_0:0", "kk:0"]
    made = tf.function(lambda t: None).get_concrete_function(
        {"a": tf.ones(2), "b": [tf.ones(1), np.ones(2)]}
    )
    assert made.structured_input_signature[0][0]["b"][1].name == "t_b_1"
    assert [one.name for one in made.inputs] == ["t:0", "t_1:0", "t_2:0"]
    assert made.outputs == [] and made.structured_outputs is None


def test_all_that_were_traced_are_told():
    @tf.function
    def f(x, n):
        return x

    f(tf.ones(2), 1), f(tf.ones(2), 1), f(tf.ones(3), 2)
    assert f.pretty_printed_concrete_signatures() == "\n\n".join(
        """Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(%d,), dtype=tf.float32, name=None)
  n (POSITIONAL_OR_KEYWORD): Literal[%d]
Output Type:
  TensorSpec(shape=(%d,), dtype=tf.float32, name=None)
Captures:
  None"""
        % (size, number, size)
        for size, number in ((2, 1), (3, 2))
    )
    assert f.experimental_get_tracing_count() == 2


def test_its_graph():
    w, c = tf.Variable(tf.ones([3, 4]), name="w"), tf.ones([4])
    made = tf.function(lambda x: tf.matmul(x, w) + c).get_concrete_function(tf.TensorSpec([None, 3]))
    assert [(op.type) for op in made.graph.get_operations()] == [
        "Placeholder",
        "Placeholder",
        "ReadVariableOp",
        "MatMul",
        "Const",
        "AddV2",
        "Identity",
    ]
    assert [(one.dtype.name, one.shape.as_list()) for one in made.inputs] == [
        ("float32", [None, 3]),
        ("resource", []),
        ("float32", [4]),
    ]
    assert [one.dtype for one in made.captured_inputs] == [tf.resource, tf.float32]
    assert made.graph.variables == (w,) and w.numpy().tolist() == np.ones([3, 4]).tolist()
    assert made.outputs[0].name == "Identity:0" and made.outputs[0].shape.as_list() == [None, 4]
    assert [one.name for one in made.function_def.signature.output_arg] == ["identity"]
    assert [node.op for node in made.graph.as_graph_def().node][:2] == ["Placeholder", "Placeholder"]


def test_what_autograph_converts_has_no_graph_here():
    made = tf.function(lambda x: x if tf.reduce_sum(x) > 0 else -x).get_concrete_function(
        tf.TensorSpec([2])
    )
    assert made.output_shapes == [2] and made.outputs[0].shape == [2]


def test_what_a_function_gives_are_tensors():
    v = tf.Variable(2.0)
    given = tf.function(lambda x: (x, None, "a", [1.5, True], np.ones(2), v))(3)
    assert given[1] is None and given[2].numpy() == b"a" and given[5].numpy() == 2
    assert [one.dtype.name for one in (given[0], *given[3], given[4])] == [
        "int32",
        "float32",
        "bool",
        "float64",
    ]
    assert isinstance(given[5], tf.Tensor)


def test_tensors_of_a_body_have_what_those_of_graphs_have():
    seen = []

    def body(x):
        assert tf.is_symbolic_tensor(x) and isinstance(x.name, str) and x.name == x.name != (x + 1).name
        seen.append((x.graph, x.op.type))
        return x

    tf.function(body)(tf.ones(2))
    assert type(seen[0][0]).__name__ == "FuncGraph"
    x = tf.ones(2)
    assert not tf.is_symbolic_tensor(x)
    with pytest.raises(AttributeError, match="Tensor.name is undefined when eager execution is enabled"):
        x.name  # noqa: B018


def test_generators_give_sparse_and_ragged_tensors():
    def elements():
        yield tf.sparse.from_dense(np.eye(2, 3, dtype="int32")), tf.ragged.constant([[1], [2, 3]])

    signature = tf.SparseTensorSpec([None, 3], tf.int32), tf.RaggedTensorSpec([2, None], tf.int32)
    sparse, ragged = next(iter(tf.data.Dataset.from_generator(elements, output_signature=signature)))
    assert isinstance(sparse, tf.SparseTensor) and sparse.shape == [2, 3] and sparse.dtype == tf.int32
    assert isinstance(ragged, tf.RaggedTensor) and ragged.shape.as_list() == [2, None]
