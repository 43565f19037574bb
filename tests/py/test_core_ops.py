"""Building: operators, slices, names, argument binding, conversions. Expectations are TensorFlow's
own output (1.8.0, 1.15.0, 2.21.0)."""
import inspect
import pickle

import numpy as np
import pytest

from core_support import api, mode, names, placeholder
from shapeflow import _core as c


@pytest.fixture
def v1():
    with mode("1.15.0", eager=False):
        yield


@pytest.fixture
def v2():
    with mode("2.21.0", eager=True):
        yield


# --- operators ------------------------------------------------------------------------------------
OPERATORS = [  # expression of x [?,784] float, i [3] int32, b [3] bool, w [784,10]; name, shape, dtype
    ("x + x", "add:0", [None, 784], "float32"), ("1 + x", "add:0", [None, 784], "float32"),
    ("x - 1.5", "sub:0", [None, 784], "float32"), ("x * np.ones(784)", "mul:0", [None, 784], "float32"),
    ("np.ones(784) * x", "mul:0", [None, 784], "float32"),
    ("x / 2", "truediv:0", [None, 784], "float32"), ("i / i", "truediv:0", [3], "float64"),
    ("i // 2", "floordiv:0", [3], "int32"), ("i % 2", "mod:0", [3], "int32"),
    ("2 ** x", "pow:0", [None, 784], "float32"), ("x @ w", "matmul:0", [None, 10], "float32"),
    ("-x", "Neg:0", [None, 784], "float32"), ("abs(x)", "Abs:0", [None, 784], "float32"),
    ("b & b", "and:0", [3], "bool"), ("b ^ b", "xor:0", [3], "bool"),
    ("~b", "LogicalNot:0", [3], "bool"), ("x < 1", "Less:0", [None, 784], "bool"),
    ("1 < x", "Greater:0", [None, 784], "bool"), ("x >= x", "GreaterEqual:0", [None, 784], "bool"),
    ("x[0]", "strided_slice:0", [784], "float32"), ("x[0, 1]", "strided_slice:0", [], "float32"),
    ("x[:, 1:3]", "strided_slice:0", [None, 2], "float32"),
    ("x[..., 0]", "strided_slice:0", [None], "float32"),
    ("x[:, None]", "strided_slice:0", [None, 1, 784], "float32"),
    ("w[::2, ::-1]", "strided_slice:0", [392, 10], "float32"),
    ("w[-3:]", "strided_slice:0", [3, 10], "float32"), ("w[()]", "strided_slice:0", [784, 10], "float32"),
    ("x[i[0]]", "strided_slice_1:0", [784], "float32"),
    ("w[np.int64(3)]", "strided_slice:0", [10], "float32"),
]


@pytest.mark.parametrize("text,name,shape,dtype", OPERATORS, ids=[o[0] for o in OPERATORS])
def test_operator(v1, text, name, shape, dtype):
    scope = {"x": placeholder([None, 784]), "i": placeholder([3], "i", "int32"),
             "b": placeholder([3], "b", "bool"), "w": placeholder([784, 10], "w"), "np": np}
    t = eval(text, scope)
    assert (t.name, t.shape.as_list(), t.dtype.name) == (name, shape, dtype)
    assert c.default_graph()._verify() is None


def test_constants_live_in_the_operators_scope(v1):
    x = placeholder([2])
    assert [(x + 1).name, (x + 2).name, (3 - x).name] == ["add:0", "add_1:0", "sub:0"]
    assert names() == ["x", "add/y", "add", "add_1/y", "add_1", "sub/x", "sub"]
    with c.default_graph().name_scope("a"):
        x[0]
    assert names()[-4:] == ["a/strided_slice/stack", "a/strided_slice/stack_1",
                            "a/strided_slice/stack_2", "a/strided_slice"]


def test_add_by_version():
    for version, op in (("1.8.0", "Add"), ("1.15.0", "AddV2")):
        with mode(version, eager=False):
            x = placeholder([2])
            assert (x + x).op.type == (x + 1).op.type == op


