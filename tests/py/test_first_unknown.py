"""The first unknown value of a program, and functions that were looked up before there was one."""
import pytest

from command import report_of, write

INLINE = """\
import glob
import numpy as np
import tensorflow as tf
x = np.array([np.load(path).reshape(13) for path in glob.glob("sounds/*.npy")])
tf.matmul(tf.cast(x, tf.float32), tf.zeros([%d, 8]))
"""
IN_FUNCTION = """\
import glob
from numpy import array
import numpy as np
import tensorflow as tf
def folder(name):
    return [np.load(path).reshape(13) for path in glob.glob(name + "/*.npy")]
class Data:
    x = array(
        folder("sounds"))
tf.matmul(tf.cast(Data.x, tf.float32), tf.zeros([%d, 8]))
"""


@pytest.mark.parametrize("program", [INLINE, IN_FUNCTION], ids=["inline", "in a function"])
def test_numpy_is_given_the_first_unknown_value(tmp_path, program):
    """`np.array` is numpy's own there: it made an array of 150 objects."""
    for columns, errors in ((13, []), (40, [program.count("\n")])):
        folder = tmp_path / str(columns)
        folder.mkdir()
        write(folder, train=program % columns)
        report, done = report_of(folder)
        found = [f for f in report["findings"] if f["severity"] == "error"]
        assert [f["primary"]["line"] for f in found] == errors, done.stdout
        assert all("[?,13]" in f["message"] for f in found), found


def test_a_method_of_the_same_name_is_no_reason_to_run_again(tmp_path):
    """`self.load(...)` is nobody's numpy.load."""
    from shapeflow.api.unknown_uses import Uses

    (tmp_path / "a.py").write_text("import numpy as np\nself.load(f(1))\nx = np.array(\n"
                                   "    [g(i) for i in y])\nnp.array(x)\nf().a(g())\n")
    uses = Uses(str(tmp_path / "a.py"))
    assert [uses.calls_around(line) for line in range(1, 7)] == [
        [], [["self", "load"]], [["np", "array"]], [["np", "array"]], [], [[]]]


UFUNCS = """\
import numpy as np
x = np.load("absent.npy")
assert np.isfinite(x).all() and np.isnan(x) is not None and x[np.isfinite(x)] is not None
assert isinstance(np.isfinite, np.ufunc) and np.isfinite.nin == 1
import keras
layer = keras.layers.Dense(3)
layer(np.zeros([2, 3], "float32"))
layer(np.zeros([2, 4], "float32"))
"""


def test_what_wants_real_ufuncs_is_imported_after_it(tmp_path):
    """ml_dtypes, of Keras, and numba, of librosa: they ask numpy's ufuncs how many arguments they have."""
    write(tmp_path, train=UFUNCS)
    report, done = report_of(tmp_path)
    assert not [f for f in report["findings"] if f["code"] == "SF908"], done.stdout
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [8], done.stdout
