"""tests/probes: is the record of what TensorFlow 2.21 gives still what it gives? A random part in CI."""
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from test_oracle import PYTHON

PROBES = Path(__file__).resolve().parent.parent / "probes"
PARTS = int(os.environ.get("SHAPEFLOW_ORACLE_CASES") or 150)
sys.path.insert(0, str(PROBES))

from verdicts import lines_of  # noqa: E402

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="SKIPPED ALOUD: no oracle tests, SHAPEFLOW_ORACLE names no Python with TensorFlow")


def test_the_record_is_tensorflows(tmp_path):
    record = json.loads((PROBES / "tensorflow.json").read_text())
    lines = [line for path in sorted(PROBES.glob("tf_*.txt")) for line in lines_of(path)]
    assert set(lines) == set(record)
    chosen = random.sample(lines, min(PARTS, len(lines)))
    (tmp_path / "some.txt").write_text("\n".join(chosen))
    done = subprocess.run([PYTHON, str(PROBES / "run_probes.py"), str(tmp_path / "some.txt")],
                          capture_output=True,
                          text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    real = json.loads(done.stdout)
    assert {line: real[line] for line in chosen} == {line: record[line] for line in chosen}
