"""Lines of the standard library and of installed packages are nobody's: findings blame the script's."""
import json
import os

import pytest

from shapeflow.checker import library_frames, runner

SCRIPT = """import functools
import tensorflow as tf
import installed

x = tf.placeholder(tf.float32, [None, 4])
installed.dense(x, 5)
list(map(functools.partial(installed.apply, lambda v: tf.matmul(v, tf.zeros([6, 2]))), [x]))
"""
PACKAGE = """import contextlib
import tensorflow as tf

def dense(x, width):
    return tf.matmul(x, tf.zeros([width, 2]))

def apply(function, x):
    with contextlib.ExitStack() as stack:
        stack.callback(function, x)
"""


@pytest.mark.parametrize("place", ["lib/site-packages", "vendor"])
def test_the_innermost_line_of_the_script_is_blamed(tmp_path, monkeypatch, place):
    folder = tmp_path / place
    folder.mkdir(parents=True)
    (folder / "installed-1.0.dist-info").mkdir()
    (folder / "installed.py").write_text(PACKAGE)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    report = runner.run(str(script))
    assert [(record.primary.path, record.primary.line) for record in report.records] == [
        (str(script), 6), (str(script), 7)]
    paths = {part.split('"')[0] for part in json.dumps(report.to_json()).split('"path": "')[1:]}
    assert paths == {str(script)}


def test_a_script_among_installed_packages_is_still_the_program(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    script = folder / "script.py"
    script.write_text("import tensorflow as tf\ntf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))\n")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    (record,) = runner.run(str(script)).records
    assert record.primary.path == str(script) and record.primary.line == 2 and os.path.isabs(str(script))


def test_a_folder_of_pythonpath_that_pip_installed_into_holds_packages(tmp_path):
    for name in ("vendor/six-1.0.dist-info", "project/project.egg-info",
                 "env/site-packages/six-1.0.dist-info"):
        (tmp_path / name).mkdir(parents=True)
    path = os.pathsep.join([str(tmp_path / "vendor"), str(tmp_path / "project"), "", str(tmp_path / "absent"),
                            str(tmp_path / "env" / "site-packages")])
    assert library_frames.installed(path) == (str(tmp_path / "vendor") + os.sep,)  # that of env by its name
