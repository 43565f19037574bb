"""The machine that `--device` names: devices by name, GPUs with their facts, and those that are really here.

`auto` is replaced by a description of each GPU that the CUDA runtime tells of, before anything else sees the
text: so that the cache, workers and the sandbox have the same machine. The runtime is asked in a process of
its own, with which its contexts end, and its crashes.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple

    Plain = Dict[str, Any]

AUTO = "auto"
FACTS = ("name", "title", "memory", "free", "bandwidth", "fp32", "half", "capability", "sms")
PATIENCE = 30.0  # seconds for a driver to answer
_VERSIONS = ("13", "12", "11.0")
# FP32 units of an SM by compute capability, the next lower one of the list (CUDA C++ programming guide,
# "Arithmetic Instructions"); a multiply-add is two operations.
_UNITS = {30: 192, 50: 128, 60: 64, 61: 128, 70: 64, 80: 64, 86: 128, 90: 128}


def libraries() -> List[str]:
    """Where a CUDA runtime may be: $SHAPEFLOW_CUDART alone, or the wheels', then the system's."""
    named = os.environ.get("SHAPEFLOW_CUDART")
    if named:
        return [named]
    found = []
    for version in _VERSIONS:
        folders = [f"cu{version}", "cuda_runtime"]
        paths = [os.path.join(place, "nvidia", folder, "lib", f"libcudart.so.{version}")
                 for place in sys.path for folder in folders]
        found += [path for path in paths if os.path.exists(path)]
    for version in _VERSIONS:
        found += [f"libcudart.so.{version}", f"/usr/local/cuda/lib64/libcudart.so.{version}"]
    return [*found, "libcudart.so"]


def found() -> Plain:
    """What the CUDA runtime says of this machine. Raises ValueError with the words why nothing is known."""
    import shapeflow.sandbox.channel as channel
    from shapeflow import _core
    from shapeflow.sandbox import Policy
    from shapeflow.sandbox.child import Child

    paths, answers = libraries(), []

    def work(sender: Any) -> int:
        try:
            answer: Any = _core.cuda_gpus(paths)
        except ValueError as error:
            answer = str(error)
        sender.send(channel.TAKEN, answer)
        return 0

    child = Child(work, Policy(layers=()), __file__, PATIENCE, False, False)
    ending = child.wait(lambda kind, value: answers.append(value))
    child.close()
    if not answers:
        raise ValueError("the CUDA runtime ended its process without an answer" +
                         (f": {ending.reason}" if ending.reason else ""))
    if isinstance(answers[0], str):
        raise ValueError(answers[0])
    return dict(answers[0])


def _described(gpu: Plain) -> str:
    """A GPU that is here, as machines are written. Only what tensor cores do is the catalogue's to say."""
    units = _UNITS[max((at for at in _UNITS if at <= gpu["capability"]), default=30)]
    fp32 = 2e3 * gpu["clock_khz"] * units * gpu["sms"]
    facts = {"memory": gpu["total"], "free": max(gpu["free"], 0), "capability": gpu["capability"],
             "sms": gpu["sms"], "bandwidth": f"{2e3 * gpu['memory_clock_khz'] * gpu['bus_bits'] / 8:.6g}",
             "fp32": f"{fp32:.6g}", "half": f"{_half_of(gpu) or fp32:.6g}"}
    name = "".join(c if c.isalnum() or c in "-." else "_" for c in gpu["name"]) or "GPU"
    return name + "{" + ";".join(f"{key}={value}" for key, value in facts.items()) + "}"


def _half_of(gpu: Plain) -> float:
    """FLOP a second of the model in the catalogue whose name and size are this GPU's; 0: there is none."""
    from shapeflow import _core

    words = set(gpu["name"].lower().replace("-", " ").split())
    for name, *_, half, capability, sms in _core.gpus():
        if (capability, sms) == (gpu["capability"], gpu["sms"]) and words.issuperset(name.split("-")):
            return half
    return 0.0


def resolved(text: str) -> str:
    """The same machine without `auto`. Raises ValueError: nothing is known of the GPUs here."""
    items = text.replace(" ", ",").split(",")
    if AUTO not in (item.lower() for item in items):
        return text
    here = ",".join(_described(gpu) for gpu in found()["gpus"])
    return ",".join(here if item.lower() == AUTO else item for item in items)


def gpus(text: str) -> Tuple[List[Plain], int]:
    """The GPUs of a machine that have a model, in its order, and how many have none. Raises ValueError with
    the nearest names."""
    from shapeflow import _core

    _core.set_machine(text)
    try:
        rows = [row for _, kind, row in _core.machine() or () if kind == "GPU"]
    finally:
        _core.set_machine(None)
    return [dict(zip(FACTS, row)) for row in rows if row], sum(row is None for row in rows)
