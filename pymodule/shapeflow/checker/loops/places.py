"""The loops and conditions of the user's sources, by the numbers that their calls have.

Source: pymodule/ext/loops.c, which counts by the same numbers.
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Dict, List, Optional, Set

# What the calls are named in a compiled source.
LOOP, ENTER, TURN = "__shapeflow_loop__", "__shapeflow_enter__", "__shapeflow_turn__"
TEST, TRUTH = "__shapeflow_test__", "__shapeflow_truth__"
STRINGS, GUESSED = "__shapeflow_strings__", "__shapeflow_guessed__"

# Of the installed Keras the one file whose loops over epochs and batches are the user's, who says how many
# there are.
TRAINER = os.path.join(os.sep, "keras", "src", "backend", "tensorflow", "trainer.py")


class Place:
    """One loop of the source. `fresh`: the names whose content no turn takes over from the one before it.
    `is_stepping`: its file calls next()."""

    def __init__(self, number: int, path: str, line: int, target: Optional[ast.expr],
                 test: Optional[ast.expr], fresh: Set[str], is_stepping: bool, may_break: bool) -> None:
        self.number = number
        self.path = path
        self.line = line
        self.target = target  # of a `for`
        self.test = test  # of a `while`
        self.fresh = fresh
        self.is_stepping = is_stepping
        self.may_break = may_break
        self.conditions: Dict[int, ast.expr] = {}  # in its body, by number of the branch
        self.own: Set[int] = set()  # branches of its own test


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
