"""`_pure_variable_scope` of TensorFlow 1's files, with which Sonnet and others open a scope without a name
scope: names as 1.15 gives them."""
from command import shapeflow, write

TEXT = """import tensorflow as tf
from tensorflow.python.ops import variable_scope as vs
with tf.variable_scope("a"):
    with vs._pure_variable_scope("b", old_name_scope="zz/") as s:
        v = tf.get_variable("v", [2, 3])
        assert [s.name, s.original_name_scope, v.name, tf.constant(1.).name] == [
            "a/b", "zz/", "a/b/v:0", "a/Const:0"]
        with tf.variable_scope("c"):
            assert [tf.get_variable("w", [2]).name, tf.constant(1.).name] == ["a/b/c/w:0", "a/c/Const:0"]
    with vs._pure_variable_scope(s, reuse=True) as again:
        assert (again.name, again.original_name_scope, again.reuse) == ("a/b", "zz/", True)
        assert tf.get_variable("v", [2, 3]) is v
    with vs._pure_variable_scope("q") as s:
        assert (s.name, s.original_name_scope) == ("a/q", "q")
assert tf.constant(3).op._traceback
"""


def test_a_scope_of_variables_alone(tmp_path):
    write(tmp_path, train=TEXT)
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", "1.15", "train.py")
    assert done.returncode == 0 and "passed over" not in done.stderr, done.stderr
