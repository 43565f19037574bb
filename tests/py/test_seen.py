"""The shapes of expressions that an editor shows: recorded as data, and without a change to the check."""
import json
import re
from pathlib import Path

import numpy as np
import pytest

from shapeflow import _core
from shapeflow.checker import runner
from shapeflow.checker.findings import Report

CASES = Path(__file__).parent.parent / "programs" / "cases"

PROGRAM = '''"""A docstring."""
import numpy as np
import tensorflow as tf
import helper

class Net:
    """Another."""
    def __init__(self, n):
        self.w = tf.Variable(tf.zeros([784, n]))

    def __call__(self, x, *, scale: float = 1.0):
        h = tf.matmul(x, self.w)
        a, (b, *c) = h, (h, h * scale, tf.nn.relu(h))
        h += -1
        return helper.mean(a) + b

x = tf.placeholder(tf.float32, [None, 784])
logits = Net(10)(x)
data = np.zeros((300, 784), np.float32)
both = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(12), tf.reshape(x, [-1, 28, 28]), dtype=tf.float32)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for start in range(0, 300, 128):
        out = s.run(logits, {x: data[start:start + 128]})
for n in (1, 2, 3, 4, 5):
    grown = tf.zeros([n, 7])
print(f"{logits.shape}", locals().get("x"))
'''
HELPER = "import tensorflow as tf\ndef mean(value):\n    return tf.reduce_mean(value, 0)\n"


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seen")
    script = folder / "script.py"
    script.write_text(PROGRAM)
    (folder / "helper.py").write_text(HELPER)
    report = runner.run(str(script), ["--shapes"])
    assert report.status == 0 and report.failure is None, report.failure
    assert Report.from_json(json.loads(json.dumps(report.to_json()))).shapes == report.shapes
    texts = {str(script): PROGRAM.splitlines(), str(folder / "helper.py"): HELPER.splitlines()}
    found = {}
    for item in report.shapes:
        assert item["line"] == item["end_line"]
        text = texts[item["path"]][item["line"] - 1][item["column"]:item["end_column"]]
        types = [(kind["shape"] + " " + kind["dtype"]).strip() for kind in item["types"]]
        found.setdefault((text, item["assigned"]), []).append((item["line"], types, item["name"]))
    return found


@pytest.mark.parametrize("text, assigned, types", [
    ("tf.matmul(x, self.w)", False, ["[batch, 10] float32"]),
    ("x", True, ["[batch, 784] float32"]),
    ("self.w", True, ["[784, 10] float32"]),
    ("self.w", False, ["[784, 10] float32"]),
    ("logits", True, ["[batch, 10] float32"]),
    ("a", True, ["[batch, 10] float32"]),
    ("b", True, ["[batch, 10] float32"]),
    ("c", True, ["list of [batch, 10] float32"]),
    ("value", True, ["[batch, 10] float32"]),
    ("tf.reduce_mean(value, 0)", False, ["[10] float32"]),
    ("data", True, ["[300, 784] float32"]),
    ("data[start:start + 128]", False, ["[128, 784] float32", "[44, 784] float32"]),
    ("out", True, ["[128, 10] float32", "[44, 10] float32"]),
    ("both", True, ["([batch, 28, 12] float32, (c=[batch, 12] float32, h=[batch, 12] float32))"]),
    ("grown", True, ["[1, 7] float32", "[2, 7] float32", "[?, 7] float32"]),  # the third joins the rest
])
def test_what_an_expression_was(seen, text, assigned, types):
    assert [item[1] for item in seen[text, assigned]][0] == types


def test_places_are_named_and_counted_once(seen):
    assert [line for line, _, _ in seen["h", True]] == [12, 14]
    assert seen["self.w", True][0][2] == "self.w"
    assert ("s", True) not in seen and ("tf", False) not in seen and ("start", True) not in seen


