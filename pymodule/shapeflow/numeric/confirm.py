"""`shapeflow numeric --confirm`: a witness for each suspect, searched on real TensorFlow.

The graph that the script built goes to workers (confirm_process.py), which search (worker/). What they find
is replayed in a fresh process before it is believed. A worker that is lost costs its suspect, which stands
with the reason, and is started anew for the next.
"""
from __future__ import annotations

import os
import sys

import shapeflow.worker_process as worker_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence

    Plain = Dict[str, Any]
    Progress = Callable[[str], None]


class Settings:
    """Raises ValueError for what an option cannot be."""

    def __init__(self, python: Optional[str], seconds: float, memory: Optional[int], workers: int,
                 folder: str, seed: int = 0) -> None:
        """`python`: None is this one; `memory` in bytes."""
        # A worker starts in a folder of its own. What a link leads to knows no environment.
        self.python = os.path.abspath(python) if python and os.sep in python else python or sys.executable
        self.seconds = seconds
        self.memory = memory
        self.workers = workers
        self.folder = os.path.abspath(folder)
        self.seed = seed
        if self.seconds <= 0:
            raise ValueError("--search-time: there has to be some")
        if not 1 <= self.workers <= 256:
            raise ValueError("--workers: 1 to 256")


def settings_of(arguments: Any) -> Settings:
    """From the options of the command. Raises ValueError."""
    memory = None
    if arguments.search_memory:
        memory = worker_process.bytes_of(arguments.search_memory, "--search-memory")
    return Settings(arguments.tensorflow, arguments.search_time, memory, arguments.workers,
                    arguments.witnesses)


def options_of(arguments: Any, settings: Settings) -> List[str]:
    """The command line of one script of a campaign, without what is the campaign's own."""
    made = ["--witnesses", settings.folder]
    for option in ("confirm", "every_batch", "allow_net", "no_sandbox"):
        if getattr(arguments, option):
            made.append("--" + option.replace("_", "-"))
    for option in ("tensorflow", "search_time", "search_memory", "time_limit", "tf_version", "mode",
                   "max_memory"):
        value = getattr(arguments, option)
        if value is not None:
            made += ["--" + option.replace("_", "-"), str(value)]
    for folder in arguments.allow_write or ():
        made += ["--allow-write", folder]
    return made


def confirm(suspects: Sequence[Plain], graphs: Dict[str, Plain], script: str, settings: Settings,
            progress: Optional[Progress] = None) -> None:
    """Puts "witness" into each suspect: {"status": "found" or "standing", "reason", "closest", "what",
    "files", "seconds"...}. `graphs`: as confirm_export.Recorder.export_all and
    confirm_trace.export_eager give them."""
    todo: Dict[int, List[Plain]] = {}
    for suspect in suspects:
        if suspect["condition"] == "nan_in_data":
            suspect["witness"] = _standing("NaN or infinity is in the script's own data")
        elif str(suspect["graph"]) not in graphs:
            suspect["witness"] = _standing("its graph could not be exported")
        else:
            todo.setdefault(suspect["graph"], []).append(suspect)
    for number, group in sorted(todo.items()):
        _confirm_graph(group, graphs[str(number)], script, settings, progress or (lambda text: None))


def _standing(reason: str) -> Plain:
    return {"status": "standing", "reason": reason}


