"""The document behind the pictures: its schema, and that its nodes, edges and groups are the graph's."""
import json
import re
import shutil
import subprocess

import jsonschema
import pytest

import graphdef_bytes as gd
import picture_example
from command import shapeflow
from shapeflow.pictures import document, dot

SCHEMA = jsonschema.Draft202012Validator(document.schema())


def holds(made):
    """Every promise of a document."""
    SCHEMA.validate(made)
    assert document.broken(made) is None
    return made


def graph(folder, program, *options, status=0):
    """The document of a program."""
    (folder / "program.py").write_text(program)
    done = shapeflow(folder, "graph", "program.py", *options)
    assert done.returncode == status, done.stderr
    return holds(json.loads(done.stdout))


def by_name(made):
    return {node["name"]: node for node in made["nodes"]}


def path_of(made, name):
    group = by_name(made)[name]["group"]
    return None if group is None else made["groups"][group]["path"]


def edges_of(made):
    names = [node["name"] for node in made["nodes"]]
    return {(names[e["from"]], e["output"], names[e["to"]], e["input"]) for e in made["edges"]
            if not e.get("control")}


@pytest.mark.source
def test_the_schema_is_one_and_accepts_the_example():
    jsonschema.Draft202012Validator.check_schema(document.schema())
    holds(picture_example.example())
    holds(picture_example.many(3000))


@pytest.mark.parametrize("change", [
    lambda d: d["groups"].reverse(), lambda d: d["edges"][0].update(to=10_000),
    lambda d: d["edges"][0].update(output=9), lambda d: d["runs"][0]["shapes"].update({"0": []}),
    lambda d: d["nodes"][0]["source"].update(line=3), lambda d: d["findings"][0].update(node=-1),
])
def test_a_broken_document_is_told(change):
    made = picture_example.example()
    change(made)
    assert document.broken(made) is not None


@pytest.mark.parametrize("change", [
    lambda d: d.update(nodes={}), lambda d: d["nodes"].append(None), lambda d: d["nodes"][0].update(name=7),
    lambda d: d["nodes"][0].pop("op"), lambda d: d["nodes"][0].update(more="x"),
    lambda d: d["groups"][0].update(kind="<b>"), lambda d: d["edges"][0].update(input="0"),
    lambda d: d["edges"].append([]), lambda d: d["files"][0]["lines"].update({"1": 2}),
    lambda d: d["runs"][0]["shapes"].update(x=[]), lambda d: d["runs"][0]["feeds"].update(x=1),
    lambda d: d["nodes"][0]["outputs"].append("x"), lambda d: d["nodes"][0].update(flops=True),
    lambda d: d["findings"][0]["chains"][0]["nodes"].append("x"), lambda d: d["findings"][0].update(fix={}),
    lambda d: d["findings"][0]["operands"][0].update(shape=None), lambda d: d.pop("runs"),
    lambda d: d["nodes"][0]["outputs"][0].update(bytes=10**400), lambda d: d["nodes"][0].update(flops=1e999),
    lambda d: d["nodes"][0]["outputs"][0].update(bytes=-1), lambda d: d["nodes"][0].update(flops=-0.5),
    lambda d: d["nodes"][0].update(flops=float("nan")), lambda d: d["nodes"][0].update(parameters=-1),
    lambda d: d["runs"][0].update(count=-1),
    lambda d: d["nodes"][0]["source"].pop("line"), lambda d: d["findings"][0].update(place=[]),
])
def test_a_document_that_the_script_forged_is_refused(change):
    made = picture_example.example()
    made["findings"][0]["fix"] = None  # which only the parent fills in
    assert document.misfit(made) is None
    change(made)
    assert document.misfit(made) is not None


def test_the_written_form_is_the_document():
    made = picture_example.example()
    assert json.loads(document.to_json(made)) == made
    assert document.to_json(made).count("\n") > len(made["nodes"]) + len(made["edges"])


SMALL = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 784], name="x")
with tf.variable_scope("net"):
    with tf.variable_scope("layer1"):
        w = tf.get_variable("w", [784, 10])
        b = tf.Variable(tf.zeros([10]), trainable=False, name="b")
        y = tf.matmul(x, w) + b
with tf.device("/gpu:0"):
    z = tf.nn.relu(y, name="z")
