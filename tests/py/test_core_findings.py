"""Findings: what was wrong, where the op was made, where it surfaced."""
import gc
import random
import re
import sys

import numpy as np
import pytest

from core_support import api, mode, placeholder
from shapeflow import _core as c


@pytest.fixture(autouse=True)
def v1():
    with mode("1.15.0", eager=False):
        yield


def broken(a, b):
    return api("tf.matmul")(a, b)  # the guilty line


LINE = broken.__code__.co_firstlineno + 1


def test_a_finding():
    x, w = placeholder([None, 784], "batch"), placeholder([512, 10], "w")
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 784 and 512 for 'MatMul'"):
        broken(x, w)
    f, = c.findings()
    assert (f.code, f.name, f.severity, f.phase) == ("SF101", "DIM_EQUAL", "error", "build")
    assert f.op_type == "MatMul" and f.message.startswith("Dimensions must be equal")
    # Symbols of earlier tests' graphs have taken the bare name: batch_85.
    assert [(o["name"], re.sub(r"_\d+", "", o["shape"]), o["dtype"]) for o in f.operands] == [
        ("a", "[batch, 784]", "float32"), ("b", "[512, 10]", "float32")]
    assert [(p["kind"], p["index"], p["axis"]) for p in f.places] == [("axis", 0, 1), ("axis", 1, 0)]
    file, line, col, end_line, end_col, function = f.frames[0]
    assert (file, line, function) == (__file__, LINE, "broken")
    if sys.version_info >= (3, 11):
        assert (col, end_line, end_col) == (11, LINE, 33)
    else:
        assert (col, end_col) == (-1, -1)
    assert [frame[5] for frame in f.frames[:2]] == ["broken", "test_a_finding"]
    assert f.operands[0]["frames"][0][5] == "placeholder"
    assert f.operands[0]["producer_type"] == "Placeholder"
    assert "SF101" in repr(f)
    c.clear_findings()
    assert c.findings() == []


def test_the_collector_sees_all_that_a_finding_holds():
    with pytest.raises(ValueError):
        broken(placeholder([None, 784]), placeholder([512, 10]))
    f, = c.findings()
    held = {id(o) for o in gc.get_referents(f)}
    named = [name for name, kind in vars(type(f)).items() if type(kind).__name__ == "member_descriptor"]
    missed = [name for name in named if not isinstance(getattr(f, name), (bool, type(None)))
              and id(getattr(f, name)) not in held]
    assert len(named) > 10 and missed == []


def test_where_a_run_went_wrong():
    x, y = placeholder([None], "x"), placeholder([None], "y")
    z = x + y
    s = c.SessionCore(c.default_graph())

    def surface():
        s.run(z, {x: np.zeros(2), y: np.zeros(3)})

    with pytest.raises(Exception, match="Incompatible shapes"):
        surface()
    f, = c.findings()
    assert f.frames[0][5] == "test_where_a_run_went_wrong"
    assert [frame[5] for frame in f.raised_frames[:2]] == ["surface", "test_where_a_run_went_wrong"]


def test_hook_sees_each_finding_and_may_fail():
    seen = []

    def hook(finding):
        seen.append(finding.code)
        placeholder([1])  # builds while the error is on its way
        raise RuntimeError("ignored")

    c.set_finding_hook(hook)
    unraisable, sys.unraisablehook = sys.unraisablehook, lambda args: None
    try:
        with pytest.raises(ValueError):
            broken(placeholder([2, 3]), placeholder([4, 5]))
    finally:
        c.set_finding_hook(None)
        sys.unraisablehook = unraisable
    assert seen == ["SF101"] and len(c.findings()) == 1
    with pytest.raises(TypeError):
        c.set_finding_hook(3)


def test_mute():
    with c.mute():
        with pytest.raises(ValueError):
            broken(placeholder([2, 3]), placeholder([4, 5]))
        c.notice_unmodelled("tf.muted")
    assert c.findings() == []


def test_argument_errors_are_no_shape_findings():
    with pytest.raises(TypeError):
        api("tf.matmul")(placeholder([2, 3]), placeholder([3, 4], "i", "int32"))
    assert c.findings() == [] and c.other_findings()[0].code in ("SF202", "SF203", "SF201")
    rows = {"SF101": True, "FEED_SHAPE": True, "SF302": False, "SF303": False, "BAD_ARG": False,
            "SF206": True, "SF207": False, "SF401": True, "SF501": True, "SF901": True, "SF304": True}
    assert {code: c.is_shape_finding(code) for code in rows} == rows
    with pytest.raises(ValueError):
        c.is_shape_finding("SF000")


