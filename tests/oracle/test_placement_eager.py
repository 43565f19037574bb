"""Where eager tensors, variables and replicas are, and what TensorFlow refuses, against TensorFlow 2.21 on
four virtual CPUs.

Needs $SHAPEFLOW_ORACLE.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from eager_device_programs import PROGRAMS

HERE = Path(__file__).resolve().parent
PYTHON = os.environ.get("SHAPEFLOW_ORACLE", "")
OURS = """
import json, sys
from shapeflow.tensorflow.compat import version_detection
version_detection.activate("2.21.0", "eager")
import shapeflow
from eager_device_programs import PROGRAMS, configure, evaluate
configure(shapeflow)
with open(sys.argv[1], "w") as file:
    json.dump([evaluate(shapeflow, text) for text in PROGRAMS], file)
"""


def answers(command, path):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["PYTHONPATH"] = str(HERE)
    subprocess.run([*command, str(path)], check=True, env=environment, stderr=subprocess.DEVNULL, timeout=600)
    return json.loads(path.read_text())


def test_same_devices_and_errors(tmp_path):
    if not PYTHON:
        pytest.skip("SKIPPED ALOUD: no Python with TensorFlow 2.21.0")
    real = answers([PYTHON, str(HERE / "eager_device_programs.py")], tmp_path / "real.json")
    ours = answers([sys.executable, "-c", OURS], tmp_path / "ours.json")
    assert len(real) == len(ours) == len(PROGRAMS) >= 40
    wrong = [(text, told, found) for text, told, found in zip(PROGRAMS, real, ours) if told != found]
    for text, told, found in wrong:
        print(f"---\n{text}\n  TensorFlow: {told}\n  ours:       {found}")
    assert not wrong, f"{len(wrong)} of {len(PROGRAMS)} differ"
