"""The page of `shapeflow graph` in a real browser: what a reader sees and does."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path

import documents
import pytest

from shapeflow.pictures import page

BAD = "net/layer2/MatMul"


@pytest.mark.parametrize("make", [documents.failing, documents.clean, documents.hostile])
def test_opens_in_silence_and_shows_something(open_page, make):
    opened = open_page(make())
    assert opened.run("shapeflow.stats.boxes") > 0
    assert opened.run("document.querySelectorAll('script').length") == 2


def test_the_documents_here_are_such_as_shapeflow_makes():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(page.__file__).parent / "graph.schema.json").read_text())
    for make in (documents.failing, documents.clean, documents.deep, lambda: documents.big(1400)):
        jsonschema.validate(make(), schema, jsonschema.Draft202012Validator)


def test_the_example_of_all_pictures_opens_and_walks(open_page):
    where = Path(__file__).parents[1] / "py" / "picture_example.py"
    spec = importlib.util.spec_from_file_location("picture_example_for_pages", where)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    opened = open_page(example.example())
    opened.page.click("#open-all")
    held = opened.node("net/layer1/w")  # bytes at the peak: of the node, and of the group that it is in
    for key in (f"n{held}", f"g{opened.document['nodes'][held]['group']}"):
        opened.probe("goTo", key)
        assert "At the peak\n30.8 KiB" in opened.panel()
    opened.probe("goTo", f"n{opened.node('x')}")
    assert "At the peak" not in opened.panel()
    assert opened.probe("misplaced") == []
    for index in range(len(opened.document["nodes"])):
        opened.probe("goTo", f"n{index}")
    for _ in opened.document["findings"]:
        opened.page.click("#next")
    for _ in opened.document["runs"]:
        opened.page.locator("#run").press("ArrowRight")


def test_the_page_holds_the_document_as_it_is(open_page):
    document = documents.failing()
    opened = open_page(document)
    assert opened.run("JSON.parse(document.getElementById('document').textContent)") == json.loads(
        json.dumps(document)
    )
    counts = opened.probe("counts")
    groups = document["groups"]
    parents = ["" if node["group"] is None else groups[node["group"]]["path"] for node in document["nodes"]]
    assert counts == [len(document["nodes"]), len(document["edges"]), len(groups), parents]


def test_every_edge_is_drawn_once_at_each_border_it_crosses(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#open-all")
    drawn = opened.probe("drawnEdges")
    groups, nodes = opened.document["groups"], opened.document["nodes"]

    def above(node):
        path, group = [], nodes[node]["group"]
        while group is not None:
            path.append(group)
            group = groups[group]["parent"]
        return set(path)

    for e, edge in enumerate(opened.document["edges"]):
        if nodes[edge["to"]]["op"] == "NoOp":  # what only waits for others stands aside
            assert str(e) not in drawn
            continue
        assert drawn[str(e)] == 1 + len(above(edge["from"]) ^ above(edge["to"]))


@pytest.mark.parametrize(
    "make",
    [
        documents.failing,
        documents.clean,
        documents.hostile,
        lambda: documents.big(1400),
        lambda: documents.flat(700),
    ],
)
def test_boxes_stand_in_their_group_and_never_on_each_other(open_page, make):
    opened = open_page(make())
    opened.page.click("#open-all")
    assert opened.probe("misplaced") == []


def test_a_graph_with_a_finding_opens_on_it(open_page):
    opened = open_page(documents.failing())
    node = opened.node(BAD)
    assert opened.selected() == BAD
    x, y = opened.at(f"n{node}")
    stage = opened.page.locator("#stage").bounding_box()
    assert stage["x"] < x < stage["x"] + stage["width"] and stage["y"] < y < stage["y"] + stage["height"]
    text = opened.panel()
    assert "Dimensions must be equal, but are 128 and 256" in text
    assert "+y = tf.reshape(y, [-1, 256])" in text and "-y = tf.reshape(y, [-1, 128])" in text
    assert opened.page.inner_text("#panel ins").strip() == "+++ b/train.py"
    callout = opened.probe("callout", f"n{node}")
    assert callout["head"] == "error SF101" and "Dimensions must be equal" in " ".join(callout["lines"])
    assert callout["lines"][-1] == "Fix: reshape to 256 columns"


def test_the_chain_is_numbered_back_from_the_failing_node(open_page):
    opened = open_page(documents.failing())
    badges = opened.probe("badges")
    assert badges == {
        "net/Reshape": [{"text": "1", "chain": 0}],
        "net/layer2/Identity": [{"text": "1", "chain": 1}],
        "net/layer2/weights": [{"text": "2", "chain": 1}],
    }
    marked = opened.run(
        "() => shapeflow.state.scene.wires.filter((w) => w.chain >= 0).map((w) => w.chain).sort()"
    )
    assert marked == [0, 0, 1, 1]  # the Reshape's line goes through layer2's border
    text = opened.panel()
    assert "Where 128 of y (axis 1) came from" in text and "Where 256 of w2 (axis 0) came from" in text


def test_dimensions_that_came_the_same_way_share_a_chain(open_page):
    document = documents.failing()
    chains = document["findings"][0]["chains"]
    chains.append(dict(chains[1], axis=1, dim="10"))
    opened = open_page(document)
    assert len(opened.probe("badges")["net/layer2/weights"]) == 1
    assert "Where 256 of w2 (axis 0), 10 of w2 (axis 1) came from" in opened.panel()


def test_a_message_of_several_lines_keeps_them(open_page):
    document = documents.failing()
    document["findings"][0]["message"] = "first line\n\tsecond \u202eline"
    opened = open_page(document)
    shown = opened.run("document.querySelector('.message').textContent")
    assert shown == "first line\n    second \\u202eline"
    callout = opened.probe("callout", f"n{opened.node(BAD)}")
    assert callout["lines"][0] == "first line second \\u202eline"


def test_a_chain_in_a_closed_group_is_marked_on_the_group(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#close-all")
    badges = opened.probe("badges")["net"]
    assert [badge["text"] for badge in badges] == ["1", "1\N{EN DASH}2"]


def test_no_line_hides_behind_the_callout(open_page):
    document = documents.failing()
    bad = next(k for k, node in enumerate(document["nodes"]) if node["name"] == BAD)
    document["edges"].append({"from": bad, "output": 0, "to": len(document["nodes"]) - 1, "input": 0})
    opened = open_page(document)
    hidden = opened.probe("behindCallout", f"n{bad}")
    assert hidden == []


def test_findings_are_walked_through(open_page):
    opened = open_page(documents.failing())
    assert opened.page.inner_text("#finding-name") == "SF101, 1 of 2"
    opened.page.click("#next")
    assert opened.page.inner_text("#finding-name") == "SF301, 2 of 2" and opened.selected() == "loss/Mean"
    assert "The mean of integers" in opened.panel()
    opened.page.click("#next")
    assert opened.selected() == BAD


def test_a_finding_without_a_node_is_shown_all_the_same(open_page):
    document = documents.failing()
    document["findings"] = [dict(document["findings"][0], node=None, chains=[])]
    opened = open_page(document)
    text = opened.panel()
    assert "Dimensions must be equal" in text and "logits = tf.matmul(y, w2)" in text


def test_the_slider_changes_shapes_and_marks_the_changed(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#open-all")
    x = opened.node("x")
    shape = "(node) => [shapeflow.state.lens.shape(node, 0), shapeflow.state.lens.changed(node)]"
    slider = opened.page.locator("#run")
    opened.run("shapeflow.fit()")
    seen = []
    for _ in range(3):
        opened.settle()
        seen.append((opened.run(shape, x), opened.probe("label", x), opened.page.inner_text("#run-name")))
        slider.press("ArrowRight")
    assert [one[0] for one in seen] == [["(n, 784)", False], ["(128, 784)", True], ["(96, 784)", True]]
    assert [one[1] for one in seen] == [["(n, 784)", False], ["(128, 784)", True], ["(96, 784)", True]]
    assert seen[1][2] == "runs 1 to 468: x (128, 784), labels (128,)" and seen[2][2].startswith(
        "run 469: x (96, 784)"
    )
    assert opened.run("(node) => shapeflow.state.lens.bytes(node, 0)", x) == 96 * 784 * 4
    assert opened.run(shape, opened.node("net/Reshape")) == ["(m, 128)", False]
    opened.probe("goTo", f"n{x}")
    assert "(96, 784) float32 294 KiB changed by this run" in opened.panel()


def test_without_runs_there_is_no_slider(open_page):
    assert not open_page(documents.clean()).page.is_visible("#runs")


@pytest.mark.parametrize(
    "query, first",
    [
        ("Reshape", "net/Reshape"),
        ("placeholder", "x"),
        ("train.py:35", BAD),
        ("train.py:4", "x"),
        ("(256, 10) float32_ref", "net/layer2/weights"),
        ("layer2 matmul", BAD),
        ("(m, 128)", "net/Reshape"),
    ],
)
def test_search_finds_and_enter_goes_there(open_page, query, first):
    opened = open_page(documents.failing())
    opened.page.click("#close-all")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type(query)
    rows = opened.page.locator("#results [role=option]")
    assert rows.count() >= 1 and rows.first.locator(".hit-name").inner_text() == first
    opened.page.keyboard.press("Enter")
    assert opened.selected() == first
    assert not opened.page.is_visible("#results")
    assert opened.at(f"n{opened.node(first)}") is not None, "its groups were opened"


def test_search_says_when_there_is_nothing_and_how_much_there_is(open_page):
    opened = open_page(documents.big(1400))
    opened.page.fill("#search", "no such name")
    assert opened.page.inner_text("#hits") == "0 hits" and not opened.page.is_visible("#results")
    opened.page.fill("#search", "matmul")
    assert opened.page.inner_text("#hits").endswith("hits, the first 200 shown")
    assert opened.page.locator("#results [role=option]").count() == 200


def test_double_click_opens_and_closes_a_group(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#close-all")
    net = opened.group("net")
    before = opened.run("shapeflow.state.scene.boxes.length")
    opened.page.mouse.dblclick(*opened.at(net))
    assert opened.is_open(net) and opened.run("shapeflow.state.scene.boxes.length") > before
    opened.page.mouse.dblclick(*opened.at(net))
    assert not opened.is_open(net) and opened.run("shapeflow.state.scene.boxes.length") == before


def test_an_opened_group_stays_where_it_is(open_page):
    opened = open_page(documents.clean())
    opened.page.click("#close-all")
    layer = opened.group("layer2")
    before = opened.probe("corner", layer)
    opened.page.mouse.dblclick(*opened.at(layer))
    assert opened.probe("corner", layer) == pytest.approx(before, abs=1)


def test_a_click_on_a_node_shows_it_with_its_source_line(open_page):
    opened = open_page(documents.failing())
    opened.page.mouse.click(*opened.at(f"n{opened.node('net/Reshape')}"))
    text = opened.panel()
    assert text.split()[:2] == ["Reshape", "net/Reshape"]
    assert "train.py:31" in text and "y = tf.reshape(y, [-1, 128])" in text and "(m, 128) float32" in text
    opened.probe("goTo", f"n{opened.node('net/layer1/MatMul')}")
    text = opened.panel()
    assert "/device:GPU:0" in text and "51.4 million" in text and "net/layer1/weights/Read" in text
    opened.page.click("#panel button.link >> text=net/layer1/BiasAdd")
    assert opened.selected() == "net/layer1/BiasAdd"


def test_a_click_on_an_edge_shows_its_tensor(open_page):
    opened = open_page(documents.clean())
    wire = opened.probe("onWire")
    opened.page.mouse.click(*wire)
    assert "(n, 64) float32" in opened.panel() or "Edge" in opened.panel()


def test_wheel_zooms_at_the_pointer_and_drag_moves(open_page):
    opened = open_page(documents.clean())
    stage = opened.page.locator("#stage").bounding_box()
    x, y = stage["x"] + 300, stage["y"] + 260
    before = opened.probe("point", [300, 260])
    opened.page.mouse.move(x, y)
    opened.page.mouse.wheel(0, -300)
    opened.until("(scale) => shapeflow.view.scale > scale", before[2])
    assert opened.probe("point", [300, 260])[:2] == pytest.approx(before[:2], abs=0.5)
    start = opened.run("[shapeflow.view.x, shapeflow.view.y]")
    opened.page.mouse.down()
    opened.page.mouse.move(x + 60, y - 40, steps=4)
    opened.page.mouse.up()
    assert opened.run("[shapeflow.view.x, shapeflow.view.y]") == pytest.approx(
        [start[0] + 60, start[1] - 40], abs=0.6
    )


def test_the_mini_map_moves_the_window(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#open-all")
    opened.run("shapeflow.zoom(8)")
    box = opened.page.locator("#map").bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 8)
    top = opened.run("shapeflow.view.y")
    opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    assert opened.run("shapeflow.view.y") < top - 500


def test_dark_follows_the_system_and_the_button(open_page):
    opened = open_page(documents.clean(), color_scheme="dark")
    opened.settle()
    assert max(opened.probe("back")) < 60
    assert opened.page.get_attribute("#theme", "aria-pressed") == "true"
    opened.page.click("#theme")
    opened.settle()
    assert min(opened.probe("back")) > 200
    opened.page.emulate_media(color_scheme="light")
    opened.settle()  # else the two changes may be none to the page
    opened.page.emulate_media(color_scheme="dark")
    opened.until("document.documentElement.dataset.theme === 'dark'")
    opened.settle()
    assert max(opened.probe("back")) < 60


def test_the_keyboard_is_enough(open_page):
    opened = open_page(documents.failing())
    keys = opened.page.keyboard
    opened.page.focus("#graph")
    scale, x = opened.run("[shapeflow.view.scale, shapeflow.view.x]")
    keys.press("ArrowLeft")
    assert opened.run("shapeflow.view.x") > x
    keys.press("-")
    assert opened.run("shapeflow.view.scale") < scale
    keys.press("0")
    assert opened.run("shapeflow.view.scale") == pytest.approx(1)
    keys.press("f")
    assert opened.run("shapeflow.view.scale") < 1
    keys.press("n")
    assert opened.selected() == "loss/Mean"
    keys.press("Escape")
    assert opened.selected() is None
    opened.page.focus("#tree")
    keys.press("Home")
    assert opened.probe("activeRow") == "x"
    while not opened.probe("activeRow") == "net":
        keys.press("ArrowDown")
    net = opened.group("net")
    keys.press("ArrowLeft")
    assert not opened.is_open(net)
    keys.press("ArrowRight")
    assert opened.is_open(net)
    keys.press("ArrowRight")
    keys.press("Space")
    assert opened.selected() == "net/layer1"
    opened.page.focus("#graph")
    keys.press("Enter")
    assert opened.is_open(opened.group("net/layer1"))
    opened.page.focus("#tree")
    keys.press("End")
    keys.press("Enter")
    assert opened.selected() == "init"


def test_tab_reaches_every_control(open_page):
    opened = open_page(documents.failing())
    seen = set()
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        seen.add(opened.run("document.activeElement.id"))
    assert {
        "previous",
        "next",
        "home",
        "open-all",
        "close-all",
        "theme",
        "search",
        "tree",
        "graph",
        "zoom-in",
        "fit",
        "run",
        "panel",
    } <= seen


def test_kinds_of_groups_look_different(open_page):
    opened = open_page(documents.failing())
    opened.page.click("#open-all")
    kinds = opened.probe("kinds")
    assert {
        "net/repeat": "while",
        "net/choice": "cond",
        "net/scale_fn": "function",
        "net/layer1": "scope",
    }.items() <= kinds.items()
    fills = opened.run("() => Object.values(shapeflow.colours().kinds).map((pair) => pair[0])")
    assert len(set(fills)) == 4


def test_lines_are_thicker_where_more_bytes_pass(open_page):
    document = documents.failing()
    for index, node in enumerate(document["nodes"]):
        for output in node["outputs"]:
            output["bytes"] = 1 << 30 if node["name"] == "x" else 512 if index % 2 else None
    opened = open_page(document)
    opened.page.click("#open-all")
    opened.settle()
    assert opened.probe("width", opened.node("x")) == pytest.approx(7)
    assert opened.probe("width", opened.node("net/Reshape")) == pytest.approx(1.2)


def test_printed_it_is_light_sharp_and_without_controls(open_page):
    opened = open_page(documents.failing(), color_scheme="dark")
    opened.page.emulate_media(media="print")
    opened.until("document.getElementById('paper').width > 1000")
    assert opened.page.is_visible("#paper") and opened.page.is_visible("#panel")
    for hidden in ("#graph", "#map", "nav", ".buttons", "#zooms"):
        assert not opened.page.is_visible(hidden)
    pixels = opened.probe("paper")
    assert pixels[0] > 5 * pixels[1] > 0
    assert opened.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert opened.page.pdf().startswith(b"%PDF")


def test_hostile_names_stay_names(open_page):
    opened = open_page(documents.hostile())
    opened.page.click("#open-all")
    for index in range(len(opened.document["nodes"])):
        opened.probe("goTo", f"n{index}")
        opened.settle()
    for query in ("script", "__proto__", "\u5f62", "<img", "("):
        opened.page.fill("#search", query)
    opened.page.locator("#run").press("ArrowRight")
    assert opened.run("document.querySelectorAll('img, script[src], iframe, b').length") == 0
    assert opened.run("document.title").startswith("<b>'\"</title><script>alert(1)</script>")
    assert opened.run("Object.keys(Object.prototype).length") == 0
    text = opened.page.inner_text("body")
    assert "\u202e" not in text and "\u0000" not in text
    assert opened.run("document.documentElement.scrollWidth <= innerWidth")


def test_the_policy_forbids_the_network_and_inline_code(open_page):
    opened = open_page(documents.clean())
    policy = opened.page.get_attribute("meta[http-equiv]", "content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
    blocked = opened.probe("inlineScript")
    assert blocked.startswith("script-src") and opened.run("window.broken") is None
    opened.said.clear()  # Chromium says on the console what it blocked


def test_what_json_cannot_say_is_unknown():
    document = dict(documents.clean(), extra=[math.inf, -math.inf, math.nan, 1.5])
    assert json.loads(page.embedded(document))["extra"] == [None, None, None, 1.5]
    assert not set("<>&\u2028\u2029") & set(page.embedded(documents.hostile()))
    assert page.embedded(documents.hostile()).isascii()


def test_an_empty_document_is_a_page_too(open_page):
    empty = dict(documents.clean(), nodes=[], edges=[], groups=[], title="")
    assert "0 nodes, 0 edges" in open_page(empty).page.inner_text("header")


def test_a_wide_and_a_narrow_window_both_work(open_page):
    opened = open_page(documents.failing(), viewport={"width": 480, "height": 800})
    assert opened.run("document.documentElement.scrollWidth <= innerWidth")
    assert opened.page.locator("#graph").bounding_box()["width"] > 300