"""


def test_a_graph_with_scopes(tmp_path):
    made = graph(tmp_path, SMALL)
    nodes = by_name(made)
    assert nodes["x"]["outputs"] == [{"shape": "(batch, 784)", "dtype": "float32", "bytes": None}]
    assert nodes["net/layer1/w"]["parameters"] == 7840 and nodes["net/layer1/w"]["trainable"] is True
    assert nodes["net/layer1/b"]["parameters"] == 10 and nodes["net/layer1/b"]["trainable"] is False
    assert nodes["net/layer1/w"]["outputs"][0]["bytes"] == 31360
    assert nodes["z"]["device"] == "/device:GPU:0"
    assert path_of(made, "net/layer1/MatMul") == "net/layer1" and path_of(made, "x") is None
    assert path_of(made, "net/layer1/w") == "net/layer1/w"  # with its initializer
    assert ("x", 0, "net/layer1/MatMul", 0) in edges_of(made)
    assert ("net/layer1/add", 0, "z", 0) in edges_of(made)
    source = nodes["net/layer1/MatMul"]["source"]
    assert made["files"][source["file"]]["lines"][str(source["line"])].strip() == "y = tf.matmul(x, w) + b"
    assert not made["findings"] and not made["collapsed"] and made["title"] == "program.py"


def test_a_finding_has_its_node_and_chains(tmp_path):
    made = graph(tmp_path, SMALL + "tf.matmul(z, tf.ones([11, 3]), name='bad')\n", status=1)
    [finding] = made["findings"]
    name = [node["name"] for node in made["nodes"]]
    assert name[finding["node"]] == "bad" and finding["code"] == "SF101" and finding["error"]
    assert [operand["shape"] for operand in finding["operands"]] == ["(batch, 10)", "(11, 3)"]
    assert [name[operand["node"]] for operand in finding["operands"]] == ["z", "ones"]
    assert [name[n] for n in finding["chains"][0]["nodes"]][0] == "bad"
    assert [name[n] for n in finding["chains"][0]["nodes"]][-1] == "net/layer1/w"
    assert [name[n] for n in finding["chains"][1]["nodes"]] == ["bad", "ones"]


ATTRS = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 28, 28, 1], name="x")
w = tf.Variable(tf.truncated_normal([3, 3, 1, 8]), name="w")
y = tf.nn.conv2d(x, w, [1, 2, 2, 1], "VALID", name="y")
m = tf.matmul(tf.reshape(y, [-1, 1352]), tf.ones([10, 1352]), transpose_b=True, name="m")
train = tf.train.MomentumOptimizer(.1, .9).minimize(tf.reduce_sum(m))
"""


def test_a_node_has_the_attributes_that_shapes_depend_on(tmp_path):
    nodes = by_name(graph(tmp_path, ATTRS))
    assert nodes["y"]["attrs"] == {"strides": "[1, 2, 2, 1]", "padding": "VALID"}
    assert nodes["m"]["attrs"] == {"transpose_b": "True"}  # transpose_a has its default
    assert "attrs" not in nodes["x"] and "attrs" not in nodes["w"]  # they say no more than the shape
    assert nodes["Reshape/shape"]["outputs"][0]["value"] == "[-1, 1352]"
    assert "value" not in nodes["y"]["outputs"][0]


def test_the_group_of_a_variable_has_its_initializer_and_slots(tmp_path):
    made = graph(tmp_path, ATTRS)
    groups = {group["path"]: group for group in made["groups"]}
    assert made["nodes"][groups["w"]["variable"]]["name"] == "w"
    assert path_of(made, "truncated_normal") == "w/truncated_normal"
    assert path_of(made, "w/Momentum") == "w/Momentum" and "folded" not in groups["w"]
    assert groups["gradients"]["folded"] and groups["Momentum"]["folded"]
    shared = graph(tmp_path, ATTRS.replace("tf.truncated_normal([3, 3, 1, 8])", "tf.ones([3, 3, 1, 8])*2.")
                   + "a = tf.constant(3., name='a')\nv = tf.Variable(a * 2., name='v')\nb = a + 1.\n")
    assert path_of(shared, "a") is None  # what others use stays
    assert path_of(shared, "v/Assign") == "v" and path_of(shared, "mul_1").startswith("v")


def test_a_finding_tells_its_lines_and_the_axes_that_are_wrong(tmp_path):
    made = graph(tmp_path, SMALL + "def bad(v):\n    return tf.matmul(v, tf.ones([11, 3]))\nbad(z)\n",
                 status=1)
    [finding] = made["findings"]
    assert [(o["axes"], o.get("expression")) for o in finding["operands"]] == [
        ([1], "v"), ([0], "tf.ones([11, 3])")]
    lines = made["files"][0]["lines"]
    told = [(note["text"], lines[str(note["place"]["line"])].strip()) for note in finding["notes"]]
    assert ("called from", "bad(z)") in told
    assert ("10 was fixed by variable 'net/layer1/w' at", 'w = tf.get_variable("w", [784, 10])') in told