def test_report():
    c.report("NUMPY_SHAPE", "shapes (2,) and (3,)")
    c.report("SF401", "again", [("a.py", 1, 2, 3, 4, "f")])
    one, two = c.findings()
    assert one.code == two.code == "SF401" and one.frames[0][5] == "test_report"
    assert two.frames == [("a.py", 1, 2, 3, 4, "f")] and two.message == "again"
    with pytest.raises(ValueError, match="no such diagnostic"):
        c.report("NOPE", "")


def test_notice_once():
    for _ in range(3):
        c.notice_unmodelled("tf.contrib.nothing_like_it")
    f, = c.findings()
    assert (f.code, f.severity) == ("SF901", "note") and "tf.contrib.nothing_like_it" in f.message


def test_findings_do_not_pile_up_for_ever():
    for _ in range(5000):
        c.report("SF401", "again")
    assert len(c.findings()) == 4096


def test_library_frames_are_skipped(tmp_path):
    library = tmp_path / "library" / "layers.py"
    library.parent.mkdir()
    library.write_text("def call(f):\n    return f()\n")
    scope = {}
    exec(compile(library.read_text(), str(library), "exec"), scope)
    assert [f[5] for f in scope["call"](c.user_frames)][:2] == ["call", "test_library_frames_are_skipped"]
    c.register_library_path(str(library.parent))
    assert [f[5] for f in scope["call"](c.user_frames)][0] == "test_library_frames_are_skipped"
    with pytest.raises(TypeError):
        c.register_library_path(3)


def test_code_that_becomes_a_library_is_skipped_from_the_same_line(tmp_path):
    library = tmp_path / "later" / "layers.py"
    library.parent.mkdir()
    library.write_text("def call(f):\n    return f()\n")
    scope = {}
    exec(compile(library.read_text(), str(library), "exec"), scope)
    seen = []
    for _ in range(2):
        seen.append(scope["call"](c.user_frames)[0][5])
        c.register_library_path(str(library.parent))
    assert seen == ["call", "test_code_that_becomes_a_library_is_skipped_from_the_same_line"]


def test_frames_are_those_of_the_interpreter():
    """Whatever of a chain of calls stays as it was since the newest look."""
    order = random.Random(3)

    def check():
        frame, (_, *callers) = sys._getframe().f_back, c.user_frames()
        assert len(callers) > 1
        for file, line, *_, function in callers:
            assert (file, line, function) == (
                frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
            frame = frame.f_back

    def one(depth):
        check()
        if depth > 0:
            other(depth - 1)
        check()

    def other(depth):
        if depth % 2:
            one(depth)
        else:
            check()
        for _ in range(order.randrange(3)):
            check()

    for _ in range(200):
        order.choice([one, other])(order.randrange(6))


def test_an_eager_finding_names_the_line_that_called():
    with mode("2.15.0", eager=True):
        a = c.convert_to_tensor(np.zeros([2, 3], np.float32))
        for _ in range(2):
            with pytest.raises(Exception, match="MatMul|Matrix size-incompatible"):
                broken(a, a)
            f = c.findings()[-1]
            assert [(frame[1], frame[5]) for frame in f.frames[:1]] == [(LINE, "broken")]
            assert f.frames[1][5] == "test_an_eager_finding_names_the_line_that_called"


def test_an_op_made_in_a_graph_from_eager_code_knows_its_line():
    x = placeholder([2, 2], "x")
    with mode("2.15.0", eager=True):
        y = broken(x, x)
    assert [(frame[1], frame[5]) for frame in y.op.traceback[:1]] == [(LINE, "broken")]


def test_deep_recursion_keeps_the_innermost_frames():
    def down(n):
        return c.user_frames() if n == 0 else down(n - 1)

    frames = down(100)
    assert len(frames) == 16 and {f[5] for f in frames} == {"down"}


def test_lines_of_one_caller_differ():
    a = c.user_frames()[0]
    b = c.user_frames()[0]
    assert b[1] == a[1] + 1
