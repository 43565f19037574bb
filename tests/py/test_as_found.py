"""Findings are shown while the script that makes them still runs."""
import json
import subprocess

import pytest

from command import command, environment, write

WAITING = """import sys
import tensorflow as tf
images = tf.zeros([32, 784])
weights = tf.zeros([512, 10])
scores = tf.matmul(images, weights)
sys.stdin.readline()
tf.reshape(images, [7, 7])
"""


def started(folder, *arguments):
    return subprocess.Popen(command(*arguments), cwd=folder, env=environment(), text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def shapeflow(folder, *arguments, **changes):
    """Answers the script at once."""
    return subprocess.run(command(*arguments), cwd=folder, env=environment(**changes), text=True, input="\n",
                          capture_output=True, timeout=180)


@pytest.mark.parametrize("format", ["full", "concise"])
def test_a_finding_is_shown_before_its_script_goes_on(tmp_path, format):
    """The script waits for a line, which comes when the finding has been read."""
    write(tmp_path, train=WAITING)
    check = started(tmp_path, "check", "--no-cache", "--format", format, "train.py")
    first = check.stdout.readline()
    assert first.startswith("train.py:5:") and "SF114" in first
    check.stdin.write("\n")
    check.stdin.close()
    rest = check.stdout.read()
    assert "2 errors" in check.stderr.read() and check.wait() == 1
    again = shapeflow(tmp_path, "check", "--no-cache", "--format", format, "train.py")
    assert first + rest == again.stdout


def test_in_pieces_or_from_the_cache_it_is_the_same_text(tmp_path):
    write(tmp_path, train=WAITING.replace("sys.stdin.readline()", "tf.zeros([2]) + tf.zeros([3])"))
    first = shapeflow(tmp_path, "check", "train.py", SHAPEFLOW_NO_CACHE="")
    again = shapeflow(tmp_path, "check", "train.py", SHAPEFLOW_NO_CACHE="")
    assert "unchanged since" in again.stderr
    assert first.stdout == again.stdout and first.stdout.count(": error[") == 3


@pytest.mark.parametrize("format", ["json", "sarif", "github", "html"])
def test_other_formats_are_whole_documents(tmp_path, format):
    write(tmp_path, train=WAITING)
    done = shapeflow(tmp_path, "check", "--no-cache", "--format", format, "train.py")
    assert "SF114" in done.stdout and "SF126" in done.stdout and done.returncode == 1
    if format in ("json", "sarif"):
        json.loads(done.stdout)


def test_what_does_not_count_is_not_shown(tmp_path):
    write(tmp_path, train=WAITING.replace("weights)\nsys", "weights)  # shapeflow: ignore\nsys"))
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert "SF114" not in done.stdout and done.stdout.count(": error[") == 1
    done = shapeflow(tmp_path, "check", "--no-cache", "--ignore", "SF114", "train.py")
    assert "SF114" not in done.stdout and done.stdout.count(": error[") == 1
    write(tmp_path, train=WAITING)
    done = shapeflow(tmp_path, "check", "--no-cache", "--output-file", "found.txt", "train.py")
    assert done.stdout == "" and (tmp_path / "found.txt").read_text().count(": error[") == 2


def test_a_baseline_is_used_up_in_the_same_order(tmp_path):
    write(tmp_path, train=WAITING)
    shapeflow(tmp_path, "check", "--no-cache", "--write-baseline", "train.py")
    done = shapeflow(tmp_path, "check", "--no-cache", "--baseline", "shapeflow-baseline.json", "train.py")
    assert (done.returncode, done.stdout) == (0, "")


def test_findings_of_a_first_run_that_do_not_hold_are_taken_back(tmp_path):
    """It was taken for TensorFlow 2, and only when it has run does a name show that it is not."""
    write(tmp_path, train="""import tensorflow as tf
try:
    tf.matmul(tf.ones([2, 3]), tf.ones([5, 7]) if tf.executing_eagerly() else tf.ones([3, 1]))
except tf.errors.OpError:
    pass
x = getattr(tf, "place" + "holder")(tf.float32, [2, 3])
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert done.returncode == 0 and "train.py: 0 errors" in done.stderr
    assert "1 of the findings above does not hold there and is not counted" in done.stderr
