"""What scripts of TensorFlow 1's time use of Python's library, numpy and PyYAML, and is gone today."""
import importlib.util

import pytest

from command import shapeflow, write

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
