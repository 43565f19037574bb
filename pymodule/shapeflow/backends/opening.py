"""A MODEL of the command line as a case: a file of Keras, its JSON, or a script that builds one."""
from __future__ import annotations

import json
import os
import re
import tempfile

import numpy as np

from shapeflow.backends import configs, models
from shapeflow.backends.configs import Unusable
from shapeflow.backends.engine import Engine, NoEngine
from shapeflow.backends.models import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence

    from shapeflow.backends.process import Backend

    Plain = Dict[str, Any]

_LARGEST = 1 << 26  # bytes of a config
_FILES = (".keras", ".h5", ".hdf5")  # with weights


def config_of(path: str, trust: bool, rest: List[str], arguments: object) -> Plain:
    """The model's config; no framework is started. Raises Unusable."""
    if not os.path.exists(path):
        raise Unusable(f"{path}: no such file")
    if os.path.isdir(path) and os.path.exists(os.path.join(path, "model.json")):  # of a finding
        path = os.path.join(path, "model.json")
    if path.lower().endswith((*_FILES, ".json")):
        config = _read(path)
        configs.refuse_code(config, path, trust)
        configs.inputs_of(config)  # whatever no backend can be given is said before any starts
        return config
    if path.lower().endswith(".py"):
        return _built_by(path, rest, arguments)
    raise Unusable(f"{path} is no model: those are .keras, .h5, Keras's .json, "
                   "scripts that build one, and folders of findings")


def _read(path: str) -> Plain:
    """Of a .keras or .h5 file, or Keras's JSON. Raises Unusable."""
    import shapeflow.checker.keras_file as keras_file

    try:
        if path.endswith(".json"):
            if os.path.getsize(path) > _LARGEST:
                raise Unusable(f"{path}: its config is too large")
            with open(path, encoding="utf-8") as stream:
                config = json.load(stream)
        else:
            config = keras_file.config_of(path)
    except keras_file.NotReadable as error:
        raise Unusable(f"{path}: {error}") from None
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RuntimeError) as error:
        raise Unusable(f"{path} is no model that Keras saved ({error})") from None
    if not isinstance(config, dict) or not isinstance(config.get("config"), dict):
        raise Unusable(f"{path} is no model that Keras saved")
    return config


def _built_by(path: str, rest: List[str], arguments: Any) -> Plain:
    """The model with the most parameters that the script leaves, run with shapes only and in the sandbox."""
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
    code = configs.code_in(config)
    if code:
        raise Unusable(f"{path}: its model has code of its own ({', '.join(code)}), which workers cannot "
                       "have: save it as .keras, and compare that with --trust")
    return config


def judge_data(config: Plain, data: str, trust: bool, loss: Optional[str]) -> None:
    """Before any framework starts. Raises Unusable where the data do not fit the model: inputs by what it
    says of them; labels, and sizes that it leaves open, by the shape engine. Without an engine labels are
    judged when the first backend has read the model."""
    inputs, labels = models.read_data(data, configs.inputs_of(config))
    is_open = any(size is None for item in configs.inputs_of(config) for size in item.shape[1:])
    if not labels and not is_open:
        return
    with tempfile.TemporaryDirectory(prefix="shapeflow-") as folder:
        try:
            engine = Engine()
        except NoEngine:
            return
        try:
            ends = _ends_of(engine, config, inputs, trust, folder, data)
        finally:
            engine.close()
    if ends is not None and labels:
        models.check_labels(data, labels, ends, loss or "mse")


def _ends_of(engine: Engine, config: Plain, inputs: Sequence[Any], trust: bool, folder: str,
             data: str) -> Optional[List[List[Optional[int]]]]:
    """The shapes of the model's outputs for those inputs; None: the engine has no word on the model."""
    def ask(one: Plain) -> Plain:
        case = Case(folder, one, "")
        case.trusted = trust
        case.write()
        return engine.shapes(folder)

    fixed = configs.with_sizes(config, [array.shape for array in inputs])
    answer = ask(fixed)
    if answer["status"] != "ok":
        if answer["status"] != "failed" or fixed == config or ask(config)["status"] != "ok":
            return None  # it is no matter of the data
        shown = ", ".join(str(array.shape) for array in inputs)
        raise Unusable(f"{data}: the model does not take data of {shown}: {answer['reason']}", "SF707")
    ends: List[List[Optional[int]]] = answer["ends"]
    return ends


def case_of(path: str, config: Plain, folder: str, backends: Sequence[Backend], trust: bool, seed: int,
            data: Optional[str] = None, loss: Optional[str] = None) -> Case:
    """With weights and data. Raises Unusable, for data before any backend starts."""
    case = Case(folder, config, os.path.basename(os.path.abspath(path)))
    case.trusted = trust
    os.makedirs(folder, exist_ok=True)
    is_finding = os.path.isdir(path)
    if is_finding and not data:
        data = os.path.join(path, "inputs.npz")
    if data:
        case.inputs, case.labels = models.read_data(data, configs.inputs_of(config))
    else:
        case.inputs = models.draw_inputs(config, seed)
    case.has_labels = bool(case.labels)
    case.loss = loss or "mse"
    case.write()
    if is_finding:
        case.weights = _weights_in(path)
    elif path.lower().endswith(_FILES):
        # The oldest that reads it says how the model is written for all: newer ones read that of older ones.
        _take(case, sorted(backends, key=_release), lambda backend: _open(case, path, backend))
    shapes = _take(case, backends, lambda backend: backend.ask({"do": "shapes", "folder": folder}))
    if not case.weights:
        case.weights = models.draw_weights(shapes["weights"], seed)
    if case.labels and data:
        models.check_labels(data, case.labels, shapes["ends"], case.loss)
    else:
        case.labels = models.draw_labels(shapes["ends"], len(case.inputs[0]), seed)
    case.write_numbers()
    return case


def _take(case: Case, backends: Sequence[Backend], ask: Callable[[Backend], Plain]) -> Plain:
    """The answer of the first backend that has one. Raises Unusable."""
    reasons = []
    for backend in backends:
        answer = ask(backend)
        if answer["status"] == "ok":
            return answer
        reasons.append(f"{backend.label}: {answer['reason']}")
    raise Unusable(f"{case.title}: no backend takes the model ({'; '.join(reasons) or 'there is none'})")


def _release(backend: Backend) -> List[int]:
    """Of its Keras, to be sorted by."""
    return [int(number) for number in re.findall(r"\d+", backend.versions.get("keras", ""))]


def _open(case: Case, path: str, backend: Backend) -> Plain:
    """Has a worker read a file of Keras."""
    answer = backend.ask({"do": "open", "path": os.path.abspath(path), "trust": case.trusted,
                          "folder": case.folder})
    if answer["status"] == "ok":
        with open(os.path.join(case.folder, "model.json"), encoding="utf-8") as stream:
            case.config = json.load(stream)
        case.weights = _weights_in(case.folder)
    return answer


def _weights_in(folder: str) -> List[Any]:
    path = os.path.join(folder, "weights.npz")
    try:
        with np.load(path, allow_pickle=False) as found:
            return [found[f"w{i}"] for i in range(len(found.files))]
    except models.NOT_READABLE as error:
        raise Unusable(f"{path}: no weights that can be read ({error})") from None
