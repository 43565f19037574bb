"""Variables and variable scopes: names, sharing rules, messages. Expectations are TensorFlow 1.15's."""
import numpy as np
import pytest


def test_reference_variable_makes_tensorflows_nodes(tf):
    w = tf.Variable(tf.zeros([784, 10]), name="w")
    assert (w.name, w.op.name, w.op.type) == ("w:0", "w", "VariableV2")
    assert (w.initializer.name, w.initializer.type, w.value().name) == ("w/Assign", "Assign", "w/read:0")
    assert w.dtype.name == "float32_ref" and w.get_shape().as_list() == [784, 10]
    assert repr(w) == "<tf.Variable 'w:0' shape=(784, 10) dtype=float32_ref>"
    assert tf.Variable(1.0).name == "Variable:0" and tf.Variable(1.0).name == "Variable_1:0"


def test_resource_variable(tf):
    w = tf.Variable([1.0, 2.0], name="w", use_resource=True)
    assert (w.op.type, w.dtype, w.shape.as_list()) == ("VarHandleOp", tf.float32, [2])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(w.assign_add([1.0, 1.0])).shape == (2,)
        with pytest.raises(ValueError, match="Cannot assign value to variable ' w:0'"):
            w.assign([1.0, 2.0, 3.0])


def test_initial_value_needs_a_shape(tf):
    x = tf.placeholder(tf.float32, [None, 784], name="x")
    with pytest.raises(ValueError) as e:
        tf.Variable(x)
    assert str(e.value) == ('initial_value must have a shape specified: '
                            'Tensor("x:0", shape=(?, 784), dtype=float32)')
    assert tf.Variable(x, validate_shape=False).get_shape().ndims is None


@pytest.mark.parametrize("value", [1.5, [1.0, 2.0], np.zeros((2, 2), np.float32)])
def test_initial_values_of_python(tf, value):
    assert tf.Variable(value).get_shape().as_list() == list(np.shape(value))
    assert tf.Variable(lambda: tf.ones([3])).initial_value.name == "Variable_1/Initializer/ones:0"


def test_initial_value_from_another_variable_initialises_in_any_order(tf):
    a = tf.Variable(tf.ones([2, 3]), name="a")
    b = tf.Variable(a * 2.0, name="b")
    with tf.Session() as sess:
        sess.run(b.initializer)
        assert sess.run(b).shape == (2, 3)
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value a"):
            sess.run(a)


