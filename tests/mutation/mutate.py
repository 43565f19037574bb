"""Plants one shape bug at a time into a correct program: text edits found in its syntax tree.

Edits keep the line structure, so that a line of the mutant is the same line of the program, and
are the same on every Python. `sample` draws a fixed choice from a seed, spread over the kinds.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import random
import zlib
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import plants

PROGRAMS = Path(__file__).parent / "programs"
SEED, LONG, SHORT = 2021, 600, 60  # the documented run, and what CI has time for


class Mutant(NamedTuple):
    program: str  # the file's stem
    kind: str
    line: int  # where the bug was planted
    what: str  # what was written and what stands there now
    source: str

    @property
    def key(self) -> str:
        """Names the mutant by its text alone: a verdict of real TensorFlow is kept under it."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def title(self) -> str:
        return f"{self.program}:{self.line} {self.kind}: {self.what}"


def _offsets(text: str) -> List[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


class Program:
    """A correct program, its tree with parents, and the texts of its nodes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        self.text = path.read_text(encoding="ascii")
        self.tree = ast.parse(self.text)
        self.parents: Dict[ast.AST, ast.AST] = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self._starts = _offsets(self.text)

    def span(self, node: ast.AST) -> Tuple[int, int]:
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text_of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def with_edits(self, edits: Sequence[Tuple[int, int, str]]) -> str:
        text = self.text
        for start, end, new in sorted(edits, reverse=True):
            # Lines stay where they are: what is dropped leaves its line breaks behind.
            breaks = text[start:end].count("\n") - new.count("\n")
            text = text[:start] + new + ("\\\n" * breaks if breaks > 0 else "") + text[end:]
        return text

    def mutants(self) -> List[Mutant]:
        """Every mutant that the operators can plant, each text once, in a fixed order."""
        found: Dict[str, Mutant] = {}
        for operator in plants.OPERATORS:
            for plant in operator(self):
                source = self.with_edits(plant.edits)
                try:
                    same = ast.dump(ast.parse(source)) == ast.dump(self.tree)
                except SyntaxError:
                    continue
                if not same:
                    mutant = Mutant(self.name, plant.kind, plant.line, plant.what, source)
                    found.setdefault(mutant.key, mutant)
        return list(found.values())


def _paths(names: Optional[Sequence[str]]) -> List[Path]:
    return [path for path in sorted(PROGRAMS.glob("*.py")) if names is None or path.stem in names]


def programs(names: Optional[Sequence[str]] = None) -> List[Program]:
    return [Program(path) for path in _paths(names)]


@functools.lru_cache(maxsize=None)
def _mutants(path: Path) -> Tuple[Mutant, ...]:
    """A sample draws from all mutants of a program, which take seconds to make."""
    return tuple(Program(path).mutants())


def _draw(mutants: Sequence[Mutant], count: int, rng: random.Random) -> List[Mutant]:
    """Of each kind in turn one at random, until there are enough."""
    kinds: Dict[str, List[Mutant]] = {}
    for mutant in mutants:
        kinds.setdefault(mutant.kind, []).append(mutant)
    piles = [kinds[kind] for kind in sorted(kinds)]
    for pile in piles:
        rng.shuffle(pile)
    rng.shuffle(piles)
    drawn: List[Mutant] = []
    while len(drawn) < count and any(piles):
        for pile in piles:
            if pile and len(drawn) < count:
                drawn.append(pile.pop())
    return drawn


def sample(count: int, seed: int, names: Optional[Sequence[str]] = None) -> List[Mutant]:
    """`count` mutants, as many of each program as of the others; the same for the same seed.

    A program's draw depends on nothing but its own text, its share and the seed."""
    chosen = _paths(names)
    share, more = divmod(count, len(chosen))
    drawn: List[Mutant] = []
    for index, path in enumerate(chosen):
        rng = random.Random(zlib.crc32(path.stem.encode()) + seed)
        drawn += _draw(_mutants(path), share + (index < more), rng)
    return drawn
