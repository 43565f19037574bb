"""What a script prints and asks, as far as a check has a hand in it."""
from __future__ import annotations

import builtins
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, TextIO

    from shapeflow.checker.patches import Patcher


def show_questions(by: Patcher, err: TextIO, hold: Callable[[bool], None]) -> None:
    """At a terminal, what input() asks is shown, though nothing else is: the script would wait without a
    word. `hold`: called with True before and with False after."""
    if not os.isatty(0) or not err.isatty():
        return
    ask = builtins.input

    def input(prompt: object = "", /) -> str:
        hold(True)
        try:
            print(prompt, end="", file=err, flush=True)
            return ask(prompt)
        finally:
            hold(False)

    by.set(builtins, "input", input)


def flush() -> None:
    """All that the script has printed is written, where it left its streams as they were."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass  # the script closed or replaced it
