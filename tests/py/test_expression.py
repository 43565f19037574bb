"""A failing expression with its operands as boxes; notebooks that show it, and graphs, in line."""
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from shapeflow.checker import runner
from shapeflow.checker.findings import Operand, Record, Span
from shapeflow.pictures import expression

SVG = "{http://www.w3.org/2000/svg}"
needs_columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="no columns before 3.11")
HEAD = "import tensorflow as tf\n"


def drawn(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(HEAD + source, encoding="utf-8")
    record = runner.run("program.py").of("error")[0]
    root = ElementTree.fromstring(expression.render(record))
    texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    red = [e.text for e in root.iter() if "sf-error" in (e.get("class") or "") and e.text
           and not e.text.startswith("SF")]
    return root, texts, red


@needs_columns
def test_operands_are_boxes_and_the_clash_is_red(tmp_path, monkeypatch):
    root, texts, red = drawn(tmp_path, monkeypatch, "x = tf.placeholder(tf.float32, [None, 784])\n"
                             "w = tf.zeros([512, 10])\ny = 1. + tf.matmul(x, w)\n")
    assert "y = 1. + tf.matmul(x, w)" in texts and red.count("784") == 2 and red.count("512") == 2
    assert "x" in texts and "w" in texts and "[batch, 784]" in texts and texts.count("float32") == 2
    assert "10" in texts and "batch" in texts and "10" not in red
    boxes = [rect for rect in root.iter(SVG + "rect") if rect.get("class") == "sf-box"]
    wide = [float(rect.get("width")) for rect in boxes]
    assert len(boxes) == 2 and wide[0] > wide[1]  # 784 and 10
    under = [path for path in root.iter(SVG + "path") if path.get("class") == "sf-under-guilty"]
    assert len(under) == 4  # both operands in the source, and the side of each box


@needs_columns
def test_underlines_stand_below_what_they_mean(tmp_path, monkeypatch):
    root, texts, _ = drawn(tmp_path, monkeypatch, "größe = tf.zeros([3, 4])\n\tif 0 else tf.zeros([3, 4])\n"
                           .replace("\n\tif", " if") + "y = tf.matmul(größe, größe)\n")
    line = next(text for text in root.iter(SVG + "text") if text.text and text.text.startswith("y = "))
    left, long = float(line.get("x")), float(line.get("textLength"))
    step = long / len(line.text)
    found = set()
    for path in root.iter(SVG + "path"):
        if "sf-under" in path.get("class") and "H" in path.get("d"):
            start, stop = path.get("d")[1:].split("H")
            first = round((float(start.split()[0]) - left) / step)
            found.add(line.text[first:round((float(stop) - left) / step)])
    assert found == {"größe"}


@needs_columns
def test_more_dimensions_are_layers(tmp_path, monkeypatch):
    root, texts, red = drawn(tmp_path, monkeypatch, "x = tf.placeholder(tf.float32, [None, 28, 28, 3])\n"
                             "y = tf.nn.conv2d(x, tf.zeros([5, 5, 2, 7]), [1, 1, 1, 1], 'SAME')\n")
    assert "batch × 28" in texts and "5 × 5" in texts
    assert len([r for r in root.iter(SVG + "rect") if r.get("class") == "sf-box"]) == 6


def test_values_and_long_lines(tmp_path, monkeypatch):
    root, texts, red = drawn(tmp_path, monkeypatch, "x = tf.zeros([4, 5])\ny = [" + "0, " * 100 +
                             "tf.reshape(x, [3, 7])" + ", 0" * 100 + "]\n")
    assert max(map(len, texts)) < 120 and float(root.get("width")) < 1100
    assert "= [3, 7]" in texts or "[2]" in texts


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"'&]]>", "\0\x1b[31m", "x" * 10_000, "größe",
                                  "\ud800", "", "[", "[]", "[?, n, 9999999999999999999999]"])
def test_names_do_no_harm(tmp_path, name):
    (tmp_path / "p.py").write_text("y = a @ b  # <script>&\n")
    at = Span(str(tmp_path / "p.py"), 1, 4, 1, 9)
    record = Record("SF101", "DIM_EQUAL", "error", name, op_type=name, node_name=name, primary=at)
    record.operands = [Operand(name, name, name, None) for _ in range(9)]
    record.operands[0].at = Span(at.path, 1, 4, 1, 5)
    record.operands[1].at = Span(at.path, 1, 4000, 7, 2)
    record.operands[2].value = name
    record.blamed = [(0, None), (1, 7), (1, -1), (2, None), (4, 0)]
    root = ElementTree.fromstring(expression.render(record).encode("utf-8"))
    assert {e.tag.replace(SVG, "") for e in root.iter()} <= {
        "svg", "title", "desc", "style", "g", "rect", "text", "tspan", "path"}
    assert float(root.get("width")) < 4000


