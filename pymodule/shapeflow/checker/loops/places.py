"""The loops and conditions of the user's sources, by the numbers that their calls have.

Source: pymodule/ext/loops.c, which counts by the same numbers.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any, Dict, List, Optional, Set

    from shapeflow.checker.loops.analysis import Analysis

# What the calls are named in a compiled source.
LOOP, ENTER, TURN = "__shapeflow_loop__", "__shapeflow_enter__", "__shapeflow_turn__"
TEST, TRUTH = "__shapeflow_test__", "__shapeflow_truth__"
SIGNS = ("<", "<=", "==", "!=", ">", ">=")  # the first operators of TEST, as loops.c has them
STRINGS, GUESSED = "__shapeflow_strings__", "__shapeflow_guessed__"

# Of the installed Keras the one file whose loops over epochs and batches are the user's, who says how many
# there are.
TRAINER = os.path.join(os.sep, "keras", "src", "backend", "tensorflow", "trainer.py")


class Place:
    """One loop of the source, in the function, class or module `scope` of a file's tree. `tree`: None of a
    file that takes nothing of iterators by itself."""

    def __init__(self, number: int, path: str, node: Any, scope: ast.AST, tree: Optional[ast.AST]) -> None:
        self.number = number
        self.path = path
        self.line: int = node.lineno
        self.target: Optional[ast.expr] = getattr(node, "target", None)  # of a `for`
        self.test: Optional[ast.expr] = getattr(node, "test", None)  # of a `while`
        self.conditions: Dict[int, ast.expr] = {}  # in its body, by number of the branch
        self.own: Set[int] = set()  # branches of its own test
        self._node = node
        self._scope = scope
        self._tree = tree
        self._analysis: Optional[Analysis] = None

    @property
    def analysis(self) -> Analysis:
        """What a turn leaves to the next: most loops are never asked for it."""
        if self._analysis is None:
            from shapeflow.checker.loops import analysis

            self._analysis = analysis.Analysis(self._node, self._scope, self._tree)
        return self._analysis


class Places:
    """Those of one check."""

    def __init__(self) -> None:
        self.loops: List[Place] = []
        self.branches = 0  # how many there are

    def forget(self, loops: int = 0, branches: int = 0) -> None:
        """All but the first ones."""
        del self.loops[loops:]
        self.branches = branches


known = Places()
