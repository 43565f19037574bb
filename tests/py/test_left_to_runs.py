"""What values decide in a graph is a finding when the node runs, and the program does not wait for it."""
import pytest

from command import report_of, write

ASSERT = ("import tensorflow as tf\nwith tf.control_dependencies([tf.Assert(tf.greater(1., 2.), ['x'])]):\n"
          "    b = tf.identity(tf.zeros([3]))\n")
GATHER = "import tensorflow as tf\nb = tf.gather(tf.zeros([3]), [5])\n"
RUN = "with tf.Session() as sess:\n    sess.run(b)\n"
EXPECTED = ("case = tf.test.TestCase()\nwith tf.Session() as sess:\n"
            "    with case.assertRaisesOpError('.*'):\n        sess.run(b)\n")


@pytest.mark.parametrize("made", [ASSERT, GATHER], ids=["assert", "gather"])
@pytest.mark.parametrize("used, count", [("", 0), ("tf.Session().run(tf.zeros([2]))\n", 0), (RUN, 1),
                                         (EXPECTED, 0)], ids=["not run", "another run", "run", "expected"])
def test_found_where_it_runs(tmp_path, made, used, count):
    write(tmp_path, train=made + used)
    report, done = report_of(tmp_path, "--tf-version", "1.15.0")
    errors = [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"]
    assert errors == [2] * count and done.returncode == count, done.stdout
    if not count:
        assert "error[" not in done.stdout
