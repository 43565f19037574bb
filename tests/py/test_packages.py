"""Packages above TensorFlow, as they are installed: their main examples run under `shapeflow check`.

The examples are tests/packages/*.py, whose first line names the package and, where it is not 2.21, the
TensorFlow that it runs on. docs/packages.md is the table.
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
    "keras_hub": ["SHAPE (3, 12, 16) (3, 16)", "SHAPE (None, 4)"],
    "keras_nlp": ["SHAPE (None, None, 8) 18"],
    "keras_cv": ["SHAPE (2, 5, 4)", "SHAPE (2, 5, 5)", "SHAPE (None, 2, 2, 512)"],
    "tensorflow_addons": ["SHAPE (None, 3)", "SHAPE (2, 8, 8, 3)"],
    "tensorflow_estimator": ["DONE"],
    "tensorflow_model_optimization": ["SHAPE (None, 3)", "LAYERS ['dense', 'dense_1']"],
    "tensorflow_recommenders": ["SHAPE (3, 1)"],
    "transformers": ["SHAPE (3, 4)"],
    "tensorflow_datasets": ["SPEC (28, 28, 1) int64", "CLASSES 10", "COUNTS 48000 12000 10000",
                            "SHAPE (28, 28, 1) int64", "BOXES (None, 4)", "DONE"],
    "tensorflow_hub": ["SHAPE 2 (2, 3)", "LAYER False"],
    "tf_agents": ["SHAPE (5, 4)"],
    "gpflow": ["SHAPE (5, 1)"],
    "tensorflow_probability": ["SHAPE (5, 2) (2,) (2,)", "SHAPE (2, 4, 3) (7,) (3,)", "SHAPE (2, 4) (4,)"],
    "keras_tuner": ["BEST {'units': 32}"],
}


@pytest.mark.parametrize("module", WANTED)
def test_its_example_runs(module, tmp_path):
    if importlib.util.find_spec(module) is None:
        pytest.skip("SKIPPED ALOUD: %s is not installed" % module)
    text = (EXAMPLES / (module + ".py")).read_text()
    words = text.splitlines()[0].split()
    write(tmp_path, train=text)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--show-output", "--tf-version",
                     words[-1] if words[-1][0].isdigit() else "2.21.0", "train.py", env=INSTALLED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[:len(WANTED[module])] == WANTED[module]


def test_all_examples_say_their_package():
    for path in EXAMPLES.glob("*.py"):
        assert path.read_text().startswith("# "), path
