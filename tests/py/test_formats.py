"""The renderers, from real reports: exact marks in awkward sources, schemas, escapes."""
import json
import os
import re
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sarif_schema
import shapeflow.formats as formats
import shapeflow.formats.output as output
from shapeflow.checker import runner
from shapeflow.checker.findings import Operand, Record, Report, Span
from shapeflow.formats import afterword, snippet, view

needs_columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="no columns before 3.11")
OPTIONS = formats.RenderOptions()
TWO = """import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.zeros([512, 10]), name="w_out")


def layer(inputs, weights):
    return tf.matmul(inputs, weights)


y = layer(x, w)
tf.contrib.training.wait_for_new_checkpoint("folder")
z = tf.reshape(tf.placeholder(tf.float32, [4, 5]), [3, 7])
error = tf.zeros([3]) - tf.zeros([3, 1])
guess = tf.argmax(tf.placeholder(tf.float32, [8, 1]), 1)
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Of TWO, seen from its own folder."""
    folder = tmp_path_factory.mktemp("formats")
    (folder / "two.py").write_text(TWO)
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield runner.run("two.py")
    finally:
        os.chdir(before)


def check(tmp_path, source, monkeypatch, name="program.py"):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(source if isinstance(source, bytes) else source.encode())
    return runner.run(name)


def underlined(report):
    """(source line, underline) of the first finding, as shown."""
    lines = formats.render("full", [report], OPTIONS).splitlines()
    return [line.partition("|")[2][1:] for line in lines[1:3]]


def marked(report):
    """What the first underline stands below, by runs of one sign, wide characters counted as two columns."""
    source, marks = underlined(report)
    cells = []
    for character in source:
        wide = unicodedata.east_asian_width(character) in "WF"
        if not unicodedata.combining(character):
            cells += [character, ""] if wide else [character]
    marks = re.match(r"[ ^-]*", marks).group()
    return ["".join(cells[m.start():m.end()]) for m in re.finditer(r"\^+|-+", marks)]


# --- full ---------------------------------------------------------------------------------------
@needs_columns
def test_operands_are_labelled_and_followed(report):
    text = formats.render("full", [report], OPTIONS)
    first = text.split("\n\n")[0].splitlines()
    assert first[0] == "two.py:7:12: error[SF101]: MatMul: Dimensions must be equal, but are 784 and 512"
    assert first[1] == " 7 |     return tf.matmul(inputs, weights)"
    assert first[2] == "   |            ^^^^^^^^^ ------  ------- [512, 10], axis 0 is 512"
    assert first[3] == "   |                      [batch, 784], axis 1 is 784"
    assert first[4].startswith(" note: 784 was fixed by the placeholder at two.py:2:5    x = tf.place")
    assert first[5].startswith(" note: 512 was fixed by variable 'w_out' at two.py:3:5    w = tf.Var")
    assert first[6] == " note: called from two.py:10:5    y = layer(x, w)"
    assert len(first) == 7


def test_tensorflows_words_are_there_where_they_add_something():
    def kinds(**facts):
        record = Record("SF101", "DIM_EQUAL", "error", f"Dims differ for '{facts['node_name']}'",
                        **facts)
        return [note.kind for note in view.notes(record)]

    operands = [Operand("a", "[2, 3]", "float32", None)]
    assert kinds(op_type="MatMul", node_name="MatMul_1", operands=operands) == []
    assert kinds(op_type="AddV2", node_name="add", operands=operands) == []
    assert kinds(op_type="MatMul", node_name="tower/MatMul", operands=operands) == ["tensorflow says"]
    assert kinds(op_type="MatMul", node_name="scores", operands=operands) == ["tensorflow says"]
    assert kinds(op_type="MatMul", node_name="MatMul_1") == ["tensorflow says"]  # nothing else says it
    more = Record("SF101", "DIM_EQUAL", "error", "Dims differ\n\t [[{{node MatMul}}]]\nHint: one more",
                  op_type="MatMul", node_name="MatMul", operands=operands)
    assert [note.kind for note in view.notes(more)] == ["tensorflow says"]


