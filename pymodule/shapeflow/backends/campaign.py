"""Many generated models on all backends (`shapeflow backends generate`), or variants of one model (`search`).

Models are made here, one after the other; they run side by side, here or on a cluster (job.py). The store
and the findings are written here alone, so whatever ends elsewhere loses nothing that was done.
"""
from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
import time
from itertools import chain

from shapeflow import parallel
from shapeflow.backends import configs, genetic, job, layer_tables, results, store
from shapeflow.backends.coverage import Coverage
from shapeflow.backends.engine import Engine, NoEngine
from shapeflow.backends.generator import Generator, Stuck
from shapeflow.backends.models import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    from shapeflow.backends.comparing import Settings
    from shapeflow.backends.process import Fleet
    from shapeflow.progress import Progress

    Plain = Dict[str, Any]

__all__ = ["Campaign", "NoEngine"]

STORE = "campaign.sqlite"


class Campaign:
    """`folder`: of the store and the findings. `only_shapes`: no numbers are computed. `close` at the end."""

    def __init__(self, fleet: Fleet, settings: Settings, folder: str, seed: int, length: int,
                 progress: Progress, only_shapes: bool = False) -> None:
        self.fleet, self.folder, self.seed, self.length = fleet, folder, seed, length
        self.progress = progress
        os.makedirs(folder, exist_ok=True)
        self.store = store.Store(os.path.join(folder, STORE))
        self.engine = Engine()
        signatures = self.engine.signatures()
        defaults = {name: {row[0]: row[1] for row in rows} for name, rows in signatures.items()}
        self.specification: Plain = {"fleet": fleet.arguments, "settings": settings.arguments,
                                     "defaults": defaults, "only_shapes": only_shapes}
        self.runner = job.Runner(fleet, settings, defaults, only_shapes)
        shared = layer_tables.shared([signatures, *fleet.signatures()])
        known, self.unknown = layer_tables.of_signatures(shared)
        self.within = [name for name in layer_tables.WITHIN if name in shared and "RNN" in known]
        self.only_shapes = only_shapes
        self.coverage = Coverage()
        self.store.load(self.coverage)
        self.generator = Generator(known, self._infer, self.coverage)

    def _infer(self, layers: List[Plain]) -> List[Plain]:
        """What the engine says of each, and what other releases of Keras refuse."""
        made = list(self.engine.infer(layers))
        taken = [place for place, row in enumerate(made) if "outputs" in row]
        refused = self.fleet.refusals([layers[place] for place in taken], self.engine.release)
        for place, row in zip(taken, refused):
            made[place] = row if "reason" in row else {**made[place], **row}
        return made

    # --- generate --------------------------------------------------------------------------------------
    def run(self, count: int, seconds: Optional[float] = None, workers: int = 1,
            dask: Optional[str] = None) -> Plain:
        """So many more models, or so long; first those that were under way when the campaign was stopped.
        What was done before is not done again. Raises OSError, and parallel.NoCluster."""
        work = functools.partial(job.run, self.specification)
        job.keep(self.specification, self.runner)
        told = time.monotonic()
        try:
            for made, outcome in parallel.each(work, self._jobs(count, seconds), workers, dask):
                if isinstance(outcome, OSError):
                    raise outcome
                if isinstance(outcome, Exception):  # of a host that was lost again and again
                    outcome = _ended("lost", f"{type(outcome).__name__}: {outcome}"[:300])
                self._put(made, outcome)
                now = time.monotonic()  # with each model: a campaign that is killed loses no more
                self.store.add_seconds(now - told)
                told = now
        finally:
            job.close(self.specification)
            self.store.add_seconds(time.monotonic() - told)  # also where it is stopped
        return self.summary()

    def _jobs(self, count: int, seconds: Optional[float]) -> Iterator[Plain]:
        begun = time.monotonic()
        left = self.store.under_way()[:count]
        first = self.store.next_number()
        for made in chain(left, ({"number": first + more} for more in range(count - len(left)))):
            if seconds is not None and time.monotonic() - begun >= seconds:
                return
            if "config" in made or self._is_made(made):
                yield made

    def _is_made(self, made: Plain) -> bool:
        """Makes the model of this number; False: that is its outcome. From here on it is under way."""
        begun = time.monotonic()
        made["layers"] = 0
        try:
            config = self.generator.model(self.seed * 1_000_003 + made["number"], self.length)
        except Stuck:
            self._put(made, _ended("stuck", ""))
            return False
        made.update(config=config, engine=self._engine_of(config), apart=self.generator.apart,
                    layers=len(config["config"]["layers"]) - 1)
        made["seconds"] = time.monotonic() - begun
        classes = configs.classes_of(config)
        with self.store:
            self.store.put_under_way(made["number"], made)
            for layer, words in made["apart"].items():
                self.store.put_apart(classes[layer], words)
            self.store.save(self.coverage)
        if made["engine"]["status"] == "ok":
            return True
        self._put(made, _ended("engine refuses", made["engine"]["reason"]))
        return False

    def _engine_of(self, config: Plain) -> Plain:
        folder = tempfile.mkdtemp(prefix="shapeflow-model-")
        try:
            Case(folder, config, "").write()
            return self.engine.shapes(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _put(self, made: Plain, outcome: Plain) -> None:
        """What became of a model."""
        with self.store:
            self.store.put_model(made["number"], outcome["status"], made["layers"],
                                 outcome["seconds"] + made.get("seconds", 0.0), outcome["reason"])
            if outcome["status"] in ("refused", "engine refuses"):
                self._keep_refused(made)
            if outcome["ran"]:
                self._cover(made["config"], outcome["ran"])
            self.store.save(self.coverage)
            for row in outcome["findings"]:
                self._keep(made["number"], row["finding"], row["files"])
        self.progress.step(f"{len(self.store.findings())} findings")

    def _cover(self, config: Plain, ran: Sequence[Sequence[str]]) -> None:
        rows = {row["config"].get("name"): row for row in configs.layers_of(config)}
        for name, phase in ran:
            if name in rows:
                given = {key: value for key, value in rows[name]["config"].items() if key != "name"}
                self.coverage.ran(rows[name]["class_name"], given, phase)

    def _keep_refused(self, made: Plain) -> None:
        """Every model should be valid: one that is not is a bug of ours or of Keras's."""
        path = os.path.join(self.folder, f"refused-{made['number']:05d}.json")
        try:
            with open(path, "w", encoding="utf-8") as stream:
                json.dump(made["config"], stream)
        except OSError as error:
            self.progress.say(f"{path} cannot be written: {error.strerror}")

    def _keep(self, number: int, finding: Plain, files: Dict[str, bytes]) -> None:
        """Written when it is a new one."""
        if self.store.put_finding(number, finding):
            path = os.path.join(self.folder, results.name_of(number, finding))
            try:
                finding["folder"] = results.write(path, files)
            except OSError as error:
                self.progress.say(f"{path} cannot be written: {error.strerror}")
            self.store.update_finding(finding)

    # --- search ----------------------------------------------------------------------------------------
    def search(self, case: Case, kinds: Sequence[str], goal: str, rounds: int) -> Plain:
        """Variants of one model, until the rounds are over (see genetic.py)."""
        number = self.store.next_number()
        begun = time.monotonic()

        def judge(variant: Case) -> Tuple[float, List[Plain], Plain]:
            document = self.runner.compare(variant)
            self._cover(variant.config, self.runner.ran(document))
            with self.store:
                self.store.save(self.coverage)
            self.progress.step(f"{len(self.store.findings())} findings")
            return genetic.fitness(document, goal), document["findings"], document

        def found(variant: Case, finding: Plain, document: Plain) -> None:
            kept = self.runner.kept(variant, finding, document)
            with self.store:
                self._keep(number, kept["finding"], kept["files"])

        search = genetic.Search(case, kinds, judge, self.runner.resize, self.seed)
        search.run(rounds, found)
        layers = len(case.config["config"]["layers"]) - 1
        with self.store:
            self.store.put_model(number, "ok", layers, time.monotonic() - begun)
        self.store.add_seconds(time.monotonic() - begun)
        return {**self.summary(), "variants": search.tried, "best": search.best}

    def summary(self) -> Plain:
        counts = self.store.counts()
        known = self.generator.known
        used = {layer for layer in self.coverage.layers if layer in known or layer in self.within}
        phases = [] if self.only_shapes else self.runner.settings.phases
        return {
            "models": counts,
            "refused": [reason for status in ("refused", "engine refuses", "lost")
                        for reason in self.store.reasons(status)],
            "seconds": self.store.seconds(),
            "versions": self.fleet.versions(),
            "layers": [len(used), len(known) + len(self.within)],
            "parameters": len(self.coverage.values),
            "phases": {name: count for name, count in self.coverage.phases_of(
                [*known, *self.within]).items() if name in phases},
            "cells": self.coverage.reached(known, phases),
            "apart": self.store.apart(),
            "not_generated": self.unknown,
            "not_used": sorted({*known, *self.within} - used),
            "findings": self.store.findings(),
            "localised": localised(self.store.findings()),
        }

    def close(self) -> None:
        self.engine.close()
        self.store.close()
        self.progress.close()


def localised(findings: Sequence[Plain]) -> Plain:
    """Over distinct findings of a layer that are not known: the (layer, parameter) pairs that are named.
    Over the models in which they were first seen: layers that the rate of change marks, and wrong ones."""
    own = [finding for finding in findings if "known" not in finding and "pattern" not in finding]
    models = {finding["model"]: finding for finding in own}
    return {"findings": len(own), "pairs": sum(len(finding.get("blame", ())) for finding in own),
            "marked": sum(finding.get("marked", 0) for finding in models.values()),
            "wrong": sum(finding.get("wrong", 0) for finding in models.values())}


def _ended(status: str, reason: str) -> Plain:
    """An outcome of a model that did not run."""
    return {"status": status, "reason": reason, "ran": [], "findings": [], "seconds": 0.0}
