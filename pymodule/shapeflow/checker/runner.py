"""One check in a process of its own: what many scripts, tried fixes, the editor and the tests use.

The child writes its report as JSON to a pipe and nothing anywhere else, so that whatever the script
does to its own streams does not touch the report.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from shapeflow.checker.findings import Report
from shapeflow.checker.reports import from_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, List, Optional, Sequence, Union

    Overrides = Union[None, str, Dict[str, str]]

GRACE = 15.0  # seconds beyond the time limit: the child ends itself, unless it hangs in C


def _overrides(script: str, source: Overrides) -> Dict[str, str]:
    if source is None:
        return {}
    given = {script: source} if isinstance(source, str) else source
    return {os.path.abspath(path): text for path, text in given.items()}


def _read_all(fd: int) -> bytes:
    with open(fd, "rb") as stream:
        return stream.read()


def run(script: str, options: Sequence[str] = (), args: Sequence[str] = (),
        source_override: Overrides = None, time_limit: float = 60.0,
        cwd: Optional[str] = None,
        started: Optional[Callable[[subprocess.Popen[bytes]], None]] = None,
        show_output: bool = False) -> Report:
    """Checks `script` in a child process and gives its Report.

    options: further options of `shapeflow check`. args: the script's own. source_override: text that the
    child sees instead of the script's content, or {path: text} for it and the modules it imports.
    time_limit: seconds; 0: none. started: called with the child, which it may kill later. show_output:
    what the script prints goes where ours goes. A child that dies without a report gives one of status 3."""
    texts = _overrides(script, source_override)
    path = None
    if texts:
        handle, path = tempfile.mkstemp(suffix=".json", prefix="shapeflow-")
        with open(handle, "w", encoding="utf-8") as stream:
            json.dump(texts, stream)
    reading, writing = os.pipe()
    command: List[str] = [sys.executable, "-m", "shapeflow", "check", "--report-fd", str(writing),
                          "--time-limit", str(time_limit), *options]
    command += ["--show-output"] if show_output else []
    command += ["--overrides", path] if path else []
    command += [script, "--", *args]
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                              stdout=None if show_output else subprocess.DEVNULL,
                              stderr=None if show_output else subprocess.PIPE, pass_fds=[writing],
                              cwd=cwd, env=environment()) as child:
            os.close(writing)
            if started is not None:
                started(child)
            timer = None
            if time_limit > 0:
                import threading

                timer = threading.Timer(time_limit + GRACE, child.kill)
                timer.daemon = True
                timer.start()
            data = _read_all(reading)
            said = child.stderr.read().decode("utf-8", "replace") if child.stderr else ""
            status = child.wait()
            if timer is not None:
                timer.cancel()
    finally:
        if path is not None:
            os.unlink(path)
    if not data:
        words = said.strip().splitlines()
        return Report(script, [], status if status in (2, 3) else 3, "without a report",
                      words[-1] if words else "the check ended with status %d" % status)
    return from_script(json.loads(data))


def environment() -> Dict[str, str]:
    """Ours, so that the child finds this very package, and hashes the same in each run."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = os.environ.get("PYTHONPATH")
    return {"PYTHONHASHSEED": "0", **os.environ,
            "PYTHONPATH": package + (os.pathsep + path if path else "")}
