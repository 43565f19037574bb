"""A tensor that was there before the tape has no gradient unless it is watched. Answers of the real 2.21."""
from command import report_of, write


def test_what_is_there_before_is_watched_by_request(tf2):
    x, v = tf2.constant([1., 2.]), tf2.Variable([1., 2.])
    with tf2.GradientTape() as t:
        y = x * x
    assert t.gradient(y, x) is None
    with tf2.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    assert t.gradient(y, x).shape == t.gradient(y, [x])[0].shape == [2]
    with tf2.GradientTape(watch_accessed_variables=False) as t:
        y = x * v
    assert t.gradient(y, [x, v]) == [None, None]
    with tf2.GradientTape(persistent=True) as t:
        a = x * v
        y = a * a
    assert t.gradient(y, a).shape == t.gradient(y, v).shape == [2] and t.gradient(y, x) is None
    assert t.gradient(y, x, unconnected_gradients="zero").shape == [2]


def test_a_result_of_an_earlier_turn_is_another_tensor(tf2):
    v = tf2.Variable([1., 2.])
    for _ in range(3):
        with tf2.GradientTape() as t:
            a = v * 2.
            y = a * a
        assert t.gradient(y, a).shape == [2]
    t = tf2.GradientTape(persistent=True)
    with t:
        b = v * 3.
    with t:
        y = b * b
    assert t.gradient(y, b).shape == [2]


def test_what_is_given_twice_is_of_the_tape(tf2):
    v = tf2.Variable([1., 2.])
    before = v.value()

    @tf2.function
    def double(x):
        return x * v

    first = double(before)
    for _ in range(2):
        with tf2.GradientTape(persistent=True) as t:
            now, second = v.value(), double(before)
            y = now * now + second
        assert t.gradient(y, now).shape == t.gradient(y, second).shape == [2]
    assert before.shape == first.shape


def test_a_body_gets_tensors_that_are_not_watched(tf2):
    @tf2.function
    def forgets(z):
        with tf2.GradientTape() as t:
            y = z * z
        return t.gradient(y, z)

    @tf2.function
    def watches(z):
        with tf2.GradientTape() as t:
            t.watch(z)
            y = z * z
        return t.gradient(y, z)

    x = tf2.constant([1., 2.])
    assert forgets(x) is None and watches(x).shape == [2]


def test_a_tape_watches_the_variables_that_are_read(tf2):
    v, w, n = tf2.Variable([1., 2.]), tf2.Variable([3., 4.]), tf2.Variable([5., 6.], trainable=False)

    @tf2.function
    def scaled(x):
        return x * v * n

    for _ in range(3):  # the body runs once
        with tf2.GradientTape() as t:
            y = scaled(tf2.constant([1., 2.]))
        found = t.watched_variables()
        assert [id(one) for one in found] == [id(v)] and t.gradient(y, found)[0].shape == [2]
    with tf2.GradientTape() as outer:
        y = w * 1.
        with tf2.GradientTape() as inner:
            y = v * 1.
        with outer.stop_recording():
            y = y * n
    with tf2.GradientTape() as t:
        y = w.value() * v.read_value()
    assert [id(one) for one in t.watched_variables()] == [id(w), id(v)]
    assert [id(one) for one in inner.watched_variables()] == [id(v)]
    assert [id(one) for one in outer.watched_variables()] == [id(w), id(v)]
    with tf2.GradientTape(watch_accessed_variables=False) as t:
        t.watch(w)
        y = v * w
    assert len(t.watched_variables()) == 1 and t.watched_variables()[0] is w
    t.reset()
    assert t.watched_variables() == ()


def test_a_forgotten_watch_ends_as_in_tensorflow(tmp_path):
    write(tmp_path, train="""import tensorflow as tf
x = tf.random.normal([2, 3])
with tf.GradientTape() as t:
    y = tf.reduce_sum(x * x)
better = x + 0.1 * tf.sign(t.gradient(y, x))
""")
    report, _ = report_of(tmp_path)
    assert "value (None) with an unsupported type" in str(report["scripts"][0]["failure"])