def test_colours_change_nothing_but_colour(report):
    plain = formats.render("full", [report], OPTIONS)
    coloured = formats.render("full", [report], formats.RenderOptions(color=True))
    assert "\x1b[" not in plain and "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@needs_columns
@pytest.mark.parametrize("line, expected", [
    ("y = tf.matmul(x, w)", ["tf.matmul", "x", "w"]),
    ("y = x @ w", ["x", "@", "w"]),
    ("\ty = (x)  @  (w)", ["x", "@", "w"]),
    ("y = tf.matmul(b=w, a=x)", ["tf.matmul", "w", "x"]),
    ("\tif True:\ty = tf.matmul(x,\tw)", ["tf.matmul", "x", "w"]),
    ("s = '日本語'; y = tf.matmul(x, w)", ["tf.matmul", "x", "w"]),
    ("s = 'e\u0301\u0301'; y = tf.matmul(x, w)", ["tf.matmul", "x", "w"]),
    ("s = '\U0001f600'; 重み = w; y = tf.matmul(x, 重み)", ["tf.matmul", "x", "重み"]),
    ("y = tf.matmul(tf.identity(x), tf.identity(w))", ["tf.matmul", "tf.identity(x)", "tf.identity(w)"]),
    ("y = tf.nn.xw_plus_b(x, w, tf.zeros([10]))", ["tf.nn.xw_plus_b", "x", "w"]),
])
def test_marks_stand_below_what_they_mean(tmp_path, monkeypatch, line, expected):
    head = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 784])\nw = tf.zeros([512, 10])\n"
    indent = "if True:\n" if line.startswith("\t") else ""
    assert marked(check(tmp_path, head + indent + line + "\n", monkeypatch)) == expected


@needs_columns
def test_line_ends_of_windows_and_a_byte_order_mark(tmp_path, monkeypatch):
    source = TWO.replace("\n", "\r\n").encode("utf-8-sig")
    report = check(tmp_path, source, monkeypatch)
    assert marked(report) == ["tf.matmul", "inputs", "weights"]
    assert "\r" not in formats.render("full", [report], OPTIONS)


@needs_columns
def test_other_encodings(tmp_path, monkeypatch):
    source = ("# -*- coding: latin-1 -*-\nimport tensorflow as tf\n"
              "s = 'é'; y = tf.matmul(tf.zeros([2, 3]), [[1.0]])\n")
    assert marked(check(tmp_path, source.encode("latin-1"), monkeypatch))[0] == "tf.matmul"


@needs_columns
def test_very_long_lines_are_cut_around_the_marks(tmp_path, monkeypatch):
    noise = "0; " * 400
    source = f"import tensorflow as tf\n{noise}y = tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])); {noise}\n"
    report = check(tmp_path, source, monkeypatch)
    shown = underlined(report)[0]
    assert shown.startswith("...") and shown.endswith("...") and len(shown) <= OPTIONS.width
    assert marked(report) == ["tf.matmul", "tf.zeros([2, 3])", "tf.zeros([2, 3])"]


@needs_columns
def test_an_expression_of_several_lines(tmp_path, monkeypatch):
    source = """import tensorflow as tf
y = tf.matmul(
    tf.zeros([2, 3]),

    tf.zeros([4, 5]),
)
"""
    lines = formats.render("full", [check(tmp_path, source, monkeypatch)], OPTIONS).splitlines()
    assert lines[1:8] == [
        " 2 | y = tf.matmul(",
        "   |     ^^^^^^^^^",
        " 3 |     tf.zeros([2, 3]),",
        "   |     ---------------- [2, 3], axis 1 is 3",
        "   | ...",
        " 5 |     tf.zeros([4, 5]),",
        "   |     ---------------- [4, 5], axis 0 is 4",
    ]


