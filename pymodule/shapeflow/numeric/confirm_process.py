"""A worker of the search, from the outside: a process of real TensorFlow with limits of time and memory."""
from __future__ import annotations

import os
import subprocess

from shapeflow.worker_process import START, Lost, WorkerProcess, environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional

__all__ = ["Lost", "Worker", "run_replays"]

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker")


class Worker(WorkerProcess):
    """Serves the suspects of one graph, one after the other."""

    work = "the search"
    is_by_cpu = True  # as the search itself counts (worker/clock.py)

    def __init__(self, python: str, folder: str, memory: Optional[int] = None) -> None:
        """`folder`: with what serve.py reads. `memory`: bytes. Raises Lost."""
        try:
            super().__init__(python, HERE, [folder], folder, memory)
        except Lost as lost:
            if memory:  # is it that? What runs out of memory while it starts ends in many ways.
                WorkerProcess(python, HERE, [folder], folder).close()
                raise Lost(f"--search-memory is too little for TensorFlow to start: {lost}") from None
            raise
        self.tensorflow: str = self.ready["tensorflow"]
        self.notes: List[str] = self.ready["notes"]


def run_replays(python: str, scripts: List[str], seconds: float) -> Dict[str, str]:
    """{script: what it printed} of those that show NaN or infinity, in one fresh process."""
    if not scripts:
        return {}
    try:
        done = subprocess.run([python, os.path.join(HERE, "replays.py"), *scripts], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(),
                              timeout=seconds + START, cwd=os.path.dirname(scripts[0]))
    except (OSError, subprocess.TimeoutExpired):
        return {}
    shown = {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        name, _, rest = line.partition("\t")
        status, _, said = rest.partition("\t")
        if name in scripts and status == "1":
            shown[name] = said
    return shown
