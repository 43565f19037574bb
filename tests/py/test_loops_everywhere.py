"""Loops are left wherever a script runs: graph, summary, notebooks, an editor's server, tried fixes. None of
these would end with a loop of so many turns."""
import json

import pytest

from command import environment, need, shapeflow, write

LOOP = """
for i in range(100_000_000_000):
    sess.run(train, {x: np.zeros([8, 4])})
after = tf.matmul(w, tf.ones([2, 3]), name="after_the_loop")
"""
MODEL = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 2]), name="weights")
loss = tf.reduce_sum(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


def test_a_graph_has_what_comes_after_a_loop(tmp_path):
    write(tmp_path, train=MODEL + LOOP)
    done = shapeflow(tmp_path, "graph", "train.py")
    assert done.returncode == 0 and "after_the_loop" in done.stdout, done.stderr


def test_a_summary_has_what_comes_after_a_loop(tmp_path):
    write(tmp_path, train=MODEL + LOOP + "late = tf.get_variable('late', [5, 7])\n")
    done = shapeflow(tmp_path, "summary", "--time-limit", "8", "train.py")
    assert done.returncode == 0 and "late" in done.stdout, done.stdout + done.stderr
    assert "stopped after" not in done.stderr and "loop left" in done.stderr


def test_the_memory_of_a_run_after_a_loop_is_shown(tmp_path):
    write(tmp_path, train=MODEL + LOOP + "sess.run(loss, {x: np.zeros([1000, 4])})\n")
    done = shapeflow(tmp_path, "memory", "train.py")
    assert done.returncode == 0 and "stopped after" not in done.stderr, done.stdout + done.stderr


def test_a_loop_in_a_cell_of_a_notebook_is_left(tmp_path):
    cells = [MODEL, LOOP, "tf.matmul(after, after)"]
    (tmp_path / "train.ipynb").write_text(json.dumps({
        "cells": [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": [],
                   "execution_count": None} for cell in cells],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--time-limit", "4", "--format",
                     "concise", "train.ipynb")
    assert done.returncode == 1 and "SF101" in done.stdout, done.stdout + done.stderr
    assert "loop left" in done.stderr


def test_a_fix_is_tried_to_the_end_of_a_program_with_a_loop(tmp_path):
    wrong = "w2 = tf.Variable(tf.zeros([3, 5]))\ny = tf.matmul(tf.matmul(x, w), w2)\n"
    write(tmp_path, train=MODEL + wrong + LOOP)
    variables = {key: value for key, value in environment().items() if key != "SHAPEFLOW_NO_SUGGESTIONS"}
    done = shapeflow(tmp_path, "check", "--no-cache", "--time-limit", "30", "train.py", env=variables)
    assert done.returncode == 1 and "(tried: " in done.stdout, \
        done.stdout + done.stderr


def test_every_turn_is_run_in_the_trials_too(monkeypatch):
    """The option is handed on to them, like the configuration's."""
    from shapeflow.checker.findings import Report
    from shapeflow.fixes import trial
    from shapeflow.fixes.search import Search, SearchOptions

    monkeypatch.setattr(trial.os, "dup2", lambda *fds: None)
    for every_batch in (False, True):
        report = Report("train.py", [], 0, "normally", None, 0.0)
        search = Search(report, SearchOptions(every_batch=every_batch))
        job = search.job({}, [], [])
        job["policy"] = {**job["policy"], "layers": ["landlock"]}
        assert trial._checker({**job, "cwd": "."}, None).options.patience == int(not every_batch)


def test_an_editor_is_told_what_comes_after_a_loop(tmp_path):
    pytest.importorskip("pygls.lsp.server")
    from lsp_client import Client

    path = tmp_path / "train.py"
    path.write_text(MODEL + LOOP + "tf.matmul(after, after)\n")
    client = Client(tmp_path, options={"delay": 0.05})
    try:
        client.open(path)
        found = client.diagnostics(path)
        assert [item["code"] for item in found] == ["SF101"]
        assert client.close() == 0
    finally:
        if client.process.poll() is None:
            client.process.kill()
        client.process.wait()


def test_epochs_of_the_installed_keras_are_left(tmp_path):
    """Callbacks get the last epochs by their numbers; histories have their length."""
    need("keras")
    source = """
import numpy as np
import tensorflow as tf
class Noted(tf.keras.callbacks.Callback):
    last, logs = -1, None
    def on_epoch_end(self, epoch, logs=None):
        self.last = epoch
        self.logs = sorted(logs)
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(2)])
model.compile("sgd", "mse", metrics=["mae"])
noted = Noted()
history = model.fit(np.zeros([20, 6], np.float32), np.zeros([20, 2], np.float32), batch_size=8, verbose=0,
                    epochs=1_000_000, callbacks=[noted])
assert noted.last == 999_999, noted.last
assert noted.logs == ["loss", "mae"], noted.logs
assert len(history.epoch) == len(history.history["mae"]) == 1_000_000, len(history.epoch)
tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
"""
    write(tmp_path, train=source)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--time-limit", "30", "--format",
                     "concise", "train.py", env=environment(SHAPEFLOW_KERAS="installed"))
    assert "SF114" in done.stdout and "ended" not in done.stdout, done.stdout + done.stderr
    assert "loop left" in done.stderr, done.stderr


@pytest.mark.parametrize("data, count", [
    ("tf.data.Dataset.from_tensors((np.zeros([8, 6]), np.zeros([8, 2]))).repeat()", 8),
    ("tf.data.Dataset.from_tensor_slices((np.zeros([9_000_003, 6]), np.zeros([9_000_003, 2]))).batch(8)", 3)])
def test_an_epoch_of_the_installed_keras_ends(tmp_path, data, count):
    """Also one without end; and the short last batch is met."""
    write(tmp_path, train=f"""
import numpy as np
import tensorflow as tf
sizes = set()
class Noted(tf.keras.layers.Layer):
    def call(self, x):
        sizes.add(x.shape[0])
        return x
model = tf.keras.Sequential([tf.keras.layers.Dense(2), Noted()])
model.compile("sgd", "mse")
history = model.fit({data}, epochs=2, verbose=0)
assert len(history.history["loss"]) == 2 and {count} in sizes
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert done.returncode == 0 and "1 loop left" in done.stderr, done.stdout + done.stderr
    assert "SF905" not in done.stderr and "(--time-limit" not in done.stderr, done.stderr


FUNCTIONS = """\
import tensorflow as tf
import sys
steps, mode, runs = tf.Variable(0), tf.Variable(1), []
sys.runs = []
@tf.function
def train(x):
    runs.append("train %d" % x.shape[0])
    steps.assign_add(1)
    return tf.reduce_sum(x)
@tf.function
def test(x):
    runs.append("test")
    sys.runs.append(1)  # not undone, as what its names hold is
    return tf.reduce_sum(x)
for epoch in range(6):
    for _ in range(3):
        train(tf.zeros([8, 2]))
    train(tf.zeros([5, 2]))
    test(tf.zeros([8, 2]))
"""


def test_a_body_runs_again_only_for_what_no_body_did(tmp_path):
    """A counter of steps that other signatures count too changes nothing; what the program sets may."""
    write(tmp_path, train=FUNCTIONS + "print(len(runs), sorted(set(runs)), int(steps))\n"
          "before = len(sys.runs)\nmode.assign(2)\ntest(tf.zeros([8, 2]))\n"
          "print(len(runs), len(sys.runs) - before)\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--show-output", "--every-batch", "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    count, names, steps = done.stdout.splitlines()[0].partition(" ")[0], done.stdout.splitlines()[0], 24
    assert int(count) <= 4 and "['test', 'train 5', 'train 8'] %d" % steps in names
    assert done.stdout.splitlines()[1] == "3 1"
