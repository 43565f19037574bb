"""What is not modelled stays unknown, also through numpy and through a feed: never a finding."""

import numpy as np
import pytest

from command import lines, report_of, shapeflow, write
from shapeflow import _core


def test_unknown_through_numpy_and_feed(tf):
    image = tf.contrib.image.compose_transforms([1.0])
    x = tf.placeholder(tf.float32, [None, 250, 250, 3])
    y = tf.reduce_sum(x)
    opaque = tf.contrib.quantize.create_training_graph()
    batch = np.transpose(np.expand_dims(opaque.images, 0), [0, 3, 1, 2]) / 255.0
    with tf.Session() as sess:
        for value in (opaque, batch, np.asarray(opaque), np.zeros(3) + opaque):
            assert sess.run(y, {x: value}).shape == ()
    assert image is not None
    assert [f for f in _core.findings() if f.severity == "error"] == []


def test_infinite_default_of_an_integer_flag(tf):
    tf.app.flags.DEFINE_integer("train_size_for_test", np.inf, "no limit")
    assert tf.app.flags.FLAGS.train_size_for_test == np.inf


def test_training_step_of_an_unmodelled_model(tf2):
    model = tf2.keras.Sequential([tf2.keras.layers.Dense(2)])
    optimizer = tf2.keras.optimizers.Adam()
    with tf2.GradientTape() as tape:
        loss = tf2.reduce_mean(model(tf2.zeros([4, 3])))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def _unknown():
    from shapeflow.api.unmodelled import Opaque

    return Opaque("tf.contrib.something.not_modelled")


def _silent():
    assert [f.message for f in _core.findings() if f.severity == "error"] == []


def test_a_shape_that_only_we_do_not_know_is_no_error(tf):
    x = tf.identity(tf.convert_to_tensor(_unknown())) + 1.0
    first, second = tf.unstack(x)
    rows = tf.unstack(x, axis=1)
    tf.layers.dense(x, 3)
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(4), x, dtype=tf.float32)
    assert len(rows) == 1
    tf.matmul(first, second)
    _silent()


def test_a_shape_that_tensorflow_does_not_know_either_is_one(tf):
    x = tf.py_func(lambda: 1, [], tf.float32)
    with pytest.raises(ValueError, match="Cannot infer num from shape <unknown>"):
        tf.unstack(x)
    assert [f.code for f in _core.findings()] == ["SF132"]


def test_the_dtype_of_what_is_not_modelled_fits_everywhere(tf):
    x = _unknown()
    table = tf.zeros([3, 4])
    assert tf.gather(table, x).dtype == tf.float32
    assert tf.string_join([x, "a"]).dtype == tf.string
    assert (x + tf.constant(3)).dtype == tf.int32
    assert (tf.identity(x) * 2 + tf.constant(3, tf.int64)).dtype is not None
    tf.concat([x, tf.zeros([2], tf.int32)], 0)
    tf.equal(x, "abc")
    tf.convert_to_tensor(x)[tf.identity(x)]
    tf.cond(tf.equal(x, 0), lambda: tf.identity(x), lambda: tf.constant(1))
    tf.map_fn(lambda v: v * 2, tf.zeros([3], tf.int32) + x, dtype=tf.int32)
    tf.TensorArray(tf.int32, 3).write(0, x)
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.identity(x), logits=tf.zeros([3, 4]))
    _silent()


def test_a_dtype_that_is_known_to_be_wrong_stays_an_error(tf):
    with pytest.raises(TypeError):
        tf.gather(tf.zeros([3, 4]), tf.zeros([2]))
    with pytest.raises(TypeError):
        tf.py_func(lambda: 1, [], tf.float32) + tf.constant(1, tf.int64)


def test_an_unknown_tensor_unpacks_into_as_many_as_are_wanted(tf2):
    a, b, c = tf2.identity(_unknown())
    assert a is not b and c is not None


@pytest.mark.parametrize("unmodelled", [False, True])
def test_every_error_in_a_large_graph_is_found(tf, unmodelled):
    with tf.Graph().as_default():
        first = tf.identity(_unknown()) if unmodelled else tf.placeholder(tf.float32, None)
        x = y = tf.placeholder(tf.float32, [2, 2])
        for _ in range(100_000):
            x, y = tf.identity(x), tf.identity(y)
        k = tf.constant([[1, 2], [3, 4]])
        found = 0
        for i in range(3_200):
            try:
                tf.matmul(x if i % 2 else y, k)
            except TypeError:
                found += 1
            x = tf.identity(x)
        assert first is not None and found == 3_200


