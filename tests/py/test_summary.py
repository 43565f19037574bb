"""`shapeflow summary`: tables of models, graphs and variables; text, JSON, Markdown, HTML."""
import json
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

import shapeflow as package
from command import environment, need, shapeflow, write
from shapeflow import _core
from shapeflow.pictures import held as held_package
from shapeflow.pictures import table_text, tables
from shapeflow.sandbox import channel

SCHEMA = json.loads((Path(package.__file__).parent / "pictures" / "summary.schema.json").read_text())
HOSTILE = "</td><script>alert(1)</script> | ` \" ' \x1b[31m é"

KERAS = """import tensorflow as tf
L = tf.keras.layers
def main():
    m = tf.keras.Sequential([tf.keras.Input((28, 28, 1)), L.Conv2D(8, 3), L.BatchNormalization(), L.Flatten(),
                             L.Dense(10)], name="small")
    m.compile("adam", "mse")
    tf.keras.Sequential([tf.keras.Input((7, 5)), L.LSTM(6)], name="other")
main()
"""
GRAPH = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 20], name="x")
with tf.variable_scope("net"):
    h = tf.layers.dense(x, 30, activation=tf.nn.relu, name="fc1")
    y = tf.layers.dense(h, 4, name="fc2")
w = tf.Variable(tf.zeros([4, 2]), name="w")
step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.matmul(y, w)))
"""

MEMORY = {"of": "eager code", "rounding": 256, "batch": None, "peak": 1, "at_least": False,
          "parts": dict.fromkeys(("variables", "optimizer slots", "constants", "feeds", "activations",
                                  "gradients"), 0),
          "workspace": 0, "flops": 0.0, "moved": 0, "devices": []}


def summary(folder, name, *options):
    done = shapeflow(folder, "summary", "--format", "json", *options, f"{name}.py")
    found = json.loads(done.stdout)
    pytest.importorskip("jsonschema").validate(found, SCHEMA)
    return found


def rows_of(table):
    return {row["name"]: row for row in table["rows"]}


def test_keras_models_of_a_function_that_returned(tmp_path):
    write(tmp_path, model=KERAS)
    small, other = summary(tmp_path, "model")["tables"]
    assert (small["kind"], small["name"], other["name"]) == (
        "model", "small (Sequential)", "other (Sequential)")
    conv, norm, flat, dense = small["rows"]
    assert conv["outputs"] == ["(batch, 26, 26, 8)"] and conv["bytes"] == 26 * 26 * 8 * 4
    assert conv["parameters"] == 3 * 3 * 8 + 8
    assert conv["flops"] == 2 * 9 * 26 * 26 * 8 + 26 * 26 * 8  # the bias is one more each
    assert (norm["parameters"], norm["trainable"], norm["not_trainable"]) == (32, 16, 16)
    assert flat["flops"] == 0 and flat["outputs"] == ["(batch, 5408)"]
    assert dense["parameters"] == 5408 * 10 + 10 and dense["flops"] == 2 * 5408 * 10 + 10
    total = small["total"]
    assert total["parameters"] == sum(row["parameters"] for row in small["rows"])
    assert total["not_trainable"] == 16 and total["parameter_bytes"] == 4 * total["parameters"]
    assert abs(sum(row["share"] for row in small["rows"]) - 1) < 1e-5
    lstm = other["rows"][0]
    assert lstm["parameters"] == 4 * 6 * (5 + 6 + 1)
    assert lstm["flops"] is None  # not known of the loop that Keras 3 makes


def test_a_graph_by_scopes(tmp_path):
    write(tmp_path, model=GRAPH)
    found = summary(tmp_path, "model")
    table, = found["tables"]
    rows = rows_of(table)
    assert list(rows)[:3] == ["net/fc1", "net/fc2", "w"]
    assert rows["net/fc1"]["outputs"] == ["(batch, 30)"] and rows["net/fc1"]["kind"] == "MatMul"
    assert rows["net/fc1"]["flops"] == 2 * 20 * 30 + 2 * 30 and rows["net/fc1"]["bytes"] == 120
    assert rows["w"]["outputs"] == ["(batch, 2)"] and rows["w"]["flops"] == 2 * 4 * 2
    weights = 20 * 30 + 30 + 30 * 4 + 4 + 8
    assert table["total"]["parameters"] == table["total"]["trainable"] == weights
    assert table["total"]["optimizer_parameters"] == 2 * weights + 2  # two slots, two powers of beta
    assert "net/fc1/kernel/Adam" in {variable["name"] for variable in found["variables"]}


@pytest.mark.parametrize("resource", [False, True])
def test_slots_of_an_embedding_are_the_optimizers(tmp_path, resource):
    write(tmp_path, model=f"""import tensorflow as tf
