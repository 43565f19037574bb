"""The end of tests/run.sh: what it counts, and that nothing that failed is lost."""
import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "tools" / "summary.py"
TIMES = "0m0.1s 0m0.0s 1m2.5s 0m0.5s 0m0.1s 0m0.0s 1m4.0s 0m1.0s"
PYTEST = """<testsuites><testsuite><testcase classname="a" name="slow" time="9.5"/>
<testcase classname="a" name="wrong" time="1"><failure message="x"/></testcase>
<testcase classname="a" name="set_up_wrong" time="1"><error message="x"/></testcase>
<testcase classname="a" name="left_out" time="0"><skipped message="x"/></testcase></testsuite></testsuites>"""
CTEST = """1/2 Testing: core
[====] Synthesis: Tested: 12 | Passing: %d | Failing: %d | Crashing: 0
Test time =   2.00 sec
Test %s.
2/2 Testing: layers
Test time =   0.50 sec
Test Passed.
"""


@pytest.fixture
def summary(tmp_path, capsys):
    """summary(step=(status, suffix, text)) gives the status and the lines of these steps."""
    spec = importlib.util.spec_from_file_location("summary", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(**steps):
        rows = []
        for name, (status, suffix, text) in steps.items():
            rows.append(f"{name}\tthe step {name}\t{status}\t10\t14\t{TIMES}\n")
            if suffix:
                (tmp_path / (name + suffix)).write_text(text)
        (tmp_path / "steps.tsv").write_text("".join(rows))
        return module.main(tmp_path), capsys.readouterr().out.splitlines()

    return run


def row(lines, step):
    return next(line.split(None, 5)[:5] for line in lines if f"the step {step}" in line)


def test_tests_of_pytest_and_ctest_are_counted(summary):
    status, lines = summary(py=(1, ".xml", PYTEST), c=(0, ".ctest", CTEST % (12, 0, "Passed")),
                            lint=(0, "", ""))
    assert status == 1 and lines[-1] == "15 passed, 2 failed, 1 skipped"
    assert row(lines, "py") == ["1", "2", "1", "4", "2"]
    assert row(lines, "c")[:3] == ["13", "0", "0"] and row(lines, "lint")[:3] == ["1", "0", "0"]
    slowest = lines[lines.index("=== the 20 slowest tests, in seconds") + 1:]
    assert slowest[0].split() == ["9.5", "a::slow", "(py)"]


def test_a_step_that_fails_without_a_failed_test_counts(summary):
    """A crash, a build that failed, or a sanitizer's log of tests that passed."""
    status, lines = summary(c=(1, ".ctest", CTEST % (12, 0, "Passed")), build=(2, "", ""))
    assert status == 1 and lines[-1] == "13 passed, 2 failed, 0 skipped"


@pytest.mark.parametrize("verdict, passed", [("Pass Reason:", 1), ("Fail Reason:", 0)])
def test_a_case_that_must_not_compile_is_judged_by_its_reason(summary, verdict, passed):
    """CTest says neither Passed nor Failed of a case with PASS_REGULAR_EXPRESSION."""
    case = f"""1/1 Testing: dim_is_no_number
Test time =   0.03 sec
Test {verdict}
Required regular expression found. Regex=[SfDimIsNotANumber]
"""
    status, lines = summary(c=(0, ".ctest", case))
    assert status == 1 - passed and row(lines, "c")[:2] == [str(passed), str(1 - passed)]


def test_a_failing_criterion_test_counts(summary):
    status, lines = summary(c=(8, ".ctest", CTEST % (11, 1, "Failed")))
    assert status == 1 and lines[-1] == "12 passed, 1 failed, 0 skipped"


def test_what_is_left_out_is_skipped(summary):
    status, lines = summary(tf=(77, "", ""), oracle=("not run: tf did not pass", "", ""))
    assert status == 0 and lines[-1] == "0 passed, 0 failed, 2 skipped"
    assert "not run: tf did not pass" in "\n".join(lines)
