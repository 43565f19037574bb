"""Warnings: what TensorFlow accepts and nobody means. Each fires on its pattern and not beside it.

A program says what is expected by `# W: SF506` on its lines; silence everywhere else is asserted.
"""
import re
import textwrap

import pytest

from shapeflow.checker import runner

TF1 = "import numpy as np\nimport tensorflow as tf\n"
TF2 = TF1 + "assert tf.__version__ >= '2'\n"


def expected(source):
    return {(number, code) for number, line in enumerate(source.splitlines(), 1)
            for code in re.findall(r"# W: (SF\d+)", line)}


def check(tmp_path, source, version):
    script = tmp_path / "program.py"
    script.write_text(source)
    report = runner.run(str(script), ["--tf-version", version, "--no-cache"])
    assert report.failure is None, report.failure
    assert not report.of("error"), [r.message for r in report.of("error")]
    return report


def found(report):
    return {(record.primary.line, record.code) for record in report.of("warning")}


TRAINING = """
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.ones([4, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
feed = {x: np.zeros([8, 4]), y: np.zeros([8, 1])}
"""
RUN = """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(20):
        sess.run(train, feed)
"""

DATA = """
data = tf.data.Dataset.from_tensor_slices(np.zeros([100, 4], np.float32))%s
iterator = data.make_one_shot_iterator()
x = iterator.get_next()
"""
FIXED = """
state = tf.zeros([32, 8])
out = tf.concat([x, state], 1)  # W: SF505
"""
SILENT = FIXED.replace("  # W: SF505", "")
STEP = """
with tf.Session() as sess:
    for step in range(%s):
        sess.run(out)
"""

V1 = {
    # --- SF506
    "slots of an embedding that share a line with get_variable": """
x, e = tf.placeholder(tf.int32, [None]), tf.get_variable("e", [20, 6])
loss = tf.reduce_sum(tf.nn.embedding_lookup(e, x))
unused = tf.get_variable("u", [2]); train = tf.train.AdamOptimizer().minimize(loss)  # W: SF506
feed = {x: [1, 2]}
""" + RUN,
    "everything is used": TRAINING + RUN,
    "a placeholder that nothing reads": TRAINING + """
z = tf.placeholder(tf.float32, [None, 4])  # W: SF506
""" + RUN,
    "a placeholder that is fed for nothing": TRAINING + """
rate = tf.placeholder(tf.float32)  # W: SF506
dropped = tf.nn.dropout(x, rate)
feed[rate] = 0.5
""" + RUN,
    "labels in a program that only predicts": TRAINING + """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.matmul(x, w), {x: np.zeros([8, 4])})
""",
    "a placeholder that is fetched": TRAINING + """
z = tf.placeholder(tf.float32, [2])
""" + RUN + "    sess.run(z, {z: [1, 2]})\n",
    "nothing was run": TRAINING + "z = tf.placeholder(tf.float32)\n",
    "a variable that nothing reads": TRAINING + """
b = tf.Variable(tf.zeros([1]))  # W: SF506
saver = tf.train.Saver()
""" + RUN + "    saver.save(sess, '/tmp/nowhere')\n",
    "a counter": TRAINING + """
counter = tf.Variable(0, trainable=False)
count = tf.assign_add(counter, 1)
""" + RUN + "    sess.run(count)\n",
    "a global step": TRAINING.replace("minimize(loss)", "minimize(loss, global_step=step)").replace(
        "w = tf", "step = tf.Variable(0, trainable=False)\nw = tf") + RUN,
    "a variable that is printed": TRAINING + """
best = tf.Variable(0.0, trainable=False)
""" + RUN + "    print(sess.run(best))\n",
    "a layer whose output is forgotten": TRAINING + """
w2 = tf.Variable(tf.ones([4, 4]))  # W: SF506
hidden = tf.nn.relu(tf.matmul(x, w2))
""" + RUN,
    "two models, of which this run trains one": TRAINING + """
w2 = tf.Variable(tf.ones([4, 1]))
loss2 = tf.reduce_mean(tf.square(tf.matmul(x, w2) - y))
train2 = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN,
    "a moving average": TRAINING + """
average = tf.train.ExponentialMovingAverage(0.9)
with tf.control_dependencies([train]):
    train = average.apply([w])
""" + RUN,
    "variables of layers": TRAINING + """
tf.layers.dense(x, 3)
""" + RUN,
    "a helper that makes variables": """
def weight(shape, name):
    return tf.get_variable(name, shape)  # W: SF506
x = tf.placeholder(tf.float32, [None, 4])
w1 = weight([4, 1], "w1")
w2 = weight([4, 1], "w2")
w3 = weight([4, 1], "w3")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.matmul(x, w1), {x: np.zeros([8, 4])})
""",
    "restored and printed": """