ids = tf.placeholder(tf.int32, [None])
with tf.variable_scope("net", use_resource={resource}):
    table = tf.get_variable("embedding", [1000, 16])
    loss = tf.reduce_mean(tf.layers.dense(tf.nn.embedding_lookup(table, ids), 1, use_bias=False))
step = tf.train.get_or_create_global_step()
def train():
    return tf.train.AdamOptimizer(tf.train.exponential_decay(0.1, step, 10, 0.5)).minimize(loss, step)
train()
tf.train.ExponentialMovingAverage(0.9).apply([table])
""")
    table, = summary(tmp_path, "model")["tables"]
    assert table["total"]["trainable"] == 16_016
    assert table["total"]["not_trainable"] == 16_001  # the moving average, the step
    assert table["total"]["optimizer_parameters"] == 2 * 16_016 + 2
    assert rows_of(table)["net"]["parameters"] == 16_000


def test_resource_variables_and_a_loop_in_a_graph(tmp_path):
    write(tmp_path, model="""import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
with tf.variable_scope("s", use_resource=True):
    w = tf.get_variable("w", [3, 3])
    y = tf.while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, tf.matmul(v, w)), [0, x])[1]
tf.train.AdagradOptimizer(0.1).minimize(tf.reduce_sum(y))
""")
    table, = summary(tmp_path, "model")["tables"]
    assert rows_of(table)["s"]["parameters"] == 9 and table["total"]["optimizer_parameters"] == 9


def test_a_subclass_and_variables_by_themselves(tmp_path):
    write(tmp_path, model="""import sys
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(3)
        self.w = tf.Variable(tf.ones([3]), name="own")
    def call(self, x):
        print("noise", x.shape, sys.stdout.isatty(), sys.stdout.encoding, file=sys.stderr)
        sys.stdout.buffer.write(b"noise")
        return self.d(x) * self.w
m = M()
m(tf.zeros([32, 7]))
lone = tf.keras.layers.Dense(2, name="lone")
lone(tf.zeros([4, 5]))
v = tf.Variable(tf.zeros([5, 2]), name="a/v", trainable=False)
""")
    assert "noise" not in shapeflow(tmp_path, "summary", "model.py").stderr
    model, layers, variables = summary(tmp_path, "model")["tables"]
    dense = rows_of(model)["dense"]
    assert dense["outputs"] == ["(32, 3)"] and dense["flops"] == 2 * 21 + 3
    assert model["total"]["parameters"] == 24  # Keras 3 does not count variables that it did not make
    assert rows_of(model)["(operations)"]["flops"] == 3
    assert layers["kind"] == "layers" and rows_of(layers)["lone"]["parameters"] == 12
    assert variables["kind"] == "variables" and rows_of(variables)["a"]["not_trainable"] == 10
    assert rows_of(variables)["own"]["parameters"] == 3


def test_what_is_not_modelled_is_not_known(tmp_path):
    write(tmp_path, model="""import tensorflow as tf