@pytest.mark.parametrize("text,error,words", [
    ("i + 1.5", TypeError, "Input 'y' of 'AddV2' Op has type float32 that does not match type int32"),
    ("x + i", TypeError, "Input 'y' of 'AddV2' Op has type int32 that does not match type float32"),
    ("x + None", ValueError, "None values not supported."),
    ("x[i]", TypeError, "Only integers, slices"), ("x[1.5]", TypeError, "Only integers, slices"),
    ("x['a']", TypeError, "Only integers, slices"),
    ("w[800]", ValueError, "slice index 800 of dimension 0 out of bounds"),
    ("bool(x)", TypeError, "using a `tf.Tensor` as a Python `bool` is not allowed"),
    ("list(x)", TypeError, "iterating over `tf.Tensor` is not allowed"),
    ("len(x)", TypeError, "len is not well defined for symbolic Tensors. .x:0. Please call"),
    ("np.array(x)", NotImplementedError, "Cannot convert a symbolic Tensor"),
    ("x.numpy()", AttributeError, "'Tensor' object has no attribute 'numpy'"),
    ("+x", TypeError, "bad operand type for unary"),
    ("x.foo", AttributeError, "'Tensor' object has no attribute 'foo'"),
])
def test_operator_errors(v1, text, error, words):
    scope = {"x": placeholder([None, 784]), "i": placeholder([3], "i", "int32"),
             "w": placeholder([784, 10], "w"), "np": np}
    with pytest.raises(error, match=words):
        eval(text, scope)


def test_identity_and_attributes(v1):
    x = placeholder([2])
    assert x.op.outputs[0] is x and c.default_graph().get_tensor_by_name("x:0") is x
    assert x.op is c.default_graph().get_operation_by_name("x")
    assert x == x and not x == placeholder([2], "y") and hash(x) == id(x) and {x: 1}[x] == 1
    x.mark = 1
    assert c.default_graph().get_tensor_by_name("x:0").mark == 1
    assert x.shape is x.shape and x.get_shape() == x.shape
    assert str(x) == 'Tensor("x:0", shape=(2,), dtype=float32)'
    assert repr(x) == "<tf.Tensor 'x:0' shape=(2,) dtype=float32>"
    assert (x.value_index, x.device, x.consumers()) == (0, "", [])
    y = x + x
    assert x.consumers() == [y.op] and list(y.op.inputs) == [x, x]


def test_set_shape(v1):
    x = placeholder([None, 784])
    y = x * 2
    x.set_shape([5, None])
    assert x.shape.as_list() == [5, 784]
    with pytest.raises(ValueError, match="Dimension 1 in both shapes must be equal, but are 784 and 7"):
        x.set_shape([5, 7])
    with pytest.raises(ValueError, match="Shapes must be equal rank, but are 2 and 1"):
        x.set_shape([5])
    assert y.shape.as_list() == [None, 784]
    assert [f.name for f in c.findings()] == ["SET_SHAPE", "SET_SHAPE"]


def test_set_shape_is_silent_about_symbols(v1):
    x = placeholder([None])
    longer = api("tf.concat")([x, api("tf.zeros")([1])], 0)
    longer.set_shape(x.shape)  # n + 1 is never n, which TensorFlow cannot know
    assert longer.shape.as_list() == [None]
    assert longer.shape.is_compatible_with(x.shape) and longer.shape.merge_with(x.shape).rank == 1


def test_operands_choose_the_graph(v1):
    g = c.Graph()
    with g.as_default():
        x = placeholder([2])
    assert (x + 1).graph is g and x[0].graph is g and api("tf.nn.relu")(x).graph is g
    y = placeholder([2], "y")
    with pytest.raises(ValueError, match="must be from the same graph as"):
        x + y


# --- binding --------------------------------------------------------------------------------------
def test_binding(v1):
    reshape = api("tf.reshape")
    x = placeholder([4])
    for t in (reshape(x, [2, 2]), reshape(x, shape=[2, 2]), reshape(shape=[2, 2], tensor=x),
              reshape(x, [2, 2], "r"), reshape(x, [2, 2], name="s"),
              reshape(**{"tensor": x, "shape": (2, 2)})):
        assert t.shape.as_list() == [2, 2]
    assert c.default_graph().get_operation_by_name("s").type == "Reshape"


@pytest.mark.parametrize("args,kwargs,words", [
    ((), {}, r"^reshape\(\) missing 2 required positional arguments: 'tensor' and 'shape'$"),
    ((1,), {}, r"^reshape\(\) missing 1 required positional argument: 'shape'$"),
    ((1, [1], "n", 3), {}, r"^reshape\(\) takes from 2 to 3 positional arguments but 4 were given$"),
    ((1, [1]), {"foo": 1}, r"^reshape\(\) got an unexpected keyword argument 'foo'$"),
    ((1,), {"tensor": 1}, r"^reshape\(\) got multiple values for argument 'tensor'$"),
])
def test_binding_errors(v1, args, kwargs, words):
    with pytest.raises(TypeError, match=words):
        api("tf.reshape")(*args, **kwargs)


