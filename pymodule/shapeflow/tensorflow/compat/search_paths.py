"""Folders that a program puts on sys.path itself, and files that it runs, as far as the text says which."""
from __future__ import annotations

import _ast
import os

from shapeflow.tensorflow.compat.evidence import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Iterator, Optional

    from shapeflow.tensorflow.compat.evidence import FileEvidence

_DEEP = 12  # names that stand for names
_OPENING = frozenset({"open", "read", "read_text", "read_bytes", "decode", "compile", "readlines", "join"})
_SAME = frozenset("abspath realpath normpath expanduser resolve absolute str Path fspath".split())


def folders(file: FileEvidence) -> Iterator[str]:
    """Those that are there; relative ones are the script's folder's, where a program is mostly started."""
    for node in file.search_paths:
        text = _text(node, file, 0)
        if text:
            folder = os.path.normpath(os.path.join(os.path.dirname(file.path), text))
            if os.path.isdir(folder):
                yield folder


def files_run(file: FileEvidence) -> Iterator[str]:
    """Those that are there of the files that `exec(open(...).read())` and the like run."""
    for node, is_path in file.runs:
        text = _text(node, file, 0) if is_path else _opened(node, file, 0)
        if text and text.endswith(".py"):
            path = os.path.normpath(os.path.join(os.path.dirname(file.path), text))
            if os.path.isfile(path):
                yield path


def _opened(node: Optional[ast.expr], file: FileEvidence, depth: int) -> Optional[str]:
    """The path of the file whose text an expression is; None: nobody knows."""
    depth += 1
    if isinstance(node, _ast.Name) and depth <= _DEEP:
        return _opened(file.values.get(node.id), file, depth)
    if not isinstance(node, _ast.Call) or depth > _DEEP:
        return None
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name not in _OPENING:
        return None
    if name == "compile" or name == "join":  # of the lines of a file
        return _opened(node.args[0], file, depth) if node.args else None
    if isinstance(node.func, _ast.Attribute):
        owner = node.func.value
        if name != "open":
            inner = _opened(owner, file, depth)
            return inner if inner is not None or not name.startswith("read_") else _text(owner, file, depth)
        if not node.args or not chain(owner):  # of a pathlib.Path
            return _text(owner, file, depth)
    return _text(node.args[0], file, depth) if node.args else None


def _text(node: Optional[ast.expr], file: FileEvidence, depth: int) -> Optional[str]:
    """The path that an expression is; None: nobody knows."""
    depth += 1
    if node is None or depth > _DEEP:
        return None
    if isinstance(node, _ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, _ast.Name):
        return file.path if node.id == "__file__" else _text(file.values.get(node.id), file, depth)
    if isinstance(node, _ast.Attribute):
        owner = _text(node.value, file, depth) if node.attr == "parent" else None
        return os.path.dirname(owner) if owner is not None else None
    if isinstance(node, _ast.BinOp):
        left, right = _text(node.left, file, depth), _text(node.right, file, depth)
        if left is None or right is None or not isinstance(node.op, (_ast.Add, _ast.Div)):
            return None
        return left + right if isinstance(node.op, _ast.Add) else os.path.join(left, right)
    return _of_call(node, file, depth) if isinstance(node, _ast.Call) else None


def _of_call(call: ast.Call, file: FileEvidence, depth: int) -> Optional[str]:
    names = chain(call.func)
    name = call.func.attr if isinstance(call.func, _ast.Attribute) else names[0] if names is not None else ""
    if name == "getcwd":
        return ""
    if not call.args and isinstance(call.func, _ast.Attribute):  # of a pathlib.Path
        return _text(call.func.value, file, depth) if name in _SAME else None
    parts = [_text(argument, file, depth) for argument in call.args]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts) or call.keywords:
        return None
    if name == "join" or name == "Path":
        return os.path.join(*known)
    if name == "dirname":
        return os.path.dirname(known[0])
    return known[0] if name in _SAME else None
