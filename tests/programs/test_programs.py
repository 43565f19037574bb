"""Whole programs with their exact expected findings; silence everywhere else is asserted too.

A program says what is expected in its comments: `# E: SF101` on the line of the guilty expression,
`# W: SF501` for a warning, `# R` where the error surfaces, `# exit: 3` for the exit status (default:
1 with errors, else 0). Beside it, NAME.out holds the full text; `pytest --update` rewrites it.
NAME.fixed.py is what `check --fix --strict` makes of NAME.py; it must be silent.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "cases"
FIXED = sorted(FOLDER.glob("*.fixed.py"))
CASES = [path for path in sorted(FOLDER.glob("*.py")) if path not in FIXED]


def expected(path):
    """({(line, code)}, {(line, code)}, raised line or None, exit status) from the comments."""
    errors, warnings, raised, status = set(), set(), None, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for kind, code in re.findall(r"# (E|W): (SF\d+)", line):
            (errors if kind == "E" else warnings).add((number, code))
        if re.search(r"# R$", line):
            raised = number
        found = re.match(r"# exit: (\d)", line)
        if found:
            status = int(found.group(1))
    return errors, warnings, raised, (1 if errors else 0) if status is None else status


def run(path, *options, timeout=120):
    command = [sys.executable, "-m", "shapeflow", "check", *options, path.name]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=timeout)


def found(report, severity, script=None):
    """{(line, code)} of a report, or of one of its scripts."""
    return {(f["primary"]["line"], f["code"]) for f in report["findings"]
            if f["severity"] == severity and script in (None, f["script"])}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_findings(path):
    errors, warnings, raised, status = expected(path)
    done = run(path, "--format", "json", "--time-limit", "90")
    report = json.loads(done.stdout)
    assert found(report, "error") == errors, done.stdout + done.stderr
    assert found(report, "warning") == warnings, done.stdout + done.stderr
    assert done.returncode == status, done.stdout + done.stderr
    if raised is not None:
        assert raised in [f["raised"]["line"] for f in report["findings"] if f["raised"]]


@pytest.mark.sanitized
def test_one_command_finds_the_same_in_all(request):
    """One start of the interpreter for all, as that is dear under AddressSanitizer."""
    if not request.config.pluginmanager.hasplugin("no_commands"):
        pytest.skip("test_findings runs each by itself")
    first, *others = CASES
    done = run(first, "--format", "json", "--time-limit", "90", *[path.name for path in others], timeout=1800)
    report = json.loads(done.stdout)
    status = {one["script"]: one["exit_status"] for one in report["scripts"]}
    for path in CASES:
        errors, warnings, _, expect = expected(path)
        assert found(report, "error", path.name) == errors, path.name
        assert found(report, "warning", path.name) == warnings, path.name
        assert status[path.name] == expect, path.name


@pytest.mark.parametrize("path", [p for p in CASES if expected(p)[0] or expected(p)[1]],
                         ids=lambda path: path.stem)
@pytest.mark.skipif(sys.version_info < (3, 11), reason="golden text has the columns of 3.11+")
def test_golden_text(path, request):
    text = run(path, "--every-batch").stdout  # how often a finding is seen does not depend on the time
    golden = path.with_suffix(".out")
    if request.config.getoption("--update"):
        golden.write_text(text)
    assert golden.exists(), f"no {golden.name}: run pytest --update and review it"
    assert columns(text) == columns(golden.read_text())


def columns(text):
    """Where the step of a loop stands is the `for` in 3.11 and what it goes over from 3.12 on."""
    return text if sys.version_info < (3, 12) else re.sub(r"(:\d+):\d+(    for )", r"\1\2", text)


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_fixed_is_silent(path):
    report = json.loads(run(path, "--format", "json", "--time-limit", "90").stdout)
    assert [f for f in report["findings"] if f["severity"] in ("error", "warning")] == []
    assert report["exit_status"] == 0 and report["scripts"][0]["failure"] is None


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
@pytest.mark.skipif(sys.version_info < (3, 11), reason="without columns there are other candidates")
def test_fix_makes_it(path, request, tmp_path):
    name = path.name.replace(".fixed.py", ".py")
    copy = tmp_path / name
    copy.write_text((FOLDER / name).read_text())
    command = [sys.executable, "-m", "shapeflow", "check", "--fix", "--strict", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=400,
                          env={**os.environ, "SHAPEFLOW_SUGGEST_SECONDS": "120"})
    if request.config.getoption("--update"):
        path.write_text(copy.read_text())
    assert done.returncode == 0, done.stdout + done.stderr
    assert copy.read_text() == path.read_text()
