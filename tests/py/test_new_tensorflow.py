"""A snapshot of a newer TensorFlow is followed without a change to the code: CONTRIBUTING's list says how."""
import subprocess
import sys
from pathlib import Path

import shapeflow
from shapeflow.api import snapshot

API = Path(shapeflow.__file__).parent / "api"
RUN = """
import sys
from shapeflow.api import snapshot

snapshot._FOLDER, snapshot.NEWEST = sys.argv[1], (2, 22)
snapshot.VERSIONS = (*snapshot.VERSIONS[:-1], (2, 22))

import shapeflow as tf
from shapeflow.api import coverage
from shapeflow.tensorflow.compat import version_detection

version_detection.activate("2.22", "eager")
x = tf.zeros([1, 8])
assert not hasattr(tf.signal, "fftshift") and hasattr(tf.signal, "ifftshift")
assert tf.signal.chirp_z(x, m=3).shape.rank is None
assert issubclass(tf.signal.Filter, tf.Module) and tf.signal.Filter(2).apply(x).shape.rank is None
assert tf.signal.frame(x, 4, 2, padded=False) is not None
for wrong in (lambda: tf.signal.chirp_z(), lambda: tf.signal.Filter(),
              lambda: tf.signal.frame(x, 4, 2, Padded=1)):
    try:
        wrong()
    except TypeError:
        continue
    raise SystemExit("a call that does not fit is taken")
found = coverage.compare(2, "tf", ("tf.keras", "tf.compat"), snapshot.of((2, 22)))
print(sorted(name for column, right, (name, _, _) in found if column == "parameters" and not right))
"""


def changed(text):
    """Two names are new, one is gone, two take another parameter: one in Python, one a row of the C core."""
    def replace(old, new):
        nonlocal text
        assert text.count(old) == 1, old
        text = text.replace(old, new)

    replace("\ntf.signal\n",
            "\ntf.signal\n Filter c (order, name=None) : tf.Module @tensorflow.python.ops.filters\n"
            " chirp_z f (signal, m=None, name=None) @tensorflow.python.ops.filters\n")
    head, middle, tail = text.partition("\n fftshift f (x, axes=None, name=None) @")
    text = head + tail[tail.index("\n"):]
    replace("\ntf.sparse\n", "\ntf.signal.Filter\n apply f (self, signal)\ntf.sparse\n")
    replace("pad_value=0, axis=-1, name=None) @tensorflow.python.ops.signal.shape_ops",
            "pad_value=0, axis=-1, name=None, padded=True) @tensorflow.python.ops.signal.shape_ops")
    root = text.index("\ntf\n")
    at = text.index("\n squeeze f (input, axis=None", root)
    return text[:at] + text[at:].replace("axis=None", "axes=None", 1)


def test_a_newer_snapshot(tmp_path):
    for name in ("0.12.txt", "1.8.txt", "1.15.txt"):
        (tmp_path / name).write_bytes((API / name).read_bytes())
    newest = (API / ("%d.%d.txt" % snapshot.NEWEST)).read_text(encoding="ascii")
    (tmp_path / "2.22.txt").write_text(changed(newest), encoding="ascii")
    done = subprocess.run([sys.executable, "-c", RUN, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "['tf.squeeze']"
