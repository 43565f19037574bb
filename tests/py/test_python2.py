"""Programs of Python 2 that Python 3 parses, and that fail there: they are run again, translated."""
import sys
from pathlib import Path

import pytest

from command import shapeflow, write

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 13), reason="lib2to3 is gone; fissix is an extra")

TF = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\n"
BUG = "tf.matmul(x, tf.zeros([2, 5]))\n"
PROGRAMS = {
    "a builtin": "for i in xrange(2):\n    pass\n",
    "a method of a dictionary": "for k, v in {1: 2}.iteritems():\n    pass\n",
    "a module": "import cPickle as pickle\npickle.dumps(3)\n",
    "another module": "from StringIO import StringIO\nStringIO('a').read()\n",
    "a function of a module": "import urllib\nurllib.quote('a b')\n",
    "a list that is an iterator": "n = map(len, ['a', 'bc'])\nassert n[1] == 2\n",
    "a division": "n = 7\nsize = [0] * (n / 2)\nassert len(size) == 3\n",
    "a division in a class": "class C(object):\n    def half(self, n):\n        return [0] * (n / 2)\n"
                           "assert len(C().half(7)) == 3\n",
    "a division of sizes": "assert tf.zeros([x.get_shape()[1] / 2, 3]).get_shape().as_list() == [1, 3]\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_translated_and_checked_to_its_end(name, tmp_path):
    write(tmp_path, program=TF + PROGRAMS[name] + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1, done.stdout + done.stderr
    line = len((TF + PROGRAMS[name]).splitlines()) + 1
    assert f"program.py:{line}:" in done.stdout and "SF1" in done.stdout
    assert "program.py is Python 2: it was translated" in done.stderr


def test_a_module_of_it_is_translated_too(tmp_path):
    write(tmp_path, helper="def halves(n):\n    return [0] * (n / 2)\n",
          program=TF + "import helper\nassert len(helper.halves(7)) == 3\n" + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1, done.stdout + done.stderr


def test_its_loops_are_left_early_as_any(tmp_path):
    write(tmp_path, helper="def train(session, op):\n    for i in xrange(10 ** 9):\n        session.run(op)\n"
                           "    return [0] * (7 / 2)\n",
          program=TF + "import helper\nassert len(helper.train(tf.Session(), tf.zeros([2]))) == 3\n" + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--time-limit", "60", "program.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 loop left" in done.stderr and "with 1 module that it imports" in done.stderr


@pytest.mark.parametrize("text", ["n = undefined_name\n", "[0] * 2.5\nundefined()\n", "{}.nothing()\n"])
def test_what_fails_in_either_fails_in_the_words_of_python_3(text, tmp_path):
    write(tmp_path, program=TF + text)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 3 and "Python 2" not in done.stderr


def test_a_program_of_tensorflow_2_is_none_of_python_2(tmp_path):
    text = "import tensorflow as tf\ntf.function\nx = tf.zeros([2])\nfor i in xrange(2):\n    x\n"
    write(tmp_path, program=text)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 3 and "xrange" in done.stderr


# Each is right in Python 2 (seen with 2.7.18), and an AssertionError says that it is not here.
IDIOMS = (Path(__file__).parent / "python2_idioms.txt").read_text().split("\n\n")
OF_FILES = [
    "f = file('t.txt', 'w')\nf.write('a')\nf.close()\n"
    "assert file('t.txt').read() == 'a' and isinstance(f, file)\n",
    "import csv\nf = open('c.csv', 'wb')\ncsv.writer(f).writerow([1, 2])\nf.close()\n"
    "r = csv.reader(open('c.csv', 'rb'))\nassert r.next() == ['1', '2']\n",
    "with open('e.py', 'wb') as f:\n    f.writelines(['zz = ', '4'])\nexecfile('e.py')\nassert zz == 4\n",
]


@pytest.fixture
def run():
    """Runs a text as Python 2."""
    from shapeflow.checker import python2_runtime, python2_source
    from shapeflow.checker.patches import Scope

    scope = Scope("test")
    python2_runtime.install(scope.by("checker.python2_source", "a test"))

    def run(text):
        tree = python2_source.translated(text, "program.py")
        exec(compile(tree, "program.py", "exec", 0, True), {"__name__": "program"})

    yield run
    scope.close()


@pytest.mark.parametrize("text", IDIOMS)
def test_an_idiom_means_what_it_meant(text, run):
    run(text)


@pytest.mark.parametrize("text", OF_FILES)
def test_files_take_strings(text, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(text)


@pytest.mark.parametrize("text,line", [
    ("import sys\nreload(sys)\nn = 1\nx = 1 / 0\n", 4),
    ("from urllib import urlopen, urlencode, quote\n\nx = 1 / 0\n", 3),
    ("def f((a, b), c):\n    n = a\n    return 1 / 0\nf((1, 2), 3)\n", 3),
    ("import sys\nreload(sys)\nm = map(lambda (a, b): a, [])\nn = reduce(max, [1])\n\nx = 1 / 0\n", 6),
])
def test_what_adds_lines_leaves_the_others_where_they_are(text, line, run):
    with pytest.raises(ZeroDivisionError) as caught:
        run(text)
    of_program = [entry.lineno for entry in caught.traceback if str(entry.path).endswith("program.py")]
    assert of_program[-1] == line - 1


def test_a_tensor_of_integers_is_divided_as_its_class_says(run, tf):
    run("import shapeflow as tf\nn = tf.shape(tf.zeros([4, 2]))[0] / 2\nassert n.dtype == tf.int32, n\n"
        "n /= 2\nassert n.dtype == tf.int32, n\n")


def test_one_that_has_nothing_of_1_x_is_taken_as_such(tmp_path):
    text = "import tensorflow as tf\nw = tf.Variable(tf.zeros([3, 5]))\n%stf.matmul(w, w)\n"
    for more in ("print 'a'\n", "for i in xrange(2):\n    w\n"):
        write(tmp_path, program=text % more)
        done = shapeflow(tmp_path, "check", "-v", "--no-cache", "--no-suggestions", "program.py")
        assert done.returncode == 1 and "TensorFlow 1.15.0, graph mode" in done.stderr, done.stderr
        assert "Python 2" in done.stderr and "SF101" in done.stdout


def test_requirements_of_2_are_believed(tmp_path):
    write(tmp_path, program="import tensorflow as tf\nw = tf.zeros([3, 5])\nprint 'a'\n")
    (tmp_path / "requirements.txt").write_text("tensorflow==2.1.0\n")
    done = shapeflow(tmp_path, "check", "-v", "--no-cache", "--no-suggestions", "program.py")
    assert "TensorFlow 2.1.0, eager mode" in done.stderr, done.stderr


def test_data_that_are_not_there_are_read_as_strings(tmp_path):
    write(tmp_path, program="import csv, cPickle, gzip\n" + TF + "lines = open('corpus.txt').readlines()\n"
          "for row in csv.reader(open('t.csv', 'rb')):\n    name = row[0].decode('utf8')\n"
          "train, test = cPickle.load(gzip.open('mnist.pkl.gz', 'rb'))\nfor i in xrange(2):\n    pass\n"
          + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1 and "program.py:10:" in done.stdout, done.stdout + done.stderr
    assert "SF908" not in done.stderr, done.stderr


def test_a_program_that_comes_no_further_by_it_is_none(tmp_path):
    """Its divisions give floats, as they did."""
    write(tmp_path, program=TF + "n = int(7 / 2 * 2)\ntf.matmul(tf.zeros([2, n]), tf.zeros([7, 2]))\n"
          "'a' / 'b'\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 3 and done.stdout == "" and "Python 2" not in done.stderr, done.stdout


def test_text_is_bytes_where_bytes_are_wanted(tmp_path):
    write(tmp_path, program="import numpy as np, base64\n" + TF + """print base64.b64encode('abc') + '='
def feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
values = {'a': feature('jpg'), 'b': feature(u'x'.encode('utf8')), 'c': feature(np.zeros(3).tostring())}
w = tf.python_io.TFRecordWriter('o.tfrecords')
w.write(tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString())
open('lines.txt', 'wb').write('a\\nb')
assert [line for line in open('lines.txt', 'rU')][0] == 'a\\n'
""" + BUG)
    done = shapeflow(tmp_path, "check", "-v", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1 and "program.py:12:" in done.stdout, done.stdout + done.stderr
    assert "TensorFlow 1.15.0" in done.stderr
