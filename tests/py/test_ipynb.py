"""Cells as Python: the same lines are IPython's as IPython itself says, and columns stay."""
import json
import subprocess
import sys

import pytest

from shapeflow.checker import runner
from shapeflow.notebook import ipynb

CELLS = [
    "x = 1\ny = x % 2",
    "%matplotlib inline\nx = 1",
    "!pip install a \\\n  b\nx = 1",
    "x = !ls -l\ny = x",
    "a, b = %who\nx = 1",
    "if x:\n    !ls\n    y = 2",
    "for i in range(3):\n    %time i + 1",
    "text = '''\n%not magic\n!nor this'''\n%magic",
    "total = (1\n  % 2)\n%magic",
    "f(a,\n  b)\n!ls",
    "x?",
    "?x",
    "x.y??\nz = 1",
    "x = 'a ? b'  # really?\n%magic",
    "s = \"it's\"\n%magic",
    "y = [\n    1,  # ]\n]\n!ls",
    "x = 5 \\\n  % 3\n!ls",
    "x = a != b\n!ls",
    "import os; x = 1\n\n%cd /tmp",
]


def changed_by_us(cell):
    """Lines whose text changed, without the rest of a continued one."""
    after = ipynb.as_python(cell).split("\n")
    before = cell.split("\n")
    assert len(after) == len(before)
    return [i for i, line in enumerate(before)
            if after[i] != line and not (i and before[i - 1].endswith("\\"))]


def changed_by_ipython(cell):
    """As above: IPython joins continued lines, so its text is searched for what it left alone."""
    transform = pytest.importorskip("IPython.core.inputtransformer2").TransformerManager().transform_cell
    kept = transform(cell).split("\n")
    found, cursor = [], 0
    before = cell.split("\n")
    for i, line in enumerate(before):
        if i and before[i - 1].endswith("\\"):
            cursor += kept[cursor:cursor + 1] == [line]
        elif kept[cursor] == line:
            cursor += 1
        else:
            assert "get_ipython()" in kept[cursor]
            found.append(i)
            cursor += 1
    return found


@pytest.mark.parametrize("cell", CELLS)
def test_the_same_lines_as_ipython(cell):
    ours = changed_by_us(cell)
    assert ours == changed_by_ipython(cell)
    compile(ipynb.as_python(cell), "cell", "exec")


@pytest.mark.parametrize("cell, python", [
    ("%time x = f(1)", "None; x = f(1)"),
    ("  %timeit x", "  None  ; x"),
    ("%timeit -n 3 x", "pass"),
    ("%%time\nx = 1", "\nx = 1"),
    ("\n%%bash\nrm -rf /", "\n\n"),
    ("%%writefile a.py\nx = 1", "\n"),
    ("%cd data", "__import__('os').chdir('data')"),
    ("%run ./train", "globals().update(__import__('runpy').run_path('./train.py', run_name='__main__'))"),
    ("%run -i train.py --fast 3",
     "__import__('sys').argv[1:] = ['--fast', '3']; globals().update(__import__('runpy').run_path("
     "'train.py', init_globals=globals(), run_name='__main__')); del __import__('sys').argv[1:]"),
    ("%run -m nets.vgg", "globals().update(__import__('runpy').run_module("
                         "'nets.vgg', run_name='__main__', alter_sys=True))"),
    ("%run other.ipynb", "pass"),
    ("%run -d2 train.py", "pass"),
    ("%run", "pass"),
    ("%env A=b c", "__import__('os').environ.update({'A': 'b c'})"),
    ("files = !ls", "files = []"),
    ("not python at all", "not python at all"),
    ("", ""),
])
def test_what_a_magic_becomes(cell, python):
    assert ipynb.as_python(cell) == python


def test_paths_of_cells():
    assert ipynb.cell_path("/a/nb.ipynb", 3) == "/a/nb.ipynb:cell 3"
    assert ipynb.split("/a/nb.ipynb:cell 3") == ("/a/nb.ipynb", 3)
    assert ipynb.split("/a/nb.ipynb") == ("/a/nb.ipynb", None)
    assert ipynb.split("/a/b.py") == ("/a/b.py", None)


def notebook(*cells, version=4):
    field = "source" if version == 4 else "input"
    items = [{"cell_type": "code", "metadata": {}, field: cell} for cell in cells]
    if version == 3:
        return json.dumps({"nbformat": 3, "worksheets": [{"cells": items}]})
    return json.dumps({"nbformat": 4, "cells": items})


@pytest.mark.parametrize("text", ["", "no", "[]", "{}", '{"cells": 3}'])
def test_what_is_no_notebook_is_said(tmp_path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    report = runner.run(str(path))
    assert report.status == 3 and "not a notebook" in report.failure


def test_old_notebooks_versions_and_failures(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook("import tensorflow as tf", "assert tf.__version__ == '2.21.0'[:]", version=3))
    assert runner.run(str(path)).status == 0
    path.write_text(notebook("%tensorflow_version 1.x\nimport tensorflow as tf",
                             "assert tf.VERSION == '1.15.0'\n"
                             "assert __name__ == '__main__' and '__file__' not in globals()\nexit()\n1 / 0"))
    assert runner.run(str(path)).failure is None
    path.write_text(notebook("x = 1", "y = (", "z = 1"))
    report = runner.run(str(path))
    assert report.status == 3 and "cell 2" in report.failure and "SyntaxError" in report.failure


def test_text_that_is_not_saved_is_checked(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook("import tensorflow as tf\ntf.zeros([2]) + tf.zeros([3])"))
    assert runner.run(str(path)).status == 1
    assert runner.run(str(path), source_override=notebook("import tensorflow as tf")).status == 0


def test_comments_in_cells_silence_findings(tmp_path):
    wrong = "import tensorflow as tf\ntf.zeros([2]) + tf.zeros([3])"
    (tmp_path / "a.ipynb").write_text(notebook("x = 1", wrong + "  # shapeflow: ignore[SF113]"))
    (tmp_path / "b.ipynb").write_text(notebook("x = 1", wrong))
    command = [sys.executable, "-m", "shapeflow", "check", "--no-cache", "--format", "concise"]
    one = subprocess.run([*command, "a.ipynb"], cwd=tmp_path, capture_output=True, text=True)
    assert (one.stdout, one.returncode) == ("", 0)
    both = subprocess.run([*command, "a.ipynb", "b.ipynb"], cwd=tmp_path, capture_output=True, text=True)
    assert both.returncode == 1
    assert [line.split(": ")[0] for line in both.stdout.splitlines()] == ["b.ipynb:cell 2:2:1"]
