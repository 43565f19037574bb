"""Optimizers, gradients, savers, monitored sessions. Names and messages are TensorFlow 1.15's."""
import numpy as np
import pytest


@pytest.fixture
def model(tf):
    class Model:
        x = tf.placeholder(tf.float32, [None, 784], name="x")
        w = tf.Variable(tf.zeros([784, 10]), name="w")
        b = tf.Variable(tf.zeros([10]), name="b")
        loss = tf.reduce_mean(tf.matmul(x, w) + b)
        feed = {x: np.zeros((5, 784))}

    return Model


@pytest.mark.parametrize("make, slots, names", [
    (lambda t: t.GradientDescentOptimizer(0.1), [], []),
    (lambda t: t.MomentumOptimizer(0.1, 0.9), ["momentum"], ["b/Momentum:0", "w/Momentum:0"]),
    (lambda t: t.AdamOptimizer(), ["m", "v"],
     ["b/Adam:0", "b/Adam_1:0", "beta1_power:0", "beta2_power:0", "w/Adam:0", "w/Adam_1:0"]),
    (lambda t: t.AdagradOptimizer(0.1), ["accumulator"], ["b/Adagrad:0", "w/Adagrad:0"]),
    (lambda t: t.AdadeltaOptimizer(), ["accum", "accum_update"],
     ["b/Adadelta:0", "b/Adadelta_1:0", "w/Adadelta:0", "w/Adadelta_1:0"]),
    (lambda t: t.RMSPropOptimizer(0.1), ["momentum", "rms"],
     ["b/RMSProp:0", "b/RMSProp_1:0", "w/RMSProp:0", "w/RMSProp_1:0"]),
    (lambda t: t.FtrlOptimizer(0.1), ["accum", "linear"],
     ["b/Ftrl:0", "b/Ftrl_1:0", "w/Ftrl:0", "w/Ftrl_1:0"]),
    (lambda t: t.ProximalAdagradOptimizer(0.1), ["accumulator"],
     ["b/ProximalAdagrad:0", "w/ProximalAdagrad:0"]),
    (lambda t: t.ProximalGradientDescentOptimizer(0.1), [], []),
])
def test_optimizers_run_and_count_steps(tf, model, make, slots, names):
    optimizer = make(tf.train)
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(model.loss, global_step=step)
    assert train.name == optimizer.get_name() and optimizer.get_slot_names() == slots
    assert [v.name for v in optimizer.variables()] == names
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            assert sess.run(train, model.feed) is None
        assert sess.run(step) == 3 and tf.train.global_step(sess, step) == 3


def test_optimizer_errors(tf, model):
    with pytest.raises(ValueError, match="^No gradients provided for any variable, check your graph "
                                         "for ops that do not support gradients, between variables"):
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(model.x))
    with pytest.raises(ValueError, match="Invalid type tf.int32 for"):
        tf.train.AdamOptimizer().minimize(tf.constant(1))
    with pytest.raises(ValueError, match="^No variables to optimize.$"):
        tf.train.AdamOptimizer().minimize(model.loss, var_list=[])
    with pytest.raises(ValueError, match="^No variables provided.$"):
        tf.train.AdamOptimizer().apply_gradients([])


def test_gradients(tf, model):
    grads = tf.gradients(model.loss, [model.w, model.b, model.x, tf.constant(1.0)])
    assert [None if g is None else g.get_shape().as_list() for g in grads] == [
        [784, 10], [10], [None, 784], None]
    stopped = tf.gradients(tf.stop_gradient(model.w) * 2.0, model.w)
    assert stopped == [None]
    with pytest.raises(ValueError, match="Passed 2 grad_ys for 1 ys"):
        tf.gradients(model.loss, model.w, grad_ys=[1.0, 2.0])


def test_embedding_gradients_are_indexed_slices(tf):
    table = tf.get_variable("table", [100, 8])
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 2]))
    (grad,) = tf.gradients(loss, table)
    assert isinstance(grad, tf.IndexedSlices) and grad.values.get_shape().as_list() == [2, 8]
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)


def test_clipping(tf, model):
    grads, norm = tf.clip_by_global_norm(tf.gradients(model.loss, [model.w, model.b]), 5.0)
    assert [g.get_shape().as_list() for g in grads] == [[784, 10], [10]]
    assert norm.get_shape().as_list() == []
    assert tf.clip_by_norm(model.w, 1.0).get_shape().as_list() == [784, 10]


