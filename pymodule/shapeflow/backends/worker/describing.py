"""What a worker says of models and layers without running them."""
from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence

    Plain = Dict[str, Any]


def flat(nested: object) -> List[Any]:
    """As keras.tree.flatten, which the first releases of Keras 3 do not have."""
    if isinstance(nested, dict):
        nested = [nested[key] for key in sorted(nested)]
    if isinstance(nested, (list, tuple)):
        return [leaf for part in nested for leaf in flat(part)]
    return [nested]


def read_model(keras: Any, folder: str) -> Any:
    """The model of folder/model.json. Lambdas and the like are refused before that, or trusted."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as stream:
        text = stream.read()
    trusted = os.path.exists(os.path.join(folder, "trusted"))
    return keras.models.model_from_json(text) if not trusted else _unsafe(keras, text)


def _unsafe(keras: Any, text: str) -> Any:
    keras.config.enable_unsafe_deserialization()
    return keras.models.model_from_json(text)


def open_file(keras: Any, task: Plain) -> Plain:
    import numpy as np

    if task["trust"]:
        keras.config.enable_unsafe_deserialization()
    model = keras.models.load_model(task["path"], compile=False, safe_mode=not task["trust"])
    folder = task["folder"]
    with open(os.path.join(folder, "model.json"), "w", encoding="utf-8") as stream:
        stream.write(model.to_json())
    arrays: Dict[str, Any] = {f"w{i}": np.asarray(value) for i, value in enumerate(model.get_weights())}
    np.savez(os.path.join(folder, "weights.npz"), **arrays)
    return {"layers": len(model.layers)}


def shapes(keras: Any, task: Plain) -> Plain:
    """By layer name the shapes of its output; with what model.summary() counts."""
    model = read_model(keras, task["folder"])
    made = {layer.name: [_sizes(tensor.shape) for tensor in flat(layer.output)]
            for layer in model.layers}
    dtypes = {layer.name: [str(tensor.dtype) for tensor in flat(layer.output)]
              for layer in model.layers}
    return {
        "shapes": made,
        "dtypes": dtypes,
        "ends": [_sizes(tensor.shape) for tensor in flat(model.outputs)],
        "parameters": int(model.count_params()),
        "weights": [[variable.path, _sizes(variable.shape), str(variable.dtype)]
                    for variable in model.weights],
    }


def infer(keras: Any, task: Plain) -> Plain:
    """Each layer by itself: {"outputs": [[shape, dtype]]} or {"reason"}. "run": of two samples of ones, too,
    since some refuse only then; {"apart"} says which other shape it gives there."""
    made: List[Plain] = []
    for item in task["layers"]:
        try:
            tensors = [keras.Input(batch_shape=shape, dtype=dtype) for shape, dtype in item["inputs"]]
            layer = keras.layers.deserialize(item["config"])
            outputs = layer(*tensors) if item.get("separate") or len(tensors) == 1 else layer(tensors)
            if any(output is tensor for output in flat(outputs) for tensor in tensors):
                made.append({"reason": "ValueError: it gives its input itself, which is a cycle in a model"})
                continue
            row: Plain = {"outputs": [[_sizes(tensor.shape), str(tensor.dtype)]
                                      for tensor in flat(outputs)],
                          "parameters": int(layer.count_params())}
            if task.get("run"):
                ones = [keras.ops.ones([2 if size is None else size for size in shape], dtype=dtype)
                        for shape, dtype in item["inputs"]]
                # As in running.py: RandomCrop crops where nothing is said of training, and only there.
                given = {"training": False} if getattr(layer, "_call_has_training_arg", False) else {}
                ran = layer(*ones, **given) if item.get("separate") or len(ones) == 1 else \
                    layer(ones, **given)
                apart = _apart(flat(outputs), flat(ran))
                if apart:
                    row["apart"] = apart
            made.append(row)
        except Exception as error:
            from . import serve

            made.append({"reason": serve.reason_of(error)})
    return {"layers": made}


def fits(said: Sequence[Optional[int]], given: Sequence[Optional[int]]) -> bool:
    """Two shapes; what is not known fits."""
    if None in (getattr(said, "rank", 0), getattr(given, "rank", 0)):  # our TensorFlow's
        return True
    return len(said) == len(given) and all(
        size is None or made is None or int(size) == int(made) for size, made in zip(said, given))


def misfit(said: Sequence[Optional[int]], given: Sequence[Optional[int]]) -> str:
    return f"{tuple(_sizes(said))} by Keras's word, {tuple(_sizes(given))} when it runs"


def _apart(said: List[Any], given: List[Any]) -> str:
    """Where a layer gives another shape than Keras says of it; "" where it does not."""
    if len(said) != len(given):
        return f"{len(said)} tensors by Keras's word, {len(given)} when it runs"
    return next((misfit(one.shape, other.shape) for one, other in zip(said, given)
                 if not fits(one.shape, other.shape)), "")


def signatures(keras: Any, task: Plain) -> Plain:
    """{name of a layer: [[parameter, default or null, is there a default]]}, each layer under one name."""
    import inspect

    members = {name: getattr(keras.layers, name) for name in sorted(dir(keras.layers))}
    kinds = {name: kind for name, kind in members.items()
             if isinstance(kind, type) and issubclass(kind, keras.layers.Layer)}
    aliases = {kind: name for name, kind in kinds.items()}
    aliases.update({kind: name for name, kind in kinds.items() if kind.__name__ == name})
    found: Dict[str, Any] = {}
    for kind, name in aliases.items():
        found[name] = [[p.name, _plain(p.default), p.default is not p.empty]
                       for p in inspect.signature(kind).parameters.values()
                       if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    return {"signatures": found}


def _plain(value: object) -> Any:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return None
    return value


def _sizes(shape: Sequence[Optional[int]]) -> List[Optional[int]]:
    return [None if size is None else int(size) for size in shape]
