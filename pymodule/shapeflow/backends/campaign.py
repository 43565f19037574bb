"""Many generated models on all backends (`shapeflow backends generate`), or on the shape engine and Keras
alone."""
from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time

from shapeflow.backends import comparing, genetic, layer_tables, models, process, reduce, results, store
from shapeflow.backends.generator import Coverage, Generator, Stuck
from shapeflow.backends.models import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from shapeflow.backends.comparing import Settings
    from shapeflow.backends.process import Backend, Fleet

    Plain = Dict[str, Any]

STORE = "campaign.sqlite"


class NoEngine(ValueError):
    """The worker that answers for shapes cannot be started, and why."""


class Engine:
    """Keras on our TensorFlow, in a worker: what has which shape. `close` ends it."""

    def __init__(self, seconds: float = 120.0) -> None:
        self.backend = process.Backend(process.SHAPES, sys.executable, seconds=seconds)
        if not self.backend.is_there():
            raise NoEngine(f"the shape engine needs Keras 3 beside shapeflow: {self.backend.missing}")
        self._known: Dict[str, Plain] = {}

    def signatures(self) -> Plain:
        answer = self.backend.ask({"do": "signatures"})
        if answer["status"] != "ok":
            raise NoEngine(answer["reason"])
        made: Plain = answer["signatures"]
        return made

    def infer(self, layers: List[Plain]) -> List[Plain]:
        """What was asked before is known."""
        import json

        keys = [json.dumps(layer, sort_keys=True) for layer in layers]
        new = {key: layer for key, layer in zip(keys, layers) if key not in self._known}
        if new:
            answer = self.backend.ask({"do": "infer", "layers": list(new.values())})
            if answer["status"] != "ok":
                return [{"reason": answer["reason"]}] * len(layers)
            self._known.update(zip(new, answer["layers"]))
        return [self._known[key] for key in keys]

    def shapes(self, folder: str) -> Plain:
        return self.backend.ask({"do": "shapes", "folder": folder})

    def close(self) -> None:
        self.backend.close()