v1 = tf.get_variable("v1", [3])
v2 = tf.get_variable("v2", [5])
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(v1.eval(), v2.eval())
    saver.save(sess, "/tmp/nowhere")
""",
    # --- SF501
    "rows and columns of two placeholders": """
x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(w * x - y))  # W: SF501
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
feed = {x: np.zeros([8]), y: np.zeros([8, 1])}
""" + RUN,
    "rows and columns of other lengths": """
x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(w * x - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
feed = {x: np.zeros([5]), y: np.zeros([8, 1])}
""" + RUN,
    "one row and one column": """
x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(w * x - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
feed = {x: np.zeros([1]), y: np.zeros([1, 1])}
""" + RUN,
    "accuracy of a fed column": """
x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64, [None, 1])
hits = tf.equal(tf.argmax(x, 1), y)  # W: SF501
accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))
with tf.Session() as sess:
    for i in range(3):
        sess.run(accuracy, {x: np.zeros([8, 3]), y: np.zeros([8, 1])})
""",
    # --- SF507
    "through argmax": TRAINING + """
scores = tf.Variable(tf.ones([4]))
chosen = tf.cast(tf.argmax(scores), tf.float32)  # W: SF507
loss2 = loss + tf.reduce_sum(chosen * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN,
    "a threshold": TRAINING + """
limit = tf.Variable(0.5)
mask = tf.cast(x > limit, tf.float32)  # W: SF507
loss2 = loss + tf.reduce_sum(tf.matmul(mask, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN,
    "stop_gradient": TRAINING + """
target = tf.Variable(tf.ones([4, 1]))
loss2 = loss + tf.reduce_mean(tf.stop_gradient(tf.matmul(x, target)))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN,
    "a target network": TRAINING + """
scores = tf.Variable(tf.ones([4]))
update = scores.assign(tf.squeeze(w, 1))
chosen = tf.cast(tf.argmax(scores), tf.float32)
loss2 = loss + tf.reduce_sum(chosen * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN + "    sess.run(update)\n",
    "only its shape": TRAINING + """
noise = tf.random_normal(tf.shape(w))
loss2 = loss + tf.reduce_sum(noise)
other = tf.Variable(tf.ones([4, 1]))
loss2 += tf.reduce_sum(tf.zeros(tf.shape(other)) * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
""" + RUN + "    sess.run(other)\n",
    "trained by another optimizer": TRAINING + """
scores = tf.Variable(tf.ones([4]))
chosen = tf.cast(tf.argmax(scores), tf.float32)
loss2 = loss + tf.reduce_sum(chosen * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss2)
other = tf.train.AdamOptimizer().minimize(tf.reduce_sum(scores), var_list=[scores])
""" + RUN,
    # --- SF508
    "an op in the loop": TRAINING + """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(20):
        right = tf.reduce_mean(tf.cast(tf.greater(tf.matmul(x, w), 0.5), tf.float32))  # W: SF508
        sess.run(train, feed)
        sess.run(right, feed)
""",
    "assign in the loop": TRAINING + """
rate = tf.Variable(0.1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(20):
        sess.run(tf.assign(rate, 0.1 * 0.9 ** epoch))  # W: SF508
        sess.run(train, feed)
""",
    "a variable in the loop": TRAINING + """
with tf.Session() as sess:
    for i in range(5):
        noise = tf.Variable(tf.zeros([4, 1]))  # W: SF508
        sess.run(tf.global_variables_initializer())
        sess.run(tf.matmul(x, w + noise), {x: np.zeros([8, 4])})
""",
    "a few ops between runs": TRAINING + RUN + """
    for i in range(5):
        print(sess.run(w + float(i)))
""",
    "a new graph each time": """
for rate in [0.1, 0.2, 0.3, 0.4, 0.5]:
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.Variable(tf.ones([3]))
        train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(w * w))
        sess.run(tf.global_variables_initializer())
        sess.run(train)
""",
    "initialized anew for each fold": TRAINING + """
with tf.Session() as sess:
    for fold in range(12):
        sess.run(tf.global_variables_initializer())
        sess.run(train, feed)
""",
    "a model in layers": """
with tf.Session() as sess:
    h = tf.placeholder(tf.float32, [None, 4])
    x = h
    for i in range(30):
        h = tf.layers.dense(h, 4)
    sess.run(tf.global_variables_initializer())
    sess.run(h, {x: np.zeros([8, 4])})
""",
    # --- SF505
    "stopped before the short batch": DATA % ".batch(32).repeat()" + FIXED + STEP % 2,
    "stopped in the first epoch": DATA % ".batch(32)" + FIXED + STEP % 2,
    "stopped exactly before it": DATA % ".batch(32)" + SILENT + STEP % "(100 // 32)",
    "it is dropped": DATA % ".batch(32, drop_remainder=True)" + SILENT + STEP % 2,
    "repeated before it is cut": DATA % ".repeat().batch(32)" + SILENT + STEP % 2,
    "a model of any batch": DATA % ".batch(32)" + SILENT.replace("[32", "[tf.shape(x)[0]") + STEP % 2,
    "a generator is not asked again": """
def rows():
    for i in range(100):
        assert i < 64, "asked after the end"
        yield np.zeros([4], np.float32)
data = tf.data.Dataset.from_generator(rows, tf.float32, tf.TensorShape([4])).batch(32)
iterator = data.make_one_shot_iterator()
x = iterator.get_next()
""" + SILENT + STEP % 2,
    "epochs of whole batches": (DATA % ".batch(32)").replace("one_shot", "initializable") + SILENT + """
with tf.Session() as sess:
    for epoch in range(3):
        sess.run(iterator.initializer)
        for step in range(100 // 32):
            sess.run(out)
""",
    # --- SF503, SF504
    "sparse labels for the dense loss": """
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
logits = tf.layers.dense(x, 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))  # W: SF503
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(loss, {x: np.zeros([8, 4]), y: np.zeros([8, 1])})
""",
    "batch and time swapped by reshape": """
x = tf.placeholder(tf.float32, [None, 20, 8])
steps = tf.unstack(tf.reshape(x, [20, -1, 8]))  # W: SF504
good = tf.unstack(tf.transpose(x, [1, 0, 2]))
""",
    "an RNN that folds time and unfolds it": """
x = tf.placeholder(tf.float32, [None, 20, 8])
flat = tf.reshape(x, [-1, 8])
h = tf.reshape(tf.layers.dense(flat, 16), [-1, 20, 16])
out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(12), h, dtype=tf.float32)
logits = tf.layers.dense(tf.reshape(out, [-1, 12]), 5)
logits = tf.reshape(logits, [tf.shape(x)[0], 20, 5])
""",
    "relative attention": """
scores = tf.placeholder(tf.float32, [None, 30, 4])
padded = tf.pad(scores, [[0, 0], [1, 0], [0, 0]])
shifted = tf.reshape(padded, [31, -1, 4])
""",
}


@pytest.mark.parametrize("name", V1)
def test_in_graphs(name, tmp_path):
    source = TF1 + textwrap.dedent(V1[name])
    assert found(check(tmp_path, source, "1.15.0")) == expected(source)


def test_a_batch_that_never_came_is_described_as_it_would_fail(tmp_path):
    source = TF1 + V1["stopped in the first epoch"]
    [warning] = check(tmp_path, source, "1.15.0").of("warning")
    assert warning.message.startswith("the last batch of the data has 4 samples, not 32: ConcatOp : Dim")
    assert [operand.shape for operand in warning.operands[:2]] == ["[4, 4]", "[32, 8]"]


V2 = {
    "a row against a column": """
x, y = tf.zeros([8, 4]), tf.zeros([8])
w = tf.Variable(tf.zeros([4, 1]))
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))  # W: SF501
    w.assign_sub(0.1 * tape.gradient(loss, w))