@needs_columns
def test_three_operands_have_bars_to_their_labels(tmp_path, monkeypatch):
    source = ("import tensorflow as tf\na = tf.zeros([2, 3])\n"
              "y = tf.concat([a, tf.zeros([2, 4]), tf.zeros([2, 5])], 0)\n")
    text = formats.render("full", [check(tmp_path, source, monkeypatch)], OPTIONS)
    assert " 3 | y = tf.concat([a, tf.zeros([2, 4]), tf.zeros([2, 5])], 0)\n" in text


def test_control_characters_of_a_source_do_not_reach_the_terminal(tmp_path, monkeypatch):
    source = "import tensorflow as tf\ny = tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])) # \x1b[2J\u202e\n"
    text = formats.render("full", [check(tmp_path, source, monkeypatch)], OPTIONS)
    assert "\x1b" not in text and "\u202e" not in text


def test_control_characters_of_a_script_do_not_reach_the_terminal():
    """Of the name of its file, of a finding's words, of its exception."""
    record = Record("SF101", "DIM_EQUAL", "error", "\x1b]0;a\x07 and\nb\x9b31m", "\x1b[2J",
                    primary=Span("\x1b[3J.py", 1))
    report = Report("\x1b[1J.py", [record], 3, "early", "KeyError: \x1b[5m\u202e\nnext")
    for format in ("full", "concise"):
        text = formats.render(format, [report], OPTIONS)
        assert not re.search("[\x1b\x07\x9b]", text) and " and\n" in text
        assert "\x07" not in formats.render(format, [report], formats.RenderOptions(color=True))
    text = "\n".join(output.beside(report))
    assert not re.search("[\x1b\u202e]", text) and "\nnext" in text


@needs_columns
def test_a_fed_value_is_underlined(tmp_path, monkeypatch):
    source = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 5])
with tf.Session() as session:
    session.run(x, feed_dict={x: np.zeros([7, 3]), y: np.zeros([7])})
"""
    report = check(tmp_path, source, monkeypatch)
    assert marked(report) == ["y", "np.zeros([7])"]
    assert "^ (7,) is fed" in underlined(report)[1]


@needs_columns
def test_no_label_is_better_than_a_wrong_one(tmp_path, monkeypatch):
    """tensordot multiplies what it reshaped itself: those shapes are not its arguments'."""
    source = "import tensorflow as tf\na = tf.zeros([2, 3, 4])\nb = tf.zeros([5, 6])\n" \
             "y = tf.tensordot(a, b, axes=[[1, 2], [0, 1]])\n"
    report = check(tmp_path, source, monkeypatch)
    assert all(o.at is None for record in report.records for o in record.operands)


@needs_columns
def test_a_name_assigned_twice_is_still_that_operand(tmp_path, monkeypatch):
    source = """import tensorflow as tf
net = tf.placeholder(tf.float32, [None, 8])
net = tf.nn.relu(net)
kernel = tf.zeros([9, 2])
net = tf.nn.xw_plus_b(net, kernel, tf.zeros([2]))
"""
    assert marked(check(tmp_path, source, monkeypatch)) == ["tf.nn.xw_plus_b", "net", "kernel"]


@needs_columns
def test_attributes_of_a_model_and_parameters_of_a_helper(tmp_path, monkeypatch):
    source = """import tensorflow as tf


class Model:
    def __init__(self):
        self.kernel = tf.Variable(tf.zeros([9, 2]))

    def __call__(self, x):
        return tf.nn.xw_plus_b(x, self.kernel, tf.zeros([2]))


data = tf.placeholder(tf.float32, [None, 8])
Model()(data)
"""
    assert marked(check(tmp_path, source, monkeypatch)) == ["tf.nn.xw_plus_b", "x", "self.kernel"]


