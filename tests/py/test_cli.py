"""The command line: exit statuses, formats, several scripts, what old scripts expect around them."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WRONG = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2, 3])\ny = tf.matmul(x, x)\n"
RIGHT = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [3, 3])\ny = tf.matmul(x, x)\n"


def shapeflow(folder, *arguments):
    return subprocess.run([sys.executable, "-m", "shapeflow", *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=120)


def write(folder, name, text):
    (folder / name).write_text(text)
    return name


def test_exit_statuses(tmp_path):
    assert shapeflow(tmp_path, "check", write(tmp_path, "right.py", RIGHT)).returncode == 0
    assert shapeflow(tmp_path, "check", write(tmp_path, "wrong.py", WRONG)).returncode == 1
    assert shapeflow(tmp_path, "check", "absent.py").returncode == 2
    assert shapeflow(tmp_path, "check").returncode == 2
    assert shapeflow(tmp_path, "frobnicate").returncode == 2
    failing = write(tmp_path, "failing.py", "raise RuntimeError('mine')\n")
    done = shapeflow(tmp_path, "check", failing)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "failing.py:1:1: RuntimeError: mine" in done.stderr


def test_first_line_has_path_line_column_code(tmp_path):
    done = shapeflow(tmp_path, "check", write(tmp_path, "wrong.py", WRONG))
    first = done.stdout.splitlines()[0]
    column = 5 if sys.version_info >= (3, 11) else 1
    assert first == (f"wrong.py:3:{column}: error[SF101]: MatMul: "
                     "Dimensions must be equal, but are 3 and 2")
    assert "tensorflow says" not in done.stdout  # nothing that is not said already


def test_json(tmp_path):
    done = shapeflow(tmp_path, "check", "--format", "json", write(tmp_path, "wrong.py", WRONG))
    report = json.loads(done.stdout)
    assert report["exit_status"] == 1
    (finding,) = report["findings"]
    assert finding["code"] == "SF101"
    assert [operand["shape"] for operand in finding["operands"]] == ["[2, 3]", "[2, 3]"]
    assert finding["blamed"] == [{"operand": 0, "axis": 1}, {"operand": 1, "axis": 0}]


def test_concise_and_several_scripts(tmp_path):
    write(tmp_path, "wrong.py", WRONG)
    write(tmp_path, "right.py", RIGHT)
    done = shapeflow(tmp_path, "check", "-q", "--format", "concise", "right.py", "wrong.py")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1


def test_arguments_reach_the_script(tmp_path):
    write(tmp_path, "args.py", "import sys\nassert sys.argv == ['args.py', '--size', '3'], sys.argv\n")
    assert shapeflow(tmp_path, "check", "args.py", "--", "--size", "3").returncode == 0


def test_modules_of_the_script_are_checked_too(tmp_path):
    write(tmp_path, "layers.py", "import tensorflow as tf\n\n\ndef dense(x, w):\n"
                                 "    return tf.matmul(x, w)\n")
    write(tmp_path, "main.py", "import tensorflow as tf\nfrom layers import dense\n"
                               "dense(tf.zeros([2, 3]), tf.zeros([4, 5]))\n")
    report = json.loads(shapeflow(tmp_path, "check", "--format", "json", "main.py").stdout)
    (finding,) = report["findings"]
    assert os.path.basename(finding["primary"]["path"]) == "layers.py"
    assert finding["primary"]["line"] == 5
    assert finding["chain"][0]["line"] == 3


def test_output_of_the_script_is_kept_away(tmp_path):
    write(tmp_path, "noisy.py", "import os, sys\nprint('noise')\nos.write(2, b'more noise')\n"
                                "os.system('echo child')\n")
    done = shapeflow(tmp_path, "check", "-q", "noisy.py")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert "noise" in shapeflow(tmp_path, "check", "--show-output", "noisy.py").stdout


@pytest.mark.parametrize("body", [
    "while True:\n    pass\n",
    "while True:\n    try:\n        x = 1\n    except:\n        pass\n",
    "import time\nwhile True:\n    time.sleep(1)\n",
])
def test_endless_scripts_end_with_what_was_found(tmp_path, body):
    caught = "try:\n    tf.matmul(x, x)\nexcept ValueError:\n    pass"
    swallowed = WRONG.replace("y = tf.matmul(x, x)", caught)
    write(tmp_path, "endless.py", swallowed + body)
    done = shapeflow(tmp_path, "check", "--every-batch", "--time-limit", "1", "endless.py")
    assert done.returncode == 1
    if sys.version_info[:2] == (3, 10) and "try" in body:
        assert "Timeout" in done.stderr
        return
    assert "error[SF101]" in done.stdout
    assert "stopped after 1 s" in done.stderr


def test_catching_everything_hides_nothing(tmp_path):
    text = WRONG.replace("y = tf.matmul(x, x)", "import sys\nsys.excepthook = lambda *a: None\ntry:\n"
                         "    tf.matmul(x, x)\nexcept BaseException:\n    pass")
    done = shapeflow(tmp_path, "check", write(tmp_path, "shy.py", text))
    assert done.returncode == 1


def test_version_and_mode(tmp_path):
    write(tmp_path, "v.py", "import tensorflow as tf\nassert tf.__version__ == '1.4.0'\n")
    assert shapeflow(tmp_path, "check", "v.py").returncode == 0
    write(tmp_path, "w.py", "import tensorflow as tf\nassert tf.__version__.startswith('1.')\n")
    assert shapeflow(tmp_path, "check", "--tf-version", "1.9.0", "w.py").returncode == 0
    write(tmp_path, "e.py", "import tensorflow as tf\nassert tf.executing_eagerly()\n")
    assert shapeflow(tmp_path, "check", "e.py").returncode == 0
    assert shapeflow(tmp_path, "check", "--mode", "graph", "e.py").returncode == 3


def test_old_surroundings(tmp_path):
    (tmp_path / "grey.png").write_bytes(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05\x08\0\0\0\0" + b"\0" * 20)
    write(tmp_path, "old.py", """