def _confirm_graph(suspects: List[Plain], exported: Plain, script: str, settings: Settings,
                   progress: Progress) -> None:
    import json
    import shutil
    import tempfile

    from shapeflow.numeric import confirm_export

    folder = tempfile.mkdtemp(prefix="shapeflow-witness-")
    try:
        request = confirm_export.unpack(exported, folder)
        request.update(suspects=sorted({suspect["node"] for suspect in suspects}), seed=settings.seed,
                       folder=folder)
        with open(os.path.join(folder, "request.json"), "w", encoding="utf-8") as stream:
            json.dump(request, stream)
        _search(suspects, folder, script, settings, progress)
        _replay(suspects, folder, settings)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _search(suspects: List[Plain], folder: str, script: str, settings: Settings, progress: Progress) -> None:
    """With the workers that are wanted, each of which takes the next suspect."""
    import threading

    from shapeflow.numeric.confirm_process import Lost, Worker

    queue = list(enumerate(suspects))[::-1]
    lock = threading.Lock()
    done = [0]

    def serve() -> None:
        worker: Optional[Worker] = None
        broken = ""
        while True:
            with lock:
                if not queue:
                    break
                number, suspect = queue.pop()
            stem = _stem(script, number, suspect)
            try:
                if broken:
                    raise Lost(broken)
                if worker is None:
                    try:
                        worker = Worker(settings.python, folder, settings.memory)
                    except Lost as lost:
                        broken = str(lost)
                        raise
                answer = worker.ask({"suspect": _needed(suspect), "stem": stem, "seconds": settings.seconds})
                if answer["status"] == "found":
                    answer["replay"] = _write(folder, stem, suspect, answer, worker.tensorflow)
                answer.update(tensorflow=worker.tensorflow)
                if worker.notes:
                    answer["notes"] = [*answer.get("notes", ()), *worker.notes]
            except Lost as lost:
                answer = _standing(str(lost))
                if worker is not None:
                    worker.close()
                    worker = None
            suspect["witness"] = answer
            with lock:
                done[0] += 1
                progress(f"{done[0]}/{len(suspects)} suspects, {suspect['op']} at line {suspect['line']}: "
                         f"{answer['status']}")
        if worker is not None:
            worker.close()

    threads = [threading.Thread(target=serve, daemon=True)
               for _ in range(min(settings.workers, len(suspects)) - 1)]
    for thread in threads:
        thread.start()
    serve()
    for thread in threads:
        thread.join()


def _needed(suspect: Plain) -> Plain:
    return {key: suspect[key] for key in ("node", "op", "input", "condition", "in_gradient")}


def _stem(script: str, number: int, suspect: Plain) -> str:
    name = os.path.splitext(os.path.basename(script))[0]
    kept = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)
    return f"{kept}_line{suspect['line']}_{suspect['op']}_{number}"


def _write(folder: str, stem: str, suspect: Plain, answer: Plain, tensorflow: str) -> str:
    from shapeflow.numeric import replay

    return replay.write(folder, stem, suspect, answer, tensorflow)


def _replay(suspects: List[Plain], folder: str, settings: Settings) -> None:
    """Only what breaks in a fresh process is a witness, and is kept."""
    import shutil

    from shapeflow.numeric.confirm_process import run_replays

    found = [suspect["witness"] for suspect in suspects if suspect["witness"]["status"] == "found"]
    shown = run_replays(settings.python, [answer["replay"] for answer in found], settings.seconds)
    for answer in found:
        script = answer.pop("replay")
        if script not in shown:
            answer.update(status="standing", reason="what the search found did not appear again in a fresh "
                          "process")
            continue
        answer["replayed"] = shown[script]
        os.makedirs(settings.folder, exist_ok=True)
        stem = os.path.splitext(script)[0]
        kept = os.path.join(settings.folder, os.path.basename(stem))
        answer["files"] = [shutil.move(stem + end, kept + end) for end in (".py", ".npz", ".pb")]


def described(witness: Plain) -> str:
    """One line, for a reader."""
    if witness["status"] == "found":
        words = f"witness: {witness['what']} on TensorFlow {witness['tensorflow']}"
        if witness["samples"]:
            words += f" with {witness['samples']} sample{'s' * (witness['samples'] != 1)}"
        if witness["changed"]:
            words += f", {witness['changed']} of {witness['elements']} elements changed"
        if witness.get("assumed"):
            words += f", with values that were made up for {', '.join(witness['assumed'])}"
        words += f" ({witness['phase']}, {witness['seconds']:.1f} s)"
        return f"{words}: {os.path.relpath(witness['files'][0])}"
    closest = f"; the closest distance was {witness['closest']:.3g}" if "closest" in witness else ""
    return f"no witness: {witness['reason']}{closest}"
