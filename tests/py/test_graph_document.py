"""The document behind the pictures: its schema, and that its nodes, edges and groups are the graph's."""
import json
import re
import shutil
import subprocess

import jsonschema
import pytest

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
    assert min(widths) == 1.0 and max(widths) == 6.0
    assert sum("style=dashed, arrowsize" in line for line in lines) == sum(
        "control" in edge for edge in made["edges"])
