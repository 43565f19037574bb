"""Whole programs that use Keras 2 (tf_keras, TF_USE_LEGACY_KERAS), each right and with one shape wrong.

They are written as those of Keras 3 are (test_keras_programs.py); real TensorFlow 2.21 with tf_keras 2.21
runs the right ones to their end, and stops the wrong ones.
"""
import importlib.util
import json
import re
from pathlib import Path

import pytest
from test_keras_programs import variants
from test_programs import found, run

PROGRAMS = sorted((Path(__file__).parent / "keras_2").glob("*.py"))
HAS_KERAS_2 = importlib.util.find_spec("tf_keras") is not None


@pytest.mark.skipif(not HAS_KERAS_2, reason="tf_keras is not installed")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_findings(path, tmp_path):
    right, wrong = variants(path, tmp_path)
    expected = {(number, code) for number, line in enumerate(wrong.read_text().splitlines(), 1)
                for code in re.findall(r"# E: (SF\d+)", line)}
    assert len(expected) == 1
    for program, errors in ((right, set()), (wrong, expected)):
        done = run(program, "--no-cache", "--no-suggestions", "--format", "json", "--time-limit", "90")
        report = json.loads(done.stdout)
        assert found(report, "error") == errors, done.stdout + done.stderr
        assert report["exit_status"] == (1 if errors else 0), done.stdout + done.stderr