def test_without_columns_the_line_is_quoted():
    span = Span(__file__, 1)
    record = Record("SF101", "DIM_EQUAL", "error", "words", op_type="MatMul", primary=span,
                    operands=[Operand("a", "[2, 3]", "float32", None)], blamed=[(0, 1)])
    text = formats.render("full", [Report("x.py", [record], 1)], OPTIONS)
    assert f" 1 | {span.text}\n   | {'^' * len(span.text)}\n  a: [2, 3] float32, axis 1 is 3\n" in text


def test_without_the_file_there_is_no_snippet():
    record = Record("SF101", "DIM_EQUAL", "error", "words", primary=Span("gone.py", 7, 0, 7, 5))
    text = formats.render("full", [Report("x.py", [record], 1)], OPTIONS)
    assert text == "gone.py:7:1: error[SF101]: words\n\n"


def test_later_runs_say_batch_and_feed():
    record = Record("SF126", "TOO_MANY_VALUES", "error", "words", "run",
                    run={"number": 469, "feeds": [("images", "[96, 784]", "[128, 784]")]})
    (note,) = view.notes(record)
    assert note.text == ("at run 469 of this session.run: batch 96 of 128; "
                         "'images' was fed [96, 784], before [128, 784]")


def test_long_chains_are_short():
    record = Record("SF101", "DIM_EQUAL", "error", "words",
                    chain=[Span("gone.py", line) for line in range(1, 9)])
    assert [note.text for note in view.notes(record)] == ["called from"] * 3 + ["and 5 more calls"]


def test_fixes_come_before_tensorflows_words():
    record = Record("SF101", "DIM_EQUAL", "error", "words for 'MatMul'")
    record.fixes = [{"description": "make `w` [784, 10]", "diff": "", "edits": []}]
    assert [note.kind for note in view.notes(record)] == ["help", "tensorflow says"]
    assert "(tried: the program then runs without findings)" in view.notes(record)[0].text


# --- what is said beside them -------------------------------------------------------------------
def test_a_notice_is_said_once_for_each_api():
    note = Record("SF901", "UNMODELLED", "note", "tf.frob is not modelled")
    other = Record("SF901", "UNMODELLED", "note", "tf.other is not modelled")
    reports = [Report("a.py", [note], 0), Report("b.py", [note, other], 0)]
    assert [line.partition("]: ")[2].split()[0] for line in afterword.notices(reports)] == \
        ["tf.frob", "tf.other"]
    assert formats.render("full", reports, OPTIONS) == ""


