"""What candidates are made from: a finding, the expression it blames, and what the names there stood
for."""

from __future__ import annotations

import ast
import re

from shapeflow.fixes.source import Edit, Source, distance, dotted, last_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

    from shapeflow.checker.findings import Record, Span

    Dim = Union[int, str, None]  # known, a symbol, unknown
    Shape = Optional[List[Dim]]  # None: unknown rank


class Candidate:
    """Edits that might mend a finding. `weight` is added to the tokens they change: what an edit costs the
    reader beyond its length, such as another loss function or a line of its own."""

    def __init__(
        self, description: str, edits: Sequence[Edit], weight: float = 0.0, kind: str = ""
    ) -> None:
        self.description = description
        self.edits = list(edits)
        self.weight = weight
        self.kind = kind
        self.tokens = 0.0
        self.away = 0.0  # lines from the guilty expression

    def key(self) -> Tuple[Any, ...]:
        return tuple(sorted(edit.key() for edit in self.edits))

    def rank(self) -> Tuple[float, float]:
        return self.tokens + self.weight, self.away

    def measure(self, sources: Dict[str, Source], at: Optional[Span]) -> None:
        """Fills in `tokens` and `away`. The same change in a second place costs next to nothing."""
        self.tokens, self.away = 0.0, 0.0
        done: Set[Tuple[str, str]] = set()
        for edit in self.edits:
            source = sources[edit.path]
            change = (source.text[edit.start : edit.end], edit.text)
            if change in done:
                self.tokens += 0.5
            else:
                self.tokens += distance(*change)
            done.add(change)
            if at is None or edit.path != at.path:
                self.away = max(self.away, 1e6)
            else:
                self.away = max(self.away, abs(source.place(edit.start)[0] - at.line))


def parse_shape(text: str) -> Shape:
    """`[batch, 784]`, `(?, 10)`, `(50,)`; None for an unknown rank."""
    text = text.strip()
    if not text or text[0] not in "[(":
        return None
    dims: List[Dim] = []
    for item in text.strip("[]()").split(","):
        item = item.strip()
        if not item:
            continue
        if item in ("?", "None"):
            dims.append(None)
        else:
            dims.append(int(item) if re.fullmatch(r"-?\d+", item) else item)
    return dims


def fits(a: Dim, b: Dim) -> bool:
    """May two dims be equal?"""
    return not isinstance(a, int) or not isinstance(b, int) or a == b


def shape_fits(a: Shape, b: Shape) -> bool:
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(fits(x, y) for x, y in zip(a, b))


def product(shape: Sequence[Dim]) -> Optional[int]:
    total = 1
    for dim in shape:
        if not isinstance(dim, int):
            return None
        total *= dim
    return total


class Value:
    """What an expression stood for when the finding was made."""

    def __init__(
        self,
        kind: str,
        shape: Shape = None,
        number: Optional[int] = None,
        ints: Optional[List[Optional[int]]] = None,
        dtype: str = "",
    ) -> None:
        self.kind = kind  # int, list, array, tensor
        self.shape = shape
        self.number = number
        self.ints = ints
        self.dtype = dtype

    @classmethod
    def of(cls, said: Dict[str, Any]) -> Value:
        if "int" in said:
            return cls("int", [], number=said["int"])
        if "list" in said:
            return cls("list", [said["list"]], ints=said.get("ints"))
        kind = "array" if "array" in said else "tensor"
        return cls(kind, said[kind], dtype=said.get("dtype", ""))


class Argument:
    """An argument of the guilty call: its expression, and the operand it became, where that is known."""

    def __init__(
        self, node: ast.expr, keyword: Optional[str], shape: Shape, kind: str, operand: int = -1
    ) -> None:
        self.node = node
        self.keyword = keyword
        self.shape = shape
        self.kind = kind
        self.operand = operand


# Arguments whose names differ from those of the ops' inputs.
_SYNONYMS = {
    "features": ("logits",),
    "values": ("value", "input", "inputs"),
    "input": ("x", "value", "inputs", "images"),
    "filter": ("filters", "kernel"),
    "tensor": ("x", "input"),
    "x": ("a", "input"),
    "y": ("b",),
    "labels": ("onehot_labels", "y_true"),
    "inputs": ("x", "input", "logits"),
    "shape": ("dims",),
    "out_backprop": ("value", "x", "input"),
    "input_sizes": ("output_shape",),
    "params": ("tensor",),
}


_FITS = frozenset({"fit", "evaluate", "predict", "fit_generator", "train_on_batch", "test_on_batch"})
_RUNS = frozenset({"run", "eval", "partial_run", "session_run"})


