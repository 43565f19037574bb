"""What Python does in the body of a tf.function happens as often as in TensorFlow, which lets it run once for
each kind of arguments, while our body runs again where the content of small tensors may decide shapes.
Answers of the real 2.21."""
import random
import sys

import numpy as np
import pytest


@pytest.fixture
def tf(tf2):
    return tf2


LOG = []
WIDTH = 2


def called(item):
    LOG.append(item)
    print("called", item)


def test_a_body_of_one_kind_prints_and_appends_once(tf, capsys):
    count, table, seen = 0, {}, set()
    del LOG[:]

    @tf.function
    def zeros(n):
        nonlocal count
        count += 1
        called(count)
        table[count] = 1
        seen.add(count)
        print("traced", file=sys.stderr)
        return tf.zeros([n])

    assert [zeros(tf.constant(n)).shape.as_list() for n in (1, 2, 3, 2)] == [[1], [2], [3], [2]]
    assert (count, LOG, table, seen) == (1, [1], {1: 1}, {1})
    assert capsys.readouterr() == ("called 1\n", "traced\n")
    assert [zeros(n).shape.as_list() for n in (1, 2)] == [[1], [2]] and LOG == [1, 2, 3]


def test_names_and_random_numbers_are_those_of_the_trace(tf, monkeypatch):
    @tf.function
    def cut(x, n):
        return x[:n, :WIDTH], tf.zeros([1 + int(random.random() * 1000), 1 + int(np.random.rand() * 1000)])

    x = tf.zeros([5, 5])
    random.seed(1), np.random.seed(1)
    first = cut(x, tf.constant(1))
    random.seed(2)
    now = random.getstate()
    monkeypatch.setitem(globals(), "WIDTH", 4)
    second = cut(x, tf.constant(2))
    assert second[0].shape == (2, 2) and first[1].shape == second[1].shape and random.getstate() == now
    assert WIDTH == 4 and cut(tf.zeros([6, 5]), tf.constant(2))[0].shape == (2, 4)


def test_attributes_of_objects_change_once(tf):
    class Model:
        def __init__(self):
            self.calls, self.losses = 0, []

        @tf.function
        def __call__(self, n):
            self.calls += 1
            self.losses.append(n)
            return tf.zeros([n])

    model = Model()
    assert [model(tf.constant(n)).shape[0] for n in (3, 4, 5)] == [3, 4, 5]
    assert model.calls == len(model.losses) == 1


def test_which_arguments_are_one_trace(tf):
    @tf.function
    def kinds(*a, **k):
        LOG.append(1)
        return 1

    del LOG[:]
    v, w = tf.Variable(1.), tf.Variable(2.)
    ragged, sparse = tf.ragged.constant, tf.sparse.from_dense
    for calls, traces in (
            ([(v,), (w,), (v, w), (w, v), (v, v)], 3),
            ([(np.zeros([2]),), (tf.zeros([2], tf.float64),), (np.float64(3),), (np.float64(4),)], 5),
            ([([1, 2],), ((1, 2),), ([1, 2],), {"x": 1}, {"x": 1, "y": 2}, {"y": 2, "x": 1}], 9),
            ([(ragged([[1], [2, 3]]),), (ragged([[1], [2, 3, 4]]),)], 10),
            ([(sparse([[1, 0]]),), (sparse([[1, 1]]),)], 11),
            ([(x,) for x in ("a", "a", "b", None, None, 1.5, True, 1)], 16)):
        for given in calls:
            kinds(**given) if isinstance(given, dict) else kinds(*given)
        assert len(LOG) == traces == kinds.experimental_get_tracing_count()


