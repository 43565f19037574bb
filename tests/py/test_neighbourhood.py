"""The small picture round a finding: in the record, in JSON, in the HTML report."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import shapeflow.formats as formats
from command import command, environment
from shapeflow.checker import ignores, runner
from shapeflow.checker.findings import Operand, Record, Report, Span
from shapeflow.pictures import neighbourhood

SVG = "{http://www.w3.org/2000/svg}"
HTML = formats.RenderOptions()
GRAPH = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 784], name="x")
w = tf.Variable(tf.zeros([512, 10]), name="w")
h = tf.nn.relu(tf.nn.relu(x))
y = tf.matmul(h, w)
"""
EAGER = """import tensorflow as tf
import numpy as np
v = tf.Variable(tf.zeros([12, 5]))
h = tf.reshape(tf.constant(np.zeros((32, 100), "f4")), [32, 10, 10])
y = tf.matmul(h[:, 0], v)
"""
FED = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 784])
flat = tf.reshape(tf.nn.relu(x), [-1, 90])
with tf.Session() as sess:
    sess.run(flat, {x: np.zeros((50, 784))})
"""


def found(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    report = runner.run("program.py")
    return report, report.of("error")[0]


def texts(record):
    root = ElementTree.fromstring(neighbourhood.render(record))
    return root, ["".join(text.itertext()) for text in root.iter(SVG + "text")]


def red(root):
    return [span.text for span in root.iter(SVG + "tspan") if "sf-error" in (span.get("class") or "")]


def test_a_graph(tmp_path, monkeypatch):
    _, record = found(tmp_path, monkeypatch, GRAPH)
    nodes, chains = record.nearby["nodes"], record.nearby["chains"]
    assert [node["op_type"] for node in nodes if node["steps"] == 0] == ["MatMul"]
    assert {node["op_type"] for node in nodes if node["steps"] == 1} == {"Relu", "Identity"}
    assert {node["op_type"] for node in nodes if node["steps"] == 2} == {"Relu", "VariableV2"}
    assert [[nodes[n]["op_type"] for n in chain["nodes"]] for chain in chains] == [
        ["Relu", "Relu", "Placeholder"], ["Identity", "VariableV2"]]
    root, words = texts(record)
    assert red(root) == ["784", "512"] and "[batch, 784]" in words and "[512, 10]" in words
    assert "fixed 784" in words and "fixed 512" in words and {"1", "2", "3"} <= set(words)
    assert "program.py:5" in words and "y = tf.matmul(h, w)" in words
    kinds = [rect.get("class") for rect in root.iter(SVG + "rect")]
    assert kinds.count("sf-guilty") == 1 and kinds.count("sf-chain") == 5


def test_eager_code(tmp_path, monkeypatch):
    _, record = found(tmp_path, monkeypatch, EAGER)
    root, words = texts(record)
    assert red(root) == ["10", "12"] and "StridedSlice" in words and "fixed 12" in words
    assert "v = tf.Variable(tf.zeros([12, 5]))" in words


def test_a_run_with_what_was_fed(tmp_path, monkeypatch):
    _, record = found(tmp_path, monkeypatch, FED)
    root, words = texts(record)
    assert red(root) == ["[50, 784]", "= [-1, 90]"] and "brings 50, fixed 784" in words


def test_far_origins_are_there_with_what_lies_between_left_out(tmp_path, monkeypatch):
    source = GRAPH.replace("tf.nn.relu(tf.nn.relu(x))", "x\nfor _ in range(30): h = tf.nn.relu(h)")
    _, record = found(tmp_path, monkeypatch, source)
    chain = record.nearby["chains"][0]
    assert chain["skipped"] == 28 and len(record.nearby["nodes"]) < 10
    root, words = texts(record)
    assert "31" in words and "Placeholder" in words
    assert any(path.get("stroke-dasharray") == "2 5" for path in root.iter(SVG + "path"))


def test_it_has_a_bound(tmp_path, monkeypatch):
    source = "import tensorflow as tf\nx = [tf.placeholder(tf.float32, [2, i]) for i in range(300)]\n" \
             "y = [sum([tf.nn.relu(t) for t in x[1:2] * 9]) for i in x]\nz = tf.concat(y + [x[2]], 0)\n"
    _, record = found(tmp_path, monkeypatch, source)
    assert 0 < len(record.nearby["nodes"]) <= 24 + 300 and len(json.dumps(record.nearby)) < 200_000
    neighbourhood.render(record)


def test_reports_carry_it(tmp_path, monkeypatch):
    report, record = found(tmp_path, monkeypatch, GRAPH + "z = tf.matmul(y, tf.zeros([3, 3]))\n")
    again = Report.from_json(json.loads(json.dumps(report.to_json())))
    assert again.records[0].nearby == record.nearby
    schema = json.loads((Path(formats.__file__).parent / "json.schema.json").read_text())
    pytest.importorskip("jsonschema").validate(json.loads(formats.render("json", [report], HTML)), schema)
    page = formats.render("html", [report, report], HTML)
    pictures = page.count("<svg ")
    assert pictures == 2 * len([r for r in report.of("error", "warning") if r.nearby]) >= 2
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and page.count("<style>") == 1 and ".sf-guilty" in page


def test_a_finding_without_a_place_has_no_picture():
    record = Record("SF101", "DIM_EQUAL", "error", "words", primary=Span("none.py", 1))
    assert neighbourhood.render(record) == ""
    assert "<svg" not in formats.render("html", [Report("none.py", [record], 1)], HTML)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"'&]]>", "\0\x1b[31m", "x" * 10_000, "größe",
                                  "\ud800", ""])
def test_names_do_no_harm(name):
    record = Record("SF101", "DIM_EQUAL", "error", name, op_type=name, node_name=name)
    record.operands = [Operand(name, name, name, None), Operand(name, "[2, 3]", "", None)]
    record.blamed = [(0, None), (1, 7), (1, -1)]
    at = Span(name or "x", 3).to_json()
    record.nearby = {"nodes": [
        {"name": name, "op_type": name, "steps": 0, "inputs": [[1, 0, name], [-1, 0, None]], "outputs": [],
         "at": at},
        {"name": name, "op_type": name, "steps": 1, "inputs": [[1, 0, "?"]], "outputs": [name], "at": None}],
        "chains": [{"operand": 0, "axis": 0, "dim": name, "nodes": [1], "skipped": 0}]}
    text = neighbourhood.render(record)
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert {e.tag.replace(SVG, "") for e in root.iter()} <= {
        "svg", "title", "desc", "style", "g", "rect", "text", "tspan", "path", "circle"}
    assert float(root.get("width")) < 2000
    page = formats.render("html", [Report("x.py", [record], 1)], HTML)
    assert "<script" not in page.lower()


def test_checks_that_print_text_load_no_pictures(tmp_path):
    (tmp_path / "program.py").write_text(GRAPH)
    code = "import sys\nfrom shapeflow.cli import main\ntry:\n" \
           "    main(['check', 'program.py', '--no-sandbox'])\n" \
           "except SystemExit:\n    pass\nprint([n for n in sys.modules if 'pictures' in n])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True,
                          env=environment(), timeout=120)
    assert "SF101" in done.stdout and done.stdout.rstrip().endswith("[]"), done.stdout + done.stderr


@pytest.mark.parametrize("path", ["/dev/zero", "/proc/kmsg", "../../../../../../../../dev/zero", "no\0name",
                                  "<string>", ""])
def test_a_source_that_is_no_file_is_not_read(tmp_path, path):
    span = Span(path, 1)
    assert span.text == "" and ignores.Ignores().of(path) == []
    record = Record("SF101", "DIM_EQUAL", "error", "no", op_type="MatMul", primary=span)
    at = span.to_json()
    record.nearby = {"nodes": [{"name": "m", "op_type": "MatMul", "steps": 0, "inputs": [], "outputs": [],
                                "at": at}], "chains": []}
    assert "MatMul" in neighbourhood.render(Record.from_json(record.to_json()))


def test_a_pipe_and_a_huge_file_are_no_sources(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "plain.py").write_text("x = 1\ny = 2\n")
    with open(tmp_path / "huge.py", "wb") as stream:
        stream.truncate(1 << 40)
    for name in "pipe.py", "huge.py":
        assert Span(str(tmp_path / name), 1).text == "" and Span(name, 1).text == ""
    assert Span(str(tmp_path / "plain.py"), 2).text == "y = 2" and Span("plain.py", 1).text == "x = 1"
    assert Span("plain.py", 0).text == Span("plain.py", 3).text == Span("plain.py", 10**30).text == ""


def _forged(nodes, inputs=0, chains=0, long=1):
    node = {"name": "m", "op_type": "MatMul", "steps": 0, "inputs": [[0, 0, "[2]"]] * inputs, "outputs": [],
            "at": None}
    chain = {"operand": 0, "axis": 0, "dim": "2", "nodes": [0] * long, "skipped": 0}
    return {"nodes": [node] * nodes, "chains": [chain] * chains}


@pytest.mark.parametrize("nearby", [
    _forged(72_000), _forged(2, 1000), _forged(2, 1, 1000), _forged(2, 1, 1, 1000), 3, {"nodes": 3}, None,
    {"nodes": [{"inputs": [], "at": {"path": 3, "line": 1}}], "chains": []},
])
def test_what_no_run_can_have_made_is_not_drawn(nearby):
    record = Record("SF101", "DIM_EQUAL", "error", "no", op_type="MatMul")
    assert Record.from_json({**record.to_json(), "nearby": _forged(24, 6, 4, 24)}).nearby
    assert Record.from_json({**record.to_json(), "nearby": nearby}).nearby == {}


@pytest.mark.parametrize("place", [{"path": 3}, {"line": "1"}, {"line": None}, {"column": 1.5},
                                   {"function": []}])
def test_a_place_is_a_name_and_numbers(place):
    plain = Record("SF101", "DIM_EQUAL", "error", "no", primary=Span("x.py", 1)).to_json()
    plain["primary"].update(place)
    with pytest.raises(TypeError):
        Record.from_json(plain)


def test_a_check_does_not_read_what_a_script_names(tmp_path):
    (tmp_path / "program.py").write_text("""import gc
import shapeflow.sandbox.channel as channel
import tensorflow as tf
sender = [o for o in gc.get_objects() if type(o).__name__ == "Sender"][0]
send = type(sender).send
def forge(self, kind, value):
    if kind == channel.REPORT:
        for finding in value["findings"]:
            finding["primary"].update(path="/dev/zero")
            finding["operands"][0]["made_at"].update(path=__file__ + "/../../../../../../../../dev/zero")
    send(self, kind, value)
type(sender).send = forge
tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
""", encoding="utf-8")
    for options in (), ("--format", "html"):
        done = subprocess.run(command("check", "--no-cache", *options, "program.py"), cwd=tmp_path,
                              capture_output=True, text=True, timeout=60, env=environment(),
                              preexec_fn=_little_memory)
        assert done.returncode == 1 and "/dev/zero" in done.stdout, done.stderr


def _little_memory():
    """An endless file ends the process, not the machine. AddressSanitizer reserves terabytes of addresses."""
    import resource

    if not os.environ.get("SHAPEFLOW_UNDER_ASAN"):
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
