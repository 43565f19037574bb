"""`array.tostring()`, which numpy 2.3 took away, in programs of TensorFlow 1: numpy had it in their time.

numpy's array is a class of C, to which nobody can add a method. So where a file of the program says
`.tostring`, the attribute is looked up here: as Python does, and where an array lacks it, its `tobytes`,
which is the same. Lines and columns stay what they were.
"""
from __future__ import annotations

import sys

from shapeflow.api import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Union


def changed(source: object, path: str) -> object:
    """The tree of a source that has the name, changed; any other source, or tree, as it is."""
    text = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if not isinstance(text, bytes) or b".tostring" not in text:
        return source
    import ast

    try:
        tree = ast.parse(source if isinstance(source, (str, bytes)) else text, path)
    except (SyntaxError, ValueError, RecursionError):
        return source  # its compilation says it

    class Rewriter(ast.NodeTransformer):
        """`x.tostring` becomes a call of `tostring` below; what is assigned or deleted stays."""

        def visit_Attribute(self, node: ast.Attribute) -> Union[ast.Attribute, ast.Call]:
            self.generic_visit(node)
            if node.attr != "tostring" or not isinstance(node.ctx, ast.Load):
                return node
            made = ast.parse(_LOOKED_UP, mode="eval").body
            assert isinstance(made, ast.Call)
            for part in ast.walk(made):
                ast.copy_location(part, node)
            made.args = [node.value]
            return made

    found: object = Rewriter().visit(tree)
    return found


_LOOKED_UP = f"__import__({__name__!r}, None, None, ('tostring',)).tostring(None)"


def tostring(owner: object) -> object:
    """`owner.tostring`."""
    try:
        return owner.tostring  # type: ignore[attr-defined]
    except AttributeError:
        numpy = sys.modules.get("numpy")
        if names.emulated() < (2, 0) and numpy is not None and \
                isinstance(owner, (numpy.ndarray, numpy.generic)):
            return owner.tobytes
        raise