def test_defaults_names_and_places_are_one_trace(tf):
    @tf.function
    def three(a, b=2, *, c=3):
        return a

    three(1), three(1, 2), three(a=1, b=2), three(1, c=3), three(1, b=3)
    assert three.experimental_get_tracing_count() == 2

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def one(x):
        return x

    one(tf.constant([1])), one([1, 2]), one(np.array([1, 2, 3], np.int32))
    assert one.experimental_get_tracing_count() == 1

    @tf.function
    def named(x):
        LOG.append("named")
        return x

    del LOG[:]
    concrete = named.get_concrete_function(tf.TensorSpec([None], tf.int32))
    concrete(tf.constant([1])), concrete(tf.constant([1, 2])), named(tf.constant([1, 2, 3]))
    assert LOG == ["named"]


def test_a_body_that_makes_its_variables_is_traced_twice_and_runs_once(tf):
    step = tf.Variable(0)

    class Lazy:
        w, traces = None, 0

        @tf.function
        def __call__(self, x):
            self.traces += 1
            step.assign_add(1)
            if self.w is None:
                self.w = tf.Variable(1.)
            self.w.assign_add(1.)
            return x * self.w

    lazy = Lazy()
    found = []
    for _ in range(2):
        lazy(1.)
        found.append((int(step), float(lazy.w), lazy.traces))
    assert found == [(1, 2., 2), (2, 3., 2)]


def test_a_variable_for_each_trace_is_refused(tf):
    @tf.function
    def makes():
        return tf.Variable(1.)

    with pytest.raises(ValueError, match="only supports singleton tf.Variables created on the first call"):
        makes()

    @tf.function
    def lifted():
        with tf.init_scope():
            v = tf.Variable(1.)
        return v + 1.

    assert lifted().shape == []


def test_what_an_op_prints_is_printed_by_each_run(tf, capsys):
    @tf.function
    def prints(x):
        tf.print("op", x, output_stream=sys.stdout)
        print("traced")
        return x

    for n in (1, 1, 2, 1):
        prints(tf.constant(n))
    tf.print("eager")
    assert capsys.readouterr() == ("traced\nop 1\nop 1\nop 2\nop 1\n", "eager\n")


def test_functions_of_python_are_called_with_what_is_known(tf, capsys):
    x = tf.constant([1., 2.])
    doubled = tf.numpy_function(lambda a: (print("array", a.shape), np.tile(a, 2))[1], [x], tf.float32)
    several = tf.py_function(lambda a, b: (print("tensors", a.shape, int(b)), [a, b])[1], [x, 1],
                             [tf.float32, tf.int32])
    assert doubled.shape == [4] and [one.shape.as_list() for one in several] == [[2], []]

    @tf.function
    def traced(x):
        return tf.numpy_function(lambda a: (print("run", a.shape), a)[1], [x], tf.float32)

    traced(x), traced(x)
    assert capsys.readouterr().out == "array (2,)\ntensors (2,) 1\nrun (2,)\nrun (2,)\n"


@pytest.mark.parametrize("gives", [lambda a: [][1], lambda a: a.astype("int32"), lambda a: None])
def test_of_what_fails_in_a_function_of_python_only_the_dtype_is_known(tf, gives):
    made = tf.numpy_function(gives, [tf.constant([1., 2.])], tf.float32)
    assert made.dtype == tf.float32 and made.shape.ndims is None
    assert tf.numpy_function(gives, [tf.random.normal([200])], tf.float32).shape.ndims is None


def test_a_shape_that_the_body_counts_itself_goes_on_growing(tf):
    count, double = tf.Variable(1), tf.Variable(1)

    @tf.function
    def longer(x):
        count.assign_add(1)
        double.assign(double * 2)
        return tf.zeros([count]), tf.zeros([double]), tf.reduce_sum(x)

    made = [longer(tf.zeros([1 + turn % 2])) for turn in range(6)]
    assert [one.shape[0] for one, _, _ in made] == [2, 3, 4, 5, 6, 7]
    assert [two.shape[0] for _, two, _ in made] == [2, 4, 8, 16, 32, 64]