# --- JSON ---------------------------------------------------------------------------------------
def validate(document):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(formats.__file__).with_name("json.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def test_json_is_as_its_schema_says(report):
    document = json.loads(formats.render("json", [report, report], OPTIONS))
    validate(document)
    assert document["exit_status"] == 1
    assert [finding["code"] for finding in document["findings"][:3]] == ["SF101", "SF901", "SF104"]
    assert {finding["script"] for finding in document["findings"]} == {"two.py"}


def test_json_schema_refuses_what_is_not_in_it(report):
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(formats.render("json", [report], OPTIONS))
    document["findings"][0]["severity"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        validate(document)


def test_worst_status_of_several_scripts():
    def status(*each):
        return json.loads(formats.render("json", [Report("x", [], s) for s in each], OPTIONS))["exit_status"]

    assert [status(), status(0, 3), status(3, 2), status(2, 1, 3)] == [0, 3, 2, 1]


def test_a_record_survives_json(report):
    again = Report.from_json(json.loads(json.dumps(report.to_json())))
    assert formats.render("full", [again], OPTIONS) == formats.render("full", [report], OPTIONS)


# --- SARIF --------------------------------------------------------------------------------------
def sarif(reports):
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(formats.render("sarif", reports, OPTIONS))
    jsonschema.Draft7Validator(sarif_schema.load()).validate(document)
    return document["runs"][0]


def with_fix(report):
    fixed = Report.from_json(report.to_json())
    fixed.records[0].fixes = [{
        "description": "make `w` [784, 10]", "diff": "-a\n+b\n",
        "edits": [{"path": "two.py", "line": 3, "column": 26, "end_line": 3, "end_column": 29,
                   "old": "512", "text": "784"}]}]
    return fixed


def test_sarif_is_valid(report):
    failed = Report("b.py", [], 3, "by ValueError", "b.py:1:1: ValueError: mine")
    run = sarif([with_fix(report), failed, Report("c.py", [], 0, "stopped after 60 s (--time-limit)")])
    first = run["results"][0]
    assert first["ruleId"] == "SF101" and first["level"] == "error"
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "SF101"
    where = first["locations"][0]["physicalLocation"]
    assert where["artifactLocation"] == {"uri": "two.py", "uriBaseId": "%SRCROOT%"}
    assert where["region"]["startLine"] == 7
    (replacement,) = first["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 3, "startColumn": 27, "endLine": 3, "endColumn": 30}
    assert {result["level"] for result in run["results"]} == {"error", "warning"}
    assert [i["executionSuccessful"] for i in run["invocations"]] == [True, False, True]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["descriptor"]["id"] == "SF901"
    assert "mine" in run["invocations"][1]["toolExecutionNotifications"][0]["message"]["text"]


@needs_columns
def test_sarif_regions_and_related_places(report):
    first = sarif([report])["results"][0]
    region = first["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (12, 38)
    told = {item["message"]["text"]: item["physicalLocation"]["region"]["startLine"]
            for item in first["relatedLocations"]}
    assert told["[512, 10], axis 0 is 512"] == 7
    assert told["784 was fixed by the placeholder"] == 2
    assert told["512 was fixed by variable 'w_out'"] == 3
    assert [frame["location"]["physicalLocation"]["region"]["startLine"]
            for frame in first["stacks"][0]["frames"]] == [7, 10]


def test_sarif_columns_count_characters(tmp_path, monkeypatch):
    source = "import tensorflow as tf\ns = '日本'; y = tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))\n"
    (result,) = sarif([check(tmp_path, source, monkeypatch)])["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region.get("startColumn", 15) == 15


def test_sarif_of_a_graph_file_and_of_odd_paths():
    odd = Record("SF101", "DIM_EQUAL", "error", "words",
                 primary=Span("a folder/ü#%.py", 3, 0, 3, 4))
    far = Record("SF101", "DIM_EQUAL", "error", "words", primary=Span("/elsewhere/x.py", 3))
    node = Record("SF101", "DIM_EQUAL", "error", "words", node_name="n")
    node.place = "model.pb: node 'n'"
    results = sarif([Report("x", [odd, far, node], 1)])["results"]
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results[:2]]
    assert uris == ["a%20folder/%C3%BC%23%25.py", "file:///elsewhere/x.py"]
    assert results[2]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == node.place


def test_fingerprints_do_not_move_with_the_line(tmp_path, monkeypatch):
    def prints(source):
        import linecache

        found = check(tmp_path, source, monkeypatch)
        linecache.checkcache()
        return [r["partialFingerprints"]["shapeflow/v1"] for r in sarif([found])["results"]]

    assert prints(TWO) == prints(TWO.replace("import tensorflow as tf\n", "import tensorflow as tf\n\n\n"))


# --- GitHub -------------------------------------------------------------------------------------
def test_github_commands(report):
    lines = formats.render("github", [report], OPTIONS).splitlines()
    assert re.match(r"::error file=two\.py,line=7,(col=12,endColumn=38,)?title=shapeflow SF101 MatMul::"
                    r"MatMul: Dimensions must be equal, but are 784 and 512%0A", lines[0])
    assert lines[2].startswith("::warning file=two.py,")
    assert lines[-1].startswith("::notice title=shapeflow::shapeflow: note[SF901]")


def test_github_escapes():
    record = Record("SF128", "OP_SHAPE", "error", "100% of\r\nit: a, b",
                    primary=Span("a,b:c%.py", 3), op_type="Op")
    (line,) = formats.render("github", [Report("x", [record], 1)], OPTIONS).splitlines()
    properties, _, data = line[len("::error "):].partition("::")
    assert properties.startswith("file=a%2Cb%3Ac%25.py,line=3,title=")
    assert "100%25 of" in data and "it: a, b" in data


# --- HTML ---------------------------------------------------------------------------------------
class Page(HTMLParser):
    """Checks that tags nest, and gathers the text."""

    VOID = {"meta", "br", "hr", "link", "img"}

    def __init__(self):
        super().__init__()
        self.stack, self.text, self.tags = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def page(reports):
    parsed = Page()
    parsed.feed(formats.render("html", reports, OPTIONS))
    parsed.close()
    assert parsed.stack == []
    return parsed


def test_html_is_one_page_that_needs_nothing_else(report):
    parsed = page([with_fix(report)])
    for tag, attributes in parsed.tags:
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "href", "style"} & set(attributes)
    text = "".join(parsed.text)
    assert "error[SF101] MatMul: Dimensions must be equal" in text
    assert "prefers-color-scheme: dark" in text and "url(" not in text
    assert "make `w` [784, 10]" in text


def test_html_escapes_everything():
    nasty = "<script>alert('x')</script>&"
    record = Record("SF128", "OP_SHAPE", "error", nasty, node_name=nasty, op_type=nasty,
                    primary=Span(nasty, 3), operands=[Operand(nasty, nasty, nasty, None)], blamed=[(0, None)])
    record.fixes = [{"description": nasty, "diff": "+" + nasty, "edits": []}]
    parsed = page([Report(nasty, [record], 1, nasty, nasty)])
    assert not any(tag == "script" for tag, _ in parsed.tags)
    assert nasty in "".join(parsed.text)


# --- the package --------------------------------------------------------------------------------
def test_unknown_formats_are_refused():
    with pytest.raises(ValueError, match="no such format"):
        formats.render("yaml", [], OPTIONS)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_nothing_found_is_well_formed(name):
    text = formats.render(name, [Report("clean.py", [], 0)], OPTIONS)
    assert text == "" or text.endswith("\n")
    assert (text == "") == (name in ("full", "concise", "github"))


def test_columns_of_a_line():
    assert snippet.columns("a\tb") == ("a   b", [0, 1, 4, 5])
    assert snippet.columns("日x")[1] == [0, 2, 3]
    assert snippet.columns("e\u0301x")[1] == [0, 1, 1, 2]


# --- Keras --------------------------------------------------------------------------------------
KERAS = """import numpy as np
import tensorflow as tf


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(tf.reshape(x, [32, 784]))


model = Model()
model.compile("adam", "mse")
model.fit(np.zeros([1000, 28, 28]), np.zeros([1000, 10]), batch_size=32, epochs=5)
"""


def test_fit_says_which_batch_of_the_epoch(tmp_path, monkeypatch):
    report = check(tmp_path, KERAS, monkeypatch)
    (record,) = report.of("error")
    assert record.primary.line == 11
    assert record.step == "batch 32, the last of the epoch: 8 of 32 samples"
    assert " note: at batch 32, the last of the epoch: 8 of 32 samples\n" in \
        formats.render("full", [report], OPTIONS)


def test_fit_of_whole_batches_is_clean(tmp_path, monkeypatch):
    report = check(tmp_path, KERAS.replace("1000", "1024"), monkeypatch)
    assert report.records == []


@needs_columns
def test_a_layer_says_what_it_was_given(tmp_path, monkeypatch):
    source = """import tensorflow as tf
dense = tf.keras.layers.Dense(10)
dense(tf.zeros([2, 784]))
wide = tf.zeros([2, 400])
dense(wide)
"""
    report = check(tmp_path, source, monkeypatch)
    assert marked(report) == ["dense", "wide"]
    text = formats.render("full", [report], OPTIONS)
    assert "---- [2, 400], axis 1 is 400\n note: 400 was fixed at program.py:4:8    wide =" in text
