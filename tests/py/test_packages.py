"""Packages above TensorFlow, as they are installed: their main examples run under `shapeflow check`.

The examples are tests/packages/*.py, whose first line names the package. docs/packages.md is the table.
"""
import importlib.util
from pathlib import Path

import pytest

from command import environment, shapeflow, write

EXAMPLES = Path(__file__).resolve().parent.parent / "packages"
INSTALLED = environment(SHAPEFLOW_KERAS="installed")
WANTED = {
    "tf_slim": ["SHAPE (?, 10) 4"],
    "sonnet": ["SHAPE (8, 10) 4", "SHAPE (2, 28, 28, 16)", "DONE"],
    "tensorboard": ["DONE"],
    "tf_keras": ["SHAPE (None, 3) 195", "SHAPE (None, 2)", "HIST ['accuracy', 'loss']",
                 "NAMES ['dense/kernel:0', 'dense/bias:0', 'dense_1/kernel:0', 'dense_1/bias:0']",
                 "SHAPE (3, 3) 2", "SHAPE (None, 3)"],
}


@pytest.mark.parametrize("module", WANTED)
def test_its_example_runs(module, tmp_path):
    if importlib.util.find_spec(module) is None:
        pytest.skip("SKIPPED ALOUD: %s is not installed" % module)
    write(tmp_path, train=(EXAMPLES / (module + ".py")).read_text())
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "--tf-version",
                     "2.21.0", "train.py", env=INSTALLED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[:len(WANTED[module])] == WANTED[module]


def test_all_examples_say_their_package():
    for path in EXAMPLES.glob("*.py"):
        assert path.read_text().startswith("# "), path
