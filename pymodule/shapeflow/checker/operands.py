"""Which expressions of the user's line are the operands of the op that failed.

Evidence, no guesses: an argument bears the operand's name in the API's signature; or the operand was
made where the expression stands, or where the name in it was assigned or handed in; or they are the two
sides of an operator. Without column ranges (Python before 3.11) nothing is found.
"""
from __future__ import annotations

import ast

from shapeflow.checker.source_lines import line_of, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

    FrameTuple = Tuple[str, int, int, int, int, str]
    Place = Tuple[int, int, int, int]
    Node = Union[ast.expr, ast.AugAssign]
    Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
    Binding = Tuple[ast.stmt, ast.expr]

# An operand that the failing call itself made of its argument, without a change of shape.
_CONVERSIONS = frozenset({"Const", "NoOp", "Pack", "ReadVariableOp", "Cast"})
# What an operand is called by the functions that take it, where that is not its name in the op.
_OTHER_NAMES = {
    "features": ("logits", "x"), "logits": ("logits",), "labels": ("labels",),
    "filter": ("filters", "kernel"), "input": ("value", "inputs", "image", "x", "input_tensor"),
    "x": ("a",), "y": ("b",), "dim": ("axis",), "axis": ("dim", "concat_dim"),
    "reduction_indices": ("axis",), "multiples": ("multiples",), "params": ("params",),
    "indices": ("ids",), "dimension": ("axis",), "input_sizes": ("output_shape",),
    "shape": ("dims", "size"), "out_backprop": ("value", "input"), "perm": ("perm",),
    "value": ("value", "inputs"), "paddings": ("paddings",),
    "split_dim": ("axis",), "begin": ("begin",), "size": ("size",), "data": ("data",),
}
_NUMPY = frozenset({"add", "subtract", "multiply", "divide", "true_divide", "power", "maximum",
                    "minimum", "equal", "not_equal", "less", "greater", "dot", "matmul"})
_DEPTH = 6  # names followed through assignments and calls