def test_function_object(v1):
    f = api("tf.reshape")
    assert (f.__name__, f.__module__) == ("reshape", "tensorflow.python.ops.array_ops")
    assert str(inspect.signature(f)) == "(tensor, shape, name=None)"
    assert "Reshape" in f.__doc__ and repr(f) == "<function tf.reshape>"
    assert c.api_function("tf.reshape", 1) is f and pickle.loads(pickle.dumps(f)) is f
    assert c.api_function("tf.no_such_thing", 1) is None
    assert "tf.reshape" in c.api_names(1) and "tf.reshape" in c.api_names(2)
    f.mark = 1
    assert f.mark == 1

    class Layer:
        act = f
        free = staticmethod(f)

    assert inspect.ismethod(Layer().act) and Layer().free is f
    with pytest.raises(ValueError):
        c.api_function("tf.reshape", 3)


def test_signatures_of_all_functions():
    for version in (1, 2):
        for name in c.api_names(version):
            f = c.api_function(name, version)
            if f is not None:
                inspect.signature(f)


def test_raw_ops(v1):
    x = placeholder([2, 3])
    t = c.raw_op("MatMul")(a=x, b=x, transpose_b=True, name="mm")
    assert t.name == "mm:0" and t.shape.as_list() == [2, 2]
    assert c.raw_op("Sum")(input=x, axis=0).shape == c.raw_op("Sum")(input=x, reduction_indices=0).shape
    top = c.raw_op("TopKV2")(input=x, k=2)
    assert type(top).__name__ == "TopKV2" and top.values.shape.as_list() == [2, 2]
    with pytest.raises(TypeError, match="^add_v2 only takes keyword args .possible keys: .'x', 'y', 'name'"):
        c.raw_op("AddV2")(x, x)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'z'"):
        c.raw_op("AddV2")(x=x, z=x)
    assert c.raw_op("NoSuchOp") is None and "MatMul" in c.raw_op_names()
    info = c.op_info("MatMul")
    assert [i["name"] for i in info["inputs"]] == ["a", "b"] and info["outputs"][0]["type_attr"] == "T"


def test_make_op(v1):
    x = placeholder([2, 3])
    op = c.make_op("ConcatV2", [[x, x], 0], name="cat")
    assert op.name == "cat" and op.outputs[0].shape.as_list() == [4, 3]
    assert c.make_op("NoOp", []).outputs == []
    assert op.get_attr("N") == 2 and op.get_attr("T").name == "float32"
    assert op.node_def.input == ["x", "x", "cat/axis"] and op.op_def.name == "ConcatV2"
    with pytest.raises(ValueError, match="has no attr named 'nope'"):
        op.get_attr("nope")
    with pytest.raises(ValueError, match="no such op"):
        c.make_op("NoSuchOp", [])
    with pytest.raises(TypeError):
        c.make_op("MatMul", [x])
    with pytest.raises(TypeError):
        c.make_op("MatMul", [x, x], {"nope": 1})


# --- conversion -----------------------------------------------------------------------------------
class Sparse:
    def __init__(self, tensor):
        self.tensor = tensor

    def __sf_tensor__(self):
        return self.tensor


class Variable(c.VariableBase):
    pass


def test_what_becomes_a_tensor(v1):
    x = placeholder([2, 3])
    v = Variable()
    v._tensor = x
    assert c.convert_to_tensor(x) is x and c.convert_to_tensor(v) is x
    assert c.convert_to_tensor(Sparse(x)) is x
    assert (v + 1).shape.as_list() == [2, 3] and v[0].shape.as_list() == [3] and (1 - v).op.type == "Sub"
    rows = [(3, "int32", []), (3.5, "float32", []), (True, "bool", []), ("a", "string", []),
            (b"a", "string", []), ([1, 2], "int32", [2]), ([[1.0], [2]], "float32", [2, 1]),
            (np.zeros((2, 3)), "float64", [2, 3]), (np.float32(1), "float32", []),
            (np.arange(3, dtype=np.uint8), "uint8", [3]), (2**40, "int64", []), (1j, "complex128", []),
            ([x, x], "float32", [2, 2, 3]), ((1, 2), "int32", [2]), (range(3), "int32", [3]),
            (c.TensorShape([2, 3]), "int32", [2]), (c.Dimension(3), "int32", []),
            (np.array(["a", "bc"]), "string", [2]), ([], "float32", [0]), (np.True_, "bool", [])]
    for value, dtype, shape in rows:
        t = c.convert_to_tensor(value)
        assert (t.dtype.name, t.shape.as_list()) == (dtype, shape), value
    with pytest.raises(ValueError, match="Argument must be a dense tensor"):
        c.convert_to_tensor([np.zeros(3), np.zeros(3)])