# --- loops, branches --------------------------------------------------------------------------------
FLOW = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4], name="x")
with tf.name_scope("outer"):
    z = tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2., lambda: x - 1.)
def body(i, v):
    with tf.name_scope("inner"):
        v = tf.while_loop(lambda j, u: j < 2, lambda j, u: (j + 1, tf.sqrt(u)), [tf.constant(0), v])[1]
    return i + 1, v
with tf.name_scope(None):
    out = tf.while_loop(lambda i, v: i < 3, body, [tf.constant(0), z])[1]
after = tf.identity(out, name="after")
"""


def kinds_of(made):
    return {group["path"]: group["kind"] for group in made["groups"]}


def test_loops_and_branches_are_boxes_of_their_own(tmp_path):
    made = graph(tmp_path, FLOW)
    kinds = kinds_of(made)
    assert kinds["outer"] == "scope" and kinds["outer/cond"] == "cond"
    assert kinds["while"] == "while" and kinds["while/inner/while"] == "while"
    assert kinds["while/inner"] == "scope"
    assert path_of(made, "outer/cond/Merge") == path_of(made, "outer/cond/Switch") == "outer/cond"
    for name in "Enter", "Merge", "LoopCond", "Switch", "NextIteration", "Exit":
        assert path_of(made, "while/" + name) == "while"
        assert path_of(made, "while/inner/while/" + name) == "while/inner/while"
    assert path_of(made, "after") is None and path_of(made, "x") is None
    assert ("while/NextIteration", 0, "while/Merge", 1) in edges_of(made)  # the way back
    assert ("while/Exit_1", 0, "after", 0) in edges_of(made)


def flow(*rows):
    """Contexts of rows (name, op, inputs, frame): the boxes of nodes that have no scopes to tell by."""
    from shapeflow.pictures import groups
    from shapeflow.pictures.rows import Row

    made = [Row(name, op, [("()", "float32", 4)] * 2, [(i, 0) for i in inputs], [], frame=frame)
            for name, op, inputs, frame in rows]
    return {row.name: c.box if c is not None else None for row, c in zip(made, groups.contexts(made))}


def test_loops_without_scopes_are_found_by_their_frames():
    boxes = flow(("a", "Const", [], None), ("e", "Enter", [0], "frame"), ("m", "Merge", [1, 6], None),
                 ("c", "LoopCond", [2], None), ("s", "Switch", [2, 3], None), ("t", "Sqrt", [4], None),
                 ("n", "NextIteration", [5], None), ("x", "Exit", [4], None), ("b", "Sqrt", [7], None),
                 ("f", "Enter", [8], "frame_2"), ("g", "Exit", [9], None))
    assert boxes == {"a": None, "e": "frame", "m": "frame", "c": "frame", "s": "frame", "t": "frame",
                     "n": "frame", "x": "frame", "b": None, "f": "frame_2", "g": "frame_2"}


def test_two_frames_of_one_scope_are_two_boxes():
    boxes = flow(("w/a", "Enter", [], "w/while_context"), ("w/b", "Exit", [0], None),
                 ("w/c", "Enter", [1], "w/while_context_1"), ("w/d", "Exit", [2], None))
    assert boxes == {"w/a": "w", "w/b": "w", "w/c": "w/while_context_1", "w/d": "w/while_context_1"}


def test_a_branch_in_a_branch():
    boxes = flow(("p", "Const", [], None), ("c/s", "Switch", [0, 0], None),
                 ("c/d/s", "Switch", [1, 1], None), ("c/d/m", "Merge", [2, 2], None),
                 ("c/i", "Identity", [3], None), ("c/m", "Merge", [4, 1], None), ("z", "Identity", [5], None))
    assert boxes == {"p": None, "c/s": "c", "c/d/s": "c/d", "c/d/m": "c/d", "c/i": "c", "c/m": "c", "z": None}


# --- runs -------------------------------------------------------------------------------------------
RUNS = """
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.layers.dense(x, 3, name="layer")
z = tf.identity(tf.constant(1.), name="z")
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for size in (8, 8, 8, 5, 8):
        s.run([y, z], {x: np.zeros((size, 4))})
    s.run(z)
