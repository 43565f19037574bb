"""`shapeflow memory --devices`: what each device of a machine holds, and what is copied between them; the
log of placement, which is TensorFlow's."""
import json

import pytest

import shapeflow as tf
from command import shapeflow
from shapeflow import _core
from shapeflow.tensorflow.compat import version_detection

TWO = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 64], name='x')
with tf.device('/gpu:0'):
    h = tf.layers.dense(x, 128, tf.nn.relu)
with tf.device('/gpu:1'):
    y = tf.layers.dense(h, 10)
loss = tf.reduce_mean(tf.square(y))
step = tf.train.AdamOptimizer().minimize(loss)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    session.run(tf.global_variables_initializer())
    session.run(step, {x: np.zeros([32, 64])})
"""


def memory(tmp_path, *options, text=TWO):
    (tmp_path / "train.py").write_text(text)
    return shapeflow(tmp_path, "memory", "--tf-version", "1.15.0", *options, "train.py")


def test_each_device_has_its_peak_and_parts(tmp_path):
    made = json.loads(memory(tmp_path, "--json", "--devices", "cpu,gpu:2").stdout)
    placed = {row["device"].rpartition("device:")[2]: row for row in made["placed"]}
    assert placed["CPU:0"]["peak"] == 0
    assert placed["GPU:0"]["parts"]["optimizer slots"] >= 2 * 4 * (64 * 128 + 128)
    assert placed["GPU:1"]["parts"]["variables"] == 4 * (128 * 10 + 10)
    assert max(row["peak"] for row in made["placed"]) < made["peak"]


def test_copies_are_said_with_their_bytes_and_lines(tmp_path):
    made = json.loads(memory(tmp_path, "--json", "--devices", "cpu,gpu:2").stdout)
    copies = {row["tensor"]: row for row in made["copies"]}
    hidden = copies["dense/Relu:0"]
    assert (hidden["from"][-5:], hidden["to"][-5:]) == ("GPU:0", "GPU:1")
    assert hidden["bytes"] == hidden["gradient"] == 32 * 128 * 4
    assert hidden["line"].endswith("train.py:5")
    assert copies["x:0"]["bytes"] == 32 * 64 * 4 and copies["x:0"]["gradient"] == 0
    assert not any("grad" in name for name in copies)  # made where its variable is
    assert made["copy_lines"][0] == [hidden["line"], 2 * 32 * 128 * 4]
    assert made["copied"] == sum(size for _, size in made["copy_lines"])


@pytest.mark.parametrize("format", ["text", "md", "html"])
def test_formats_say_both(tmp_path, format):
    shown = memory(tmp_path, "--format", format, "--devices", "cpu,gpu:2").stdout
    assert "device:GPU:1" in shown and "copies between devices:" in shown and "dense/Relu:0" in shown


def test_nothing_is_said_without_a_machine_and_a_bad_one_is_refused(tmp_path):
    made = json.loads(memory(tmp_path, "--json").stdout)
    assert made["placed"] == made["copies"] == [] and made["copied"] == 0
    done = memory(tmp_path, "--devices", "a1000")
    assert done.returncode == 2 and "nearest: p100, a10" in done.stderr


def test_log_of_placement_is_tensorflows(capsys):
    """As TensorFlow 1.15.0 prints it with two CPUs: the graph anew when it has grown, sources last."""
    version_detection.activate("1.15.0", "graph")
    _core.set_machine("cpu:2")
    try:
        with tf.Graph().as_default():
            a = tf.constant([1.], name="a")
            with tf.device("/cpu:1"):
                x = tf.placeholder(tf.float32, [1], name="x")
                b = tf.add(a, x, name="b")
            with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as session:
                session.run(b, {x: [1.]})
                session.run(b, {x: [1.]})
                session.run(tf.multiply(b, 2., name="c"), {x: [1.]})
    finally:
        _core.set_machine(None)
    where = "/job:localhost/replica:0/task:0/device:CPU:"
    assert capsys.readouterr().out.splitlines() == [
        f"b: (Add): {where}1", f"a: (Const): {where}1", f"x: (Placeholder): {where}1",
        f"b: (Add): {where}1", f"c: (Mul): {where}0", f"a: (Const): {where}1", f"x: (Placeholder): {where}1",
        f"c/y: (Const): {where}0"]


LOGICAL = """\
import numpy as np
import tensorflow as tf
kind = {kind!r}
device = tf.config.list_physical_devices(kind)[0]
part = tf.config.LogicalDeviceConfiguration({limit})
tf.config.set_logical_device_configuration(device, [part] * 3)
with tf.device('/%s:1' % kind):
    a = tf.constant(np.zeros([1024, 256], 'f'))
