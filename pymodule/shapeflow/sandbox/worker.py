"""A worker of multiprocessing: it enters the sandbox of the process that started it (see programs.py)."""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence


def enter(scratch: str, allowed: Sequence[str], policy: Optional[Sequence[Any]]) -> None:
    """In a worker: the sandbox of the process that started it."""
    from shapeflow import _sandbox  # type: ignore[attr-defined]
    from shapeflow.checker.patches import PROCESS
    from shapeflow.sandbox import redirect

    by = PROCESS.by("sandbox.worker", "a worker is in the sandbox of the process that started it")
    by.set(sys, "dont_write_bytecode", True)  # it would be thrown away with the scratch folder
    redirect.install(scratch, allowed)
    if policy is not None:
        _sandbox.guard(*policy)