"""


def test_runs_of_other_shapes(tmp_path):
    made = graph(tmp_path, RUNS)
    name = [node["name"] for node in made["nodes"]]
    first, short = made["runs"]
    assert (first["first"], first["count"], first["feeds"]) == (1, 4, {"x:0": "(8, 4)"})
    assert (short["first"], short["count"], short["feeds"]) == (4, 1, {"x:0": "(5, 4)"})
    assert first["fetches"] == ["layer/BiasAdd:0", "z:0"]
    assert {name[int(n)]: shapes for n, shapes in short["shapes"].items()} == {
        "x": ["(5, 4)"], "layer/MatMul": ["(5, 3)"], "layer/BiasAdd": ["(5, 3)"]}


def test_runs_are_bounded(tmp_path):
    (tmp_path / "program.py").write_text(RUNS.replace("(8, 8, 8, 5, 8)", "range(1, 50)"))
    done = shapeflow(tmp_path, "graph", "program.py")
    made = holds(json.loads(done.stdout))
    assert len(made["runs"]) == 32 and "17 more are left out" in done.stderr


def test_a_branch_that_was_not_taken_keeps_its_shapes(tmp_path):
    made = graph(tmp_path, FLOW.replace("tf.reduce_sum(x) > 0", "tf.shape(x)[0] > 5") + """
import numpy as np
with tf.Session() as s:
    s.run(after, {x: np.zeros((7, 4))})
""")
    [run] = made["runs"]
    name = [node["name"] for node in made["nodes"]]
    shapes = {name[int(n)]: found for n, found in run["shapes"].items()}
    assert shapes["outer/cond/mul"] == ["(7, 4)"] and "outer/cond/sub" not in shapes
    assert shapes["after"] == ["(7, 4)"]


def test_a_script_that_does_not_end_has_a_graph(tmp_path):
    made = graph(tmp_path, RUNS.replace("for size in (8, 8, 8, 5, 8):", "while True:").replace("size,", "8,"),
                 "--time-limit", "2")
    assert "layer/MatMul" in by_name(made) and made["runs"][0]["count"] > 10


def test_graphs_of_functions_that_returned(tmp_path):
    made = graph(tmp_path, """
import tensorflow as tf
def build(n):
    with tf.Graph().as_default():
        for i in range(n):
            tf.placeholder("float32", [2], name="in%d" % n)
build(1)
build(3)
import gc
gc.collect()
""")
    assert path_of(made, "in3") is None and path_of(made, "in1") == "graph_2"
    assert len(made["nodes"]) == 4


def test_findings_that_do_not_count_are_not_in_it(tmp_path):
    wrong = SMALL + "tf.matmul(z, tf.ones([11, 3]), name='bad')"
    assert graph(tmp_path, wrong + "  # shapeflow: ignore[SF101]\n")["findings"] == []
    (tmp_path / "pyproject.toml").write_text("[tool.shapeflow]\nignore = ['SF101']\n")
    assert graph(tmp_path, wrong + "\n")["findings"] == []


# --- eager programs ---------------------------------------------------------------------------------
EAGER = """
import tensorflow as tf
w = tf.Variable(tf.ones([4, 3]), name="w")
@tf.function
def step(x):
    with tf.name_scope("inner"):
        y = tf.matmul(x, w)
    w.assign_sub(0.1 * tf.ones([4, 3]))
    return helper(y)
def helper(y):
    return tf.nn.relu(y)
for i in range(5):
    step(tf.zeros([2, 4]))
def plain(v):
    return tf.square(v)
plain(tf.zeros([7]))
"""


def test_eager_calls_are_a_graph(tmp_path):
    made = graph(tmp_path, EAGER)
    kinds, nodes = kinds_of(made), by_name(made)
    assert kinds["step"] == "function" and kinds["step/inner"] == "scope" and kinds["plain"] == "function"
    assert path_of(made, "step/inner/MatMul") == "step/inner" and path_of(made, "step/Relu") == "step"
    assert nodes["w"]["op"] == "Variable" and nodes["w"]["parameters"] == 12 and nodes["w"]["trainable"]
    assert ("w", 0, "step/inner/MatMul", 1) in edges_of(made)
    assert [node["op"] for node in made["nodes"]].count("MatMul") == 1  # five turns are one
    assert path_of(made, "Square") == "plain"


def test_a_graph_beside_them_does_not_hide_eager_calls(tmp_path):
    made = graph(tmp_path, """import tensorflow as tf
