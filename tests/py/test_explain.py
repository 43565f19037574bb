"""Every diagnostic is explained; each wrong program gives exactly its code, each right one nothing."""
import os
import sys
from pathlib import Path

import pytest

import shapeflow.checker.explanations as explain
from shapeflow import _core
from shapeflow.checker import runner

CODES = explain.codes()
DOC = Path(__file__).resolve().parents[2] / "docs" / "codes.md"


def check(tmp_path, source):
    script = tmp_path / "program.py"
    script.write_text(source)
    return runner.run(str(script), cwd=str(tmp_path))


def test_every_code_is_explained():
    assert [code.code for code in CODES] == sorted(row[0] for row in _core.codes())
    for code in CODES:
        assert code.title and not code.title.startswith("("), f"no pymodule/shapeflow/codes/{code.code}.txt"
        assert bool(code.wrong) == bool(code.right) == (not code.reason), code.code
    files = {path.stem for path in (Path(explain.__file__).parents[1] / "codes").iterdir()}
    assert files == {code.code for code in CODES}


@pytest.mark.parametrize("code", [c for c in CODES if c.wrong], ids=lambda code: code.code)
def test_programs_show_what_is_said(tmp_path, code):
    def records(report):
        """Those that the program is about: that a checkpoint went to a scratch copy is said of any."""
        return [record for record in report.records if record.code == code.code or record.code != "SF903"]

    report = check(tmp_path, code.wrong)
    assert {record.code for record in records(report)} == {code.code}, report.failure
    assert {record.severity for record in records(report)} == {code.severity}
    report = check(tmp_path, code.right)
    assert ([record.code for record in records(report)], report.failure) == ([], None)


def test_find_takes_codes_and_names():
    assert explain.find("sf101").name == "DIM_EQUAL"
    assert explain.find("DIM_EQUAL").code == "SF101"
    assert explain.find("SF000") is None


def test_text_for_a_terminal():
    text = explain.plain(explain.find("SF101"))
    assert text.startswith("SF101 DIM_EQUAL (error)\n")
    assert "Wrong:\n\n    import tensorflow as tf\n" in text
    assert text.index("Wrong:") < text.index("Right:")
    assert "Dimensions must be equal, but are {0} and {1}" in text


@pytest.mark.skipif(not DOC.exists(), reason="not in a checkout")
def test_document_is_current():
    assert DOC.read_text(encoding="utf-8") == explain.document(), \
        "run: python -m shapeflow.checker.explanations > docs/codes.md"


def test_package_holds_the_texts():
    folder = os.path.join(os.path.dirname(sys.modules["shapeflow"].__file__), "codes")
    assert os.path.isfile(os.path.join(folder, "SF101.txt"))
