"""`shapeflow memory`: peak, parts and lines of a step, as a function of the batch, and GPUs that it fits."""
import json

import pytest

import shapeflow.commands.memory as _memory_command
import shapeflow.commands.summary as _summary_command
from command import need, shapeflow

TRAIN = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 256])
w = tf.get_variable('w', [256, 512], initializer=tf.zeros_initializer())
v = tf.get_variable('v', [512, 10], initializer=tf.zeros_initializer())
h = tf.nn.relu(tf.matmul(x, w))
loss = tf.reduce_mean(tf.square(tf.matmul(h, v)))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(train, {x: np.zeros([32, 256], 'f')})
"""
PARAMETERS = (256 * 512 + 512 * 10) * 4


def memory(tmp_path, *options, text=TRAIN):
    (tmp_path / "train.py").write_text(text)
    return shapeflow(tmp_path, "memory", "--tf-version", "1.15.0", *options, "train.py")


def document(tmp_path, *options):
    done = memory(tmp_path, "--json", *options)
    return json.loads(done.stdout)


def test_parameters_and_slots_are_exact(tmp_path):
    made = document(tmp_path)
    assert made["parts"]["variables"] == PARAMETERS + 2 * 4  # Adam's two powers
    assert made["parts"]["optimizer slots"] == 2 * PARAMETERS
    assert made["parts"]["feeds"] == 32 * 256 * 4
    assert made["parts"]["gradients"] >= PARAMETERS
    assert not made["at_least"]
    assert sum(made["parts"].values()) == made["peak"] == max(made["moments"])


def test_the_peak_is_a_function_of_the_batch(tmp_path):
    made = document(tmp_path)
    line = made["batch"]
    assert line["size"] == 32
    assert line["each"] * 32 + line["fixed"] == pytest.approx(made["peak"])
    other = document(tmp_path, "--batch", "64")
    assert other["peak"] == pytest.approx(line["each"] * 64 + line["fixed"])


def test_the_largest_tensors_have_lines(tmp_path):
    rows = document(tmp_path)["largest"]
    assert 0 < len(rows) <= 10
    assert [row["bytes"] for row in rows] == sorted((row["bytes"] for row in rows), reverse=True)
    assert any(row["node"] == "w" and row["line"][1] == 4 for row in rows)


def test_whether_it_fits(tmp_path):
    done = memory(tmp_path, "--device", "t4")
    assert done.returncode == 0 and "NVIDIA T4: fits" in done.stdout
    done = memory(tmp_path, "--device", "gtx-1060", "--batch", "10000000")
    assert done.returncode == 1 and "DOES NOT FIT" in done.stdout
    largest = document(tmp_path, "--device", "t4")["devices"][0]["largest_batch"]
    assert document(tmp_path, "--device", "t4", "--batch", str(largest))["devices"][0]["fits"]
    assert not document(tmp_path, "--device", "t4", "--batch", str(largest + 1))["devices"][0]["fits"]


def test_cost_by_line_and_by_scope(tmp_path):
    made = document(tmp_path, "--device", "t4")
    for kind in ("lines", "scopes"):
        rows = made[kind]
        assert sum(row["flops"] for row in rows) == pytest.approx(made["flops"])
        assert sum(row["moved"] for row in rows) == pytest.approx(made["moved"])
        assert sum(row["held"] for row in rows) == made["peak"]
        assert all(row["seconds_at_least"] >= row["moved"] / 320e9 for row in rows)
    products = next(row for row in made["lines"] if row["name"].endswith("train.py:6"))
    assert products["flops"] >= 2 * 2 * 32 * 256 * 512  # forward, and the gradient of w
    shown = memory(tmp_path, "--device", "t4").stdout
    assert "lines" in shown and "train.py:6" in shown and "estimate" in shown


@pytest.mark.parametrize("format, begins", [("md", "# Memory of train.py"), ("html", "<!doctype html>"),
                                            ("text", "train.py: peak ")])
def test_formats(tmp_path, format, begins):
    done = memory(tmp_path, "--format", format)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(begins)
    assert ("<svg" in done.stdout) == (format == "html")


@pytest.mark.parametrize("device, words", [
    ("a100", "a100-40gb, a100-80gb"), ("cpu", "names no GPU"), ("gpu:2,t4", "of no model"),
    ("a100*0", "asks for no device"), ("gpu:0", "asks for no device"), ("", "no device is named"),
    ("a100-80gb**2", "has no number of devices behind"), (",,", "no device is named"),
    ("t4,,t4", "names no device beside a comma"), ("gpu:-1", "has no number of devices behind ':'"),
    ("cpu:257", "more than 256 devices"), ("t4{memory=-1}", "describes no GPU"), ("tpu:8", "nearest: "),
    ("gpu:99999999999999999999999", "more than 256 devices"), ("t4{memory=1e40GiB}", "describes no GPU")])
def test_bad_devices(device, words, capsys):
    for command in (_memory_command, _summary_command):
        try:
            status = command.run(["--device", device, "train.py"], [])
        except SystemExit as error:
            status = error.code
        assert status == 2 and words in capsys.readouterr().err


def test_bad_machine(capsys):
    assert _memory_command.run(["--devices", "gpu:0", "train.py"], []) == 2
    assert "--devices: 'gpu:0' asks for no device" in capsys.readouterr().err


def test_a_script_without_a_batch_and_one_without_a_session(tmp_path):
    fixed = TRAIN.replace("[None, 256]", "[32, 256]")
    assert "no axis of the feeds is open" in memory(tmp_path, text=fixed).stdout
    done = memory(tmp_path, text="print(1)\n")
    assert done.returncode == 3 and "neither a session nor eager code" in done.stderr


def test_the_time_line_is_stacked_by_scope(tmp_path):
    made = document(tmp_path)
    columns = list(zip(*made["stack"].values()))
    assert [sum(column) for column in columns] == made["moments"]
    assert max(made["stack"]["w"]) >= 2 * 4 * 256 * 512  # its moments
    page = memory(tmp_path, "--format", "html").stdout
    shown = [name for name, held in made["stack"].items() if any(held)]
    assert page.count("<polygon") == len(shown) >= 2
    assert "<title>w</title>" in page and "<line" in page


LAYERS = """\
import numpy as np
import tensorflow as tf
images = tf.keras.Input((28, 28, 1))
wide = tf.keras.layers.Conv2D(32, 3, name="wide")(images)
deep = tf.keras.layers.Conv2D(16, 3, name="deep")(wide)
out = tf.keras.layers.Dense(10, name="out")(tf.keras.layers.Flatten()(deep))
model = tf.keras.Model(images, out, name="net")
model.compile("sgd", "mse")
model.fit(np.zeros([32, 28, 28, 1]), np.zeros([32, 10]))
"""


def test_a_step_of_keras_is_shown_by_layer(tmp_path):
    """One scope, the model, has it all: the time line is stacked by those inside."""
    need("keras")
    (tmp_path / "train.py").write_text(LAYERS)
    made = json.loads(shapeflow(tmp_path, "memory", "--json", "train.py").stdout)
    flops = {row["name"]: row["flops"] for row in made["scopes"]}
    forward = 2 * 32 * 24 * 24 * 3 * 3 * 32 * 16
    assert 3 * forward <= flops["net/deep"] < 3.1 * forward  # forward, gradients of both operands
    assert made["largest"][0]["node"].startswith("net/")
    assert {"net/wide", "net/deep"} <= set(made["stack"]) and "net" not in made["stack"]
    assert [sum(column) for column in zip(*made["stack"].values())] == made["moments"]


LOOP = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 64])
times = tf.placeholder(tf.int32, [])
_, y = tf.while_loop(lambda i, h: i < times, lambda i, h: [i + 1, tf.tanh(h * 2.)], [0, x + 1.])
with tf.Session() as session:
    session.run(y, {x: np.zeros([32, 64]), times: 5})
"""


