"""What the page shows of an error: real programs, from their source to what a reader sees."""

from __future__ import annotations

import json
import subprocess
import sys

import documents
import pytest

RESHAPE = """\
import tensorflow as tf
x = tf.zeros([1, 28, 28, 1], name="x")
with tf.name_scope("conv"):
    w = tf.Variable(tf.truncated_normal([5, 5, 1, 64]), name="w")
    h = tf.nn.conv2d(x, w, [1, 2, 2, 1], "VALID")
with tf.name_scope("dense"):
    flat = tf.reshape(h, [-1, 3136])
loss = tf.reduce_mean(h)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
"""

RESIDUAL = """\
import tensorflow as tf
L = tf.keras.layers
def block(x, filters, name, padding="same"):
    y = L.Conv2D(filters, 3, padding=padding, name=name + "_1_conv")(x)
    y = L.BatchNormalization(name=name + "_1_bn")(y)
    y = L.Activation("relu", name=name + "_1_relu")(y)
    y = L.Conv2D(filters, 3, padding="same", name=name + "_2_conv")(y)
    y = L.BatchNormalization(name=name + "_2_bn")(y)
    y = L.Add(name=name + "_add")([x, y])
    return L.Activation("relu", name=name + "_out")(y)
x = inputs = tf.keras.Input((32, 32, 16), name="images")
for k in range(12):
    x = block(x, 16, "block%d" % k, "valid" if k == WRONG else "same")
"""

FIT = """\
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([
    tf.keras.layers.Input((8,)),
    tf.keras.layers.Dense(32, activation="relu", name="hidden"),
    tf.keras.layers.Dense(10, activation="softmax", name="predictions"),
])
model.compile("sgd", "categorical_crossentropy")
model.fit(np.zeros((64, 8), "float32"), np.zeros((64, 7), "float32"), batch_size=16)
"""


