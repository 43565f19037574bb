"""Suggestions: made up, tried on the whole program, applied; and silence where no edit is right."""
import os
import subprocess
import sys

import pytest

from shapeflow import fixes
from shapeflow.checker import runner
from shapeflow.fixes.search import SearchOptions

HEAD = "import numpy as np\nimport tensorflow as tf\n"
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n    "

# name: (program, what the first or another fix makes of it)
MENDED = {
    "size of a layer": (
        "x = tf.placeholder(tf.float32, [None, 784])\nw = tf.Variable(tf.zeros([512, 10]))\n"
        "y = tf.matmul(x, w)\n" + RUN + "sess.run(y, {x: np.zeros([5, 784])})\n",
        "w = tf.Variable(tf.zeros([784, 10]))"),
    "size by a name": (
        "n_in, n_hidden = 300, 128\nx = tf.placeholder(tf.float32, [None, n_in])\n"
        "w = tf.Variable(tf.zeros([n_hidden, n_in]))\ny = tf.matmul(x, w)\n"
        "u = tf.matmul(y, tf.zeros([n_in, n_hidden]))\n" + RUN + "sess.run(u, {x: np.zeros([5, 300])})\n",
        "w = tf.Variable(tf.zeros([n_in, n_in]))"),
    "arguments swapped": (
        "images = tf.zeros([4, 8, 8, 3])\nkernel = tf.zeros([5, 5, 3, 16])\n"
        "y = tf.nn.conv2d(kernel, images, [1, 1, 1, 1], 'SAME')\n",
        "y = tf.nn.conv2d(images, kernel, [1, 1, 1, 1], 'SAME')"),
    "feeds swapped": (
        "x = tf.placeholder(tf.float32, [None, 20])\ny = tf.placeholder(tf.float32, [None, 3])\n"
        "z = tf.reduce_sum(x) + tf.reduce_sum(y)\n" + RUN +
        "sess.run(z, feed_dict={x: np.zeros([8, 3]), y: np.zeros([8, 20])})\n",
        "feed_dict={x: np.zeros([8, 20]), y: np.zeros([8, 3])}"),
    "transpose_b": (
        "a = tf.placeholder(tf.float32, [7, 30])\nb = tf.Variable(tf.zeros([40, 30]))\n"
        "c = tf.reshape(tf.matmul(a, b), [7, 40])\n", "tf.matmul(a, b, transpose_b=True)"),
    "labels transposed": (
        "logits = tf.zeros([500, 2])\nlabels = tf.zeros([2, 500])\n"
        "c = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)\n",
        "labels=tf.transpose(labels), logits=logits"),
    "a column wanted": (
        "v = tf.placeholder(tf.float32, [2])\nc = tf.matmul(tf.ones([2, 2]), v)\n" + RUN +
        "sess.run(c, {v: np.array([0.1, 0.2])})\n", "tf.matmul(tf.ones([2, 2]), tf.expand_dims(v, 1))"),
    "padding": (
        "x = tf.placeholder(tf.float32, [None, 28, 28, 1])\n"
        "h = tf.nn.conv2d(x, tf.zeros([5, 5, 1, 8]), [1, 1, 1, 1], padding='VALID')\n"
        "h = tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], padding='SAME')\n"
        "flat = tf.reshape(h, [-1, 14 * 14 * 8])\n"
        "out = tf.matmul(flat, tf.zeros([14 * 14 * 8, 10]))\n" + RUN +
        "sess.run(out, {x: np.zeros([50, 28, 28, 1])})\n", "[1, 1, 1, 1], padding='SAME')"),
    "batch axis forgotten": (
        "x = tf.placeholder(tf.float32, [None, 8, 8, 3])\ny = tf.reduce_mean(x, [1, 2])\n" + RUN +
        "image = np.zeros([8, 8, 3])\n    sess.run(y, {x: image})\n", "sess.run(y, {x: [image]})"),
    "last batch short": (
        "x = tf.placeholder(tf.float32, [None, 6])\ny = tf.reshape(x, [32, 2, 3])\n"
        "data = np.zeros([100, 6])\n" + RUN +
        "for i in range(0, 100, 32):\n        sess.run(y, {x: data[i:i + 32]})\n",
        "y = tf.reshape(x, [-1, 2, 3])"),
    "set_shape is no reshape": (
        "x = tf.placeholder(tf.float32, [60])\ny = tf.identity(x)\ny.set_shape([3, 4, 5])\n"
        "z = tf.reduce_sum(y, 2)\n", "y = tf.reshape(y, [3, 4, 5])"),
}