def test_long_lists_are_numpys(v1):
    t = c.convert_to_tensor([[float(i)] * 100 for i in range(1000)])
    assert (t.dtype.name, t.shape.as_list()) == ("float32", [1000, 100])
    t = c.convert_to_tensor(list(range(100000)))
    assert (t.dtype.name, t.shape.as_list()) == ("int32", [100000])
    assert c.convert_to_tensor([2**40] * 100000).dtype.name == "int64"


@pytest.mark.parametrize("value", [[[1, 2], [3]], object(), None, {"a": 1}, [None], [object()], set()])
def test_what_does_not(v1, value):
    with pytest.raises((TypeError, ValueError)):
        c.convert_to_tensor(value)


def test_self_containing_list(v1):
    a = []
    a.append(a)
    with pytest.raises((RecursionError, ValueError, TypeError)):
        c.convert_to_tensor(a)


def test_dtype_and_name(v1):
    assert c.convert_to_tensor(1, dtype="float64", name="k").name == "k:0"
    assert c.convert_to_tensor(1, preferred_dtype="float32").dtype.name == "float32"
    assert c.convert_to_tensor(1.5, preferred_dtype="int32").dtype.name == "float32"
    with pytest.raises(ValueError, match="Tensor conversion requested dtype int32"):
        c.convert_to_tensor(placeholder([2]), dtype="int32")


def test_constant_value(v1):
    x = placeholder([None, 784])
    assert c.constant_value(x) is None
    np.testing.assert_array_equal(c.constant_value(c.convert_to_tensor([[1, 2]])), [[1, 2]])
    assert c.constant_value(c.convert_to_tensor("a")).item() == b"a"
    shape = api("tf.shape")(x)
    assert c.constant_value(shape) is None
    assert c.constant_value_as_shape(shape).as_list() == [None, 784]
    assert c.constant_value_as_shape(c.convert_to_tensor([-1, 3])).as_list() == [None, 3]
    assert c.convert_to_tensor([1.5])._constant_value.tolist() == [1.5]


# --- eager ----------------------------------------------------------------------------------------
def test_eager(v2):
    x, i, s = (c.convert_to_tensor(v) for v in ([[1., 2.], [3., 4.]], [1, 2, 3], 3))
    assert (x + 1).numpy().tolist() == [[2, 3], [4, 5]] and (i * 2).numpy().tolist() == [2, 4, 6]
    assert int(s) == 3 and float(s) == 3.0 and [0, 1, 2, 3][s] == 3 and bool(s) and len(x) == 2
    assert [int(k) for k in i] == [1, 2, 3] and x[0, 1].numpy() == 2 and type(s.numpy()) is np.int32
    assert (i == 2).numpy().tolist() == [False, True, False] and not x == None  # noqa: E711
    assert np.array(x).shape == (2, 2) and np.sum(x) == 10 and f"{s:d}" == "3"
    assert repr(s) == "<tf.Tensor: shape=(), dtype=int32, numpy=3>"
    assert str(i) == "tf.Tensor([1 2 3], shape=(3,), dtype=int32)"
    assert x.ref() == x.ref() and x.ref().deref() is x and x.ref() in {x.ref()}
    assert pickle.loads(pickle.dumps(x)).numpy().tolist() == x.numpy().tolist()
    with pytest.raises(TypeError, match="Tensor is unhashable"):
        hash(x)
    for attribute in ("name", "op", "graph"):
        with pytest.raises(AttributeError, match="is undefined when eager execution is enabled"):
            getattr(x, attribute)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(i)
    with pytest.raises(TypeError, match="Scalar tensor has no"):
        len(s)
    x.note = 1
    assert x.note == 1 and isinstance(x, c.Tensor) and type(x).__name__ == "EagerTensor"


