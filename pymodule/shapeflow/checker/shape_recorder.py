"""Which shape each expression of a program had: what an editor shows. Off unless asked for.

The program's own sources (not installed packages) are compiled with a call around each expression
that may be a tensor: `__shapeflow_seen__(place, value)` notes shape and dtype and gives the value
back. Locations stay as they were, so that findings are the same. Names that are assigned (targets,
parameters, `for`, `with`) have a place of their own.
"""
from __future__ import annotations

import ast
import builtins
import os

from shapeflow import _core
from shapeflow.api.registry import own_module
from shapeflow.checker import source_loading
from shapeflow.checker.patches import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set

    from shapeflow.checker.patches import Patcher

_NAME = "__shapeflow_seen__"
_KERAS_TENSOR = "keras.src.backend.common.keras_tensor"
_ITEMS = 4  # of a tuple or list that are shown
_TEXTS = 3

_WRAPPED = (ast.Call, ast.Attribute, ast.Subscript, ast.Name, ast.BinOp, ast.UnaryOp, ast.IfExp,
            ast.Compare, ast.BoolOp, ast.Await, ast.ListComp)
_CONSTANT = (ast.Constant, ast.JoinedStr)

_places: List[Dict[str, object]] = []
_structures: Dict[int, List[str]] = {}


def _place(path: str, node: ast.expr, name: Optional[str], assigned: bool) -> ast.Constant:
    _places.append({
        "path": path, "line": node.lineno, "column": node.col_offset, "end_line": node.end_lineno,
        "end_column": node.end_col_offset, "name": name, "assigned": assigned,
    })
    return ast.copy_location(ast.Constant(len(_places) - 1), node)


def _call(path: str, at: Any, value: ast.expr, name: Optional[str], assigned: bool) -> ast.Call:
    function = ast.copy_location(ast.Name(_NAME, ast.Load()), at)
    return ast.copy_location(
        ast.Call(function, [_place(path, at, name, assigned), value], []), at)