def test_a_loop_of_unknown_turns_is_bounded_from_below(tmp_path):
    """By the shapes of one turn of its body."""
    text = LOOP.replace("i < times", "tf.reduce_sum(h) < 1.")
    shown = memory(tmp_path, text=text).stdout
    assert "peak at least" in shown
    made = json.loads(memory(tmp_path, "--json", text=text).stdout)
    assert made["at_least"] and 32 * 64 * 4 <= made["parts"]["activations"] <= 4 * 32 * 64 * 4
    assert made["batch"]["size"] == 32


def test_a_loop_whose_turns_are_fed_is_counted(tmp_path):
    made = json.loads(memory(tmp_path, "--json", text=LOOP).stdout)
    assert not made["at_least"] and made["parts"]["activations"] == pytest.approx(2 * 32 * 64 * 4, rel=0.01)


RECURRENT = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, None, 64])
outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(128), x, dtype=tf.float32)
loss = tf.reduce_mean(outputs)
step = STEP
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(step, {x: np.zeros([32, TURNS, 64])})
"""


def test_a_recurrent_cell_holds_what_each_turn_leaves(tmp_path):
    """Bytes as TensorFlow 1.15 held them (benchmarks/memory.py): outputs of all steps in a TensorArray, then
    stacked; what the backward pass reads of each step on stacks."""
    def of(step, turns):
        text = RECURRENT.replace("STEP", step).replace("TURNS", str(turns))
        return json.loads(memory(tmp_path, "--json", text=text).stdout)

    one_output = 32 * 128 * 4
    forward = of("loss", 100)
    assert forward["parts"]["activations"] == pytest.approx(2 * 100 * one_output, rel=0.01)
    assert not forward["at_least"]
    short, long = (of("tf.train.GradientDescentOptimizer(0.1).minimize(loss)", n) for n in (50, 100))
    per_turn = (long["peak"] - short["peak"]) / 50 - 32 * 64 * 4  # without its data
    assert 6 * one_output <= per_turn <= 12 * one_output  # gates, states, what the product reads
    assert long["flops"] == pytest.approx(2 * short["flops"], rel=0.01)


FIXED = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [32, 64])
with tf.Session() as session:
    session.run(tf.tanh(x) * 2., {x: np.zeros([32, 64])})
"""


