"""tf.CriticalSection gives what its function makes. Shapes, names of ops and errors are those of the real
1.15 and 2.21."""

import pytest

from command import report_of, write

GRAPH = """import tensorflow as tf
section = tf.CriticalSection(name="guard")
v = tf.get_variable("v", [3, 4], use_resource=True)
made = section.execute(lambda: [v.assign_add(tf.ones([3, 4])), tf.constant(3, tf.int64)])
assert made[0].shape == [3, 4] and made[1].dtype == tf.int64 and section.name == "guard", section.name
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert sess.run(made)[1] == 3
section.execute(lambda: tf.matmul(v, tf.zeros([5, 2])))
"""
EAGER = """import tensorflow as tf
section = tf.CriticalSection()
v = tf.Variable(tf.zeros([3, 4]))
def add():
    v.assign_add(tf.ones([3, 4]))
    return {"a": v.read_value(), "b": tf.constant([1, 2])}
made = section.execute(add)
assert made["a"].shape == [3, 4] and made["b"].numpy().tolist() == [1, 2]
assert tf.function(lambda: section.execute(add))()["a"].shape == [3, 4]
section.execute(lambda: tf.matmul(v, tf.zeros([5, 2])))
"""


@pytest.mark.parametrize("text, version", [(GRAPH, "1.15.0"), (EAGER, "2.21.0")], ids=["graph", "eager"])
def test_the_function_is_called_and_checked(text, version, tmp_path):
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", version)
    last = len(text.splitlines())
    found = [(f["code"], f["primary"]["line"]) for f in report["findings"]]
    assert found in ([("SF101", last)], [("SF114", last)]), done.stderr
    assert report["scripts"][0]["failure"] is None
