"""Programs that train in a loop, for benchmarks/loops.py and its test. TURNS is how often."""
from __future__ import annotations

from typing import Dict

_GRAPH = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.zeros([6, 2]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
feed = {x: np.zeros([8, 6]), y: np.zeros([8, 2])}
"""
_EAGER = """
import numpy as np
import tensorflow as tf
w = tf.Variable(tf.zeros([6, 2]))
xs, ys = tf.zeros([8, 6]), tf.zeros([8, 2])
optimizer = tf.optimizers.Adam(0.1)
def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    return loss
"""
_BAD_GRAPH = "sess.run(loss, {x: np.zeros([8, 6]), y: np.zeros([8, 3])})\n"
_BAD_EAGER = "tf.matmul(xs, ys)\n"

_GRAPH_PROGRAMS = {
    "range": """
for i in range(TURNS):
    sess.run(train, feed)
""",
    "while": """
i = 0
while i < TURNS:
    sess.run(train, feed)
    i += 1
""",
    "while_product": """
i = 1
while i * 8 < 8 * TURNS:
    sess.run(train, feed)
    i += 1
""",
    "while_true": """
i = 0
while True:
    sess.run(train, feed)
    i += 1
    if i >= TURNS:
        break
""",
    "losses": """
losses = []
for i in range(TURNS):
    losses.append(sess.run([loss, train], feed)[0])
assert len(losses) == TURNS and np.mean(losses) >= 0
""",
    "logging": """
for i in range(TURNS):
    sess.run(train, feed)
    if i % 100 == 0:
        print(i, sess.run(loss, feed))
""",
    "epochs": """
for epoch in range(TURNS):
    for at in range(0, 64, 8):
        sess.run(train, feed)
""",
    "batches": """
data = np.zeros([60, 6])
for epoch in range(TURNS):
    for at in range(0, 60, 8):
        sess.run(train, {x: data[at:at + 8], y: np.zeros([len(data[at:at + 8]), 2])})
""",
    "shuffled": """
data = np.zeros([64, 6])
for epoch in range(TURNS):
    order = np.random.permutation(64)
    for at in range(0, 64, 8):
        sess.run(train, {x: data[order[at:at + 8]], y: np.zeros([8, 2])})
""",
    "zip": """
rows, targets = np.zeros([TURNS, 6]), np.zeros([TURNS, 2])
for a, b in zip(rows, targets):
    sess.run(train, {x: [a], y: [b]})
""",
    "enumerate": """
rows = np.zeros([TURNS, 6])
for i, row in enumerate(rows):
    sess.run(train, {x: [row], y: np.zeros([1, 2])})
assert i == TURNS - 1
""",
    "generator": """
def batches():
    for i in range(TURNS):
        yield np.zeros([8, 6]), np.zeros([8, 2])
for a, b in batches():
    sess.run(train, {x: a, y: b})
""",
    "function": """
def fit(n):
    best = None
    for i in range(n):
        value, _ = sess.run([loss, train], feed)
        best = value
    return best
fit(TURNS)
""",
    "class": """
class Trainer:
    def __init__(self):
        self.steps, self.history = 0, []
    def fit(self):
        for i in range(TURNS):
            sess.run(train, feed)
            self.steps += 1
            self.history.append(self.steps)
t = Trainer()
t.fit()
assert t.steps == len(t.history) == TURNS
""",
    "schedule": """
rate = tf.placeholder(tf.float32, [])
slow = tf.train.GradientDescentOptimizer(rate).minimize(loss)
for i in range(TURNS):
    sess.run(slow, {rate: 0.1 / (1 + i), **feed})
""",
    "decay": """
rate = tf.train.exponential_decay(0.1, step, 1000, 0.9)
for i in range(TURNS):
    sess.run([train, rate], feed)
""",
    "early_stopping": """
best, waited = 1e9, 0
for i in range(TURNS):
    value, _ = sess.run([loss, train], feed)
    if value < best:
        best, waited = value, 0
    else:
        waited += 1
    if waited > TURNS:
        break
""",
    "gan": """
fake = tf.train.AdamOptimizer(0.1).minimize(-loss)
for i in range(TURNS):
    for _ in range(2):
        sess.run(train, feed)
    sess.run(fake, feed)
""",
    "monitored": """
sess.close()
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=10)]) as s:
    for i in range(TURNS):
        if s.should_stop():
            break
        s.run(train, feed)
""",
    "data": """
n = tf.data.Dataset.range(TURNS).map(lambda i: tf.zeros([8, 6])).make_one_shot_iterator().get_next()
out = tf.matmul(n, w)
while True:
    try:
        sess.run(out)
    except tf.errors.OutOfRangeError:
        break
