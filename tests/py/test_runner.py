"""Checks in a process of their own."""
from shapeflow.checker import runner

WRONG = """import tensorflow as tf
import helper
x = tf.placeholder(tf.float32, [None, 4])
y = tf.matmul(x, helper.weights())
"""
HELPER = "import tensorflow as tf\n\ndef weights():\n    return tf.zeros([%d, 2])\n"


def write(folder, helper=5):
    (folder / "helper.py").write_text(HELPER % helper)
    script = folder / "script.py"
    script.write_text(WRONG)
    return script


def test_a_report_comes_back_whole(tmp_path):
    report = runner.run(str(write(tmp_path)))
    (record,) = report.records
    assert report.status == 1 and report.ended == "normally" and report.failure is None
    assert (record.code, record.primary.line, record.operands[1].shape) == ("SF101", 4, "[5, 2]")
    assert record.origins[1].place.path.endswith("helper.py") and record.origins[1].dim == "5"
    assert report.to_json() == type(report).from_json(report.to_json()).to_json()


def test_files_are_seen_with_another_text(tmp_path):
    script = write(tmp_path)
    assert runner.run(str(script)).status == 1  # and leaves a compiled helper behind
    assert runner.run(str(script), source_override=WRONG.replace("4", "5")).status == 0
    other = {str(tmp_path / "helper.py"): HELPER % 4}
    assert runner.run(str(script), source_override=other).status == 0
    assert runner.run(str(script)).status == 1


def test_a_child_that_reports_nothing_is_said(tmp_path):
    script = tmp_path / "dies.py"
    script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    report = runner.run(str(script))
    assert report.status == 3 and "SIGKILL" in report.failure
    missing = runner.run(str(tmp_path / "none.py"))
    assert missing.status == 2 and "cannot read" in missing.failure


def test_the_place_of_an_exception_of_numpys_compiled_parts_is_the_scripts(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import numpy as np\nimport tensorflow\nnp.random.randint(0, 510, 3, dtype=np.uint8)\n")
    report = runner.run(str(script))
    assert report.status == 3 and "script.py:3:" in report.failure and ".pyx" not in report.failure
