"""How the page looks, against committed pictures: layout and colour, not the hinting of one machine's fonts.

`pytest tests/pages --update` rewrites tests/pages/looks; look at the difference before committing it.
"""

from __future__ import annotations

import io
from pathlib import Path

import documents
import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image", reason="SKIPPED ALOUD: pillow is missing: no pictures compared")

LOOKS = Path(__file__).parent / "looks"
SMALL = (400, 250)


def _small(png):
    return Image.open(io.BytesIO(png)).convert("RGB").resize(SMALL, Image.Resampling.BOX)


def _blurred(picture):
    """Means over 4 by 4 pixels: a letter that stands a pixel beside is no difference."""
    pixels = np.asarray(picture.convert("RGB"), dtype=np.float64)
    rows, columns = pixels.shape[0] // 4, pixels.shape[1] // 4
    return pixels[: rows * 4, : columns * 4].reshape(rows, 4, columns, 4, 3).mean(axis=(1, 3))


def _compare(name, png, update):
    path = LOOKS / f"{name}.png"
    seen = _small(png)
    if update:
        LOOKS.mkdir(exist_ok=True)
        seen.quantize(64).save(path, optimize=True)
    difference = np.abs(_blurred(seen) - _blurred(Image.open(path))).max(axis=2)
    assert difference.mean() < 6, f"{name}: mean difference {difference.mean():.1f} of 255"
    assert (difference > 60).mean() < 0.03, f"{name}: {(difference > 60).mean():.1%} of the picture differs"


def _failing_light(opened):
    opened.settle()


def _run_two(opened):
    opened.page.click("#open-all")
    opened.page.locator("#run").press("End")
    opened.probe("goTo", f"n{opened.node('net/layer1/MatMul')}")


def _print(opened):
    opened.page.emulate_media(media="print")
    opened.until("document.getElementById('paper').width > 1000")


@pytest.mark.parametrize(
    "name, make, scheme, do",
    [
        ("failing-light", documents.failing, "light", _failing_light),
        ("failing-dark", documents.failing, "dark", _failing_light),
        ("run", documents.failing, "light", _run_two),
        ("clean", documents.clean, "light", _failing_light),
        ("print", documents.failing, "light", _print),
        ("big", documents.big, "light", _failing_light),
    ],
)
def test_it_looks_as_it_did(open_page, request, name, make, scheme, do):
    opened = open_page(make(), color_scheme=scheme, viewport={"width": 1280, "height": 800})
    if not opened.probe("hasFont", "Liberation Sans"):
        pytest.skip("SKIPPED ALOUD: Liberation Sans is missing: other letters make another layout")
    do(opened)
    opened.settle()
    _compare(
        name,
        opened.page.screenshot(animations="disabled", caret="hide"),
        request.config.getoption("--update"),
    )