def check(path, program, seconds=60.0):
    path.write_text(program)
    report = runner.run(str(path))
    fixes.find(report, SearchOptions(seconds=seconds, wanted=2))
    return report


@pytest.mark.parametrize("name", MENDED)
def test_a_fix_is_found_and_holds(name, tmp_path):
    program, part = MENDED[name]
    path = tmp_path / "script.py"
    report = check(path, HEAD + program)
    (record,) = report.of("error", "warning")
    assert record.fixes, "nothing was suggested"
    texts = [fixes.apply(record, i)[str(path)] for i in range(len(record.fixes))]
    assert any(part in text for text in texts), [fix["description"] for fix in record.fixes]
    assert path.read_text() == HEAD + program  # suggestions are not made until asked for
    for text in texts:
        path.write_text(text)
        after = runner.run(str(path))
        assert after.status == 0 and not after.of("error", "warning"), text


def test_a_fix_is_data(tmp_path):
    path = tmp_path / "script.py"
    report = check(path, HEAD + MENDED["transpose_b"][0])
    (record,) = report.of("error")
    again = type(report).from_json(report.to_json()).records[0]
    assert again.fixes == record.fixes and {"description", "diff", "edits"} <= set(record.fixes[0])
    changed = [line for line in record.fixes[0]["diff"].splitlines() if line[:1] in "+-"][2:]
    assert len(changed) == 2 and changed[0][0] == "-" and changed[1][0] == "+"
    path.write_text("# another line\n" + path.read_text())
    with pytest.raises(ValueError, match="has changed"):
        fixes.apply(record)
    with pytest.raises(LookupError):
        fixes.apply(record, 99)


def test_a_program_that_leaves_its_folder(tmp_path, monkeypatch):
    (tmp_path / "data.txt").write_text("784")
    path = tmp_path / "script.py"
    path.write_text(
        "import os\n" + HEAD + "width = int(open('data.txt').read())\nos.chdir('/')\n"
        "x = tf.placeholder(tf.float32, [None, width])\ny = tf.matmul(x, tf.zeros([512, 10]))\n")
    monkeypatch.delenv("SHAPEFLOW_NO_SUGGESTIONS", raising=False)
    done = subprocess.run([sys.executable, "-m", "shapeflow", "check", "script.py"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=200,
                          env={**os.environ, "SHAPEFLOW_SUGGEST_SECONDS": "60"})
    assert done.stdout.startswith("script.py:7:5: error[SF101]"), done.stdout
    assert "help: write `width` instead of 512" in done.stdout


def test_warnings_of_the_end_are_looked_for(tmp_path):
    """A finding that only the end of a run can show is not gone because a trial did not look."""
    report = check(tmp_path / "script.py", HEAD + (
        "x = tf.placeholder(tf.float32, [len('abc'), len('ab')])\n"
        "y = tf.placeholder(tf.float32, [len('ab')])\n"
        "z = tf.reduce_sum(x)\n" + RUN + "sess.run(z, {x: np.zeros([len('abc'), len('ab')])})\n"))
    unused = [record for record in report.of("warning") if record.code == "SF506"]
    assert len(unused) == 1 and unused[0].fixes == []


def test_a_program_that_reads_and_writes_its_streams(tmp_path):
    report = check(tmp_path / "script.py", HEAD + (
        "import os, sys\nlines = sys.stdin.read()\nos.write(1, b'{}\\n')\nassert lines == ''\n"
        "x = tf.placeholder(tf.float32, [None, 7])\ny = tf.matmul(x, tf.zeros([9, 2]))\n"))
    (record,) = report.of("error")
    words = [fix["description"] for fix in record.fixes]
    assert words == ["write 7 instead of 9", "write 9 instead of 7 on line 7"]


def test_what_was_never_used_does_not_speak_against_a_fix(tmp_path):
    """It is looked for only where no error ended the look: then it is not the fix that brings it."""
    report = check(tmp_path / "script.py", HEAD + (
        "idle = tf.Variable(tf.zeros([3]))\nx = tf.placeholder(tf.float32, [None, 7])\n"
        "y = tf.matmul(x, tf.Variable(tf.zeros([9, 2])))\n" + RUN + "sess.run(y, {x: np.zeros([4, 7])})\n"))
    (record,) = report.of("error")
    assert record.fixes[0]["description"] == "write 7 instead of 9" and not record.fixes[0]["clean"]