with tf.device('/%s:2' % kind):
    v = tf.Variable(tf.zeros([256, 256]))
@tf.function
def f(x):
    with tf.device('/%s:0' % kind):
        y = tf.tanh(x)
    with tf.device('/%s:2' % kind):
        return tf.matmul(y, v)
{call}
"""


def eager(tmp_path, text, command, *options):
    (tmp_path / "train.py").write_text(text)
    return shapeflow(tmp_path, command, "--tf-version", "2.21.0", *options, "train.py")


def held(done):
    assert done.stdout, done.stderr
    return {row["device"].rpartition("device:")[2]: row["peak"] / (1 << 20)
            for row in json.loads(done.stdout)["placed"]}


@pytest.mark.parametrize("kind, options", [("CPU", []), ("GPU", ["--devices", "cpu,gpu"])])
def test_devices_that_the_program_makes_hold_what_it_puts_there(tmp_path, kind, options):
    text = LOGICAL.format(kind=kind, limit="", call="y = f(a)")
    found = held(eager(tmp_path, text, "memory", "--json", *options))
    assert found == {**({"CPU:0": 0} if kind == "GPU" else {}), f"{kind}:0": 1, f"{kind}:1": 1,
                     f"{kind}:2": pytest.approx(1.25)}


@pytest.mark.parametrize("limit, there", [("", None), ("memory_limit=1", "1 MiB"), ("memory_limit=2", None)])
def test_a_part_of_a_gpu_has_the_memory_that_the_program_gives_it(tmp_path, limit, there):
    text = LOGICAL.format(kind="GPU", limit=limit, call="y = f(a)")
    done = eager(tmp_path, text, "check", "--no-cache", "--device", "t4")
    assert done.returncode == 0, done.stdout + done.stderr
    words = (f"does not fit the {there} that the program takes of NVIDIA T4 (GPU:2): it needs 1.2 MiB of "
             "1.0 MiB that TensorFlow may use")
    assert ("SF310" in done.stdout) == bool(there) == (words in done.stdout), done.stdout


KERAS = """\
import numpy as np
import tensorflow as tf
{strategy}
with strategy.scope():
    layers = [tf.keras.layers.Dense(256, 'tanh') for _ in range(6)]
    model = tf.keras.Sequential([tf.keras.Input([256]), *layers, tf.keras.layers.Dense(1)])
    model.compile('adam', 'mse')
model.fit(np.zeros([4096, 256], 'f'), np.zeros([4096, 1], 'f'), batch_size={batch}, verbose=0)
"""


def test_replicas_of_keras_hold_what_one_device_holds_of_their_part(tmp_path):
    one = KERAS.format(strategy="strategy = tf.distribute.get_strategy()", batch=1024)
    two = KERAS.format(strategy="strategy = tf.distribute.MirroredStrategy()", batch=2048)
    alone = held(eager(tmp_path, one, "memory", "--json", "--devices", "gpu"))
    done = eager(tmp_path, two, "memory", "--json", "--devices", "gpu:2", "--device", "t4")
    each = held(done)
    assert each["CPU:0"] == alone["CPU:0"] == 0
    assert each["GPU:0"] == pytest.approx(alone["GPU:0"], rel=0.01)
    assert each["GPU:1"] == pytest.approx(alone["GPU:0"], rel=0.05)
    made = json.loads(done.stdout)
    assert made["batch"]["size"] == 1024  # of a replica
    t4, = made["devices"]
    assert t4["needed"] == pytest.approx(each["GPU:0"] * (1 << 20), rel=0.01)
    assert t4["largest_batch"] > 100_000
