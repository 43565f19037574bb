"""Type stubs of TensorFlow's public API, for `import shapeflow as tf` in an editor: from the newest snapshot.

    python -m shapeflow.api.stubs FOLDER     writes FOLDER/shapeflow-stubs (PEP 561, partial)

setup.py runs it when a wheel is built. Names, parameters and members are TensorFlow's; types are Any: what
is known of a tensor here, its shape, is not a matter of types.
"""
from __future__ import annotations

import keyword
import sys
from pathlib import Path

from shapeflow.api import parameters, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Set

VERSION = snapshot.NEWEST
# Keras has types of its own; tf.compat.v1 and the internals are looked up at run time.
WITHOUT = ("tf.keras", "tf.compat", "tf.__internal__", "tf.__operators__")
_HEAD = """\"\"\"Generated from the snapshot of TensorFlow %d.%d by shapeflow.api.stubs.\"\"\"
from typing import Any
""" % VERSION


def _parameters(text: str, method: bool) -> str:
    """A signature with `...` for each default."""
    if not text:
        return "self, *args: Any, **kwargs: Any" if method else "*args: Any, **kwargs: Any"
    written: List[str] = []
    starred = False
    for name, kind, default in parameters.parse(text):
        if kind == "k" and not starred:
            written.append("*")
        starred = starred or kind in ("*", "k")
        first = method and not written and kind == ""
        written.append(kind.strip("k") + name + ("" if first else ": Any") + (" = ..." if default else ""))
    return ", ".join(written)


def _function(name: str, entry: snapshot.Entry, indent: str, decorator: str = "") -> List[str]:
    lines = [indent + decorator] if decorator else []
    method = bool(indent) and decorator != "@staticmethod"
    return lines + ["%sdef %s(%s) -> Any: ..." % (indent, name, _parameters(entry.signature, method))]


def _member(name: str, text: str) -> List[str]:
    kind, _, rest = text.partition(" ")
    entry = snapshot.Entry(name, kind, rest)
    if kind in ("f", "k", "s"):
        return _function(name, entry, "    ", {"k": "@classmethod", "s": "@staticmethod"}.get(kind, ""))
    return ["    %s: Any" % name]


def _is_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _class(name: str, lists: snapshot.Snapshot, dotted: str) -> List[str]:
    block = lists.block(dotted)
    members: List[str] = []
    for member in sorted(block.lines) if block is not None else ():
        if _is_name(member) and block is not None and member != "mro":
            members += _member(member, block.lines[member])
    body = members or ["    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."]
    # What is not listed is unknown, not an error.
    return ["class %s:" % name, *body, "    def __getattr__(self, name: str) -> Any: ..."]


def stub(header: str, lists: snapshot.Snapshot, children: Set[str]) -> str:
    """The text of one namespace's __init__.pyi."""
    block = lists.block(header)
    assert block is not None
    lines = [_HEAD]
    lines += ["from . import %s as %s" % (name, name) for name in sorted(children)]
    for name in sorted(block.lines):
        entry = lists.entry(header + "." + name)
        if entry is None or not _is_name(name) or name in children:
            continue
        if entry.kind == "c":
            lines += _class(name, lists, entry.dotted)
        elif entry.kind == "f":
            lines += _function(name, entry, "")
        else:
            lines.append("%s: Any" % name)
    lines.append("def __getattr__(name: str) -> Any: ...")
    return "\n".join(lines) + "\n"


def files() -> Dict[str, str]:
    """{path below shapeflow-stubs: text}."""
    lists = snapshot.of(VERSION)
    spaces = ["tf"] + [h for h in lists.headers() if h.startswith("tf.") and not h.startswith(WITHOUT)
                       and (lists.entry(h) or snapshot.Entry(h, "", "")).kind == "m"]
    found = {"py.typed": "partial\n"}
    for header in spaces:
        children = {h.rpartition(".")[2] for h in spaces if h.rpartition(".")[0] == header}
        folder = header[2:].strip(".").replace(".", "/")
        found[(folder + "/" if folder else "") + "__init__.pyi"] = stub(header, lists, children)
    return found


def write(folder: Path) -> None:
    """Writes the stub package below `folder`."""
    for path, text in files().items():
        target = folder / "shapeflow-stubs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
