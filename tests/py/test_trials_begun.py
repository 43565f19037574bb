"""Trials that begin where an edited program parts from the one that is run: they say what trials of whole
programs say, and where a process cannot be copied they are those."""
import ast
import os
import sys

import pytest

from shapeflow import fixes
from shapeflow.checker import runner
from shapeflow.fixes import begun, points
from shapeflow.fixes.search import SearchOptions
from shapeflow.fixes.source import Source

HEAD = "import numpy as np\nimport tensorflow as tf\n"
PART = """x = tf.zeros([32, 784])
w = tf.Variable(tf.zeros([512, 10]))
y = tf.matmul(x, w)
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux")


def inside(head, part=PART):
    return head + "".join("    " + line for line in part.splitlines(True))


# Programs of which trials begin on their way.
BEGUN = {
    "module": HEAD + PART,
    "text alone, future": '"""What it is."""\nfrom __future__ import annotations\n' + HEAD +
    '"""And."""\n' + PART,
    "function": HEAD + inside("def main(rows, *more, size=3, **rest):\n    n = rows\n") +
    "    return n, size, more, rest\nassert main(4, 5, a=6) == (4, 3, (5,), {'a': 6})\ntf.zeros([3])\n",
    "method": HEAD + "class Base:\n    def run(self):\n        return 3\nclass Model(Base):\n" +
    inside("", inside("def run(self):\n    self.__n = super().run()\n")) +
    "        return self.__n + super().run()\nassert Model().run() == 6\n",
    "called twice": HEAD + inside("def layer(n):\n    n += 1\n") +
    "    return n\nassert layer(1) + layer(2) == 5\n",
    "decorated": HEAD + "def twice(f):\n    return lambda: f() + f()\n@twice\n" +
    inside("def run():\n    n = 1\n") + "    return n\nassert run() == 2\n",
    "local that is not bound yet": HEAD + "late = 5\n" + inside("def run(late_too):\n    del late_too\n") +
    "    try:\n        late\n    except UnboundLocalError:\n        late = 1\n"
    "    try:\n        late_too\n    except UnboundLocalError:\n        return late\nassert run(1) == 1\n",
    "global": HEAD + inside("def run():\n    global total\n    total = 1\n") +
    "    total = 2\nrun()\nassert total == 2\n",
    "random numbers": HEAD + "import random\nrandom.seed(3)\na = random.random()\n" + PART +
    "random.seed(3)\nrandom.random()\nb = random.random()\nrandom.seed(3)\nassert random.random() == a\n"
    "assert random.random() == b\n",
    "a file that is read": HEAD + "lines = open(__file__)\nfirst = next(lines)\n"
    "raw = open(__file__, 'rb', 0)\nraw.read(5)\n" + PART +
    "assert next(lines).endswith('as tf\\n')\nassert raw.read(2) == b't '\nassert raw.tell() == 7\n",
    "errors before": HEAD + "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n" + PART,
    "in the middle of the run": HEAD + "w = tf.Variable(tf.zeros([512, 10]))\nfor i in range(3):\n"
    "    n = 784\n    y = tf.matmul(tf.zeros([32, n]), w)\n",
    "leaves": HEAD + PART + "import sys, os, atexit\natexit.register(print, 1)\nos._exit(0)\n",
}
WRITES = HEAD + "import os\n" + PART + "assert not os.path.exists('made')\nopen('made', 'w').close()\n"
# Programs of which no trial can.
WHOLE = {
    "a thread": HEAD + "import threading\nstop = threading.Event()\n"
    "t = threading.Thread(target=stop.wait)\nt.start()\n" + PART + "stop.set()\nt.join()\n",
    "a pipe": HEAD + "import os\nr, w_ = os.pipe()\n" + PART +
    "os.write(w_, b'x')\nassert os.read(r, 9) == b'x'\n",
    "a file that is written": HEAD + "log = open('log', 'w')\n" + PART + "log.write('x')\n",
    "a child": HEAD + "import subprocess, sys\nc = subprocess.Popen(['sleep', '9'])\n" + PART + "c.kill()\n",
    "shared memory": HEAD + "import mmap\nm = mmap.mmap(-1, 100)\n" + PART + "assert m[0] == 0\nm[0] = 1\n",
}


def search(path, program, monkeypatch, is_begun):
    """(the fixes of each finding, how trials were made: True for begun on the way)."""
    script = path / "train.py"
    script.write_text(program)
    report = runner.run(str(script), [], time_limit=60.0)
    assert report.of("error"), report.failure
    made, run = [], begun.Begun.run

    def noting(self, texts, watch):
        answer = run(self, texts, watch) if is_begun else None
        made.append(answer is not None)
        return answer

    monkeypatch.setattr(begun.Begun, "run", noting)
    fixes.find(report, SearchOptions([], *report.emulated[:2], seconds=120.0))
    monkeypatch.setattr(begun.Begun, "run", run)
    return [[(fix["description"], fix["diff"], fix["clean"]) for fix in record.fixes]
            for record in report.of("error")], made


@linux
@pytest.mark.parametrize("name", BEGUN)
def test_they_say_what_whole_programs_say(name, tmp_path, monkeypatch):
    found, made = search(tmp_path, BEGUN[name], monkeypatch, True)
    assert any(made)
    assert any(found) and found == search(tmp_path, BEGUN[name], monkeypatch, False)[0]


@linux
@pytest.mark.parametrize("layer", ["landlock", "audit"])
def test_in_each_layer_of_the_sandbox(layer, tmp_path, monkeypatch):
    monkeypatch.setenv("SHAPEFLOW_SANDBOX", layer)
    found, made = search(tmp_path, WRITES, monkeypatch, True)
    assert any(made) and found == search(tmp_path, WRITES, monkeypatch, False)[0]
    assert os.listdir(tmp_path) == ["train.py"]


@linux
@pytest.mark.parametrize("name", WHOLE)
def test_where_a_fork_is_no_copy_the_program_is_run_whole(name, tmp_path, monkeypatch):
    found, made = search(tmp_path, WHOLE[name], monkeypatch, True)
    assert made and not any(made)
    assert any(found) and found == search(tmp_path, WHOLE[name], monkeypatch, False)[0]


@linux
def test_what_a_trial_writes_no_other_sees(tmp_path, monkeypatch):
    found, made = search(tmp_path, WRITES, monkeypatch, True)
    assert any(made) and len(found[0]) > 1
    assert found == search(tmp_path, WRITES, monkeypatch, False)[0]
    assert os.listdir(tmp_path) == ["train.py"]


@linux
def test_a_process_that_dies_or_hangs_costs_its_own_trial(tmp_path, monkeypatch):
    """With 784 rows the program kills itself."""
    program = HEAD + PART + "import os\nif int(w.shape[0]) == 784:\n    os.kill(os.getpid(), 9)\n"
    found, made = search(tmp_path, program, monkeypatch, True)
    assert any(made) and found == search(tmp_path, program, monkeypatch, False)[0]


@linux
def test_the_first_part_is_run_once_for_all(tmp_path, monkeypatch):
    """Each run of it leaves a folder where the script may write."""
    from shapeflow.sandbox import Policy

    program = "import os\nos.mkdir('runs/%d' % len(os.listdir('runs')))\n" + HEAD + PART
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(program)
    policy = Policy.default()
    policy.allow_write = [str(tmp_path / "runs")]
    report = runner.run("train.py", [], time_limit=60.0)
    fixes.find(report, SearchOptions([], *report.emulated[:2], seconds=120.0, policy=policy))
    record = report.of("error")[0]
    assert record.tried > 3 and len(os.listdir("runs")) == 2  # of the scout, and before the trials


# --- points -------------------------------------------------------------------------------------
@pytest.mark.parametrize("old, new, point", [
    ("a = 1\nb = 2\n", "a = 1\nb = 3\n", ((), 1)),
    ("a = 1\nb = 2\n", "a = 10\nb = 2\n", ((), 0)),
    ("if a:\n    b\nc\n", "if a:\n    b\nelse: d\nc\n", ((), 0)),
    ("def f(x):\n    a\n    b\nf()\n", "def f(x):\n    a\n    c\nf()\n", ((0,), 1)),
    ("def f(x):\n    a\n    b\nf()\n", "def f(y):\n    a\n    b\nf()\n", ((), 0)),
    ("def f(x):\n    a\n    b\nf()\n", "def f(x):\n    a\n    d\n    b\nf()\n", ((), 0)),
    ("def f(x):\n    a\n    b\nf()\n", "def f(x):\n    a\n    c\nf(1)\n", ((), 0)),
    ("class A:\n    n = 1\n    def f(self):\n        a\n        b\n",
     "class A:\n    n = 1\n    def f(self):\n        a\n        c\n", ((0, 1), 1)),
    ("class A:\n    n = 1\n    m = 1\n", "class A:\n    n = 2\n    m = 1\n", ((), 0)),
    ("x = 'é'\ndef f():\n    a\n    b = 'é'; c\n", "x = 'é'\ndef f():\n    a\n    b = 'é'; d\n", ((1,), 2)),
])
def test_where_programs_part(old, new, point):
    is_as_long = old.count("\n") == new.count("\n")
    exact = points.parting(ast.parse(old), ast.parse(new), is_as_long)
    assert exact == point
    path, number = points.expected(Source("a.py", old), new)
    assert (path == exact[0] and number <= exact[1]) or not path and number <= (*exact[0], exact[1])[0]
