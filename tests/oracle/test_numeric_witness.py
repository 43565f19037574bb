"""Witnesses of real TensorFlow: which suspects get one, and that it breaks when its replay script is run.

Needs $SHAPEFLOW_ORACLE (TensorFlow 2); with $SHAPEFLOW_ORACLE_1 (1.15) it asks that too. TensorFlow's start
takes seconds, so all suspects are of one script.
"""
import os
import subprocess

import numpy as np
import pytest

import shapeflow.commands._taken as taken
import shapeflow.commands.numeric as numeric_command
from shapeflow.commands.option_tables import parse
from shapeflow.numeric import confirm, confirm_export

PYTHONS = [python for python in (os.environ.get("SHAPEFLOW_ORACLE"), os.environ.get("SHAPEFLOW_ORACLE_1"))
           if python]

pytestmark = pytest.mark.skipif(
    not PYTHONS, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")

SCRIPT = """\
import numpy as np
import tensorflow as tf
rng = np.random.RandomState(0)
x = tf.placeholder(tf.float32, [None, 4], name="x")
nans = tf.placeholder(tf.float32, [None, 4], name="nans")
open = tf.placeholder(tf.float32, None, name="open")
rate = tf.placeholder(tf.float32, name="rate")
y = tf.placeholder(tf.float32, [None, 2], name="y")
outs = [
    tf.divide(1.0, x[:, 1:2] - 0.25, name="near"),
    tf.log(tf.random_uniform([5]), name="random"),
    tf.reciprocal(tf.Variable(tf.random_normal([3])), name="initial"),
    tf.exp(tf.reduce_sum(x, 1) * 23.0, name="overflow"),
    tf.log(x - 0.5, name="own"),
    tf.log(tf.clip_by_value(tf.nn.softmax(x), 1e-10, 1.0), name="safe"),
    tf.floor_div(tf.cast(x, tf.int32), 2, name="whole"),
    tf.as_string(x, name="words"),
    tf.divide(1.0, tf.Variable(tf.random_uniform([3], 0.0, 16.0)), name="end"),
    tf.reciprocal(tf.get_variable("v", [3], use_resource=True), name="held"),
    tf.divide(1.0, open, name="unfed"),
    tf.divide(1.0, tf.reshape(x, [-1, 2, 2]) - rate, name="rated"),
]
root = tf.sqrt(tf.reduce_sum(tf.square(x - 0.5), 1), name="root")
slope = tf.gradients(root, x)
odd = tf.log(tf.reshape(x, [-1, 3]), name="odd")
finite = tf.log(nans + 1.0, name="finite")
w = tf.Variable(tf.zeros([4, 2]), name="w")
loss = tf.reduce_mean(-tf.reduce_sum(y * tf.log(tf.nn.softmax(tf.matmul(x, w)), name="trained"), 1))
train = tf.train.GradientDescentOptimizer(20.0).minimize(loss)
image = tf.placeholder(tf.float32, [None, 300], name="image")
wide = tf.log(tf.nn.softmax(tf.matmul(image, tf.Variable(tf.zeros([300, 2])))), name="wide")
train_wide = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_mean(-tf.reduce_sum(y * wide, 1)))
data = rng.rand(8, 4)
data[3, 2] = np.nan
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run([outs[:-2], slope], {x: rng.rand(8, 4)})
    session.run(finite, {nans: data})
    for i in range(4):
        session.run(train_wide, {image: rng.rand(8, 300), y: np.eye(2)[rng.randint(0, 2, 8)]})
        session.run([train, loss], {x: rng.rand(8, 4), y: np.eye(2)[rng.randint(0, 2, 8)]})
"""

# Node: operation, condition, operand, is it the derivative, and what comes out, or why nothing does.
FOUND = {
    "near": ("RealDiv", "zero", 1, False, "inf"),
    "root": ("Sqrt", "zero", 0, True, "inf"),
    "random": ("Log", "nonpositive", 0, False, "-inf"),
    "initial": ("Reciprocal", "zero", 0, False, "inf"),
    "held": ("Reciprocal", "zero", 0, False, "inf"),  # by a resource: what writes it gives no tensor
    "end": ("RealDiv", "zero", 1, False, "inf"),  # the least that its generator gives
    "overflow": ("Exp", "overflow", 0, False, "inf"),
    "own": ("Log", "nonpositive", 0, False, "NaN"),
    "trained": ("Log", "nonpositive", 0, False, "-inf"),
    "wide": ("Log", "nonpositive", 0, False, "-inf"),
    "unfed": ("RealDiv", "zero", 1, False, "inf"),
    "rated": ("RealDiv", "zero", 1, False, "inf"),  # a number, as a keep_prob is, not a row of them
}
STANDING = {
    "safe": ("Log", "nonpositive", 0, False, "the loss did not fall any further"),
    "whole": ("FloorDiv", "zero", 0, False, "its operand is int32, which holds no NaN"),
    "words": ("AsString", "zero", 3, False, "AsString has no input 3"),
    "odd": ("Log", "nonpositive", 0, False, "InvalidArgumentError"),
    "finite": ("Log", "nonpositive", 0, False, "the loss did not fall any further"),
}


@pytest.fixture(scope="module", params=PYTHONS)
def searched(request, tmp_path_factory):
    """(python, {node: its witness}, the folder of witnesses)."""
    folder = tmp_path_factory.mktemp("witness")
    path = folder / "s.py"
    path.write_text(SCRIPT)
    recorder = confirm_export.Recorder()

    def make(taker):
        return recorder.export(taker.graphs[0])

    found = taken.take_report(str(path), [], parse("shapeflow", numeric_command.COMMAND, [str(path)]), make,
                              recorder.begin)
    assert found is not None and found.made is not None, found and found.missing
    items = [{"node": node, "op": op, "condition": condition, "input": number, "in_gradient": in_gradient,
              "graph": 0, "file": str(path), "line": 5}
             for node, (op, condition, number, in_gradient, _) in {**FOUND, **STANDING}.items()]
    confirm.confirm(items, {"0": found.made}, str(path),
                    confirm.Settings(request.param, 30.0, None, 1, str(folder / "out")))
    return request.param, {item["node"]: item["witness"] for item in items}, folder / "out"


def test_each_suspect_that_breaks_has_a_witness_that_replays(searched):
    _, witnesses, folder = searched
    for node, (*_, what) in FOUND.items():
        witness = witnesses[node]
        assert (witness["status"], witness.get("what")) == ("found", what), (node, witness)
        # What the fresh process printed.
        assert int(witness["replayed"].split(" has ")[1].split()[0 if what == "NaN" else 3]) > 0, node
    assert len(list(folder.iterdir())) == 3 * len(FOUND)


def test_the_time_until_it_broke_is_said_beside_that_of_all(searched):
    _, witnesses, _ = searched
    for name in FOUND:
        assert 0 < witnesses[name]["found_after"] <= witnesses[name]["seconds"], name
        assert witnesses[name]["found_after_cpu"] > 0, name


def test_a_witness_is_legal_and_small(searched):
    _, witnesses, _ = searched
    for node in ("near", "root", "overflow", "own", "trained"):
        values = np.load(witnesses[node]["files"][1])["x"]
        assert values.shape == (1, 4) and 0 <= values.min() and values.max() <= 1, (node, values)
        assert witnesses[node]["samples"] == 1
    # Of one element's matter one is changed; what the program fed breaks by itself.
    assert witnesses["near"]["changed"] == 1 and witnesses["own"]["changed"] == 0
    assert 0 <= np.load(witnesses["random"]["files"][1])["random_uniform/RandomUniform"].min() == 0
    assert witnesses["unfed"]["assumed"] == ["open:0"]
    assert "made up for open:0" in confirm.described(witnesses["unfed"])


def test_a_replay_script_runs_anywhere(searched, tmp_path):
    python, witnesses, _ = searched
    path = witnesses["near"]["files"][0]
    done = subprocess.run([python, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=str(tmp_path), universal_newlines=True)
    assert done.returncode == 1, done.stderr[-900:]
    assert done.stdout.startswith("near:0 has 0 NaN and 1 inf of 1 where sub:0 is from 0.0 to 0.0")


def test_the_others_stand_with_the_reason(searched):
    _, witnesses, _ = searched
    for node, (*_, reason) in STANDING.items():
        assert witnesses[node]["status"] == "standing" and reason in witnesses[node]["reason"], \
            (node, witnesses[node])
    assert 0 < witnesses["safe"]["closest"] <= 0.2
    assert witnesses["finite"]["notes"] == ["the script's own data hold NaN or infinity (nans:0)"]


EAGER = """\
import numpy as np
import tensorflow as tf
data = np.random.RandomState(0).rand(64, 12).astype("float32") * 200
labels = np.eye(3, dtype="float32")[np.random.RandomState(1).randint(3, size=64)]
w = tf.Variable(tf.random.normal([12, 3]), name="w")
c = tf.Variable(tf.random.uniform([3], -1.0, 1.0))
scale, steps = tf.Variable(1.0), tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD(20.0)
pairs = tf.data.Dataset.from_tensor_slices((data, labels)).batch(16)
for epoch in range(2):
    for x, y in pairs:
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.matmul(x, w) * 1e-3)
            loss = -tf.reduce_sum(y * tf.math.log(p))
            kept = tf.sqrt(tf.reduce_sum(tf.square(c)))
            loss += kept + tf.math.log(scale * 0.5 + 1.0)
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, c]), [w, c]))
        steps.assign(0.9 * steps + 0.1 * loss)
draw = tf.math.log(tf.random.uniform([5]))
"""


@pytest.fixture(scope="module", params=PYTHONS)
def searched_eager(request, tmp_path_factory):
    """{line: its witness}."""
    import json
    import sys

    folder = tmp_path_factory.mktemp("eager")
    (folder / "s.py").write_text(EAGER)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", "--confirm",
                           "--tensorflow", request.param, "--search-time", "60", "--mode", "eager", "s.py"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=str(folder))
    assert done.returncode == 1, done.stderr.decode()[-2000:]
    return {suspect["line"]: suspect["witness"] for suspect in json.loads(done.stdout.decode())["suspects"]}


def test_eager_code_trains_in_the_search(searched_eager):
    """The logits are too near zero at first: only the program's own step, of eager code, makes them large. It
    counts its steps without any gradient, as Keras does."""
    witness = searched_eager[14]
    assert (witness["status"], witness.get("what")) == ("found", "-inf"), witness
    assert "training" in witness["phase"], witness["phase"]  # whichever of the two that train comes first
    assert not witness.get("assumed")  # the batches are the script's data
    values = np.load(witness["files"][1])
    assert {(12, 3), (1, 12)} <= {values[name].shape for name in values.files}


def test_initial_values_of_eager_variables_are_searched(searched_eager):
    """Where the derivative of the root breaks all three are zero, which the initialisation may draw."""
    witness = searched_eager[15]
    assert (witness["status"], witness.get("what")) == ("found", "inf"), witness


def test_random_values_of_eager_code_are_searched(searched_eager):
    witness = searched_eager[19]
    assert (witness["status"], witness.get("what")) == ("found", "-inf"), witness


def test_too_little_memory_leaves_the_suspect(tmp_path):
    from shapeflow.numeric import confirm_process

    with pytest.raises(confirm_process.Lost):
        confirm_process.Worker(PYTHONS[0], str(tmp_path), 64 << 20)
