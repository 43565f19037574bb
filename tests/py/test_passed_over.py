"""Statements that fail for want of something unknown are passed over, and the rest is checked."""

import pytest

from command import report_of, shapeflow, write

HEAD = "import numpy as np\nimport tensorflow as tf\nd = np.load('x.npy', allow_pickle=True)\nassert True\n"
BUG = "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n"


def checked(folder, text, *options):
    write(folder, train=text)
    report, done = report_of(folder, *options)
    return {code: [f["primary"]["line"] for f in report["findings"] if f["code"] == code]
            for code in ("SF114", "SF908")}, done


BODIES = {
    "an expression": "int('x')\n",
    "a name": "a = int('x')\nb = a + 1\nprint(b.shape)\n",
    "names": "a, (b, *c) = int('x')\nprint(a, b, c)\n",
    "an attribute": "class C: pass\nc = C()\nc.x = int('x')\nprint(c.x + 1)\n",
    "an operator": "a = 1\na += int('x')\nprint(a + 1)\n",
    "a return": "def f():\n    return int('x')\nprint(f() + 1)\n",
    "a return of another file": "import other\nprint(other.f() + 1)\n",
    "a for": "for a in int('x'):\n    print(a)\n",
    "a generator": "def g():\n    yield 1\n    yield int('x')\nfor a in g():\n    print(a)\n",
    "a with": "with int('x') as a:\n    print(a + 1)\n",
    "an if": "if int('x') > 2:\n    print('more')\nelse:\n    print('less')\n",
    "a while": "while int('x') > 2:\n    print('more')\n",
    "a raise": "def f():\n    raise RuntimeError('no images')\nf()\n",
    "an assert": "assert len('abc') == 4, 'no data'\n",
    "a class": "class C:\n    a = int('x')\n    b = a\nprint(C.b)\n",
    "an if in a class": "class C:\n    a = 3\n    if a:\n        if int('x') > a:\n            b = 1\n",
    "a comprehension": "a = [int(b) for b in 'xy']\nprint(len(a))\n",
    "a delete": "a = {}\ndel a['b']\n",
    "a decorator": "@int('x')\ndef f():\n    pass\nf()\n",
    "a lambda": "f = lambda: int('x')\nprint(f())\n",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_follows_is_checked(body, tmp_path):
    write(tmp_path, other="def f():\n    return int('x')\n")
    found, done = checked(tmp_path, HEAD + body + BUG)
    assert found["SF114"] == [len((HEAD + body).splitlines()) + 1], done.stdout
    assert found["SF908"] and done.returncode == 1
    found, done = checked(tmp_path, HEAD + body)
    assert found["SF908"] and done.returncode == 0, done.stdout


def test_one_after_the_other(tmp_path):
    text = HEAD + "a = int('x')\nb = {}[1]\nc = [][2]\nprint(a, b, c)\n" + BUG
    found, done = checked(tmp_path, text)
    assert found == {"SF114": [9], "SF908": [5, 6, 7]} and done.returncode == 1


def test_what_is_half_changed_makes_no_finding(tmp_path):
    text = HEAD + """rows = []
for i in range(4):
    rows.append(np.zeros(int('x') if i > 1 else 3))
table = np.zeros([4, 2])
table[:, int('x')] = 1
tf.matmul(np.array(rows), tf.zeros([2, 2]))
tf.matmul(tf.zeros([2, 3]), table)
"""
    found, done = checked(tmp_path, text)
    assert found == {"SF114": [], "SF908": [7, 9]} and done.returncode == 0


def test_what_values_decide_is_no_finding_then(tmp_path):
    """What is passed over may be what a later assertion, or a call of numpy, would have had."""
    text = HEAD + """n = 0
n = max(n, int('x')) if n else n
def count():
    global n
    n += int('x')
    n = 5
for _ in range(1):
    count()
rows = np.zeros([4, 3])
kept = [np.zeros(3)]
try_first = np.append(rows, kept[0], axis=0)
tf.debugging.assert_positive(tf.constant(0), message="no rows")
"""
    found, done = checked(tmp_path, text + BUG)
    assert found == {"SF114": [len((text + BUG).splitlines())], "SF908": [9, 15, 16]}
    assert "SF129" not in done.stdout and "SF401" not in done.stdout and done.returncode == 1


def test_names_around_a_function_stay_what_they_are(tmp_path):
    """A function that calls a method of a module's list does not make a name of its own of it."""
    text = HEAD + """rows, kept = [[1.0, 2.0]], np
def add():
    print(kept.zeros(3), rows[0])
    rows.append(kept.zeros(int('x')))
    print(kept.zeros(3))
def outer():
    own = [[1.0, 2.0]]
    def inner():
        own.append(int('x'))
    inner()
add()
outer()
tf.matmul(np.array(rows), tf.zeros([4, 2]))
"""
    found, done = checked(tmp_path, text)
    assert found == {"SF114": [], "SF908": [8, 13]} and done.returncode == 0


def test_an_error_that_the_program_handles_is_its_own(tmp_path):
    text = HEAD + """def size(text):
    return int(text)
try:
    n = size('x')
except ValueError:
    n = 4
int('y')
tf.matmul(tf.zeros([2, 3]), tf.zeros([n, 5]))
"""
    found, _ = checked(tmp_path, text)
    assert found == {"SF114": [12], "SF908": [11]}


@pytest.mark.parametrize("line", ["import not_installed_anywhere\n",
                                  "tf.contrib.resampler.resampler(x, x)\n"])
def test_other_things_that_are_unknown(line, tmp_path):
    """A package that is not there, and what is not modelled."""
    text = "import tensorflow as tf\nx = tf.zeros([2, 3, 3, 1])\n" + line + "int('x')\n" + BUG
    found, done = checked(tmp_path, text, "--tf-version", "1.15.0")
    assert found["SF908"] == [4] and done.returncode == 1, done.stdout


def test_where_nothing_is_unknown_a_failure_is_one(tmp_path):
    found, done = checked(tmp_path, "import tensorflow as tf\nint('x')\n" + BUG)
    assert found == {"SF114": [], "SF908": []} and done.returncode == 3


def test_a_module_of_the_project_that_is_missing_stays_an_error(tmp_path):
    write(tmp_path, package____init__="")
    found, done = checked(tmp_path, HEAD + "import package.lost\n")
    assert found["SF908"] == [] and done.returncode == 3 and "package.lost" in done.stderr


def test_a_program_that_ends_well_ends(tmp_path):
    found, done = checked(tmp_path, HEAD + "import sys\ntf.ones(2)\nint('x')\nsys.exit(0)\n" + BUG)
    assert found == {"SF114": [], "SF908": [7]} and done.returncode == 0


def test_it_is_said_in_words(tmp_path):
    write(tmp_path, train=HEAD + "tf.ones(2)\nint('x')\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "train.py")
    assert "note[SF908]: train.py:6 was passed over: it failed, as it may for want of what is unknown " \
           "(ValueError: invalid literal for int() with base 10: 'x')" in done.stderr


def test_lines_stay_what_they_are(tmp_path):
    """Of an error inside a head that is called later."""
    text = HEAD + "for a in [\n        1,\n        int('x')]:\n    print(a)\n" + BUG
    found, _ = checked(tmp_path, text)
    assert found["SF114"] == [9]


def test_a_program_that_ends_itself_goes_on_where_something_follows(tmp_path):
    text = HEAD + "import sys\nif len('abc') == 3:\n    sys.exit('no data')\n"
    found, done = checked(tmp_path, text + BUG)
    assert found == {"SF114": [8], "SF908": [7]} and done.returncode == 1
    found, done = checked(tmp_path, text)
    assert found == {"SF114": [], "SF908": []} and done.returncode == 3


def test_no_more_than_some(tmp_path):
    text = HEAD + "".join("int('x%d')\n" % i for i in range(40))
    found, done = checked(tmp_path, text)
    assert found["SF908"] == [] and done.returncode == 3


def test_a_version_that_shows_late_is_taken(tmp_path):
    """Arguments are made up first; then Keras 3 refuses what the Keras of TensorFlow 2.15 takes."""
    pytest.importorskip("keras")
    text = """import argparse
import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam
parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
x = np.load(parser.parse_args().data)
model = Sequential([Dense(3, input_shape=(4,))])
model.compile(Adam(lr=0.1, decay=0.001), "mse")
model.fit(np.zeros([8, 4]), np.zeros([8, 3]))
model.fit(np.zeros([8, 5]), np.zeros([8, 3]))
"""
    write(tmp_path, train=text)
    report, done = report_of(tmp_path)
    found = [(f["code"], f["primary"]["line"]) for f in report["findings"]
             if f["severity"] == "error" or f["code"] == "SF908"]
    assert [line for _, line in found] == [12] and done.returncode == 1, done.stdout


def test_what_a_thread_ends_by_is_passed_over(tmp_path):
    text = HEAD + ("import threading\ndef work():\n    return {}[str(d[0])]\n"
                   "t = threading.Thread(target=work)\nt.start()\nt.join()\n")
    found, done = checked(tmp_path, text)
    assert found["SF908"] == [7] and done.returncode == 0, done.stdout


def test_made_up_arguments_are_unknown(tmp_path):
    text = ("import tensorflow as tf\nflags = tf.app.flags\nflags.DEFINE_string('mode', '', 'which')\n"
            "FLAGS = flags.FLAGS\nassert FLAGS.mode, 'give --mode'\ntf.placeholder(tf.float32, [3])\n"
            "net = {'small': 1, 'large': 2}[FLAGS.mode]\n")
    found, done = checked(tmp_path, text)
    assert found["SF908"] == [7] and done.returncode == 0, done.stdout
