"""Loops of whole programs that `shapeflow check` leaves: what is found, what is said, what is confirmed."""
import re

import pytest

from command import lines, shapeflow, write

GRAPH = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 2]))
loss = tf.reduce_sum(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
LEFT = re.compile(r"(\d+) loops? left when nothing new came \(([\d,]+) of ([\d,]+) runs made\)")


def check(folder, source, *options):
    write(folder, train=source)
    return shapeflow(folder, "check", "--no-cache", "--no-suggestions", "--format", "concise", *options,
                     "train.py")


def test_a_million_steps_are_not_made(tmp_path):
    done = check(tmp_path, GRAPH + """
losses = []
for i in range(100_000_000_000):
    losses = [sess.run([loss, train], {x: np.zeros([8, 4])})[0]]
assert i == 99_999_999_999
""")
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr
    left, made, of = LEFT.search(done.stderr).groups()
    assert left == "1" and of == "100,000,000,001" and int(made.replace(",", "")) < 10_000_000


def test_a_shape_that_comes_late_is_found(tmp_path):
    source = GRAPH + """
for i in range(150_000):
    sess.run(train, {x: np.zeros([8, 4])})
    if i == 123_456:
        sess.run(train, {x: np.zeros([8, 5])})
"""
    line = source.count("\n")
    found = check(tmp_path, source), check(tmp_path, source, "--every-batch")
    assert [lines(done) for done in found] == [[("train.py", line, "SF301")]] * 2
    assert "left when nothing new came" not in found[1].stderr


def test_what_holds_without_skipping_is_what_is_reported(tmp_path):
    """The text grows where nobody looks: the script fails only when turns were left out."""
    done = check(tmp_path, GRAPH + """
import io
log = io.StringIO()
for i in range(60_000):
    sess.run(train, {x: np.zeros([8, 4])})
    log.write("x")
assert len(log.getvalue()) == 60_000
""")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_failure_after_a_skip_is_a_note_when_nothing_confirms_it(tmp_path):
    done = check(tmp_path, GRAPH + """
import time
began = time.time()
for i in range(100_000_000_000):
    sess.run(train, {x: np.zeros([8, 4])})
assert time.time() - began > 3600
""", "--time-limit", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "note[SF905]" in done.stderr and "AssertionError" in done.stderr


def test_the_short_last_batch_of_a_data_set_is_met(tmp_path):
    done = check(tmp_path, GRAPH + """
data = tf.data.Dataset.range(5_000_003).batch(10).make_one_shot_iterator().get_next()
y = tf.reshape(data, [2, 5])
turns = 0
while True:
    try:
        sess.run(y)
        turns += 1
    except tf.errors.OutOfRangeError:
        break
""")
    assert [code for _, _, code in lines(done)] == ["SF126"], done.stdout + done.stderr


def test_an_eager_data_set_ends_with_its_short_batch(tmp_path):
    done = check(tmp_path, """
import tensorflow as tf
w = tf.Variable(tf.zeros([3, 2]))
for epoch in range(1000):
    for step, row in enumerate(tf.data.Dataset.from_tensor_slices(tf.zeros([400_003, 3])).batch(10)):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.matmul(row, w))
        tape.gradient(y, [w])
        if row.shape[0] == 3:
            tf.reshape(row, [2, 2])
assert step == 40_000 and epoch == 999
""")
    assert [code for _, _, code in lines(done)] == ["SF126"], done.stdout + done.stderr


def test_a_queue_with_an_end_comes_to_it(tmp_path):
    done = check(tmp_path, GRAPH + """
row = tf.train.limit_epochs(tf.constant(1.0), 3)
one = tf.train.slice_input_producer([tf.zeros([1000, 4])], num_epochs=400)[0]
batch = tf.train.batch([one], 16, allow_smaller_final_batch=True)
sess.run(tf.local_variables_initializer())
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess, coord)
steps = 0
try:
    while not coord.should_stop():
        sess.run(batch)
        steps += 1
except tf.errors.OutOfRangeError:
    pass
assert steps == 25_000, steps
""")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_configuration_runs_every_batch(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nevery-batch = true\n")
    source = GRAPH + "for i in range(100_000_000_000):\n    sess.run(train, {x: np.zeros([8, 4])})\n"
    done = check(tmp_path, source, "--time-limit", "3")
    assert "stopped after" in done.stderr and "left when" not in done.stderr


def test_without_a_sandbox_every_turn_is_run(tmp_path):
    source = GRAPH + "for i in range(100_000_000_000):\n    sess.run(train, {x: np.zeros([8, 4])})\n"
    done = check(tmp_path, source, "--no-sandbox", "--time-limit", "3")
    assert "stopped after" in done.stderr and "left when" not in done.stderr


def test_steps_that_keras_makes_one_by_one_are_left(tmp_path):
    source = """
import numpy as np
import tensorflow as tf
calls = []
class Noted(tf.keras.layers.Layer):
    def call(self, x):
        calls.append(1)
        return x
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,)), Noted()])
model.compile('sgd', 'mse')
for i in range(50_000_000):
    model.train_on_batch(np.zeros([8, 6]), np.zeros([8, 2]))
model.train_on_batch(np.zeros([8, 6]), np.zeros([8, 3]))
"""
    done = check(tmp_path, source, "--time-limit", "10")
    assert [line for _, line, _ in lines(done)] == [source.count("\n")], done.stdout + done.stderr


def test_loops_of_imported_modules_are_left_and_those_of_packages_are_not(tmp_path):
    package = tmp_path / "env" / "site-packages"
    package.mkdir(parents=True)
    (package / "theirs.py").write_text(
        "def count():\n    n = 0\n    for i in range(40_000):\n        n += 1\n    return n\n")
    write(tmp_path, ours="def train(run):\n    for i in range(10 ** 12):\n        run()\n    return i\n")
    done = check(tmp_path, "import sys\nsys.path.insert(0, 'env/site-packages')\n" + GRAPH + """
import ours, theirs
assert ours.train(lambda: sess.run(train, {x: np.zeros([8, 4])})) == 10 ** 12 - 1
assert theirs.count() == 40_000
""")
    assert done.returncode == 0 and "1 loop left" in done.stderr, done.stdout + done.stderr


OURS = {
    "fit": """
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,))])
model.compile("sgd", "mse")
model.fit(np.zeros([80, 6]), np.zeros([80, 2]), epochs=10 ** 9, verbose=0)
""",
    "slim": GRAPH + """
slim = tf.contrib.slim
slim.learning.train(slim.learning.create_train_op(tf.reduce_sum(tf.square(w)),
                    tf.train.GradientDescentOptimizer(0.1)), "logs", number_of_steps=10 ** 9)
""",
    "estimator": """
import numpy as np
import tensorflow as tf
def model(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 2))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
data = lambda: tf.data.Dataset.from_tensors(({"x": np.zeros([8, 6], np.float32)},
                                             np.zeros([8, 2], np.float32))).repeat()
tf.estimator.Estimator(model, "logs").train(data, steps=10 ** 9)
""",
    "monitored": GRAPH + """
sess.close()
step = tf.train.get_or_create_global_step()
count = tf.assign_add(step, 1)
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=10 ** 9)]) as session:
    while not session.should_stop():
        session.run([train, count], {x: np.zeros([8, 4])})
""",
    "queue runners": GRAPH + """
one = tf.train.slice_input_producer([tf.zeros([100, 4])])[0]
out = tf.matmul(tf.train.batch([one], 8), w)
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess, coord)
while not coord.should_stop():
    sess.run(out)
coord.request_stop()
coord.join(threads)
""",
}


_MODEL = """
import numpy as np
import tensorflow as tf
{data}
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,))])
model.compile("sgd", "mse")
"""
_GENERATOR = """
def batches():
    while True:
        for at in range(4):
            yield np.zeros([8, 6], np.float32), np.zeros([8, 2], np.float32)
"""
_SEQUENCE = """
class Data(tf.keras.utils.%s):
    def __init__(self):
        super().__init__()
    def __len__(self):
        return 20_000
    def __getitem__(self, at):
        return np.zeros([8, 6], np.float32), np.zeros([8, 2], np.float32)
"""
OF_PYTHON = {
    "fit, generator": (_GENERATOR, "model.fit(batches(), steps_per_epoch=10 ** 6, epochs=50, verbose=0)"),
    "fit, endless": (_GENERATOR, "model.fit(batches(), epochs=1, verbose=0)"),
    "fit, Sequence": (_SEQUENCE % "Sequence", "model.fit(Data(), epochs=50, verbose=0)"),
    "fit, PyDataset": (_SEQUENCE % "PyDataset", "model.fit(Data(), epochs=50, verbose=0)"),
    "fit_generator": (_GENERATOR, "model.fit_generator(batches(), steps_per_epoch=10 ** 6, epochs=50)"),
    "fit_generator, Sequence": (_SEQUENCE % "Sequence", "model.fit_generator(Data(), epochs=50)"),
}


@pytest.mark.parametrize("name", OF_PYTHON)
def test_fit_over_what_python_gives_ends(tmp_path, name):
    data, call = OF_PYTHON[name]
    options = ("--tf-version", "1.15") if "fit_generator" in name else ()
    done = check(tmp_path, _MODEL.format(data=data) + call + "\nprint('trained')\n", "--time-limit", "30",
                 "--show-output", *options)
    assert done.returncode == 0 and "trained" in done.stdout, done.stdout + done.stderr
    assert "(--time-limit" not in done.stderr and "SF905" not in done.stderr, done.stderr
    if not options:  # the Keras of 1.15 is ours, and makes no more steps than it must
        assert "left when nothing new came" in done.stderr, done.stderr


@pytest.mark.parametrize("name", OURS)
def test_loops_of_ours_end_whatever_their_steps_are(tmp_path, name):
    done = check(tmp_path, OURS[name])
    assert done.returncode == 0 and "(--time-limit" not in done.stderr, done.stdout + done.stderr


def test_warnings_that_nobody_asked_for_are_no_reason_for_another_run():
    from shapeflow.checker.findings import Record, Report
    from shapeflow.checker.loops import confirm

    attempts = []

    def report(severity):
        records = [Record("SF506", "UNUSED_VARIABLE", "warning", "sure"),
                   Record("SF301", "FEED_SHAPE", severity, "unsure")]
        made = Report("s.py", records, 1)
        made.loops = {"runs": 10, "of": 20, "sure": [0]}
        return made

    def attempt(patience):
        attempts.append(patience)
        return None

    kept = confirm.confirmed(report("warning"), attempt, 30.0, errors_only=True)
    assert [record.message for record in kept.records] == ["sure"] and not attempts
    confirm.confirmed(report("error"), attempt, 30.0, errors_only=True)
    confirm.confirmed(report("warning"), attempt, 30.0)
    assert attempts == [0, *confirm.LATER] * 2