def test_eager_unknown_content_is_consistent(v2):
    u = c.raw_op("RandomUniform")(shape=[2, 3], dtype=c.as_dtype("float32"))
    assert u.numpy().shape == (2, 3) and u.numpy().dtype == np.float32 and u._constant_value is None
    scalar = c.raw_op("RandomUniform")(shape=np.zeros(0, np.int32), dtype=c.as_dtype("float32"))
    assert float(scalar) == scalar.numpy() == 0.0 and bool(scalar) is False
    a = u.numpy()
    a[0, 0] = 5  # writable
    assert a[0, 0] == 5


def test_eager_error(v2):
    x = c.convert_to_tensor(np.zeros((2, 3), np.float32))
    errors = []
    try:
        api("tf.matmul", 2)(x, x)
    except Exception as e:  # noqa: BLE001
        errors.append(e)
    assert type(errors[0]).__name__ == "InvalidArgumentError"
    assert "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]" in str(errors[0])
    assert c.findings()[0].phase == "eager"


def test_eager_inside_a_graph_and_back(v2):
    outside = c.convert_to_tensor([1., 2.])
    with c.Graph().as_default() as g:
        assert not c.executing_eagerly()
        y = outside + placeholder([2])
        assert y.graph is g and "Const" in [op.type for op in g.get_operations()]
    assert c.executing_eagerly() and (outside + 1).numpy().tolist() == [2, 3]


def test_capture_and_branch(v2):
    class Function(c.Graph):
        def __init__(self):
            super().__init__()
            self.building_function = True
            self.captured = []

        def capture(self, tensor):
            self.captured.append(tensor)
            with self.as_default():
                return placeholder(tensor.shape, "captured")

        def _sf_branch(self, tensor):
            return True

    outside = c.convert_to_tensor([1., 2.])
    g = Function()
    with g.as_default():
        y = outside * 2
        assert bool(y > 0) and len(list(y)) == 2
        with c.init_scope():
            assert c.executing_eagerly()
        assert not c.executing_eagerly()
    assert g.captured == [outside] or len(g.captured) == 1
    assert y.graph is g


@pytest.mark.parametrize("eager", [False, True])
def test_calls_that_differ_from_the_one_before_in_lists(eager):
    with mode("2.15.0", eager=eager):
        x = api("tf.zeros", 2)([2, 16, 16, 1])
        for step in range(24):
            size, stride = 1 + step % 3, 1 + step // 5 % 3
            padding = ["VALID", "SAME"][step // 7 % 2]
            y = api("tf.nn.max_pool", 2)(x, [1, size, size, 1], [1, stride, stride, 1], padding)
            rest = 0 if padding == "SAME" else size - 1
            side = (16 - rest + stride - 1) // stride
            assert y.shape.as_list() == [2, side, side, 1], step
            squeezed = api("tf.squeeze", 2)(x, [[3], [-1], []][step % 3])
            assert squeezed.shape.as_list() == [2, 16, 16], step
            number = step // 2 % 5
            assert c.constant_value(api("tf.constant", 2)([number, 1])).tolist() == [number, 1]


def test_a_name_is_that_of_the_version():
    with mode("0.12.1", eager=False):
        mul = api("tf.mul")
    with mode("1.15.0", eager=False):
        assert c.api_function("tf.mul", 1) is None
        assert c.api_function("tf.multiply", 1) is c.api_function("tf.multiply", 1)
    with mode("0.12.1", eager=False):
        assert api("tf.mul") is mul
    for wrong in [(), ("tf.mul",), (1, 1), ("tf.mul", "1")]:
        with pytest.raises(TypeError):
            c.api_function(*wrong)
    with pytest.raises(ValueError):
        c.api_function("tf.mul", 3)


def test_the_axes_of_tensordot_may_be_an_array_or_a_tensor(tf):
    """keras.ops.average gives a tensor: every program that called it ended."""
    a, b = tf.zeros([2, 3, 4]), tf.zeros([4, 3, 5])
    assert tf.tensordot(a, b, np.array([[1, 2], [1, 0]])).shape == [2, 5]
    assert tf.tensordot(a, b, tf.constant([[1, 2], [1, 0]])).shape == [2, 5]
    assert tf.tensordot(a, b, tf.constant([[2], [0]])).shape == [2, 3, 3, 5]
    assert tf.tensordot(a, b, np.array([2, 0])).shape == [2, 3, 3, 5]
    assert tf.tensordot(a, b, tf.placeholder(tf.int32, [2, 1])).shape.ndims is None
    with pytest.raises(ValueError, match="'axes' must be an integer or have length 2"):
        tf.tensordot(a, b, np.array([[1], [2], [0]]))