with tf.Graph().as_default():
    tf.compat.v1.placeholder(tf.float32, [3], name="p")
@tf.function
def dense(x, w):
    return tf.matmul(x, w)
def main():
    tf.nn.relu(dense(tf.zeros([2, 3]), tf.zeros([4, 5])))
main()
""", status=1)
    assert path_of(made, "p") is None
    kinds = {group["path"]: group["kind"] for group in made["groups"]}
    assert kinds["eager"] == "scope" and kinds["eager/dense"] == kinds["eager/main"] == "function"
    finding, = made["findings"]
    assert made["nodes"][finding["node"]]["op"] == "MatMul"
    assert path_of(made, "dense/MatMul") == "eager/dense" and path_of(made, "Relu") == "eager/main"


def test_an_eager_error_has_a_node_of_its_own(tmp_path):
    made = graph(tmp_path, EAGER + "step(tf.zeros([2, 5]))\n", status=1)
    [finding] = made["findings"]
    name = [node["name"] for node in made["nodes"]]
    failing = made["nodes"][finding["node"]]
    assert failing["op"] == "MatMul" and [o["shape"] for o in failing["outputs"]] in ([], ["<unknown>"])
    assert not finding["message"].startswith("{{") and "[Op:" not in finding["message"]
    assert [name[operand["node"]] for operand in finding["operands"]][1] == "w"
    assert {(e["from"], e["input"]) for e in made["edges"] if e["to"] == finding["node"]} == {
        (operand["node"], operand["input"]) for operand in finding["operands"]}
    assert [name[n] for n in finding["chains"][1]["nodes"]][-1] in ("ones", "Const", "w")


def test_an_eager_error_with_whose_result_the_run_went_on_is_one_node(tmp_path):
    made = graph(tmp_path, "import tensorflow as tf\na = tf.ones([2, 3])\nb = tf.ones([4, 5])\n"
                           "c = tf.matmul(a, b)\nprint(tf.nn.relu(c))\n", status=1)
    [failing] = [n for n, node in enumerate(made["nodes"]) if node["op"] == "MatMul"]
    assert made["findings"][0]["node"] == failing
    assert {edge["input"] for edge in made["edges"] if edge["to"] == failing} == {0, 1}
    assert [made["nodes"][edge["to"]]["op"] for edge in made["edges"] if edge["from"] == failing] == ["Relu"]


def test_eager_loops_beyond_any_measure_are_folded(tmp_path):
    made = graph(tmp_path, "import tensorflow as tf\nv = tf.ones([3, 3])\nfor i in range(3000):\n"
                           "    v = tf.matmul(v, tf.ones([3, 3])) + float(i)\n")
    assert len(made["nodes"]) < 50


def test_an_eager_variable_counts_once_though_its_handle_is_asked_for(tmp_path):
    made = graph(tmp_path, "import tensorflow as tf\nv = tf.Variable(tf.random.normal([3, 4]), name='v')\n"
                           "h = v.handle\nprint(tf.matmul(tf.ones([2, 3]), v))\n")
    counted = [node["op"] for node in made["nodes"] if node["parameters"] is not None]
    assert counted == ["Variable"] and "VarHandleOp" in [node["op"] for node in made["nodes"]]


KERAS = """
import numpy as np
import tensorflow as tf
inputs = tf.keras.Input((8, 8, 1), name="image")
v = tf.keras.layers.Conv2D(4, 3, name="conv")(inputs)
v = tf.keras.layers.BatchNormalization(name="norm")(v)
v = tf.keras.layers.Dense(10, name="top")(tf.keras.layers.Flatten()(v))
model = tf.keras.Model(inputs, v, name="net")
model.compile("sgd", "mse")
model.fit(np.zeros((50, 8, 8, 1)), np.zeros((50, 10)), batch_size=32)
"""


def test_keras_models_are_their_layers(tmp_path):
    made = graph(tmp_path, KERAS)
    kinds, nodes = kinds_of(made), by_name(made)
    named = [node["name"] for node in made["nodes"] if node["op"] == "Variable"]
    # One box a layer: its calls, and its variables with what initializes them, each of which is there once.
    roots = {group["path"] for group in made["groups"] if group["parent"] is None}
    assert {"conv", "norm", "top"} <= roots and not {"conv_1", "norm_1", "top_1"} & roots
    assert kinds["multi_step_on_iterator"] == "function"
    assert nodes["conv/convolution"]["outputs"][0]["shape"] == "(batch, 6, 6, 4)"
    assert path_of(made, "conv/kernel") == "conv/kernel" and nodes["conv/kernel"]["op"] == "Variable"
    assert ("conv/kernel", 0, "conv/convolution", 1) in edges_of(made)
    assert [node["op"] for node in made["nodes"]].count("Variable") == len(named) == len(set(named))
    assert sum(n["parameters"] or 0 for n in made["nodes"] if n.get("trainable")) == 40 + 8 + 1450
    others = sum(n["parameters"] or 0 for n in made["nodes"] if not n.get("trainable"))
    assert others == 8 + 4  # moving ones; numbers of the optimizer and of the loss's mean


def test_what_a_sequential_builds_is_inside_of_it(tmp_path):
    made = graph(tmp_path, """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, name="first")], name="net")
