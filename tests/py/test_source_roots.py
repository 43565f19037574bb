"""Modules of the project that Python does not find: above the program, and beside it."""
import pytest

from shapeflow.api import source_roots
from shapeflow.checker import runner

HEAD = "import tensorflow as tf\n"
NET = "import tensorflow as tf\nWIDTH = 3\ndef net(x):\n    return tf.matmul(x, tf.zeros([WIDTH, 4]))\n"


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def check(script, *options):
    return runner.run(str(script), ["--tf-version", "2.21.0", "--no-cache", *options])


def notes(report):
    return [(record.code, record.message) for record in report.of("note")]


@pytest.mark.parametrize("place, module", [
    ("project/nets/net.py", "nets.net"),  # the program is in this package, or in another one
    ("project/net.py", "net"),
    ("project/slim/nets/net.py", "nets.net"),
])
@pytest.mark.parametrize("marked", [True, False])
def test_a_module_above_or_beside_the_program_is_found(place, module, marked, tmp_path):
    if marked:
        write(tmp_path / "project" / "requirements.txt")
    write(tmp_path / place, NET)
    script = write(tmp_path / "project/tools/train.py",
                   f"{HEAD}from {module} import net\nnet(tf.zeros([2, 5]))\n")
    report = check(script)
    assert (report.status, report.failure) == (1, None)
    assert [record.primary.path.endswith("net.py") for record in report.of("error")] == [True]
    (code, text), = notes(report)
    assert code == "SF902" and text.startswith(f"{module.partition('.')[0]} was found in ")


def test_its_own_imports_are_found_there_too(tmp_path):
    write(tmp_path / "project/setup.py")
    write(tmp_path / "project/a/one.py", "import b.two\n")
    write(tmp_path / "project/b/two.py", "import c\n")
    write(tmp_path / "project/c.py", "x = 3\n")
    report = check(write(tmp_path / "project/a/run.py", HEAD + "import a.one\nassert a.one.b.two.c.x == 3\n"))
    assert (report.status, report.failure, len(notes(report))) == (0, None, 1)


def test_the_search_ends_at_the_project(tmp_path):
    write(tmp_path / "other.py", "raise RuntimeError\n")
    write(tmp_path / "project/.git/HEAD")
    report = check(write(tmp_path / "project/tools/train.py", HEAD + "import other\nother.x()\n"))
    assert (report.status, report.failure) == (0, None)
    assert [code for code, _ in notes(report)] == ["SF904"]


def test_of_two_beside_each_other_neither_is_taken(tmp_path):
    write(tmp_path / "project/.git/HEAD")
    write(tmp_path / "project/one/net.py", "raise RuntimeError\n")
    write(tmp_path / "project/two/net.py", "raise RuntimeError\n")
    report = check(write(tmp_path / "project/tools/train.py", HEAD + "import net\nnet.x()\n"))
    assert [code for code, _ in notes(report)] == ["SF904"]


def test_what_is_installed_wins(tmp_path):
    write(tmp_path / "project/.git/HEAD")
    write(tmp_path / "project/json.py", "raise RuntimeError\n")
    report = check(write(tmp_path / "project/tools/train.py", HEAD + "import json, numpy\n"))
    assert (report.failure, notes(report)) == (None, [])


def test_missing_imports_as_errors_are_pythons_errors(tmp_path):
    write(tmp_path / "project/.git/HEAD")
    write(tmp_path / "project/net.py", NET)
    script = write(tmp_path / "project/tools/train.py", HEAD + "import net\n")
    report = check(script, "--missing-imports", "error")
    assert report.status == 3 and "No module named 'net'" in report.failure


def test_an_import_that_is_guarded_fails_as_ever(tmp_path):
    write(tmp_path / "project/net.py", NET)
    guarded = "try:\n    import net\nexcept ImportError:\n    net = None\nassert net is None\n"
    report = check(write(tmp_path / "project/tools/train.py", HEAD + guarded))
    assert (report.status, report.failure, notes(report)) == (0, None, [])


def test_folders_where_everybody_has_something_are_no_projects(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "net.py", NET)
    (tmp_path / "tools").mkdir()
    assert source_roots.found_above("net", [str(tmp_path / "tools")], "/nowhere") is None
    assert source_roots.found_above("net", [str(tmp_path / "tools/deep")], "/nowhere") is None


def test_a_folder_of_many_is_not_searched(tmp_path):
    for i in range(source_roots._ENTRIES_MAX + 1):
        (tmp_path / f"d{i}").mkdir()
    write(tmp_path / "d7/net.py")
    assert source_roots.found_above("net", [str(tmp_path / "d1")], str(tmp_path)) is None


BUILT = "_speed.cpython-27m-x86_64-linux-gnu.so"


@pytest.mark.parametrize("installed", [False, True])
def test_packages_for_another_python_are_not_taken(installed, tmp_path):
    """Of a folder into which pip installed them, the pure ones neither: they import the others."""
    write(tmp_path / "project/.git/HEAD")
    write(tmp_path / "project/py27/frames/__init__.py", "import frames.lib._speed\n")
    write(tmp_path / "project/py27/frames/lib" / BUILT)
    write(tmp_path / "project/py27/cycles.py", "import frames\n")
    if installed:
        write(tmp_path / "project/py27/frames-1.0.dist-info/METADATA")
    script = write(tmp_path / "project/tools/train.py", HEAD + ("import cycles\n" if installed else
                                                                "import frames\nframes.read()\n"))
    report = check(script)
    assert (report.status, report.failure) == (0, None)
    assert [code for code, _ in notes(report)] == ["SF904"]


def test_what_is_built_for_this_python_too_is_taken(tmp_path):
    import importlib.machinery

    write(tmp_path / "project/.git/HEAD")
    write(tmp_path / "project/python/frames/__init__.py")
    for name in (BUILT, "_speed" + importlib.machinery.EXTENSION_SUFFIXES[0]):
        write(tmp_path / "project/python/frames" / name)
    assert source_roots.found_above("frames", [str(tmp_path / "project/tools")], str(tmp_path)) == \
        str(tmp_path / "project/python")


def test_a_part_of_the_project_that_was_built_for_another_python_is_unknown(tmp_path):
    write(tmp_path / "net/__init__.py")
    write(tmp_path / "net" / BUILT)
    report = check(write(tmp_path / "train.py", HEAD + "import net._speed\nnet._speed.go(tf.zeros([2]))\n"))
    assert (report.status, report.failure) == (0, None)
    (code, text), = notes(report)
    assert code == "SF902" and "net._speed was built for another Python" in text, text


@pytest.mark.parametrize("text, is_own", [
    ("from transformers import BertTokenizer", False), ("from transformers import helper", True),
    ("from transformers import *", True), ("import transformers.helper", True), ("import transformers", True),
])
def test_a_folder_without_what_is_imported_of_it_is_no_package(text, is_own, tmp_path):
    write(tmp_path / "transformers" / "helper.py")
    write(tmp_path / "requirements.txt")
    script = write(tmp_path / "transformers" / "train.py", f"{HEAD}{text}\ntf.zeros([2]) + tf.zeros([2])\n")
    report = check(script)
    assert (report.status, report.failure) == (0, None)
    assert [code for code, _ in notes(report)] == ["SF902" if is_own else "SF904"]
