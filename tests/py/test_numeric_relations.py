"""`shapeflow numeric`: parts of tensors, relations between tensors, what is hidden, clipped variables.

Each program is one script: its lines that end with "# suspect" have one, and no other line has.
"""
import json
import subprocess
import sys
import textwrap

import pytest

HEAD = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 6])
m = tf.placeholder(tf.float32, [None, 6])
W = tf.Variable(tf.zeros([6, 6]))
h = tf.matmul(x, W)
losses = []
"""
TAIL = """
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.add_n(losses))
{after}
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for _ in range(2):
        s.run(train, {{x: np.random.rand(5, 6), m: (np.random.rand(5, 6) > 0.5).astype("float32")}})
"""


def lines_of(tmp_path, lines, after=""):
    """(lines that have a suspect, those that say so)."""
    program = HEAD + textwrap.dedent(lines) + TAIL.format(after=after)
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    found = {(s["line"], program.splitlines()[s["line"] - 1]) for s in json.loads(done.stdout)["suspects"]}
    said = {(i, line) for i, line in enumerate(program.splitlines(), 1) if line.endswith("# suspect")}
    return found, said


PARTS = """
def put(t):
    losses.append(tf.reduce_sum(t))

a, b, c = tf.split(h, 3, axis=1)
joined = tf.concat([tf.nn.sigmoid(a), tf.nn.softplus(b) + 1e-3, c], axis=1)
put(tf.log(joined[:, 2:4]))
put(1 / joined[..., 2:4])
put(tf.log(joined[:, -4:-2]))
put(tf.log(joined[:, 1:4]))  # suspect
put(tf.sqrt(joined[:, ::2]))  # suspect
put(tf.log(joined[:, 3]))
put(tf.log((2 * joined + 0.5)[:, 2:4]))
put(tf.log((2 * joined - 0.5)[:, 2:4]))  # suspect
first, second, third = tf.split(joined, [2, 2, 2], 1)
put(tf.log(second))
put(tf.log(third))  # suspect
put(tf.log(tf.unstack(joined, axis=1)[2]))
put(tf.log(tf.gather(joined, [2, 3], axis=1)))
put(tf.log(tf.gather(joined, [1, 2], axis=1)))  # suspect
put(tf.log(tf.transpose(joined)[2:4]))
put(tf.log(tf.reshape(joined, [-1, 1, 6])[:, 0, 2:4]))
put(tf.log(tf.slice(joined, [0, 2], [-1, 2])))
put(tf.log(tf.stack([h, tf.exp(-tf.abs(m)) + 1], 0)[1]))
put(tf.log(tf.stack([h, tf.exp(-tf.abs(m)) + 1], 0)[0]))  # suspect
put(tf.log(tf.concat([c, tf.constant([[0., 1., 2.]])[:, 1:]], 0)[:, 1]))  # suspect
put(1 / tf.constant([[0., 1., 2.]])[:, 1:])
"""

MASKS = """
def put(t):
    losses.append(tf.reduce_sum(t))

d = tf.maximum(h, 0.0)
empty = tf.to_float(tf.equal(d, 0.0))
put(tf.sqrt(d + empty * 1e-16) * (1.0 - empty))
put(tf.sqrt(d + (1 - empty) * 1e-16))  # suspect
put(tf.log(d * (1 - empty) + empty))
put(tf.log(m * (d + 1) + (1 - m)))
put(tf.log(m * (d + 1) + (1 - m) * x))
put(tf.log(m * d + (1 - m)))  # suspect
put(tf.log(tf.boolean_mask(h, h > 0.1)))
put(tf.log(tf.boolean_mask(h, h < 0.1)))  # suspect
put(tf.log(tf.gather_nd(h, tf.where(h > 0.1))))
put(1 / (tf.abs(h) + tf.cast(tf.abs(h) < 1e-3, tf.float32)))
put(tf.log(h * tf.cast(h > 0, tf.float32) + 1e-6))
"""

RELATIONS = """
def put(t):
    losses.append(tf.reduce_sum(t))

p, q = tf.nn.softmax(h), tf.nn.softmax(2 * h)
part, drawn = tf.nn.sigmoid(h[:, :1]), tf.random_uniform([])
put(tf.log(1.01 - (part * p + (1 - part) * q)))
put(tf.log(1.01 - ((1 - drawn) * p + drawn * q)))
put(tf.log(1.01 - (part * p + (1.5 - part) * q)))  # suspect
put(tf.log(1.01 - (part * p + (1 - drawn) * q)))  # suspect
put(1 / (p + (1 - p)))
put(1 / (p + (1 - q)))  # suspect
put(tf.log(1 - tf.random_uniform([4])))
put(tf.log(tf.random_uniform([4])))  # suspect
put(tf.log((2 * p + 3) - 2 * p))
put(tf.log((2 * p + 1) - 3 * p))  # suspect
put(tf.reduce_logsumexp(h, axis=1))
put(tf.log(tf.reduce_sum(tf.exp(h), axis=1)))  # suspect
put(tf.reduce_logsumexp(tf.where(m > 0, h, tf.fill(tf.shape(h), -1e9)), axis=1))
"""

PLACES = """
def put(t):
    losses.append(tf.reduce_sum(t))

