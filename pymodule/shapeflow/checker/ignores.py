"""`# shapeflow: ignore[SF101]` and bare `# shapeflow: ignore` in the checked sources.

A comment speaks for the whole statement that it stands in, so that it may follow any line of a call
that spans several; of a compound statement (`with`, `if`, `def`) only for the head.
"""
from __future__ import annotations

from shapeflow.checker.findings import Record, Span, told
from shapeflow.checker.source_lines import line_of, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Dict, FrozenSet, Iterable, List, Optional, Set, Tuple

MARK = "shapeflow: ignore"
_MARKS = ("shapeflow: ignore", "shapeflow:ignore")


class Comment:
    """One comment: the line and column that it stands at, its codes (empty: all), the lines it is for."""

    __slots__ = ("line", "column", "codes", "first", "last", "used")

    def __init__(self, line: int, column: int, codes: FrozenSet[str], first: int, last: int) -> None:
        self.line = line
        self.column = column
        self.codes = codes
        self.first = first
        self.last = last
        self.used: Set[str] = set()

    def covers(self, line: int, code: str) -> bool:
        return self.first <= line <= self.last and (
            not self.codes or any(code.startswith(given) for given in self.codes))


def comments_of(lines: List[str]) -> List[Comment]:
    """The ignore comments of a source; none in a source that does not mention them."""
    text = "".join(lines)
    if not any(mark in text for mark in _MARKS):
        return []
    import ast
    import io
    import re
    import tokenize

    found: List[Tuple[int, int, FrozenSet[str]]] = []
    pattern = re.compile(r"#\s*shapeflow:\s*ignore(?:\[([^\]]*)\])?(?=$|[\s#.,;:])")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                match = pattern.search(token.string)
                if match:
                    codes = (match.group(1) or "").replace(",", " ").split()
                    if codes or match.group(1) is None:
                        found.append((token.start[0], token.start[1] + match.start(), frozenset(codes)))
        tree = ast.parse(text)
    except (SyntaxError, tokenize.TokenError, ValueError, RecursionError):
        return []
    ranges = _statements(tree)
    comments = []
    for line, column, codes in found:
        first, last = ranges.get(line, (line, line))
        comments.append(Comment(line, column, codes, first, last))
    return comments


def _statements(tree: ast.AST) -> Dict[int, Tuple[int, int]]:
    """For each line of a statement (of the head, when it has a body) its first and last line."""
    import ast

    ranges: Dict[int, Tuple[int, int]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            last = max(first, min(last, _start(body[0]) - 1))
        elif isinstance(getattr(node, "cases", None), list):
            last = first
        for line in range(first, last + 1):
            known = ranges.get(line)
            if known is None or last - first < known[1] - known[0]:
                ranges[line] = (first, last)
    return ranges


def _start(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else getattr(node, "lineno", 0))


class Ignores:
    """The comments of every source that findings point into, read once."""

    def __init__(self) -> None:
        self._files: Dict[str, List[Comment]] = {}

    def of(self, path: str) -> List[Comment]:
        if path not in self._files:
            self._files[path] = comments_of(lines_of(path))
        return self._files[path]

    def hide(self, record: Record) -> bool:
        """Does a comment silence this finding? The comment then counts as used."""
        span = record.primary
        if span is None:
            return False
        hidden = False
        for comment in self.of(span.path):
            if comment.covers(span.line, record.code):
                comment.used.update([code for code in comment.codes if record.code.startswith(code)]
                                    or ["*"])
                hidden = True
        return hidden

    def unused(self, paths: Iterable[str]) -> List[Record]:
        """A warning for each comment in these sources that silenced nothing."""
        found = []
        for path in sorted(set(paths)):
            for comment in self.of(path):
                idle = sorted(comment.codes - comment.used) if comment.codes else \
                    ([] if comment.used else ["*"])
                if idle:
                    found.append(_unused(path, comment, None if idle == ["*"] else idle))
        return found


def _unused(path: str, comment: Comment, codes: Optional[List[str]]) -> Record:
    text = line_of(path, comment.line)
    column = len(text[:comment.column].encode())
    span = Span(path, comment.line, column, comment.line, len(text.encode()))
    words = "unused '{name}' comment" if codes is None else "unused '{name}[{text}]': no such finding here"
    return told("SF591", "UNUSED_IGNORE", "warning", words, MARK, ", ".join(codes or ()), phase="source",
                primary=span)