""",
    "data_batches": """
n = tf.data.Dataset.from_tensor_slices(tf.zeros([45, 6])).batch(10).repeat(TURNS // 5) \\
    .make_one_shot_iterator().get_next()
out = tf.matmul(n, w)
try:
    while True:
        sess.run(out)
except tf.errors.OutOfRangeError:
    pass
""",
    "queue": """
one = tf.train.slice_input_producer([tf.zeros([100, 6])])[0]
batch = tf.train.batch([one], 8)
out = tf.matmul(batch, w)
coord = tf.train.Coordinator()
tf.train.start_queue_runners(sess, coord)
for i in range(TURNS):
    sess.run(out)
coord.request_stop()
""",
    "files": """
import os, tempfile
name = os.path.join(tempfile.mkdtemp(), 'a.npy')
np.save(name, np.zeros([8, 6]))
for i in range(TURNS):
    sess.run(train, {x: np.load(name), y: np.zeros([8, 2])})
""",
    "late": """
for i in range(TURNS):
    sess.run(train, feed)
    if i == TURNS - 9:
        print('late')
""",
    "slim": """
for i in range(TURNS):
    tf.train.global_step(sess, step)
    sess.run(train, feed)
""",
}
_EAGER_PROGRAMS = {
    "eager_range": """
for i in range(TURNS):
    train(xs, ys)
""",
    "eager_while": """
i = 0
while i < TURNS:
    train(xs, ys)
    i += 1
""",
    "eager_function": """
fast = tf.function(train)
for i in range(TURNS):
    fast(xs, ys)
""",
    "eager_epochs": """
for epoch in range(TURNS):
    for batch in range(3):
        train(xs, ys)
""",
    "eager_data": """
for row in tf.data.Dataset.range(TURNS).map(lambda i: tf.zeros([8, 6])):
    train(row, ys)
""",
    "eager_data_epochs": """
data = tf.data.Dataset.from_tensor_slices(tf.zeros([24, 6])).batch(8)
for epoch in range(TURNS):
    for row in data:
        train(row, ys)
""",
    "eager_repeat": """
data = tf.data.Dataset.from_tensor_slices(tf.zeros([24, 6])).batch(8).repeat()
for i, row in enumerate(data):
    train(row, ys)
    if i >= TURNS:
        break
""",
    "eager_losses": """
losses = []
for i in range(TURNS):
    losses.append(float(train(xs, ys)))
assert len(losses) == TURNS
""",
    "eager_metric": """
metric = tf.keras.metrics.Mean()
for i in range(TURNS):
    metric.update_state(train(xs, ys))
""",
    "eager_gan": """
v = tf.Variable(tf.zeros([2, 6]))
for i in range(TURNS):
    fake = tf.matmul(ys, v)
    train(fake, ys)
    with tf.GradientTape() as tape:
        out = tf.reduce_mean(fake @ w)
""",
    "eager_environment": """
class World:
    def __init__(self):
        self.at = 0
    def step(self):
        self.at += 1
        return np.zeros([1, 6]), self.at >= 50
for episode in range(TURNS):
    world, over = World(), False
    while not over:
        state, over = world.step()
    train(xs, ys)
""",
    "eager_curriculum": """
for size in (4, 8, 16):
    for i in range(TURNS):
        train(tf.zeros([size, 6]), tf.zeros([size, 2]))
""",
    "eager_print": """
for i in range(TURNS):
    value = train(xs, ys)
    if i % 50 == 0:
        print(f'{i}: {float(value):.3f}')
""",
    "fit": """
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,))])
model.compile('sgd', 'mse')
model.fit(np.zeros([80, 6]), np.zeros([80, 2]), epochs=TURNS, verbose=0)
""",
    "train_on_batch": """
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,))])
model.compile('sgd', 'mse')
for i in range(TURNS):
    model.train_on_batch(np.zeros([8, 6]), np.zeros([8, 2]))
""",
}


def programs() -> Dict[str, str]:
    """{name: source}: all of them, and three that are wrong after their loop or late in it."""
    found = {name: _GRAPH + body for name, body in _GRAPH_PROGRAMS.items()}
    found.update({name: _EAGER + body for name, body in _EAGER_PROGRAMS.items()})
    return found


def late(turn: str) -> Dict[str, str]:
    """Programs that are wrong in this one turn of theirs."""
    head = "for i in range(TURNS):\n    %s\n    if i == " + turn + ":\n        "
    graph, eager = head % "sess.run(train, feed)" + _BAD_GRAPH, head % "train(xs, ys)" + _BAD_EAGER
    return {"late_graph": _GRAPH + graph, "late_eager": _EAGER + eager}
