"""Notebooks with their exact text: cells with numbers, magics as IPython takes them."""
import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapeflow.checker import runner

NOTEBOOKS = sorted((Path(__file__).parent / "notebooks").glob("*.ipynb"))
# Status and, for each finding, (code, cell, line).
EXPECTED = {
    "cell_that_is_to_raise": (1, [("SF114", 3, 1)]),  # an error that is meant is a finding too
    "keras_clean": (0, []),
    "magics_and_shell": (1, [("SF101", 6, 2), ("SF301", 7, 7)]),
    "own_exception": (3, []),
    "two_cells_two_errors": (1, [("SF126", 2, 1), ("SF115", 3, 1)]),
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_findings(path):
    report = runner.run(path.name, cwd=str(path.parent))
    found = [(r.code, r.primary.path, r.primary.line) for r in report.records]
    status, findings = EXPECTED[path.stem]
    assert found == [(code, f"{path}:cell {cell}", line) for code, cell, line in findings]
    assert report.status == status
    assert report.failure is None or report.failure.startswith(
        "own_exception.ipynb:cell 2:1:1: KeyError:")


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if EXPECTED[p.stem][1]],
                         ids=lambda path: path.stem)
@pytest.mark.skipif(sys.version_info < (3, 11), reason="golden text has the columns of 3.11+")
def test_golden_text(path, request):
    command = [sys.executable, "-m", "shapeflow", "check", path.name]
    text = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=120).stdout
    golden = path.with_suffix(".out")
    if request.config.getoption("--update"):
        golden.write_text(text)
    assert golden.read_text() == text


def test_formats_for_machines_name_the_file():
    folder = str(NOTEBOOKS[0].parent)
    command = [sys.executable, "-m", "shapeflow", "check", "two_cells_two_errors.ipynb", "--format"]
    github = subprocess.run([*command, "github"], cwd=folder, capture_output=True, text=True).stdout
    first = github.splitlines()[0]
    assert first.startswith("::error file=two_cells_two_errors.ipynb,line=1,title=")
    assert "::two_cells_two_errors.ipynb:cell 2:1:" in first
    sarif = json.loads(subprocess.run([*command, "sarif"], cwd=folder, capture_output=True, text=True).stdout)
    result = sarif["runs"][0]["results"][1]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "two_cells_two_errors.ipynb"
    assert place["physicalLocation"]["region"] == {"startLine": 1}
    assert place["logicalLocations"][0]["name"] == "cell 3"
    assert result["message"]["text"].startswith("two_cells_two_errors.ipynb:cell 3:1:")
