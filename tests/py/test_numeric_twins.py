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
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
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
# Bugs and stable forms without a twin.
BUGS = [
    (TWO, "m = tf.reduce_sum(z * z, 1, keepdims=True); loss = tf.where(m > 0, z / m, tf.zeros_like(z))"),
    (TWO, "loss = tf.math.log(tf.nn.relu(z))"),
    (TWO, ("a = tf.reduce_min(z, 1, keepdims=True); b = tf.reduce_max(z, 1, keepdims=True); "
           "loss = (z - a) / (b - a)")),
    (TWO, "e = tf.exp(z); loss = e / tf.reduce_sum(e, 1, keepdims=True)"),
    (TWO, "loss = tf.math.log(1 + tf.exp(-z))"),
    (TWO, "p = tf.sigmoid(z); loss = tf.pow(1 - p, 0.5)"),
    (TWO, "loss = 0.5 * u + 0.5 * tf.square(z) * tf.exp(-u)"),
    (TWO, "loss = 10 * tf.math.log(tf.reduce_mean(tf.square(z - u))) / tf.math.log(10.0)"),
    (TWO, "loss = tf.asin(tf.tanh(z))"),
    (TWO, "loss = tf.math.xlogy(y, tf.nn.relu(z))"),
    (TWO, "loss = tf.linalg.inv(tf.matmul(w, w, transpose_a=True))"),
    (TWO, "loss = tf.math.lgamma(z)"),
    (TWO, "loss = tf.math.acosh(1 + tf.nn.relu(z))"),
    (TWO, "loss = tf.linalg.cholesky(tf.matmul(w, w, transpose_a=True))"),
    (ONE, ("var = tf.reduce_mean(tf.square(z), 0) - tf.square(tf.reduce_mean(z, 0)); "
           "loss = tf.reduce_mean(tf.sqrt(var))")),
    (ONE, ("loss = tf.reduce_mean(z) / tf.reduce_mean(tf.cast(tf.equal(tf.argmax(z, 1), tf.argmax(y, "
           "1)), tf.float32))")),
    (ONE, "n = tf.reduce_sum(tf.cast(x > 100, tf.float32)); loss = tf.reduce_sum(z) / n"),
    (ONE, "loss = tf.reduce_mean(tf.log(-tf.log(tf.nn.softmax(z) + 1e-8)))"),
    (ONE, ("g = tf.gradients(tf.reduce_mean(z), x)[0]; "
           "loss = tf.reduce_mean(tf.square(tf.sqrt(tf.reduce_sum(tf.square(g), 1)) - 1))")),
    (ONE, "loss = tf.reduce_mean(tf.norm(z, axis=1))"),
    (TWO, ("n = tf.math.bincount(tf.argmax(z, 1, tf.int32), minlength=3, maxlength=3, dtype=tf.float32); "
           "loss = tf.reduce_mean(z) + tf.math.log(n / tf.reduce_sum(n))")),
    (TWO, "p = tf.nn.softmax(z); loss = p[:, 0] / p[:, 1]"),
    (TWO, "p = tf.nn.softmax(z); loss = p / tf.reduce_sum(p, 0)"),
    (KERAS, "return tf.reduce_mean(tf.math.log(value / (target + 1)))"),
    (KERAS, "return tf.reduce_mean(tf.exp(value) - target * value)"),
    (KERAS, "return keras.losses.mae(tf.math.log(target), value)"),
    (KERAS, "return tf.sqrt(tf.reduce_mean(tf.square(target - value)))"),
    (KERAS, "return tf.reduce_mean(tf.math.log(tf.cosh(value - target)))"),
]
STABLE = [
    (TWO, ("n = tf.norm(x, axis=1, keepdims=True); m = tf.reduce_sum(z * z, 1, keepdims=True); "
           "ok = m > 0; loss = tf.where(ok, z / tf.where(ok, m, tf.ones_like(m)), tf.zeros_like(z))")),
    (TWO, "p = tf.sigmoid(z); loss = -y * tf.math.log(p + 1e-7) - (1 - y) * tf.math.log(1 - p + 1e-7)"),
    (TWO, ("p = tf.clip_by_value(tf.sigmoid(z), 1e-7, 1 - 1e-7); "
           "loss = -y * tf.math.log(p) - (1 - y) * tf.math.log(1 - p)")),
    (TWO, "loss = tf.sqrt(tf.maximum(z, 0.0) + 1e-12)"),
    (TWO, ("a = tf.reduce_min(z, 1, keepdims=True); b = tf.reduce_max(z, 1, keepdims=True); "
           "loss = (z - a) / (b - a + 1e-8)")),
    (TWO, ("e = tf.exp(z - tf.reduce_max(z, 1, keepdims=True)); "
           "loss = e / tf.reduce_sum(e, 1, keepdims=True)")),
    (TWO, "loss = tf.minimum(z, 0.0) - tf.math.log(1 + tf.exp(-tf.abs(z)))"),
    (TWO, "d = z - u; loss = d + tf.nn.softplus(-2.0 * d) - np.log(2.0)"),
    (TWO, "p = tf.sigmoid(z); loss = -y * tf.pow(1 - p, 2.0) * tf.math.log(p + 1e-7)"),
    (TWO, "s = tf.nn.softplus(u) + 1e-6; loss = 0.5 * tf.math.log(s) + 0.5 * tf.square(z) / s"),
    (TWO, "s = tf.clip_by_value(u, -10.0, 10.0); loss = 0.5 * s + 0.5 * tf.square(z) * tf.exp(-s)"),
    (TWO, ("i = tf.minimum(tf.nn.relu(z), tf.nn.relu(u)); "
           "j = tf.maximum(tf.nn.relu(z), tf.nn.relu(u)); "
           "loss = 1 - tf.reduce_sum(i, 1) / (tf.reduce_sum(j, 1) + 1e-7)")),
    (TWO, ("m = tf.cast(x[:, :3] > 0, tf.float32); "
           "loss = tf.math.divide_no_nan(tf.reduce_sum(z * m, 1), tf.reduce_sum(m, 1))")),
    (TWO, "loss = tf.math.log1p(tf.nn.relu(z))"),
    (TWO, ("a = tf.matmul(z, u, transpose_b=True) / np.sqrt(3.0); a += (1 - tf.eye(16)) * -1e9; "
           "loss = tf.matmul(tf.nn.softmax(a), u)")),
    (TWO, "p = tf.nn.softmax(z); loss = -tf.reduce_sum(p * tf.math.log(tf.maximum(p, 1e-8)), 1)"),
    (TWO, ("mse = tf.reduce_mean(tf.square(z - u)); "
           "loss = 10 * tf.math.log(mse + 1e-10) / tf.math.log(10.0)")),
    (ONE, ("step = tf.train.get_or_create_global_step(); s = tf.cast(step, tf.float32) + 1; "
           "rate = tf.minimum(tf.rsqrt(s), s * 4000 ** -1.5); loss = tf.reduce_mean(z) * rate")),
    (ONE, "c = tf.nn.l2_normalize(z, 1); loss = tf.reduce_mean(1 - tf.reduce_sum(c * y, 1))"),
    (ONE, ("q = tf.one_hot(tf.argmax(y, 1), 3); n = tf.reduce_sum(q, 1); "
           "loss = tf.reduce_sum(tf.reduce_sum(z * q, 1) / n)")),
    (ONE, ("keep = tf.nn.dropout(tf.nn.relu(z), 0.5); "
           "loss = tf.reduce_mean(tf.sqrt(tf.square(keep) + 1.0))")),
    (ONE, ("mean = tf.reduce_mean(z, 0); var = tf.reduce_mean(tf.square(z - mean), 0); "
           "loss = tf.reduce_mean((z - mean) / tf.sqrt(var + 1e-5))")),
    (ONE, ("var = tf.reduce_mean(tf.square(x), 0) - tf.square(tf.reduce_mean(x, 0)); "
           "loss = tf.reduce_mean(z) + tf.reduce_sum(1 / tf.sqrt(tf.maximum(var, 0) + 1e-5))")),
    (ONE, "b = tf.cast(tf.shape(x)[0], tf.float32); loss = tf.reduce_sum(z) / b"),
    (ONE, ("w2 = tf.get_variable(\"w2\", [3], constraint=lambda v: tf.clip_by_value(v, 0.1, 1.0), "
           "initializer=tf.ones_initializer()); "
           "loss = tf.reduce_sum(z / w2)")),
    (ONE, ("l = tf.reduce_sum(tf.cast(x > -100, tf.float32), 1); "
           "loss = tf.reduce_mean(z) / tf.reduce_mean(1 + l)")),
    (KERAS, "return tf.reduce_mean(tf.square(tf.math.log1p(tf.nn.relu(value)) - tf.math.log1p(target)))"),
    (KERAS, "e = tf.abs(target - value); return tf.reduce_mean(tf.where(e < 1.0, 0.5 * e * e, e - 0.5))"),
    (KERAS, "return tf.reduce_mean(tf.math.log(tf.cosh(tf.clip_by_value(value - target, -10.0, 10.0))))"),
    (KERAS, "return keras.losses.mape(target, value)"),
    (KERAS, "return keras.losses.logcosh(target, value)"),
    (KERAS, "return keras.losses.poisson(target, tf.nn.softplus(value))"),
    (KERAS, "return keras.losses.cosine_similarity(target, value)"),
    (KERAS, "return keras.losses.kld(tf.nn.softmax(target), tf.nn.softmax(value))"),
    (KERAS, "return keras.losses.binary_crossentropy(target / 4.0, tf.sigmoid(value))"),
    (KERAS, "return keras.losses.msle(target, value)"),
    # The shares of a softmax are 1 together.
    (TWO, "loss = keras.losses.categorical_crossentropy(0.3 * y + 0.7 * y[::-1], tf.nn.softmax(z))"),
    (TWO, "p = tf.nn.softmax(z); loss = p / tf.reduce_sum(p, -1, keepdims=True)"),
    (TWO, "loss = keras.losses.CategoricalFocalCrossentropy()(y, tf.nn.softmax(z))"),
    # A derivative does not go back beyond what it is taken by.
    (TWO, ("for _ in range(2):\n"
           "    with tf.GradientTape() as inner:\n"
           "        inner.watch(x); cost = tf.reduce_sum(tf.square(tf.matmul(x, w)))\n"
           "    g = inner.gradient(cost, x)\n"
           "    x = tf.stop_gradient(x + 0.1 * g / (tf.norm(g, axis=1, keepdims=True) + 1e-12))\n"
           "loss = tf.matmul(x, w)")),
    # Counts.
    (TWO, ("n = tf.math.bincount(tf.argmax(z, 1, tf.int32), minlength=3, maxlength=3, dtype=tf.float32); "
           "loss = tf.reduce_mean(z) + tf.math.log((n + 1) / (tf.reduce_sum(n) + 3))")),
    (TWO, ("n = tf.reduce_sum(tf.cast(tf.boolean_mask(z, z > 0) > 1, tf.int32)); "
           "loss = tf.reduce_mean(z) / tf.cast(n + 1, tf.float32)")),
    (TWO, ("iou = keras.metrics.MeanIoU(3); iou.update_state(tf.argmax(y, 1), tf.argmax(z, 1)); "
           "iou.result(); loss = tf.reduce_mean(z)")),
    (TWO, ("n = tf.reduce_sum(tf.cast(x > 0, tf.float32)); s = tf.reduce_sum(tf.cast(x > 1, tf.float32)); "
           "loss = tf.reduce_mean(z) + tf.where(n > 0, s / n, 0.0)")),
    (ONE, ("iou, update = tf.metrics.mean_iou(tf.argmax(y, 1), tf.argmax(z, 1), 3)\n"
           "with tf.control_dependencies([update]):\n"
           "    loss = tf.reduce_mean(z) + tf.to_float(iou)")),
    (ONE, ("count = tf.Variable(0, trainable=False)\n"
           "loss = tf.reduce_mean(z) / tf.to_float(tf.assign_add(count, 1) + 1)")),
    # Ids are drawn with probabilities that are not zero.
    (ONE, ("v, b = tf.get_variable('nce', [50, 3]), tf.get_variable('bias', [50])\n"
           "loss = tf.reduce_mean(tf.nn.nce_loss(v, b, tf.argmax(y, 1)[:, None], z, 4, 50))")),
    (TWO, "loss = z * tf.math.sqrt(1 - tf.math.cumprod(tf.nn.sigmoid(tf.stop_gradient(u)), 1) + 1e-6)"),
    (TWO, "loss = z / (4.0 + tf.stop_gradient(tf.math.atan2(z, u)))"),  # its derivative at (0, 0) is NaN
]


