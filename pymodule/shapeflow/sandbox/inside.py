"""The script's side: what is done in its process before and after it."""
from __future__ import annotations

import os
import sys

import shapeflow.sandbox.channel as channel
from shapeflow.sandbox import PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, NoReturn, Sequence

    from shapeflow.sandbox import Policy
    from shapeflow.sandbox.channel import Sender
    from shapeflow.sandbox.child import Work

_KERNEL_OVERLAYS = ("namespaces",)
_HOLDS_PROGRAMS = ("namespaces", "landlock")  # other programs too, not only Python


def main(work: Work, sender: Sender, layer: str, policy: Policy, scratch: str,
         outputs: Sequence[int]) -> NoReturn:
    """Does `work` and ends the process. Interpreter and libraries are not taken down: nothing that they
    would do then is left to do."""
    status = 3
    try:
        import atexit

        atexit._clear()  # what the parent wanted at its exit is not ours
        _take_outputs(outputs)
        _note_compiled(not policy.layers or layer in _KERNEL_OVERLAYS)
        _note_frozen()
        _enter(layer, policy, scratch)
        status = work(sender)
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 3
    except BaseException as error:
        import traceback

        words = "".join(traceback.format_exception_only(type(error), error)).strip()
        sender.send(channel.FAILURE, "ShapeFlow itself failed: " + words)
    finally:
        try:
            import atexit

            atexit._run_exitfuncs()
        except BaseException:
            pass
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass
        os._exit(status)


def _take_outputs(outputs: Sequence[int]) -> None:
    """Descriptors 1 and 2: a pipe or a terminal of the parent's choice, else nothing."""
    nothing = -1
    for fd, ours in enumerate(outputs, 1):
        if ours < 0:
            nothing = nothing if nothing >= 0 else os.open(os.devnull, os.O_RDWR)
            ours = nothing
        os.dup2(ours, fd)
    for ours in {*outputs, nothing}:
        if ours > 2:
            os.close(ours)


def _enter(layer: str, policy: Policy, scratch: str) -> None:
    from shapeflow import _sandbox  # type: ignore[attr-defined]
    from shapeflow.sandbox import reproducible

    reproducible.start()
    if not policy.layers:
        return
    from shapeflow.api import outside

    outside.sandbox.holds = True
    if layer in _KERNEL_OVERLAYS:
        import shapeflow.sandbox.renames as renames

        renames.install()
    else:
        import shapeflow.sandbox.redirect as redirect

        redirect.install(scratch, policy.allow_write)
    _sandbox.guard(layer not in _KERNEL_OVERLAYS, [scratch, *policy.allow_write], policy.allow_net,
                   layer in _HOLDS_PROGRAMS)


compiled: List[str] = []  # files of ours that the parent compiles, since what is written here is lost


def _note_compiled(keeps_others: bool) -> None:
    """From now on, the files of ours that were not compiled yet: what is kept here is thrown away. The
    script's modules are kept only if `keeps_others`: for its own processes, in an overlay of the kernel."""
    from shapeflow.checker import source_loading
    from shapeflow.checker.patches import PROCESS

    def is_kept(source: str) -> bool:
        if source.startswith(PACKAGE):
            compiled.append(source)
            return False
        return keeps_others

    by = PROCESS.by("sandbox.inside", "what is compiled here is kept by the parent")
    source_loading.keep_compiled(by, is_kept)


def _note_frozen() -> None:
    """What the parent has frozen is none of the script's. The parent itself loads no lazy_imports."""
    from shapeflow.checker import lazy_imports

    lazy_imports.note_frozen()
