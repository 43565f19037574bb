"""Statements that fail for want of something unknown are passed over, and the rest is checked."""

import importlib.util

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
    "a loop of one line": "for a in int('x'): print({}[a])\n",
    "the body of one line": "for a in [1, 2]: print(a); print({}[a])\n",
    "a raise of one line": "if len('ab') == 2: raise RuntimeError('no images')\n",
    "two in one line": "a = 1; b = int('x'); print(b.c)\nprint(b + a)\n",
    "a class of one line": "class C(int('x')): pass\nprint(C().d)\n",
    "a name that a package lacks": "import sys\nsys.path.insert(0, 'site-packages')\n"
                                   "from old import no_such_name\nprint(no_such_name(3))\n",
    "a lambda": "f = lambda: int('x')\nprint(f())\n",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_follows_is_checked(body, tmp_path):
    write(tmp_path, other="def f():\n    return int('x')\n",
          **{"site-packages__old": "def __getattr__(name):\n    raise AttributeError(name)\n"})
    found, done = checked(tmp_path, HEAD + body + BUG)
    assert found["SF114"] == [len((HEAD + body).splitlines()) + 1], done.stdout
    assert found["SF908"] and done.returncode == 1
    found, done = checked(tmp_path, HEAD + body)
    assert found["SF908"] and done.returncode == 0, done.stdout


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is not installed")
def test_a_package_that_a_library_lacks_ends_no_program(tmp_path):
    """Keras asked for Pillow, by an ImportError of its own: status 3."""
    head = "import sys\nsys.modules['PIL'] = None\nimport numpy as np\nimport tensorflow as tf\n" \
        "image = tf.keras.utils.array_to_img(np.zeros((8, 8, 3)))\n"
    found, done = checked(tmp_path, head + "image.save('a.png')\n" + BUG)
    assert found == {"SF114": [7], "SF908": [5]} and done.returncode == 1, done.stdout
    found, done = checked(tmp_path, "def need():\n    raise ImportError('no images')\nneed()\n" + BUG)
    assert done.returncode == 3, done.stdout  # the program's own


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
    assert found["SF908"] == list(range(5, 30)) and done.returncode == 0
    assert "16 more statements were passed over" in done.stdout
    found, done = checked(tmp_path, text * 3)
    assert found["SF908"] == [] and done.returncode == 3


ANY = HEAD + "a = int('x')\nb = int('y')\nc = int('z')\n"  # from the third on any statement may fail


ENDS = {
    "the program catches it": "try:\n    e = int('e')\nexcept ValueError:\n    e = 4\nassert e == 4\n",
    "a caller catches it": "def f():\n    return {}['a']\ntry:\n    f()\nexcept (KeyError, OSError):\n"
                           "    g = 1\ntf.zeros([g])\n",
    "a library catches it": "class A:\n    def __getattr__(self, name):\n        raise AttributeError(name)\n"
                            "assert getattr(A(), 'x', 3) == 3\n",
    "a loop waits for it": "def g():\n    it = iter([1, 2])\n    while True:\n        try:\n"
                           "            yield next(it)\n        except StopIteration:\n            return\n"
                           "assert list(g()) == [1, 2]\n",
    "an iterator ends": "class I:\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
                        "        raise StopIteration\nassert list(I()) == []\n",
}


@pytest.mark.parametrize("body", ENDS.values(), ids=ENDS)
def test_what_somebody_waits_for_is_not_passed_over(body, tmp_path):
    found, done = checked(tmp_path, ANY + body + BUG)
    assert found == {"SF114": [len((ANY + body).splitlines()) + 1], "SF908": [5, 6, 7]}, done.stdout


def test_a_handler_that_gives_up_is_no_answer(tmp_path):
    text = ANY + "import sys\ntry:\n    d = int('d')\nexcept Exception:\n    sys.exit(1)\n"
    found, done = checked(tmp_path, text + BUG)
    assert found == {"SF114": [13], "SF908": [5, 6, 7, 10]}, done.stdout


def test_any_statement_of_another_file(tmp_path):
    write(tmp_path, other='"""Words."""\nfrom __future__ import division\nx = int("x")\n\n'
          'def f(a=3):\n    b = int("b")\n    return b + a\n')
    found, done = checked(tmp_path, ANY + "import other\nprint(other.x, other.f())\n" + BUG)
    assert found == {"SF114": [10], "SF908": [5, 6, 7, 3, 6]}, done.stdout