def test_answers_in_a_large_graph_do_not_wear_out(tf):
    with tf.Graph().as_default():
        x, y = tf.identity(_unknown()), tf.placeholder(tf.float32, None)
        for _ in range(100_000):
            x, y = tf.identity(x), tf.identity(y)
        assert all(_core.is_unmodelled(x) and not _core.is_unmodelled(y) for _ in range(4_000))


def test_what_is_computed_from_a_ragged_tensor_may_be_ragged(tf2):
    words = tf2.strings.split(tf2.constant(["a b c", "d e"]))
    both = tf2.concat([words, words], axis=1)
    assert tf2.matmul(tf2.cast(both.to_tensor(), tf2.float32), tf2.zeros([6, 4])).shape == (2, 4)
    assert both.row_lengths() is not None and not hasattr(tf2.zeros([2, 3]), "to_tensor")
    with pytest.raises(AttributeError, match="'EagerTensor' object has no attribute 'to_tensor'"):
        tf2.zeros([2, 3]).to_tensor()
    _silent()


def test_a_loop_over_a_range_of_unknown_length_in_a_function(tf2):
    @tf2.function
    def total(n):
        found = tf2.zeros([3])
        for i in tf2.range(n):
            found += tf2.cast(i, tf2.float32)
        return found

    made = total.get_concrete_function(tf2.TensorSpec([], tf2.int32))
    assert made.structured_outputs is not None
    _silent()


def test_variables_and_batches_of_something_unmodelled_are_no_findings(tmp_path):
    """TensorFlow knows their shapes: an initial value, an image of an unmodelled data provider."""
    script = tmp_path / "program.py"
    script.write_text("""import tensorflow as tf
x = tf.contrib.resampler.resampler(tf.zeros([2, 4, 4, 3]), tf.zeros([2, 5, 2]))
v = tf.Variable(tf.reshape(x, tf.shape(x)))
w = tf.get_variable("w", initializer=tf.nn.relu(x))
a, b = tf.train.batch([tf.nn.relu(x), tf.zeros([3])], batch_size=2)
c = tf.train.batch({"x": tf.nn.relu(x)}, batch_size=2, dynamic_pad=True)["x"]
d = tf.train.shuffle_batch([tf.nn.relu(x)], 2, 8, 4, enqueue_many=True)
tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
""")
    from shapeflow.checker import runner

    report = runner.run(str(script), ["--tf-version", "1.15.0", "--no-cache"])
    assert [record.primary.line for record in report.of("error")] == [8]
    assert report.failure is None


def test_lists_of_what_is_unmodelled_have_a_shape_that_nobody_knows(tmp_path):
    """A state of an environment that is not installed is fed as a batch of one."""
    write(tmp_path, train="""import gym, numpy as np, tensorflow as tf
state = gym.make('Own-v0').reset()
x = tf.placeholder(tf.float32, [None, 4])
y = tf.square(x)
with tf.Session() as sess:
    for fed in ([state], [state, state], (state,), [[state]], [state[0], state[1]], [[1, 2, 3, state]],
                np.array([state, state], dtype=object), [np.zeros(4), state]):
        sess.run(y, {x: fed})
    sess.run(y, {x: [[1, 2, state]]})
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--format", "concise", "train.py")
    assert lines(done) == [("train.py", 9, "SF301")]


def test_a_finalized_graph_can_fetch_what_is_not_modelled(tf):
    unknown = tf.contrib.distributions.Autoregressive(lambda sample: sample).mean()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.ones([2])
        graph.finalize()
        session.run(unknown)
        assert graph.finalized
        with pytest.raises(RuntimeError, match="finalized"):
            tf.zeros([2])


def test_a_graph_that_is_read_back_is_as_it_was(tmp_path):
    write(tmp_path, train="""import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3], name="x")
w = tf.get_variable("w", [3, 4])
y = tf.contrib.distributions.Autoregressive(lambda sample: sample).mean() + tf.matmul(x, w)
tf.train.AdamOptimizer().minimize(tf.reduce_sum(y))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    tf.train.Saver().save(session, "model")
tf.reset_default_graph()
tf.train.import_meta_graph("model.meta")
tf.matmul(tf.get_default_graph().get_tensor_by_name("x:0"), tf.zeros([4, 4]))
""")
    report, done = report_of(tmp_path)
    codes = [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["severity"] == "error"]
    assert codes == [("SF101", 11)], done.stderr
    unmodelled = [f["message"] for f in report["findings"] if f["code"] == "SF901"]
    assert unmodelled and not any("Sf" in message for message in unmodelled)
