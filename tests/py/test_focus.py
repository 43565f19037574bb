"""Pictures of what is wrong in a large graph: of a size that can be read, with the error in the middle."""
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest

from command import shapeflow, write
from picture_example import many
from shapeflow.pictures import dot, focus, svg

SVG = "{http://www.w3.org/2000/svg}"

RESNET1 = """\
import tensorflow as tf
training = tf.placeholder_with_default(True, [])
def conv(x, filters, stride, name, padding="SAME"):
    with tf.variable_scope(name):
        x = tf.layers.conv2d(x, filters, 3, strides=stride, padding=padding, use_bias=False, name="conv")
        return tf.nn.relu(tf.layers.batch_normalization(x, training=training, name="bn"))
def block(x, filters, stride, bad):
    y = conv(x, filters, stride, "a", "VALID" if bad else "SAME")
    y = conv(y, filters, 1, "b")
    return y + conv(x, filters, stride, "shortcut")
x = tf.placeholder(tf.float32, [None, 64, 64, 3], "images")
for k in range(10):
    with tf.variable_scope("block%d" % k):
        x = block(x, 16, 1 + k % 2, k == BAD)
loss = tf.reduce_mean(x)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
"""

RESNET2 = """\
import tensorflow as tf
L = tf.keras.layers
def block(x, name, padding):
    y = L.Conv2D(16, 3, padding=padding, name=name + "_1_conv")(x)
    y = L.BatchNormalization(name=name + "_1_bn")(y)
    y = L.Activation("relu", name=name + "_1_relu")(y)
    y = L.Conv2D(16, 3, padding="same", name=name + "_2_conv")(y)
    y = L.BatchNormalization(name=name + "_2_bn")(y)
    return L.Activation("relu", name=name + "_out")(x + y)
x = inputs = tf.keras.Input((32, 32, 16), name="images")
for k in range(20):
    x = block(x, "block%d" % k, "valid" if k == BAD else "same")
"""

CHAIN = """\
import tensorflow as tf
h = tf.placeholder(tf.float32, [None, 784], "x")
for k in range(80):
    with tf.variable_scope("layer%d" % k):
        w = tf.get_variable("w", [784 if k == 0 else 255 + k, 256 + k])
        h = tf.nn.relu(tf.matmul(h, w))
logits = tf.matmul(h, tf.ones([BAD, 10]))
"""

FIT = """\
import numpy as np
import tensorflow as tf
L = tf.keras.layers
model = tf.keras.Sequential([L.Input((64,)), *(L.Dense(32 + k, name="hidden%d" % k) for k in range(30)),
                             L.Dense(10, activation="softmax", name="predictions")])
model.compile("sgd", "categorical_crossentropy")
model.fit(np.zeros((64, 64), "float32"), np.zeros((64, BAD), "float32"), batch_size=16)
"""

CASES = {
    "resnet1": (RESNET1.replace("BAD", "7"), ["AddV2", "y"], "4", "VALID"),
    "resnet2": (RESNET2.replace("BAD", "9"), ["AddV2", "x", "y"], "30", "VALID"),
    "chain": (CHAIN.replace("BAD", "7"), ["MatMul", "h", "tf.ones([7, 10])"], "335", None),
    "fit": (FIT.replace("BAD", "9"), ["fit", "y_true", "y_pred"], "10", None),
}


def drawn(folder, source, *options):
    write(folder, model=source)
    done = shapeflow(folder, "graph", "--no-suggestions", "model.py", "-o", "model.svg", *options)
    assert done.returncode in (0, 1), done.stderr
    return ElementTree.parse(folder / "model.svg").getroot()


def texts(root):
    return ["".join(part.itertext()) for part in root.iter(SVG + "text")]


def guilty_box(root):
    box, = (one for one in root.iter(SVG + "rect") if one.get("class") == "sf-guilty")
    shift = next(one for one in root.iter(SVG + "g") if one.get("transform"))
    x, y = map(float, re.findall(r"[-\d.]+", shift.get("transform")))
    return x + float(box.get("x")), y + float(box.get("y")), float(box.get("width")), float(box.get("height"))


