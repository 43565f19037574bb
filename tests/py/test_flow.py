"""cond, while_loop, map_fn and their kin: structure, shapes, messages of TensorFlow 1.15."""
import numpy as np
import pytest


def test_cond_merges_its_branches(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    r = tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: tf.zeros([4, 3]))
    assert r.name == "cond/Merge:0" and r.get_shape().as_list() == [None, 3]
    with tf.Session() as sess:
        assert sess.run(tf.cond(tf.constant(True), lambda: tf.ones([2]), lambda: tf.ones([3]))).shape == (2,)


def test_cond_errors(tf):
    p = tf.placeholder(tf.bool, [])
    with pytest.raises(TypeError, match="pred must not be a Python bool"):
        tf.cond(True, lambda: 1, lambda: 2)
    text = "Outputs of true_fn and false_fn must have the same type: int32, float32"
    with pytest.raises(ValueError, match=text):
        tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(1.0))
    with pytest.raises(ValueError, match="true_fn must have a return value."):
        tf.cond(p, lambda: None, lambda: tf.constant(1))


def test_untaken_branch_reports_nothing(tf):
    x = tf.placeholder(tf.float32)
    wide = tf.greater(tf.rank(x), 1)
    r = tf.cond(wide, lambda: tf.matmul(x, tf.ones([3, 2])), lambda: x)
    with tf.Session() as sess:
        assert sess.run(r, {x: np.zeros(4)}).shape == (4,)
        assert sess.run(r, {x: np.zeros((4, 3))}).shape == (4, 2)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(r, {x: np.zeros((4, 5))})


def test_case(tf):
    x = tf.placeholder(tf.float32, [])
    r = tf.case([(x < 1.0, lambda: tf.zeros([2])), (x > 2.0, lambda: tf.ones([2]))],
                default=lambda: tf.ones([2]) * 3.0)
    assert r.get_shape().as_list() == [2]


def test_while_loop(tf):
    i, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [tf.constant(0), tf.zeros([2])])
    assert (i.name, x.name, x.get_shape().as_list()) == ("while/Exit:0", "while/Exit_1:0", [2])
    with tf.Session() as sess:
        assert sess.run([i, x])[1].shape == (2,)


def test_a_short_while_loop_counts(tf):
    """What a program branches on: the count of a loop whose predicate is known."""
    n, total = tf.while_loop(lambda n, total: n < 10, lambda n, total: (n + 1, total + 0.5),
                             [tf.constant(0), tf.constant(3.0)])
    with tf.Session() as sess:
        assert sess.run([n, total]) == [10, 8.0]


def test_while_loop_shape_must_not_vary(tf, version):
    def grow():
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)),
                             [tf.constant(0), tf.zeros([1])])

    with pytest.raises(ValueError) as e:
        grow()
    assert str(e.value) == (
        "Input tensor 'zeros:0' enters the loop with shape (1,), but has shape (2,) after one iteration. "
        "To allow the shape to vary across iterations, use the `shape_invariants` argument of "
        "tf.while_loop to specify a less-specific shape.")
    version("1.8.0")
    with pytest.raises(ValueError) as e:
        grow()
    assert str(e.value) == (
        "The shape for while/Merge_1:0 is not an invariant for the loop. It enters the loop with shape "
        "(1,), but has shape (2,) after one iteration. Provide shape invariants using either the "
        "`shape_invariants` argument of tf.while_loop or set_shape() on the loop variables.")


def test_while_loop_with_invariants(tf):
    _, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)),
                         [tf.constant(0), tf.zeros([1])],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    assert x.get_shape().as_list() == [None]
    with tf.Session() as sess:
        assert sess.run(x).shape == (8,)


def test_tensor_array(tf):
    ta = tf.TensorArray(tf.float32, size=5)
    _, ta = tf.while_loop(lambda i, t: i < 5, lambda i, t: (i + 1, t.write(i, tf.zeros([3]))), [0, ta])
    assert ta.stack().get_shape().as_list()[1:] == [3]
    x = tf.placeholder(tf.float32, [None, 4])
    back = tf.TensorArray(tf.float32, size=tf.shape(x)[0]).unstack(x)
    assert back.read(0).get_shape().as_list() == [4]
    with tf.Session() as sess:
        assert sess.run(ta.stack()).shape == (5, 3)
        assert sess.run(back.stack(), {x: np.zeros((7, 4))}).shape == (7, 4)
    with pytest.raises((ValueError, TypeError)):
        back.write(0, tf.constant(1))


