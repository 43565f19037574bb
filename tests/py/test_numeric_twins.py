"""Small programs with one numeric bug each, and their twins in a stable form: the bug is a suspect at its
line, the twin has none."""
import textwrap

import pytest

from shapeflow.checker import runner

# Each program is a function of its own: TensorFlow 1 with a trained layer, eager code, or Keras.
IMPORTS = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras
rng = np.random.RandomState(0)
"""
ONE = """\
with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [None, 6])
    y = tf.placeholder(tf.float32, [None, 3])
    z = tf.layers.dense(x, 3)
    feeds = {x: rng.randn(16, 6), y: np.eye(3)[rng.randint(3, size=16)]}
{body}
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(3):
            session.run([train, loss], feeds)
"""
TWO = """\
def loss_of(x, y, w, v):
    z = tf.matmul(x, w)
    u = tf.matmul(x, v)
{body}
    return tf.reduce_mean(loss)
def main():
    data = tf.constant(rng.randn(16, 6), tf.float32)
    labels = tf.constant(np.eye(3)[rng.randint(3, size=16)], tf.float32)
    w = tf.Variable(tf.random.normal([6, 3], stddev=0.1))
    v = tf.Variable(tf.random.normal([6, 3], stddev=0.1))
    optimizer = keras.optimizers.Adam(0.01)
    for step in range(3):
        with tf.GradientTape() as tape:
            loss = loss_of(data, labels, w, v)
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, v], "zero"), [w, v]))
main()
"""
KERAS = """\
def loss(target, value):
{body}
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", loss)
targets = rng.randint(4, size=(16, 1)).astype("float32")
model.fit(rng.rand(16, 6).astype("float32"), targets, batch_size=4, epochs=1, verbose=0)
"""
# Name: head, the line of the bug, the lines of the twin.
PROGRAMS = {
    "logarithm of a softmax": (
        ONE, "loss = -tf.reduce_mean(tf.reduce_sum(y * tf.log(tf.nn.softmax(z)), 1))",
        "loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z))"),
    "mean over a mask": (
        ONE, ("mask = tf.cast(x[:, 0] > 0, tf.float32); "
             "loss = tf.reduce_sum(tf.reduce_sum(z * z, 1) * mask) / tf.reduce_sum(mask)"),
        ("mask = tf.cast(x[:, 0] > 0, tf.float32)\n"
        "loss = tf.reduce_sum(tf.reduce_sum(z * z, 1) * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)")),
    "distance of two embeddings": (
        TWO, "loss = tf.sqrt(tf.reduce_sum(tf.square(z - u), 1))",
        "loss = tf.sqrt(tf.reduce_sum(tf.square(z - u), 1) + 1e-12)"),
    "rate of a Poisson distribution": (
        ONE, "loss = tf.reduce_mean(tf.exp(z) - y * z)",
        "loss = tf.reduce_mean(tf.exp(tf.clip_by_value(z, -20.0, 20.0)) - y * z)"),
    "unit vectors by hand": (
        TWO, "loss = z / tf.norm(z, axis=1, keepdims=True)", "loss = tf.nn.l2_normalize(z, 1)"),
    "binary cross entropy by hand": (
        TWO, "loss = -(1 - y) * tf.math.log(1 - tf.sigmoid(z))", "loss = (1 - y) * tf.nn.softplus(z)"),
    "angle of two vectors": (
        TWO, "loss = tf.acos(tf.reduce_sum(tf.nn.l2_normalize(z, 1) * tf.nn.l2_normalize(u, 1), 1))",
        ("cosine = tf.reduce_sum(tf.nn.l2_normalize(z, 1) * tf.nn.l2_normalize(u, 1), 1)\n"
        "loss = tf.acos(tf.clip_by_value(cosine, -1 + 1e-6, 1 - 1e-6))")),
    "power of what may be below zero": (
        ONE, "loss = tf.reduce_mean(tf.pow(z, 1.5))", "loss = tf.reduce_mean(tf.pow(tf.nn.relu(z), 1.5))"),
    "clipped to where it breaks": (
        ONE, "loss = -tf.reduce_mean(y * tf.log(tf.clip_by_value(tf.nn.softmax(z), 0.0, 1.0)))",
        "loss = -tf.reduce_mean(y * tf.log(tf.clip_by_value(tf.nn.softmax(z), 1e-7, 1.0)))"),
    "standardized columns": (
        ONE, ("mean, var = tf.nn.moments(x, [0]); "
             "loss = tf.reduce_mean(z) + tf.reduce_sum((x - mean) / tf.sqrt(var))"),
        ("mean, var = tf.nn.moments(x, [0])\n"
        "loss = tf.reduce_mean(z) + tf.reduce_sum((x - mean) / (tf.sqrt(var) + 1e-6))")),
    "exponential in half precision": (
        TWO, "loss = tf.exp(tf.cast(tf.clip_by_value(z, 0.0, 20.0), tf.float16))",
        "loss = tf.exp(tf.clip_by_value(z, 0.0, 20.0))"),
    "addend that half precision does not have": (
        TWO, "loss = -tf.math.log(tf.cast(tf.nn.softmax(z), tf.float16) + 1e-8)",
        "loss = -tf.math.log(tf.cast(tf.nn.softmax(z), tf.float16) + 1e-3)"),
    "divergence by hand": (
        TWO, "p, q = tf.nn.softmax(z), tf.nn.softmax(u); loss = p * (tf.nn.log_softmax(z) - tf.math.log(q))",
        "loss = tf.nn.softmax(z) * (tf.nn.log_softmax(z) - tf.nn.log_softmax(u))"),
    "percentage error": (
        KERAS, "return tf.reduce_mean(tf.abs((target - value) / target))",
        "return tf.reduce_mean(tf.abs((target - value) / tf.maximum(tf.abs(target), 1e-3)))"),
    "logarithm of a sum of exponentials": (
        TWO, "loss = tf.math.log(tf.reduce_sum(tf.exp(z), 1))", "loss = tf.reduce_logsumexp(z, 1)"),
    "what a saturated tanh came from": (
        TWO, "loss = tf.atanh(tf.tanh(z))", "loss = tf.atanh(0.999 * tf.tanh(z))"),
    "precision of a batch": (
        ONE, "loss = tf.reduce_mean((z - tf.reduce_mean(z, 0)) * tf.rsqrt(tf.nn.moments(z, [0])[1]))",
        "loss = tf.reduce_mean((z - tf.reduce_mean(z, 0)) * tf.rsqrt(tf.nn.moments(z, [0])[1] + 1e-5))"),
    "inverse frequency of words": (
        ONE, ("count = tf.reduce_sum(tf.cast(x > 0, tf.float32), 0); "
             "loss = tf.reduce_mean(z) + tf.reduce_sum(tf.log(16.0 / count))"),
        ("count = tf.reduce_sum(tf.cast(x > 0, tf.float32), 0)\n"
        "loss = tf.reduce_mean(z) + tf.reduce_sum(tf.log(16.0 / (1.0 + count)))")),
    "temperature": (
        ONE, ("t = tf.placeholder(tf.float32, []); feeds[t] = 0.0; "
             "loss = tf.reduce_mean(tf.nn.log_softmax(z / t))"),
        ("t = tf.placeholder(tf.float32, []); feeds[t] = 0.5; "
         "loss = tf.reduce_mean(tf.nn.log_softmax(z / t))")),
    "logarithm of the rest": (
        TWO, "loss = -tf.math.log1p(-tf.sigmoid(z))", "loss = tf.nn.softplus(z)"),
    "how often a class is there": (
        ONE, ("q = tf.one_hot(tf.cast(x[:, 0] * 5, tf.int32), 3); "
              "loss = tf.reduce_sum(tf.reduce_sum(z * q, 1) / tf.reduce_sum(q, 1))"),
        ("q = tf.one_hot(tf.argmax(y, 1), 3); "
         "loss = tf.reduce_sum(tf.reduce_sum(z * q, 1) / tf.reduce_sum(q, 1))")),
    "mean of counts": (
        ONE, "n = tf.reduce_sum(tf.cast(x > 0, tf.float32), 1); loss = tf.reduce_mean(z) / tf.reduce_mean(n)",
        "n = tf.reduce_sum(tf.cast(x > 0, tf.float32), 1); loss = tf.reduce_mean(z) / tf.reduce_mean(1 + n)"),
    "overlap of sets": (
        TWO, "p = tf.nn.relu(z); loss = 1 - 2 * tf.reduce_sum(p * y, 1) / (tf.reduce_sum(p, 1) * 2)",
        "p = tf.nn.relu(z)\nloss = 1 - 2 * tf.reduce_sum(p * y, 1) / (tf.reduce_sum(p, 1) * 2 + 1e-6)"),
    "standard deviation in the loss": (
        TWO, "loss = tf.math.reduce_std(z, 0)", "loss = tf.sqrt(tf.math.reduce_variance(z, 0) + 1e-8)"),
    "logarithmic error": (
        KERAS, "return tf.reduce_mean(tf.square(tf.math.log(value + 1) - tf.math.log(target + 1)))",
        "return tf.reduce_mean(tf.square(tf.math.log(tf.nn.relu(value) + 1) - tf.math.log(target + 1)))"),
}


@pytest.mark.parametrize("head, version", [(ONE, "1.15.0"), (TWO, "2.21.0"), (KERAS, "2.21.0")],
                         ids=["sessions", "eager", "keras"])
@pytest.mark.parametrize("part", [1, 2], ids=["bugs", "twins"])
def test_the_bugs_are_suspects_and_their_twins_have_none(head, version, part, tmp_path):
    source, places = IMPORTS, {}
    for name, program in PROGRAMS.items():
        if program[0] is head:
            before, after = head.split("{body}\n")
            source += before
            places[source.count("\n") + 1] = name
            source += textwrap.indent(program[part], "    ") + "\n" + after
    path = tmp_path / "program.py"
    path.write_text(source)
    report = runner.run(str(path), ["--numeric", "--no-cache", "--tf-version", version])
    assert report.failure is None and not report.of("error"), report.failure
    found = {record.primary.line: record.message for record in report.of("warning")
             if record.code.startswith("SF60")}
    told = {places.get(line, f"line {line}: {source.splitlines()[line - 1]}: {message}")
            for line, message in found.items()}
    assert told == (set(places.values()) if part == 1 else set())
