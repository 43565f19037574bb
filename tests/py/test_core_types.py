"""DType, Dimension, TensorShape: TensorFlow's values and words."""
import copy
import pickle

import numpy as np
import pytest

from core_support import mode
from shapeflow import _core as c


@pytest.fixture(params=["1.15.0", "2.15.0"])
def version(request):
    with mode(request.param, eager=request.param[0] == "2"):
        yield request.param


@pytest.fixture
def v1():
    with mode("1.15.0", eager=False):
        yield


@pytest.fixture
def v2():
    with mode("2.15.0", eager=True):
        yield


# --- dtypes ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("given,name", [
    ("float32", "float32"), ("float", "float32"), ("double", "float64"), ("half", "float16"),
    (1, "float32"), (9, "int64"), (103, "int32_ref"), (float, "float32"), (bool, "bool"),
    (np.float32, "float32"), (np.dtype("int64"), "int64"), (np.dtype(">i2"), "int16"),
    (np.str_, "string"), (np.object_, "string"), (object, "string"), (np.bool_, "bool"),
    (np.complex128, "complex128"),
])
def test_as_dtype(given, name):
    assert c.as_dtype(given).name == name
    assert c.as_dtype(given) is c.as_dtype(name)


@pytest.mark.parametrize("given", ["nope", None, 100, 9999, -1, list, int, 1.5, "int", np.datetime64])
def test_not_a_dtype(given):
    with pytest.raises(TypeError, match="to a TensorFlow DType"):
        c.as_dtype(given)


def test_dtype_properties(version):
    f, i, s, z = (c.as_dtype(n) for n in ("float32", "int32", "string", "complex64"))
    assert (f.is_floating, f.is_integer, f.is_complex, f.is_bool) == (True, False, False, False)
    assert (i.min, i.max, i.size, i.is_unsigned) == (-2**31, 2**31 - 1, 4, False)
    assert c.as_dtype("uint64").max == 2**64 - 1
    assert c.as_dtype("float16").max == np.float16(65504)
    assert z.real_dtype is f and f.real_dtype is f
    assert f._as_ref.name == "float32_ref" and f._as_ref._is_ref_dtype
    assert f._as_ref.base_dtype is f and f.is_compatible_with(f._as_ref)
    assert f.as_numpy_dtype is np.float32 and s.as_numpy_dtype is object
    assert c.as_dtype("uint8").limits == (0, 255) and f.limits == (0, 1)
    assert not c.as_dtype("resource").is_numpy_compatible
    with pytest.raises(TypeError, match="Cannot find minimum value of <dtype: 'string'>"):
        s.min


def test_dtype_compares_and_copies():
    f = c.as_dtype("float32")
    assert f == "float32" and f == np.float32 and f == 1 and f != c.as_dtype("int32")
    assert not f == None  # noqa: E711
    assert f in [np.float32] and {f: 1}[c.as_dtype("float")] == 1
    assert repr(f) == "tf.float32" and str(f) == "<dtype: 'float32'>"
    for again in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        assert again is f


