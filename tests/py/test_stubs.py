"""The type stubs of TensorFlow's API that are installed beside the package."""
import ast
import subprocess
import sys

import pytest

from shapeflow.api import stubs

pytestmark = pytest.mark.source


def test_every_stub_is_python_and_names_what_the_snapshot_has():
    files = stubs.files()
    assert {"__init__.pyi", "nn/__init__.pyi", "data/experimental/__init__.pyi", "py.typed"} <= set(files)
    for path, text in files.items():
        if path.endswith(".pyi"):
            ast.parse(text, path)
    assert "def relu(features: Any, name: Any = ...) -> Any: ..." in files["nn/__init__.pyi"]
    assert "from . import nn as nn" in files["__init__.pyi"]
    variable = files["__init__.pyi"].partition("class Variable:")[2].partition("\nclass ")[0]
    assert "    def assign(self, " in variable


def test_a_type_checker_sees_a_wrong_keyword(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "use.py"
    script.write_text("""import shapeflow as tf
tf.linalg.matmul(1, 2, transpose_c=True)
tf.nn.relu(1).anything
""")
    done = subprocess.run([sys.executable, "-m", "mypy", "--no-incremental", str(script)], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 1 and 'Unexpected keyword argument "transpose_c" for "matmul"' in done.stdout, \
        done.stdout + done.stderr
    assert "Found 1 error" in done.stdout
