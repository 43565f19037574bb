"""[tool.shapeflow]: what is read, and what is refused with which words."""
import sys

import pytest

import shapeflow.checker.configuration as configuration
from command import RIGHT, WRONG, lines, shapeflow, write
from shapeflow.checker.configuration import ConfigError

try:
    import tomllib  # noqa: F401
    HAS_TOML = True
except ImportError:
    try:
        import tomli  # noqa: F401
        HAS_TOML = True
    except ImportError:
        HAS_TOML = False

needs_toml = pytest.mark.skipif(not HAS_TOML, reason="this Python reads no TOML without tomli")


def settings(folder, text):
    (folder / "pyproject.toml").write_text("[tool.shapeflow]\n" + text)
    return configuration.load(start=str(folder))


@needs_toml
def test_every_key(tmp_path):
    write(tmp_path, train="", src__run="")
    found = settings(tmp_path, """
time-limit = 5
tf_version = "1.15.0"
mode = "graph"
strict = true
select = ["SF1", "SF501"]
ignore = ["SF102"]
exclude = ["old"]
warn-unused-ignores = true
suggestions = false
jobs = 3
baseline = "known.json"
cache-dir = ".cache/sf"
per-file-ignores = { "tests/*" = ["SF5"], "a.py" = "SF1" }
scripts = ["train.py", { path = "src/run.py", args = "--name 'a b'", mode = "eager", time-limit = 1.5,
           tf-version = "2.21.0", cwd = "src" }]
[tool.shapeflow.data]
"x.npy" = [2, 3]
"y.npz" = { arrays = { a = [1], b = { shape = [2], dtype = "int64" } } }
""".replace("scripts = [\"train.py\", {", "scripts = [\"train.py\", {").replace("5,\n           tf", "5, tf"))
    assert (found.time_limit, found.tf_version, found.mode, found.strict) == (5.0, "1.15.0", "graph", True)
    assert (found.select, found.ignore, found.exclude) == (["SF1", "SF501"], ["SF102"], ["old"])
    assert found.per_file_ignores == {"tests/*": ["SF5"], "a.py": ["SF1"]}
    assert (found.jobs, found.warn_unused_ignores, found.suggestions) == (3, True, False)
    assert found.baseline == str(tmp_path / "known.json")
    assert found.cache_dir == str(tmp_path / ".cache/sf")
    train, run = found.scripts
    assert (train.path, train.args, train.mode) == (str(tmp_path / "train.py"), [], None)
    assert (run.args, run.mode, run.time_limit, run.tf_version, run.cwd) == (
        ["--name", "a b"], "eager", 1.5, "2.21.0", str(tmp_path / "src"))
    assert found.data == {"x.npy": {"shape": [2, 3], "dtype": "float32"}, "y.npz": {"arrays": {
        "a": {"shape": [1], "dtype": "float32"}, "b": {"shape": [2], "dtype": "int64"}}}}


@needs_toml
@pytest.mark.parametrize("text, words", [
    ("time-limits = 5", "no key 'time-limits'; did you mean 'time-limit'?"),
    ("zebra = 5", "no key 'zebra'; there are "),
    ("time-limit = 'x'", "time-limit must be a number, not 'x'"),
    ("time-limit = true", "time-limit must be a number, not True"),
    ("time-limit = -1", "time-limit must not be negative"),
    ("strict = 1", "strict must be true or false, not 1"),
    ("mode = 'greph'", "mode must be 'graph' or 'eager', not 'greph'"),
    ("tf-version = '9'", "tf-version must be like '1.15.0'"),
    ("select = 'SF1'", "select must be a list"),
    ("select = [1]", "select must be a list of strings"),
    ("ignore = ['E501']", "'E501' is no code"),
    ("per-file-ignores = { a = 3 }", "'a' must have a list of codes"),
    ("scripts = ['none.py']", "there is no none.py"),
    ("scripts = [3]", "scripts must be paths or tables, not 3"),
    ("scripts = [{ args = [] }]", "an entry has no path"),
    ("scripts = [{ path = 'a.py', arg = [] }]", "no key 'arg'; did you mean 'args'?"),
    ("data = { a = 3 }", "needs a shape"),
    ("data = { a = [-1] }", "needs a shape"),
    ("data = { a = { shape = [1], dtyp = 'x' } }", "no key 'dtyp'; did you mean 'dtype'?"),
    ("strict = ", "pyproject.toml: "),
])
def test_mistakes_are_named(tmp_path, text, words):
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, text)
    assert words in str(caught.value)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)


@needs_toml
def test_a_mistake_is_exit_status_2_and_runs_nothing(tmp_path):
    write(tmp_path, wrong=WRONG)
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nstrikt = true\n")
    done = shapeflow(tmp_path, "check", "wrong.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'strict'" in done.stderr and "Traceback" not in done.stderr
    assert shapeflow(tmp_path, "check", "--isolated", "wrong.py").returncode == 1


def test_without_toml_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tomllib", None)
    monkeypatch.setitem(sys.modules, "tomli", None)
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, "strict = true")
    assert "pip install tomli" in str(caught.value)
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nx = 1\n")  # not ours: TOML is not needed
    assert configuration.load(start=str(tmp_path)).path is None