assert tf.__version__.startswith("1.")
L = tf.keras.layers
unknown = L.deserialize({"class_name": "Dense", "config": {"units": 3}})
m = tf.keras.Sequential([L.Dense(4, input_shape=(8,)), unknown])
""")
    table, = summary(tmp_path, "model")["tables"]
    assert table["rows"][-1]["flops"] is None and table["total"]["flops"] is None
    text = shapeflow(tmp_path, "summary", "model.py").stdout
    assert "68 + ?" in text


def test_a_model_that_cannot_be_called_again(tmp_path):
    write(tmp_path, model="""import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(3)
        self.calls = 0
    def call(self, x):
        self.calls += 1
        if self.calls > 1:
            raise SystemExit(5)
        return self.d(x)
M()(tf.zeros([32, 7]))
""")
    table, = summary(tmp_path, "model")["tables"]
    assert table["total"]["parameters"] == 24 and table["total"]["flops"] is None


@pytest.mark.parametrize("error", ["NotImplementedError()", "AssertionError('first build()')", "KeyError(1)",
                                   "SystemExit(4)"])
def test_properties_of_the_script_may_raise_anything(tmp_path, error):
    write(tmp_path, model=f"""import tensorflow as tf
def refuse(self, *ignored):
    raise {error}
class Odd(tf.keras.layers.Layer):
    weights = property(refuse)
class Stubborn(tf.keras.layers.Layer):
    trainable_weights = property(refuse)
class M(tf.keras.Model):
    layers = property(refuse)
class Inner(tf.keras.layers.Layer):
    _flatten_layers = refuse
Odd(), Stubborn(), M(), Inner()
tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4)], name="small")
v = tf.Variable(tf.zeros([5, 2]), name="v")
""")
    found = summary(tmp_path, "model")["tables"]
    assert [(table["kind"], table["total"]["parameters"]) for table in found] == [("model", 36),
                                                                                  ("variables", 10)]


FORGED = {
    "document": lambda d: d.update(tables={}), "assumed": lambda d: d.update(assumed="\x1b]0;owned\x07"),
    "left out": lambda d: d.update(tables_left_out="\x1b[2J"), "table": lambda d: d.update(tables=[{}]),
    "rows": lambda d: d["tables"][0]["rows"].append(None), "version": lambda d: d.update(version=1),
    "total": lambda d: d["tables"][0].update(total={}), "kind": lambda d: d["tables"][0].update(kind="x"),
    "depth": lambda d: d["tables"][0]["rows"][0].update(depth=10 ** 9),
    "flops": lambda d: d["tables"][0]["rows"][0].update(flops=float("inf")),
    "bytes": lambda d: d["tables"][0]["rows"][0].update(bytes=10 ** 400),
    "nan": lambda d: d["tables"][0]["total"].update(bytes=float("nan")),
    "negative": lambda d: d["tables"][0]["rows"][0].update(parameters=-1),
    "share": lambda d: d["tables"][0]["rows"][0].update(share=2),
    "outputs": lambda d: d["tables"][0]["rows"][0].update(outputs=[3]),
    "variable": lambda d: d["variables"].append("x"), "more": lambda d: d.update(more=1),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    write(folder, model=KERAS)
    return json.dumps(summary(folder, "model"))


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_document_that_the_script_forged_is_refused(honest, change):
    made = json.loads(honest)
    assert tables.misfit(made) is None
    change(made)
    assert tables.misfit(made) is not None


@pytest.mark.parametrize("sent", ["{'tables': [{}]}", "[1]", "{'assumed': '\\x1b]0;owned\\x07', "
                                  "'tables': [{'total': {'flops': 1}}]}"])
def test_what_a_script_sends_is_judged(tmp_path, sent):
    write(tmp_path, model=f"""import gc