@pytest.mark.parametrize("head, version", [(ONE, "1.15.0"), (TWO, "2.21.0"), (KERAS, "2.21.0")],
                         ids=["sessions", "eager", "keras"])
@pytest.mark.parametrize("part", [1, 2], ids=["bugs", "twins"])
def test_the_bugs_are_suspects_and_their_twins_have_none(head, version, part, tmp_path):
    source, places = IMPORTS, {}
    bodies = [(name, program[0], program[part]) for name, program in PROGRAMS.items()]
    bodies += [(body, its, body) for its, body in (BUGS if part == 1 else STABLE)]
    for name, its, body in bodies:
        if its is head:
            before, after = head.split("{body}\n")
            source += before
            places[source.count("\n") + 1] = name
            source += textwrap.indent(body, "    ") + "\n" + after
    path = tmp_path / "program.py"
    path.write_text(source)
    report = runner.run(str(path), ["--numeric", "--no-cache", "--tf-version", version])
    assert report.failure is None and not report.of("error"), report.failure
    found = {record.primary.line: record.message for record in report.of("warning")
             if record.code.startswith("SF60")}
    told = {places.get(line, f"line {line}: {source.splitlines()[line - 1]}: {message}")
            for line, message in found.items()}
    assert told == (set(places.values()) if part == 1 else set())
