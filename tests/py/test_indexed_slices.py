"""Gradients of what was read by indices are tf.IndexedSlices; what real TensorFlow 2.21 says of each."""
import subprocess
import sys

import pytest

HEAD = """
import tensorflow as tf
table = tf.Variable(tf.ones([10, 4]))
other = tf.Variable(tf.ones([4, 3]))
ids = tf.constant([1, 2, 2])

def kind(read, x=table):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(read())
    return type(tape.gradient(loss, x)).__name__
"""


def run(tmp_path, text, status=0):
    script = tmp_path / "train.py"
    script.write_text(HEAD + text)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", str(script)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


SLICES = ["tf.gather(table, ids)", "tf.gather(table, [[1, 2], [3, 4]])", "tf.nn.embedding_lookup(table, ids)",
          "tf.gather_nd(table, [[1], [2]])", "table.sparse_read(ids)", "tf.gather(tf.identity(table), ids)",
          "tf.gather(tf.cast(table, tf.float64), ids)", "tf.gather(table.read_value(), ids)",
          "tf.gather(table, ids)[:1] + tf.gather(table, [3])", "tf.matmul(tf.gather(table, ids), other)",
          "tf.gather(tf.add_n([table, table]), ids)", "tf.function(lambda: tf.gather(table, ids))()"]
DENSE = ["table", "tf.gather(table, ids, axis=1)", "tf.gather(table * 2, ids)", "table[1:3]",
         "tf.gather_nd(table, [[1, 0], [2, 1]])", "tf.boolean_mask(table, [True] * 10)",
         "tf.reduce_sum(tf.gather(table, ids)) + tf.reduce_sum(table)"]


def test_which_reads_give_slices(tmp_path):
    lines = ["assert kind(lambda: %s) == 'IndexedSlices', %r" % (read, read) for read in SLICES]
    lines += ["assert kind(lambda: %s) != 'IndexedSlices', %r" % (read, read) for read in DENSE]
    run(tmp_path, "\n".join([*lines, "assert kind(lambda: tf.matmul(tf.gather(table, ids), other), other) "
                             "!= 'IndexedSlices'", ""]))


def test_what_is_done_with_slices(tmp_path):
    run(tmp_path, """
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.matmul(tf.gather(table, ids), other))
slices, dense = tape.gradient(loss, [table, other])
assert isinstance(slices, tf.IndexedSlices) and not isinstance(dense, tf.IndexedSlices)
assert slices.shape == [10, 4] and slices.indices.dtype == tf.int32
assert slices.values.shape[1] == 4 and slices.dense_shape.shape == [2]
assert tf.convert_to_tensor(slices).shape == [10, 4]
for same in (tf.identity(slices), tf.cast(slices, tf.float64), tf.math.scalar_mul(2.0, slices), -slices,
             tf.clip_by_value(slices, -1.0, 1.0), tf.clip_by_norm(slices, 1.0),
             tf.clip_by_global_norm([slices, dense], 1.0)[0][0]):
    assert isinstance(same, tf.IndexedSlices)
for tensor in (tf.ones([10, 4]) * slices, table - slices, tf.add_n([slices, slices]), tf.abs(slices),
               tf.zeros([10, 4]) + slices):
    assert not isinstance(tensor, tf.IndexedSlices) and tensor.shape == [10, 4]
assert tf.linalg.global_norm([slices, dense]).shape == []
table.assign_sub(slices)
table.scatter_sub(slices)
tf.compat.v1.train.AdamOptimizer().apply_gradients([(slices, table), (dense, other)])
tf.math.unsorted_segment_sum(slices.values, slices.indices, 10)
""")


@pytest.mark.parametrize("line", ["slices * 2", "0.1 * slices", "slices + slices", "slices.numpy()",
                                  "slices[0]"])
def test_slices_are_no_tensor(tmp_path, line):
    said = run(tmp_path, """
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, ids))
slices = tape.gradient(loss, table)
%s
""" % line, 3)
    assert "IndexedSlices" in said


def test_rows_of_a_loop_are_not_counted_once(tmp_path):
    """The three reads are alike: one record; TensorFlow has nine rows."""
    run(tmp_path, """
with tf.GradientTape() as tape:
    total = 0.0
    for _ in range(3):
        total += tf.reduce_sum(tf.gather(table, ids))
values = tape.gradient(total, table).values
tf.matmul(tf.ones([2, 9]), values)
""")


def test_rows_are_known_in_a_graph(tmp_path):
    script = tmp_path / "graph.py"
    script.write_text("""
import tensorflow as tf
table = tf.get_variable("table", [10, 4])
loss = tf.reduce_sum(tf.gather(table, [1, 2, 3])) + tf.reduce_sum(tf.nn.embedding_lookup(table, [[1], [2]]))
gradient, = tf.gradients(loss, [table])
assert gradient.values.get_shape().as_list() == [5, 4] and gradient.indices.get_shape().as_list() == [5]
tf.matmul(tf.ones([2, 6]), gradient.values)
""")
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", str(script)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1 and "SF101" in done.stdout, done.stdout + done.stderr
    assert "6" in done.stdout and "5" in done.stdout


def test_a_dense_one_is_a_sum_of_segments(tmp_path):
    """The names and types are those of TensorFlow 2.21."""
    run(tmp_path, """
with tf.Graph().as_default() as graph:
    table = tf.compat.v1.get_variable("table", [10, 4])
    gradient, = tf.gradients(tf.reduce_sum(tf.gather(table, ids)), [table])
    before = len(graph.get_operations())
    assert tf.convert_to_tensor(gradient).shape == [10, 4]
    assert tf.convert_to_tensor(gradient, name="dense").op.type == "UnsortedSegmentSum"
    assert [(op.name, op.type) for op in graph.get_operations()[before:] if op.type != "Const"] == [
        ("strided_slice", "StridedSlice"), ("UnsortedSegmentSum", "UnsortedSegmentSum"),
        ("strided_slice_1", "StridedSlice"), ("dense", "UnsortedSegmentSum")]
""".replace("tf.gather(table, ids)", "tf.gather(table, [1, 2])"))