def test_data_sets_and_models_are_shown(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import tensorflow as tf\n"
        "class Odd:\n    def __getattr__(self, name):\n        raise SystemExit\n"
        "odd = Odd()\nodd\n"
        "parts = (tf.zeros([9, 4]), {'a': tf.zeros([9], tf.int32)})\n"
        "data = tf.data.Dataset.from_tensor_slices(parts).batch(2)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(3)])\n"
        "for x, y in data:\n    z = model(x)\n")
    report = runner.run(str(script), ["--shapes"])
    assert report.status == 0 and report.failure is None
    found = {item["name"]: [kind["shape"] for kind in item["types"]] for item in report.shapes
             if item["assigned"]}
    assert found["data"] == ["Dataset of ([?, 4] float32, {a: [?] int32})"]
    assert found["model"] == ["Sequential of [batch, 4] float32 -> [batch, 3] float32"]
    assert found["z"] == ["[2, 3]", "[1, 3]"] and "odd" not in found


def test_nothing_is_recorded_unless_asked(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import tensorflow as tf\nimport builtins\nx = tf.zeros([2])\n"
                      "assert not hasattr(builtins, '__shapeflow_seen__')\n")
    report = runner.run(str(script))
    assert report.status == 0 and report.shapes == [] and "shapes" not in report.to_json()


def test_no_compiled_file_of_a_module_holds_the_calls(tmp_path):
    (tmp_path / "script.py").write_text("import helper\nhelper.mean([1.0])\n")
    (tmp_path / "helper.py").write_text(HELPER)
    assert runner.run(str(tmp_path / "script.py"), ["--shapes"]).shapes
    assert not list(tmp_path.rglob("*.pyc"))
    assert runner.run(str(tmp_path / "script.py")).failure is None


def test_the_recorder_by_itself(tf):
    try:
        shown = []
        _core.set_seen_hook(lambda place, value: shown.append((place, value)))
        x = tf.placeholder(tf.float32, [None, 3])
        v = tf.get_variable("v", [3, 2])
        for place, value in ((0, x), (1, v), (2, np.zeros([2, 2], np.int64)), (3, np.float32(1)), (4, "text"),
                             (5, None), (-1, x), (1 << 40, x), (6, (x, 1)), (7, np.array("2020", "M8"))):
            assert _core.seen(place, value) is value
        assert _core.shapes_seen() == {
            0: [(_core.shape_and_dtype(x)[0], "float32", "tensor")], 1: [("[3, 2]", "float32", "tensor")],
            2: [("[2, 2]", "int64", "array")], 3: [("[]", "float32", "array")]}
        assert shown == [(6, (x, 1))]
        _core.set_seen_hook(None)
        assert _core.shapes_seen() == {} and _core.seen(0, [x]) == [x]
        for wrong in ((), (1,), ("a", x), (True, x), (1, 2, 3)):
            with pytest.raises(TypeError):
                _core.seen(*wrong)
        assert _core.shape_and_dtype([x]) is None
        assert _core.shape_and_dtype(tf.placeholder(tf.int32))[:2] == ("<unknown>", "int32")
    finally:
        _core.set_seen_hook(None)


@pytest.mark.parametrize("shapes, kinds", [
    ([[4, 3], [4, 3]], ["[4, 3]"]),
    ([[4, 3], [None, 3], [5, 3]], ["[batch, 3]"]),  # what covers another shape stands for it
    ([[4, 3], [5, 3], [6, 3], [7, 3]], ["[4, 3]", "[5, 3]", "[?, 3]"]),
    ([[4, 3], [4], [4, 3, 2]], ["[4, 3]", "[4]", "[4, 3, 2]"]),
    ([None, [4, 3]], ["<unknown>", "[4, 3]"]),
])
def test_several_shapes_of_one_place(tf, shapes, kinds):
    try:
        for shape in shapes:
            _core.seen(9, tf.placeholder(tf.float32, shape))
        # Symbols are numbered through the process.
        assert [re.sub(r"batch_\d+", "batch", kind[0]) for kind in _core.shapes_seen()[9]] == kinds
    finally:
        _core.set_seen_hook(None)


@pytest.mark.parametrize("name", ["looks_at_itself", "keras_subclass_batch_transposed",
                                  "dataset_last_batch_short", "error_swallowed_by_except"])
def test_findings_stay_the_same(name):
    plain = runner.run(str(CASES / (name + ".py")))
    noting = runner.run(str(CASES / (name + ".py")), ["--shapes"])
    assert noting.shapes
    noting.shapes = []
    assert noting.to_json() == plain.to_json()