@needs_toml
def test_the_file_is_found_above_and_not_beyond_the_project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nstrict = true\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert configuration.load(start=str(inner)).root == str(tmp_path)
    (tmp_path / "a" / ".git").mkdir()
    assert configuration.load(start=str(inner)).path is None
    assert configuration.load(str(tmp_path / "pyproject.toml"), str(inner)).strict
    with pytest.raises(ConfigError, match="cannot read"):
        configuration.load(str(tmp_path / "none.toml"))


@needs_toml
def test_configured_scripts_are_run_with_their_arguments(tmp_path):
    write(tmp_path, train="import sys\nimport tensorflow as tf\n"
                          "tf.zeros([2, 3]) + tf.zeros([2, int(sys.argv[1])])\n", other=WRONG)
    (tmp_path / "pyproject.toml").write_text("""[tool.shapeflow]
scripts = [{ path = "train.py", args = ["3"] }, { path = "train.py", args = ["4"] }]
""")
    for paths in ([], ["train.py"], ["."]):
        done = shapeflow(tmp_path, "check", "--format", "concise", *paths)
        assert lines(done) == [("train.py", 3, "SF113")], done.stderr
        assert "2 checked, 1 with findings (1 error" in done.stderr
    assert shapeflow(tmp_path, "check", "train.py", "--", "3").returncode == 0


@needs_toml
def test_working_directory_of_a_script(tmp_path):
    write(tmp_path, src__run="open('here.txt')\nimport tensorflow as tf\n"
                             "tf.zeros([2]) + tf.zeros([3])\n")
    (tmp_path / "src" / "here.txt").write_text("")
    (tmp_path / "pyproject.toml").write_text(
        "[tool.shapeflow]\nscripts = [{ path = 'src/run.py', cwd = 'src' }]\n")
    done = shapeflow(tmp_path, "check", "--format", "concise")
    assert lines(done) == [("src/run.py", 3, "SF113")], done.stderr


@needs_toml
def test_select_ignore_and_files(tmp_path):
    write(tmp_path, one=WRONG, two=WRONG)
    for text, options, status in [
        ("", (), 1), ("ignore = ['SF101']", (), 0), ("select = ['SF5']", (), 0),
        ("ignore = ['SF1']\nselect = ['SF101']", (), 1), ("ignore = ['SF101']\nselect = ['SF1']", (), 0),
        ("", ("--ignore", "SF1"), 0), ("", ("--select", "SF2,SF3"), 0),
        ("select = ['SF5']", ("--select", "SF1"), 1),
        ("per-file-ignores = { 'one.py' = ['SF101'] }", (), 0),
        ("per-file-ignores = { 'two.py' = ['SF101'] }", (), 1),
    ]:
        (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\n" + text)
        done = shapeflow(tmp_path, "check", "-q", *options, "one.py")
        assert done.returncode == status, (text, options, done.stdout, done.stderr)
        assert bool(done.stdout) == bool(status)
    assert shapeflow(tmp_path, "check", "--select", "E5", "one.py").returncode == 2


@needs_toml
def test_data_that_is_not_there(tmp_path):
    write(tmp_path, train="""
import os
import numpy as np
import tensorflow as tf
assert os.path.exists("data/x.npy") and os.path.getsize("data/x.npy") > 10 ** 9
x = np.load("data/x.npy")
with np.load("data/y.npz") as archive:
    labels = archive["labels"]
table = np.loadtxt("data/t.csv", delimiter=",")
assert x.dtype == np.uint8 and labels.dtype == np.int64 and table.shape == (5, 2)
tf.matmul(tf.cast(x[:3].reshape(3, -1), tf.float32), tf.zeros([784, 10]))
np.load("there.npy").reshape(2, 2)
try:
    np.load("data/undeclared.npy")
except FileNotFoundError:
    tf.zeros([2]) + tf.zeros([3])
""")
    import numpy as np

    np.save(tmp_path / "there.npy", np.zeros([4]))
    (tmp_path / "pyproject.toml").write_text("""[tool.shapeflow.data]
"data/x.npy" = { shape = [6000000, 28, 28], dtype = "uint8" }
"*.npz" = { arrays = { labels = { shape = [6000000], dtype = "int64" } } }
"t.csv" = [5, 2]
"there.npy" = [7, 7]
""")
    done = shapeflow(tmp_path, "check", "--format", "concise", "train.py")
    assert lines(done) == [("train.py", 16, "SF113")], done.stderr
    assert shapeflow(tmp_path, "check", "--isolated", "train.py").returncode == 3
    write(tmp_path, other=RIGHT)  # and through another process
    done = shapeflow(tmp_path, "check", "--format", "concise", "train.py", "other.py")
    assert lines(done) == [("train.py", 16, "SF113")], done.stderr
