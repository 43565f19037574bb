"""The programs of tests/programs/without_data are right, and their mistakes are mistakes: real TensorFlow
with real data says so. What proofs.txt has was proved before; the first program of every fifth file is proved
again each time, and all are by tests/oracle/prove.py --all. $SHAPEFLOW_PROOF is a Python with TensorFlow 2.21
and what the programs read their data with, another environment than that of the tests, in which a check has
to do without these packages; $SHAPEFLOW_ORACLE_1 is one with TensorFlow 1.15."""
import os

import prove
import pytest

PYTHONS = {"2.21.0": os.environ.get("SHAPEFLOW_PROOF"), "1.15.0": os.environ.get("SHAPEFLOW_ORACLE_1")}
PROGRAMS, KEPT = prove.to_prove(), prove.kept()
FIRST = {program.name.partition(":")[0]: program for program in reversed(PROGRAMS)}
AGAIN = list(FIRST.values())[::5]
DUE = [program for program in PROGRAMS
       if prove.fingerprint(program) not in KEPT or PYTHONS[program.version] and program in AGAIN]


@pytest.mark.parametrize("program", DUE, ids=lambda program: program.name)
def test_proved(program, tmp_path):
    python = PYTHONS[program.version]
    if not python:
        pytest.skip("SKIPPED ALOUD: no TensorFlow %s with pandas, scikit-learn and opencv" % program.version)
    assert prove.refuted(program, python, tmp_path) is None


def test_what_is_proved_is_there():
    assert KEPT <= {prove.fingerprint(program) for program in PROGRAMS}, "run tests/oracle/prove.py"