def test_decay_and_moving_average(tf, model):
    step = tf.train.get_or_create_global_step()
    assert tf.train.exponential_decay(0.1, step, 100, 0.9, staircase=True).get_shape().as_list() == []
    assert tf.train.piecewise_constant(step, [10, 20], [1.0, 0.5, 0.1]).get_shape().as_list() == []
    average = tf.train.ExponentialMovingAverage(0.99)
    op = average.apply([model.w, model.b])
    assert average.average(model.w).name == "w/ExponentialMovingAverage:0"
    assert average.average_name(model.b) == "b/ExponentialMovingAverage"
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(op)


def test_saver_writes_nothing_and_checks_shapes(tf, model, tmp_path):
    saver = tf.train.Saver()
    prefix = str(tmp_path / "model")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError):
            saver.save(sess, prefix)
        sess.run(tf.global_variables_initializer())
        assert saver.save(sess, prefix, global_step=7) == prefix + "-7"
    assert list(tmp_path.iterdir()) == []
    assert tf.train.latest_checkpoint(str(tmp_path)) == prefix + "-7"
    assert tf.train.get_checkpoint_state(str(tmp_path)).model_checkpoint_path == prefix + "-7"
    with tf.Session() as sess:
        saver.restore(sess, prefix + "-7")
        assert sess.run(model.w).shape == (784, 10)
    tf.reset_default_graph()
    tf.Variable(tf.zeros([784, 9]), name="w")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"lhs shape= \[784,9\]"):
            tf.train.Saver().restore(sess, prefix + "-7")
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            tf.train.Saver().restore(sess, str(tmp_path / "other"))


def test_monitored_session_stops_at_its_step(tf, model):
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(model.loss, global_step=step)
    seen = []

    class Hook(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs({"loss": model.loss})

        def after_run(self, run_context, run_values):
            seen.append(run_values.results["loss"])

    hooks = [tf.train.StopAtStepHook(last_step=5), Hook()]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(train, feed_dict=model.feed)
    assert len(seen) == 5


def test_supervisor_and_coordinator_end(tf, model):
    supervisor = tf.train.Supervisor(logdir=None)
    with supervisor.managed_session() as sess:
        assert sess.run(model.loss, model.feed).shape == ()
    coordinator, runs = tf.train.Coordinator(), 0
    while not coordinator.should_stop():
        runs += 1
    assert 100 <= runs <= 10000
    coordinator.join([])


def test_queues_and_batches(tf):
    names = tf.train.string_input_producer(["a.csv", "b.csv"])
    key, value = tf.TextLineReader(skip_header_lines=1).read(names)
    columns = tf.decode_csv(value, [[1.0], [1.0], [1]])
    features = tf.stack(columns[:2])
    batch, labels = tf.train.shuffle_batch([features, columns[2]], batch_size=10, capacity=100,
                                           min_after_dequeue=10)
    assert (batch.get_shape().as_list(), labels.get_shape().as_list()) == ([10, 2], [10])
    with pytest.raises(ValueError, match="All shapes must be fully defined"):
        tf.train.batch([tf.placeholder(tf.float32, [None])], 3)
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess=sess)
        assert sess.run(batch).shape == (10, 2) and threads == []


def test_summaries(tf, model, tmp_path):
    tf.summary.scalar("loss", model.loss)
    tf.summary.histogram("w", model.w)
    merged = tf.summary.merge_all()
    writer = tf.summary.FileWriter(str(tmp_path), tf.get_default_graph())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        writer.add_summary(sess.run(merged, model.feed), 1)
    assert list(tmp_path.iterdir()) == []


def test_the_bases_of_optimizers_and_initializers_are_tensorflows(tf):
    """gpflow 1 takes the classes of tf.train whose __base__ is Optimizer; so are initializers told apart."""
    found = {name for name in dir(tf.train) if isinstance(getattr(tf.train, name), type)
             and getattr(tf.train, name).__base__ is tf.train.Optimizer}
    assert found >= {"AdadeltaOptimizer", "AdagradDAOptimizer", "AdagradOptimizer", "AdamOptimizer",
                     "FtrlOptimizer", "GradientDescentOptimizer", "MomentumOptimizer",
                     "ProximalAdagradOptimizer", "ProximalGradientDescentOptimizer", "RMSPropOptimizer"}
    assert not isinstance(tf.ones_initializer(), tf.zeros_initializer)
    assert not isinstance(tf.truncated_normal_initializer(), tf.random_normal_initializer)


def test_an_optimizer_of_the_programs_own_applies_what_it_defines(tf):
    class Mine(tf.train.Optimizer):
        pass

    v = tf.Variable([1.0, 2.0])
    optimizer = Mine(False, "mine")
    optimizer._hyper = {"rate": 0.1}  # a name of its own
    with pytest.raises(NotImplementedError):
        optimizer.minimize(tf.reduce_sum(v * v))