def _dotted(node: ast.expr) -> Optional[str]:
    """`self.w` as text; None for what is no chain of names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = _dotted(node.value)
        return None if head is None else f"{head}.{node.attr}"
    return None


class _Marker(ast.NodeTransformer):
    """Puts the calls into the tree of one file."""

    def __init__(self, path: str, tree: ast.AST) -> None:
        self.path = path
        self.modules: Set[str] = set(dir(builtins))
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self.modules.add(alias.asname or alias.name.partition(".")[0])

    # --- expressions ------------------------------------------------------------------------------
    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _CONSTANT):
            return node  # columns within f-strings mean nothing before Python 3.12
        if not isinstance(node, _WRAPPED) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return super().visit(node)
        if isinstance(node, (ast.Name, ast.Attribute)) and self._is_module(node):
            return node
        if isinstance(node, (ast.UnaryOp, ast.BinOp)) and _is_number(node):
            return node
        name = _dotted(node)
        changed = super().visit(node)
        return _call(self.path, node, changed, name, False)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(item) for item in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def _is_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.modules

    # --- names that get a value -------------------------------------------------------------------
    def _noted(self, targets: Sequence[Optional[ast.AST]]) -> List[ast.stmt]:
        """Statements that note the names among assigned targets."""
        found: List[ast.stmt] = []
        for target in targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                found += self._noted(target.elts)
            elif isinstance(target, ast.Starred):
                found += self._noted([target.value])
            elif isinstance(target, ast.Name):
                value = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                call = _call(self.path, target, value, target.id, True)
                found.append(ast.copy_location(ast.Expr(call), target))
        return found

    def visit_Assign(self, node: ast.Assign) -> object:
        attributes = [(target, _dotted(target)) for target in node.targets
                      if isinstance(target, ast.Attribute)]
        self.generic_visit(node)
        for target, name in attributes:  # reading it again might run a property
            node.value = _call(self.path, target, node.value, name, True)
        return [node, *self._noted(node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> object:
        node.value = self.visit(node.value)
        return [node, *self._noted([node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> object:
        if node.value is None:
            return node
        node.value = self.visit(node.value)
        return [node, *self._noted([node.target])]

    def _loop(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body = [*self._noted([node.target]), *node.body]
        return node

    visit_For = visit_AsyncFor = _loop

    def _with(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body = [*self._noted([item.optional_vars for item in node.items]), *node.body]
        return node

    visit_With = visit_AsyncWith = _with

    def _function(self, node: Any) -> Any:
        given = node.args
        given.defaults = [self.visit(item) for item in given.defaults]
        given.kw_defaults = [item and self.visit(item) for item in given.kw_defaults]
        names = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs]
        notes: List[ast.stmt] = []
        for argument in names:
            if argument is not None and argument.arg not in ("self", "cls"):
                value = ast.copy_location(ast.Name(argument.arg, ast.Load()), argument)
                call = _call(self.path, argument, value, argument.arg, True)
                _places[-1].update(end_line=argument.lineno, end_column=argument.col_offset + len(
                    argument.arg.encode()))  # without the annotation
                notes.append(ast.copy_location(ast.Expr(call), argument))
        first = node.body[0]
        head = [first] if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else []
        body: List[ast.stmt] = []
        for statement in node.body[len(head):]:
            changed = self.visit(statement)
            body += changed if isinstance(changed, list) else [changed]
        node.body = [*head, *notes, *body]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    # --- what has no value of interest, or none that may be wrapped ---------------------------------
    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    def visit_match_case(self, node: Any) -> Any:
        node.guard = node.guard and self.visit(node.guard)
        body: List[ast.stmt] = []
        for statement in node.body:
            changed = self.visit(statement)
            body += changed if isinstance(changed, list) else [changed]
        node.body = body
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        if not isinstance(node.value, ast.Constant):  # a docstring stays the first statement
            node.value = self.visit(node.value)
        return node


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant)


def compile_noting(source: Any, path: str, flags: int = 0) -> CodeType:
    """The code of a file, with the calls. SyntaxError and ValueError as from compile()."""
    tree = compile(source, path, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    try:
        marked = _Marker(path, tree).visit(tree)
        code: CodeType = compile(marked, path, "exec", flags, dont_inherit=True)
    except RecursionError:
        code = compile(source, path, "exec", flags, dont_inherit=True)
    return code


# --- what was seen ----------------------------------------------------------------------------------
def describe(value: object, depth: int = 0) -> Optional[str]:
    """`[batch, 10] float32`, `(..., ...)` of a tuple or list with tensors in it; else None."""
    known = _core.shape_and_dtype(value)
    if known is not None:
        return f"{known[0]} {known[1]}"
    if not isinstance(value, (tuple, list)):
        return _object(value) if depth == 0 else None
    if depth > 2:
        return None
    parts = [describe(item, depth + 1) for item in value[:_ITEMS]]
    if not any(parts):
        return None
    if isinstance(value, list) and len(set(parts)) == 1 and len(value) != 1:
        return f"list of {parts[0]}"
    words = [part or type(item).__name__ for part, item in zip(parts, value)]
    fields = getattr(value, "_fields", None)
    if fields and len(fields) == len(value):
        words = [f"{field}={word}" for field, word in zip(fields, words)]
    inner = ", ".join(words + ["..."] * (len(value) > _ITEMS))
    return f"[{inner}]" if isinstance(value, list) else f"({inner})"


def _object(value: Any) -> Optional[str]:
    """A data set by its elements, a model by what goes in and comes out."""
    kind = type(value)
    if not any(own_module(base).startswith(("shapeflow.tensorflow.", "keras.src.")) for base in kind.__mro__):
        return None
    if hasattr(kind, "element_spec"):
        return f"Dataset of {_spec(value.element_spec)}"
    if hasattr(kind, "summary") and getattr(value, "built", False):
        given, made = (_ends(getattr(value, name, None)) for name in ("inputs", "outputs"))
        return f"{kind.__name__} of {given} -> {made}" if given and made else None
    return None


def _ends(tensors: object) -> Optional[str]:
    one = tensors[0] if isinstance(tensors, list) and len(tensors) == 1 else tensors
    return _symbolic(one) if type(one).__module__ == _KERAS_TENSOR else describe(one)


def _symbolic(tensor: Any) -> str:
    """Of an input or output of a model of the installed Keras."""
    dims = ["batch" if dim is None and not at else "?" if dim is None else str(dim)
            for at, dim in enumerate(tensor.shape)]
    return f"[{', '.join(dims)}] {tensor.dtype}"


def _spec(spec: Any) -> str:
    if isinstance(spec, dict):
        return "{" + ", ".join(f"{key}: {_spec(item)}" for key, item in spec.items()) + "}"
    if isinstance(spec, (tuple, list)):
        return "(" + ", ".join(map(_spec, spec)) + ")"
    shape = getattr(spec, "shape", None)
    if shape is None:
        return type(spec).__name__
    dims = "<unknown>" if shape.rank is None else \
        "[" + ", ".join("?" if dim is None else str(dim) for dim in shape.as_list()) + "]"
    return f"{dims} {spec.dtype.name}"


def _structure(place: int, value: Any) -> None:
    try:
        text = describe(value)
    except Exception:  # of an odd object: nothing is shown
        return
    texts = _structures.setdefault(place, [])
    if text is not None and text not in texts and len(texts) < _TEXTS:
        texts.append(text)


def start(by: Patcher, is_user_file: Any, compile_file: Callable[[Any, str], CodeType] = compile_noting
          ) -> None:
    """From here on modules are compiled by `compile_file`, with the calls, if is_user_file(path)."""
    _places.clear()
    _structures.clear()
    _core.set_seen_hook(_structure)
    if vars(builtins).get(_NAME) is not _core.seen:
        # It stays: what was compiled with the calls may run after the check, from atexit or in a thread.
        PROCESS.by(by.owner, by.reason).set(builtins, _NAME, _core.seen)
    source_loading.compile_whole(by, is_user_file,
                                 lambda source, path: compile_file(source, os.path.abspath(path)))


def collected() -> List[Dict[str, object]]:
    """[{path, line, column, end_line, end_column, name, assigned, types: [{shape, dtype, kind}]}] of the
    places that had a tensor or an array, columns in bytes of UTF-8; kind is "tensor", "array" or
    "structure" (whose shape is the text of all of it)."""
    found = []
    kinds = _core.shapes_seen()
    for place in sorted({*kinds, *_structures}):
        types = [{"shape": shape, "dtype": dtype, "kind": kind}
                 for shape, dtype, kind in kinds.get(place, ())]
        types += [{"shape": text, "dtype": "", "kind": "structure"}
                  for text in _structures.get(place, ())]
        if types:
            found.append({**_places[place], "types": types[:_TEXTS]})
    return found
