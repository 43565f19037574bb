"""Writes `_index.txt`: every registered name and the module that registers it.

Run `python -m shapeflow._impl.make_index` after adding an `export`; tests/py compares.
"""
import importlib
import pathlib
from typing import Dict, List

from shapeflow import _names
from shapeflow._impl import registry

_HERE = pathlib.Path(__file__).parent
# Registered names need not be in TensorFlow's public list below these.
_FREE = ("private.", "tf0.", "old.", "tf.contrib.", "tf.examples.", "tf.python.",
         "tf.keras.", "tf.__", "tf.nn.seq2seq.", "tf.nn.rnn_cell.")
_NOT_SCANNED = {"__init__", "registry", "make_index", "_index"}


def is_real(name: str, version: int) -> bool:
    """True when some TensorFlow 1 (or 2.21) has that public name."""
    table = _names.table()
    mask = 4 if version == 2 else 3
    if version == 2 and name.startswith("tf.contrib."):
        return False
    return name.startswith(_FREE) or bool(name in table and table[name][1] & mask)


def index_text() -> str:
    """The text that `_index.txt` should have. For a fresh process: it imports everything anew."""
    registry.owners = {1: {}, 2: {}}
    try:
        for path in sorted(_HERE.glob("*.py")):
            if path.stem not in _NOT_SCANNED:
                module = importlib.import_module("shapeflow._impl." + path.stem)
                if not any(path.stem == o for t in registry.owners.values() for o in t.values()):
                    importlib.reload(module)
        owners: Dict[int, Dict[str, str]] = registry.owners
    finally:
        registry.owners = None
    lines = []
    for version in (1, 2):
        names: Dict[str, List[str]] = {}
        for name in sorted(owners[version]):
            if is_real(name, version):
                names.setdefault(owners[version][name], []).append(name)
        lines += ["%d %s %s" % (version, owner, " ".join(names[owner])) for owner in sorted(names)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (_HERE / "_index.txt").write_text(index_text(), encoding="utf-8")