@pytest.mark.parametrize("name", CASES)
def test_the_error_of_a_large_model_is_in_the_middle_of_a_picture_that_can_be_read(tmp_path, name):
    source, told, dim, padding = CASES[name]
    root = drawn(tmp_path, source)
    wide, high = float(root.get("width")), float(root.get("height"))
    assert wide <= svg.WIDEST + 60 and high <= svg.HIGHEST + 300  # what is said above, the margins
    x, y, box_wide, box_high = guilty_box(root)
    assert abs(x + box_wide / 2 - wide / 2) < 2 and 0 < y and y + box_high < high
    words = texts(root)
    assert told[0] in words and all(any(line.startswith(part) for line in words) for part in told[1:])
    assert any(line.startswith("at model.py:") for line in words), "where it is in the source"
    wrong = [part.text for part in root.iter(SVG + "tspan") if "sf-error" in part.get("class", "")]
    assert dim in wrong
    assert padding is None or any(padding in line and "strides" in line for line in words), \
        "the convolution that made the size is shown, with its padding"
    assert any("more nodes are not shown" in line for line in words)
    assert not any(re.search(r"Adam|random_uniform|Initializer|gradients", line) for line in words)


def test_steps_that_are_left_out_are_counted(tmp_path):
    root = drawn(tmp_path, CASES["resnet2"][0])
    assert any(re.fullmatch(r"\d+ steps? between", line) for line in texts(root))
    badges = [int(line) for line in texts(root) if line.isdigit()]
    assert max(badges) > len(badges), "numbers are those of the whole chain"


def test_the_whole_graph_is_drawn_when_asked_for(tmp_path):
    root = drawn(tmp_path, CASES["chain"][0], "--whole")
    assert float(root.get("height")) > 5000
    assert not any("are not shown" in line for line in texts(root))


def test_without_an_error_variables_and_training_are_one_box_each(tmp_path):
    root = drawn(tmp_path, RESNET1.replace("BAD", "99").replace("range(10)", "range(1)"))
    words = texts(root)
    assert not any(re.search(r"Initializer|random_uniform|Adam/", line) for line in words)
    assert "kernel" in words and "gradients" in words


def test_small_graphs_are_whole_and_large_ones_keep_what_fails():
    assert len(focus.focused(many(30))["nodes"]) == len(many(30)["nodes"])
    document = many(2000)
    shown = svg.legible(document)
    for edge in shown["edges"]:
        assert edge["from"] != edge["to"] and max(edge["from"], edge["to"]) < len(shown["nodes"])
    ElementTree.fromstring(svg.render(shown))
    assert dot.render(shown).startswith("digraph")


@pytest.mark.skipif(shutil.which("dot") is None, reason="SKIPPED ALOUD: Graphviz is missing")
def test_png_is_of_that_size_too(tmp_path):
    write(tmp_path, model=CASES["chain"][0])
    done = shapeflow(tmp_path, "graph", "--no-suggestions", "model.py", "-o", "model.png")
    assert done.returncode == 1, done.stderr
    header = (tmp_path / "model.png").read_bytes()[:24]
    wide, high = int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")
    assert 200 < wide <= 2000 and 200 < high <= 2000


def test_dot_says_what_is_wrong_and_where(tmp_path):
    write(tmp_path, model=CASES["chain"][0])
    made = shapeflow(tmp_path, "graph", "--no-suggestions", "model.py", "--format", "dot").stdout
    label = next(line for line in made.splitlines() if "labelloc" in line)
    assert "error[SF101]" in label and "model.py:7" in label
    document = json.loads(shapeflow(tmp_path, "graph", "--no-suggestions", "model.py").stdout)
    assert made.count("[label=") >= len(document["nodes"]), "all of the graph"
