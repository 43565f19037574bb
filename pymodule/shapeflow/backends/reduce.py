"""A finding made small: one layer, one sample, and the parameters that it takes (Audee's causal
localisation).

The layer is taken out with the inputs that it had. Each parameter that is not at its default is set to
that, one at a time: where the difference goes, the parameter is blamed; where it stays, the parameter goes.
"""
from __future__ import annotations

import copy
import os

import numpy as np

from shapeflow.backends import comparing, configs, models
from shapeflow.backends.models import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence

    from shapeflow.backends.comparing import Settings
    from shapeflow.backends.process import Backend

    Plain = Dict[str, Any]

_KEPT = ("name", "trainable", "units", "filters", "layer")  # sizes, and what no layer is without


def alone(case: Case, finding: Plain, document: Plain, folder: str) -> Optional[Case]:
    """The layer of the finding as a model, with what the reference backend gave it; None: it is no single
    layer."""
    row = next(
        (row for row in configs.layers_of(case.config) if row["config"].get("name") == finding["layer"]), None
    )
    node = next((node for node in document["nodes"] if node["layer"] == finding["layer"]), None)
    if row is None or node is None or row["class_name"] == "InputLayer":
        return None
    arrays = _results(case, document["reference"] if "reference" in document else "")
    inputs = []
    for source, index in zip(node["inputs"], node["indices"]):
        if source.startswith("input "):
            inputs.append(case.inputs[int(source.split()[1])])
        elif f"f/{source}/{index}" in arrays:
            inputs.append(arrays[f"f/{source}/{index}"])
        else:
            return None
    made = Case(folder, _model_of(row, inputs, len(node["outputs"])), f"{row['class_name']} alone")
    made.inputs, made.loss, made.training, made.trusted = inputs, case.loss, case.training, case.trusted
    made.weights = [case.weights[i] for i in node.get("weights", ()) if i < len(case.weights)]
    outputs = [shape for shape, _ in node["outputs"]]
    made.labels = models.draw_labels(outputs, len(inputs[0]), 0)
    return made


def _results(case: Case, label: str) -> Plain:
    path = os.path.join(case.folder, comparing.file_of(label))
    if not label or not os.path.exists(path):
        return {}
    with np.load(path, allow_pickle=False) as data:
        return {key: data[key] for key in data.files}


def _model_of(row: Plain, inputs: Sequence[Any], outputs: int) -> Plain:
    names = [f"x{i}" for i in range(len(inputs))]
    shapes = [([None, *array.shape[1:]], str(array.dtype)) for array in inputs]
    arguments = [configs.tensor(name, *shape) for name, shape in zip(names, shapes)]
    rows = [configs.input_row(name, *shape) for name, shape in zip(names, shapes)]
    rows.append(configs.called(copy.deepcopy(row), arguments))
    return configs.functional("reduced", rows, names, [(row["config"]["name"], i) for i in range(outputs)])


def same(finding: Plain, document: Plain) -> Optional[Plain]:
    """The finding in a document that is of the same layer class, phase and kind."""
    return next((other for other in document["findings"] if all(
        other[key] == finding[key] for key in ("class", "phase", "kind"))), None)


def reduced(case: Case, finding: Plain, document: Plain, backends: Sequence[Backend], settings: Settings,
            defaults: Mapping[str, Mapping[str, object]], folder: str) -> Plain:
    """{"case", "finding", "document", "blame"}: as small as it gets; the whole case where it is not the
    layer."""
    whole = {"case": case, "finding": finding, "document": document, "blame": []}
    single = alone(case, finding, document, folder)
    if single is None:
        return whole
    involved = {*finding["backends"], *finding["against"]}
    those = [backend for backend in backends if backend.label in involved]
    quick = comparing.Settings(settings.phases, settings.threshold, always_local=True)

    def tried(candidate: Case) -> Optional[Plain]:
        candidate.write()
        made = comparing.compare(candidate, those, quick)
        found = same(finding, made)
        return None if found is None else {"case": candidate, "finding": found, "document": made, "blame": []}

    best = tried(single)
    if best is None:
        return whole
    rows = len(single.inputs[0])
    for i in range(rows if rows > 1 else 0):
        one = copy.copy(single)
        one.inputs = [array[i:i + 1] for array in single.inputs]
        one.labels = [array[i:i + 1] for array in single.labels]
        smaller = tried(one)
        if smaller is not None:
            best = smaller
            break
    blame: List[str] = []
    own = {"dtype": "float32", **defaults.get(finding["class"], {})}
    config = best["case"].config["config"]["layers"][-1]["config"]
    for name, value in list(config.items()):
        if name in _KEPT or name not in own or own[name] == value or isinstance(value, dict):
            continue
        other = copy.copy(best["case"])
        other.config = copy.deepcopy(other.config)
        other.config["config"]["layers"][-1]["config"][name] = own[name]
        outcome = with_new_sizes(other, those)
        made = tried(other) if outcome else None
        if outcome and made is None:
            blame.append(f"{name}={own[name]!r}")
        elif made is not None:
            best = made
    best["case"].write()
    best["blame"] = blame
    return best


def with_new_sizes(case: Case, backends: Sequence[Backend]) -> bool:
    """Weights and labels where a parameter changed their shapes; False: it is no model any more."""
    case.write()
    answer = backends[0].ask({"do": "shapes", "folder": case.folder})
    if answer["status"] != "ok":
        return False
    if [shape for _, shape, _ in answer["weights"]] != [list(array.shape) for array in case.weights]:
        case.weights = models.draw_weights(answer["weights"], 0)
    case.labels = models.draw_labels(answer["ends"], len(case.inputs[0]), 0)
    return True
