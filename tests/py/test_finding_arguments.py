"""The typed arguments of findings: what a message was made of, without reading it back."""
import ast
import json
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

import shapeflow
from command import shapeflow as run_shapeflow
from command import write
from core_support import api, mode, placeholder
from shapeflow import _core as c
from shapeflow.api import typed_messages
from shapeflow.numeric import analysis
from shapeflow.tensorflow.python.framework import error_report

PACKAGE = Path(shapeflow.__file__).parent / "tensorflow"


@pytest.fixture(autouse=True)
def v1():
    with mode("1.15.0", eager=False):
        yield


def arguments(function, *args, **kwargs):
    with pytest.raises(ValueError):
        function(*args, **kwargs)
    f, = c.findings()
    return f.code, f.args


def test_of_the_core():
    assert arguments(api("tf.matmul"), placeholder([None, 784]), placeholder([512, 10])) == (
        "SF101", [("dim", 784), ("dim", 512)])
    c.clear_findings()
    assert arguments(api("tf.matmul"), placeholder([2, 3, 4]), placeholder([4])) == (
        "SF103", [("rank", 2), ("rank", 1)])
    c.clear_findings()
    assert arguments(api("tf.reshape"), placeholder([5, 4]), [7, 3]) == (
        "SF104", [("count", 20), ("shape", "[7, 3]"), ("count", 21)])


def test_of_what_is_not_modelled():
    """The summary reads the names off: a note without them ended every check of such a program."""
    c.notice_unmodelled("tf.contrib.nowhere.thing")
    f, = c.findings()
    assert f.code == "SF901" and f.args == [("text", "tf.contrib.nowhere.thing")]


def test_of_an_op_with_words_of_its_own():
    """A kernel's own message keeps what it was filled with, not only its text."""
    with mode("2.4.0", eager=True):
        eager = [api("tf.constant", version=2)(np.zeros(shape, "float32")) for shape in ([2, 3], [4, 5])]
        with pytest.raises(Exception, match="Matrix size-incompatible"):
            api("tf.matmul", version=2)(*eager)
        f, = c.findings()
    assert f.code == "SF114" and f.args == [("dim", 3), ("dim", 4)]


def test_of_a_feed():
    x = placeholder([None, 10], "x")
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(50,\) for Tensor 'x"):
        c.SessionCore(c.default_graph()).run(x, {x: np.zeros(50)})
    f, = c.findings()
    assert f.code == "SF301" and f.args[0] == ("shape", "[50]")
    assert f.args[2][0] == "shape" and f.args[2][1].endswith(", 10]")


def test_of_python():
    error = error_report.fail("SF103", "Shape {shape} of {name!r} has rank {rank} < {rank}, {dtype} {dim}%",
                              c.TensorShape([None, 3]), "x", 3, 2, c.as_dtype("float32"), None)
    f, = c.findings()
    assert f.message == str(error)
    assert f.message == "Shape (?, 3) of 'x' has rank 3 < 2, <dtype: 'float32'> None%"
    assert f.args == [("shape", "[?, 3]"), ("name", "x"), ("rank", 3), ("rank", 2), ("dtype", "float32"),
                      ("dim", "?")]


@pytest.mark.parametrize("text, args, message, typed", [
    ("{shape:array}", [[2, 100]], "[  2 100]", [("shape", "[2, 100]")]),
    ("{shape:brackets}", [[2, None]], "[2,?]", [("shape", "[2, ?]")]),
    ("{shape}", [(2,)], "(2,)", [("shape", "[2]")]),
    ("{shape}", [None], "None", [("shape", "?")]),
    ("{float:.1f}", [0.25], "0.2", [("float", 0.25)]),
    ("{dim} {{}}", [np.int64(4)], "4 {}", [("dim", 4)]),
    ("{axis}", [-1], "-1", [("axis", -1)]),
    ("{text}", ["{dim} %s"], "{dim} %s", [("text", "{dim} %s")]),
    ("none", [3], "none", []),
])
def test_words(text, args, message, typed):
    assert typed_messages.worded(text, args) == (message, typed)


def fails():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fail":
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


@pytest.mark.source
def test_every_finding_of_python_says_what_its_arguments_are():
    """No text filled beforehand, as many arguments as fields, and kinds that there are."""
    found = list(fails())
    assert len(found) > 100
    codes = {code for code, *_ in c.codes()}
    bad = []
    for where, node in found:
        text = node.args[1]
        if node.args[0].value not in codes or isinstance(text, ast.JoinedStr) or (
                isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mod)):
            bad.append(where)
        if isinstance(text, ast.Constant):
            kinds = [kind for _, kind, _, _ in Formatter().parse(text.value) if kind is not None]
            if len(kinds) != len(node.args) - 2 or not set(kinds) <= set(typed_messages.KINDS):
                bad.append(where)
    assert bad == []


