"""What numpy took from its arrays is there for programs of TensorFlow 1, and for nothing else."""
import ast

import numpy as np
import pytest

from shapeflow.checker.removed import array_methods

SOURCE = """class Mine:
    pass
def text(x):
    return [x
            .tostring()]
got = text(array)
Mine.tostring = 3
mine = Mine().tostring
del Mine.tostring
"""


def run(monkeypatch, version, source=SOURCE, **names):
    monkeypatch.setattr(array_methods.names, "emulated", lambda: version)
    exec(compile(array_methods.changed(source, "main.py"), "main.py", "exec"), names)
    return names


@pytest.mark.parametrize("source", [SOURCE, SOURCE.encode()])
def test_arrays_have_it_in_programs_of_1(monkeypatch, source):
    array = np.arange(3, dtype=np.uint8)
    found = run(monkeypatch, (1, 15), source, array=array)
    assert found["got"] == [b"\0\1\2"] and found["mine"] == 3
    assert run(monkeypatch, (0, 12), source, array=array[1])["got"] == [b"\1"]


@pytest.mark.skipif(hasattr(np.ndarray, "tostring"), reason="this numpy has it")
def test_of_anything_else_it_is_what_python_says(monkeypatch):
    with pytest.raises(AttributeError, match="'numpy.ndarray' object has no attribute 'tostring'"):
        run(monkeypatch, (2, 21), array=np.zeros(3))
    with pytest.raises(AttributeError, match="'list' object has no attribute 'tostring'") as raised:
        run(monkeypatch, (1, 15), array=[])
    lines = [entry.lineno for entry in raised.traceback if str(entry.path).endswith("main.py")]
    assert [line + 1 for line in lines] in ([6, 4], [6, 5])


def test_places_stay_and_other_files_are_left():
    tree = array_methods.changed("a = 1\nb = f(x.tostring())\n", "main.py")
    call = tree.body[1].value.args[0].func
    assert (call.lineno, call.col_offset, call.end_col_offset) == (2, 6, 16)
    assert ast.unparse(call.args[0]) == "x"
    for source in ("x.tobytes()", b"x.tobytes()", "x.tostring(", ast.parse("x.tostring()")):
        assert array_methods.changed(source, "main.py") is source
