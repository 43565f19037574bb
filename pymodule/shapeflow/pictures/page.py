"""The graph document (document.py) as one HTML page that needs nothing else: no network, no build step.

The page's parts lie in page/ and are joined here. What the document says about a stranger's program
enters the page only as JSON in a script element that is never run; page/dom.js makes text of it.
"""
from __future__ import annotations

import base64
import hashlib
import json
import math
from html import escape
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict

_FOLDER = Path(__file__).parent / "page"
# In order: each file may use what those before it declare. All share one function's scope.
_SCRIPTS = ("text", "dom", "model", "runs", "theme", "cards", "bundles", "fast", "layout", "scene", "marks",
            "paint", "frames", "view", "minimap", "search", "tree", "panel", "main", "chrome")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script() -> str:
    ours = "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    licence = _read("vendor/dagre.LICENSE.txt").replace("*/", "* /")
    return f'/*! {licence}*/\n{_read("vendor/dagre.min.js")}\n(() => {{\n"use strict";\n{ours}\n}})();\n'


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def _finite(value: object) -> object:
    """JSON has no infinity and no NaN: what cannot be written is unknown."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return value


def embedded(document: Dict[str, object]) -> str:
    """The document as JSON that no HTML parser can mistake: pure ASCII, without <, > and &."""
    try:
        text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(document), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _title(document: Dict[str, object]) -> str:
    title = str(document.get("title") or document.get("script") or "graph")
    printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in title)
    return escape(printable if len(printable) <= 200 else printable[:199] + "\N{HORIZONTAL ELLIPSIS}")


def render(document: Dict[str, object]) -> str:
    from shapeflow._version import __version__

    script, style = _script(), _read("page.css")
    policy = (f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
              "base-uri 'none'; form-action 'none'")
    parts = {"CSP": policy, "VERSION": escape(__version__), "TITLE": _title(document), "STYLE": style,
             "DOCUMENT": embedded(document), "SCRIPT": script}
    pieces = _read("page.html").split("@")
    # Filled in one pass: a placeholder's name within a value stays what it is.
    return "".join(parts.get(piece, piece) if k % 2 else piece for k, piece in enumerate(pieces))
