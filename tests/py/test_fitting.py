"""`check --device MODEL`: what does not fit is SF310, with the line, and what was tried and would fit."""
import json
import re

import pytest

from command import lines, shapeflow
from shapeflow.api.typed_messages import gib

SESSION = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 1024])
h = x
for i in range(24):
    h = tf.tanh(tf.layers.dense(h, {width}, use_bias=False))
loss = tf.reduce_mean(h)
train = tf.train.{optimizer}.minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train, {{x: np.zeros([{batch}, 1024], 'f')}})
"""
EAGER = """\
import numpy as np
import tensorflow as tf
w = tf.Variable(tf.zeros([1024, 1024]))
data = tf.data.Dataset.from_tensor_slices(np.zeros([65536 * {times}, 1024], 'f')).batch(65536)
for x in data:
    with tf.GradientTape() as tape:
        h = x
        for _ in range(40):
            h = tf.tanh(tf.matmul(h, w))
        loss = tf.reduce_mean(h)
    w.assign_sub(tape.gradient(loss, w))
"""


def session(width=1024, batch=65536, optimizer="GradientDescentOptimizer(0.1)"):
    return SESSION.format(width=width, batch=batch, optimizer=optimizer)


def check(tmp_path, text, device, *options, version="1.15.0"):
    (tmp_path / "train.py").write_text(text)
    return shapeflow(tmp_path, "check", "--no-cache", "--tf-version", version, "--device", device,
                     "--format", "concise", *options, "train.py")


def test_a_session_that_does_not_fit(tmp_path):
    done = check(tmp_path, session(), "gtx-1060")
    assert done.returncode == 0 and "warning[SF310]" in done.stdout  # a seventh more than there is
    assert check(tmp_path, session(batch=131072), "gtx-1060").returncode == 1
    assert lines(done) == [("train.py", 6, "SF310")]
    words = done.stdout
    assert "does not fit NVIDIA GeForce GTX 1060 6GB (GPU:0)" in words
    assert re.search(r"it needs 6\.\d GiB of 5\.5 GiB that TensorFlow may use: activations", words)
    batch = int(re.search(r"a batch of ([\d,]+) \(now 65,536\)", words).group(1).replace(",", ""))
    assert "mixed precision" in words and "recomputing the forward pass in 2 parts" in words
    assert "without slots" not in words  # gradient descent has none
    assert "SF310" not in check(tmp_path, session(batch=batch), "gtx-1060").stdout
    assert "SF310" in check(tmp_path, session(batch=batch + batch // 20), "gtx-1060").stdout


def test_fewer_slots(tmp_path):
    text = session(8192, 32, "AdamOptimizer()")
    done = check(tmp_path, text, "t4")
    assert "an optimizer without slots" in done.stdout and "a batch of" not in done.stdout
    assert check(tmp_path, text, "a100-40gb").returncode == 0


def test_nothing_of_what_is_tried_is_enough(tmp_path):
    done = check(tmp_path, session(16384, 32), "gtx-1060", "--format", "json")
    found, = (one for one in json.loads(done.stdout)["findings"] if one["code"] == "SF310")
    assert "tried, and not enough: a smaller batch, mixed precision, recomputation" in found["message"]
    values = [(one["kind"], one["value"]) for one in found["arguments"]]
    assert values[:2] == [("name", "session.run"), ("name", "NVIDIA GeForce GTX 1060 6GB (GPU:0)")]
    needed, there = (value for kind, value in values[2:4] if kind == "bytes")
    assert needed > there and gib(needed) in found["message"] and gib(there) in found["message"]


def test_what_is_not_enough_alone_may_be_together(tmp_path):
    text = session(batch=131072).replace("range(24)", "range(80)").replace("[None, 1024]", "[131072, 1024]")
    done = check(tmp_path, text, "gtx-1060")
    assert re.search("tried, and not enough: mixed precision, recomputation; mixed precision and "
                     r"recomputing in \d+ parts would fit together \(\d\.\d GiB\)", done.stdout), done.stdout
    assert done.stdout.rstrip().endswith("no other batch was tried: no axis of its data is open")


def test_eager_code(tmp_path):
    done = check(tmp_path, EAGER.format(times=3), "t4", version="2.21.0")
    assert done.returncode == 0, done.stdout
    done = check(tmp_path, EAGER.format(times=3), "rtx-4060", version="2.21.0")
    assert lines(done) == [("train.py", 9, "SF310")]
    assert "a step of the program does not fit" in done.stdout and "a batch of" in done.stdout
    assert re.search(r"recomputing the forward pass in \d part", done.stdout)  # of each of its three steps


KERAS = """\
import numpy as np
import tensorflow as tf
layers = [tf.keras.layers.Dense(1024, activation='tanh', name='d%d' % i) for i in range(8)]
model = tf.keras.Sequential([tf.keras.Input([1024]), *layers, tf.keras.layers.Dense(1)])
model.compile('adam', 'mse')
model.fit(np.zeros([262144, 1024], 'f'), np.zeros([262144, 1], 'f'), batch_size=262144, verbose=0)
"""


def test_keras_fit_names_the_layer_and_no_frame_of_ours(tmp_path):
    (tmp_path / "train.py").write_text(KERAS)
    done = shapeflow(tmp_path, "check", "--no-cache", "--device", "gtx-1060", "train.py")
    assert "train.py:6:1: " in done.stdout and "of its scopes sequential/d" in done.stdout, done.stdout
    assert "shapeflow-python" not in done.stdout and "a batch of" in done.stdout


def test_two_gpus_hold_what_is_put_on_each(tmp_path):
    text = session().replace("for i in range(24):\n    h = ", "for i in range(24):\n"
                             "  with tf.device('/gpu:%d' % (i // {})):\n    h = ")
    assert check(tmp_path, text.replace("{}", "12"), "gtx-1060*2").stdout == ""
    assert "GTX 1060 6GB (GPU:0)" in check(tmp_path, text.replace("{}", "24"), "gtx-1060*2").stdout


@pytest.mark.parametrize("device", ["cpu", "gpu:2"])
def test_no_model_is_no_claim(tmp_path, device):
    assert "SF310" not in check(tmp_path, session(), device).stdout


def test_no_edit_is_offered(tmp_path):
    (tmp_path / "train.py").write_text(session())
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", "1.15.0", "--device", "gtx-1060",
                     "train.py")
    assert "[SF310]" in done.stdout and "help:" not in done.stdout


def test_the_configuration_names_it(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.shapeflow]\ndevice = "gtx-1060"\n')
    (tmp_path / "train.py").write_text(session())
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", "1.15.0", "--format", "concise",
                     "train.py")
    assert lines(done) == [("train.py", 6, "SF310")]


def test_unknown_sizes_are_at_least(tmp_path):
    text = session().replace("loss = ", "u = tf.py_func(lambda a: a, [h], tf.float32)\n"
                                        "h = h + tf.reduce_mean(tf.tanh(u))\nloss = ")
    done = check(tmp_path, text, "gtx-1060")
    assert "it needs at least" in done.stdout
