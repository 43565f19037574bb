"""Packages that are not installed, where the program has an answer at first and gives up later, and what else
stands for modules: six, and extensions of the project that were never built."""
import importlib.util

import pytest

from shapeflow.checker import reports
from shapeflow.checker.findings import Report
from shapeflow.checker.options import CheckOptions
from test_missing_imports import BUG, TF, check, notes

# What a script does that has no other answer than to give up, at once or later.
LATER = {
    "its error is raised when it is needed": """
try:
    import absent
    ERROR = None
except ImportError as e:
    ERROR = e
def solve():
    if ERROR is not None:
        raise RuntimeError("absent is wanted") from ERROR
    return absent.solve("x")
n = solve()
""",
    "a name that stands for it": """
try:
    from absent.parts import solve
except ImportError:
    solve = None
n = solve("x")
""",
    "a module that fails as a whole": """
try:
    import extras
except ImportError:
    pass
n = extras.size
""",
}


@pytest.mark.parametrize("name", LATER)
def test_a_script_that_gives_up_without_a_package_is_run_as_if_it_were_there(name, tmp_path):
    (tmp_path / "extras.py").write_text("import absent\nsize = absent.size\n")
    source = TF + LATER[name] + BUG
    report = check(tmp_path, source)
    assert report.failure is None, report.failure
    lines = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# E")]
    assert [record.primary.line for record in report.of("error")] == lines
    assert len(notes(report)) == 1 and notes(report)[0].startswith("absent is not installed")


def test_a_package_that_helps_no_further_is_not_taken_to_be_there(tmp_path):
    report = check(tmp_path, TF + "try:\n    import absent\nexcept ImportError:\n    absent = None\n"
                                  "assert absent is None, 'never there'\nassert 1 == 2, 'a mistake'\n")
    assert report.status == 3 and "a mistake" in report.failure and not notes(report)


def test_a_package_of_data_in_a_release_that_is_built_otherwise(tmp_path):
    """Its files of our names hold nothing that we know: it stays as it is."""
    for path in ("tensorflow_datasets/core/dataset_builder.py", "tensorflow_datasets/core/dataset_info.py",
                 "tensorflow_hub/module_v2.py", "tensorflow_hub/keras_layer.py"):
        folder = (tmp_path / path).parent
        folder.mkdir(parents=True, exist_ok=True)
        for package in (folder, folder.parent if folder.name == "core" else folder):
            (package / "__init__.py").touch()
        (tmp_path / path).write_text("class DatasetBuilder:\n    pass\n")
    report = check(tmp_path, TF + "import tensorflow_datasets.core.dataset_builder as b\nb.DatasetBuilder()\n"
                                  "import tensorflow_datasets.core.dataset_info\n"
                                  "import tensorflow_hub.module_v2, tensorflow_hub.keras_layer\n" + BUG)
    assert report.failure is None and len(report.of("error")) == 1, report.failure


@pytest.mark.skipif(importlib.util.find_spec("six"), reason="six is installed")
def test_six_of_tensorflow(tmp_path):
    report = check(tmp_path, TF + """
import six
import six.moves.urllib_request as request
from six.moves import configparser, http_client, urllib_parse, zip_longest
from six.moves.configparser import ConfigParser
assert request.urlopen and ConfigParser is configparser.ConfigParser and http_client.HTTPConnection
assert urllib_parse.quote("a b") == "a%20b" and six.ensure_text(b"x") == "x" and six.int2byte(3) == b"\\x03"
assert not hasattr(six.moves, "tkinter_nothing")
try:
    six.raise_from(ValueError("a"), KeyError("b"))
except ValueError as error:
    assert isinstance(error.__cause__, KeyError)
""" + BUG)
    assert report.failure is None and len(report.of("error")) == 1, report.failure


def test_an_extension_of_the_project_that_is_not_built(tmp_path):
    (tmp_path / "net").mkdir()
    for name in ("net/__init__.py", "net/fast.pyx", "top.cpp"):
        (tmp_path / name).write_text("")
    source = TF + "from net.fast import overlap\nimport top\nn = overlap(top.size)\n" + BUG
    report = check(tmp_path, source)
    assert report.failure is None and len(report.of("error")) == 1, report.failure
    said = [record.message for record in report.records if record.code == "SF902"]
    assert [text.partition(" (")[0] for text in said] == ["net.fast is not built", "top is not built"]
    assert "net/fast.pyx is its source" in said[0]


def test_a_script_cannot_say_what_its_run_was_lent():
    told = {**reports.pack(Report("a.py", [], 0)), "lent": {"present": ["data"], "passed_over": "no list"}}
    assert reports.from_script(told).lent == {} and reports.unpack(told).lent["present"] == ["data"]


def test_what_a_run_was_lent_is_lent_again_and_taken_back():
    options = CheckOptions("a.py")
    assert options.lent() == {}
    options.lend({"unguarded": ["absent"], "passed_over": [["a.py", 3]], "passes_all": True})
    assert options.lent() == {"unguarded": ["absent"], "passed_over": [("a.py", 3)], "passes_all": True}
    options.lend({"python2": True})
    assert options.lent() == {"python2": True} and options.passed_over == []
