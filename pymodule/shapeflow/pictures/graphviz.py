"""A document as Graphviz draws it, where that is installed."""
from __future__ import annotations

from shapeflow.pictures import dot, folding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    Plain = Dict[str, Any]

MOST_NODES = 1500  # what Graphviz lays out within its time
SECONDS = 120
_BEGINS = {"png": b"\x89PNG", "svg": b"<?xml"}


def render(document: Plain, kind: str) -> Optional[bytes]:
    """`kind`: png or svg. None: there is no Graphviz, or it took too long."""
    import shutil
    import subprocess

    program = shutil.which("dot")
    if program is None:
        return None
    text = dot.render(folding.folded(document, MOST_NODES)).encode("utf-8", "replace")
    try:
        done = subprocess.run([program, "-T" + kind], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout.startswith(_BEGINS[kind]) else None
