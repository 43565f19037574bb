"""What scripts of TensorFlow 1's time use of Python's library, numpy and PyYAML, and is gone today. Other
packages: tests/oracle/test_removed_packages.py."""
import importlib.util
import sys

import numpy as np
import pytest

from command import report_of, shapeflow, write
from shapeflow import _core

TF = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\n"
BUG = "tf.matmul(x, tf.zeros([2, 5]))\n"
PROGRAMS = {
    "inspect": "import inspect\ndef f(a, b=2): pass\nassert inspect.getargspec(f).args == ['a', 'b']\n"
               "assert inspect.getargspec(f)[3] == (2,)\n",
    "collections": "import collections\nassert isinstance({}, collections.Mapping)\n"
                   "assert isinstance([], collections.Sequence)\n",
    "time": "import time\nassert time.clock() >= 0\n",
    "fractions": "from fractions import gcd\nassert gcd(4, 6) == 2\n",
    "numpy.load": "import numpy as np\nnp.save('a.npy', np.array([{}, 3], dtype=object))\n"
                  "assert np.load('a.npy').shape == (2,)\n",
    "numpy.array": "import numpy as np\nassert np.array([[1], [2, 3]]).shape == (2,)\n"
                   "assert np.asarray([[1, 4], [2, 3]]).shape == (2, 2)\n",
    "numpy.lib": "import numpy as np\nassert np.lib.pad([1], 2, 'constant').shape == (5,)\n",
    "yaml": "import yaml\nassert yaml.load('a: [1, 2]') == {'a': [1, 2]}\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_there_for_tensorflow_1(name, tmp_path):
    if name == "yaml" and importlib.util.find_spec("yaml") is None:
        pytest.skip("PyYAML is not installed")
    write(tmp_path, program=TF + PROGRAMS[name] + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "could not be run" not in done.stderr


def test_methods_of_arrays(tmp_path):
    """numpy 2 dropped them; Python lets nobody give an array's class a method."""
    text = """import numpy as np
a = np.arange(6.0).reshape(2, 3)
a.itemset((1, 2), 9.0)
a.itemset(0, -1.0)
b = np.zeros(1)
b.itemset(3)
assert a[1, 2] == 9 and a[0, 0] == -1 and b[0] == 3 and a.ptp() == 10
assert a.ptp(axis=0).shape == (3,) and a.newbyteorder().shape == (2, 3)
"""
    write(tmp_path, program=TF + text + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1 and "SF908" not in done.stderr, done.stdout + done.stderr


def test_a_method_that_is_lent_is_taken_away_again():
    class Own:
        def known(self):
            return 1

    _core.lend_method(Own, "lent", lambda self: 2)
    assert Own().lent() == 2
    _core.lend_method(Own, "lent", None)
    _core.lend_method(Own, "lent", None)  # it is gone
    assert not hasattr(Own, "lent")
    with pytest.raises(ValueError, match="has a known"):
        _core.lend_method(Own, "known", lambda self: 2)
    with pytest.raises(TypeError):
        _core.lend_method(Own(), "lent", None)
    _core.lend_method(np.ndarray, "of_shapeflow", lambda self: self.shape)
    assert np.zeros([2, 3]).of_shapeflow() == (2, 3)
    _core.lend_method(np.ndarray, "of_shapeflow", None)
    assert not hasattr(np.ndarray, "of_shapeflow")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="this Python has them")
def test_names_of_pythons_library_are_said(tmp_path):
    write(tmp_path, train="from collections import Mapping, OrderedDict\nimport inspect\n"
                          "import tensorflow as tf\nassert isinstance(OrderedDict(), Mapping)\n"
                          "print(hasattr(inspect, 'nothing'))\n"
                          "tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5]))\n")
    report, _ = report_of(tmp_path)
    assert [f["primary"]["line"] for f in report["findings"] if f["severity"] == "error"] == [6]
    said = [f["message"] for f in report["findings"] if f["code"] == "SF902"]
    assert len(said) == 1 and said[0].startswith("Python 3.") and "has no collections.Mapping" in said[0]


def test_what_is_given_back_is_refused_where_it_always_was(tmp_path):
    text = "import numpy as np\ntry:\n    np.array([[1], [2, 3]], dtype=np.float32)\n" \
           "except ValueError:\n    pass\nelse:\n    raise RuntimeError\n"
    write(tmp_path, program=TF + text + BUG)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1 and "could not be run" not in done.stderr


def test_tensorflow_2_has_what_is_there_today(tmp_path):
    write(tmp_path, program="import numpy as np\nimport tensorflow as tf\ntf.function\nx = tf.zeros([2])\n"
                            "np.array([[1], [2, 3]])\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode in (1, 3) and "inhomogeneous" in done.stdout + done.stderr


OLD_NUMPY = """import numpy as np
import tensorflow as tf
a = np.zeros([2, 3], dtype=np.float).astype(np.int)
assert np.asscalar(np.array([7])) == 7 and np.product([2, 3]) == 6 and np.in1d([1, 2], [2]).sum() == 1
assert np.trapz([1.0, 2.0]) == 1.5 and np.math.factorial(3) == 6 and np.Inf > 0
assert np.mat([[1, 2]]).shape == (1, 2)
assert np.random.random_integers(1, 1) == 1 and np.unicode_ is np.str_ and np.bool8 is np.bool_
np.warnings.filterwarnings("ignore", category=np.VisibleDeprecationWarning)
tf.matmul(tf.cast(a, tf.float32), tf.zeros([4, 5]))
"""


@pytest.mark.parametrize("options", [(), ("--tf-version", "1.15.0")])
def test_names_that_numpy_dropped_are_there_for_the_program(tmp_path, options):
    import numpy as np

    write(tmp_path, program=OLD_NUMPY)
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", *options, "program.py")
    assert done.returncode == 1 and "error[SF" in done.stdout, done.stdout + done.stderr
    assert "could not be run" not in done.stderr and "SF908" not in done.stderr
    if not options and not hasattr(np, "trapz"):  # numpy 2 and later
        assert f"note[SF902]: numpy {np.__version__} has no numpy." in done.stderr


def test_libraries_see_the_numpy_that_is_there(tmp_path):
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "looks.py").write_text("import numpy\nHAS = hasattr(numpy, 'float')\n")
    write(tmp_path, program="import sys\nsys.path.append('site-packages')\nimport numpy, looks\n"
                            "import tensorflow as tf\nassert not looks.HAS and numpy.float is float\n"
                            "tf.square(2.0)\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "program.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_module_that_an_installed_package_lacks_is_unknown(tmp_path):
    text = "import numpy.gone.part as part\nfrom numpy.gone import thing\n" \
           "y = tf.reshape(thing(part.f(2)), [3, 4])\n"
    write(tmp_path, program=TF + text + "tf.matmul(x, y)\ntf.matmul(x, tf.zeros([2, 5]))\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 1 and "could not be run" not in done.stderr
    assert "has no numpy.gone: what comes of it is unknown" in done.stderr
    assert "not installed" not in done.stderr


def test_modules_of_tensorflow_that_are_not_there_are_not(tmp_path):
    write(tmp_path, program=TF + "import tensorflow.gone.part\n")
    done = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "program.py")
    assert done.returncode == 3 and "No module named 'tensorflow.gone'" in done.stderr
