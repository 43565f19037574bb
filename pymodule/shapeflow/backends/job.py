"""One generated model on all backends: in this process, or on a host of a cluster.

A specification and a job are plain data, so that they can be sent; an outcome is, too, with the files of
its findings as bytes. A host needs shapeflow, and the Pythons that the specification names.
"""
from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time

from shapeflow.backends import comparing, configs, models, process, reduce, results
from shapeflow.backends.models import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

    from shapeflow.backends.comparing import Settings
    from shapeflow.backends.process import Backend, Fleet

    Plain = Dict[str, Any]

# The runners of a specification that nobody uses at present: their frameworks stay loaded; and those in use.
_idle: Dict[str, List[Runner]] = {}
_busy: Dict[str, List[Runner]] = {}
_lock = threading.Lock()


def run(specification: Plain, job: Plain) -> Plain:
    """The outcome of a job. Raises OSError: no file can be written."""
    key = json.dumps(specification, sort_keys=True)
    with _lock:
        waiting = _idle.setdefault(key, [])
        is_new = not waiting
        runner = runner_of(specification) if is_new else waiting.pop()
        _busy.setdefault(key, []).append(runner)
    try:
        if is_new:
            runner.fleet.start()
        return runner.run(job)
    finally:
        with _lock:
            if runner in _busy.get(key, ()):  # else it was closed meanwhile
                _busy[key].remove(runner)
                _idle[key].append(runner)


def keep(specification: Plain, runner: Runner) -> None:
    """The next job has it."""
    with _lock:
        _idle.setdefault(json.dumps(specification, sort_keys=True), []).append(runner)


def close(specification: Plain) -> None:
    """Ends the processes of this process's runners, also of those in the middle of a model."""
    key = json.dumps(specification, sort_keys=True)
    with _lock:
        runners = _idle.pop(key, []) + _busy.pop(key, [])
    for runner in runners:
        runner.fleet.close()


def runner_of(specification: Plain) -> Runner:
    """Its fleet is not started yet."""
    fleet = process.Fleet(**specification["fleet"])
    return Runner(fleet, comparing.Settings(**specification["settings"]), specification["defaults"],
                  specification["only_shapes"])


