"""A thousand expressions over TensorFlow 2's API: what TensorFlow 2.21 gives is recorded in tests/probes.

`python tests/probes/run_probes.py tests/probes/tf_*.txt > tests/probes/tensorflow.json`,
with TensorFlow's Python,
records anew; tests/oracle/test_probes.py compares the record with TensorFlow. differences.txt names the
expressions that ShapeFlow answers otherwise, with the reason.
"""
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PROBES = Path(__file__).resolve().parent.parent / "probes"
sys.path.insert(0, str(PROBES))

from verdicts import lines_of, verdict  # noqa: E402


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """By expression: (TensorFlow's answer, ours)."""
    real = json.loads((PROBES / "tensorflow.json").read_text())
    files = sorted(str(path) for path in PROBES.glob("tf_*.txt"))
    done = subprocess.run([sys.executable, str(PROBES / "run_probes.py"), "--ours", *files],
                          capture_output=True,
                          text=True, cwd=tmp_path_factory.mktemp("probes"))
    assert done.returncode == 0, done.stderr
    ours = json.loads(done.stdout)
    assert ours.keys() == real.keys(), "the record is of other expressions"
    return {line: (real[line], ours[line]) for line in real}


def accepted():
    return {line.partition(" ## ")[0] for line in lines_of(PROBES / "differences.txt")}


def test_no_answer_is_wrong(answers):
    wrong = {line: both for line, both in answers.items() if verdict(*both) == "wrong"
             and line not in accepted()}
    assert not wrong, "\n".join("%s\n    TensorFlow %s\n    ShapeFlow  %s" % (line, *both) for line,
                                both in wrong.items())


def test_differences_are_still_there(answers):
    gone = [line for line in accepted() if line not in answers or verdict(*answers[line]) != "wrong"]
    assert not gone


def test_most_is_known(answers):
    counts = Counter(verdict(*both) for both in answers.values())
    assert counts["unknown"] <= 0.06 * len(answers), counts
    assert counts["missed"] <= 0.02 * len(answers), counts