# Who makes a Record without `told`: messages of others, of the core and of whole analyses.
WHOLE = {"checker/findings.py", "checker/numpy_errors.py", "checker/keras_choice.py", "checker/fitting.py",
         "checker/numeric_warnings.py", "backends/rendering.py"}
# Who looks into a message: of the core's exceptions, of numpy and of Keras.
READERS = {"checker/numpy_errors.py", "sandbox/second_run.py", "checker/script_failures.py",
           "checker/keras_calls.py", "formats/view.py", "notebook/extension.py", "checker/findings.py",
           "tensorflow/python/eager/function_body.py"}


@pytest.mark.source
def test_the_checkers_own_findings_are_texts_with_fields():
    """With as many values as fields, and no other record is made with words of ours."""
    root, made, bad = PACKAGE.parent, set(), []
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if called == "Record":
                made.add(name)
            if called not in ("told", "assumed") or name == "checker/findings.py":
                continue
            at = 3 if called == "told" else 0
            text, values = node.args[at], node.args[at + 1:]
            assert not any(isinstance(value, ast.Starred) for value in values)
            fields = [list(Formatter().parse(part.value)) for part in ast.walk(text)
                      if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if isinstance(text, ast.JoinedStr) or any(
                    kind is not None and kind not in typed_messages.KINDS
                    for field in fields for _, kind, _, _ in field):
                bad.append(f"{name}:{node.lineno}")
            if isinstance(text, ast.Constant) and len(values) != sum(
                    kind is not None for _, kind, _, _ in fields[0]):
                bad.append(f"{name}:{node.lineno}")
    assert bad == [] and made == WHOLE


@pytest.mark.source
def test_a_message_that_is_made_of_parts_has_a_value_for_each_field():
    path = PACKAGE.parent / "checker" / "fitting.py"
    count = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        parts = [node.args] if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add" else []
        if isinstance(node, ast.Tuple) and [type(part) for part in node.elts] == [ast.Constant, ast.Tuple]:
            parts.append([node.elts[0], *node.elts[1].elts])
        for text, *values in parts:
            texts = [part.value for part in ast.walk(text) if isinstance(part, ast.Constant)]
            fields = [kind for part in texts for _, kind, _, _ in Formatter().parse(str(part)) if kind]
            if not isinstance(values[0] if values else None, ast.Starred):
                assert len(fields) == len(values), ast.unparse(node)
                assert set(fields) <= set(typed_messages.KINDS), ast.unparse(node)
                count += bool(fields)
    assert count > 10


@pytest.mark.source
def test_nobody_reads_the_words_of_a_finding_back():
    """Neither by an expression nor by parts of it; what they were made of is beside them."""
    found, root = set(), PACKAGE.parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            read: list = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("search", "match", "fullmatch", "findall", "finditer"):
                    read = [*node.args]
                elif node.func.attr in ("partition", "split", "startswith", "endswith"):
                    read = [node.func.value]
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                read = node.comparators
            if any(isinstance(one, ast.Attribute) and one.attr == "message" for one in read):
                found.add(path.relative_to(root).as_posix())
    assert found <= READERS and "sandbox/second_run.py" in found


def test_notes_of_the_checker_have_arguments(tmp_path):
    """Whatever they say: a renderer, or a reader of JSON, need not take them apart."""
    write(tmp_path, main="import os\nimport tensorflow as tf\nimport nowhere_to_be_found\n"
          "open('data/words.txt').read()\nos.remove('main.py')\n")
    done = run_shapeflow(tmp_path, "check", "--format", "json", "main.py")
    found = {(f["code"], tuple((a["kind"], a["value"]) for a in f["arguments"]))
             for f in json.loads(done.stdout)["findings"]}
    how = "if it is no module of the project, install its package"
    assert ("SF904", (("name", "nowhere_to_be_found"), ("text", how))) in found
    removed, = (arguments for code, arguments in found if code == "SF903")
    assert removed[:3] == (("int", 1), ("name", "file"), ("name", "removed or renamed"))
    assert all(arguments or code == "SF907" for code, arguments in found)


# --- numpy's own errors ---------------------------------------------------------------------------
def checked(tmp_path, text, **files):
    write(tmp_path, main=text, **files)
    done = run_shapeflow(tmp_path, "check", "--format", "json", "main.py")
    report = json.loads(done.stdout)
    return done.returncode, report["findings"], report["scripts"][0]["failure"]


LIBRARY = '''
def strict(a, b):
    if a != b:
        raise ValueError("shape mismatch: %s and %s" % (a, b))

def added(a, b):
    return a + b
'''

NUMPY = {
    "an operator": "np.zeros(3) + np.zeros(4)",
    "a C function": "np.dot(np.zeros((2, 3)), np.zeros((4, 5)))",
    "a ufunc": "np.matmul(np.zeros((2, 3)), np.zeros((4, 5)))",
    "an assignment": "x = np.zeros(3)\nx[:] = np.zeros(4)",
    "python of numpy": "np.concatenate([np.zeros((2, 3)), np.zeros((2, 3, 1))])",
    "a stack": "np.stack([np.zeros(2), np.zeros(3)])",
    "broadcast_to": "np.broadcast_to(np.zeros(3), (4, 4))",
    "random": "np.random.normal(np.zeros(3), np.ones(4))",
    "re-raised": "try:\n    np.zeros(3) + np.zeros(4)\nexcept ValueError:\n    raise",
    "re-raised by name": "try:\n    np.zeros(3) + np.zeros(4)\nexcept ValueError as e:\n    raise e",
    "after finally": "try:\n    np.zeros(3) + np.zeros(4)\nfinally:\n    print('done')",
    "a reason": "try:\n    np.zeros(3) + np.zeros(4)\nexcept ValueError as e:\n"
                "    raise RuntimeError('bad data') from e",
    "in a library": "import library\nlibrary.added(np.zeros(3), np.zeros(4))",
}
OWN = {
    "raise": "raise ValueError('shape mismatch: 3 and 4')",
    "raise of numpy's words":
        "raise ValueError('operands could not be broadcast together with shapes (3,) (4,)')",
    "in a function": "def f(e):\n    raise e\nf(ValueError('shape mismatch: (3,) (4,)'))",
    "of a library": "import library\nlibrary.strict((3,), (4,))",
    "another error handled": "try:\n    np.zeros(3) + np.zeros(4)\nexcept ValueError:\n"
                             "    raise ValueError('shape mismatch: my own')",
    "from a generator": "def g():\n    yield 1\n    raise ValueError('shape mismatch: 1')\nlist(g())",
}


@pytest.mark.parametrize("text", NUMPY.values(), ids=NUMPY)
def test_numpy_refused(tmp_path, text):
    status, (finding,), failure = checked(tmp_path, f"import numpy as np\n{text}\n", library=LIBRARY)
    assert status == 1 and finding["code"] == "SF401" and failure is None
    assert finding["primary"]["path"].endswith("library.py" if "library" in text else "main.py")


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_the_script_refused(tmp_path, text):
    status, findings, failure = checked(tmp_path, f"import numpy as np\n{text}\n", library=LIBRARY)
    assert status == 3 and findings == [] and "ValueError: " in failure


@pytest.mark.parametrize("text, arguments", [
    (NUMPY["an operator"], [("shape", "[3]"), ("shape", "[4]")]),
    (NUMPY["a C function"], [("shape", "[2, 3]"), ("shape", "[4, 5]")]),
    (NUMPY["a ufunc"], [("dim", 4), ("dim", 3)]),
    ("np.zeros((2, 3)).reshape(5, 2)", [("count", 6), ("shape", "[5, 2]")]),
    ("np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])", [("dim", 3), ("dim", 4)]),
])
def test_what_numpy_says(tmp_path, text, arguments):
    _, (finding,), _ = checked(tmp_path, f"import numpy as np\n{text}\n")
    assert [(a["kind"], a["value"]) for a in finding["arguments"]] == arguments


def test_of_a_number_that_may_break():
    said = analysis._said("Log", 0, "nonpositive", False, float("-inf"), 2.0)
    assert said == {
        "message": "operand 0 of Log may be zero or negative: it is in [-inf, 2]",
        "arguments": [("int", 0), ("name", "Log"), ("float", "-inf"), ("float", 2.0)]}
    said = analysis._said("Sqrt", 0, "nonpositive", True, 0.0, 1.5)
    assert said["message"] == (
        "the derivative of Sqrt is not finite where operand 0 of Sqrt may be zero: it is in [0, 1.5]")
    assert json.loads(json.dumps(said["arguments"])) == [
        ["name", "Sqrt"], ["int", 0], ["name", "Sqrt"], ["float", 0.0], ["float", 1.5]]
