"""Which of several fixes that hold is shown first: the one that was likely meant."""
import pytest

from shapeflow import fixes
from shapeflow.checker import runner
from shapeflow.fixes.search import SearchOptions

LOOP = """import numpy as np
import tensorflow as tf
batch_size = 16
x = tf.placeholder(tf.float32, [batch_size, 6])
y = tf.placeholder(tf.float32, [batch_size, 3])
loss = tf.reduce_mean(tf.square(tf.matmul(x, tf.get_variable("w", [6, 3])) - y))
a, b = np.zeros((40, 6)), np.zeros((40, 3))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(0, 40, batch_size):
        session.run(loss, {x: a[i:i + batch_size], y: b[i:i + batch_size]})
"""
DATA = """import numpy as np
import tensorflow as tf
batch_size = 16
data = tf.data.Dataset.from_tensor_slices(np.zeros((40, 3), "f")).batch(batch_size)
state = tf.zeros([batch_size, 3])
for x in data:
    loss = tf.reduce_mean(x + state)
"""
WEIGHTS = """import tensorflow as tf
x = tf.placeholder(tf.float32, [5, 4])
w = tf.get_variable("w", [3, 5])
y = tf.matmul(x, w)
"""
METRIC = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [20, 8])
y = tf.placeholder(tf.int64, [20, 1])
hits = tf.equal(tf.argmax(tf.matmul(x, tf.get_variable("w", [8, 4])), 1), y)
accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(accuracy, {x: np.zeros((20, 8)), y: np.zeros((20, 1))})
"""


def found(tmp_path, program):
    script = tmp_path / "script.py"
    script.write_text(program)
    report = runner.run(str(script))
    fixes.find(report, SearchOptions(seconds=60))
    record = (report.of("error") + report.of("warning"))[0]
    return [fix["description"] for fix in record.fixes]


@pytest.mark.parametrize("program,first", [
    (LOOP, "declare all 2 placeholders of batch_size with None"),  # not `batch_size = 8`, which divides 40
    (DATA, "leave out the last short batch"),
    (WEIGHTS, "write 4 instead of 3"),  # not x and w swapped, which fit as well
])
def test_the_likelier_fix_is_first(tmp_path, program, first):
    assert found(tmp_path, program)[0].startswith(first)


def test_another_axis_is_no_fix_of_a_broadcast(tmp_path):
    shown = found(tmp_path, METRIC)
    assert shown and not any("write axis" in words for words in shown)
