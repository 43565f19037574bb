"""Writes `index.txt`: every registered name and the module that registers it.

Run `python -m shapeflow.api.make_index` after adding an `export`, where the sources are: it writes theirs and
that of the installed package, which is the one that finds names. tests/py compares.
"""
from __future__ import annotations

import importlib
import pathlib

from shapeflow.api import names, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List

_PACKAGE = pathlib.Path(__file__).parents[1]
# Registered names need not be in TensorFlow's public list below these.
_FREE = ("tensorflow.", "tf0.", "old.", "keras_1.", "tf.contrib.", "tf.examples.", "tf.python.", "tf.keras.",
         "tf.__", "tf.nn.rnn_cell.")


def is_real(name: str, version: int) -> bool:
    """True when some TensorFlow 1 (or 2.21) has that public name."""
    if version == 2 and name.startswith("tf.contrib."):
        return False
    return name.startswith(_FREE) or names.is_known(name, version)


def index_text() -> str:
    """The text that `index.txt` should have. For a fresh process: it imports everything anew."""
    registry.owners = {1: {}, 2: {}}
    try:
        for path in sorted((_PACKAGE / "tensorflow").rglob("*.py")):
            name = ".".join(path.relative_to(_PACKAGE).with_suffix("").parts)
            module = importlib.import_module("shapeflow." + name)
            if not any(name == o for t in registry.owners.values() for o in t.values()):
                importlib.reload(module)
        owners: Dict[int, Dict[str, str]] = registry.owners
    finally:
        registry.owners = None
    lines = []
    for version in (1, 2):
        of: Dict[str, List[str]] = {}
        for name in sorted(owners[version]):
            if is_real(name, version):
                of.setdefault(owners[version][name], []).append(name)
        lines += ["%d %s %s" % (version, owner, " ".join(of[owner])) for owner in sorted(of)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    found = index_text()
    for folder in (_PACKAGE, pathlib.Path("pymodule/shapeflow")):
        if (folder / "api").is_dir():
            (folder / "api" / "index.txt").write_text(found, encoding="utf-8")