model(tf.zeros([2, 4]))
""")
    [layer] = [group for group in made["groups"] if group["name"] == "first"]
    assert layer["path"] == "net/first"
    assert [node["op"] for node in made["nodes"]].count("Variable") == 2  # kernel and bias


@pytest.mark.xfail(strict=True, reason="the steps of the installed Keras's fit are no runs of the page")
def test_the_short_batch_of_a_fit_is_a_run(tmp_path):
    made = graph(tmp_path, KERAS)
    [short] = [run for run in made["runs"] if run["feeds"]]
    assert "(18, 8, 8, 1)" in short["feeds"].values()  # 50 = 32 + 18


# --- graph files --------------------------------------------------------------------------------------
def graph_of_file(folder, name, data, status=0):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    done = shapeflow(folder, "graph", name.split("/")[0])
    assert status is None or done.returncode == status, done.stderr
    return holds(json.loads(done.stdout))


F = gd.T("float")


def test_a_graph_def_with_a_finding(tmp_path):
    made = graph_of_file(tmp_path, "model.pb", gd.graph(
        gd.placeholder("net/x", (-1, 4)), gd.const("net/w", "float", [5, 3]),
        gd.node("net/product", "MatMul", "net/x", "net/w", T=F),
        gd.node("out", "Identity", "net/product", T=F)), status=1)
    name = [node["name"] for node in made["nodes"]]
    [finding] = made["findings"]
    assert name[finding["node"]] == "net/product" and finding["place"] is None
    assert [name[operand["node"]] for operand in finding["operands"]] == ["net/x", "net/w"]
    assert path_of(made, "net/x") == "net" and made["nodes"][0]["source"] is None
    assert ("net/product", 0, "out", 0) in edges_of(made)


def functions():
    """A graph that calls: a loop with its condition and body, a cond, a function in a function."""
    types = {"i": "int32", "v": "float"}
    one = gd.const("one", "int32", [], gd.field(7, gd.varint(1)))
    condition = gd.function("loop_cond", types, {"go": "bool"}, [
        one, gd.node("Less", "Less", "i", "one:output:0", T=gd.T("int32"))], {"go": "Less:z:0"})
    body = gd.function("loop_body", types, {"j": "int32", "k": "float"}, [
        one, gd.node("add", "AddV2", "i", "one:output:0", T=gd.T("int32")),
        gd.node("Sqrt", "Sqrt", "v", T=F)], {"j": "add:z:0", "k": "Sqrt:y:0"})
    inner = gd.function("square", {"a": "float"}, {"out": "float"},
                        [gd.node("Square", "Square", "a", T=F)], {"out": "Square:y:0"})
    outer = gd.function("twice", {"a": "float"}, {"out": "float"}, [
        gd.node("call", "PartitionedCall", "a", Tin=[F], Tout=[F], f=gd.func("square")),
        gd.node("add", "AddV2", "call:output:0", "a", T=F)], {"out": "add:z:0"})
    other = gd.function("other", {"a": "float"}, {"out": "float"},
                        [gd.node("Neg", "Neg", "a", T=F)], {"out": "Neg:y:0"})
    return gd.graph(
        gd.placeholder("x", (-1, 4)), gd.const("zero", "int32", []),
        gd.placeholder("p", (), "bool"),
        gd.node("net/loop", "While", "zero", "x", T=[gd.T("int32"), F], cond=gd.func("loop_cond"),
                body=gd.func("loop_body")),
        gd.node("branch", "If", "p", "net/loop:1", Tcond=gd.T("bool"), Tin=[F], Tout=[F],
                then_branch=gd.func("other"), else_branch=gd.func("square")),
        gd.node("f", "PartitionedCall", "branch", Tin=[F], Tout=[F], f=gd.func("twice")),
        functions=[condition, body, inner, outer, other])


def test_functions_of_a_file_are_boxes(tmp_path):
    made = graph_of_file(tmp_path, "model.pb", functions())
    kinds = kinds_of(made)
    assert kinds["net/loop"] == "while" and kinds["branch"] == "cond" and kinds["f"] == "function"
    for box in "net/loop/loop_cond", "net/loop/loop_body", "branch/other", "branch/square":
        assert kinds[box] == "function"
    assert kinds["net"] == "scope" and path_of(made, "net/loop") == "net/loop"
    assert path_of(made, "net/loop/Sqrt") == "net/loop/loop_body"
    assert path_of(made, "f/add") == "f"
    edges = edges_of(made)
    assert ("x", 0, "net/loop/v", 0) in edges and ("net/loop/v", 0, "net/loop/Sqrt", 0) in edges
    assert any(source == "net/loop/Sqrt" and to == "net/loop" for source, _, to, _ in edges)
    assert ("net/loop", 1, "branch/a", 0) in edges and ("branch", 0, "f/a", 0) in edges
    assert by_name(made)["net/loop/Sqrt"]["outputs"][0]["shape"] == "(batch, 4)"


@pytest.mark.parametrize("most", [1, 3, 5, 9, 14])
def test_bodies_of_functions_count_in_the_largest_document(tmp_path, monkeypatch, most):
    from shapeflow.commands import _taken
    from shapeflow.pictures import collect

    (tmp_path / "model.pb").write_bytes(functions())
    whole = len(graph_of_file(tmp_path, "model.pb", functions())["nodes"])
    monkeypatch.setattr(document, "LARGEST", most)
    taker = _taken.FileTaker(_taken.CheckOptions(str(tmp_path / "model.pb")), lambda report, out, err: 0)
    taker.keep_calls = True
    taker.run()
    made = collect.collect(taker)
    assert len(holds(made["document"])["nodes"]) == most < whole
    assert f"{whole - most} nodes are left out" in made["notices"][0]


def test_parts_of_a_saved_model(tmp_path):
    part = gd.graph(gd.placeholder("x", (-1, 4)), gd.node("y", "Sqrt", "x", T=F))
    made = graph_of_file(tmp_path, "model/saved_model.pb",
                         gd.saved_model(gd.meta_graph(part), gd.meta_graph(part, tags=("train",))))
    assert len(made["nodes"]) == 4 and len(made["edges"]) == 2
    assert sorted(path.rpartition("[")[2] for path in kinds_of(made)) == ["serve]", "train]"]


# --- fixes ------------------------------------------------------------------------------------------
def test_a_tried_fix_is_in_the_document(tmp_path):
    wrong = SMALL.replace("784, 10]", "512, 10]")
    made = graph(tmp_path, wrong, status=1)
    fix = made["findings"][0]["fix"]
    assert fix and fix["diff"].startswith("--- ") and "+" in fix["diff"]
    assert graph(tmp_path, wrong, "--no-suggestions", status=1)["findings"][0]["fix"] is None


# --- size, names ------------------------------------------------------------------------------------
LARGE = """
import tensorflow as tf
v = tf.placeholder(tf.float32, [None, 64])
for b in range(%d):
    with tf.name_scope("block%%d" %% b):
        for l in range(50):
            with tf.name_scope("layer%%d" %% l):
                for i in range(20):
                    v = tf.nn.relu(v)
