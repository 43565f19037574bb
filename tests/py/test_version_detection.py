"""Which TensorFlow programs were written for: those of version_programs.txt, and what is said of it."""
import json
import pathlib
import re
import sys

import pytest

from command import environment, shapeflow, write
from shapeflow.checker import runner
from shapeflow.notebook import ipynb
from shapeflow.tensorflow.compat import stated_versions, version_decision, version_detection, version_fit

CACHING = environment()
CACHING.pop("SHAPEFLOW_NO_CACHE", None)
TABLE = pathlib.Path(__file__).with_name("version_programs.txt")


def _table():
    """(name, version, mode, {file: text}) of each program."""
    for block in re.split(r"^== ", TABLE.read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        name, _, expected = head.partition(": ")
        version, mode = expected.split()
        files = {}
        for part in re.split(r"^-- ", body, flags=re.MULTILINE)[1:]:
            path, _, content = part.partition("\n")
            files[path] = content.rstrip("\n") + "\n"
        script = next((path for path in files if path.endswith("*")), None)
        if script is not None:
            files = {script[:-1]: files.pop(script), **files}
        yield pytest.param(version, mode, files, id=name)


def _write(folder, files):
    """The program's files; its script. Cells of a notebook are parted by `%%` lines."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".ipynb"):
            cells = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}}
                     for cell in content.split("%%\n")]
            content = json.dumps({"nbformat": 4, "metadata": {}, "cells": cells})
        path.write_text(content)
    return folder / next(iter(files))


def _detect(script):
    if script.suffix == ".ipynb":
        notebook = ipynb.read(script.read_text())
        return version_detection.detect([(str(script), notebook.source)], notebook.stated)
    return version_detection.detect([(str(script), None)])


@pytest.mark.parametrize("version, mode, files", list(_table()))
def test_the_version_that_a_program_was_written_for(tmp_path, version, mode, files):
    script = _write(tmp_path, files)
    found = _detect(script)
    assert (found.version, found.mode) == (version, mode), found.because


def test_there_are_programs_of_every_kind():
    programs = [parameters.values for parameters in _table()]
    assert len(programs) >= 60
    assert sum(len(files) > 1 for _, _, files in programs) >= 20
    versions = {version for version, _, _ in programs}
    assert versions >= set(version_decision.CANDIDATES)


def test_the_reason_is_a_line_of_the_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, main="import net.model\n", net__model=(
        "import tensorflow as tf\n\ndef join(a, b):\n    return tf.concat(1, [a, b])\n"))
    found = version_detection.detect([(str(tmp_path / "main.py"), None)])
    assert found.version == "0.12.1"
    assert found.because == "the arguments of tf.concat (net/model.py:4) are not those of 1.0"
    keyword = version_detection.detect(
        [("<p>", "import tensorflow as tf\ntf.reduce_sum(tf.ones([2]), keep_dims=True)\n")])
    assert keyword.because == "argument keep_dims of tf.reduce_sum (line 2) is not in 2.21"
    (tmp_path / "requirements.txt").write_text("numpy\ntensorflow<2\n")
    write(tmp_path, plain="import tensorflow as tf\ntf.ones([1])\n")
    plain = version_detection.detect([(str(tmp_path / "plain.py"), None)])
    assert (plain.version, plain.because) == ("1.15.0", "requirements.txt:2 says tensorflow<2")


def test_verbose_says_the_version_and_why(tmp_path):
    write(tmp_path, main="import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\n")
    done = shapeflow(tmp_path, "check", "--verbose", "main.py")
    assert done.returncode == 0, done.stderr
    assert ("shapeflow: main.py: TensorFlow 1.15.0, graph mode: tf.placeholder (main.py:2) is not in 2.21"
            in done.stderr)
    again = shapeflow(tmp_path, "check", "-v", "main.py", env=CACHING)
    again = shapeflow(tmp_path, "check", "-v", "main.py", env=CACHING)
    assert "unchanged" in again.stderr and "TensorFlow 1.15.0, graph mode" in again.stderr
    asked = shapeflow(tmp_path, "check", "-v", "--tf-version", "1.8.0", "main.py")
    assert "TensorFlow 1.8.0, graph mode: it was asked for" in asked.stderr
    assert "TensorFlow" not in shapeflow(tmp_path, "check", "main.py").stderr


def test_a_result_is_kept_only_while_the_requirements_are_the_same(tmp_path):
    write(tmp_path, main="import tensorflow as tf\ntf.ones([2, 3])\n")
    def said():
        return shapeflow(tmp_path, "check", "-v", "main.py", env=CACHING).stderr

    assert "TensorFlow 2.21.0" in said()
    assert "unchanged" in said()
    (tmp_path / "requirements.txt").write_text("tensorflow==1.15.0\n")
    assert "TensorFlow 1.15.0" in said()
    (tmp_path / "requirements.txt").write_text("tensorflow==1.8.0\n")
    assert "TensorFlow 1.8.0" in said()


BY_NAME = """import tensorflow as tf
x = getattr(tf, "place" + "holder")(tf.float32, [2, 3])
y = tf.matmul(x, x)
"""
BY_KEYWORD = """import tensorflow as tf
options = dict([("keep_dims", True)])
x = tf.reduce_sum(tf.ones([2, 3]), 1, **options)
y = tf.matmul(x, tf.ones([2, 2]))
"""


@pytest.mark.parametrize("program, has", [
    (BY_NAME, "TensorFlow 1.15.0 has tf.placeholder"),
    (BY_KEYWORD, "TensorFlow 1.15.0 has tf.reduce_sum(keep_dims=)"),
])
@pytest.mark.parametrize("options", [(), ("--no-sandbox",)])
def test_a_name_that_another_version_has_starts_the_check_again(tmp_path, program, has, options):
    write(tmp_path, main=program)
    done = shapeflow(tmp_path, "check", "-v", *options, "main.py")
    assert done.returncode == 1, done.stderr
    assert "error[SF101]" in done.stdout and "Error:" not in done.stdout
    assert "TensorFlow 1.15.0, graph mode" in done.stderr and has in done.stderr
    asked = shapeflow(tmp_path, "check", "--tf-version", "2.21.0", "main.py")
    assert asked.returncode == 3, asked.stderr  # who says a version gets it


@pytest.mark.parametrize("options", [(), ("--no-sandbox",)])
def test_a_notebook_is_started_again(tmp_path, options):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
              "source": BY_NAME.splitlines(True)}]
    (tmp_path / "main.ipynb").write_text(json.dumps(
        {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    done = shapeflow(tmp_path, "check", "-v", *options, "main.ipynb")
    assert done.returncode == 1 and "error[SF101]" in done.stdout, done.stdout + done.stderr
    assert "TensorFlow 1.15.0, graph mode" in done.stderr


@pytest.mark.parametrize("options", [(), ("--no-sandbox",)])
def test_pictures_and_summaries_are_of_the_version_that_has_the_name(tmp_path, options):
    write(tmp_path, main=BY_NAME)
    picture = shapeflow(tmp_path, "graph", "--format", "json", *options, "main.py")
    assert picture.returncode == 1, picture.stderr
    assert "SF101" in [finding["code"] for finding in json.loads(picture.stdout)["findings"]]
    summary = shapeflow(tmp_path, "summary", *options, "main.py")
    assert "could not be run" not in summary.stderr and summary.returncode == 1, summary.stderr


def test_the_editor_sees_what_the_version_has_that_has_the_name(tmp_path):
    write(tmp_path, main=BY_NAME)
    report = runner.run(str(tmp_path / "main.py"), source_override=BY_NAME + "y = tf.matmul(x, x)\n")
    assert [record.code for record in report.of("error")] == ["SF101", "SF101"]


def test_why_it_is_started_again_is_said_in_one_line():
    from shapeflow.checker.script_failures import first_line

    assert first_line(ValueError("\nA KerasTensor cannot be used:\n\n```\nx = 1\n```")) == \
        "ValueError: A KerasTensor cannot be used:"
    assert first_line(KeyError()) == "KeyError"


def test_a_run_that_came_further_counts_though_it_failed(tmp_path):
    """It goes on from there: what nobody knows made it fail."""
    write(tmp_path, train="""import absent
from keras.models import Sequential, model_from_yaml
from keras.layers.core import Dense
model = Sequential()
model.add(Dense(4, input_shape=(3,)))
best = max(absent.tries(model), key=len, default=None) and None
best.evaluate(model)
model.add(Dense(2))
""")
    done = shapeflow(tmp_path, "check", "-v", "--no-cache", "train.py")
    assert done.returncode == 0 and "train.py:7 was passed over" in done.stderr, done.stderr
    assert "TensorFlow 1.15.0" in done.stderr


BY_ORDER = """import tensorflow as tf
class Cell:
    def __init__(self, state, axes=(1,)):
        self.state, self.axes = state, axes
    def parts(self):
        return tf.split(self.axes[0],
                        3, self.state)
y = Cell(tf.placeholder(tf.float32, [4, 6])).parts()[0]
tf.matmul(y, tf.ones([3, 3]))
"""


def test_an_order_of_arguments_that_another_version_has_starts_the_check_again(tmp_path):
    """What stands there says nothing of the order: what the names were, when it failed, does."""
    write(tmp_path, main=BY_ORDER)
    done = shapeflow(tmp_path, "check", "-v", "main.py")
    assert done.returncode == 1 and "[4, 2]" in done.stdout, done.stdout + done.stderr
    assert "TensorFlow 0.12.1, graph mode" in done.stderr
    assert "another order of the arguments of tf.split" in done.stderr
    write(tmp_path, wrong=BY_ORDER.replace("3, self.state", "3, axis=self.state"))  # no order of 0.12
    done = shapeflow(tmp_path, "check", "-v", "wrong.py")
    assert done.returncode == 3 and "0.12.1" not in done.stderr, done.stderr
    write(tmp_path, later=BY_ORDER + "tf.layers.dense(y, 3)\n")  # a mistake in TensorFlow 1.15
    done = shapeflow(tmp_path, "check", "-v", "later.py")
    assert done.returncode == 3 and "0.12.1" not in done.stderr, done.stderr


# What no file shows, nor always the values: calls whose arguments are what methods return. Of whole numbers
# the error was a finding, with which the run went on; of others, it ended the program.
OF_METHODS = """import tensorflow as tf
class Net(object):
    def __init__(self, axes): self.axes = axes
    def axis(self): return self.axes[-1]
    def rows(self): return tf.cast(tf.placeholder(tf.float32, [4, 6]), tf.%s)
    def cut(self, axis, x):
        return %s
y = Net([0, 1]).cut(1, tf.placeholder(tf.int32, [4, 6]))
%s
"""
FITS = "tf.matmul(tf.cast(y[0], tf.float32), tf.ones([3, 2]))"
FITS_NOT = "tf.add(y[0], tf.zeros([4, 2], y[0].dtype))"
OTHER_ORDERS = {
    "split_parameters": ("int32", "tf.split(axis, 2, x)", FITS, "0.12.1"),
    "split_methods": ("int32", "tf.split(self.axis(), 2, self.rows())", FITS, "0.12.1"),
    "split_floats": ("float32", "tf.split(self.axis(), 2, self.rows())", FITS, "0.12.1"),
    "concat_methods": ("int32", "[tf.concat(self.axis(), [self.rows()] * 2)[:, :3]]", FITS, "0.12.1"),
    "reverse_truths": ("int32", "tf.reverse(x, tf.constant([False, True]))[:, :3][None]", FITS, "0.12.1"),
    "wrong_there": ("int32", "tf.split(axis, 2, x)", FITS_NOT, "0.12.1"),
    "wrong_in_both": ("int32", "tf.split(self.axis(), 4, self.rows())", "", "1.15.0"),
    "of_later": ("int32", "tf.split(axis, 2, x)", "tf.layers.dense(tf.zeros([2, 3]), 3)", "1.15.0"),
    "tensors_both": ("int32", "tf.split(self.rows(), 2, x)", "", "1.15.0"),
}


def test_a_finding_that_another_order_of_arguments_would_not_give_starts_the_check_again(tmp_path):
    write(tmp_path, **{name: OF_METHODS % row[:3] for name, row in OTHER_ORDERS.items()})
    done = shapeflow(tmp_path, "check", "-v", *(name + ".py" for name in OTHER_ORDERS))
    for name, row in OTHER_ORDERS.items():
        assert f"{name}.py: TensorFlow {row[3]}, graph mode" in done.stderr, (name, done.stderr)
        is_told = re.search(rf"(?m)^{name}\.py:7:\d+: error", done.stdout) is not None
        assert is_told == (row[3] == "1.15.0"), (name, done.stdout)
        assert (f"{name}.py: 0 errors" in done.stderr) == (row[2] == FITS), (name, done.stderr)
    assert "wrong_there.py:9" in done.stdout


def test_it_is_started_again_only_once(tmp_path):
    write(tmp_path, main="""import tensorflow as tf
with open("/dev/stderr", "w") as stream:
    stream.write("")
getattr(tf, "place" + "holder")
getattr(tf, "mu" + "l")
""")
    done = shapeflow(tmp_path, "check", "-v", "main.py")
    assert done.returncode == 3
    assert "has tf.placeholder; the script is taken as 2.21.0" in done.stderr


@pytest.mark.parametrize("name", ["no_such_thing", "keras.no_such_thing"])
def test_a_name_that_no_version_has_is_the_programs_own(tmp_path, name):
    write(tmp_path, main=f"import tensorflow as tf\ntf.{name}\n")
    done = shapeflow(tmp_path, "check", "-v", "main.py")
    assert done.returncode == 3
    assert "the script is taken as" not in done.stderr


@pytest.mark.parametrize("text, clauses", [
    ("tensorflow==1.15", [("==", (1, 15))]),
    ("tensorflow-gpu>=1.4,<2  # why", [(">=", (1, 4)), ("<", (2,))]),
    ("TensorFlow_GPU ~= 1.13.1 ; python_version < '3.8'", [("~=", (1, 13, 1))]),
    ("tensorflow[and-cuda]==2.15.*", [("=", (2, 15))]),
    ("tensorflow=1.8.0=py36_0", [("==", (1, 8, 0))]),
    ("tensorflow", None), ("tensorflow-hub==0.4", None), ("numpy==1.15", None),
])
def test_requirements_are_read(text, clauses):
    assert stated_versions.clauses_of(text) == clauses


def test_a_version_test_can_do_nothing_but_compare(tmp_path):
    import ast

    def holds(text, version="1.8.0"):
        test = ast.parse(text, mode="eval").body
        return stated_versions.holds(test, version, lambda name: "tf" if name == "tf" else "")

    assert holds("tf.__version__ >= '1.4'") is True
    assert holds("tf.VERSION.split('.')[0] == '2'") is False
    assert holds("version.parse(tf.__version__).release[0] >= 2", "2.21.0") is True
    marker = tmp_path / "made"
    for hostile in (f"open({str(marker)!r}, 'w')", "tf.__class__.__mro__", "'a' * 10 ** 9", "f'{tf}'",
                    "__import__('os').getcwd()", "(lambda: 1)()", "tf.__version__ == np.__version__"):
        assert holds(hostile) is None, hostile
    assert not marker.exists()


@pytest.mark.parametrize("version", ["0.12", "1.8", "1.15", "2.21"])
def test_signatures_are_read_as_python_does(version):
    import inspect

    from shapeflow.api import snapshot

    block = snapshot.of(tuple(map(int, version.split(".")))).block("tf")
    seen = 0
    for name in block.lines:
        entry = snapshot.of(tuple(map(int, version.split(".")))).entry("tf." + name)
        text = entry.signature if entry is not None else ""
        if not text:
            continue
        scope = {}
        try:
            exec(f"def f{re.sub(r'=tf[.][a-zA-Z_0-9.]+', '=...', text)}: pass", scope)
        except (SyntaxError, NameError):
            continue
        real = inspect.signature(scope["f"]).parameters.values()
        positional, required, keyword_only, more, keywords = version_fit._parsed(text)
        assert positional == [p.name for p in real if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        assert required == sum(p.default is p.empty for p in real
                               if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)), text
        assert keyword_only == {p.name for p in real if p.kind == p.KEYWORD_ONLY}
        assert (more, keywords) == (any(p.kind == p.VAR_POSITIONAL for p in real),
                                    any(p.kind == p.VAR_KEYWORD for p in real))
        seen += 1
    assert seen > 200


def test_reading_a_program_loads_little(tmp_path):
    import subprocess

    write(tmp_path, main="""import sys
before = set(sys.modules)
import shapeflow as tf
loaded = set(sys.modules) - before
assert tf.VERSION == "1.15.0"
x = tf.placeholder(tf.float32)
assert "shapeflow.tensorflow.compat.judgement" in loaded
assert not loaded & {"ast", "re", "enum", "dis", "inspect", "tokenize", "typing", "json"}, loaded
tf.Variable
late = {"shapeflow." + name for name in (
    "api.installed_keras", "api.unmodelled", "api.notebook_html", "api.typed_messages",
    "tensorflow.python.util.nest",
    "tensorflow.python.eager.function_trace", "tensorflow.python.framework.eager_devices")}
assert not set(sys.modules) - before & {*late, "importlib", "threading", "warnings"}, late & set(sys.modules)
tf.Variable([1.0])
""")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"""
import sys
sys.path[:0] = {[path for path in sys.path if path]!r}
main = sys.modules["__main__"]
main.__file__ = {str(tmp_path / "main.py")!r}
exec(compile(open(main.__file__).read(), main.__file__, "exec"), main.__dict__)
"""], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    bare = subprocess.run([sys.executable, "-c", "import sys, shapeflow; "
                           "assert 'shapeflow.tensorflow.compat.judgement' not in sys.modules"])
    assert bare.returncode == 0


def test_reading_gives_no_warnings_and_ends(tmp_path, recwarn):
    old = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
    assert version_detection.decide(old + "s = '\\d'\nb = 1\n") == ("1.15.0", "graph")
    assert not recwarn.list
    deep = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    pass\n" for n in range(3000))
    assert version_detection.decide(old + deep) == ("1.15.0", "graph")
    assert version_detection.decide(old + "y = " + "(" * 150 + ")" * 150 + "\n") == ("1.15.0", "graph")
    assert version_detection.decide(old + "\x00") == ("1.15.0", "graph")
    for number in range(200):
        (tmp_path / f"m{number}.py").write_text(
            f"import tensorflow as tf\nfrom m{number + 1} import *\n" + "x = tf.ones([1])\n" * 50)
    found = version_detection.detect([(str(tmp_path / "m0.py"), None)])
    assert found.version == "2.21.0" and len(found.looked) < 160


def test_a_fix_is_tried_as_the_version_that_the_check_was_started_again_as(tmp_path):
    write(tmp_path, main="""import tensorflow as tf
x = getattr(tf, "place" + "holder")(tf.float32, [2, 3])
w = tf.ones([3, 4])
y = tf.matmul(w, x)
print(tf.matmul(y, tf.ones([3, 4])))
""")
    suggesting = environment()
    suggesting.pop("SHAPEFLOW_NO_SUGGESTIONS", None)
    done = shapeflow(tmp_path, "check", "main.py", env=suggesting)
    assert done.returncode == 1, done.stderr
    assert "(tried: the program then runs without findings)" in done.stdout, done.stdout


def test_split_v_has_the_parameters_of_its_time(tmp_path):
    write(tmp_path, program="""\
import tensorflow as tf
a, b = tf.split_v(tf.placeholder(tf.float32, [4, 6]), [2, 4], split_dim=1)
c, d = tf.split_v(tf.zeros([4, 6]), 2)
tf.matmul(b, tf.zeros([4, 5]))
tf.matmul(c, tf.zeros([5, 5]))
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--tf-version", "0.12.1",
                     "program.py")
    assert "program.py:5" in done.stdout and "program.py:4" not in done.stdout, done.stdout + done.stderr
    assert "[2,6]" in done.stdout.replace(" ", "")


@pytest.mark.parametrize("asked, full", [("1.15", "1.15.0"), ("0.12", "0.12.1"), ("2.3", "2.3.0")])
def test_a_version_of_two_numbers_has_three_for_the_program(tmp_path, asked, full):
    write(tmp_path, train=f"""import tensorflow as tf
major, minor, patch = tf.__version__.split(".")
tf.zeros([1])
assert tf.__version__ == "{full}", tf.__version__
""")
    done = shapeflow(tmp_path, "check", "--no-cache", "--tf-version", asked, "train.py")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder, counts", [("site-packages", False), ("dist-packages", False),
                                            ("my-site-packages", True)])
def test_a_script_of_an_installed_package_says_nothing_of_the_version(monkeypatch, folder, counts):
    path = f"/somewhere/{folder}/tool.py"
    monkeypatch.setattr(sys.modules["__main__"], "__file__", path, raising=False)
    assert (path in [script for script, _ in version_detection.importing_scripts()]) is counts
