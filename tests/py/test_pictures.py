"""SVG and PNG of a document: our own layout, what is drawn, and names that do harm."""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest

from command import shapeflow, write
from picture_example import HOSTILE, example, many
from shapeflow.pictures import drawing, folding, layout, png, svg
from shapeflow.pictures.document import Groups

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text):
    return ElementTree.fromstring(text.encode("utf-8"))


def laid_out(document):
    return svg.placed(document, svg.Sizes(document))


def inside(box, outer):
    return outer[0] <= box[0] and outer[1] <= box[1] and box[0] + box[2] <= outer[0] + outer[2] + .01 and \
        box[1] + box[3] <= outer[1] + outer[3] + .01


def apart(a, b):
    return a[0] + a[2] <= b[0] + .01 or b[0] + b[2] <= a[0] + .01 or a[1] + a[3] <= b[1] + .01 or \
        b[1] + b[3] <= a[1] + .01


@pytest.fixture(params=["example", "many"])
def document(request):
    return example() if request.param == "example" else many(300)


def test_boxes_lie_in_their_groups_and_apart_from_each_other(document):
    placed = laid_out(document)
    groups = document["groups"]
    boxes = {}  # of each group, what is in it
    for number, node in enumerate(document["nodes"]):
        boxes.setdefault(node["group"], []).append(placed.nodes[number])
    for number, group in enumerate(groups):
        if placed.groups[number] is not None:
            boxes.setdefault(group["parent"], []).append(placed.groups[number])
    for group, found in boxes.items():
        for place, box in enumerate(found):
            assert group is None or inside(box, placed.groups[group])
            assert all(apart(box, other) for other in found[place + 1:])
        assert group is not None or all(inside(b, (0, 0, placed.width, placed.height)) for b in found)


def test_edges_begin_and_end_at_their_nodes(document):
    placed = laid_out(document)
    for edge, points in zip(document["edges"], placed.edges):
        if edge["from"] == edge["to"]:
            continue
        for number, (x, y), ends in ((edge["from"], points[0], "below"), (edge["to"], points[-1], "above")):
            left, top, wide, high = placed.nodes[number]
            assert left - .01 <= x <= left + wide + .01, ends
            assert min(abs(y - top), abs(y - top - high)) < .01, ends


def test_edges_point_down_but_for_those_of_loops():
    placed = laid_out(example())
    document = example()
    up = [edge for edge, points in zip(document["edges"], placed.edges)
          if len(points) > 1 and points[0][1] > points[-1][1]]
    assert len(up) <= 1  # the back edge of the while loop
    chain = {"nodes": [node(i) for i in range(50)], "groups": [], "edges": [
        {"from": i, "output": 0, "to": i + 1, "input": 0} for i in range(49)]}
    placed = layout.place(chain, [(40.0, 20.0)] * 50, [0.0] * 49, [0.0] * 49, [])
    tops = [box[1] for box in placed.nodes]
    assert tops == sorted(tops) and len({box[0] for box in placed.nodes}) == 1  # one straight line


def node(number, group=None):
    return {"name": f"n{number}", "op": "Op", "group": group, "outputs": [
        {"shape": "(2,)", "dtype": "float32", "bytes": 8}], "parameters": None, "flops": 0.0, "device": "",
        "source": None}


def test_cycles_selfloops_and_empty_groups():
    groups = [{"name": str(i), "path": str(i), "parent": p, "kind": "scope"}
              for i, p in enumerate([None, 0, None, 2])]
    nodes = [node(0), node(1, 1), node(2, 2), node(3, 1)]
    edges = [{"from": a, "output": 0, "to": b, "input": 0} for a in range(4) for b in range(4)]
    document = {"nodes": nodes, "groups": groups, "edges": edges}
    placed = layout.place(document, [(30.0, 20.0)] * 4, [0.0] * 16, [0.0] * 16, [10.0] * 4)
    assert placed.groups[3] is None and placed.groups[1] is not None
    assert all(len(points) > 1 for edge, points in zip(edges, placed.edges) if edge["from"] != edge["to"])