"""


def test_beyond_20_000_nodes_a_document_is_collapsed(tmp_path):
    made = graph(tmp_path, LARGE % 20)
    assert len(made["nodes"]) == 20_001 and made["collapsed"] and len(made["groups"]) == 1020
    assert len(made["edges"]) == 20_000
    assert not graph(tmp_path, LARGE % 2)["collapsed"]


def test_names_of_any_kind_and_length(tmp_path):
    names = ["<script>alert(1)</script>", 'a "b" \\ c', "größe/层", "x" * 10_000, "a/" * 3_000 + "z", "p//q",
             "\x01"]
    made = graph_of_file(tmp_path, "model.pb", gd.graph(*[gd.const(n, "float", []) for n in names]), None)
    assert {node["name"] for node in made["nodes"]} <= set(names) and len(made["nodes"]) >= 4
    assert len(made["groups"]) < 200
    (tmp_path / "g.json").write_text(document.to_json(made))
    assert dot.render(made)


def test_deep_scopes_end_in_one_group():
    groups = document.Groups()
    at = None
    for i in range(1000):
        at = groups.child(at, f"g{i}")
    deep = groups.at(at, "a/b/c/" + "d/" * 1000)
    assert deep == at and len(groups.rows) == 3 * document.DEEPEST


# --- the command ------------------------------------------------------------------------------------
def test_the_name_of_the_file_says_the_format():
    from shapeflow.commands.graph import format_of

    names = [None, "a", "a.html", "A.HTM", "b.svg", "b.png", "c.dot", "c.gv", "d.json"]
    assert [format_of(None, name) for name in names] == [
        "json", "json", "html", "html", "svg", "png", "dot", "dot", "json"]
    assert format_of("svg", "a.html") == "svg" and format_of("svg", "m.pdf") == "svg"


def test_what_cannot_be_written_is_said(tmp_path):
    (tmp_path / "program.py").write_text(SMALL)
    done = shapeflow(tmp_path, "graph", "program.py", "-o", "no/such/folder.html")
    assert done.returncode == 2 and "cannot write no/such/folder.html" in done.stderr
    assert shapeflow(tmp_path, "graph", "missing.py").returncode == 2


def test_cells_of_a_notebook_are_quoted(tmp_path):
    cells = ["import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 4])",
             "y = tf.matmul(x, tf.ones([5, 3]))"]
    (tmp_path / "n.ipynb").write_text(json.dumps({
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                   "source": cell} for cell in cells]}))
    made = holds(json.loads(shapeflow(tmp_path, "graph", "n.ipynb", "--no-suggestions").stdout))
    assert [f["path"] for f in made["files"]] == ["n.ipynb:cell 1", "n.ipynb:cell 2"]
    place = made["findings"][0]["place"]
    assert made["files"][place["file"]]["lines"][str(place["line"])] == cells[1]


def test_a_picture_changes_nothing_of_what_is_found(tmp_path):
    """Eager variables are watched: what a script sees of them is as in `check`."""
    (tmp_path / "program.py").write_text(EAGER + "assert w.shape == (4, 3) and w.name == 'w:0'\n"
                                         "assert (tf.Variable(7) + 1).numpy() == 8\nstep(tf.zeros([2, 5]))\n")
    drawn = shapeflow(tmp_path, "graph", "program.py", "--no-suggestions")
    plain = shapeflow(tmp_path, "check", "--no-cache", "--no-suggestions", "--format", "json", "program.py")
    assert drawn.returncode == plain.returncode == 1
    shown = json.loads(drawn.stdout)["findings"]
    found = [f for f in json.loads(plain.stdout)["findings"] if f["severity"] == "error"]
    # A picture runs functions eagerly: the words, and the code with them, are those of an eager op.
    assert [f["place"]["line"] for f in shown] == [f["primary"]["line"] for f in found] == [7]


# --- dot ------------------------------------------------------------------------------------------
def drawn(made):
    """What Graphviz makes of a document: the SVG of its dot."""
    return subprocess.run(["dot", "-Tsvg"], input=dot.render(made).encode(), capture_output=True, check=True,
                          timeout=60).stdout.decode()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_dot_is_read_by_graphviz_whatever_the_names():
    from xml.etree import ElementTree

    made = picture_example.example()
    svg = ElementTree.fromstring(drawn(made))
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    for name in picture_example.HOSTILE[:4] + ["größe/层/шар", "<b>&amp;</b>", "]]>"]:
        assert any(name.rpartition("/")[2] in (text or "") for text in texts), name
    titles = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert len([t for t in titles if re.fullmatch("n[0-9]+", t)]) == len(made["nodes"])
    assert len([t for t in titles if "->" in t]) == len(made["edges"])
    assert len([t for t in titles if t.startswith("cluster_")]) == len(made["groups"])


def test_dot_shows_the_guilty_node_in_red_and_thick_edges():
    made = picture_example.example()
    lines = dot.render(made).split("\n")
    [failing] = [line for line in lines if "penwidth=3" in line]
    assert f"n{made['findings'][0]['node']} [" in failing and "#c62828" in failing
    widths = [float(width) for width in re.findall("penwidth=([0-9.]+)]", "\n".join(lines))]
    assert min(widths) == 1.1 and max(widths) == 6.0  # as in our own pictures
    assert sum("style=dashed, arrowsize" in line for line in lines) == sum(
        "control" in edge for edge in made["edges"])