v, u = 1.0 + tf.abs(W[:, :1]), tf.abs(W[:, 1:2])
put(tf.log((v + u) - v + 0.1))
put(tf.log(tf.reshape(tf.expand_dims(v + u, 0), [6, 1]) - v + 0.1))
put(tf.log(tf.reshape(v + u, [1, 6]) - v + 0.1))  # suspect
put(tf.log(tf.reshape(tf.maximum(v, u), [1, 6]) - v + 0.1))  # suspect
put(tf.log(tf.reshape(tf.reduce_max(h, 1), [-1, 1]) - h + 0.1))
any_rank = tf.placeholder_with_default(h, None)
put(tf.exp(any_rank - tf.reduce_max(any_rank, -1, keepdims=True)))
put(tf.exp(any_rank - tf.reduce_max(any_rank, -1)))  # suspect
put(tf.log(1.1 - W * tf.rsqrt(tf.maximum(tf.reduce_sum(W * W, 1, keepdims=True), 1e-6))))
put(tf.log(1.1 - W * tf.rsqrt(tf.maximum(tf.reduce_sum(W * W, 1), 1e-6))))  # suspect
put(tf.log(v - (v - 0.5) * tf.nn.sigmoid(u) + 0.1))
put(tf.log(v - tf.reshape((v - 0.5) * tf.nn.sigmoid(u), [1, 6]) + 0.1))  # suspect
"""

HIDDEN = """
def put(t):
    losses.append(tf.reduce_sum(t))

sure = tf.stop_gradient(h)
put(tf.minimum(1 / tf.reduce_sum(tf.square(sure)), 5.0))
put(tf.minimum(1 / tf.reduce_sum(sure), 5.0))  # suspect
put(tf.minimum(1 / tf.reduce_sum(tf.square(h)), 5.0))  # suspect
put(tf.minimum(tf.rsqrt(tf.reduce_sum(tf.square(sure))), 5.0) * h)
put(tf.where(sure > 0, tf.log(sure), tf.zeros_like(h)) * h)
put(tf.where(h > 0, tf.log(h), tf.zeros_like(h)))  # suspect
put(tf.where(sure > 0, 2 * tf.identity(tf.log(sure)), tf.zeros_like(h)) * h)
clipped, _ = tf.clip_by_global_norm(tf.gradients(tf.reduce_sum(h), [W]), 5.0)
tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(clipped, [W]))
"""


@pytest.mark.parametrize("lines", [PARTS, MASKS, RELATIONS, PLACES, HIDDEN],
                         ids=["parts", "masks", "relations", "places", "hidden"])
def test_lines_with_a_suspect_and_without(tmp_path, lines):
    found, said = lines_of(tmp_path, lines)
    assert found == said


ONES = "initializer=tf.ones_initializer()"


@pytest.mark.parametrize("variable, after", [
    (f"tf.get_variable('v', [6], {ONES}, constraint=lambda v: tf.clip_by_value(v, 0.1, 2.0))", ""),
    (f"tf.get_variable('v', [6], {ONES})", "train = [train, tf.assign(v, tf.clip_by_value(v, 0.1, 2.0))]"),
    ("tf.Variable(tf.ones([6]), use_resource=False)",
     "train = [train, v.assign(tf.minimum(tf.maximum(v, 0.1), 2.0))]"),
])
def test_a_variable_that_is_clipped_after_each_step_is_bounded(tmp_path, variable, after):
    lines = f"""
    v = {variable}
    losses.append(tf.reduce_sum(tf.log(v) * x))
    losses.append(tf.reduce_sum(tf.log(v - 0.2) * x))  # suspect
    """
    found, said = lines_of(tmp_path, lines, after)
    assert found == said


def test_a_variable_that_is_assigned_something_else_is_not(tmp_path):
    lines = """
    v = tf.get_variable("v", [6], initializer=tf.ones_initializer())
    losses.append(tf.reduce_sum(tf.log(v) * x))  # suspect
    """
    found, said = lines_of(tmp_path, lines, "train = [train, tf.assign(v, v * 0.9)]")
    assert found == said


SIZES = """
def put(t):
    losses.append(tf.reduce_sum(t))