def test_tests_go_on_behind_what_fails(tmp_path):
    text = HEAD + """import unittest
class T(unittest.TestCase):
    def test_a(self):
        a = int('a')
        b = int('b')
        c = int('c')
        tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
    def test_b(self):
        self.assertEqual(1, 2)
        int('never')
unittest.main()
"""
    found, done = checked(tmp_path, text)
    assert found == {"SF114": [11], "SF908": [8, 9, 10]}, done.stdout


def test_a_program_of_python_2_that_lacks_data(tmp_path):
    text = """import numpy as np
import tensorflow as tf
d = np.load('x.npy')
p = tf.placeholder(tf.float32)
a = int('x')
for i in xrange(3):
    b = int('y')
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
"""
    write(tmp_path, train=text)
    report, _ = report_of(tmp_path)
    found = [(f["code"], f["primary"]["line"]) for f in report["findings"] if f["code"] != "SF902"]
    assert sorted(found) == [("SF101", 8), ("SF906", 3), ("SF908", 5), ("SF908", 7)]


def test_a_finding_of_a_made_up_number_does_not_end_the_check(tmp_path):
    text = """import keras
from keras.layers import Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator
from keras.backend import dot, zeros
model = Sequential([Flatten(input_shape=(32, 32, 3)), Dense(10)])
model.compile("sgd", "mse")
batches = ImageDataGenerator().flow_from_directory("absent", target_size=(32, 32), batch_size=8)
model.fit_generator(batches, samples_per_epoch=20, nb_epoch=2)
model.evaluate_generator(batches, val_samples=10)
dot(zeros([2, 3]), zeros([4, 5]))
"""
    write(tmp_path, train=text)
    report, done = report_of(tmp_path, "--tf-version", "1.15")
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [11]
    assert done.returncode == 1 and [f["primary"]["line"] for f in report["findings"]
                                     if f["code"] == "SF908"] == [9, 10]


def test_a_finding_of_a_made_up_number_is_no_failure_of_tf_app_run(tmp_path):
    text = """import numpy as np
import tensorflow as tf
def main(_):
    rows = [[len(part) for part in line.split()] for line in open("absent.txt")]
    words = tf.placeholder(tf.float32, [None, None])
    out = tf.concat([words, tf.zeros([7, 3])], 0)
    with tf.Session() as sess:
        sess.run(out, {words: np.zeros([1, len(rows)])})
    tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
if __name__ == "__main__":
    tf.app.run()
"""
    write(tmp_path, train=text)
    report, done = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [9]
    assert "could not be run" not in done.stderr, done.stderr
    write(tmp_path, train=text.replace("tf.zeros([4, 5])", "tf.zeros([3, 5])"))
    assert report_of(tmp_path)[1].returncode == 0


def test_a_function_that_refused_its_arguments_tells_nothing_more(tmp_path):
    text = """import gone
import tensorflow as tf
class Net:
    def __call__(self, x):
        if not gone.is_batched(x) or len(x.shape) == 2:
            raise ValueError("not a batch")
        return self.last(tf.squeeze(x, [0]))
    def last(self, x):
        return tf.matmul(x, tf.zeros([3, 4]))
class Other(Net):
    def __call__(self, x):
        return self.last(x)
seen = gone.nothing()
Net()(tf.zeros([2, 3]))
Other()(tf.zeros([2, 5]))
"""
    write(tmp_path, train=text)
    report, _ = report_of(tmp_path)
    found = [(f["code"], f["chain"][0]["line"]) for f in report["findings"] if f["severity"] == "error"]
    assert found == [("SF114", 12)]


def test_an_assertion_of_what_a_session_gave_may_fail(tmp_path):
    text = """import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [2])
with tf.Session() as sess:
    got = sess.run(tf.exp(x), {x: [1.0, 2.0]})
    assert np.allclose(got, [2.7182817, 7.389056]), got
    %s
tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))
"""
    write(tmp_path, train=text % "pass")
    report, _ = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [9]
    write(tmp_path, train=text.replace("tf.zeros([4, 5])", "tf.zeros([3, 5])") % "assert got.shape == (3,)")
    report, done = report_of(tmp_path)
    assert done.returncode == 3 and "AssertionError" in report["scripts"][0]["failure"]