def test_what_cannot_be_drawn_is_text():
    record = Record("SF101", "DIM_EQUAL", "error", "words", primary=Span("none.py", 1))
    shown = expression.Expression(record)
    assert expression.render(record) == "" and "SF101" in repr(shown)
    assert set(shown._repr_mimebundle_()) == {"text/plain"}
    assert shown._repr_mimebundle_(include={"image/png"}) == {}


# --- notebooks --------------------------------------------------------------------------------------
DRIVER = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.display_formatter.active_types = ["text/plain", "text/html", "image/svg+xml"]
published = []
shell.display_pub.publish = lambda data, metadata=None, **more: published.append(data)
told = []
for cell in json.load(sys.stdin):
    published.clear()
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = shell.run_cell(cell, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    shown = shell.display_formatter.format(result.result)[0] if result.result is not None else {}
    told.append({"out": out.getvalue(), "error": repr(error) if error else None, "shown": shown,
                 "published": list(published), "source": cell})
json.dump(told, sys.stdout)
"""


def cells(tmp_path, *sources):
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", DRIVER], input=json.dumps(sources), capture_output=True,
                          text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def as_notebook(told):
    """What a front end would keep of the cells."""
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.v4.new_notebook()
    for count, item in enumerate(told, 1):
        outputs = [nbformat.v4.new_output("display_data", data) for data in item["published"]]
        if item["shown"]:
            outputs.append(nbformat.v4.new_output("execute_result", item["shown"], execution_count=count))
        book.cells.append(nbformat.v4.new_code_cell(item["source"], outputs=outputs, execution_count=count))
    nbformat.validate(book)
    return nbformat.reads(nbformat.writes(book), 4)


def test_a_notebook_with_pictures(tmp_path):
    told = cells(tmp_path, "%load_ext shapeflow", "import tensorflow as tf",
                 "x = tf.placeholder(tf.float32, [None, 784])\nw = tf.Variable(tf.zeros([700, 10]))",
                 "y = tf.matmul(x, w)", "%shapeflow", "tf.get_default_graph()", "%shapeflow graph",
                 "found = %shapeflow\nfound[0]", "%shapeflow off")
    wrong, found, graph, picture, one = told[3:8]
    assert ElementTree.fromstring(one["shown"]["image/svg+xml"]).tag == SVG + "svg"
    assert one["shown"]["text/plain"].startswith("In [4]:1:5: error[SF101]")
    (shown,) = wrong["published"]
    root = ElementTree.fromstring(shown["image/svg+xml"])
    texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    assert "y = tf.matmul(x, w)" in texts and "In [4]:1:5" in texts
    assert "SF101" in found["shown"]["text/plain"] and found["shown"]["text/html"].count("<svg") == 2
    page = found["shown"]["text/html"]
    assert "what made the operands" in page and "In [3]:2" in page
    assert "Graph of" in graph["shown"]["text/html"] and "<svg" in graph["shown"]["text/html"]
    root = ElementTree.fromstring(picture["shown"]["image/svg+xml"])
    assert "sf-guilty" in [rect.get("class") for rect in root.iter(SVG + "rect")]
    assert "1 findings" in picture["shown"]["text/plain"]
    book = as_notebook(told)
    kinds = [set(output.data) for cell in book.cells for output in cell.outputs]
    assert sum("image/svg+xml" in kind for kind in kinds) == 3
    assert all("text/plain" in kind for kind in kinds)


def test_eager_cells(tmp_path):
    told = cells(tmp_path, "%load_ext shapeflow", "import tensorflow as tf\nv = tf.zeros([3, 4])",
                 "tf.matmul(v, v)", "%shapeflow graph")
    assert len(told[2]["published"]) == 1 and "there is no graph here" in told[3]["out"]
    assert not told[3]["shown"]


def test_a_terminal_gets_text_alone(tmp_path):
    pytest.importorskip("IPython")
    driver = DRIVER.replace(', "text/html", "image/svg+xml"]', "]")
    done = subprocess.run([sys.executable, "-c", driver], capture_output=True, text=True, cwd=tmp_path,
                          timeout=120, input=json.dumps(["%load_ext shapeflow", "import tensorflow as tf",
                                                         "tf.matmul(tf.zeros([3, 4]), tf.zeros([3, 4]))"]))
    last = json.loads(done.stdout)[-1]
    assert not last["published"] and "In [3]:1:" in last["out"]
