"""Whole programs that use Keras, each right and with one shape wrong.

`# wrong: TEXT` says what the next line is in the wrong program; `# E: SF101` stands where that error is found
then, and nothing else is. Real TensorFlow 2.21 runs the right ones to their end, and stops the wrong ones.
"""
import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from test_programs import found, run

pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
PROGRAMS = sorted((Path(__file__).parent / "keras").glob("*.py"))
ORACLE = os.environ.get("SHAPEFLOW_ORACLE_PROGRAMS")  # a Python that has TensorFlow 2.21: takes minutes


def variants(path, folder):
    """The program as it stands, and the wrong one."""
    text = path.read_text()
    wrong = re.sub(r"(?m)^( *)# wrong: (.*)\n.*?(  # E: SF\d+)?$", r"\1\2\3", text)
    assert wrong != text
    right, other = folder / path.name, folder / (path.stem + "_wrong.py")
    right.write_text(text)
    other.write_text(wrong)
    return right, other


def check(path, tmp_path):
    """The right one has no finding, the wrong one its own and no other."""
    right, wrong = variants(path, tmp_path)
    expected = {(number, code) for number, line in enumerate(wrong.read_text().splitlines(), 1)
                for code in re.findall(r"# E: (SF\d+)", line)}
    assert len(expected) == 1
    for program, errors in ((right, set()), (wrong, expected)):
        done = run(program, "--no-cache", "--no-suggestions", "--format", "json", "--time-limit", "90")
        report = json.loads(done.stdout)
        assert found(report, "error") == errors, done.stdout + done.stderr
        assert found(report, "warning") == set(), done.stdout + done.stderr
        assert report["exit_status"] == (1 if errors else 0), done.stdout + done.stderr


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_findings(path, tmp_path):
    check(path, tmp_path)


@pytest.mark.skipif(not ORACLE, reason="SHAPEFLOW_ORACLE_PROGRAMS names no Python with TensorFlow")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_tensorflow_says_so(path, tmp_path):
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    for program, fails in zip(variants(path, tmp_path), (False, True)):
        done = subprocess.run([ORACLE, program.name], cwd=tmp_path, capture_output=True, text=True,
                              timeout=300, env=environment)
        assert (done.returncode != 0) == fails, done.stderr[-2000:]