def test_positions_nearest_to_the_wished_ones():
    assert layout.spread([0, 10, 20], [1, 1, 1], [0, 5, 5]) == [0, 10, 20]
    assert layout.spread([0, 0], [1, 1], [0, 4]) == [-2, 2]
    assert layout.spread([0, 0], [3, 1], [0, 4]) == [-1, 3]  # who weighs more moves less
    assert layout.spread([9, 5, 1], [1, 1, 1], [0, 1, 1]) == [4, 5, 6]
    assert layout.spread([], [], []) == []


def lines_run(do):
    """Counted, not timed."""
    lines = 0

    def trace(frame, event, arg):
        nonlocal lines
        lines += 1
        return trace

    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(None)
    return lines


def fan(count):
    """One node with so many outputs, each of which another takes."""
    document = flat_chain(2)
    document["nodes"][0]["outputs"] = [{"shape": "(5,)", "dtype": "float32", "bytes": 20}] * count
    document["edges"] = [{"from": 0, "output": i, "to": 1, "input": i} for i in range(count)]
    return document


@pytest.mark.parametrize("make", [many, fan])
def test_the_work_grows_no_faster_than_the_graph(make):
    def work(count):
        return lines_run(lambda: svg.render(make(count)))

    assert work(800) < 6 * work(200)


def test_groups_of_one_name_are_numbered_in_no_time():
    def make(groups, count):
        for _ in range(count):
            groups.fresh(None, "main", "function")

    few, lots = Groups(), Groups()
    assert lines_run(lambda: make(lots, 400)) < 6 * lines_run(lambda: make(few, 100))
    assert [row["name"] for row in lots.rows[:3]] == ["main", "main_1", "main_2"]
    assert len({row["path"] for row in lots.rows}) == 400


def test_the_picture_shows_everything():
    document = example()
    root = parsed(svg.render(document))
    assert root.find(SVG + "title").text.endswith(document["title"]) and root.find(SVG + "desc").text
    assert "prefers-color-scheme: dark" in root.find(SVG + "style").text
    titles = [element.find(SVG + "title").text for element in root.iter(SVG + "g")
              if element.find(SVG + "title") is not None]
    assert len(titles) == len(document["nodes"]) + len(document["groups"])
    assert any("train.py:7    h = tf.nn.relu(tf.matmul(x, w))" in title for title in titles)
    texts = [element.text for element in root.iter(SVG + "text")]
    assert texts.count("VariableV2") == 2 and "7,840 parameters" in texts and "(784, 10)" in texts
    kinds = [rect.get("class") for rect in root.iter(SVG + "rect")]
    guilty = {finding["node"] for finding in document["findings"] if finding["node"] is not None}
    assert kinds.count("sf-guilty") == len(guilty) and {"sf-while", "sf-cond", "sf-function"} <= set(kinds)
    numbers = {int(text) for text in texts if text and text.isdigit()}
    longest = max(len(chain["nodes"]) for f in document["findings"] for chain in f["chains"])
    assert set(range(1, longest)) <= numbers
    assert any(text and text.startswith("error[SF101]") for text in texts)
    edges = [path for path in root.iter(SVG + "path") if "sf-edge" in path.get("class")]
    assert len(edges) == len(document["edges"])
    assert len([path for path in edges if "sf-control" in path.get("class")]) == sum(
        bool(edge.get("control")) for edge in document["edges"])


@pytest.mark.parametrize("name", HOSTILE + ["\ud800", "\u202eabc", "\ufffe", "", " "])
def test_names_do_no_harm(name):
    document = example()
    for item in [*document["nodes"], *document["groups"]]:
        item["name"] = name
    for group in document["groups"]:
        group["path"] = name
    for finding in document["findings"]:
        finding["message"] = name
    document["title"] = name
    document["nodes"][0]["device"] = name
    document["nodes"][0]["outputs"][0]["shape"] = name
    document["files"][0]["path"] = name
    text = svg.render(document)
    root = parsed(text)
    known = {"svg", "title", "desc", "style", "g", "rect", "text", "tspan", "path", "circle"}
    assert {element.tag.replace(SVG, "") for element in root.iter()} <= known
    assert all(not key.startswith("on") and "href" not in key for e in root.iter() for key in e.keys())
    assert max((len(e.text or "") for e in root.iter(SVG + "text"))) < 150
    assert float(root.get("width")) < 20_000