import numpy as np
import tensorflow as tf
from six.moves import xrange
from six.moves.urllib.request import urlopen
import six
assert tf.__version__ == "1.8.0"
assert np.zeros(3, np.float).dtype == np.float64 and np.int is int and np.object is object
assert list(xrange(2)) == [0, 1] and dict(six.iteritems({1: 2})) == {1: 2}
""")
    done = shapeflow(tmp_path, "check", "old.py")
    assert done.returncode == 0, done.stderr


def test_legacy_images(tmp_path):
    from shapeflow.tensorflow.compat import python2

    png = tmp_path / "grey.png"
    png.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05\x08\0\0\0\0" + b"\0" * 20)
    jpeg = tmp_path / "colour.jpg"
    jpeg.write_bytes(b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x09\x00\x04\x03" + b"\0" * 20)
    assert python2.imread(str(png)).shape == (5, 7)
    assert python2.imread(str(jpeg)).shape == (9, 4, 3)
    assert python2.imread(str(jpeg), flatten=True).shape == (9, 4)
    assert python2.imresize(python2.imread(str(jpeg)), (3, 2)).shape == (3, 2, 3)
    assert python2.imresize(python2.imread(str(jpeg)), 0.5).shape == (4, 2, 3)
    for bad in (b"", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\xff\xff", b"nonsense" * 9):
        png.write_bytes(bad)
        with pytest.raises(OSError):
            python2.imread(str(png))
    with pytest.raises(FileNotFoundError):
        python2.imread(str(Path(tmp_path) / "absent.png"))
    with pytest.raises(ValueError):
        python2.imresize(python2.imread(str(jpeg))[0, 0], (2, 2))


@pytest.mark.skipif(not Path(sys.executable).with_name("shapeflow").exists(),
                    reason="the console script is not installed beside this Python")
def test_console_script_is_no_part_of_the_call_chain(tmp_path):
    write(tmp_path, "wrong.py", WRONG)
    script = str(Path(sys.executable).with_name("shapeflow"))
    for started_as in (script, os.path.relpath(script, tmp_path.resolve())):
        done = subprocess.run([started_as, "check", "wrong.py"], cwd=tmp_path, capture_output=True,
                              text=True, timeout=120)
        assert done.returncode == 1
        assert "called from" not in done.stdout
