"""Programs of Python 2 that Python 3 parses, and that fail there: they are run again, translated."""
import sys

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