class Campaign:
    """`folder`: of the store and the findings. `only_shapes`: no numbers are computed."""

    def __init__(self, fleet: Fleet, settings: Settings, folder: str, seed: int, length: int,
                 say: Callable[[str], None], only_shapes: bool = False) -> None:
        self.fleet, self.settings, self.folder = fleet, settings, folder
        self.seed, self.length, self.say, self.only_shapes = seed, length, say, only_shapes
        os.makedirs(folder, exist_ok=True)
        self.store = store.Store(os.path.join(folder, STORE))
        self.engine = Engine()
        signatures = self.engine.signatures()
        self.defaults = {name: {row[0]: row[1] for row in rows} for name, rows in signatures.items()}
        known, self.unknown = layer_tables.of_signatures(signatures)
        self.coverage = Coverage()
        self.store.load(self.coverage)
        self.generator = Generator(known, self.engine.infer, self.coverage)

    def run(self, count: int, seconds: Optional[float] = None) -> Plain:
        """So many more models, or so long; what was done before is not done again."""
        begun = time.monotonic()
        done = 0
        number = self.store.next_number()
        while done < count and (seconds is None or time.monotonic() - begun < seconds):
            at = time.monotonic()
            status, layers, reason = self._one(number)
            self.store.put_model(number, status, layers, time.monotonic() - at, reason)
            self.store.save(self.coverage)
            number, done = number + 1, done + 1
            rate = 60 * done / max(1e-9, time.monotonic() - begun)
            self.say(f"{done}/{count} models, {rate:.1f} a minute, {len(self.store.findings())} findings")
        return self.summary()

    def _one(self, number: int) -> Tuple[str, int, str]:
        """(status, layers, why it is refused)."""
        try:
            config = self.generator.model(self.seed * 1_000_003 + number, self.length)
        except Stuck:
            return "stuck", 0, ""
        folder = tempfile.mkdtemp(prefix="shapeflow-model-")
        try:
            case = Case(folder, config, f"model {number}")
            case.inputs = models.draw_inputs(config, number)
            case.write()
            layers = len(config["config"]["layers"]) - 1
            engine = self.engine.shapes(folder)
            if engine["status"] != "ok":
                return "engine refuses", layers, engine["reason"]
            status, reason = self._on_backends(number, case, engine)
            return status, layers, reason
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _on_backends(self, number: int, case: Case, engine: Plain) -> Tuple[str, str]:
        if self.only_shapes:
            return self._compare_shapes(number, case, engine)
        case.weights = models.draw_weights(
            self.engine.backend.ask({"do": "weights", "folder": case.folder}).get("weights", []), number)
        case.labels = models.draw_labels(engine["ends"], len(case.inputs[0]), number)
        case.write_numbers()
        document = comparing.compare(case, self.fleet.there, self.settings)
        if not document["nodes"]:
            return "refused", "; ".join(sorted(document["failed"].values()))[:300]
        self._cover(document)
        for finding in document["findings"]:
            self._keep(number, case, finding, document)
        return "ok", ""

    def search(self, case: Case, kinds: Sequence[str], goal: str, rounds: int) -> Plain:
        """Variants of one model, until the rounds are over (see genetic.py)."""
        number = self.store.next_number()
        begun = time.monotonic()

        def judge(variant: Case) -> Tuple[float, List[Plain], Plain]:
            document = comparing.compare(variant, self.fleet.there, self.settings)
            self._cover(document)
            return genetic.fitness(document, goal), document["findings"], document

        def found(variant: Case, finding: Plain, document: Plain) -> None:
            self._keep(number, variant, finding, document)
            self.say(f"{search.tried} variants, {len(self.store.findings())} findings: {finding['message']}")

        search = genetic.Search(case, kinds, judge,
                                lambda variant: reduce.with_new_sizes(variant, self.fleet.there), self.seed)
        search.run(rounds, found)
        layers = len(case.config["config"]["layers"]) - 1
        self.store.put_model(number, "ok", layers, time.monotonic() - begun)
        self.store.save(self.coverage)
        return {**self.summary(), "variants": search.tried, "best": search.best}

    def _cover(self, document: Plain) -> None:
        ran = ["forward"] + ["loss"] * bool(document["loss"])
        if document["loss"] and any(
            backend.name in process.WITH_GRADIENTS and backend.label in document["loss"]
            for backend in self.fleet.there
        ):
            ran.append("backward")
        for node in document["nodes"]:
            for phase in ran:
                if phase in self.settings.phases:
                    self.coverage.ran(node["class"], phase)

    def _compare_shapes(self, number: int, case: Case, engine: Plain) -> Tuple[str, str]:
        """The engine's word against that of Keras on each backend."""
        reasons = []
        for backend in self.fleet.there:
            answer = backend.ask({"do": "shapes", "folder": case.folder})
            if answer["status"] != "ok":
                reasons.append(f"{backend.label}: {answer['reason']}")
                continue
            for finding in shape_findings(case, engine, answer, backend):
                self._put(number, case, finding, {"versions": self.fleet.versions(), "nodes": [], "maps": {},
                                                  "title": case.title, "findings": [finding], "refused": {},
                                                  "pairs": [], "backends": [backend.label, "shapeflow"]})
        return "refused" if len(reasons) == len(self.fleet.there) else "ok", "; ".join(reasons)

    def _keep(self, number: int, case: Case, finding: Plain, document: Plain) -> None:
        """Reduced, and written when it is a new one."""
        small_folder = os.path.join(case.folder, "small")
        small = reduce.reduced(
            case, finding, document, self.fleet.there, self.settings, self.defaults, small_folder
        )
        kept = {**small["finding"], "blame": small["blame"]}
        if "known" in finding:
            kept["known"] = finding["known"]
        self._put(number, small["case"], kept, {**small["document"], "findings": [kept]})

    def _put(self, number: int, case: Case, finding: Plain, document: Plain) -> None:
        if self.store.put_finding(number, finding):
            path = os.path.join(self.folder, results.name_of(number, finding))
            try:
                finding["folder"] = results.write(path, case, finding, document)
            except OSError as error:
                self.say(f"{path} cannot be written: {error.strerror}")
            self.store.update_finding(finding)

    def summary(self) -> Plain:
        counts = self.store.counts()
        used = {layer for layer in self.coverage.layers if layer in self.generator.known}
        return {
            "models": counts,
            "refused": self.store.reasons("refused") + self.store.reasons("engine refuses"),
            "seconds": self.store.seconds(),
            "versions": self.fleet.versions(),
            "layers": [len(used), len(self.generator.known)],
            "parameters": len(self.coverage.values),
            "phases": len(self.coverage.phases),
            "not_generated": self.unknown,
            "not_used": sorted(set(self.generator.known) - used),
            "findings": self.store.findings(),
        }

    def close(self) -> None:
        self.engine.close()
        self.store.close()


def shape_findings(case: Case, engine: Plain, answer: Plain, backend: Backend) -> List[Plain]:
    """Where the shapes, dtypes or number of parameters of two answers differ."""
    classes = {row["config"]["name"]: row["class_name"] for row in models.layers_of(case.config)}
    where = backend.label

    def finding(kind: str, layer: str, words: str) -> Plain:
        return {"code": "SF706", "kind": kind, "phase": "build", "layer": layer,
                "class": classes.get(layer, ""), "backends": [process.SHAPES], "against": [where],
                "distance": None, "parameters": comparing.parameters_of(case.config, layer), "message": words}

    for layer, shapes in answer["shapes"].items():
        theirs = shapes, answer["dtypes"].get(layer)
        ours = engine["shapes"].get(layer), engine["dtypes"].get(layer)
        if ours != theirs:  # those after it follow
            return [
                finding("shape", layer, f"{classes.get(layer)} {layer!r} is {ours} here, {theirs} on {where}")
            ]
    if engine["parameters"] != answer["parameters"]:
        words = f"{engine['parameters']} parameters here, {answer['parameters']} on {where}"
        return [finding("parameters", "", words)]
    return []