class Context:
    """One finding and its surroundings. Raises LookupError where there is no source to edit."""

    def __init__(
        self, record: Record, sources: Dict[str, Source], frames: Sequence[Dict[str, Any]]
    ) -> None:
        if record.primary is None or record.primary.path not in sources:
            raise LookupError("the finding has no place in a file that can be edited")
        self.record = record
        self.sources = sources
        self.frames = list(frames)
        self.source = sources[record.primary.path]
        self.operands = [parse_shape(operand.shape) for operand in record.operands]
        self.node = self.source.expression(record.primary)
        if record.primary.column < 0 and self.node is not None:
            self.node = self._likely() or self.node
        self.call = self.node if isinstance(self.node, ast.Call) else None
        self.statement = (
            self.source.statement(self.node)
            if self.node is not None
            else self.source.statement_at(record.primary.line)
        )
        self.dims: List[Dim] = self._said("dim")
        self.axes: List[int] = self._said("axis")
        self.ranks: List[int] = self._said("rank")
        self.counts: List[Dim] = self._said("count")
        self.shapes = [parse_shape(text) for text in self._said("shape")]
        self.tf = self._alias("tensorflow", "tf")
        self.np = self._alias("numpy", "")
        self.names = self.names_at(record.primary)
        self.arguments = self._arguments()

    def _said(self, kind: str) -> List[Any]:
        """What the finding's message names of one kind, in its order."""
        return [value for found, value in self.record.arguments if found == kind]

    def _likely(self) -> Optional[ast.expr]:
        """Without columns: the call on the line whose name is the op's, or its first in nesting order."""
        line = self.record.primary.line if self.record.primary else 0
        kind = (self.record.op_type or "").lower()
        calls = [c for c in self.source.calls() if c.lineno == line]
        for call in calls:
            name = last_name(call.func).lower().replace("_", "")
            if kind and name and (name in kind or kind in name):
                return call
        return None

    def _alias(self, module: str, default: str) -> str:
        """What the file calls a module."""
        for node in ast.walk(self.source.tree):
            if isinstance(node, ast.Import):
                for item in node.names:
                    if item.name == module or item.name.startswith(module + ".compat"):
                        return item.asname or item.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(module):
                for item in node.names:
                    if item.name in ("v1", "v2"):
                        return item.asname or item.name
        return default

    # --- values -------------------------------------------------------------------------------
    def names_at(self, span: Span) -> Dict[str, Any]:
        """What names stood for in the function of `span`; its file's globals when that had returned."""
        best: Dict[str, Any] = {}
        for frame in self.frames:
            if frame["path"] == span.path:
                if frame["function"] == span.function:
                    names: Dict[str, Any] = frame["names"]
                    return names
                best = best or frame["names"]
        if not best:
            for frame in self.frames:
                best = best or frame["names"]
        return best

    def value(self, node: ast.AST, names: Optional[Dict[str, Any]] = None) -> Optional[Value]:
        """What an expression of names, literals and arithmetic stands for; None when that is not known."""
        names = self.names if names is None else names
        if isinstance(node, ast.Constant):
            if type(node.value) is int:
                return Value("int", [], number=node.value)
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            ints: List[Optional[int]] = []
            for item in node.elts:
                if isinstance(item, ast.Constant) and item.value is None:
                    ints.append(None)
                    continue
                inner = self.value(item, names)
                if inner is None or inner.kind != "int":
                    return Value("list", [len(node.elts)])
                ints.append(inner.number)
            return Value("list", [len(node.elts)], ints=ints)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand, names)
            if inner is not None and inner.number is not None:
                return Value("int", [], number=-inner.number)
            return None
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left, names), self.value(node.right, names)
            if left is None or right is None or left.number is None or right.number is None:
                return None
            return _arithmetic(node.op, left.number, right.number)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            text = ast.unparse(node) if hasattr(ast, "unparse") else ""
            said = names.get(text)
            if said is not None:
                return Value.of(said)
            return self._constant(node)
        return None

    def _constant(self, node: ast.AST) -> Optional[Value]:
        """A name that the file sets to a literal once."""
        if not isinstance(node, ast.Name):
            return None
        found = self.source.definitions(node.id, node)
        if len(found) == 1 and isinstance(found[0].value, ast.Constant):
            return self.value(found[0].value)
        return None

    def number(self, node: ast.AST, names: Optional[Dict[str, Any]] = None) -> Optional[int]:
        value = self.value(node, names)
        return value.number if value is not None and value.kind == "int" else None

    # --- the call's arguments -----------------------------------------------------------------
    def _arguments(self) -> List[Argument]:
        given: List[Tuple[ast.expr, Optional[str]]] = []
        node = self.node
        if isinstance(node, ast.BinOp):
            given = [(node.left, None), (node.right, None)]
        elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
            given = [(node.left, None), (node.comparators[0], None)]
        elif isinstance(node, ast.Call):
            for item in node.args:
                if isinstance(item, (ast.List, ast.Tuple)) and self._list_of_tensors(item):
                    given += [(inner, None) for inner in item.elts]
                elif not isinstance(item, ast.Starred):
                    given.append((item, None))
            for keyword in node.keywords:
                if isinstance(keyword.value, (ast.List, ast.Tuple)) and self._list_of_tensors(
                    keyword.value
                ):
                    given += [(inner, None) for inner in keyword.value.elts]
                else:
                    given.append((keyword.value, keyword.arg))
        found = []
        for item, name in given:
            value = self.value(item)
            found.append(Argument(item, name, value.shape if value else None, value.kind if value else ""))
        self._match(found)
        return found

    def _list_of_tensors(self, node: Union[ast.List, ast.Tuple]) -> bool:
        """`[a, b]` of tf.concat, but not a shape."""
        if not node.elts:
            return False
        for item in node.elts:
            value = self.value(item)
            if value is not None and value.kind == "int":
                return False
            if not isinstance(item, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)):
                return False
        return True

    def _match(self, arguments: List[Argument]) -> None:
        """Which argument became which operand: by keyword, by position, and never against their shapes."""
        taken = set()
        for i, operand in enumerate(self.record.operands):
            names = (operand.name, *_SYNONYMS.get(operand.name, ()))
            for argument in arguments:
                if argument.keyword in names and argument.operand < 0:
                    argument.operand = i
                    taken.add(i)
                    break
        free = [i for i in range(len(self.operands)) if i not in taken]
        for argument in arguments:
            if argument.operand >= 0 or argument.keyword is not None or not free:
                continue
            if argument.shape is not None and not shape_fits(argument.shape, self.operands[free[0]]):
                rest = [i for i in free if shape_fits(argument.shape, self.operands[i])]
                if argument.kind == "int" or not rest:
                    continue
                free = free[free.index(rest[0]) :]
            argument.operand = free.pop(0)
        for argument in arguments:
            if argument.operand >= 0:
                argument.shape = self.operands[argument.operand]
                argument.kind = argument.kind or "tensor"

    def argument(self, operand: int) -> Optional[Argument]:
        for argument in self.arguments:
            if argument.operand == operand:
                return argument
        return None

    def keyword(self, call: ast.Call, name: str) -> Optional[ast.keyword]:
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword
        return None

    def holds(self, node: Any) -> bool:
        """Is a node of the primary file on a line of the guilty statement?"""
        at = self.statement
        return at is not None and at.lineno <= node.lineno <= (at.end_lineno or at.lineno)

    def is_data(self, source: Source, node: ast.AST) -> bool:
        """Does a node stand in a call that makes up data (np.zeros, np.random...)? Data is what it is: one
        mends the program first."""
        at: Optional[ast.AST] = node
        while at is not None and not isinstance(at, ast.stmt):
            if isinstance(at, ast.comprehension):
                return True
            if isinstance(at, ast.Call):
                parts = dotted(at.func).split(".")
                if len(parts) > 1 and (parts[0] == self.np or "random" in parts[:-1]) and parts[0] != self.tf:
                    return True
            at = source.parent.get(at)
        return False

    def inside_a_model(self) -> bool:
        """Did a layer or a loss fail that the guilty line only calls: model.fit, model(x)?"""
        name = last_name(self.call.func) if self.call is not None else ""
        return not self.record.operands or self.record.op_type is None or name in _FITS

    def runs(self) -> bool:
        """Is the guilty call one that runs the graph, so that its arguments are fetches and feeds?"""
        return self.call is not None and last_name(self.call.func) in _RUNS

    # --- other places -------------------------------------------------------------------------
    def spans(self) -> Iterator[Span]:
        """Every line that had to do with it, the nearest first: primary, origins with their callers,
        chain."""
        seen = set()

        def fresh(span: Optional[Span]) -> bool:
            if span is None or span.path not in self.sources or (span.path, span.line) in seen:
                return False
            seen.add((span.path, span.line))
            return True

        record = self.record
        if fresh(record.primary):
            yield record.primary  # type: ignore[misc]
        for origin in record.origins:
            for span in [*reversed(origin.path), *getattr(origin, "chain", ())]:
                if fresh(span):
                    yield span
        for operand in record.operands:
            if fresh(operand.made_at):
                yield operand.made_at  # type: ignore[misc]
        for span in record.chain:
            if fresh(span):
                yield span
        if fresh(record.raised):
            yield record.raised  # type: ignore[misc]

    def run_calls(self) -> Iterator[Tuple[Source, ast.Call]]:
        """The call that ran the graph, where the finding came from one, and its callers."""
        record = self.record
        for span in [record.primary, record.raised, *record.chain]:
            if span is None or span.path not in self.sources:
                continue
            source = self.sources[span.path]
            node = source.expression(span)
            if isinstance(node, ast.Call):
                yield source, node

    def unique(self, candidates: Iterator[Candidate]) -> List[Candidate]:
        """Each once, without those that change nothing."""
        found: Dict[Tuple[Any, ...], Candidate] = {}
        for candidate in candidates:
            candidate.edits = [
                e for e in candidate.edits if self.sources[e.path].text[e.start : e.end] != e.text
            ]
            if not candidate.edits:
                continue
            key = candidate.key()
            if key not in found or found[key].weight > candidate.weight:
                found[key] = candidate
        return list(found.values())


def _arithmetic(op: ast.operator, left: int, right: int) -> Optional[Value]:
    if isinstance(op, ast.Mult):
        result = left * right
    elif isinstance(op, ast.Add):
        result = left + right
    elif isinstance(op, ast.Sub):
        result = left - right
    elif isinstance(op, ast.FloorDiv) and right != 0:
        result = left // right
    elif isinstance(op, ast.Div) and right != 0 and left % right == 0:
        result = left // right
    else:
        return None
    return Value("int", [], number=result)