def test_text_that_xml_refuses():
    assert drawing.clean("a\0b\x1b\ud800\u202e<&>\"") == "a\ufffdb\ufffd\ufffd\ufffd&lt;&amp;&gt;&quot;"
    assert drawing.shortened("x" * 100, 10) == "xxxxxx…xxx" and drawing.shortened(" a \n b ", 10) == "a b"
    assert all(len(line) <= 20 for line in drawing.wrapped("word " * 10_000, 20, 3))


def test_too_many_nodes_are_folded():
    document = many(2000)
    shown = folding.folded(document, 300)
    assert len(shown["nodes"]) <= 300 and folding.folded(document, 2000) is document
    for edge in shown["edges"]:
        assert edge["from"] != edge["to"] and edge["to"] < len(shown["nodes"])
        assert edge.get("control") or edge["output"] < len(shown["nodes"][edge["from"]]["outputs"])
    parsed(svg.render(document, 300))
    flat = {**example(), "groups": []}
    for item in flat["nodes"]:
        item["group"] = None
    shown = folding.folded(flat, 10)
    assert len(shown["nodes"]) == 10 and shown["left_out"] == len(flat["nodes"]) - 10
    assert "more nodes are not shown" in svg.render(flat, 10)


def test_folding_keeps_what_findings_name():
    document = example()
    for most in range(3, len(document["nodes"])):
        shown = folding.folded(document, most)
        for finding in shown["findings"]:
            named = [finding["node"], *(operand["node"] for operand in finding["operands"]),
                     *(n for chain in finding["chains"] for n in chain["nodes"])]
            assert all(number is None or number < len(shown["nodes"]) for number in named)
        parsed(svg.render(document, most))


def flat_chain(count):
    """`count` nodes in no group, each fed by the one before; the last of them fails, and the 10th is why."""
    document = example()
    plain = {**document["nodes"][0], "group": None, "source": None, "parameters": None, "flops": None,
             "outputs": [{"shape": "(3,)", "dtype": "float32", "bytes": 12}]}
    finding = {"node": count - 1, "code": "SF101", "error": True, "message": "no", "place": None, "fix": None,
               "operands": [{"name": "a", "shape": "(3,)", "input": 0, "node": count - 2}],
               "chains": [{"operand": 0, "axis": 0, "dim": "3", "nodes": list(range(count - 1, 9, -1))}]}
    return {**document, "groups": [], "runs": [], "findings": [finding],
            "nodes": [{**plain, "name": f"relu_{i}"} for i in range(count)],
            "edges": [{"from": i, "output": 0, "to": i + 1, "input": 0} for i in range(count - 1)]}


@pytest.mark.parametrize("most", [1, 2, 40, 99])
def test_what_fails_is_shown_however_late_it_comes(most):
    document = flat_chain(100)
    shown = folding.folded(document, most)
    names = [node["name"] for node in shown["nodes"]]
    finding = shown["findings"][0]
    assert len(names) == most and shown["left_out"] == 100 - most
    assert names[finding["node"]] == "relu_99"
    assert most < 2 or names[finding["chains"][0]["nodes"][-1]] == "relu_10"  # what fixed the dim
    drawn = svg.render(document, most)
    assert re.search('<rect class="sf-guilty"', drawn)


def test_png(monkeypatch):
    import shutil

    if shutil.which("dot"):
        assert png.render(example()).startswith(b"\x89PNG\r\n")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(ValueError, match="Graphviz.*cairosvg.*--format svg"):
        png.render(example())