class Runner:
    """A fleet that runs models one after the other. `defaults`: {layer class: {parameter: its default}};
    `only_shapes`: no numbers are computed."""

    def __init__(self, fleet: Fleet, settings: Settings, defaults: Plain, only_shapes: bool) -> None:
        self.fleet, self.settings, self.defaults, self.only_shapes = fleet, settings, defaults, only_shapes

    def run(self, job: Plain) -> Plain:
        """`job`: the number, the config and what the shape engine says of it."""
        begun = time.monotonic()
        folder = tempfile.mkdtemp(prefix="shapeflow-model-")
        try:
            case = Case(folder, job["config"], f"model {job['number']}")
            case.inputs = models.draw_inputs(case.config, job["number"])
            case.write()
            made = self._shapes(case, job["engine"]) if self.only_shapes else self._numbers(case, job)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return {"status": "ok", "reason": "", "ran": [], "findings": [], **made,
                "seconds": time.monotonic() - begun}

    def _numbers(self, case: Case, job: Plain) -> Plain:
        case.weights = models.draw_weights(job["engine"]["weights"], job["number"])
        case.labels = models.draw_labels(job["engine"]["ends"], len(case.inputs[0]), job["number"])
        case.write_numbers()
        document = self.compare(case)
        findings = [self.kept(case, finding, document) for finding in document["findings"]]
        if not document["nodes"]:
            reason = "; ".join(sorted(document["failed"].values()))[:300]
            return {"status": "refused", "reason": reason, "findings": findings}
        findings += self._of_engine_alone(case, job["apart"], document)
        return {"ran": self.ran(document), "findings": findings}

    def compare(self, case: Case) -> Plain:
        return comparing.compare(case, self.fleet.there, self.settings)

    def resize(self, case: Case) -> bool:
        """Weights and labels for a config that was changed; False: it is no model."""
        return reduce.with_new_sizes(case, self.fleet.there)

    def ran(self, document: Plain) -> List[List[str]]:
        """[name of a layer, phase] of what was run."""
        phases = ["forward"]
        if document["loss"]:
            phases.append("loss")
            if any(backend.name in process.WITH_GRADIENTS and backend.label in document["loss"]
                   for backend in self.fleet.there):
                phases.append("backward")
        return [[node["layer"], phase] for node in document["nodes"] for phase in phases
                if phase in self.settings.phases]

    def kept(self, case: Case, finding: Plain, document: Plain) -> Plain:
        """{"finding", "files"}: reduced."""
        small = reduce.reduced(case, finding, document, self.fleet.there, self.settings, self.defaults,
                               os.path.join(case.folder, "small"))
        made = {**small["finding"], "blame": small["blame"], **document["marked"]}
        if "known" in finding:
            made["known"] = finding["known"]
        return {"finding": made,
                "files": results.files(small["case"], made, {**small["document"], "findings": [made]})}

    def _of_engine_alone(self, case: Case, apart: Plain, document: Plain) -> List[Plain]:
        """Layers that give another shape than Keras says in the shape engine and nowhere else: its bug."""
        there = {finding["layer"] for finding in document["findings"] if finding["kind"] == "shape"}
        found = []
        for layer, words in apart.items():
            if layer not in there:
                name = configs.classes_of(case.config)[layer]
                finding = shape_finding(case, layer, "forward", document["compared"],
                                        f"{name} {layer!r} is {words} in the shape engine alone")
                files = results.files(case, finding, {**document, "findings": [finding]})
                found.append({"finding": finding, "files": files})
        return found

    # --- shapes only -----------------------------------------------------------------------------------
    def _shapes(self, case: Case, engine: Plain) -> Plain:
        """The engine's word against that of Keras on each backend."""
        reasons: List[str] = []
        found: List[Plain] = []
        for backend in self.fleet.there:
            answer = backend.ask({"do": "shapes", "folder": case.folder})
            if answer["status"] != "ok":
                reasons.append(f"{backend.label}: {answer['reason']}")
                continue
            case.write_numbers()
            for finding in shape_findings(case, engine, answer, backend):
                document = {"versions": self.fleet.versions(), "nodes": [], "maps": {}, "title": case.title,
                            "findings": [finding], "refused": {}, "pairs": [],
                            "backends": [backend.label, process.SHAPES]}
                found.append({"finding": finding, "files": results.files(case, finding, document)})
        refused = len(reasons) == len(self.fleet.there)
        return {"status": "refused" if refused else "ok", "reason": "; ".join(reasons), "findings": found}


def shape_finding(case: Case, layer: str, phase: str, against: List[str], words: str,
                  kind: str = "shape") -> Plain:
    """Of the shape engine."""
    return {"code": "SF706", "kind": kind, "phase": phase, "layer": layer,
            "class": configs.classes_of(case.config).get(layer, ""), "backends": [process.SHAPES],
            "against": against, "distance": None,
            "parameters": configs.parameters_of(case.config, layer), "message": words}


def shape_findings(case: Case, engine: Plain, answer: Plain, backend: Backend) -> List[Plain]:
    """Where the shapes, dtypes or number of parameters of two answers differ."""
    classes = configs.classes_of(case.config)
    where = backend.label
    for layer, shapes in answer["shapes"].items():
        theirs = shapes, answer["dtypes"].get(layer)
        ours = engine["shapes"].get(layer), engine["dtypes"].get(layer)
        if ours != theirs:  # those after it follow
            words = f"{classes.get(layer)} {layer!r} is {ours} here, {theirs} on {where}"
            return [shape_finding(case, layer, "build", [where], words)]
    if engine["parameters"] != answer["parameters"]:
        words = f"{engine['parameters']} parameters here, {answer['parameters']} on {where}"
        return [shape_finding(case, "", "build", [where], words, "parameters")]
    return []
