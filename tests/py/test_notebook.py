"""%load_ext shapeflow in a real IPython shell, one process for each story."""
import json
import subprocess
import sys

import pytest

import shapeflow
from shapeflow import _core

pytest.importorskip("IPython")

DRIVER = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.display_formatter.active_types = ["text/plain", "text/html"]
told = []
for cell in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = shell.run_cell(cell, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    shown = shell.display_formatter.format(result.result)[0] if result.result is not None else {}
    told.append({"out": out.getvalue(), "err": err.getvalue(), "error": repr(error) if error else None,
                 "html": shown.get("text/html", "")})
json.dump(told, sys.stdout)
"""


def run(tmp_path, *cells):
    done = subprocess.run([sys.executable, "-c", DRIVER], input=json.dumps(cells), capture_output=True,
                          text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_tensorflow_1_with_its_findings(tmp_path):
    _, _, made, wrong, shown, other, fine, warned, after = run(
        tmp_path,
        "%load_ext shapeflow",
        "import tensorflow as tf",
        "x = tf.placeholder(tf.float32, [None, 784])\nw = tf.Variable(tf.zeros([700, 10]))\nx",
        "def layer(x):\n    return tf.matmul(x, w)\n\nlayer(x)",
        "%shapeflow",
        "1 / 0",
        "y = tf.matmul(x, tf.zeros([784, 10]))\ntf.get_default_graph()",
        "tf.argmax(tf.placeholder(tf.float32, [8, 1]), 1)",
        "%unload_ext shapeflow",
    )
    assert made["error"] is None  # the second cell looked like TensorFlow 2, the third does not
    assert made["html"].startswith("<b>Tensor</b> <code>[batch, 784] float32</code>")
    assert wrong["error"].startswith("ValueError(") and "Dimensions must be equal" in wrong["error"]
    assert "Traceback" not in wrong["out"] and "interactiveshell" not in wrong["out"]
    text = wrong["out"].replace("\x1b", "")
    assert "In [4]:2:" in text and "SF101" in text and "In [3]:2:" in text
    assert "called from In [4]:4:" in text
    assert "SF101" in shown["html"] and "<pre" in shown["html"]
    assert "ZeroDivisionError" in other["out"] and "Traceback" in other["out"]
    assert "<table>" in fine["html"] and "MatMul" in fine["html"] and "[batch, 10] float32" in fine["html"]
    assert "In [8]:1:" in warned["err"] and "warning[SF502]" in warned["err"]
    assert after["error"] is None


def test_tensorflow_2_warnings_and_unmodelled(tmp_path):
    told = run(
        tmp_path,
        "%load_ext shapeflow",
        "import tensorflow as tf\nfrom tensorflow import keras\nt = tf.constant([[1, 2]])\nt",
        "tf.random.normal([3, 4])",
        "v = tf.Variable(tf.zeros([3, 4]))\nv",
        "tf.distribute.cluster_resolver.TFConfigClusterResolver()",
        "t + tf.zeros([7, 5], tf.int32)",
        "%shapeflow",
    )
    assert all(item["error"] is None for i, item in enumerate(told) if i != 5)
    assert "[1, 2] int32" in told[1]["html"] and "[[1 2]]" in told[1]["html"]
    assert "[3, 4] float32" in told[2]["html"] and "content unknown" in told[2]["html"]
    assert "[3, 4] float32" in told[3]["html"]
    assert "note[SF901]" in told[4]["err"] and "TFConfigClusterResolver" in told[4]["err"]
    assert "InvalidArgumentError" in told[5]["error"] and "In [6]:1:" in told[5]["out"]
    assert told[6]["html"].count("<pre") == 1


def test_a_version_that_is_asked_for_stays(tmp_path):
    told = run(tmp_path, "%load_ext shapeflow", "%shapeflow --tf-version 1.8",
               "import tensorflow as tf\nassert tf.__version__ == '1.8.0'\nassert not tf.executing_eagerly()",
               "%shapeflow --tf-version 2.4 --mode eager\nassert tf.executing_eagerly(), tf.__version__",
               "assert tf.__version__ == '2.4.0'", "%shapeflow --nonsense")
    assert [item["error"] for item in told] == [None] * 6
    assert "off" in told[5]["out"]


def test_a_cell_is_checked_without_being_run(tmp_path):
    told = run(tmp_path, "%load_ext shapeflow", "import tensorflow as tf\nx = tf.zeros([2, 3])\nn = 1",
               "%%shapeflow\nn = 2\nx @ tf.zeros([4, 5])", "assert n == 1",
               "%%shapeflow\nx @ tf.zeros([3, 5])", "%%shapeflow\n{}['no such key']")
    assert [item["error"] for item in told] == [None] * 6
    assert "In [3]:3:" in told[2]["html"]
    assert "SF114" in told[2]["html"]
    assert "no findings" in told[4]["html"]
    assert "In [6]" in told[5]["html"] and "KeyError" in told[5]["html"]


def test_beside_a_real_tensorflow_only_cells_are_checked(tmp_path):
    (tmp_path / "tensorflow.py").write_text("REAL = True\n")
    told = run(tmp_path, "import tensorflow as tf", "%load_ext shapeflow",
               "import tensorflow\nassert tensorflow.REAL and tf is tensorflow",
               "%%shapeflow\ntf.zeros([2]) + tf.zeros([3])", "%unload_ext shapeflow")
    assert [item["error"] for item in told] == [None] * 5
    assert "stays what it is" in told[1]["out"]
    assert "SF" in told[3]["html"] and "In [4]" in told[3]["html"]


def test_importing_the_package_loads_no_notebook_code():
    code = "import sys, shapeflow; print([m for m in sys.modules if 'notebook' in m or 'IPython' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_html_is_escaped(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.name_scope("a"):
        tf.identity(x, name="b")
    assert "&lt;unknown&gt;" in tf.placeholder(tf.float32)._repr_html_()
    assert "x:0" in x._repr_html_() and "a/b" in tf.get_default_graph()._repr_html_()
    with pytest.raises(ValueError):
        tf.matmul(x, tf.zeros([4, 4]))
    (finding,) = _core.findings()
    from shapeflow.checker.findings import record_of

    assert "<b" in record_of(finding)._repr_html_() and shapeflow is tf
