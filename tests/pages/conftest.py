"""A real headless Chromium for the page's tests; without one they are skipped aloud."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, os.path.dirname(__file__))

_PROBES = (Path(__file__).parent / "probes.js").read_text(encoding="utf-8")
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium():
    return os.environ.get("SHAPEFLOW_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="SKIPPED ALOUD: playwright is missing: no tests of the page"
    )
    program = chromium()
    if program is None:
        pytest.skip("SKIPPED ALOUD: Chromium is missing: no tests of the page")
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        yield made
        made.close()


class Opened:
    """A page open in the browser, and all that it said or asked for meanwhile."""

    def __init__(self, browser, folder, document, **context):
        from shapeflow.pictures import page

        path = folder / "graph.html"
        path.write_text(page.render(document), encoding="utf-8")
        self.document, self.said, self.asked = document, [], []
        context.setdefault("viewport", {"width": 1280, "height": 800})
        context.setdefault("color_scheme", "light")
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on(
            "dialog", lambda dialog: (self.said.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        self.page.route("**/*", self._route)
        self.page.goto(path.as_uri(), timeout=120_000)
        self.until("window.shapeflow !== undefined")

    def _route(self, route):
        if route.request.url.startswith("file:") and route.request.is_navigation_request():
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def until(self, script, given=None, seconds=60):
        """playwright's own waiting polls with eval, which the page's policy forbids."""
        end = time.monotonic() + seconds
        while not self.run(script, given):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.02)

    def run(self, script, given=None):
        return self.page.evaluate(script, given)

    def node(self, name):
        return next(k for k, node in enumerate(self.document["nodes"]) if node["name"] == name)

    def probe(self, name, given=None):
        return self.run(f"([name, given]) => {{ {_PROBES}; return probes[name](given); }}", [name, given])

    def at(self, item):
        return self.probe("at", item)

    def group(self, path):
        return next(f"g{k}" for k, group in enumerate(self.document["groups"]) if group["path"] == path)

    def is_open(self, item):
        return self.run("(id) => shapeflow.state.model.byId.get(id).open", item)

    def selected(self):
        return self.run("shapeflow.state.selected?.name")

    def panel(self):
        return self.page.inner_text("#panel")

    def settle(self):
        """Two frames: what was asked for is painted."""
        self.run(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
        )


@pytest.fixture
def open_page(browser, tmp_path):
    opened = []

    def make(document, **context):
        opened.append(Opened(browser, tmp_path, document, **context))
        return opened[-1]

    yield make
    for one in opened:
        one.context.close()
    for one in opened:
        assert one.said == [], "the page spoke on the console"
        assert one.asked == [], "the page asked for something outside of it"
