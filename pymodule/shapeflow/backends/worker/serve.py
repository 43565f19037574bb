"""What a worker of a backend reads and says.

It is started with the name of the backend ("shapeflow": Keras on our TensorFlow, which has shapes only) and,
if there is one, a Python file that it runs first. It says {"ready": true, "versions": {...}}; then each line
on standard input is a task and each line on standard output its answer:

  {"do": "open", "path": model file, "trust": bool, "folder": F}     writes F/model.json, F/weights.npz
  {"do": "shapes", "folder": F}                                      shapes of layers and weights, parameters
  {"do": "infer", "layers": [{"config", "inputs": [[shape, dtype]]}]}  the output of each, or a reason;
                                                                     "run": true computes it, too
  {"do": "signatures"}                                               the layers of Keras with their parameters
  {"do": "run", "folder": F, "out": file.npz, "phases": [...], "loss": name, "training": bool, "seed": n,
   "reference": file.npz}                                            see running.py

An answer is {"status": "ok", ...}, or "refused" (Keras or the backend does not take it), "failed", or
"unwritten" (its results cannot be written), with "reason" and, where it is one layer, "layer" and "phase".
"""
from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    Plain = Dict[str, Any]

SHAPES = "shapeflow"
# What TensorFlow, JAX and torch say.
_NO_MEMORY = ("resource_exhausted", "oom when allocating", "out of memory", "can't allocate memory",
              "bad_alloc")


def main(backend: str, first: str = "") -> None:
    # What frameworks print is not an answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: Plain) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        keras = load(backend)
        if first:
            import runpy

            runpy.run_path(first, {"keras": keras, "backend": backend})
    except BaseException as error:
        say({"ready": False, "reason": reason_of(error)})
        return
    say({"ready": True, "versions": versions(keras, backend)})
    for line in sys.stdin:
        task = json.loads(line)
        try:
            answer = answer_of(keras, backend, task)
        except NotImplementedError as error:
            answer = {"status": "refused", "reason": reason_of(error)}
        except Exception as error:
            answer = {"status": "failed", "reason": reason_of(error)}
        say(answer)


def load(backend: str) -> Any:
    """Keras with that backend."""
    import warnings

    warnings.simplefilter("ignore")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if backend == SHAPES:
        os.environ["KERAS_BACKEND"] = "tensorflow"
        import shapeflow

        shapeflow.keras.layers  # noqa: B018 - loads the installed Keras on our TensorFlow
        import keras

        return keras
    os.environ["KERAS_BACKEND"] = backend
    import keras

    if keras.config.backend() != backend:
        raise ImportError(f"Keras {keras.__version__} has no backend {backend}")
    keras.utils.set_random_seed(0)
    if backend == "torch":
        import torch

        torch.use_deterministic_algorithms(True, warn_only=True)
    return keras


def versions(keras: Any, backend: str) -> Plain:
    found = {"python": sys.version.split()[0], "keras": keras.__version__}
    module = sys.modules.get(backend)
    version = getattr(module, "__version__", None)
    if version:
        found[backend] = str(version)
    import numpy as np

    found["numpy"] = np.__version__
    return found


def reason_of(error: BaseException) -> str:
    """The class and the first lines that say something."""
    import re

    shortage = memory_shortage(error)
    if shortage is not None:
        error = shortage
    words = re.sub("\x1b\\[[0-9;]*m", "", str(error))  # TensorFlow's are bold
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    # NumPy has a private class of its own.
    name = "MemoryError" if isinstance(error, MemoryError) else type(error).__name__
    return f"{name}: {' '.join(lines)[:400] or 'it says no more'}"


def memory_shortage(error: Optional[BaseException]) -> Optional[BaseException]:
    """That a layer had no more memory. Keras raises another error instead, without the words of NumPy's."""
    while error is not None:
        words = str(error).lower()
        if isinstance(error, MemoryError) or any(part in words for part in _NO_MEMORY):
            shortage = memory_shortage(error.__context__)  # the first one says most
            return error if shortage is None else shortage
        error = error.__context__
    return None


def answer_of(keras: object, backend: str, task: Plain) -> Plain:
    from . import describing, running

    kind = task["do"]
    if kind == "run":
        return running.run(keras, backend, task)
    answer = {"open": describing.open_file, "shapes": describing.shapes,
              "infer": describing.infer, "signatures": describing.signatures}[kind]
    return {"status": "ok", **answer(keras, task)}
