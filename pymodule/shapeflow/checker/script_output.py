"""What a script prints and asks, as far as a check has a hand in it."""
from __future__ import annotations

import builtins
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, TextIO, Tuple

    from shapeflow.checker.patches import Patcher


def redirect(error_fd: int) -> Tuple[TextIO, TextIO, Callable[[], None]]:
    """Sends what the script prints to /dev/null, and its standard error to `error_fd`, who keeps the last of
    it (-1: nobody), at the descriptor, so that children follow. Gives the real standard output and error, for
    the report, and what undoes it."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(error_fd if error_fd >= 0 else sink, 2)
    os.close(sink)
    if error_fd >= 0:
        os.close(error_fd)

    def restore() -> None:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for fd in kept:
            os.close(fd)

    out, err = (os.fdopen(os.dup(fd), "w", encoding="utf-8", errors="replace") for fd in kept)
    return out, err, restore


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