def test_a_picture_that_cairo_refuses(monkeypatch):
    class CairoError(Exception):
        """Neither a ValueError nor an OSError."""

    def refuse(bytestring):
        raise CairoError("invalid value (typically too big) for the size of the input")

    monkeypatch.setitem(sys.modules, "cairosvg", SimpleNamespace(svg2png=refuse))
    with pytest.raises(ValueError, match="cairosvg cannot draw it: invalid value.*--format svg"):
        png.by_cairo(example())


def test_an_svg_that_graphviz_lays_out(monkeypatch):
    import shutil

    from shapeflow.commands import graph

    if shutil.which("dot"):
        made = graph.render(example(), "svg", "graphviz")
        assert isinstance(made, bytes) and b"<svg" in made and b"sf-picture" not in made
        parsed(made.decode("utf-8"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match="Graphviz.*--layout graphviz"):
        graph.render(example(), "svg", "graphviz")
    assert "sf-picture" in graph.render(example(), "svg")


def test_the_command_writes_pictures(tmp_path, monkeypatch):
    import os

    from command import WRONG, environment, shapeflow, write

    write(tmp_path, wrong=WRONG)
    done = shapeflow(tmp_path, "graph", "wrong.py", "-o", "wrong.svg")
    assert done.returncode == 1, done.stderr
    assert re.search("sf-guilty", (tmp_path / "wrong.svg").read_text(encoding="utf-8"))
    (tmp_path / "bin").mkdir()
    os.symlink(sys.executable, tmp_path / "bin" / "python")
    done = shapeflow(tmp_path, "graph", "wrong.py", "-o", "wrong.png",
                     env=environment(PATH=str(tmp_path / "bin")))
    try:
        import cairosvg  # noqa: F401
    except ImportError:
        assert done.returncode == 2 and "Graphviz" in done.stderr


def test_edges_do_not_cross_what_stands_beside_their_nodes():
    """A small node beside a tall group: its edge goes down beside the group."""
    nodes = [node(i, 0 if 0 < i < 9 else None) for i in range(11)]
    edges = [{"from": i, "output": 0, "to": i + 1, "input": 0} for i in range(8)]
    edges += [{"from": 0, "output": 0, "to": 9, "input": 0}, {"from": 9, "output": 0, "to": 10, "input": 0},
              {"from": 8, "output": 0, "to": 10, "input": 1}]
    document = {"nodes": nodes, "edges": edges,
                "groups": [{"name": "g", "path": "g", "parent": None, "kind": "scope"}]}
    placed = layout.place(document, [(40.0, 20.0)] * 11, [0.0] * 11, [0.0] * 11, [10.0])
    left, top, wide, high = placed.groups[0]
    points = placed.edges[9]  # from the node beside the group to the one below it
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        if min(y, to_y) < top + high - .01:  # beside the group
            assert x == to_x and not left < x < left + wide


def test_what_fails_shows_its_operands(tmp_path):
    write(tmp_path, model="import tensorflow as tf\ny = tf.reshape(tf.zeros([5, 3137]), [-1, 3136])\n")
    done = shapeflow(tmp_path, "graph", "--no-suggestions", "--format", "json", "model.py")
    finding, = json.loads(done.stdout)["findings"]
    assert [operand.get("value") for operand in finding["operands"]] == [None, "[-1, 3136]"]
    assert shapeflow(tmp_path, "graph", "--no-suggestions", "model.py", "-o", "model.svg").returncode == 1
    drawn = ElementTree.parse(tmp_path / "model.svg").getroot()
    words = ["".join(part.itertext()) for part in drawn.iter() if part.tag.endswith("text")]
    assert "tf.zeros([5, 3137]) (5, 3137)" in words and "shape (2,) = [-1, 3136]" in words
    dot = shapeflow(tmp_path, "graph", "--no-suggestions", "--format", "dot", "model.py").stdout
    guilty, = (line for line in dot.splitlines() if "penwidth=3" in line)
    assert "\\ntf.zeros([5, 3137]) (5, 3137)\\nshape (2,) = [-1, 3136]\"" in guilty
