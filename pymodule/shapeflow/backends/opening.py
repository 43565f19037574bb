"""A MODEL of the command line as a case: a file of Keras, its JSON, or a script that builds one."""
from __future__ import annotations

import os

from shapeflow.backends import models
from shapeflow.backends.models import Case, Unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    from shapeflow.backends.process import Backend

    Plain = Dict[str, Any]

SUFFIXES = (".keras", ".h5", ".hdf5", ".json")


def config_of(path: str, trust: bool, rest: List[str], arguments: Any) -> Plain:
    """The model's config; no framework is started. Raises Unusable."""
    if not os.path.exists(path):
        raise Unusable(f"{path}: no such file")
    if path.lower().endswith(SUFFIXES):
        config = models.read_config(path)
        models.refuse_code(config, path, trust)
        return config
    if path.lower().endswith(".py"):
        return _built_by(path, rest, arguments)
    raise Unusable(f"{path} is no model: those are .keras, .h5, Keras's .json, and scripts that build one")


def _built_by(path: str, rest: List[str], arguments: Any) -> Plain:
    """The model with the most parameters that the script leaves, run with shapes only and in the sandbox."""
    import json

    import shapeflow.commands._taken as taken

    def make(taker: Any) -> Plain:
        import shapeflow.pictures.keras_layers as keras_layers

        found = [
            layer for layer in taker.layers if keras_layers.is_model(layer) and hasattr(layer, "to_json")
        ]
        best: Plain = {"reason": "it leaves no model of Keras"}
        most = -1
        for model in found:
            try:
                size, text = model.count_params(), model.to_json()
            except Exception as error:
                best.setdefault("reason", f"{type(error).__name__}: {error}")
                continue
            if size > most:
                most, best = size, {"model": text}
        return best

    def begin() -> None:
        from shapeflow.tensorflow.python.framework import object_log

        object_log.start()

    run = taken.take_report(path, rest, arguments, make, begin)
    if run is None:
        raise Unusable(f"{path} could not be run")
    run.tell()
    made: Optional[Plain] = run.made
    if made is None or "model" not in made:
        raise Unusable(f"{path}: {run.missing if made is None else made['reason']}")
    config: Plain = json.loads(made["model"])
    models.refuse_code(config, path, False)  # what a script's Lambda does is no text: workers cannot have it
    return config


def case_of(path: str, config: Plain, folder: str, backends: Sequence[Backend], trust: bool, seed: int,
            data: Optional[str] = None, loss: Optional[str] = None) -> Case:
    """With weights and data. Raises Unusable, for data before any backend starts."""
    case = Case(folder, config, os.path.basename(path))
    case.trusted = trust
    os.makedirs(folder, exist_ok=True)
    if data:
        case.inputs, case.labels = models.read_data(data, models.inputs_of(config))
    else:
        case.inputs = models.draw_inputs(config, seed)
    case.has_labels = bool(case.labels)
    case.loss = loss or "mse"
    case.write()
    _fill(case, path, backends, seed)
    return case


def _fill(case: Case, path: str, backends: Sequence[Backend], seed: int) -> None:
    """Weights, of the file or drawn, and labels as the model's outputs are; by the first backend that can."""
    reasons = []
    stored = path.lower().endswith((".keras", ".h5", ".hdf5"))
    for backend in backends:
        if stored:
            answer = backend.ask({"do": "open", "path": os.path.abspath(path), "trust": case.trusted,
                                  "folder": case.folder})
            if answer["status"] == "ok":
                import json

                import numpy as np

                with open(os.path.join(case.folder, "model.json"), encoding="utf-8") as stream:
                    case.config = json.load(stream)
                with np.load(os.path.join(case.folder, "weights.npz"), allow_pickle=False) as found:
                    case.weights = [found[f"w{i}"] for i in range(len(found.files))]
        if not stored or answer["status"] == "ok":
            answer = backend.ask({"do": "shapes", "folder": case.folder})
        if answer["status"] == "ok":
            if not stored:
                rows = backend.ask({"do": "weights", "folder": case.folder})
                case.weights = models.draw_weights(rows.get("weights", []), seed)
            if not case.labels:
                case.labels = models.draw_labels(answer["ends"], len(case.inputs[0]), seed)
            case.write_numbers()
            return
        reasons.append(f"{backend.label}: {answer['reason']}")
    raise Unusable(f"{case.title}: no backend takes the model ({'; '.join(reasons) or 'there is none'})")
