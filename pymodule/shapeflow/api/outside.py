"""The files round a program, as far as TensorFlow's own functions have to know: whether they may write for
real, and what stands for files that are not there. A check says it (checker.data_files, sandbox.inside).
"""
from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Set


class _Sandbox:
    """`holds`: all that the program writes goes to a scratch copy, so that it may be written."""

    holds = False


sandbox = _Sandbox()
fetched: Set[str] = set()  # absolute paths of files that the program was told it has


def fetch(path: Any) -> None:
    """What a program fetches is not fetched in a check: from here on it has the file."""
    fetched.add(os.path.abspath(os.fspath(path)))


def stands_in(path: object) -> bool:
    """Is this file not there, whatever the program was told when it asked, and may something unknown stand
    for it? A check answers."""
    return False


def matching(pattern: object) -> List[str]:
    """Names that stand for what a pattern would find, where nothing is. A check answers."""
    return []
