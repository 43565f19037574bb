"""20,000 nodes: the page opens, and the window moves. Work is asserted; times are printed (`pytest -s`)."""

from __future__ import annotations

import json

import documents
import pytest

# Generous: a laptop needs a third of it. The count of layouts and full paints is what guards the design.
OPEN_MS = 15_000


@pytest.mark.parametrize("make", [documents.big, documents.flat])
def test_twenty_thousand_nodes_open_and_pan(open_page, make):
    opened = open_page(make())
    ready = opened.probe("ready")
    print(f"\n{make.__name__}: {json.dumps(ready)}")
    assert ready["boxes"] <= 100 and ready["layouts"] == 1 and ready["full"] <= 4
    assert ready["ready"] < OPEN_MS
    opened.page.click("#open-all")
    assert opened.run("shapeflow.state.scene.boxes.length") >= 20_000
    for scale in (0, 0.02, 0.1, 0.5, 1):
        seen = opened.probe("pan", scale)
        print(json.dumps(seen))
        assert seen["frames"] >= 60
        if seen["boxes"] + seen["wires"] > 2500:
            assert seen["full"] <= 15, "a crowded picture is moved as a whole, not painted for each frame"
        if scale >= 0.5:
            assert seen["boxes"] + seen["wires"] < 3000, "what is out of the window is not painted"
    assert opened.page.locator("[role=treeitem]").count() < 100


def test_search_reaches_into_what_is_closed(open_page):
    opened = open_page(documents.big())
    opened.page.fill("#search", "stage3/block45/layer900/matmul")
    opened.page.keyboard.press("Enter")
    assert opened.selected() == "stage3/block45/layer900/MatMul"
    assert opened.run("shapeflow.state.scene.boxes.length") < 1000
    assert opened.at(f"n{opened.node('stage3/block45/layer900/MatMul')}") is not None


def test_after_all_was_open_a_group_is_laid_out_well_again(open_page):
    opened = open_page(documents.big(1600))
    opened.page.click("#close-all")
    layer = opened.group("stage0/block0/layer5")
    opened.probe("goTo", f"n{opened.node('stage0/block0/layer5/MatMul')}")
    before = opened.run("(id) => shapeflow.state.model.byId.get(id).layout.height", layer)
    opened.page.click("#open-all")
    opened.page.click("#close-all")
    opened.probe("goTo", f"n{opened.node('stage0/block0/layer5/MatMul')}")
    assert opened.run("(id) => shapeflow.state.model.byId.get(id).layout.height", layer) == before


def test_beyond_twenty_thousand_it_starts_collapsed(open_page):
    opened = open_page(documents.big(20_100))
    assert opened.run("shapeflow.state.scene.boxes.every((box) => !box.item.open)")


def test_a_flat_graph_is_cut_into_parts_in_order(open_page):
    opened = open_page(dict(documents.flat(1000), collapsed=True))
    names = opened.run("shapeflow.state.scene.boxes.map((box) => box.item.title)")
    assert len(names) == 24 and names[0] == "op0 \N{HORIZONTAL ELLIPSIS} op40"
    sizes = opened.run("shapeflow.state.scene.boxes.map((box) => box.item.size)")
    assert sum(sizes) == 1000 and max(sizes) - min(sizes) <= 1
    members = opened.run(
        "shapeflow.state.scene.boxes.map((box) => box.item.children.map((child) => child.index))"
    )
    assert [k for part in members for k in part] == list(range(1000))
    opened.page.mouse.dblclick(*opened.at("p1"))
    assert opened.is_open("p1") and opened.at("n50") is not None


def test_a_finding_deep_in_a_large_graph_is_in_view(open_page):
    document = documents.big()
    node = next(
        k for k, one in enumerate(document["nodes"]) if one["name"] == "stage5/block80/layer1605/MatMul"
    )
    inputs = [edge["from"] for edge in document["edges"] if edge["to"] == node]
    document["findings"] = [
        {
            "node": node,
            "code": "SF101",
            "error": True,
            "message": "no fit",
            "place": None,
            "operands": [],
            "fix": None,
            "chains": [{"operand": 0, "axis": 1, "dim": "512", "nodes": [node, inputs[0]]}],
        }
    ]
    opened = open_page(document)
    x, y = opened.at(f"n{node}")
    stage = opened.page.locator("#stage").bounding_box()
    assert stage["x"] < x < stage["x"] + stage["width"] and stage["y"] < y < stage["y"] + stage["height"]
    assert opened.run("shapeflow.view.scale") >= 0.5


def test_scopes_nest_deeper_than_a_stack(open_page):
    opened = open_page(documents.deep())
    last = len(opened.document["nodes"]) - 1
    assert opened.selected().endswith("/Relu") and opened.at(f"n{last}") is not None
    opened.page.click("#open-all")
    opened.page.click("#close-all")
    assert opened.run("shapeflow.state.scene.boxes.length") == 2