# --- dimensions -----------------------------------------------------------------------------------
def test_dimension_arithmetic(v1):
    d, n = c.Dimension(7), c.Dimension(None)
    assert [(d + 2).value, (2 + d).value, (d - 7).value, (9 - d).value] == [9, 9, 0, 2]
    assert [(d * 2).value, (d // 2).value, (d % 4).value, (15 // d).value] == [14, 3, 3, 2]
    assert [(n + 1).value, (3 * n).value, (n // 2).value] == [None] * 3
    assert (d == 7, d != 8, d < 8, d >= 8) == (True, True, True, False)
    assert (n == 7) is None and (n < 7) is None
    assert int(d) == 7 and list(range(c.Dimension(2))) == [0, 1] and [0] * c.Dimension(2) == [0, 0]
    assert (str(d), str(n), repr(d), repr(n)) == ("7", "?", "Dimension(7)", "Dimension(None)")
    assert d.merge_with(None).value == 7 and n.merge_with(3).value == 3
    assert d.is_compatible_with(n) and not d.is_compatible_with(8)
    assert pickle.loads(pickle.dumps(d)) == 7


@pytest.mark.parametrize("make,error", [
    (lambda: c.Dimension(-1), ValueError), (lambda: c.Dimension(2.5), ValueError),
    (lambda: c.Dimension("a"), ValueError), (lambda: c.Dimension([1]), TypeError),
    (lambda: c.Dimension(3) - 5, ValueError), (lambda: c.Dimension(3) // 0, ZeroDivisionError),
    (lambda: int(c.Dimension(None)), TypeError), (lambda: c.Dimension(3) + "a", TypeError),
    (lambda: c.Dimension(3).merge_with(4), ValueError), (lambda: c.Dimension(3) / 2, TypeError),
    (lambda: c.Dimension(10**30), OverflowError),
])
def test_dimension_errors(v1, make, error):
    with pytest.raises(error):
        make()


# --- shapes ---------------------------------------------------------------------------------------
SHAPES = [  # given, list, str in v1, str in v2
    ([None, 784], [None, 784], "(?, 784)", "(None, 784)"),
    ((), [], "()", "()"), ([3], [3], "(3,)", "(3,)"), (5, [5], "(5,)", "(5,)"),
    (np.array([1, 2]), [1, 2], "(1, 2)", "(1, 2)"), ([np.int64(2)], [2], "(2,)", "(2,)"),
]


@pytest.mark.parametrize("given,dims,v1_text,v2_text", SHAPES)
def test_shape_text(version, given, dims, v1_text, v2_text):
    s = c.TensorShape(given)
    assert s.as_list() == dims and s.ndims == s.rank == len(s) == len(dims)
    assert str(s) == (v1_text if version[0] == "1" else v2_text)
    assert c.TensorShape(s).as_list() == dims
    assert pickle.loads(pickle.dumps(s)).as_list() == dims


def test_shape_repr(v1):
    assert repr(c.TensorShape([None, 2])) == "TensorShape([Dimension(None), Dimension(2)])"
    assert repr(c.TensorShape(None)) == "TensorShape(None)" and str(c.TensorShape(None)) == "<unknown>"


def test_shape_repr_v2(v2):
    assert repr(c.TensorShape([None, 2])) == "TensorShape([None, 2])"


def test_shape_indexing(v1):
    s = c.TensorShape([1, None, 3])
    assert isinstance(s[0], c.Dimension) and s[0].value == 1 and s[-1].value == 3
    assert s[1:].as_list() == [None, 3] and s[::-1].as_list() == [3, None, 1]
    assert [d.value for d in s] == [1, None, 3] and [d.value for d in s.dims] == [1, None, 3]
    with pytest.raises(IndexError):
        s[3]
    u = c.TensorShape(None)
    assert u[0].value is None and u[1:].rank is None and u[1:3].as_list() == [None, None]
    assert not u and bool(c.TensorShape([])) and u.dims is None
    for broken in (len, list, c.TensorShape.as_list):
        with pytest.raises(ValueError):
            broken(u)


def test_shape_indexing_v2(v2):
    s = c.TensorShape([1, None])
    assert s[0] == 1 and type(s[0]) is int and s[1] is None and list(s) == [1, None]
    assert isinstance(s.dims[0], c.Dimension)
    assert c.TensorShape(None)[0] is None


def test_shape_equality(v1):
    s = c.TensorShape([1, None])
    assert s == s and not s == c.TensorShape([1, None]) and s != c.TensorShape([1, None])
    assert c.TensorShape([1, 2]) == [1, 2] and c.TensorShape([1]) != [2]
    assert c.TensorShape(None) == c.TensorShape(None)
    with pytest.raises(ValueError, match="inequality of unknown TensorShapes is undefined"):
        c.TensorShape(None) != c.TensorShape([1])


def test_shape_equality_v2(v2):
    assert c.TensorShape([1, None]) == c.TensorShape([1, None]) == (1, None)
    assert hash(c.TensorShape([1, None])) == hash(c.TensorShape([1, None]))


def test_shape_algebra(version):
    s = c.TensorShape([1, None])
    assert s.merge_with([None, 4]).as_list() == [1, 4]
    assert s.merge_with(None).as_list() == [1, None]
    assert s.concatenate([5]).as_list() == [1, None, 5] == ((s + [5]).as_list())
    assert s.concatenate(None).rank is None
    assert c.TensorShape(None).with_rank(2).as_list() == [None, None]
    assert s.with_rank_at_least(2) is s and s.with_rank_at_most(2) is s
    assert s.is_compatible_with([1, 9]) and not s.is_compatible_with([2, 9])
    assert s.most_specific_compatible_shape([1, 3]).as_list() == [1, None]
    assert s.most_specific_compatible_shape([1]).rank is None
    assert c.TensorShape([2, 3]).num_elements() == 6 and s.num_elements() is None
    assert not s.is_fully_defined() and c.TensorShape([]).is_fully_defined()
    proto = s.as_proto()
    assert [d.size for d in proto.dim] == [1, -1] and not proto.unknown_rank
    assert c.TensorShape(proto).as_list() == [1, None]
    assert c.TensorShape(c.TensorShape(None).as_proto()).rank is None


@pytest.mark.parametrize("act,words", [
    (lambda s: s.merge_with([2, 4]), "are not compatible"),
    (lambda s: s.merge_with([1]), "are not compatible"),
    (lambda s: s.with_rank(3), "must have rank 3"),
    (lambda s: s.with_rank_at_least(3), "must have rank at least 3"),
    (lambda s: s.with_rank_at_most(1), "must have rank at most 1"),
    (lambda s: s.assert_has_rank(1), "must have rank 1"),
    (lambda s: s.assert_same_rank([1]), "must have the same rank"),
    (lambda s: s.assert_is_compatible_with([2]), r"and \[2\] are incompatible"),
    (lambda s: s.assert_is_fully_defined(), "is not fully defined"),
    (lambda s: c.TensorShape([-1]), "must be >= 0"),
])
def test_shape_errors(version, act, words):
    with pytest.raises(ValueError, match=words):
        act(c.TensorShape([1, None]))


def test_too_many_dims():
    with pytest.raises(ValueError):
        c.TensorShape([1] * 1000)


def test_nothing_is_made_by_hand():
    for cls in (c.Tensor, c.EagerTensor, c.Operation, c.Finding, c.ApiFunction, c.RawOp):
        with pytest.raises(TypeError):
            cls()


def test_import_leaves_numpy_alone():
    import subprocess
    import sys

    code = ("import sys, shapeflow._core as c; c.TensorShape([1]); c.as_dtype('float32');"
            "c.convert_to_tensor([1, 2]) + 1; sys.exit('numpy' in sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_shapes_and_types_can_be_subclassed(version):
    """As TensorFlow's; what is not a program's constructor is the shape's own."""
    class Named(c.TensorShape):
        def __init__(self, dims, name="x"):
            super().__init__(dims)
            self.name = name

    named = Named([2, 3], name="image")
    assert named.name == "image" and named.as_list() == [2, 3] and named == c.TensorShape([2, 3])
    assert named.concatenate([4]).as_list() == [2, 3, 4]
    assert c.api_function("tf.zeros", 1)(named).shape.as_list() == [2, 3]
    with pytest.raises(TypeError):
        c.TensorShape([2], [3])

    class Unset(c.DType):
        def __init__(self):
            pass

    class Real(c.DType):
        pass

    assert Real(1) == c.float32 and c.as_dtype(Real(1)).name == "float32"
    with pytest.raises(TypeError, match="Cannot convert"):
        c.as_dtype(Unset())


def test_pickles_do_not_ask_for_tensorflow(tf):
    """A name that was asked for gives its class the file of TensorFlow's that defines it, which is not there
    for a script that imports shapeflow."""
    assert tf.TensorShape.__module__ == tf.Dimension.__module__ == "tensorflow.python.framework.tensor_shape"
    for value in (tf.TensorShape([None, 3]), tf.Dimension(4), tf.Dimension(None), tf.TensorShape(None)):
        data = pickle.dumps(value)
        assert b"tensorflow" not in data and repr(pickle.loads(data)) == repr(value)
        assert repr(copy.deepcopy(value)) == repr(value)
    assert pickle.loads(pickle.dumps(tf.float32)) is tf.float32


def test_a_pickle_of_a_derived_shape_keeps_its_class():
    made = Derived([3])
    assert type(pickle.loads(pickle.dumps(made))) is Derived


class Derived(c.TensorShape):
    """A program's own."""