class _File:
    """The tree of one source file, with its expressions by their place."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.parents: Dict[ast.AST, ast.AST] = {}
        self.places: Dict[Place, List[Node]] = {}
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            if isinstance(node, (ast.expr, ast.AugAssign)):
                self.places.setdefault(place_of(node), []).append(node)
        self._values: Dict[ast.AST, Dict[str, List[ast.expr]]] = {}
        self._bindings: Dict[ast.AST, Dict[str, List[Binding]]] = {}
        self._imports: Optional[Dict[str, str]] = None
        self._ends: Dict[Tuple[int, int], List[Tuple[Place, List[Node]]]] = {}
        self._functions: Optional[Dict[str, List[Function]]] = None

    # Each index is made when the first finding asks, and holds for all: time grows with findings, not with
    # their number times the file's length.
    def ending_at(self, line: int, column: int) -> Sequence[Tuple[Place, List[Node]]]:
        """What ends there."""
        if not self._ends:
            for place, nodes in self.places.items():
                self._ends.setdefault(place[2:], []).append((place, nodes))
        return self._ends.get((line, column), ())

    def functions(self, name: str) -> Sequence[Function]:
        if self._functions is None:
            self._functions = {}
            for node in ast.walk(self.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self._functions.setdefault(node.name, []).append(node)
        return self._functions.get(name, ())

    def bindings_of(self, scope: ast.AST, name: str) -> Sequence[Binding]:
        """The statements of `scope` that give `name` a value."""
        found = self._bindings.get(scope)
        if found is None:
            found = self._bindings[scope] = {}
            for node, targets, end in _bindings(scope):
                for bound in {part.id for target in targets for part in ast.walk(target)
                              if isinstance(part, ast.Name)}:
                    found.setdefault(bound, []).append((node, end))
        return found.get(name, ())

    def values_of(self, scope: ast.AST, text: str) -> Sequence[ast.expr]:
        """The values that statements of `scope` give to the name or attribute `text`."""
        found = self._values.get(scope)
        if found is None:
            found = self._values[scope] = {}
            for target, value in _assignments(scope):
                found.setdefault(ast.unparse(target), []).append(value)
        return found.get(text, ())

    @property
    def imports(self) -> Dict[str, str]:
        """{name in the file: "tf..." of TensorFlow}."""
        if self._imports is None:
            self._imports = _imports(self.tree)
        return self._imports

    def scope_of(self, node: ast.AST) -> ast.AST:
        """The function, lambda or module that `node` stands in."""
        scope = self.parents.get(node)
        while scope is not None and not isinstance(
                scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)):
            scope = self.parents.get(scope)
        return scope or self.tree


_files: Dict[str, Tuple[List[str], Optional[_File]]] = {}


def _file(path: str) -> Optional[_File]:
    lines = lines_of(path)
    known = _files.get(path)
    if known is None or known[0] is not lines and known[0] != lines:  # linecache keeps one list of a file
        tree: Optional[_File]
        try:
            tree = _File(ast.parse("".join(lines)))
        except (SyntaxError, ValueError, RecursionError):
            tree = None
        known = _files[path] = (lines, tree)
    return known[1]


def place_of(node: Node) -> Place:
    """(line, column, end line, end column), as the interpreter counts: columns in bytes of UTF-8."""
    end_line, end_column = node.end_lineno, node.end_col_offset
    assert end_line is not None and end_column is not None
    return node.lineno, node.col_offset, end_line, end_column


def _frame_place(frame: FrameTuple) -> Place:
    return frame[1], frame[2], frame[3], frame[4]


def expression_at(frame: FrameTuple) -> Optional[Node]:
    """The expression whose columns the frame names; a method's call may begin at the method's line."""
    file = _file(frame[0])
    if file is None or frame[2] < 0:
        return None
    exact = file.places.get(_frame_place(frame))
    if exact:
        calls = [node for node in exact if isinstance(node, ast.Call)]
        return (calls or exact)[0]
    ends = [nodes[0] for place, nodes in file.ending_at(frame[3], frame[4])
            if place[:2] <= (frame[1], frame[2]) and isinstance(nodes[0], ast.Call)]
    return ends[0] if len(ends) == 1 else None


# --- where a value comes from -------------------------------------------------------------------
def _assignments(scope: ast.AST) -> Iterator[Tuple[ast.expr, ast.expr]]:
    """(target, value) of the statements of `scope`; of tuples those of their elements."""
    for node in ast.walk(scope):
        targets: Sequence[ast.expr] = ()
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            targets = [node.target]
        value = getattr(node, "value", None)
        for target in targets:
            if value is None:
                continue
            if not isinstance(target, (ast.Tuple, ast.List)):
                yield target, value
            elif isinstance(value, (ast.Tuple, ast.List)):
                yield from zip(target.elts, value.elts)
            else:
                yield from ((element, value) for element in target.elts)


def _parameters(scope: ast.AST) -> List[str]:
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return []
    names = [argument.arg for argument in [*scope.args.posonlyargs, *scope.args.args]]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _argument(call: Node, parameters: Sequence[str], name: str) -> Optional[ast.expr]:
    if not isinstance(call, ast.Call):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    at = parameters.index(name)
    if at < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[:at + 1]):
        return call.args[at]
    return None


def _origins(expr: ast.expr, frames: Sequence[FrameTuple], depth: int = 0
             ) -> Iterator[Tuple[str, Place]]:
    """Where the value of `expr` may have been made: itself, what was assigned to it, what was handed in.
    frames: the chain of calls, innermost first; `expr` stands in the first one's file."""
    file = _file(frames[0][0])
    if file is None or depth > _DEPTH:
        return
    yield frames[0][0], place_of(expr)
    if not isinstance(expr, (ast.Name, ast.Attribute)):
        return
    text = ast.unparse(expr)
    scope = file.scope_of(expr)
    parameters = _parameters(scope)
    if text in parameters and len(frames) > 1:
        call = expression_at(frames[1])
        handed = _argument(call, parameters, text) if call is not None else None
        if handed is not None:
            yield from _origins(handed, frames[1:], depth + 1)
    scopes = [file.tree] if isinstance(expr, ast.Attribute) else [scope, file.tree]
    for where in scopes:
        values = file.values_of(where, text)
        for value in values:
            yield frames[0][0], place_of(value)
            if isinstance(value, (ast.Name, ast.Attribute)) and ast.unparse(value) != text:
                yield from _origins(value, frames, depth + 1)
        if values:
            return


def in_plain_function(frame: FrameTuple) -> bool:
    """Is it in a function that is no method: a helper that its callers tell what to make?"""
    file = _file(frame[0])
    if file is None or frame[5].startswith("<"):
        return False
    found = [node for node in file.functions(frame[5])
             if node.lineno <= frame[1] <= (node.end_lineno or node.lineno)]
    return bool(found) and not any(isinstance(file.parents.get(node), ast.ClassDef) for node in found)


