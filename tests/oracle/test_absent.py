"""The programs of tests/programs/without_data are right, and their mistakes are mistakes: real TensorFlow
with real data says so. SHAPEFLOW_ORACLE_1 is a Python with TensorFlow 1.15."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "programs"))
from data_programs import programs  # noqa: E402

# The packages that the programs read their data with, beside TensorFlow: another environment than that of the
# tests, in which a check has to do without them.
ORACLES = {"2.21.0": os.environ.get("SHAPEFLOW_PROOF"), "1.15.0": os.environ.get("SHAPEFLOW_ORACLE_1")}

PROVED = [program for program in programs() if not program.unproved]


@pytest.mark.parametrize("program", PROVED, ids=lambda program: program.name)
def test_proved(program, tmp_path):
    python = ORACLES[program.version]
    if not python:
        pytest.skip("no TensorFlow %s with pandas, scikit-learn and opencv" % program.version)

    def run(text, name):
        (tmp_path / name).write_text(text)
        return subprocess.run([python, name], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""})

    setup = run("import os\nimport numpy as np\n" + program.setup, "setup.py")
    assert setup.returncode == 0, setup.stderr
    right = run(program.text, "right.py")
    assert right.returncode == 0, right.stderr[-2000:]
    if program.bug:
        assert run(program.wrong, "wrong.py").returncode != 0
