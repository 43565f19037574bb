"""Which scripts of a folder are entry scripts."""
import os

import pytest

import shapeflow.checker.targets as targets
from command import RIGHT, WRONG, shapeflow, write
from shapeflow.checker.configuration import Settings


def entries(folder):
    files = targets.python_files(str(folder))
    return sorted(os.path.relpath(path, folder) for path in targets.entry_scripts(files, str(folder)))


GUARD = "if __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize("text, is_entry", [
    (WRONG, True),
    ("import tensorflow as tf\ndef main():\n    pass\n" + GUARD, True),
    ("from tensorflow import keras\nkeras.Sequential([]).fit(1, 2)\n", True),
    ("import keras\nfor i in range(3):\n    print(i)\n", True),
    ("import tensorflow.compat.v1 as tf\nwith tf.Session() as s:\n    pass\n", True),
    ("import shapeflow as tf\ntf.app.run()\n", True),
    ("import tensorflow as tf\nif 1:\n    tf.app.run()\n", True),
    ("import tensorflow as tf\ndef layer(x):\n    return tf.nn.relu(x)\n", False),
    ("import tensorflow as tf\nflags = tf.app.flags\nflags.DEFINE_integer('n', 3, '')\n"
     "FLAGS = flags.FLAGS\ntf.logging.set_verbosity(tf.logging.INFO)\nclass A:\n    x = tf.zeros\n", False),
    ("import sys\nimport tensorflow as tf\nsys.path.append('..')\nlog = print\n", False),
    ("print('no tensorflow')\n" + GUARD, False),
    ("import tensorflow as tf\nthis is no python\n", False),
])
def test_one_file(tmp_path, text, is_entry):
    write(tmp_path, script=text)
    assert entries(tmp_path) == (["script.py"] if is_entry else [])
    assert targets.is_entry_script(str(tmp_path / "script.py")) == is_entry


def test_a_folder(tmp_path):
    write(tmp_path,
          train="import models.net\nmodels.net.build()\n",
          models____init__="", models__net="import tensorflow as tf\nx = tf.placeholder('float32')\n",
          evaluate="from models import net\n" + GUARD,
          test_train=WRONG, setup="import tensorflow as tf\n" + GUARD, plot="import numpy\nnumpy.zeros(3)\n",
          build__lib__train=WRONG, venv__lib__site="import tensorflow\n" + GUARD,
          env2__x=WRONG, _hidden__x=WRONG)
    (tmp_path / "env2" / "pyvenv.cfg").write_text("")
    (tmp_path / "_hidden").rename(tmp_path / ".hidden")
    assert entries(tmp_path) == ["evaluate.py", "train.py"]
    assert targets.is_entry_script(str(tmp_path / "train.py"))
    assert targets.is_entry_script(str(tmp_path / "models" / "net.py"))  # nothing beside it imports it


def test_check_of_a_folder(tmp_path):
    write(tmp_path, a=WRONG, b=RIGHT, lib="import tensorflow as tf\ndef f(x):\n    return x\n")
    done = shapeflow(tmp_path, "check", "--format", "concise", ".")
    assert done.returncode == 1 and done.stdout.startswith("a.py:3:")
    assert "2 checked, 1 with findings (1 error" in done.stderr
    (tmp_path / "empty").mkdir()
    done = shapeflow(tmp_path, "check", "empty")
    assert done.returncode == 2 and "no entry script in empty" in done.stderr
    done = shapeflow(tmp_path, "check", "a.py", "missing.py")
    assert done.returncode == 2 and "cannot read missing.py" in done.stderr and done.stdout == ""


def test_named_files_may_be_limited_to_entry_points(tmp_path):
    write(tmp_path, a=WRONG, lib="import tensorflow as tf\ndef f():\n    return tf.zeros([2])\n")
    done = shapeflow(tmp_path, "check", "--only-entry-points", "-q", "lib.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert shapeflow(tmp_path, "check", "--only-entry-points", "-q", "lib.py", "a.py").returncode == 1


def test_each_target_once(tmp_path, monkeypatch):
    write(tmp_path, a=WRONG)
    monkeypatch.chdir(tmp_path)
    found = targets.collect(["a.py", "./a.py", "."], Settings(str(tmp_path)))
    assert [target.path for target in found] == ["a.py"]