import tensorflow as tf
[o for o in gc.get_objects() if type(o).__name__ == "Sender"][0].send({channel.TAKEN}, {sent})
""")
    done = shapeflow(tmp_path, "summary", "model.py")
    assert "no summary: a document is none" in done.stderr and "Traceback" not in done.stderr
    assert done.returncode == 3 and done.stdout == "" and "\x1b" not in done.stderr


def test_names_that_are_no_unicode(tmp_path):
    name = os.fsdecode(b"model\xff.py")
    with open(tmp_path / name, "w") as stream:
        stream.write(KERAS)  # a layer whose name is none is refused, by TensorFlow as well
    for command, formats in ("summary", ("text", "md", "html", "json")), ("graph", ("svg", "html", "json")):
        for format in formats:
            for target in [], ["-o", os.fsdecode(b"out\xff")]:
                done = shapeflow(tmp_path, command, "--format", format, *target, name)
                assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
        assert b"model" in (tmp_path / os.fsdecode(b"out\xff")).read_bytes()


def test_formats(tmp_path):
    write(tmp_path, model=KERAS, none="x = 1\n")
    text = shapeflow(tmp_path, "summary", "model.py")
    assert text.returncode == 0 and "conv2d (Conv2D)" in text.stdout and "54,090" in text.stdout
    assert "Model: small (Sequential)" in text.stdout and "one example" in text.stdout
    markdown = shapeflow(tmp_path, "summary", "--format", "md", "model.py").stdout
    for table in markdown.split("## ")[1:]:  # the second has no column of FLOPs
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) == 1, table
    assert "| lstm (LSTM) | (batch, 6) |" in markdown
    done = shapeflow(tmp_path, "summary", "--format", "html", "-o", "s.html", "model.py")
    assert done.returncode == 0 and not done.stdout
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.count("<table>") == 2
    assert json.loads(shapeflow(tmp_path, "summary", "--json", "model.py").stdout)["version"] == 2
    done = shapeflow(tmp_path, "summary", "none.py")
    assert (done.returncode, done.stdout) == (0, "") and "left no variables" in done.stderr
    assert json.loads(shapeflow(tmp_path, "summary", "--json", "none.py").stdout)["tables"] == []
    assert shapeflow(tmp_path, "summary", "-o", "no/s.html", "model.py").returncode == 2
    ascii_only = shapeflow(tmp_path, "summary", "model.py", env=environment(PYTHONIOENCODING="ascii"))
    assert ascii_only.returncode == 0 and "conv2d" in ascii_only.stdout


class _Page(HTMLParser):
    """Which elements a page has."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


def hostile_document(name):
    line = tables.row(name, name, 0, [name], [], None, 5.0)
    table = tables.finished("model", name, [line], [], rest=None)
    return {"version": 2, "shapeflow": "0", "script": name, "assumed": 1, "tables": [table],
            "tables_left_out": 0, "variables": [], "memory": {**MEMORY, "devices": [{
                "device": name, "title": name, "memory": 1, "usable": 1, "needed": 2, "fits": False,
                "largest_batch": None, "seconds_at_least": 0.0, "bound_by": "memory"}]}}


@pytest.mark.parametrize("name", [HOSTILE, "x" * 10_000, "a\nb\r\nc", ""])
def test_names_do_no_harm(name):
    document = hostile_document(name)
    page = _Page()
    page.feed(table_text.html(document))
    assert "script" not in page.tags
    text = table_text.text(document)
    assert "\x1b" not in text and max(map(len, text.splitlines())) < 200
    markdown = table_text.markdown(document)
    assert "<script" not in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(rows) == 4


def test_narrow_terminals_lose_columns():
    document = {**hostile_document("dense"), "memory": None}
    document["tables"][0]["rows"][0].update(parameters=5, share=1.0, flops=7.0, flops_share=1.0)
    wide, narrow = table_text.text(document, 200), table_text.text(document, 40)
    assert "activations" in wide and "activations" not in narrow and "parameters" in narrow
    assert "\x1b[1m" in table_text.text(document, 80, True)


@pytest.mark.parametrize("value, text", [(0, "0"), (999, "999"), (1234, "1.23 k"), (999_960, "1 M"),
                                         (999_400, "999 k"), (4.5e9, "4.5 G"), (None, "?"), (1e16, "10 P")])