def test_collections(tf):
    w = tf.Variable(1.0)
    b = tf.Variable(1.0, trainable=False)
    c = tf.Variable(1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    assert tf.global_variables() == [w, b] and tf.trainable_variables() == [w]
    assert tf.local_variables() == [c] and tf.all_variables() == [w, b]


def test_get_variable_and_scopes(tf):
    with tf.variable_scope("foo"):
        v = tf.get_variable("v", [2, 3])
        with tf.variable_scope("bar", default_name=None):
            k = tf.get_variable("k", [3], initializer=tf.zeros_initializer())
    assert (v.name, v.initial_value.name) == ("foo/v:0", "foo/v/Initializer/random_uniform:0")
    assert k.name == "foo/bar/k:0"
    with tf.variable_scope("foo", reuse=True):
        assert tf.get_variable("v", [2, 3]) is v
    with tf.variable_scope("foo") as scope:
        scope.reuse_variables()
        assert tf.get_variable("v") is v


def test_sharing_errors(tf):
    with tf.variable_scope("foo"):
        tf.get_variable("v", [2, 3])
        with pytest.raises(ValueError) as e:
            tf.get_variable("v", [2, 3])
        assert str(e.value).startswith(
            "Variable foo/v already exists, disallowed. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope? Originally defined at:\n\n")
    with tf.variable_scope("foo", reuse=True):
        with pytest.raises(ValueError) as e:
            tf.get_variable("v", [2, 2])
        assert str(e.value) == ("Trying to share variable foo/v, but specified shape (2, 2) and found "
                                "shape (2, 3).")
        with pytest.raises(ValueError) as e:
            tf.get_variable("u", [2])
        assert str(e.value) == ("Variable foo/u does not exist, or was not created with "
                                "tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in VarScope?")


def test_auto_reuse_default_names_and_getters(tf):
    def layer():
        with tf.variable_scope("l", reuse=tf.AUTO_REUSE):
            return tf.get_variable("w", [1])

    assert layer() is layer()
    names = []
    for _ in range(2):
        with tf.variable_scope(None, default_name="auto"):
            names.append(tf.get_variable("w", [1]).name)
    assert names == ["auto/w:0", "auto_1/w:0"]

    seen = []

    def custom(getter, name, *args, **kwargs):
        seen.append(name)
        return getter(name, *args, **kwargs)

    with tf.variable_scope("g", custom_getter=custom):
        tf.get_variable("w", [1])
    assert seen == ["g/w"]


def test_regularizer_and_initializer_of_scope(tf):
    with tf.variable_scope("r", regularizer=lambda w: tf.nn.l2_loss(w),
                           initializer=tf.constant_initializer(2.0)):
        tf.get_variable("w", [4])
    (loss,) = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert loss.get_shape().as_list() == []


def test_assign_and_load(tf):
    w = tf.Variable(tf.zeros([2, 2]))
    assert tf.assign(w, tf.ones([2, 2])).dtype.name == "float32_ref"
    with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal, but are 2 and 3"):
        tf.assign(w, tf.ones([3, 2]))
    with tf.Session() as sess:
        w.load(np.ones((2, 2)), sess)
        assert w.eval(sess).shape == (2, 2)


def test_name_scopes_do_not_touch_get_variable(tf):
    with tf.name_scope("n"):
        assert tf.get_variable("w", [1]).name == "w:0"
        assert tf.Variable(1.0, name="u").name == "n/u:0"


def test_eager_variable(tf2):
    v = tf2.Variable(tf2.zeros([2, 3]))
    v.assign_add(tf2.ones([2, 3]))
    assert isinstance(v, tf2.Variable) and v.numpy().shape == (2, 3)
    with pytest.raises(ValueError) as e:
        v.assign(tf2.zeros([3]))
    assert str(e.value) == (
        "Cannot assign value to variable ' Variable:0': Shape mismatch.The variable shape (2, 3), and "
        "the assigned value shape (3,) are incompatible.")


@pytest.mark.parametrize("name, shape", [
    ("glorot_uniform_initializer", [3, 4]), ("random_normal_initializer", [3]),
    ("truncated_normal_initializer", [2, 2]), ("variance_scaling_initializer", [3, 3]),
    ("orthogonal_initializer", [3, 4]), ("ones_initializer", [2]),
    ("uniform_unit_scaling_initializer", [2, 2])])
def test_initializers(tf, name, shape):
    assert tf.get_variable("w", shape, initializer=getattr(tf, name)()).get_shape().as_list() == shape
    assert tf.contrib.layers.xavier_initializer()(shape).get_shape().as_list() == shape


def test_what_a_graph_writes_that_is_only_traced_is_no_tensor_of_it(tf2):
    """As in the graph in which Keras 2 calls layers on symbolic tensors: metrics count there, too."""
    eager = type(tf2.constant(0.0))
    counts, rows = tf2.Variable(1.0), tf2.Variable(tf2.zeros([4, 2]))
    with tf2.__internal__.FuncGraph("scratch").as_default():
        given = tf2.compat.v1.placeholder(tf2.float32, [])
        counts.assign_add(given)
        rows.scatter_nd_update([[1]], tf2.compat.v1.placeholder(tf2.float32, [1, 2]))
        with pytest.raises(ValueError, match="incompatible"):
            counts.assign(tf2.compat.v1.placeholder(tf2.float32, [3]))
    assert type(counts.read_value()) is type(tf2.math.divide_no_nan(counts, counts)) is eager
    assert type(rows + 1.0) is eager and rows.shape == (4, 2)
    counts.assign(2.0)
    assert float(counts) == 2.0


def test_a_module_lists_its_variables_by_the_names_of_attributes_then_its_modules(tf2):
    class TwoWide(tf2.Module):
        def __init__(self, a, b):
            super().__init__()
            self.w, self.b = tf2.Variable(tf2.zeros([a, b])), tf2.Variable(tf2.zeros([b]))

    class Net(tf2.Module):
        def __init__(self):
            super().__init__()
            self.z, self.k = TwoWide(2, 3), tf2.Variable(tf2.zeros([7]))
            self.a = [TwoWide(3, 4), TwoWide(4, 5)]
            self.c = tf2.Variable(1.0, trainable=False)
            self.d = {"q": tf2.Variable(tf2.zeros([9])), "p": tf2.Variable(tf2.zeros([8]))}
            self.itself, self.again = self, (self.k, TwoWide(1, 1))

    net = Net()
    assert [v.shape.as_list() for v in net.trainable_variables] == [
        [7], [8], [9], [4], [3, 4], [5], [4, 5], [1], [1, 1], [3], [2, 3]]
    assert [v.shape.as_list() for v in net.non_trainable_variables] == [[]]
    assert [m.name for m in net.submodules] == ["two_wide"] * 4 and net.name == "net"


def test_variables_of_each_kind_count(tf):
    """Of one that is a resource `tf.count_up_to` raised a TypeError."""
    for is_resource, kind in ((True, "ResourceCountUpTo"), (False, "CountUpTo")):
        variable = tf.Variable(0, use_resource=is_resource)
        assert variable.count_up_to(3).op.type == tf.count_up_to(variable, 3).op.type == kind


def test_an_eager_variable_counts_to_its_limit(tf2):
    variable, count = tf2.Variable(0), tf2.compat.v1.count_up_to
    assert [count(variable, 2).numpy() for _ in range(2)] == [0, 1] and variable.numpy() == 2
    with pytest.raises(tf2.errors.OutOfRangeError, match="Reached limit of 2"):
        count(variable, 2)
    with pytest.raises(tf2.errors.InvalidArgumentError, match="input is not a scalar"):
        count(tf2.Variable([1, 2]), 2)