put(h / tf.cast(tf.shape(x)[0], tf.float32))
put(h / tf.cast(tf.size(h), tf.float32))
some = tf.boolean_mask(h, h[:, 0] > 0)
put(h / tf.cast(tf.shape(some)[0], tf.float32))  # suspect
put(h / tf.cast(tf.shape(x)[0] - 1, tf.float32))  # suspect
"""
PICKED = """
def put(t):
    losses.append(tf.reduce_sum(t))

p = tf.nn.sigmoid(h) + 0.1
best = tf.one_hot(tf.argmax(h, 1), 6)
put(tf.log(tf.reduce_sum(p * best, 1)))
put(tf.acos(0.9 * tf.reduce_sum(best * tf.nn.softmax(h), axis=-1)))
put(tf.log(tf.reduce_sum(p * best, 0)))  # suspect
put(tf.log(tf.reduce_sum(p * tf.one_hot(tf.argmax(h, 1) + 1, 6), 1)))  # suspect
put(tf.log(tf.reduce_sum(p * tf.one_hot(tf.argmax(h, 1), 6, on_value=-1.0), 1)))  # suspect
"""
ROOTS = """
def put(t):
    losses.append(tf.reduce_sum(t))

d = tf.reduce_sum(h * h, 1)
none = tf.zeros_like(d)
put(tf.where(d > 0, tf.sqrt(d), none))
put(tf.where(tf.equal(d, 0), none, tf.sqrt(d)))
put(tf.where(d >= 0, tf.sqrt(d), none))  # suspect
put(tf.where(d > 1, none, tf.sqrt(d)))  # suspect
both = tf.sqrt(d)  # suspect
put(tf.where(d > 0, both, none) + both)
put(tf.minimum(tf.rsqrt(d), 1e6))
put(tf.minimum(1 / d, 1e6))  # suspect
"""

DIAGONALS = """
def put(t):
    losses.append(tf.reduce_sum(t))

square = tf.matmul(h, h, transpose_a=True) + tf.eye(6)
low = tf.cholesky(square)  # suspect
put(tf.log(tf.matrix_diag_part(low)))
put(tf.log(tf.linalg.diag_part(low)))
put(tf.log(tf.linalg.diag_part(low, k=1)))  # suspect
put(tf.log(low + 1))  # suspect
put(tf.log(tf.linalg.diag_part(tf.linalg.set_diag(square, tf.nn.softplus(h[0]) + 1e-3))))
put(tf.log(tf.linalg.diag_part(square)))  # suspect
put(tf.log(tf.linalg.diag(tf.nn.sigmoid(h[0]) + 1)))  # suspect
put(tf.log(tf.linalg.diag(tf.nn.sigmoid(h[0]) + 1) + 1))
"""
COUNTS = """
def put(t):
    losses.append(tf.reduce_sum(tf.cast(t, tf.float32) * h[0, 0]))

best = tf.cast(tf.argmax(h, 1), tf.int32) + 1
values, places, counts = tf.unique_with_counts(best)
put(1 / counts)
put(1 / values)
put(1 / places)  # suspect
put(1 / (tf.unique(best)[1] + 1))
put(1 / tf.unique(best)[1])  # suspect
put(tf.log(tf.cast(tf.strings.length(tf.as_string(best)), tf.float32) + 1))
put(tf.log(tf.cast(tf.multinomial(h, 1), tf.float32) + 1))
"""


@pytest.mark.parametrize("program", [SIZES, PICKED, ROOTS, DIAGONALS, COUNTS],
                         ids=["sizes", "picked", "roots", "diagonals", "counts"])
def test_what_cannot_be_zero_is_known(tmp_path, program):
    """Of a root the gradient's kernel gives 0 where 0 comes back, in TensorFlow 1.15 and later."""
    found, said = lines_of(tmp_path, program)
    assert found == said


COLUMNS = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 2, 2])
height, weight, change = tf.unstack(x, axis=1)
good = [1 / height, tf.log(weight), 1 / (x[:, 0] * x[:, 1]), tf.log(x[:, :2]),
        tf.sqrt(y[..., 1]), 1 / tf.split(x, 3, 1)[0]]
a = tf.log(change)  # suspect
b = 1 / x[:, 1:]  # suspect
c = tf.sqrt(y[..., 0])  # suspect
with tf.Session() as s:
    for _ in range(3):
        data = np.stack([1.5 + np.random.rand(8), 50 + np.random.rand(8), np.arange(8) - 4.], 1)
        s.run([good, a, b, c], {x: data, y: np.stack([-data[:, :2], data[:, :2]], 2)})
"""


def test_columns_of_what_is_fed_are_told_apart(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(COLUMNS, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "numeric", "--json", str(path)], cwd=tmp_path,
                          capture_output=True, text=True)
    said = {i for i, line in enumerate(COLUMNS.splitlines(), 1) if line.endswith("# suspect")}
    assert {s["line"] for s in json.loads(done.stdout)["suspects"]} == said, done.stderr