def test_magnitudes(value, text):
    assert table_text.magnitude(value) == text


@pytest.mark.parametrize("given, text", [("[batch, 3]", "(batch, 3)"), ("[n]", "(n,)"), ("[]", "()"),
                                         ("?", "<unknown>"), ("(5, 2)", "(5, 2)"), ("(5,)", "(5,)"),
                                         ("!", "!")])
def test_shapes(given, text):
    assert tables.shape_text(given) == text


def test_costs_of_nodes():
    graph = _core.Graph()
    with graph.as_default():
        x = package.compat.v1.placeholder("float32", [None, 4])
        package.matmul(x, package.zeros([4, 6]))
    names = [operation.type for operation in graph.get_operations()]
    open_batch = dict(zip(names, _core.graph_costs(graph)))
    one = dict(zip(names, _core.graph_costs(graph, 1)))
    assert open_batch["MatMul"] == (None, None) and one["MatMul"] == (48.0, 24.0)
    with pytest.raises(TypeError):
        _core.graph_costs(None)


def test_a_graph_with_a_model_shows_each_node_once(tmp_path):
    write(tmp_path, model="""import tensorflow as tf
assert tf.__version__.startswith("1.")
m = tf.keras.Sequential([tf.keras.layers.Dense(100, input_shape=(50,))])
w = tf.Variable(tf.zeros([3, 3]), name="own")
y = tf.matmul(tf.placeholder(tf.float32, [None, 3]), w)
""")
    model, graph = summary(tmp_path, "model")["tables"]
    assert model["total"]["flops"] == 2 * 50 * 100 + 100
    assert list(rows_of(graph)) == ["own"] and graph["total"]["flops"] == 18


# --- memory ---------------------------------------------------------------------------------------
FIT = """import numpy as np
import tensorflow as tf
L = tf.keras.layers
inner = tf.keras.Sequential([tf.keras.Input((8,)), L.Dense(64, name="a"), L.Dense(64, name="b")],
                            name="inner")
m = tf.keras.Sequential([tf.keras.Input((8,)), inner, L.Dense(1, name="out")], name="outer")
m.compile("sgd", "mse")
m.fit(np.zeros([640, 8], "float32"), np.zeros([640, 1], "float32"), batch_size=64, verbose=0)
"""
STEP = GRAPH + """with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(step, {x: [[0.0] * 20] * 128})
"""


def held(table):
    return {row["name"]: row["held"] for row in table["rows"]}


def test_without_a_device_nothing_is_said_of_memory(tmp_path):
    write(tmp_path, graph=STEP)
    found = summary(tmp_path, "graph")
    assert found["memory"] is None
    assert set(held(found["tables"][0]).values()) == {None}


