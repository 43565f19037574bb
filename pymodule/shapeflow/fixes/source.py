"""A source file whose expressions can be looked up and replaced without touching anything else.

Offsets are in characters of the text; lines from 1 and columns in bytes of UTF-8, as the interpreter counts
them and as Spans hold them.
"""

from __future__ import annotations

import ast
import io
import tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

    from shapeflow.checker.findings import Span

    Function = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]
    Range = Tuple[int, int]

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Edit:
    """Text that takes the place of [start, end) in `path`."""

    __slots__ = ("path", "start", "end", "text")

    def __init__(self, path: str, start: int, end: int, text: str) -> None:
        self.path = path
        self.start = start
        self.end = end
        self.text = text

    def key(self) -> Tuple[str, int, int, str]:
        return (self.path, self.start, self.end, self.text)


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """`text` with all edits (of one file) made. Raises ValueError when two of them overlap."""
    done: List[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise ValueError("edits overlap")
        done += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join(done) + text[at:]


def moved(place: Range, edits: Sequence[Edit]) -> Range:
    """Where [start, end) of the old text lies in the new one."""
    start, end = place
    new_start, new_end = start, end
    for edit in edits:
        grown = len(edit.text) - (edit.end - edit.start)
        if edit.end <= start and edit.start < start:
            new_start += grown
            new_end += grown
        elif edit.start < end or (edit.start == end and edit.end == end and edit.start > start):
            new_end += grown
    return new_start, new_end


def tokens(text: str) -> List[str]:
    """The tokens of a piece of source, however broken."""
    found: List[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            text = token.string
            if not text.strip():
                continue
            if len(found) > 1 and found[-1] == "." and text.isidentifier() and found[-2][:1].isidentifier():
                found[-2:] = [f"{found[-2]}.{text}"]  # what one reads as one word
            else:
                found.append(text)
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return found or text.split()
    return found


def distance(old: str, new: str) -> int:
    """Tokens to delete, insert or exchange (Levenshtein)."""
    a, b = tokens(old), tokens(new)
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


class Source:
    """One parsed file. Raises SyntaxError when it does not parse."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in text.splitlines(True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = text.splitlines(True)
        self.parent: Dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node

    # --- places -------------------------------------------------------------------------------
    def offset(self, line: int, column: int) -> int:
        """The offset of a line (from 1) and a column in bytes."""
        if not 0 < line <= len(self._lines):
            return len(self.text)
        head = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(head.decode("utf-8", "ignore"))

    def place(self, offset: int) -> Tuple[int, int]:
        """Line and column in bytes of an offset."""
        import bisect

        line = max(0, min(bisect.bisect_right(self._starts, offset) - 1, len(self._lines) - 1))
        return line + 1, len(self.text[self._starts[line] : offset].encode())

    def range(self, node: Any) -> Range:
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def segment(self, node: object) -> str:
        start, end = self.range(node)
        return self.text[start:end]

    def line(self, number: int) -> str:
        return self._lines[number - 1].rstrip("\r\n") if 0 < number <= len(self._lines) else ""

    def newline(self) -> str:
        return "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"

    # --- nodes --------------------------------------------------------------------------------
    def expression(self, span: Span) -> Optional[ast.expr]:
        """The expression at a span: exactly where columns are kept, else the line's outermost call."""
        found: List[ast.expr] = []
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.expr) or node.lineno != span.line:
                continue
            if span.column < 0:
                if isinstance(node, (ast.Call, ast.BinOp)):
                    found.append(node)
            elif (node.col_offset, node.end_lineno, node.end_col_offset) == (
                span.column,
                span.end_line,
                span.end_column,
            ):
                found.append(node)
        if not found:
            return None
        return max(found, key=lambda node: self.range(node)[1] - self.range(node)[0])

    def expression_within(self, place: Range) -> Range:
        """`place`, or where it is an assignment, what is assigned."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and self.range(node) == place:
                return self.range(node.value)
        return place

    def statement(self, node: ast.AST) -> Optional[ast.stmt]:
        at: Optional[ast.AST] = node
        while at is not None and not isinstance(at, ast.stmt):
            at = self.parent.get(at)
        return at

    def statement_at(self, line: int) -> Optional[ast.stmt]:
        """The innermost statement that holds a line."""
        best: Optional[ast.stmt] = None
        for node in ast.walk(self.tree):
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
                if best is None or (node.lineno, -(node.end_lineno or 0)) >= (
                    best.lineno,
                    -(best.end_lineno or 0),
                ):
                    best = node
        return best

    def function(self, node: ast.AST) -> Optional[Function]:
        """The function around a node."""
        at = self.parent.get(node)
        while at is not None and not isinstance(at, _FUNCTIONS):
            at = self.parent.get(at)
        return at

    def definitions(self, name: str, user: ast.AST, unpacked: bool = False) -> List[ast.Assign]:
        """`name = ...` statements that may reach `user`, the nearest before it first: of its function,
        else of the module. `unpacked`: `name, other = ...` as well."""
        line = getattr(user, "lineno", 0)
        scope: Optional[ast.AST] = self.function(user)
        while True:
            found = [
                node
                for node in ast.walk(scope or self.tree)
                if isinstance(node, ast.Assign)
                and self.function(node) is scope
                and any(isinstance(t, ast.Name) and t.id == name for target in node.targets for t in (
                    target.elts if unpacked and isinstance(target, ast.Tuple) else [target]))
            ]
            if found or scope is None:
                found.sort(key=lambda node: (node.lineno > line, abs(node.lineno - line)))
                return found
            scope = self.function(scope)

    def definitions_of(self, node: ast.AST, steps: int) -> Iterator[ast.stmt]:
        """The statements that made the names in `node`, and those that made theirs, `steps` deep."""
        todo: List[Tuple[ast.AST, int]] = [(node, steps)]
        done: List[ast.AST] = []
        while todo and len(done) < 40:
            at, left = todo.pop(0)
            for name in ast.walk(at):
                if not isinstance(name, ast.Name) or not isinstance(name.ctx, ast.Load):
                    continue
                for made in self.definitions(name.id, name)[:1]:
                    if made not in done:
                        done.append(made)
                        yield made
                        if left > 1:
                            todo.append((made.value, left - 1))

    def definitions_made(self, line: int) -> Iterator[ast.stmt]:
        """The simple statement on a line and those that made the names in it, nearest first."""
        statement = self.statement_at(line)
        todo: List[ast.stmt] = [statement] if isinstance(statement, _SIMPLE) else []
        done: List[ast.stmt] = []
        while todo and len(done) < 10:
            node = todo.pop(0)
            if node in done:
                continue
            done.append(node)
            yield node
            for name in ast.walk(node):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                    todo += self.definitions(name.id, name)[:1]

    def calls(self, root: Optional[ast.AST] = None) -> Iterator[ast.Call]:
        for node in ast.walk(root or self.tree):
            if isinstance(node, ast.Call):
                yield node

    # --- edits --------------------------------------------------------------------------------
    def replace(self, node: Any, text: str) -> Edit:
        start, end = self.range(node)
        return Edit(self.path, start, end, text)

    def insert(self, offset: int, text: str) -> Edit:
        return Edit(self.path, offset, offset, text)

    def add_keyword(self, call: ast.Call, keyword: str) -> Edit:
        """`f(a, b)` -> `f(a, b, keyword)`, whatever stands before the bracket."""
        start, end = self.range(call)
        close = end - 1
        given = [*call.args, *[k.value for k in call.keywords]]
        if not given:
            return self.insert(close, keyword)
        last = max(self.range(node)[1] for node in given)
        rest = self.text[last:close]
        if rest.lstrip(" )\n\t").startswith(","):
            comma = last + rest.index(",") + 1
            blank = not self.text[comma:close].strip(" ")
            return Edit(self.path, comma, close if blank else comma, " " + keyword)
        while last < close and self.text[last] in " \t)":  # brackets around the last argument
            last += 1
        while self.text[last - 1] in " \t":
            last -= 1
        return self.insert(last, ", " + keyword)

    def swap(self, a: object, b: object) -> List[Edit]:
        return [self.replace(a, self.segment(b)), self.replace(b, self.segment(a))]

    def line_before(self, statement: ast.stmt, text: str) -> Edit:
        """A statement of its own before another, indented alike."""
        start = self.offset(statement.lineno, 0)
        indent = self.line(statement.lineno)[
            : len(self.line(statement.lineno)) - len(self.line(statement.lineno).lstrip())
        ]
        return self.insert(start, indent + text + self.newline())

    def line_after(self, statement: ast.stmt, text: str) -> Edit:
        line = self.line(statement.lineno)
        indent = line[: len(line) - len(line.lstrip())]
        last = statement.end_lineno or statement.lineno
        if last >= len(self._lines) and not self._lines[-1].endswith("\n"):
            return self.insert(len(self.text), self.newline() + indent + text)
        return self.insert(self._starts[last], indent + text + self.newline())


def dotted(node: ast.AST) -> str:
    """`tf.nn.relu` of an attribute chain; empty for anything else."""
    parts: List[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def simple(node: ast.AST) -> bool:
    """May it be followed by `.x` or `[i]`, or stand under an operator, without brackets?"""
    return isinstance(
        node,
        (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Tuple, ast.Dict),
    )
