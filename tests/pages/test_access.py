"""axe finds nothing to complain of, in light, dark and every state of the page."""

from __future__ import annotations

import documents
import pytest

axe_playwright = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="SKIPPED ALOUD: axe-playwright-python is missing: no accessibility check",
)


def _violations(opened):
    found = axe_playwright.Axe().run(opened.page).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [documents.failing, documents.clean, documents.hostile])
def test_no_violations(open_page, make, scheme):
    opened = open_page(make(), color_scheme=scheme)
    assert _violations(opened) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violations_in_other_states(open_page, scheme):
    opened = open_page(documents.failing(), color_scheme=scheme)
    opened.page.locator("#run").press("ArrowRight")
    opened.probe("goTo", f"n{opened.node('net/layer1/MatMul')}")
    assert _violations(opened) == []
    opened.page.fill("#search", "mat")
    assert _violations(opened) == []
    opened.page.keyboard.press("Escape")
    opened.page.click("#home")
    assert _violations(opened) == []
    opened.probe("goTo", opened.group("net/repeat"))
    assert _violations(opened) == []
    opened.page.set_viewport_size({"width": 480, "height": 800})
    assert _violations(opened) == []


def test_no_violations_with_many_rows(open_page):
    opened = open_page(documents.big(1400))
    opened.page.click("#open-all")
    opened.page.focus("#tree")
    opened.page.keyboard.press("End")
    assert _violations(opened) == []


def test_the_tree_says_what_a_row_is(open_page):
    opened = open_page(documents.failing())
    rows = opened.page.get_by_role("treeitem")
    net = opened.page.get_by_role("treeitem", name="net 22 nodes")
    assert (
        rows.count() > 10
        and net.get_attribute("aria-expanded") == "true"
        and net.get_attribute("aria-level") == "1"
    )
    failing = opened.page.get_by_role("treeitem", name="MatMul error")
    assert failing.get_attribute("aria-selected") == "true"
    assert "MatMul" in opened.page.inner_text("#said")
