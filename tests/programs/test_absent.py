"""Programs whose data are not there run to their end, without a false alarm, and their mistakes are found."""
import json
import subprocess

import pytest
from data_programs import programs

PROGRAMS = [pytest.param(p, id=p.name) for p in programs()]
MISTAKES = [param for param in PROGRAMS if param.values[0].bug]


def check(python, folder, text):
    (folder / "program.py").write_text(text)
    command = [python, "-m", "shapeflow", "check", "--format", "json", "--no-suggestions",
               "--no-cache", "--time-limit", "120", "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=500)
    report = json.loads(done.stdout)
    return report, {f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_right(program, python, tmp_path):
    report, errors = check(python, tmp_path, program.text)
    assert errors == set(), report["findings"]
    assert report["scripts"][0]["failure"] is None
    assert report["exit_status"] == 0


@pytest.mark.parametrize("program", MISTAKES)
def test_wrong(program, python, tmp_path):
    report, errors = check(python, tmp_path, program.wrong)
    assert errors == {program.error}, (report["scripts"][0]["failure"], report["findings"])
