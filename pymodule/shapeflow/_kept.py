"""What a run made and nothing else may hold any more when it has ended: models and variables of functions
that returned. Kept for the commands that show what a script makes; a check keeps nothing.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_MOST = 100_000

layers: Optional[List[Any]] = None  # of Keras, in the order in which they were made
variables: Optional[List[Any]] = None  # eager ones


def start() -> None:
    """From now on they are kept."""
    global layers, variables
    layers, variables = [], []


def add(kept: List[Any], item: Any) -> None:
    if len(kept) < _MOST:
        kept.append(item)