def test_a_variable_that_a_body_does_not_use_does_not_run_it_again(tf, monkeypatch):
    """What another signature has shown of a counter is not tried once more either."""
    monkeypatch.setattr(sys, "runs", [], raising=False)  # what sys holds is not undone
    steps, size, scale = tf.Variable(0), tf.Variable(3), tf.Variable(1.0)

    @tf.function
    def train(x):
        sys.runs.append(x.shape[0])
        steps.assign_add(1)
        scale.assign_add(tf.cast(steps, tf.float32))
        return tf.reduce_sum(x)

    @tf.function
    def test(x):
        sys.runs.append("test")
        return tf.zeros([int(size.numpy())]) if x.shape[0] == 1 else tf.reduce_sum(x)

    @tf.function
    def grow():
        size.assign_add(1)

    for _ in range(3):
        for rows in (8, 8, 8, 5):
            train(tf.zeros([rows]))
        test(tf.zeros([8]))
    assert sys.runs == [8, 8, 5, "test"] and int(steps) == 12
    given = []
    for _ in range(3):
        given.append(test(tf.zeros([1])).shape[0])
        grow()
    assert given == [3, 4, 5]


def _whole(tf, data, step):
    """The results of all steps of an epoch."""
    iterator, found = iter(data), []
    while True:
        try:
            found.append(step(iterator))
        except tf.errors.OutOfRangeError:
            return found


def test_a_body_that_takes_the_next_element_runs_for_each_kind_of_it(tf, monkeypatch):
    monkeypatch.setattr(sys, "runs", [], raising=False)
    data = tf.data.Dataset.from_tensor_slices(np.zeros([20, 3], "float32")).batch(8)
    steps, scale = tf.Variable(0), tf.Variable([1.0, 1.0])

    @tf.function
    def step(iterator):
        x = iterator.get_next()
        sys.runs.append(x.shape[0])
        steps.assign_add(1)
        scale.assign(scale * tf.reduce_sum(x))
        return tf.experimental.Optional.from_value({"x": x, "loss": tf.reduce_sum(x)})

    for epoch in range(3):
        scale.assign([2.0, 2.0])
        found = [one.get_value() for one in _whole(tf, data, step)]
        assert [one["x"].shape[0] for one in found] == [8, 8, 4] and int(steps) == 3 * epoch + 3
        assert tf.get_static_value(scale) is None
        found[0]["more"] = 1  # what one call gave is the program's own
        found[1].clear()
    assert len(sys.runs) <= 5


def test_a_body_that_takes_several_elements_runs_each_time(tf):
    data = tf.data.Dataset.from_tensor_slices(np.zeros([24, 3], "float32")).batch(4)
    other = iter(tf.data.Dataset.range(100).batch(7, drop_remainder=False))

    @tf.function
    def two(iterator):
        return iterator.get_next(), iterator.get_next()

    @tf.function
    def beside(iterator):
        return iterator.get_next(), next(other)

    @tf.function
    def some(iterator, count):
        return [iterator.get_next() for _ in range(count)]

    assert len(_whole(tf, data, two)) == 3 and len(_whole(tf, data, beside)) == 6
    assert len(list(other)) == 15 - 6
    iterator = iter(data)
    assert [len(some(iterator, count)) for count in (1, 1, 2, 1, 1)] == [1, 1, 2, 1, 1]
    with pytest.raises(tf.errors.OutOfRangeError):
        some(iterator, 1)


def test_what_a_function_gives_is_the_caller_s_to_change(tf):
    @tf.function
    def parts(x):
        return {"sum": tf.reduce_sum(x), "rest": [x]}

    first = parts(tf.zeros([2]))
    first["more"], _ = 1, first["rest"].append(2)
    second = parts(tf.zeros([2]))
    assert sorted(second) == ["rest", "sum"] and len(second["rest"]) == 1
    second.clear()
    assert sorted(parts(tf.zeros([2]))) == ["rest", "sum"]