def test_map_scan_fold(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5])
    assert tf.map_fn(tf.reduce_sum, x).get_shape().as_list() == [None]
    assert tf.scan(lambda a, e: a + e, x).get_shape().as_list() == [None, 4, 5]
    assert tf.foldl(lambda a, e: a + e, x).get_shape().as_list() == [4, 5]
    (grad,) = tf.gradients(tf.map_fn(tf.reduce_sum, x), x)
    assert grad.get_shape().as_list() == [None, 4, 5]
    with tf.Session() as sess:
        assert sess.run(tf.map_fn(tf.reduce_sum, x), {x: np.zeros((6, 4, 5))}).shape == (6,)
    with pytest.raises(ValueError, match="not a scalar"):
        tf.map_fn(lambda e: e, tf.constant(1.0))


def test_group_tuple_and_dependencies(tf):
    a, b = tf.constant(1.0), tf.constant([1.0, 2.0])
    op = tf.group(a, b)
    assert (op.name, op.type) == ("group_deps", "NoOp")
    assert [t.get_shape().as_list() for t in tf.tuple([a, b])] == [[], [2]]
    with tf.control_dependencies([op]):
        assert tf.identity(b).op.control_inputs == [op]


def test_py_func_is_unknown(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.py_func(lambda v: v, [x], tf.int64)
    assert y.dtype == tf.int64 and y.get_shape().ndims is None
    y.set_shape([None, 2])
    assert (y + tf.constant([1, 2], tf.int64)).get_shape().as_list() == [None, 2]


def test_eager_flow(tf2):
    assert tf2.cond(tf2.constant(True), lambda: 1.0, lambda: 2.0) == 1.0
    (i,) = tf2.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf2.constant(0)])
    assert int(i) == 3
    unknown = tf2.reduce_sum(tf2.random.normal([3]))
    (r,) = tf2.while_loop(lambda v: v < 100.0, lambda v: [v + 1.0], [unknown])
    assert r.shape == ()
    assert tf2.map_fn(lambda v: v * 2, tf2.ones([2, 3])).shape == (2, 3)


@pytest.mark.parametrize("feed", [[True], [True, False]])
def test_a_predicate_that_is_no_scalar_when_it_is_fed(tf, feed):
    """Construction cannot see it; the Switch's kernel does (control flow of TensorFlow 1)."""
    p = tf.placeholder(tf.bool)
    branch = tf.cond(p, lambda: tf.zeros([2]), lambda: tf.zeros([2]))
    loop = tf.while_loop(lambda i: tf.logical_and(p, i < 3), lambda i: i + 1, [tf.constant(0)])
    with tf.Session() as sess:
        for fetch in (branch, loop):
            text = r"The second input must be a scalar, but it has shape \[%d\]" % len(feed)
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                sess.run(fetch, {p: feed})


@pytest.mark.parametrize("shape", [None, [None], [1]])
def test_a_predicate_of_one_element_in_tensorflow_2(tf2, shape):
    """If and While take it, whatever its rank: it was refused as no scalar."""
    v1 = tf2.compat.v1
    with tf2.Graph().as_default():
        p = v1.placeholder(tf2.bool, shape)
        branch = tf2.cond(p, lambda: tf2.zeros([2]), lambda: tf2.zeros([2]))
        loop = tf2.while_loop(lambda i: tf2.logical_and(p, i < 3), lambda i: i + 1, [tf2.constant(0)])
        with v1.Session() as sess:
            assert sess.run(branch, {p: [True]}).shape == (2,)
            sess.run(loop, {p: [True]})
            if shape != [1]:
                with pytest.raises(tf2.errors.InvalidArgumentError):
                    sess.run(branch, {p: [True, False]})
