"""The way out of data that are not there: declarations of them, ready to be completed."""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, List, Sequence, Tuple

_ARRAYS, _TABLES = (".npy", ".jpg", ".jpeg", ".png", ".wav"), (".csv", ".tsv", ".xlsx", ".parquet")


def declaration(paths: Iterable[str]) -> List[str]:
    """Lines of TOML that say what such data may be like, to be completed."""
    lines = []
    for path in paths:
        suffix = os.path.splitext(path)[1].lower()
        key = '"%s"' % path.replace("\\", "\\\\").replace('"', '\\"')
        if suffix == ".npy":
            lines.append(f'{key} = {{ shape = [1000, 10], dtype = "float32" }}')
        elif suffix in _ARRAYS:
            lines.append(f'{key} = {{ shape = [224, 224, 3], dtype = "uint8" }}')
        elif suffix in (".npz", ".h5", ".hdf5", ".mat"):
            lines.append(f'{key} = {{ arrays = {{ x = {{ shape = [1000, 10], dtype = "float32" }} }} }}')
        elif suffix in _TABLES:
            lines.append(f'{key} = {{ rows = 1000, columns = ["a", "b"] }}')
        elif suffix:
            lines.append(f"{key} = {{ lines = 1000 }}")
        else:
            lines.append(f'{key} = {{ files = 100, classes = ["a", "b"], suffix = ".jpg", '
                         "shape = [224, 224, 3] }")
    return lines


def write_stubs(paths: Sequence[str], root: str) -> Tuple[str, List[str]]:
    """Adds declarations for paths that have none to pyproject.toml in `root`; (its path, what was added)."""
    target = os.path.join(root, "pyproject.toml")
    try:
        with open(target, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        text = ""
    lines = [line for path, line in zip(paths, declaration(paths)) if f'"{path}"' not in text]
    if lines:
        header = "[tool.shapeflow.data]"
        body = "".join(line + "\n" for line in lines)
        if header in text:
            at = text.index("\n", text.index(header)) + 1 if "\n" in text[text.index(header):] else len(text)
            text = text[:at] + body + text[at:]
        else:
            text += ("\n" if text and not text.endswith("\n\n") else "") + header + "\n" + body
        with open(target, "w", encoding="utf-8") as stream:
            stream.write(text)
    return target, lines