@pytest.fixture
def document_of(tmp_path):
    def make(source):
        (tmp_path / "program.py").write_text(source)
        command = [sys.executable, "-m", "shapeflow", "graph", "--no-suggestions", "--format", "json"]
        done = subprocess.run(
            [*command, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    return make


def failing(opened):
    return opened.document["findings"][0]["node"]


def test_the_red_box_has_operands_with_shapes_and_content(open_page, document_of):
    opened = open_page(document_of(RESHAPE))
    lines = opened.probe("card", f"n{failing(opened)}")
    assert lines[0] == "Reshape"
    assert "h  (1, 12, 12, 64)" in lines and "shape  (2,) = [-1, 3136]" in lines
    place = opened.probe("callout", f"n{failing(opened)}")["lines"][-1]
    assert place.startswith("program.py:7") and "tf.reshape" in place


def test_the_dim_that_is_wrong_stands_out(open_page, document_of):
    opened = open_page(document_of(FIT))
    assert opened.probe("wrong", f"n{failing(opened)}") == ["7", "10"]
    assert opened.run("[...document.querySelectorAll('#panel .wrong')].map((one) => one.textContent)") == [
        "7",
        "10",
    ]


def test_attributes_are_on_the_node_and_in_the_panel(open_page, document_of):
    opened = open_page(document_of(RESHAPE))
    conv = opened.node("conv/Conv2D")
    opened.probe("goTo", f"n{conv}")
    assert "strides [1, 2, 2, 1]   padding VALID" in opened.probe("card", f"n{conv}")
    facts = opened.panel().split("Attributes")[1]
    assert "padding" in facts and "VALID" in facts and "[1, 2, 2, 1]" in facts


def test_the_panel_says_what_where_with_which_operands_and_folds_the_chains(open_page, document_of):
    opened = open_page(document_of(RESIDUAL.replace("WRONG", "3")))
    text = opened.panel()
    order = [
        "Inputs have incompatible shapes",
        "program.py:9",
        'y = L.Add(name=name + "_add")([x, y])',
        "called from program.py:13",
        "Operands",
        "(batch, 30, 30, 16)",
        "Where the sizes came from",
        "30 was computed at program.py:4",
        "Step by step",
    ]
    found = [text.find(words) for words in order]
    assert -1 not in found and found == sorted(found), list(zip(order, found))
    details = "document.querySelectorAll('#panel details')"
    assert opened.run(f"[...{details}].map((one) => one.open)") == [False, False]
    assert "block3_2_conv/BiasAdd" not in text
    opened.page.locator("#panel summary").last.click()
    assert "block3_2_conv/BiasAdd" in opened.panel()


def test_what_fails_is_in_the_group_of_its_own_layer(document_of):
    for source, group in (
        (RESIDUAL.replace("WRONG", "3"), "block3_add"),
        (FIT, "sequential.train"),
        (FIT.replace("Input((8,))", "Input((8,)), tf.keras.layers.Conv1D(4, 3, name='conv')"), "conv"),
    ):
        document = document_of(source)
        number = document["nodes"][document["findings"][0]["node"]]["group"]
        assert document["groups"][number]["path"] == group


def test_variables_are_one_folded_box_with_what_initializes_and_updates_them(open_page, document_of):
    opened = open_page(document_of(RESHAPE))
    w = opened.group("conv/w")
    opened.probe("goTo", f"n{opened.node('conv/Conv2D')}")
    assert not opened.is_open(w)
    assert opened.probe("card", w) == ["w", "(5, 5, 1, 64) float32_ref", "1,600 parameters"]
    groups = [group["path"] + "/" for group in opened.document["groups"]]
    inside = {
        node["name"]
        for node in opened.document["nodes"]
        if node["group"] is not None and groups[node["group"]].startswith("conv/w/")
    }
    assert {"conv/w/Assign", "conv/w/Adam", "conv/truncated_normal"} <= inside
    for path in ("gradients", "Adam"):
        assert not opened.is_open(opened.group(path))
    wires = opened.run(
        "() => shapeflow.state.scene.wires.filter((wire) => wire.edges.some((e) => "
        "shapeflow.state.model.nodes[shapeflow.state.model.edges.to[e]].name.startsWith('gradients/'))).length"
    )
    assert wires == 0, "lines into what is of training only come from everywhere"


def test_keras_weights_are_folded_with_their_initializers(open_page, document_of):
    opened = open_page(document_of(RESIDUAL.replace("WRONG", "99")))
    kernel = opened.group("block3_1_conv/kernel")
    opened.probe("goTo", f"n{opened.node('block3_1_conv/convolution')}")
    card = opened.probe("card", kernel)
    assert card == ["kernel", "(3, 3, 16, 16) float32", "2,304 parameters"]
    layer = opened.group("block3_1_conv")
    inside = opened.run("(id) => shapeflow.state.model.byId.get(id).children.map((one) => one.title)", layer)
    # Keras reshapes the bias to the rank of a convolution, and back for BiasAdd.
    assert sorted(inside) == ["BiasAdd", "Reshape", "Squeeze", "bias", "convolution", "kernel"]


def test_slots_are_no_parameters_of_the_model(open_page, document_of):
    opened = open_page(document_of(RESHAPE))
    opened.page.click("#home")
    # One filter, and the two powers of beta that Adam keeps.
    assert "1,602" in opened.panel()


def test_many_layers_are_grouped_by_their_names(open_page, document_of):
    opened = open_page(document_of(RESIDUAL.replace("WRONG", "99")))
    opened.page.click("#close-all")
    names = opened.run("shapeflow.state.scene.boxes.map((box) => box.item.title)")
    assert {f"block{k}" for k in range(12)} <= set(names)
    assert not any("part " in name for name in names)


def test_the_overview_shows_the_whole_and_where_it_fails(open_page, document_of):
    opened = open_page(document_of(RESIDUAL.replace("WRONG", "11")))
    stage = opened.page.locator("#stage").bounding_box()
    opened.page.click("#home")
    left, top, right, bottom = opened.probe("corners")
    assert left >= 0 and top >= 0 and right <= stage["width"] and bottom <= stage["height"]
    assert "Findings" in opened.panel() and opened.selected() is None
    parts = opened.run(  # of what Keras makes when it builds a layer, and when it calls it
        "() => shapeflow.state.scene.boxes.map((box) => box.item)"
        ".filter((item) => item.title.startsWith('block11')).map((item) => item.id)"
    )
    assert any("error SF107 inside" in opened.probe("card", part) for part in parts)
    opened.page.click("#panel section button.link")
    assert opened.run("shapeflow.state.selected.index") == failing(opened)


@pytest.mark.parametrize("make", [documents.failing, documents.big])
def test_the_overview_of_any_graph_is_in_the_window(open_page, make):
    opened = open_page(make())
    stage = opened.page.locator("#stage").bounding_box()
    opened.page.click("#open-all")
    opened.page.click("#home")
    left, top, right, bottom = opened.probe("corners")
    assert left >= 0 and top >= 0 and right <= stage["width"] and bottom <= stage["height"]


def test_the_finding_is_legible_and_clear_of_what_lies_over_the_picture(open_page, document_of):
    for source in (RESHAPE, FIT, RESIDUAL.replace("WRONG", "11")):
        opened = open_page(document_of(source))
        box = opened.run(
            "(id) => { const { view, state } = shapeflow;"
            " const box = state.scene.boxOf.get(id); const note = box.callout;"
            " return [view.scale, view.x + box.x * view.scale, view.y + box.y * view.scale,"
            " view.x + (note.x + note.w) * view.scale, view.y + (note.y + note.h) * view.scale]; }",
            f"n{failing(opened)}",
        )
        stage = opened.page.locator("#stage").bounding_box()
        cover = opened.page.locator("#map").bounding_box()
        assert box[0] >= 0.8, "text of 12 pixels and more"
        assert box[1] >= 0 and box[2] >= 0 and box[3] <= stage["width"]
        assert box[4] + stage["y"] <= cover["y"]
