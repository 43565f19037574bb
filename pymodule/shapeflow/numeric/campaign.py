"""Many scripts: `shapeflow numeric FOLDER --confirm`.

Each script is a run of the command of its own, in its own process, here (--workers N side by side) or on a
Dask cluster (--dask ADDRESS), whose workers need shapeflow and the same files. What is done is kept in a
state file below the folder of witnesses, so that a campaign that was stopped goes on where it was: a script
is done when its text and the options are those of then.
"""
from __future__ import annotations

import functools
import json
import os
import subprocess
import sys

from shapeflow import parallel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence

    Plain = Dict[str, Any]

STATE = "campaign.json"
_SPARE = 120.0  # seconds of a script beside its searches
_MOST_SUSPECTS = 200  # whose time is waited for


def scripts_of(paths: Sequence[str]) -> List[str]:
    """The Python files of folders, which import TensorFlow or Keras; files as they are. Raises ValueError."""
    found: List[str] = []
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
                found += [os.path.join(folder, name) for name in sorted(names)
                          if name.endswith(".py") and _uses_tensorflow(os.path.join(folder, name))]
        elif os.path.exists(path):
            found.append(path)
        else:
            raise ValueError(f"{path}: no such file")
    return list(dict.fromkeys(os.path.abspath(path) for path in found))


def _uses_tensorflow(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
    except OSError:
        return False
    return "tensorflow" in text or "keras" in text


class State:
    """What is done of a campaign. Written as a whole after each script: never half of it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.results: Dict[str, Plain] = {}
        try:
            with open(path, encoding="utf-8") as stream:
                read = json.load(stream)
            self.results = read["scripts"] if isinstance(read.get("scripts"), dict) else {}
        except (OSError, ValueError, AttributeError, KeyError):
            pass  # there is none yet, or nothing that can be used

    def is_done(self, script: str, key: str) -> bool:
        return self.results.get(script, {}).get("key") == key

    def put(self, script: str, result: Plain) -> None:
        self.results[script] = result
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + ".new", "w", encoding="utf-8") as stream:
            json.dump({"scripts": self.results}, stream, indent=1)
        os.replace(self.path + ".new", self.path)


def key_of(script: str, options: Sequence[str]) -> str:
    """Changes with the script's text and the options."""
    import hashlib

    made = hashlib.sha256("\0".join(options).encode("utf-8", "replace"))
    try:
        with open(script, "rb") as stream:
            made.update(stream.read())
    except OSError:
        pass
    return made.hexdigest()


def one(script: str, options: Sequence[str], seconds: Optional[float]) -> Plain:
    """A run of the command: {"status", "document" or "reason", "seconds"}. Also called by Dask's workers."""
    import time

    begun = time.monotonic()
    command = [sys.executable, "-m", "shapeflow", "numeric", "--json", *options, script]
    limit = None if seconds is None else seconds * _MOST_SUSPECTS + _SPARE
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=limit, cwd=os.path.dirname(script) or ".")
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"status": 3, "reason": str(error)[:300], "seconds": time.monotonic() - begun}
    made: Plain = {"status": done.returncode, "seconds": round(time.monotonic() - begun, 1)}
    try:
        made["document"] = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        made["reason"] = said[-1][:300] if said else f"it ended with status {done.returncode}"
    return made


def run(scripts: Sequence[str], options: Sequence[str], folder: str, workers: int, seconds: Optional[float],
        dask: Optional[str], say: Callable[[str], None]) -> Dict[str, Plain]:
    """The results of all scripts. `options`: of the command, for each of them. Raises ValueError: there is no
    such cluster."""
    state = State(os.path.join(folder, STATE))
    keys = {script: key_of(script, options) for script in scripts}
    todo = [script for script in scripts if not state.is_done(script, keys[script])]
    if len(todo) < len(scripts):
        say(f"{len(scripts) - len(todo)} of {len(scripts)} scripts are done already: {state.path}")
    done = len(scripts) - len(todo)
    work = functools.partial(one, options=list(options), seconds=seconds)
    for script, result in parallel.each(work, todo, workers, dask):
        done += 1
        if isinstance(result, Exception):  # a worker of the cluster that was lost
            result = {"status": 3, "reason": f"{type(result).__name__}: {result}"[:300], "seconds": 0.0}
        state.put(script, {"key": keys[script], **result})
        say(f"{done}/{len(scripts)} {os.path.relpath(script)}: {summary(result)}")
    return {script: state.results[script] for script in scripts if script in state.results}


def rendered(results: Dict[str, Plain], as_json: bool) -> str:
    """Of a campaign: a line for each suspect, below its script."""
    if as_json:
        return json.dumps({"scripts": results}, indent=1)
    from shapeflow.numeric.confirm import described

    lines = []
    for script, result in results.items():
        lines.append(f"{os.path.relpath(script)}: {summary(result)}")
        for suspect in result.get("document", {}).get("suspects", ()):
            place = f"{os.path.relpath(suspect['file'])}:{suspect['line']}" if suspect["file"] else "?"
            words = f": {described(suspect['witness'])}" if "witness" in suspect else ""
            lines.append(f"  {place}: {suspect['op']}, {suspect['condition'].replace('_', ' ')}"
                         f"{' (derivative)' * suspect['in_gradient']}{words}")
    return "\n".join(lines)


def summary(result: Plain) -> str:
    if "document" not in result:
        return f"not analysed: {result['reason']}"
    suspects = result["document"]["suspects"]
    found = sum(suspect.get("witness", {}).get("status") == "found" for suspect in suspects)
    searched = any("witness" in suspect for suspect in suspects)
    words = f"{len(suspects)} suspect{'s' * (len(suspects) != 1)}"
    if searched:
        words += f", {found} with a witness"
    return f"{words} ({result['seconds']:.0f} s)"