""",
    "pairs that are meant": """
x = tf.Variable(tf.zeros([8]))
with tf.GradientTape(persistent=True) as tape:
    spread = tf.reduce_mean(tf.abs(x[:, None] - x))
    ranking = tf.reduce_sum(tf.nn.relu(1.0 - (tf.expand_dims(x, 1) - tf.zeros([8]))))
tape.gradient(spread, x)
tape.gradient(ranking, x)
""",
    "accuracy of a column": """
labels = tf.zeros([8, 1], tf.int64)
guess = tf.argmax(tf.random.normal([8, 10]), 1)
right = tf.reduce_mean(tf.cast(tf.equal(guess, labels), tf.float32))  # W: SF501
fine = tf.reduce_mean(tf.cast(tf.equal(guess, tf.squeeze(labels, 1)), tf.float32))
pairs = tf.reduce_sum(tf.cast(tf.equal(guess, labels), tf.float32), axis=1)
""",
    "a loss of keras": """
def loss(y, p):
    return tf.reduce_mean(tf.square(tf.reshape(y, [-1]) - p))  # W: SF501
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", loss)
model.fit(np.zeros([64, 4]), np.zeros([64]))
""",
    "keras makes columns of rows": """
def loss(y, p):
    return tf.reduce_mean(tf.square(y - p))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", loss)
