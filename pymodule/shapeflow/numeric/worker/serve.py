"""What a worker reads and says.

It is started with a folder: graph.pb (the exported graph), data.npz (what was fed) and request.json with
  {"outputs": {node: [[dtype, shape], ...]}, "runs": [{"fetches": [...], "feeds": {tensor: key in data.npz},
   "made_up": [tensors whose content is not the script's]}],
   "suspects": [names of nodes], "seed": int, "folder": where witnesses go,
   "writes": of eager code alone, as _core.trace_program gives it}.
Each line on standard input is {"suspect": {...}, "stem": name of its files, "seconds": float}; each line on
standard output the answer: {"status": "found" or "standing", "reason", "closest", ...}. It ends with its
input.
"""
from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple

    from .session import Program


def main(folder: str) -> None:
    # What TensorFlow and its plugins print is not an answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: Dict[str, object]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        program, request = _load(folder)
    except Exception as error:
        say({"ready": False, "reason": _said(error)})
        return
    say({"ready": True, "tensorflow": program.tf.__version__, "notes": program.notes[:10]})
    for line in sys.stdin:
        task = json.loads(line)
        started = time.monotonic()
        try:
            answer = _search(program, task, request["folder"])
        except MemoryError:
            answer = {"status": "standing", "reason": "the search ran out of memory"}
        except Exception as error:
            answer = {"status": "standing", "reason": _said(error)}
        answer["seconds"] = round(time.monotonic() - started, 3)
        say(answer)


def tensorflow() -> Any:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import warnings

    warnings.simplefilter("ignore")
    import tensorflow

    tf = tensorflow.compat.v1
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.disable_eager_execution()
    # Variables of the exported graph may be references, which control flow of version 2 does not take.
    tf.disable_control_flow_v2()
    return tf


def _load(folder: str) -> Tuple[Program, Dict[str, Any]]:
    import numpy as np

    tf = tensorflow()
    from .session import Program

    with open(os.path.join(folder, "request.json"), encoding="utf-8") as stream:
        request = json.load(stream)
    graph_def = tf.GraphDef()
    with open(os.path.join(folder, "graph.pb"), "rb") as stream:
        graph_def.ParseFromString(stream.read())
    if "writes" in request:
        from . import eager_steps

        request["runs"].insert(0, eager_steps.add(graph_def, request["writes"], request["outputs"]))
    with np.load(os.path.join(folder, "data.npz"), allow_pickle=False) as data:
        arrays = {key: data[key] for key in data.files}
    runs: List[Any] = [(run["fetches"], {name: arrays[key] for name, key in run["feeds"].items()},
                        run["made_up"]) for run in request["runs"]]
    program = Program(tf, graph_def, request["outputs"], runs, request["suspects"], request["seed"])
    return program, request


def _said(error: Exception) -> str:
    """In one line: TensorFlow's messages have many."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:400]}" if words else type(error).__name__


def _search(program: Program, task: Dict[str, Any], folder: str) -> Dict[str, Any]:
    from . import objective, search, shrink, witness

    suspect = task["suspect"]
    failure = program.failures.get(suspect["node"])
    if failure:
        return {"status": "standing", "reason": f"TensorFlow does not take its graph: {failure}"}
    if suspect["condition"] == "nan_in_data":
        return {"status": "standing", "reason": "NaN or infinity is in the script's own data"}
    begun, begun_cpu = time.monotonic(), time.process_time()
    program.restore(program.start)
    try:
        one = search.Search(program, suspect, task["seconds"])
    except objective.NoObjective as error:
        return {"status": "standing", "reason": str(error)}
    answer: Dict[str, Any] = {"notes": [*one.notes]}
    if one.assumed:
        answer["assumed"] = one.assumed
    try:
        one.run()
    except search.Ended as ended:
        answer.update(status="standing", reason=str(ended), iterations=one.iterations)
        if one.closest < float("inf"):
            answer["closest"] = one.closest
        return answer
    except search.Found as found:
        answer["found_after"] = round(time.monotonic() - begun, 3)  # what follows makes it small
        answer["found_after_cpu"] = round(time.process_time() - begun_cpu, 3)
        small = shrink.shrink(one, found.values, found.what)
        graph = program.imported.graph
        stem = os.path.join(folder, task["stem"])
        result, operand = one.objective.result.name, _written(one)
        witness.write(program.tf, graph, [result, operand], one.externals, small.values, stem)
        answer.update(status="found", what=small.what, phase=found.phase, iterations=one.iterations,
                      closest=one.closest, target=result, operand=operand, samples=small.samples,
                      changed=small.changed, elements=small.elements,
                      externals=[[end.node, end.kind, list(small.values[end.name].shape)]
                                 for end in one.externals])
    return answer


def _written(one: Any) -> str:
    """The operand's name in the witness's graph, where externals are placeholders."""
    name: str = one.objective.operand.name
    return next((end.node + ":0" for end in one.externals if end.name == name), name)