NORMALIZED = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 8, 8, 4])
h = tf.matmul(x, tf.zeros([{batch}, 8, 4, 64])) if {product} else tf.layers.conv2d(x, 64, 3, padding='same')
h = tf.layers.batch_normalization(h, training=True)
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(h))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train, {{x: np.zeros([{batch}, 8, 8, 4], 'f')}})
"""


def test_convolutions_have_workspace_and_normalization_has_a_size(tmp_path):
    conv, product = (json.loads(memory(tmp_path, "--json", text=NORMALIZED.format(
        product=product, batch=4)).stdout) for product in (False, True))
    assert conv["at_least"] is False and product["at_least"] is False
    assert conv["workspace"] == 4 * 8 * 8 * 64 * 4 and product["workspace"] == 0


def test_a_batch_that_is_nowhere_open(tmp_path):
    done = memory(tmp_path, text=FIXED)
    assert done.returncode == 0 and "batch: no axis of the feeds is open" in done.stdout
    done = memory(tmp_path, "--device", "t4", "--batch", "64", text=FIXED)
    assert done.returncode == 0 and "fits" in done.stdout and "largest batch" not in done.stdout
    assert "batch: no axis of the feeds is open" in done.stdout and "* batch" not in done.stdout


@pytest.mark.parametrize("batch, words", [
    ("0", "a batch of 0 holds nothing"), ("1" * 24, "no more than 1,099,511,627,776"),
    ("-1", "not a whole number")])
def test_a_batch_that_is_none_is_refused(batch, words, capsys):
    try:
        status = _memory_command.run(["--batch", batch, "train.py"], [])
    except SystemExit as error:
        status = error.code
    told = capsys.readouterr().err
    assert status == 2 and "--batch" in told and words in told


def test_a_batch_beyond_all_memory_is_a_bound(tmp_path):
    """The account ends at a tebibyte of a tensor."""
    done = memory(tmp_path, "--batch", str(2 ** 40))
    assert done.returncode == 0 and "peak at least" in done.stdout, done.stderr


PIPELINE = """\
import numpy as np
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices(np.zeros([96, 256], 'f')).batch(32)
x = data.make_one_shot_iterator().get_next()
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(tf.layers.dense(x, 512, use_bias=False)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    try:
        while True:
            session.run(train)
    except tf.errors.OutOfRangeError:
        pass
"""


def test_a_step_that_takes_from_an_iterator_is_measured_when_that_is_exhausted(tmp_path):
    """It was left out, so that the initializers were the largest run."""
    made = json.loads(memory(tmp_path, "--json", text=PIPELINE).stdout)
    assert made["parts"]["optimizer slots"] == 2 * 256 * 512 * 4 and not made["at_least"]
    line = made["batch"]
    assert line["size"] == 32
    other = json.loads(memory(tmp_path, "--json", "--batch", "64", text=PIPELINE).stdout)
    assert other["peak"] == pytest.approx(line["each"] * 64 + line["fixed"])
    assert other["peak"] - made["peak"] >= 32 * (256 + 512) * 4  # the data, and what is made of them


# Of data of unknown size: a tensor made of what is known, one made of a file that is not there, a whole run,
# a fit of Keras.
SELECTED = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 64])
y = tf.matmul(tf.gather_nd(x, tf.where(x[:, 0] > 0)), tf.zeros([64, 1000]))
with tf.Session() as session:
    session.run(y, {x: np.zeros([32, 64])})
"""
OF_A_FILE = """\
import pandas
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, None])
w = tf.get_variable('w', [100, 10])
y = tf.matmul(x, w)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(y, {x: pandas.read_csv('/no/such.csv').values})
"""
OF_A_FILE_ALONE = """\
import pandas
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, None])
with tf.Session() as session:
    session.run(tf.nn.relu(x), {x: pandas.read_csv('/no/such.csv').values})
"""
FITTED = """\
import pandas
import keras
data = pandas.read_csv('/no/such.csv').values
model = keras.Sequential([keras.layers.Dense(10), keras.layers.Dense(3)])
model.compile('adam', 'mse')
model.fit(data[:, 1:], data[:, 0])
"""


@pytest.mark.parametrize("text, has_batch", [(SELECTED, True), (OF_A_FILE, False), (OF_A_FILE_ALONE, False),
                                             (FITTED, False)])
def test_what_is_not_known_fits_as_far_as_is_known(tmp_path, text, has_batch):
    options = ["--device", "t4"]
    if "keras" in text:
        need("keras")
        options += ["--tf-version", "2.21.0"]
    shown = memory(tmp_path, *options, text=text).stdout
    assert ": peak at least " in shown
    assert "NVIDIA T4: fits as far as is known, at least " in shown and "T4: fits, " not in shown
    assert ("largest batch at most " in shown) == ("peak = at least " in shown) == has_batch
    assert "largest batch 6" not in shown
    made = json.loads(memory(tmp_path, "--json", *options, text=text).stdout)
    assert made["at_least"] and made["devices"][0]["fits"]