model.fit(np.zeros([64, 4]), np.zeros([64]))
model.compile("adam", "mse")
model.fit(np.zeros([64, 4]), np.zeros([64]))
""",
    "softmax of one": """
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, activation="softmax")])  # W: SF502
""",
    "an attention over one key": """
scores = tf.nn.softmax(tf.random.normal([8, 2, 1, 1]))
""",
}


@pytest.mark.parametrize("name", V2)
def test_eagerly(name, tmp_path):
    source = TF2 + textwrap.dedent(V2[name])
    assert found(check(tmp_path, source, "2.21.0")) == expected(source)


def test_what_is_assumed_of_conditions_is_said_once_a_place(tmp_path):
    source = TF2 + textwrap.dedent("""
        x = tf.random.normal([3])
        for i in range(3):
            if tf.reduce_sum(x) > 0:
                print("up")
        if tf.constant(3) > 2:
            print("known")
    """)
    notes = check(tmp_path, source, "2.21.0").of("note")
    assert [(r.code, r.primary.line) for r in notes] == [("SF902", 7)]
    assert "line 7 of program.py" in notes[0].message and "false" in notes[0].message


def test_an_error_says_it_all(tmp_path):
    """A reshape that cannot work is not also suspicious; what a failed program never used is not asked."""
    script = tmp_path / "program.py"
    script.write_text(TF1 + textwrap.dedent("""
        x = tf.placeholder(tf.float32, [None, 7])
        z = tf.placeholder(tf.float32, [None, 7])
        rows = tf.reshape(x, [-1, 3])
        with tf.Session() as sess:
            sess.run(rows, {x: np.zeros([4, 7])})
    """))
    report = runner.run(str(script), ["--tf-version", "1.15.0"])
    assert [r.code for r in report.records] == ["SF109"]


def test_an_unused_variable_has_the_line_that_called_the_helper(tmp_path):
    source = TF1 + V1["a helper that makes variables"]
    records = check(tmp_path, source, "1.15.0").of("warning")
    assert sorted(r.chain[0].line for r in records) == [8, 9]
    assert all(r.primary.line == 5 for r in records)