def test_what_scopes_hold_at_the_peak(tmp_path):
    write(tmp_path, graph=STEP)
    found = summary(tmp_path, "graph", "--device", "t4,a10")
    rows = held(found["tables"][0])
    # The kernel and its two slots, the bias alike, rounded up to 256 bytes each; w is in no scope.
    kernel, bias = -(-20 * 30 * 4 // 256) * 256, 256
    assert rows["net/fc1"] >= 3 * (kernel + bias) and rows["w"] >= 3 * 256
    assert rows["(other nodes)"] >= 128 * 20 * 4  # what is fed
    memory = found["memory"]
    assert found["tables"][0]["total"]["held"] == sum(rows.values()) == memory["peak"]
    assert memory["of"] == "session.run" and sum(memory["parts"].values()) == memory["peak"]
    assert [(device["title"], device["fits"]) for device in memory["devices"]] == [
        ("NVIDIA T4", True), ("NVIDIA A10", True)]


def test_what_layers_hold_at_the_peak(tmp_path):
    need("keras")
    write(tmp_path, fit=FIT)
    found = summary(tmp_path, "fit", "--device", "t4")
    rows = held(found["tables"][0])
    # Activations of 64 examples: a has 64 numbers of each, out has 1.
    assert rows["a"] >= 64 * 64 * 4 and rows["b"] >= 64 * 64 * 4 and 0 < rows["out"] < 64 * 64 * 4
    assert rows["inner"] == rows["a"] + rows["b"]  # a model that is a layer has what its layers have
    parts = found["memory"]["parts"]
    assert found["tables"][0]["total"]["held"] <= parts["activations"] + parts["gradients"]


def test_what_does_not_fit(tmp_path):
    write(tmp_path, large="""import tensorflow as tf
v = tf.get_variable("v", [1 << 17, 1 << 16])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
""")
    done = shapeflow(tmp_path, "summary", "--device", "t4", "large.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "at the peak" in done.stdout and "NVIDIA T4: DOES NOT FIT" in " ".join(done.stdout.split())
    assert shapeflow(tmp_path, "summary", "large.py").returncode == 0


@pytest.mark.parametrize("format", ["md", "html"])
def test_other_formats_say_it_too(tmp_path, format):
    write(tmp_path, graph=STEP)
    done = shapeflow(tmp_path, "summary", "--device", "t4", "--format", format, "graph.py")
    assert "at the peak" in done.stdout and "NVIDIA T4: fits" in done.stdout
    assert "at the peak" not in shapeflow(tmp_path, "summary", "--format", format, "graph.py").stdout


def test_no_such_gpu(tmp_path):
    write(tmp_path, graph=GRAPH)
    for command in ("summary", "graph", "memory"):
        done = shapeflow(tmp_path, command, "--device", "a11", "graph.py")
        assert done.returncode == 2 and "nearest: a10, a30, a40" in done.stderr


def test_nodes_of_a_picture_hold_the_same(tmp_path):
    write(tmp_path, graph=STEP)
    total = summary(tmp_path, "graph", "--device", "t4")["memory"]["peak"]
    done = shapeflow(tmp_path, "graph", "--device", "t4", "-o", "g.json", "graph.py")
    assert done.returncode == 0 and "NVIDIA T4: fits" in done.stderr
    document = json.loads((tmp_path / "g.json").read_text())
    nodes = {node["name"]: node.get("held") for node in document["nodes"]}
    assert nodes["net/fc1/kernel"] == 2560 == nodes["net/fc1/kernel/Adam"]
    assert sum(filter(None, nodes.values())) == total
    schema = json.loads((Path(package.__file__).parent / "pictures" / "graph.schema.json").read_text())
    pytest.importorskip("jsonschema").validate(document, schema)


def test_nodes_of_layers_hold_what_their_layers_do(tmp_path):
    need("keras")
    write(tmp_path, fit=FIT)
    done = shapeflow(tmp_path, "graph", "--device", "t4", "-o", "g.json", "fit.py")
    assert done.returncode == 0, done.stderr
    nodes = json.loads((tmp_path / "g.json").read_text())["nodes"]
    found = {"/".join(node["name"].split("/")[-3:]): node["held"] for node in nodes if "held" in node}
    # What the gradient of b's kernel reads, and the gradient that arrives there.
    assert found["inner/a/MatMul"] == found["inner/b/BiasAdd"] == 64 * 64 * 4


@pytest.mark.parametrize("wrong", [
    [], {}, {**MEMORY, "peak": "1"}, {**MEMORY, "of": HOSTILE}, {**MEMORY, "parts": {HOSTILE: 1}},
    {**MEMORY, "devices": [{"title": HOSTILE}]}, {**MEMORY, "more": 1}, {**MEMORY, "peak": -1},
])
def test_a_scripts_process_may_send_anything(wrong):
    assert held_package.misfit(MEMORY) is None
    assert held_package.misfit(wrong) is not None
    assert held_package.misfit_of_largest([wrong, {}])
    assert held_package.misfit_of_largest([MEMORY, {"a": "1"}]) and held_package.misfit_of_largest(None)
    assert not held_package.misfit_of_largest([MEMORY, {"a": 1}])
