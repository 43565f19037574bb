"""Command lines themselves, the commands beside `check`, and fixes put into files."""
import json
import os
import subprocess
import sys

import pytest

import shapeflow.commands.option_tables as cmdline
from command import RIGHT, WRONG, command, environment, shapeflow, write
from shapeflow.commands import check as check_command

MODEL = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4], name="x")
with tf.variable_scope("net"):
    w = tf.get_variable("w", [4, 3])
    b = tf.get_variable("b", [3])
y = tf.matmul(x, w) + b
"""


def same(argv):
    """What the small parser and argparse make of it."""
    fast = cmdline._fast(check_command.COMMAND, argv)
    assert fast is not None
    values = vars(cmdline._slow("shapeflow", check_command.COMMAND).parse_intermixed_args(argv))
    return vars(fast) == values


@pytest.mark.parametrize("argv", [
    [], ["a.py"], ["a.py", "-q", "b.py"], ["--format", "json", "a.py"], ["--format=json", "a.py"],
    ["--time-limit", "2.5", "a.py", "--strict"], ["-j", "3", "a.py"], ["--jobs=3", "a.py"],
    ["--select", "SF1,SF2", "--select", "SF3", "a.py"], ["--ignore=SF1", "a.py"],
    ["--tf-version", "1.8.0", "--mode", "graph", "a.py", "--exit-zero"],
])
def test_the_small_parser_agrees_with_argparse(argv):
    assert same(argv)


@pytest.mark.parametrize("argv", [
    ["--frob"], ["--format", "yaml"], ["--time-limit", "x"], ["-j", "-1"], ["--strict=1"], ["--jobs"],
    ["--help"],
])
def test_the_small_parser_leaves_words_to_argparse(argv):
    assert cmdline._fast(check_command.COMMAND, argv) is None


def test_usage_errors(tmp_path):
    write(tmp_path, a=RIGHT)
    for arguments, words in [
        (("check",), "name a script"), (("check", "--frob", "a.py"), "--frob"),
        (("check", "--format", "yaml", "a.py"), "full, concise, json"),
        (("check", "--tf-version", "9", "a.py"), "--tf-version must be like"),
        (("chekc",), "did you mean 'check'"),
        ((), "a command is missing"), (("explain", "SF999"), "no code 'SF999'"),
        (("ops", "MatMull"), "did you mean 'MatMul'"), (("api", "tf.frob"), "has no tf.frob"),
        (("check", "--config", "none.toml", "a.py"), "cannot read none.toml"),
        (("check",), "usage: shapeflow check [options] PATH"),
        (("graph", "a.py", "b.py"), "usage: shapeflow graph [options] SCRIPT"),
        (("summary", "a.py", "b.py"), "usage: shapeflow summary [options] SCRIPT"),
        (("graph", "a.py", "-o", "m.pdf"), "no format .pdf: a graph is written as html, svg, png"),
        (("check", "--ignore", "SF999", "a.py"), "'SF999' is no code"),
        (("check", "--select", "SF1,SF8", "a.py"), "'SF8' is no code"),
    ]:
        done = shapeflow(tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr and "Traceback" not in done.stderr
    for arguments in (("--help",), ("check", "--help"), ("doctor", "-h"), ("--version",)):
        done = shapeflow(tmp_path, *arguments)
        assert done.returncode == 0 and done.stdout and not done.stderr
    assert "--overrides" not in shapeflow(tmp_path, "check", "--help").stdout  # for our own processes


def test_a_reader_that_leaves_early(tmp_path):
    child = subprocess.Popen(command("ops"), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment())
    child.stdout.close()
    assert b"Traceback" not in child.stderr.read() and child.wait(timeout=60) == 0


def test_ops():
    from shapeflow import _core

    done = shapeflow(".", "ops", "--json")
    ops = {op["name"]: op for op in json.loads(done.stdout)["ops"]}
    assert len(ops) > 1000 and ops["MatMul"]["modelled"] and ops["MatMul"]["inputs"][0]["name"] == "a"
    assert set(ops) == {n for n in _core.raw_op_names() if not _core.op_info(n)["internal"]}
    text = shapeflow(".", "ops").stdout
    assert "linalg" in text and f"{len(ops)} ops" in text
    assert "transpose_a: bool = False" in shapeflow(".", "ops", "MatMul").stdout


def test_api():
    names = {n["name"]: n["modelled"] for n in json.loads(shapeflow(".", "api", "--json").stdout)["names"]}
    assert names["tf.matmul"] and names["tf.keras.Model"]
    assert not names["tf.saved_model.Asset"] and "tf.placeholder" not in names and "tf.nn" not in names
    old = json.loads(shapeflow(".", "api", "--tf", "1.15", "--json").stdout)["names"]
    assert {"name": "tf.placeholder", "kind": "function", "modelled": True} in old
    # Messages, constants and other names of what is modelled are no less.
    modelled = {n["name"]: n["modelled"] for n in old}
    assert all(modelled[name] for name in (
        "tf.ConfigProto", "tf.GraphDef", "tf.VERSION", "tf.compat.v1.placeholder", "tf.GRAPH_DEF_VERSION",
        "tf.train.Example", "tf.compat.v1.raw_ops.MatMul", "tf.estimator.ModeKeys", "tf.errors.AbortedError"))
    assert not any(modelled[name] for name in (
        "tf.contrib.cloud.BigQueryReader", "tf.autograph.to_code"))
    text = shapeflow(".", "api", "nn").stdout
    assert "tf.nn.relu " in text and "tf.math" not in text
    assert "unmodelled" in shapeflow(".", "api", "--unmodelled", "saved_model").stdout


def test_doctor(tmp_path):
    found = json.loads(shapeflow(tmp_path, "doctor", "--json").stdout)
    from shapeflow import __file__ as package
    from shapeflow._version import __version__

    assert found["shapeflow"] == __version__ and found["package"] == os.path.dirname(os.path.abspath(package))
    assert found["python"].startswith("%d.%d." % sys.version_info[:2]) and found["configuration"] is None
    assert "gcc" in found["compiler"] or "clang" in found["compiler"]
    text = shapeflow(tmp_path, "doctor").stdout
    assert "numpy" in text and "no [tool.shapeflow] found" in text
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nstrict = true\n")
    done = shapeflow(tmp_path, "doctor")
    assert done.returncode == 2 or "strict" in done.stdout  # 2: a Python without TOML


def test_explain():
    assert "Two dimensions" in shapeflow(".", "explain", "sf101").stdout
    every = shapeflow(".", "explain").stdout
    assert "SF101 " in every and "SF901 " in every


def test_graph(tmp_path):
    write(tmp_path, model=MODEL, inner="import tensorflow as tf\ng = tf.Graph()\n"
                                       "with g.as_default():\n    tf.placeholder('float32', name='in')\n",
          none="x = 1\n")
    made = json.loads(shapeflow(tmp_path, "graph", "model.py").stdout)  # more in test_graph_document.py
    assert made["version"] == 2 and {"x", "net/w/read", "MatMul"} < {n["name"] for n in made["nodes"]}
    dot = shapeflow(tmp_path, "graph", "--format", "dot", "--output", "g.dot", "model.py")
    assert dot.returncode == 0 and "MatMul\\n" in (tmp_path / "g.dot").read_text()
    assert shapeflow(tmp_path, "graph", "-o", "h.dot", "model.py").stdout == ""
    assert (tmp_path / "h.dot").read_text() == (tmp_path / "g.dot").read_text()
    assert '"in"' in shapeflow(tmp_path, "graph", "inner.py").stdout
    done = shapeflow(tmp_path, "graph", "none.py")
    assert done.returncode == 0 and "made no graph" in done.stderr
    assert shapeflow(tmp_path, "graph", "model.py", "none.py").returncode == 2


def test_summary(tmp_path):
    write(tmp_path, model=MODEL, eager="import tensorflow as tf\nv = tf.Variable(tf.zeros([5, 2]))\n")
    found = json.loads(shapeflow(tmp_path, "summary", "--json", "model.py").stdout)["variables"]
    assert [(v["name"], v["parameters"], v["bytes"]) for v in found] == [("net/b", 3, 12), ("net/w", 12, 48)]
    text = shapeflow(tmp_path, "summary", "model.py").stdout
    assert "net " in text and "15" in text and "60 B" in text
    assert "10" in shapeflow(tmp_path, "summary", "eager.py").stdout


def test_a_locale_that_cannot_write_the_source(tmp_path):
    write(tmp_path, s=WRONG.replace("y =", "größe ="), t=RIGHT)
    env = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    for arguments in (["s.py"], ["s.py", "t.py"]):
        done = shapeflow(tmp_path, "check", *arguments, env=env)
        assert done.returncode == 1 and "error[SF101]" in done.stdout, done.stderr


# --- fixes --------------------------------------------------------------------------------------
FIXABLE = """import tensorflow as tf
import numpy as np
images = tf.placeholder(tf.float32, [None, 32, 32, 3])
mean = tf.reduce_mean(images)
session = tf.Session()
session.run(mean, feed_dict={images: np.zeros([8, 3, 32, 32])})
"""


def test_a_suggestion_is_shown_unless_not_wanted(tmp_path):
    write(tmp_path, s=FIXABLE)
    env = environment()
    env.pop("SHAPEFLOW_NO_SUGGESTIONS", None)
    assert " help: " in shapeflow(tmp_path, "check", "s.py", env=env).stdout
    assert " help: " not in shapeflow(tmp_path, "check", "--no-suggestions", "s.py", env=env).stdout
    write(tmp_path, t=RIGHT)
    assert " help: " in shapeflow(tmp_path, "check", "s.py", "t.py", env=env).stdout


def test_diff_changes_nothing_and_fix_mends(tmp_path):
    write(tmp_path, s=FIXABLE)
    done = shapeflow(tmp_path, "check", "--diff", "s.py")
    assert done.returncode == 1 and done.stdout.startswith("--- s.py\n+++ s.py\n")
    assert (tmp_path / "s.py").read_text() == FIXABLE
    done = shapeflow(tmp_path, "check", "--fix", "s.py")
    assert done.returncode == 0 and done.stdout == "" and "fixed s.py:6: SF301: " in done.stderr
    text = (tmp_path / "s.py").read_text()
    assert sum(a != b for a, b in zip(text.splitlines(), FIXABLE.splitlines())) == 1
    assert shapeflow(tmp_path, "check", "s.py").returncode == 0
    done = shapeflow(tmp_path, "check", "--fix", "s.py")
    assert done.returncode == 0 and (tmp_path / "s.py").read_text() == text


def test_per_file_ignores_of_notebooks():
    from shapeflow.checker.findings import Record, Report, Span
    from shapeflow.checker.selection import Selection

    record = Record("SF101", "DIM_EQUAL", "error", "words", primary=Span("/p/a.ipynb:cell 3", 1))
    for patterns, status in (({"*.ipynb": ["SF1"]}, 0), ({"*.py": ["SF1"]}, 1)):
        report = Report("a.ipynb", [record], 1)
        Selection(per_file_ignores=patterns, root="/p").apply([report])
        assert report.status == status


def test_fix_leaves_what_is_ignored(tmp_path):
    write(tmp_path, s=FIXABLE.replace("})\n", "})  # shapeflow: ignore\n"))
    before = (tmp_path / "s.py").read_text()
    done = shapeflow(tmp_path, "check", "--fix", "s.py")
    assert done.returncode == 0 and (tmp_path / "s.py").read_text() == before


def test_what_is_imported_for_a_clean_script(tmp_path, monkeypatch):
    """Startup is a feature: none of these is needed to say that a script is clean."""
    write(tmp_path, clean="x = 1\n")

    def modules(*arguments):
        done = subprocess.run([sys.executable, "-X", "importtime", *command(*arguments)[1:]], cwd=tmp_path,
                              capture_output=True, text=True, env=environment())
        return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}

    plain = modules("--version")  # Python's own
    never = {"argparse", "ast", "subprocess", "numpy", "tomllib", "threading", "hashlib", "linecache",
             "tempfile", "shapeflow.formats.view", "shapeflow.fixes", "shapeflow.checker.check_graph",
             "shapeflow.pictures"}
    script = modules("check", "-q", "--no-sandbox", "clean.py") - plain  # all in one process
    assert "shapeflow.checker.check" in script and not script & (never | {"json", "re"})
    # The parent of a sandboxed script: what it imports beside, it does while the script runs.
    parent = modules("check", "-q", "clean.py") - plain
    assert "shapeflow.sandbox.supervise" in parent
    assert not parent & never
    # What the cache knows is not run: nothing of the sandbox is needed.
    monkeypatch.delenv("SHAPEFLOW_NO_CACHE", raising=False)
    modules("check", "clean.py")
    cached = modules("check", "clean.py")
    assert "shapeflow.checker.cache" in cached and "shapeflow.sandbox.supervise" not in cached