# --- which argument is which operand ------------------------------------------------------------
def _dotted(node: ast.expr) -> str:
    parts: List[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _public(dotted: str) -> str:
    """`from tensorflow.python.ops.nn import conv2d` is tf.nn.conv2d, of other files tf.<name>."""
    if not dotted.startswith("tf.python."):
        return dotted
    parts = dotted.split(".")
    return ("tf.nn." if "nn" in parts or "nn_ops" in parts else "tf.") + parts[-1]


def _imports(tree: ast.Module) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = \
                    alias.name if alias.asname else alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    ours = {}
    for name, dotted in found.items():
        head, _, rest = dotted.partition(".")
        if head in ("tensorflow", "shapeflow"):
            ours[name] = _public("tf." + rest if rest else "tf")
    return ours


def _signature(call: ast.Call, path: str) -> List[str]:
    """The parameters of the API function that is called; [] when it is no modelled one."""
    file = _file(path)
    dotted = _dotted(call.func)
    if file is None or not dotted:
        return []
    head, _, rest = dotted.partition(".")
    # Imported elsewhere: by a star, or in another cell of a notebook.
    base = file.imports.get(head, "tf" if head == "tf" else None)
    if base is None:
        return []
    import inspect

    from shapeflow import _core

    full = f"{base}.{rest}" if rest else base
    for prefix, version in (("tf.compat.v1.", 1), ("tf.compat.v2.", 2)):
        if full.startswith(prefix):
            full, versions = "tf." + full[len(prefix):], (version,)
            break
    else:
        versions = (2, 1) if _core.get_version().startswith("2") else (1,)  # type: ignore
    for version in versions:
        function = _core.api_function(full, version)
        if function is not None:
            try:
                return list(inspect.signature(function).parameters)
            except (TypeError, ValueError):
                return []
    return []


def _by_name(call: ast.Call, path: str) -> Dict[str, ast.expr]:
    """{parameter: expression} of a call of a modelled function."""
    parameters = _signature(call, path)
    found: Dict[str, ast.expr] = {}
    for name, argument in zip(parameters, call.args):
        if isinstance(argument, ast.Starred):
            break
        found[name] = argument
    for keyword in call.keywords:
        if keyword.arg in parameters:
            found[keyword.arg or ""] = keyword.value
    return found


def _arguments(call: ast.Call) -> List[ast.expr]:
    """What is handed over: the receiver of a method, arguments, elements of lists."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        given.insert(0, call.func.value)
    out: List[ast.expr] = []
    for item in given:
        out.extend(item.elts if isinstance(item, (ast.List, ast.Tuple)) else [item])
    return out


def _named(name: str, given: Dict[str, ast.expr]) -> Optional[ast.expr]:
    base, bracket, index = name.partition("[")
    for candidate in (base, *_OTHER_NAMES.get(base, ())):
        expr = given.get(candidate)
        if expr is None:
            continue
        if not bracket:
            return expr
        number = int(index.rstrip("]"))
        if isinstance(expr, (ast.List, ast.Tuple)) and number < len(expr.elts):
            return expr.elts[number]
    return None


class Match:
    """What the AST says of a failing line: the expression of each operand (None: not found), and the
    part of the primary expression that is the operation itself, as a place."""

    def __init__(self, operands: List[Optional[Place]], focus: Optional[Place]) -> None:
        self.operands = operands
        self.focus = focus


def _same_call(operand: Dict[str, Any], frames: Sequence[FrameTuple]) -> bool:
    made: List[FrameTuple] = operand.get("frames") or []
    return bool(made) and tuple(made[0]) == tuple(frames[0])


def _by_call(call: ast.Call, frames: Sequence[FrameTuple], operands: Sequence[Dict[str, Any]]
             ) -> List[Optional[ast.expr]]:
    given = _by_name(call, frames[0][0])
    found: List[Optional[ast.expr]] = []
    for operand in operands:
        # What the call itself computed from its argument has another shape than the argument.
        direct = not _same_call(operand, frames) or bool(operand["given_frames"]) or \
            operand.get("producer_type") in _CONVERSIONS
        found.append(_named(operand["name"], given) if direct else None)
    candidates = [(expr, set(_origins(expr, frames))) for expr in _arguments(call)]
    for i, operand in enumerate(operands):
        if found[i] is not None:
            continue
        made = {(frame[0], _frame_place(frame)) for frame in operand["given_frames"] if frame[2] >= 0}
        # A frame that both have in common is a caller: it made everything.
        made -= {(frame[0], _frame_place(frame)) for frame in frames}
        matches = [expr for expr, places in candidates if places & made]
        if len(matches) == 1:
            found[i] = matches[0]
    seen: List[ast.expr] = [expr for expr in found if expr is not None]
    return [None if expr is not None and seen.count(expr) > 1 and not _square(operands) else expr
            for expr in found]


def _square(operands: Sequence[Mapping[str, object]]) -> bool:
    """Are all operands one tensor?"""
    return len({(o["shape"], o.get("producer")) for o in operands}) == 1


def _between(left: ast.expr, right: ast.expr, text: str, line: int) -> Optional[Place]:
    """The operator between its two sides, on one line."""
    if left.end_lineno != right.lineno or left.end_lineno != line:
        return None
    raw = text.encode("utf-8")
    start, stop = left.end_col_offset or 0, right.col_offset
    sign = raw[start:stop]
    kept = sign.strip(b" \t()")
    if not kept:
        return None
    at = start + sign.find(kept)
    return line, at, line, at + len(kept)


def _by_operator(expr: Node, frame: FrameTuple, operands: Sequence[Mapping[str, object]]
                 ) -> Optional[Match]:
    if isinstance(expr, ast.BinOp):
        sides = [expr.left, expr.right]
    elif isinstance(expr, ast.AugAssign):
        sides = [expr.target, expr.value]
    elif isinstance(expr, ast.Compare) and len(expr.comparators) == 1:
        sides = [expr.left, expr.comparators[0]]
    elif isinstance(expr, ast.Subscript):
        value = expr.value
        places: List[Optional[Place]] = [place_of(value), *[None] * (len(operands) - 1)]
        focus = (value.end_lineno or 0, value.end_col_offset or 0, expr.end_lineno or 0,
                 expr.end_col_offset or 0)
        return Match(places, focus)
    else:
        return None
    if len(operands) != 2:
        return None
    text = line_of(frame[0], sides[0].end_lineno or 0)
    return Match([place_of(side) for side in sides],
                 _between(sides[0], sides[1], text, sides[0].end_lineno or 0))


def _focus_of(call: ast.Call, found: Sequence[Optional[ast.expr]]) -> Place:
    """The name of what is called, without the receiver of a method that is an operand itself."""
    line, column, end_line, end_column = place_of(call.func)
    if isinstance(call.func, ast.Attribute):
        value = call.func.value
        if value in found or not _dotted(value):
            line, column = value.end_lineno or line, value.end_col_offset or column
    return line, column, end_line, end_column


def match(frames: Sequence[FrameTuple], operands: Sequence[Dict[str, Any]]) -> Optional[Match]:
    """frames: where the op was made, innermost first; operands: as of a `_core.Finding`."""
    if not frames or not operands:
        return None
    expr = expression_at(frames[0])
    if expr is None:
        return None
    if not isinstance(expr, ast.Call):
        return _by_operator(expr, frames[0], operands)
    found = _by_call(expr, frames, operands)
    if not any(item is not None for item in found):
        return None
    return Match([place_of(item) if item is not None else None for item in found],
                 _focus_of(expr, found))


def receiver(frame: FrameTuple) -> Optional[Place]:
    """`y` of `y.set_shape(...)`."""
    call = expression_at(frame)
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return place_of(call.func.value)
    return None


def assignment(frame: FrameTuple, place: Place) -> Optional[Place]:
    """The statement that gave the name at `place` its value: the last one above it in its function."""
    file = _file(frame[0])
    names = [node for node in file.places.get(place, ()) if isinstance(node, ast.Name)] if file else []
    if file is None or not names:
        return None
    found: List[Tuple[int, int, Place]] = []
    for node, end in file.bindings_of(file.scope_of(names[0]), names[0].id):
        if node.lineno <= place[0]:
            found.append((node.lineno, node.col_offset, (node.lineno, node.col_offset, *place_of(end)[2:])))
    return max(found)[2] if found else None


def _bindings(scope: ast.AST) -> Iterator[Tuple[ast.stmt, Sequence[ast.expr], ast.expr]]:
    """(statement, targets, what they are given) of the assignments and loops of `scope`."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            yield node, node.targets, node.value
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            yield node, [node.target], node.value
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            yield node, [node.target], node.iter


def numpy_operands(frame: FrameTuple) -> Optional[Match]:
    """The two operands of an operator, or of a function of numpy that works element by element."""
    expr = expression_at(frame)
    pair: List[Dict[str, Any]] = [{}, {}]
    if isinstance(expr, ast.Call):
        name = _dotted(expr.func).rpartition(".")
        if name[0] not in ("np", "numpy") or name[2] not in _NUMPY or len(expr.args) != 2 or \
                any(isinstance(argument, ast.Starred) for argument in expr.args):
            return None
        return Match([place_of(argument) for argument in expr.args], place_of(expr.func))
    return _by_operator(expr, frame, pair) if isinstance(expr, (ast.BinOp, ast.AugAssign)) else None


def argument(frame: FrameTuple, name: str) -> Optional[Tuple[Place, Place]]:
    """(function, argument) of a call: the argument called `name`, or the first one."""
    call = expression_at(frame)
    if not isinstance(call, ast.Call):
        return None
    given = [keyword.value for keyword in call.keywords if keyword.arg == name] or call.args[:1]
    if not given or isinstance(given[0], ast.Starred):
        return None
    return place_of(call.func), place_of(given[0])


def fed_value(frames: Sequence[FrameTuple], made: Sequence[FrameTuple]
              ) -> Optional[Tuple[Place, Place]]:
    """(key, value) in the feed_dict of the session.run at frames[0], for the placeholder made at `made`."""
    call = expression_at(frames[0]) if frames else None
    if not isinstance(call, ast.Call):
        return None
    wanted = {(frame[0], _frame_place(frame)) for frame in made if frame[2] >= 0}
    wanted -= {(frame[0], _frame_place(frame)) for frame in frames}
    found = []
    for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
        if isinstance(given, ast.Name):  # feed = {...} before the call
            file = _file(frames[0][0])
            values = file.values_of(file.scope_of(given), given.id) if file else ()
            given = values[0] if len(values) == 1 and values[0].lineno == call.lineno else given
        if isinstance(given, ast.Dict):
            for key, value in zip(given.keys, given.values):
                if key is not None and set(_origins(key, frames)) & wanted:
                    found.append((place_of(key), place_of(value)))
    return found[0] if len(found) == 1 else None


_TRAINING = {"fit": ("x", "y", "batch_size", "epochs"), "evaluate": ("x", "y"), "predict": ("x",),
             "train_on_batch": ("x", "y", "sample_weight"), "test_on_batch": ("x", "y", "sample_weight"),
             "predict_on_batch": ("x",), "fit_generator": ("x",)}


def training_argument(frames: Sequence[FrameTuple], parameter: str) -> Optional[Tuple[FrameTuple, Place]]:
    """Where the data were made that a call of `fit` or its kin at frames[0] got by `parameter`: (frame in
    whose function that stands, place of the statement or expression)."""
    call = expression_at(frames[0]) if frames else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or \
            call.func.attr not in _TRAINING:
        return None
    given = [keyword.value for keyword in call.keywords if keyword.arg == parameter]
    order = _TRAINING[call.func.attr]
    at = order.index(parameter) if parameter in order else len(call.args)
    if not given and at < len(call.args):
        given = call.args[at:at + 1]
    if not given or isinstance(given[0], ast.Starred):
        return None
    return _made(given[0], frames, 0)


def _made(expr: ast.expr, frames: Sequence[FrameTuple], depth: int) -> Optional[Tuple[FrameTuple, Place]]:
    """Of a name the statement that gave it its value, in the function or, of a parameter, in its callers."""
    file = _file(frames[0][0])
    if file is None or depth > _DEPTH:
        return None
    if isinstance(expr, ast.Name):
        place = assignment(frames[0], place_of(expr))
        if place is not None:
            return frames[0], place
        parameters = _parameters(file.scope_of(expr))
        call = expression_at(frames[1]) if expr.id in parameters and len(frames) > 1 else None
        handed = _argument(call, parameters, expr.id) if call is not None else None
        return _made(handed, frames[1:], depth + 1) if handed is not None else None
    if isinstance(expr, ast.Attribute):
        values = file.values_of(file.tree, ast.unparse(expr))
        return (frames[0], place_of(values[0])) if len(values) == 1 else None
    return frames[0], place_of(expr)
